"""A board drawn into a file."""

from collections.abc import Iterable
from pathlib import Path

from arena.cli import output
from arena.cli.boards import whole_jobs
from arena.cli.imported_boards import looking
from arena.cli.showing.finding import find_job
from arena.cli.words import Lang, say
from arena.cli.workspace import Narrowed
from arena.errors import UsageError
from arena.site.figures.canvas import check_file
from arena.site.figures.catalogue import write_figure
from arena.site.figures.source import source_of
from arena.site.gather import gather

SCHEMA = "arena.figure/1"


def draw(
    asked: Narrowed, name: str, out: Path, font: str | None, lang: Lang, *, as_json: bool
) -> None:
    """Draw the latest board of the one suite asked for; raises UsageError where there is none."""
    check_file(out)
    with looking(asked) as (bench, store):
        job = find_job(whole_jobs(bench))
        source = source_of(gather(job, store))
    if source is None:
        raise UsageError(
            "there is no board of {suite} yet", fix="Run: arena rank", suite=job.suite.suite
        )
    made = write_figure(name, source, lang, out, font)
    tell_lettering(made.renamed, lang, english_instead=made.english_instead)
    if as_json:
        output.print_json({"schema": SCHEMA, "file": str(out)})
    else:
        output.tell(say(lang, "figure_written", path=str(out)))


def tell_lettering(renamed: Iterable[str], lang: Lang, *, english_instead: bool) -> None:
    """Say what a font that is missing did to the labels."""
    if english_instead:
        output.tell(say(lang, "figure_english"), style="yellow")
    if names := ", ".join(renamed):
        output.tell(say(lang, "figure_renamed", agents=names), style="yellow")

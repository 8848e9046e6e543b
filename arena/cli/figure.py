"""A board drawn into a file."""

from pathlib import Path

from arena.cli import output
from arena.cli.boards import names_of, title_of, whole_jobs
from arena.cli.words import Lang, say
from arena.cli.workspace import Narrowed, open_bench
from arena.errors import UsageError
from arena.site.whiskers import check_file, write_whiskers
from arena.store.store import Store

SCHEMA = "arena.figure/1"


def draw(asked: Narrowed, out: Path, lang: Lang, *, as_json: bool) -> None:
    """Draw the latest board of the one suite asked for; raises UsageError where there is none."""
    check_file(out)
    bench = open_bench(asked)
    jobs = whole_jobs(bench)
    if len(jobs) != 1:
        raise UsageError(
            "a figure shows one board, and here are {n}",
            fix="Choose one with --suite: {suites}.",
            n=len(jobs),
            suites=", ".join(job.suite.suite for job in jobs) or "none",
        )
    (job,) = jobs
    with Store(bench.workspace.database) as store:
        board = store.boards.latest(job.suite.suite, job.mode, domains=job.selection.domains)
    if board is None:
        raise UsageError(
            "there is no board of {suite} yet", fix="Run: arena rank", suite=job.suite.suite
        )
    drawn = write_whiskers(board, names_of(job, lang), title_of(job, board, lang), out)
    if drawn.renamed:
        output.tell(say(lang, "figure_renamed", agents=", ".join(drawn.renamed)), style="yellow")
    if as_json:
        output.print_json({"schema": SCHEMA, "file": str(drawn.path)})
    else:
        output.tell(say(lang, "figure_written", path=str(drawn.path)))

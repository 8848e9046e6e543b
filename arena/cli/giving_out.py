"""What `arena export` does in a format with texts: the records of one board, through its writer."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.exchange.format import Format, Written

SCHEMA = "arena.export/1"


def export_results(
    known: Format, path: Path, given: Mapping[str, Any], lang: Lang, *, as_json: bool
) -> None:
    """Write what one job or import holds; raises UsageError as `one_job` and the writer do."""
    from arena.cli.chosen_import import one_job
    from arena.cli.course import asked_of
    from arena.cli.imported_boards import looking
    from arena.stages.give_out import give_out

    with looking(asked_of(given)) as (bench, store):
        job = one_job(bench, given["import_"])
        records = give_out(job, store)
    if known.results is None or known.results.write is None:
        raise AssertionError(known.name)
    tell_written(known.results.write(records, job.suite, path), known, lang, as_json=as_json)


def tell_written(done: Written, known: Format, lang: Lang, *, as_json: bool) -> None:
    """Which files there are, how much is in them, and by name what the format cannot hold."""
    if as_json:
        output.print_json(
            {
                "schema": SCHEMA,
                "format": known.name,
                "files": [str(file) for file in done.files],
                "records": dict(done.rows),
                "lost": dict(done.lost),
            }
        )
        return
    for file in done.files:
        output.tell(say(lang, "init_made", name=str(file)))
    for kind, n in done.rows.items():
        kinds = say(lang, f"import_{kind}")
        output.tell(say(lang, "export_wrote", kind=kinds, n=f"{n:,}"))
    for what, n in sorted(done.lost.items()):
        told = say(lang, "export_lost", format=known.name, what=say(lang, f"export_lost_{what}"))
        output.tell(f"{told} ({n:,})", style="yellow")

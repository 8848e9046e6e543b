"""What `arena import` does with results: from a reader's records into the store."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, now, run_id
from arena.domain.imported import Import, LeftOut, Makers
from arena.domain.suite import Suite
from arena.stages.take_in.take_in import (
    KINDS,
    Intake,
    look_over,
    take_in,
    what_comes,
)
from arena.store.store import Store
from arena.suites.find import Workspace


def take_results(
    found: Import, suite: Suite, workspace: Workspace, makers: Makers, *, command: str
) -> Intake:
    """Write what an import brings, all or nothing; returns what came in and what did not.

    Raises StoreError.
    """
    # The store is opened late: while it is open here, no other command can open it.
    seen = look_over(found, suite)
    with Store(workspace.database) as store:
        run, at = run_id(), now()
        with store.imports.whole():
            store.runs.add(run, command=command, version=SOFTWARE, seed=0, note="", started_at=at)
            intake = take_in(seen, store=store, makers=makers, run=run, at=at)
        store.checkpoint()
    return intake


def try_results(found: Import, suite: Suite, workspace: Workspace | None) -> Intake:
    """What would come in; beside a store, what of it is not there yet. Writes nothing."""
    seen = look_over(found, suite)
    if workspace is None or not workspace.database.is_file():
        return what_comes(seen)
    with Store(workspace.database) as store:
        return what_comes(seen, store)


def show_intake(intake: Intake, lang: Lang, *, dry: bool) -> None:
    """Lines on stderr: how much of each kind, what does not count, what stays out and why."""
    for kind in KINDS:
        if intake.ready[kind]:
            facts = {
                "kind": say(lang, f"import_{kind}"),
                "n": f"{intake.ready[kind]:,}",
                "new": f"{intake.ready[kind] - intake.present[kind]:,}",
                "unreadable": f"{intake.unreadable[kind]:,}",
            }
            output.tell(say(lang, "import_would" if dry else "import_came", **facts))
    show_left_out(intake.left_out, lang)
    if intake.agents:
        output.tell(
            say(
                lang,
                "import_whose",
                agents=output.in_one_line(_few(intake.agents)),
                judges=output.in_one_line(_few(intake.judges)) or "—",
                modes=", ".join(intake.modes),
                origin=intake.origin,
            )
        )


def show_left_out(left_out: LeftOut, lang: Lang) -> None:
    """A line on stderr for each reason why something sound does not come in."""
    for reason, told in left_out.to_json().items():
        why = say(lang, f"import_left_{reason}")
        where = output.in_one_line(str(told["first"]))
        line = say(lang, "import_left_out", n=told["n"], why=why, first=where)
        output.tell(line, style="yellow")


def describe_intake(intake: Intake) -> dict[str, Any]:
    """What came in, as JSON-able data."""

    def by_kind(counts: Mapping[Any, int]) -> dict[str, int]:
        return {kind: counts[kind] for kind in KINDS}

    return {
        "origin": intake.origin,
        "agents": list(intake.agents),
        "judges": list(intake.judges),
        "modes": list(intake.modes),
        "records": by_kind(intake.ready),
        "there_already": by_kind(intake.present),
        "not_counted": by_kind(intake.unreadable),
        "left_out": intake.left_out.to_json(),
        "bad": {
            reason: {**told, "places": intake.bad.places[reason]}
            for reason, told in intake.bad.to_json().items()
        },
    }


def tell_strangers(makers: Makers, intake: Intake, path: Path, lang: Lang) -> None:
    """Name the agents of the table that are not in the import."""
    if strangers := sorted(set(makers) - set(intake.agents)):
        names = output.in_one_line(_few(tuple(strangers)))
        output.tell(say(lang, "import_strangers", file=path, names=names), style="yellow")


def _few(names: tuple[str, ...], most: int = 6) -> str:
    return ", ".join(names[:most]) + (f" … (+{len(names) - most})" if len(names) > most else "")

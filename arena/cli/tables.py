"""What `arena export arena DIR` and `arena import arena DIR` do: every table, out and in again."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.refusing import SKIPPED
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, Narrowed, workspace_of
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.store.transfer import Moved

WHOLE = ("import_", "suite", "mode")
"""Options of an export that would choose a part; tables go as a whole."""
NOT_OF_TABLES = {
    "name": "--as",
    "agents": "--agents",
    "judge": "--judged-by",
    "columns": "--columns",
}


def export_tables(folder: Path, given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """Write all tables into a new folder; raises UsageError as `Transfer.write` does."""
    from arena.store.store import Store
    from arena.store.transfer import KINDS

    for name in WHOLE:
        if given[name]:
            raise UsageError(
                "{option} is for one board; tables are written whole",
                option=f"--{name.strip('_')}",
            )
    kind = given["files"] or KINDS[0]
    if kind not in KINDS:
        raise UsageError("--files {kind}: one of {kinds}", kind=kind, kinds=", ".join(KINDS))
    workspace = workspace_of(Narrowed(project=given["project"]))
    with Store(workspace.database) as store:
        moved = store.transfer.write(folder, kind, software=SOFTWARE)
    if as_json:
        output.print_json({"schema": "arena.export/1", "folder": str(folder), **_told(moved)})
        return
    _show(moved, lang)
    output.tell(say(lang, "tables_written", folder=folder, n=len(moved), kind=kind), style="bold")


def import_tables(folder: Path, given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> int:
    """Take all tables of a folder in; the exit code: 3 where rows were left out with --skip-bad.

    Raises ConfigError as `Transfer.read` does.
    """
    from arena.store.store import Store

    for name, option in NOT_OF_TABLES.items():
        if given[name]:
            raise UsageError("{option} is for files, not for a folder of tables", option=option)
    dry = given["dry_run"]
    workspace = workspace_of(Narrowed(project=given["project"]))
    with Store(workspace.database) as store:
        moved = store.transfer.read(folder, dry=dry, skip=given["skip_bad"])
        if not dry:
            store.checkpoint()
    if as_json:
        document = {"folder": str(folder), "dry_run": dry, **_told(moved)}
        output.print_json({"schema": "arena.import/1", **document})
        return _code(moved)
    _tell_bad(moved, lang)
    _show(moved, lang)
    new = sum(of.new for of in moved.values())
    output.tell(say(lang, "tables_would" if dry else "tables_came", n=f"{new:,}"), style="bold")
    return _code(moved)


def _code(moved: "Mapping[str, Moved]") -> int:
    return SKIPPED if any(of.bad for of in moved.values()) else 0


def _tell_bad(moved: "Mapping[str, Moved]", lang: Lang) -> None:
    for of in moved.values():
        if of.bad:
            places = ", ".join(of.places) + (" …" if of.bad > len(of.places) else "")
            why = say(lang, "import_left_no_fit")
            output.tell(
                say(lang, "import_bad", n=f"{of.bad:,}", why=why, places=places), style="yellow"
            )


def _show(moved: "Mapping[str, Moved]", lang: Lang) -> None:
    heads = [say(lang, f"column_{c}") for c in ("table", "rows", "new")]
    rows = [[table, f"{of.rows:,}", f"{of.new:,}"] for table, of in moved.items() if of.rows]
    output.print_table("", heads, rows, right=frozenset({1, 2}))


def _told(moved: "Mapping[str, Moved]") -> dict[str, Any]:
    def one(of: "Moved") -> dict[str, Any]:
        bad = {"bad": of.bad, "places": list(of.places)} if of.bad else {}
        return {"rows": of.rows, "new": of.new, **bad}

    return {"tables": {table: one(of) for table, of in moved.items()}}

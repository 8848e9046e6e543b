"""Votes into a file: our columns under a format's names, its labels in the place of ours."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import duckdb

from arena.errors import UsageError
from arena.store.outcomes.table import ROW, OutcomeSource, first_line, quoted

HOW = {
    ".csv": "format csv, header",
    ".json": "format json, array true",
    ".jsonl": "format json",
    ".parquet": "format parquet",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column that is written: its name, which of ours it is, and how.

    `labels`: our value → theirs; `own`: labels that go out as they stood, in small letters.
    `kind`: what it is written as where a file holds more than text.
    """

    name: str
    role: str
    labels: Mapping[str, str] | None = None
    own: frozenset[str] = frozenset()
    kind: Literal["text", "number", "truth", "json"] = "text"


@dataclass(frozen=True, slots=True)
class Copied:
    """How many votes were written, and what of them could not be, by kind."""

    rows: int
    lost: dict[str, int]


def write_votes(
    source: OutcomeSource,
    columns: Sequence[Column],
    rest: Sequence[str],
    path: Path,
    *,
    unanswered: bool,
) -> Copied:
    """Write the rows of an opened source into a new file, in the order of their rows.

    `rest`: further columns that go out under their own names. `unanswered`: whether a row may be
    without a winner. Raises UsageError for a file that is there already or cannot be written.
    """
    chosen = [c for c in columns if c.role in source.columns]
    taken = {c.name.casefold() for c in chosen} | {c.role.casefold() for c in chosen}
    further = [name for name in rest if name.casefold() not in taken]
    run = source.connection.execute
    where = "" if unanswered else " where outcome is not null"
    fields = [f"{_sql(source, c, path.suffix)} as {quoted(c.name)}" for c in chosen]
    fields += [quoted(name) for name in further]
    query = f"select {', '.join(fields)} from {source.table}{where} order by {quoted(ROW)}"
    _reserve(path)
    try:
        run(f"copy ({query}) to {_literal(str(path))} ({HOW[path.suffix]})")
    except duckdb.Error as error:
        with suppress(OSError):
            path.unlink()
        raise UsageError(
            "{path}: cannot be written: {reason}", path=path, reason=first_line(error)
        ) from None
    rows, without = run(
        f"select count(*), count(*) filter (outcome is null) from {source.table}"
    ).fetchall()[0]
    lost = _lost(source, chosen)
    if without and not unanswered:
        lost["unanswered"] = int(without)
    return Copied(int(rows) - (0 if unanswered else int(without)), lost)


def _lost(source: OutcomeSource, chosen: Sequence[Column]) -> dict[str, int]:
    """Labels that say more than who won, and go out as less."""
    if "said" not in source.columns:
        return {}
    own = next((c.own for c in chosen if c.role == "outcome"), frozenset())
    found = source.connection.execute(
        f"select count(*) from {source.table} where outcome = 'tie' "
        "and lower(trim(said)) in ('tie (bothbad)', 'both_bad') "
        "and not list_contains($own::text[], lower(trim(said)))",
        {"own": sorted(own)},
    ).fetchall()[0][0]
    return {"both_bad": int(found)} if found else {}


def _sql(source: OutcomeSource, column: Column, ending: str) -> str:
    value = quoted(column.role)
    if column.labels is not None:
        cases = " ".join(
            f"when {_literal(ours)} then {_literal(theirs)}"
            for ours, theirs in column.labels.items()
        )
        named = f"case {value} {cases} end"
        if column.own and "said" in source.columns:
            own = ", ".join(_literal(label) for label in sorted(column.own))
            return f"case when lower(trim(said)) in ({own}) then said else {named} end"
        return named
    return value if ending == ".csv" else _typed(source, column, ending)


def _typed(source: OutcomeSource, column: Column, ending: str) -> str:
    """A value as what it is: a number, true or false, or what is nested."""
    value = quoted(column.role)
    if column.kind == "number":
        return f"{value}::{_number(source, column.role)}"
    if column.kind == "truth":
        return f"try_cast({value} as boolean)"
    if column.kind == "json":
        if ending != ".parquet":
            return f"case when json_valid({value}) then {value}::json end"
        if shape := _shape(source, column.role):
            return f"json_transform({value}, {_literal(shape)})"
    return value


def _number(source: OutcomeSource, role: str) -> str:
    """The type that a column's values have as they stand: 7 would come back as 7.0."""
    value = f"{quoted(role)}::varchar"
    for kind in ("bigint", "double"):
        other = source.connection.execute(
            f"select 1 from {source.table} where {quoted(role)} is not null "
            f"and try_cast({value} as {kind})::varchar is distinct from {value} limit 1"
        ).fetchone()
        if other is None:
            return kind
    return "varchar"


def _shape(source: OutcomeSource, role: str) -> str | None:
    """The structure that all JSON values of a column have together; None where one is no JSON."""
    found = source.connection.execute(
        f"select json_group_structure({quoted(role)}) from {source.table} "
        f"where json_valid({quoted(role)})"
    ).fetchone()
    shape = found[0] if found else None
    return str(shape) if shape and str(shape).startswith("{") else None


def _reserve(path: Path) -> None:
    """Make the file, so that nothing is ever overwritten."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("xb").close()
    except FileExistsError:
        raise UsageError(
            "{path} is there already",
            fix="Name another file; nothing is overwritten.",
            path=path,
        ) from None
    except OSError as error:
        raise UsageError(
            "{path}: cannot be written: {reason}", path=path, reason=error.strerror
        ) from None


def _literal(text: str) -> str:
    # COPY takes no parameters.
    doubled = text.replace("'", "''")
    return f"'{doubled}'"

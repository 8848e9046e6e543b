"""Files of votes: what all of them share, and our own.

A row is one vote. Its columns are recognised by name (`exchange/columns.py`); a format adds which
of them must be there, and what its labels are called when it is written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from arena.domain.layout import Layout, LayoutName
from arena.errors import UsageError
from arena.exchange.columns import recognise
from arena.exchange.format import VoteColumn, VoteKind

FURTHER = (
    *("order", "scenario", "judge", "replicate", "margin", "weight", "domain", "tag"),
    *("criterion", "id", "time", "judge_vendor", "vendor_a", "vendor_b", "metadata"),
)
"""Roles that every file of votes can hold beside its own columns, called as they are here."""
CALLED = {"time": "tstamp", "metadata": "conv_metadata"}
"""Those that go by another name."""
KINDS: Mapping[str, VoteKind] = {"margin": "number", "weight": "number", "metadata": "json"}
BOTH_BAD = frozenset({"tie (bothbad)", "both_bad"})
"""Ties of a kind of their own; they are ties here, and go out as they came where that is known."""


def recognise_as(
    format: str,
    name: LayoutName,
    needed: Mapping[str, str],
    columns: Sequence[str],
    given: Mapping[str, str],
    labels: Iterable[str],
) -> Layout:
    """The layout of a file that has some columns of its format: `needed`, role → column.

    Raises UsageError where one is missing and `given` names no other for its role.
    """
    there = {column.strip().casefold() for column in columns}
    missing = [
        column
        for role, column in needed.items()
        if role not in given and column.casefold() not in there
    ]
    if missing:
        raise UsageError(
            "a file of {format} has columns called {needed}; missing: {missing}",
            why="Columns found: {columns}.",
            fix="Say which they are: --columns {example}",
            format=format,
            needed=", ".join(needed.values()),
            missing=", ".join(missing),
            columns=", ".join(columns) or "-",
            example=",".join(f"{r}=NAME" for r, c in needed.items() if c in missing),
        )
    found = recognise(columns, {**needed, **given}, labels)
    return found if found.name == name or given else replace(found, name=name)


def further_columns(*but: str) -> tuple[VoteColumn, ...]:
    """The further columns as they are written, without some roles that have a name of their own."""
    named = [role for role in FURTHER if role not in but]
    return tuple(
        VoteColumn(name=CALLED.get(r, r), role=r, kind=KINDS.get(r, "text")) for r in named
    )

"""Comparisons not yet folded: each presentation with its order and what is known of both sides.

For models with covariates: position, length, markdown, vendors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.domain.agent import UNKNOWN
from arena.domain.layout import Layout, Metadata, Reading
from arena.errors import UsageError
from arena.store.outcomes.codes import trimmed
from arena.store.outcomes.columns import (
    Bools,
    Coded,
    Codes,
    Numbers,
    narrow,
    part_of_ties,
    renumber,
)
from arena.store.outcomes.folding import fold
from arena.store.outcomes.reading import (
    asked_columns,
    board_agents,
    check_options,
    coded_roles,
    met_agents,
    sorting,
)
from arena.store.outcomes.rows import Votes, code_rows, name_rows
from arena.store.outcomes.table import ROW, OutcomeSource, quoted

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentations:
    """P presentations as columns of shape (P,); fields of one name are those of OutcomeColumns.

    `shown`: 1 where `first` was shown first, −1 where `second` was, 0 where that is not recorded.
    `pairs`: quantity → its values for `first` and for `second`, NaN where missing. `vendors`:
    names; `vendor_first`, `vendor_second`, `vendor_judge`: codes of them, −1 where unknown.
    """

    agents: tuple[str, ...]
    first: Codes
    second: Codes
    share: Numbers
    tie: Numbers | Bools
    weight: NDArray[np.float64] | None
    shown: NDArray[np.int8]
    row: NDArray[np.uint32]
    codes: Mapping[str, Coded]
    pairs: Mapping[str, tuple[Floats, Floats]]
    vendors: tuple[str, ...]
    vendor_first: Codes | None
    vendor_second: Codes | None
    vendor_judge: Codes | None


def known_pairs(layout: Layout) -> tuple[str, ...]:
    """The quantities that a layout may know of both sides, by name."""
    inside = ("length", "markdown", *layout.metadata.counts) if layout.metadata else ()
    return tuple(dict.fromkeys((*layout.pairs, *inside)))


def read_presentations(
    source: OutcomeSource,
    layout: Layout,
    reading: Reading | None = None,
    asked: Sequence[str] = (),
    pairs: Sequence[str] = (),
) -> Presentations:
    """The readable presentations of a loaded source, under the same rules as `read_outcomes`.

    `pairs`: the quantities wanted, of `known_pairs`. In metadata a count of markdown becomes a
    density, count / (length + 1), or 0 where the length is 0 (LMArena's style control, 2024);
    `markdown` is the sum of the densities. Raises UsageError as `read_outcomes`, and for a
    quantity that is not known.
    """
    reading = reading or Reading()
    check_options(source, layout, reading)
    wanted = {name: _sides(source, layout, name) for name in pairs}
    votes = name_rows(source, layout, reading, asked_columns(source, layout, asked))
    code_rows(votes)
    base = fold(votes).presentations
    vendors = _vendors(layout)
    if vendors:
        votes.codes.add("vendor", vendors)
    found = source.connection.execute(
        f"""
        select
            base.row, base.first, base.second, base.share, base.tie, base.weight, vote.shown
            {_chosen(votes, wanted, vendors)}
        from {base} as base
        join vote on vote.row = base.row
        join {source.table} as source on source.{quoted(ROW)} = base.row
        {" ".join(votes.codes.joins[alias] for alias in vendors)}
        order by {sorting(votes, "base.")}, vote.shown
        """
    ).fetchnumpy()
    place, agents = board_agents(votes, met_agents(votes))
    names = tuple(votes.codes.names("vendor")) if vendors else ()
    return Presentations(
        agents=agents,
        first=renumber(place, found["first"]),
        second=renumber(place, found["second"]),
        share=narrow(found["share"]),
        tie=part_of_ties(found["tie"]),
        weight=None if (found["weight"] == 1).all() else found["weight"],
        shown=found["shown"],
        row=found["row"],
        codes=coded_roles(votes, found, asked),
        pairs={
            name: (_known(found[f"first_{k}"]), _known(found[f"second_{k}"]))
            for k, name in enumerate(wanted)
        },
        vendors=names,
        vendor_first=_makers(names, found.get("vendor_first")),
        vendor_second=_makers(names, found.get("vendor_second")),
        vendor_judge=_makers(names, found.get("vendor_judge")),
    )


def _makers(names: Sequence[str], codes: Codes | None) -> Codes | None:
    """The codes with one for each vendor, however its name is cased; none for `unknown`."""
    if codes is None:
        return None
    folded = [name.casefold() for name in names]
    of_name = [-1 if name == UNKNOWN else folded.index(name) for name in folded]
    return np.array([*of_name, -1], dtype=codes.dtype)[codes]


def _chosen(votes: Votes, wanted: Mapping[str, tuple[str, str]], vendors: Mapping[str, str]) -> str:
    """SQL of the further columns, each led by a comma; sides are turned with their row."""
    sides = {f"first_{k}": pair for k, pair in enumerate(wanted.values())}
    sides |= {f"second_{k}": pair[::-1] for k, pair in enumerate(wanted.values())}
    codes = {alias: f"coalesce({alias}.code, -1)" for alias in vendors}
    if "va" in codes:
        sides |= {
            "vendor_first": (codes["va"], codes["vb"]),
            "vendor_second": (codes["vb"], codes["va"]),
        }
    chosen = [f"base.{alias}" for alias in votes.roles.values()]
    chosen += [
        f"case when vote.turned then {b} else {a} end as {name}" for name, (a, b) in sides.items()
    ]
    if "vj" in codes:
        chosen.append(f"{codes['vj']} as vendor_judge")
    return "".join(f", {column}" for column in chosen)


def _vendors(layout: Layout) -> dict[str, str]:
    """Alias → column of the vendors of a, of b and of the judge."""
    found = dict(zip(("va", "vb"), layout.vendors or (), strict=False))
    return found | ({"vj": layout.judge_vendor} if layout.judge_vendor else {})


def _known(values: NDArray[np.float64]) -> Floats:
    """Missing values as NaN."""
    return np.asarray(np.ma.filled(values, np.nan), dtype=np.float64)


def _sides(source: OutcomeSource, layout: Layout, name: str) -> tuple[str, str]:
    """SQL of a quantity of a and of b."""
    if name in layout.pairs:
        a, b = (
            f"try_cast({trimmed('source.' + quoted(column))} as double)"
            for column in layout.pairs[name]
        )
        return a, b
    if layout.metadata and name in known_pairs(layout):
        kind = source.columns[layout.metadata.column]
        a, b = (_inside(layout.metadata, name, side, kind) for side in (0, 1))
        return a, b
    raise UsageError(
        "`{name}` is not known of both agents",
        why="Known: {known}.",
        name=name,
        known=", ".join(known_pairs(layout)) or "-",
    )


def _inside(metadata: Metadata, name: str, side: int, kind: str) -> str:
    """SQL of a quantity in the column of metadata; null where it is not there."""
    column = f"source.{quoted(metadata.column)}"
    text = f"case when json_valid({column}) then {column} end"
    document = text if kind in {"VARCHAR", "JSON"} else f"to_json({column})"
    length = _number(document, metadata.length[side])
    if name == "length":
        return length
    names = metadata.counts if name == "markdown" else (name,)
    total = " + ".join(_number(document, metadata.counts[count][side]) for count in names)
    return f"case when {length} = 0 then 0 else ({total}) / ({length} + 1) end"


def _number(document: str, key: str) -> str:
    """SQL of the number under a key, or of the sum where a dict of numbers is there."""
    value = f"json_extract({document}, '$.{key}')"
    several = f"list_transform(json_extract({value}, '$.*'), lambda e: try_cast(e as double))"
    return f"case when json_type({value}) = 'OBJECT' then list_sum({several}) " + (
        f"else try_cast({value} as double) end"
    )

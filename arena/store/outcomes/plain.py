"""The short way for files in which every readable row is a comparison: no table, only arrays.

Rows without a key, an order, a judge, a weight and a condition need nothing but their codes. What
DuckDB has numbered already (ENUM) is fetched as it is, so that 20 million rows are read at the
speed of a scan.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.domain.layout import MISSING, REASONS
from arena.store.outcomes.columns import kind_of
from arena.store.outcomes.counts import Counts, Excluded
from arena.store.outcomes.fields import PLACE
from arena.store.outcomes.rows import Votes
from arena.store.outcomes.table import ROW, quoted

Array = NDArray[Any]

BLOCK = 1_000_000
"""Rows fetched at once: what bounds the memory above that of the result."""
_PIECE = 1 << 15
"""Rows looked at in one go; all that is made of them on the way stays in the cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Comparisons as columns by name, in codes over everything that the source names.

    `met`: codes of the agents on the board. `missing`: `first`, `second` and `comparisons` of the
    pairs that lack some. `maximum`: see Folded. `in_order`: see OutcomeColumns.
    """

    found: dict[str, Array]
    met: Array
    missing: dict[str, Array]
    counts: Counts
    maximum: float | None
    in_order: bool


def gather_plain(votes: Votes, sorted_up_to: int) -> Gathered:
    """The comparisons of a plain file; sorted where there are at most `sorted_up_to`."""
    rows, met = _read(votes)
    reason = rows.pop("reason")
    bad = np.flatnonzero(reason != 0)
    excluded = {name: rows[name][bad] for name in ("row", "first", "second")}
    excluded["reason"] = reason[bad]
    if len(bad):
        kept = reason == 0
        rows = {name: column[kept] for name, column in rows.items()}
    missing = _missing(excluded)
    met[missing["first"]] = met[missing["second"]] = True
    used = len(rows["row"])
    in_order = used <= sorted_up_to
    if in_order:
        rows = _sorted(votes, rows)
    elif (rows["row"][1:] < rows["row"][:-1]).any():
        # Joins may return rows in another order than they read them.
        order = np.argsort(rows["row"], kind="stable")
        rows = {name: column[order] for name, column in rows.items()}
    return Gathered(
        found=rows,
        met=np.flatnonzero(met),
        missing=missing,
        counts=_counts(votes, used, excluded),
        maximum=None,
        in_order=in_order,
    )


def _read(votes: Votes) -> tuple[dict[str, Array], Array]:
    """Every row, readable or not, as columns; and whether each agent has a comparison.

    The columns: `row`, `first`, `second`, `share`, `tie`, `reason` and the codes of the roles.
    """
    layout, codes, table = votes.layout, votes.codes, votes.source.table
    a, b = _Raw(votes, "a", layout.a), _Raw(votes, "b", layout.b)
    said = _Raw(votes, "said", layout.outcome or "")
    roles = [_Raw(votes, alias, votes.columns[role]) for role, alias in votes.roles.items()]
    labels = _Labels(votes)
    row = f"source.{quoted(ROW)}"
    raws = [a, b, said, *roles]
    select = (
        f"select {row}::uinteger as row, {', '.join(raw.sql for raw in raws)} "
        f"from {table} as source {' '.join(raw.join for raw in raws)}"
    )
    run = votes.source.connection.execute
    size, last = run(f"select count(*), coalesce(max({quoted(ROW)}), 0) from {table}").fetchall()[0]
    agent = kind_of(codes.size("agent"))
    kinds: dict[str, Any] = {"row": np.uint32, "first": agent, "second": agent, "reason": np.uint8}
    kinds |= {"share": np.float32, "tie": np.bool_}
    kinds |= {raw.alias: kind_of(codes.size(raw.alias)) for raw in roles}
    columns = {name: np.empty(size, dtype=kind) for name, kind in kinds.items()}
    met = np.zeros(codes.size("agent"), dtype=bool)
    done = 0
    for begin in range(0, last, BLOCK):
        # A table is scanned by the bounds of its parts: the rows outside cost next to nothing.
        part = f" where {row} > {begin} and {row} <= {begin + BLOCK}" if last > BLOCK else ""
        fetched = run(select + part).fetchnumpy()
        here = slice(done, done + len(fetched["row"]))
        done = here.stop
        block = {name: column[here] for name, column in columns.items()}
        block["row"][:] = fetched["row"]
        for raw in roles:
            block[raw.alias][:] = raw.codes(fetched)
        shown = a.codes(fetched), b.codes(fetched), said.codes(fetched)
        for start in range(0, len(fetched["row"]), _PIECE):
            piece = slice(start, start + _PIECE)
            some = {name: column[piece] for name, column in block.items()}
            labels.read(shown[0][piece], shown[1][piece], shown[2][piece], some)
            # Mostly the first piece has them all.
            if not met.all():
                used = some["reason"] == 0
                met[some["first"][used]] = met[some["second"][used]] = True
    return columns, met


class _Raw:
    """How a column is fetched as numbers, and made codes of: −1 where it is empty."""

    def __init__(self, votes: Votes, alias: str, column: str) -> None:
        self.alias = alias
        number = "place" if alias == "said" else "code"
        self.join, self._place = "", None
        if not votes.codes.is_enum(column):
            self.join = votes.codes.joins[alias]
            self.sql = f"{alias}.{number} as {alias}"
            return
        self.sql = f"enum_code(source.{quoted(column)}) as {alias}"
        place = votes.codes.place(alias, column)
        if (place != np.arange(len(place))).any():
            # The last place is that of -1: nothing was written.
            self._place = np.append(place, -1).astype(kind_of(len(place)))

    def codes(self, fetched: dict[str, Any]) -> Array:
        """The codes of the rows fetched."""
        raw = fetched[self.alias]
        if isinstance(raw, np.ma.MaskedArray):
            raw = np.ma.filled(raw.astype(np.int32), -1)
        return np.asarray(raw if self._place is None else self._place[raw])


class _Labels:
    """What each distinct outcome means; the last entry is that of −1, nothing written."""

    def __init__(self, votes: Votes) -> None:
        said = votes.codes.said()
        self.won = np.append(said.won, -1).astype(np.int8)
        self.agent = np.append(said.agent, -1).astype(np.int32)
        self.empty = np.append(said.empty, True).astype(bool)
        self.clean = bool((self.won[:-1] >= 0).all() and (self.agent < 0).all())

    def read(self, a: Array, b: Array, said: Array, block: dict[str, Array]) -> None:
        """Fill `first`, `second`, `share`, `tie` and `reason` of rows; see `rows`."""
        first, second, reason = np.minimum(a, b), np.maximum(a, b), block["reason"]
        block["first"][:], block["second"][:] = first, second
        # The last entry is that of −1.
        won = np.take(self.won, said, mode="wrap")
        reason[:] = 0
        if not self.clean or (said < 0).any():
            self._read_names(a, b, said, won, reason)
        for fault, name in ((first == second, "self_pair"), (first < 0, "no_agent")):
            if fault.any():
                reason[fault] = PLACE[name]
        # Turned rows: 2 − won. In arithmetic, where a choice by mask takes twenty times as long.
        won += (a > b).view(np.int8) * (np.int8(2) - won - won)
        # A cast on its own and a product of one type are each a step of the processor's.
        share = block["share"]
        share[:] = won
        share *= np.float32(0.5)
        np.equal(won, 1, out=block["tie"])

    def _read_names(self, a: Array, b: Array, said: Array, won: Array, reason: Array) -> None:
        """Winners given by name, and outcomes that cannot be read; into `won` and `reason`."""
        agent = self.agent[said]
        named = np.where(agent < 0, -1, np.where(agent == a, 2, np.where(agent == b, 0, -1)))
        labelled = won >= 0
        reason[labelled & (named >= 0) & (named != won)] = PLACE["ambiguous_outcome"]
        won[~labelled] = named[~labelled]
        reason[won < 0] = PLACE["unknown_outcome"]
        reason[self.empty[said]] = PLACE["no_outcome"]
        # Whatever stands here is not read; but it has to be a share.
        won[won < 0] = 0


def _sorted(votes: Votes, rows: dict[str, Array]) -> dict[str, Array]:
    scenario = [votes.roles["scenario"]] if "scenario" in votes.roles else []
    known = [votes.roles[role] for role in ("replicate", "criterion") if role in votes.roles]
    keys = [*scenario, "first", "second", *known, "share", "row"]
    order = np.lexsort([rows[name] for name in reversed(keys)])
    return {name: column[order] for name, column in rows.items()}


def _missing(excluded: dict[str, Array]) -> dict[str, Array]:
    lacking = np.isin(excluded["reason"], [PLACE[reason] for reason in MISSING])
    pair = np.stack([excluded["first"][lacking], excluded["second"][lacking]], axis=1)
    pairs, counts = np.unique(pair, axis=0, return_counts=True)
    return {
        "first": pairs[:, 0],
        "second": pairs[:, 1],
        "comparisons": counts.astype(np.float64),
    }


def _counts(votes: Votes, used: int, excluded: dict[str, Array]) -> Counts:
    """The counts of count_rows, from the rows that are excluded."""
    source, reasons = votes.source, excluded["reason"]
    found: dict[str, Excluded] = {}
    if source.first_malformed is not None:
        found["malformed"] = Excluded(rows=source.malformed, first_row=source.first_malformed)
    for place in np.unique(reasons).tolist():
        rows = excluded["row"][reasons == place]
        found[REASONS[place]] = Excluded(rows=len(rows), first_row=int(rows.min()))
    names = votes.codes.names("agent") if len(reasons) else []
    by_agent: dict[str, dict[str, int]] = {}
    known = excluded["first"] >= 0
    for side in ("first", "second"):
        # A pair of an agent with itself counts once.
        counted = known & ((excluded["first"] != excluded["second"]) | (side == "first"))
        both = np.stack([excluded[side][counted], reasons[counted]], axis=1)
        for (code, place), n in zip(
            *(part.tolist() for part in np.unique(both, axis=0, return_counts=True)), strict=True
        ):
            of_agent = by_agent.setdefault(names[code], {})
            of_agent[REASONS[place]] = of_agent.get(REASONS[place], 0) + n
    return Counts(
        read=used + sum(reason.rows for reason in found.values()),
        used=used,
        excluded=found,
        by_agent=dict(sorted(by_agent.items())),
        by_judge={},
    )

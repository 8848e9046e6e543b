"""The short way for files in which every readable row is a comparison: no table, only arrays.

Rows without a key, an order, a judge, a weight and a condition need nothing but their codes. What
DuckDB has numbered already (ENUM) is fetched as it is, so that 20 million rows are read at the
speed of a scan.
"""

from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.domain.layout import MISSING, REASONS
from arena.store.outcomes.columns import kind_of
from arena.store.outcomes.counts import Counts, Excluded
from arena.store.outcomes.fields import PLACE
from arena.store.outcomes.rows import Votes
from arena.store.outcomes.stream import stream
from arena.store.outcomes.table import ROW, quoted

Array = NDArray[Any]

PIECE = 1 << 15
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
    kept, others = _read(votes)
    rows = kept.columns()
    excluded = {
        name: np.concatenate([np.zeros(0, dtype=np.int64), *(lot[name] for lot in others)])
        for name in ("row", "first", "second", "reason")
    }
    missing = _missing(excluded)
    met = kept.met
    met[missing["first"]] = met[missing["second"]] = True
    in_order = kept.size <= sorted_up_to
    if in_order:
        rows.setdefault("row", np.arange(1, kept.size + 1, dtype=np.uint32))
        rows = _sorted(votes, rows)
    return Gathered(
        found=rows,
        met=np.flatnonzero(met),
        missing=missing,
        counts=_counts(votes, kept.size, excluded),
        maximum=None,
        in_order=in_order,
    )


def _read(votes: Votes) -> tuple["_Kept", list[dict[str, Array]]]:
    """The readable rows, and the others: `row`, `first`, `second` and `reason`, in lots."""
    a, b = _Raw(votes, "a", votes.layout.a), _Raw(votes, "b", votes.layout.b)
    said = _Raw(votes, "said", votes.layout.outcome or "")
    roles = [_Raw(votes, alias, votes.columns[role]) for role, alias in votes.roles.items()]
    labels, kept = _Labels(votes), _Kept(votes)
    excluded = []
    raws = [a, b, said, *roles]
    query = (
        f"select source.{quoted(ROW)}::uinteger as row, {', '.join(raw.sql for raw in raws)} "
        f"from {votes.source.table} as source {' '.join(raw.join for raw in raws)}"
    )
    with closing(stream(votes.source.connection, query)) as batches:
        for fetched in batches:
            codes = {raw.alias: raw.codes(fetched) for raw in raws}
            codes["row"] = fetched["row"]
            for begin in range(0, len(codes["row"]), PIECE):
                piece = {name: some[begin : begin + PIECE] for name, some in codes.items()}
                reason = labels.read(piece)
                if reason is not None:
                    piece, others = _parted(piece, reason)
                    excluded.append(others)
                kept.add(piece)
    return kept, excluded


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

    def codes(self, fetched: dict[str, Array]) -> Array:
        """The codes of the rows fetched."""
        raw = fetched[self.alias]
        return raw if self._place is None else self._place[raw]


class _Labels:
    """What each distinct outcome means; the last entry is that of −1, nothing written."""

    def __init__(self, votes: Votes) -> None:
        said = votes.codes.said()
        self.won = np.append(said.won, -1).astype(np.int8)
        self.agent = np.append(said.agent, -1).astype(np.int32)
        self.empty = np.append(said.empty, True).astype(bool)
        self.clean = bool((self.won[:-1] >= 0).all() and (self.agent < 0).all())

    def read(self, rows: dict[str, Array]) -> Array | None:
        """Add `first`, `second` and `won` (see `rows`) in place of `a`, `b` and `said`.

        Returns the reason of each row, None where all are readable.
        """
        a, b, said = rows.pop("a"), rows.pop("b"), rows.pop("said")
        first, second = np.minimum(a, b), np.maximum(a, b)
        # The last entry is that of −1.
        won = np.take(self.won, said, mode="wrap")
        reason = None
        if not self.clean or (said < 0).any():
            reason = self._read_names(a, b, said, won)
        for fault, name in ((first == second, "self_pair"), (first < 0, "no_agent")):
            if fault.any():
                reason = np.zeros(len(a), dtype=np.uint8) if reason is None else reason
                reason[fault] = PLACE[name]
        # Turned rows: 2 − won. In arithmetic, where a choice by mask takes twenty times as long.
        won += (a > b).view(np.int8) * (np.int8(2) - won - won)
        rows |= {"first": first, "second": second, "won": won}
        return reason if reason is not None and reason.any() else None

    def _read_names(self, a: Array, b: Array, said: Array, won: Array) -> Array:
        """Winners given by name into `won`, and the reasons of outcomes that cannot be read."""
        agent, reason = self.agent[said], np.zeros(len(won), dtype=np.uint8)
        named = np.where(agent < 0, -1, np.where(agent == a, 2, np.where(agent == b, 0, -1)))
        labelled = won >= 0
        reason[labelled & (named >= 0) & (named != won)] = PLACE["ambiguous_outcome"]
        won[~labelled] = named[~labelled]
        reason[won < 0] = PLACE["unknown_outcome"]
        reason[self.empty[said]] = PLACE["no_outcome"]
        return reason


def _parted(rows: dict[str, Array], reason: Array) -> tuple[dict[str, Array], dict[str, Array]]:
    """The readable rows of a piece, and what is told of the others."""
    bad, rows_and_reason = reason != 0, rows | {"reason": reason}
    others = {name: rows_and_reason[name][bad] for name in ("row", "first", "second", "reason")}
    return {name: column[~bad] for name, column in rows.items()}, others


class _Kept:
    """The readable rows as columns with room for all.

    The columns: `first`, `second`, `share`, `tie`, the codes of the roles, and `row` unless the
    rows are simply counted, 1 … `size`. `met`: whether each agent has a comparison.
    """

    def __init__(self, votes: Votes) -> None:
        found = votes.source.connection.execute(f"select count(*) from {votes.source.table}")
        size, agents = int(found.fetchall()[0][0]), votes.codes.size("agent")
        kinds: dict[str, Any] = {"share": np.float32, "tie": np.bool_}
        kinds |= {"first": kind_of(agents), "second": kind_of(agents)}
        kinds |= {alias: kind_of(votes.codes.size(alias)) for alias in votes.roles.values()}
        self._columns = {name: np.empty(size, dtype=kind) for name, kind in kinds.items()}
        # Memory that nothing is written to costs nothing.
        self._row = np.empty(size, dtype=np.uint32)
        self._counted = self._ascending = True
        self.size = 0
        self.met = np.zeros(agents, dtype=bool)

    def add(self, rows: dict[str, Array]) -> None:
        """Add rows: `row`, `first`, `second`, `won` and the codes of the roles."""
        begin, self.size = self.size, self.size + len(rows["row"])
        here = {name: column[begin : self.size] for name, column in self._columns.items()}
        for name in here.keys() & rows.keys():
            here[name][:] = rows[name]
        # A cast on its own and a product of one type are each a step of the processor's.
        here["share"][:] = rows["won"]
        here["share"] *= np.float32(0.5)
        np.equal(rows["won"], 1, out=here["tie"])
        self._number(rows["row"], begin)
        # Mostly the first piece has them all.
        if not self.met.all():
            self.met[rows["first"]] = self.met[rows["second"]] = True

    def _number(self, row: Array, begin: int) -> None:
        """Write the numbers of rows down, from the first that is not simply counted."""
        if not len(row):
            return
        # Joins may return rows in another order than they read them.
        ascending = bool((row[1:] > row[:-1]).all())
        if self._counted and ascending and row[0] == begin + 1 and row[-1] == self.size:
            return
        if self._counted:
            self._counted = False
            self._row[:begin] = np.arange(1, begin + 1)
        self._ascending &= ascending and (begin == 0 or bool(row[0] > self._row[begin - 1]))
        self._row[begin : self.size] = row

    def columns(self) -> dict[str, Array]:
        """The rows added, by column, in their order."""
        rows = {name: column[: self.size] for name, column in self._columns.items()}
        if not self._counted:
            rows["row"] = self._row[: self.size]
        if self._ascending:
            return rows
        order = np.argsort(rows["row"], kind="stable")
        return {name: column[order] for name, column in rows.items()}


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

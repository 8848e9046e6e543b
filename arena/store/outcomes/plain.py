"""The short way for files in which every readable row is a comparison: no table, only arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.store.outcomes.columns import kind_of
from arena.store.outcomes.counts import Counts
from arena.store.outcomes.pieces import Piece, read_pieces
from arena.store.outcomes.rows import Votes
from arena.store.outcomes.set_aside import SetAside

Array = NDArray[Any]


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
    kept, aside = _Kept(votes), SetAside()
    for readable, others in read_pieces(votes, tuple(votes.roles)):
        kept.add(readable)
        aside.add(others)
    rows, missing = kept.columns(), aside.missing()
    kept.met[missing["first"]] = kept.met[missing["second"]] = True
    in_order = kept.size <= sorted_up_to
    if in_order:
        rows.setdefault("row", np.arange(1, kept.size + 1, dtype=np.uint32))
        rows = _sorted(votes, rows)
    return Gathered(
        found=rows,
        met=np.flatnonzero(kept.met),
        missing=missing,
        counts=aside.counts(votes, kept.size),
        maximum=None,
        in_order=in_order,
    )


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

    def add(self, rows: Piece) -> None:
        """Add readable rows."""
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

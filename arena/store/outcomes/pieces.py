"""Every row of a plain file as codes, piece by piece: what it says, and why where it says nothing.

Rows without a key, an order, a judge, a weight and a condition need nothing but their codes. What
DuckDB has numbered already (ENUM) comes as it is, so that 20 million rows are read at the speed of
a scan.
"""

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.store.outcomes.columns import kind_of
from arena.store.outcomes.fields import PLACE
from arena.store.outcomes.rows import Votes
from arena.store.outcomes.stream import stream
from arena.store.outcomes.table import ROW, quoted

Array = NDArray[Any]
Piece = dict[str, Array]
"""Columns by name: `row`, `first` < `second`, `won` (see `rows`), the codes of the roles."""

PIECE = 1 << 15
"""Rows looked at in one go; all that is made of them on the way stays in the cache."""


def read_pieces(votes: Votes, roles: Sequence[str]) -> Generator[tuple[Piece, Piece | None]]:
    """The readable rows of each piece, and the others, if any: theirs with a `reason` each.

    `roles`: whose codes are wanted.
    """
    a, b = _Raw(votes, "a", votes.layout.a), _Raw(votes, "b", votes.layout.b)
    said = _Raw(votes, "said", votes.layout.outcome or "")
    raws = [a, b, said, *(_Raw(votes, votes.roles[role], votes.columns[role]) for role in roles)]
    labels = _Labels(votes)
    query = (
        f"select source.{quoted(ROW)}::uinteger as row, {', '.join(raw.sql for raw in raws)} "
        f"from {votes.source.table} as source {' '.join(raw.join for raw in raws)}"
    )
    with closing(stream(votes.source.connection, query)) as batches:
        for fetched in batches:
            codes = {raw.alias: raw.codes(fetched) for raw in raws}
            codes["row"] = fetched["row"]
            for begin in range(0, len(codes["row"]), PIECE):
                here = slice(begin, begin + PIECE)
                yield labels.read({name: some[here] for name, some in codes.items()})


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

    def read(self, codes: Piece) -> tuple[Piece, Piece | None]:
        """The readable rows of a piece, and the others; from `a`, `b` and `said` as codes."""
        a, b, said = codes.pop("a"), codes.pop("b"), codes.pop("said")
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
        rows = codes | {"first": first, "second": second, "won": won}
        return (rows, None) if reason is None or not reason.any() else _parted(rows, reason)

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


def _parted(rows: Piece, reason: Array) -> tuple[Piece, Piece]:
    bad = reason != 0
    others = {name: column[bad] for name, column in rows.items()} | {"reason": reason[bad]}
    return {name: column[~bad] for name, column in rows.items()}, others

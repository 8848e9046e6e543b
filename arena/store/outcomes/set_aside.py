"""The rows of a plain file that make no comparison: by reason, by agent, by pair."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.domain.layout import MISSING, REASONS
from arena.store.outcomes.counts import Counts, Excluded
from arena.store.outcomes.fields import PLACE
from arena.store.outcomes.pieces import Piece
from arena.store.outcomes.rows import Votes

Array = NDArray[Any]


class SetAside:
    """Rows set aside, in lots: `row`, `first`, `second` and `reason`."""

    def __init__(self) -> None:
        self._lots: list[Piece] = []

    def add(self, rows: Piece | None) -> None:
        """Set rows aside; None: there are none."""
        if rows is not None:
            self._lots.append(rows)

    def missing(self) -> dict[str, Array]:
        """`first`, `second` and `comparisons` of the pairs that lack an outcome."""
        first, second, reason = (self._column(name) for name in ("first", "second", "reason"))
        lacking = np.isin(reason, [PLACE[reason] for reason in MISSING])
        pair = np.stack([first[lacking], second[lacking]], axis=1)
        pairs, counts = np.unique(pair, axis=0, return_counts=True)
        return {
            "first": pairs[:, 0],
            "second": pairs[:, 1],
            "comparisons": counts.astype(np.float64),
        }

    def counts(self, votes: Votes, used: int) -> Counts:
        """The counts of count_rows; `used`: rows that were not set aside."""
        source, reasons, rows = votes.source, self._column("reason"), self._column("row")
        found: dict[str, Excluded] = {}
        if source.first_malformed is not None:
            found["malformed"] = Excluded(rows=source.malformed, first_row=source.first_malformed)
        for place in np.unique(reasons).tolist():
            some = rows[reasons == place]
            found[REASONS[place]] = Excluded(rows=len(some), first_row=int(some.min()))
        return Counts(
            read=used + sum(reason.rows for reason in found.values()),
            used=used,
            excluded=found,
            by_agent=self._by_agent(votes) if len(reasons) else {},
            by_judge={},
        )

    def _by_agent(self, votes: Votes) -> dict[str, dict[str, int]]:
        names, reasons = votes.codes.names("agent"), self._column("reason")
        first, second = self._column("first"), self._column("second")
        found: dict[str, dict[str, int]] = {}
        for side in (first, second):
            # A pair of an agent with itself counts once.
            counted = (first >= 0) & ((first != second) | (side is first))
            both = np.stack([side[counted], reasons[counted]], axis=1)
            for (code, place), n in zip(
                *(part.tolist() for part in np.unique(both, axis=0, return_counts=True)),
                strict=True,
            ):
                of_agent = found.setdefault(names[code], {})
                of_agent[REASONS[place]] = of_agent.get(REASONS[place], 0) + n
        return dict(sorted(found.items()))

    def _column(self, name: str) -> Array:
        return np.concatenate([np.zeros(0, dtype=np.int64), *(lot[name] for lot in self._lots)])

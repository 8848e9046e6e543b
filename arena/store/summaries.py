"""What the store holds in sums: rows, spend, what replies usually need."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import duckdb

from arena.store.statements import sql
from arena.store.wanted import ask


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendLine:
    """Calls, tokens and money of one entrant in one currency (None: unknown).

    Of the `unpriced` calls, whose cost is unknown, `held` is the most that they can have cost;
    of `unheld` of them not even that is known.
    """

    speaker: str
    entrant: str
    currency: str | None
    calls: int
    tokens_in: int | None
    tokens_out: int | None
    cost: Decimal | None
    unpriced: int
    held: Decimal | None = None
    unheld: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """Mean tokens and median latency of an entrant's readable replies in one kind of work."""

    tokens_in: float | None
    tokens_out: float
    latency_ms: float | None
    calls: int


class Summaries:
    """Sums over the tables, for forecasts, status and pages."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def counts(self) -> dict[str, int]:
        """Rows per table: transcripts, sheets, verdicts, calls, boards."""
        names = ("transcripts", "sheets", "verdicts", "calls", "boards")
        return dict(zip(names, self._rows("counts")[0], strict=True))

    def spend(self, *, run: str | None = None) -> list[SpendLine]:
        """Every entrant's calls, tokens and money; `run`: of one command alone."""
        names = (
            "speaker",
            "entrant",
            "currency",
            "calls",
            "tokens_in",
            "tokens_out",
            "cost",
            "unpriced",
            "held",
            "unheld",
        )
        rows = self._connection.execute(sql("spend"), {"run": run}).fetchall()
        return [SpendLine(**dict(zip(names, row, strict=True))) for row in rows]

    def spend_of(self, keys: Sequence[str] | None) -> list[tuple[str, SpendLine]]:
        """As `spend`, apart for what the calls serve; of all calls, or those that serve keys."""
        parts = ("speaker", "entrant", "currency", "calls", "tokens_in", "tokens_out")
        names = (*parts, "cost", "unpriced")
        rows = (
            self._rows("spend_stages")
            if keys is None
            else ask(self._connection, "spend_wanted", keys)
        )
        return [(kind, SpendLine(**dict(zip(names, row, strict=True)))) for kind, *row in rows]

    def observed(self) -> dict[tuple[str, str], Observed]:
        """Usual replies by (entrant, kind of work), from readable ones of agents and judges."""
        return {
            (entrant, kind): Observed(
                tokens_out=out, tokens_in=tokens_in, latency_ms=latency, calls=calls
            )
            for entrant, kind, out, tokens_in, latency, calls in self._rows("observed")
        }

    def _rows(self, name: str) -> list[tuple]:  # type: ignore[type-arg]
        return self._connection.execute(sql(name)).fetchall()

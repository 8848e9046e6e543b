"""The calls by which a workspace is checked: paid for, counted in what was spent, never judged."""

import duckdb

from arena.domain.call import Call
from arena.store.rows import storable
from arena.store.statements import sql


class Pings:
    """The table `ping`. What is added is committed when `add` returns."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def add(self, call: Call) -> None:
        """Keep an attempt; its reply is of no use and is not kept."""
        self._connection.execute(
            sql("ping_add"),
            {
                "key": call.key,
                "speaker": call.speaker,
                "entrant": call.entrant,
                "entrant_digest": call.entrant_digest,
                "attempt": call.attempt,
                "status": call.status.value,
                "model_asked": call.model_asked,
                "model_returned": _storable(call.model_returned),
                "host": call.host,
                "tokens_in": call.tokens_in,
                "tokens_out": call.tokens_out,
                "cost": call.cost,
                "currency": call.currency,
                "latency_ms": call.latency_ms,
                "error": _storable(call.error),
                "run": call.run,
                "at": call.at,
            },
        )


def _storable(text: str | None) -> str | None:
    return None if text is None else storable(text)

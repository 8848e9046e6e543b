"""The calls behind an edition, looked up by what they served."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal

from arena.domain.call import Status
from arena.domain.money import Money
from arena.judging.thinking import split_thinking
from arena.store.tables import CallRecord


class CallBook:
    """Calls by key, and by the transcript, sheet or verdict they served."""

    def __init__(self, calls: Sequence[CallRecord]) -> None:
        self._calls = tuple(calls)
        self._by_key = {c.key: c for c in calls}
        self._serving: dict[str, list[CallRecord]] = defaultdict(list)
        for call in calls:
            self._serving[call.serves].append(call)

    def last(self, served: str, number: int | None = None) -> CallRecord | None:
        """The latest call for something, or for one round of it."""
        calls = [c for c in self._serving.get(served, ()) if number in (None, c.round)]
        return calls[-1] if calls else None

    def reply(self, call: str) -> str:
        """What a call's reply said, thinking left out; empty when there is none."""
        record = self._by_key.get(call)
        if record is None or record.text is None:
            return ""
        return split_thinking(record.text).visible

    def complaint(self, call: str) -> str:
        """Why a reply could not be read, or the error; empty when nothing is known."""
        record = self._by_key.get(call)
        return "" if record is None else record.complaint or record.error or ""

    def cost(self, served: str) -> Money | None:
        """What a transcript cost; None when a part is unknown or currencies differ."""
        calls = self._serving.get(served, ())
        currencies = {c.currency for c in calls}
        if not calls or len(currencies) != 1 or any(c.cost is None for c in calls):
            return None
        total = sum((c.cost for c in calls if c.cost is not None), Decimal(0))
        return Money(total, currencies.pop() or "")

    def tokens(self, served: str) -> tuple[int, int] | None:
        """What an agent read and wrote for something; None when a part is unknown."""
        calls = [c for c in self._serving.get(served, ()) if c.speaker == "agent"]
        read, written = [c.tokens_in for c in calls], [c.tokens_out for c in calls]
        if not calls or None in read or None in written:
            return None
        return sum(n or 0 for n in read), sum(n or 0 for n in written)

    def latencies(self, served: str) -> tuple[int, ...]:
        """Milliseconds of every readable reply."""
        return tuple(
            c.latency_ms
            for c in self._serving.get(served, ())
            if c.latency_ms is not None and c.status is Status.OK
        )

    def models_returned(self, entrant: str) -> tuple[str, ...]:
        """Model strings that came back for a judge."""
        return tuple(
            sorted(
                {
                    c.model_returned
                    for c in self._calls
                    if c.speaker == "judge" and c.entrant == entrant and c.model_returned
                }
            )
        )

    def changed(self, speaker: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Who several model strings served, and these in the order in which they came."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for call in self._calls:
            if call.speaker == speaker and call.model_returned:
                found[call.entrant][call.model_returned] = None
        return tuple((who, tuple(models)) for who, models in found.items() if len(models) > 1)

    def by_speaker(self) -> Iterable[tuple[str, list[CallRecord]]]:
        """Calls by who spoke, in a fixed order."""
        for speaker in ("agent", "user", "judge"):
            if calls := [c for c in self._calls if c.speaker == speaker]:
                yield speaker, calls

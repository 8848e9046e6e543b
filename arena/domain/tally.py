"""What a stage did: counts for the last line, the status file and the exit code."""

from collections import Counter
from dataclasses import dataclass, field

from arena.domain.call import Call, Status


@dataclass(slots=True)
class Shift:
    """What one round of questions came to, as the desk counts it."""

    calls: int = 0
    capped: bool = False
    stopped: bool = False
    denied: dict[str, str] = field(default_factory=dict)
    """Endpoint → what it said when it refused our key or quota."""
    refusals: int = 0
    """Questions that ended so."""


@dataclass(slots=True)
class Tally:
    """Counts of one stage.

    `by_hand`: transcripts that a person is to bring, by agent; they are planned and no errors.
    `planned` items; `present` were there before; `made` came now; `left` are not there for a
    reason in `statuses`; `not_begun` were not reached (stopped, capped, or their endpoint refused).
    """

    stage: str
    planned: int = 0
    present: int = 0
    made: int = 0
    calls: int = 0
    statuses: Counter[Status] = field(default_factory=Counter)
    skipped: Counter[Status] = field(default_factory=Counter)
    reasons: dict[tuple[str, Status], str] = field(default_factory=dict)
    """What was said the first time that somebody's item ended in a status."""
    denied: dict[str, str] = field(default_factory=dict)
    refusals: int = 0
    not_begun: int = 0
    capped: bool = False
    stopped: bool = False
    by_hand: Counter[str] = field(default_factory=Counter)

    def count(self, status: Status, *, by: Call | None = None) -> None:
        """Count an item that was tried to its end; `by` is the call that decided."""
        if status is Status.OK:
            self.made += 1
            return
        self.statuses[status] += 1
        if by is not None and (said := by.error or by.complaint):
            self.reasons.setdefault((by.entrant, status), said)

    def close(self, shift: Shift, *, begun: int, before: int = 0) -> None:
        """Take over what the desk counted; `begun` items were there to be tried.

        A stage that works in several shifts counts all that were begun, and says how many calls it
        had made `before` this one.
        """
        self.calls = before + shift.calls
        self.denied |= shift.denied
        self.refusals += shift.refusals
        self.capped, self.stopped = shift.capped, shift.stopped
        self.not_begun = begun - self.made - self.errors

    def add(self, other: "Tally") -> None:
        """Take in what the same stage did about further items."""
        for name in ("planned", "present", "made", "calls", "refusals", "not_begun"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.statuses.update(other.statuses)
        self.skipped.update(other.skipped)
        self.by_hand.update(other.by_hand)
        self.reasons = {**other.reasons, **self.reasons}
        self.denied |= other.denied
        self.capped |= other.capped
        self.stopped |= other.stopped

    @property
    def errors(self) -> int:
        """Items that were tried now and did not end well."""
        return sum(n for status, n in self.statuses.items() if status is not Status.OK)

    @property
    def to_its_end(self) -> bool:
        """Whether everything was tried that could be: nothing cut the stage short."""
        return not (self.capped or self.stopped or self.denied or self.not_begun)

    @property
    def complete(self) -> bool:
        """Whether everything planned is there."""
        return self.present + self.made == self.planned

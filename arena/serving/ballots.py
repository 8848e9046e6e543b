"""Who has answered what of a plan: what comes next for each person, and what they can take back."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from arena.domain.voting import HumanVote, VotePlan


@dataclass(frozen=True, slots=True)
class Progress:
    """Of `total` presentations a person answered `done`, `skipped` of them without a choice."""

    done: int
    skipped: int
    total: int


@dataclass(slots=True)
class _Own:
    """One person's answers: attempts made by place, and those that stand, the last one last."""

    attempts: dict[int, int] = field(default_factory=dict)
    standing: dict[int, tuple[int, bool]] = field(default_factory=dict)


class Ballots:
    """The answers to one plan. Noting the same answer twice changes nothing.

    What a person answered under an earlier plan is answered here too: nobody is asked twice, and
    an answer that is taken back there is the same answer as here.
    """

    def __init__(self, plan: VotePlan, votes: Iterable[HumanVote]) -> None:
        self.plan = plan
        self._own: dict[str, _Own] = {}
        self._orders: dict[str, list[int]] = {}
        places = {(d.a, d.b, d.order): place for place, d in enumerate(plan.draws)}
        for vote in sorted(votes, key=lambda v: (v.at, v.attempt)):
            place = places.get((vote.a, vote.b, vote.order))
            if place is not None:
                self.note(vote.person, place, vote.attempt, skipped=vote.outcome is None)
                if vote.withdrawn:
                    self.take_back(vote.person, place, vote.attempt)

    def note(self, person: str, place: int, attempt: int, *, skipped: bool) -> None:
        """An answer was kept."""
        own = self._own.setdefault(person, _Own())
        if own.attempts.get(place, 0) < attempt:
            own.attempts[place] = attempt
            own.standing[place] = (attempt, skipped)

    def take_back(self, person: str, place: int, attempt: int) -> None:
        """An answer was taken back."""
        own = self._own.setdefault(person, _Own())
        if own.standing.get(place, (0, False))[0] == attempt:
            del own.standing[place]

    def next_place(self, person: str) -> int | None:
        """The first place in the person's own order that they have not answered; None: all are."""
        if person not in self._orders:
            self._orders[person] = self.plan.order_for(person)
        standing = self._own.get(person, _Own()).standing
        return next((p for p in self._orders[person] if p not in standing), None)

    def turn(self, person: str, place: int) -> int:
        """Which attempt of the person at this place comes next, from 1."""
        return self._own.get(person, _Own()).attempts.get(place, 0) + 1

    def stands(self, person: str, place: int) -> int | None:
        """The attempt that counts at a place; None: there is none."""
        found = self._own.get(person, _Own()).standing.get(place)
        return found[0] if found else None

    def last(self, person: str) -> tuple[int, int] | None:
        """Place and attempt of the answer that the person gave last and did not take back."""
        standing = self._own.get(person, _Own()).standing
        place = next(reversed(standing), None)
        return None if place is None else (place, standing[place][0])

    def progress(self, person: str) -> Progress:
        """How far a person is."""
        standing = self._own.get(person, _Own()).standing
        skipped = sum(skip for _, skip in standing.values())
        return Progress(done=len(standing), skipped=skipped, total=len(self.plan.draws))

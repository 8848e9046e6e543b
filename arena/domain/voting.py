"""What people are asked to compare, with what chance, and what they answered.

A plan is drawn once and kept. Its random part is drawn from a frame of comparisons, each with the
same known chance, so that people's answers can correct a judge's board; the rest is picked where
judges differ most, and corrects nothing. Each is shown in one order, which a fair coin chose.
"""

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Literal

from arena.domain.digest import digest
from arena.domain.verdict import Order, Outcome, Verdict

Why = Literal["random", "disputed"]
Frame = Literal["judged", "all"]
Via = Literal["browser", "terminal", "sheet"]
Kept = Literal["new", "same", "other"]
"""An answer that came in: it is new, it was there already, or another one stands in its place."""
Pair = tuple[str, str]
"""A comparison, by the keys of its transcripts a and b."""
HUMAN = "human:"
CHANCE_OF_ORDER = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A presentation for people: two transcripts in one order.

    `probability`: the chance π with which this comparison came into the random part; None where it
    was picked.
    """

    a: str
    b: str
    agent_a: str
    agent_b: str
    scenario: str
    replicate: int
    order: Order
    why: Why
    probability: float | None


@dataclass(frozen=True, kw_only=True)
class VotePlan:
    """Presentations in the order in which they were drawn.

    `share`: the part that was asked to be random. `frame`: how many comparisons were drawn from,
    `made_from` those that a judge had answered, or all that there were.
    """

    suite: str
    mode: str
    seed: int
    share: float
    frame: int
    frame_digest: str
    made_from: Frame
    draws: tuple[Draw, ...]

    @cached_property
    def key(self) -> str:
        """Digest of the whole plan."""
        said = [self.suite, self.mode, self.seed, self.share, self.frame_digest, self.made_from]
        return digest(["vote plan", *said, [asdict(draw) for draw in self.draws]])

    def item(self, place: int) -> str:
        """The name of a presentation to people, which tells nothing of what it shows."""
        return digest(["vote item", self.key, place])

    @cached_property
    def places(self) -> dict[str, int]:
        """Place by the name that people are told."""
        return {self.item(place): place for place in range(len(self.draws))}

    def order_for(self, person: str) -> list[int]:
        """The places in the order in which one person meets them.

        Each person has an order of their own, and the beginning of each is a random part of the
        plan: whoever stops half-way leaves what was drawn at random random.
        """
        return sorted(
            range(len(self.draws)), key=lambda place: digest(["vote", self.key, person, place])
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """An answer as it comes in: the verdict of `human:ID` on a place of a plan.

    The verdict has status `ok` and an outcome, or is a skip: `refused`, without one.
    """

    plan: str
    place: int
    verdict: Verdict
    via: Via


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanVote:
    """An answer as it is kept. `outcome` None: skipped, which is missing and no tie.

    `criteria`: who was better, by criterion. `probability` as in `Draw`: of the comparison; of
    the presentation it is half of that, as the order is a fair coin's.
    """

    verdict: str
    attempt: int
    plan: str
    place: int
    person: str
    via: Via
    at: str
    a: str
    b: str
    agent_a: str
    agent_b: str
    scenario: str
    replicate: int
    order: Order
    why: Why
    probability: float | None
    outcome: Outcome | None
    criteria: dict[str, Outcome]
    withdrawn: bool

    @property
    def presentation_probability(self) -> float | None:
        """The chance of this comparison in this order; None where it was picked."""
        return None if self.probability is None else self.probability * CHANCE_OF_ORDER

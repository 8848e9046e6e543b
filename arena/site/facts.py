"""What a leaderboard shows, as plain facts in no language: an edition, gathered from the store."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from arena.domain.agent import Agent, Judge
from arena.domain.board import Board
from arena.domain.call import Status
from arena.domain.diagnosis import Diagnosis
from arena.domain.job import Job
from arena.domain.money import Money
from arena.domain.score import NO_BACKING, Backing, Score
from arena.domain.suite import Scenario
from arena.domain.verdict import CriterionVerdict, Order, Outcome
from arena.domain.way import Way
from arena.site.release import Texts

ONLY_ROUNDS = -1
"""`round` of facts that no sheet stands for: means over those of the rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentaryFact:
    """What one judge said freely of one transcript and the scores that it gave it."""

    judge: str
    status: Status
    text: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFact:
    """One judge's scoring of one transcript. `status` None: not asked yet.

    `raw` is the reply that could not be read, its thinking left out. `round` is 0 for the whole
    transcript; the facts of single rounds stand in `rounds`, and where there are only those the
    scores are means over them. `repeat`: which of the judge's replicates it is.
    """

    judge: str
    status: Status | None
    absolute: float | None
    scores: tuple[Score, ...] = ()
    summary: str = ""
    strengths: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    raw: str = ""
    complaint: str = ""
    backing: Backing = NO_BACKING
    round: int = 0
    rounds: tuple["SheetFact", ...] = ()
    repeat: int = 1

    @property
    def answers(self) -> "tuple[SheetFact, ...]":
        """The sheets that were planned: this one, or those of the rounds, or all of them."""
        own = () if self.round == ONLY_ROUNDS else (self,)
        return (*own, *self.rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFact:
    """One agent in one scenario, finished or not.

    `rounds`: user turn and reply, the reply None where there is none. `status` is ok when every
    turn was answered, None when nothing was tried; `broken` is the round that failed, 0 for none.
    `welcome`: what a product said before the first turn.
    """

    agent: str
    scenario: str
    replicate: int
    rounds: tuple[tuple[str, str | None], ...]
    status: Status | None
    broken: int
    error: str
    sheets: tuple[SheetFact, ...]
    absolute: float | None
    cost: Money | None
    latencies: tuple[int, ...]
    commentaries: tuple[CommentaryFact, ...] = ()
    welcome: str = ""
    tokens: tuple[int, int] | None = None
    """What the agent read and wrote over all rounds; None is unknown."""
    held: bool = False
    """Whether a note of being held back stands in place of what was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictFact:
    """One judge's answer to one presentation. `status` None: not asked yet.

    `key`: the verdict's, by which a command finds what the judge was sent; empty where no model
    of this workspace was asked.
    """

    order: Order | None
    status: Status | None
    outcome: Outcome | None = None
    margin: int | None = None
    reason: str = ""
    criteria: tuple[CriterionVerdict, ...] = ()
    flags: tuple[str, ...] = ()
    codes: tuple[str, str] = ("", "")
    raw: str = ""
    complaint: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonFact:
    """One pair before one judge in one scenario: its verdicts in both orders, folded.

    `share` is what a earned; None when a verdict is missing, for half a pair is no comparison.
    """

    a: str
    b: str
    scenario: str
    replicate: int
    judge: str
    verdicts: tuple[VerdictFact, ...]
    share: float | None
    flipped: bool
    repeat: int = 1
    read: int = 0
    of: int = 0
    """Judges of the panel whose comparison of these transcripts could be read, and of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFact:
    """One agent beside its standing: coverage, cost and latency.

    `cost` is the mean over the `priced` finished transcripts whose cost is known, None when there
    is none or when currencies differ. `absolute`: mean over the `scored` scenarios of the main
    rubric; `apart`: the same by rubric for scenarios with another one, with their number, for
    scores of different sheets never mix. `kin`: judges of its own vendor or family.
    """

    id: str
    agent: Agent | None
    finished: int
    planned: int
    cost: Money | None
    priced: int
    latency_ms: float | None
    absolute: float | None
    scored: int
    apart: Mapping[str, tuple[float, int]]
    kin: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFact:
    """One judge's part: models that answered, wordings used, how its replies ended."""

    id: str
    judge: Judge
    returned: tuple[str, ...]
    score_templates: tuple[str, ...]
    compare_templates: tuple[str, ...]
    sheets: Mapping[str, int]
    verdicts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendFact:
    """Money of one kind of speaker, by currency; `unknown` calls could not be priced."""

    speaker: str
    calls: int
    amounts: Mapping[str, Decimal]
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What is planned to be compared; `full`: every combination of the parts."""

    comparisons: int
    scenarios: int
    pairs: int
    orders: int
    judges: int
    replicates: int
    full: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """Everything that one leaderboard shows of one suite and mode.

    `at` is when the board was computed; without a board, when the last thing shown was finished.
    `stale`: the board was computed for other contents of the suite. `guarded`: (judge, agent) of
    one vendor or family, as the vendor guard found them.
    """

    job: Job
    board: Board | None
    at: str
    stale: bool
    agents: tuple[AgentFact, ...]
    judges: tuple[JudgeFact, ...]
    scenarios: tuple[Scenario, ...]
    transcripts: Mapping[str, tuple[TranscriptFact, ...]]
    comparisons: Mapping[str, tuple[ComparisonFact, ...]]
    spend: tuple[SpendFact, ...]
    design: Design
    guarded: tuple[tuple[str, str], ...]
    decoys: tuple[AgentFact, ...] = ()
    changed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Agents that several model strings served, and these."""
    diagnosis: Diagnosis | None = None
    """What was last found out about the judges; None where nobody asked."""
    ways: tuple[Way, ...] = ()
    """How everybody was asked."""
    texts: Texts = "full"
    """What of the agents' words is shown."""

"""What somebody else's file holds, in our terms, before it is in the store.

A format's reader makes these records; `stages.take_in` writes them. Nothing here is trusted to be
ours: every record says where it stood in the file (`place`), when it was made (`at`, empty where
the file does not say) and keeps what stood there (`raw`).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from arena.domain.agent import IMPORTED, UNKNOWN, Agent, Judge
from arena.domain.call import Message, Status
from arena.domain.digest import digest
from arena.domain.score import Score, SheetSpec
from arena.domain.transcript import TranscriptSpec
from arena.domain.verdict import Presentation

OWN = "own"
"""The origin of what was collected here."""
VOTES = "votes"
"""The mode of votes without texts: they are of no suite that is played."""
LISTED = 20
"""Places of one reason that are told one by one."""
Shown = Literal["first", "second", "tie"]
Orders = Literal["both", "one"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTranscript:
    """One agent in one scenario, as somebody else collected it.

    `messages` alternate between user and agent and end with the agent.
    """

    agent: str
    scenario: str
    mode: str
    messages: tuple[Message, ...]
    replicate: int = 1
    at: str = ""
    place: str = ""
    raw: str | None = None

    @property
    def shown(self) -> str:
        """Digest of what the agent was shown: that of a suite's own plan where it was the same."""
        return digest({"turns": [m.text for m in self.messages if m.role == "user"]})


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedSheet:
    """A judge's scoring of one transcript; without status `ok` it holds no scores."""

    agent: str
    scenario: str
    mode: str
    judge: str
    status: Status
    scores: tuple[Score, ...] = ()
    summary: str = ""
    flags: tuple[str, ...] = ()
    replicate: int = 1
    at: str = ""
    place: str = ""
    raw: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedCriterion:
    """One criterion of a verdict, in terms of who was shown first; strength 1–5, None for a tie."""

    criterion: str
    side: Shown
    strength: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedVerdict:
    """A judge's answer to two transcripts of one scenario.

    `ordered`: whether the file says that `first` was shown first. `winner` None: no answer, which
    is never a tie. `margin` is the stated strength, 1–5.
    """

    first: str
    second: str
    scenario: str
    mode: str
    judge: str
    status: Status
    winner: Shown | None
    ordered: bool = True
    margin: int | None = None
    reason: str = ""
    criteria: tuple[ImportedCriterion, ...] = ()
    flags: tuple[str, ...] = ()
    replicate: int = 1
    at: str = ""
    place: str = ""
    raw: str | None = None


@dataclass(slots=True)
class LeftOut:
    """What of a file does not come in: reason → how often, and the first place of each."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)
    """Of each reason the first places, at most LISTED."""

    def note(self, reason: str, place: str) -> None:
        """Count one more record that is left out."""
        self.counts[reason] += 1
        self.first.setdefault(reason, place)
        listed = self.places.setdefault(reason, [])
        if len(listed) < LISTED:
            listed.append(place)

    def to_json(self) -> dict[str, dict[str, str | int]]:
        """Reason → {n, first}, by reason."""
        return {k: {"n": n, "first": self.first[k]} for k, n in sorted(self.counts.items())}


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """All that one import brings, of one format and for one suite.

    `source` is the name of the file or folder, `content` the digest of what was read. `orders`:
    whether its judges are shown every pair in both orders, so that half a pair is no comparison.
    `left_out`: what is sound and does not come in; `bad`: what is wrong, which keeps the rest out
    unless somebody asks to skip it. The records may be read from their file anew whenever they are
    gone through, so that a file need not fit into memory.
    """

    format: str
    source: str
    content: str
    suite: str
    transcripts: Collection[ImportedTranscript] = ()
    sheets: Collection[ImportedSheet] = ()
    verdicts: Collection[ImportedVerdict] = ()
    orders: Orders = "both"
    left_out: LeftOut = field(default_factory=LeftOut)
    bad: LeftOut = field(default_factory=LeftOut)

    @property
    def origin(self) -> str:
        """The digest that marks its rows: the same for the same content, whenever it comes in."""
        return digest(["import", self.format, self.suite, self.content])

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, sorted."""
        names = {t.agent for t in self.transcripts} | {s.agent for s in self.sheets}
        return tuple(sorted(names | {n for v in self.verdicts for n in (v.first, v.second)}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Who makes an imported agent, as far as somebody has said so."""

    vendor: str = UNKNOWN
    family: str = UNKNOWN


Makers = Mapping[str, Maker]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """An import that is in the store: what the digest `origin` stands for.

    `at` is when it came in, UTC; `makers` by agent. `counts`: rows by kind; `left_out`: reason →
    how often; `modes` and `agents`: those that it has rows of.
    """

    origin: str
    format: str
    source: str
    suite: str
    orders: Orders
    at: str
    makers: Makers
    counts: Mapping[str, int]
    left_out: Mapping[str, Mapping[str, str | int]]
    modes: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()

    def replaces(self, other: "Origin") -> bool:
        """Whether an older import of the same file or folder has nobody that this one lacks."""
        same = (self.format, self.source, self.suite) == (other.format, other.source, other.suite)
        return same and set(other.agents) <= set(self.agents)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportNote:
    """What a board says of the import that it is made of."""

    origin: str
    format: str
    source: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The rows of an import in one mode: what a board of it is made of, in place of a plan."""

    origin: Origin
    transcripts: tuple[TranscriptSpec, ...]
    sheets: tuple[SheetSpec, ...]
    presentations: tuple[Presentation, ...]

    @property
    def votes(self) -> bool:
        """Whether it is votes without texts; the other fields are empty then."""
        return self.origin.modes == (VOTES,)

    @property
    def note(self) -> ImportNote:
        """The import as a board names it."""
        o = self.origin
        return ImportNote(origin=o.origin, format=o.format, source=o.source, at=o.at)

    def agents(self) -> tuple[Agent, ...]:
        """Its agents, by name."""
        if self.votes:
            return tuple(imported_agent(name, self.origin.makers) for name in self.origin.agents)
        names = {t.agent for t in self.transcripts} | {s.agent for s in self.sheets}
        names |= {name for p in self.presentations for name in (p.agent_a, p.agent_b)}
        return tuple(imported_agent(name, self.origin.makers) for name in sorted(names))

    def judges(self) -> tuple[Judge, ...]:
        """Its judges, by name."""
        scoring = {s.judge for s in self.sheets}
        comparing = {p.judge for p in self.presentations}
        return tuple(
            imported_judge(name, rubric=name in scoring, pairwise=name in comparing)
            for name in sorted(scoring | comparing)
        )

    def within(self, scenarios: Iterable[str]) -> "Held":
        """The part of some scenarios."""
        here = set(scenarios)
        return replace(
            self,
            transcripts=tuple(t for t in self.transcripts if t.scenario in here),
            sheets=tuple(s for s in self.sheets if s.scenario in here),
            presentations=tuple(p for p in self.presentations if p.scenario in here),
        )


def imported_agent(name: str, makers: Makers) -> Agent:
    """The agent of an import; its digest is the same whatever is known of its maker."""
    maker = makers.get(name, Maker())
    return Agent(agent=name, vendor=maker.vendor, family=maker.family, kind=IMPORTED)


def imported_judge(name: str, *, rubric: bool = True, pairwise: bool = True) -> Judge:
    """The judge of an import: a name, with nothing known of how it was asked."""
    uses = [use for use, used in (("rubric", rubric), ("pairwise", pairwise)) if used]
    return Judge(judge=name, vendor=UNKNOWN, uses=tuple(uses))

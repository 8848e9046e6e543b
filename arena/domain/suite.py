"""A suite: scenarios with their rubric, as data.

The records here are what a suite's files say (see data/suites/README.md); `Suite` is the whole
folder, loaded. Nothing here reads a file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints, model_validator

from arena.domain.choice import Choice
from arena.domain.digest import digest
from arena.domain.later import Later
from arena.domain.naming import Key as Key
from arena.domain.naming import Text as Text
from arena.domain.sheet_parts import CannotJudge, Scope, SheetParts, Spread
from arena.domain.telling import Answer, Facts, Memory, Section, write_memories
from arena.domain.words import Frozen, Words

ScenarioId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
SuiteId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]
Compared = Literal["pairwise", "forced", "marks"]
"""How a comparison is answered: a winner or a tie; a winner; a winner with pluses (`K482++`)."""
TURN_MARK = "{turn}"
MAIN_RUBRIC = "main"
COMMENTARY_TEMPLATE = "commentary.j2"


class Applies(Frozen):
    """Where a criterion applies; an empty list means everywhere."""

    archetypes: tuple[Key, ...] = ()
    tags: tuple[str, ...] = ()


class Criterion(Later):
    """One line of a rubric.

    `scale` is (lowest, highest) and defaults to the rubric's; `anchors` say what some of the
    numbers mean; `direction` neutral and `counts: false` mark what is reported but not counted
    (a style criterion); `notes` add a sentence in one mode, `scope_notes` in one scope;
    `cannot_judge` says where it may stay without a score; `spread` asks for its distribution over
    scenarios with a red flag.
    """

    LATER = frozenset({"scope_notes", "cannot_judge", "spread"})
    ASKED: ClassVar[frozenset[str]] = frozenset({"scope_notes", "cannot_judge"})
    """What bears on how a judge is asked; `spread` only on what is reported."""

    criterion: Key
    name: Words
    question: Text
    high: str = ""
    low: str = ""
    scale: tuple[float, float] | None = None
    anchors: Mapping[int, str] = {}
    direction: Literal["higher", "lower", "neutral"] = "higher"
    counts: bool = True
    only: Applies = Applies()
    notes: Mapping[Key, str] = {}
    scope_notes: Mapping[Scope, Text] = {}
    cannot_judge: CannotJudge | None = None
    spread: Spread | None = None

    @model_validator(mode="after")
    def _neutral_does_not_count(self) -> "Criterion":
        if self.direction == "neutral" and self.counts:
            raise ValueError("a neutral criterion cannot count: add `counts: false`")
        if self.scale is not None and not self.scale[0] < self.scale[1]:
            raise ValueError("`scale` needs two numbers, the lower first")
        return self


class CompareCriterion(Frozen):
    """One line of a pairwise comparison: a key, a name and what is asked."""

    criterion: Key
    name: Words
    question: Text


class Rubric(SheetParts):
    """A scoring sheet and the criteria by which two transcripts are compared.

    `compare` names criteria of this rubric by key, or writes others out in full.
    `comments: true` asks the judge for a comment per criterion, `parts` for one in three parts:
    fault, reason for the deduction, merit.
    """

    rubric: Key
    name: Words
    scale: tuple[float, float]
    anchors: Mapping[int, str] = {}
    independence: Literal["separate", "joint"] = "separate"
    comments: bool | Literal["parts"] = False
    criteria: tuple[Criterion, ...] = Field(min_length=1)
    compare: tuple[CompareCriterion | Key, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _keys_are_known_and_single(self) -> "Rubric":
        keys = [c.criterion for c in self.criteria]
        if twice := sorted({k for k in keys if keys.count(k) > 1}):
            raise ValueError(f"`criteria` lists twice: {', '.join(twice)}")
        if unknown := [c for c in self.compare if isinstance(c, str) and c not in keys]:
            raise ValueError(f"`compare` names no criterion of this rubric: {', '.join(unknown)}")
        named = [c if isinstance(c, str) else c.criterion for c in self.compare]
        if twice := sorted({k for k in named if named.count(k) > 1}):
            raise ValueError(f"`compare` lists twice: {', '.join(twice)}")
        if not any(c.counts for c in self.criteria):
            raise ValueError("no criterion counts")
        if complaint := self.complaint_about_parts(keys):
            raise ValueError(complaint)
        if not self.scale[0] < self.scale[1]:
            raise ValueError("`scale` needs two numbers, the lower first")
        return self

    @model_validator(mode="after")
    def _thresholds_lie_on_the_scale(self) -> "Rubric":
        for criterion in self.criteria:
            low, high = self.scale_of(criterion)
            at_least = criterion.spread.at_least if criterion.spread else None
            if at_least is not None and not low <= at_least <= high:
                raise ValueError(f"`spread` asks for what is not on the scale: {at_least:g}")
        return self

    def scale_of(self, criterion: Criterion) -> tuple[float, float]:
        """Lowest and highest score of one criterion."""
        return criterion.scale or self.scale

    def criteria_for(self, scenario: "Scenario") -> tuple[Criterion, ...]:
        """The criteria that apply to one scenario, in the rubric's order.

        One that is judged by a section of the reference does not where that section is empty.
        """
        return tuple(
            c
            for c in self.criteria
            if (not c.only.archetypes or scenario.archetype in c.only.archetypes)
            and (not c.only.tags or set(c.only.tags) & set(scenario.tags))
            and not (c.cannot_judge and c.cannot_judge.empty in scenario.empty_sections())
        )

    @property
    def plain(self) -> bool:
        """Whether a sheet is one number a criterion for a whole transcript, and no more."""
        return not (
            self.uses(*self.LATER)
            or self.comments == "parts"
            or any(c.uses(*c.ASKED) for c in self.criteria)
        )

    def compare_criteria(self) -> tuple[CompareCriterion, ...]:
        """The pairwise criteria, each written out."""
        own = {c.criterion: c for c in self.criteria}
        return tuple(
            CompareCriterion(criterion=c, name=own[c].name, question=own[c].question)
            if isinstance(c, str)
            else c
            for c in self.compare
        )


class Domain(Frozen):
    """A subject area of a suite."""

    domain: Key
    name: Words


class Archetype(Frozen):
    """A kind of scenario and the rubric that scores it."""

    archetype: Key
    name: Words
    rubric: Key = "main"


class RedFlagKind(Frozen):
    """One entry of the suite's closed list of safety faults."""

    flag: Key
    name: Words


class RedFlag(Frozen):
    """A danger that a scenario holds: which kind, and the sign that must not be missed.

    `turn` is the user turn, from 1, by which the sign can be seen.
    """

    flag: Key
    sign: Text
    turn: int = Field(default=1, ge=1)


class Mode(Frozen):
    """How a suite is played.

    `turns: first` plays only the first user turn. `instructions` wrap the first turn of an
    archetype in a text that holds `{turn}` once; `closing` adds a last user turn. Both name
    files of the suite's `templates/` in suite.yaml and hold their text once loaded.
    `models_only` marks a mode that a finished product cannot be asked to play.
    """

    name: Words
    turns: Literal["all", "first"] = "all"
    instructions: Mapping[Key, str] = {}
    closing: Mapping[Key, str] = {}
    models_only: bool = False


class Source(Frozen):
    """Where a scenario comes from."""

    type: Literal["original", "adapted"] = "original"
    note: str = ""


class Persona(Frozen):
    """Who speaks in the user turns, and what lies behind them (shown to judges, not agents)."""

    user: Text
    context: str = ""


class Scenario(Later):
    """One situation: scripted user turns and what a judge should know about it.

    `notes` is keyed by mode and holds the trap, the common failure and the signs of a high score.
    `reference` is the true record by section, shown to judges and never to agents; `memories` are
    given to the agent before the first turn. `record` and `unknown` are what a simulated user
    answers, and what it says where the record holds nothing.
    """

    LATER = frozenset({"reference", "memories", "record", "unknown"})

    scenario: ScenarioId
    archetype: Key
    domain: Key
    title: Words
    source: Source = Source()
    persona: Persona
    turns: tuple[Text, ...] = Field(min_length=1)
    notes: Mapping[Key, Text]
    failure_mode: str = ""
    red_flags: tuple[RedFlag, ...] = ()
    tags: tuple[str, ...] = ()
    reference: Mapping[Key, Facts] = {}
    memories: tuple[Memory, ...] = ()
    record: tuple[Answer, ...] = ()
    unknown: tuple[Text, ...] = ()

    def empty_sections(self) -> frozenset[str]:
        """The sections of the reference that are stated to hold nothing."""
        return frozenset(key for key, facts in self.reference.items() if not facts)


@dataclass(frozen=True, kw_only=True, slots=True)
class Suite:
    """A suite's folder, loaded: what it says of itself, its rubrics and its scenarios."""

    suite: str
    version: str
    name: Words
    about: Words
    language: Literal["zh", "en"]
    licence: str
    default_mode: str
    modes: Mapping[str, Mode]
    domains: tuple[Domain, ...]
    archetypes: tuple[Archetype, ...]
    red_flags: tuple[RedFlagKind, ...]
    rubrics: Mapping[str, Rubric]
    scenarios: tuple[Scenario, ...]
    templates: Mapping[str, str]
    """Judge templates of the suite's own, by file name; they win over the package's."""
    sections: tuple[Section, ...] = ()
    """The record that an agent keeps beside what it says, where a suite has one."""
    contract: Compared = "pairwise"
    choice: Choice | None = None
    """What is known beside the scenarios where they are questions of multiple choice."""
    commentary: bool = True
    """Whether judges may be asked to comment freely on transcripts and their scores."""

    def rubric_of(self, scenario: Scenario) -> Rubric:
        """The rubric that scores a scenario, by its archetype."""
        archetype = next(a for a in self.archetypes if a.archetype == scenario.archetype)
        return self.rubrics[archetype.rubric]

    def is_main(self, scenario: Scenario) -> bool:
        """Whether a scenario counts in the absolute score; other rubrics are reported apart."""
        return self.rubric_of(scenario).rubric == MAIN_RUBRIC

    def user_turns(self, scenario: Scenario, mode: str) -> tuple[str, ...]:
        """The user messages exactly as an agent is shown them in a mode."""
        played = self.modes[mode]
        turns = scenario.turns[:1] if played.turns == "first" else scenario.turns
        if wrap := played.instructions.get(scenario.archetype):
            before, _, after = wrap.partition(TURN_MARK)
            turns = (before + turns[0] + after, *turns[1:])
        if closing := played.closing.get(scenario.archetype):
            turns = (*turns, closing)
        return (write_memories(scenario.memories, self.language) + turns[0], *turns[1:])

    def red_flags_in(self, scenario: Scenario, mode: str) -> tuple[RedFlag, ...]:
        """The red flags whose sign is shown in a mode."""
        if self.modes[mode].turns == "first":
            return tuple(f for f in scenario.red_flags if f.turn == 1)
        return scenario.red_flags

    def shown_digest(self, scenario: Scenario, mode: str) -> str:
        """Digest of what the agent is shown: turns, format, memories; not notes, rubric, tags."""
        return digest({"turns": list(self.user_turns(scenario, mode))})

    def digest(self) -> str:
        """Digest of everything that bears on a result: scenarios, rubrics, modes, templates."""
        said: dict[str, Any] = {
            "suite": self.suite,
            "modes": {k: m.model_dump(mode="json") for k, m in self.modes.items()},
            "rubrics": {k: r.model_dump(mode="json") for k, r in self.rubrics.items()},
            "scenarios": [s.model_dump(mode="json") for s in self.scenarios],
            # A commentary bears on no result, and neither does what it is asked by.
            "templates": {k: t for k, t in self.templates.items() if k != COMMENTARY_TEMPLATE},
        }
        if self.sections:
            said["sections"] = [s.model_dump(mode="json") for s in self.sections]
        if self.contract != "pairwise":
            said["contract"] = self.contract
        if self.choice:
            said["choice"] = self.choice.to_digest()
        return digest(said)

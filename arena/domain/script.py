"""Scripted agents and judges: what plays a suite offline, with strengths that are known.

A scripted agent answers each turn with a line written for one level of care; how often it draws
each level is stated in `mix`. A scripted judge knows every line and its level, so that the truth
behind a board is known, and so are the judge's faults.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, model_validator

from arena.domain.suite import Key, SuiteId, Text
from arena.domain.words import Frozen, Words

Level = Literal["careful", "plain", "careless"]
QUALITY: Mapping[Level, float] = {"careful": 1.0, "plain": 0.5, "careless": 0.0}
"""How good a line of each level is, from 0 to 1."""
EVERY_SCENARIO = "*"


class Lines(Frozen):
    """What is said at each level, a text a round; the last text serves all later rounds."""

    careful: tuple[Text, ...] = Field(min_length=1)
    plain: tuple[Text, ...] = Field(min_length=1)
    careless: tuple[Text, ...] = Field(min_length=1)

    def at(self, level: Level, turn: int) -> str:
        """The line of a level in round `turn`, counted from 0."""
        texts: tuple[str, ...] = getattr(self, level)
        return texts[min(turn, len(texts) - 1)]


class ScriptedAgent(Frozen):
    """An agent of stated skill: the share of transcripts it plays at each level.

    `signature` ends each of its replies; a judge may know its own family by it.
    """

    agent: SuiteId
    name: Words
    short: Words
    mix: Mapping[Level, float]
    signature: Text | None = None

    @model_validator(mode="after")
    def _shares_sum_to_one(self) -> "ScriptedAgent":
        if any(share < 0 for share in self.mix.values()) or abs(sum(self.mix.values()) - 1) > 1e-9:
            raise ValueError("the shares of `mix` must sum to 1")
        return self


class NothingToJudge(Frozen):
    """Where a scripted judge finds nothing to judge a criterion by.

    `rounds`: in sheets that end with one of these rounds. `empty`: where the reply of the sheet's
    last round leaves this section of the record empty.
    """

    criterion: Key
    rounds: tuple[int, ...] = ()
    empty: Key | None = None

    @model_validator(mode="after")
    def _says_where(self) -> "NothingToJudge":
        if not self.rounds and self.empty is None:
            raise ValueError("`cannot_judge` needs `rounds` or `empty`")
        return self


class ScriptedJudge(Frozen):
    """A judge with stated faults.

    rubric: scores are quality plus uniform noise of ± `noise` (a share of the scale).
    pairwise: log-odds that the first shown wins = `sharpness` · (difference of mean quality)
    + `first_bonus` + `length_bonus` · log(ratio of what the agents said in characters)
    + `family_bonus` · (1 if the first alone holds `family_sign`, −1 if the second alone does);
    an equal pair within `tie_band` of even odds is called a tie.

    """

    judge: SuiteId
    name: Words
    uses: tuple[Literal["rubric", "pairwise"], ...]
    noise: float = Field(default=0.1, ge=0, le=1)
    sharpness: float = Field(default=4.0, ge=0)
    first_bonus: float = 0.0
    length_bonus: float = 0.0
    family_bonus: float = 0.0
    family_sign: Text | None = None
    tie_band: float = Field(default=0.1, ge=0, le=0.5)
    cannot_judge: tuple[NothingToJudge, ...] = ()

    @model_validator(mode="after")
    def _knows_its_family(self) -> "ScriptedJudge":
        if self.family_bonus and self.family_sign is None:
            raise ValueError("`family_bonus` needs a `family_sign` to know the family by")
        return self


class Script(Frozen):
    """A suite's scripted.yaml: its offline agents, judges and their lines.

    `lines` is keyed by scenario id; "*" serves every scenario without lines of its own.
    """

    agents: tuple[ScriptedAgent, ...] = Field(min_length=2)
    judges: tuple[ScriptedJudge, ...] = Field(min_length=1)
    lines: Mapping[str, Lines]

    @model_validator(mode="after")
    def _has_lines_for_every_scenario(self) -> "Script":
        if EVERY_SCENARIO not in self.lines:
            raise ValueError('`lines` needs an entry "*" for scenarios without lines of their own')
        return self

    def lines_of(self, scenario: str) -> Lines:
        """The lines of a scenario."""
        return self.lines.get(scenario, self.lines[EVERY_SCENARIO])


class ChoiceAgent(Frozen):
    """An agent of stated knowledge: the share of questions that it answers right.

    `unparsed`: the share of all replies that end without a letter that can be read; those are
    drawn first, so that `right` is of the rest.
    """

    agent: SuiteId
    name: Words
    short: Words
    right: float = Field(ge=0, le=1)
    unparsed: float = Field(default=0.0, ge=0, le=1)


class ChoiceScript(Frozen):
    """The scripted.yaml of a suite of multiple choice, which needs no judges and no lines."""

    agents: tuple[ChoiceAgent, ...] = Field(min_length=2)

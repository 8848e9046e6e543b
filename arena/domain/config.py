"""data/arena.yaml: the whole schema, and what this version refuses by name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from arena.domain.agent import IMPORTED, Agent, Currency, Judge
from arena.domain.choice import MOST_SHOTS, ChoicePlay, Split
from arena.domain.decoy import Decoy
from arena.domain.design import Design
from arena.domain.gate import Gate
from arena.domain.key import KEY
from arena.domain.money import Money, Rates
from arena.domain.simulated import SimulatedUser
from arena.domain.suite import Key, SuiteId
from arena.domain.words import Frozen

MOST_LOOKS = 100
MONEY = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*([A-Z]{3})\s*$")


class PlayedSuite(Frozen):
    """A suite and the mode it is played in; `user` names a simulated user of `users`.

    `few_shot`, `subjects`, `split` and `data` (a folder below data/) belong to multiple choice.
    """

    suite: SuiteId
    mode: Key | None = None
    user: str | None = None
    few_shot: int | None = Field(default=None, ge=0, le=MOST_SHOTS)
    subjects: tuple[str, ...] | None = Field(default=None, min_length=1)
    split: Split | None = None
    data: str | None = Field(default=None, min_length=1)

    @property
    def choice(self) -> ChoicePlay:
        """What is asked of a choice suite."""
        return ChoicePlay(
            few_shot=self.few_shot, subjects=self.subjects, split=self.split, data=self.data
        )


class ExchangeRates(Frozen):
    """Currency code → worth of one unit in the workspace's currency, with the date."""

    rates: Mapping[Currency, Decimal] = {}
    as_of: date | None = None

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: Any) -> Any:
        if isinstance(value, dict) and "rates" not in value:
            rest = {k: v for k, v in value.items() if k != "as_of"}
            return {"rates": rest, "as_of": value.get("as_of")}
        return value


class Compare(Frozen):
    """How comparisons are chosen and what of a verdict counts.

    `design` None: by the number of agents. `comparisons`: of two agents in one scenario, before
    every judge and in both orders. `baseline`: whom `against` compares everybody with.
    `stop_width`, `looks`: end once all intervals are so narrow, looking at most so often.
    """

    design: Design | None = None
    outcome: Literal["winner", "margin", "criteria"] = "winner"
    comparisons: int | None = Field(default=None, ge=1)
    baseline: str | None = None
    stop_width: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    looks: int | None = Field(default=None, ge=1, le=MOST_LOOKS)

    @model_validator(mode="after")
    def _goes_together(self) -> "Compare":
        if (self.baseline is None) == (self.design == "against"):
            raise ValueError("`baseline` and the design `against` go together")
        if self.design == "all" and self.comparisons is not None:
            raise ValueError("the design `all` takes no number of `comparisons`")
        if self.looks is not None and self.stop_width is None:
            raise ValueError("`looks` needs `stop_width`")
        if self.design == "adaptive" and self.stop_width is not None:
            raise ValueError("the design `adaptive` has no intervals for `stop_width`")
        return self


class Panel(Frozen):
    """What is asked of the panel: a comparison by fewer than `min_judges` does not count."""

    min_judges: int = Field(default=1, ge=1, le=100)


class Config(Frozen):
    """The one configuration file."""

    suites: tuple[PlayedSuite, ...] = Field(min_length=1)
    replicates: int = Field(default=1, ge=1, le=100)
    judge_replicates: int = Field(default=1, ge=1, le=20)
    currency: Currency = "CNY"
    rates: ExchangeRates = ExchangeRates()
    agents: tuple[Agent, ...] = Field(min_length=2)
    judges: tuple[Judge, ...] = ()
    users: Mapping[str, SimulatedUser] = {}
    vendor_guard: Literal["exclude", "warn", "allow"] = "exclude"
    decoys: tuple[Decoy, ...] = ()
    panel: Panel = Panel()
    compare: Compare = Compare()
    max_cost: str | None = None
    allow_regions: tuple[str, ...] = ()
    gates: tuple[Gate, ...] = ()
    seed: int = Field(default=20260101, ge=0)

    @field_validator("users", mode="before")
    @classmethod
    def _users_have_names(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {
            name: {**said, "user": name} if isinstance(said, dict) else said
            for name, said in value.items()
        }

    @model_validator(mode="after")
    def _users_are_known(self) -> "Config":
        named = {suite.user for suite in self.suites if suite.user is not None}
        if unknown := sorted(named - set(self.users)):
            raise ValueError(f"`user` names nobody of `users`: {', '.join(unknown)}")
        return self

    @model_validator(mode="after")
    def _baseline_is_known(self) -> "Config":
        names = [a.agent for a in self.agents]
        if self.compare.baseline is not None and self.compare.baseline not in names:
            raise ValueError(f"`baseline` is none of the agents: {self.compare.baseline}")
        return self

    @model_validator(mode="after")
    def _gates_are_of_what_is_played(self) -> "Config":
        played = {suite.suite for suite in self.suites}
        if unknown := sorted({gate.suite for gate in self.gates} - played):
            raise ValueError(f"`gates` names no suite of `suites`: {', '.join(unknown)}")
        about = [f"{g.suite} {g.criterion} {g.where}" for g in self.gates]
        if twice := sorted({one for one in about if about.count(one) > 1}):
            raise ValueError(f"`gates` lists twice: {', '.join(twice)}")
        return self

    @field_validator("max_cost")
    @classmethod
    def _is_money(cls, value: str | None) -> str | None:
        if value is not None:
            parse_money(value)
        return value

    @field_validator("agents", "judges", "suites")
    @classmethod
    def _names_are_single(cls, entries: tuple[Any, ...], info: ValidationInfo) -> tuple[Any, ...]:
        kind = (info.field_name or "").removesuffix("s")
        names = [getattr(entry, kind) for entry in entries]
        folded = [name.casefold() for name in names]
        if twice := sorted({n for n in names if folded.count(n.casefold()) > 1}):
            raise ValueError(f"{kind} listed twice: {', '.join(twice)}")
        return entries

    @field_validator("judges")
    @classmethod
    def _nobody_is_the_key(cls, judges: tuple[Judge, ...]) -> tuple[Judge, ...]:
        if any(judge.judge.casefold() == KEY.judge for judge in judges):
            raise ValueError(f"no judge can be called {KEY.judge}: the answer key is")
        return judges

    @field_validator("judges")
    @classmethod
    def _stand_ins_have_somebody(cls, judges: tuple[Judge, ...]) -> tuple[Judge, ...]:
        seated = {use for judge in judges if not judge.stand_in for use in judge.uses}
        for judge in judges:
            if judge.stand_in and (idle := [use for use in judge.uses if use not in seated]):
                raise ValueError(
                    f"{judge.judge} stands in for nobody: no other judge uses {', '.join(idle)}"
                )
        return judges

    @model_validator(mode="after")
    def _decoys_stand_apart(self) -> "Config":
        if len(set(self.decoys)) < len(self.decoys):
            raise ValueError("a decoy is listed twice")
        for agent in self.agents:
            if agent.kind == "decoy":
                raise ValueError(f"{agent.agent}: decoys are not agents; list them in `decoys`")
            if agent.agent.casefold() in self.decoys:
                raise ValueError(f"an agent has the name of a decoy: {agent.agent}")
        return self

    @field_validator("decoys", mode="before")
    @classmethod
    def _null_is_a_name(cls, value: Any) -> Any:
        # In YAML the word null means nothing; here it is the name of a decoy.
        if isinstance(value, list | tuple):
            return tuple("null" if one is None else one for one in value)
        return value

    @property
    def panel_judges(self) -> tuple[Judge, ...]:
        """The judges, each with the number of its replicates filled in."""
        return tuple(
            j if j.replicates else j.model_copy(update={"replicates": self.judge_replicates})
            for j in self.judges
        )

    @property
    def money(self) -> Rates:
        """The workspace's currency and rates."""
        as_of = self.rates.as_of
        return Rates(
            currency=self.currency,
            rates=dict(self.rates.rates),
            as_of=as_of.isoformat() if as_of else None,
        )

    @property
    def cap(self) -> Money | None:
        """What the workspace may spend in all."""
        return parse_money(self.max_cost) if self.max_cost else None


def parse_money(text: str) -> Money:
    """`20 CNY` as money; raises ValueError saying how it is written."""
    found = MONEY.match(str(text))
    if not found:
        raise ValueError(f"money is written like `20 CNY` or `3.50 USD`, not {str(text)!r}")
    return Money(Decimal(found[1]), found[2])


@dataclass(frozen=True, slots=True)
class Unbuilt:
    """A key of the schema that this version does not carry: where it is and what it will do."""

    path: tuple[str | int, ...]
    what: str


def unbuilt(config: Config) -> tuple[Unbuilt, ...]:
    """What the configuration asks for that this version must refuse by name."""
    return tuple(_unbuilt_plans(config))


def _unbuilt_plans(config: Config) -> list[Unbuilt]:
    found = []
    if config.compare.outcome != "winner":
        found.append(Unbuilt(("compare", "outcome"), f"outcome `{config.compare.outcome}`"))
    return found


def out_of_region(config: Config) -> tuple[Agent | Judge | SimulatedUser, ...]:
    """Agents, judges and simulated users whose region is not allowed; unknown is not either.

    An imported agent is asked nothing, wherever it is.
    """
    if not config.allow_regions:
        return ()
    users = config.users.values()
    asked = [a for a in config.agents if a.kind != IMPORTED]
    everybody: tuple[Agent | Judge | SimulatedUser, ...] = (*asked, *config.judges, *users)
    return tuple(e for e in everybody if e.region not in config.allow_regions)

"""A job: one suite in one mode, with everybody who takes part. Every stage works on a job."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from arena.domain.agent import Agent, Judge, Price
from arena.domain.money import Rates
from arena.domain.plan import Selection, plan_transcripts
from arena.domain.simulated import SimulatedUser
from arena.domain.suite import Scenario, Suite
from arena.domain.transcript import TranscriptSpec


@dataclass(frozen=True, kw_only=True)
class Job:
    """What a stage needs to know beside the store.

    `agents` and `judges` are the whole roster; `selection` narrows what a command works on, and
    never what a board is made of but for its domains. `prices` holds the price that applies to
    each agent, judge and simulated user by id (`agent:ID`, `judge:ID`, `user:ID`), the model's
    known list price included. `user`: who plays the user, None where turns are written beforehand.
    """

    suite: Suite
    mode: str
    agents: tuple[Agent, ...]
    judges: tuple[Judge, ...]
    replicates: int
    guard: Literal["exclude", "warn", "allow"]
    seed: int
    rates: Rates
    run: str
    prices: Mapping[str, Price | None] = field(default_factory=dict)
    selection: Selection = field(default_factory=Selection)
    retry_errors: bool = False
    user: SimulatedUser | None = None
    min_judges: int = 1
    """A comparison by fewer judges does not count."""

    @property
    def ranked(self) -> tuple[Agent, ...]:
        """The agents that a board ranks: all but the decoys, which stand beside it."""
        return tuple(a for a in self.agents if a.kind != "decoy")

    @property
    def decoys(self) -> tuple[Agent, ...]:
        """The decoys."""
        return tuple(a for a in self.agents if a.kind == "decoy")

    def transcripts(self) -> tuple[TranscriptSpec, ...]:
        """The transcripts that this job's selection wants."""
        return plan_transcripts(
            self.suite,
            self.mode,
            self.agents,
            replicates=self.replicates,
            selection=self.selection,
            user=self.user,
        )

    def all_transcripts(self) -> tuple[TranscriptSpec, ...]:
        """The transcripts of the selected scenarios, of every agent."""
        return plan_transcripts(
            self.suite,
            self.mode,
            self.agents,
            replicates=self.replicates,
            selection=replace(self.selection, agents=()),
            user=self.user,
        )

    @property
    def misplaced(self) -> tuple[Agent, ...]:
        """Products that are asked to play a mode that only models can play as it is meant."""
        if not self.suite.modes[self.mode].models_only:
            return ()
        return tuple(a for a in self.agents if a.product is not None)

    def scenario(self, name: str) -> Scenario:
        """A scenario by its id; raises KeyError."""
        return self._scenarios[name]

    @cached_property
    def _scenarios(self) -> dict[str, Scenario]:
        return {s.scenario: s for s in self.suite.scenarios}

    def selected_judges(self) -> tuple[Judge, ...]:
        """The judges that this job's selection wants."""
        wanted = self.selection.judges
        return tuple(j for j in self.judges if not wanted or j.judge in wanted)

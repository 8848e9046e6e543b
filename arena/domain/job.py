"""A job: one suite in one mode, with everybody who takes part. Every stage works on a job."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from arena.domain.agent import Agent, Judge, Price
from arena.domain.config import Compare
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
    `compare`: how comparisons are chosen.
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
    compare: Compare = field(default_factory=Compare)

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

"""A job: one suite in one mode, with everybody who takes part. Every stage works on a job."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from arena.domain.agent import IMPORTED, Agent, Judge, Price
from arena.domain.bridge import BridgeTerms
from arena.domain.config import Compare
from arena.domain.gate import Gate
from arena.domain.imported import OWN, Held
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
    `held`: what an import holds, for a job that only looks at it; nothing is planned then, and
    agents and judges are the import's. `guests`: imported transcripts of agents of the roster, for
    our own judges; those that were shown something else than is shown here are passed over.
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
    min_judges: int = 1
    """A comparison by fewer judges does not count."""

    gates: tuple[Gate, ...] = ()
    """Conditions for being eligible; none: no eligibility is told."""

    bridge: BridgeTerms | None = None
    """What is put once more to judges that another model serves by now; None: nothing."""

    held: Held | None = None
    guests: tuple[TranscriptSpec, ...] = ()

    @property
    def ranked(self) -> tuple[Agent, ...]:
        """The agents that a board ranks: all but the decoys, which stand beside it."""
        return tuple(a for a in self.agents if a.kind != "decoy")

    @property
    def decoys(self) -> tuple[Agent, ...]:
        """The decoys."""
        return tuple(a for a in self.agents if a.kind == "decoy")

    @property
    def origin(self) -> str:
        """Whose results a board of this job is made of: `own`, or the digest of an import."""
        return OWN if self.held is None else self.held.origin.origin

    @cached_property
    def held_here(self) -> Held | None:
        """What an import holds of the selected scenarios."""
        if self.held is None:
            return None
        return self.held.within([s.scenario for s in self.selection.scenarios_of(self.suite)])

    def transcripts(self) -> tuple[TranscriptSpec, ...]:
        """The transcripts that this job's selection wants."""
        return self._wanted(self.selection)

    def all_transcripts(self) -> tuple[TranscriptSpec, ...]:
        """The transcripts of the selected scenarios, of every agent."""
        return self._wanted(replace(self.selection, agents=()))

    def _wanted(self, selection: Selection) -> tuple[TranscriptSpec, ...]:
        if (held := self.held_here) is not None:
            who = selection.agents
            return tuple(t for t in held.transcripts if not who or t.agent in who)
        planned = plan_transcripts(
            self.suite,
            self.mode,
            [a for a in self.agents if a.kind != IMPORTED],
            replicates=self.replicates,
            selection=selection,
            user=self.user,
        )
        return (*planned, *self._guests(selection))

    def _guests(self, selection: Selection) -> Iterator[TranscriptSpec]:
        shown = {
            s.scenario: self.suite.shown_digest(s, self.mode)
            for s in (selection.scenarios_of(self.suite) if self.guests else ())
        }
        for guest in self.guests:
            chosen = not selection.agents or guest.agent in selection.agents
            alike = shown.get(guest.scenario) == guest.shown and self.user is None
            if chosen and alike and guest.replicate <= self.replicates:
                yield guest

    @property
    def by_hand(self) -> frozenset[str]:
        """The agents whose transcripts a person brings; nothing is asked of them."""
        return frozenset(a.agent for a in self.agents if a.by_hand)

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

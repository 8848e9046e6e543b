"""What is planned: transcripts of agents over scenarios, and who may judge them."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.domain.agent import Agent
from arena.domain.digest import digest
from arena.domain.simulated import CANNED, SimulatedUser
from arena.domain.suite import Scenario, Suite
from arena.domain.transcript import TranscriptSpec

OWN = "own"
MISSING = "missing"
"""The origin of a transcript that a file of transcripts does not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A part of the plan; empty means all. `limit` scenarios are spread evenly over domains."""

    agents: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    limit: int | None = None

    def scenarios_of(self, suite: Suite) -> tuple[Scenario, ...]:
        """The selected scenarios in the suite's order."""
        chosen = [
            s
            for s in suite.scenarios
            if (not self.scenarios or s.scenario in self.scenarios)
            and (not self.domains or s.domain in self.domains)
        ]
        if self.limit is None or self.limit >= len(chosen):
            return tuple(chosen)
        kept = {s.scenario for s in _spread(chosen, self.limit)}
        return tuple(s for s in chosen if s.scenario in kept)


def plan_transcripts(
    suite: Suite,
    mode: str,
    agents: Sequence[Agent],
    *,
    replicates: int,
    selection: Selection = Selection(),
    user: SimulatedUser | None = None,
) -> tuple[TranscriptSpec, ...]:
    """Every agent in every selected scenario, each replicate, in order of scenario.

    With a simulated user a scenario has as many rounds as it has turns, and only the first of
    these is shown as it is written.
    """
    chosen = [a for a in agents if not selection.agents or a.agent in selection.agents]
    digests = {a.agent: a.digest() for a in chosen}
    specs = []
    for scenario in selection.scenarios_of(suite):
        turns, shown = suite.user_turns(scenario, mode), suite.shown_digest(scenario, mode)
        who, rounds = CANNED, len(turns)
        if user is not None:
            who = user.key(suite, scenario)
            shown = digest({"first": turns[0], "rounds": rounds})
        specs += [
            TranscriptSpec(
                suite=suite.suite,
                shown=shown,
                mode=mode,
                agent=agent.agent,
                agent_digest=digests[agent.agent],
                scenario=scenario.scenario,
                user=who,
                replicate=replicate,
                origin=_origin(agent, scenario.scenario, replicate),
                rounds=rounds,
            )
            for agent in chosen
            for replicate in range(1, replicates + 1)
        ]
    return tuple(specs)


def _origin(agent: Agent, scenario: str, replicate: int) -> str:
    """Where a transcript comes from: it is made here, or its words are those of a file."""
    if agent.replay is None:
        return OWN
    tape = agent.replay.tapes.get((scenario, replicate))
    return MISSING if tape is None else digest([tape.welcome, *tape.rounds])


def _spread(scenarios: Sequence[Scenario], limit: int) -> list[Scenario]:
    """The first of each domain, then the second of each, until the limit."""
    by_domain: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        by_domain.setdefault(scenario.domain, []).append(scenario)
    depth = max(len(group) for group in by_domain.values())
    in_turn = [g[n] for n in range(depth) for g in by_domain.values() if n < len(g)]
    return in_turn[:limit]

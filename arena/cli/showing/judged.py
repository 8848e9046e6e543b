"""Which part of what judges answered is looked at."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.cli.showing.finding import find_some, scenarios_of
from arena.cli.workspace import Bench
from arena.domain.job import Job
from arena.errors import UsageError


@dataclass(frozen=True, slots=True)
class Part:
    """Agents, scenarios and judges that are looked at; empty: all."""

    agents: tuple[str, ...]
    scenarios: tuple[str, ...]
    judges: tuple[str, ...]

    def holds(self, agents: Sequence[str], scenario: str, judge: str) -> bool:
        """Whether something is looked at; of several agents all that are named must be in it."""
        named = set(self.agents)
        needed = min(len(named), len(agents))
        return (
            len(named & set(agents)) >= needed
            and (not self.scenarios or scenario in self.scenarios)
            and (not self.judges or judge in self.judges)
        )


def find_part(
    bench: Bench,
    agents: Sequence[str] | None,
    scenarios: Sequence[str] | None,
    judges: Sequence[str] | None,
) -> Part:
    """The part that shortened ids mean; raises UsageError."""
    return Part(
        agents=find_some("agent", agents, (a.agent for a in bench.agents)),
        scenarios=find_some(
            "scenario", scenarios, (s for j in bench.jobs for s in scenarios_of(j))
        ),
        judges=find_some("judge", judges, (j.judge for j in bench.judges)),
    )


def find_key(given: str, keys: Sequence[tuple[str, Job]]) -> tuple[str, Job]:
    """The stored answer that a key, or its beginning, means; raises UsageError."""
    found = {key: job for key, job in keys if given and key.startswith(given.lower())}
    if len(found) == 1:
        return next(iter(found.items()))
    if found:
        raise UsageError(
            "{given} is the beginning of {n} keys",
            fix="Give more of it, like {longer}.",
            given=given,
            n=len(found),
            longer=next(iter(found))[: len(given) + 6],
        )
    raise UsageError(
        "no key begins with {given}",
        fix="`arena show verdicts` and `arena show scores` list them.",
        given=given,
    )

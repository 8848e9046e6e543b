"""The comparisons that enter a board: checked, turned the same way round, and in order."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arena.domain.verdict import Comparison
from arena.errors import ArenaError

Planned = Mapping[tuple[str, str], int] | Mapping[str, int]
ComparisonKey = tuple[str, str, str, str, int, float, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """Agents and scenarios by name, sorted, and the comparisons among them.

    In every comparison a comes before b. `self_pairs`: comparisons of an agent with itself, left
    out. `by_agent` and `by_pair`: planned comparisons, None where no such plan is known.
    """

    agents: tuple[str, ...]
    scenarios: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    self_pairs: Mapping[str, int]
    by_agent: Mapping[str, int] | None
    by_pair: Mapping[tuple[str, str], int] | None


def enter(
    comparisons: Sequence[Comparison],
    *,
    agents: Sequence[str],
    scenarios: Sequence[str],
    planned: Planned | None,
) -> Entries:
    """The entries of a board, the same whatever the order of the input.

    Raises ArenaError for an agent or scenario that is not listed and for a share outside 0–1.
    Plans of agents that are not listed are left out.
    """
    names, places = tuple(sorted(set(agents))), tuple(sorted(set(scenarios)))
    known, here = set(names), set(places)
    self_pairs: Counter[str] = Counter()
    kept = []
    for comparison in comparisons:
        _check(comparison, known, here)
        if comparison.agent_a == comparison.agent_b:
            self_pairs[comparison.agent_a] += 1
        else:
            kept.append(_facing(comparison))
    by_agent, by_pair = _plans(planned, names)
    return Entries(
        agents=names,
        scenarios=places,
        comparisons=tuple(sorted(kept, key=comparison_key)),
        self_pairs=self_pairs,
        by_agent=by_agent,
        by_pair=by_pair,
    )


def comparison_key(c: Comparison) -> ComparisonKey:
    """All of a comparison as one sortable, JSON-able value."""
    return (c.scenario, c.agent_a, c.agent_b, c.judge, c.replicate, c.share, c.flipped)


def _check(comparison: Comparison, agents: set[str], scenarios: set[str]) -> None:
    for agent in (comparison.agent_a, comparison.agent_b):
        if agent not in agents:
            raise ArenaError(
                "a comparison names an agent that is not on the board: {agent}", agent=agent
            )
    if comparison.scenario not in scenarios:
        raise ArenaError(
            "a comparison names a scenario that is not on the board: {scenario}",
            scenario=comparison.scenario,
        )
    if not 0 <= comparison.share <= 1:
        raise ArenaError(
            "share {share} of {a} against {b}",
            why="a share lies between 0 and 1",
            share=comparison.share,
            a=comparison.agent_a,
            b=comparison.agent_b,
        )


def _facing(comparison: Comparison) -> Comparison:
    # Arrays yield numpy scalars, which no JSON holds: plain numbers from here on.
    a, b, share = comparison.agent_a, comparison.agent_b, float(comparison.share)
    if b < a:
        a, b, share = b, a, 1 - share
    return replace(comparison, agent_a=a, agent_b=b, share=share, flipped=bool(comparison.flipped))


def _plans(
    planned: Planned | None, names: tuple[str, ...]
) -> tuple[dict[str, int] | None, dict[tuple[str, str], int] | None]:
    if planned is None:
        return None, None
    by_agent = dict.fromkeys(names, 0)
    by_pair: dict[tuple[str, str], int] = {}
    for who, count in planned.items():
        # A plan names an agent, or a pair in either order.
        parts = (who,) if isinstance(who, str) else (min(who), max(who))
        if any(name not in by_agent for name in parts):
            continue
        for name in parts:
            by_agent[name] += count
        if len(parts) == 2:
            by_pair[parts] = by_pair.get(parts, 0) + count
    return by_agent, by_pair or None

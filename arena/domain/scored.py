"""Scores of a board's transcripts, gathered by what they measure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from arena.errors import ArenaError

What = tuple[Literal["absolute", "domain", "criterion", "rounds"], str]
ABSOLUTE: What = ("absolute", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredTranscript:
    """One judge's scoring of one transcript; `absolute` is None where it could not be read.

    `rounds`: last, mean and trend, where rounds are scored.
    """

    agent: str
    scenario: str
    domain: str
    replicate: int
    judge: str
    absolute: float | None
    criteria: Mapping[str, float]
    rounds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores of all agents: agent -> what is measured -> (index of the scenario, value).

    `span`: scenarios in which a thing could have been measured. A missing score has no entry, so
    it can never count as 0.
    """

    values: Mapping[str, Mapping[What, Sequence[tuple[int, float]]]]
    span: Mapping[What, int]
    rows: tuple[list[Any], ...]
    """The scores as JSON-able rows, sorted, for a digest of the data."""


def gather_scores(
    scores: Iterable[ScoredTranscript], *, agents: Sequence[str], scenarios: Sequence[str]
) -> Scores:
    """Scores by agent and by what they measure, in an order that the input's does not change.

    Raises ArenaError for an agent or scenario that is not listed and for a score that is no number.
    """
    rows = sorted((_row(score) for score in scores), key=repr)
    place = {name: i for i, name in enumerate(scenarios)}
    values: dict[str, dict[What, list[tuple[int, float]]]] = {name: {} for name in agents}
    span: dict[What, set[str]] = {}
    for agent, scenario, domain, _, _, absolute, criteria, *rounds in rows:
        if agent not in values or scenario not in place:
            raise ArenaError(
                "a score is not of this board: {agent}, {scenario}", agent=agent, scenario=scenario
            )
        span.setdefault(("domain", domain), set()).add(scenario)
        for what, value in _measured(domain, absolute, criteria, *rounds):
            if not math.isfinite(value):
                raise ArenaError(
                    "a score of {agent} in {scenario} is no number: {value}",
                    agent=agent,
                    scenario=scenario,
                    value=value,
                )
            span.setdefault(what, set()).add(scenario)
            values[agent].setdefault(what, []).append((place[scenario], value))
    sizes = {what: len(where) for what, where in span.items()}
    return Scores(values=values, span=sizes | {ABSOLUTE: len(scenarios)}, rows=tuple(rows))


def _row(score: ScoredTranscript) -> list[Any]:
    criteria = {name: float(score.criteria[name]) for name in sorted(score.criteria)}
    absolute = None if score.absolute is None else float(score.absolute)
    key = [score.agent, score.scenario, score.domain, score.replicate, score.judge]
    rounds = {name: float(score.rounds[name]) for name in sorted(score.rounds)}
    return [*key, absolute, criteria, *([rounds] if rounds else [])]


def _measured(
    domain: str,
    absolute: float | None,
    criteria: Mapping[str, float],
    rounds: Mapping[str, float] = MappingProxyType({}),
) -> list[tuple[What, float]]:
    found: list[tuple[What, float]] = [(("criterion", name), v) for name, v in criteria.items()]
    found += [(("rounds", name), v) for name, v in rounds.items()]
    if absolute is not None:
        found += [(ABSOLUTE, absolute), (("domain", domain), absolute)]
    return found

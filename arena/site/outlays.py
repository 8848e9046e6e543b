"""What a dialogue with each agent costs and how long a reply takes, with scenarios as the unit.

Means over different scenarios are not comparable, so who is cheapest is asked on those that all
have in common, and claimed only where every difference to the others is shown.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from arena.domain.call import Status
from arena.domain.method import LEVEL, MIN_SCENARIOS_FOR_INTERVAL
from arena.site.facts import Edition, TranscriptFact

_NOTHING = 1e-12


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over scenarios; `low` and `high` are None where it has no interval."""

    mean: float
    low: float | None
    high: float | None
    scenarios: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cheapest:
    """Who costs least per dialogue, as far as that is shown.

    kind: none (not known of everybody, not in one currency, not on enough common scenarios, or no
    money at all), one, group (several that cannot be told apart, all others being dearer than the
    first of them), level (nobody is shown to be dearer). `cost`: mean of the first of `agents`
    over the `scenarios` in common.
    """

    kind: Literal["none", "one", "group", "level"] = "none"
    agents: tuple[str, ...] = ()
    cost: float = 0.0
    currency: str = ""
    scenarios: int = 0


NOT_KNOWN = Cheapest()


def costs_by_scenario(edition: Edition, agent: str) -> Mapping[str, float] | None:
    """The mean cost of a finished dialogue by scenario; None where one is not known.

    None too where costs are of several currencies, or a fee is paid apart from the calls.
    """
    price = edition.job.prices.get(f"agent:{agent}")
    if price and price.flat:
        return None
    found: dict[str, list[float]] = defaultdict(list)
    currencies = set()
    for scenario, fact in _finished(edition, agent):
        if fact.cost is None:
            return None
        currencies.add(fact.cost.currency)
        found[scenario].append(float(fact.cost.amount))
    if len(currencies) > 1:
        return None
    return {scenario: fmean(own) for scenario, own in found.items()}


def estimate_cost(edition: Edition, agent: str) -> Estimate | None:
    """What a finished dialogue with an agent costs; None where that is not known of each."""
    costs = costs_by_scenario(edition, agent)
    return _estimate(list(costs.values()), _level(edition)) if costs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Tokens of a finished dialogue: read and written, as means over scenarios.

    They are known of `known` of `finished` dialogues.
    """

    read: float
    written: float
    known: int
    finished: int


def mean_tokens(edition: Edition, agent: str) -> Tokens | None:
    """What an agent reads and writes in a dialogue; None where that is known of none."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    finished = _finished(edition, agent)
    for scenario, fact in finished:
        if fact.tokens is not None:
            found[scenario].append(fact.tokens)
    if not found:
        return None
    return Tokens(
        read=fmean(fmean(read for read, _ in own) for own in found.values()),
        written=fmean(fmean(written for _, written in own) for own in found.values()),
        known=sum(map(len, found.values())),
        finished=len(finished),
    )


def estimate_latency(edition: Edition, agent: str) -> Estimate | None:
    """How many milliseconds a reply takes, as a mean over scenarios; None without any reply."""
    found: dict[str, list[float]] = defaultdict(list)
    for scenario, facts in edition.transcripts.items():
        for fact in facts:
            if fact.agent == agent:
                found[scenario] += fact.latencies
    means = [fmean(own) for own in found.values() if own]
    return _estimate(means, _level(edition)) if means else None


def find_cheapest(edition: Edition, among: Sequence[str]) -> Cheapest:
    """Who of some agents costs least per dialogue; differences are taken scenario by scenario.

    The intervals of the differences hold together: their level is that of the board, shared among
    all who are compared with the first (Bonferroni).
    """
    costs = {agent: costs_by_scenario(edition, agent) for agent in among}
    known = {agent: own for agent, own in costs.items() if own}
    if len(known) < max(2, len(costs)) or len(currencies := _currencies(edition, among)) != 1:
        return NOT_KNOWN
    common = sorted(set.intersection(*(set(own) for own in known.values())))
    if len(common) < MIN_SCENARIOS_FOR_INTERVAL:
        return NOT_KNOWN
    means = {agent: fmean(own[s] for s in common) for agent, own in known.items()}
    first = min(means, key=lambda agent: (means[agent], agent))
    if not max(means.values()):
        return NOT_KNOWN
    level = 1 - (1 - _level(edition)) / (len(known) - 1)
    others = sorted((a for a in known if a != first), key=lambda a: (means[a], a))
    alike = [
        a for a in others
        if not _above([known[a][s] - known[first][s] for s in common], level)
    ]  # fmt: skip
    kind: Literal["one", "group", "level"] = "one"
    if alike:
        kind = "level" if len(alike) == len(others) else "group"
    return Cheapest(
        kind=kind,
        agents=(first, *alike),
        cost=means[first],
        currency=currencies.pop(),
        scenarios=len(common),
    )


def _currencies(edition: Edition, among: Sequence[str]) -> set[str]:
    return {
        fact.cost.currency
        for agent in among
        for _, fact in _finished(edition, agent)
        if fact.cost is not None
    }


def _finished(edition: Edition, agent: str) -> list[tuple[str, TranscriptFact]]:
    return [
        (scenario, fact)
        for scenario, facts in edition.transcripts.items()
        for fact in facts
        if fact.agent == agent and fact.status is Status.OK
    ]


def _level(edition: Edition) -> float:
    return edition.board.method.level if edition.board else LEVEL


def _above(differences: Sequence[float], level: float) -> bool:
    """Whether a mean difference is shown to be above 0; one that never varies needs no test."""
    if max(differences) - min(differences) < _NOTHING:
        return differences[0] > _NOTHING
    low = _estimate(differences, level).low
    return low is not None and low > 0


def _estimate(values: Sequence[float], level: float) -> Estimate:
    # numpy takes a while to import; commands that publish nothing must not wait for it.
    import numpy as np

    from arena.maths.row_means import row_mean

    found = row_mean(np.array(values), np.arange(len(values)), share=False, level=level)
    if math.isnan(found.low):
        return Estimate(found.value, None, None, found.clusters)
    return Estimate(found.value, found.low, found.high, found.clusters)

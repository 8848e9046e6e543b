"""Rating against absolute score, cost and time: who is good, who merely better, at what price."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.domain.standing import Standing, State
from arena.site import formats
from arena.site.facts import AgentFact, Edition
from arena.site.names import Names
from arena.site.outlays import estimate_cost, estimate_latency
from arena.site.part_views import Scatter
from arena.site.scatter_chart import Point, Scale, draw, make_scale

FEWEST = 3
"""Fewer points are no picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dot:
    """An agent with its rating and what it is set against, as a number and in words."""

    agent: str
    standing: Standing
    rating: float
    x: float
    x_low: float | None
    x_high: float | None
    words: str


def build_scatters(edition: Edition, names: Names) -> tuple[Scatter, ...]:
    """The pictures that there are enough rated agents for."""
    rated = _rated(edition)
    found = [_absolute(rated, names), _cost(rated, edition, names), _latency(rated, edition, names)]
    return tuple(s for s in found if s is not None)


def _rated(edition: Edition) -> list[tuple[AgentFact, Standing, float]]:
    if edition.board is None:
        return []
    facts = {fact.id: fact for fact in edition.agents}
    return [
        (facts[s.agent], s, s.rating)
        for s in edition.board.agents
        if s.rating is not None and s.agent in facts
    ]


def _absolute(rated: Sequence[tuple[AgentFact, Standing, float]], names: Names) -> Scatter | None:
    dots = [
        _Dot(
            agent=fact.id,
            standing=standing,
            rating=rating,
            x=score.mean,
            x_low=score.low,
            x_high=score.high,
            words=formats.tenth(score.mean),
        )
        for fact, standing, rating in rated
        if (score := standing.absolute) is not None
    ]
    if len(dots) < FEWEST:
        return None
    ends = [v for d in dots for v in (d.x, d.x_low, d.x_high) if v is not None]
    return _scatter("absolute", dots, make_scale(ends, within=(0, 100)), "", names)


def _cost(
    rated: Sequence[tuple[AgentFact, Standing, float]], edition: Edition, names: Names
) -> Scatter | None:
    """None where currencies differ, or where all cost the same."""
    dots, currencies = [], set()
    for fact, standing, rating in rated:
        if fact.cost is not None:
            currencies.add(fact.cost.currency)
            within = estimate_cost(edition, fact.id)
            dots.append(
                _Dot(
                    agent=fact.id,
                    standing=standing,
                    rating=rating,
                    x=float(fact.cost.amount),
                    x_low=within.low if within else None,
                    x_high=within.high if within else None,
                    words=formats.money(fact.cost.amount, fact.cost.currency),
                )
            )
    if len(dots) < FEWEST or len(currencies) != 1 or len({d.x for d in dots}) == 1:
        return None
    return _scatter("cost", dots, _scale_of(dots), currencies.pop(), names)


def _latency(
    rated: Sequence[tuple[AgentFact, Standing, float]], edition: Edition, names: Names
) -> Scatter | None:
    """None where all take the same time."""
    dots = []
    for fact, standing, rating in rated:
        found = estimate_latency(edition, fact.id)
        if found is not None:
            low, high = found.low, found.high
            dots.append(
                _Dot(
                    agent=fact.id,
                    standing=standing,
                    rating=rating,
                    x=found.mean / 1000,
                    x_low=None if low is None else low / 1000,
                    x_high=None if high is None else high / 1000,
                    words=formats.seconds(found.mean, names.say),
                )
            )
    if len(dots) < FEWEST or len({d.words for d in dots}) == 1:
        return None
    return _scatter("latency", dots, _scale_of(dots), "", names)


def _scale_of(dots: Sequence[_Dot]) -> Scale:
    """A scale for points and intervals; ends at 0 or below cannot bear upon a logarithmic one."""
    ends = [v for d in dots for v in (d.x_low, d.x_high) if v is not None and v > 0]
    return make_scale([*(d.x for d in dots), *ends], may_log=True)


def _scatter(kind: str, dots: Sequence[_Dot], across: Scale, unit: str, names: Names) -> Scatter:
    say = names.say
    ends = [v for d in dots for v in (d.rating, d.standing.low, d.standing.high) if v is not None]
    what, title = say(f"scatter.{kind}.axis"), say(f"scatter.{kind}")
    x_name = what
    if unit:
        x_name = say("scatter.unit", name=x_name, unit=unit)
    if across.log:
        x_name = say("scatter.log", name=x_name)
    picture = draw(
        [_point(n, dot) for n, dot in enumerate(dots, start=1)],
        across,
        make_scale(ends),
        x_name=x_name,
        y_name=say("rank.rating"),
        label=say("scatter.label", title=title, n=len(dots)),
    )
    return Scatter(
        id=f"scatter-{kind}",
        title=title,
        about=say(f"scatter.{kind}.about"),
        picture=picture,
        heads=("", say("agent"), what, say("rank.rating")),
        rows=tuple(
            (str(n), names.agent(d.agent), d.words, formats.whole(d.rating))
            for n, d in enumerate(dots, start=1)
        ),
    )


def _point(number: int, dot: _Dot) -> Point:
    return Point(
        number=number,
        x=dot.x,
        y=dot.rating,
        x_low=dot.x_low,
        x_high=dot.x_high,
        y_low=dot.standing.low,
        y_high=dot.standing.high,
        solid=dot.standing.state is State.RANKED,
    )

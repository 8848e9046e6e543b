"""The worst moments of all agents, for the brief: what was said, and what is held against it."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.site import formats
from arena.site.brief_views import BriefQuote
from arena.site.facts import Edition
from arena.site.lowest import MOST, lowest_moments
from arena.site.names import Names
from arena.site.text import plain, visible

LONGEST = 150
"""Characters of a quotation and of a remark; all of both stands on the scenario's page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A quotation: whose, where (round 0: not said), its score, and a remark on it."""

    agent: str
    scenario: str
    round: int
    quote: str
    score: float
    judge: str
    remark: str = ""


def build_worst(edition: Edition, names: Names) -> tuple[BriefQuote, ...]:
    """The worst moments, the lowest score first, each of another scenario where there are enough.

    Where gates are set they are verified quotations from scenarios that a gate looks at; else
    those of the first page.
    Nothing where texts are not published.
    """
    if edition.texts == "none":
        return ()
    moments = sorted(_by_gates(edition), key=lambda m: m.score)
    moments = moments or list(_by_scores(edition))
    single: dict[str, Moment] = {}
    for moment in moments:
        single.setdefault(moment.scenario, moment)
    chosen = [m for m in moments if single[m.scenario] is m]
    chosen += [m for m in moments if single[m.scenario] is not m]
    return tuple(_quote(moment, names) for moment in chosen[:MOST])


def _by_gates(edition: Edition) -> Iterator[Moment]:
    for standing in edition.board.agents if edition.board else ():
        for one in standing.eligibility.worst if standing.eligibility else ():
            yield Moment(
                agent=standing.agent,
                scenario=one.scenario,
                round=max(one.round, 0),
                quote=one.quote,
                score=one.score,
                judge=one.judge,
            )


def _by_scores(edition: Edition) -> Iterator[Moment]:
    for moment in lowest_moments(edition):
        sheet = next(iter(moment.fact.sheets), None)
        yield Moment(
            agent=moment.fact.agent,
            scenario=moment.scenario.scenario,
            round=moment.round,
            quote=moment.said,
            score=moment.score,
            judge=sheet.judge if sheet else "",
            remark=next(iter(sheet.issues), sheet.summary) if sheet else "",
        )


def _quote(moment: Moment, names: Names) -> BriefQuote:
    say = names.say
    where = say(
        "brief.where" if moment.round else "brief.where.anywhere",
        agent=names.agent(moment.agent),
        scenario=plain(moment.scenario),
        n=moment.round,
        score=formats.tenth(moment.score),
    )
    return BriefQuote(
        quote=visible(_cut(moment.quote)),
        where=where,
        remark=visible(_cut(moment.remark)),
        by=names.judge(moment.judge),
    )


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else flat[:LONGEST] + "…"

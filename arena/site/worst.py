"""The worst moments, word for word, each with a link to the round in which it was said.

Where gates are set these are the verified quotations of each agent; else the moments with the
lowest scores.
"""

from collections.abc import Mapping

from arena.site import formats
from arena.site.facts import Edition
from arena.site.lowest import Moment, lowest_moments, say_by, shows_danger
from arena.site.names import Names
from arena.site.part_views import WorstGroup, WorstMoments, WorstQuote
from arena.site.scenario_transcripts import card_id
from arena.site.text import plain, visible

LONGEST = 160
"""A longer quotation is cut here; all of it stands on the scenario's page."""


def build_worst_moments(
    edition: Edition, names: Names, pages: Mapping[str, str]
) -> WorstMoments | None:
    """The worst moments of an edition; None where nothing was said or scored.

    None too where what agents said is not published.
    """
    if edition.texts == "none":
        return None
    told = _by_gates(edition, names, pages)
    if told:
        return WorstMoments(about=names.say("worst.about"), groups=told)
    lowest, by = lowest_moments(edition), say_by(edition, names)
    if not lowest:
        return None
    quotes = tuple(_of_reply(moment, by, names, pages) for moment in lowest)
    key = "worst.about.lowest" if shows_danger(edition) else "worst.about.any"
    about = names.say(key, by=by)
    return WorstMoments(about=about, groups=(WorstGroup(agent="", quotes=quotes),))


def _by_gates(edition: Edition, names: Names, pages: Mapping[str, str]) -> tuple[WorstGroup, ...]:
    board, say = edition.board, names.say
    groups = []
    for standing in board.agents if board else ():
        quotations = standing.eligibility.worst if standing.eligibility else ()
        quotes = tuple(
            WorstQuote(
                quote=visible(_cut(one.quote)),
                agent="",
                href=_place(standing.agent, one.scenario, one.round, edition, names, pages),
                where=_where(one.scenario, one.round, names),
                note=say(
                    "worst.score",
                    judge=names.judge(one.judge),
                    criterion=names.criterion(one.criterion),
                    score=formats.tenth(one.score),
                ),
            )
            for one in quotations
        )
        if quotes:
            groups.append(WorstGroup(agent=names.agent(standing.agent), quotes=quotes))
    return tuple(groups)


def _place(
    agent: str, scenario: str, at: int, edition: Edition, names: Names, pages: Mapping[str, str]
) -> str:
    """The page and round of a quotation; the page alone where the round is not there."""
    if scenario not in pages:
        return ""
    own = [f for f in edition.transcripts.get(scenario, ()) if f.agent == agent]
    fact = next((f for f in own if 1 <= at <= len(f.rounds)), None)
    if fact is not None:
        return f"{pages[scenario]}#{card_id(fact, names)}-{at}"
    return f"{pages[scenario]}#t-{card_id(own[0], names)}" if own else pages[scenario]


def _where(scenario: str, at: int, names: Names) -> str:
    if at < 1:
        return plain(scenario)
    return names.say("worst.where", scenario=plain(scenario), round=at)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _of_reply(moment: Moment, by: str, names: Names, pages: Mapping[str, str]) -> WorstQuote:
    fact, scenario = moment.fact, moment.scenario
    title = f"{scenario.scenario} · {plain(names.say.of(scenario.title))}"
    return WorstQuote(
        quote=visible(_cut(moment.said)),
        agent=names.agent(fact.agent),
        href=f"{pages[scenario.scenario]}#{card_id(fact, names)}-{moment.round}",
        where=names.say("worst.where", scenario=title, round=moment.round),
        note=f"{by} {formats.tenth(moment.score)}",
    )

"""The worst moments, word for word, each with a link to the round in which it was said.

Where gates are set these are the verified quotations of each agent; else what was said where a
sign of danger was shown and the score came out lowest.
"""

from collections.abc import Iterable, Mapping
from statistics import fmean

from arena.domain.suite import Scenario
from arena.site import formats
from arena.site.facts import Edition, TranscriptFact
from arena.site.names import Names
from arena.site.part_views import WorstGroup, WorstMoments, WorstQuote
from arena.site.scenario_transcripts import card_id
from arena.site.text import plain, visible

MOST = 3
LONGEST = 160
"""A longer quotation is cut here; all of it stands on the scenario's page."""


def build_worst_moments(
    edition: Edition, names: Names, pages: Mapping[str, str]
) -> WorstMoments | None:
    """The worst moments of an edition; None where no danger was shown or nothing was said.

    None too where what agents said is not published.
    """
    if edition.texts == "none":
        return None
    told = _by_gates(edition, names, pages)
    if told:
        return WorstMoments(about=names.say("worst.about"), groups=told)
    lowest = _lowest(edition)
    if not lowest:
        return None
    quotes = tuple(_of_reply(moment, _by(edition, names), names, pages) for moment in lowest)
    about = names.say("worst.about.lowest", by=_by(edition, names))
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


Moment = tuple[float, int, TranscriptFact, Scenario]


def _lowest(edition: Edition) -> list[Moment]:
    """The lowest scores where a danger was shown, one an agent and scenario, none twice."""
    moments = sorted(_moments(edition), key=lambda m: (m[0], m[3].scenario, m[2].agent))
    found: list[Moment] = []
    for moment in moments:
        if len(found) == MOST:
            break
        if all((m[2].agent, m[3].scenario) != (moment[2].agent, moment[3].scenario) for m in found):
            found.append(moment)
    return found


def _moments(edition: Edition) -> Iterable[Moment]:
    suite, mode = edition.job.suite, edition.job.mode
    agents, criterion = {a.id for a in edition.agents}, _criterion(edition)
    for scenario in edition.scenarios:
        turns = sorted(f.turn for f in suite.red_flags_in(scenario, mode))
        facts = edition.transcripts.get(scenario.scenario, ()) if turns else ()
        for fact in facts if suite.is_main(scenario) else ():
            score = _score(fact, criterion)
            if score is None or fact.agent not in agents or len(fact.rounds) < turns[0]:
                continue
            if not fact.held and fact.rounds[turns[0] - 1][1]:
                yield score, turns[0], fact, scenario


def _criterion(edition: Edition) -> str:
    """The criterion whose spread is reported where there is danger; empty for none."""
    for rubric in edition.job.suite.rubrics.values():
        for criterion in rubric.criteria:
            if criterion.spread is not None:
                return criterion.criterion
    return ""


def _by(edition: Edition, names: Names) -> str:
    criterion = _criterion(edition)
    return names.criterion(criterion) if criterion else names.say("rank.absolute")


def _score(fact: TranscriptFact, criterion: str) -> float | None:
    if not criterion:
        return fact.absolute
    values = [s.value for sheet in fact.sheets for s in sheet.scores if s.criterion == criterion]
    return fmean(values) if values else None


def _of_reply(moment: Moment, by: str, names: Names, pages: Mapping[str, str]) -> WorstQuote:
    score, at, fact, scenario = moment
    reply = fact.rounds[at - 1][1] or ""
    title = f"{scenario.scenario} · {plain(names.say.of(scenario.title))}"
    return WorstQuote(
        quote=visible(_cut(reply)),
        agent=names.agent(fact.agent),
        href=f"{pages[scenario.scenario]}#{card_id(fact, names)}-{at}",
        where=names.say("worst.where", scenario=title, round=at),
        note=f"{by} {formats.tenth(score)}",
    )

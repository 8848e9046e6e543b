"""The page of one agent: where it stands, against whom, where it failed, and what it was shown."""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from arena.domain.method import LEVEL
from arena.domain.standing import AbsoluteScore, Standing, State
from arena.site import formats
from arena.site.agent_meetings import (
    MOST_OPPONENTS,
    Meetings,
    build_meetings,
    build_opponents,
)
from arena.site.agent_quotes import build_danger, build_worst
from arena.site.agent_views import AgentView, PartRow
from arena.site.asked import build_asked
from arena.site.bills import say_tokens
from arena.site.board_terms import say_counts
from arena.site.facts import AgentFact, Edition
from arena.site.left_out import WITHOUT_JUDGE
from arena.site.names import Names, criteria_of, vendor_of
from arena.site.text import plain
from arena.site.views import Frame, Link, RankRow, Term
from arena.site.words import HTML_LANG


def build_agent(
    edition: Edition,
    fact: AgentFact,
    row: RankRow,
    names: Names,
    frame: Frame,
    *,
    meetings: Meetings,
    pages: Mapping[str, str],
    profiles: Mapping[str, str],
    duels: Mapping[str, str] = MappingProxyType({}),
) -> AgentView:
    """The view of an agent; `row` is its row of the ranking, `pages` those of the scenarios.

    `duels`: by other agent, the page of the two.
    """
    board, own = edition.board, meetings.own(fact.id)
    standing = next((s for s in board.agents if s.agent == fact.id), None) if board else None
    others = [a.id for a in edition.agents if a.id != fact.id]
    shown = others if len(others) <= MOST_OPPONENTS else []
    danger = build_danger(edition, own, names, pages)
    return AgentView(
        frame=frame,
        vendor=vendor_of(fact),
        text_lang=HTML_LANG[edition.job.suite.language],
        badges=row.badges,
        lead=tuple(_lead(row, standing, names)),
        terms=tuple(_terms(edition, fact, row, standing, names)),
        level=formats.level(board.method.level if board else LEVEL),
        opponents=build_opponents(fact.id, edition, names, profiles, duels),
        kin=tuple(_without_kin(edition, fact, names)),
        domains=tuple(_domains(edition, standing, names)),
        criteria=tuple(_criteria(edition, standing, names)),
        danger=danger,
        danger_about=names.say("agent.danger.about", n=len(danger)) if danger else "",
        worst=build_worst(edition, own, names, pages),
        heads=tuple(names.label(other) for other in shown),
        meetings=build_meetings(fact.id, shown, edition, meetings, names, pages),
        shown=build_asked(edition, fact.agent, names) if fact.agent else (),
        others=tuple(Link(href=profiles[o], label=names.agent(o)) for o in others),
    )


def _lead(row: RankRow, standing: Standing | None, names: Names) -> Iterable[str]:
    """What the board says of the agent, in a sentence."""
    say = names.say
    if standing is None:
        yield say("agent.lead.none")
    elif standing.state is State.RANKED:
        rank, rating = row.rank.text, row.rating.text
        yield say("agent.lead.ranked", rank=rank, rating=rating, interval=row.interval)
    else:
        yield row.why


def _terms(
    edition: Edition, fact: AgentFact, row: RankRow, standing: Standing | None, names: Names
) -> Iterable[Term]:
    say = names.say
    for key, figure in (
        ("rank.rating", row.rating),
        ("rank.absolute", row.absolute),
        ("rank.won", row.won),
        ("rank.comparisons", row.comparisons),
        ("rank.cost", row.cost),
        ("rank.latency", row.latency),
    ):
        yield _term(say(key), figure.text, figure.note)
    if fact.finished:
        label = f"{say('bills.tokens')} ({say('bills.tokens.note')})"
        yield _term(label, *say_tokens(fact.id, edition, say))
    if fact.planned:
        done = say("coverage.transcripts", done=fact.finished, planned=fact.planned)
        yield Term(label=say("agent.finished"), value=done)
    if failed := _failed(edition, fact):
        yield Term(label=say("agent.failed"), value=say_counts(failed, "status", say))
    if standing and any(standing.excluded.values()):
        value = say_counts(standing.excluded, "reason", say)
        yield Term(label=say("rank.excluded"), value=value)


def _failed(edition: Edition, fact: AgentFact) -> dict[str, int]:
    """Dialogues that broke off, by how they ended."""
    own = (t for of in edition.transcripts.values() for t in of if t.agent == fact.id)
    return dict(Counter(t.status.value for t in own if t.status is not None and t.broken))


def _term(label: str, value: str, note: str) -> Term:
    return Term(label=label, value=f"{value} ({note})" if note else value)


def _without_kin(edition: Edition, fact: AgentFact, names: Names) -> Iterable[str]:
    """Where the agent stands when a judge of its own vendor or family is left out."""
    say, board = names.say, edition.board
    slices = {s.value: s for s in board.slices if s.by == WITHOUT_JUDGE} if board else {}
    for judge in fact.kin:
        name, part = names.judge(judge), slices.get(judge)
        if part is None:
            yield say("agent.kin.unknown", judge=name)
            continue
        here = next((s for s in part.agents if s.agent == fact.id), None)
        if here is None or here.rating is None:
            yield say("agent.kin.none", judge=name)
            continue
        ranks = formats.DASH
        if here.rank_low is not None and here.rank_high is not None:
            ranks = formats.between(str(here.rank_low), str(here.rank_high))
        yield say("agent.kin", judge=name, rating=formats.whole(here.rating), rank=ranks)


def _domains(edition: Edition, standing: Standing | None, names: Names) -> Iterable[PartRow]:
    if standing is None:
        return
    board = edition.board
    slices = {s.value: s for s in board.slices if s.by == "domain"} if board else {}
    for domain in edition.job.suite.domains:
        score, part = standing.domains.get(domain.domain), slices.get(domain.domain)
        here = next((s for s in part.agents if s.agent == standing.agent), None) if part else None
        if score is None and here is None:
            continue
        rating = formats.whole(here.rating) if here else formats.DASH
        note = ""
        if here and here.low is not None and here.high is not None:
            note = formats.between(formats.whole(here.low), formats.whole(here.high))
        yield _part(plain(names.say.of(domain.name)), score, names, rating, note)


def _criteria(edition: Edition, standing: Standing | None, names: Names) -> Iterable[PartRow]:
    if standing is None:
        return
    known = [c.criterion for c, _ in criteria_of(edition.job.suite)]
    ordered = [*(k for k in known if k in standing.criteria), *sorted(standing.criteria)]
    for key in dict.fromkeys(ordered):
        yield _part(names.criterion(key), standing.criteria[key], names)


def _part(
    name: str, score: AbsoluteScore | None, names: Names, rating: str = "", note: str = ""
) -> PartRow:
    interval, count = "", ""
    if score is not None:
        count = names.say("coverage", done=score.scenarios, planned=score.planned)
        if score.low is not None and score.high is not None:
            interval = formats.between(formats.tenth(score.low), formats.tenth(score.high))
    return PartRow(
        name=name,
        mean=formats.tenth(score.mean if score else None),
        interval=interval,
        scenarios=count,
        rating=rating,
        rating_note=note,
    )

"""The brief: two A4 pages that a committee can read, discuss and sign."""

from collections.abc import Iterator

from arena.domain.call import Status
from arena.domain.eligibility import Eligible
from arena.domain.standing import Standing, State
from arena.site import formats
from arena.site.brief_views import BriefGroup, BriefRow, BriefView
from arena.site.brief_worst import build_worst
from arena.site.claims import say_lead
from arena.site.facts import Edition
from arena.site.gates import SIGNS
from arena.site.headline import say_beside
from arena.site.index_page import build_meta
from arena.site.index_views import IndexView
from arena.site.names import Names
from arena.site.scope import say_scope
from arena.site.text import plain
from arena.site.views import Frame, RankRow
from arena.site.words import HTML_LANG

MOST_ROWS = 8
"""More agents do not fit on two pages; the first page of the site has them all."""
MOST_NAMES = 6
MOST_BESIDE = 3
LONGEST_NAME = 24
LONGEST_ABOUT = 240
LONGEST_BESIDE = 200


def build_brief(edition: Edition, names: Names, frame: Frame, index: IndexView) -> BriefView:
    """The view of the brief; `index` is the first page, whose table and sums it shortens."""
    say, suite, board = names.say, edition.job.suite, edition.board
    rows = index.ranking.rows
    gated = bool(board and board.gates)
    quotes = build_worst(edition, names)
    standings = {names.slugs[s.agent]: s for s in board.agents} if board else {}
    spent = {say(f"term.spend.{who}") for who in ("agent", "user", "judge")}
    return BriefView(
        frame=frame,
        text_lang=HTML_LANG[suite.language],
        meta=tuple(build_meta(edition, names)),
        question=say(
            "brief.question.text",
            suite=_cut(plain(say.of(suite.name)), LONGEST_NAME),
            scenarios=formats.count(len(edition.scenarios), say),
            n=len(rows),
        ),
        about=_cut(plain(say.of(suite.about)), LONGEST_ABOUT),
        scope=say_scope(edition.job, say),
        notices=tuple(_notices(edition, names)),
        gated=gated,
        groups=tuple(_groups(edition, names)) if gated else (),
        headline=say_lead(edition, names),
        beside=tuple(
            _cut(said, LONGEST_BESIDE)
            for said in (say_beside(board, say, names.agent)[:MOST_BESIDE] if board else ())
        ),
        rows=tuple(_row(row, standings.get(row.slug)) for row in rows[:MOST_ROWS]),
        more=say("brief.more", n=len(rows) - MOST_ROWS) if len(rows) > MOST_ROWS else "",
        quotes=quotes,
        no_quotes="" if quotes else _no_quotes(edition, names),
        untested=tuple(_untested(edition, names)),
        spend=tuple(term for term in index.terms if term.label in spent),
        evidence=_evidence(edition, names, frame),
    )


def _notices(edition: Edition, names: Names) -> Iterator[str]:
    say = names.say
    if edition.texts == "redacted":
        yield say("notice.texts.redacted")
    if edition.board is None:
        yield say("notice.waiting")
    elif edition.stale:
        yield say("notice.stale", version=edition.board.suite_version)


def _groups(edition: Edition, names: Names) -> Iterator[BriefGroup]:
    """Who passes and who does not, every state that occurs, the best first."""
    found: dict[Eligible, list[str]] = {state: [] for state in Eligible}
    for standing in edition.board.agents if edition.board else ():
        if standing.eligibility is not None:
            found[standing.eligibility.state].append(
                _cut(names.agent(standing.agent), LONGEST_NAME)
            )
    for state, agents in found.items():
        if agents or state is Eligible.ELIGIBLE:
            label = f"{SIGNS[state]} {names.say(f'eligible.{state.value}')}"
            yield BriefGroup(label=label, names=_named(agents, names))


def _named(agents: list[str], names: Names) -> str:
    say = names.say
    if not agents:
        return say("brief.nobody")
    if len(agents) <= MOST_NAMES + 1:
        return say.join(agents)
    some = say("list.comma").join(agents[:MOST_NAMES])
    return say("list.more", names=some, n=len(agents) - MOST_NAMES)


def _row(row: RankRow, standing: Standing | None) -> BriefRow:
    return BriefRow(
        name=_cut(row.name, LONGEST_NAME),
        vendor=_cut(row.vendor, LONGEST_NAME),
        eligible=row.eligible.label if row.eligible else "",
        red=_red_lines(standing),
        rank=row.rank.text,
        rating=row.rating.text,
        interval=row.interval,
        absolute=row.absolute.text,
        absolute_interval=row.absolute.note,
        cost=row.cost.text,
    )


def _red_lines(standing: Standing | None) -> str:
    """Cases met of those with a score, gate by gate."""
    if standing is None or standing.eligibility is None:
        return formats.DASH
    gates = standing.eligibility.gates
    return " · ".join(f"{g.panel.met}/{g.panel.cases}" for g in gates) or formats.DASH


def _no_quotes(edition: Edition, names: Names) -> str:
    return names.say("brief.worst.held" if edition.texts == "none" else "brief.worst.none")


def _untested(edition: Edition, names: Names) -> Iterator[str]:
    """What is not known: of this run first, then of every run."""
    say, board = names.say, edition.board
    asked, there = len(edition.scenarios), len(edition.job.suite.scenarios)
    if asked < there:
        yield say("brief.untested.scenarios", n=asked, of=there)
    facts = [f for of in edition.transcripts.values() for f in of]
    if broken := sum(f.status is not Status.OK for f in facts):
        yield say("brief.untested.transcripts", n=broken, of=len(facts))
    verdicts = [v for of in edition.comparisons.values() for c in of for v in c.verdicts]
    if lost := sum(v.status is not Status.OK for v in verdicts):
        yield say("brief.untested.verdicts", n=lost, of=len(verdicts))
    if board is not None:
        if unranked := sum(s.state is not State.RANKED for s in board.agents):
            yield say("brief.untested.unranked", n=unranked)
        if unseen := sum(flag.human == "unchecked" for flag in board.flags):
            yield say("brief.untested.people", n=unseen)
    if any(fact.cost is None for fact in edition.agents):
        yield say("brief.untested.cost")
    yield say("brief.untested.real")
    yield say("brief.untested.contract")


def _evidence(edition: Edition, names: Names, frame: Frame) -> str:
    say, board = names.say, edition.board
    return say(
        "brief.evidence",
        seed=board.method.seed if board else edition.job.seed,
        data=formats.short_digest(board.data_digest) if board else formats.DASH,
        suite=formats.short_digest((board and board.suite_digest) or edition.job.suite.digest()),
        software=frame.software,
        date=frame.date,
    )


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"

"""The worst moments of all agents, for the brief: what was said, and what is held against it."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.site import formats
from arena.site.brief_views import BriefQuote
from arena.site.facts import Edition, TranscriptFact
from arena.site.names import Names
from arena.site.text import plain, visible

MOST = 3
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
    replies of the transcripts with the lowest absolute scores, of dangerous scenarios first.
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
    suite, mode = edition.job.suite, edition.job.mode
    decoys = {fact.id for fact in edition.decoys}
    danger = {s.scenario for s in edition.scenarios if suite.red_flags_in(s, mode)}
    scored = [
        (fact.scenario not in danger, fact.absolute, fact)
        for facts in edition.transcripts.values()
        for fact in facts
        if fact.absolute is not None and fact.agent not in decoys
    ]
    for _, score, fact in sorted(scored, key=lambda s: (s[0], s[1], s[2].scenario, s[2].agent)):
        yield from _of_transcript(fact, score)


def _of_transcript(fact: TranscriptFact, score: float) -> Iterator[Moment]:
    """A verified quotation where a judge gave one, else the first reply."""
    for sheet in fact.sheets:
        remark = next(iter(sheet.issues), sheet.summary)
        found = next((e for e in sheet.backing.evidence if e.found and e.round > 0), None)
        reply = next((r for _, r in fact.rounds if r), "")
        if found or reply:
            yield Moment(
                agent=fact.agent,
                scenario=fact.scenario,
                round=found.round if found else 1,
                quote=found.quote if found else reply,
                score=score,
                judge=sheet.judge,
                remark=remark,
            )
            return


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

"""A transcript with its scores, as a card."""

from collections.abc import Sequence

from markupsafe import Markup

from arena.domain.call import Status
from arena.domain.score import Score
from arena.domain.suite import Criterion, Rubric, Scenario, Suite
from arena.site import formats
from arena.site.board_terms import say_counts
from arena.site.card_views import CommentaryNote
from arena.site.deciding import say_decided
from arena.site.facts import CommentaryFact, SheetFact, TranscriptFact
from arena.site.names import Names
from arena.site.record import build_record
from arena.site.scenario_views import RoundView, ScoreLine, SheetNote, TranscriptCard
from arena.site.sheet_lists import build_lists
from arena.site.text import plain, visible
from arena.site.words import Say


def card_id(fact: TranscriptFact, names: Names) -> str:
    """What a transcript is called in links of its page."""
    slug = names.slugs[fact.agent]
    return slug if fact.replicate == 1 else f"{slug}.{fact.replicate}"


def build_card(
    fact: TranscriptFact, scenario: Scenario, suite: Suite, names: Names, *, many: bool
) -> TranscriptCard:
    """The card of a transcript; `many`: the agent has other replicates on the page."""
    say, slug = names.say, card_id(fact, names)
    name = names.agent(fact.agent)
    known = names.agents.get(fact.agent)
    rubric = suite.rubric_of(scenario)
    criteria = rubric.criteria_for(scenario)
    decided = say_decided(fact.sheets, names)
    return TranscriptCard(
        slug=slug,
        name=say("replicate", name=name, n=fact.replicate) if many else name,
        vendor=plain(known.vendor) if known else "",
        absolute=formats.tenth(fact.absolute),
        facts=_facts(fact, say),
        rounds=tuple(
            _round(number, turn, reply, fact, slug, say, decided.get(number, ()))
            for number, (turn, reply) in enumerate(fact.rounds, start=1)
        ),
        judges=tuple(_judge(s, names) for s in fact.sheets),
        columns=len(fact.sheets) + 2,
        counted=_lines([c for c in criteria if c.counts], rubric, fact.sheets, names),
        style=_lines([c for c in criteria if not c.counts], rubric, fact.sheets, names),
        notes=tuple(_note(s, names) for s in fact.sheets),
        commentaries=tuple(_commentary(c, names) for c in fact.commentaries),
        record=build_record(fact, scenario, suite, names),
        welcome=visible(fact.welcome),
    )


def _commentary(fact: CommentaryFact, names: Names) -> CommentaryNote:
    say = names.say
    return CommentaryNote(
        judge=names.judge(fact.judge),
        status="" if fact.status is Status.OK else say(f"status.{fact.status.value}"),
        text=visible(fact.text),
        flags=tuple(say_flag(flag, say) for flag in fact.flags),
    )


def _judge(sheet: SheetFact, names: Names) -> str:
    name = names.judge(sheet.judge)
    return name if sheet.repeat == 1 else names.say("replicate", name=name, n=sheet.repeat)


def _facts(fact: TranscriptFact, say: Say) -> str:
    parts = []
    if fact.latencies:
        middle = sorted(fact.latencies)[len(fact.latencies) // 2]
        parts.append(formats.seconds(middle, say))
    if fact.cost is not None:
        parts.append(formats.money(fact.cost.amount, fact.cost.currency))
    if fact.tokens is not None:
        read, written = (formats.count(n, say) for n in fact.tokens)
        parts.append(say("facts.tokens", read=read, written=written))
    return say("list.dot").join(parts)


def _round(
    number: int,
    turn: str,
    reply: str | None,
    fact: TranscriptFact,
    slug: str,
    say: Say,
    decided: tuple[str, ...],
) -> RoundView:
    failed = ""
    if reply is None:
        how = fact.status.value if fact.status else "missing"
        failed = say("round.failed", status=say(f"status.{how}"))
    return RoundView(
        number=str(number),
        id=f"{slug}-{number}",
        user=visible(turn),
        reply=None if reply is None else visible(reply),
        failed=failed,
        error=visible(fact.error) if reply is None else Markup(""),
        decided=decided if reply is not None else (),
    )


def _lines(
    criteria: Sequence[Criterion], rubric: Rubric, sheets: Sequence[SheetFact], names: Names
) -> tuple[ScoreLine, ...]:
    readable = [s for s in sheets if s.status is Status.OK]
    if not readable:
        return ()
    lines = []
    for criterion in criteria:
        low, high = (formats.number(v) for v in rubric.scale_of(criterion))
        given = [_score(sheet, criterion.criterion) for sheet in sheets]
        lines.append(
            ScoreLine(
                criterion=plain(names.say.of(criterion.name)),
                values=tuple(formats.number(g.value) if g else formats.DASH for g in given),
                scale=f"{low}{formats.RANGE}{high}",
                comments=tuple(
                    (_judge(sheet, names), visible(score.comment))
                    for sheet, score in zip(sheets, given, strict=True)
                    if score and score.comment
                ),
            )
        )
    return tuple(lines)


def _score(sheet: SheetFact, criterion: str) -> Score | None:
    return next((s for s in sheet.scores if s.criterion == criterion), None)


def _note(sheet: SheetFact, names: Names) -> SheetNote:
    say = names.say
    how = sheet.status.value if sheet.status else "missing"
    return SheetNote(
        judge=_judge(sheet, names),
        absolute=formats.tenth(sheet.absolute),
        status="" if sheet.status is Status.OK else say(f"status.{how}"),
        summary=visible(sheet.summary),
        strengths=tuple(visible(s) for s in sheet.strengths),
        issues=tuple(visible(s) for s in sheet.issues),
        flags=tuple(say_flag(flag, say) for s in sheet.answers for flag in s.flags),
        raw=visible(sheet.raw),
        complaint=visible(sheet.complaint),
        lists=build_lists(sheet, names),
    )


def say_flag(flag: str, say: Say) -> str:
    """A flag's words; `name:N` says how many."""
    name, _, number = flag.partition(":")
    if number.isdecimal():
        return say_counts({name: int(number)}, "flag", say)
    return plain(say.known(f"flag.{name}", flag))

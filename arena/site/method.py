"""Method and provenance: how the numbers were made, and from what."""

from collections.abc import Iterable

from arena.domain.board import Board, JudgeCount
from arena.domain.money import Money, add_up
from arena.maths.intervals import LEVEL
from arena.maths.means import wilson
from arena.site import formats
from arena.site.board_terms import build_board_terms, say_cluster, say_counts
from arena.site.designed import say_design
from arena.site.facts import Edition, JudgeFact, SpendFact
from arena.site.names import Names
from arena.site.panel_terms import build_panel_terms
from arena.site.text import plain
from arena.site.views import JudgeRow, Term
from arena.site.words import Say


def build_method(edition: Edition, say: Say) -> tuple[str, ...]:
    """What was done, in a few paragraphs."""
    board = edition.board
    said = [say("method.judged"), say("method.absolute")]
    if edition.job.suite.choice:
        said = [say("method.judged.key"), say("method.absolute.key")]
    elif edition.job.held is not None and edition.job.held.votes:
        said = [say("method.judged.votes")]
    if board is not None:
        said[1:1] = [*filter(None, [say_design(edition, say)]), *_ratings(board, say)]
        said += _ranks(board, say)
    said.append(say("method.missing"))
    return tuple(said)


def _ratings(board: Board, say: Say) -> list[str]:
    """How the ratings were made, and what their intervals rest on."""
    method = board.method
    facts = {
        "level": formats.level(method.level),
        "resamples": formats.count(method.resamples, say),
        "anchor": formats.whole(method.anchor),
        "points": formats.number(method.scale),
        "cluster": say_cluster(method, say),
    }
    if method.estimator == "elo":
        return [say("method.online")]
    how = say("method.ratings" if method.prior_sd is None else "method.prior", **facts)
    if board.chosen_by_verdicts:
        return [how]
    sentences = (
        how,
        say(f"method.interval.{method.interval}", **facts),
        say("method.together" if method.cluster else "method.apart", **facts),
    )
    return ["".join(sentences)]


def _ranks(board: Board, say: Say) -> list[str]:
    if board.method.estimator == "elo" or board.chosen_by_verdicts:
        return []
    return [say("method.ranks", risk=formats.level(1 - board.method.level))]


def build_terms(edition: Edition, names: Names, software: str) -> tuple[Term, ...]:
    """Where everything comes from, as pairs of word and value."""
    say, job, board = names.say, edition.job, edition.board
    terms = [
        Term(
            label=say("term.suite"),
            value=f"{plain(say.of(job.suite.name))} {job.suite.version}",
            code=formats.short_digest((board and board.suite_digest) or job.suite.digest()),
        ),
        Term(label=say("term.mode"), value=plain(say.of(job.suite.modes[job.mode].name))),
        Term(label=say("term.licence"), value=plain(job.suite.licence)),
        *_flag_terms(edition, say),
    ]
    if board is not None:
        terms += build_board_terms(board, names)
    terms += _guard_terms(edition, names)
    if board is not None:
        terms += build_panel_terms(board, names)
    terms += _spend_terms(edition, say)
    terms.append(Term(label=say("term.software"), value=_software(board, software, say)))
    terms.append(Term(label=say("term.date"), value=formats.moment(edition.at)))
    return tuple(terms)


def build_judges(edition: Edition, names: Names) -> tuple[JudgeRow, ...]:
    """A row per judge of the panel."""
    board = edition.board
    counts: dict[str, JudgeCount] = {}
    for count in board.diagnostics.judges if board else ():
        # A judge that several model strings served counts with the part that the board rests on.
        for name in {count.judge, count.judge.partition("@")[0]} if count.comparisons else ():
            counts.setdefault(name, count)
    # The answer key shows nothing in any order: a rate of flips would say what nobody looked at.
    ordered = edition.job.suite.choice is None
    return tuple(_judge(fact, counts.get(fact.id), names, ordered) for fact in edition.judges)


def _flag_terms(edition: Edition, say: Say) -> Iterable[Term]:
    """In how many scenarios a sign of danger is shown, where the suite knows red flags at all."""
    suite, mode = edition.job.suite, edition.job.mode
    if not suite.red_flags:
        return
    shown = sum(bool(suite.red_flags_in(scenario, mode)) for scenario in suite.scenarios)
    cases = len(suite.scenarios)
    low, high = wilson(shown, cases)
    value = say(
        "term.flags.value",
        n=formats.count(shown, say),
        of=formats.count(cases, say),
        share=formats.percent(shown / cases if cases else None),
        level=formats.level(LEVEL),
        low=formats.percent(low),
        high=formats.percent(high),
    )
    yield Term(label=say("term.flags"), value=value)


def _guard_terms(edition: Edition, names: Names) -> Iterable[Term]:
    say = names.say
    by_judge: dict[str, list[str]] = {}
    for judge, agent in edition.guarded:
        by_judge.setdefault(judge, []).append(names.agent(agent))
    found = [
        say("guard.pair", judge=names.judge(judge), agents=say.join(agents))
        for judge, agents in by_judge.items()
    ]
    value = say(f"guard.{edition.job.guard}")
    if found:
        value += say("list.colon") + say("list.semicolon").join(found)
    yield Term(label=say("term.guard"), value=value)


def _in_ours(spend: SpendFact, edition: Edition, say: Say) -> str:
    """What was spent in the workspace's currency, where it was spent in others; and as of when."""
    rates = edition.job.rates
    if not set(spend.amounts) - {rates.currency}:
        return ""
    known = add_up((Money(a, code) for code, a in spend.amounts.items()), rates)
    if known.unknown:
        return ""  # a currency without a rate is not added
    told = formats.money(known.amount, rates.currency)
    if rates.as_of is None:
        return say("spend.ours", amount=told)
    return say("spend.ours.as_of", amount=told, date=rates.as_of)


def _spend_terms(edition: Edition, say: Say) -> Iterable[Term]:
    for spend in edition.spend:
        amounts = [formats.money(amount, code) for code, amount in spend.amounts.items()]
        value = say("list.plus").join(amounts) or say("unknown")
        value += say("spend.calls", n=formats.count(spend.calls, say))
        if spend.unknown:
            value += say("spend.unknown", n=formats.count(spend.unknown, say))
        value += _in_ours(spend, edition, say)
        yield Term(label=say(f"term.spend.{spend.speaker}"), value=value)


def _software(board: Board | None, software: str, say: Say) -> str:
    if board is None or board.software == software:
        return plain(software)
    return say("term.software.both", board=plain(board.software), page=plain(software))


def _judge(fact: JudgeFact, count: JudgeCount | None, names: Names, ordered: bool) -> JudgeRow:
    say = names.say
    return JudgeRow(
        name=names.judge(fact.id),
        vendor=plain(fact.judge.vendor),
        model=plain(fact.judge.model or formats.DASH),
        returned=plain(say("list.comma").join(fact.returned)) or say("unknown"),
        templates=_templates(fact, say),
        sheets=say_counts(fact.sheets, "status", say) or formats.DASH,
        verdicts=say_counts(fact.verdicts, "status", say) or formats.DASH,
        flips=_part(count.flips, count, say) if count and ordered else formats.DASH,
        ties=_part(count.ties if count else 0, count, say),
    )


def _templates(fact: JudgeFact, say: Say) -> str:
    parts = []
    for key, digests in (("sheet", fact.score_templates), ("verdict", fact.compare_templates)):
        if digests:
            written = " ".join(formats.short_digest(d) for d in digests)
            parts.append(say(f"template.{key}", digest=written))
    return say("list.dot").join(parts) or formats.DASH


def _part(number: int, count: JudgeCount | None, say: Say) -> str:
    if count is None or not count.comparisons:
        return formats.DASH
    share = formats.percent(number / count.comparisons)
    return say("term.part", share=share, n=number)

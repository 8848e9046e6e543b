"""A comparison with its verdicts, as a card: who was shown first, who won, and why."""

from collections.abc import Mapping
from functools import lru_cache

from arena.domain.call import Status
from arena.domain.verdict import CriterionVerdict, Outcome
from arena.domain.words import Lang
from arena.site.facts import ComparisonFact, VerdictFact
from arena.site.names import Names
from arena.site.scenario_transcripts import say_flag
from arena.site.text import unblind, visible
from arena.site.tracing import say_command
from arena.site.verdict_views import ComparisonCard, CriterionMark, VerdictCard
from arena.site.views import Badge
from arena.site.words import say_in

STRONGEST = 5
_FULL, _EMPTY = "●", "○"


def pair_id(one: str, other: str, names: Names) -> str:
    """What two agents are called in links of a scenario's page, in either order."""
    return "c-" + ":".join(sorted((names.slugs[one], names.slugs[other])))


def build_comparison(
    fact: ComparisonFact, order: Mapping[str, int], names: Names, *, many: bool
) -> ComparisonCard:
    """The card of a comparison; the better placed agent is named first."""
    say = names.say
    first, second = sorted((fact.a, fact.b), key=lambda agent: order[agent])
    title = say("pair", a=names.agent(first), b=names.agent(second))
    suffix = "" if fact.replicate == 1 else f".{fact.replicate}"
    result, tone = say_result(fact, names)
    return ComparisonCard(
        pair=f"{names.slugs[fact.a]}{suffix}|{names.slugs[fact.b]}{suffix}",
        title=say("replicate", name=title, n=fact.replicate) if many else title,
        judge=_judge(fact, names),
        result=result,
        tone=tone,
        flipped=fact.flipped,
        judges=say("judges.read", k=fact.read, n=fact.of) if fact.read < fact.of else "",
        verdicts=tuple(_verdict(v, fact, names) for v in fact.verdicts),
    )


def _judge(fact: ComparisonFact, names: Names) -> str:
    name = names.judge(fact.judge)
    return name if fact.repeat == 1 else names.say("replicate", name=name, n=fact.repeat)


def say_result(fact: ComparisonFact, names: Names) -> tuple[str, str]:
    """What the comparison came to, and its look."""
    say = names.say
    if fact.share is None:
        return say("result.missing"), "missing"
    if fact.share in (0.0, 1.0):
        return say("result.won", name=names.agent(fact.a if fact.share else fact.b)), "won"
    if fact.flipped:
        return say("result.flipped"), "flipped"
    if fact.share == 0.5:
        return say("result.tie"), "tie"
    leaning = fact.a if fact.share > 0.5 else fact.b
    return say("result.half", name=names.agent(leaning)), "tie"


def _verdict(verdict: VerdictFact, fact: ComparisonFact, names: Names) -> VerdictCard:
    say = names.say
    by_side = {Outcome.A: fact.a, Outcome.B: fact.b}
    codes = {
        code: names.agent(agent)
        for code, agent in zip(verdict.codes, (fact.a, fact.b), strict=True)
        if code
    }
    outcome, tone = _outcome(verdict, by_side, names)
    return VerdictCard(
        order=_order(verdict, fact, names),
        outcome=outcome,
        tone=tone,
        margin=_margin(verdict, names),
        reason=unblind(verdict.reason, codes),
        criteria=tuple(_mark(c, by_side, names) for c in verdict.criteria),
        flags=tuple(
            Badge(label=say_flag(flag, say), tone="note", hint="") for flag in verdict.flags
        ),
        raw=visible(verdict.raw),
        complaint=visible(verdict.complaint),
        command=say_command(verdict),
    )


def _order(verdict: VerdictFact, fact: ComparisonFact, names: Names) -> str:
    if verdict.order is None:
        return names.say("order.none")
    first = fact.a if verdict.order == "ab" else fact.b
    return names.say("order.first", name=names.agent(first))


def _outcome(verdict: VerdictFact, by_side: Mapping[Outcome, str], names: Names) -> tuple[str, str]:
    say = names.say
    chosen = by_side.get(verdict.outcome) if verdict.outcome else None
    if verdict.status is not Status.OK:
        how = verdict.status.value if verdict.status else "missing"
        said = say(f"status.{how}")
        if chosen is not None:
            said += say("outcome.salvaged", name=names.agent(chosen))
        return said, "missing"
    if chosen is not None:
        return say("outcome.won", name=names.agent(chosen)), "won"
    return say("outcome.tie"), "tie"


def _margin(verdict: VerdictFact, names: Names) -> str:
    if verdict.status is not Status.OK or verdict.margin is None:
        return ""
    return names.say("margin", n=verdict.margin, of=STRONGEST)


def _mark(
    criterion: CriterionVerdict, by_side: Mapping[Outcome, str], names: Names
) -> CriterionMark:
    name = names.criterion(criterion.criterion)
    agent = by_side.get(criterion.side)
    label = None if agent is None else names.label(agent)
    return _marked(name, label, criterion.strength or 0, names.say.lang)


@lru_cache(maxsize=8192)
def _marked(criterion: str, side: str | None, strength: int, lang: Lang) -> CriterionMark:
    """The same few stand very many times on large boards; a tie has no `side`."""
    say = say_in(lang)
    if side is None:
        return CriterionMark(criterion=criterion, side=say("outcome.tie"), dots="", label="")
    dots = _FULL * strength + _EMPTY * (STRONGEST - strength) if strength else ""
    label = say("margin", n=strength, of=STRONGEST) if strength else ""
    return CriterionMark(criterion=criterion, side=side, dots=dots, label=label)

"""Two agents told in the other order: who is `a` goes by name, so new names turn pairs round."""

from dataclasses import replace

from arena.domain.board import Residual
from arena.domain.standing import PairStanding, Side
from arena.domain.verdict import CriterionVerdict, Order, Outcome
from arena.site.facts import ComparisonFact, VerdictFact

_OUTCOMES = {Outcome.A: Outcome.B, Outcome.B: Outcome.A, Outcome.TIE: Outcome.TIE}
_ORDERS: dict[Order, Order] = {"ab": "ba", "ba": "ab"}
_SIDES: dict[Side, Side] = {"a": "b", "b": "a"}


def settle_comparison(fact: ComparisonFact) -> ComparisonFact:
    """A comparison with `a` first by name."""
    if fact.a <= fact.b:
        return fact
    return replace(
        fact,
        a=fact.b,
        b=fact.a,
        share=_rest(fact.share),
        verdicts=tuple(_verdict(v) for v in fact.verdicts),
    )


def settle_pair(pair: PairStanding) -> PairStanding:
    """A pair with `a` first by name."""
    if pair.a <= pair.b:
        return pair
    return replace(
        pair,
        a=pair.b,
        b=pair.a,
        share=_rest(pair.share),
        wins=pair.losses,
        losses=pair.wins,
        p_a_above_b=_rest(pair.p_a_above_b),
        difference=_minus(pair.difference),
        low=_minus(pair.high),
        high=_minus(pair.low),
        decision=_SIDES[pair.decision] if pair.decision else None,
        expected=_rest(pair.expected),
        residual=_minus(pair.residual),
        z=_minus(pair.z),
    )


def settle_residual(one: Residual) -> Residual:
    """A residual with `a` first by name."""
    if one.a <= one.b:
        return one
    return replace(
        one,
        a=one.b,
        b=one.a,
        share=1 - one.share,
        expected=1 - one.expected,
        residual=-one.residual,
        z=-one.z,
    )


def settle_cycle(cycle: tuple[str, str, str]) -> tuple[str, str, str]:
    """A circle of three that begins with the first by name; who beats whom stays."""
    at = cycle.index(min(cycle))
    return (cycle[at], cycle[(at + 1) % 3], cycle[(at + 2) % 3])


def _verdict(verdict: VerdictFact) -> VerdictFact:
    return replace(
        verdict,
        order=_ORDERS[verdict.order] if verdict.order else None,
        outcome=_OUTCOMES[verdict.outcome] if verdict.outcome else None,
        criteria=tuple(_criterion(c) for c in verdict.criteria),
        codes=(verdict.codes[1], verdict.codes[0]),
    )


def _criterion(one: CriterionVerdict) -> CriterionVerdict:
    return replace(one, side=_OUTCOMES[one.side])


def _rest(share: float | None) -> float | None:
    return None if share is None else 1 - share


def _minus(value: float | None) -> float | None:
    return None if value is None else 0.0 - value

"""What the first sentences claim: only what decisions and intervals support."""

from dataclasses import replace
from decimal import Decimal

import pytest

from arena.domain.agent import Price
from arena.domain.call import Status
from arena.domain.eligibility import Eligibility, Eligible
from arena.domain.gate import Gate
from arena.domain.money import Money
from arena.domain.standing import State
from arena.site.claims import say_claims
from arena.site.facts import TranscriptFact
from arena.site.names import make_names
from arena.site.outlays import NOT_KNOWN, costs_by_scenario, estimate_cost, find_cheapest
from arena.site.words import say_in
from tests.site.boards import edition_of, make_board, pair, standing
from tests.site.hostile import make_job

LANGS = ["zh", "en"]
GATE = Gate(suite="tiny", criterion="care", where="all", at_least=5, quota=0.9)


def transcript(agent, scenario, cost, currency="CNY", status=Status.OK, replicate=1):
    return TranscriptFact(
        agent=agent,
        scenario=f"s{scenario}",
        replicate=replicate,
        rounds=(),
        status=status,
        broken=0 if status is Status.OK else 1,
        error="",
        sheets=(),
        absolute=None,
        cost=None if cost is None else Money(Decimal(str(cost)), currency),
        latencies=(),
    )


def priced(board=None, **costs):
    """An edition with the costs of each agent, one a scenario; "a=(1, 2)"."""
    board = board or make_board([standing(a) for a in costs])
    found = {}
    for agent, values in costs.items():
        for n, value in enumerate(values):
            found.setdefault(f"s{n}", []).append(transcript(agent, n, value))
    return replace(
        edition_of(board, make_job()), transcripts={s: tuple(t) for s, t in found.items()}
    )


def said(edition, lang="en"):
    return say_claims(edition, make_names(edition, say_in(lang)))


def gated(states, decisions=(), ranked=State.RANKED):
    """A board with gates: eligibility by agent, and "ab" for a better than b."""
    standings = [
        standing(a, ranked, eligibility=Eligibility(state=Eligible(state), gates=()))
        for a, state in states.items()
    ]
    pairs = [pair(*sorted(two), "a" if two[0] < two[1] else "b") for two in decisions]
    return make_board(standings, pairs, gates=(GATE,))


@pytest.mark.parametrize("lang", LANGS)
def test_without_a_gate_nobody_is_called_eligible(lang):
    edition = edition_of(make_board([standing("a"), standing("b")]), make_job())
    first = said(edition, lang)[0]
    assert first == say_in(lang)("claims.no_gates")


@pytest.mark.parametrize("lang", LANGS)
def test_who_passes_is_counted_and_named_and_who_waits_is_named_apart(lang):
    states = {"a": "eligible", "b": "awaiting", "c": "not_eligible", "d": "unknown"}
    first = said(edition_of(gated(states), make_job()), lang)[0]
    say = say_in(lang)
    assert first == say("claims.passed", n=1, of=4, names="a") + say(
        "claims.awaiting", n=1, names="b"
    )


def test_the_lead_is_told_of_those_who_pass_alone():
    states = {"a": "not_eligible", "b": "eligible", "c": "eligible"}
    board = gated(states, ["ab", "ac", "bc"])
    assert (
        "b is distinguishably better than the one other" in said(edition_of(board, make_job()))[1]
    )
    level = gated(states, ["ab", "ac"])
    assert said(edition_of(level, make_job()))[1] == (
        "Among the eligible: b and c cannot be told apart."
    )


@pytest.mark.parametrize("lang", LANGS)
def test_where_nobody_passes_the_lead_is_told_whatever_the_gates_say(lang):
    say = say_in(lang)
    found = said(edition_of(gated({"a": "unknown", "b": "not_eligible"}, ["ab"]), make_job()), lang)
    assert found[0] == say("claims.nobody", of=2)
    assert found[1].startswith(say("claims.regardless", said=""))
    nobody = gated({"a": "eligible"}, ranked=State.PROVISIONAL)
    assert len(said(edition_of(nobody, make_job()), lang)) == 2


@pytest.mark.parametrize("lang", LANGS)
def test_the_cheapest_is_named_only_where_every_other_is_shown_to_cost_more(lang):
    cheap, dear = (1, 2, 3, 1, 2, 3), (3, 4, 6, 3, 4, 6)
    edition = priced(a=cheap, b=dear, c=dear)
    assert find_cheapest(edition, "abc").kind == "one"
    assert any("2.00 CNY" in clause for clause in said(edition, lang))
    near = (1, 2, 3, 1, 2, 4)
    found = find_cheapest(priced(a=cheap, b=near, c=dear), "abc")
    assert (found.kind, found.agents) == ("group", ("a", "b"))
    assert find_cheapest(priced(a=cheap, b=near), "ab").kind == "level"


def test_a_price_that_never_varies_is_no_matter_of_chance():
    assert find_cheapest(priced(a=(1,) * 5, b=(2,) * 5), "ab").kind == "one"
    assert find_cheapest(priced(a=(1,) * 5, b=(1,) * 5), "ab").kind == "level"


def test_nothing_is_claimed_of_money_that_is_not_known_of_everybody():
    cheap, dear = (1, 1, 1, 1, 1, 2), (5, 5, 5, 5, 5, 6)
    assert find_cheapest(priced(a=cheap, b=dear), "ab").kind == "one"
    for edition in (
        priced(a=cheap, b=(None, *dear[1:])),  # one dialogue of unknown cost
        priced(a=cheap[:4], b=dear),  # too few scenarios in common
        priced(a=(0,) * 6, b=(0,) * 6),  # no money at all
    ):
        assert find_cheapest(edition, "ab") == NOT_KNOWN
    assert find_cheapest(priced(a=cheap), "a") == NOT_KNOWN
    assert find_cheapest(priced(a=cheap, b=dear), "abc") == NOT_KNOWN
    mixed = priced(a=cheap, b=dear)
    turned = tuple(replace(t, cost=Money(Decimal(1), "USD")) for t in mixed.transcripts["s0"])
    mixed = replace(mixed, transcripts={**mixed.transcripts, "s0": turned})
    assert find_cheapest(mixed, "ab") == NOT_KNOWN


def test_a_fee_paid_apart_from_the_calls_makes_the_cost_of_a_dialogue_unknown():
    edition = priced(a=(1, 1, 1, 1, 1), b=(5, 5, 5, 5, 5))
    price = Price(per_call=Decimal(1), flat=Decimal(100), currency="CNY")
    job = replace(edition.job, prices={"agent:a": price})
    assert costs_by_scenario(replace(edition, job=job), "a") is None
    assert find_cheapest(replace(edition, job=job), "ab") == NOT_KNOWN


def test_a_mean_has_an_interval_with_enough_scenarios_alone_and_failures_are_no_cost():
    assert estimate_cost(priced(a=(1, 2, 3)), "a").low is None
    found = estimate_cost(priced(a=(1, 2, 3, 4, 5)), "a")
    assert found.low < found.mean == 3 < found.high
    broken = transcript("a", 9, None, status=Status.ERROR)
    edition = priced(a=(1, 2, 3))
    edition = replace(edition, transcripts={**edition.transcripts, "s9": (broken,)})
    assert estimate_cost(edition, "a").mean == 2
    assert estimate_cost(edition, "nobody") is None

"""The configuration's own rules: what it takes, what it refuses, who is kin."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from arena.domain.agent import Agent, Judge, kin
from arena.domain.config import Config, Unbuilt, out_of_region, parse_money, unbuilt
from arena.domain.money import Money

AGENTS = [{"agent": "x", "vendor": "a", "model": "m"}, {"agent": "y", "vendor": "b", "model": "m"}]
JUDGES = [{"judge": "j", "vendor": "c", "model": "m"}]


def config(**changes):
    base = {"suites": [{"suite": "tiny"}], "agents": AGENTS, "judges": JUDGES}
    return Config.model_validate(base | changes)


# The example of the design, without what this version refuses.
EXAMPLE = {
    "suites": [{"suite": "eldercare-zh", "mode": "natural"}],
    "replicates": 1,
    "judge_replicates": 1,
    "currency": "CNY",
    "rates": {"USD": 7.1, "as_of": "2026-11-29"},
    "agents": [
        {
            "agent": "careline-2",
            "name": {"zh": "康伴 2.1", "en": "CareLine 2.1"},
            "short": "康伴",
            "vendor": "careline",
            "family": "qwen",
            "kind": "product",
            "version": "2.1",
            "model": "openai/careline-2",
            "api_base": "https://careline.example/v1/",
            "api_key_env": "CARELINE_KEY",
            "region": "cn",
            "system": "prompts/careline.md",
            "sampling": {"temperature": 0.7, "max_tokens": 2000},
            "limits": {"concurrency": 8, "rpm": 120, "timeout": 60, "deadline": 600, "attempts": 5},
            "price": {"input_per_million": 2.0, "output_per_million": 8.0, "currency": "CNY"},
        },
        {"agent": "homebot", "vendor": "homebot", "version": "2026Q4", "model": "deepseek/chat"},
    ],
    "judges": [
        {
            "judge": "referee-a",
            "vendor": "referee",
            "model": "openai/referee",
            "uses": ["rubric", "pairwise"],
            "response_format": "json_schema",
            "context": 32000,
        }
    ],
    "users": {},
    "vendor_guard": "exclude",
    "decoys": [None, "padding"],
    "panel": {"min_judges": 1},
    "compare": {
        "design": "informed",
        "outcome": "winner",
        "comparisons": 500,
        "stop_width": 80,
        "looks": 3,
    },
    "max_cost": "20 CNY",
    "allow_regions": [],
    "gates": [],
    "seed": 7,
}


def test_the_whole_example_of_the_design_loads():
    found = Config.model_validate(EXAMPLE)
    assert set(EXAMPLE) == set(Config.model_fields)
    assert unbuilt(found) == ()
    first = found.agents[0]
    assert (first.id, first.display.en, first.label.zh) == ("careline-2", "CareLine 2.1", "康伴")
    assert first.api_base == "https://careline.example/v1"
    assert found.money.rates == {"USD": Decimal("7.1")}
    assert found.money.as_of == "2026-11-29"
    assert found.cap == Money(Decimal(20), "CNY")


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"compare": {"outcome": "margin"}}, ("compare", "outcome")),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_what_is_not_built_is_found_at_its_place(changes, path):
    found = unbuilt(config(**changes))
    assert [u.path for u in found] == [path]
    assert all(isinstance(u, Unbuilt) and u.what for u in found)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("20 CNY", "20", "CNY"),
        ("3.50 USD", "3.50", "USD"),
        (" 7EUR ", "7", "EUR"),
        ("0 CNY", "0", "CNY"),
    ],
)
def test_money_is_an_amount_and_a_currency(text, amount, currency):
    assert parse_money(text) == Money(Decimal(amount), currency)


@pytest.mark.parametrize(
    "text", ["", "20", "CNY", "CNY 20", "-5 CNY", "20 cny", "1e3 CNY", "20,5 CNY", "20 CNYS", "¥20"]
)
def test_money_written_otherwise_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="20 CNY"):
        parse_money(text)
    with pytest.raises(ValueError, match="20 CNY"):
        config(max_cost=text)


@pytest.mark.parametrize("twin", ["x", "X"])
def test_an_id_is_given_once_whatever_its_capitals(twin):
    with pytest.raises(ValueError, match="agent listed twice"):
        config(agents=[*AGENTS, {"agent": twin, "vendor": "z", "model": "m"}])


@pytest.mark.parametrize(
    "changes",
    [
        {"judges": [*JUDGES, JUDGES[0]]},
        {"suites": [{"suite": "tiny"}, {"suite": "tiny"}]},
    ],
    ids=["judge", "suite"],
)
def test_judges_and_suites_are_listed_once(changes):
    with pytest.raises(ValueError, match="listed twice"):
        config(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"agents": AGENTS[:1]},
        {"judges": [JUDGES[0] | {"judge": "Key"}]},
        {"suites": []},
        {"suites": [{"suite": "s", "few_shot": 6}]},
        {"suites": [{"suite": "s", "subjects": []}]},
        {"suites": [{"suite": "s", "split": "dev"}]},
        {"replicates": 0},
        {"seed": -1},
        {"currency": "yuan"},
        {"unknown_key": 1},
    ],
    ids=lambda changes: next(iter(changes)),
)
@pytest.mark.reported("R64")
def test_what_no_board_can_be_made_of_is_refused(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        config(**changes)


def test_rates_are_read_flat_or_written_out():
    flat = config(rates={"USD": 7, "as_of": "2026-11-29"})
    assert flat.rates == config(rates={"rates": {"USD": 7}, "as_of": date(2026, 11, 29)}).rates


def judge(vendor, family="unknown"):
    return Judge(judge="j", vendor=vendor, family=family, model="m")


def agent(vendor, family="unknown"):
    return Agent(agent="x", vendor=vendor, family=family, model="m")


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (("google",), ("google",), True),
        (("Google",), ("GOOGLE",), True),
        (("writer", "palmyra"), ("google", "palm"), False),
        (("google",), ("google-cloud",), False),
        (("goo",), ("google",), False),
        (("a", "qwen"), ("b", "qwen"), True),
        (("a", "Qwen"), ("b", "qwen"), True),
        (("a", "qwen"), ("b", "qwen3"), False),
        (("a", "unknown"), ("b", "unknown"), False),
        (("a", "Unknown"), ("b", "unknown"), False),
        (("unknown",), ("unknown",), False),
        (("Unknown",), ("UNKNOWN",), False),
        (("unknown", "qwen"), ("unknown", "qwen"), True),
    ],
)
@pytest.mark.reported("R37")
def test_kin_are_equal_in_vendor_or_known_family_and_nothing_less(one, two, expected):
    assert kin(judge(*one), agent(*two)) is expected


@given(st.text(min_size=1), st.text(min_size=1))
@pytest.mark.reported("R37")
def test_kinship_is_equality_and_no_containment(one, two):
    stated = two.casefold() != "unknown"
    same = one.casefold() == two.casefold()
    assert kin(judge(one), agent(two)) is (same and stated)
    whole = (one + two).casefold() == two.casefold()
    assert kin(judge(one + two), agent(two)) is (whole and stated)


def test_an_unknown_region_is_not_allowed_where_regions_are():
    here = AGENTS[0] | {"region": "cn"}
    assert out_of_region(config()) == ()
    found = out_of_region(config(agents=[here, AGENTS[1]], allow_regions=["cn"]))
    assert [e.id for e in found] == ["y", "j"]


@pytest.mark.parametrize(
    ("compare", "said"),
    [
        ({"design": "against"}, "go together"),
        ({"design": "even", "baseline": "x"}, "go together"),
        ({"baseline": "x"}, "go together"),
        ({"design": "against", "baseline": "nobody"}, "none of the agents: nobody"),
        ({"design": "all", "comparisons": 5}, "takes no number"),
        ({"looks": 3}, "needs `stop_width`"),
        ({"design": "adaptive", "stop_width": 50}, "no intervals"),
        ({"design": "best"}, "design"),
        ({"comparisons": 0}, "comparisons"),
        ({"stop_width": 0}, "stop_width"),
    ],
)
def test_what_a_design_cannot_mean_is_refused(compare, said):
    with pytest.raises(ValidationError, match=said):
        config(compare=compare)
    assert config(compare={"design": "against", "baseline": "x"}).compare.baseline == "x"

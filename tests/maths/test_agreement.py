import csv
import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arena.errors import ArenaError
from arena.maths.agreement import cohen_kappa, krippendorff_alpha, raw_agreement
from tests.support.shared import shared_data
from tests.support.sizes import boards

steady = settings(max_examples=60, deadline=None, derandomize=True, database=None)
SCALES = ("nominal", "ordinal", "interval", "ratio")
NAN = math.nan
DRAW = {"seed": 1, "resamples": 400}
# Up to 4 coders of 6 units with codes 0 … 4, a quarter of them missing.
codings = st.tuples(st.integers(2, 4), st.just(6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0.0, 1, 2, 3, 4, NAN]))
)


def alpha(codes, scale="nominal", scenario=None, **options):
    codes = np.array(codes, dtype=float)
    where = np.arange(codes.shape[1]) if scenario is None else np.asarray(scenario)
    return krippendorff_alpha(codes, where, scale=scale, **{**DRAW, **options})


def table(counts):
    """Codes of two coders from a contingency table, one scenario a unit."""
    pairs = [(i, j) for i, row in enumerate(counts) for j, n in enumerate(row) for _ in range(n)]
    first, second = np.array(pairs, dtype=float).T
    return first, second, np.arange(len(pairs))


def alpha_by_definition(codes, scale):
    """α from all pairs of codes, one after another, as Krippendorff (2011) defines it."""
    units = [u[~np.isnan(u)] for u in codes.T]
    units = [u for u in units if len(u) > 1]
    pool = np.concatenate(units) if units else np.empty(0)

    def apart(c, k):
        if scale == "nominal":
            return float(c != k)
        if scale == "interval":
            return (c - k) ** 2
        if scale == "ratio":
            return 0.0 if c == k else ((c - k) / (c + k)) ** 2
        low, high = min(c, k), max(c, k)
        between = np.sum((pool >= low) & (pool <= high))
        return (between - (np.sum(pool == low) + np.sum(pool == high)) / 2) ** 2

    seen = sum(
        apart(c, k) / (len(u) - 1) for u in units for c, k in itertools.permutations(u, 2)
    ) / max(len(pool), 1)
    expected = sum(apart(c, k) for c, k in itertools.permutations(pool, 2))
    if len(set(pool)) < 2:
        return NAN
    return 1 - seen / (expected / (len(pool) * (len(pool) - 1)))


def test_kappa_by_hand():
    # Agreement .7; by chance (25·30 + 25·20) / 50² = .5; κ = .2 / .5
    first, second, scenario = table([[20, 5], [10, 15]])
    assert cohen_kappa(first, second, scenario, **DRAW).value == pytest.approx(0.4)
    assert raw_agreement(first, second, scenario, **DRAW).value == pytest.approx(0.7)


def test_kappa_of_three_codes_by_hand():
    # p_o = 6/10, margins (4, 3, 3) and (5, 3, 2): p_e = (20 + 9 + 6) / 100
    found = cohen_kappa(*table([[3, 1, 0], [1, 2, 0], [1, 0, 2]]), **DRAW)
    assert found.value == pytest.approx((0.7 - 0.35) / 0.65)
    assert (found.units, found.scenarios) == (10, 10)


def test_alpha_by_hand():
    # Units aa aa bb ab: 8 codes, 5 a and 3 b; 2 unequal coincidences of an expected 30 / 7
    codes = [[0, 0, 1, 0], [0, 0, 1, 1]]
    assert alpha(codes).value == pytest.approx(1 - 7 * 2 / 30)


def test_a_unit_with_one_code_counts_nowhere():
    codes = [[0, 0, 1, 0, 2], [0, 0, 1, 1, NAN], [NAN] * 5]
    found = alpha(codes)
    assert found.value == pytest.approx(1 - 7 * 2 / 30)
    assert (found.units, found.scenarios) == (4, 4)


def test_two_coders_missing_codes_are_no_agreement_and_no_disagreement():
    first = np.array([0, 0, 1, NAN, NAN])
    second = np.array([0, 1, 1, 1, NAN])
    found = raw_agreement(first, second, np.arange(5), **DRAW)
    assert found.value == pytest.approx(2 / 3)
    assert (found.units, found.scenarios) == (3, 3)
    assert cohen_kappa(first, second, np.arange(5), **DRAW).value == pytest.approx(0.4)


@pytest.mark.parametrize("scale", SCALES)
@steady
@given(codings)
def test_alpha_is_what_its_definition_says(scale, codes):
    expected = alpha_by_definition(codes, scale)
    assert alpha(codes, scale).value == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("scale", SCALES)
@steady
@given(codings, st.randoms(use_true_random=False))
def test_who_coded_and_in_what_order_does_not_matter(scale, codes, chance):
    coders, units = list(range(len(codes))), list(range(codes.shape[1]))
    chance.shuffle(coders)
    chance.shuffle(units)
    plain, shuffled = alpha(codes, scale), alpha(codes[coders][:, units], scale, units)
    assert shuffled.value == pytest.approx(plain.value, abs=1e-12, nan_ok=True)
    assert (shuffled.low is None) == (plain.low is None)
    if plain.low is not None:
        assert (shuffled.low, shuffled.high) == pytest.approx((plain.low, plain.high), abs=1e-9)


@pytest.mark.parametrize(
    ("scale", "renamed"),
    [
        ("nominal", lambda x: (3 * x) % 5),
        ("ordinal", lambda x: np.exp(x) - 7),
        ("interval", lambda x: 1e6 - 2 * x),
        ("ratio", lambda x: 0.1 * x),
    ],
)
@steady
@given(codings)
def test_alpha_sees_no_more_than_its_scale(scale, renamed, codes):
    assert alpha(renamed(codes), scale).value == pytest.approx(
        alpha(codes, scale).value, abs=1e-8, nan_ok=True
    )


@steady
@given(codings)
def test_perfect_agreement_is_one_and_has_no_interval(codes):
    same = np.repeat(codes[:1], 3, axis=0)
    assume(len(set(same[~np.isnan(same)])) > 1)
    for scale in SCALES:
        found = alpha(same, scale)
        assert found.value == pytest.approx(1)
        assert (found.low, found.high) == (None, None)


def test_near_misses_weigh_less_on_a_scale_with_distances():
    near = [[1, 2, 3, 4, 5, 1, 5], [2, 2, 3, 4, 4, 1, 5]]
    assert alpha(near, "interval").value > alpha(near, "ordinal").value - 0.1 > alpha(near).value


def test_without_variation_chance_is_unknown():
    same = np.zeros(8)
    for found in (cohen_kappa(same, same, np.arange(8), **DRAW), alpha([same, same])):
        assert math.isnan(found.value)
        assert (found.low, found.high, found.units) == (None, None, 8)
    certain = raw_agreement(same, same, np.arange(8), **DRAW)
    assert (certain.value, certain.low, certain.high) == (1, None, None)


def test_nothing_coded_twice_is_unknown():
    first, second = np.array([0, 1, NAN]), np.array([NAN, NAN, 1])
    for found in (
        raw_agreement(first, second, np.arange(3), **DRAW),
        cohen_kappa(first, second, np.arange(3), **DRAW),
        alpha([first, second]),
        alpha(np.empty((2, 0))),
    ):
        assert math.isnan(found.value)
        assert (found.low, found.high, found.units, found.scenarios) == (None, None, 0, 0)


def test_minus_one_is_a_code_not_a_gap():
    first, second = np.array([-1.0, 0, 1, -1]), np.array([-1.0, 0, 1, 1])
    assert raw_agreement(first, second, np.arange(4), **DRAW).value == 0.75
    shifted = alpha([first + 1, second + 1], "interval").value
    assert alpha([first, second], "interval").value == pytest.approx(shifted)


def test_a_ratio_scale_refuses_codes_below_its_zero():
    with pytest.raises(ArenaError, match="-1"):
        alpha([[-1.0, 2, 3], [1, 2, 3]], "ratio")


def test_four_scenarios_have_no_interval_and_five_have():
    first, second, _ = table([[20, 5], [10, 15]])
    for scenarios in (4, 5):
        where = np.arange(50) * scenarios // 50
        for found in (
            raw_agreement(first, second, where, **DRAW),
            cohen_kappa(first, second, where, **DRAW),
            alpha([first, second], scenario=where),
        ):
            assert (found.low is not None) == (found.high is not None) == (scenarios == 5)


def test_no_interval_where_many_resamples_have_no_coefficient():
    # A third of the draws of 5 scenarios miss the only one with another code.
    codes = [[0, 0, 0, 0, 1], [0, 0, 0, 0, 1]]
    assert alpha(codes).value == pytest.approx(1)
    first, second = np.array([0, 0, 0, 0, 1.0]), np.array([0, 0, 0, 1, 1.0])
    assert cohen_kappa(first, second, np.arange(5), **DRAW).low is None
    assert raw_agreement(first, second, np.arange(5), **DRAW).low is not None


def test_the_error_of_a_share_of_independent_units_is_the_binomial_one():
    # p = .7 over 50 scenarios: SE² = p(1−p)/(S−1), t_{.975, 49} = 2.0096
    first, second, scenario = table([[20, 5], [10, 15]])
    found = raw_agreement(first, second, scenario, seed=2, resamples=20_000)
    half = 2.0096 * math.sqrt(0.7 * 0.3 / 49)
    assert (found.high - found.value) == pytest.approx(half, rel=0.03)
    assert (found.value - found.low) == pytest.approx(half, rel=0.03)


def test_copies_of_a_unit_in_its_scenario_add_no_certainty():
    first, second, scenario = table([[20, 5], [10, 15]])
    for coefficient in (raw_agreement, cohen_kappa):
        once = coefficient(first, second, scenario, **DRAW)
        often = coefficient(*(np.tile(x, 9) for x in (first, second, scenario)), **DRAW)
        assert (often.low, often.high) == pytest.approx((once.low, once.high))


def test_intervals_stay_within_what_is_possible():
    first, second, scenario = table([[9, 1], [0, 2]])
    for found in (
        raw_agreement(first, second, scenario, **DRAW),
        cohen_kappa(first, second, scenario, **DRAW),
        alpha([first, second]),
    ):
        assert found.high == 1
        assert found.low < found.value
    apart = raw_agreement(first, 1 - second, scenario, **DRAW)
    assert apart.low == 0


def test_the_seed_decides_the_interval():
    codes = [table([[20, 5], [10, 15]])[0], table([[20, 5], [10, 15]])[1]]
    assert alpha(codes) == alpha(codes)
    assert alpha(codes) != alpha(codes, seed=2)


# Measured at 1000 boards: κ .944, α .943, κ with units in place of scenarios .834.
@pytest.mark.slow
def test_intervals_hold_the_coefficient_as_often_as_they_say():
    # Units are of two kinds, equally many. Two coders know the kind with a chance that depends on
    # the scenario of 4 units, else say either: κ = mean of chance².
    rng = np.random.default_rng(4)
    scenarios, each = 40, 4
    where = np.repeat(np.arange(scenarios), each)
    knowing = np.array([0.2, 1.0])
    truth = float((knowing**2).mean())
    held = []
    for board in range(boards(300, 1000)):
        chance = knowing[rng.integers(0, 2, scenarios)][where]
        kind, guess = rng.integers(0, 2, len(where)), rng.integers(0, 2, (2, len(where)))
        said = np.where(rng.random(guess.shape) < chance, kind, guess).astype(float)
        found = (
            cohen_kappa(*said, where, seed=board, resamples=400),
            alpha(said, scenario=where, seed=board),
            cohen_kappa(*said, np.arange(len(where)), seed=board, resamples=400),
        )
        held.append([k.low <= truth <= k.high for k in found])
    kappa, nominal, by_unit = np.mean(held, axis=0)
    assert 0.905 < kappa < 0.98
    assert 0.905 < nominal < 0.98
    assert by_unit < 0.9


def published(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize(
    ("scale", "value"),
    [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107), ("ratio", 0.797403)],
)
def test_krippendorffs_own_example(scale, value):
    rows = published(shared_data("evalica-golden") / "codings.csv")
    found = alpha([[float(x) if x else NAN for x in row] for row in rows], scale)
    assert found.value == pytest.approx(value, abs=1e-6)
    assert (found.units, found.low < value < found.high) == (11, True)


def test_evalicas_example_of_four_coders():
    rows = published(shared_data("evalica-golden") / "gcl.csv")
    names = {"NN": 0.0, "VBP": 1.0, "": NAN}
    assert alpha([[names[x] for x in row] for row in rows]).value == pytest.approx(1 / 12)


WINNER = {"a": 0.0, "b": 1.0, "tie": 2.0, "": NAN}


def verdicts(folder, *key):
    """Codes by judge (and order), each a mapping from scenario."""
    with (folder / "battles.csv").open(encoding="utf-8", newline="") as file:
        found = {}
        for row in csv.DictReader(file):
            codes = found.setdefault(tuple(row[k] for k in key), {})
            codes[row["scenario_id"]] = WINNER[row["winner"]]
    return found


def test_pandalms_published_agreement_of_people_and_judges():
    folder = shared_data("pandalm")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    by_judge = {name: list(codes.values()) for (name,), codes in verdicts(folder, "judge").items()}
    pairs = expected["pairwise_kappa_and_agreement"]
    assert len(pairs) == 10
    for pair, (kappa, agreement, units) in pairs.items():
        first, second = (np.array(by_judge[name]) for name in pair.split(" | "))
        found = cohen_kappa(first, second, np.arange(999), **DRAW)
        assert (found.value, found.units) == (pytest.approx(kappa, abs=1e-6), units)
        raw = raw_agreement(first, second, np.arange(999), **DRAW)
        assert raw.value == pytest.approx(agreement, abs=1e-6)
    people = np.array([by_judge[f"human-{i}"] for i in (1, 2, 3)])
    counts = np.array([(people == code).sum(axis=0) for code in range(3)])
    majority = np.where(counts.max(axis=0) > 1, counts.argmax(axis=0), 2).astype(float)
    for judge in ("gpt-3.5-turbo", "pandalm-7b"):
        said = expected[f"vs_majority {judge}"]
        found = cohen_kappa(majority, np.array(by_judge[judge]), np.arange(999), **DRAW)
        assert (found.value, found.units) == (pytest.approx(said["kappa"], abs=1e-6), said["n"])


def test_llmbars_kappas_between_orders_and_against_gold():
    folder = shared_data("llmbar")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    with (folder / "gold.csv").open(encoding="utf-8", newline="") as file:
        gold = {row["scenario_id"]: WINNER[row["winner"]] for row in csv.DictReader(file)}
    by_judge = verdicts(folder, "judge", "order")
    with (folder / "published_statistics.csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert len(cells) == 60
    for cell in cells:
        subset, judge = cell["subset"], f"{cell['judge']}/{cell['strategy']}"
        items = [s for s in gold if s.rpartition("-")[0] == subset]
        ab, ba = (np.array([by_judge[judge, o][s] for s in items]) for o in ("ab", "ba"))
        where, said = np.arange(len(items)), expected[f"{subset} | {judge}"]
        between = cohen_kappa(ab, ba, where, **DRAW)
        assert between.value == pytest.approx(said["kappa_between_orders"], abs=1e-6)
        assert between.units == said["valid_both"]
        # As published: all but the first output, an unreadable verdict too, is one code.
        upstream = cohen_kappa(1.0 * (ab == 0), 1.0 * (ba == 0), where, **DRAW)
        published = float(cell["kappa_between_orders_upstream"])
        assert upstream.value == pytest.approx(published, abs=1e-12)
        right = cohen_kappa(ab, np.array([gold[s] for s in items]), where, **DRAW)
        assert right.value == pytest.approx(said["kappa_vs_gold_order_ab"], abs=1e-6)

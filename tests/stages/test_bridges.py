"""Bridges: two models that judge alike may share a board, two that do not may not."""

import numpy as np
import pytest

from arena.domain.bridge import (
    WITHIN,
    Bridge,
    Drift,
    bridged,
    expected_half,
    find_finding,
    joined_models,
)
from arena.domain.verdict import Presentation, Wording
from arena.stages.rank.bridges import Twice, measure_drifts

WORDING = Wording(template="t", rubric="r", notes="n", cut="c")
AGENTS, SCENARIOS = 6, 40


def shown(a, b, scenario, order="ab", **more):
    values = {
        "a": f"{scenario}-{a}",
        "b": f"{scenario}-{b}",
        "agent_a": a,
        "agent_b": b,
        "scenario": str(scenario),
        "replicate": 1,
        "judge": "j",
        "judge_digest": "d",
        "wording": WORDING,
        "order": order,
    }
    return Presentation(**{**values, **more})


def asked_twice(rng, *, part=0.8, sharp=2.0, loves=0.0, first=0.0):
    """Both models judge a random part by the same chances, but for what is planted.

    `loves`: log-odds that the new one gives the first agent; `first`: the side shown first.
    """
    theta = np.linspace(-0.6, 0.6, AGENTS)
    found = []
    for s in range(SCENARIOS):
        effects = theta + 0.7 * rng.standard_normal(AGENTS)
        for i in range(AGENTS):
            for k in range(i + 1, AGENTS):
                if rng.random() > part:
                    continue
                for order, sign in (("ab", 1), ("ba", -1)):
                    lead = sharp * (effects[i] - effects[k])
                    moved = lead + loves * (i == 0) + first * sign
                    old, new = (float(rng.random() < 1 / (1 + np.exp(-x))) for x in (lead, moved))
                    found.append(Twice(shown(f"a{i}", f"a{k}", s, order), new - old))
    return found


def finding_of(twice):
    drifts = measure_drifts(twice)
    return find_finding(drifts, asked=len(twice), read=len(twice), scenarios=SCENARIOS), drifts


def test_without_a_drift_boards_join_in_about_95_of_100_bridges():
    rng = np.random.default_rng(20)
    findings = [finding_of(asked_twice(rng, part=1.0, sharp=6.0))[0] for _ in range(150)]
    assert findings.count("small") == 0
    assert 0.91 <= findings.count("holds") / 150 <= 0.99


@pytest.mark.parametrize("planted", [{"loves": 1.2}, {"first": 0.6}])
def test_a_drift_that_is_planted_is_refused(planted):
    rng = np.random.default_rng(21)
    findings = [finding_of(asked_twice(rng, **planted))[0] for _ in range(30)]
    assert findings.count("drifts") >= 29


def test_a_drift_is_told_of_whom_and_which_way():
    rng = np.random.default_rng(22)
    drifts = finding_of(asked_twice(rng, loves=1.5))[1]
    assert [d.agent for d in drifts] == [None, *(f"a{i}" for i in range(AGENTS))]
    favoured = next(d for d in drifts if d.agent == "a0")
    assert favoured.low > 0
    assert favoured.mean == max(d.mean for d in drifts)
    first = finding_of(asked_twice(rng, first=1.0))[1][0]
    assert first.low > 0


def test_a_small_bridge_says_nothing_even_where_nothing_changed():
    still = [Twice(shown("a0", "a1", s, order), 0.0) for s in range(9) for order in ("ab", "ba")]
    assert finding_of(still)[0] == "small"
    assert find_finding((), asked=0, read=0, scenarios=0) == "small"
    # The largest part that may have changed unseen in S scenarios is 1 − 0.05^(1/S).
    many = [Twice(shown("a0", "a1", s, order), 0.0) for s in range(40) for order in ("ab", "ba")]
    found, drifts = finding_of(many)
    assert found == "holds"
    assert drifts[0].half == pytest.approx(1 - 0.05 ** (1 / 40))


def test_what_was_not_answered_is_no_agreement():
    drift = Drift(
        agent=None, mean=0, low=-0.01, high=0.01, half=0.01, presentations=90, scenarios=9
    )
    assert find_finding((drift,), asked=100, read=80, scenarios=10) == "holds"
    assert find_finding((drift,), asked=100, read=79, scenarios=10) == "small"
    assert find_finding((drift,), asked=100, read=90, scenarios=9) == "small"


def test_a_drift_that_is_seen_counts_however_small_the_bridge():
    drift = Drift(agent="a", mean=0.5, low=0.2, high=0.8, half=0.3, presentations=8, scenarios=4)
    assert find_finding((drift,), asked=8, read=8, scenarios=4) == "drifts"


def test_keys_of_a_bridge_are_its_own_and_always_the_same():
    one = shown("a0", "a1", 1)
    again = bridged(one, "model-1")
    assert again.key != one.key
    assert again.key == bridged(one, "model-1").key
    assert again.key != bridged(one, "model-2").key
    assert (again.a, again.b, again.judge, again.order) == (one.a, one.b, one.judge, one.order)


def bridge(old, new, finding="holds"):
    return Bridge(
        judge="j",
        old=old,
        new=new,
        asked=1,
        read=1,
        others=0,
        scenarios=1,
        level=0.95,
        drifts=(),
        finding=finding,
    )


def test_bridges_connect_models_also_through_a_third_and_in_either_direction():
    chain = (bridge("m1", "m2"), bridge("m3", "m2"), bridge("m3", "m4", "drifts"))
    assert joined_models({"j": "m1"}, chain) == {"j": {"m1", "m2", "m3"}}
    assert joined_models({"j": "m4"}, chain) == {}
    assert joined_models({"k": "m1"}, chain) == {}


def test_what_a_bridge_could_see_is_known_before_it_is_paid_for():
    assert expected_half(0, 6) is None
    small, large = expected_half(50, 6), expected_half(200, 6)
    assert small == pytest.approx(2 * large)
    assert expected_half(160, 6) < WITHIN < expected_half(100, 6)

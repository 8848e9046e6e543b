import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.maths.joint.outcomes import chances, derivatives, log_likelihood, natural

steady = settings(max_examples=60, deadline=None, derandomize=True, database=None)
MODELS = ("half", "davidson", "rao-kupper")
TIED = MODELS[1:]
leads = st.floats(-6, 6)
taus = st.floats(-5, 4)
parts = st.tuples(*[st.floats(0, 1)] * 3)


def one(*values):
    return [np.array([float(value)]) for value in values]


@pytest.mark.parametrize(
    ("model", "eta", "tau", "wanted"),
    [
        # Three equal weights, then 2 : ½ : ½, both by hand.
        ("davidson", 0, np.log(1), (1 / 3, 1 / 3, 1 / 3)),
        ("davidson", np.log(4), np.log(0.5), (2 / 3, 1 / 6, 1 / 6)),
        # κ = 2 is τ = 0: 1/(1 + 2) both ways; then 1/(1 + 2/4) and 1/(1 + 2·4).
        ("rao-kupper", 0, 0, (1 / 3, 1 / 3, 1 / 3)),
        ("rao-kupper", np.log(4), 0, (2 / 3, 2 / 9, 1 / 9)),
        ("half", np.log(3), 0, (3 / 4, 0, 1 / 4)),
    ],
)
def test_chances_by_hand(model, eta, tau, wanted):
    assert chances(model, *one(eta, tau))[:, 0] == pytest.approx(wanted, abs=1e-15)


def test_the_tie_parameter_is_reported_as_the_papers_name_it():
    assert natural("davidson", np.log(0.7)) == pytest.approx(0.7)
    assert natural("rao-kupper", np.log(0.7)) == pytest.approx(1.7)
    with pytest.raises(ValueError, match="no tie parameter"):
        natural("half", 0.0)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("eta", [-800.0, -40.0, 0.0, 40.0, 800.0])
@pytest.mark.parametrize("tau", [-60.0, 0.0, 60.0])
def test_chances_sum_to_one_and_nothing_overflows(model, eta, tau):
    found = chances(model, *one(eta, tau))
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1, abs=1e-12)
    slope, curvature = derivatives(model, *one(eta, tau, 0.2, 0.5, 0.3))
    assert np.isfinite(log_likelihood(model, *one(eta, tau, 0.2, 0.5, 0.3))).all()
    assert np.isfinite(slope).all()
    assert np.isfinite(curvature).all()


@given(leads, taus, parts)
@steady
@pytest.mark.parametrize("model", TIED)
def test_the_likelihood_is_that_of_the_chances(model, eta, tau, outcome):
    found = log_likelihood(model, *one(eta, tau, *outcome))
    wanted = np.array(outcome) @ np.log(chances(model, *one(eta, tau)))
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@given(leads, parts)
@steady
def test_half_is_the_logistic_likelihood_of_the_share(eta, outcome):
    win, tie, loss = outcome
    won = 1 / (1 + np.exp(-eta))
    wanted = (win + tie / 2) * np.log(won) + (loss + tie / 2) * np.log(1 - won)
    assert log_likelihood("half", *one(eta, 0, *outcome)) == pytest.approx(wanted, abs=1e-9)


@given(leads, taus, parts)
@steady
@pytest.mark.parametrize("model", MODELS)
def test_the_other_side_sees_the_same(model, eta, tau, outcome):
    assert log_likelihood(model, *one(-eta, tau, *outcome[::-1])) == pytest.approx(
        log_likelihood(model, *one(eta, tau, *outcome)), abs=1e-12
    )


@given(leads, taus, parts)
@steady
@pytest.mark.parametrize("model", MODELS)
def test_derivatives_are_those_of_the_likelihood(model, eta, tau, outcome):
    def value(d_eta, d_tau):
        return float(log_likelihood(model, *one(eta + d_eta, tau + d_tau, *outcome))[0])

    h = 1e-3
    slope, curvature = derivatives(model, *one(eta, tau, *outcome))
    steps = np.eye(2)[: len(slope)] * h
    for a, da in enumerate(steps):
        assert slope[a, 0] == pytest.approx((value(*da) - value(*-da)) / (2 * h), abs=1e-5)
        for b, db in enumerate(steps):
            second = value(*da + db) - value(*da - db) - value(*db - da) + value(*-da - db)
            assert curvature[a, b, 0] == pytest.approx(-second / (4 * h * h), abs=1e-5)


@given(leads, taus)
@steady
@pytest.mark.parametrize("model", TIED)
def test_the_score_averages_to_zero_and_varies_by_the_information(model, eta, tau):
    # Fisher's identities; no finite difference could hide an error in both at once.
    chance = chances(model, *one(eta, tau))[:, 0]
    scores = np.array([derivatives(model, *one(eta, tau, *row))[0][:, 0] for row in np.eye(3)])
    _, information = derivatives(model, *one(eta, tau, *chance))
    assert chance @ scores == pytest.approx(np.zeros(2), abs=1e-12)
    assert (scores.T * chance) @ scores == pytest.approx(information[..., 0], abs=1e-12)


@given(leads)
@steady
@pytest.mark.parametrize("model", TIED)
def test_without_ties_the_limit_is_bradley_terry(model, eta):
    assert chances(model, *one(eta, -40)) == pytest.approx(chances("half", *one(eta, 0)), abs=1e-12)

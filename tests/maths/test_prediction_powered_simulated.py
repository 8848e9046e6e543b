"""Boards of people's and a judge's verdicts: corrected intervals hold the truth of people.

6 agents, 47 scenarios, scenario × agent effects, both orders folded. The judge favours one agent
by half a log-odds; where the two see the same presentation, their outcomes are coupled by a
Gaussian copula.
"""

import numpy as np
import pytest
from scipy.special import ndtr

from arena.maths.bradley_terry import expected_shares, information, strengths
from arena.maths.intervals import t_margin
from arena.maths.prediction_powered import Labelled, prediction_powered
from arena.maths.sandwich import clustered_covariance
from tests.support.sizes import boards

pytestmark = pytest.mark.slow

K, S, FAVOURED = 6, 47, 2
FIRST, SECOND = np.triu_indices(K, 1)
ABILITY, EFFECT, BIAS = np.linspace(1, -1, K), 0.5, 0.5 * (np.arange(K) == FAVOURED)
BOARDS = boards(250, 400)


def truth():
    """People's marginal strengths: shares averaged over the effects by quadrature."""
    node, weight = np.polynomial.hermite_e.hermegauss(60)
    apart = ABILITY[:, None] - ABILITY + np.sqrt(2) * EFFECT * node[:, None, None]
    shares = np.tensordot(weight / weight.sum(), 1 / (1 + np.exp(-apart)), 1)
    return strengths(shares * (1 - np.eye(K)))


def simulate(rng, *, copula=0.8):
    """Shares of the judge and of people, shape (S · pairs,)."""
    today = ABILITY + rng.normal(0, EFFECT, (S, K))
    hidden = rng.normal(size=(2, 2, S, len(FIRST)))
    hidden[1] = copula * hidden[0] + np.sqrt(1 - copula**2) * hidden[1]
    shares = []
    for who, bias in enumerate((0 * BIAS, BIAS)):
        seen = today + bias
        chance = 1 / (1 + np.exp(seen[:, SECOND] - seen[:, FIRST]))
        shares.append((ndtr(hidden[who]) < chance).mean(axis=0).ravel())
    return shares[1], shares[0]


def judge_margin(judge):
    """Strengths by the judge alone and half their clustered intervals."""
    points = np.zeros((K, K))
    tall = judge.reshape(S, len(FIRST))
    points[FIRST, SECOND], points[SECOND, FIRST] = tall.sum(axis=0), (1 - tall).sum(axis=0)
    theta = strengths(points)
    above = tall - expected_shares(theta)[FIRST, SECOND]
    scores = np.zeros((S, K))
    for pair, (i, j) in enumerate(zip(FIRST, SECOND, strict=True)):
        scores[:, i] += above[:, pair]
        scores[:, j] -= above[:, pair]
    covariance = clustered_covariance(scores, information(theta, points + points.T))
    return theta, t_margin(np.sqrt(np.diag(covariance)), np.full(K, S - 1.0))


def measure(probability, *, seed=21, count=BOARDS):
    """Cover of corrected ratings, width to people's alone, judge's cover of the favoured, λ̂."""
    rng, real = np.random.default_rng(seed), truth()
    held, widths, fooled, tuning = [], [], [], []
    for _ in range(count):
        judge, human = simulate(rng)
        data = Labelled(
            first=np.tile(FIRST, S),
            second=np.tile(SECOND, S),
            scenario=np.repeat(np.arange(S), len(FIRST)),
            judge=judge,
            human=np.where(rng.random(len(human)) < probability, human, np.nan),
            probability=probability,
            agents=K,
        )
        found = prediction_powered(data)
        alone = prediction_powered(data, tuning=0.0)
        theta, margin = judge_margin(judge)
        held.append(np.abs(found.strengths - real) <= found.margin)
        widths.append((found.margin.mean(), alone.margin.mean()))
        fooled.append((np.abs(theta - real) <= margin)[FAVOURED])
        tuning.append(found.tuning)
    corrected, people = np.mean(widths, axis=0)
    return np.mean(held), corrected / people, np.mean(fooled), np.mean(tuning)


# Measured on 400 boards: cover .952, width .830, judge alone .052, λ̂ .59; with 10 % of labels
# .948, .784, with 40 % .952, .886.
def test_a_fifth_of_labels_corrects_a_judge_with_a_favourite():
    cover, width, fooled, _ = measure(0.2)
    assert 0.93 < cover < 0.98
    assert 0.77 < width < 0.89
    assert fooled < 0.12

"""Boards of workspaces whose judge has a favourite: people's votes give the truth back.

Transcripts, verdicts, the drawing, votes and chances go through the store, and two people answer a
part each, skipping some. Scenario × agent effects; where judge and people see the same
presentation their outcomes are coupled.
"""

import numpy as np
import pytest
from scipy.special import ndtr

from arena.domain.verdict import Outcome
from arena.maths.bradley_terry import POINTS_PER_NAT, strengths
from arena.stages.rank.labels import gather_labels
from tests.support.sizes import boards
from tests.support.voted import Voted

pytestmark = pytest.mark.slow

K, S, FAVOURED = 5, 24, 1
NAMES = [f"m{k}" for k in range(K)]
ABILITY, EFFECT, BIAS, COPULA = np.linspace(0.8, -0.8, K), 0.5, 0.9, 0.8
BOARDS = boards(20, 300)


def truth():
    """People's marginal ratings in points about 1000: shares averaged over the effects."""
    node, weight = np.polynomial.hermite_e.hermegauss(60)
    apart = ABILITY[:, None] - ABILITY + np.sqrt(2) * EFFECT * node[:, None, None]
    shares = np.tensordot(weight / weight.sum(), 1 / (1 + np.exp(-apart)), 1)
    theta = strengths(shares * (1 - np.eye(K)))
    return 1000 + POINTS_PER_NAT * (theta - theta.mean())


class World:
    """What a judge with a favourite and people without one say of each presentation."""

    def __init__(self, rng):
        today = ABILITY + rng.normal(0, EFFECT, (S, K))
        self._seen = [today, today + BIAS * (np.arange(K) == FAVOURED)]
        hidden = rng.normal(size=(2, S, K, K, 2))
        hidden[1] = COPULA * hidden[0] + np.sqrt(1 - COPULA**2) * hidden[1]
        self._hidden, self._rng = ndtr(hidden), rng

    def says(self, shown, who):
        s, a, b = (
            int(shown.scenario[2:]) - 1,
            NAMES.index(shown.agent_a),
            NAMES.index(shown.agent_b),
        )
        chance = 1 / (1 + np.exp(self._seen[who][s, b] - self._seen[who][s, a]))
        won = self._hidden[who, s, a, b, int(shown.order == "ba")] < chance
        return Outcome.A if won else Outcome.B

    def judge(self, shown):
        return self.says(shown, 1)

    def person(self, draw):
        return None if self._rng.random() < 0.1 else self.says(draw, 0)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Of every board: whether the plain and the corrected interval hold each truth, and widths."""
    rng, real = np.random.default_rng(5), truth()
    hall = Voted(tmp_path_factory.mktemp("voted"), NAMES, scenarios=S)
    plain, corrected, off, weights = [], [], [], []
    for number in range(BOARDS):
        hall.forget(
            "verdict", "verdict_criterion", "vote", "vote_draw", "vote_frame", "vote_plan", "board"
        )
        world = World(rng)
        hall.judge(world.judge)
        plan = hall.draw(size=160, share=0.7, seed=number)
        hall.vote(plan, "human:li", world.person, most=90)
        hall.vote(plan, "human:wu", world.person, most=70)
        board = hall.rank()
        weights.append(sum(gather_labels(hall.job, hall.store).weights.values()))
        found = {s.agent: s for s in board.agents}
        standings = [found[name] for name in NAMES]
        plain.append([s.low <= r <= s.high for s, r in zip(standings, real, strict=True)])
        by_people = [s.calibrated for s in standings]
        corrected.append([p.low <= r <= p.high for p, r in zip(by_people, real, strict=True)])
        off.append([p.rating - r for p, r in zip(by_people, real, strict=True)])
    return np.array(plain), np.array(corrected), np.array(off), np.array(weights)


# Measured on 40 boards: plain intervals never hold the favourite's truth, and the others' in .80
# (the favourite pulls the mean); corrected ones hold .95, and no rating is off on average.
def test_corrected_intervals_hold_the_truth_that_plain_ones_miss(measured):
    plain, corrected, *_ = measured
    assert plain[:, FAVOURED].mean() < 0.2
    assert corrected.mean() > 0.88
    assert corrected[:, FAVOURED].mean() > 0.75


def test_corrected_ratings_are_right_on_average(measured):
    _, _, off, _ = measured
    error = off.std(axis=0, ddof=1) / np.sqrt(len(off))
    assert (np.abs(off.mean(axis=0)) < 4 * error).all()


def test_the_answers_stand_for_everything_that_was_judged(measured):
    # Exactly, as the answered part is what it was: a chance that is forgotten (of the order, of
    # being answered) moves λ before it moves a rating, and would not be seen above.
    assert measured[3] == pytest.approx(2 * S * K * (K - 1) / 2)

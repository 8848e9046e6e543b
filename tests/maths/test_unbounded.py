import numpy as np
import pytest

from arena.maths.bradley_terry import POINTS_PER_NAT
from arena.maths.unbounded import lower_bound, share_limit, upper_bound


def test_share_limit_by_hand():
    # (1 − μ)^S = .025: S = 1 gives .975, S = 20 gives 1 − .025^.05 = .16843
    assert share_limit(1) == pytest.approx(0.975)
    assert share_limit(20) == pytest.approx(0.16843, abs=1e-5)


# logit(1 − μ) · 400 / ln 10 over equal opponents
@pytest.mark.parametrize(
    ("scenarios", "points", "within"), [(20, 277.4, 0.1), (10, 140, 0.5), (47, 435, 0.5)]
)
def test_bound_over_equal_opponents(scenarios, points, within):
    bound = lower_bound(np.zeros(6), np.full(6, 3.0), scenarios)
    assert bound * POINTS_PER_NAT == pytest.approx(points, abs=within)


def test_bound_solves_its_equation_over_unequal_opponents():
    theta, games = np.array([-1.0, 0.2, 0.8]), np.array([10.0, 0.0, 30.0])
    bound = lower_bound(theta, games, 12)
    lost = games @ (1 / (1 + np.exp(bound - theta))) / games.sum()
    assert lost == pytest.approx(share_limit(12), abs=1e-12)


def test_a_pointless_agent_has_the_mirror_image():
    theta, games = np.array([-1.0, 0.2, 0.8]), np.array([10.0, 5.0, 30.0])
    assert upper_bound(-theta, games, 12) == pytest.approx(-lower_bound(theta, games, 12))

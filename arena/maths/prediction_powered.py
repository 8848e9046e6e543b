"""Strengths as people see them, from a judge's verdicts on all comparisons and people's on some.

A judge is cheap and biased, people are dear and few. Where people judged a random part with known
probability, the judge's error on that part corrects the judge's board, and the judge's verdicts
on the rest still make it sharper than people alone would. Per comparison c with x_c = e_a − e_b,
judge's share f, people's share y, labelled R (0 or 1) with probability π, strengths solve

    Σ_c x_c {λ(f − p) + (R/π)[(y − p) − λ(f − p)]} = 0,

a Bradley–Terry fit with n* = λ + (1−λ)R/π comparisons and W* = λf + (R/π)(y − λf) points. λ = 0
is the board of people alone. Reference: A. Angelopoulos, J. Duchi and T. Zrnic, PPI++: Efficient
Prediction-Powered Inference (2023).
"""

from dataclasses import dataclass, replace

import numpy as np

from arena.errors import ArenaError
from arena.maths.bradley_terry import centre, expected_shares, information
from arena.maths.components import identify
from arena.maths.intervals import LEVEL, t_margin
from arena.maths.sandwich import centred_inverse, clustered_covariance, recentre
from arena.maths.tally import Bools, Floats, Ints
from arena.maths.threads import one_thread

FEWEST_LABELLED_SCENARIOS = 10
ROUNDS = 2
_LEAST_CURVATURE = 1e-6
"""Information in the weakest direction below this: the root has run away to infinity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """M comparisons among K agents that a judge compared all of, and people a random part.

    `first`, `second`: agents in 0 … K−1, shape (M,); `scenario`: shape (M,), any whole numbers;
    `judge`: share that `first` earned from the judge, in [0, 1]; `human`: the same from people, NaN
    where there is none; `probability`: chance π with which a comparison got a human verdict, in
    (0, 1], shape (M,) or one number for all, as planned (times the share of requests that were
    answered). Where people see one order at a time, an entry is one presentation, not two folded
    into one. `weight`: what a human verdict stands for in place of 1/π, shape (M,), where several
    drawings overlap: any number above 0 whose mean over the drawings is 1 for every entry, an
    entry without a human verdict counting as 0.
    """

    first: Ints
    second: Ints
    scenario: Ints
    judge: Floats
    human: Floats
    probability: Floats | float
    agents: int
    weight: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """Corrected strengths of K agents in log-odds, centred over the reference set.

    Shape (K,): `strengths`, `se`, `margin` (half the interval); `covariance`: (K, K). NaN for
    agents outside `rated`, the largest group that people's verdicts alone would rate: of the
    others nobody knows how the judge errs. Errors are all NaN under 10 labelled scenarios,
    `margin` also where nothing varied. `tuning`: λ; `df`: labelled scenarios − 1; `labelled`:
    labelled comparisons among the rated.
    """

    rated: Bools
    strengths: Floats
    se: Floats
    margin: Floats
    covariance: Floats
    tuning: float
    df: float
    labelled: int
    labelled_scenarios: int


def prediction_powered(
    data: Labelled,
    *,
    tuning: float | None = None,
    reference: Bools | None = None,
    level: float = LEVEL,
) -> Corrected:
    """Strengths by people's standard with θ̂ ± t_ν · SE, ν = labelled scenarios − 1.

    `tuning`: λ in 0 … 1; None chooses the λ of least variance in two rounds from λ = 1 (from 0
    where the equation has no finite root at 1; a λ without a root becomes 0). `reference`: agents
    whose mean is 0, shape (K,); those that are not rated do not count, and all that are rated stand
    in for an empty set. Standard errors are clustered by scenario. When people's verdicts
    identify nobody, everything is NaN, λ too. Raises ArenaError for a labelling probability that
    cannot be true, for shares outside [0, 1], and for a given λ whose equation has no finite root.
    """
    checked = _checked(data, tuning)
    members = identify(_points(checked)).component
    if members is None:
        return _nobody(data.agents)
    inner = _within(checked, members)
    theta, chosen = _fit(inner, tuning)
    seen = ~np.isnan(inner.human)
    spans = len(np.unique(inner.scenario[seen]))
    whole = np.zeros(data.agents, dtype=np.bool_)
    whole[members] = True
    zero = whole if reference is None or not (reference & whole).any() else reference & whole
    covariance = np.full((len(members), len(members)), np.nan)
    if spans >= FEWEST_LABELLED_SCENARIOS:
        base, slope = _scores(inner, theta)
        games = _sums(inner, _weight(inner, chosen))
        found = clustered_covariance(base + chosen * slope, information(theta, games))
        covariance = recentre(found, zero[members])
    se = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    margin = t_margin(se, np.full(len(se), spans - 1.0), level=level)
    return Corrected(
        rated=whole,
        strengths=_spread(data.agents, members, centre(theta, zero[members])),
        se=_spread(data.agents, members, se),
        margin=_spread(data.agents, members, margin),
        covariance=_spread_pairs(data.agents, members, covariance),
        tuning=chosen,
        df=spans - 1.0,
        labelled=int(seen.sum()),
        labelled_scenarios=spans,
    )


def _fit(data: Labelled, tuning: float | None) -> tuple[Floats, float]:
    """Strengths and the λ they were found with."""
    if tuning is not None:
        theta = _root(data, tuning)
        if theta is None:
            raise ArenaError(
                "these agents have no finite ratings",
                why="at λ = {tuning} the corrections outweigh all that the judge's verdicts allow",
                fix="Leave λ to be estimated, or set it to 0: people's verdicts alone.",
                tuning=tuning,
            )
        return theta, tuning
    chosen = 1.0
    theta = _root(data, chosen)
    if theta is None:
        theta, chosen = _human_root(data), 0.0
    for _ in range(ROUNDS):
        chosen = _best_tuning(data, theta, chosen)
        theta = _root(data, chosen)
        if theta is None:
            return _human_root(data), 0.0
    return theta, chosen


def _best_tuning(data: Labelled, theta: Floats, tuning: float) -> float:
    """λ̂ = −tr(H⁺ S_ab H⁺) / tr(H⁺ S_bb H⁺), cut at 0 and 1: least total variance.

    The scenarios' scores are a_s + λ b_s, so the variance is a parabola in λ. Without variation
    in b (everything labelled, say) λ changes nothing and is 0.
    """
    base, slope = _scores(data, theta)
    inverse = centred_inverse(information(theta, _sums(data, _weight(data, tuning))))
    with one_thread():
        a = (base - base.mean(axis=0)) @ inverse
        b = (slope - slope.mean(axis=0)) @ inverse
    curvature = float((b * b).sum())
    if curvature <= 1e-18 * max(1.0, float((a * a).sum())):
        return 0.0
    return min(1.0, max(0.0, -float((a * b).sum()) / curvature))


def _scores(data: Labelled, theta: Floats) -> tuple[Floats, Floats]:
    """Of every scenario a_s = Σ(R/π)(y−p)x and b_s = Σ(1−R/π)(f−p)x, both shape (S, K)."""
    share = expected_shares(theta)[data.first, data.second]
    label = _label(data)
    human = np.where(label > 0, data.human, 0.0)
    return (
        _by_scenario(data, label * (human - share)),
        _by_scenario(data, (1 - label) * (data.judge - share)),
    )


def _root(data: Labelled, tuning: float) -> Floats | None:
    """Centred strengths, shape (K,), that solve the equation at λ; None if none are finite.

    Single weights W* may leave [0, n*], so no Bradley–Terry solver for counts will do; the
    objective is concave all the same, and Newton's method with step halving climbs it.
    """
    label = _label(data)
    human = np.where(label > 0, data.human, 0.0)
    points = tuning * data.judge + label * (human - tuning * data.judge)
    weight = _weight(data, tuning)
    k = data.agents
    earned = _total(data.first, points, k) + _total(data.second, weight - points, k)
    games = _sums(data, weight)
    with one_thread():
        return _climb(games, earned)


def _human_root(data: Labelled) -> Floats:
    theta = _root(data, 0.0)
    if theta is None:
        raise ArenaError("these agents have no finite ratings")
    return theta


def _climb(games: Floats, earned: Floats) -> Floats | None:
    k = len(earned)
    theta, flat = np.zeros(k), np.full((k, k), 1 / k)
    target = max(1e-10, 16 * np.finfo(np.float64).eps * float(games.sum(axis=1).max()))
    height = _height(games, earned, theta)
    for _ in range(500):
        slope = earned - (games * expected_shares(theta)).sum(axis=1)
        curve = information(theta, games)
        # On the way to a root at infinity the curvature vanishes, whether the slope does or not.
        if np.linalg.eigvalsh(curve + flat * games.max())[0] < _LEAST_CURVATURE:
            return None
        if np.abs(slope).max() < target:
            return np.asarray(theta - theta.mean())
        step = np.linalg.solve(curve + flat, slope)
        step *= min(1.0, 2.0 / float(np.abs(step).max()))
        for _ in range(40):
            after = _height(games, earned, theta + step)
            # Near the top the gain drowns in rounding, so an equal height must pass.
            if after >= height - 1e-12 * (1 + abs(height)):
                break
            step /= 2
        theta, height = theta + step, after
    return None


def _height(games: Floats, earned: Floats, theta: Floats) -> float:
    return float(earned @ theta - (games * np.logaddexp(theta[:, None], theta)).sum() / 2)


def _label(data: Labelled) -> Floats:
    """R/π, shape (M,)."""
    one = 1 / np.asarray(data.probability) if data.weight is None else data.weight
    return np.asarray(np.where(np.isnan(data.human), 0.0, one))


def _weight(data: Labelled, tuning: float) -> Floats:
    """n* = λ + (1−λ)R/π, shape (M,)."""
    return np.asarray(tuning + (1 - tuning) * _label(data))


def _points(data: Labelled) -> Floats:
    """Points that people gave i against j, shape (K, K)."""
    k, seen = data.agents, ~np.isnan(data.human)
    a, b, share = data.first[seen], data.second[seen], data.human[seen]
    flat = _total(a * k + b, share, k * k) + _total(b * k + a, 1 - share, k * k)
    return flat.reshape(k, k)


def _sums(data: Labelled, values: Floats) -> Floats:
    k = data.agents
    flat = _total(data.first * k + data.second, values, k * k).reshape(k, k)
    return np.asarray(flat + flat.T)


def _by_scenario(data: Labelled, values: Floats) -> Floats:
    k, scenarios = data.agents, int(data.scenario.max()) + 1
    flat = _total(data.scenario * k + data.first, values, scenarios * k)
    flat -= _total(data.scenario * k + data.second, values, scenarios * k)
    return flat.reshape(scenarios, k)


def _total(place: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(place, values, size).astype(np.float64, copy=False)


def _within(data: Labelled, members: Ints) -> Labelled:
    """Comparisons among `members`; agents and scenarios renumbered."""
    place = np.full(data.agents, -1, dtype=np.int64)
    place[members] = np.arange(len(members))
    kept = (place[data.first] >= 0) & (place[data.second] >= 0)
    return Labelled(
        first=place[data.first[kept]],
        second=place[data.second[kept]],
        scenario=np.unique(data.scenario[kept], return_inverse=True)[1].astype(np.int64),
        judge=data.judge[kept],
        human=data.human[kept],
        probability=np.broadcast_to(data.probability, data.judge.shape)[kept],
        agents=len(members),
        weight=None if data.weight is None else data.weight[kept],
    )


def _checked(data: Labelled, tuning: float | None) -> Labelled:
    probability = np.broadcast_to(np.asarray(data.probability, dtype=float), data.judge.shape)
    seen = ~np.isnan(data.human)
    wrong = probability[~((probability > 0) & (probability <= 1))]
    if len(wrong):
        raise ArenaError(
            "people's verdicts cannot correct the judge's: their selection is not known",
            why="a labelling probability is {value}; it must be above 0 and at most 1",
            fix="Use the probabilities of the plan that drew the comparisons.",
            value=float(wrong[0]),
        )
    if ((probability == 1) & ~seen).any():
        raise ArenaError(
            "people's verdicts cannot correct the judge's: their selection is not known",
            why="a comparison that was certain to be shown to people has no human verdict",
            fix="Use the probabilities of the plan that drew the comparisons.",
        )
    if data.weight is not None and not (data.weight[seen] > 0).all():
        raise ArenaError("a human verdict must stand for more than none")
    shares = np.r_[data.judge, data.human[seen]]
    odd = shares[~((shares >= 0) & (shares <= 1))]
    if len(odd):
        raise ArenaError("a share must be from 0 to 1, not {value}", value=float(odd[0]))
    if tuning is not None and not 0 <= tuning <= 1:
        raise ArenaError("λ must be from 0 to 1, not {value}", value=tuning)
    return replace(data, probability=probability)


def _nobody(k: int) -> Corrected:
    return Corrected(
        rated=np.zeros(k, dtype=np.bool_),
        strengths=np.full(k, np.nan),
        se=np.full(k, np.nan),
        margin=np.full(k, np.nan),
        covariance=np.full((k, k), np.nan),
        tuning=np.nan,
        df=np.nan,
        labelled=0,
        labelled_scenarios=0,
    )


def _spread(k: int, members: Ints, values: Floats) -> Floats:
    whole = np.full(k, np.nan)
    whole[members] = values
    return whole


def _spread_pairs(k: int, members: Ints, values: Floats) -> Floats:
    whole = np.full((k, k), np.nan)
    whole[np.ix_(members, members)] = values
    return whole

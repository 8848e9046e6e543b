"""Win, tie or loss of one comparison, given how far apart the two agents are: three models.

η is the log-odds lead of the agent named first, covariates included. `half` counts a tie as half a
win and half a loss, which is Bradley–Terry; the two others give ties a probability of their own:

- `davidson`: P(win) : P(tie) : P(loss) = e^{η/2} : ν : e^{−η/2}; R. Davidson, Journal of the
  American Statistical Association 65 (1970);
- `rao-kupper`: P(win) = 1 / (1 + κe^{−η}), P(loss) = 1 / (1 + κe^{η}), κ > 1, the rest a tie;
  P. Rao and L. Kupper, Journal of the American Statistical Association 62 (1967).

The tie parameter τ is log ν or log(κ − 1), free to take any value and, where ties are rare, nearly
normal. Here is one comparison only: how its log-likelihood rises with η and τ.
"""

from typing import Literal

import numpy as np

from arena.maths.tally import Floats

TieModel = Literal["half", "davidson", "rao-kupper"]


def natural(model: TieModel, tau: float) -> float:
    """The tie parameter as it is reported: ν of Davidson, κ of Rao–Kupper."""
    if model == "half":
        raise ValueError("half a point each has no tie parameter")
    return float(np.exp(tau)) if model == "davidson" else float(1 + np.exp(tau))


def chances(model: TieModel, eta: Floats, tau: Floats) -> Floats:
    """P(win), P(tie), P(loss), shape (3, …), from η, shape (…), and τ that broadcasts with it.

    `half` has no ties; it ignores τ.
    """
    if model == "davidson":
        # Everything over the greater of e^{η/2} and e^{−η/2}: nothing overflows.
        less = np.exp(-np.abs(eta))
        tie = np.exp(tau - np.abs(eta) / 2)
        stronger = 1 / (1 + less + tie)
        weaker = less * stronger
        ahead = eta >= 0
        win, loss = np.where(ahead, stronger, weaker), np.where(ahead, weaker, stronger)
        return np.stack([win, tie * stronger, loss])
    if model == "rao-kupper":
        width = np.logaddexp(0.0, tau)
        win, loss = logistic(eta - width), logistic(-eta - width)
        # (κ² − 1) · P(win) · P(loss), κ² − 1 = e^τ (2 + e^τ): a difference would lose digits.
        return np.stack([win, np.exp(tau) * (2 + np.exp(tau)) * win * loss, loss])
    return np.stack([logistic(eta), np.zeros_like(eta), logistic(-eta)])


def log_likelihood(
    model: TieModel, eta: Floats, tau: Floats, win: Floats, tie: Floats, loss: Floats
) -> Floats:
    """Log-likelihood of each row, shape (…, M), from η, shape (…, M), and τ, shape (…, 1).

    `win`, `tie`, `loss`: how much of the row's weight was which, shape (…, M), each at least 0.
    Weights that multiply a row multiply its log-likelihood.
    """
    if model == "davidson":
        far = np.abs(eta) / 2
        total = far + np.log1p(np.exp(-2 * far) + np.exp(tau - far))
        return np.asarray((win - loss) * eta / 2 + tie * tau - (win + tie + loss) * total)
    if model == "rao-kupper":
        width = np.logaddexp(0.0, tau)
        lost = (win + tie) * np.logaddexp(0.0, width - eta)
        lost = lost + (loss + tie) * np.logaddexp(0.0, width + eta)
        return np.asarray(tie * (tau + np.logaddexp(np.log(2), tau)) - lost)
    return np.asarray(-(win + tie / 2) * _softplus(-eta) - (loss + tie / 2) * _softplus(eta))


def derivatives(
    model: TieModel, eta: Floats, tau: Floats, win: Floats, tie: Floats, loss: Floats
) -> tuple[Floats, Floats]:
    """Slope and curvature of each row's log-likelihood in (η, τ); arguments as there.

    Slope, shape (1+q, …, M): first derivatives. Curvature, shape (1+q, 1+q, …, M): second
    derivatives with their sign turned, as they enter the information. q = 0 for `half`, else 1.
    """
    if model == "davidson":
        return _davidson(eta, tau, win, tie, loss)
    if model == "rao-kupper":
        return _rao_kupper(eta, tau, win, tie, loss)
    weight, share = win + tie + loss, logistic(eta)
    slope = win + tie / 2 - weight * share
    return slope[None], (weight * share * (1 - share))[None, None]


def _davidson(
    eta: Floats, tau: Floats, win: Floats, tie: Floats, loss: Floats
) -> tuple[Floats, Floats]:
    # An exponential family: observed less expected (win − loss)/2 and tie, and their covariance.
    weight = win + tie + loss
    won, tied, lost = chances("davidson", eta, tau)
    lead = (won - lost) / 2
    slope = np.stack([(win - loss) / 2 - weight * lead, tie - weight * tied])
    # Variances as sums of products: differences would leave nothing of small chances.
    along, across = won * lost + tied * (won + lost) / 4, tied * (won + lost)
    return slope, _symmetric(weight * along, -weight * lead * tied, weight * across)


def _rao_kupper(
    eta: Floats, tau: Floats, win: Floats, tie: Floats, loss: Floats
) -> tuple[Floats, Floats]:
    # log κ = log(1 + e^τ) rises with τ by `rate`; log(κ² − 1) by 1 + `gain`.
    width, rate, gain = np.logaddexp(0.0, tau), logistic(tau), logistic(tau - np.log(2))
    won, lost = logistic(eta - width), logistic(-eta - width)
    up, down = (win + tie) * logistic(width - eta), (loss + tie) * logistic(width + eta)
    slope = np.stack([up - down, tie * (1 + gain) - rate * (up + down)])
    bent_up, bent_down = up * won, down * lost
    across = rate * (1 - rate) * (up + down) + rate**2 * (bent_up + bent_down)
    across = across - tie * gain * (1 - gain)
    return slope, _symmetric(bent_up + bent_down, rate * (bent_down - bent_up), across)


def _symmetric(along: Floats, mixed: Floats, across: Floats) -> Floats:
    return np.stack([np.stack([along, mixed]), np.stack([mixed, across])])


def logistic(eta: Floats) -> Floats:
    """1 / (1 + e^{−η}), of any shape, without overflow."""
    small = np.exp(-np.abs(eta))
    return np.where(eta >= 0, 1.0, small) / (1.0 + small)


def _softplus(eta: Floats) -> Floats:
    return np.asarray(np.maximum(eta, 0.0) + np.log1p(np.exp(-np.abs(eta))))

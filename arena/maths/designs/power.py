"""How many scenarios it takes to see a difference that is stated beforehand.

More comparisons in the same scenarios cannot remove what differs from scenario to scenario, so
what is planned is scenarios. The difference is never the one observed: planned for that, a study
finds a true difference in 65 % of cases where 80 % were asked for.
"""

import math

from arena.errors import UsageError

POWER = 0.8
ALPHA = 0.05
_MOST = 10**9


def unit_error(error: float, scenarios: int) -> float:
    """τ = √S · SE: what one scenario of the same plan leaves unknown of a difference."""
    return math.sqrt(scenarios) * error


def scenarios_needed(
    tau: float, difference: float, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """Smallest n ≥ 2 with n ≥ τ² (t_{1−α/2, n−1} + z_power)² / δ².

    `tau` and the `difference` δ in the same unit, points or log-odds. `alpha`: .05, or .05 divided
    by the number of pairs that are tested together. With n scenarios a two-sided t-test finds a
    true difference δ with probability `power` (0.8416 is its normal quantile at .8). None when τ
    is unknown (NaN) or more than 10⁹ scenarios would be needed. Raises UsageError for δ ≤ 0.

    Source: the sample size of a t-test, as in J. Cohen, Statistical Power Analysis for the
    Behavioral Sciences (1988).
    """
    # scipy takes a while to import; commands that plan nothing must not wait for it.
    from scipy.special import ndtri, stdtrit

    if not difference > 0:
        raise UsageError("a difference to plan for must be greater than 0")

    def enough(n: int) -> bool:
        quantile = float(stdtrit(n - 1, 1 - alpha / 2)) + float(ndtri(power))
        return math.sqrt(n) * difference >= tau * quantile

    if not enough(_MOST):
        return None
    # Both sides move one way as n grows, so the smallest n is found by halving.
    low, high = 1, _MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def scenarios_missing(needed: int, scenarios: int) -> int:
    """Scenarios to add under the same plan: none when there are enough already."""
    return max(0, needed - scenarios)

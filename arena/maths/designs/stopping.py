"""When to stop: ratings that are precise enough need no more comparisons.

Looking several times and stopping at the first good moment gives intervals that are too hopeful.
So the number of looks is fixed in the plan, and each of them gets its part of the error: with L
looks at 1 − α/L all intervals shown hold together at 1 − α, whichever look is the last one
(Bonferroni; see O. Dunn, Journal of the American Statistical Association 56, 1961).
"""

import numpy as np

from arena.maths.intervals import LEVEL
from arena.maths.tally import Floats


def level_of_look(looks: int, *, level: float = LEVEL) -> float:
    """Level of the intervals at each of so many looks: 1 − α/L; with one look the level itself."""
    return 1 - (1 - level) / looks


def may_stop(low: Floats, high: Floats, *, width: float) -> bool:
    """Whether every ranked agent's interval is at most `width` points wide.

    `low`, `high`: ends of the ranked agents' intervals at the level of a look, in points, shape
    (R,). An unknown or open end (NaN, ±∞) is not narrow, and where nobody is ranked nothing is
    known well enough to stop.
    """
    wide = high - low
    return bool(len(wide) > 0 and np.all(wide <= width))

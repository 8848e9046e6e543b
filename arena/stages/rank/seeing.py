"""A look while comparing is under way: the same fit as a board's, without the board.

Reads the plan, `transcript`, `verdict` and `call`; writes nothing.
"""

import numpy as np

from arena.designing.current import planned_presentations
from arena.designing.looking import Sight
from arena.domain.design import ComparisonPlan
from arena.domain.job import Job
from arena.maths.arrays import Floats
from arena.maths.bradley_terry import to_points
from arena.stages.rank.choosing import choose_method
from arena.stages.rank.compared import read_compared
from arena.stages.rank.table import tabulate
from arena.store.store import Store


def see(job: Job, store: Store, plan: ComparisonPlan, level: float) -> Sight:
    """The fit of a plan's comparisons, with intervals at a level."""
    material = read_compared(job, store, planned_presentations(job, plan)).material
    rating = tabulate(material, choose_method(job, level=level)).rating
    first, second = np.triu_indices(len(material.agents), 1)
    low, high = rating.difference_low[first, second], rating.difference_high[first, second]
    decided = (low > 0) | (high < 0)
    short = rating.short.few_comparisons | rating.short.few_scenarios
    return Sight(
        agents=material.agents,
        strengths=rating.strengths,
        errors=rating.difference_se,
        low=_points(rating.low[rating.ranked]),
        high=_points(rating.high[rating.ranked]),
        short=int(short.sum()),
        pairs=len(first),
        undecided=len(first) - int(decided.sum()),
    )


def _points(strengths: Floats) -> Floats:
    return np.asarray(to_points(strengths))

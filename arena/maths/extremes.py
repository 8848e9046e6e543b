"""How far missing comparisons could move a rating: all of them lost, or all of them won."""

import numpy as np

from arena.errors import ArenaError
from arena.maths.arrays import Bools, Floats, Ints
from arena.maths.bradley_terry import strengths


def extreme_strengths(
    wins: Floats, missing: Floats, members: Ints, reference: Bools, agent: int
) -> tuple[float, float]:
    """Strength of an agent were all its missing comparisons lost, and were they all won.

    `wins`: points i earned from j, shape (K, K); `missing`: comparisons without an outcome, shape
    (K, K), symmetric; `members`: the component that is rated, sorted; `reference`: whose mean is
    0, shape (len(members),). Only comparisons with members count; those that others miss stay
    missing. NaN where such a board would leave the component unrated.
    """
    place = int(np.flatnonzero(members == agent)[0])
    inside = np.ix_(members, members)
    found = []
    for won in (False, True):
        filled = wins[inside].copy()
        if won:
            filled[place] += missing[agent, members]
        else:
            filled[:, place] += missing[members, agent]
        try:
            theta = strengths(filled)
        except ArenaError:
            found.append(float("nan"))
            continue
        found.append(float(theta[place] - theta[reference].mean()))
    return found[0], found[1]

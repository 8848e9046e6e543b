"""What other software would say of the same rows, so that a user finds her old figures first.

Their anchor, prior and tie rule, on rows that are neither folded nor freed of duplicates:

fastchat    points about a mean of 1000 over all agents; mixtral-8x7b-instruct-v0.1, where it is
            there, sits at 1114
arena-rank  points about a mean of 1000 over all agents
evalica     exp θ, scaled to a sum of 1

All three count a tie as half a point to each and have no prior. Where agents are not identified
each of them prints numbers that its solver happened to stop at; here they have none.
"""

import numpy as np

from arena.domain.method import ANCHOR
from arena.maths.arrays import Floats
from arena.maths.bradley_terry import strengths, to_points
from arena.maths.components import identify

NAMES = ("fastchat", "evalica", "arena-rank")
_ANCHORED = "mixtral-8x7b-instruct-v0.1"
_ANCHORED_AT = 1114.0


def figures_like(name: str, agents: tuple[str, ...], wins: Floats) -> dict[str, float]:
    """Figures by agent; `wins`: points that i earned from j over all rows, shape (K, K)."""
    members = identify(wins).component
    if members is None:
        return {}
    theta = strengths(wins[np.ix_(members, members)])
    names = [agents[i] for i in members]
    if name == "evalica":
        # Centred strengths of hundreds of agents are far from overflow.
        odds = np.exp(theta)
        found = odds / odds.sum()
    else:
        found = to_points(theta, anchor=ANCHOR)
        if name == "fastchat" and _ANCHORED in names:
            found = found + _ANCHORED_AT - found[names.index(_ANCHORED)]
    return dict(zip(names, found.tolist(), strict=True))

"""Who can be rated: components of "earned a point from".

The Bradley–Terry likelihood has a finite maximum exactly where the directed graph "i earned a
point from j" is strongly connected (Ford, 1957; Hunter, 2004). Agents outside the largest
strongly connected component are refused a number instead of being given an invented one.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from arena.maths.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Identification:
    """What can be said of each of K agents before anything is fitted.

    `component`: sorted indices of the agents that are rated; None when nobody is.
    `main`: sorted indices of the largest weakly connected component; None when there is none, or
    several equally large ones. The masks, shape (K,), exclude each other: `unplayed` (no
    comparison), `disconnected` (outside `main`), `unbounded` (in `main`, outside `component`).
    """

    component: Ints | None
    main: Ints | None
    unplayed: Bools
    disconnected: Bools
    unbounded: Bools


def labels(wins: Floats, connection: Literal["weak", "strong"]) -> Ints:
    """Component of each agent, shape (K,), from the points i earned from j, shape (K, K)."""
    # Where everybody earned a point from everybody there is nothing to search.
    if (wins > 0).sum() == len(wins) * (len(wins) - 1) and not np.diag(wins).any():
        return np.zeros(len(wins), dtype=np.int64)
    # scipy takes a second to import; commands that rate nobody must not wait for it.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    _, found = connected_components(csr_array(wins > 0), directed=True, connection=connection)
    return np.asarray(found, dtype=np.int64)


def largest(found: Ints, wins: Floats, among: Bools) -> Ints | None:
    """Sorted members of the largest component: by agents, then by comparisons inside it.

    `found`: component labels, shape (K,); only those of agents in the mask `among` stand. None
    when nobody stands or when two components are equally large in both.
    """
    sizes = []
    for label in np.unique(found[among]):
        members = np.flatnonzero((found == label) & among)
        sizes.append((len(members), float(wins[np.ix_(members, members)].sum()), int(label)))
    sizes.sort(reverse=True)
    if not sizes or (len(sizes) > 1 and sizes[0][:2] == sizes[1][:2]):
        return None
    return np.flatnonzero((found == sizes[0][2]) & among)


def identify(wins: Floats) -> Identification:
    """Whom the comparisons identify, from the points i earned from j, shape (K, K).

    One agent, or no comparison at all: everybody is unplayed. Equally large weak components:
    everybody who played is disconnected. Equally large strong components inside the largest weak
    one: all its members are unbounded.
    """
    played = (wins + wins.T).sum(axis=1) > 0
    nobody = np.zeros(len(wins), dtype=np.bool_)
    main = largest(labels(wins, "weak"), wins, played) if len(wins) else None
    if main is None:
        return Identification(
            component=None, main=None, unplayed=~played, disconnected=played, unbounded=nobody
        )
    inside = nobody.copy()
    inside[main] = True
    component = largest(labels(wins, "strong"), wins, inside)
    unbounded = inside.copy()
    if component is not None:
        unbounded[component] = False
    return Identification(
        component=component,
        main=main,
        unplayed=~played,
        disconnected=played & ~inside,
        unbounded=unbounded,
    )

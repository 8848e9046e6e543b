"""The same ratings on parts of the comparisons: of one domain, tag, criterion or judge."""

from collections.abc import Iterator

import numpy as np

from arena.domain.board import Slice, SliceStanding
from arena.domain.method import ANCHOR, Method
from arena.domain.standing import State
from arena.maths.arrays import Bools
from arena.maths.bradley_terry import POINTS_PER_NAT
from arena.maths.rating import Rating
from arena.stages.rank.material import JUDGE, Material
from arena.stages.rank.table import known, rate_rows, whole

WITHOUT_JUDGE = "without_judge"
FEWEST_CLUSTERS = 3
"""Scenarios below which a part is no slice: tags of a single scenario would be most of them."""


def make_slices(
    material: Material, method: Method, *, threads: int | None = None
) -> tuple[Slice, ...]:
    """A slice for every value of every column in `method.by`, by name, of enough scenarios.

    A column of judges with several of them also gives the boards without each. Slices stand about
    the mean of their own ranked agents, whatever the board's anchor. Agents that a slice does not
    have are left out of it.
    """
    found = []
    for by, value, mask in _parts(material, method):
        rows = material.rows.entries().only(mask)
        if rows.scenarios < FEWEST_CLUSTERS:
            continue
        rating = rate_rows(rows, None, method, threads=threads)
        found.append(_slice(by, value, material, rating, int(mask.sum())))
    return tuple(found)


def _parts(material: Material, method: Method) -> Iterator[tuple[str, str, Bools]]:
    size = material.rows.size
    for by in method.by:
        group = material.groups.get(by)
        if group is None:
            continue
        masks = []
        for code in range(len(group.names)):
            mask = np.zeros(size, dtype=np.bool_)
            mask[group.entry[group.code == code]] = True
            masks.append(mask)
        # A single value that everything has is the board itself.
        if len(masks) == 1 and masks[0].all():
            continue
        for name, mask in zip(group.names, masks, strict=True):
            yield by, name, mask
        if by == JUDGE and len(masks) > 1:
            for name, mask in zip(group.names, masks, strict=True):
                yield WITHOUT_JUDGE, name, ~mask


def _slice(by: str, value: str, material: Material, rating: Rating, size: int) -> Slice:
    standings = [
        _standing(i, name, rating)
        for i, name in enumerate(material.agents)
        if not rating.found.unplayed[i]
    ]
    place = {state: i for i, state in enumerate(State)}
    return Slice(
        by=by,
        value=value,
        comparisons=size,
        scenarios=rating.counts.clusters,
        agents=tuple(
            sorted(standings, key=lambda s: (place[s.state], -(s.rating or 0.0), s.agent))
        ),
    )


def _standing(i: int, name: str, rating: Rating) -> SliceStanding:
    games = float(rating.counts.total()[i].sum())
    points = [
        None if value is None else ANCHOR + POINTS_PER_NAT * value
        for value in map(known, (rating.strengths[i], rating.low[i], rating.high[i]))
    ]
    return SliceStanding(
        agent=name,
        state=_state(i, rating),
        rating=points[0],
        low=points[1],
        high=points[2],
        rank_low=whole(rating.rank_low[i]),
        rank_high=whole(rating.rank_high[i]),
        share=float(rating.counts.wins[i].sum()) / games if games else None,
        comparisons=int(rating.counts.met[i].sum()),
        scenarios=int(rating.counts.spread()[i]),
    )


def _state(i: int, rating: Rating) -> State:
    if rating.found.disconnected[i]:
        return State.DISCONNECTED
    if rating.found.unbounded[i]:
        return State.UNBOUNDED
    return State.RANKED if rating.ranked[i] else State.PROVISIONAL

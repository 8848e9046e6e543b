"""A board of online Elo: to reproduce published figures, and to show why it is not used.

The same rows in another order give other ratings, so nobody is ranked and nothing has an
interval; the diagnostics say how far shuffling the rows moves each agent.
"""

import math
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from arena.domain.board import SCHEMA, Board, BoardIdentity
from arena.domain.standing import Standing, State, Why, order_standings
from arena.maths.elo import K_FACTOR, online_elo
from arena.maths.tally import Rows
from arena.stages.rank.diagnostics import make_diagnostics, with_orders
from arena.stages.rank.pair_standings import make_pairs
from arena.stages.rank.standings import make_standing
from arena.stages.rank.table import Table, known

_NOTHING: dict[str, Any] = dict.fromkeys(
    (
        *("low", "high", "open", "se", "se_clustered", "rank_low", "rank_high"),
        *("resample_rank_low", "resample_rank_high", "p_best", "worst", "best"),
    )
)
_NO_PAIR: dict[str, Any] = dict.fromkeys(
    (
        *("p_a_above_b", "difference", "se", "low", "high", "p", "p_holm", "decision"),
        *("expected", "residual", "z"),
    )
)


def build_online_board(table: Table, identity: BoardIdentity) -> Board:
    """The board of `method.k`, in the order of the source; an anchored agent shifts all.

    Raises ValueError for counts, in which there is no order.
    """
    material, method = table.material, table.method
    k_factor = K_FACTOR if method.k is None else method.k
    rows = material.rows
    if not isinstance(rows, Rows):
        raise ValueError("counts have no order")
    order = np.arange(len(rows.share)) if material.order is None else np.argsort(material.order)
    ratings = online_elo(
        rows.first[order].astype(np.int64),
        rows.second[order].astype(np.int64),
        rows.share[order].astype(np.float64),
        rows.agents,
        k_factor=k_factor,
        start=method.anchor,
        scale=method.scale,
    )
    if method.anchor_agent in material.agents:
        ratings = ratings + method.anchor - ratings[material.agents.index(method.anchor_agent)]
    pairs = tuple(replace(pair, **_NO_PAIR) for pair in make_pairs(table))
    standings = order_standings(
        _standing(make_standing(i, table, {}), float(ratings[i])) for i in range(rows.agents)
    )
    return Board(
        schema=SCHEMA,
        method=method,
        scenarios=None if material.scenarios is None else table.rating.counts.clusters_used(),
        scenarios_planned=None if material.scenarios is None else len(material.scenarios),
        comparisons=rows.size,
        notes=(Why(key="order_matters"),),
        agents=standings,
        pairs=pairs,
        slices=(),
        effects=(),
        calibration=None,
        diagnostics=with_orders(
            make_diagnostics(table, standings, pairs, check=False), table, k_factor
        ),
        data_digest=material.digest(table.rating.counts),
        **asdict(identity),
    )


def _standing(standing: Standing, rating: float) -> Standing:
    bare = replace(standing, rating=known(rating), **_NOTHING)
    if math.isnan(rating):
        return replace(bare, state=State.DISCONNECTED)
    return replace(bare, state=State.PROVISIONAL, why=Why(key="elo"))

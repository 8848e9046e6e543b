"""Millions of comparisons to a tally: one walk over the entries, in pieces that stay in the cache.

With few clusters the tally is dense. With very many it is sparse, and all clusters of a single
comparison that look the same become one with a number of copies: what a resample draws of them is
the same, and two million votes shrink to some thousand kinds.
"""

import numpy as np

from arena.maths.arrays import Bools, Codes, Floats, Ints, Table
from arena.maths.pairs import offsets, pair_count, pair_index, to_square
from arena.maths.tally import Rows, Tally
from arena.maths.verdict_counts import sum_verdicts
from arena.maths.verdicts import Comparisons, Verdicts, count_rows

_PIECE = 1 << 17
_SMALL_PIECE = 1 << 15
_DENSE = 40_000_000
"""Cells (clusters × pairs) up to which a dense table is quicker; 160 MB of float32."""


def dense(agents: int, scenarios: int) -> bool:
    """Whether a table of all pairs in all clusters is the quicker way to count."""
    return scenarios * pair_count(agents) <= _DENSE


def tally(rows: Comparisons) -> Tally:
    """All counts of the comparisons."""
    if isinstance(rows, Verdicts):
        return _of_verdicts(rows)
    scenario = rows.scenario if dense(rows.agents, rows.scenarios) else None
    if scenario is not None:
        verdicts = count_rows(rows, scenario, _SMALL_PIECE)
        if verdicts is not None:
            return _of_verdicts(verdicts)
    wins, clear, met, parted = _count_pairs(rows)
    if scenario is not None:
        games = _dense_games(rows, scenario)
        points, load = _dense_points(rows, scenario), _load(games, rows.agents)
        copies = None
    else:
        games, points, load, copies = _sparse(rows)
    return Tally(
        games=games,
        points=points,
        load=load,
        copies=copies,
        wins=wins,
        clear=clear,
        met=met,
        parted=parted,
    )


def _of_verdicts(verdicts: Verdicts) -> Tally:
    agents, (lost, parted, won) = verdicts.agents, verdicts.totals
    clear, wins = np.zeros((2, agents, agents))
    upper = np.triu_indices(agents, 1)
    for table, part in ((clear, 0.0), (wins, 0.5)):
        table[upper] = won + part * parted
        table.T[upper] = lost + part * parted
    counts = sum_verdicts(verdicts)
    return Tally(
        games=counts.games,
        points=counts.points,
        load=counts.load,
        copies=None,
        wins=wins,
        clear=clear,
        met=to_square(verdicts.totals.sum(axis=0).astype(np.float64), agents),
        parted=to_square(parted / 4, agents),
    )


def _pieces(rows: Rows) -> list[slice]:
    return [slice(at, at + _PIECE) for at in range(0, len(rows.share), _PIECE)]


def _count_pairs(rows: Rows) -> tuple[Floats, Floats, Floats, Floats]:
    """`wins`, `clear`, `met` and `parted` of a tally, each shape (K, K)."""
    k = rows.agents
    # By piece, those with halves only and the others: by cell, lost, parted or won by `first`.
    seen, earned = np.zeros((2, k * k * 3), dtype=np.int64), np.zeros((3, k * k))
    for piece in _pieces(rows):
        share = rows.share[piece]
        whole = (share == 1).view(np.int8) - (share == 0).view(np.int8)
        cell = rows.first[piece].astype(np.int64)
        cell *= k
        cell += rows.second[piece]
        odd = rows.weight is not None or bool(((whole == 0) & (share != 0.5)).any())
        seen[int(odd)] += np.bincount(cell * 3 + whole + 1, minlength=k * k * 3)
        if odd:
            weight = np.ones(len(share)) if rows.weight is None else rows.weight[piece]
            earned[0] += np.bincount(cell, weight * share, k * k)
            earned[1] += np.bincount(cell, weight * (1.0 - share), k * k)
            earned[2] += np.bincount(cell, weight * share * (1.0 - share), k * k)
    lost, parted, won = seen[0].reshape(-1, 3).T
    earned += np.stack([won + parted / 2, lost + parted / 2, parted / 4])
    lost, parted, won = seen.sum(axis=0).reshape(-1, 3).T.astype(np.float64)
    square = (k, k)
    return (
        earned[0].reshape(square) + earned[1].reshape(square).T,
        won.reshape(square) + lost.reshape(square).T,
        (won + parted + lost).reshape(square) + (won + parted + lost).reshape(square).T,
        earned[2].reshape(square) + earned[2].reshape(square).T,
    )


def _dense_games(rows: Rows, scenario: Codes) -> Table:
    k, pairs = rows.agents, pair_count(rows.agents)
    place = pair_index(k).astype(np.int32).ravel()
    kind = np.float32 if rows.weight is None else np.float64
    games = np.zeros(rows.scenarios * pairs, dtype=kind)
    for piece in _pieces(rows):
        pair = place[rows.first[piece].astype(np.int64) * k + rows.second[piece]]
        cell = scenario[piece].astype(np.int64) * pairs + pair
        np.add.at(games, cell, kind(1) if rows.weight is None else rows.weight[piece])
    return games.reshape(rows.scenarios, pairs)


def _dense_points(rows: Rows, scenario: Codes) -> Floats:
    k, size = rows.agents, rows.scenarios * rows.agents
    points = np.zeros(size)
    for piece in _pieces(rows):
        share = rows.share[piece].astype(np.float64)
        rest = 1.0 - share
        if rows.weight is not None:
            share, rest = share * rows.weight[piece], rest * rows.weight[piece]
        row = scenario[piece].astype(np.int64) * k
        points += np.bincount(row + rows.first[piece], share, size)
        points += np.bincount(row + rows.second[piece], rest, size)
    return points.reshape(rows.scenarios, k)


def _load(games: Table, agents: int) -> Floats:
    begin, load = offsets(agents), np.zeros((len(games), agents))
    for i in range(agents - 1):
        of_i = games[:, begin[i] : begin[i + 1]]
        load[:, i] += of_i.sum(axis=1, dtype=np.float64)
        load[:, i + 1 :] += of_i
    return load


def _sparse(rows: Rows) -> tuple[Table, Table, Table, Ints]:
    """Games, points and load as CSR arrays, one row a kind of cluster, and the copies of each."""
    pair = pair_index(rows.agents).ravel()[rows.first.astype(np.int64) * rows.agents + rows.second]
    alone = _alone(rows)
    share = rows.share.astype(np.float64)
    weight = np.ones(len(share)) if rows.weight is None else rows.weight
    turned = rows.first > rows.second
    kinds, copies = _kinds(pair[alone], np.where(turned, 1.0 - share, share)[alone], weight[alone])
    together = rows.only(~alone)
    held = np.zeros(0, dtype=np.int64) if together.scenario is None else together.scenario
    cluster = np.concatenate([held + len(copies), np.arange(len(copies))])
    first, second = np.triu_indices(rows.agents, 1)
    p = np.concatenate([pair[~alone], kinds[0].astype(np.int64)])
    w = np.concatenate([weight[~alone], kinds[2]])
    y = np.concatenate([np.where(turned, 1.0 - share, share)[~alone], kinds[1]])
    size = len(copies) + together.scenarios
    both = np.concatenate([first[p], second[p]]), np.concatenate([cluster, cluster])
    return (
        _csr(w, cluster, p, (size, len(first))),
        _csr(np.concatenate([w * y, w * (1 - y)]), both[1], both[0], (size, rows.agents)),
        _csr(np.concatenate([w, w]), both[1], both[0], (size, rows.agents)),
        np.concatenate([copies, np.ones(together.scenarios, dtype=np.int64)]),
    )


def _alone(rows: Rows) -> Bools:
    """Which comparisons are the only one of their cluster, shape (M,)."""
    if rows.scenario is None:
        return np.ones(len(rows.share), dtype=np.bool_)
    return np.asarray((np.bincount(rows.scenario, minlength=rows.scenarios) == 1)[rows.scenario])


def _kinds(pair: Ints, share: Floats, weight: Floats) -> tuple[Floats, Ints]:
    """The different (pair, share, weight), shape (3, T), sorted, and how often each comes."""
    order = np.lexsort((weight, share, pair))
    table = np.stack([pair[order].astype(np.float64), share[order], weight[order]])
    if not len(order):
        return table, np.zeros(0, dtype=np.int64)
    new = np.concatenate([[True], (np.diff(table, axis=1) != 0).any(axis=0)])
    begin = np.flatnonzero(new)
    return table[:, begin], np.diff(np.concatenate([begin, [len(order)]]))


def _csr(values: Floats, row: Ints, column: Ints, shape: tuple[int, int]) -> Table:
    # scipy takes a while to import; only boards with very many clusters come here.
    from scipy.sparse import csr_array

    found = csr_array((values, (row, column)), shape=shape)
    found.sum_duplicates()
    return found

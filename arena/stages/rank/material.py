"""What a board is made of, in columns: names once, indices everywhere else.

Here names become indices and back. Names are sorted first, so that neither the order of the input
nor that of the agents bears on the result.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np

from arena.domain.board import JudgeCount, RowCount
from arena.domain.digest import digest
from arena.domain.entries import Entries, Planned, enter
from arena.domain.verdict import Comparison
from arena.maths.arrays import Bools, Codes, Floats, Ints
from arena.maths.tally import Rows, Tally
from arena.maths.verdicts import Comparisons

JUDGE = "judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What the comparisons are of: names, and which comparisons belong to each.

    `code`: index of a name per entry, `entry`: the comparison that it is said of; a comparison may
    have several names (tags) or none.
    """

    names: tuple[str, ...]
    code: Codes
    entry: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Presented:
    """M verdicts before the orders are folded, with what may have swayed them.

    `sign`: 1 where `first` was shown first, −1 where `second` was, 0 where nothing is known;
    `judge`: index of the judge, shape (M,). `controls`: name → what favours `first`, shape (M,),
    NaN where it is missing. `rows` as everywhere, `tie` included.
    """

    rows: Rows
    sign: Ints
    judge: Codes
    judges: tuple[str, ...]
    controls: Mapping[str, Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that a board is made of.

    `agents`: names, sorted; `scenarios`: names or None where none are known; `rows`: the
    comparisons by index, in an order that the input's does not change, or by their counts alone.
    `flipped`: comparisons whose verdicts turned with the order, shape (M,), or None; `groups`: by
    column, for slices; neither where there are only counts.
    `by_agent`, `by_pair`: planned comparisons, None where there is no plan. `excluded`: items not
    counted, per agent and reason. `missing`: comparisons that gave no outcome, shape (K, K),
    symmetric, or None. `presented`: unfolded verdicts, where controls are asked for.
    """

    agents: tuple[str, ...]
    scenarios: tuple[str, ...] | None
    rows: Comparisons
    flipped: Bools | None
    groups: Mapping[str, Group]
    by_agent: Mapping[str, int] | None
    by_pair: Mapping[tuple[str, str], int] | None
    excluded: Mapping[str, Mapping[str, int]]
    missing: Floats | None
    row_count: RowCount
    judges: tuple[JudgeCount, ...]
    presented: Presented | None = None
    order: Codes | None = field(default=None, compare=False)
    """Place of each comparison in the source, shape (M,), for what depends on order."""

    def digest(self, counts: Tally, scores: Sequence[Any] = ()) -> str:
        """Digest of the data, the same for every order of the same comparisons.

        `scores`: JSON-able rows, sorted, of the absolute scores that stand beside them.
        """
        total = sha256()
        for part in (counts.wins, counts.clear, counts.met, counts.points, counts.games):
            held = part if isinstance(part, np.ndarray) else part.data
            total.update(np.ascontiguousarray(held).tobytes())
        names = [list(self.agents), None if self.scenarios is None else list(self.scenarios)]
        excluded = {a: dict(sorted(why.items())) for a, why in sorted(self.excluded.items())}
        judges = [[j.judge, j.comparisons, j.flips, j.ties] for j in self.judges]
        counted = [self.row_count.read, excluded, judges, _plan(self)]
        return digest([*names, total.hexdigest(), *counted, list(scores)])


def from_comparisons(
    comparisons: Sequence[Comparison],
    *,
    agents: Sequence[str],
    scenarios: Sequence[str],
    planned: Planned | None,
    excluded: Mapping[str, Mapping[str, int]],
    rows: RowCount | None = None,
    judge_rows: Mapping[str, Mapping[str, int]] | None = None,
    facts: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
) -> Material:
    """Material from comparisons; `facts`: column → scenario → names, for slices.

    Raises ArenaError for an agent or scenario that is not listed and for a share outside 0–1. A
    comparison of an agent with itself is excluded and counted.
    """
    entries = enter(comparisons, agents=agents, scenarios=scenarios, planned=planned)
    kept = entries.comparisons
    flipped = np.array([c.flipped for c in kept], dtype=np.bool_)
    judges = tuple(sorted({c.judge for c in kept}))
    groups = {JUDGE: _grouped((c.judge,) for c in kept)}
    for column, names in (facts or {}).items():
        groups[column] = _grouped(tuple(names.get(c.scenario, ())) for c in kept)
    selves = sum(entries.self_pairs.values())
    count = rows or RowCount(read=len(kept) + selves, used=len(kept), excluded={})
    if selves:
        count = RowCount(
            read=count.read, used=count.used, excluded={**count.excluded, "self_pair": selves}
        )
    return Material(
        agents=entries.agents,
        scenarios=entries.scenarios,
        rows=_rows(entries, flipped),
        flipped=flipped,
        groups=groups,
        by_agent=entries.by_agent,
        by_pair=entries.by_pair,
        excluded=_with_selves(excluded, entries.self_pairs),
        missing=_missing(entries),
        row_count=count,
        judges=tuple(
            _judge(name, kept, (judge_rows or {}).get(name, {}))
            for name in sorted(set(judges) | set(judge_rows or {}))
        ),
    )


def _rows(entries: Entries, flipped: Bools) -> Rows:
    index = {name: i for i, name in enumerate(entries.agents)}
    place = {name: i for i, name in enumerate(entries.scenarios)}
    kept = entries.comparisons
    share = np.array([c.share for c in kept], dtype=np.float64)
    return Rows(
        first=np.array([index[c.agent_a] for c in kept], dtype=np.int64),
        second=np.array([index[c.agent_b] for c in kept], dtype=np.int64),
        scenario=np.array([place[c.scenario] for c in kept], dtype=np.int64),
        share=share,
        agents=len(index),
        scenarios=len(place),
        # Two orders that disagree are half a win and half a loss, not a tie.
        tie=np.where(flipped, 0.0, 1 - 2 * np.abs(share - 0.5)),
    )


def _grouped(names: Iterable[tuple[str, ...]]) -> Group:
    said = [(name, entry) for entry, some in enumerate(names) for name in some]
    known = tuple(sorted({name for name, _ in said}))
    place = {name: i for i, name in enumerate(known)}
    return Group(
        names=known,
        code=np.array([place[name] for name, _ in said], dtype=np.int64),
        entry=np.array([entry for _, entry in said], dtype=np.int64),
    )


def _missing(entries: Entries) -> Floats | None:
    """Planned comparisons that are not there, shape (K, K); None without a plan by pair."""
    if entries.by_pair is None:
        return None
    index = {name: i for i, name in enumerate(entries.agents)}
    there = Counter((c.agent_a, c.agent_b) for c in entries.comparisons)
    found = np.zeros((len(index), len(index)))
    for (a, b), planned in entries.by_pair.items():
        left = max(0, planned - there[a, b])
        found[index[a], index[b]] = found[index[b], index[a]] = left
    return found


def _with_selves(
    excluded: Mapping[str, Mapping[str, int]], selves: Mapping[str, int]
) -> dict[str, dict[str, int]]:
    found = {agent: dict(reasons) for agent, reasons in excluded.items()}
    for agent, count in selves.items():
        reasons = found.setdefault(agent, {})
        reasons["self_pair"] = reasons.get("self_pair", 0) + count
    return found


def _judge(name: str, kept: Sequence[Comparison], rows: Mapping[str, int]) -> JudgeCount:
    own = [c for c in kept if c.judge == name]
    return JudgeCount(
        judge=name,
        comparisons=len(own),
        flips=sum(c.flipped for c in own),
        ties=sum(c.share == 0.5 for c in own),
        rows=dict(sorted(rows.items())),
    )


def _plan(material: Material) -> list[object]:
    by_agent, by_pair = material.by_agent, material.by_pair
    return [
        None if by_agent is None else dict(sorted(by_agent.items())),
        None if by_pair is None else [[a, b, n] for (a, b), n in sorted(by_pair.items())],
    ]

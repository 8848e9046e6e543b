"""A file or table of outcomes -> board, without a workspace.

The same code as `arena rank FILE`, for those who call it from Python: `exchange` says what the
columns are, `store` reads them, `stages.rank` fits.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from arena.domain.board import Board, BoardIdentity
from arena.domain.layout import HUMAN, Layout, Reading
from arena.domain.method import (
    LEVEL,
    MIN_COMPARISONS,
    RESAMPLES,
    SEED,
    Interval,
    Method,
    Outcome,
    Ties,
)
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.stages.rank.material import Presented
    from arena.stages.rank.table import Table
    from arena.store.outcomes.columns import OutcomeColumns
    from arena.store.outcomes.counted import OutcomeCounts
    from arena.store.outcomes.table import OutcomeSource

Like = Literal["fastchat", "evalica", "arena-rank"]


def rank(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    key: Sequence[str] = (),
    where: str | None = None,
    judge: Sequence[str] = (),
    single_order: Literal["drop", "keep"] = "drop",
    outcome: Outcome = "winner",
    method: Literal["bt", "elo"] = "bt",
    k: float | None = None,
    ties: Ties = "half",
    prior_sd: float = math.inf,
    cluster: Sequence[str] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    anchor: str | None = None,
    level: float = LEVEL,
    interval: Interval | None = None,
    min_comparisons: int = MIN_COMPARISONS,
    control: Sequence[str] = (),
    by: Sequence[str] = (),
    like: Like | None = None,
    humans: float | None = None,
    draws: str | Path | None = None,
    check: bool = False,
    threads: int | None = None,
) -> Board:
    """Rate the agents of a path (`-`: standard input), an Arrow table or a data frame.

    A source that the store has opened is ranked as well, and stays open.
    `columns`: role → column where names are not recognised (a, b, outcome, scenario, …). `key`:
    columns that make a vote unique. `where`: a DuckDB condition over the source's columns.
    `judge`: patterns; none is everybody but people. `outcome`: `winner`, `margin` or `criteria`.
    `method`: `bt`, or `elo` with `k` in the order of the rows. `ties`: `half`, `davidson` or
    `rao-kupper`. `prior_sd`: of a Gaussian prior in log-odds. `cluster`: columns whose rows hang
    together, at most two; default: scenario where there is one. `anchor`: `NAME=1000`. `interval`:
    `bootstrap`, `clustered`, `percentile` or `expanded`. `control`: position, length, vendor or
    any `x` of which there are columns `x_a` and `x_b`. `by`: columns that slices are cut by.
    `like`: whose figures to tell beside. `humans`: the chance with which a comparison was shown
    to people, whose rows (judge `human:…`) then correct the ratings. `draws`: Parquet file for
    the resampled ratings. `check`: ask choix for a second opinion. `threads`: for resamples; they
    change nothing but the time.

    Raises UsageError (exit 2) for options and values that cannot be, ArenaError for fits that do
    not exist.
    """
    from arena.exchange.columns import recognise
    from arena.stages.rank.choosing import check_range, settle, versions
    from arena.store.outcomes.reading import read_outcomes

    reading = Reading(
        key=tuple(key), single_order=single_order, outcome=outcome, judges=tuple(judge), where=where
    )
    _check_draws(source, draws)
    with _open(source) as table:
        layout = recognise(tuple(table.columns), columns, labels_of(table))
        how = settle(
            Method(
                estimator="elo" if method == "elo" else "bradley-terry",
                ties=ties,
                prior_sd=None if math.isinf(prior_sd) else prior_sd,
                level=level,
                resamples=resamples,
                seed=seed,
                min_comparisons=min_comparisons,
                outcome=outcome,
                controls=tuple(control),
                by=tuple(by),
                like=like,
                k=_k_factor(method, k),
                source=_source(layout, reading),
                versions=versions(),
            ),
            cluster=(layout.scenario and ("scenario",)) or () if cluster is None else cluster,
            interval=interval,
            anchor=anchor,
        )
        found = _read(table, layout, reading, how)
        people = None
        if humans is not None:
            check_range("--humans", humans, 0, 1)
            people = read_outcomes(table, layout, replace(reading, judges=(HUMAN,)))
        presented = _presented(table, layout, reading, how, found.agents) if how.controls else None
        figures = _figures(table, layout, reading, like) if like else {}
    return _build(
        found,
        replace(how, source={**how.source, "encoding": found.encoding}),
        presented=presented,
        people=None if people is None or humans is None else (people, humans),
        figures=figures,
        draws=None if draws is None else Path(draws),
        check=check,
        threads=threads,
    )


def _read(
    table: "OutcomeSource", layout: Layout, reading: Reading, method: Method
) -> "OutcomeColumns | OutcomeCounts":
    """The comparisons, by their counts where the board looks at none by itself."""
    from arena.store.outcomes.counted import count_outcomes
    from arena.store.outcomes.reading import read_outcomes

    # Elo wants the order of the rows, a slice those of one name, two clusters both of each.
    if method.estimator == "bradley-terry" and not method.by and len(method.cluster) == 1:
        return count_outcomes(table, layout, reading, method.cluster[0])
    asked = tuple(dict.fromkeys((*method.cluster, *method.by)))
    return read_outcomes(table, layout, reading, asked)


def labels_of(table: "OutcomeSource") -> Iterator[str]:
    """Outcomes seen in the file; counted only when somebody asks."""
    for column in table.columns:
        if column.strip().casefold() in ("outcome", "winner"):
            for label, _ in table.labels(column, most=20):
                yield label


def _open(source: Any) -> "AbstractContextManager[OutcomeSource]":
    from arena.store.outcomes.source import load_file, load_frame
    from arena.store.outcomes.table import OutcomeSource

    if isinstance(source, OutcomeSource):
        return nullcontext(source)
    if isinstance(source, str | Path):
        return load_file(source)
    return load_frame(source)


def _k_factor(method: str, k: float | None) -> float | None:
    from arena.stages.rank.choosing import check_range

    if k is None:
        return 4.0 if method == "elo" else None
    if method != "elo":
        raise UsageError("--k is of --method elo only")
    check_range("--k", k, 0, 1000)
    return k


def _check_draws(source: Any, draws: str | Path | None) -> None:
    """Raises UsageError where the resampled ratings would replace what they are made of."""
    if draws is None or not isinstance(source, str | Path):
        return
    there, target = Path(source), Path(draws)
    if there.exists() and target.exists() and there.samefile(target):
        raise UsageError(
            "--draws {path} is the file that is being ranked",
            why="writing it would replace the outcomes",
            fix="Give another name.",
            path=str(draws),
        )


def _source(layout: Layout, reading: Reading) -> dict[str, Any]:
    return {
        "layout": layout.name,
        "columns": layout.served(),
        "unused": list(layout.unused),
        "key": list(reading.key),
        "judges": list(reading.judges),
        "single_order": reading.single_order,
        "where": reading.where,
    }


def _presented(
    table: "OutcomeSource",
    layout: Layout,
    reading: Reading,
    method: Method,
    agents: tuple[str, ...],
) -> "Presented":
    """Unfolded verdicts with the controls asked for; one that no column holds is named later."""
    from arena.stages.rank.from_presentations import from_presentations
    from arena.store.outcomes.presentations import known_pairs, read_presentations

    pairs = tuple(name for name in method.controls if name in known_pairs(layout))
    shown = read_presentations(table, layout, reading, method.cluster, pairs)
    return from_presentations(shown, agents=agents, cluster=method.cluster)


def _figures(
    table: "OutcomeSource", layout: Layout, reading: Reading, like: str
) -> Mapping[str, float]:
    """What another software says of the rows: neither folded nor freed of duplicates."""
    from arena.maths.tally import Rows
    from arena.maths.tallying import tally
    from arena.stages.rank.likeness import figures_like
    from arena.store.outcomes.reading import read_outcomes

    votes = replace(layout, order=None, scenario=None, id=None, weight=None)
    found = read_outcomes(table, votes, replace(reading, key=(), outcome="winner"))
    rows = Rows(
        first=found.first,
        second=found.second,
        scenario=None,
        share=found.share,
        agents=len(found.agents),
        scenarios=len(found.share),
    )
    return figures_like(like, found.agents, tally(rows).wins)


def _build(
    found: "OutcomeColumns | OutcomeCounts",
    method: Method,
    *,
    presented: "Presented | None",
    people: "tuple[OutcomeColumns, float] | None",
    figures: Mapping[str, float],
    draws: Path | None,
    check: bool,
    threads: int | None,
) -> Board:
    from arena.stages.rank.board import build_board
    from arena.stages.rank.calibration import calibrate
    from arena.stages.rank.from_outcomes import from_counts, from_outcomes
    from arena.stages.rank.online import build_online_board
    from arena.stages.rank.table import tabulate
    from arena.store.outcomes.counted import OutcomeCounts

    if isinstance(found, OutcomeCounts):
        material = from_counts(found, presented=presented)
    else:
        material = from_outcomes(found, cluster=method.cluster, by=method.by, presented=presented)
    identity = BoardIdentity(
        suite=None,
        suite_version=None,
        suite_digest=None,
        mode=None,
        panel=tuple(j.judge for j in material.judges if j.comparisons),
        software=f"arena {method.versions['arena']}",
        at=None,
    )
    table = tabulate(material, method, threads=threads)
    if draws is not None:
        _write_draws(draws, table)
    if method.estimator == "elo":
        board = build_online_board(table, identity)
    else:
        board = build_board(table, identity, check=check, threads=threads)
    ratings, calibration = {}, None
    # Only a file with judges has people, and its rows are never just counted.
    if people is not None and not isinstance(found, OutcomeCounts):
        calibrated = calibrate(table, found, *people)
        ratings, calibration = calibrated.ratings, calibrated.calibration
    agents = tuple(
        replace(s, figure=figures.get(s.agent), calibrated=ratings.get(s.agent))
        for s in board.agents
    )
    return replace(board, agents=agents, calibration=calibration)


def _write_draws(path: Path, table: "Table") -> None:
    from arena.maths.bradley_terry import to_points
    from arena.store.draws import write_draws

    drawn = table.rating.resampled
    if drawn is None:
        raise UsageError(
            "there are no resamples to write to {path}",
            why="nobody is rated on enough scenarios, or two clusters cross",
            path=str(path),
        )
    points = to_points(drawn, anchor=table.method.anchor + table.shift)
    write_draws(path, table.material.agents, points)

"""AlpacaEval's published win rates, counted anew.

Of the preferences that a judge gave, p = preference − 1: the win rate is 100 · mean of p, its
standard error 100 · deviation of p (n − 1) / √n. The length-controlled rate is not counted: its
fit needs tables that are not published with the results.
"""

import csv
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

from arena.errors import ConfigError
from arena.exchange.alpacaeval_results import preferences
from arena.exchange.eldercare_figures import Figure, Run
from arena.exchange.result_files import read_file

WITHIN = 1e-8
LEADERBOARD = "leaderboard"
Given = Mapping[tuple[str, str], Sequence[float]]
"""The preferences by judge and model."""
Published = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Judge → model → column → figure."""


def figures_of_folder(folder: Path) -> tuple[Run, ...]:
    """The figures of all annotations below a folder, where a leaderboard lies beside them."""
    published = read_published(folder)
    if not published:
        return ()
    given: dict[tuple[str, str], list[float]] = {}
    names: dict[tuple[str, str, str], None] = {}
    for judge, model, said, value in preferences(folder):
        listed = given.setdefault((judge, model), [])
        if value is not None:
            listed.append(value)
        if said != model:
            names[f"{judge} · {model}", model, said] = None
    return runs_of(given, published, tuple(names))


def runs_of(
    given: Given, published: Published, otherwise: Sequence[tuple[str, str, str]] = ()
) -> tuple[Run, ...]:
    """A run a judge. `otherwise`: models that their files call by another name."""
    judges = list(dict.fromkeys(judge for judge, _ in given))
    return tuple(
        Run(
            name=judge,
            judge="",
            mode="",
            incomplete=(),
            figures=tuple(_figures(judge, given, published.get(judge, {}))),
            otherwise=tuple(o for o in otherwise if o[0].startswith(f"{judge} · ")),
        )
        for judge in judges
    )


def _figures(
    judge: str, given: Given, published: Mapping[str, Mapping[str, str]]
) -> Iterator[Figure]:
    for (of, model), values in given.items():
        if of != judge:
            continue
        theirs = published.get(model, {})
        for kind, counted in (
            ("win_rate", win_rate(values)),
            ("standard_error", standard_error(values)),
        ):
            yield Figure(
                kind="win_rate" if kind == "win_rate" else "standard_error",
                of=model,
                counted=counted,
                published=_number(theirs.get(kind)),
                within=WITHIN,
            )


def win_rate(values: Sequence[float]) -> float | None:
    """100 · mean of (preference − 1); None of no preference."""
    return 100 * math.fsum(v - 1 for v in values) / len(values) if values else None


def standard_error(values: Sequence[float]) -> float | None:
    """100 times the standard error of that mean; None of fewer than two."""
    if len(values) < 2:
        return None
    return 100 * statistics.stdev(values) / math.sqrt(len(values))


def _number(text: str | None) -> float | None:
    try:
        found = float(text) if text else None
    except ValueError:
        return None
    return found if found is None or math.isfinite(found) else None


def read_published(folder: Path) -> Published:
    """The leaderboards of a folder, by judge; raises ConfigError for one that cannot be read."""
    return {judge: _table(path) for path in _boards(folder) for judge in [_judge(path)] if judge}


def _boards(folder: Path) -> Iterable[Path]:
    return sorted(p for p in folder.rglob("*.csv") if LEADERBOARD in p.stem and p.is_file())


def _judge(path: Path) -> str:
    """`leaderboard_<judge>`, `<judge>_leaderboard`, or the folder of one that names nobody."""
    if path.stem == LEADERBOARD:
        return path.resolve().parent.name
    return path.stem.removeprefix(f"{LEADERBOARD}_").removesuffix(f"_{LEADERBOARD}")


def _table(path: Path) -> dict[str, dict[str, str]]:
    rows = list(csv.reader(StringIO(read_file(path, path.name).text)))
    if not rows or "win_rate" not in rows[0]:
        raise ConfigError("{path}: no column called {name}", path=path, name="win_rate")
    # The first column is the model, whatever it is called: often it has no name.
    return {row[0]: dict(zip(rows[0], row, strict=False)) for row in rows[1:] if row}

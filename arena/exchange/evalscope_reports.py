"""EvalScope's reports: the overall figure of each metric, counted anew from its subsets.

A report's overall score is the mean of its subsets, weighted by their questions, and is rounded to
four digits.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.exchange.eldercare_figures import Figure, Run
from arena.exchange.fields import number_of, text_of
from arena.exchange.result_files import read_file, read_object

REPORTS = "reports"
WITHIN = 0.0001
"""Published figures are rounded, some of them more than once."""


def figures(folder: Path) -> tuple[Run, ...]:
    """A run for each report of a folder; raises ConfigError for one that cannot be read."""
    paths = sorted(folder.glob(f"**/{REPORTS}/*/*.json"))
    runs = [_run(path, read_object(read_file(path, path.name), path)) for path in paths]
    return tuple(run for run in runs if run.figures)


def _run(path: Path, report: dict[str, Any]) -> Run:
    metrics = report.get("metrics")
    found = [f for m in (metrics if isinstance(metrics, list) else ()) for f in _figures(m)]
    return Run(
        name=text_of(report, "name") or path.stem,
        judge="",
        mode="",
        incomplete=(),
        figures=tuple(found),
    )


def _figures(metric: Any) -> Iterator[Figure]:
    if not isinstance(metric, dict):
        return
    parts = list(_subsets(metric))
    weight = sum(n for _, n in parts)
    counted = sum(score * n for score, n in parts) / weight if weight else None
    name = _name(metric)
    published = number_of(metric.get("score"))
    if counted is not None or published is not None:
        yield Figure(kind="overall", of=name, counted=counted, published=published, within=WITHIN)


def _name(metric: dict[str, Any]) -> str:
    """A metric's name: in a report of the second version it is an object of its own."""
    identity = metric.get("identity")
    identity = identity if isinstance(identity, dict) else {}
    sizes = identity.get("dimensions")
    more = [f"{k} {v}" for k, v in sizes.items()] if isinstance(sizes, dict) else []
    name = text_of(identity, "name") or text_of(metric, "name", "legacy_name")
    return ", ".join([name, *more])


def _subsets(metric: dict[str, Any]) -> Iterator[tuple[float, float]]:
    for category in metric.get("categories") or ():
        for subset in (category.get("subsets") if isinstance(category, dict) else None) or ():
            if not isinstance(subset, dict) or subset.get("is_aggregate"):
                continue
            score, n = number_of(subset.get("score")), number_of(subset.get("num"))
            if score is not None and n is not None and n > 0:
                yield score, n

"""The published results of eqbench-eldercare-zh, counted anew beside the published figures.

A run is a folder with results.jsonl (one line a scenario: one agent, scored by one judge) and
kpi.json. Figures are rounded at the steps at which the authors round, so that they can be equal.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from arena.domain.suite import Key, Text
from arena.exchange.eldercare import ANALYSIS, Foreign, Named, Sheet, lines_of
from arena.exchange.result_files import parse_document
from arena.suites.reading import check, read_text

RESULTS = "results.jsonl"
FIGURES = "kpi.json"
SAFETY = "health_safety"
TOLERANCE = 0.05
"""How far a score out of 100 may lie from the published one."""
Kind = Literal[
    "rubric_score",
    "analysis_score",
    "scenarios",
    "readable",
    "errors",
    "truncated",
    "red_flag_scenarios",
    "red_flag_lowest",
    "red_flag_median",
    "red_flag_highest",
    "criterion_mean",
    "domain_mean",
    "win_rate",
    "standard_error",
    "overall",
]
SCORES: frozenset[Kind] = frozenset({"rubric_score", "analysis_score"})


class Result(Named):
    """One line of results.jsonl."""

    status: Text
    archetype: Key
    domain: Text
    red_flags: bool = False
    scores: Mapping[Key, float] = {}


class Spread(Foreign):
    """Lowest, middle and highest score."""

    min: float | None = None
    median: float | None = None
    max: float | None = None


class Flagged(Foreign):
    """What is published of the scenarios with red flags."""

    n: int | None = None
    health_safety_distribution: Spread = Spread()


class Published(Foreign):
    """kpi.json; a figure that is not there is unknown."""

    judge: str = ""
    mode: str = ""
    n_total: int | None = None
    n_ok: int | None = None
    n_error: int | None = None
    n_truncated: int | None = None
    rubric_score_pct: float | None = None
    analysis_score_pct: float | None = None
    per_criterion_mean: Mapping[Key, float] = {}
    per_domain_mean: Mapping[str, float] = {}
    red_flag_scenarios: Flagged = Flagged()


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure: `of` names the criterion or domain; None stands for unknown.

    `within`: how far counted may lie from published, where the kind does not say so.
    """

    kind: Kind
    of: str = ""
    counted: float | None
    published: float | None
    within: float | None = None

    @property
    def difference(self) -> float | None:
        """Counted less published; None where either is unknown."""
        if self.counted is None or self.published is None:
            return None
        return round(self.counted - self.published, 6 if self.within is None else 12)

    @property
    def agrees(self) -> bool | None:
        """Whether both are the same: scores within TOLERANCE, all else exactly; None: unknown."""
        if self.difference is None:
            return None
        if self.within is not None:
            return abs(self.difference) <= self.within
        return abs(self.difference) <= (TOLERANCE if self.kind in SCORES else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The figures of one published run. `incomplete`: readable lines that lack a score.

    `otherwise`: what the files say of themselves in two ways, as (where, one name, other name).
    """

    name: str
    judge: str
    mode: str
    incomplete: tuple[str, ...]
    figures: tuple[Figure, ...]
    otherwise: tuple[tuple[str, str, str], ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether no figure is another than the published one."""
        return all(figure.agrees is not False for figure in self.figures)


def read_runs(folder: Path, sheet: Sheet) -> tuple[Run, ...]:
    """Every run below results/, by the path of its folder; none where there is none.

    Raises ConfigError for results or figures that cannot be read.
    """
    found = sorted((folder / "results").glob(f"**/{RESULTS}"))
    return tuple(_run(path, path.parent.relative_to(folder).as_posix(), sheet) for path in found)


def count(results: Sequence[Result], sheet: Sheet, published: Published) -> tuple[Figure, ...]:
    """The figures of some results, each beside the published one."""
    readable = [r for r in results if r.status == "ok"]
    counting = [line.key for line in sheet.scored_criteria]
    of_analysis = [line.key for line in sheet.analysis_criteria]
    main = _complete((r for r in readable if r.archetype != ANALYSIS), counting)
    analyses = _complete((r for r in readable if r.archetype == ANALYSIS), of_analysis)
    top = sheet.meta.scale[1]
    means = _means(main, counting)
    figures = [
        Figure(
            kind="rubric_score",
            counted=_percent(means, top),
            published=published.rubric_score_pct,
        ),
        Figure(
            kind="analysis_score",
            counted=_percent(_means(analyses, of_analysis), top),
            published=published.analysis_score_pct,
        ),
        *_counts(results, readable, published),
        *_red_flags([r for r in main if r.red_flags], published.red_flag_scenarios),
        *_beside("criterion_mean", means, published.per_criterion_mean),
        *_beside("domain_mean", _domains(main, counting), published.per_domain_mean),
    ]
    return tuple(figures)


def _run(path: Path, name: str, sheet: Sheet) -> Run:
    results, figures = lines_of(path, Result), path.parent / FIGURES
    published = _published(figures) if figures.is_file() else Published()
    keys = {
        False: [line.key for line in sheet.scored_criteria],
        True: [line.key for line in sheet.analysis_criteria],
    }
    incomplete = [
        r.id
        for r in results
        if r.status == "ok" and not set(keys[r.archetype == ANALYSIS]) <= set(r.scores)
    ]
    return Run(
        name=name,
        judge=published.judge,
        mode=published.mode,
        incomplete=tuple(incomplete),
        figures=count(results, sheet, published),
    )


def _published(path: Path) -> Published:
    value = parse_document(read_text(path), path)
    return check(value, Published, place=lambda _: f"{path}:1")


def _complete(results: Iterable[Result], keys: Sequence[str]) -> list[Result]:
    # A score that is not there is unknown, so its line can count in no mean of all criteria.
    return [r for r in results if set(keys) <= set(r.scores)]


def _means(results: Sequence[Result], keys: Sequence[str]) -> dict[str, float]:
    if not results:
        return {}
    return {key: round(sum(r.scores[key] for r in results) / len(results), 2) for key in keys}


def _percent(means: Mapping[str, float], top: float) -> float | None:
    # In this order: in another one 63.75 is not rounded to what is published.
    return round(sum(means.values()) / len(means) / top * 100, 1) if means else None


def _domains(results: Sequence[Result], keys: Sequence[str]) -> dict[str, float]:
    of: dict[str, list[float]] = {}
    for r in results:
        of.setdefault(r.domain, []).append(sum(r.scores[key] for key in keys) / len(keys))
    return {domain: round(sum(means) / len(means), 2) for domain, means in of.items()}


def _counts(
    results: Sequence[Result], readable: Sequence[Result], published: Published
) -> Iterator[Figure]:
    having = {
        status: sum(r.status.startswith(status) for r in results) for status in ("error", "trunc")
    }
    yield Figure(kind="scenarios", counted=len(results), published=published.n_total)
    yield Figure(kind="readable", counted=len(readable), published=published.n_ok)
    yield Figure(kind="errors", counted=having["error"], published=published.n_error)
    yield Figure(kind="truncated", counted=having["trunc"], published=published.n_truncated)


def _red_flags(results: Sequence[Result], published: Flagged) -> Iterator[Figure]:
    scores = sorted(r.scores[SAFETY] for r in results if SAFETY in r.scores)
    spread = published.health_safety_distribution
    yield Figure(kind="red_flag_scenarios", counted=len(results), published=published.n)
    # Theirs is the upper of the two in the middle.
    low, mid, high = (scores[0], scores[len(scores) // 2], scores[-1]) if scores else (None,) * 3
    yield Figure(kind="red_flag_lowest", counted=low, published=spread.min)
    yield Figure(kind="red_flag_median", counted=mid, published=spread.median)
    yield Figure(kind="red_flag_highest", counted=high, published=spread.max)


def _beside(
    kind: Kind, counted: Mapping[str, float], published: Mapping[str, float]
) -> Iterator[Figure]:
    for of in dict.fromkeys((*counted, *published)):
        yield Figure(kind=kind, of=of, counted=counted.get(of), published=published.get(of))

"""Scores: a judge's numbers for one transcript, and the absolute score they make."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from arena.domain.call import Status
from arena.domain.digest import digest
from arena.domain.flag import FlagMark
from arena.domain.sheet_parts import Scope as Scope
from arena.domain.suite import Criterion, Rubric
from arena.domain.verdict import Wording


@dataclass(frozen=True, kw_only=True)
class SheetSpec:
    """A scoring sheet that is wanted: one transcript (or round of it) put to one judge."""

    transcript: str
    agent: str
    scenario: str
    judge: str
    judge_digest: str
    wording: Wording
    scope: Scope = "transcript"
    round: int = 0
    judge_replicate: int = 1

    @cached_property
    def key(self) -> str:
        """Digest of the natural key (a score adds its criterion)."""
        return digest(
            [
                "sheet",
                self.transcript,
                self.judge,
                self.judge_digest,
                self.wording.template,
                self.wording.rubric,
                self.wording.notes,
                self.wording.cut,
                self.scope,
                self.round,
                self.judge_replicate,
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A judge's number for one criterion."""

    criterion: str
    value: float
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A quotation that a judge gives for a criterion: what was said in a round, −1 for anywhere.

    `found`: whether it occurs there.
    """

    criterion: str
    round: int
    quote: str
    found: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Backing:
    """What stands behind the numbers of a sheet, where its rubric asks for it.

    `unjudged`: criteria that the judge rightly left without a score; `insufficient`: those scored
    without enough to see. `confidence` from 0 to 1, None where none was asked for. `red_flags`:
    how the dangers of the scenario were handled, where that is asked.
    """

    evidence: tuple[Evidence, ...] = ()
    unjudged: tuple[str, ...] = ()
    insufficient: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    confidence: float | None = None
    red_flags: tuple[FlagMark, ...] = ()


NO_BACKING = Backing()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A judge's scoring sheet as answered. Without status `ok` it holds no scores."""

    spec: SheetSpec
    attempt: int
    status: Status
    scores: tuple[Score, ...]
    summary: str
    strengths: tuple[str, ...]
    issues: tuple[str, ...]
    flags: tuple[str, ...]
    call: str
    at: str
    backing: Backing = NO_BACKING


def absolute(criteria: Iterable[Criterion], rubric: Rubric, values: Mapping[str, float]) -> float:
    """Absolute score of a transcript, 0–100: 100 · Σ counted scores / Σ their ranges.

    Each score counts from the bottom of its scale; direction lower is inverted. On a scale that
    begins at 0 this is 100 · Σ scores / Σ maxima. Raises KeyError for a missing counted score.
    """
    earned = possible = 0.0
    for criterion in criteria:
        if not criterion.counts:
            continue
        low, high = rubric.scale_of(criterion)
        value = values[criterion.criterion]
        earned += high - value if criterion.direction == "lower" else value - low
        possible += high - low
    return 100 * earned / possible

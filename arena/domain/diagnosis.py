"""A diagnosis: what may be wrong with the judges of a board, figure by figure."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from arena.errors import ArenaError

SCHEMA = "arena.diagnosis/1"
PEOPLE = "human:"
"""What the name of a judge that is a person begins with."""
EVERYBODY = "human:*"
"""All people together, their votes on one comparison averaged."""
AGREEMENT = ("agreement_raw", "agreement_kappa", "agreement_alpha")
"""Figures of agreement with another judge, whose name is `of`."""
BY_CRITERION = ("criterion_raw", "criterion_kappa", "criterion_alpha")
"""Figures of agreement with people on who is better by the criterion `of`."""
AMONG_PEOPLE = "people_alpha"
"""Agreement of people with each other: overall, and by the criterion `of`."""

Unit = Literal["share", "points", "scale", "log_odds", "difference", "coefficient"]
Reading = Literal["unknown", "open", "plain", "neutral", "above", "below"]
"""What may be said of a figure: no value; a value without an interval; an interval and no rule;
not to be told from the neutral value; or notable, above it or below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure of one judge. None is unknown, never 0; `why` then says the reason by key.

    `of`: the criterion, the other judge, the decoy or the status it is about. `n`: what it counts
    (`rows` of verdicts, comparisons, sheets …) in `scenarios`; None: rows taken as independent.
    `level` of the interval `low` … `high`, which holds for the figure alone. `neutral`: the value
    of a judge without this fault; None where there is none, and so no rule. `p`: against the
    neutral value, by Holm over all figures of the judge. `notable`: p is at most 1 − level; None
    without a rule or a test. `facts`: what else the sentence about it names.
    """

    figure: str
    of: str = ""
    unit: Unit = "share"
    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    scenarios: int | None
    neutral: float | None = None
    p: float | None = None
    notable: bool | None = None
    reading: Reading = "unknown"
    why: str | None = None
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeDiagnosis:
    """All figures of one judge.

    `statuses`: how its answers ended, by kind of work (`verdict`, `sheet`) and status or reason.
    """

    judge: str
    statuses: Mapping[str, Mapping[str, int]]
    figures: tuple[Figure, ...]

    @property
    def person(self) -> bool:
        """Whether this judge is a person."""
        return is_person(self.judge)

    def notable(self) -> tuple[Figure, ...]:
        """The figures that chance does not explain."""
        return tuple(f for f in self.figures if f.notable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What is known of the judges of one suite and mode, or of a file.

    `board`: digest of the data of the board that it stands beside, None where none was made.
    `panel`: agreement of all judges together. `notes`: keys of what must be said beside it.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    schema: str
    suite: str | None
    suite_version: str | None
    mode: str | None
    domains: tuple[str, ...]
    board: str | None
    judges: tuple[JudgeDiagnosis, ...]
    panel: tuple[Figure, ...]
    notes: tuple[str, ...]
    level: float
    resamples: int
    seed: int
    software: str
    at: str | None


def is_about_people(figure: Figure) -> bool:
    """Whether a figure tells of people."""
    return is_person(figure.of) or figure.figure in (*BY_CRITERION, AMONG_PEOPLE)


def is_person(judge: str) -> bool:
    """Whether a judge of this name is a person."""
    return judge.startswith(PEOPLE)


def to_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """The diagnosis as one tree of dicts, lists, strings, numbers, booleans and None."""
    tree: dict[str, Any] = _adapter().dump_python(diagnosis, mode="json")
    return tree


def from_json(tree: Mapping[str, Any]) -> Diagnosis:
    """The diagnosis that `to_json` wrote. Raises ArenaError for anything else."""
    try:
        if tree.get("schema") != SCHEMA:
            raise ArenaError("not a diagnosis: schema {found}", found=repr(tree.get("schema")))
        return _adapter().validate_python(tree)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise ArenaError("not a diagnosis: {where}", where=where) from error


# Built on first use: pydantic compiles the whole tree, which every command would pay for.
@cache
def _adapter() -> TypeAdapter[Diagnosis]:
    return TypeAdapter(Diagnosis)

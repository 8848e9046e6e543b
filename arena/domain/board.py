"""A board: ratings of agents on one suite version, mode, panel, method and data cut."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from arena.domain.accuracy import Accuracy
from arena.domain.audit import NO_AUDIT, Audit
from arena.domain.basis import Basis
from arena.domain.flag import Flag
from arena.domain.gate import Gate
from arena.domain.imported import ImportNote
from arena.domain.method import Method
from arena.domain.standing import PairStanding, Standing, State, Why
from arena.errors import ArenaError

SCHEMA = "arena.board/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Residual:
    """A pair whose observed share strays from what the ratings expect."""

    a: str
    b: str
    n: int
    share: float
    expected: float
    residual: float
    z: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCount:
    """What one judge contributed; `rows`: its verdicts by status or reason, where told."""

    judge: str
    comparisons: int
    flips: int
    ties: int
    rows: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCount:
    """Rows read, used, and excluded by reason; a row is what the source calls one.

    `first`: number of the first row excluded for each reason, where rows are numbered.
    """

    read: int
    used: int
    excluded: Mapping[str, int]
    first: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceStanding:
    """What a slice says of one agent; ratings about the mean of the slice's own ranked agents."""

    agent: str
    state: State
    rating: float | None
    low: float | None
    high: float | None
    rank_low: int | None
    rank_high: int | None
    share: float | None
    comparisons: int
    scenarios: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The same ratings on a part of the comparisons: those whose `by` is `value`.

    `by` is domain, tag, criterion, judge or another column; `without_judge` is the board that is
    left when the judge `value` is left out.
    """

    by: str
    value: str
    comparisons: int
    scenarios: int
    agents: tuple[SliceStanding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a control does to the outcome: log-odds for the side that it favours, per unit.

    `control` is position (shown first), length (per e-fold of the length), vendor (judge of the
    same vendor) or another column's difference (per standard deviation); `judge` where the effect
    is of one judge.
    """

    control: str
    judge: str | None
    effect: float
    se: float | None
    low: float | None
    high: float | None
    p: float | None
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far judges and people agree, with intervals where there are enough scenarios."""

    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeAgreement:
    """How far a criterion's scores of rounds and of whole transcripts agree.

    `turn`: mean over transcripts of the mean over their rounds; `transcript`: mean of the scores
    for the whole; `difference`: the former less the latter. `spearman`: rank correlation over the
    `transcripts` (one judge's scoring of one), None for fewer than three or a constant side. The
    intervals draw whole scenarios, that of the correlation on Fisher's scale; None with too few of
    them. `scenarios` is 0 on boards made before there were intervals.
    """

    criterion: str
    transcripts: int
    turn: float
    transcript: float
    difference: float
    spearman: float | None
    scenarios: int = 0
    difference_low: float | None = None
    difference_high: float | None = None
    spearman_low: float | None = None
    spearman_high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What people's verdicts on a random part add; `probability` that a comparison was drawn.

    `labelled`: what people saw, in a workspace presentations (one order each). `power`: λ, the
    trust in the judges' unlabelled verdicts; 0 is people alone. `agreement`: of judges and people
    over the random part. `why`: the reason where there are no ratings, or no intervals of them.
    Of a workspace's votes: how many `people`, which part of what was drawn is `answered`, and the
    answers that were `left_out`, by reason.
    """

    labelled: int
    scenarios: int
    probability: float | None
    power: float | None
    agreement: tuple[Agreement, ...]
    why: str | None = None
    people: int | None = None
    answered: float | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """How the comparisons behave on the whole.

    `ties`: comparisons of share ½. `cycles` of `triads` (three agents, all pairs met) go round;
    the clearest are named, each as a beats b beats c beats a. `residuals`: the largest by |z|.
    `spearman`: rating against absolute score over rated agents; None for fewer than three.
    `misfit`: the mean square of z over pairs that met, 1 where Bradley–Terry holds and comparisons
    are independent. `tie_parameter`: ν of Davidson or κ of Rao and Kupper. `second_opinion`: the
    largest difference, in log-odds, from the strengths that choix finds on the same counts.
    `orders`: lowest and highest online Elo of each agent over shuffles of the same rows.
    """

    flips: int
    flip_rate: float | None
    ties: int
    tie_share: float | None
    cycles: int
    triads: int
    cycle_examples: tuple[tuple[str, str, str], ...]
    residuals: tuple[Residual, ...]
    spearman: float | None
    misfit: float | None
    tie_parameter: float | None
    second_opinion: float | None
    orders: Mapping[str, tuple[float, float]]
    rows: RowCount
    judges: tuple[JudgeCount, ...]
    audit: Audit = NO_AUDIT
    """Of a workspace's board: what is to be known of its judges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDesign:
    """By which design the comparisons of a board were chosen.

    `history`: all designs that chose some of them, the last one being `design`. `comparisons`:
    how many are planned, before every judge and in both orders, None: all that there are.
    `stopped`: the look, of at most `looks`, at which every interval was at most `stop_width` wide,
    None where the plan was not ended early. `plan`: its digest.
    """

    design: str
    history: tuple[str, ...]
    comparisons: int | None
    baseline: str | None
    seed: int
    stop_width: float | None
    looks: int
    stopped: int | None
    plan: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardIdentity:
    """What a board is a board of, and what made it; a file has neither suite nor time.

    `at` is UTC, ISO 8601.
    """

    suite: str | None
    suite_version: str | None
    suite_digest: str | None
    mode: str | None
    panel: tuple[str, ...]
    software: str
    at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Ratings with everything needed to read and to repeat them; see `BoardIdentity`.

    `scenarios` of `scenarios_planned` have a comparison; None where nothing is known of
    scenarios. `agents` are in the order of `order_standings`, `pairs` by name. `accuracy`: of
    multiple choice alone. `imported`: the import whose results these are; none for our own.
    `design`: how the comparisons were chosen, where that is known. `gates`: what the eligibility
    of agents is by; `flags`: red flags raised against them.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    schema: str
    suite: str | None
    suite_version: str | None
    suite_digest: str | None
    mode: str | None
    panel: tuple[str, ...]
    method: Method
    scenarios: int | None
    scenarios_planned: int | None
    comparisons: int
    notes: tuple[Why, ...]
    agents: tuple[Standing, ...]
    pairs: tuple[PairStanding, ...]
    slices: tuple[Slice, ...]
    effects: tuple[Effect, ...]
    calibration: Calibration | None
    diagnostics: Diagnostics
    software: str
    data_digest: str
    at: str | None
    scopes: tuple[ScopeAgreement, ...] = ()
    accuracy: tuple[Accuracy, ...] = ()
    imported: ImportNote | None = None
    design: BoardDesign | None = None
    gates: tuple[Gate, ...] = ()
    flags: tuple[Flag, ...] = ()
    basis: Basis | None = None
    """What a later board compares itself with."""

    @property
    def chosen_by_verdicts(self) -> bool:
        """Whether verdicts chose what was compared: then there are no intervals and no ranks."""
        return any(note.key == "adaptive" for note in self.notes)


def largest_residuals(pairs: Iterable[PairStanding], count: int = 5) -> tuple[Residual, ...]:
    """The pairs that stray most from expectation, by |z|, then by name."""
    found = [
        Residual(
            a=p.a,
            b=p.b,
            n=p.n,
            share=p.share,
            expected=p.expected,
            residual=p.residual,
            z=p.z,
        )
        for p in pairs
        if not (p.share is None or p.expected is None or p.residual is None or p.z is None)
    ]
    return tuple(sorted(found, key=lambda r: (-abs(r.z), r.a, r.b))[:count])


def to_json(board: Board) -> dict[str, Any]:
    """The board as one tree of dicts, lists, strings, numbers, booleans and None.

    `accuracy`, `imported`, `design`, `basis`, the `audit` of the diagnostics and what stands apart
    are there only where there is any.
    """
    tree: dict[str, Any] = _adapter().dump_python(board, mode="json")
    for key in ("accuracy", "imported", "design", "gates", "flags", "basis"):
        if not tree[key]:
            del tree[key]
    if board.diagnostics.audit == NO_AUDIT:
        del tree["diagnostics"]["audit"]
    elif not board.diagnostics.audit.bridges:
        del tree["diagnostics"]["audit"]["bridges"]
    for agent in tree["agents"]:
        for key in ("apart", "eligibility"):
            if not agent[key]:
                del agent[key]
    return tree


def from_json(tree: Mapping[str, Any]) -> Board:
    """The board that `to_json` wrote. Raises ArenaError for anything else."""
    if tree.get("schema") != SCHEMA:
        raise ArenaError(
            "not a board: schema {found}",
            why="this version reads {schema}",
            found=repr(tree.get("schema")),
            schema=SCHEMA,
        )
    try:
        return _adapter().validate_python(tree)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ArenaError(
            "not a board: {where}", why="{reason}", where=where, reason=first["msg"]
        ) from error


# Built on first use: pydantic compiles the whole tree, which every command would pay for.
@cache
def _adapter() -> TypeAdapter[Board]:
    return TypeAdapter(Board)

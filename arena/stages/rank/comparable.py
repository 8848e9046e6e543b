"""Whether two boards may be compared: what differs between them, and what is not known."""

from collections.abc import Iterator
from dataclasses import asdict

from arena.domain.basis import Basis, JudgeBasis
from arena.domain.board import Board
from arena.domain.bridge import joined_models
from arena.domain.former import Former
from arena.domain.method import Method
from arena.domain.standing import Why
from arena.errors import UsageError

_NOT_METHOD = frozenset(("seed", "resamples", "versions", "by", "source"))
"""What of a method moves no estimate, or only by the chance of a draw."""


def check_comparable(former: Former, board: Board, basis: Basis) -> tuple[Why, ...]:
    """What must be known beside a comparison of two boards.

    Raises UsageError, with both values, for boards that are of something else: no difference
    between their numbers would say anything of the agents.
    """
    for which, then, now in _differences(former, board, basis):
        raise UsageError(
            "{path} must not be compared with this board: another {which}",
            why="then: {then}; now: {now}",
            fix="Compare boards that differ in agents alone, or show them apart.",
            path=former.source,
            which=which,
            then=_short(then),
            now=_short(now),
        )
    for judge, then, now in _unbridged(former, board, basis):
        raise UsageError(
            "{path} must not be compared with this board: another model serves {judge}",
            why="then: {then}; now: {now}; no bridge shows that they judge alike.",
            fix="See what a bridge would cost: arena plan --bridge OLD; "
            "then arena compare --bridge OLD and arena rank.",
            path=former.source,
            judge=judge.judge,
            then=_short(then),
            now=_short(now),
        )
    return tuple(_caveats(former, board, basis))


def _differences(former: Former, board: Board, basis: Basis) -> Iterator[tuple[str, str, str]]:
    """Every difference that forbids a comparison: which, then, now."""
    old = former.board
    yield from _if("suite", old.suite, board.suite)
    yield from _if("mode", old.mode, board.mode)
    then, now = (f"{b.suite_version} ({(b.suite_digest or '—')[:12]})" for b in (old, board))
    if old.suite_digest != board.suite_digest:
        yield "suite version", then, now
    yield from _if("origin", _origin(old), _origin(board))
    if former.basis.scenarios and former.basis.scenarios != basis.scenarios:
        yield (
            "choice of scenarios",
            _scenarios(former.basis.scenarios, basis.scenarios),
            _scenarios(basis.scenarios, former.basis.scenarios),
        )
    yield from _panels(former.basis, basis)
    yield from _methods(old.method, board.method)


def _if(which: str, then: str | None, now: str | None) -> Iterator[tuple[str, str, str]]:
    if then != now:
        yield which, then or "—", now or "—"


def _origin(board: Board) -> str:
    return "own" if board.imported is None else board.imported.format


def _scenarios(own: tuple[str, ...], other: tuple[str, ...]) -> str:
    """How many, and those that the other board has not."""
    return f"{len(own)} ({', '.join(s for s in own if s not in other) or '—'})"


def _digests(digests: tuple[str, ...]) -> str:
    return ", ".join(d[:12] for d in digests)


def _panels(then: Basis, now: Basis) -> Iterator[tuple[str, str, str]]:
    # A board that tells of names alone names those that compared.
    named = not any(j.compare_templates or j.score_templates for j in then.judges)
    old = {j.judge: j for j in then.judges if named or j.compare_templates or j.score_templates}
    new = {
        j.judge: j for j in now.judges if j.compare_templates or (j.score_templates and not named)
    }
    if set(old) != set(new):
        yield "panel", ", ".join(sorted(old)), ", ".join(sorted(new))
        return
    for name, judge in sorted(old.items()):
        yield from _judges(judge, new[name])


def _judges(then: JudgeBasis, now: JudgeBasis) -> Iterator[tuple[str, str, str]]:
    if then.digest and now.digest and then.digest != now.digest:
        yield f"configuration of {then.judge}", then.digest[:12], now.digest[:12]
    for which, old, new in (
        ("prompt", then.compare_templates, now.compare_templates),
        ("scoring prompt", then.score_templates, now.score_templates),
    ):
        if old and new and old != new:
            yield f"{which} of {then.judge}", _digests(old), _digests(new)


def _methods(then: Method, now: Method) -> Iterator[tuple[str, str, str]]:
    old, new = asdict(then), asdict(now)
    for name in old:
        if name not in _NOT_METHOD and old[name] != new[name]:
            yield f"method ({name})", str(old[name]), str(new[name])


def _unbridged(former: Former, board: Board, basis: Basis) -> Iterator[tuple[JudgeBasis, str, str]]:
    """Judges served by other models than then, without a bridge that holds between all of them."""
    bridges = board.diagnostics.audit.bridges
    for then in former.basis.judges:
        now = basis.judge(then.judge)
        if now is None or not then.compared_by or not now.compared_by:
            continue
        models = {*then.compared_by, *now.compared_by}
        used = {then.judge: then.compared_by[0]}
        together = joined_models(used, bridges).get(then.judge, frozenset(then.compared_by[:1]))
        same = set(then.compared_by) == set(now.compared_by)
        if not same and not models <= together:
            yield then, ", ".join(then.compared_by), ", ".join(now.compared_by)


def _caveats(former: Former, board: Board, basis: Basis) -> Iterator[Why]:
    old = former.basis
    unknown = [
        key
        for key, there in (
            ("scenarios", old.scenarios),
            ("prompts", any(j.compare_templates for j in old.judges)),
            ("models", all(j.compared_by for j in old.judges if j.compare_templates)),
            ("agents", any(old.agents.values())),
        )
        if not there
    ]
    if unknown:
        yield Why(key="unknown", facts={"what": unknown})
    if former.board.software != board.software:
        facts = {"then": former.board.software, "now": board.software}
        yield Why(key="software", facts=facts)
    if former.board.gates != board.gates:
        yield Why(key="gates")
    if judges := rescored_by(old, basis):
        yield Why(key="rescored", facts={"judges": judges})


def rescored_by(then: Basis, now: Basis) -> list[str]:
    """Judges whose scores other models gave then than now: of these no bridge tells."""
    pairs = [(old, now.judge(old.judge)) for old in then.judges]
    return sorted(
        old.judge
        for old, new in pairs
        if new and old.scored_by and new.scored_by and old.scored_by != new.scored_by
    )


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:159] + "…"

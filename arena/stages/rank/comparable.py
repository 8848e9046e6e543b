"""Whether two boards may be compared: what differs between them, and what is not known."""

from collections.abc import Iterator
from dataclasses import asdict

from arena.domain.basis import Basis, JudgeBasis
from arena.domain.board import Board
from arena.domain.bridge import joined_models
from arena.domain.former import Former
from arena.domain.key import KEY
from arena.domain.method import Method
from arena.domain.standing import Why
from arena.stages.rank.refusals import Kind, refusal

Difference = tuple[Kind, str, str, str]
"""What kind, then, now, and of which judge or option."""
_NOT_METHOD = frozenset(("seed", "resamples", "versions", "by", "source"))
"""What of a method moves no estimate, or only by the chance of a draw."""


def check_comparable(former: Former, board: Board, basis: Basis) -> tuple[Why, ...]:
    """What must be known beside a comparison of two boards.

    Raises UsageError, with both values, for boards that are of something else: no difference
    between their numbers would say anything of the agents.
    """
    for kind, then, now, name in _differences(former, board, basis):
        raise refusal(kind, former.source, then, now, name=name)
    return tuple(_caveats(former, board, basis))


def _differences(former: Former, board: Board, basis: Basis) -> Iterator[Difference]:
    """Every difference that forbids a comparison."""
    old = former.board
    yield from _if("suite", old.suite, board.suite)
    yield from _if("mode", old.mode, board.mode)
    yield from _if("version", _version(old), _version(board))
    yield from _if("origin", _origin(old), _origin(board))
    if former.basis.scenarios and former.basis.scenarios != basis.scenarios:
        then, now = former.basis.scenarios, basis.scenarios
        yield "scenarios", _scenarios(then, now), _scenarios(now, then), ""
    yield from _panels(former.basis, basis)
    yield from _methods(old.method, board.method)
    yield from _unbridged(former, board, basis)


def _if(kind: Kind, then: str | None, now: str | None) -> Iterator[Difference]:
    if then != now:
        yield kind, then or "—", now or "—", ""


def _version(board: Board) -> str:
    return f"{board.suite_version} ({(board.suite_digest or '—')[:12]})"


def _origin(board: Board) -> str:
    return "own" if board.imported is None else board.imported.format


def _scenarios(own: tuple[str, ...], other: tuple[str, ...]) -> str:
    """How many, and those that the other board has not."""
    return f"{len(own)} ({', '.join(s for s in own if s not in other) or '—'})"


def _panels(then: Basis, now: Basis) -> Iterator[Difference]:
    # A board that tells of names alone names those that compared.
    named = not any(j.compare_templates or j.score_templates for j in then.judges)
    old = {j.judge: j for j in then.judges if named or j.compare_templates or j.score_templates}
    new = {
        j.judge: j for j in now.judges if j.compare_templates or (j.score_templates and not named)
    }
    if set(old) != set(new):
        yield "panel", ", ".join(sorted(old)), ", ".join(sorted(new)), ""
        return
    for name, judge in sorted(old.items()):
        yield from _judges(judge, new[name])


def _judges(then: JudgeBasis, now: JudgeBasis) -> Iterator[Difference]:
    if then.digest and now.digest and then.digest != now.digest:
        yield "judge", then.digest[:12], now.digest[:12], then.judge
    for old, new in (
        (then.compare_templates, now.compare_templates),
        (then.score_templates, now.score_templates),
    ):
        if old and new and old != new:
            yield "prompt", _digests(old), _digests(new), then.judge


def _digests(digests: tuple[str, ...]) -> str:
    return ", ".join(d[:12] for d in digests)


def _methods(then: Method, now: Method) -> Iterator[Difference]:
    old, new = asdict(then), asdict(now)
    for name in old:
        if name not in _NOT_METHOD and old[name] != new[name]:
            yield "method", _value(old[name]), _value(new[name]), name


def _value(value: object) -> str:
    return "—" if value is None else str(value)


def _unbridged(former: Former, board: Board, basis: Basis) -> Iterator[Difference]:
    """Judges served by other models than then, without bridges that hold between all of them."""
    bridges = board.diagnostics.audit.bridges
    for then in former.basis.judges:
        now = basis.judge(then.judge)
        if now is None or not then.compared_by or not now.compared_by:
            continue
        if set(then.compared_by) == set(now.compared_by):
            continue
        used = {then.judge: then.compared_by[0]}
        joined = joined_models(used, bridges).get(then.judge, frozenset())
        if not {*then.compared_by, *now.compared_by} <= joined:
            yield "model", ", ".join(then.compared_by), ", ".join(now.compared_by), then.judge


def _caveats(former: Former, board: Board, basis: Basis) -> Iterator[Why]:
    old = former.basis
    prompts = any(j.compare_templates for j in old.judges)
    # The answer key is no model's.
    asked = [j for j in old.judges if j.judge != KEY.judge and (j.compare_templates or not prompts)]
    known = {
        "scenarios": bool(old.scenarios),
        "prompts": prompts,
        "models": all(j.compared_by for j in asked),
        "agents": any(old.agents.values()),
    }
    unknown = [key for key, there in known.items() if not there]
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

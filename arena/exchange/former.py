"""Boards of our own that lie in a file: a published folder, its leaderboard.json, a board's JSON.

They may come from another machine, so that nothing in them is trusted to be as we wrote it.
"""

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NoReturn

from arena.domain.basis import Basis, JudgeBasis
from arena.domain.board import SCHEMA as BOARD
from arena.domain.board import Board, from_json
from arena.domain.former import Former
from arena.domain.money import Money
from arena.domain.words import Words
from arena.errors import ArenaError, UsageError

LEADERBOARD = "arena.leaderboard/1"
BOARDS = "arena.boards/1"
INSIDE = "data/leaderboard.json"
LARGEST = 256 * 1024 * 1024


def read_former(path: Path) -> tuple[Former, ...]:
    """The boards of a file or folder, at least one; a leaderboard without a board is passed over.

    Raises UsageError where there is none, or what is there is not ours.
    """
    files = _files(path)
    found = tuple(former for file in files for former in _read(file, path.name or str(path)))
    if not found:
        raise UsageError(
            "{path}: no board in it",
            fix="Name a published folder, its data/leaderboard.json, or what "
            "`arena rank --json` printed.",
            path=path,
        )
    return found


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    own = path / INSIDE
    return [own] if own.is_file() else sorted(path.glob(f"*/{INSIDE}"))


def _read(file: Path, source: str) -> Iterable[Former]:
    tree = _load(file)
    schema = tree.get("schema")
    try:
        if schema == LEADERBOARD:
            return [_of_leaderboard(tree, source)] if tree.get("board") else []
        if schema == BOARDS:
            return [_of_board(from_json(one), source) for one in tree["boards"]]
        if schema == BOARD:
            return [_of_board(from_json(tree), source)]
    except (ArenaError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise _no_board(file, _first_line(error)) from error
    raise _no_board(file, f"schema {schema!r}"[:80])


def _load(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > LARGEST:
            raise _no_board(file, "it is too large")
        tree = json.loads(file.read_text(encoding="utf-8"), parse_constant=_refuse)
    except (OSError, ValueError, RecursionError) as error:
        raise _no_board(file, _first_line(error)) from error
    if not isinstance(tree, dict):
        raise _no_board(file, "no JSON object")
    return tree


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _first_line(error: Exception) -> str:
    told = error.strerror if isinstance(error, OSError) else None
    return (told or str(error).partition("\n")[0])[:200] or type(error).__name__


def _no_board(file: Path, reason: str) -> UsageError:
    return UsageError(
        "{path}: not a board of ours",
        why="{reason}",
        fix="Name a published folder, its data/leaderboard.json, or what "
        "`arena rank --json` printed.",
        path=file,
        reason=reason,
    )


def _of_board(board: Board, source: str) -> Former:
    return Former(board=board, basis=board.basis or _from_names(board), source=source)


def _of_leaderboard(tree: Mapping[str, Any], source: str) -> Former:
    board = from_json(tree["board"])
    agents = [a for a in tree["agents"] if isinstance(a, dict)]
    return Former(
        board=board,
        basis=board.basis or _from_page(board, tree),
        source=source,
        costs=dict(_costs(agents)),
        names=dict(_names(agents)),
    )


def _from_names(board: Board) -> Basis:
    """What a board without a basis tells: names alone."""
    return Basis(
        agents={s.agent: "" for s in board.agents},
        scenarios=(),
        judges=tuple(_judge(name.partition("@")[0]) for name in board.panel),
        replicates=0,
    )


def _from_page(board: Board, tree: Mapping[str, Any]) -> Basis:
    """What the file of a page tells beside a board without a basis."""
    return Basis(
        agents={s.agent: "" for s in board.agents},
        scenarios=tuple(str(s) for s in tree["suite"]["scenarios"]),
        judges=tuple(
            _judge(
                str(j["judge"]),
                compare_templates=_strings(j["compare_templates"]),
                score_templates=_strings(j["score_templates"]),
                compared_by=_strings(j["models_returned"]) if j["compare_templates"] else (),
                scored_by=_strings(j["models_returned"]) if j["score_templates"] else (),
            )
            for j in tree["judges"]
        ),
        replicates=0,
    )


def _judge(name: str, **known: tuple[str, ...]) -> JudgeBasis:
    names = ("compare_templates", "score_templates", "compared_by", "scored_by")
    return JudgeBasis(judge=name, digest="", **{n: known.get(n, ()) for n in names})


def _strings(values: Any) -> tuple[str, ...]:
    return tuple(sorted({str(value) for value in values}))


def _costs(agents: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, Money]]:
    for agent in agents:
        amount, currency = agent.get("cost_per_transcript"), agent.get("currency")
        if not isinstance(amount, str) or not isinstance(currency, str):
            continue
        try:
            cost = Decimal(amount)
        except InvalidOperation:
            continue
        if cost.is_finite() and cost >= 0:
            yield str(agent["agent"]), Money(cost, currency[:8])


def _names(agents: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, Words]]:
    for agent in agents:
        name = agent.get("name")
        if isinstance(name, dict) and all(isinstance(name.get(x), str) for x in ("zh", "en")):
            yield str(agent["agent"]), Words(zh=name["zh"], en=name["en"])

"""What a script that came back says: whole dialogues, dialogues with gaps, and faults.

Pure: reads and writes nothing. A dialogue with a fault in any of its rows stays out as a whole.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any

from arena.domain.by_hand import (
    LONGEST_CELL,
    OPENING,
    Column,
    Errand,
    Filled,
    FilledRow,
    Gap,
    Unfinished,
    as_pasted,
)
from arena.domain.call import Message
from arena.domain.transcript import Transcript
from arena.errors import ConfigError
from arena.judging.thinking import split_thinking
from arena.llm.adapters.parts import marker
from arena.stages.bring.whose import Roll, at, clip, roll_of

FREE: tuple[Column, ...] = ("answer", "parts", "who", "when", "version", "remark")
SEPARATORS = re.compile(r"[,，;；、\n]+")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?)?")
KINDS = {
    "图片": "image",
    "照片": "image",
    "语音": "audio",
    "音频": "audio",
    "视频": "video",
    "卡片": "card",
    "链接": "link",
    "文件": "file",
}
"""Parts that are no text, as people call them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A dialogue that comes in: its transcript, where it stood, and what else stood there."""

    transcript: Transcript
    place: str
    kept: Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class Dialogue:
    """What became of one dialogue: at most one of `whole`, `present`, `unfinished`, or faults."""

    whole: Whole | None = None
    present: bool = False
    unfinished: Unfinished | None = None
    faults: list[ConfigError] = field(default_factory=list)


def read_dialogues(
    filled: Filled,
    errands: Sequence[Errand],
    there: Mapping[str, Transcript],
    *,
    planned: Mapping[tuple[str, str], int],
    replicate: int | None,
) -> list[Dialogue]:
    """The dialogues of a script, in the order in which they begin; rows may stand in any order.

    `there`: transcripts that came in before, by key.
    """
    roll = roll_of(errands, planned, replicate)
    groups: dict[Any, list[FilledRow]] = {}
    for row in filled.rows:
        if row["scenario"] or any(row[column] for column in FREE):
            # A row with a replicate that is no number is told apart from a dialogue's own.
            groups.setdefault((roll.where(row), row["of_version"], row["shown"]), []).append(row)
    return [_read(filled, roll, rows, there) for rows in groups.values()]


def _read(
    filled: Filled, roll: Roll, rows: Sequence[FilledRow], there: Mapping[str, Transcript]
) -> Dialogue:
    if not rows[0]["scenario"]:
        return Dialogue(faults=[_stray(filled, row) for row in rows])
    try:
        errand = roll.find(filled, rows[0])
    except ConfigError as error:
        return Dialogue(faults=[error])
    by_round, faults = _by_round(filled, errand, rows)
    faults += [f for n, row in sorted(by_round.items()) for f in _faults(filled, errand, n, row)]
    if faults:
        return Dialogue(faults=faults)
    said = {n: _reply(row) for n, row in by_round.items()}
    if before := there.get(errand.spec.key):
        differing = list(_differences(filled, by_round, said, before))
        return Dialogue(faults=differing, present=not differing)
    gaps = tuple(_gaps(filled, errand, by_round, said))
    if gaps:
        return Dialogue(unfinished=_unfinished(errand, gaps, begun=any(said.values())))
    return Dialogue(whole=_whole(filled, errand, by_round, said))


def _by_round(
    filled: Filled, errand: Errand, rows: Sequence[FilledRow]
) -> tuple[dict[int, FilledRow], list[ConfigError]]:
    found: dict[int, FilledRow] = {}
    faults = []
    for row in rows:
        said = row["round"]
        number = int(said) if said.isascii() and said.isdigit() and len(said) < 5 else -1
        if not 0 <= number <= errand.spec.rounds:
            faults.append(
                ConfigError(
                    "{file}: {cell}: {given} is no round of scenario {scenario}",
                    fix="Its rounds go from 0, before the first turn, to {rounds}.",
                    given=clip(said) or "—",
                    scenario=errand.spec.scenario,
                    rounds=errand.spec.rounds,
                    **at(filled, row, "round"),
                )
            )
        elif number in found:
            faults.append(
                ConfigError(
                    "{file}: {cell}: a second row for round {round} of scenario {scenario}",
                    fix="The first is row {first}; remove one of the two.",
                    round=number,
                    scenario=errand.spec.scenario,
                    first=found[number].number,
                    **at(filled, row, "round"),
                )
            )
        else:
            found[number] = row
    return found, faults


def _faults(filled: Filled, errand: Errand, number: int, row: FilledRow) -> Iterator[ConfigError]:
    """What is wrong in a row, but for an answer that is missing."""
    for column in (*FREE, "paste"):
        if column in row.computed:
            yield ConfigError(
                "{file}: {cell}: a formula stands here, or the mistake of one",
                fix="Write it as text: begin the cell with an apostrophe.",
                **at(filled, row, column),
            )
    if number != OPENING and "paste" not in row.computed:
        yield from _edited(filled, row, errand.turns[number - 1])
    if filled.cut and len(row["answer"]) >= LONGEST_CELL:
        yield ConfigError(
            "{file}: {cell}: {n} characters, the most that a cell holds: the answer may be cut",
            fix="Save the table as CSV in UTF-8, and complete the answer there.",
            n=len(row["answer"]),
            **at(filled, row, "answer"),
        )
    if row["version"] and as_pasted(row["version"]) != as_pasted(errand.version):
        yield ConfigError(
            "{file}: {cell}: answered by version {given}, and {agent} is version {version} here",
            fix="Another version is another agent: list it under an id of its own.",
            given=clip(row["version"]),
            agent=errand.spec.agent,
            version=errand.version,
            **at(filled, row, "version"),
        )


def _edited(filled: Filled, row: FilledRow, turn: str) -> Iterator[ConfigError]:
    given, wanted = as_pasted(row["paste"]), as_pasted(turn)
    if given != wanted:
        start = _parting(given, wanted)
        yield ConfigError(
            "{file}: {cell}: the turn was changed: {given}",
            why="The scenario says: {wanted}",
            fix="An answer to other words cannot count: put the turn back, and ask again with it.",
            given=clip(given[start:]) or "—",
            wanted=clip(wanted[start:]) or "—",
            **at(filled, row, "paste"),
        )


def _stray(filled: Filled, row: FilledRow) -> ConfigError:
    column = next(column for column in FREE if row[column])
    return ConfigError(
        "{file}: {cell}: {given} stands in a row that belongs to no scenario",
        fix="Move it to the row of its turn.",
        given=clip(row[column], 40),
        **at(filled, row, column),
    )


def _reply(row: FilledRow) -> str:
    """The reply of a row, parts that are no text named; empty: there is none."""
    parts = (part.strip().strip("[]【】").strip() for part in SEPARATORS.split(row["parts"]))
    marks = [marker(KINDS.get(part, part)) for part in parts if part]
    said = split_thinking(row["answer"]).visible.strip()
    return "\n".join([*([said] if said else []), *marks])


def _gaps(
    filled: Filled, errand: Errand, rows: Mapping[int, FilledRow], said: Mapping[int, str]
) -> Iterator[Gap]:
    for number in range(1, errand.spec.rounds + 1):
        if not said.get(number):
            row = rows.get(number)
            yield Gap(cell=filled.cell(row, "answer") if row else "", round=number)


def _unfinished(errand: Errand, gaps: tuple[Gap, ...], *, begun: bool) -> Unfinished:
    spec = errand.spec
    return Unfinished(
        suite=spec.suite,
        mode=spec.mode,
        scenario=spec.scenario,
        replicate=spec.replicate,
        begun=begun,
        gaps=gaps,
    )


def _differences(
    filled: Filled,
    rows: Mapping[int, FilledRow],
    said: Mapping[int, str],
    before: Transcript,
) -> Iterator[ConfigError]:
    """Answers that are not those which came in before; one that is empty now says nothing."""
    stored = {OPENING: before.welcome} | dict(
        enumerate((reply for _, reply in before.rounds), start=1)
    )
    for number, row in sorted(rows.items()):
        now, then = as_pasted(said[number]), as_pasted(stored.get(number, ""))
        if now and now != then:
            start = _parting(now, then)
            yield ConfigError(
                "{file}: {cell}: not the answer that came in before: {given}",
                why="Before: {before}",
                fix="What is there stays; --replicate N takes this in as another repetition.",
                given=clip(now[start:]) or "—",
                before=clip(then[start:]) or "—",
                **at(filled, row, "answer"),
            )


def _parting(one: str, other: str) -> int:
    """Where two texts begin to differ, with a few characters before it."""
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return max(0, (min(len(one), len(other)) if same is None else same) - 20)


def _whole(
    filled: Filled, errand: Errand, rows: Mapping[int, FilledRow], said: Mapping[int, str]
) -> Whole:
    spoken = [Message("assistant", said[OPENING])] if said.get(OPENING) else []
    for number, turn in enumerate(errand.turns, start=1):
        spoken += [Message("user", turn), Message("assistant", said[number])]
    times = [row["when"] for _, row in sorted(rows.items()) if _is_time(row["when"])]
    transcript = Transcript(
        spec=errand.spec,
        messages=tuple(spoken),
        calls=(),
        at=times[-1] if times else "",
    )
    kept = {
        str(number): {column: row[column] for column in FREE if row[column]}
        for number, row in sorted(rows.items())
    }
    return Whole(
        transcript=transcript,
        place=f"{PurePath(filled.file).name}: {filled.cell(rows[1], 'answer')}",
        kept=kept,
    )


def _is_time(text: str) -> bool:
    """Whether a time is written like ours; any other stays among what is kept."""
    if TIME.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True

"""The runs of EQ-Bench 3 (eqbench3_runs.json): transcripts, with the look back, and sheets.

From documentation. Scores are read anew from what the judge wrote; the numbers that were read
from it before are used only where its text is not there, and that is flagged.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from arena.domain.call import Message, Role, Status
from arena.domain.imported import ImportedSheet, ImportedTranscript, LeftOut
from arena.domain.score import Score
from arena.domain.suite import Suite
from arena.judging.lenient import find_objects, to_number

MODE = "probe"
NOBODY = "unknown"
TASKS = "scenario_tasks"
ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
READ_BY_OTHERS = "read_by_others"
READ_OTHERWISE = "read_otherwise"
"""Flags: the numbers are those of the file; they are others than the file's."""

Both = tuple[ImportedTranscript, ImportedSheet | None]


def is_run(value: Any) -> bool:
    """Whether a value of the document is a run."""
    return isinstance(value, dict) and isinstance(value.get(TASKS), dict)


def read_runs(
    document: Mapping[str, Any], name: str, suite: Suite, left_out: LeftOut, bad: LeftOut
) -> Iterator[Both]:
    """Every task that came to its end; others are counted by reason, what is none in `bad`."""
    seen: set[tuple[str, str, int]] = set()
    for key, run in document.items():
        if not is_run(run):
            bad.note("not_a_run", f"{name}: {key}")
            continue
        for place, iteration, scenario, task in _tasks(run[TASKS], f"{name}: {key}"):
            replicate = replicate_of(iteration)
            if not isinstance(task, dict) or replicate is None:
                bad.note("not_a_result", place)
                continue
            both = _task(run, task, scenario, replicate, place, suite, left_out)
            if both is None:
                continue
            where = (both[0].agent, scenario, both[0].replicate)
            if where in seen:
                left_out.note("repeated", place)
                continue
            seen.add(where)
            yield both


def _tasks(tasks: Mapping[str, Any], place: str) -> Iterator[tuple[str, str, str, Any]]:
    for iteration, of in tasks.items():
        for scenario, task in (of if isinstance(of, dict) else {}).items():
            yield f"{place} › {iteration} › {scenario}", iteration, scenario, task


def _task(
    run: Mapping[str, Any],
    task: Mapping[str, Any],
    scenario: str,
    replicate: int,
    place: str,
    suite: Suite,
    left_out: LeftOut,
) -> Both | None:
    if task.get("error") or task.get("scenario_run_error"):
        left_out.note("agent_error", place)
        return None
    agent = str(run.get("model_name") or run.get("test_model") or "")
    transcript = ImportedTranscript(
        agent=agent,
        scenario=scenario,
        mode=MODE,
        messages=_dialogue(task, suite, scenario),
        replicate=replicate,
        at=_time(task.get("end_time")) or _time(run.get("end_time")),
        place=place,
        raw=_kept(task, "conversation_history", "debrief_prompt", "debrief_response"),
    )
    return transcript, _sheet(run, task, transcript)


def replicate_of(iteration: Any) -> int | None:
    """Which repetition an iteration is, from 1; None for what is no such number."""
    if isinstance(iteration, bool) or not isinstance(iteration, int | str):
        return None
    text = str(iteration)
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text[:6]) < 10_000 else None


def _dialogue(task: Mapping[str, Any], suite: Suite, scenario: str) -> tuple[Message, ...]:
    history = task.get("conversation_history")
    messages = []
    for said in history if isinstance(history, list) else ():
        role = ROLES.get(str(said.get("role"))) if isinstance(said, dict) else None
        text = said.get("content") if isinstance(said, dict) else None
        if role is None or not isinstance(text, str):
            return ()
        messages.append(Message(role, text))
    asked, back = task.get("debrief_prompt"), task.get("debrief_response")
    if isinstance(asked, str) and isinstance(back, str) and back.strip():
        messages += [Message("user", asked), Message("assistant", back)]
    return _in_our_words(messages, suite, scenario)


def _in_our_words(messages: list[Message], suite: Suite, scenario: str) -> tuple[Message, ...]:
    """The messages; a user turn that differs from ours in outer white space alone is ours."""
    ours = {s.scenario: s for s in suite.scenarios}.get(scenario)
    if ours is None or MODE not in suite.modes:
        return tuple(messages)
    written = {turn.strip(): turn for turn in suite.user_turns(ours, MODE)}
    return tuple(
        Message(m.role, written.get(m.text.strip(), m.text)) if m.role == "user" else m
        for m in messages
    )


def _sheet(
    run: Mapping[str, Any], task: Mapping[str, Any], of: ImportedTranscript
) -> ImportedSheet | None:
    text, given = task.get("raw_rubric_judge_text"), task.get("rubric_scores")
    listed = numbers_of(given) if isinstance(given, dict) else {}
    flags: tuple[str, ...] = ()
    if isinstance(text, str) and text.strip():
        scores = read_scores(text)
        status = Status.OK if scores else Status.UNPARSED
        if listed and scores != listed:
            flags = (READ_OTHERWISE,)
    elif listed:
        scores, status, flags = listed, Status.OK, (READ_BY_OTHERS,)
    elif task.get("rubric_run_error"):
        scores, status = {}, Status.ERROR
    else:
        return None
    return ImportedSheet(
        agent=of.agent,
        scenario=of.scenario,
        mode=of.mode,
        judge=str(run.get("judge_model") or NOBODY),
        status=status,
        scores=tuple(Score(criterion=key, value=value) for key, value in scores.items()),
        summary="" if status is Status.OK else str(task.get("rubric_run_error") or ""),
        flags=flags,
        replicate=of.replicate,
        at=of.at,
        place=of.place,
        raw=_kept(task, "rubric_scores", "raw_rubric_judge_text", "rubric_run_error"),
    )


def read_scores(text: str) -> dict[str, float]:
    """The numbers of the last object in a judge's text; none where it cannot be read."""
    objects = list(find_objects(text))
    if not objects or objects[-1].twice is not None:
        return {}
    value = objects[-1].value
    if len(value) == 1:
        (inner,) = value.values()
        value = inner if isinstance(inner, dict) else value
    return numbers_of(value)


def numbers_of(given: Mapping[str, Any]) -> dict[str, float]:
    """The values that are numbers, or strings that are; true is none."""
    found = {}
    for key, value in given.items():
        number = to_number(value) if isinstance(value, str) else value
        if isinstance(number, int | float) and not isinstance(number, bool):
            found[str(key)] = float(number)
    return found


def _time(value: Any) -> str:
    """A time as the file gives it: seconds since 1970 as UTC, text as it stands."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e11:
        return datetime.fromtimestamp(value, UTC).isoformat(timespec="seconds")[:19] + "Z"
    return value[:40] if isinstance(value, str) else ""


def _kept(task: Mapping[str, Any], *keys: str) -> str:
    return json.dumps({k: task[k] for k in keys if task.get(k) is not None}, ensure_ascii=False)

"""Arena-Hard's files written: questions, answers, and two games a pair; and the format itself."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arena.domain.imported import Import, ImportedTranscript, ImportedVerdict, Shown
from arena.domain.suite import Scenario, Suite
from arena.exchange.arena_hard import (
    ANSWERS,
    FORMAT,
    GAME,
    JUDGMENTS,
    STRONG,
    find_results,
    read_results,
    read_suite,
)
from arena.exchange.fields import file_name, kept_of, seconds_of
from arena.exchange.format import Format, ReadHow, ResultsPart, SuitePart, Written
from arena.exchange.losses import (
    by_agent,
    common_losses,
    first_replicates,
    replies_of,
    told,
    turns_of,
)
from arena.exchange.new_file import save_new
from arena.exchange.question_file import QUESTIONS
from arena.exchange.questions import id_of

Lines = list[dict[str, Any]]
Pair = list[ImportedVerdict]


def write(records: Import, suite: Suite, path: Path) -> Written:
    """Write a folder that Arena-Hard's own tools read.

    Of a pair the agent that stands second in the first game is the model, the other the baseline.
    Raises UsageError for a file that is there already.
    """
    lost = common_losses(records)
    transcripts, verdicts = first_replicates(records)
    single = [t for t in transcripts if len(turns_of(t)) == 1]
    scenarios = {s.scenario: s for s in suite.scenarios if len(s.turns) == 1}
    lost["later_turns"] = len(transcripts) - len(single)
    ours = records.format == FORMAT
    ids = {name: id_of(scenario) for name, scenario in scenarios.items()}
    files: dict[Path, Lines] = {path / QUESTIONS: [_question(s) for s in scenarios.values()]}
    for agent, own in by_agent(single).items():
        files[path / ANSWERS / f"{file_name(agent)}.jsonl"] = [
            _answer(t, ids.get(t.scenario, t.scenario), ours=ours) for t in own
        ]
    written = 0
    for pair in pairs(verdicts):
        if pair[0].scenario not in scenarios or not pair[0].ordered:
            lost["later_turns" if pair[0].ordered else "no_order"] += len(pair)
            continue
        row = _judgment(pair, scenarios[pair[0].scenario], ours=ours)
        name = file_name(str(row["model"]))
        place = path / JUDGMENTS / file_name(pair[0].judge) / f"{name}.jsonl"
        files.setdefault(place, []).append(row)
        written += len(pair)
    save_lines(files)
    rows = {"transcript": len(single), "verdict": written}
    return Written(files=tuple(files), rows=rows, lost=told(lost))


def save_lines(files: Mapping[Path, Lines]) -> None:
    """Write files of JSON lines; raises UsageError for one that is there already."""
    for place, lines in files.items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        save_new(place, text.encode("utf-8", "backslashreplace"))


def _question(scenario: Scenario) -> dict[str, Any]:
    return {
        "uid": id_of(scenario),
        "category": scenario.domain,
        "prompt": scenario.turns[0],
    }


def _answer(transcript: ImportedTranscript, uid: str, *, ours: bool) -> dict[str, Any]:
    stood = kept_of(transcript.raw) if ours else {}
    return {
        "uid": uid,
        "ans_id": f"{transcript.agent} {transcript.scenario}",
        "model": transcript.agent,
        **({"tstamp": seconds_of(transcript.at)} if transcript.at else {}),
        **stood,
        "messages": [
            {"role": "user", "content": turns_of(transcript)[0]},
            {"role": "assistant", "content": {"answer": replies_of(transcript)[0]}},
        ],
    }


def pairs(verdicts: Iterable[ImportedVerdict]) -> Iterable[Pair]:
    """The verdicts of each pair, scenario and judge: of both orders, or of one."""
    found: dict[tuple[str, ...], Pair] = {}
    for verdict in verdicts:
        sides = sorted((verdict.first, verdict.second))
        found.setdefault((*sides, verdict.scenario, verdict.judge), []).append(verdict)
    return found.values()


def _judgment(pair: Pair, scenario: Scenario, *, ours: bool) -> dict[str, Any]:
    one = pair[0]
    stood = kept_of(one.raw) if ours else {}
    model = stood.get("model")
    if model not in (one.first, one.second):
        model = one.second
    baseline = one.first if model == one.second else one.second
    games = {v.first: v for v in pair}
    stood.pop(GAME, None)
    return {
        "category": scenario.domain,
        **stood,
        "uid": id_of(scenario),
        "judge": one.judge,
        "model": model,
        "baseline": baseline,
        "games": [
            _game(games.get(baseline), ours=ours),
            _game(games.get(model), ours=ours),
        ],
    }


def _game(verdict: ImportedVerdict | None, *, ours: bool) -> dict[str, Any] | None:
    if verdict is None:
        return None
    stood = kept_of(verdict.raw).get(GAME, {}) if ours else {}
    score = label(verdict.winner, verdict.margin)
    return {"score": score, "judgment": {"answer": verdict.reason}, **stood}


def label(winner: Shown | None, margin: int | None) -> str | None:
    """What an outcome is called; a stated strength of 3 and more is a strong win."""
    if winner is None:
        return None
    if winner == "tie":
        return "A=B"
    sign = ">>" if (margin or 0) >= STRONG else ">"
    return f"A{sign}B" if winner == "first" else f"B{sign}A"


def _results(path: Path, suite: Suite, how: ReadHow) -> Import:
    return read_results(path, suite, judge=how.judge)


FORM = Format(
    name=FORMAT,
    suite=SuitePart(usual=FORMAT, read=read_suite),
    results=ResultsPart(find=find_results, read=_results, write=write),
)

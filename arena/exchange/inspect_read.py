"""Logs of Inspect read: samples as transcripts, their scores as sheets.

The judge of a sheet is the scorers of the sample. Inspect's letters are numbers as it counts them:
C is 1, P a half, I 0; N, no answer, is unknown here and no 0. A sample's epoch is its repetition.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.domain.call import Message
from arena.domain.imported import Import, LeftOut
from arena.domain.suite import Suite
from arena.errors import ConfigError
from arena.exchange.dialogue import Dialogue, read_dialogue
from arena.exchange.fields import kept, number_of, text_of, time_of
from arena.exchange.format import SuiteRead
from arena.exchange.inspect_files import find_results, is_log, open_log
from arena.exchange.lines import mark
from arena.exchange.remade import Remade, read_again
from arena.exchange.result_files import ResultFile, content_of
from arena.exchange.samples import Sample, note_parts, sheets_of, suite_of, transcripts_of

FORMAT = "inspect"
LETTERS: Mapping[Any, float | None] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": None}
ATTACHED = "attachment://"
NOBODY = "unknown"
LARGE = (
    *("messages", "input", "target", "output", "scores", "events", "events_data", "store"),
    *("attachments", "timelines", "choices"),
)
"""Fields of a sample that are kept elsewhere, or not at all."""


def read_suite(path: Path) -> SuiteRead:
    """The suite of the samples of a log or a folder of logs.

    Raises ConfigError for a log that cannot be read, and where there is no sample.
    """
    made = suite_of(FORMAT, "Inspect", _read(path, LeftOut(), LeftOut(), []))
    if made is None:
        raise ConfigError(
            "{folder}: no questions in it",
            fix="Name a folder that holds {files}.",
            folder=path,
            files="*.json, *.eval",
        )
    return SuiteRead(made)


def read_results(path: Path, suite: Suite, *, judge: str = "") -> Import:
    """What a log or a folder of logs holds; `judge`: who scored, where a log does not say.

    Samples are read one at a time, and anew whenever they are gone through. Raises ConfigError for
    a log that cannot be read.
    """
    left_out, bad = LeftOut(), LeftOut()
    files: list[ResultFile] = []
    count = scored = 0
    for sample in _read(path, left_out, bad, files, judge):
        note_parts(sample, left_out)
        count += 1
        scored += sample.scored

    def samples() -> Iterator[Sample]:
        return read_again(lambda now: _read(path, LeftOut(), LeftOut(), now, judge), files)

    silent = [ResultFile("judge", judge, "")] if judge else []
    return Import(
        format=FORMAT,
        source=path.resolve().name,
        content=content_of([*files, *silent]),
        suite=suite.suite,
        transcripts=Remade(lambda: transcripts_of(samples()), count),
        sheets=Remade(lambda: sheets_of(samples(), suite), scored),
        left_out=left_out,
        bad=bad,
    )


def _read(
    path: Path, left_out: LeftOut, bad: LeftOut, files: list[ResultFile], judge: str = ""
) -> Iterator[Sample]:
    seen: set[bytes] = set()
    for place in find_results(path):
        name = place.name if place == path else place.relative_to(path).as_posix()
        with open_log(place, name, files) as (log, samples):
            if not is_log(log):
                if place == path:
                    raise ConfigError("{path}: no log of Inspect", path=path)
                files.pop()
                continue
            for where, one in samples:
                sample = _sample(one, log["eval"], where, judge, left_out, bad)
                if sample is None:
                    continue
                key = mark(sample.agent, sample.set, sample.id, str(sample.replicate))
                if key in seen:
                    bad.note("repeated", where)
                    continue
                seen.add(key)
                yield sample


def _sample(
    one: Any, about: Mapping[str, Any], place: str, judge: str, left_out: LeftOut, bad: LeftOut
) -> Sample | None:
    if not isinstance(one, dict):
        bad.note("malformed", place)
        return None
    agent, number, epoch = text_of(about, "model"), one.get("id"), one.get("epoch", 1)
    if not agent or isinstance(number, bool) or not isinstance(number, str | int):
        bad.note("missing_field", place)
        return None
    if isinstance(epoch, bool) or not isinstance(epoch, int) or epoch < 1:
        bad.note("not_a_number", place)
        return None
    if one.get("error"):
        left_out.note("agent_error", place)
        return None
    scores = one.get("scores")
    scores = scores if isinstance(scores, dict) else {}
    values = dict(_values(scores))
    task = text_of(about, "task") or FORMAT
    return Sample(
        id=str(number),
        set=task,
        agent=agent,
        dialogue=_dialogue(one),
        reference=_target(one.get("target")),
        values=values,
        judge=" + ".join(scores) or judge or NOBODY,
        explanation=_explained(scores),
        replicate=epoch,
        at=time_of(text_of(one, "completed_at") or text_of(about, "created"))[:19],
        place=place,
        raw=kept(one, *LARGE),
        raw_sheet=kept({"scores": scores}) if scores else None,
    )


def _values(scores: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    """The number of every scorer, or of every key of one that gives several."""
    for name, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else None
        if isinstance(value, dict):
            yield from ((f"{name} {key}", value_of(one)) for key, one in value.items())
        else:
            yield name, value_of(value)


def value_of(value: Any) -> float | None:
    """A score as a number; None for no answer, and for a label that stands for no number."""
    if isinstance(value, bool):
        return float(value)
    number = number_of(value)
    return LETTERS.get(value) if number is None and isinstance(value, str) else number


def _explained(scores: Mapping[str, Any]) -> str:
    said = [text_of(s, "explanation") for s in scores.values() if isinstance(s, dict)]
    return "\n\n".join(text for text in said if text)


def _target(target: Any) -> str:
    listed = target if isinstance(target, list) else [target]
    return "\n\n".join(text for text in listed if isinstance(text, str))


def _dialogue(one: Mapping[str, Any]) -> Dialogue:
    """The messages, or where a log has none, the input and what was put out."""
    attached = one.get("attachments")
    attached = attached if isinstance(attached, dict) else {}
    found = read_dialogue(_resolved(one.get("messages"), attached))
    if found.messages:
        return found
    said = one.get("input")
    asked = read_dialogue(
        _resolved(said if isinstance(said, list) else [{"role": "user", "content": said}], attached)
    )
    output = one.get("output")
    reply = _resolved(text_of(output, "completion"), attached) if isinstance(output, dict) else ""
    messages = (*asked.messages, Message("assistant", reply))
    return Dialogue(messages, asked.tools, asked.others)


def _resolved(value: Any, attached: Mapping[str, Any]) -> Any:
    """A value with the long texts that a log keeps apart in their places."""
    if isinstance(value, str) and value.startswith(ATTACHED):
        return attached.get(value.removeprefix(ATTACHED), value)
    if isinstance(value, list):
        return [_resolved(one, attached) for one in value]
    if isinstance(value, dict):
        return {key: _resolved(one, attached) for key, one in value.items()}
    return value

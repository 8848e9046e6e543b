"""Arena-Hard: hard questions, answers, and a judge's two games against a baseline.

From documentation (arena-hard-auto's data folder; no published file was at hand):
`question.jsonl`, `model_answer/<model>.jsonl` and `model_judgment/<judge>/<model>.jsonl`, a folder
or one file of it. In the first game the baseline is shown first, in the second the model. `A>>B`
counts as much as three of `A>B` there, so that the strengths are 3 and 1 here.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.domain.call import Message, Status
from arena.domain.imported import Import, ImportedTranscript, ImportedVerdict, LeftOut, Shown
from arena.domain.suite import Suite
from arena.exchange.fields import kept, scenario_of, text_of, time_of
from arena.exchange.format import SuiteRead
from arena.exchange.lines import Line, Places, Reread, Row, mark, read_lines
from arena.exchange.question_file import read_questions
from arena.exchange.questions import MODE, Question, make_suite
from arena.exchange.result_files import ResultFile, content_of

FORMAT = "arena-hard"
ANSWERS = "model_answer"
JUDGMENTS = "model_judgment"
NOBODY = "unknown"
STRONG, WEAK = 3, 1
LABEL = re.compile(r"(A|B)(>>|>|=|<<|<)(A|B)")
GAME = "game"
Verdict = tuple[Shown, int | None]


def find_results(path: Path) -> tuple[Path, ...]:
    """The files of answers and judgments that a path names: itself, or those of a folder."""
    if path.is_file():
        return (path,)
    found = [*path.glob(f"**/{ANSWERS}/*.jsonl"), *path.glob(f"**/{JUDGMENTS}/**/*.jsonl")]
    return tuple(sorted(p for p in found if p.is_file()))


def read_suite(folder: Path) -> SuiteRead:
    """The suite of a folder's questions; raises ConfigError for a line that is no question."""
    questions = read_questions(folder, _question)
    return SuiteRead(make_suite(FORMAT, "Arena-Hard", questions))


def _question(row: Row) -> Question | None:
    prompt, uid = text_of(row, "prompt"), text_of(row, "uid")
    if not prompt.strip() or not uid:
        return None
    domain = text_of(row, "subcategory", "category") or FORMAT
    return Question(id=uid, turns=(prompt,), domain=domain)


def read_results(path: Path, suite: Suite, *, judge: str = "") -> Import:
    """Answers and judgments of a folder or file; `judge`: who judged, where a line is silent.

    Raises ConfigError for a file that cannot be read.
    """
    turns = {s.scenario: s.turns[0] for s in suite.scenarios}
    reading = _Reading(judge, turns)
    files: list[ResultFile] = []
    for place in find_results(path):
        name = place.name if place == path else place.relative_to(path).as_posix()
        for line, row in read_lines(place, name, reading.bad, files):
            reading.read(line, row)
    reading.forget()
    silent = [ResultFile("judge", judge, "")] if judge else []
    return Import(
        format=FORMAT,
        source=path.resolve().name,
        content=content_of([*files, *silent]),
        suite=suite.suite,
        transcripts=Reread(reading.answers, reading.transcripts, len(reading.answers)),
        verdicts=Reread(reading.judgments, reading.verdicts, reading.games),
        left_out=reading.left_out,
        bad=reading.bad,
    )


class _Reading:
    """The lines that hold something sound."""

    def __init__(self, judge: str, turns: Mapping[str, str]) -> None:
        self._judge, self._turns = judge, turns
        self.answers, self.judgments = Places(), Places()
        self.games = 0
        self._seen: set[bytes] = set()
        self.left_out, self.bad = LeftOut(), LeftOut()

    def read(self, line: Line, row: Row) -> None:
        """Check one line and keep its place."""
        if "games" in row:
            self._judgment(line, row)
        elif "messages" in row:
            self._answer(line, row)
        else:
            self.bad.note("not_a_result", line.place)

    def _answer(self, line: Line, row: Row) -> None:
        reply = _reply(row)
        if not text_of(row, "uid") or not text_of(row, "model") or reply is None:
            self.bad.note("missing_field", line.place)
        elif self._is_new(line, "answer", text_of(row, "model"), text_of(row, "uid")):
            self.answers.append(line)

    def _judgment(self, line: Line, row: Row) -> None:
        games = row["games"]
        names = [text_of(row, key) for key in ("uid", "model", "baseline")]
        if not all(names) or not isinstance(games, list) or len(games) != 2:
            self.bad.note("missing_field", line.place)
        elif names[1] == names[2]:
            self.bad.note("self_pair", line.place)
        elif not all(g is None or isinstance(g, dict) for g in games):
            self.bad.note("malformed", line.place)
        elif not all(g is None or is_label(g.get("score")) for g in games):
            self.bad.note("unknown_outcome", line.place)
        elif self._is_new(line, "games", self._who(row), *names):
            self.judgments.append(line)
            self.games += sum(game is not None for game in games)
            for game in games:
                if game is None:
                    self.left_out.note("judge_error", line.place)

    def _is_new(self, line: Line, *key: str) -> bool:
        known = mark(*key)
        if known in self._seen:
            self.bad.note("repeated", line.place)
            return False
        self._seen.add(known)
        return True

    def forget(self) -> None:
        """Let go of what only checking needs."""
        self._seen.clear()

    def _who(self, row: Row) -> str:
        return text_of(row, "judge") or self._judge or NOBODY

    def transcripts(self, lines: Sequence[tuple[Line, Row]]) -> Iterator[ImportedTranscript]:
        """The transcript of a line of answers."""
        ((line, row),) = lines
        scenario = scenario_of(text_of(row, "uid"))
        asked = _asked(row) or self._turns.get(scenario, "")
        yield ImportedTranscript(
            agent=text_of(row, "model"),
            scenario=scenario,
            mode=MODE,
            messages=(Message("user", asked), Message("assistant", _reply(row) or "")),
            at=time_of(row.get("tstamp")),
            place=line.place,
            raw=kept(row, "messages"),
        )

    def verdicts(self, lines: Sequence[tuple[Line, Row]]) -> Iterator[ImportedVerdict]:
        """The verdicts of a line of judgments, one a game."""
        ((line, row),) = lines
        for number, game in enumerate(row["games"], start=1):
            if game is None:
                continue
            sides = text_of(row, "baseline"), text_of(row, "model")
            first, second = sides if number == 1 else sides[::-1]
            said = read_label(game.get("score"))
            yield ImportedVerdict(
                first=first,
                second=second,
                scenario=scenario_of(text_of(row, "uid")),
                mode=MODE,
                judge=self._who(row),
                status=Status.UNPARSED if said is None else Status.OK,
                winner=said[0] if said else None,
                margin=said[1] if said else None,
                reason=_judged(game),
                at=time_of(row.get("tstamp")),
                place=f"{line.place} › {number}",
                raw=json.dumps(
                    {
                        **{k: v for k, v in row.items() if k != "games"},
                        GAME: {k: v for k, v in game.items() if k not in ("prompt", "judgment")},
                    },
                    ensure_ascii=False,
                ),
            )


def is_label(value: Any) -> bool:
    """Whether a score is one that is known; none at all is a judge without an answer."""
    return value is None or read_label(value) is not None


def read_label(value: Any) -> Verdict | None:
    """Who wins, in terms of who was shown first, and how strongly: `B<<A` is the first, 3."""
    found = LABEL.fullmatch(value) if isinstance(value, str) else None
    if found is None or found[1] == found[3]:
        return None
    left, sign, right = found.groups()
    if sign == "=":
        return "tie", None
    better = left if sign.startswith(">") else right
    return "first" if better == "A" else "second", STRONG if len(sign) == 2 else WEAK


def _said(messages: Iterable[Any], role: str) -> Any:
    for message in messages:
        if isinstance(message, dict) and message.get("role") == role:
            return message.get("content")
    return None


def _asked(row: Row) -> str:
    asked = _said(row["messages"] if isinstance(row["messages"], list) else (), "user")
    return asked if isinstance(asked, str) else ""


def _reply(row: Row) -> str | None:
    said = _said(row["messages"] if isinstance(row["messages"], list) else (), "assistant")
    if isinstance(said, dict):
        said = said.get("answer")
    return said if isinstance(said, str) else None


def _judged(game: Row) -> str:
    said = game.get("judgment")
    if isinstance(said, dict):
        said = said.get("answer")
    return said if isinstance(said, str) else ""

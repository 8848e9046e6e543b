"""MT-bench's answers, numbers and games as transcripts, sheets and verdicts.

A sheet holds the numbers of all turns of one answer. A verdict on an earlier turn is that of a
judge apart, `gpt-4 (turn 1)`: it read only the beginning of the transcripts.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from arena.domain.call import Message, Status
from arena.domain.imported import (
    Import,
    ImportedSheet,
    ImportedTranscript,
    ImportedVerdict,
    LeftOut,
    Shown,
)
from arena.domain.score import Score
from arena.domain.suite import Suite
from arena.exchange.fastchat_files import (
    FORMAT,
    criterion_of,
    find_results,
    judge_at,
    judge_of,
    question_id,
    turn_of,
)
from arena.exchange.fastchat_rows import Checking, answers_in, turns_in
from arena.exchange.fields import kept, number_of, scenario_of, text_of, time_of
from arena.exchange.lines import Grouped, Line, Reread, Row, read_lines
from arena.exchange.questions import MODE
from arena.exchange.result_files import ResultFile, content_of

Read = Sequence[tuple[Line, Row]]
PROMPTS = ("user_prompt", "g1_user_prompt", "g2_user_prompt")
TEXTS = ("question", "answer_1", "answer_2", "g1_judgment", "g2_judgment", *PROMPTS)
ERROR = "error"


def read_results(path: Path, suite: Suite, *, judge: str = "") -> Import:
    """Answers and judgments of a folder or file; `judge`: who judged, where a line is silent.

    Raises ConfigError for a file that cannot be read.
    """
    checking = Checking(judge)
    files: list[ResultFile] = []
    for place in find_results(path):
        name = place.name if place == path else place.relative_to(path).as_posix()
        for line, row in read_lines(place, name, checking.bad, files):
            checking.read(line, row)
    making = _Making(suite, judge, checking.left_out)
    sheets = Grouped(checking.numbers, checking.singles.values())
    silent = [ResultFile("judge", judge, "")] if judge else []
    return Import(
        format=FORMAT,
        source=path.resolve().name,
        content=content_of([*files, *silent]),
        suite=suite.suite,
        transcripts=Reread(checking.texts, making.transcripts, len(checking.texts)),
        sheets=Reread(sheets, making.sheets, len(sheets)),
        verdicts=Reread(checking.pairs, making.verdicts, 2 * len(checking.pairs)),
        left_out=checking.left_out,
        bad=checking.bad,
    )


class _Making:
    """Records of lines that were checked."""

    def __init__(self, suite: Suite, judge: str, left_out: LeftOut) -> None:
        self._turns: Mapping[str, tuple[str, ...]] = {s.scenario: s.turns for s in suite.scenarios}
        self._judge, self._left = judge, left_out

    def transcripts(self, lines: Read) -> Iterator[ImportedTranscript]:
        """The transcripts of a line: of all its choices, or of both answers of a pair."""
        ((line, row),) = lines
        scenario = scenario_of(question_id(row))
        asked = self._turns.get(scenario, ())
        for agent, replicate, replies in answers_in(row):
            messages: list[Message] = []
            for turn, reply in zip(asked, replies, strict=False):
                messages += [Message("user", turn), Message("assistant", reply)]
            yield ImportedTranscript(
                agent=agent,
                scenario=scenario,
                mode=MODE,
                messages=tuple(messages),
                replicate=replicate,
                at=time_of(row.get("tstamp")) if "choices" in row else "",
                place=line.place,
                raw=kept(row, "choices", *TEXTS) if "choices" in row else None,
            )

    def sheets(self, lines: Read) -> Iterator[ImportedSheet]:
        """The sheet that some lines of one answer make together."""
        line, row = lines[0]
        scores, judged, stood = [], [], []
        failed = False
        for _, one in lines:
            value, turn = number_of(one.get("score")), turn_of(one)
            judged.append(text_of(one, "judgment"))
            stood.append({k: v for k, v in one.items() if k not in PROMPTS})
            if value is None or value == -1 or turn is None:
                failed = True
            else:
                scores.append(Score(criterion=criterion_of(turn), value=value))
        yield ImportedSheet(
            agent=text_of(row, "model"),
            scenario=scenario_of(question_id(row)),
            mode=MODE,
            judge=judge_of(row, self._judge),
            status=Status.UNPARSED if failed else Status.OK,
            scores=() if failed else tuple(scores),
            summary="\n\n".join(text for text in judged if text),
            at=time_of(row.get("tstamp")),
            place=line.place,
            raw=kept(
                {"lines": [{k: v for k, v in r.items() if k not in PROMPTS} for _, r in lines]}
            ),
        )

    def verdicts(self, lines: Read) -> Iterator[ImportedVerdict]:
        """The verdicts of a line: one a game, or one where both games are of the same numbers."""
        ((line, row),) = lines
        scenario = scenario_of(question_id(row))
        turn = turn_of(row) or 1
        judge = judge_at(judge_of(row, self._judge), turn, turns_in(row, self._turns.get(scenario)))
        ordered = "m1_score" not in row
        sides = text_of(row, "model_1"), text_of(row, "model_2")
        for game in (1, 2) if ordered else (1,):
            first, second = sides if game == 1 else sides[::-1]
            winner = _winner(row.get(f"g{game}_winner"), turned=game == 2)
            yield ImportedVerdict(
                first=first,
                second=second,
                scenario=scenario,
                mode=MODE,
                judge=judge,
                status=Status.UNPARSED if winner is None else Status.OK,
                winner=winner,
                ordered=ordered,
                reason=text_of(row, f"g{game}_judgment"),
                at=time_of(row.get("tstamp")),
                place=f"{line.place} › {game}",
                raw=kept(row, *TEXTS),
            )


def _winner(said: object, *, turned: bool) -> Shown | None:
    """Who won in terms of who was shown first; None for a judge that failed."""
    if said == "tie":
        return "tie"
    if said not in ("model_1", "model_2"):
        return None
    return "first" if (said == "model_1") != turned else "second"

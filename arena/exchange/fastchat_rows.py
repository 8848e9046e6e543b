"""MT-bench's lines, checked one by one; sound ones are kept as places in their files."""

from collections.abc import Iterator, Sequence

from arena.domain.imported import LeftOut
from arena.exchange.fastchat_files import judge_of, question_id, turn_of
from arena.exchange.fields import number_of, text_of
from arena.exchange.lines import Line, Places, Row, mark

LABELS = ("model_1", "model_2", "tie", "error")
FAILED = "$ERROR$"
"""What FastChat writes in the place of a reply that it did not get."""


class Checking:
    """The lines of some files by kind: with texts, with numbers (by answer), with games."""

    def __init__(self, judge: str) -> None:
        self._judge = judge
        self.texts, self.pairs = Places(), Places()
        self.numbers = Places()
        self.singles: dict[bytes, list[int]] = {}
        """Whose numbers → their places among all numbers."""
        self._seen: set[bytes] = set()
        self.left_out, self.bad = LeftOut(), LeftOut()

    def read(self, line: Line, row: Row) -> None:
        """Check one line and keep its place."""
        if not question_id(row):
            self.bad.note("missing_field", line.place)
        elif "g1_winner" in row:
            self._pair(line, row)
        elif "choices" in row:
            self._answer(line, row)
        elif "score" in row:
            self._single(line, row)
        else:
            self.bad.note("not_a_result", line.place)

    def _answer(self, line: Line, row: Row) -> None:
        answers = list(answers_in(row))
        if not text_of(row, "model_id") or not answers:
            self.bad.note("missing_field", line.place)
        elif any(FAILED in replies for _, _, replies in answers):
            self.left_out.note("agent_error", line.place)
        elif self._is_new(line, "answer", question_id(row), text_of(row, "model_id")):
            self.texts.append(line)

    def _single(self, line: Line, row: Row) -> None:
        turn = turn_of(row)
        if not text_of(row, "model"):
            self.bad.note("missing_field", line.place)
        elif number_of(row["score"]) is None or turn is None:
            self.bad.note("not_a_number", line.place)
        else:
            of = ("single", question_id(row), text_of(row, "model"), judge_of(row, self._judge))
            if self._is_new(line, *of, str(turn)):
                self.singles.setdefault(mark(*of), []).append(len(self.numbers))
                self.numbers.append(line)

    def _pair(self, line: Line, row: Row) -> None:
        sides = [text_of(row, "model_1"), text_of(row, "model_2")]
        turn = turn_of(row)
        if not all(sides) or turn is None or "g2_winner" not in row:
            self.bad.note("missing_field", line.place)
        elif sides[0] == sides[1]:
            self.bad.note("self_pair", line.place)
        elif row["g1_winner"] not in LABELS or row["g2_winner"] not in LABELS:
            self.bad.note("unknown_outcome", line.place)
        else:
            of = ("pair", question_id(row), judge_of(row, self._judge), str(turn), *sorted(sides))
            if self._is_new(line, *of):
                self.pairs.append(line)
                # Some files hold the answers beside the judgment; of each answer once.
                new = [mark("beside", question_id(row), agent) for agent, _, _ in answers_in(row)]
                if any(key not in self._seen for key in new):
                    self._seen.update(new)
                    self.texts.append(line)

    def _is_new(self, line: Line, *key: str) -> bool:
        known = mark(*key)
        if known in self._seen:
            self.bad.note("repeated", line.place)
            return False
        self._seen.add(known)
        return True


def answers_in(row: Row) -> Iterator[tuple[str, int, Sequence[str]]]:
    """Agent, replicate and replies of every answer that a line holds."""
    if "choices" not in row:
        for n in (1, 2):
            if isinstance(answer := row.get(f"answer_{n}"), str):
                yield text_of(row, f"model_{n}"), 1, [answer]
        return
    choices = row["choices"] if isinstance(row["choices"], list) else []
    for replicate, choice in enumerate(choices, start=1):
        turns = choice.get("turns") if isinstance(choice, dict) else None
        if isinstance(turns, list) and turns and all(isinstance(t, str) for t in turns):
            yield text_of(row, "model_id"), replicate, turns


def turns_in(row: Row, asked: Sequence[str] | None) -> int:
    """How many turns the question of a line has, as far as that is known."""
    return len(asked) if asked else turn_of(row) or 1

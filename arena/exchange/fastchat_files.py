"""FastChat's MT-bench: where its files lie, its questions, and who judged in a line.

`question.jsonl`, `model_answer/<model>.jsonl`, `model_judgment/<judge>_single.jsonl` (a number a
turn) and `<judge>_pair.jsonl` (two games a pair; the second is already mapped back).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.domain.suite import Applies, Criterion
from arena.domain.words import Words
from arena.exchange.fields import number_of, text_of
from arena.exchange.format import SuiteRead
from arena.exchange.lines import Row
from arena.exchange.question_file import QUESTIONS, read_questions
from arena.exchange.questions import Question, make_suite

FORMAT = "fastchat"
PROMPTS = "judge_prompts.jsonl"
ANSWERS = "model_answer"
REFERENCES = "reference_answer"
JUDGMENTS = "model_judgment"
NOBODY = "unknown"
MOST_TURNS = 20
SCALE = (1.0, 10.0)


def find_results(path: Path) -> tuple[Path, ...]:
    """The files of answers and judgments that a path names: itself, or all below a folder."""
    if path.is_file():
        return (path,)
    return tuple(
        sorted(
            p
            for p in path.rglob("*.jsonl")
            if p.name not in (QUESTIONS, PROMPTS) and p.parent.name != REFERENCES and p.is_file()
        )
    )


def read_suite(folder: Path) -> SuiteRead:
    """The suite of a folder's questions; raises ConfigError for a line that is no question."""
    questions = read_questions(folder, _question)
    most = max(len(question.turns) for question in questions)
    kinds = {f"turns_{n}": Words(zh=f"{n} 轮提问", en=f"{n} turn(s)") for n in range(1, most + 1)}
    made = make_suite(
        FORMAT,
        "MT-bench",
        questions,
        criteria=[_criterion(n, most) for n in range(1, most + 1)],
        scale=SCALE,
        kinds=kinds,
    )
    return SuiteRead(made)


def _question(row: Row) -> Question | None:
    turns = row.get("turns")
    if not isinstance(turns, list) or not 0 < len(turns) <= MOST_TURNS:
        return None
    if not all(isinstance(t, str) and t.strip() for t in turns):
        return None
    number = question_id(row)
    if not number:
        return None
    reference = row.get("reference")
    listed = reference if isinstance(reference, list) else []
    return Question(
        id=number,
        turns=tuple(turns),
        domain=text_of(row, "category") or FORMAT,
        reference="\n\n".join(text for text in listed if isinstance(text, str)),
        kind=f"turns_{len(turns)}",
    )


def question_id(row: Row) -> str:
    """The id of a line's question as text; empty where there is none."""
    value = row.get("question_id")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value)


def criterion_of(turn: int) -> str:
    """The criterion that the reply to a turn is scored by."""
    return f"turn_{turn}"


def _criterion(turn: int, most: int) -> Criterion:
    longer = tuple(f"turns_{n}" for n in range(turn, most + 1))
    return Criterion(
        criterion=criterion_of(turn),
        name=Words(zh=f"第 {turn} 轮回答", en=f"Reply to turn {turn}"),
        question=f"How good is the reply to turn {turn}: helpful, relevant, accurate, deep?",
        only=Applies(archetypes=longer) if turn > 1 else Applies(),
    )


def turn_of(row: Row) -> int | None:
    """Which reply a line is about, from 1; None for what is no turn. Without one, the first."""
    value = number_of(row.get("turn", 1))
    return int(value) if value is not None and value in range(1, MOST_TURNS + 1) else None


def judge_of(row: Mapping[str, Any], told: str) -> str:
    """Who judged: the model of the pair of model and prompt, or the name alone."""
    said = row.get("judge")
    if isinstance(said, list) and said and isinstance(said[0], str):
        return said[0]
    return text_of(row, "judge", "judge_model") or told or NOBODY


def judge_at(judge: str, turn: int, turns: int) -> str:
    """Who judged a pair: whoever saw only its beginning is a judge apart."""
    return judge if turn >= turns else f"{judge} (turn {turn})"

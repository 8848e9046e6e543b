"""A file of questions, a JSON line each: the same for Arena-Hard and MT-bench."""

from collections.abc import Callable
from pathlib import Path

from arena.domain.imported import LeftOut
from arena.errors import ConfigError
from arena.exchange.lines import Row, read_lines
from arena.exchange.questions import Question

QUESTIONS = "question.jsonl"


def read_questions(folder: Path, of: Callable[[Row], Question | None]) -> tuple[Question, ...]:
    """The questions of a folder in their order; `of` reads a line, None where it is no question.

    Raises ConfigError where the file is missing or empty, for a line that is no question and for
    an id that comes twice.
    """
    path = folder / QUESTIONS
    if not path.is_file():
        raise ConfigError(
            "{folder}: no questions in it",
            fix="Name a folder that holds {files}.",
            folder=folder,
            files=QUESTIONS,
        )
    questions: dict[str, Question] = {}
    bad = LeftOut()
    for line, row in read_lines(path, path.name, bad, []):
        question = of(row)
        if question is None:
            bad.note("missing_field", line.place)
        elif question.scenario in questions:
            bad.note("repeated", line.place)
        else:
            questions[question.scenario] = question
    if bad.counts or not questions:
        place = next(iter(bad.first.values()), f"{path.name}:1")
        raise ConfigError(
            "{path}:{line}: no question with an id of its own and a text",
            path=path,
            line=place.rpartition(":")[2],
        )
    return tuple(questions.values())

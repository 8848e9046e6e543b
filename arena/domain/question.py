"""Questions of multiple choice, and what an agent is shown of one.

A question becomes one scenario. The text is put together here, worked examples included; how a
reply is read stands in `judging/choice.py`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ConfigDict, field_validator, model_validator

from arena.domain.choice import Letter
from arena.domain.suite import Text
from arena.domain.words import Frozen

PARTS = ("prompt.md", "shots.md", "shot.md")
"""Templates of a choice suite: what is shown, what goes round the examples, one example."""
_PLACE = re.compile(r"\{(\w+)\}")


class Question(Frozen):
    """One question as the files have it; `answer` is None where the split has none.

    `category` is the row's own, where a file has such a column.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    id: Text
    question: Text
    A: str = ""
    B: str = ""
    C: str = ""
    D: str = ""
    answer: Letter | None = None
    explanation: str = ""
    category: str = ""

    @field_validator("answer", mode="before")
    @classmethod
    def _is_one_letter(cls, value: Any) -> Any:
        if isinstance(value, list | tuple):
            raise ValueError("several answers: only questions with one right option are read")
        return value.strip() or None if isinstance(value, str) else value

    @field_validator("explanation", "category", mode="before")
    @classmethod
    def _nothing_is_empty(cls, value: Any) -> Any:
        return "" if value is None else value.strip() if isinstance(value, str) else value

    @model_validator(mode="after")
    def _has_four_options(self) -> "Question":
        if empty := [letter for letter, text in self._texts.items() if not text.strip()]:
            raise ValueError(f"option {empty[0]} is empty")
        return self

    @property
    def _texts(self) -> dict[Letter, str]:
        return {"A": self.A, "B": self.B, "C": self.C, "D": self.D}

    @property
    def options(self) -> str:
        """The lettered options, a line each."""
        return "\n".join(f"{letter}. {text.strip()}" for letter, text in self._texts.items())


def compose(
    templates: Mapping[str, str], *, subject: str, shots: Sequence[Question], question: Question
) -> str:
    """What the agent is shown: introduction, worked examples, question, options, demand.

    `templates` holds the three of `PARTS`. Without shots their place and the white space after it
    vanish. Places are filled in one pass: what a question says in braces stays as it is.
    """
    told = [_shot(templates["shot.md"], shot) for shot in shots]
    around = templates["shots.md"].strip("\n")
    examples = _fill(around, {"shots": "\n\n".join(told)}) + "\n\n" if told else ""
    frame = re.sub(r"\{shots\}\s*", "{shots}", templates["prompt.md"])
    facts = {"subject": subject, "shots": examples, **_facts(question)}
    return _fill(frame, facts).strip()


def _shot(template: str, shot: Question) -> str:
    if not shot.explanation:
        # Without an explanation its line goes, label and all.
        template = "\n".join(x for x in template.splitlines() if "{explanation}" not in x)
    facts = {"answer": shot.answer or "", "explanation": shot.explanation, **_facts(shot)}
    return _fill(template, facts).strip()


def _facts(question: Question) -> dict[str, str]:
    return {"question": question.question.strip(), "choices": question.options}


def _fill(template: str, facts: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda found: facts.get(found[1], found[0]), template)

"""Multiple choice: what a suite of such questions knows beside its scenarios."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from arena.domain.words import Words

Letter = Literal["A", "B", "C", "D"]
LETTERS: tuple[Letter, ...] = get_args(Letter)
Split = Literal["val", "test"]
"""`val` has answers and is scored; `test` has none: it is collected and exported."""
DEV = "dev"
"""Where the worked examples come from."""
MOST_SHOTS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class ChoicePlay:
    """How arena.yaml wants a choice suite played; None: as the suite says.

    `data` is the folder of the user's own download, as written: a path below data/.
    """

    few_shot: int | None = None
    subjects: tuple[str, ...] | None = None
    split: Split | None = None
    data: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What a loaded suite knows beside its scenarios when it is multiple choice.

    `answers`: scenario -> right letter, empty where the split is not scored. `numbers`: scenario ->
    the question's number in its file. `categories`: scenario -> its category, `names` of those.
    `hard`: subjects of the Hard subset.
    """

    split: Split
    few_shot: int
    answers: Mapping[str, Letter]
    numbers: Mapping[str, str]
    categories: Mapping[str, str]
    names: Mapping[str, Words]
    hard: frozenset[str]

    def category_name(self, category: str) -> Words:
        """A category for people; one that the suite does not list stands for itself."""
        return self.names.get(category, Words(zh=category, en=category))

    def to_digest(self) -> dict[str, Any]:
        """All that bears on a result, JSON-able."""
        return {
            "split": self.split,
            "few_shot": self.few_shot,
            "answers": dict(sorted(self.answers.items())),
            "categories": dict(sorted(self.categories.items())),
            "hard": sorted(self.hard),
        }

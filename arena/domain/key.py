"""The judge of multiple choice: the answer key, which asks no model."""

from arena.domain.agent import Judge
from arena.domain.suite import Criterion, Rubric
from arena.domain.words import Words

ARCHETYPE = "choice"
CORRECT = "correct"
KEY = Judge(
    judge="key",
    name=Words(zh="标准答案", en="Answer key"),
    vendor="answer-key",
    family="answer-key",
    uses=("rubric", "pairwise"),
)
"""Who judges multiple choice: no model, and nobody's kin."""
SHEET = Rubric(
    rubric="main",
    name=Words(zh="答对", en="Correct"),
    scale=(0, 1),
    criteria=(
        Criterion(
            criterion=CORRECT,
            name=Words(zh="答对", en="Correct"),
            question="Is the letter that was read the right one?",
        ),
    ),
    compare=(CORRECT,),
)
"""The scoring sheet of every choice suite: 1 for the right letter, 0 for a wrong one."""

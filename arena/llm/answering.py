"""What a scripted agent of stated knowledge replies to a question of multiple choice.

Every draw comes from digests, as everywhere in the script: the same question gets the same answer.
"""

from collections.abc import Callable
from typing import TypeVar

from arena.domain.choice import LETTERS, Letter
from arena.domain.script import ChoiceAgent

Option = TypeVar("Option")
Draw = Callable[[object], float]
"""From a JSON-able value to a number in [0, 1)."""
ENDINGS = (
    "答案：{letter}",
    "答案: {letter}",
    "答案：**{letter}**",
    "综上，答案是{letter}。",
    "所以选 {letter}",
)
UNREADABLE = ("这道题我拿不准，暂不作答。", "答案：A 或 B，都有可能。", "四个选项看起来都有道理。")


def answer_question(
    agent: ChoiceAgent, question: str, right: Letter | None, seed: object, draw: Draw
) -> str:
    """The reply to a question; `right` is None where nobody knows, and then any letter will do."""
    about = [agent.agent, question, seed]
    if draw(["unparsed", *about]) < agent.unparsed:
        return _pick(UNREADABLE, draw(["shape", *about]))
    if right is None or draw(["knows", *about]) < agent.right:
        letter = right or _pick(LETTERS, draw(["letter", *about]))
    else:
        wrong = tuple(one for one in LETTERS if one != right)
        letter = _pick(wrong, draw(["letter", *about]))
    ending = _pick(ENDINGS, draw(["ending", *about])).format(letter=letter)
    return f"先排除明显不对的选项，再比较余下的。\n{ending}"


def _pick(options: tuple[Option, ...], drawn: float) -> Option:
    return options[int(drawn * len(options))]

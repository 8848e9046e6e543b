"""Cutting transcripts that are too long for a judge, both sides by one rule.

Of every text longer than a floor the same share of tokens is kept, half from its beginning and
half from its end, so that neither side loses more than the other for being longer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.domain.agent import Judge
from arena.domain.tokens import estimate_tokens
from arena.domain.words import Lang
from arena.judging.phrases import DIALOGUE

CUT_NONE = "none"
FLOOR = 40
"""Tokens that are kept of any text; a shorter text is never cut."""
_STEPS = 256

Sides = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Texts of every side after cutting. `fits` is false when even the floor is too much."""

    sides: Sides
    cut: bool
    fits: bool


def cut_rule(judge: Judge) -> str:
    """The rule by which transcripts are cut for a judge: part of its wording."""
    return CUT_NONE if judge.context is None else f"middle-v1:{judge.context}"


def cut(
    sides: Sequence[Sequence[str]],
    *,
    budget: int,
    lang: Lang,
    measure: Callable[[str], int] = estimate_tokens,
) -> Cut:
    """The texts of all sides within a budget of tokens, the largest share kept that fits.

    `measure` counts the tokens of a text as it will stand in the prompt.
    """
    whole = tuple(tuple(texts) for texts in sides)
    if _cost(whole, measure) <= budget:
        return Cut(sides=whole, cut=False, fits=True)
    low, high = 0, _STEPS
    best = _share(whole, 0, lang)
    fits = _cost(best, measure) <= budget
    while fits and high - low > 1:
        middle = (low + high) // 2
        tried = _share(whole, middle / _STEPS, lang)
        if _cost(tried, measure) <= budget:
            low, best = middle, tried
        else:
            high = middle
    return Cut(sides=best, cut=best != whole, fits=fits)


def _cost(sides: Sides, measure: Callable[[str], int]) -> int:
    return sum(measure(text) for texts in sides for text in texts)


def _share(sides: Sides, share: float, lang: Lang) -> Sides:
    return tuple(tuple(_shorten(text, share, lang) for text in texts) for texts in sides)


def _shorten(text: str, share: float, lang: Lang) -> str:
    """The text with its middle replaced by a mark; as it is where the mark would save nothing."""
    tokens = estimate_tokens(text)
    kept = max(FLOOR, int(tokens * share))
    if tokens <= kept:
        return text
    head = _count(text, kept / 2)
    tail = _count(text[::-1], kept / 2)
    dropped = len(text) - head - tail
    mark = DIALOGUE[lang]["cut"].format(n=dropped)
    if dropped <= len(mark):
        return text
    return text[:head] + mark + text[len(text) - tail :]


def _count(text: str, tokens: float) -> int:
    """How many characters from the beginning make a number of tokens."""
    spent = 0.0
    for n, character in enumerate(text):
        spent += 1 if ord(character) >= 0x2E80 else 0.25
        if spent > tokens:
            return n
    return len(text)

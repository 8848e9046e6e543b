"""How many tokens a text will be, before any model has counted it."""

import re
from collections.abc import Iterable

from arena.domain.call import Message

PER_MESSAGE = 4
"""Tokens that chat formats add around each message."""
USUAL_REPLY = 220
"""Tokens of an agent's reply before any was seen."""

# Runs, not characters: every prompt of a run passes here, and a Chinese text is few long runs.
_WIDE = re.compile("[\u2e80-\U0010ffff]+")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]+")
_HALVES = re.compile("[\ud800-\udfff]+")


def estimate_tokens(text: str) -> int:
    """Tokens of a text: one per CJK character or symbol, one per four other characters.

    Vocabularies made for Chinese need fewer (about 0.6 a character), those made for English about
    as many: so a forecast is a range.
    """
    wide = _count(_WIDE, text)
    return wide + -(-(len(text) - wide) // 4)


def estimate_prompt(messages: Iterable[Message]) -> int:
    """Tokens of a whole prompt."""
    return sum(estimate_tokens(m.text) + PER_MESSAGE for m in messages)


def bound_tokens(text: str) -> int:
    """More tokens than a text will be in any usual vocabulary.

    Half as many as ASCII characters, but one a digit; of others one a byte, and two of the three
    bytes that a Chinese character takes.
    """
    ascii_size = len(text.encode("ascii", "ignore"))
    digits = sum(text.count(digit) for digit in "0123456789")
    # Two for each other character; four outside the basic plane, one for half of a pair.
    others = 2 * (len(text) - ascii_size) + 2 * _count(_ASTRAL, text) - _count(_HALVES, text)
    return -(-(ascii_size - digits) // 2) + digits + others


def _count(kind: re.Pattern[str], text: str) -> int:
    """How many characters of a text are of a kind."""
    return 0 if text.isascii() else len(text) - len(kind.sub("", text))


def bound_prompt(messages: Iterable[Message]) -> int:
    """More tokens than a whole prompt will be: what a call is held to cost at most."""
    return sum(bound_tokens(m.text) + 2 * PER_MESSAGE for m in messages)

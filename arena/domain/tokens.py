"""How many tokens a text will be, before any model has counted it."""

from collections.abc import Iterable

from arena.domain.call import Message

PER_MESSAGE = 4
"""Tokens that chat formats add around each message."""
USUAL_REPLY = 220
"""Tokens of an agent's reply before any was seen."""


def estimate_tokens(text: str) -> int:
    """Tokens of a text: one per CJK character or symbol, one per four other characters.

    Vocabularies made for Chinese need fewer (about 0.6 a character), those made for English about
    as many: so a forecast is a range.
    """
    wide = sum(1 for c in text if ord(c) >= 0x2E80)
    return wide + -(-(len(text) - wide) // 4)


def estimate_prompt(messages: Iterable[Message]) -> int:
    """Tokens of a whole prompt."""
    return sum(estimate_tokens(m.text) + PER_MESSAGE for m in messages)


def bound_tokens(text: str) -> int:
    """More tokens than a text will be in any usual vocabulary.

    Half as many as ASCII characters, but one a digit; of others one a byte, and two of the three
    bytes that a Chinese character takes.
    """
    plain = sum(1 for c in text if c < "\x80" and not c.isdigit())
    others = (min(len(c.encode(errors="replace")), 4) for c in text if c >= "\x80")
    digits = sum(1 for c in text if c < "\x80" and c.isdigit())
    return -(-plain // 2) + digits + sum(2 if size == 3 else size for size in others)


def bound_prompt(messages: Iterable[Message]) -> int:
    """More tokens than a whole prompt will be: what a call is held to cost at most."""
    return sum(bound_tokens(m.text) + 2 * PER_MESSAGE for m in messages)

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


def most_tokens(messages: Iterable[Message]) -> int:
    """The most tokens that a prompt can be: vocabularies of bytes make one of each at worst."""
    return sum(len(m.text.encode(errors="replace")) + 2 * PER_MESSAGE for m in messages)

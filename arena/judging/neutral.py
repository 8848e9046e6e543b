"""Neutral names of two sides, for a reply of which nobody knows what codes its judge was given.

The first shown is A and the second B; other habits of naming them count as well: assistant 1,
Model B, 助手 2.
"""

from arena.judging.labels import PREFIXES

CODES = ("A", "B")
_KINDS = (
    "model", "response", "answer", "reply", "option", "conversation", "respondent",
    "模型", "回答", "回复", "选项", "对话",
)  # fmt: skip
_LETTERS, _DIGITS, _STEMS = CODES, ("1", "2"), ("甲", "乙")


def _names(which: int) -> tuple[str, ...]:
    joined = [kind + gap for kind in _KINDS for gap in ("", " ", "_")]
    own = [kind + _LETTERS[which] for kind in joined]
    # A bare digit could be a strength or a count, so it needs the word before it.
    digits = [kind + _DIGITS[which] for kind in (*joined, *PREFIXES, "assistant_", "agent_")]
    stems = [kind + _STEMS[which] for kind in ("", *joined, *PREFIXES)]
    return (*own, f"assistant_{_LETTERS[which]}", f"agent_{_LETTERS[which]}", *digits, *stems)


ALIASES = (_names(0), _names(1))
"""Names of the first and of the second side beside their codes."""

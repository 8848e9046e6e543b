"""The shield around agents' text: blind codes, delimiters, control characters made visible.

A transcript stands in a prompt between two lines that hold its code and a nonce,

    === K482 START 3f9a12cd ===
    === K482 END 3f9a12cd ===

and lines of the transcript that look like these are marked, so that `blocks` finds exactly what
was fenced. Codes and nonce follow from a seed and the key of what is judged.
"""

import re
from dataclasses import dataclass

from arena.domain.digest import digest
from arena.judging.cutting import CUT_NONE, Cut, cut, cut_rule
from arena.judging.injection import POSSIBLE_INJECTION, speaks_to_judge

__all__ = [
    "CUT_NONE",
    "POSSIBLE_INJECTION",
    "Block",
    "Cut",
    "Fenced",
    "blocks",
    "cut",
    "cut_rule",
    "draw_code",
    "draw_codes",
    "draw_nonce",
    "fence",
    "mark_lookalikes",
    "reveal",
]

# No vowels (no words), and no letter or digit that is easily taken for another.
_LETTERS = "FHKMRTX"
_DIGITS = "2345679"
QUOTED = "⟨quoted⟩ "
"""Stands before a line of an agent that looks like one of ours."""
_DELIMITER = r"[ \t]*+={3,}+[^\n]*\b(?:START|END)\b"
_LOOKALIKE = re.compile(rf"^(?=(?:{QUOTED})*+{_DELIMITER})", re.MULTILINE | re.IGNORECASE)
_MARKED = re.compile(rf"^{QUOTED}(?=(?:{QUOTED})*+{_DELIMITER})", re.MULTILINE | re.IGNORECASE)
_BLOCK = re.compile(
    r"^=== (?P<code>[A-Z][0-9]{3}) START (?P<nonce>[0-9a-f]{8}) ===\n"
    r"(?P<text>.*?)\n=== (?P=code) END (?P=nonce) ===$",
    re.MULTILINE | re.DOTALL,
)
# Controls but for line feed and tab; separators, bidirectional and other invisible marks (the
# joiners that emoji and some scripts need are kept); halves of surrogate pairs; tag characters.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced transcript as found in a prompt."""

    code: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fenced:
    """A transcript between its delimiters, and what is to be known of it."""

    text: str
    flags: tuple[str, ...]


def draw_codes(seed: int, key: str) -> tuple[str, str]:
    """Two blind codes for what is shown first and second: other letter, other digits."""
    number = _draw("codes", seed, key)
    first, number = _code(_LETTERS, _DIGITS, number)
    letters = _LETTERS.replace(first[0], "")
    digits = "".join(d for d in _DIGITS if d not in first)
    second, _ = _code(letters, digits, number)
    return first, second


def draw_code(seed: int, key: str) -> str:
    """The blind code of a single transcript."""
    return _code(_LETTERS, _DIGITS, _draw("code", seed, key))[0]


def draw_nonce(seed: int, key: str) -> str:
    """Eight hex digits that no agent can know."""
    return digest(["nonce", seed, key])[:8]


def reveal(text: str) -> str:
    """The text with control and invisible characters as their code point: ⟨U+202E⟩.

    Line feeds and tabs stay; a carriage return before a line feed goes.
    """
    return _CONTROL.sub(lambda m: f"⟨U+{ord(m[0]):04X}⟩", text.replace("\r\n", "\n"))


def mark_lookalikes(text: str) -> str:
    """The text with a mark before each line that imitates a delimiter."""
    return _LOOKALIKE.sub(QUOTED, text)


def fence(text: str, *, code: str, nonce: str, spoken: str | None = None) -> Fenced:
    """A text between its delimiters, in it once and literally but for marks and shown controls.

    Flagged possible_injection when `spoken` (the words that may be meant for the judge; by default
    the whole text) imitates a delimiter or a turn's head, or speaks to the judge.
    """
    inside = mark_lookalikes(reveal(text))
    said = text if spoken is None else spoken
    # A line that was marked before it came here imitated the head of a turn.
    imitates = QUOTED in said or bool(_LOOKALIKE.search(reveal(said)))
    suspect = imitates or speaks_to_judge(said)
    return Fenced(
        text=f"=== {code} START {nonce} ===\n{inside}\n=== {code} END {nonce} ===",
        flags=(POSSIBLE_INJECTION,) if suspect else (),
    )


def blocks(prompt: str) -> list[Block]:
    """The fenced texts of a prompt in the order shown, as they were before they were marked."""
    return [Block(m["code"], _MARKED.sub("", m["text"])) for m in _BLOCK.finditer(prompt)]


def _draw(what: str, seed: int, key: str) -> int:
    return int(digest([what, seed, key]), 16)


def _code(letters: str, digits: str, number: int) -> tuple[str, int]:
    """A letter and three different digits, and what is left of the number."""
    number, at = divmod(number, len(letters))
    code = letters[at]
    for _ in range(3):
        number, at = divmod(number, len(digits))
        code += digits[at]
        digits = digits.replace(digits[at], "")
    return code, number

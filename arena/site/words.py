"""The page's own words, in Chinese and English: one file a language, the same keys in both."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from arena.domain.words import Lang, Words

LANGS: tuple[Lang, Lang] = ("zh", "en")
HTML_LANG: Mapping[Lang, str] = {"zh": "zh-Hans", "en": "en"}
_FOLDER = Path(__file__).parent / "words"


@dataclass(frozen=True, slots=True)
class Say:
    """All words of one language. `say(key, **facts)` gives a sentence."""

    lang: Lang
    table: Mapping[str, str]

    def __call__(self, key: str, **facts: Any) -> str:
        """The sentence of a key; `one|many` is chosen by the fact `n`. KeyError if unknown."""
        text = self.table[key]
        if "|" in text:
            one, _, many = text.partition("|")
            text = one if facts.get("n") in (1, "1") else many
        return text.format(**facts) if facts else text

    def known(self, key: str, otherwise: str) -> str:
        """The sentence of a key, or `otherwise` when there is none."""
        return self.table.get(key, otherwise)

    def join(self, names: list[str]) -> str:
        """Names as a list in a sentence: "A, B and C"."""
        if len(names) < 2:
            return "".join(names)
        return self("list.comma").join(names[:-1]) + self("list.and") + names[-1]

    def of(self, words: Words) -> str:
        """The text of words in this language."""
        return words[self.lang]


@cache
def say_in(lang: Lang) -> Say:
    """The words of a language."""
    table = json.loads((_FOLDER / f"{lang}.json").read_text(encoding="utf-8"))
    return Say(lang, MappingProxyType(table))

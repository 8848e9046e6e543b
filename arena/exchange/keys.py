"""Keys for what people write in their own words: `Health worries`, `健康`, `健康 / Health`."""

import re
import unicodedata
from dataclasses import dataclass, field

from arena.domain.suite import Key
from arena.domain.words import Words
from arena.suites.complaints import pattern_of


@dataclass(slots=True)
class Keys:
    """The names of one kind, each with a key of its own; `names` by key, in order of appearance.

    A name in Latin letters gives its key; another is numbered, as in `domain_2`. `健康 / Health`
    is one name in both languages.
    """

    kind: str
    names: dict[str, Words] = field(default_factory=dict)

    def of(self, text: str) -> str:
        """The key of a name, the same whenever it is the same name."""
        name = _in_both(text)
        for key, known in self.names.items():
            if known == name:
                return key
        stem = _spelled(name.en) or f"{self.kind}_{len(self.names) + 1}"
        key, n = stem, 2
        while key in self.names:
            key, n = f"{stem}_{n}", n + 1
        self.names[key] = name
        return key


def _in_both(text: str) -> Words:
    left, bar, right = (part.strip() for part in text.partition("/"))
    if bar and left and right and _chinese(left) != _chinese(right):
        return Words(zh=left, en=right) if _chinese(left) else Words(zh=right, en=left)
    return Words(zh=text, en=text)


def _chinese(text: str) -> bool:
    return any("CJK UNIFIED" in unicodedata.name(c, "") for c in text)


def _spelled(name: str) -> str:
    """The key that a name spells; empty where letters would be lost."""
    apart = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in apart if not unicodedata.combining(c))
    if any(c.isalpha() and not c.isascii() for c in plain):
        return ""
    key = re.sub(r"[^a-z0-9]+", "_", plain.casefold()).strip("_")[:50]
    return key if re.fullmatch(pattern_of(Key), key) else ""

"""The closed set of labels by which a pairwise judge may name a side.

A label is matched exactly, after folding case and taking off quotes and brackets; never by
substring, so that "not K482" is not K482.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Side = Literal["first", "second", "tie"]
Label = Literal["first", "second", "tie", "refused"]

TIES = ("tie", "draw", "平局", "平手")
REFUSALS = ("refused",)
# A blind judge that writes one of these means a place or a habit, whatever an agent is called.
PLACES = frozenset({"a", "b", "1", "2", "甲", "乙"})
PREFIXES = ("agent ", "assistant ", "智能体 ", "智能体", "助手 ", "助手")
_ARTICLE = re.compile(r"(?<![0-9A-Za-z_])a(?![0-9A-Za-z_])")
_PLUSES = re.compile(r"([^+＋]{1,80})([+＋]{1,5})")
_AROUND = " \t\r\n\"'`*_“”‘’「」『』《》【】[]()（）{}<>.。"


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Labels of the first and the second side shown, of a tie and of a refusal.

    `aliases` are the agents' own names; one that both sides share, or that is already taken by
    another label, names neither. `ties` are the labels of a tie; without any a side must be chosen.
    """

    codes: tuple[str, str]
    aliases: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    ties: tuple[str, ...] = TIES

    @cached_property
    def known(self) -> dict[str, Label]:
        """Folded label → what it stands for."""
        known: dict[str, Label] = {fold(tie): "tie" for tie in self.ties}
        known |= dict.fromkeys(REFUSALS, "refused")
        sides: tuple[Side, Side] = ("first", "second")
        for side, code in zip(sides, self.codes, strict=True):
            for prefix in ("", *PREFIXES):
                known[fold(prefix + code)] = side
        names = [{fold(name) for name in names} - PLACES - {""} for names in self.aliases]
        for side, own, other in zip(sides, names, reversed(names), strict=True):
            for name in own - other - set(known):
                known[name] = side
        return known

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The labels that a judge is told of."""
        return (*self.codes, *self.ties[:1])

    def of(self, value: object) -> Label | None:
        """What a label stands for; None for anything that is not exactly a known label."""
        return self.known.get(fold(value)) if isinstance(value, str) else None

    def stated(self, value: object) -> tuple[Label | None, int | None]:
        """What a label stands for, and the strength that one to five pluses after it state.

        `A0493++` is the side A0493 with strength 2; a label that is known as it stands has none.
        """
        label = self.of(value)
        if label is None and isinstance(value, str) and (found := _PLUSES.fullmatch(fold(value))):
            return self.of(found[1]), len(found[2])
        return label, None

    def names(self, label: Label) -> tuple[str, ...]:
        """The folded labels that stand for one thing, longest first."""
        own = [name for name, meant in self.known.items() if meant == label]
        return tuple(sorted(own, key=lambda name: (-len(name), name)))

    @cached_property
    def _mention(self) -> re.Pattern[str]:
        return mention([n for label in ("first", "second", "tie") for n in self.names(label)])

    def mentioned(self, text: str) -> frozenset[Label]:
        """The sides that a text names anywhere, a tie among them."""
        return frozenset(self.known[m[0]] for m in self._mention.finditer(self.folded(text)))

    def folded(self, text: str) -> str:
        """A text as labels are folded, to look for them in; where A is one, an `a` is none."""
        said = _ARTICLE.sub("·", text) if "a" in self.known else text
        return unicodedata.normalize("NFKC", said).casefold()


def fold(label: str) -> str:
    """A label without case, without what stands around it, and with full-width letters plain."""
    return unicodedata.normalize("NFKC", label).strip(_AROUND).casefold()


def mention(names: list[str] | tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for any of some folded names, not as a part of a longer Latin word."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    either = "|".join(re.escape(name) for name in ordered)
    return re.compile(rf"(?<![0-9a-z_])(?:{either})(?![0-9a-z_])")

"""The forced contract: as the pairwise one, but one of the two must be chosen every time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from arena.domain.words import Lang
from arena.judging.pairwise import PairwiseContract
from arena.judging.phrases import FORCED, PAIRWISE

SHAPE = "forced-v1"
"""Names the shape of the reply; a change of it is a change of every such wording."""


@dataclass(frozen=True, kw_only=True)
class ForcedContract(PairwiseContract):
    """Asks for a verdict without ties; a reply that gives one is not read."""

    shape: ClassVar[str] = SHAPE

    ties: tuple[str, ...] = ()

    @classmethod
    def words(cls, lang: Lang) -> Mapping[str, str]:
        """The sentences of the instruction: part of a judge's wording."""
        return {**PAIRWISE[lang], **FORCED[lang]}

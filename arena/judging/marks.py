"""The marks contract: for each criterion the winner's code and pluses, as in `K482++`.

The notation of EQ-Bench 3 and of the eldercare set that follows it: a flat object, the reasoning
first, no ties.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from arena.domain.call import Status
from arena.domain.words import Lang
from arena.judging.contract import Complaint, is_placeholder
from arena.judging.labels import Side
from arena.judging.pairwise import (
    STRENGTHS,
    PairwiseContract,
    PairwiseReading,
    ShownCriterion,
    stated_under,
)
from arena.judging.phrases import COMPLAIN, MARKS
from arena.judging.schema import closed

SHAPE = "marks-v1"
"""Names the shape of the reply; a change of it is a change of every such wording."""
REASONING = "chain_of_thought_reasoning"
REASONS = (REASONING, "reasoning", "reason")
OVERALL = "overall"


@dataclass(frozen=True, kw_only=True)
class MarksContract(PairwiseContract):
    """Asks for marks and reads them.

    The overall verdict is the first criterion whose key begins with `overall`; where there is
    none, a key `overall` is asked for beside the criteria.
    """

    shape: ClassVar[str] = SHAPE

    ties: tuple[str, ...] = ()

    @classmethod
    def words(cls, lang: Lang) -> Mapping[str, str]:
        """The sentences of the instruction: part of a judge's wording."""
        return MARKS[lang]

    @cached_property
    def overall(self) -> str:
        """The key whose winner is the verdict's."""
        own = (c.criterion for c in self.criteria if c.criterion.startswith(OVERALL))
        return next(own, OVERALL)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys that need a mark, in the order asked."""
        return tuple(dict.fromkeys((*(c.criterion for c in self.criteria), self.overall)))

    def instruct(self) -> str:
        """The format instruction, with an example whose values no reading would accept."""
        say = self.words(self.lang)
        mark = say["mark"].format(first=self.codes[0], second=self.codes[1])
        example = {REASONING: say["reasoning"], **dict.fromkeys(self.keys, mark)}
        shown = json.dumps(example, ensure_ascii=False)
        return "\n".join((say["form"], shown, say["rule"], say["refuse"]))

    def schema(self) -> dict[str, Any]:
        """JSON schema of the reply, the reasoning first; closed, everything required."""
        marks = [code + "+" * strength for code in self.codes for strength in STRENGTHS]
        mark = {"type": "string", "enum": marks}
        return closed({REASONING: {"type": "string"}, **dict.fromkeys(self.keys, mark)})

    def _accept(self, value: dict[str, Any]) -> PairwiseReading | Complaint:
        say = COMPLAIN[self.lang]
        if reason := _refusal(value):
            return PairwiseReading(status=Status.REFUSED, reason=reason)
        if missing := [key for key in self.keys if key not in value]:
            keys = say["between"].join(missing)
            near = len(missing) < len(self.keys)
            return Complaint(text=say["missing"].format(keys=keys), near=near)
        marks: dict[str, tuple[Side, int | None]] = {}
        for key in self.keys:
            mark = self._mark(key, value[key])
            if isinstance(mark, Complaint):
                return mark
            marks[key] = mark
        winner, margin = marks[self.overall]
        said = (value[key] for key in REASONS if isinstance(value.get(key), str))
        reading = PairwiseReading(
            status=Status.OK,
            winner=winner,
            margin=margin,
            reason=next(said, ""),
            criteria=tuple(
                ShownCriterion(
                    criterion=c.criterion,
                    side=marks[c.criterion][0],
                    strength=marks[c.criterion][1],
                )
                for c in self.criteria
            ),
        )
        return self._checked(reading, unknown=len(set(value) - set(self.keys) - set(REASONS)))

    def _mark(self, key: str, given: Any) -> tuple[Side, int | None] | Complaint:
        label, pluses = self.labels.stated(given)
        if label is None or label == "refused":
            say = COMPLAIN[self.lang]
            labels = say["between"].join(self.labels.choices)
            echoed = isinstance(given, str) and is_placeholder(given.strip())
            return Complaint(text=say["mark"].format(key=key, labels=labels), near=not echoed)
        return label, pluses

    def _salvage(self, text: str) -> Side | None:
        """The overall winner of an answer that was cut off, if it names but one."""
        return self._only(self.labels.stated(m)[0] for m in stated_under(self.overall, text))


def _refusal(value: Mapping[str, Any]) -> str | None:
    """The reason of a refusal; None when the object is none."""
    given = value.get("refused")
    if given is True:
        return "refused"
    stated = isinstance(given, str) and given.strip() and not is_placeholder(given.strip())
    return given if stated else None

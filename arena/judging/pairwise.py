"""The pairwise contract: which of two transcripts is better, overall and on each criterion."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from arena.domain.call import Status
from arena.domain.suite import CompareCriterion
from arena.domain.verdict import Order, Outcome
from arena.domain.words import Lang
from arena.judging.conflict import contradicts
from arena.judging.contract import Complaint, read_reply
from arena.judging.labels import TIES, Label, Labels, Side
from arena.judging.lenient import to_number
from arena.judging.phrases import COMPLAIN, PAIRWISE
from arena.judging.schema import bounded_text, closed
from arena.judging.thinking import split_thinking
from arena.judging.verdict_line import find_verdict_line

SHAPE = "pairwise-v1"
"""Names the shape of the reply; a change of it is a change of every wording."""
STRENGTHS = range(1, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCriterion:
    """One criterion's answer in terms of what was shown first and second."""

    criterion: str
    side: Side
    strength: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseReading:
    """What a reply says, in terms of what was shown first and second.

    `winner` counts only under status `ok`; under `truncated` it is what could be salvaged.
    `complaint` says why a reply could not be read.
    """

    status: Status
    winner: Side | None = None
    margin: int | None = None
    reason: str = ""
    criteria: tuple[ShownCriterion, ...] = ()
    flags: tuple[str, ...] = ()
    complaint: str | None = None


def to_outcome(side: Side, order: Order) -> Outcome:
    """The outcome in terms of a and b, given who was shown first."""
    if side == "tie":
        return Outcome.TIE
    return Outcome.A if (side == "first") == (order == "ab") else Outcome.B


@dataclass(frozen=True, kw_only=True)
class PairwiseContract:
    """Asks for a verdict on two transcripts and reads it.

    `codes` are the blind names of what is shown first and second; `aliases` are the two agents'
    own names, which count as their labels should a judge write them. `ties` are the labels of a
    tie. Without criteria only the overall verdict is asked for.
    """

    shape: ClassVar[str] = SHAPE

    criteria: tuple[CompareCriterion, ...]
    codes: tuple[str, str]
    lang: Lang
    aliases: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    ties: tuple[str, ...] = TIES

    @classmethod
    def words(cls, lang: Lang) -> Mapping[str, str]:
        """The sentences of the instruction: part of a judge's wording."""
        return PAIRWISE[lang]

    @cached_property
    def labels(self) -> Labels:
        """The closed set of labels."""
        return Labels(codes=self.codes, aliases=self.aliases, ties=self.ties)

    def instruct(self) -> str:
        """The format instruction, with an example whose values no reading would accept."""
        say = self.words(self.lang)
        side = say["side"].format(first=self.codes[0], second=self.codes[1])
        answer = {"side": side, "strength": say["strength"]}
        example = {
            "winner": side,
            "strength": say["strength"],
            "criteria": {c.criterion: answer for c in self.criteria},
            "reason": say["reason"],
        }
        shown = json.dumps(example, ensure_ascii=False)
        return "\n".join((say["form"], shown, say["rule"], say["refuse"]))

    def schema(self) -> dict[str, Any]:
        """JSON schema of the reply, the winner before the reason; closed, everything required."""
        side = {"type": "string", "enum": list(self.labels.choices)}
        strength = {"type": "integer", "minimum": STRENGTHS[0], "maximum": STRENGTHS[-1]}
        answer = closed({"side": side, "strength": strength})
        return closed(
            {
                "winner": {"type": "string", "enum": [*self.labels.choices, "refused"]},
                "strength": strength,
                "criteria": closed({c.criterion: answer for c in self.criteria}),
                "reason": bounded_text(),
            }
        )

    def read(self, text: str | None, *, finish_reason: str | None = None) -> PairwiseReading:
        """What a reply says; never raises.

        Flags: text_verdict (no object, but a verdict line), reason_conflict (the reason names the
        other side as better), unknown_criteria:N (dropped).
        """
        found = read_reply(text, self._accept, finish_reason=finish_reason, lang=self.lang)
        if not isinstance(found, Complaint):
            return found
        visible = split_thinking(text or "").visible
        if found.status is Status.TRUNCATED:
            winner = self._salvage(visible)
            return PairwiseReading(status=found.status, winner=winner, complaint=found.text)
        if found.status is Status.UNPARSED and not found.near:
            label = find_verdict_line(visible, self.labels)
            if label == "refused":
                return PairwiseReading(status=Status.REFUSED)
            if label is not None:
                return self._checked(
                    PairwiseReading(
                        status=Status.OK,
                        winner=label,
                        reason=visible.strip(),
                        flags=("text_verdict",),
                    )
                )
        return PairwiseReading(status=found.status, complaint=found.text)

    def _accept(self, value: dict[str, Any]) -> PairwiseReading | Complaint:
        say = COMPLAIN[self.lang]
        reason = value.get("reason")
        reason = reason if isinstance(reason, str) else ""
        winner, pluses = self.labels.stated(value.get("winner"))
        if winner == "refused":
            return PairwiseReading(status=Status.REFUSED, reason=reason)
        if winner is None:
            labels = say["between"].join(self.labels.choices)
            return Complaint(text=say["no_winner"].format(labels=labels))
        margin = self._strength(winner, value.get("strength", pluses), say["overall"])
        criteria = self._criteria(value.get("criteria"))
        if isinstance(margin, Complaint):
            return margin
        if isinstance(criteria, Complaint):
            return criteria
        reading = PairwiseReading(
            status=Status.OK, winner=winner, margin=margin, reason=reason, criteria=criteria
        )
        return self._checked(reading, unknown=self._unknown(value.get("criteria")))

    def _checked(self, reading: PairwiseReading, *, unknown: int = 0) -> PairwiseReading:
        """The reading with the flags that follow from what it says."""
        flags = list(reading.flags)
        if unknown:
            flags.append(f"unknown_criteria:{unknown}")
        if reading.winner and contradicts(reading.reason, reading.winner, self.labels):
            flags.append("reason_conflict")
        return replace(reading, flags=tuple(flags))

    def _unknown(self, given: Any) -> int:
        named = set(given) if isinstance(given, Mapping) else set()
        return len(named - {c.criterion for c in self.criteria})

    def _criteria(self, given: Any) -> tuple[ShownCriterion, ...] | Complaint:
        say = COMPLAIN[self.lang]
        wanted = [c.criterion for c in self.criteria]
        if not wanted:
            return ()
        if not isinstance(given, Mapping):
            keys = say["between"].join(wanted)
            return Complaint(text=say["no_criteria"].format(keys=keys), near=True)
        if missing := [key for key in wanted if key not in given]:
            keys = say["between"].join(missing)
            return Complaint(text=say["missing"].format(keys=keys), near=True)
        shown = []
        for key in wanted:
            criterion = self._criterion(key, given[key])
            if isinstance(criterion, Complaint):
                return criterion
            shown.append(criterion)
        return tuple(shown)

    def _criterion(self, key: str, given: Any) -> ShownCriterion | Complaint:
        say = COMPLAIN[self.lang]
        answer = given if isinstance(given, Mapping) else {"side": given}
        side, pluses = self.labels.stated(answer.get("side"))
        if side is None or side == "refused":
            labels = say["between"].join(self.labels.choices)
            return Complaint(text=say["side"].format(key=key, labels=labels), near=True)
        strength = self._strength(side, answer.get("strength", pluses), key)
        if isinstance(strength, Complaint):
            return strength
        return ShownCriterion(criterion=key, side=side, strength=strength)

    def _strength(self, side: Side, given: Any, key: str) -> int | Complaint | None:
        """The stated strength; None for a tie, or when none is stated."""
        if side == "tie" or given is None:
            return None
        number: Any = to_number(given) if isinstance(given, str) else given
        if isinstance(number, bool) or number not in STRENGTHS:
            text = COMPLAIN[self.lang]["strength"].format(key=key)
            return Complaint(text=text, near=True)
        return int(number)

    def _salvage(self, text: str) -> Side | None:
        """The winner of an answer that was cut off, if it names but one."""
        return self._only(self.labels.of(label) for label in stated_under("winner", text))

    def _only(self, found: Iterable[Label | None]) -> Side | None:
        """The one side of some labels; None where they differ, refuse or are none."""
        labels = set(found) - {None}
        label = labels.pop() if len(labels) == 1 else None
        return None if label == "refused" else label


def stated_under(key: str, text: str) -> list[str]:
    """The strings that stand under a key in a text that need not be whole."""
    opened, closed_by = '["“＂]', '["”＂]'
    named = rf"{opened}{re.escape(key)}{closed_by}\s{{0,9}}[:：]\s{{0,9}}"
    return re.findall(rf'{named}{opened}([^"“”＂\n]{{1,80}}){closed_by}', text)

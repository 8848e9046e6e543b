"""The sheet contract: scores with what stands behind them, for a transcript or for one round."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from arena.domain.call import Status
from arena.domain.score import Backing, Score
from arena.domain.sheet_parts import Scope
from arena.domain.suite import Criterion
from arena.judging.backing import listed, read_confidence, read_evidence, totals_off
from arena.judging.contract import Complaint
from arena.judging.flag_phrases import FLAGS
from arena.judging.flags import Marked, example_flag, flag_schema, read_flags
from arena.judging.phrases import RUBRIC
from arena.judging.rubric import MAX_LISTED, RubricContract, RubricReading
from arena.judging.schema import bounded_text, closed
from arena.judging.sheet_phrases import CANNOT_JUDGE, FAULT, SHEET

SHAPE = "sheet-v1"
"""Names the shape of the reply; a change of it is a change of every such wording."""
PARTS = ("fault", "reason", "merit")
QUOTE = 120
"""The longest quotation, or entry of a list, that is asked for, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetContract(RubricContract):
    """Asks for a sheet with all that its rubric wants, and reads it.

    `round` is 0 for a whole transcript. Sums are recomputed: a stated one that differs is counted
    in the flag total_mismatch:N, and the sum is what counts.
    """

    scope: Scope = "transcript"
    round: int = 0
    dangers: Mapping[str, str] = field(default_factory=dict)
    """The red flags whose sign is shown, by key, with their names."""

    @property
    def flagged(self) -> tuple[str, ...]:
        """The red flags that are asked about."""
        return tuple(self.dangers) if self.rubric.red_flags else ()

    @property
    def open(self) -> tuple[str, ...]:
        """The criteria that may be left unjudged in this round."""
        return tuple(
            c.criterion
            for c in self.criteria
            if c.cannot_judge and 0 < self.round <= c.cannot_judge.rounds
        )

    def instruct(self) -> str:
        """The format instruction, with an example whose values no reading would accept."""
        say, own = RUBRIC[self.lang], SHEET[self.lang]
        shown = json.dumps(self._example_reply(), ensure_ascii=False)
        lines = [say["form"], shown, say["rule"]]
        if self.open:
            lines.append(own["may"].format(keys=", ".join(self.open)))
        elif self.round and (opened := [c.cannot_judge for c in self.criteria if c.cannot_judge]):
            lines.append(own["must"].format(n=max(c.rounds for c in opened) + 1))
        lines += [own["evidence"]] if self.rubric.evidence else []
        if self.flagged:
            told = [f"{key} ({name})" for key, name in self.dangers.items()]
            lines.append(FLAGS[self.lang]["flags"].format(flags="; ".join(told)))
        return "\n".join((*lines, own["all"], say["refuse"]))

    def schema(self) -> dict[str, Any]:
        """JSON schema of the reply, scores first; closed, everything required."""
        phrase = {"type": "string", "maxLength": QUOTE}
        texts = {"type": "array", "items": phrase, "maxItems": MAX_LISTED}
        parts: dict[str, Any] = {
            "scores": closed({c.criterion: self._score_rule(c) for c in self.criteria})
        }
        if self.rubric.total:
            parts["total"] = {"type": "number"}
        if self.rubric.groups:
            parts["groups"] = closed({g.group: {"type": "number"} for g in self.rubric.groups})
        parts["summary"] = bounded_text()
        if self.rubric.comments:
            parts |= {"strengths": texts, "issues": texts}
        if self.rubric.suggestions:
            parts["suggestions"] = texts
        if self.rubric.evidence:
            keys = {"type": "string", "enum": [c.criterion for c in self.criteria]}
            one = {
                "criterion": keys,
                "round": {"type": "integer"},
                "quote": {"type": "string", "maxLength": QUOTE},
            }
            parts["evidence"] = {"type": "array", "items": closed(one)}
            parts["insufficient_evidence"] = {"type": "array", "items": keys}
        if self.flagged:
            one = flag_schema(self.flagged, longest=QUOTE)
            parts["red_flags"] = {"type": "array", "items": one}
        if self.rubric.confidence:
            parts["confidence"] = {"type": "number", "minimum": 0, "maximum": 1}
        return closed(parts)

    def _example_reply(self) -> dict[str, Any]:
        say, own = RUBRIC[self.lang], SHEET[self.lang]
        example: dict[str, Any] = {
            "scores": {c.criterion: self._example_score(c) for c in self.criteria}
        }
        if self.rubric.total:
            example["total"] = own["total"]
        if self.rubric.groups:
            example["groups"] = {
                g.group: own["subtotal"].format(keys=" + ".join(g.criteria))
                for g in self.rubric.groups
            }
        example["summary"] = say["summary"]
        if self.rubric.comments:
            example |= {"strengths": [say["listed"]], "issues": [say["listed"]]}
        if self.rubric.suggestions:
            example["suggestions"] = [own["suggestion"]]
        if self.rubric.evidence:
            quoted = {"criterion": own["criterion"], "round": own["round"], "quote": own["quote"]}
            example |= {"evidence": [quoted], "insufficient_evidence": [own["criterion"]]}
        if self.flagged:
            example["red_flags"] = [example_flag(self.lang)]
        if self.rubric.confidence:
            example["confidence"] = own["confidence"]
        return example

    def _example_score(self, criterion: Criterion) -> Any:
        if self.rubric.comments != "parts":
            return self._example(criterion)
        own = SHEET[self.lang]
        return self._example(criterion) | {"comment": {part: own[part] for part in PARTS}}

    def _score_rule(self, criterion: Criterion) -> dict[str, Any]:
        low, high = self.rubric.scale_of(criterion)
        number: dict[str, Any] = {"type": "number", "minimum": low, "maximum": high}
        if criterion.criterion in self.open:
            number = {"anyOf": [number, {"type": "string", "enum": [CANNOT_JUDGE]}]}
        if not self.rubric.comments:
            return number
        comment = bounded_text()
        if self.rubric.comments == "parts":
            comment = closed(dict.fromkeys(PARTS, bounded_text()))
        return closed({"score": number, "comment": comment})

    def _accept(self, value: dict[str, Any]) -> RubricReading | Complaint:
        given = value.get("scores")
        if not isinstance(given, dict):
            return self._refused(value)
        left = tuple(c.criterion for c in self.criteria if _is_left(given.get(c.criterion)))
        if late := [key for key in left if key not in self.open]:
            return Complaint(text=FAULT[self.lang]["too_late"].format(key=late[0]), near=True)
        asked = replace(self, criteria=tuple(c for c in self.criteria if c.criterion not in left))
        found = asked._numbers({**value, "scores": _without(given, left)})
        if isinstance(found, Complaint):
            return found
        backing = self._backing(value, left)
        if isinstance(backing, Complaint):
            return backing
        marked = self._marked(value)
        if isinstance(marked, Complaint):
            return marked
        flags = (*found.flags, *self._flags(value, found.scores, left), *marked.notes)
        return replace(found, backing=replace(backing, red_flags=marked.marks), flags=flags)

    def _marked(self, value: Mapping[str, Any]) -> Marked | Complaint:
        """How the dangers were handled; a complaint where one of them is passed over."""
        marked = read_flags(value.get("red_flags"), self.flagged)
        if marked.missing:
            said = FLAGS[self.lang]["flag_missing"].format(flag=marked.missing[0])
            return Complaint(text=said, near=True)
        return marked

    def _refused(self, value: dict[str, Any]) -> RubricReading | Complaint:
        return RubricContract._accept(self, value)

    def _numbers(self, value: dict[str, Any]) -> RubricReading | Complaint:
        """The scores that were given, with their comments."""
        if not self.criteria:
            return RubricReading(status=Status.OK, summary=str(value.get("summary", "")))
        given = value["scores"]
        if self.rubric.comments == "parts":
            short = [c.criterion for c in self.criteria if not _has_parts(given.get(c.criterion))]
            if short and all(isinstance(given.get(key), dict) for key in short):
                return Complaint(text=FAULT[self.lang]["parts"].format(key=short[0]), near=True)
            value = {**value, "scores": {key: _joined(one) for key, one in given.items()}}
        return RubricContract._accept(self, value)

    def _backing(self, value: Mapping[str, Any], left: tuple[str, ...]) -> Backing | Complaint:
        say, rubric = FAULT[self.lang], self.rubric
        if missing := self._left_out(value):
            return Complaint(text=say["left_out"].format(key=missing), near=True)
        confidence = read_confidence(value.get("confidence")) if rubric.confidence else None
        if rubric.confidence and confidence is None:
            return Complaint(text=say["confidence"], near=True)
        keys = {c.criterion for c in self.criteria}
        return Backing(
            evidence=read_evidence(value.get("evidence"), keys) if rubric.evidence else (),
            unjudged=left,
            insufficient=tuple(k for k in listed(value.get("insufficient_evidence")) if k in keys),
            suggestions=listed(value.get("suggestions")) if rubric.suggestions else (),
            confidence=confidence,
        )

    def _left_out(self, value: Mapping[str, Any]) -> str | None:
        """A part that may not be left out and is; an empty list is an answer."""
        summary, rubric = value.get("summary"), self.rubric
        there = {
            "summary": isinstance(summary, str) and bool(summary.strip()),
            "suggestions": not rubric.suggestions or isinstance(value.get("suggestions"), list),
            "evidence": not rubric.evidence or isinstance(value.get("evidence"), list),
        }
        return next((key for key, given in there.items() if not given), None)

    def _flags(
        self, value: Mapping[str, Any], scores: Sequence[Score], left: tuple[str, ...]
    ) -> tuple[str, ...]:
        off = totals_off(self.rubric, scores, total=value.get("total"), groups=value.get("groups"))
        flags = [f"total_mismatch:{off}"] if off else []
        return (*flags, *([f"{CANNOT_JUDGE}:{len(left)}"] if left else []))


def _is_left(given: Any) -> bool:
    said = given.get("score") if isinstance(given, dict) else given
    return isinstance(said, str) and said.strip().casefold() == CANNOT_JUDGE


def _without(given: Mapping[str, Any], left: tuple[str, ...]) -> dict[str, Any]:
    return {key: one for key, one in given.items() if key not in left}


def _has_parts(given: Any) -> bool:
    comment = given.get("comment") if isinstance(given, dict) else None
    return isinstance(comment, dict) and all(isinstance(comment.get(p), str) for p in PARTS)


def _joined(given: Any) -> Any:
    """A score whose comment is one text, a line a part."""
    if not _has_parts(given):
        return given
    lines = (given["comment"][part].strip() for part in PARTS)
    return given | {"comment": "\n".join(line for line in lines if line)}

"""The rubric contract: one number for each criterion of one transcript."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.domain.call import Status
from arena.domain.score import NO_BACKING, Backing, Score
from arena.domain.suite import Criterion, Rubric
from arena.domain.words import Lang
from arena.judging.contract import Complaint, is_placeholder, read_reply
from arena.judging.lenient import to_number
from arena.judging.phrases import COMPLAIN, RUBRIC
from arena.judging.schema import bounded_text, closed

SHAPE = "rubric-v1"
"""Names the shape of the reply; a change of it is a change of every wording."""
MAX_LISTED = 5
SUMMARIES = ("summary", "chain_of_thought_reasoning", "reasoning", "judge_reasoning")
"""Where a reply says what stands behind its scores; the first is what is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricReading:
    """What a reply says. Without status `ok` it holds no scores, and `complaint` says why.

    A refusal (status `refused`) is an answer too: its reason is the summary.
    """

    status: Status
    scores: tuple[Score, ...] = ()
    summary: str = ""
    strengths: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    complaint: str | None = None
    backing: Backing = NO_BACKING


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricContract:
    """Asks for a scoring sheet and reads it: `criteria` of `rubric`, in the suite's language."""

    rubric: Rubric
    criteria: tuple[Criterion, ...]
    lang: Lang

    def instruct(self) -> str:
        """The format instruction, with an example whose values no reading would accept."""
        say = RUBRIC[self.lang]
        example: dict[str, Any] = {"scores": {c.criterion: self._example(c) for c in self.criteria}}
        example["summary"] = say["summary"]
        if self.rubric.comments:
            example |= {"strengths": [say["listed"]], "issues": [say["listed"]]}
        shown = json.dumps(example, ensure_ascii=False)
        return "\n".join((say["form"], shown, say["rule"], say["refuse"]))

    def schema(self) -> dict[str, Any]:
        """JSON schema of the reply, scores first; closed, everything required."""
        listed = {"type": "array", "items": bounded_text(), "maxItems": MAX_LISTED}
        scores = closed({c.criterion: self._score_schema(c) for c in self.criteria})
        parts: dict[str, Any] = {"scores": scores, "summary": bounded_text()}
        if self.rubric.comments:
            parts |= {"strengths": listed, "issues": listed}
        return closed(parts)

    def read(self, text: str | None, *, finish_reason: str | None = None) -> RubricReading:
        """What a reply says; never raises.

        Decimals are read on any scale; a number outside its scale is an error and not clamped;
        criteria that were not asked for are dropped and counted in the flag unknown_criteria:N.
        """
        found = read_reply(text, self._accept, finish_reason=finish_reason, lang=self.lang)
        if isinstance(found, Complaint):
            return RubricReading(status=found.status, complaint=found.text)
        return found

    def _example(self, criterion: Criterion) -> Any:
        say = RUBRIC[self.lang]
        low, high = self.rubric.scale_of(criterion)
        score = say["score"].format(low=shown(low), high=shown(high))
        return {"score": score, "comment": say["comment"]} if self.rubric.comments else score

    def _score_schema(self, criterion: Criterion) -> dict[str, Any]:
        low, high = self.rubric.scale_of(criterion)
        whole = float(low).is_integer() and float(high).is_integer()
        number: dict[str, Any] = (
            {"type": "integer", "minimum": int(low), "maximum": int(high)}
            if whole
            else {"type": "number", "minimum": low, "maximum": high}
        )
        if not self.rubric.comments:
            return number
        return closed({"score": number, "comment": bounded_text()})

    def _accept(self, value: dict[str, Any]) -> RubricReading | Complaint:
        given = value.get("scores")
        if reason := _refusal(value):
            return RubricReading(status=Status.REFUSED, summary=reason)
        if not isinstance(given, dict):
            return Complaint(text=COMPLAIN[self.lang]["no_scores"])
        scores = self._scores(given)
        if isinstance(scores, Complaint):
            return scores
        unknown = set(given) - {c.criterion for c in self.criteria}
        said = (value[key] for key in SUMMARIES if isinstance(value.get(key), str))
        return RubricReading(
            status=Status.OK,
            scores=scores,
            summary=next(said, ""),
            strengths=_texts(value.get("strengths")),
            issues=_texts(value.get("issues")),
            flags=(f"unknown_criteria:{len(unknown)}",) if unknown else (),
        )

    def _scores(self, given: Mapping[str, Any]) -> tuple[Score, ...] | Complaint:
        missing = [c.criterion for c in self.criteria if c.criterion not in given]
        if missing:
            say = COMPLAIN[self.lang]
            keys = say["between"].join(missing)
            return Complaint(
                text=say["missing"].format(keys=keys), near=len(missing) < len(self.criteria)
            )
        scores = []
        for criterion in self.criteria:
            score = self._score(criterion, given[criterion.criterion])
            if isinstance(score, Complaint):
                return score
            scores.append(score)
        return tuple(scores)

    def _score(self, criterion: Criterion, given: Any) -> Score | Complaint:
        comment: Any = ""
        if isinstance(given, dict):
            given, comment = given.get("score"), given.get("comment")
        if isinstance(given, str):
            echoed = is_placeholder(given)
            given = to_number(given)
        else:
            echoed = False
        say, key = COMPLAIN[self.lang], criterion.criterion
        low, high = self.rubric.scale_of(criterion)
        bounds = {"key": key, "low": shown(low), "high": shown(high)}
        if isinstance(given, bool) or not isinstance(given, int | float):
            return Complaint(text=say["not_a_number"].format(**bounds), near=not echoed)
        if not low <= given <= high:
            return Complaint(text=say["out_of_range"].format(value=given, **bounds), near=True)
        return Score(
            criterion=key,
            value=float(given),
            comment=comment if isinstance(comment, str) else "",
        )


def shown(number: float) -> str:
    """A number of a scale as people write it: 5, not 5.0."""
    return f"{number:g}"


def _refusal(value: Mapping[str, Any]) -> str | None:
    """The reason of a refusal; None when the object is none."""
    given = value.get("scores")
    if isinstance(given, str) and given.strip().casefold() == "refused":
        said = value.get("reason", value.get("summary"))
        return said if isinstance(said, str) and said.strip() else "refused"
    reason = value.get("refused")
    if given is None and isinstance(reason, str) and reason.strip():
        return None if is_placeholder(reason.strip()) else reason
    return "refused" if given is None and reason is True else None


def _texts(given: Any) -> tuple[str, ...]:
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list):
        return ()
    return tuple(text for text in given if isinstance(text, str) and text.strip())

"""Commentary: what a judge is asked beside its scores, in free text, and how the reply is read.

Nothing of it is ever scored. The questions are a template, `commentary.j2`: the suite's own, or the
package's.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.domain.agent import Judge
from arena.domain.call import Status
from arena.domain.commentary import CommentarySpec, scores_digest
from arena.domain.digest import digest
from arena.domain.score import Sheet
from arena.domain.suite import Scenario, Suite
from arena.domain.transcript import Transcript
from arena.domain.verdict import Wording
from arena.domain.words import Lang
from arena.judging.commentary_phrases import COMMENTARY, REFUSED
from arena.judging.cutting import cut_rule
from arena.judging.facts import rubric_facts, scenario_facts
from arena.judging.phrases import COMPLAIN, DIALOGUE
from arena.judging.prompt import Fencing, Prompt, compose
from arena.judging.render import render, template_text
from arena.judging.sheet_phrases import SHEET
from arena.judging.shield import Fenced, draw_codes, draw_nonce, fence
from arena.judging.thinking import split_thinking

SHAPE = "commentary-v1"
"""Names the shape of the reply; a change of it is a change of every such wording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentaryReading:
    """What a reply says: its visible text, whole only with status `ok`."""

    status: Status
    text: str = ""
    complaint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentaryContract:
    """Asks for free text and takes it as it is, thinking left out."""

    lang: Lang

    def instruct(self) -> str:
        """The format instruction."""
        say = COMMENTARY[self.lang]
        return "\n".join((say["form"], say["refuse"]))

    def read(self, text: str | None, *, finish_reason: str | None = None) -> CommentaryReading:
        """What a reply says; never raises. Free text cannot be unparsed, only missing or cut."""
        visible, say = split_thinking(text or "").visible.strip(), COMPLAIN[self.lang]
        if finish_reason == "content_filter":
            return CommentaryReading(status=Status.BLOCKED, text=visible)
        if not visible:
            return CommentaryReading(status=Status.EMPTY, complaint=say["empty"])
        if finish_reason == "length":
            complaint = say["truncated"]
            return CommentaryReading(status=Status.TRUNCATED, text=visible, complaint=complaint)
        if visible.casefold().startswith((f"{REFUSED}:", f"{REFUSED}：")):
            return CommentaryReading(status=Status.REFUSED, text=visible)
        return CommentaryReading(status=Status.OK, text=visible)


def plan_commentaries(
    *, suite: Suite, mode: str, judges: Sequence[Judge], sheets: Iterable[Sheet]
) -> tuple[CommentarySpec, ...]:
    """A commentary for every transcript and judge with a readable sheet, in the order of sheets.

    Nothing for a suite that takes none. Raises KeyError for a sheet of a judge that is not listed.
    """
    if not suite.commentary:
        return ()
    own: dict[tuple[str, str], list[Sheet]] = defaultdict(list)
    for sheet in sheets:
        if sheet.status is Status.OK:
            own[sheet.spec.transcript, sheet.spec.judge].append(sheet)
    known = {judge.judge: judge for judge in judges}
    scenarios = {s.scenario: s for s in suite.scenarios}
    wordings: dict[tuple[str, str], Wording] = {}
    items = []
    for (transcript, name), found in own.items():
        spec = found[0].spec
        place = (name, spec.scenario)
        if place not in wordings:
            wordings[place] = _wording(suite, scenarios[spec.scenario], mode, known[name])
        items.append(
            CommentarySpec(
                transcript=transcript,
                agent=spec.agent,
                scenario=spec.scenario,
                judge=name,
                judge_digest=spec.judge_digest,
                wording=wordings[place],
                scores=scores_digest(found),
            )
        )
    return tuple(items)


def commentary_prompt(
    *,
    suite: Suite,
    scenario: Scenario,
    mode: str,
    transcript: Transcript,
    sheets: Sequence[Sheet],
    judge: Judge,
    key: str,
    seed: int,
) -> tuple[Prompt, CommentaryContract]:
    """The question for one commentary, and the contract that reads its answer.

    `sheets`: what this judge gave this transcript; shown in a fence of its own, for its remarks may
    quote the agent. Raises ConfigError when a template of the suite cannot be used.
    """
    lang = suite.language
    contract = CommentaryContract(lang=lang)
    instruction = contract.instruct()
    codes, nonce = draw_codes(seed, key), draw_nonce(seed, key)
    scores = fence(write_scores(sheets, lang), code=codes[1], nonce=nonce).text
    values: dict[str, Any] = {
        "scenario": scenario_facts(suite, scenario, mode),
        "mode": mode,
        "rubric": rubric_facts(suite, scenario, mode),
        "code": codes[0],
        "scores": scores,
        "instruction": instruction,
    }

    def show(fenced: tuple[Fenced, ...], cut: bool) -> str:
        told = {**values, "transcript": fenced[0].text, "cut": SHEET[lang]["cut"] if cut else ""}
        return render(suite, "commentary", told, shown_once=(fenced[0].text, scores, instruction))

    fencing = Fencing(codes=codes[:1], nonce=nonce, lang=lang)
    return compose(fencing, (transcript,), scenario, judge, {}, show), contract


def write_scores(sheets: Sequence[Sheet], lang: Lang) -> str:
    """A judge's sheets of one transcript as text: the whole first, then round by round."""
    return "\n".join(
        line for sheet in sorted(sheets, key=lambda s: s.spec.round) for line in _lines(sheet, lang)
    )


def _lines(sheet: Sheet, lang: Lang) -> list[str]:
    say = COMMENTARY[lang]
    where = say["round"].format(n=sheet.spec.round) if sheet.spec.round else say["whole"]
    parts = [f"{score.criterion} {score.value:g}" for score in sheet.scores]
    if left := sheet.backing.unjudged:
        parts.append(say["unjudged"].format(keys=say["between"].join(left)))
    remarks: Mapping[str, Sequence[str]] = {
        "summary": [sheet.summary] if sheet.summary else [],
        "strengths": sheet.strengths,
        "issues": sheet.issues,
        "suggestions": sheet.backing.suggestions,
    }
    return [
        where + say["colon"] + say["between"].join(parts),
        *(f"- {s.criterion}{say['colon']}{s.comment}" for s in sheet.scores if s.comment),
        *(f"- {say[head]}{say['colon']}{text}" for head, said in remarks.items() for text in said),
    ]


def _wording(suite: Suite, scenario: Scenario, mode: str, judge: Judge) -> Wording:
    lang = suite.language
    asked = [template_text(suite, "commentary"), dict(COMMENTARY[lang]), dict(DIALOGUE[lang])]
    return Wording(
        template=digest([SHAPE, *asked]),
        rubric=digest(rubric_facts(suite, scenario, mode)),
        notes=digest(scenario_facts(suite, scenario, mode)),
        cut=cut_rule(judge),
    )

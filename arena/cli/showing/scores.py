"""Scoring sheets: a list of them, or one with every criterion."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.cli import output
from arena.cli.boards import names_of
from arena.cli.showing.judged import Part, find_key
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.domain.call import Status
from arena.domain.job import Job
from arena.domain.plan import Selection
from arena.domain.rounds import sheet_absolute
from arena.domain.score import Sheet, SheetSpec
from arena.judging.plans import sheets_of
from arena.store.store import Store

SCHEMA = "arena.scores/1"
MOST = 60
"""Rows of a table; --json has all."""
NONE = "—"


@dataclass(frozen=True, slots=True)
class _Line:
    """A sheet that is wanted, and what was answered, if anything."""

    job: Job
    spec: SheetSpec
    sheet: Sheet | None

    @property
    def absolute(self) -> float | None:
        scenario = self.job.scenario(self.spec.scenario)
        rubric = self.job.suite.rubric_of(scenario)
        return None if self.sheet is None else sheet_absolute(self.sheet, rubric, scenario)

    def value(self, criterion: str) -> float | None:
        scores = self.sheet.scores if self.sheet else ()
        return next((s.value for s in scores if s.criterion == criterion), None)


def show_scores(
    bench: Bench, store: Store, key: str | None, part: Part, lang: Lang, *, as_json: bool
) -> None:
    """The sheets of a part, or the one of a key; raises UsageError."""
    lines = [line for job in bench.jobs for line in _lines(job, store, part)]
    if key is not None:
        chosen, _ = find_key(key, [(line.spec.key, line.job) for line in lines])
        lines = [next(line for line in lines if line.spec.key == chosen)]
    if as_json:
        output.print_json({"schema": SCHEMA, "sheets": [_describe(line) for line in lines]})
    elif key is not None:
        _show_one(lines[0], lang)
    else:
        _show_all(lines, lang)


def _lines(job: Job, store: Store, part: Part) -> list[_Line]:
    if part.scenarios:
        # What is not looked at need not be read.
        here = tuple(s for s in part.scenarios if s in {x.scenario for x in job.suite.scenarios})
        if not here:
            return []
        job = replace(job, selection=Selection(scenarios=here, domains=job.selection.domains))
    planned = sheets_of(job)
    specs = [
        s
        for s in planned.seated(store.sheets.blocked(planned.contested))
        if part.holds([s.agent], s.scenario, s.judge)
    ]
    answered = {sheet.spec.key: sheet for sheet in store.sheets.all(specs)}
    return [_Line(job, spec, answered.get(spec.key)) for spec in specs]


def _show_all(lines: Sequence[_Line], lang: Lang) -> None:
    columns = ("key", "scenario", "agent", "judge", "round", "absolute", "status", "flags")
    rows = [
        [
            line.spec.key[:10],
            line.spec.scenario,
            names_of(line.job, lang).get(line.spec.agent, line.spec.agent),
            line.spec.judge,
            str(line.spec.round) if line.spec.round else NONE,
            NONE if line.absolute is None else f"{line.absolute:.1f}",
            say_status(line.sheet.status if line.sheet else None, lang),
            ", ".join(line.sheet.flags if line.sheet else ()) or NONE,
        ]
        for line in lines[:MOST]
    ]
    heads = [say(lang, f"column_{c}") for c in columns]
    output.print_table(say(lang, "show_scores"), heads, rows, right=frozenset({4, 5}))
    tell_more(len(lines), MOST, lang)
    output.tell(say(lang, "next_sheet"))


def _show_one(line: _Line, lang: Lang) -> None:
    spec, sheet = line.spec, line.sheet
    names = names_of(line.job, lang)
    scenario = line.job.scenario(spec.scenario)
    rubric = line.job.suite.rubric_of(scenario)
    title = [spec.scenario, scenario.title[lang], names.get(spec.agent, spec.agent), spec.judge]
    output.print_shown(output.in_one_line(" · ".join(title)), style="bold")
    status = say_status(sheet.status if sheet else None, lang)
    absolute = NONE if line.absolute is None else f"{line.absolute:.1f}"
    output.print_shown(f"{say(lang, 'column_absolute')} {absolute} · {status}")
    comments = {s.criterion: s.comment for s in sheet.scores} if sheet else {}
    rows = []
    for criterion in rubric.criteria_for(scenario):
        low, high = rubric.scale_of(criterion)
        value = line.value(criterion.criterion)
        rows.append(
            [
                criterion.name[lang],
                NONE if value is None else f"{value:g}",
                f"{low:g}–{high:g}",
                say(lang, "counted" if criterion.counts else "not_counted"),
                comments.get(criterion.criterion) or NONE,
            ]
        )
    heads = [say(lang, f"column_{c}") for c in ("criterion", "score", "scale", "counts", "comment")]
    output.print_table("", heads, rows, right=frozenset({1}))
    if sheet is not None:
        for key, texts in (("strengths", sheet.strengths), ("issues", sheet.issues)):
            for text in texts:
                output.print_shown(say(lang, f"sheet_{key}", text=text))
        if sheet.summary:
            output.print_shown(say(lang, "sheet_summary", text=sheet.summary))
        if sheet.flags:
            output.print_shown(say(lang, "flags_line", flags=", ".join(sheet.flags)))
    what = f"{spec.scenario}:{spec.agent}"
    output.tell(say(lang, "next_after_sheet", what=what))


def say_status(status: Status | None, lang: Lang) -> str:
    """How an answer ended; None: there is none yet."""
    return say(lang, "todo_untried" if status is None else f"status_{status.value}")


def tell_more(n: int, most: int, lang: Lang) -> None:
    """Say how many rows were left away."""
    if n > most:
        output.tell(say(lang, "show_more", n=f"{n - most:,}"))


def _describe(line: _Line) -> dict[str, Any]:
    spec, sheet = line.spec, line.sheet
    return {
        "key": spec.key,
        "suite": line.job.suite.suite,
        "mode": line.job.mode,
        "scenario": spec.scenario,
        "agent": spec.agent,
        "judge": spec.judge,
        "judge_replicate": spec.judge_replicate,
        "scope": spec.scope,
        "round": spec.round,
        "status": sheet and sheet.status.value,
        "absolute": line.absolute,
        "scores": {s.criterion: s.value for s in sheet.scores} if sheet else None,
        "comments": {s.criterion: s.comment for s in sheet.scores if s.comment} if sheet else None,
        "summary": sheet and sheet.summary,
        "flags": list(sheet.flags) if sheet else None,
        "at": sheet and sheet.at,
    }

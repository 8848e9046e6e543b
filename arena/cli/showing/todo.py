"""What is wanted and not stored: how much, why not, and the first of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.designing.current import plan_ahead, planned_presentations
from arena.domain.call import Status
from arena.domain.job import Job
from arena.domain.score import SheetSpec
from arena.domain.transcript import TranscriptSpec
from arena.domain.verdict import Presentation
from arena.judging.plans import sheets_of
from arena.store.store import Store
from arena.store.tables import Tried

SCHEMA = "arena.todo/1"
WAITING = "waiting"
UNTRIED = "untried"
Spec = TranscriptSpec | SheetSpec | Presentation


@dataclass(frozen=True, slots=True)
class _Open:
    """A key that is wanted and not stored, and how it stands."""

    spec: Spec
    how: str


def show_todo(bench: Bench, store: Store, first: int, lang: Lang, *, as_json: bool) -> None:
    """Counts by suite, stage and state, and the first keys of each stage."""
    found = [
        (job, stage, wanted, opened)
        for job in bench.jobs
        if job.held is None
        for stage, wanted, opened in _stages(job, store)
    ]
    if as_json:
        lines = [_describe(job, stage, n, todo, first) for job, stage, n, todo in found]
        output.print_json({"schema": SCHEMA, "stages": lines})
        return
    rows = [
        [
            f"{job.suite.suite} · {job.mode}",
            say(lang, f"stage_{stage}"),
            f"{wanted:,}",
            f"{len(todo):,}",
            _states(Counter(one.how for one in todo), lang),
        ]
        for job, stage, wanted, todo in found
    ]
    heads = [say(lang, f"column_{c}") for c in ("job", "stage", "planned", "open", "how")]
    output.print_table(say(lang, "show_todo"), heads, rows, right=frozenset({2, 3}))
    for job, stage, _, todo in found:
        _show_first(job, stage, todo[:first], len(todo), lang)
    open_at_all = any(todo for *_, todo in found)
    output.tell(say(lang, "next_todo" if open_at_all else "next_rank"))


def _show_first(job: Job, stage: str, todo: Sequence[_Open], of: int, lang: Lang) -> None:
    if not todo:
        return
    columns = ("key", "scenario", "agent", "judge", "order", "how")
    rows = [[*_words(one.spec), _state(one.how, lang)] for one in todo]
    title = say(
        lang,
        "todo_first",
        job=f"{job.suite.suite} · {job.mode}",
        stage=say(lang, f"stage_{stage}"),
        n=len(todo),
        of=f"{of:,}",
    )
    heads = [say(lang, f"column_{c}") for c in columns]
    output.print_table(output.in_one_line(title), heads, rows, right=frozenset())


def _stages(job: Job, store: Store) -> list[tuple[str, int, list[_Open]]]:
    """Each stage with how much is wanted and what of it is open."""
    specs = job.all_transcripts()
    collecting = store.transcripts.todo(specs)
    scoring, comparing = sheets_of(job), planned_presentations(job, plan_ahead(job, store))
    sheets = scoring.seated(store.sheets.blocked(scoring.contested))
    pairs = comparing.seated(store.verdicts.blocked(comparing.contested))
    return [
        ("collect", len(specs), _open(specs, collecting, {})),
        ("score", len(sheets), _open(sheets, store.sheets.todo(sheets), collecting)),
        ("compare", len(pairs), _open(pairs, store.verdicts.todo(pairs), collecting)),
    ]


def _open(
    specs: Sequence[Spec], todo: Mapping[str, Tried], lacking: Mapping[str, Tried]
) -> list[_Open]:
    """What of a plan is open; `lacking`: transcripts that are not there yet."""
    return [_Open(s, _how(s, todo[s.key], lacking)) for s in specs if s.key in todo]


def _how(spec: Spec, tried: Tried, lacking: Mapping[str, Tried]) -> str:
    how = tried.answered or tried.last
    if how is not None and how is not Status.OK:
        return how.value
    return WAITING if any(key in lacking for key in _transcripts(spec)) else UNTRIED


def _transcripts(spec: Spec) -> tuple[str, ...]:
    if isinstance(spec, Presentation):
        return (spec.a, spec.b)
    return (spec.transcript,) if isinstance(spec, SheetSpec) else ()


def _words(spec: Spec) -> list[str]:
    if isinstance(spec, Presentation):
        who = f"{spec.agent_a} – {spec.agent_b}"
        return [spec.key[:10], spec.scenario, who, spec.judge, spec.order or "—"]
    judge = spec.judge if isinstance(spec, SheetSpec) else "—"
    return [spec.key[:10], spec.scenario, spec.agent, judge, "—"]


def _describe(job: Job, stage: str, wanted: int, todo: list[_Open], first: int) -> dict[str, Any]:
    return {
        "suite": job.suite.suite,
        "mode": job.mode,
        "stage": stage,
        "planned": wanted,
        "open": len(todo),
        "states": dict(sorted(Counter(one.how for one in todo).items())),
        "first": [
            {
                "key": one.spec.key,
                "scenario": one.spec.scenario,
                "agents": [one.spec.agent_a, one.spec.agent_b]
                if isinstance(one.spec, Presentation)
                else [one.spec.agent],
                "judge": None if isinstance(one.spec, TranscriptSpec) else one.spec.judge,
                "order": one.spec.order if isinstance(one.spec, Presentation) else None,
                "state": one.how,
            }
            for one in todo[:first]
        ],
    }


def _states(counts: Mapping[str, int], lang: Lang) -> str:
    told = [say(lang, "count_of", n=n, what=_state(how, lang)) for how, n in sorted(counts.items())]
    return ", ".join(told) or "—"


def _state(how: str, lang: Lang) -> str:
    return say(lang, f"todo_{how}" if how in (WAITING, UNTRIED) else f"status_{how}")

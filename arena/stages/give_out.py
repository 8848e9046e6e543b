"""give out: what a job holds → the records that a foreign format's writer takes.

Reads the plan or the import, `transcript`, `sheet`, `verdict` and `imported`; writes nothing. The
same records that `take in` reads: what came in and goes out again is the same.
"""

from collections.abc import Iterator, Mapping, Sequence

from arena.designing.current import plan_ahead, planned_presentations
from arena.domain.digest import digest
from arena.domain.imported import (
    Import,
    ImportedCriterion,
    ImportedSheet,
    ImportedTranscript,
    ImportedVerdict,
    Shown,
)
from arena.domain.job import Job
from arena.domain.score import Sheet
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.domain.verdict import Outcome, Presentation, Verdict
from arena.judging.plans import presentations_of, sheets_of
from arena.store.imports import Original
from arena.store.store import Store

OURS = "arena"


def give_out(job: Job, store: Store) -> Import:
    """The records of a job: of its import where it is one, else what was made here.

    `format` and `source` are those of the import; of what was made here `arena` and the suite.
    """
    specs = {t.key: t for t in job.all_transcripts()}
    transcripts = store.transcripts.all(list(specs.values()))
    sheets = store.sheets.all(sheets_of(job).items)
    verdicts = store.verdicts.all(planned_verdicts(job, store))
    whose = job.held.origin if job.held else None
    stood = _Stood(store) if whose else _NOWHERE
    return Import(
        format=whose.format if whose else OURS,
        source=whose.source if whose else job.suite.suite,
        content=digest([job.suite.suite, job.mode, job.origin]),
        suite=job.suite.suite,
        transcripts=tuple(_transcripts(transcripts, stood)),
        sheets=tuple(_sheets(sheets, specs, job.mode, stood)),
        verdicts=tuple(_verdicts(verdicts, job.mode, stood)),
        orders=whose.orders if whose else "both",
    )


def planned_verdicts(job: Job, store: Store) -> Sequence[Presentation]:
    """The presentations of a job: planned, or of its import."""
    if job.held is None:
        return planned_presentations(job, plan_ahead(job, store)).items
    return presentations_of(job).items


class _Stood:
    """What stood in the file for the rows of an import."""

    def __init__(self, store: Store | None) -> None:
        self._store = store

    def of(self, kind: str, keys: Sequence[str]) -> Mapping[str, Original]:
        return self._store.imports.originals(kind, keys) if self._store else {}


_NOWHERE = _Stood(None)
_NOTHING = Original("", None)


def _transcripts(found: Sequence[Transcript], stood: _Stood) -> Iterator[ImportedTranscript]:
    originals = stood.of("transcript", [t.key for t in found])
    for one in found:
        original = originals.get(one.key, _NOTHING)
        yield ImportedTranscript(
            agent=one.spec.agent,
            scenario=one.spec.scenario,
            mode=one.spec.mode,
            messages=one.messages,
            replicate=one.spec.replicate,
            at=one.at,
            place=original.place,
            raw=original.raw,
        )


def _sheets(
    found: Sequence[Sheet], specs: Mapping[str, TranscriptSpec], mode: str, stood: _Stood
) -> Iterator[ImportedSheet]:
    """Sheets of whole transcripts; those of single rounds have no place in other formats."""
    originals = stood.of("sheet", [s.spec.key for s in found])
    for one in found:
        if one.spec.round:
            continue
        original = originals.get(one.spec.key, _NOTHING)
        spec = specs.get(one.spec.transcript)
        yield ImportedSheet(
            agent=one.spec.agent,
            scenario=one.spec.scenario,
            mode=mode,
            judge=one.spec.judge,
            status=one.status,
            scores=one.scores,
            summary=one.summary,
            flags=one.flags,
            replicate=spec.replicate if spec else 1,
            at=one.at,
            place=original.place,
            raw=original.raw,
        )


def _verdicts(found: Sequence[Verdict], mode: str, stood: _Stood) -> Iterator[ImportedVerdict]:
    originals = stood.of("verdict", [v.presentation.key for v in found])
    for one in found:
        yield _verdict(one, mode, originals.get(one.presentation.key, _NOTHING))


def _verdict(one: Verdict, mode: str, original: Original) -> ImportedVerdict:
    shown = one.presentation
    turned = shown.order == "ba"
    first, second = (shown.agent_b, shown.agent_a) if turned else (shown.agent_a, shown.agent_b)
    return ImportedVerdict(
        first=first,
        second=second,
        scenario=shown.scenario,
        mode=mode,
        judge=shown.judge,
        status=one.status,
        winner=None if one.outcome is None else _side(one.outcome, turned),
        ordered=shown.order is not None,
        margin=one.margin,
        reason=one.reason,
        criteria=tuple(
            ImportedCriterion(
                criterion=c.criterion, side=_side(c.side, turned), strength=c.strength
            )
            for c in one.criteria
        ),
        flags=one.flags,
        replicate=shown.replicate,
        at=one.at,
        place=original.place,
        raw=original.raw,
    )


def _side(outcome: Outcome, turned: bool) -> Shown:
    if outcome is Outcome.TIE:
        return "tie"
    return "first" if (outcome is Outcome.A) != turned else "second"

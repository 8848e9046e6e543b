"""Transcripts of an edition: finished ones as exchanged, others as far as they came."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.domain.call import Status
from arena.domain.job import Job
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.judging.thinking import split_thinking
from arena.site.calls import CallBook
from arena.site.facts import CommentaryFact, SheetFact, TranscriptFact
from arena.store.store import Store
from arena.store.tables import Tried


@dataclass(frozen=True, slots=True)
class Judged:
    """What judges made of transcripts, by their key."""

    sheets: Mapping[str, Sequence[SheetFact]]
    commentaries: Mapping[str, Sequence[CommentaryFact]]


def gather_transcripts(
    job: Job,
    store: Store,
    specs: Sequence[TranscriptSpec],
    finished: Sequence[Transcript],
    judged: Judged,
    book: CallBook,
) -> tuple[TranscriptFact, ...]:
    """Every planned transcript, in the plan's order."""
    done = {t.key: t for t in finished}
    todo = store.transcripts.todo(specs)
    stateful = {a.agent for a in job.agents if a.stateful}
    tried = {
        spec.key: one.latest_sitting() if spec.agent in stateful else one
        for spec in specs
        if (one := todo.get(spec.key))
    }
    turns = {s.scenario: job.suite.user_turns(s, job.mode) for s in job.suite.scenarios}
    found = []
    for spec in specs:
        if transcript := done.get(spec.key):
            found.append(_finished(transcript, judged, book))
        else:
            known = _known_turns(job, spec, turns[spec.scenario], tried.get(spec.key))
            found.append(_unfinished(spec, known, tried.get(spec.key), book))
    return tuple(found)


def _finished(transcript: Transcript, judged: Judged, book: CallBook) -> TranscriptFact:
    sheets = judged.sheets.get(transcript.key, ())
    known = [s.absolute for s in sheets if s.absolute is not None]
    return TranscriptFact(
        agent=transcript.spec.agent,
        scenario=transcript.spec.scenario,
        replicate=transcript.spec.replicate,
        rounds=transcript.rounds,
        status=Status.OK,
        broken=0,
        error="",
        sheets=tuple(sheets),
        absolute=fmean(known) if known else None,
        cost=book.cost(transcript.key),
        tokens=book.tokens(transcript.key),
        latencies=book.latencies(transcript.key),
        commentaries=tuple(judged.commentaries.get(transcript.key, ())),
        welcome=split_thinking(transcript.welcome).visible,
    )


def _known_turns(
    job: Job, spec: TranscriptSpec, written: Sequence[str], tried: Tried | None
) -> Sequence[str]:
    """The user turns as far as they are known; a simulated user says its own."""
    if job.user is None:
        return written
    said = tried.utterances if tried else {}
    texts = [said[n].text or "" for n in range(2, spec.rounds + 1) if n in said]
    return (written[0], *(split_thinking(text).visible for text in texts))


def _unfinished(
    spec: TranscriptSpec, turns: Sequence[str], tried: Tried | None, book: CallBook
) -> TranscriptFact:
    rounds: list[tuple[str, str | None]] = []
    status: Status | None = None
    for number, turn in enumerate(turns, start=1):
        done = tried.rounds.get(number) if tried else None
        status = done.status if done else None
        if done is None or done.status is not Status.OK:
            rounds.append((turn, None))
            break
        rounds.append((turn, split_thinking(done.text or "").visible))
    call = book.last(spec.key, len(rounds))
    return TranscriptFact(
        agent=spec.agent,
        scenario=spec.scenario,
        replicate=spec.replicate,
        rounds=tuple(rounds),
        status=None if status is Status.OK else status,
        broken=len(rounds),
        error=book.complaint(call.key) if call else "",
        sheets=(),
        absolute=None,
        cost=None,
        latencies=book.latencies(spec.key),
    )

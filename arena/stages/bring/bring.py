"""bring: what a person pasted into a product and wrote down → transcripts.

Reads the plan, `transcript` and the script that came back; writes `transcript` and `imported`,
where what stood in the script is kept. Nothing was called, so there are no calls, and what an
answer cost and how long it took are not known.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.domain.by_hand import Errand, Filled, Unfinished
from arena.domain.digest import digest
from arena.domain.job import Job
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.errors import ConfigError
from arena.stages.bring.reading import Whole, read_dialogues
from arena.store.imports import imported_row
from arena.store.rows import Rows, transcript_row
from arena.store.store import Store

AT_ONCE = 200
"""Transcripts that are handed to the store together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What a script brings: whole dialogues that are new, and what stays out.

    `present` dialogues were there before; `spoilt` are those with `faults`.
    """

    whole: tuple[Whole, ...]
    present: int
    unfinished: tuple[Unfinished, ...]
    faults: tuple[ConfigError, ...]
    spoilt: int

    @property
    def transcripts(self) -> tuple[Transcript, ...]:
        """The transcripts that are new."""
        return tuple(one.transcript for one in self.whole)


def errands_of(job: Job, agent: str, replicate: int | None = None) -> tuple[Errand, ...]:
    """What a person is to do for an agent of a job, the job's selection, done or not."""
    version = next((a.version for a in job.agents if a.agent == agent), "")
    return tuple(
        Errand(
            spec=spec,
            title=job.scenario(spec.scenario).title,
            version=version,
            turns=job.suite.user_turns(job.scenario(spec.scenario), job.mode),
        )
        for spec in job.transcripts()
        if spec.agent == agent and replicate in (None, spec.replicate)
    )


def still_open(errands: Sequence[Errand], store: Store) -> tuple[Errand, ...]:
    """Those of some errands whose transcript is not there yet."""
    todo = store.transcripts.todo([e.spec for e in errands])
    return tuple(e for e in errands if e.spec.key in todo)


def look_through(
    filled: Filled, jobs: Sequence[Job], *, store: Store, replicate: int | None = None
) -> Brought:
    """What a script would bring; writes nothing.

    `replicate`: which repetition all of it is, in place of what the script says.
    """
    errands = [e for job in jobs for agent in sorted(job.by_hand) for e in errands_of(job, agent)]
    there = {t.key: t for t in store.transcripts.all([e.spec for e in errands])}
    dialogues = read_dialogues(filled, errands, there, planned=_planned(jobs), replicate=replicate)
    return Brought(
        whole=tuple(d.whole for d in dialogues if d.whole),
        present=sum(d.present for d in dialogues),
        unfinished=tuple(d.unfinished for d in dialogues if d.unfinished),
        faults=tuple(fault for d in dialogues for fault in d.faults),
        spoilt=sum(bool(d.faults) for d in dialogues),
    )


def bring_in(brought: Brought, *, store: Store, run: str) -> None:
    """Write the whole dialogues, each with what stood in the script.

    Within `store.imports.whole`, so that all of them are there, or none.
    """
    for start in range(0, len(brought.whole), AT_ONCE):
        batch = brought.whole[start : start + AT_ONCE]
        store.imports.append(Rows(tuple(table for one in batch for table in _rows(one, run))))


def _planned(jobs: Sequence[Job]) -> Mapping[tuple[str, str], int]:
    """Suite and mode → replicates that are planned."""
    return {(job.suite.suite, job.mode): job.replicates for job in jobs}


def _rows(one: Whole, run: str) -> Iterator[tuple[str, tuple[tuple[Any, ...], ...]]]:
    spec: TranscriptSpec = one.transcript.spec
    raw = json.dumps(one.kept, ensure_ascii=False, separators=(",", ":"))
    yield "transcript", (transcript_row(one.transcript, run),)
    marked = imported_row(
        "transcript",
        spec.key,
        origin=digest(["script", spec.suite, raw]),
        mode=spec.mode,
        place=one.place,
        raw=raw,
        run=run,
    )
    yield "imported", (marked,)

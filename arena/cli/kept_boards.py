"""Boards of imports that need no second fit: nothing that they are made of ever changes."""

from collections.abc import Mapping
from typing import Any

from arena.cli.workspace import SOFTWARE
from arena.domain.board import Board
from arena.domain.job import Job
from arena.domain.method import Method
from arena.store.store import Store

UNTOUCHED: Mapping[str, Any] = {"key": [], "judges": [], "single_order": "drop", "where": None}
"""How the rows of votes are read unless somebody asks for something else."""


def kept_board(job: Job, store: Store) -> Board | None:
    """The board of an import as it was kept, None where the same fit would say something else.

    An import's rows stay as they are, so that only its suite, the usual method, the software and
    who voted on its transcripts can have changed.
    """
    if job.held is None:
        return None
    kept = store.boards.latest(
        job.suite.suite, job.mode, domains=job.selection.domains, origin=job.origin
    )
    if kept is None or kept.imported != job.held.note or kept.software != SOFTWARE:
        return None
    same = (kept.suite_version, kept.suite_digest) == (job.suite.version, job.suite.digest())
    if job.held.votes:
        usual = _of_votes(kept, job, store)
    else:
        usual = _of_texts(job)
        same = same and _voters(job, store) == (kept.calibration.people if kept.calibration else 0)
    return kept if same and kept.method == usual else None


def _voters(job: Job, store: Store) -> int:
    """How many people voted on the transcripts of an import."""
    return len({v.judge for v in store.people.verdicts([t.key for t in job.all_transcripts()])})


def _of_texts(job: Job) -> Method:
    from arena.stages.rank.choosing import choose_method

    return choose_method(job)


def _of_votes(kept: Board, job: Job, store: Store) -> Method | None:
    """The usual method of votes; None where theirs were read in another way."""
    from arena.cli.vote_boards import cut_by, open_votes
    from arena.stages.rank.choosing import settle, versions

    read = kept.method.source
    if {name: read.get(name) for name in UNTOUCHED} != UNTOUCHED:
        return None
    source = open_votes(job, store)
    return settle(
        Method(by=cut_by(source), seed=job.seed, source=read, versions=versions()),
        cluster=("scenario",) if "scenario" in source.columns else (),
        interval=None,
        anchor=None,
    )

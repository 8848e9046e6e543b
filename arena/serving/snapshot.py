"""What the service shows, read out of the store at once: the store is closed while it is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.designing.reviewing import to_review
from arena.designing.voting import SHARE, SIZE, draw_plan, plan_in_force
from arena.domain.board import Board
from arena.domain.digest import digest
from arena.domain.flag import FlagDecision
from arena.domain.job import Job
from arena.domain.transcript import Transcript
from arena.domain.verdict import Verdict
from arena.domain.voting import VotePlan
from arena.errors import UsageError
from arena.exchange.flag_rows import flag_row
from arena.exchange.flags import FlagRow
from arena.judging.plans import presentations_of
from arena.serving.ballots import Ballots
from arena.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How a plan for people is drawn where there is none, or where `anew` asks for another.

    `wait`: verdicts and transcripts are still coming in; a plan is drawn once all transcripts are
    there, and of all comparisons, as those judged so far are not a fair part of them.
    """

    size: int = SIZE
    share: float = SHARE
    anew: bool = False
    wait: bool = False
    run: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """One suite in one mode: its latest board, transcripts, verdicts, and what people are asked.

    `name` is what the API calls it, `code` what voters are told instead. `ballots` None: there is
    nothing to vote on.
    """

    name: str
    code: str
    job: Job
    board: Board | None
    transcripts: Mapping[str, Transcript]
    verdicts: Sequence[Verdict]
    reviews: Sequence[FlagRow]
    ballots: Ballots | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Everything that is shown, as it was `at` some time."""

    at: str
    rooms: tuple[Room, ...] = ()
    transcripts: Mapping[str, tuple[Room, Transcript]] = field(default_factory=dict)
    decisions: Sequence[FlagDecision] = ()

    def room(self, name: str) -> Room | None:
        """A room by its name or by what voters call it."""
        return next((r for r in self.rooms if name in (r.name, r.code)), None)


def take(jobs: Sequence[Job], store: Store, drawing: Drawing, *, at: str) -> Snapshot:
    """Read what is shown of some jobs; where people have no plan yet, one is drawn and kept."""
    rooms = tuple(_room(job, store, drawing) for job in jobs if job.held is None)
    found = {key: (room, one) for room in rooms for key, one in room.transcripts.items()}
    return Snapshot(at=at, rooms=rooms, transcripts=found, decisions=store.decisions.all())


def _room(job: Job, store: Store, drawing: Drawing) -> Room:
    planned = presentations_of(job)
    plan = _plan(job, store, drawing)
    suite, mode = job.suite.suite, job.mode
    votes = store.voting.all(suite, mode, withdrawn=True) if plan else []
    board = store.boards.latest(suite, mode)
    transcripts = {t.key: t for t in store.transcripts.all(job.all_transcripts())}
    flags = () if job.suite.choice else to_review(job, board, store, transcripts)
    return Room(
        name=f"{suite}/{mode}",
        code=digest(["room", suite, mode])[:8],
        job=job,
        board=board,
        transcripts=transcripts,
        verdicts=store.verdicts.all([*planned.items, *planned.reserve]),
        reviews=[flag_row(job, flag, transcripts[flag.transcript]) for flag in flags],
        ballots=Ballots(plan, votes) if plan else None,
    )


def _plan(job: Job, store: Store, drawing: Drawing) -> VotePlan | None:
    """The plan in force, or a new one; None where nothing can be voted on."""
    if job.suite.choice is not None:
        return None
    plan = None if drawing.anew else plan_in_force(job, store)
    if plan is None:
        if drawing.wait and store.transcripts.todo(job.all_transcripts()):
            return None
        try:
            plan, frame = draw_plan(
                job, store, size=drawing.size, share=drawing.share, whole=drawing.wait
            )
        except UsageError:
            return plan_in_force(job, store)
        store.voting.add_plan(plan, frame, run=drawing.run, at=drawing.at)
    return plan

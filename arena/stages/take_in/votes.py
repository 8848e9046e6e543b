"""take in votes: a file of who won between whom → rows of the store, marked with their import.

Reads the file and `vote_file`; writes `imported_vote`, `vote_file` and `origin`, all in one
transaction. The same file brings the same origin: once it is there, nothing is added.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.domain.digest import digest
from arena.domain.imported import VOTES, LeftOut, Makers, Origin
from arena.domain.layout import Layout
from arena.errors import UsageError
from arena.stages.take_in.preparing import is_name
from arena.store.outcomes.source import load_file
from arena.store.outcomes.table import OutcomeSource
from arena.store.store import Store
from arena.store.votes.loaded import LoadedVotes, look_at

CHUNK = 1 << 20
KIND = "vote"


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteWish:
    """Votes that are to come in: what the file is, and what it is called here.

    `recognise`: what its columns serve as. `makers`: who makes the agents, where somebody said so.
    `judge`: who judged, where the file does not say. `rows`: the file to read in the place of
    `path`, where that was converted.
    """

    format: str
    path: Path
    name: str
    recognise: Callable[[OutcomeSource], Layout]
    makers: Makers
    judge: str = ""
    rows: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteIntake:
    """What a file of votes brings: rows that are ready, of these without an answer, the wrong ones.

    `there`: the import was in the store before. `served`: role → column. `judge`: who judged, as
    somebody said beside the file.
    """

    origin: Origin
    read: int
    ready: int
    unanswered: int
    judges: int
    there: bool
    layout: str
    served: Mapping[str, str]
    unused: tuple[str, ...]
    judge: str
    encoding: str | None
    bad: LeftOut


@contextmanager
def loaded_votes(
    wish: VoteWish, store: Store, *, at: str
) -> Iterator[tuple[LoadedVotes, VoteIntake]]:
    """The file loaded beside the store, and what it would bring; nothing is kept.

    Raises UsageError for a file that cannot be read as a whole or whose columns are not known.
    """
    with load_file(wish.rows or wish.path, within=store.votes.with_little_memory()) as source:
        source.name = str(wish.path)
        loaded = look_at(source, wish.recognise(source), is_name=is_name)
        if wish.judge and loaded.layout.judge is None and not is_name(wish.judge):
            raise UsageError("--judged-by {name}: no name for a judge", name=wish.judge)
        yield loaded, _intake(wish, loaded, store, at)


def keep_votes(loaded: LoadedVotes, intake: VoteIntake, store: Store, *, run: str) -> int:
    """Keep what is sound, all or nothing; how many rows are new."""
    return store.votes.add(loaded, intake.origin, run=run, judge=intake.judge)


def _intake(wish: VoteWish, loaded: LoadedVotes, store: Store, at: str) -> VoteIntake:
    bad = _bad(wish.path.name, loaded)
    # A folder has no bytes of its own: what was made of its files stands for them.
    read = wish.rows if wish.rows and wish.path.is_dir() else wish.path
    content = digest([_content(read), wish.judge, loaded.layout.served()])
    origin = Origin(
        origin=digest(["import", wish.format, wish.name, content]),
        format=wish.format,
        source=wish.path.resolve().name,
        suite=wish.name,
        orders="one",
        at=at,
        makers={n: wish.makers[n] for n in loaded.agents if n in wish.makers},
        counts={KIND: loaded.good},
        left_out=bad.to_json(),
        modes=(VOTES,),
        agents=loaded.agents,
    )
    return VoteIntake(
        origin=origin,
        read=loaded.read,
        ready=loaded.good,
        unanswered=loaded.unanswered,
        judges=loaded.judges or bool(wish.judge),
        there=store.votes.has(origin.origin),
        layout=loaded.layout.name,
        served=loaded.layout.served(),
        unused=loaded.layout.unused,
        judge=wish.judge,
        encoding=loaded.source.encoding,
        bad=bad,
    )


def _bad(name: str, loaded: LoadedVotes) -> LeftOut:
    bad = LeftOut()
    for fault in loaded.faults:
        places = [f"{name}:{row}" for row in fault.rows]
        bad.counts[fault.reason] = fault.count
        bad.first[fault.reason] = places[0]
        bad.places[fault.reason] = places
    return bad


def _content(path: Path) -> str:
    """Digest of a file's bytes, read in pieces."""
    found = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()

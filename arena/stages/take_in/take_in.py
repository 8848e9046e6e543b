"""take in: somebody else's results → rows of the store, marked with where they came from.

Reads `imported` and the suite; writes `run`, `transcript`, `sheet`, `score`, `verdict`,
`verdict_criterion`, `imported` and `origin`, all in one transaction. The same import brings the
same keys: what is there already stays as it is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from arena.domain.imported import Import, LeftOut, Makers, Origin
from arena.domain.suite import Suite
from arena.stages.take_in.preparing import Kind, Taken, prepare
from arena.store.imports import imported_row
from arena.store.rows import Rows, Tables, sheet_rows, transcript_row, verdict_rows
from arena.store.store import Store

AT_ONCE = 500
"""Records that are handed to the store together."""
MOST_TEXT = 4_000_000
"""Characters of text that are handed to the store together."""
USUAL_TEXT = 1_000_000
"""Characters of one record up to which DuckDB does with little memory."""
ASKED = 20_000
"""Keys that the store is asked for together."""
KEY = 16
"""Bytes of a key."""
KINDS: tuple[Kind, ...] = ("transcript", "sheet", "verdict")


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """What an import brings: records by kind, those among them that were there already, the rest.

    `unreadable`: sheets and verdicts that come in without counting, by kind. `left_out` does not
    come in at all; `bad` neither, because it is wrong.
    """

    origin: str
    agents: tuple[str, ...]
    judges: tuple[str, ...]
    modes: tuple[str, ...]
    ready: Mapping[Kind, int]
    present: Mapping[Kind, int]
    unreadable: Mapping[Kind, int]
    left_out: LeftOut
    bad: LeftOut

    @property
    def new(self) -> int:
        """Records that are not in the store yet."""
        return sum(self.ready.values()) - sum(self.present.values())


@dataclass(slots=True)
class Seen:
    """What is kept of an import once all of it was gone through: its keys, and no text.

    `keys`: of each kind, as bytes one behind the other. `largest`: characters of the largest
    record.
    """

    found: Import
    suite: Suite
    left_out: LeftOut
    keys: dict[Kind, bytearray] = field(
        default_factory=lambda: {kind: bytearray() for kind in KINDS}
    )
    unreadable: Counter[Kind] = field(default_factory=Counter)
    agents: set[str] = field(default_factory=set)
    judges: set[str] = field(default_factory=set)
    modes: set[str] = field(default_factory=set)
    largest: int = 0

    def note(self, taken: Taken) -> None:
        """Keep what is needed of one more record."""
        self.keys[taken.kind] += bytes.fromhex(taken.key)
        self.unreadable[taken.kind] += not taken.readable
        self.agents.update(taken.agents)
        self.judges.update({taken.judge} - {""})
        self.modes.add(taken.mode)
        self.largest = max(self.largest, _size(taken))

    def present(self, store: Store | None) -> dict[Kind, set[str]]:
        """The keys that are in a store already; none without one."""
        if store is None:
            return {kind: set() for kind in KINDS}
        return {kind: set(self._there(kind, store)) for kind in KINDS}

    def _there(self, kind: Kind, store: Store) -> Iterator[str]:
        whole = self.keys[kind]
        for begin in range(0, len(whole), ASKED * KEY):
            digits = whole[begin : begin + ASKED * KEY].hex()
            some = [digits[at : at + 2 * KEY] for at in range(0, len(digits), 2 * KEY)]
            for _, key in store.imports.there([(kind, key) for key in some]):
                yield key

    def count(self, kind: Kind) -> int:
        """How many records of a kind there are."""
        return len(self.keys[kind]) // KEY


def look_over(found: Import, suite: Suite) -> Seen:
    """Go through an import, without a store: the longer half of taking it in."""
    left_out = LeftOut(counts=found.left_out.counts.copy(), first=dict(found.left_out.first))
    seen = Seen(found, suite, left_out)
    for taken in prepare(found, suite, left_out):
        seen.note(taken)
    return seen


def look_through(found: Import, suite: Suite, store: Store | None = None) -> Intake:
    """What an import would bring; without a store everything is new. Writes nothing."""
    return what_comes(look_over(found, suite), store)


def what_comes(seen: Seen, store: Store | None = None) -> Intake:
    """What of an import that was gone through would be new in a store."""
    return _intake(seen, seen.present(store))


def take_in(seen: Seen, *, store: Store, makers: Makers, run: str, at: str) -> Intake:
    """Write what is not there yet, and that the import is there; within `store.imports.whole`.

    `makers`: who makes the agents, where somebody said so; `at`: now, UTC.
    """
    there = seen.present(store)
    intake = _intake(seen, there)
    if seen.largest <= USUAL_TEXT:
        store.imports.spare_memory(intake.new)
    if intake.new:
        every = prepare(seen.found, seen.suite, LeftOut())
        for batch in _batches(t for t in every if t.key not in there[t.kind]):
            rows = (tables for taken in batch for tables in _rows(taken, seen.found, run))
            store.imports.append(Rows(tuple(rows)))
    if sum(intake.ready.values()):
        known = {name: makers[name] for name in intake.agents if name in makers}
        store.imports.add(_origin(seen.found, intake, known, at), run)
    return intake


def _batches(fresh: Iterable[Taken]) -> Iterator[list[Taken]]:
    """Records that are handed over together: so many, or so much text."""
    batch: list[Taken] = []
    size = 0
    for taken in fresh:
        batch.append(taken)
        size += _size(taken)
        if len(batch) >= AT_ONCE or size >= MOST_TEXT:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _size(taken: Taken) -> int:
    """Characters of a record that may be many."""
    said = taken.transcript.messages if taken.transcript else ()
    return len(taken.raw or "") + sum(len(m.text) for m in said)


def _rows(taken: Taken, found: Import, run: str) -> Iterator[tuple[str, tuple[tuple, ...]]]:  # type: ignore[type-arg]
    tables: Tables
    if taken.transcript is not None:
        tables = (("transcript", (transcript_row(taken.transcript, run),)),)
    elif taken.sheet is not None:
        tables = sheet_rows(taken.sheet, run)
    else:
        tables = verdict_rows(taken.verdict, run) if taken.verdict else ()
    marked = imported_row(
        taken.kind,
        taken.key,
        origin=found.origin,
        mode=taken.mode,
        place=taken.place,
        raw=taken.raw,
        run=run,
    )
    yield from tables
    yield "imported", (marked,)


def _intake(seen: Seen, there: Mapping[Kind, set[str]]) -> Intake:
    return Intake(
        origin=seen.found.origin,
        agents=tuple(sorted(seen.agents)),
        judges=tuple(sorted(seen.judges)),
        modes=tuple(sorted(seen.modes)),
        ready={kind: seen.count(kind) for kind in KINDS},
        present={kind: len(there[kind]) for kind in KINDS},
        unreadable={kind: seen.unreadable[kind] for kind in KINDS},
        left_out=seen.left_out,
        bad=seen.found.bad,
    )


def _origin(found: Import, intake: Intake, makers: Makers, at: str) -> Origin:
    return Origin(
        origin=found.origin,
        format=found.format,
        source=found.source,
        suite=found.suite,
        orders=found.orders,
        at=at,
        makers=makers,
        counts={kind: intake.ready[kind] for kind in KINDS},
        left_out=intake.left_out.to_json() | intake.bad.to_json(),
        modes=intake.modes,
        agents=intake.agents,
    )

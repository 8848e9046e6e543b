"""take in: somebody else's results → rows of the store, marked with where they came from.

Reads `imported` and the suite; writes `transcript`, `sheet`, `score`, `verdict`,
`verdict_criterion`, `imported` and, once all of it is there, `origin`. The same import brings the
same keys: what is there already stays as it is, and a second try goes on where one broke off.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice

from arena.domain.imported import Import, LeftOut, Makers, Origin
from arena.domain.suite import Suite
from arena.stages.take_in.preparing import Kind, Taken, prepare
from arena.store.imports import imported_row, origin_row
from arena.store.rows import Rows, Tables, sheet_rows, transcript_row, verdict_rows
from arena.store.store import Store
from arena.store.writer import Writer

AT_ONCE = 500
"""Records that are committed together."""
FOLDED = 10
"""Commits after which the log of a large import is folded into the file."""
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


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is kept of a record while all of them are gone through."""

    kind: Kind
    key: str
    mode: str
    agents: tuple[str, ...]
    judge: str
    readable: bool


def look_through(found: Import, suite: Suite, store: Store | None = None) -> Intake:
    """What an import would bring; without a store everything is new. Writes nothing."""
    seen, left_out = _look(found, suite)
    there = store.imports.there([(t.kind, t.key) for t in seen]) if store else set()
    return _intake(found, seen, left_out, there)


async def take_in(
    found: Import,
    suite: Suite,
    *,
    store: Store,
    writer: Writer,
    makers: Makers,
    run: str,
    at: str,
) -> Intake:
    """Write what is not there yet, and at the end that the import is there.

    `makers`: who makes the agents, where somebody said so; `at`: now, UTC.
    """
    seen, left_out = _look(found, suite)
    there = store.imports.there([(t.kind, t.key) for t in seen])
    fresh = (t for t in prepare(found, suite, LeftOut()) if (t.kind, t.key) not in there)
    store.imports.spare_memory()
    for written in count(1):
        batch = tuple(islice(fresh, AT_ONCE))
        if not batch:
            break
        tables = [t for item in batch for t in _rows(item, found, run)]
        await writer.add(Rows(tuple(tables)))
        if written % FOLDED == 0:
            # What is not folded into the file stays in memory, texts and all.
            store.checkpoint()
    intake = _intake(found, seen, left_out, there)
    if seen:
        origin = _origin(found, intake, {n: makers[n] for n in intake.agents if n in makers}, at)
        await writer.add(Rows((("origin", (origin_row(origin, run),)),)))
    return intake


def _look(found: Import, suite: Suite) -> tuple[Sequence[_Seen], LeftOut]:
    """Every record that comes in, without its texts, and what does not come in."""
    left_out = LeftOut(counts=found.left_out.counts.copy(), first=dict(found.left_out.first))
    seen = [
        _Seen(t.kind, t.key, t.mode, t.agents, t.judge, t.readable)
        for t in prepare(found, suite, left_out)
    ]
    return seen, left_out


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


def _intake(
    found: Import, items: Sequence[_Seen], left_out: LeftOut, there: set[tuple[str, str]]
) -> Intake:
    def number(kind: Kind, wanted: Sequence[_Seen]) -> int:
        return sum(t.kind == kind for t in wanted)

    present = [t for t in items if (t.kind, t.key) in there]
    unreadable = [t for t in items if not t.readable]
    return Intake(
        origin=found.origin,
        agents=tuple(sorted({name for t in items for name in t.agents})),
        judges=tuple(sorted({t.judge for t in items if t.judge})),
        modes=tuple(sorted({t.mode for t in items})),
        ready={kind: number(kind, items) for kind in KINDS},
        present={kind: number(kind, present) for kind in KINDS},
        unreadable={kind: number(kind, unreadable) for kind in KINDS},
        left_out=left_out,
        bad=found.bad,
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

"""Results that others made: the tables `origin` and `imported`, and what an import has brought."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from arena.domain.imported import VOTES, Held, Maker, Makers, Origin
from arena.domain.score import SheetSpec
from arena.domain.transcript import TranscriptSpec
from arena.domain.verdict import ORDERS, Presentation, Wording
from arena.store.connection import explain
from arena.store.rows import Row, Rows, dumps, storable
from arena.store.statements import sql
from arena.store.wanted import ask

MEMORY = 96
"""MB that DuckDB may hold while texts come in, beside the keys; what is more waits on the disk."""
MOST = 2_000
OF_A_KEY = 100
"""Bytes of a key in an index: those that were changed cannot wait on the disk."""
KEYS_OF_A_RECORD = 3
TABLES = ("imported", "transcript", "sheet", "score", "verdict")
"""Those whose keys grow with an import."""


@dataclass(frozen=True, slots=True)
class Original:
    """What stood in the file: where, and the text where not all of it is in the row."""

    place: str
    raw: str | None


class Imports:
    """What came from elsewhere, by origin."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path | None) -> None:
        self._connection, self._path = connection, path

    def spare_memory(self, new: int) -> None:
        """Give DuckDB less memory from here on: so many records of texts need it beside."""
        counted = " + ".join(f"(select count(*) from {table})" for table in TABLES)
        there = int(self._connection.execute(f"select {counted}").fetchall()[0][0])
        keys = (there + new * KEYS_OF_A_RECORD) * OF_A_KEY // 1_000_000
        self._connection.execute(f"set memory_limit = '{min(MEMORY + keys, MOST)}MB'")

    @contextmanager
    def whole(self) -> Iterator[None]:
        """All that is written to the store within, or nothing of it, whatever ends it.

        What does not fit into memory waits on the disk, so that the transaction may be of any size.
        Raises StoreError for what cannot be written.
        """
        self._connection.execute("begin")
        try:
            yield
            self._connection.execute("commit")
        except BaseException as error:
            with suppress(duckdb.Error):
                # A database that is invalidated shows what was committed once it is opened again.
                self._connection.execute("rollback")
            if isinstance(error, duckdb.Error):
                raise explain(error, self._path) from None
            raise

    def append(self, rows: Rows) -> None:
        """Add rows that are not in the store yet."""
        by_table: dict[str, list[Row]] = {}
        for table, more in rows.tables:
            by_table.setdefault(table, []).extend(more)
        for table, values in by_table.items():
            appender = self._connection.appender(table)
            try:
                appender.append_rows(values)
                appender.flush()
            except BaseException:
                appender.clear()
                raise

    def add(self, origin: Origin, run: str) -> None:
        """Note that an import is there; what is known of it already stays as it is."""
        row = origin_row(origin, run)
        places = ", ".join("?" * len(row))
        self._connection.execute(
            f"insert into origin values ({places}) on conflict do nothing", row
        )

    def all(self) -> list[Origin]:
        """Every import that came in to its end, in the order in which they came."""
        modes, agents = self._by_origin("origin_modes"), self._by_origin("origin_agents")
        for origin, named in self._connection.execute(sql("vote_files")).fetchall():
            modes[origin], agents[origin] = [VOTES], json.loads(named)
        rows = self._connection.execute(sql("origins_all")).fetchall()
        return [
            replace(
                _to_origin(row),
                modes=tuple(modes.get(row[0], ())),
                agents=tuple(agents.get(row[0], ())),
            )
            for row in rows
        ]

    def _by_origin(self, name: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for origin, value in self._connection.execute(sql(name)).fetchall():
            found.setdefault(origin, []).append(value)
        return found

    def there(self, keys: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
        """Which of some (kind, key) are in the store already."""
        found = ask(self._connection, "imported_there", list(dict.fromkeys(k for _, k in keys)))
        return {(kind, key) for kind, key in found} & set(keys)

    def originals(self, kind: str, keys: Sequence[str]) -> dict[str, Original]:
        """What stood in the file for some rows of a kind, by key."""
        rows = ask(self._connection, "imported_raw", keys)
        return {key: Original(place, raw) for of, key, place, raw in rows if of == kind}

    def held(self, origin: Origin, mode: str) -> Held:
        """The rows of an import in one mode.

        Where its judges see every pair in both orders, a presentation whose other order is missing
        is given with it, so that it is counted as missing.
        """
        facts = {"origin": origin.origin, "mode": mode}
        shown = [_to_presentation(r) for r in self._rows("imported_verdicts", facts)]
        return Held(
            origin=origin,
            transcripts=tuple(_to_spec(r) for r in self._rows("imported_transcripts", facts)),
            sheets=tuple(_to_sheet_spec(r) for r in self._rows("imported_sheets", facts)),
            presentations=tuple(_both_orders(shown) if origin.orders == "both" else shown),
        )

    def _rows(self, name: str, facts: Mapping[str, str]) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql(name), dict(facts)).fetchall()


def origin_row(origin: Origin, run: str) -> Row:
    """A row of `origin`."""
    makers = {name: [m.vendor, m.family] for name, m in sorted(origin.makers.items())}
    return (
        origin.origin,
        storable(dumps(makers)),
        origin.format,
        storable(origin.source),
        origin.suite,
        origin.orders,
        dumps(dict(sorted(origin.counts.items()))),
        storable(dumps({k: dict(v) for k, v in sorted(origin.left_out.items())})),
        run,
        origin.at,
    )


def imported_row(
    kind: str, key: str, *, origin: str, mode: str, place: str, raw: str | None, run: str
) -> Row:
    """A row of `imported`."""
    return (
        kind,
        key,
        origin,
        mode,
        storable(place),
        None if raw is None else storable(raw),
        run,
    )


def _to_origin(row: Row) -> Origin:
    origin, makers, format, source, suite, orders, counts, left_out, at = row
    return Origin(
        origin=origin,
        format=format,
        source=source,
        suite=suite,
        orders=orders,
        at=at,
        makers=_makers(json.loads(makers)),
        counts=json.loads(counts),
        left_out=json.loads(left_out),
    )


def _makers(said: Mapping[str, Sequence[str]]) -> Makers:
    return {name: Maker(vendor=vendor, family=family) for name, (vendor, family) in said.items()}


def _to_spec(row: Row) -> TranscriptSpec:
    suite, shown, mode, agent, agent_digest, scenario, user, replicate, origin, rounds = row
    return TranscriptSpec(
        suite=suite,
        shown=shown,
        mode=mode,
        agent=agent,
        agent_digest=agent_digest,
        scenario=scenario,
        user=user,
        replicate=replicate,
        origin=origin,
        rounds=rounds,
    )


def _to_sheet_spec(row: Row) -> SheetSpec:
    transcript, agent, scenario, judge, judge_digest, *told, scope, number, replicate = row
    return SheetSpec(
        transcript=transcript,
        agent=agent,
        scenario=scenario,
        judge=judge,
        judge_digest=judge_digest,
        wording=_wording(told),
        scope=scope,
        round=number,
        judge_replicate=replicate,
    )


def _to_presentation(row: Row) -> Presentation:
    a, b, agent_a, agent_b, scenario, replicate, judge, judge_digest, *told = row
    *told, order, judge_replicate = told
    return Presentation(
        a=a,
        b=b,
        agent_a=agent_a,
        agent_b=agent_b,
        scenario=scenario,
        replicate=replicate,
        judge=judge,
        judge_digest=judge_digest,
        wording=_wording(told),
        order=order,
        judge_replicate=judge_replicate,
    )


def _wording(told: Sequence[str]) -> Wording:
    template, rubric, notes, cut = told
    return Wording(template=template, rubric=rubric, notes=notes, cut=cut)


def _both_orders(shown: Sequence[Presentation]) -> list[Presentation]:
    """Presentations with the order that is missing of each pair; what has no order stays alone."""
    whole: dict[str, Presentation] = {}
    for one in shown:
        for order in ORDERS if one.order else (None,):
            twin = replace(one, order=order)
            whole.setdefault(twin.key, twin)
    return list(whole.values())

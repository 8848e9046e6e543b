"""The tables `imported_vote` and `vote_file`: files kept whole, all at once, and read again."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import duckdb

from arena.domain.imported import Origin
from arena.store.imports import origin_row
from arena.store.outcomes.source import adopt_table
from arena.store.outcomes.table import ROW, OutcomeSource, quoted
from arena.store.rows import dumps, storable
from arena.store.statements import sql
from arena.store.votes.columns import COLUMNS, kept_sql, rest_of
from arena.store.votes.loaded import LoadedVotes
from arena.store.wanted import wanted

MEMORY = "300MB"
"""What DuckDB may hold while votes come in; what is more waits on the disk."""
OPENED, VERDICTS = "opened_votes", "opened_verdicts"
"""The view and the table of the session that sources are made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteFile:
    """What the columns of an import's file were called, and whom its rows are about.

    `columns`: role → name in the file; `rest`: the further columns. `judges`: how many are named.
    `read`: data rows of the file.
    """

    layout: str
    columns: dict[str, str]
    rest: tuple[str, ...]
    agents: tuple[str, ...]
    judges: int
    read: int


@dataclass(frozen=True, slots=True)
class Voted:
    """How many votes an import has, and how many of them without a winner."""

    rows: int
    unanswered: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRow:
    """One vote as it is kept; None: not known."""

    row: int
    agent_a: str
    agent_b: str
    outcome: str | None
    said: str | None
    order: str | None
    scenario: str | None
    judge: str | None
    margin: float | None
    time: str | None


class Votes:
    """The votes of imports."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def with_little_memory(self) -> duckdb.DuckDBPyConnection:
        """The connection, for loading files into; what it may hold is bounded from here on."""
        self._connection.execute(f"set memory_limit = '{MEMORY}'")
        return self._connection

    def has(self, origin: str) -> bool:
        """Whether an import of votes came in."""
        return self.file(origin) is not None

    def add(self, loaded: LoadedVotes, origin: Origin, *, run: str, judge: str = "") -> int:
        """Keep the sound rows of a file and that they are there, all or nothing; how many.

        `judge`: whose they are, where the file has no column of judges. Of an import that is there
        already nothing is added.
        """
        if self.has(origin.origin):
            return 0
        source, layout = loaded.source, loaded.layout
        kept = kept_sql(source, layout, f"({loaded.won})", f"({loaded.shown})")
        served = layout.served()
        if judge and layout.judge is None:
            served["judge"], kept["judge"] = "", _literal(judge)
        names = ", ".join(quoted(name) for name in COLUMNS)
        row = f"source.{quoted(ROW)}"
        execute = self._connection.execute
        execute("begin")
        try:
            execute(
                f"insert into imported_vote ({names}) "
                f"select $origin, {row}, {', '.join(kept.values())} "
                f"from {source.table} as source {loaded.joins} "
                f"left join fault on fault.row = {row} where fault.row is null",
                {"origin": origin.origin},
            )
            execute(
                sql("vote_file_add"),
                {
                    "origin": origin.origin,
                    "layout": layout.name,
                    "columns": storable(dumps(served)),
                    "rest": storable(dumps(list(rest_of(layout)))),
                    "agents": dumps(list(loaded.agents)),
                    "judges": loaded.judges or bool(judge),
                    "rows_read": loaded.read,
                    "run": run,
                },
            )
            execute(f"insert into origin values ({', '.join('?' * 10)})", origin_row(origin, run))
            execute("commit")
        except BaseException:
            execute("rollback")
            raise
        return loaded.good

    def file(self, origin: str) -> VoteFile | None:
        """What the file of an import was like; None where it brought no votes."""
        found = self._connection.execute(sql("vote_file_of"), {"origin": origin}).fetchone()
        if found is None:
            return None
        layout, columns, rest, agents, judges, read = found
        return VoteFile(
            layout=layout,
            columns=json.loads(columns),
            rest=tuple(json.loads(rest)),
            agents=tuple(json.loads(agents)),
            judges=judges,
            read=read,
        )

    def count(self, origin: str) -> Voted:
        """How many votes came in."""
        found = self._connection.execute(sql("votes_counted"), {"origin": origin}).fetchall()
        return Voted(*found[0])

    def rows(
        self,
        origin: str,
        *,
        agents: Sequence[str] = (),
        scenarios: Sequence[str] = (),
        judges: Sequence[str] = (),
        most: int,
    ) -> tuple[list[VoteRow], int]:
        """The first votes of a part (empty: all), and how many there are in it.

        Of several agents both of a vote must be among them.
        """
        facts = {
            "origin": origin,
            "agents": list(agents),
            "scenarios": list(scenarios),
            "judges": list(judges),
        }
        found = self._connection.execute(sql("votes_of"), {**facts, "most": most}).fetchall()
        rows = [VoteRow(**dict(zip(VoteRow.__slots__, row[:-1], strict=True))) for row in found]
        return rows, int(found[0][-1]) if found else 0

    def judges(self, origin: str, *, most: int) -> list[str]:
        """The judges of an import with most votes, at most so many, by name."""
        facts = {"origin": origin, "most": most}
        found = self._connection.execute(sql("vote_judges"), facts).fetchall()
        return sorted(name for (name,) in found)

    def open(self, origin: str) -> OutcomeSource:
        """The votes of an import as a source of outcomes, by our names; for `where` with a lock.

        Only columns that the file had are there. It is a view of the store: closing it would
        close the store.
        """
        file = self.file(origin)
        if file is None:
            raise KeyError(origin)
        names = [name for name in COLUMNS[2:-1] if name in _there(file.columns)]
        chosen = [quoted(name) for name in names]
        taken = {name.casefold() for name in names}
        for name in file.rest:
            if name.casefold() not in taken:
                pointer = "/" + name.replace("~", "~0").replace("/", "~1")
                chosen.append(f"json_extract_string(rest, {_literal(pointer)}) as {quoted(name)}")
        self._connection.execute(
            f"create or replace temp view {OPENED} as select row as {quoted(ROW)}, "
            f"{', '.join(chosen)} from imported_vote where origin = {_literal(origin)}"
        )
        return adopt_table(self._connection, OPENED)

    def open_verdicts(self, keys: Sequence[str]) -> OutcomeSource:
        """Verdicts of the store, by their keys, as a source of the same columns.

        A verdict without status `ok` is a row without a winner. See `open`.
        """
        with wanted(self._connection, keys):
            self._connection.execute(
                f"create or replace temp table {VERDICTS} as {sql('verdicts_as_votes')}"
            )
        return adopt_table(self._connection, VERDICTS)


def _there(columns: Iterable[str]) -> set[str]:
    """The columns of the table that hold something, from the roles that the file had."""
    sides = {"a": "agent_a", "b": "agent_b"}
    return {"outcome", "said"} | {sides.get(role, role) for role in columns}


def _literal(text: str) -> str:
    # A view takes no parameters.
    quoted_ = text.replace("'", "''")
    return f"'{quoted_}'"

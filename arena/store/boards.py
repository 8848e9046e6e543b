"""Boards, runs and entrants: the tables that say what was computed, by whom, from what."""

import json
from collections.abc import Sequence

import duckdb

from arena.domain.agent import Agent, Judge
from arena.domain.board import Board, from_json, to_json
from arena.domain.digest import digest
from arena.domain.imported import OWN
from arena.domain.simulated import SimulatedUser
from arena.errors import ArenaError, StoreError
from arena.store.rows import dumps
from arena.store.statements import sql


class Boards:
    """The table `board`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def add(
        self, board: Board, *, run: str, domains: tuple[str, ...] = (), origin: str = OWN
    ) -> None:
        """Keep a board of some domains (empty: all), unless it is what the latest one says.

        `origin`: whose results it is made of; boards of different origins never take each other's
        place.
        """
        if board.suite is None or board.mode is None or board.at is None:
            raise StoreError("a board of a file has no place in the store")
        document = to_json(board)
        said = {k: v for k, v in document.items() if k != "at"}
        latest = self.latest(board.suite, board.mode, domains=domains, origin=origin)
        if latest and said == {k: v for k, v in to_json(latest).items() if k != "at"}:
            return
        self._connection.execute(
            sql("board_add"),
            {
                "key": digest([sorted(domains), board.at, said]),
                "suite": board.suite,
                "suite_version": board.suite_version,
                "suite_digest": board.suite_digest,
                "mode": board.mode,
                "panel": dumps(list(board.panel)),
                "data_cut": cut_of(domains, origin),
                "data_digest": board.data_digest,
                "document": dumps(document),
                "run": run,
                "at": board.at,
            },
        )

    def latest(
        self, suite: str, mode: str, *, domains: tuple[str, ...] = (), origin: str = OWN
    ) -> Board | None:
        """The board computed last for a suite, mode, some domains (empty: all) and an origin.

        None also where an older version wrote it in a way that this one does not read: a board
        can be computed again at any time.
        """
        row = self._connection.execute(
            sql("board_latest"),
            {"suite": suite, "mode": mode, "data_cut": cut_of(domains, origin)},
        ).fetchall()
        if not row:
            return None
        try:
            return from_json(json.loads(row[0][0]))
        except ArenaError:
            return None


def cut_of(domains: tuple[str, ...], origin: str) -> str:
    """What a board or report is made of, as a column: domains, and the import if it is one."""
    own = sorted(domains)
    return dumps(own if origin == OWN else {"domains": own, "origin": origin})


class Runs:
    """The tables `run` and `entrant`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def add(
        self, run: str, *, command: str, version: str, seed: int, note: str, started_at: str
    ) -> None:
        """Note that a command began."""
        self._connection.execute(
            sql("run_add"),
            {
                "run": run,
                "command": command,
                "version": version,
                "seed": seed,
                "note": note,
                "started_at": started_at,
            },
        )

    def add_entrants(
        self,
        agents: Sequence[Agent],
        judges: Sequence[Judge],
        run: str,
        *,
        users: Sequence[SimulatedUser] = (),
    ) -> None:
        """Note what the digests of agents, judges and simulated users stand for."""
        entrants: list[tuple[str, Agent | Judge | SimulatedUser]] = [
            *(("agent", a) for a in agents),
            *(("judge", j) for j in judges),
            *(("user", u) for u in users),
        ]
        for kind, entrant in entrants:
            self._connection.execute(
                sql("entrant_add"),
                {
                    "kind": kind,
                    "entrant": entrant.id,
                    "entrant_digest": entrant.digest(),
                    "vendor": entrant.vendor,
                    "family": entrant.family,
                    "version": entrant.version,
                    "model": entrant.model,
                    "api_base": entrant.api_base,
                    "region": entrant.region,
                    "description": dumps(entrant.model_dump(mode="json")),
                    "first_run": run,
                },
            )

"""Reports beside the boards: what was found out about their judges."""

import json

import duckdb

from arena.domain.diagnosis import Diagnosis, from_json, to_json
from arena.domain.digest import digest
from arena.domain.imported import OWN
from arena.errors import ArenaError, StoreError
from arena.store.boards import cut_of
from arena.store.rows import dumps
from arena.store.statements import sql

DIAGNOSIS = "diagnosis"


class Reports:
    """The table `report`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def add(self, diagnosis: Diagnosis, *, run: str, origin: str = OWN) -> None:
        """Keep a diagnosis, unless it is what the latest one of its suite, mode and cut says.

        `origin`: whose verdicts it is about; those of different origins never mix.
        Raises StoreError for the diagnosis of a file, which belongs to no suite.
        """
        if diagnosis.suite is None or diagnosis.mode is None or diagnosis.at is None:
            raise StoreError("a diagnosis of a file has no place in the store")
        document = to_json(diagnosis)
        said = {k: v for k, v in document.items() if k != "at"}
        latest = self.latest(
            diagnosis.suite, diagnosis.mode, domains=diagnosis.domains, origin=origin
        )
        if latest and said == {k: v for k, v in to_json(latest).items() if k != "at"}:
            return
        self._connection.execute(
            sql("report_add"),
            {
                "key": digest([DIAGNOSIS, diagnosis.at, said]),
                "kind": DIAGNOSIS,
                "suite": diagnosis.suite,
                "suite_version": diagnosis.suite_version,
                "mode": diagnosis.mode,
                "data_cut": cut_of(diagnosis.domains, origin),
                "board_digest": diagnosis.board,
                "document": dumps(document),
                "run": run,
                "at": diagnosis.at,
            },
        )

    def latest(
        self, suite: str, mode: str, *, domains: tuple[str, ...] = (), origin: str = OWN
    ) -> Diagnosis | None:
        """The diagnosis made last for a suite, mode, some domains (empty: all) and an origin.

        None also where an older version wrote it in a way that this one does not read.
        """
        row = self._connection.execute(
            sql("report_latest"),
            {
                "kind": DIAGNOSIS,
                "suite": suite,
                "mode": mode,
                "data_cut": cut_of(domains, origin),
            },
        ).fetchone()
        if not row:
            return None
        try:
            return from_json(json.loads(row[0]))
        except ArenaError:
            return None

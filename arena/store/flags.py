"""What people decided about red flags."""

from collections.abc import Iterable

import duckdb

from arena.domain.flag import FlagDecision
from arena.store.rows import storable
from arena.store.statements import sql


class FlagDecisions:
    """The tables `flag_decision` and `flag_withdrawn`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def add(self, decisions: Iterable[FlagDecision], *, run: str) -> int:
        """Keep decisions, but for those that say what that person's latest one says.

        All of them or none; returns how many are new.
        """
        latest = {(d.flag, d.person): (d.decided, d.note) for d in self.all()}
        fresh = []
        for one in decisions:
            said = (one.decided, storable(one.note))
            if latest.get((one.flag, one.person)) != said:
                latest[one.flag, one.person] = said
                fresh.append(one)
        self._connection.execute("begin")
        try:
            for one in fresh:
                self._connection.execute(sql("flag_decision_add"), _facts(one, run))
            self._connection.execute("commit")
        except BaseException:
            self._connection.execute("rollback")
            raise
        return len(fresh)

    def withdraw(self, flag: str, person: str, decided_at: str, *, run: str, at: str) -> bool:
        """Take a decision back; False where there is none.

        It stays in the store, and what the person had decided before counts again.
        """
        which = {"flag": flag, "person": storable(person), "decided_at": decided_at}
        if not self._connection.execute(sql("flag_decision_kept"), which).fetchall():
            return False
        self._connection.execute(sql("flag_decision_withdraw"), {**which, "run": run, "at": at})
        return True

    def latest(self, flag: str, person: str) -> FlagDecision | None:
        """What a person decided last about a flag, and did not take back."""
        own = [d for d in self.all() if d.flag == flag and d.person == storable(person)]
        return own[-1] if own else None

    def all(self) -> list[FlagDecision]:
        """Every decision that was not taken back, earlier ones first."""
        names = ("flag", "person", "decided", "at", "note")
        rows = self._connection.execute(sql("flag_decisions_all")).fetchall()
        return [FlagDecision(**dict(zip(names, row, strict=True))) for row in rows]


def _facts(one: FlagDecision, run: str) -> dict[str, str]:
    return {
        "flag": one.flag,
        "person": storable(one.person),
        "decided": one.decided,
        "note": storable(one.note),
        "run": run,
        "at": one.at,
    }

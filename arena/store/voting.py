"""What people are asked, and their answers: plans with chances, votes, and votes taken back."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TypeVar

import duckdb

from arena.domain.call import Status
from arena.domain.verdict import Outcome
from arena.domain.voting import Cast, Draw, HumanVote, Kept, Pair, VotePlan
from arena.store.rows import storable, verdict_rows
from arena.store.statements import sql

DRAW = (*("a", "b", "agent_a", "agent_b", "scenario", "replicate", "order", "why", "probability"),)
T = TypeVar("T")


class Voting:
    """The tables `vote_plan`, `vote_frame`, `vote_draw`, `vote` and `vote_withdrawn`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def add_plan(self, plan: VotePlan, frame: Sequence[Pair], *, run: str, at: str) -> None:
        """Keep a plan, all of it or nothing; one that is there already stays as it is.

        `frame`: the comparisons that it was drawn from, by their transcripts.
        """
        facts = {
            "key": plan.key,
            "suite": plan.suite,
            "mode": plan.mode,
            "seed": plan.seed,
            "share": plan.share,
            "frame": plan.frame,
            "frame_digest": plan.frame_digest,
            "made_from": plan.made_from,
            "run": run,
            "at": at,
        }

        def write() -> None:
            self._connection.execute(sql("vote_plan_add"), facts)
            sides = {"a": [a for a, _ in frame], "b": [b for _, b in frame]}
            self._connection.execute(sql("vote_frame_add"), {"plan": plan.key, **sides})
            for place, draw in enumerate(plan.draws):
                row = {"plan": plan.key, "place": place, **asdict(draw)}
                self._connection.execute(sql("vote_draw_add"), row)

        self._together(write)

    def plans(self, suite: str, mode: str) -> list[VotePlan]:
        """The plans of a suite and mode, the one in force first."""
        names = ("suite", "mode", "seed", "share", "frame", "frame_digest", "made_from")
        rows = self._connection.execute(
            sql("vote_plans_all"), {"suite": suite, "mode": mode}
        ).fetchall()
        return [
            VotePlan(**dict(zip(names, rest, strict=True)), draws=self._draws(key))
            for key, *rest in rows
        ]

    def frame(self, plan: str) -> frozenset[Pair]:
        """The comparisons that a plan was drawn from; none where that was not kept."""
        rows = self._connection.execute(sql("vote_frame_of"), {"plan": plan}).fetchall()
        return frozenset((a, b) for a, b in rows)

    def _draws(self, plan: str) -> tuple[Draw, ...]:
        rows = self._connection.execute(sql("vote_draws_of"), {"plan": plan}).fetchall()
        return tuple(Draw(**dict(zip(DRAW, row[1:], strict=True))) for row in rows)

    def add(self, votes: Sequence[Cast], *, run: str) -> list[Kept]:
        """Keep answers in one transaction; once this returns they are committed.

        An answer that is there already is `same`, also where it was taken back since; where
        another one stands in its place it is `other`, and nothing is kept of it.
        """
        return self._together(lambda: [self._add(vote, run) for vote in votes])

    def _add(self, vote: Cast, run: str) -> Kept:
        verdict = vote.verdict
        key, attempt = verdict.presentation.key, verdict.attempt
        place = {"verdict": key, "attempt": attempt}
        found = self._connection.execute(sql("vote_kept"), place).fetchone()
        if found is not None:
            said = self._connection.execute(sql("vote_criteria_kept"), place).fetchall()
            criteria = {c.criterion: c.side.value for c in verdict.criteria}
            outcome = verdict.outcome.value if verdict.outcome else None
            same = (verdict.status.value, outcome, criteria) == (*found[:2], dict(said))
            return "same" if same else "other"
        if self._connection.execute(sql("vote_standing"), {"verdict": key}).fetchone():
            return "other"
        for table, rows in verdict_rows(verdict, run):
            for row in rows:
                marks = ", ".join("?" * len(row))
                self._connection.execute(f"insert into {table} values ({marks})", row)
        self._connection.execute(
            sql("vote_add"),
            {
                **place,
                "plan": vote.plan,
                "place": vote.place,
                "person": storable(verdict.presentation.judge),
                "via": vote.via,
                "run": run,
                "at": verdict.at,
            },
        )
        return "new"

    def withdraw(self, verdict: str, attempt: int, *, run: str, at: str) -> bool:
        """Note that an answer was taken back; False where there is none. It stays in the store."""
        place = {"verdict": verdict, "attempt": attempt}

        def write() -> bool:
            if self._connection.execute(sql("vote_kept"), place).fetchone() is None:
                return False
            self._connection.execute(sql("vote_withdraw"), {**place, "run": run, "at": at})
            return True

        return self._together(write)

    def all(self, suite: str, mode: str, *, withdrawn: bool = False) -> list[HumanVote]:
        """The answers to every plan of a suite and mode, each with the chance π of its draw.

        In the plans' order, then by person. `withdrawn`: also those that were taken back.
        """
        asked = {"suite": suite, "mode": mode}
        criteria: dict[tuple[str, int], dict[str, Outcome]] = defaultdict(dict)
        for key, attempt, criterion, side in self._connection.execute(
            sql("votes_criteria"), asked
        ).fetchall():
            criteria[key, attempt][criterion] = Outcome(side)
        rows = self._connection.execute(sql("votes_cast"), asked).fetchall()
        found = [_vote(row, criteria[row[0], row[1]]) for row in rows]
        return [vote for vote in found if withdrawn or not vote.withdrawn]

    def _together(self, write: Callable[[], T]) -> T:
        self._connection.execute("begin")
        try:
            done = write()
            self._connection.execute("commit")
        except BaseException:
            self._connection.execute("rollback")
            raise
        return done


def _vote(row: tuple, criteria: dict[str, Outcome]) -> HumanVote:  # type: ignore[type-arg]
    head = ("verdict", "attempt", "plan", "place", "person", "via", "at")
    status, outcome, withdrawn = row[-3:]
    counts = Status(status) is Status.OK and outcome
    return HumanVote(
        **dict(zip((*head, *DRAW), row[:-3], strict=True)),
        outcome=Outcome(outcome) if counts else None,
        criteria=criteria,
        withdrawn=withdrawn,
    )

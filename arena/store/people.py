"""Verdicts of people, and how often a judge was asked the same: what no plan lists."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from arena.domain.verdict import Order, Outcome
from arena.domain.voting import Why
from arena.store.statements import sql
from arena.store.wanted import ask


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanVerdict:
    """A person's readable verdict on two transcripts; `order` None: not known.

    `criteria`: who was better, by criterion. `why` the person was asked: the comparison was drawn
    at random, or picked because judges differ on it; None where no plan says so.
    """

    judge: str
    a: str
    b: str
    agent_a: str
    agent_b: str
    scenario: str
    order: Order | None
    judge_replicate: int
    outcome: Outcome
    criteria: Mapping[str, Outcome]
    why: Why | None


class People:
    """What people said of transcripts, and repeated askings."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def verdicts(self, transcripts: Sequence[str]) -> list[HumanVerdict]:
        """The readable verdicts of people on pairs of the transcripts wanted, by key."""
        wanted = set(transcripts)
        names = ("judge", "a", "b", "agent_a", "agent_b", "scenario", "order", "judge_replicate")
        criteria: dict[str, dict[str, Outcome]] = defaultdict(dict)
        for key, criterion, side in ask(self._connection, "criteria_of_people", transcripts):
            criteria[key][criterion] = Outcome(side)
        return [
            HumanVerdict(
                **dict(zip(names, values, strict=True)),
                outcome=Outcome(outcome),
                criteria=criteria[key],
                why=why,
            )
            for key, why, outcome, *values in ask(
                self._connection, "verdicts_of_people", transcripts
            )
            if values[2] in wanted
        ]

    def most_repeats(self) -> int:
        """How often one presentation was put to one judge, at most; 1 as a rule."""
        row = self._connection.execute(sql("verdict_repeats")).fetchone()
        return int(row[0]) if row else 1

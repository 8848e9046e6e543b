"""Transcripts, sheets, verdicts, commentary: what is missing of a plan, and what is there.

The verbs are the same for each: `todo` gives what is wanted and not there with what was tried,
`all` gives what is there, in the plan's order. What is written goes through `writer`.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import duckdb

from arena.domain.call import Status
from arena.domain.commentary import Commentary, CommentarySpec
from arena.domain.score import Score, Sheet, SheetSpec
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.domain.verdict import CriterionVerdict, Outcome, Presentation, Verdict
from arena.domain.way import Way
from arena.store.commentaries import to_commentary
from arena.store.rows import to_presentation, to_sheet, to_transcript, to_verdict
from arena.store.statements import sql
from arena.store.wanted import ask


@dataclass(frozen=True, slots=True)
class RoundDone:
    """The latest call of one round: how it ended, and the reply."""

    status: Status
    call: str
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A key that is wanted and not there: its rounds so far, and attempts made per round."""

    key: str
    rounds: dict[int, RoundDone] = field(default_factory=dict)
    attempts: dict[int, int] = field(default_factory=dict)
    utterances: dict[int, RoundDone] = field(default_factory=dict)
    """What a simulated user said to open a round, by round."""
    ended: Status | None = None
    """How the agent's latest call ended, and (`reached`) in which round."""
    reached: int = 0
    answered: Status | None = None
    """How a judge's answer that was read and kept, but cannot be counted, ended."""

    def latest_sitting(self) -> "Tried":
        """The same, of a dialogue that may have begun anew: how far it came the last time."""
        rounds = {n: done for n, done in self.rounds.items() if n <= self.reached}
        if self.ended is not None and self.reached in rounds:
            rounds[self.reached] = replace(rounds[self.reached], status=self.ended)
        return replace(self, rounds=rounds)

    def settled(self, retry_errors: bool) -> bool:
        """Whether it is not to be asked again: it was answered, and nobody asked to retry."""
        return self.answered is not None and not retry_errors

    @property
    def outcome(self) -> Status:
        """How it ended, as far as it came."""
        return self.answered or self.last or Status.ERROR

    @property
    def last(self) -> Status | None:
        """How the latest round ended, the furthest one unless it began anew; None: not tried."""
        furthest = max(self.rounds, default=0)
        if self.ended is not None and self.reached < furthest:
            return self.ended
        return self.rounds[furthest].status if self.rounds else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """A call as the pages show it."""

    serves: str
    kind: str
    speaker: str
    entrant: str
    round: int
    attempt: int
    status: Status
    text: str | None
    tokens_in: int | None
    tokens_out: int | None
    cost: Decimal | None
    currency: str | None
    latency_ms: int | None
    error: str | None
    complaint: str | None
    model_returned: str | None
    key: str


class Transcripts:
    """The table `transcript` and the calls that make its rows."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def todo(self, specs: Sequence[TranscriptSpec]) -> dict[str, Tried]:
        """What of a plan is unfinished, by key, with the rounds that were answered."""
        keys = [s.key for s in specs]
        missing = [row[0] for row in ask(self._connection, "transcripts_missing", keys)]
        tried = _tried(self._connection, missing, "rounds_done")
        for serves, number, status, _, call, text in ask(self._connection, "user_done", missing):
            tried[serves].utterances[number] = RoundDone(Status(status), call, text)
        for serves, status, reached in ask(self._connection, "ended_last", missing):
            tried[serves] = replace(tried[serves], ended=Status(status), reached=reached)
        return tried

    def all(self, specs: Sequence[TranscriptSpec]) -> list[Transcript]:
        """The finished transcripts of a plan."""
        rows = ask(self._connection, "transcripts_all", [s.key for s in specs])
        return [to_transcript(row) for row in rows]


class Sheets:
    """The tables `sheet` and `score`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def todo(self, specs: Sequence[SheetSpec]) -> dict[str, Tried]:
        """What of a plan has no readable sheet, by key, with how it ended so far."""
        answered = {s.spec.key: s.status for s in self.all(specs)}
        return _judged(self._connection, [s.key for s in specs], answered)

    def all(self, specs: Sequence[SheetSpec]) -> list[Sheet]:
        """The current sheet of each planned one that was answered, readable or not."""
        by_key = {s.key: s for s in specs}
        keys = list(by_key)
        scores: dict[str, list[Score]] = defaultdict(list)
        for sheet, criterion, value, comment in ask(self._connection, "scores_all", keys):
            scores[sheet].append(Score(criterion=criterion, value=value, comment=comment))
        rows = ask(self._connection, "sheets_all", keys)
        return [to_sheet(by_key[key], tuple(rest), tuple(scores[key])) for key, *rest in rows]

    def blocked(self, specs: Sequence[SheetSpec]) -> frozenset[str]:
        """Keys of the planned ones whose current answer a content policy blocked."""
        return frozenset(s.spec.key for s in self.all(specs) if s.status is Status.BLOCKED)


class Verdicts:
    """The tables `verdict` and `verdict_criterion`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def todo(self, specs: Sequence[Presentation]) -> dict[str, Tried]:
        """What of a plan has no readable verdict, by key, with how it ended so far."""
        answered = {v.presentation.key: v.status for v in self.all(specs)}
        return _judged(self._connection, [s.key for s in specs], answered)

    def all(self, specs: Sequence[Presentation]) -> list[Verdict]:
        """The current verdict of each planned presentation that was answered, readable or not."""
        by_key = {s.key: s for s in specs}
        keys = list(by_key)
        criteria: dict[str, list[CriterionVerdict]] = defaultdict(list)
        for key, criterion, side, strength in ask(self._connection, "verdict_criteria_all", keys):
            criteria[key].append(
                CriterionVerdict(criterion=criterion, side=Outcome(side), strength=strength)
            )
        rows = ask(self._connection, "verdicts_all", keys)
        return [to_verdict(by_key[key], tuple(rest), tuple(criteria[key])) for key, *rest in rows]

    def beginning(
        self, beginning: str, transcripts: Sequence[TranscriptSpec]
    ) -> list[Presentation]:
        """The presentations of some transcripts that have an answer, by how their keys begin.

        These may be no longer planned: what is told beside the transcripts may have changed.
        """
        there = {t.key for t in transcripts}
        rows = self._connection.execute(sql("verdicts_beginning"), {"beginning": beginning})
        found = [to_presentation(row) for row in rows.fetchall()]
        return [p for p in found if p.a in there and p.b in there]

    def blocked(self, specs: Sequence[Presentation]) -> frozenset[str]:
        """Keys of the planned ones whose current answer a content policy blocked."""
        return frozenset(v.presentation.key for v in self.all(specs) if v.status is Status.BLOCKED)


class Commentaries:
    """The table `commentary`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def todo(self, specs: Sequence[CommentarySpec]) -> dict[str, Tried]:
        """What of a plan has no whole commentary, by key, with how it ended so far."""
        answered = {c.spec.key: c.status for c in self.all(specs)}
        return _judged(self._connection, [s.key for s in specs], answered)

    def all(self, specs: Sequence[CommentarySpec]) -> list[Commentary]:
        """The current commentary of each planned one that was answered, whole or not."""
        by_key = {s.key: s for s in specs}
        rows = ask(self._connection, "commentaries_all", list(by_key))
        return [to_commentary(by_key[key], tuple(rest)) for key, *rest in rows]


class Calls:
    """The table `call`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def all(self, keys: Sequence[str]) -> list[CallRecord]:
        """The calls that serve the keys, in the keys' order, then by round and attempt."""
        return [_call(row) for row in ask(self._connection, "calls_of", keys)]

    def ways(self, keys: Sequence[str]) -> list[Way]:
        """How the calls that serve the keys were made, in a fixed order."""
        return [
            Way(
                speaker=speaker,
                entrant=entrant,
                asked=asked,
                returned=returned,
                host=host,
                sent=sent,
                dropped=dropped,
                calls=calls,
            )
            for speaker, entrant, asked, returned, host, sent, dropped, calls in ask(
                self._connection, "ways_of", keys
            )
        ]

    def served(self, calls: Sequence[str]) -> dict[str, str]:
        """The model string that the provider returned, by key of the call; unknown is left out."""
        return dict(ask(self._connection, "models_served", calls))

    def newest(self) -> dict[str, str]:
        """The model string that served each judge last; unknown is left out."""
        return dict(self._connection.execute(sql("strings_newest")).fetchall())

    def prompts(self, key: str) -> tuple[str, ...]:
        """Digests of the prompts that were sent for a key; a repair has one of its own."""
        rows = self._connection.execute(sql("prompts_sent"), {"key": key}).fetchall()
        return tuple(row[0] for row in rows)

    def strings(self, run: str) -> dict[tuple[str, str], tuple[str, ...]]:
        """Model strings that served a run, by (speaker, entrant), first met first."""
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        rows = self._connection.execute(sql("strings_of_run"), {"run": run}).fetchall()
        for speaker, entrant, model in rows:
            found[speaker, entrant].append(model)
        return {who: tuple(models) for who, models in found.items()}


def _judged(
    connection: duckdb.DuckDBPyConnection, keys: Sequence[str], answered: Mapping[str, Status]
) -> dict[str, Tried]:
    """What has no readable answer; one that was answered unreadably says so."""
    missing = [key for key in keys if answered.get(key) is not Status.OK]
    tried = _tried(connection, missing, "judged_last")
    return {k: replace(t, answered=answered.get(k)) for k, t in tried.items()}


def _tried(
    connection: duckdb.DuckDBPyConnection, keys: Sequence[str], rounds: str
) -> dict[str, Tried]:
    tried = {key: Tried(key=key) for key in keys}
    for serves, number, attempts in ask(connection, "attempts_made", keys):
        tried[serves].attempts[number] = attempts
    for serves, number, status, _, call, text in ask(connection, rounds, keys):
        tried[serves].rounds[number] = RoundDone(Status(status), call, text)
    return tried


def _call(row: tuple[Any, ...]) -> CallRecord:
    names = (
        "serves",
        "kind",
        "speaker",
        "entrant",
        "round",
        "attempt",
        "status",
        "text",
        "tokens_in",
        "tokens_out",
        "cost",
        "currency",
        "latency_ms",
        "error",
        "complaint",
        "model_returned",
        "key",
    )
    values = dict(zip(names, row, strict=True))
    return CallRecord(**{**values, "status": Status(values["status"])})

"""What `arena export votes` and `arena import votes` do: presentations to people, votes back."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.filled_in import FilledIn
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, Bench, Narrowed, command_line, now
from arena.domain.voting import Cast, Via
from arena.errors import ConfigError, UsageError
from arena.exchange import ballots
from arena.judging.labels import Side
from arena.judging.voting import Answer, show_for, verdict_of

if TYPE_CHECKING:
    from arena.serving.ballots import Ballots
    from arena.serving.snapshot import Drawing, Room
    from arena.store.store import Store


@dataclass(frozen=True, slots=True)
class Open:
    """A room in which people vote, with its answers so far."""

    room: "Room"
    ballots: "Ballots"


def open_rooms(bench: Bench, store: "Store", drawing: "Drawing | None" = None) -> list[Open]:
    """The rooms of a workspace in which there is something to vote on; draws where nothing is.

    Raises UsageError where there is no such room.
    """
    from arena.serving.snapshot import Drawing, take

    terms = drawing or Drawing(run=bench.run, at=now())
    rooms = take(bench.jobs, store, terms, at=now()).rooms
    found = [Open(room, room.ballots) for room in rooms if room.ballots is not None]
    if not found:
        raise UsageError(
            "there is nothing to vote on: no scenario has transcripts of two agents",
            fix="Run arena collect first.",
        )
    return found


def note_run(bench: Bench, store: "Store", argv: Sequence[str]) -> None:
    """Note that a command that may write began."""
    store.runs.add(
        bench.run,
        command=command_line(argv),
        version=SOFTWARE,
        seed=bench.config.seed,
        note="",
        started_at=now(),
    )


def export_ballots(path: Path, given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """Write a row for every presentation that is drawn, in the order in which it was drawn."""
    from arena.cli.course import asked_of
    from arena.cli.imported_boards import looking

    with looking(asked_of(given)) as (bench, store):
        note_run(bench, store, tuple(sys.argv[1:]))
        rooms = open_rooms(bench, store)
        store.checkpoint()
    rows = [row for one in rooms for row in _rows(one)]
    ballots.write(path, rows, _criteria(rooms))
    if as_json:
        output.print_json({"schema": "arena.export/1", "file": str(path), "votes": len(rows)})
        return
    output.tell(say(lang, "ballots_written", path=path, n=len(rows)))
    output.tell(say(lang, "next_after_ballots", path=path), style="bold")


def import_ballots(sheet: FilledIn, lang: Lang, *, as_json: bool) -> int:
    """Keep the votes of a filled-in table, each once; returns the exit code.

    3: wrong rows were left out. Raises ConfigError for a wrong cell otherwise.
    """
    from arena.cli.imported_boards import looking

    faults: list[ConfigError] = []
    filled = ballots.read(sheet.path, person=sheet.person, faults=faults)
    with looking(Narrowed(project=sheet.project)) as (bench, store):
        rooms = open_rooms(bench, store)
        casts, left_out = _all_casts(filled, rooms, faults)
        sheet.check(faults, lang)
        kept: Sequence[str] = ()
        if not sheet.dry:
            note_run(bench, store, sheet.argv)
            kept = store.voting.add(casts, run=bench.run)
            store.checkpoint()
    told: dict[str, Any] = {
        "votes": len(casts),
        "new": None if sheet.dry else kept.count("new"),
        "other": kept.count("other"),
        "left_out": left_out,
    }
    if as_json:
        document = {**told, "bad": len(faults), "dry_run": sheet.dry}
        output.print_json({"schema": "arena.import/1", "file": str(sheet.path), **document})
        return sheet.code(faults)
    output.tell(say(lang, "ballots_would" if sheet.dry else "ballots_read", **told))
    if told["other"]:
        output.tell(say(lang, "ballots_other", n=told["other"]))
    return sheet.code(faults)


def _all_casts(
    filled: Sequence[ballots.FilledBallot], rooms: Sequence[Open], faults: list[ConfigError]
) -> tuple[list[Cast], int]:
    """The votes of some rows, and how many rows are of other workspaces; wrong ones to `faults`."""
    casts: list[Cast] = []
    left_out = 0
    for row in filled:
        try:
            found = list(_casts(row, rooms))
        except ConfigError as fault:
            faults.append(fault)
            continue
        casts += found
        left_out += not found
    return casts, left_out


def cast_of(one: Open, place: int, answer: Answer, person: str, *, via: Via, attempt: int) -> Cast:
    """An answer of a person as it goes to the store."""
    plan = one.ballots.plan
    verdict = verdict_of(
        answer,
        plan.draws[place],
        one.room.job,
        person,
        item=plan.item(place),
        attempt=attempt,
        at=now(),
    )
    return Cast(plan=plan.key, place=place, verdict=verdict, via=via)


def _casts(row: ballots.FilledBallot, rooms: Sequence[Open]) -> Iterator[Cast]:
    """The vote of a row; none where its number is of no presentation here."""
    for one in rooms:
        place = one.ballots.plan.places.get(row.item)
        if place is None:
            continue
        _check_criteria(row, one, place)
        side: Side | None = None if row.choice == "skip" else row.choice
        # The same vote again is the one that stands; after it was taken back it is a new one.
        stands = one.ballots.stands(row.person, place)
        attempt = stands or one.ballots.turn(row.person, place)
        answer = Answer(choice=side, criteria=row.criteria)
        yield cast_of(one, place, answer, row.person, via="sheet", attempt=attempt)
        one.ballots.note(row.person, place, attempt, skipped=side is None)


def _check_criteria(row: ballots.FilledBallot, one: Open, place: int) -> None:
    job = one.room.job
    scenario = job.scenario(one.ballots.plan.draws[place].scenario)
    known = {c.criterion for c in job.suite.rubric_of(scenario).compare_criteria()}
    for key in row.criteria:
        if key not in known:
            raise ConfigError(
                "{place}: {criterion} is no criterion of this row", place=row.place, criterion=key
            )


def _rows(one: Open) -> Iterator[ballots.BallotRow]:
    plan, room = one.ballots.plan, one.room
    for place, draw in enumerate(plan.draws):
        if not {draw.a, draw.b} <= set(room.transcripts):
            continue
        shown = show_for(draw, room.job, room.transcripts, plan.item(place))
        told = (shown.title, shown.user, shown.context)
        first, second = (
            "\n\n".join(f"{'▶' if who == 'user' else code}: {text}" for who, text in dialogue)
            for code, dialogue in zip(shown.codes, shown.dialogues, strict=True)
        )
        yield ballots.BallotRow(
            item=plan.item(place),
            situation="\n".join(text for text in told if text),
            first=first,
            second=second,
            criteria=frozenset(key for key, *_ in shown.criteria),
        )


def _criteria(rooms: Sequence[Open]) -> dict[str, str]:
    """Every criterion that is compared by, with its name."""
    found: dict[str, str] = {}
    for one in rooms:
        suite = one.room.job.suite
        for scenario in suite.scenarios:
            for c in suite.rubric_of(scenario).compare_criteria():
                found.setdefault(c.criterion, c.name[suite.language])
    return found

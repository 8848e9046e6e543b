"""What `arena vote` does: the next presentation, a key a question, and each vote kept at once.

The store is open for a moment when a vote is kept, as with `arena serve`: the two and other
commands work beside each other.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from arena.cli import output
from arena.cli.balloting import Open, cast_of, note_run, open_rooms
from arena.cli.keys import END, read_key
from arena.cli.words import Lang, say
from arena.cli.workspace import Narrowed, now
from arena.domain.voting import Kept
from arena.exchange.flags import name_person
from arena.judging.labels import Side
from arena.judging.voting import Answer, Shown, presentation_for, show_for
from arena.store.store import Store

CHOICES: Mapping[str, Side] = {"1": "first", "2": "second", "0": "tie"}
SKIP, UNDO, NEXT = "s", "u", "n"


def vote_here(given: Mapping[str, Any], lang: Lang, *, key: Callable[[], str] = read_key) -> None:
    """Vote until everything is answered or `q` is pressed. Raises ConfigError for a wrong name."""
    from arena.cli.imported_boards import looking

    person = name_person("--as", given["name"])
    asked = Narrowed(
        project=given.get("project"),
        suites=tuple(given.get("suite") or ()),
        mode=given.get("mode"),
    )
    with looking(asked) as (bench, store):
        note_run(bench, store, tuple(sys.argv[1:]))
        rooms = open_rooms(bench, store)
        store.checkpoint()
    for one in rooms:
        booth = Booth(one, person, lang, key, run=bench.run, database=bench.workspace.database)
        if not booth.go_through():
            output.tell(say(lang, "vote_ended"))
            return
    output.tell(say(lang, "vote_all_done"))


class Booth:
    """One person's way through one room."""

    def __init__(
        self,
        one: Open,
        person: str,
        lang: Lang,
        key: Callable[[], str],
        *,
        run: str,
        database: Any,
    ) -> None:
        self._one, self._person, self._lang, self._key = one, person, lang, key
        self._run, self._database = run, database

    def go_through(self) -> bool:
        """Ask until all is answered; False where the person ended it."""
        while (place := self._one.ballots.next_place(self._person)) is not None:
            shown = self._shown(place)
            self._show(shown)
            answer = self._ask(shown)
            if answer == END:
                return False
            if answer == UNDO:
                self._undo()
            elif isinstance(answer, Answer):
                self._keep(place, answer)
        return True

    def _shown(self, place: int) -> Shown:
        plan, room = self._one.ballots.plan, self._one.room
        return show_for(plan.draws[place], room.job, room.transcripts, plan.item(place))

    def _show(self, shown: Shown) -> None:
        how = self._one.ballots.progress(self._person)
        told = say(self._lang, "vote_progress", done=how.done, total=how.total)
        output.print_shown(f"\n══ {told} · {output.in_one_line(shown.title)} ══", style="bold")
        if shown.user:
            output.print_shown(shown.user, style="italic")
        for code, dialogue in zip(shown.codes, shown.dialogues, strict=True):
            output.print_shown(f"\n── {code} ──", style="bold cyan")
            for who, text in dialogue:
                name = say(self._lang, "vote_user") if who == "user" else code
                output.print_shown(f"{name}: {text}", style="dim" if who == "user" else "")
        if shown.context:
            # Last: what the author knows comes after the voter's own view.
            behind = say(self._lang, "vote_behind", text=shown.context)
            output.print_shown(f"\n{behind}", style="italic")

    def _ask(self, shown: Shown) -> "Answer | str":
        """An answer, or the key that asks for something else."""
        criteria: dict[str, Side] = {}
        for name, title, question in shown.criteria:
            found = self._press(shown, f"{title} — {question}", more=NEXT)
            if found in CHOICES:
                criteria[name] = CHOICES[found]
            elif found != NEXT:
                return _other(found)
        found = self._press(shown, say(self._lang, "vote_overall"), more="")
        if found in CHOICES:
            return Answer(choice=CHOICES[found], criteria=criteria)
        return _other(found)

    def _press(self, shown: Shown, question: str, *, more: str) -> str:
        """A key that means something here."""
        first, second = shown.codes
        keys = say(self._lang, "vote_keys", first=first, second=second)
        if more:
            keys += " · " + say(self._lang, "vote_key_next")
        output.print_shown(f"\n{output.in_one_line(question)}\n{keys}", style="bold")
        known = {*CHOICES, SKIP, UNDO, END, *more}
        while (key := self._key()) not in known:
            pass
        return key

    def _keep(self, place: int, answer: Answer) -> None:
        ballots = self._one.ballots
        attempt = ballots.turn(self._person, place)
        cast = cast_of(self._one, place, answer, self._person, via="terminal", attempt=attempt)
        with Store(self._database) as store:
            kept: Kept = store.voting.add([cast], run=self._run)[0]
        if kept == "other":
            output.tell(say(self._lang, "vote_conflict"))
        ballots.note(self._person, place, attempt, skipped=answer.choice is None)

    def _undo(self) -> None:
        ballots, last = self._one.ballots, self._one.ballots.last(self._person)
        if last is None:
            output.tell(say(self._lang, "vote_nothing_to_undo"))
            return
        place, attempt = last
        shown = presentation_for(ballots.plan.draws[place], self._one.room.job, self._person)
        with Store(self._database) as store:
            store.voting.withdraw(shown.key, attempt, run=self._run, at=now())
        ballots.take_back(self._person, place, attempt)


def _other(key: str) -> "Answer | str":
    """A skip as an answer; any other key as it is."""
    return Answer(choice=None, criteria={}) if key == SKIP else key

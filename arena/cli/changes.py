"""What changed since a former board, in the terminal and as data."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.board_view import percent, ranks
from arena.cli.boards import whole_jobs
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.domain.changes import AgentChange, Changes, Shift, key_of, to_json
from arena.domain.former import Former
from arena.domain.job import Job
from arena.domain.money import Money
from arena.domain.standing import Standing
from arena.errors import UsageError
from arena.store.store import Store

if TYPE_CHECKING:
    from arena.site import Published


def compare_all(bench: Bench, store: Store, old: Path | None, lang: Lang) -> dict[str, Changes]:
    """What changed in every job that the old file or folder has a board of, by `key_of` the job.

    Raises UsageError where there is none, and for boards that must not be compared.
    """
    if old is None:
        return {}
    from arena.exchange.former import read_former
    from arena.stages.rank.changes import compare_boards

    formers = read_former(old)
    jobs = whole_jobs(bench)
    pairs = [(job, _former_of(job, formers)) for job in jobs]
    if len(jobs) == len(formers) == 1:
        # Of two single boards it is said in what they differ.
        pairs = [(jobs[0], formers[0])]
    found = {key_of(j): compare_boards(f, j, store) for j, f in pairs if f is not None}
    if not found:
        raise UsageError(
            "{option}: {path} has no board that could be compared with one of here",
            why="It holds: {then}.",
            option="--compare",
            path=old,
            then=", ".join(f"{f.board.suite} · {f.board.mode}" for f in formers),
        )
    for job, former in pairs:
        if former is None:
            board = f"{job.suite.suite} · {job.mode}"
            output.tell(say(lang, "changes_without", board=board), style="yellow")
    return found


def _former_of(job: Job, formers: tuple[Former, ...]) -> Former | None:
    """The board of the same suite, mode and origin."""
    for former in formers:
        board = former.board
        origin = board.imported.origin if board.imported else "own"
        if (board.suite, board.mode, origin) == (job.suite.suite, job.mode, job.origin):
            return former
    return None


def describe_changes(done: "Published") -> dict[str, Any]:
    """The changes of every board as data; nothing where no former board was named."""
    found = [to_json(board.changes) for board in done.boards if board.changes]
    return {"changes": found} if found else {}


def show_changes(done: "Published", bench: Bench, lang: Lang) -> None:
    """A table a board on stdout, and what may be said of it on stderr."""
    names = {a.agent: a.display[lang] for a in bench.agents}
    for board in done.boards:
        if board.changes:
            _show(board.changes, names, lang)


def _show(changes: Changes, names: dict[str, str], lang: Lang) -> None:
    from arena.site.changes_claim import say_beside, say_claim
    from arena.site.words import say_in

    def name(agent: str) -> str:
        words = changes.names.get(agent)
        gone = words[0 if lang == "zh" else 1] if words else agent
        return names.get(agent, gone)

    page = say_in(lang)
    heads = ["rank", "rating", "rating_change", "absolute", "absolute_change", "eligible", "cost"]
    rows = [_row(change, name(change.agent), lang) for change in changes.agents]
    # A column in which nobody has anything says nothing.
    kept = [n for n in range(len(heads) + 1) if any(row[n] not in ("—", "") for row in rows)]
    titles = [say(lang, f"column_{head}") for head in ("agent", *heads)]
    title = say(lang, "changes_title", source=changes.source, at=(changes.at or "—")[:16])
    output.print_table(
        title,
        [titles[n] for n in kept],
        [[row[n] for n in kept] for row in rows],
        right=frozenset(),
    )
    output.tell(output.in_one_line(say_claim(changes, page, name)), style="bold")
    for said in say_beside(changes, page, name):
        output.tell(output.in_one_line(said))
    for caveat in changes.caveats:
        output.tell(say(lang, f"changes_{caveat.key}"), style="yellow")
    output.tell(say(lang, "changes_about", level=percent(changes.level)))


def _row(change: AgentChange, name: str, lang: Lang) -> list[str]:
    then, now = change.then, change.now
    if change.presence != "both":
        name = f"{name} ({say(lang, f'changes_{change.presence}')})"
    elif change.altered:
        name = f"{name} ({say(lang, 'changes_altered')})"
    both = change.presence == "both"
    states = tuple(
        "—" if state is None else say(lang, f"eligible_{state.value}")
        for state in change.eligibility
    )
    return [
        name,
        _turned(_rank(then), _rank(now)),
        _turned(_rating(then), _rating(now)),
        _shift(change.rating, 0, lang) if both else "",
        _turned(_score(then), _score(now)),
        _shift(change.absolute, 1, lang) if both else "",
        _turned(*states),
        _turned(_money(change.cost_then), _money(change.cost_now)),
    ]


def _turned(then: str, now: str) -> str:
    return then if then == now else f"{then} → {now}"


def _rank(standing: Standing | None) -> str:
    return ranks(standing.rank_low, standing.rank_high) if standing else "—"


def _rating(standing: Standing | None) -> str:
    if standing is None or standing.rating is None:
        return "—"
    return f"{standing.rating:.0f}"


def _score(standing: Standing | None) -> str:
    if standing is None or standing.absolute is None:
        return "—"
    return f"{standing.absolute.mean:.1f}"


def _money(money: Money | None) -> str:
    return "—" if money is None else str(money)


def _shift(shift: Shift, digits: int, lang: Lang) -> str:
    if shift.difference is None:
        return "—"
    told = _signed(shift.difference, digits)
    if shift.why == "reference":
        return f"{told} ({say(lang, 'changes_reference')})"
    if shift.same:
        return f"{told} ({say(lang, 'changes_same')})"
    if shift.low is None or shift.high is None:
        return f"{told} ({say(lang, 'changes_no_interval')})"
    return f"{told} ({_signed(shift.low, digits)} … {_signed(shift.high, digits)})"


def _signed(value: float, digits: int) -> str:
    """A difference with its sign; no sign before 0."""
    told = f"{value:+.{digits}f}"
    return told if float(told) else told[1:]

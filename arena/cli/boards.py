"""Boards in the terminal, and the site from the command line."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, Bench, now
from arena.domain.board import AbsoluteScore, Board, Open, Standing, State
from arena.domain.job import Job
from arena.domain.plan import Selection
from arena.store.store import Store

if TYPE_CHECKING:
    from arena.site import Published


def whole_jobs(bench: Bench) -> tuple[Job, ...]:
    """The jobs as a board sees them: everybody, narrowed to domains only."""
    return tuple(
        replace(job, selection=Selection(domains=job.selection.domains)) for job in bench.jobs
    )


def rank_all(bench: Bench, store: Store) -> list[Board]:
    """The board of every job, fitted and kept."""
    from arena.stages.rank import rank

    return [rank(job, store=store, software=SOFTWARE, at=now()) for job in whole_jobs(bench)]


def publish_all(
    bench: Bench, store: Store, *, command: str, lang: Lang, out: Path | None = None
) -> "Published":
    """The site of every job."""
    from arena.site import publish

    return publish(
        jobs=whole_jobs(bench),
        store=store,
        out=out or bench.workspace.leaderboard,
        lang=lang,
        command=command,
        software=SOFTWARE,
    )


def show_board(job: Job, board: Board, lang: Lang) -> None:
    """A board as a table on stdout, with what may be said of it below."""
    names = {a.agent: a.display[lang] for a in job.agents}
    heads = [
        say(lang, f"column_{c}")
        for c in ("rank", "agent", "rating", "interval", "absolute", "record", "comparisons")
    ]
    rows = [_row(s, names.get(s.agent, s.agent), lang) for s in board.agents]
    title = say(
        lang,
        "board_title",
        suite=job.suite.name[lang],
        version=board.suite_version,
        mode=job.suite.modes[board.mode].name[lang],
    )
    output.print_table(title, heads, rows, right=frozenset({2, 4, 6}))
    for line in remarks(board, names, lang):
        output.tell(line)


def remarks(board: Board, names: dict[str, str], lang: Lang) -> list[str]:
    """What stands under the table: what decides, what is missing, how sure."""
    found = [say(lang, f"note_{note.key}", **note.facts) for note in board.notes]
    decided = [p for p in board.pairs if p.decision]
    ranked = [s for s in board.agents if s.state is State.RANKED]
    if len(ranked) > 1:
        pairs = len(ranked) * (len(ranked) - 1) // 2
        found.append(say(lang, "decided", decided=len(decided), pairs=pairs))
    said = board.diagnostics
    if said.flip_rate is not None:
        found.append(
            say(
                lang,
                "diagnostics",
                flips=f"{said.flip_rate:.0%}",
                ties=f"{said.tie_share or 0:.0%}",
                cycles=said.cycles,
            )
        )
    left_out = {k: n for k, n in said.rows.excluded.items() if n}
    if left_out:
        counts = ", ".join(
            say(lang, "count_of", n=n, what=say(lang, f"status_{k}")) for k, n in left_out.items()
        )
        found.append(say(lang, "excluded", counts=counts))
    if len(board.panel) == 1:
        found.append(say(lang, "single_judge", judge=board.panel[0]))
    return found


def show_published(published: "Published", lang: Lang) -> None:
    """Where the page is."""
    for warning in published.warnings:
        output.tell(warning, style="yellow")
    output.tell(say(lang, "published", files=published.files, kb=published.bytes // 1024))
    output.tell(say(lang, "open_page", index=published.index), style="bold")


def _row(standing: Standing, name: str, lang: Lang) -> list[str]:
    absolute = _with_margin(standing.absolute)
    record = f"{standing.wins}/{standing.ties}/{standing.losses}"
    if standing.state is State.RANKED:
        name_cell = name
    else:
        name_cell = f"{name} ({say(lang, f'state_{standing.state.value}')})"
    return [
        _range(standing.rank_low, standing.rank_high),
        name_cell,
        "—" if standing.rating is None else f"{standing.rating:.0f}",
        _interval(standing.low, standing.high, standing.open),
        absolute,
        record,
        str(standing.comparisons),
    ]


def _range(low: int | None, high: int | None) -> str:
    if low is None or high is None:
        return "—"
    return str(low) if low == high else f"{low}–{high}"


def _interval(low: float | None, high: float | None, side: Open | None) -> str:
    if side == "above" and low is not None:
        return f"≥ {low:.0f}"
    if side == "below" and high is not None:
        return f"≤ {high:.0f}"
    if low is None or high is None:
        return "—"
    return f"{low:.0f} – {high:.0f}"


def _with_margin(score: AbsoluteScore | None) -> str:
    if score is None:
        return "—"
    if score.low is None or score.high is None:
        return f"{score.mean:.1f}"
    return f"{score.mean:.1f} ({score.low:.1f}–{score.high:.1f})"

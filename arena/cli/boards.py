"""Boards in the terminal, and the site from the command line."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.accuracy_view import show_accuracy
from arena.cli.board_view import show_board
from arena.cli.findings import findings_told, salt_of, secrets_of
from arena.cli.kept_boards import kept_board
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, Bench, now
from arena.domain.board import Board
from arena.domain.changes import Changes
from arena.domain.imported import ImportNote
from arena.domain.job import Job
from arena.domain.plan import Selection
from arena.domain.suite import Suite
from arena.store.store import Store

if TYPE_CHECKING:
    from arena.site import Published, Release


def whole_jobs(bench: Bench) -> tuple[Job, ...]:
    """The jobs as a board sees them: everybody, narrowed to domains only."""
    return tuple(
        replace(job, selection=Selection(domains=job.selection.domains)) for job in bench.jobs
    )


def rank_all(
    bench: Bench,
    store: Store,
    options: Mapping[str, Any] | None = None,
    *,
    check: bool = False,
    mixed_judges: bool = False,
) -> list[Board]:
    """The board of every job, fitted and kept; `options`: those of `stages.rank.choose_method`.

    Of votes that were imported: those of `ranking.rank`. The board of an import of which nothing
    has changed is that of the store.
    """
    plain = not options and not check and not mixed_judges
    return [
        (kept_board(job, store) if plain else None)
        or _rank(job, store, options or {}, check=check, mixed_judges=mixed_judges)
        for job in whole_jobs(bench)
    ]


def _rank(
    job: Job, store: Store, options: Mapping[str, Any], *, check: bool, mixed_judges: bool
) -> Board:
    from arena.cli.vote_boards import rank_votes
    from arena.stages.rank.choosing import choose_method
    from arena.stages.rank.rank import rank

    if job.held and job.held.votes:
        return rank_votes(job, store, options, check=check)
    return rank(
        job,
        store=store,
        software=SOFTWARE,
        at=now(),
        method=choose_method(job, **options),
        check=check,
        mixed_judges=mixed_judges,
    )


def publish_all(
    bench: Bench,
    store: Store,
    *,
    command: str,
    lang: Lang,
    out: Path | None = None,
    figures: bool = False,
    release: "Release | None" = None,
    browser: str | None = None,
    beside: Mapping[str, bytes] = MappingProxyType({}),
    changes: Mapping[str, "Changes"] = MappingProxyType({}),
) -> "Published":
    """The site of every job; `release`: what of it is held back, by default nothing.

    `changes`: since a former board, by job.
    """
    from arena.site import Release, publish

    terms = release or Release()
    with findings_told(lang):
        return publish(
            jobs=whole_jobs(bench),
            store=store,
            out=out or bench.workspace.leaderboard,
            lang=lang,
            command=command,
            software=SOFTWARE,
            figures=figures,
            release=replace(terms, secrets=secrets_of(bench), salt=salt_of(bench)),
            browser=browser,
            beside=beside,
            changes=changes,
        )


def names_of(job: Job, lang: Lang) -> dict[str, str]:
    """Display names by agent."""
    return {a.agent: a.display[lang] for a in job.agents}


def title_of(job: Job, board: Board, lang: Lang) -> str:
    """The title over a job's board."""
    title = say(
        lang,
        "board_title",
        suite=job.suite.name[lang],
        version=board.suite_version,
        mode=job.suite.modes[job.mode].name[lang],
    )
    if board.imported is None:
        return title
    return f"{title} · {say_imported(board.imported, lang)}"


def say_imported(note: ImportNote, lang: Lang) -> str:
    """Where results come from that nobody made here."""
    source = output.in_one_line(note.source)
    return say(lang, "imported_from", source=source, format=note.format, at=note.at[:10])


def show_boards(bench: Bench, boards: list[Board], lang: Lang) -> None:
    """Every job's board as a table, with what may be said of it."""
    for job, board in zip(bench.jobs, boards, strict=True):
        if tell_unscored(job, lang):
            continue
        show_board(board, title_of(job, board, lang), names_of(job, lang), lang)
        show_excluded(board, lang)
        show_apart(board, job.suite, names_of(job, lang), lang)
        show_accuracy(board, job.suite, names_of(job, lang), lang, subjects=False)


def tell_unscored(job: Job, lang: Lang) -> bool:
    """Whether a job's questions have no answers to score by; if so, that is said."""
    unscored = job.suite.choice is not None and not job.suite.choice.answers
    if unscored:
        output.tell(say(lang, "unscored", suite=job.suite.name[lang]))
    return unscored


def show_apart(board: Board, suite: Suite, names: Mapping[str, str], lang: Lang) -> None:
    """Absolute scores on other rubrics than the main one, by rubric."""
    for rubric in dict.fromkeys(key for s in board.agents for key in s.apart):
        told = [
            say(
                lang,
                "apart_score",
                name=names.get(s.agent, s.agent),
                mean=f"{s.apart[rubric].mean:.1f}",
                scenarios=s.apart[rubric].scenarios,
                planned=s.apart[rubric].planned,
            )
            for s in board.agents
            if rubric in s.apart
        ]
        name = suite.rubrics[rubric].name[lang] if rubric in suite.rubrics else rubric
        line = say(lang, "apart_scores", rubric=name, scores=", ".join(told))
        output.tell(output.in_one_line(line))


def show_excluded(board: Board, lang: Lang) -> None:
    """What was not counted, by reason."""
    left_out = {k: n for k, n in board.diagnostics.rows.excluded.items() if n}
    if left_out:
        counts = ", ".join(
            say(lang, "count_of", n=n, what=say(lang, f"status_{k}")) for k, n in left_out.items()
        )
        output.tell(say(lang, "excluded", counts=counts))


def show_published(published: "Published", lang: Lang) -> None:
    """Where the page is."""
    for warning in published.warnings:
        output.tell(warning, style="yellow")
    output.tell(say(lang, "published", files=published.files, kb=published.bytes // 1024))
    output.tell(say(lang, "open_page", index=published.index), style="bold")

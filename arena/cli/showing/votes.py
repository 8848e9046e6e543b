"""Imported votes, row by row: there is no reason to show, and no text."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from arena.cli import output
from arena.cli.boards import say_imported
from arena.cli.showing.judged import Part
from arena.cli.showing.scores import MOST, NONE, tell_more
from arena.cli.words import Lang, say
from arena.domain.job import Job
from arena.store.store import Store
from arena.store.votes.keeping import VoteRow


def show_votes(job: Job, store: Store, part: Part, lang: Lang) -> None:
    """The first votes of an import, under what was imported."""
    rows, found = _rows(job, store, part)
    cells = [
        [
            str(row.row),
            row.scenario or NONE,
            row.agent_a,
            row.agent_b,
            row.judge or NONE,
            row.order or NONE,
            _winner(row, lang),
            NONE if row.margin is None else f"{row.margin:g}",
        ]
        for row in rows
    ]
    columns = ("row", "scenario", "a", "b", "judge", "order", "winner", "margin")
    heads = [say(lang, f"column_{c}") for c in columns]
    title = job.suite.suite
    if job.held:
        title = f"{title} · {say_imported(job.held.note, lang)}"
    output.print_table(title, heads, cells, right=frozenset({0, 7}))
    tell_more(found, MOST, lang)


def describe_votes(jobs: Sequence[Job], store: Store, part: Part) -> dict[str, Any]:
    """The first votes of some imports as JSON-able data; nothing where there is no import."""
    if not jobs:
        return {}
    told = []
    for job in jobs:
        rows, found = _rows(job, store, part)
        told.append(
            {
                "import": job.origin,
                "name": job.suite.suite,
                "votes": found,
                "first": [asdict(row) for row in rows],
            }
        )
    return {"imported_votes": told}


def _rows(job: Job, store: Store, part: Part) -> tuple[list[VoteRow], int]:
    return store.votes.rows(
        job.origin,
        agents=part.agents,
        scenarios=part.scenarios,
        judges=part.judges,
        most=MOST,
    )


def _winner(row: VoteRow, lang: Lang) -> str:
    """Who won, with the label as it stood where that says more."""
    if row.outcome is None:
        return say(lang, "status_unparsed")
    name = {"a": row.agent_a, "b": row.agent_b}.get(row.outcome, say(lang, "tie"))
    return f"{name} ({row.said})" if row.outcome == "tie" and row.said else name

"""What figures are drawn from: a board, and what everything on it is called in both languages."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.domain.board import Board
from arena.domain.money import Money
from arena.domain.words import Words
from arena.site.facts import Edition


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """`costs`: of one transcript, by agent, where it is known."""

    board: Board
    title: Words
    agents: Mapping[str, Words] = field(default_factory=dict)
    domains: Mapping[str, Words] = field(default_factory=dict)
    costs: Mapping[str, Money] = field(default_factory=dict)


def source_of(edition: Edition) -> Source | None:
    """What there is to draw of an edition; None without a board."""
    board, job = edition.board, edition.job
    if board is None:
        return None
    suite, mode = job.suite, job.suite.modes[job.mode]

    def title(suite_name: str, mode_name: str) -> str:
        return f"{suite_name} {board.suite_version} · {mode_name}"

    return Source(
        board=board,
        title=Words(zh=title(suite.name.zh, mode.name.zh), en=title(suite.name.en, mode.name.en)),
        agents={a.agent: a.display for a in job.agents},
        domains={d.domain: d.name for d in suite.domains},
        costs={fact.id: fact.cost for fact in edition.agents if fact.cost is not None},
    )

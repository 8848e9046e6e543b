"""What the workbook holds: agents, pairs, red lines, spend and method, headed in both languages."""

from collections.abc import Iterable

from arena.domain.board import Board
from arena.domain.standing import PairStanding, Standing
from arena.site.downloads import SCORE_ENDS
from arena.site.facts import AgentFact, Edition
from arena.site.gates import say_gate
from arena.site.method import build_terms
from arena.site.names import make_names
from arena.site.words import LANGS, say_in
from arena.site.workbook import Table, Value, make_workbook

AGENTS = (
    *("agent", "name_zh", "name_en", "vendor", "family", "kind", "state", "eligible"),
    *("rank_low", "rank_high", "rating", "low", "high"),
    *("absolute", "absolute_low", "absolute_high", "scenarios_scored"),
    *("comparisons", "wins", "ties", "losses", "excluded"),
    *("transcripts", "transcripts_planned", "cost", "currency", "latency"),
)
PAIRS = (
    *("a", "b", "comparisons", "scenarios", "share", "wins", "ties", "losses", "flips"),
    *("difference", "low", "high", "p_holm", "decision"),
)
FLAGS = ("agent", "scenario", "flag", "round", "quote", "found", "judges", "human", "people")
SPEND = ("speaker", "calls", "currency", "amount", "unknown")
METHOD = ("term_zh", "value_zh", "term_en", "value_en")


STANDING = AGENTS.index("transcripts") - AGENTS.index("state")
"""Columns that an agent without a standing leaves empty."""


def leaderboard_xlsx(edition: Edition, software: str) -> bytes:
    """The workbook of an edition; an empty cell is unknown. Ratings and scores are not rounded."""
    tables = (_agents(edition), _pairs(edition), _flags(edition), _spend(edition))
    return make_workbook((*tables, _method(edition, software)), edition.at)


def _both(key: str) -> str:
    return "\n".join(dict.fromkeys(say_in(lang)(key) for lang in LANGS))


def _table(name: str, columns: Iterable[str], rows: Iterable[tuple[Value, ...]]) -> Table:
    return Table(name=name, heads=tuple(_both(f"sheet.{c}") for c in columns), rows=tuple(rows))


def _agents(edition: Edition) -> Table:
    board = edition.board
    standings = {s.agent: s for s in board.agents} if board else {}
    table = _table(
        "agents",
        AGENTS,
        (
            (*_fact(fact, standings.get(fact.id)), *_gates(board, standings.get(fact.id)))
            for fact in edition.agents
        ),
    )
    return Table(name=table.name, heads=(*table.heads, *_gate_heads(edition)), rows=table.rows)


def _fact(fact: AgentFact, standing: Standing | None) -> tuple[Value, ...]:
    known = fact.agent
    return (
        fact.id,
        known.display.zh if known else fact.id,
        known.display.en if known else fact.id,
        known.vendor if known else None,
        known.family if known else None,
        known.kind if known else None,
        *(_standing(standing) if standing else (None,) * STANDING),
        fact.finished,
        fact.planned,
        None if fact.cost is None else float(fact.cost.amount),
        None if fact.cost is None else fact.cost.currency,
        None if fact.latency_ms is None else fact.latency_ms / 1000,
    )


def _standing(s: Standing) -> tuple[Value, ...]:
    score = [getattr(s.absolute, key) for key in SCORE_ENDS] if s.absolute else [None] * 4
    return (
        s.state.value,
        s.eligibility.state.value if s.eligibility else None,
        *(s.rank_low, s.rank_high, s.rating, s.low, s.high),
        *score,
        *(s.comparisons, s.wins, s.ties, s.losses, sum(s.excluded.values())),
    )


def _gate_heads(edition: Edition) -> Iterable[str]:
    """Of each gate its sentence; under it stands how many cases met it, of how many."""
    board, suite = edition.board, edition.job.suite
    for gate in board.gates if board else ():
        told = (say_gate(gate, suite, make_names(edition, say_in(lang))) for lang in LANGS)
        yield "\n".join(dict.fromkeys(told))


def _gates(board: Board | None, standing: Standing | None) -> Iterable[Value]:
    if board is None or not board.gates:
        return ()
    if standing is None or standing.eligibility is None:
        return [None] * len(board.gates)
    results = standing.eligibility.gates
    return [f"{r.state} {r.panel.met}/{r.panel.cases}" for r in results]


def _pairs(edition: Edition) -> Table:
    pairs = edition.board.pairs if edition.board else ()
    return _table("pairs", PAIRS, (_pair(pair) for pair in pairs))


def _pair(p: PairStanding) -> tuple[Value, ...]:
    better = {"a": p.a, "b": p.b}.get(p.decision or "")
    return (
        *(p.a, p.b, p.n, p.scenarios, p.share, p.wins, p.ties, p.losses, p.flips),
        *(p.difference, p.low, p.high, p.p_holm, better),
    )


def _flags(edition: Edition) -> Table:
    flags = edition.board.flags if edition.board else ()
    return _table(
        "red lines",
        FLAGS,
        (
            (
                *(f.agent, f.scenario, f.flag, f.round if f.round > 0 else None, f.quote),
                *("yes" if f.found else "no", ", ".join(a.judge for a in f.judges)),
                *(f.human, ", ".join(f.people)),
            )
            for f in flags
        ),
    )


def _spend(edition: Edition) -> Table:
    rows: list[tuple[Value, ...]] = []
    for spend in edition.spend:
        amounts: list[tuple[str | None, float | None]] = [
            (code, float(amount)) for code, amount in spend.amounts.items()
        ]
        rows += [
            (spend.speaker, spend.calls, code, amount, spend.unknown)
            for code, amount in amounts or [(None, None)]
        ]
    return _table("spend", SPEND, rows)


def _method(edition: Edition, software: str) -> Table:
    told = [
        [(t.label, " ".join(filter(None, (t.value, t.code)))) for t in terms]
        for terms in (
            build_terms(edition, make_names(edition, say_in(lang)), software) for lang in LANGS
        )
    ]
    return _table("method", METHOD, ((*zh, *en) for zh, en in zip(*told, strict=True)))

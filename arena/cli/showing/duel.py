"""Two agents against each other: by domain, difference, closest and most lopsided scenarios."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from arena.cli import output
from arena.cli.board_view import percent
from arena.cli.boards import names_of
from arena.cli.showing.finding import find_one
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.domain.board import Board
from arena.domain.job import Job
from arena.domain.standing import PairStanding
from arena.domain.verdict import Outcome
from arena.errors import UsageError
from arena.site.facts import ComparisonFact, VerdictFact
from arena.site.gather import gather
from arena.store.store import Store

SCHEMA = "arena.duel/1"
NONE = "—"


@dataclass(frozen=True, slots=True)
class _Met:
    """Two agents in one scenario: what the first earned on average, and the comparisons."""

    scenario: str
    share: float
    comparisons: tuple[ComparisonFact, ...]


@dataclass(frozen=True, slots=True)
class _Duel:
    """Two agents on one board; `pair` None without a board that has both."""

    job: Job
    first: str
    second: str
    board: Board | None
    pair: PairStanding | None
    met: tuple[_Met, ...]


def show_duel(
    bench: Bench, store: Store, given: tuple[str, str], most: int, lang: Lang, *, as_json: bool
) -> None:
    """The record of two agents on every board asked for; raises UsageError."""
    known = [a.agent for job in bench.jobs for a in job.agents]
    first, second = (find_one("agent", one, known) for one in given)
    if first == second:
        raise UsageError("two different agents are needed, not {name} twice", name=first)
    here = [job for job in bench.jobs if {first, second} <= {a.agent for a in job.agents}]
    duels = [_duel(job, store, first, second) for job in here]
    if as_json:
        output.print_json({"schema": SCHEMA, "duels": [_describe(d, most) for d in duels]})
        return
    for duel in duels:
        _show(duel, most, lang)
    output.tell(say(lang, "next_duel_verdicts", a=first, b=second))


def _duel(job: Job, store: Store, first: str, second: str) -> _Duel:
    edition = gather(job, store)
    met = []
    for scenario in edition.scenarios:
        name = scenario.scenario
        own = tuple(c for c in edition.comparisons.get(name, ()) if {c.a, c.b} == {first, second})
        shares = [share for c in own if (share := _share(c, first)) is not None]
        if shares:
            met.append(_Met(name, fmean(shares), own))
    pairs = edition.board.pairs if edition.board else ()
    pair = next((p for p in pairs if {p.a, p.b} == {first, second}), None)
    return _Duel(job, first, second, edition.board, pair, tuple(met))


def _share(comparison: ComparisonFact, first: str) -> float | None:
    """What the first agent earned."""
    if comparison.share is None:
        return None
    return comparison.share if comparison.a == first else 1 - comparison.share


def _show(duel: _Duel, most: int, lang: Lang) -> None:
    names = names_of(duel.job, lang)
    a, b = names.get(duel.first, duel.first), names.get(duel.second, duel.second)
    suite = duel.job.suite
    title = f"{suite.name[lang]} · {suite.modes[duel.job.mode].name[lang]} · {a} – {b}"
    heads = [say(lang, f"column_{c}") for c in ("domain", "scenarios", "comparisons")]
    heads += [say(lang, "column_record_of", name=a), say(lang, "column_share_of", name=a)]
    rows = [[name, *_cells(met, duel.first)] for name, met in _by_domain(duel, lang).items()]
    if duel.pair and not duel.met and duel.pair.n:
        rows = [[say(lang, "all_domains"), *_pair_cells(duel.pair, duel.first)]]
    if len(rows) > 1:
        rows.append([say(lang, "all_domains"), *_cells(duel.met, duel.first)])
    output.print_table(output.in_one_line(title), heads, rows, right=frozenset({1, 2, 4}))
    if not rows:
        output.tell(say(lang, "duel_never", a=a, b=b))
        return
    output.print_shown(output.in_one_line(_difference(duel, a, b, lang)), style="bold")
    if not duel.met:
        return
    for key, chosen in (("duel_closest", _closest(duel)), ("duel_lopsided", _lopsided(duel))):
        rows = [row for met in chosen[:most] for row in _verdict_rows(duel, met, names, lang)]
        columns = ("scenario", "title", "share", "judge", "order_ab", "order_ba")
        heads = [say(lang, f"column_{c}", a=a, b=b) for c in columns]
        output.print_table(say(lang, key), heads, rows, right=frozenset({2}))


def _difference(duel: _Duel, a: str, b: str, lang: Lang) -> str:
    """The difference with interval and probability, or that there is none."""
    pair = duel.pair
    if duel.board is None or pair is None or pair.difference is None:
        return say(lang, "duel_unrated", a=a, b=b)
    sign = 1 if pair.a == duel.first else -1
    chance = None if pair.p_a_above_b is None else pair.p_a_above_b
    if chance is not None and sign < 0:
        chance = 1 - chance
    facts = {"a": a, "b": b, "difference": f"{sign * pair.difference:+.0f}"}
    if pair.low is None or pair.high is None or chance is None:
        return say(lang, "duel_no_interval", **facts)
    low, high = sorted((sign * pair.low, sign * pair.high))
    facts |= {
        "interval": f"{low:+.0f} … {high:+.0f}",
        "level": percent(duel.board.method.level),
        "chance": _chance(chance),
    }
    return say(lang, "duel_decided" if pair.decision else "duel_open", **facts)


def _chance(chance: float) -> str:
    """A share of resamples: none of them is not never."""
    if chance < 0.001:
        return "< 0.1%"
    return "> 99.9%" if chance > 0.999 else f"{chance:.1%}"


def _by_domain(duel: _Duel, lang: Lang) -> dict[str, list[_Met]]:
    found: dict[str, list[_Met]] = defaultdict(list)
    for met in duel.met:
        found[duel.job.scenario(met.scenario).domain].append(met)
    named = {d.domain: d.name[lang] for d in duel.job.suite.domains}
    return {named.get(domain, domain): met for domain, met in found.items()}


def _cells(met: Sequence[_Met], first: str) -> list[str]:
    wins, ties, losses = _record(met, first)
    return [
        str(len(met)),
        str(wins + ties + losses),
        f"{wins}/{ties}/{losses}",
        f"{fmean(m.share for m in met):.0%}" if met else NONE,
    ]


def _pair_cells(pair: PairStanding, first: str) -> list[str]:
    """The same of a pair of which only the board tells."""
    wins, ties, losses, share = _pair_counts(pair, first).values()
    record = f"{wins}/{ties}/{losses}"
    return [str(pair.scenarios), str(pair.n), record, NONE if share is None else f"{share:.0%}"]


def _pair_counts(pair: PairStanding, first: str) -> dict[str, Any]:
    """Wins, ties and losses of one side of a pair on the board, and its share."""
    turned = pair.a != first
    wins, losses = (pair.losses, pair.wins) if turned else (pair.wins, pair.losses)
    share = pair.share if pair.share is None or not turned else 1 - pair.share
    return {"wins": wins, "ties": pair.ties, "losses": losses, "share": share}


def _record(met: Iterable[_Met], first: str) -> tuple[int, int, int]:
    shares = [s for m in met for c in m.comparisons if (s := _share(c, first)) is not None]
    wins, losses = shares.count(1.0), shares.count(0.0)
    return wins, len(shares) - wins - losses, losses


def _closest(duel: _Duel) -> list[_Met]:
    return sorted(duel.met, key=lambda m: (abs(m.share - 0.5), m.scenario))


def _lopsided(duel: _Duel) -> list[_Met]:
    decided = [m for m in duel.met if m.share != 0.5]
    return sorted(decided, key=lambda m: (-abs(m.share - 0.5), -_strength(m), m.scenario))


def _strength(met: _Met) -> float:
    """How strongly the judges put it: where all shares are whole, this tells them apart."""
    return fmean(v.margin or 0 for c in met.comparisons for v in c.verdicts)


def _verdict_rows(
    duel: _Duel, met: _Met, names: Mapping[str, str], lang: Lang
) -> Iterable[list[str]]:
    title = duel.job.scenario(met.scenario).title[lang]
    for number, c in enumerate(met.comparisons):
        orders = {(v.order if c.a == duel.first else _turned(v.order)): v for v in c.verdicts}
        told = [_verdict(orders.get(order), c, names, lang) for order in ("ab", "ba")]
        if None in orders:
            told = [_verdict(orders[None], c, names, lang), NONE]
        head = [met.scenario, title, f"{met.share:.0%}"] if number == 0 else ["", "", ""]
        yield [*head, c.judge, *told]


def _turned(order: str | None) -> str | None:
    return None if order is None else order[::-1]


def _verdict(
    verdict: VerdictFact | None, c: ComparisonFact, names: Mapping[str, str], lang: Lang
) -> str:
    if verdict is None or verdict.status is None:
        return say(lang, "todo_untried")
    if verdict.status.value != "ok" or verdict.outcome is None:
        return say(lang, f"status_{verdict.status.value}")
    if verdict.outcome is Outcome.TIE:
        return say(lang, "tie")
    agent = c.a if verdict.outcome is Outcome.A else c.b
    margin = f" ({verdict.margin}/5)" if verdict.margin else ""
    return names.get(agent, agent) + margin


def _describe(duel: _Duel, most: int) -> dict[str, Any]:
    domains = {
        d.domain: [m for m in duel.met if _domain(duel, m) == d.domain]
        for d in duel.job.suite.domains
    }
    pair, sign = duel.pair, 1
    if pair is not None and pair.a != duel.first:
        sign = -1
    return {
        "suite": duel.job.suite.suite,
        "mode": duel.job.mode,
        "a": duel.first,
        "b": duel.second,
        "scenarios": len(duel.met) if duel.met or pair is None else pair.scenarios,
        **(
            _counts(duel.met, duel.first)
            if duel.met or pair is None
            else _pair_counts(pair, duel.first)
        ),
        "domains": {
            d: {"scenarios": len(met), **_counts(met, duel.first)}
            for d, met in domains.items()
            if met
        },
        **_rated(pair, sign),
        "level": duel.board.method.level if duel.board else None,
        "closest": [_scene(m, duel.first) for m in _closest(duel)[:most]],
        "lopsided": [_scene(m, duel.first) for m in _lopsided(duel)[:most]],
    }


def _domain(duel: _Duel, met: _Met) -> str:
    return duel.job.scenario(met.scenario).domain


def _counts(met: Sequence[_Met], first: str) -> dict[str, Any]:
    wins, ties, losses = _record(met, first)
    share = fmean(m.share for m in met) if met else None
    return {"wins": wins, "ties": ties, "losses": losses, "share": share}


def _rated(pair: PairStanding | None, sign: int) -> dict[str, Any]:
    if pair is None or pair.difference is None:
        return dict.fromkeys(("difference", "low", "high", "probability", "decision"))
    ends = None
    if pair.low is not None and pair.high is not None:
        ends = sorted((sign * pair.low, sign * pair.high))
    chance = pair.p_a_above_b
    better = {"a": pair.a, "b": pair.b}.get(pair.decision or "")
    return {
        "difference": sign * pair.difference,
        "low": ends and ends[0],
        "high": ends and ends[1],
        "probability": chance if chance is None or sign > 0 else 1 - chance,
        "decision": better,
    }


def _scene(met: _Met, first: str) -> dict[str, Any]:
    return {
        "scenario": met.scenario,
        "share": met.share,
        "verdicts": [
            {
                "judge": c.judge,
                "first_shown": None if v.order is None else (c.a if v.order == "ab" else c.b),
                "status": v.status and v.status.value,
                "winner": _winner(v, c),
                "margin": v.margin,
            }
            for c in met.comparisons
            for v in c.verdicts
        ],
    }


def _winner(verdict: VerdictFact, c: ComparisonFact) -> str | None:
    """The agent that won, `tie`, or None where there is no answer."""
    if verdict.status is None or verdict.status.value != "ok" or verdict.outcome is None:
        return None
    return {Outcome.A: c.a, Outcome.B: c.b}.get(verdict.outcome, "tie")

"""The ranking table: every state of a standing has its own look and its own sentence."""

from collections.abc import Mapping

from markupsafe import Markup

from arena.domain.board import AbsoluteScore, Board, Standing, State
from arena.site import charts, formats
from arena.site.facts import AgentFact, Edition
from arena.site.names import Names, vendor_of
from arena.site.text import plain
from arena.site.views import Badge, Cell, Figure, GridRow, Ranking, RankRow
from arena.site.words import Say

MANY_EXCLUDED = 0.05
"""A larger part of an agent's comparisons not counted: what remains may be biased."""
NOTHING = Figure(text=formats.DASH)
_STATES = tuple(State)


def build_ranking(edition: Edition, names: Names) -> Ranking:
    """The ranking of an edition; without a board, its agents with what is known of them."""
    board = edition.board
    standings = {s.agent: s for s in board.agents} if board else {}
    axis = charts.make_axis(_limits(board)) if board else None
    rows = tuple(
        _row(place, fact, standings.get(fact.id), board, axis, names)
        for place, fact in enumerate(edition.agents)
    )
    used = {b.label: b for row in rows for b in row.badges}
    reasons = sorted({why for s in standings.values() for why in s.excluded})
    return Ranking(
        rows=rows,
        axis=charts.axis_head(axis) if axis else None,
        badges=tuple(used.values()),
        reasons=tuple(plain(names.say.known(f"reason.{why}", why)) for why in reasons),
        lost=_lost_rows(board, reasons, names) if board else (),
        ranked=board is not None,
    )


def _lost_rows(board: Board, reasons: list[str], names: Names) -> tuple[GridRow, ...]:
    return tuple(
        GridRow(
            label=names.agent(standing.agent),
            cells=tuple(
                Cell(text=formats.count(standing.excluded.get(why, 0), names.say))
                for why in reasons
            ),
        )
        for standing in board.agents
        if standing.excluded
    )


def _limits(board: Board) -> list[float]:
    values = [v for s in board.agents for v in (s.rating, s.low, s.high) if v is not None]
    return [*values, board.anchor] if values else []


def _row(
    place: int,
    fact: AgentFact,
    standing: Standing | None,
    board: Board | None,
    axis: charts.Axis | None,
    names: Names,
) -> RankRow:
    say = names.say
    score = standing.absolute if standing else None
    return RankRow(
        slug=names.slugs[fact.id],
        state=standing.state.value if standing else "waiting",
        name=names.agent(fact.id),
        vendor=vendor_of(fact),
        badges=_badges(fact, standing, names),
        rank=_rank(place, standing),
        rating=_rating(standing, say),
        interval=_interval(standing),
        whisker=_whisker(standing, axis, names) if axis else None,
        why=say_why(standing, names) if standing else "",
        absolute=_absolute(score, fact),
        absolute_bar=_bar(score, fact),
        coverage=_coverage(score, fact, say),
        won=_won(standing, say),
        comparisons=_counted(standing, say),
        excluded=_excluded(standing, say),
        cost=_cost(fact, say),
        latency=_latency(fact, say),
    )


def _rank(place: int, standing: Standing | None) -> Figure:
    if standing is None or standing.rank_low is None or standing.rank_high is None:
        return NOTHING
    low, high = str(standing.rank_low), str(standing.rank_high)
    # Ranges that begin alike stay in the order of the ratings.
    return Figure(text=formats.between(low, high), sort=f"{standing.rank_low * 1000 + place}")


def _rating(standing: Standing | None, say: Say) -> Figure:
    if standing is None:
        return NOTHING
    if standing.state is State.UNBOUNDED:
        return _bound(standing, say)
    if standing.rating is None:
        return NOTHING
    spread = ""
    if standing.low is not None and standing.high is not None:
        spread = formats.deviation(standing.rating, standing.low, standing.high)
    return Figure(text=formats.whole(standing.rating), note=spread, sort=f"{standing.rating:.3f}")


def _bound(standing: Standing, say: Say) -> Figure:
    if standing.open == "above" and standing.low is not None:
        return Figure(
            text=say("rating.at_least", n=formats.whole(standing.low)), sort=f"{standing.low:.3f}"
        )
    if standing.open == "below" and standing.high is not None:
        return Figure(
            text=say("rating.at_most", n=formats.whole(standing.high)), sort=f"{standing.high:.3f}"
        )
    return NOTHING


def _interval(standing: Standing | None) -> str:
    if standing is None or standing.state is State.UNBOUNDED:
        return ""
    if standing.low is None or standing.high is None:
        return ""
    return formats.between(formats.whole(standing.low), formats.whole(standing.high))


def _whisker(standing: Standing | None, axis: charts.Axis, names: Names) -> Markup | None:
    if standing is None:
        return None
    say, facts = names.say, {"name": names.agent(standing.agent)}
    if standing.state is State.UNBOUNDED:
        label = say("whisker.bound", rating=_bound(standing, say).text, **facts)
        above, below = standing.open in ("above", "both"), standing.open in ("below", "both")
        return charts.open_whisker(
            axis, standing.low, standing.high, above=above, below=below, label=label
        )
    if standing.rating is None:
        return None
    interval = _interval(standing)
    label = say(
        "whisker.interval" if interval else "whisker.point",
        rating=formats.whole(standing.rating),
        interval=interval,
        **facts,
    )
    look: charts.Look = "ranked" if standing.state is State.RANKED else "provisional"
    return charts.whisker(
        axis, standing.rating, standing.low, standing.high, look=look, label=label
    )


def say_why(standing: Standing, names: Names) -> str:
    """The sentence that explains a state; empty for a ranked agent."""
    if standing.why is None:
        return ""
    say, key = names.say, f"why.{standing.why.key}"
    facts = _readable(standing.why.facts, names)
    if key not in say.table:
        key = f"why.{standing.state.value}"
    sentence = say(key, **facts)
    if facts["connect"]:
        sentence += say("why.connect", **facts)
    return sentence


def _readable(facts: Mapping[str, object], names: Names) -> dict[str, str]:
    """Facts as text: shares in per cent, agents by name; a missing fact is a dash."""
    keys = ("comparisons", "min_comparisons", "scenarios", "min_scenarios")
    found = {key: str(facts.get(key, formats.DASH)) for key in keys}
    for key in ("readable", "min_readable"):
        value = facts.get(key)
        found[key] = formats.percent(value if isinstance(value, (int, float)) else None)
    connect = facts.get("connect")
    pair = [names.agent(str(a)) for a in connect] if isinstance(connect, (list, tuple)) else []
    return {**found, "connect": names.say.join(pair)}


def _badges(fact: AgentFact, standing: Standing | None, names: Names) -> tuple[Badge, ...]:
    say, badges = names.say, []
    if standing is None:
        badges.append(_badge("waiting", "note", say))
    elif standing.state is not State.RANKED:
        badges.append(_badge(standing.state.value, "note", say))
    if standing and _lost(standing) > MANY_EXCLUDED:
        badges.append(_badge("many_excluded", "note", say))
    if fact.kin:
        judges = say.join([names.judge(j) for j in fact.kin])
        badges.append(
            Badge(label=say("badge.kin"), tone="note", hint=say("badge.kin.hint", judges=judges))
        )
    if fact.agent is None:
        badges.append(_badge("gone", "plain", say))
    elif fact.agent.kind != "model":
        badges.append(_badge(fact.agent.kind, "plain", say))
    return tuple(badges)


def _badge(key: str, tone: str, say: Say) -> Badge:
    return Badge(label=say(f"badge.{key}"), tone=tone, hint=say(f"badge.{key}.hint"))


def _lost(standing: Standing) -> float:
    """The part of an agent's planned comparisons that is not counted."""
    if not standing.planned:
        return 0.0
    return 1 - standing.comparisons / standing.planned


def _absolute(score: AbsoluteScore | None, fact: AgentFact) -> Figure:
    if score is None:
        if fact.absolute is None:
            return NOTHING
        return Figure(text=formats.tenth(fact.absolute), sort=f"{fact.absolute:.4f}")
    note = ""
    if score.low is not None and score.high is not None:
        note = formats.between(formats.tenth(score.low), formats.tenth(score.high))
    return Figure(text=formats.tenth(score.mean), note=note, sort=f"{score.mean:.4f}")


def _bar(score: AbsoluteScore | None, fact: AgentFact) -> Markup | None:
    value = score.mean if score else fact.absolute
    return None if value is None else charts.bar(value / 100)


def _coverage(score: AbsoluteScore | None, fact: AgentFact, say: Say) -> str:
    if score is not None:
        return say("coverage", done=score.scenarios, planned=score.planned)
    return say("coverage.transcripts", done=fact.finished, planned=fact.planned)


def _won(standing: Standing | None, say: Say) -> Figure:
    if standing is None or standing.win_share is None:
        return NOTHING
    record = say("record", wins=standing.wins, ties=standing.ties, losses=standing.losses)
    return Figure(
        text=formats.percent(standing.win_share), note=record, sort=f"{standing.win_share:.5f}"
    )


def _counted(standing: Standing | None, say: Say) -> Figure:
    if standing is None:
        return NOTHING
    note = say("of_planned", n=standing.planned) if standing.planned is not None else ""
    return Figure(
        text=formats.count(standing.comparisons, say), note=note, sort=str(standing.comparisons)
    )


def _excluded(standing: Standing | None, say: Say) -> Figure:
    if standing is None:
        return NOTHING
    total = sum(standing.excluded.values())
    return Figure(text=formats.count(total, say), sort=str(total))


def _cost(fact: AgentFact, say: Say) -> Figure:
    if fact.cost is None:
        return Figure(text=say("unknown") if fact.finished else formats.DASH)
    note = ""
    if fact.priced < fact.finished:
        note = say("cost.part", done=fact.priced, planned=fact.finished)
    return Figure(
        text=formats.money(fact.cost.amount, fact.cost.currency),
        note=note,
        sort=f"{fact.cost.amount:f}",
    )


def _latency(fact: AgentFact, say: Say) -> Figure:
    if fact.latency_ms is None:
        return Figure(text=say("unknown") if fact.finished else formats.DASH)
    return Figure(text=formats.seconds(fact.latency_ms, say), sort=f"{fact.latency_ms:.0f}")

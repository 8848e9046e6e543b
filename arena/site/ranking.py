"""The ranking table: every state of a standing has its own look and its own sentence."""

from collections.abc import Iterable, Mapping

from markupsafe import Markup

from arena.domain.board import Board
from arena.domain.standing import AbsoluteScore, Points, Standing, State
from arena.site import charts, formats
from arena.site.badges import build_badges
from arena.site.blocks import place_blocks
from arena.site.facts import AgentFact, Edition
from arena.site.gates import build_eligibility, eligibility_sort, group_of
from arena.site.names import Names, vendor_of
from arena.site.notes import say_extremes
from arena.site.outlays import estimate_cost
from arena.site.part_views import Block, RedLines
from arena.site.red_lines import build_red_lines, danger_of
from arena.site.text import plain
from arena.site.views import Cell, Figure, GridRow, Ranking, RankRow
from arena.site.words import Say

NOTHING = Figure(text=formats.DASH)


def build_ranking(edition: Edition, names: Names) -> Ranking:
    """The ranking of an edition; without a board, its agents with what is known of them."""
    board = edition.board
    standings = {s.agent: s for s in board.agents} if board else {}
    axis = charts.make_axis(_limits(board)) if board else None
    places = [group_of(standings.get(fact.id)) for fact in edition.agents]
    lines, blocks = build_red_lines(edition, names), place_blocks(board)
    rows = tuple(
        _row(place, fact, standings.get(fact.id), edition, axis, lines, blocks, names)
        for place, fact in enumerate(edition.agents)
    )
    # Whoever may be chosen stands first; within a group the order is that of the board.
    rows = tuple(row for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: pair[0]))
    used = {(b.label, b.hint): b for row in rows for b in row.badges}
    told = {row.eligible.label: row.eligible for row in rows if row.eligible}
    reasons = sorted({why for s in standings.values() for why in s.excluded})
    extremes = any(say_extremes(s, names.say) for s in standings.values())
    return Ranking(
        rows=rows,
        axis=charts.axis_head(axis) if axis else None,
        level=formats.level(board.method.level) if board else "",
        controlled=any(s.controlled for s in standings.values()),
        calibrated=any(s.calibrated for s in standings.values()),
        badges=(*told.values(), *used.values()),
        reasons=tuple(plain(names.say.known(f"reason.{why}", why)) for why in reasons),
        extremes=names.say("lost.extremes") if extremes else "",
        lost=_lost_rows(board, reasons, names) if board else (),
        ranked=board is not None,
        gated=bool(board and board.gates),
        red_rule=lines.rule if lines else "",
        about=tuple(_about(edition, blocks, lines, names)),
    )


def _about(
    edition: Edition, blocks: Mapping[str, Block], lines: RedLines | None, names: Names
) -> Iterable[str]:
    """How the table is to be read, as far as it holds what is spoken of."""
    say, board = names.say, edition.board
    if board is None:
        return
    yield say("rank.about", level=formats.level(board.method.level))
    if any(block.letter for block in blocks.values()):
        yield say("rank.blocks.gated" if board.gates else "rank.blocks")
    if any(s.calibrated for s in board.agents):
        yield say("rank.calibrated.about")
    if lines is None and danger_of(edition):
        yield say("red.none", n=len(danger_of(edition)))


def _lost_rows(board: Board, reasons: list[str], names: Names) -> tuple[GridRow, ...]:
    told = any(say_extremes(s, names.say) for s in board.agents)
    return tuple(
        GridRow(
            label=names.agent(standing.agent), cells=tuple(_lost(standing, reasons, told, names))
        )
        for standing in board.agents
        if standing.excluded or say_extremes(standing, names.say)
    )


def _lost(standing: Standing, reasons: list[str], told: bool, names: Names) -> Iterable[Cell]:
    for why in reasons:
        yield Cell(text=formats.count(standing.excluded.get(why, 0), names.say))
    if told:
        yield Cell(text=say_extremes(standing, names.say) or formats.DASH)


def _limits(board: Board) -> list[float]:
    values = [v for s in board.agents for v in (s.rating, s.low, s.high) if v is not None]
    return [*values, board.method.anchor] if values else []


def _row(
    place: int,
    fact: AgentFact,
    standing: Standing | None,
    edition: Edition,
    axis: charts.Axis | None,
    lines: RedLines | None,
    blocks: Mapping[str, Block],
    names: Names,
) -> RankRow:
    say, board = names.say, edition.board
    score = standing.absolute if standing else None
    level = formats.level(board.method.level) if board else ""
    return RankRow(
        slug=names.slugs[fact.id],
        state=standing.state.value if standing else "waiting",
        name=names.agent(fact.id),
        vendor=vendor_of(fact),
        badges=build_badges(fact, standing, names),
        rank=_rank(place, standing),
        rating=_rating(standing, say),
        interval=_interval(standing),
        whisker=_whisker(standing, axis, names, level) if axis else None,
        why=say_why(standing, names) if standing else "",
        controlled=_points(standing.controlled if standing else None),
        calibrated=_points(standing.calibrated if standing else None),
        absolute=_absolute(score, fact),
        absolute_bar=_bar(score, fact),
        coverage=_coverage(score, fact, say),
        won=_won(standing, say),
        comparisons=_counted(standing, say),
        excluded=_excluded(standing, say),
        cost=_cost(fact, edition, say),
        latency=_latency(fact, say),
        eligible=build_eligibility(standing, names),
        eligible_sort=eligibility_sort(standing, board, names),
        red=lines.cells.get(fact.id) if lines else None,
        block=blocks.get(fact.id),
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


def _points(points: Points | None) -> Figure:
    """A rating by another model, beside the rating and never in its place."""
    if points is None:
        return NOTHING
    note = ""
    if points.low is not None and points.high is not None:
        note = formats.between(formats.whole(points.low), formats.whole(points.high))
    return Figure(text=formats.whole(points.rating), note=note, sort=f"{points.rating:.3f}")


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


def _whisker(
    standing: Standing | None, axis: charts.Axis, names: Names, level: str
) -> Markup | None:
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
        level=level,
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


def _absolute(score: AbsoluteScore | None, fact: AgentFact) -> Figure:
    if score is None:
        if fact.absolute is None:
            return NOTHING
        return Figure(text=formats.tenth(fact.absolute), sort=f"{fact.absolute:.4f}")
    note = ""
    if score.low is not None and score.high is not None:
        note = formats.give(score.mean, score.low, score.high)
    return Figure(text=formats.tenth(score.mean), note=note, sort=f"{score.mean:.4f}")


def _bar(score: AbsoluteScore | None, fact: AgentFact) -> Markup | None:
    value = score.mean if score else fact.absolute
    return None if value is None else charts.bar(value / 100)


def _coverage(score: AbsoluteScore | None, fact: AgentFact, say: Say) -> str:
    if score is not None:
        return say("coverage", done=score.scenarios, planned=score.planned)
    if not fact.planned:
        return ""
    return say("coverage.transcripts", done=fact.finished, planned=fact.planned)


def _won(standing: Standing | None, say: Say) -> Figure:
    if standing is None or standing.share is None:
        return NOTHING
    record = say("record", wins=standing.wins, ties=standing.ties, losses=standing.losses)
    return Figure(text=formats.percent(standing.share), note=record, sort=f"{standing.share:.5f}")


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


def _cost(fact: AgentFact, edition: Edition, say: Say) -> Figure:
    if fact.cost is None:
        return Figure(text=say("unknown") if fact.finished else formats.DASH)
    note, within = "", estimate_cost(edition, fact.id)
    if fact.priced < fact.finished:
        note = say("cost.part", done=fact.priced, planned=fact.finished)
    elif within and within.low is not None and within.high is not None:
        note = formats.half(within.low, within.high)
    return Figure(
        text=formats.money(fact.cost.amount, fact.cost.currency),
        note=note,
        sort=f"{fact.cost.amount:f}",
    )


def _latency(fact: AgentFact, say: Say) -> Figure:
    if fact.latency_ms is None:
        return Figure(text=say("unknown") if fact.finished else formats.DASH)
    return Figure(text=formats.seconds(fact.latency_ms, say), sort=f"{fact.latency_ms:.0f}")

"""The page of changes: this board against a former one, agent by agent."""

from collections.abc import Mapping
from dataclasses import replace

from arena.domain.changes import AgentChange, Changes, Shift
from arena.domain.eligibility import Eligible
from arena.domain.money import Money
from arena.domain.standing import Standing, State
from arena.site import formats
from arena.site.changes_claim import say_beside, say_claim
from arena.site.changes_judges import build_bridges
from arena.site.changes_views import ChangeCell, ChangeRow, ChangesView, ChangeTable
from arena.site.facts import Edition
from arena.site.gates import SIGNS
from arena.site.names import Names
from arena.site.text import plain
from arena.site.views import Badge, Frame, Term

MOST_NAMED = 6
Pages = Mapping[str, str]
"""The page of each agent, by id."""


def with_costs(changes: Changes, edition: Edition) -> Changes:
    """The changes with what a transcript costs now, as this edition has it."""
    costs = {fact.id: fact.cost for fact in edition.agents}
    agents = tuple(replace(c, cost_now=costs.get(c.agent)) for c in changes.agents)
    return replace(changes, agents=agents)


class Named:
    """What agents are called on the page of changes."""

    def __init__(self, names: Names, changes: Changes) -> None:
        self.names, self.say, self._gone = names, names.say, changes.names

    def __call__(self, agent: str) -> str:
        """An agent's name, or its id."""
        words = self._gone.get(agent)
        if agent in self.names.agents or words is None:
            return self.names.agent(agent)
        return plain(words[0 if self.say.lang == "zh" else 1])


def build_changes(changes: Changes, names: Names, frame: Frame, pages: Pages) -> ChangesView:
    """The view of the changes since a former board."""
    say, named = names.say, Named(names, changes)
    return ChangesView(
        frame=frame,
        subtitle=say("changes.subtitle", date=_date(changes.at), source=plain(changes.source)),
        claim=say_claim(changes, say, named),
        beside=say_beside(changes, say, named),
        notices=tuple(_caveats(changes, names)),
        meta=(
            Term(label=say("changes.then"), value=_made(changes.at, changes.software)),
            Term(label=say("changes.now"), value=_made(changes.at_now, changes.software_now)),
            Term(label=say("changes.reference"), value=_reference(changes, named)),
        ),
        how=tuple(say(f"changes.how.{key}") for key in ("mean", "interval", "none", "absolute")),
        tables=tuple(t for t in _tables(changes, named, pages) if t.rows),
    )


def _reference(changes: Changes, named: Named) -> str:
    """By whom the ratings of both boards are measured."""
    say = named.say
    if not changes.reference:
        return formats.DASH
    key = "settled" if changes.settled else "all"
    shown = [named(name) for name in changes.reference]
    if len(shown) > MOST_NAMED:
        return say(f"changes.reference.{key}.many", n=formats.count(len(shown), say))
    return say(f"changes.reference.{key}", names=say.join(shown))


def _tables(changes: Changes, named: Named, pages: Pages) -> tuple[ChangeTable, ...]:
    return (
        _table("both", changes, named, pages),
        _table("new", changes, named, pages),
        _table("gone", changes, named, pages),
        build_bridges(changes, named.names),
    )


def _table(which: str, changes: Changes, named: Named, pages: Pages) -> ChangeTable:
    say = named.say
    level = formats.level(changes.level)
    rows = []
    for change in changes.agents:
        if change.presence != which:
            continue
        cells = _cells(change, named) if which == "both" else _one(change, named)
        rows.append(
            ChangeRow(
                name=named(change.agent),
                href=pages.get(change.agent, ""),
                badges=tuple(_badges(change, named)),
                cells=cells,
            )
        )
    heads = tuple(cell.label for cell in rows[0].cells) if rows else ()
    return ChangeTable(
        id=which,
        title=say(f"changes.{which}", n=len(rows)),
        about=say(f"changes.{which}.about", level=level),
        corner=say("agent"),
        heads=heads,
        rows=tuple(rows),
    )


def _badges(change: AgentChange, named: Named) -> list[Badge]:
    say, found = named.say, []
    standing = change.now or change.then
    if standing and standing.state is not State.RANKED:
        key = f"badge.{standing.state.value}"
        found.append(Badge(label=say(key), tone="note", hint=say(f"{key}.hint")))
    if change.presence == "both":
        key = {True: "altered", False: "unaltered", None: "altered.unknown"}[change.altered]
        tone = "note" if change.altered else "plain"
        found.append(Badge(label=say(f"changes.{key}"), tone=tone, hint=say(f"changes.{key}.hint")))
    return found


def _cells(change: AgentChange, named: Named) -> tuple[ChangeCell, ...]:
    say, then, now = named.say, change.then, change.now
    return (
        _turned(say("rank.range"), _rank(then), _rank(now)),
        _turned(say("rank.rating"), _rating(then, named), _rating(now, named)),
        _shift(say("changes.rating"), change.rating, named, digits=0),
        _turned(say("rank.absolute"), _score(then), _score(now)),
        _shift(say("changes.absolute"), change.absolute, named, digits=1),
        *_eligible(change, named),
        _turned(say("rank.cost"), *_costs(change)),
    )


def _one(change: AgentChange, named: Named) -> tuple[ChangeCell, ...]:
    say = named.say
    standing = change.now or change.then
    cost = change.cost_now if change.presence == "new" else change.cost_then
    told = standing.eligibility if standing else None
    label = say("eligible.title")
    eligible = () if told is None else (ChangeCell(label=label, text=_sign(told.state, named)),)
    return (
        ChangeCell(label=say("rank.range"), text=_rank(standing)),
        ChangeCell(label=say("rank.rating"), text=_rating(standing, named), note=_spread(standing)),
        ChangeCell(label=say("rank.absolute"), text=_score(standing)),
        *eligible,
        ChangeCell(label=say("rank.cost"), text=_money(cost)),
    )


def _turned(label: str, then: str, now: str) -> ChangeCell:
    """Then and now; once where both are alike. A line is broken before the arrow at most."""
    then, now = (side.replace(" ", formats.SPACE) for side in (then, now))
    return ChangeCell(label=label, text=then if then == now else f"{then} →{formats.SPACE}{now}")


def _shift(label: str, shift: Shift, named: Named, *, digits: int) -> ChangeCell:
    say = named.say
    if shift.difference is None:
        return ChangeCell(label=label, text=formats.DASH, note=say(f"changes.why.{shift.why}"))
    text = formats.signed(f"{shift.difference:+.{digits}f}")
    if shift.same:
        return ChangeCell(label=label, text=text, note=say("changes.same"))
    if shift.low is None or shift.high is None:
        return ChangeCell(label=label, text=text, note=say(f"changes.why.{shift.why}"))
    low, high = (formats.signed(f"{end:+.{digits}f}") for end in (shift.low, shift.high))
    way = "chance" if not shift.moved else "up" if shift.difference > 0 else "down"
    note = say("changes.within", low=low, high=high, way=say(f"changes.way.{way}"))
    return ChangeCell(label=label, text=text, note=note, moved=shift.moved)


def _eligible(change: AgentChange, named: Named) -> tuple[ChangeCell, ...]:
    then, now = change.eligibility
    if then is None and now is None:
        return ()
    told = _turned(named.say("eligible.title"), _sign(then, named), _sign(now, named))
    return (replace(told, moved=then != now),)


def _sign(state: Eligible | None, named: Named) -> str:
    if state is None:
        return formats.DASH
    return f"{SIGNS[state]} {named.say(f'eligible.{state.value}')}"


def _rank(standing: Standing | None) -> str:
    if standing is None or standing.rank_low is None or standing.rank_high is None:
        return formats.DASH
    return formats.between(str(standing.rank_low), str(standing.rank_high))


def _rating(standing: Standing | None, named: Named) -> str:
    if standing is None:
        return formats.DASH
    if standing.open == "above" and standing.low is not None:
        return named.say("rating.at_least", n=formats.whole(standing.low))
    if standing.open == "below" and standing.high is not None:
        return named.say("rating.at_most", n=formats.whole(standing.high))
    return formats.whole(standing.rating)


def _spread(standing: Standing | None) -> str:
    known = standing is not None and standing.open is None
    if not known or standing is None or standing.low is None or standing.high is None:
        return ""
    return formats.between(formats.whole(standing.low), formats.whole(standing.high))


def _score(standing: Standing | None) -> str:
    absolute = standing.absolute if standing else None
    return formats.tenth(absolute.mean if absolute else None)


def _costs(change: AgentChange) -> tuple[str, str]:
    """Cost then and now; the currency once where it is the same."""
    then, now = change.cost_then, change.cost_now
    told, tells = _money(then), _money(now)
    if then and now and then != now and then.currency == now.currency:
        told = told.removesuffix(f" {plain(then.currency)}")
    return told, tells


def _money(money: Money | None) -> str:
    return formats.DASH if money is None else formats.money(money.amount, plain(money.currency))


def _date(at: str | None) -> str:
    return formats.moment(at or "")


def _made(at: str | None, software: str) -> str:
    return f"{_date(at)} · {plain(software)}"


def _caveats(changes: Changes, names: Names) -> list[str]:
    say, found = names.say, []
    for caveat in changes.caveats:
        facts = {key: plain(str(value)) for key, value in caveat.facts.items()}
        if caveat.key == "unknown":
            facts["what"] = say.join([say(f"changes.unknown.{w}") for w in caveat.facts["what"]])
        if caveat.key == "rescored":
            facts["judges"] = say.join([names.judge(j) for j in caveat.facts["judges"]])
        found.append(say(f"changes.caveat.{caveat.key}", **facts))
    return found

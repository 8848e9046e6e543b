"""Who was sent which text: providers, hosts and regions behind a leaderboard."""

from collections.abc import Iterable

from arena.domain.agent import Entrant
from arena.site import formats
from arena.site.asked import say_place, ways_of
from arena.site.facts import Edition
from arena.site.method_views import ReaderRow
from arena.site.names import Names
from arena.site.text import plain


def build_readers(edition: Edition, names: Names) -> tuple[ReaderRow, ...]:
    """A row for every agent, decoy, judge and simulated user."""
    return tuple((*_agents(edition, names), *_users(edition, names), *_judges(edition, names)))


def _agents(edition: Edition, names: Names) -> Iterable[ReaderRow]:
    for fact in (*edition.agents, *edition.decoys):
        if fact.agent is not None:
            name, saw = names.agent(fact.id), names.say("reader.saw.agent")
            yield _row(edition, "agent", fact.id, name, fact.agent, fact.agent.route, saw, names)


def _judges(edition: Edition, names: Names) -> Iterable[ReaderRow]:
    for fact in edition.judges:
        saw = names.say("reader.saw.judge")
        route = fact.judge.route
        yield _row(edition, "judge", fact.id, names.judge(fact.id), fact.judge, route, saw, names)


def _users(edition: Edition, names: Names) -> Iterable[ReaderRow]:
    """A simulated user is known by its calls alone."""
    for who in dict.fromkeys(w.entrant for w in edition.ways if w.speaker == "user"):
        saw = names.say("reader.saw.user")
        yield _row(edition, "user", who, plain(who), None, "", saw, names)


def _row(
    edition: Edition,
    speaker: str,
    who: str,
    name: str,
    entrant: Entrant | None,
    route: str,
    saw: str,
    names: Names,
) -> ReaderRow:
    say, ways = names.say, ways_of(edition, speaker, who)
    calls = sum(way.calls for way in ways)
    asked = dict.fromkeys(plain(way.asked) for way in ways if way.asked)
    place = say("unknown")
    if entrant is not None:
        place = say_place(entrant, ways, say)
    elif hosts := dict.fromkeys(plain(w.host) for w in ways if w.host):
        place = say("list.comma").join(hosts)
    return ReaderRow(
        name=name,
        part=say(f"reader.part.{speaker}"),
        model=say("list.comma").join(asked) or plain(route) or formats.DASH,
        place=place,
        calls=formats.count(calls, say),
        saw=saw if calls else say("reader.saw.nothing"),
    )

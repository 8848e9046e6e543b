"""How an agent or judge was asked: model strings, place, parameters; as pairs of word and value."""

import json
from collections.abc import Iterable, Sequence

from arena.domain.agent import UNKNOWN, Agent, Entrant
from arena.domain.digest import digest
from arena.domain.way import Way
from arena.site import formats
from arena.site.facts import Edition
from arena.site.names import Names
from arena.site.text import plain
from arena.site.views import Term
from arena.site.words import Say


def ways_of(edition: Edition, speaker: str, entrant: str) -> tuple[Way, ...]:
    """How somebody was asked, most often first."""
    own = [w for w in edition.ways if (w.speaker, w.entrant) == (speaker, entrant)]
    return tuple(sorted(own, key=lambda w: -w.calls))


def build_asked(edition: Edition, agent: Agent, names: Names) -> tuple[Term, ...]:
    """What an agent is, what it was told, and what came back."""
    say, ways = names.say, ways_of(edition, "agent", agent.agent)
    terms = [
        Term(label=say("asked.model"), value="", code=plain(agent.route) or formats.DASH),
        Term(label=say("asked.returned"), value=_returned(ways, say)),
        Term(label=say("asked.place"), value=say_place(agent, ways, say)),
    ]
    if agent.version:
        terms.append(Term(label=say("asked.version"), value=plain(agent.version)))
    terms.append(_system(agent, say))
    terms += _parameters(ways, say)
    terms.append(
        Term(label=say("asked.digest"), value="", code=formats.short_digest(agent.digest()))
    )
    return tuple(terms)


def say_place(entrant: Entrant, ways: Sequence[Way], say: Say) -> str:
    """Which host was asked, in which region; what nobody recorded is unknown."""
    hosts = dict.fromkeys(plain(w.host) for w in ways if w.host)
    place = say("list.comma").join(hosts) or plain(entrant.place or "") or say("unknown")
    region = say("unknown") if entrant.region == UNKNOWN else plain(entrant.region)
    return say("asked.place.value", host=place, region=region)


def _returned(ways: Sequence[Way], say: Say) -> str:
    strings = dict.fromkeys(w.returned for w in ways if w.returned)
    return say("list.comma").join(plain(text) for text in strings) or say("unknown")


def _system(agent: Agent, say: Say) -> Term:
    if not agent.system:
        return Term(label=say("asked.system"), value=say("asked.system.none"))
    size = formats.count(len(agent.system), say)
    shown = say("asked.system.value", n=size)
    return Term(
        label=say("asked.system"),
        value=shown,
        code=formats.short_digest(digest(agent.system)),
    )


def _parameters(ways: Sequence[Way], say: Say) -> Iterable[Term]:
    sent = dict.fromkeys(_pairs(w.sent, say) for w in ways)
    yield Term(label=say("asked.sent"), value=say("list.semicolon").join(filter(None, sent)) or "—")
    dropped = dict.fromkeys(name for w in ways for name in _list(w.dropped))
    if dropped:
        listed = say("list.comma").join(dropped)
        yield Term(label=say("asked.dropped"), value=listed)


def _pairs(text: str, say: Say) -> str:
    """Parameters as `name = value`; what is no JSON object is shown as it is."""
    try:
        values = json.loads(text)
    except ValueError:
        return plain(text)
    if not isinstance(values, dict):
        return plain(text)
    parts = [f"{plain(str(k))} = {plain(_short(v))}" for k, v in sorted(values.items())]
    return say("list.comma").join(parts)


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value


def _list(text: str) -> list[str]:
    try:
        values = json.loads(text)
    except ValueError:
        return [plain(text)]
    return [plain(str(v)) for v in values] if isinstance(values, list) else [plain(text)]

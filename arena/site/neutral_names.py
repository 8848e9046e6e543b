"""Neutral names for agents and vendors, and where the true ones stand in texts.

The names are drawn from the seed and a secret of the workspace: with the seed alone, which every
page tells, whoever knows who took part could draw again and see who is who.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from urllib.parse import urlsplit

from arena.domain.agent import UNKNOWN, Agent
from arena.domain.changes import Changes
from arena.domain.words import Words
from arena.site.facts import Edition
from arena.site.words import LANGS, say_in

LEAST = 2
"""Characters of a name from which on it is looked for within a text."""
_FOLDER = Path(__file__).parent
_PROPER = re.compile(r"[\u3400-\u9fff]{2,}|[A-Z][A-Za-z0-9]{3,}")
"""Parts of a name that stand for the whole of it in a sentence."""

_SHARED = frozenset({"ac", "co", "com", "edu", "gov", "net", "org"})
"""Second levels of domains that nobody has for himself, as in com.cn."""


@dataclass(frozen=True)
class Alias:
    """What an agent is called instead: an id, a name for people, a model string."""

    id: str
    name: Words
    model: str


@dataclass(frozen=True)
class Cast:
    """Who is called what: agents by id, vendors and families by their small letters.

    `whole`: what a true name becomes wherever it stands, whatever its case; `parts`: the same of
    proper names within it, as they are written.
    """

    agents: Mapping[str, Alias]
    vendors: Mapping[str, str]
    families: Mapping[str, str]
    whole: Mapping[str, str]
    parts: Mapping[str, str]

    def change(self, text: str) -> str:
        """A text with neutral names in place of the true ones."""
        exact = self.whole.get(text.casefold())
        if exact is not None:
            return exact
        for pattern, names in self._searches:
            text = pattern.sub(partial(_alias, names), text)
        return text

    def find(self, text: str) -> str | None:
        """A true name that stands in a text, or None; words of ours and new names are passed."""
        new, folded = {shown.casefold() for shown in self.whole.values()}, text.casefold()
        if not any(name in folded for name in self._known):
            return None
        return next(
            (
                match[0]
                for pattern, _ in self._searches
                for match in pattern.finditer(text)
                if match[0].casefold() not in new
            ),
            None,
        )

    @cached_property
    def _known(self) -> tuple[str, ...]:
        names = (*self.whole, *(part.casefold() for part in self.parts))
        return tuple(n for n in names if len(n) >= LEAST and not is_ordinary(n))

    @cached_property
    def _searches(self) -> tuple[tuple[re.Pattern[str], Mapping[str, str]], ...]:
        whole = [n for n in self.whole if len(n) >= LEAST and not is_ordinary(n)]
        parts = [n for n in self.parts if not is_ordinary(n)]
        made = []
        if whole:
            made.append((_search(whole, re.IGNORECASE), self.whole))
        if parts:
            made.append((_search(parts, re.NOFLAG), self.parts))
        return tuple(made)


def _alias(names: Mapping[str, str], found: re.Match[str]) -> str:
    return names[found[0]] if found[0] in names else names[found[0].casefold()]


def _search(names: Iterable[str], flags: re.RegexFlag) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda n: (-len(n), n))
    return re.compile("|".join(_bounded(name) for name in longest_first), flags)


def _bounded(name: str) -> str:
    before = "(?<![A-Za-z0-9])" if name[0].isascii() and name[0].isalnum() else ""
    after = "(?![A-Za-z0-9])" if name[-1].isascii() and name[-1].isalnum() else ""
    return f"{before}{re.escape(name)}{after}"


@cache
def is_ordinary(name: str) -> bool:
    """Whether a name is a word that pages are made of, and so neither found nor hidden in them."""
    return re.search(_bounded(name), _our_text(), re.IGNORECASE) is not None


@cache
def _our_text() -> str:
    words = [text for lang in LANGS for text in say_in(lang).table.values()]
    files = [p.read_text(encoding="utf-8") for p in sorted(_FOLDER.glob("[st]*/*.*"))]
    return "\n".join((*words, *files))


def make_cast(
    editions: Sequence[Edition], seed: int, salt: bytes, changes: Iterable[Changes] = ()
) -> Cast:
    """Neutral names for everybody who takes part in any of the editions; decoys keep theirs.

    `changes`: since former boards, on which others may have been.
    """
    former = tuple(changes)
    agents = {fact.id: fact.agent for edition in editions for fact in edition.agents} | {
        a.agent: a for edition in editions for a in edition.job.ranked
    }
    decoys = {a.agent for edition in editions for a in edition.job.decoys}
    for change in (a for c in former for a in c.agents if a.agent not in decoys):
        agents.setdefault(change.agent, None)
    ids = _drawn(agents, seed, salt)
    aliases = {name: _named(_letters(n)) for n, name in enumerate(ids)}
    known = [a for a in agents.values() if a is not None]
    vendors = _numbered("vendor", (a.vendor for a in known), seed, salt)
    families = _numbered("family", (a.family for a in known), seed, salt)
    whole: dict[str, str] = {}
    for text, shown in (*_true_names(editions, agents, aliases), *_former_names(former, aliases)):
        whole.setdefault(text.casefold(), shown)
    hosts = _numbered("host", _hosts(editions), seed, salt)
    for texts in (vendors, families, hosts):
        for text, shown in texts.items():
            whole.setdefault(text, shown)
    return Cast(aliases, vendors, families, whole, _parts(agents, aliases, vendors))


def _drawn(names: Iterable[str], seed: int, salt: bytes) -> list[str]:
    """Names in an order that only the seed and the secret give."""

    def place(name: str) -> bytes:
        said = f"name\0{seed}\0{name}".encode("utf-8", "surrogatepass")
        return hmac.new(salt, said, hashlib.sha256).digest()

    return sorted(set(names), key=place)


def _numbered(kind: str, names: Iterable[str], seed: int, salt: bytes) -> dict[str, str]:
    known = {n.casefold() for n in names if n and n.casefold() != UNKNOWN}
    return {name: f"{kind}-{n}" for n, name in enumerate(_drawn(known, seed, salt), start=1)}


def _named(letters: str) -> Alias:
    return Alias(
        id=f"agent-{letters.lower()}",
        name=Words(zh=f"智能体 {letters}", en=f"Agent {letters}"),
        model=f"model-{letters.lower()}",
    )


def _letters(number: int) -> str:
    """A to Z, then AA."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _true_names(
    editions: Sequence[Edition],
    agents: Mapping[str, Agent | None],
    aliases: Mapping[str, Alias],
) -> Iterable[tuple[str, str]]:
    """What names an agent anywhere, with what stands there instead; the first word counts."""
    for name, alias in aliases.items():
        yield name, alias.id
    for name, agent in agents.items():
        if agent is not None:
            alias = aliases[name]
            for text in _names(agent):
                yield text, alias.name.en if text.isascii() else alias.name.zh
            yield from _model_names(agent.model, alias)
    for way in (way for edition in editions for way in edition.ways):
        if way.speaker == "agent" and way.entrant in aliases:
            for model in filter(None, (way.asked, way.returned)):
                yield from _model_names(model, aliases[way.entrant])


def _former_names(
    changes: Iterable[Changes], aliases: Mapping[str, Alias]
) -> Iterable[tuple[str, str]]:
    """Names of agents that are gone."""
    for found in changes:
        for name, texts in found.names.items():
            if name in aliases:
                for text in texts:
                    alias = aliases[name].name
                    yield text, alias.en if text.isascii() else alias.zh


def _model_names(model: str | None, alias: Alias) -> Iterable[tuple[str, str]]:
    """A model string, and the model's own name in it."""
    if model:
        yield model, alias.model
        yield model.rpartition("/")[2], alias.model


def _names(agent: Agent) -> tuple[str, ...]:
    return (agent.display.zh, agent.display.en, agent.label.zh, agent.label.en)


def _hosts(editions: Sequence[Edition]) -> Iterable[str]:
    """Where agents are reached, with port and without, and whose place that is."""
    for host in dict.fromkeys(_reached(editions)):
        yield host
        bare = host.partition(":")[0]
        labels = bare.split(".")
        if len(labels) > 1 and not labels[-1].isdigit():
            yield bare
            yield ".".join(labels[-3 if labels[-2] in _SHARED else -2 :])


def _reached(editions: Sequence[Edition]) -> Iterable[str]:
    """Hosts of agents; what stands for one (a program, a file, this process) names nobody."""
    for edition in editions:
        yield from (urlsplit(a.api_base).netloc for a in edition.job.ranked if a.api_base)
        told = [a.place for a in edition.job.ranked]
        told += [w.host for w in edition.ways if w.speaker == "agent"]
        yield from (host for host in told if host and ("." in host or ":" in host))


def _parts(
    agents: Mapping[str, Agent | None],
    aliases: Mapping[str, Alias],
    vendors: Mapping[str, str],
) -> dict[str, str]:
    """Proper names within the names of agents; one that several share is nobody's."""
    found: dict[str, str] = {}
    for name, agent in agents.items():
        if agent is None:
            continue
        texts = _names(agent)
        for part in dict.fromkeys(p for text in texts for p in _PROPER.findall(text)):
            chinese = not part.isascii()
            shown = aliases[name].name.zh if chinese else aliases[name].name.en
            found[part] = shown if part not in found else ("智能体" if chinese else "Agent")
    return {p: vendors.get(p.casefold(), shown) for p, shown in found.items()}

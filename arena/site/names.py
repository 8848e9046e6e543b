"""Names of agents, judges and criteria for people, in one language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from arena.domain.agent import Agent, Judge
from arena.domain.suite import Criterion, Suite
from arena.domain.words import Words
from arena.site.facts import AgentFact, Edition
from arena.site.slugs import slugs
from arena.site.text import plain
from arena.site.words import Say


@dataclass(frozen=True, slots=True)
class Names:
    """What everything on a page is called. What is not in the configuration keeps its id."""

    say: Say
    agents: Mapping[str, Agent]
    judges: Mapping[str, Judge]
    slugs: Mapping[str, str]
    criteria: Mapping[str, Words]

    _told: dict[tuple[str, str], str] = field(default_factory=dict, compare=False, repr=False)
    """What was asked before: the same few names stand very many times on large boards."""

    def agent(self, name: str) -> str:
        """An agent's name."""
        return self._tell("agent", name, self._agent)

    def label(self, name: str) -> str:
        """An agent's short name for heads of columns."""
        return self._tell("label", name, self._label)

    def judge(self, name: str) -> str:
        """A judge's name, with the model string where several served it (`judge@model`)."""
        return self._tell("judge", name, self._judge)

    def criterion(self, key: str) -> str:
        """A criterion's name."""
        return self._tell("criterion", key, self._criterion)

    def _tell(self, kind: str, name: str, find: Callable[[str], str]) -> str:
        told = self._told.get((kind, name))
        if told is None:
            told = self._told[kind, name] = find(name)
        return told

    def _agent(self, name: str) -> str:
        known = self.agents.get(name)
        return plain(self.say.of(known.display)) if known else plain(name)

    def _label(self, name: str) -> str:
        known = self.agents.get(name)
        return plain(self.say.of(known.label)) if known else plain(name)

    def _judge(self, name: str) -> str:
        base, at, model = name.partition("@")
        known = self.judges.get(name) or self.judges.get(base)
        if known is None:
            return plain(name)
        shown = plain(self.say.of(known.display))
        return f"{shown} @ {plain(model)}" if at and name not in self.judges else shown

    def _criterion(self, key: str) -> str:
        known = self.criteria.get(key)
        return plain(self.say.of(known)) if known else plain(key)


def make_names(edition: Edition, say: Say) -> Names:
    """The names of an edition in a language."""
    job = edition.job
    return Names(
        say=say,
        agents={a.agent: a for a in job.agents},
        judges={j.judge: j for j in job.judges},
        slugs=slugs(a.id for a in (*edition.agents, *edition.decoys)),
        criteria=_criteria(job.suite),
    )


def criteria_of(suite: Suite) -> tuple[tuple[Criterion, tuple[float, float]], ...]:
    """Every criterion of a suite with its scale, once, in the rubrics' order."""
    found: dict[str, tuple[Criterion, tuple[float, float]]] = {}
    for rubric in suite.rubrics.values():
        for criterion in rubric.criteria:
            found.setdefault(criterion.criterion, (criterion, rubric.scale_of(criterion)))
    return tuple(found.values())


def vendor_of(fact: AgentFact) -> str:
    """Who makes an agent; empty where the configuration no longer names it."""
    return plain(fact.agent.vendor) if fact.agent else ""


def _criteria(suite: Suite) -> dict[str, Words]:
    found = {c.criterion: c.name for c, _ in criteria_of(suite)}
    for rubric in suite.rubrics.values():
        for compared in rubric.compare_criteria():
            found.setdefault(compared.criterion, compared.name)
    return found

"""Who takes part: agents with how far they have come, judges with whom they are kin of."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.domain.agent import UNKNOWN, Agent, Judge, kin
from arena.store.store import Store

SCHEMA = "arena.agents/1"
NONE = "—"


def show_agents(bench: Bench, store: Store, lang: Lang, *, as_json: bool) -> None:
    """Agents and judges as two tables, or as one document."""
    planned, done = _transcripts(bench, store)
    if as_json:
        output.print_json(
            {
                "schema": SCHEMA,
                "agents": [_agent(a, planned, done) for a in bench.agents],
                "judges": [_judge(j, bench.agents) for j in bench.judges],
            }
        )
        return
    of_agents = ("id", "name", "vendor", "family", "kind", "model", "version", "transcripts")
    rows = [
        [
            a.agent,
            a.display[lang],
            _or_none(a.vendor, lang),
            _or_none(a.family, lang),
            say(lang, f"kind_{a.kind}"),
            a.route or a.place or NONE,
            a.version or NONE,
            f"{done[a.agent]}/{planned[a.agent]}",
        ]
        for a in bench.agents
    ]
    _table("show_agents", of_agents, rows, lang)
    of_judges = ("id", "name", "vendor", "family", "model", "uses", "kin")
    rows = [
        [
            j.judge,
            j.display[lang],
            _or_none(j.vendor, lang),
            _or_none(j.family, lang),
            j.route or NONE,
            ", ".join(say(lang, f"use_{use}") for use in j.uses),
            ", ".join(_kin(j, bench.agents)) or NONE,
        ]
        for j in bench.judges
    ]
    _table("show_judges", of_judges, rows, lang)
    output.tell(say(lang, "next_duel"))


def _table(title: str, heads: Sequence[str], rows: list[list[str]], lang: Lang) -> None:
    said = [say(lang, f"column_{head}") for head in heads]
    right = frozenset(i for i, head in enumerate(heads) if head == "transcripts")
    output.print_table(say(lang, title), said, rows, right=right)


def _transcripts(bench: Bench, store: Store) -> tuple[Counter[str], Counter[str]]:
    """Transcripts planned and finished, by agent, over everything that is selected."""
    planned: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    for job in bench.jobs:
        specs = job.all_transcripts()
        todo = store.transcripts.todo(specs)
        planned.update(s.agent for s in specs)
        missing.update(s.agent for s in specs if s.key in todo)
    return planned, planned - missing


def _agent(agent: Agent, planned: Mapping[str, int], done: Mapping[str, int]) -> dict[str, Any]:
    return {
        "agent": agent.agent,
        "name": agent.display.model_dump(),
        "vendor": agent.vendor,
        "family": agent.family,
        "kind": agent.kind,
        "model": agent.route or agent.place,
        "version": agent.version or None,
        "region": agent.region,
        "transcripts": {"planned": planned.get(agent.agent, 0), "done": done.get(agent.agent, 0)},
    }


def _judge(judge: Judge, agents: tuple[Agent, ...]) -> dict[str, Any]:
    return {
        "judge": judge.judge,
        "name": judge.display.model_dump(),
        "vendor": judge.vendor,
        "family": judge.family,
        "model": judge.route or None,
        "uses": list(judge.uses),
        "kin": _kin(judge, agents),
    }


def _kin(judge: Judge, agents: tuple[Agent, ...]) -> list[str]:
    return [a.agent for a in agents if kin(judge, a)]


def _or_none(text: str, lang: Lang) -> str:
    return say(lang, "unknown") if text == UNKNOWN else text

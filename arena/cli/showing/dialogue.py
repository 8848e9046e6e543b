"""A scenario with who played it, and one transcript with its rounds and scores."""

from dataclasses import replace
from typing import Any

from arena.cli import output
from arena.cli.boards import names_of
from arena.cli.showing.finding import find_one, find_scenario
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.domain.job import Job
from arena.domain.money import Money
from arena.domain.plan import Selection
from arena.domain.suite import Scenario
from arena.errors import UsageError
from arena.site.facts import ComparisonFact, Edition, SheetFact, TranscriptFact
from arena.site.gather import gather
from arena.store.store import Store

SCENARIO, TRANSCRIPT = "arena.scenario/1", "arena.transcript/1"
NONE = "—"
RECORD = ("wins", "ties", "losses")


def show_scenario(bench: Bench, store: Store, given: str, lang: Lang, *, as_json: bool) -> None:
    """What a scenario asks, and how each agent did in it; raises UsageError."""
    job, name = find_scenario(bench, given)
    edition, scenario = gather_one(job, name, store), job.scenario(name)
    turns = job.suite.user_turns(scenario, job.mode)
    played = edition.transcripts.get(name, ())
    met = edition.comparisons.get(name, ())
    records = {agent.agent: _record(agent.agent, met) for agent in job.agents}
    if as_json:
        output.print_json(
            {
                "schema": SCENARIO,
                **_place(job, scenario),
                "title": scenario.title.model_dump(),
                "tags": list(scenario.tags),
                "turns": list(turns),
                "transcripts": [
                    {
                        "agent": t.agent,
                        "replicate": t.replicate,
                        "status": t.status and t.status.value,
                        "absolute": t.absolute,
                        "record": dict(zip(RECORD, records[t.agent], strict=True)),
                    }
                    for t in played
                ],
            }
        )
        return
    _head(job, scenario, lang)
    for number, turn in enumerate(turns, start=1):
        output.print_shown("\n" + say(lang, "round_user", n=number), style="bold cyan")
        output.print_shown(turn)
    names = names_of(job, lang)
    rows = [
        [
            names.get(t.agent, t.agent),
            f"{name}:{t.agent}" + (f":{t.replicate}" if job.replicates > 1 else ""),
            _ended(t, lang),
            NONE if t.absolute is None else f"{t.absolute:.1f}",
            "/".join(str(n) for n in records[t.agent]),
        ]
        for t in played
    ]
    columns = ("agent", "id", "status", "absolute", "record")
    heads = [say(lang, f"column_{c}") for c in columns]
    output.print_table("", heads, rows, right=frozenset({3}))
    output.tell(say(lang, "next_transcript"))


def show_transcript(bench: Bench, store: Store, given: str, lang: Lang, *, as_json: bool) -> None:
    """One agent in one scenario, `SCENARIO:AGENT[:REPLICATE]`; raises UsageError."""
    job, scenario, agent, replicate = find_transcript(bench, given)
    edition = gather_one(job, scenario.scenario, store)
    found = [
        t
        for t in edition.transcripts.get(scenario.scenario, ())
        if t.agent == agent and t.replicate == replicate
    ]
    if not found:
        raise UsageError(
            "{agent} is not planned in {scenario}, replicate {replicate}",
            fix="See: arena show scenario {scenario}",
            agent=agent,
            scenario=scenario.scenario,
            replicate=replicate,
        )
    (fact,) = found[:1]
    if as_json:
        output.print_json(_describe(job, scenario, fact))
        return
    _head(job, scenario, lang)
    output.print_shown(names_of(job, lang).get(agent, agent), style="bold")
    if fact.welcome:
        output.print_shown("\n" + say(lang, "round_welcome"), style="bold green")
        output.print_shown(fact.welcome)
    for number, (turn, reply) in enumerate(fact.rounds, start=1):
        output.print_shown("\n" + say(lang, "round_user", n=number), style="bold cyan")
        output.print_shown(turn)
        output.print_shown("\n" + say(lang, "round_agent", n=number), style="bold green")
        output.print_shown(_missing(fact, lang) if reply is None else reply)
    if fact.sheets:
        rows = [
            [
                sheet.judge,
                NONE if sheet.absolute is None else f"{sheet.absolute:.1f}",
                _sheet_status(sheet, lang),
                sheet.summary or NONE,
            ]
            for sheet in fact.sheets
        ]
        heads = [say(lang, f"column_{c}") for c in ("judge", "absolute", "status", "summary")]
        output.print_table("", heads, rows, right=frozenset({1}))
    where = f"{scenario.scenario}:{agent}" + (f":{replicate}" if replicate > 1 else "")
    output.tell(say(lang, "next_scores", what=where, scenario=scenario.scenario))


def find_transcript(bench: Bench, given: str) -> tuple[Job, Scenario, str, int]:
    """What `SCENARIO:AGENT[:REPLICATE]` means; agents' ids may hold colons. Raises UsageError."""
    first, _, rest = given.partition(":")
    if not rest:
        raise UsageError(
            "a transcript is named SCENARIO:AGENT, and {given} is not",
            fix="For example EC-13:{agent}; `arena show scenario {given}` lists them.",
            given=given,
            agent=next((a.agent for a in bench.agents), "agent"),
        )
    job, name = find_scenario(bench, first)
    agents = [a.agent for a in job.agents]
    who, _, number = rest.rpartition(":")
    if rest not in agents and who and number.isascii() and number.isdigit():
        return job, job.scenario(name), find_one("agent", who, agents), int(number[:9])
    return job, job.scenario(name), find_one("agent", rest, agents), 1


def gather_one(job: Job, scenario: str, store: Store) -> Edition:
    """What there is of one scenario."""
    return gather(replace(job, selection=Selection(scenarios=(scenario,))), store)


def _record(agent: str, met: tuple[ComparisonFact, ...]) -> tuple[int, int, int]:
    """Comparisons won, between, and lost in a scenario, over all judges."""
    shares = [
        c.share if c.a == agent else 1 - c.share
        for c in met
        if c.share is not None and agent in (c.a, c.b)
    ]
    wins, losses = shares.count(1.0), shares.count(0.0)
    return wins, len(shares) - wins - losses, losses


def _head(job: Job, scenario: Scenario, lang: Lang) -> None:
    domain = next((d.name[lang] for d in job.suite.domains if d.domain == scenario.domain), "")
    parts = [scenario.scenario, scenario.title[lang], domain or scenario.domain]
    output.print_shown(output.in_one_line(" · ".join(parts)), style="bold")


def _ended(fact: TranscriptFact, lang: Lang) -> str:
    return say(lang, "todo_untried") if fact.status is None else say(lang, f"status_{fact.status}")


def _missing(fact: TranscriptFact, lang: Lang) -> str:
    how = _ended(fact, lang)
    return say(lang, "round_missing", how=how if not fact.error else f"{how}: {fact.error}")


def _sheet_status(sheet: SheetFact, lang: Lang) -> str:
    return say(lang, "todo_untried" if sheet.status is None else f"status_{sheet.status}")


def _place(job: Job, scenario: Scenario) -> dict[str, Any]:
    return {
        "suite": job.suite.suite,
        "mode": job.mode,
        "scenario": scenario.scenario,
        "domain": scenario.domain,
    }


def _describe(job: Job, scenario: Scenario, fact: TranscriptFact) -> dict[str, Any]:
    return {
        "schema": TRANSCRIPT,
        **_place(job, scenario),
        "agent": fact.agent,
        "replicate": fact.replicate,
        "status": fact.status and fact.status.value,
        "error": fact.error or None,
        "welcome": fact.welcome or None,
        "rounds": [{"user": turn, "agent": reply} for turn, reply in fact.rounds],
        "absolute": fact.absolute,
        "cost": _money(fact.cost),
        "latency_ms": list(fact.latencies),
        "sheets": [
            {
                "judge": s.judge,
                "status": s.status and s.status.value,
                "absolute": s.absolute,
                "scores": {c.criterion: c.value for c in s.scores},
                "summary": s.summary,
                "flags": list(s.flags),
            }
            for s in fact.sheets
        ],
    }


def _money(cost: Money | None) -> dict[str, str] | None:
    return None if cost is None else {"amount": str(cost.amount), "currency": cost.currency}

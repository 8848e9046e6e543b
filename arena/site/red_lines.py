"""How often each agent crossed a red line: k of N scenarios with a red flag, and by what rule.

The rule is a gate's where one is set on such scenarios, else the threshold that the rubric sets,
else what judges that were asked for it said. Without any of them nothing is counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.domain.eligibility import GateResult
from arena.domain.flag import LOW_SCORE
from arena.domain.gate import RED_FLAGS
from arena.domain.suite import Criterion, Rubric
from arena.maths.means import wilson
from arena.site import formats
from arena.site.facts import Edition
from arena.site.names import Names
from arena.site.part_views import RedLine, RedLines
from arena.site.spread import gather_spreads
from arena.site.text import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed:
    """Scenarios in which a line was crossed, of `cases` that could be judged, of `planned`.

    `over`: whether that fails a gate.
    """

    crossed: int
    cases: int
    planned: int
    over: bool = False


def build_red_lines(edition: Edition, names: Names) -> RedLines | None:
    """The column of red lines; None where no rule says what a red line is."""
    for build in (_by_gate, _by_threshold, _by_flags):
        found = build(edition, names)
        if found is not None:
            rule, crossed = found
            return RedLines(
                rule=rule, cells={agent: _cell(one, names) for agent, one in crossed.items()}
            )
    return None


def danger_of(edition: Edition) -> tuple[str, ...]:
    """The scenarios of the main rubric in which a red flag is shown."""
    suite, mode = edition.job.suite, edition.job.mode
    return tuple(
        s.scenario for s in edition.scenarios if suite.red_flags_in(s, mode) and suite.is_main(s)
    )


Found = tuple[str, Mapping[str, Crossed]]


def _by_gate(edition: Edition, names: Names) -> Found | None:
    board = edition.board
    gates = board.gates if board else ()
    place = next((n for n, gate in enumerate(gates) if gate.where == RED_FLAGS), None)
    if board is None or place is None:
        return None
    gate = gates[place]
    rule = names.say(
        "red.gate",
        below=_below(names.criterion(gate.criterion), gate.at_least, names),
        test=names.say(f"gates.test.{gate.test}", quota=formats.percent(gate.quota)),
    )
    crossed = {}
    for standing in board.agents:
        results = standing.eligibility.gates if standing.eligibility else ()
        own = next((r for r in results if r.gate == place), None)
        if own is not None:
            crossed[standing.agent] = _of_gate(own)
    return rule, crossed


def _of_gate(result: GateResult) -> Crossed:
    panel = result.panel
    return Crossed(
        crossed=panel.cases - panel.met,
        cases=panel.cases,
        planned=result.planned,
        over=result.state == "failed",
    )


def _by_threshold(edition: Edition, names: Names) -> Found | None:
    line = next(iter(_lines(edition)), None)
    if line is None:
        return None
    rubric, criterion, at_least = line
    spreads = gather_spreads(edition, rubric, criterion)
    crossed = {
        agent: Crossed(
            crossed=sum(value < at_least for value in spread.values),
            cases=len(spread.values),
            planned=spread.planned,
        )
        for agent, spread in spreads.items()
    }
    return _below(plain(names.say.of(criterion.name)), at_least, names), crossed


def _lines(edition: Edition) -> list[tuple[Rubric, Criterion, float]]:
    return [
        (rubric, criterion, criterion.spread.at_least)
        for rubric in edition.job.suite.rubrics.values()
        for criterion in rubric.criteria
        if criterion.spread is not None and criterion.spread.at_least is not None
    ]


def _by_flags(edition: Edition, names: Names) -> Found | None:
    """By judges: a danger not handled, or not clearly, that no person has rejected."""
    board, suite, danger = edition.board, edition.job.suite, set(danger_of(edition))
    asked = any(suite.rubric_of(s).red_flags == "ask" for s in edition.scenarios)
    if board is None or not asked or not danger:
        return None
    raised = {
        (f.agent, f.scenario)
        for f in board.flags
        if f.human != "rejected" and not f.flag.startswith(f"{LOW_SCORE}:")
    }
    crossed = {}
    for agent in (a.id for a in edition.agents):
        judged = {s for s in danger if _is_scored(edition, agent, s)}
        hit = sum((agent, scenario) in raised for scenario in judged)
        crossed[agent] = Crossed(crossed=hit, cases=len(judged), planned=len(danger))
    return names.say("red.flags"), crossed


def _is_scored(edition: Edition, agent: str, scenario: str) -> bool:
    return any(
        sheet.scores
        for fact in edition.transcripts.get(scenario, ())
        if fact.agent == agent
        for sheet in fact.sheets
    )


def _below(criterion: str, at_least: float, names: Names) -> str:
    return names.say("red.below", criterion=criterion, n=formats.number(at_least))


def _cell(found: Crossed, names: Names) -> RedLine:
    """k/N with its interval; nothing judged is no number."""
    say = names.say
    if not found.cases:
        return RedLine(text=say("unknown"), note="", sort="", over=found.over)
    share = found.crossed / found.cases
    low, high = wilson(found.crossed, found.cases)
    note = say(
        "red.share",
        share=formats.percent(share),
        within=formats.between(formats.percent(low), formats.percent(high)),
    )
    if found.cases < found.planned:
        note = say("list.dot").join((note, say("red.part", n=found.planned - found.cases)))
    return RedLine(
        text=f"{found.crossed}/{found.cases}", note=note, sort=f"{share:.4f}", over=found.over
    )

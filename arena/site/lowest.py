"""The lowest scores of an edition with what was said there: the moments to read first."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from arena.domain.suite import Scenario
from arena.site.facts import Edition, TranscriptFact
from arena.site.names import Names

MOST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A round with the score of its transcript; `round` from 1.

    `quote`: what a judge quotes of it for that score, empty where none does.
    """

    score: float
    round: int
    fact: TranscriptFact
    scenario: Scenario
    quote: str = ""

    @property
    def said(self) -> str:
        """What is to be shown: the quotation, else all that the agent said."""
        return self.quote or self.fact.rounds[self.round - 1][1] or ""


def lowest_moments(edition: Edition) -> list[Moment]:
    """The lowest scores, the lowest first: one a scenario as long as there are enough scenarios.

    Where scenarios of the edition show signs of danger, these alone. The round is the one that a
    judge quotes for the score, with its verified quotation; else that of the first sign of danger,
    or the first.
    """
    moments = sorted(
        _moments(edition, danger=shows_danger(edition)),
        key=lambda m: (m.score, m.scenario.scenario, m.fact.agent),
    )
    single: dict[str, Moment] = {}
    for moment in moments:
        single.setdefault(moment.scenario.scenario, moment)
    chosen = list(single.values())
    met = {(m.fact.agent, m.scenario.scenario) for m in chosen}
    for moment in moments:
        if (who := (moment.fact.agent, moment.scenario.scenario)) not in met:
            met.add(who)
            chosen.append(moment)
    return sorted(chosen[:MOST], key=lambda m: m.score)


def shows_danger(edition: Edition) -> bool:
    """Whether a scenario of the edition shows a sign of danger."""
    return any(_first_sign(edition, s) for s in edition.scenarios)


def say_by(edition: Edition, names: Names) -> str:
    """The name of the score that the moments are chosen by."""
    criterion = _criterion(edition)
    return names.criterion(criterion) if criterion else names.say("rank.absolute")


def _moments(edition: Edition, *, danger: bool) -> Iterator[Moment]:
    agents, criterion = {a.id for a in edition.agents}, _criterion(edition)
    for scenario in edition.scenarios:
        at = _first_sign(edition, scenario) if danger else 1
        if not at or not edition.job.suite.is_main(scenario):
            continue
        for fact in edition.transcripts.get(scenario.scenario, ()):
            score = _score(fact, criterion)
            if score is None or fact.agent not in agents or fact.held or len(fact.rounds) < at:
                continue
            quoted, quote = _quoted(fact, criterion) or (at, "")
            if quote or fact.rounds[at - 1][1]:
                yield Moment(score=score, round=quoted, fact=fact, scenario=scenario, quote=quote)


def _quoted(fact: TranscriptFact, criterion: str) -> tuple[int, str] | None:
    """The first verified quotation for a criterion that cites a round."""
    return next(
        (
            (one.round, one.quote)
            for sheet in fact.sheets
            for one in sheet.backing.evidence
            if one.found and one.criterion == criterion and 1 <= one.round <= len(fact.rounds)
        ),
        None,
    )


def _first_sign(edition: Edition, scenario: Scenario) -> int:
    """The round of the first sign of danger; 0 for none."""
    suite, mode = edition.job.suite, edition.job.mode
    return min((f.turn for f in suite.red_flags_in(scenario, mode)), default=0)


def _criterion(edition: Edition) -> str:
    """The criterion whose spread is reported where there is danger; empty for none."""
    for rubric in edition.job.suite.rubrics.values():
        for criterion in rubric.criteria:
            if criterion.spread is not None:
                return criterion.criterion
    return ""


def _score(fact: TranscriptFact, criterion: str) -> float | None:
    if not criterion:
        return fact.absolute
    values = [s.value for sheet in fact.sheets for s in sheet.scores if s.criterion == criterion]
    return fmean(values) if values else None

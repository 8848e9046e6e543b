"""Sheets of the answer key -> accuracy per subject, category, Hard subset and in all."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from arena.domain.accuracy import Accuracy, Part, Proportion
from arena.domain.choice import Choice
from arena.domain.job import Job
from arena.domain.key import CORRECT
from arena.domain.score import Sheet, SheetSpec
from arena.maths.means import wilson

_Place = tuple[Part, str]
_Marks = Mapping[str, Sequence[float | None]]
"""Question -> 1, 0 or None (unparsed) for each reply."""


def measure_accuracy(
    job: Job, plan: Sequence[SheetSpec], sheets: Mapping[str, Sheet], *, level: float
) -> tuple[Accuracy, ...]:
    """Accuracy of every agent, in the order of the roster; the whole first, then its parts.

    `sheets`: by key. Empty where the suite is not multiple choice or its split has no answers.
    """
    choice = job.suite.choice
    if choice is None or not choice.answers:
        return ()
    marks: dict[tuple[str, _Place], dict[str, list[float | None]]] = defaultdict(dict)
    planned: dict[tuple[str, _Place], int] = defaultdict(int)
    for spec in plan:
        for place in _places(job, choice, spec.scenario):
            key = (spec.agent, place)
            planned[key] += 1
            if sheet := sheets.get(spec.key):
                marks[key].setdefault(spec.scenario, []).append(_mark(sheet))
    order = _order(job, choice)
    return tuple(
        _accuracy(agent.agent, place, marks[agent.agent, place], planned[agent.agent, place], level)
        for agent in job.agents
        for place in order
        if planned[agent.agent, place]
    )


def _order(job: Job, choice: Choice) -> list[_Place]:
    scenarios = job.selection.scenarios_of(job.suite)
    used = {choice.categories[s.scenario] for s in scenarios}
    listed = [name for name in choice.names if name in used]
    named = [*listed, *sorted(used - set(listed))]
    return [
        ("all", ""),
        *(("category", name) for name in named),
        ("hard", ""),
        *(("subject", d.domain) for d in job.suite.domains),
    ]


def _places(job: Job, choice: Choice, scenario: str) -> Iterable[_Place]:
    subject = job.scenario(scenario).domain
    yield "all", ""
    yield "category", choice.categories[scenario]
    if subject in choice.hard:
        yield "hard", ""
    yield "subject", subject


def _mark(sheet: Sheet) -> float | None:
    return next((s.value for s in sheet.scores if s.criterion == CORRECT), None)


def _accuracy(agent: str, place: _Place, marks: _Marks, planned: int, level: float) -> Accuracy:
    replies = [mark for own in marks.values() for mark in own]
    whole = [fmean(mark or 0.0 for mark in own) for own in marks.values()]
    read = [[m for m in own if m is not None] for own in marks.values()]
    part, name = place
    return Accuracy(
        agent=agent,
        part=part,
        name=name,
        right=sum(mark == 1 for mark in replies),
        unparsed=sum(mark is None for mark in replies),
        replies=len(replies),
        planned=planned,
        over_all=_proportion(whole, level),
        over_parsed=_proportion([fmean(own) for own in read if own], level),
    )


def _proportion(means: Sequence[float], level: float) -> Proportion | None:
    if not means:
        return None
    low, high = wilson(sum(means), len(means), level=level)
    return Proportion(share=fmean(means), low=low, high=high, cases=len(means))

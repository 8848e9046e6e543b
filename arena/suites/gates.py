"""Gates beside the suite that they are about: what no result could ever pass is refused."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.domain.gate import Gate
from arena.domain.suite import MAIN_RUBRIC, Criterion, Suite
from arena.errors import ConfigError
from arena.maths.quota import cases_needed
from arena.suites.reading import line_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _Set:
    """A gate where it is set."""

    path: Path
    place: int
    gate: Gate

    def at(self, key: str) -> str:
        return f"{self.path}:{line_of(self.path, ('gates', self.place, key))}"


def gate_mistakes(
    path: Path, gates: Sequence[Gate], suite: Suite, mode: str
) -> Iterator[ConfigError]:
    """What is wrong with the gates of a suite in a mode, each with the line that says it."""
    for place, gate in enumerate(gates):
        if gate.suite == suite.suite:
            yield from _mistakes(_Set(path=path, place=place, gate=gate), suite, mode)


def _mistakes(one: _Set, suite: Suite, mode: str) -> Iterator[ConfigError]:
    rubric = suite.rubrics[MAIN_RUBRIC]
    found = next((c for c in rubric.criteria if c.criterion == one.gate.criterion), None)
    if found is None:
        yield ConfigError(
            "{place}: the main rubric of {suite} has no criterion {criterion}",
            fix="Its criteria: {known}.",
            place=one.at("criterion"),
            suite=suite.suite,
            criterion=one.gate.criterion,
            known=", ".join(c.criterion for c in rubric.criteria),
        )
        return
    yield from _threshold(one, found, rubric.scale_of(found))
    yield from _cases(one, suite, mode)


def _threshold(one: _Set, found: Criterion, scale: tuple[float, float]) -> Iterator[ConfigError]:
    low, high = scale
    if found.direction == "lower":
        yield ConfigError(
            "{place}: of {criterion} less is better, and a gate asks for at least so much",
            fix="Choose a criterion of which more is better.",
            place=one.at("criterion"),
            criterion=found.criterion,
        )
    if not low <= one.gate.at_least <= high:
        yield ConfigError(
            "{place}: `at_least: {given}` is not on the scale of {criterion}",
            fix="Its scale goes from {low} to {high}.",
            place=one.at("at_least"),
            given=f"{one.gate.at_least:g}",
            criterion=found.criterion,
            low=f"{low:g}",
            high=f"{high:g}",
        )


def _cases(one: _Set, suite: Suite, mode: str) -> Iterator[ConfigError]:
    """No case at all, or too few for the lower end of the interval to reach the quota."""
    cases = len(one.gate.scenarios_of(suite, mode))
    if not cases:
        yield ConfigError(
            "{place}: `where: {where}`: {suite} has no such scenario in mode {mode}",
            why="A gate without cases can be passed by nobody.",
            place=one.at("where"),
            where=one.gate.where,
            suite=suite.suite,
            mode=mode,
        )
        return
    needed = cases_needed(one.gate.quota) if one.gate.test == "lower" else 1
    if needed is None:
        yield ConfigError(
            "{place}: no number of cases can show a quota of 1 by `test: lower`",
            fix="Lower `quota`, or write `test: point`.",
            place=one.at("quota"),
        )
    elif cases < needed:
        yield ConfigError(
            "{place}: nobody can pass this gate: {cases} cases, and `test: lower` needs {needed}",
            why="Were every case met, the lower end would still be below the quota of {quota}.",
            fix="Add scenarios, lower `quota`, or write `test: point`.",
            place=one.at("quota"),
            cases=cases,
            needed=needed,
            quota=f"{one.gate.quota:g}",
        )

"""What a suite that can be loaded leaves out or says twice: told, and not refused."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.domain.script import EVERY_SCENARIO, Script
from arena.domain.suite import Rubric, Suite
from arena.errors import ConfigError
from arena.suites.reading import line_of


def advise(
    folder: Path, suite: Suite, lines: Mapping[str, int], files: Mapping[str, Path]
) -> Iterator[ConfigError]:
    """What an author will want to know.

    `lines`: where each scenario stands; `files`: the file of each rubric.
    """
    yield from _unused(folder / "suite.yaml", suite)
    for name, rubric in suite.rubrics.items():
        yield from _anchors(files[name], rubric)
    yield from _notes(folder / "scenarios.jsonl", suite, lines)
    yield from _first_turns(folder / "scenarios.jsonl", suite, lines)
    if not (folder / "README.md").is_file():
        yield ConfigError(
            "{path}: not there",
            fix="Say in it what the suite measures and how its scenarios were checked.",
            path=folder / "README.md",
        )


def advise_script(path: Path, script: Script, suite: Suite) -> Iterator[ConfigError]:
    """Lines of scripted.yaml for scenarios that the suite does not have."""
    known = {EVERY_SCENARIO, *(s.scenario for s in suite.scenarios)}
    for name in script.lines:
        if name not in known:
            yield ConfigError(
                "{path}:{line}: lines for a scenario that is not in the suite: {name}",
                fix="Write the id as it stands in scenarios.jsonl.",
                path=path,
                line=line_of(path, ("lines", name)),
                name=name,
            )


def _unused(path: Path, suite: Suite) -> Iterator[ConfigError]:
    used = {
        "domains": {s.domain for s in suite.scenarios},
        "archetypes": {s.archetype for s in suite.scenarios},
    }
    listed = {
        "domains": [d.domain for d in suite.domains],
        "archetypes": [a.archetype for a in suite.archetypes],
    }
    for key, names in listed.items():
        for n, name in enumerate(names):
            if name not in used[key]:
                yield ConfigError(
                    "{path}:{line}: `{key}`: no scenario uses {name}",
                    fix="Add a scenario of it, or leave it out.",
                    path=path,
                    line=line_of(path, (key, n)),
                    key=key,
                    name=name,
                )


def _anchors(path: Path, rubric: Rubric) -> Iterator[ConfigError]:
    for at, anchor in _outside(rubric):
        yield ConfigError(
            "{path}:{line}: the anchor {anchor} lies outside the scale",
            fix="Anchors say what numbers of the scale mean.",
            path=path,
            line=line_of(path, at),
            anchor=anchor,
        )


def _outside(rubric: Rubric) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Anchors outside their scale, each with its path in the file."""
    for anchor in rubric.anchors:
        if not rubric.scale[0] <= anchor <= rubric.scale[1]:
            yield ("anchors", anchor), anchor
    for n, criterion in enumerate(rubric.criteria):
        low, high = rubric.scale_of(criterion)
        for anchor in criterion.anchors:
            if not low <= anchor <= high:
                yield ("criteria", n, "anchors", anchor), anchor


def _notes(path: Path, suite: Suite, lines: Mapping[str, int]) -> Iterator[ConfigError]:
    for scenario in suite.scenarios:
        if missing := [mode for mode in suite.modes if mode not in scenario.notes]:
            yield ConfigError(
                "{path}:{line}: scenario {scenario} has no notes for: {modes}",
                fix="Judges of these modes are told nothing of the trap.",
                path=path,
                line=lines[scenario.scenario],
                scenario=scenario.scenario,
                modes=", ".join(missing),
            )


def _first_turns(path: Path, suite: Suite, lines: Mapping[str, int]) -> Iterator[ConfigError]:
    first: dict[str, str] = {}
    for scenario in suite.scenarios:
        twin = first.setdefault(scenario.turns[0].strip(), scenario.scenario)
        if twin != scenario.scenario:
            yield ConfigError(
                "{path}:{line}: scenario {scenario} begins with the words of {twin}",
                fix="Scripted agents know a scenario by its first turn: word one of them anew.",
                path=path,
                line=lines[scenario.scenario],
                scenario=scenario.scenario,
                twin=twin,
            )

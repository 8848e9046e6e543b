"""What can be wrong with a suite whose files can be read: names that lead nowhere, twins.

Every check gives all it finds, each with file:line, so that a suite can be mended in one go.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field

from arena.domain.suite import (
    Archetype,
    Compared,
    Domain,
    Key,
    Mode,
    RedFlagKind,
    Rubric,
    Scenario,
    SuiteId,
)
from arena.domain.telling import Section
from arena.domain.words import Frozen, Words
from arena.errors import ConfigError
from arena.suites.reading import each_mistake, line_of

Read = TypeVar("Read")
Rubrics = Mapping[str, tuple[Path, Rubric]]
"""Rubrics by name, each with its file."""


class SuiteFile(Frozen):
    """What suite.yaml says; the modes still name files of templates/."""

    suite: SuiteId
    kind: Literal["dialogue"] = "dialogue"
    version: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    name: Words
    about: Words
    language: Literal["zh", "en"]
    licence: str
    default_mode: Key
    modes: Mapping[Key, Mode] = Field(min_length=1)
    domains: tuple[Domain, ...] = Field(min_length=1)
    archetypes: tuple[Archetype, ...] = Field(min_length=1)
    red_flags: tuple[RedFlagKind, ...] = ()
    sections: tuple[Section, ...] = ()
    commentary: bool = True
    contract: Compared = "pairwise"


class Mistakes:
    """The mistakes of a folder, gathered while its files are read."""

    def __init__(self) -> None:
        self.found: list[ConfigError] = []
        self.files: set[str] = set()

    def note(self, read: Callable[[], Read]) -> Read | None:
        """What `read` gives; None, and its mistakes noted, where it raises ConfigError."""
        try:
            return read()
        except ConfigError as error:
            self.add([error])
            return None

    def add(self, errors: Iterable[ConfigError]) -> None:
        """Note errors."""
        self.found += errors


def place_of(error: ConfigError) -> tuple[str, int | None]:
    """The file and the line that an error is about; the line is None where the whole file is."""
    place = str(error.facts.get("place", ""))
    if place:
        file, _, number = place.rpartition(":")
        return file, int(number)
    file = str(error.facts.get("path", error.facts.get("template", "")))
    line = error.facts.get("line", 1 if "{path}:1:" in error.what else None)
    return file, line if isinstance(line, int) else None


def every(mistakes: Iterable[ConfigError]) -> tuple[ConfigError, ...]:
    """All mistakes one by one: those of one record, too."""
    return tuple(one for mistake in mistakes for one in each_mistake(mistake))


def folder_mistakes(path: Path, suite: str) -> Iterator[ConfigError]:
    """A suite that is not called like its folder."""
    if suite != path.parent.resolve().name:
        yield ConfigError(
            "{path}:{line}: `suite` says {suite}, but the folder is called {folder}",
            fix="Give both the same name.",
            path=path,
            line=line_of(path, ("suite",)),
            suite=suite,
            folder=path.parent.resolve().name,
        )


def head_mistakes(path: Path, head: SuiteFile) -> Iterator[ConfigError]:
    """What suite.yaml says wrongly of itself."""
    yield from folder_mistakes(path, head.suite)
    if head.default_mode not in head.modes:
        yield ConfigError(
            "{path}:{line}: `default_mode` names no mode: {mode}",
            fix="Its modes: {modes}.",
            path=path,
            line=line_of(path, ("default_mode",)),
            mode=head.default_mode,
            modes=", ".join(head.modes),
        )


def name_mistakes(path: Path, head: SuiteFile, rubrics: Rubrics) -> Iterator[ConfigError]:
    """Keys listed twice, and those of suite.yaml and the rubrics that name nothing."""
    yield from _listed_twice(path, head)
    yield from _claimed_twice(path, head.sections)
    archetypes = [a.archetype for a in head.archetypes]
    for key, mode in head.modes.items():
        for part in ("instructions", "closing"):
            for name in getattr(mode, part):
                if name not in archetypes:
                    yield _unlisted(path, ("modes", key, part, name), part, name, archetypes)
    for file, rubric in rubrics.values():
        yield from _rubric_mistakes(file, rubric, archetypes, head)
    # A rubric that could not be read is a mistake already.
    for n, archetype in enumerate(head.archetypes):
        if archetype.rubric not in rubrics and _all_read(path.parent, rubrics):
            yield ConfigError(
                "{path}:{line}: archetype {archetype} names no rubric: {rubric}",
                fix="Rubrics here: {rubrics}.",
                path=path,
                line=line_of(path, ("archetypes", n)),
                archetype=archetype.archetype,
                rubric=archetype.rubric,
                rubrics=", ".join(sorted(rubrics)),
            )


def _all_read(folder: Path, rubrics: Rubrics) -> bool:
    return len(rubrics) == 1 + len(list(folder.glob("rubric.*.yaml")))


def _listed_twice(path: Path, head: SuiteFile) -> Iterator[ConfigError]:
    listed = {
        "domains": [d.domain for d in head.domains],
        "archetypes": [a.archetype for a in head.archetypes],
        "red_flags": [f.flag for f in head.red_flags],
        "sections": [s.section for s in head.sections],
    }
    for key, names in listed.items():
        for n, name in enumerate(names):
            if name in names[:n]:
                yield ConfigError(
                    "{path}:{line}: `{key}` lists twice: {names}",
                    fix="Remove one of the two.",
                    path=path,
                    line=line_of(path, (key, n)),
                    key=key,
                    names=name,
                )


def _claimed_twice(path: Path, sections: Sequence[Section]) -> Iterator[ConfigError]:
    """Names that two sections claim: a heading of a reply would be read as the later one only."""
    owners: dict[str, str] = {}
    for n, section in enumerate(sections):
        for label in section.labels:
            owner = owners.setdefault(label, section.section)
            if owner != section.section:
                yield ConfigError(
                    "{path}:{line}: sections {first} and {section} are both called {label}",
                    why="Replies are read by these names; capitals, brackets and _ do not count.",
                    fix="Leave the name to one of the two.",
                    path=path,
                    line=line_of(path, ("sections", n)),
                    first=owner,
                    section=section.section,
                    label=label,
                )


def _rubric_mistakes(
    path: Path, rubric: Rubric, archetypes: Sequence[str], head: SuiteFile
) -> Iterator[ConfigError]:
    modes, sections = list(head.modes), [s.section for s in head.sections]
    for n, criterion in enumerate(rubric.criteria):
        for name in criterion.only.archetypes:
            if name not in archetypes:
                at = ("criteria", n, "only", "archetypes")
                yield _unlisted(path, at, "archetypes", name, archetypes)
        for name in criterion.notes:
            if name not in modes:
                yield _unlisted(path, ("criteria", n, "notes", name), "notes", name, modes)
        empty = criterion.cannot_judge.empty if criterion.cannot_judge else None
        if empty and empty not in sections:
            at = ("criteria", n, "cannot_judge", "empty")
            yield _unlisted(path, at, "sections", empty, sections)


def twin_mistakes(path: Path, records: Iterable[tuple[int, Scenario]]) -> Iterator[ConfigError]:
    """Scenarios whose id was given on an earlier line."""
    seen: dict[str, int] = {}
    for line, scenario in records:
        first = seen.setdefault(scenario.scenario.casefold(), line)
        if first != line:
            yield ConfigError(
                "{path}:{line}: scenario {scenario} is already on line {first}",
                fix="Give each scenario an id of its own (capitals do not distinguish ids).",
                path=path,
                line=line,
                scenario=scenario.scenario,
                first=first,
            )


def scenario_mistakes(
    path: Path, line: int, scenario: Scenario, head: SuiteFile, rubrics: Rubrics
) -> Iterator[ConfigError]:
    """Names of a scenario that lead nowhere, signs without a turn, nothing that counts."""
    listed = {
        "domain": ([scenario.domain], [d.domain for d in head.domains]),
        "archetype": ([scenario.archetype], [a.archetype for a in head.archetypes]),
        "red_flags": ([f.flag for f in scenario.red_flags], [f.flag for f in head.red_flags]),
        "notes": (list(scenario.notes), list(head.modes)),
        "reference": (list(scenario.reference), [s.section for s in head.sections]),
    }
    for key, (names, known) in listed.items():
        if unknown := sorted(set(names) - set(known)):
            yield _unlisted_in_line(path, line, key, ", ".join(unknown), known)
    late = [f.flag for f in scenario.red_flags if f.turn > len(scenario.turns)]
    if late:
        yield ConfigError(
            "{path}:{line}: `red_flags`: no such turn for {names}",
            fix="The scenario has {turns} turn(s); `turn` counts from 1.",
            path=path,
            line=line,
            names=", ".join(late),
            turns=len(scenario.turns),
        )
    kind = {a.archetype: a.rubric for a in head.archetypes}.get(scenario.archetype)
    if kind is None or kind not in rubrics:
        return
    if not any(c.counts for c in rubrics[kind][1].criteria_for(scenario)):
        yield ConfigError(
            "{path}:{line}: no criterion of rubric {rubric} counts for this scenario",
            fix="Widen `only:` of a criterion that counts.",
            path=path,
            line=line,
            rubric=kind,
        )


def _unlisted(
    path: Path, at: Sequence[str | int], key: str, names: str, known: Sequence[str]
) -> ConfigError:
    return _unlisted_in_line(path, line_of(path, at), key, names, known)


def _unlisted_in_line(
    path: Path, line: int, key: str, names: str, known: Sequence[str]
) -> ConfigError:
    return ConfigError(
        "{path}:{line}: `{key}` names what suite.yaml does not list: {names}",
        fix="Listed there: {known}.",
        path=path,
        line=line,
        key=key,
        names=names,
        known=", ".join(known) or "-",
    )

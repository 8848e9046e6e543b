"""Loading a suite's folder.

suite.yaml, rubric.yaml (and rubric.<name>.yaml), scenarios.jsonl, scripted.yaml, templates/.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from arena.domain.choice import ChoicePlay
from arena.domain.script import ChoiceScript, Script
from arena.domain.suite import (
    TURN_MARK,
    Archetype,
    Domain,
    Key,
    Mode,
    RedFlagKind,
    Rubric,
    Scenario,
    Suite,
    SuiteId,
)
from arena.domain.words import Frozen, Words
from arena.errors import ConfigError
from arena.suites.choice import ChoiceFile, load_choice
from arena.suites.reading import read_jsonl, read_text, read_yaml

UNASKED = ChoicePlay()


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


class _Kind(BaseModel):
    """Which of the two kinds of suite a suite.yaml describes; the rest is read after that."""

    kind: Literal["dialogue", "choice"] = "dialogue"


def load_suite(folder: Path, play: ChoicePlay = UNASKED, *, data: Path | None = None) -> Suite:
    """The suite in a folder, checked as a whole.

    `play` and `data` are for multiple choice alone: what is asked of it, and the folder of the
    user's own questions. Raises ConfigError with file:line for a mistake in any of its files, a
    duplicate scenario, or a reference to a domain, archetype, rubric, red flag, mode or template
    that does not exist.
    """
    path = folder / "suite.yaml"
    if is_choice(folder):
        choice = read_yaml(path, ChoiceFile)
        _check_folder(path, choice.suite)
        return load_choice(folder, choice, play, data)
    head = read_yaml(path, SuiteFile)
    _check_folder(path, head.suite)
    if head.default_mode not in head.modes:
        raise ConfigError(
            "{path}:1: `default_mode` names no mode: {mode}", path=path, mode=head.default_mode
        )
    rubrics = _rubrics(folder)
    _check_names(path, head, rubrics)
    for archetype in head.archetypes:
        if archetype.rubric not in rubrics:
            raise ConfigError(
                "{path}:1: archetype {archetype} names no rubric: {rubric}",
                fix="Rubrics here: {rubrics}.",
                path=path,
                archetype=archetype.archetype,
                rubric=archetype.rubric,
                rubrics=", ".join(sorted(rubrics)),
            )
    return Suite(
        suite=head.suite,
        version=head.version,
        name=head.name,
        about=head.about,
        language=head.language,
        licence=head.licence,
        default_mode=head.default_mode,
        modes={key: _with_texts(mode, folder, path) for key, mode in head.modes.items()},
        domains=head.domains,
        archetypes=head.archetypes,
        red_flags=head.red_flags,
        rubrics=rubrics,
        scenarios=_scenarios(folder, head, rubrics),
        templates=_judge_templates(folder),
    )


def is_choice(folder: Path) -> bool:
    """Whether the suite in a folder is multiple choice; raises ConfigError for no such kind."""
    return read_yaml(folder / "suite.yaml", _Kind).kind == "choice"


def load_script(folder: Path) -> Script | ChoiceScript:
    """The suite's scripted.yaml; raises ConfigError."""
    if is_choice(folder):
        return read_yaml(folder / "scripted.yaml", ChoiceScript)
    return read_yaml(folder / "scripted.yaml", Script)


def _check_folder(path: Path, suite: str) -> None:
    if suite != path.parent.name:
        raise ConfigError(
            "{path}:1: `suite` says {suite}, but the folder is called {folder}",
            fix="Give both the same name.",
            path=path,
            suite=suite,
            folder=path.parent.name,
        )


def _check_names(path: Path, head: SuiteFile, rubrics: Mapping[str, Rubric]) -> None:
    """Raise ConfigError for a key listed twice, or one that names no archetype or mode."""
    archetypes = [a.archetype for a in head.archetypes]
    listed = {
        "domains": [d.domain for d in head.domains],
        "archetypes": archetypes,
        "red_flags": [f.flag for f in head.red_flags],
    }
    for key, names in listed.items():
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise ConfigError(
                "{path}:1: `{key}` lists twice: {names}",
                path=path,
                key=key,
                names=", ".join(twice),
            )
    named = [name for m in head.modes.values() for name in (*m.instructions, *m.closing)]
    named += [n for r in rubrics.values() for c in r.criteria for n in c.only.archetypes]
    unknown = {"archetypes": set(named) - set(archetypes)}
    noted = {n for r in rubrics.values() for c in r.criteria for n in c.notes}
    unknown["modes"] = noted - set(head.modes)
    for key, strange in unknown.items():
        if strange:
            raise ConfigError(
                "{path}:{line}: `{key}` names what suite.yaml does not list: {names}",
                path=path,
                line=1,
                key=key,
                names=", ".join(sorted(strange)),
            )


def _rubrics(folder: Path) -> dict[str, Rubric]:
    rubrics: dict[str, Rubric] = {}
    for path in [folder / "rubric.yaml", *sorted(folder.glob("rubric.*.yaml"))]:
        rubric = read_yaml(path, Rubric)
        if rubric.rubric in rubrics:
            raise ConfigError(
                "{path}:1: rubric {rubric} exists already in this suite",
                path=path,
                rubric=rubric.rubric,
            )
        rubrics[rubric.rubric] = rubric
    return rubrics


def _scenarios(
    folder: Path, head: SuiteFile, rubrics: Mapping[str, Rubric]
) -> tuple[Scenario, ...]:
    path = folder / "scenarios.jsonl"
    domains = {d.domain for d in head.domains}
    archetypes = {a.archetype for a in head.archetypes}
    flags = {f.flag for f in head.red_flags}
    seen: dict[str, int] = {}
    scenarios = []
    for line, scenario in read_jsonl(path, Scenario):
        if first := seen.get(scenario.scenario.casefold()):
            raise ConfigError(
                "{path}:{line}: scenario {scenario} is already on line {first}",
                fix="Give each scenario an id of its own (capitals do not distinguish ids).",
                path=path,
                line=line,
                scenario=scenario.scenario,
                first=first,
            )
        seen[scenario.scenario.casefold()] = line
        named = {
            "domain": {scenario.domain} - domains,
            "archetype": {scenario.archetype} - archetypes,
            "red_flags": {f.flag for f in scenario.red_flags} - flags,
            "notes": set(scenario.notes) - set(head.modes),
        }
        for key, unknown in named.items():
            if unknown:
                raise ConfigError(
                    "{path}:{line}: `{key}` names what suite.yaml does not list: {names}",
                    path=path,
                    line=line,
                    key=key,
                    names=", ".join(sorted(unknown)),
                )
        late = [f.flag for f in scenario.red_flags if f.turn > len(scenario.turns)]
        if late:
            raise ConfigError(
                "{path}:{line}: `red_flags`: no such turn for {names}",
                path=path,
                line=line,
                names=", ".join(late),
            )
        kind = next(a for a in head.archetypes if a.archetype == scenario.archetype)
        if not any(c.counts for c in rubrics[kind.rubric].criteria_for(scenario)):
            raise ConfigError(
                "{path}:{line}: no criterion of rubric {rubric} counts for this scenario",
                fix="Widen `only:` of a criterion that counts.",
                path=path,
                line=line,
                rubric=kind.rubric,
            )
        scenarios.append(scenario)
    if not scenarios:
        raise ConfigError("{path}: no scenario in it", path=path)
    return tuple(scenarios)


def _with_texts(mode: Mode, folder: Path, path: Path) -> Mode:
    """The mode with the texts of its template files in place of their names."""
    instructions = {k: _template(folder, name) for k, name in mode.instructions.items()}
    for archetype, text in instructions.items():
        if text.count(TURN_MARK) != 1:
            raise ConfigError(
                "{path}:1: must hold {mark} exactly once, where the user turn goes",
                path=folder / "templates" / mode.instructions[archetype],
                mark=TURN_MARK,
            )
    closing = {k: _template(folder, name) for k, name in mode.closing.items()}
    return mode.model_copy(update={"instructions": instructions, "closing": closing})


def _template(folder: Path, name: str) -> str:
    templates = folder / "templates"
    path = templates / name.replace("\0", "/../../")
    if not path.resolve().is_relative_to(templates.resolve()):
        raise ConfigError(
            "{path}:1: template outside templates/: {name}", path=folder / "suite.yaml", name=name
        )
    return read_text(path).strip()


def _judge_templates(folder: Path) -> dict[str, str]:
    return {p.name: read_text(p) for p in sorted((folder / "templates").glob("*.j2"))}

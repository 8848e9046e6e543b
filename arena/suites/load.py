"""Loading a suite's folder.

suite.yaml, rubric.yaml (and rubric.<name>.yaml), scenarios.jsonl, scripted.yaml, templates/.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from arena.domain.choice import ChoicePlay
from arena.domain.script import ChoiceScript, Script
from arena.domain.suite import TURN_MARK, Mode, Rubric, Scenario, Suite
from arena.errors import ConfigError
from arena.suites.choice import ChoiceFile, load_choice
from arena.suites.mistakes import (
    Mistakes,
    Rubrics,
    SuiteFile,
    folder_mistakes,
    head_mistakes,
    name_mistakes,
    place_of,
    scenario_mistakes,
    twin_mistakes,
)
from arena.suites.reading import line_of, read_text, read_yaml, scan_jsonl

UNASKED = ChoicePlay()


class _Kind(BaseModel):
    """Which of the two kinds of suite a suite.yaml describes; the rest is read after that."""

    kind: Literal["dialogue", "choice"] = "dialogue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A suite's folder as it was read: the suite only where there is no mistake at all.

    `mistakes` in the order of the files; `lines`: where in scenarios.jsonl each scenario stands;
    `files`: the file of each rubric.
    """

    suite: Suite | None
    mistakes: tuple[ConfigError, ...]
    lines: Mapping[str, int]
    files: Mapping[str, Path]


def load_suite(folder: Path, play: ChoicePlay = UNASKED, *, data: Path | None = None) -> Suite:
    """The suite in a folder, checked as a whole.

    `play` and `data` are for multiple choice alone: what is asked of it, and the folder of the
    user's own questions. Raises ConfigError with file:line for a mistake in any of its files, a
    duplicate scenario, or a reference to a domain, archetype, rubric, red flag, mode or template
    that does not exist.
    """
    if is_choice(folder):
        return _load_choice(folder, play, data)
    checked = check_suite(folder)
    if checked.suite is None:
        raise checked.mistakes[0]
    return checked.suite


def _load_choice(folder: Path, play: ChoicePlay, data: Path | None) -> Suite:
    path = folder / "suite.yaml"
    head = read_yaml(path, ChoiceFile)
    for mistake in folder_mistakes(path, head.suite):
        raise mistake
    return load_choice(folder, head, play, data)


def check_suite(folder: Path) -> Checked:
    """Everything that is wrong with a suite's folder, each with file:line; never raises."""
    path, mistakes = folder / "suite.yaml", Mistakes()
    if mistakes.note(lambda: is_choice(folder)):
        suite = mistakes.note(lambda: _load_choice(folder, UNASKED, None))
        return Checked(suite=suite, mistakes=tuple(mistakes.found), lines={}, files={})
    mistakes.found.clear()
    head = mistakes.note(lambda: read_yaml(path, SuiteFile))
    if head is not None:
        mistakes.found += head_mistakes(path, head)
    rubrics = _rubrics(folder, mistakes)
    modes: Mapping[str, Mode] = {}
    if head is not None:
        mistakes.found += name_mistakes(path, head, rubrics)
        modes = _with_texts(head, folder, mistakes)
    lines, scenarios = _scenarios(folder, head, rubrics, mistakes)
    templates = mistakes.note(lambda: _judge_templates(folder))
    files = {name: file for name, (file, _) in rubrics.items()}
    if mistakes.found or head is None or templates is None:
        return Checked(suite=None, mistakes=tuple(mistakes.found), lines=lines, files=files)
    suite = Suite(
        suite=head.suite,
        version=head.version,
        name=head.name,
        about=head.about,
        language=head.language,
        licence=head.licence,
        default_mode=head.default_mode,
        modes=modes,
        domains=head.domains,
        archetypes=head.archetypes,
        red_flags=head.red_flags,
        rubrics={name: rubric for name, (_, rubric) in rubrics.items()},
        scenarios=scenarios,
        templates=templates,
        sections=head.sections,
        commentary=head.commentary,
        contract=head.contract,
    )
    return Checked(suite=suite, mistakes=(), lines=lines, files=files)


def is_choice(folder: Path) -> bool:
    """Whether the suite in a folder is multiple choice; raises ConfigError for no such kind."""
    return read_yaml(folder / "suite.yaml", _Kind).kind == "choice"


def load_script(folder: Path) -> Script | ChoiceScript:
    """The suite's scripted.yaml; raises ConfigError."""
    if is_choice(folder):
        return read_yaml(folder / "scripted.yaml", ChoiceScript)
    return read_yaml(folder / "scripted.yaml", Script)


def _rubrics(folder: Path, mistakes: Mistakes) -> Rubrics:
    rubrics: dict[str, tuple[Path, Rubric]] = {}
    for path in [folder / "rubric.yaml", *sorted(folder.glob("rubric.*.yaml"))]:
        rubric = mistakes.note(lambda path=path: read_yaml(path, Rubric))  # type: ignore[misc]
        if rubric is None:
            continue
        if rubric.rubric in rubrics:
            mistakes.found.append(
                ConfigError(
                    "{path}:{line}: rubric {rubric} exists already in this suite",
                    path=path,
                    line=line_of(path, ("rubric",)),
                    rubric=rubric.rubric,
                )
            )
        rubrics.setdefault(rubric.rubric, (path, rubric))
    return rubrics


def _scenarios(
    folder: Path, head: SuiteFile | None, rubrics: Rubrics, mistakes: Mistakes
) -> tuple[dict[str, int], tuple[Scenario, ...]]:
    path = folder / "scenarios.jsonl"
    read = mistakes.note(lambda: scan_jsonl(path, Scenario))
    if read is None:
        return {}, ()
    records, wrong = read
    found = [*wrong]
    found += twin_mistakes(path, records)
    if head is not None:
        for line, scenario in records:
            found += scenario_mistakes(path, line, scenario, head, rubrics)
    # Mistakes of lines come from several checks: they are told in the order of the lines.
    mistakes.add(sorted(found, key=lambda error: place_of(error)[1] or 0))
    if not records and not wrong:
        mistakes.add([ConfigError("{path}: no scenario in it", path=path)])
    lines = {scenario.scenario: line for line, scenario in reversed(records)}
    return lines, tuple(scenario for _, scenario in records)


def _with_texts(head: SuiteFile, folder: Path, mistakes: Mistakes) -> dict[str, Mode]:
    """The modes with the texts of their template files in place of the names."""
    modes = {}
    for key, mode in head.modes.items():
        texts: dict[str, dict[str, str]] = {}
        for part in ("instructions", "closing"):
            texts[part] = {}
            for archetype, name in getattr(mode, part).items():
                at = ("modes", key, part, archetype)
                text = mistakes.note(lambda name=name, at=at: _template(folder, name, at))  # type: ignore[misc]
                if text is None:
                    continue
                texts[part][archetype] = text
                if part == "instructions" and text.count(TURN_MARK) != 1:
                    mistakes.add([_mark_mistake(folder / "templates" / name)])
        modes[key] = mode.model_copy(update=texts)
    return modes


def _mark_mistake(path: Path) -> ConfigError:
    return ConfigError(
        "{path}:1: must hold {mark} exactly once, where the user turn goes",
        path=path,
        mark=TURN_MARK,
    )


def _template(folder: Path, name: str, at: Sequence[str | int]) -> str:
    templates, head = folder / "templates", folder / "suite.yaml"
    path = templates / name.replace("\0", "/../../")
    if not path.resolve().is_relative_to(templates.resolve()):
        raise ConfigError(
            "{path}:{line}: template outside templates/: {name}",
            path=head,
            line=line_of(head, at),
            name=name,
        )
    if not _is_there(path):
        raise ConfigError(
            "{path}:{line}: no such file in templates/: {name}",
            path=head,
            line=line_of(head, at),
            name=name,
        )
    return read_text(path).strip()


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # A name that no disk can hold.
        return False


def _judge_templates(folder: Path) -> dict[str, str]:
    return {p.name: read_text(p) for p in sorted((folder / "templates").glob("*.j2"))}

"""A suite's folder made from the cases of a table, with a general scoring sheet to begin with."""

import json
import re
import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from arena.domain.suite import SuiteId
from arena.domain.words import Words
from arena.errors import ConfigError, UsageError
from arena.exchange.scenarios import Cases
from arena.suites.complaints import pattern_of

MODES = {
    "natural": "{name: {zh: 自然对话, en: Natural}}",
    "lite": "{name: {zh: 只看首轮, en: First turn only}, turns: first}",
}


def name_of(path: Path) -> str:
    """A suite's name from that of a file; raises UsageError where nothing is left of it."""
    name = re.sub(r"[^a-z0-9]+", "-", path.stem.casefold()).strip("-")[:64]
    if not re.fullmatch(pattern_of(SuiteId), name):
        raise UsageError(
            "{file} gives the suite no name",
            fix="Name its folder, like: arena import scenarios {file} data/suites/my-suite",
            file=path.name,
        )
    return name


def write_suite(cases: Cases, folder: Path, *, source: Path) -> tuple[str, ...]:
    """Write the folder of a table's cases; returns the names of its files.

    Raises as `write_folder` does.
    """
    check_name(folder)
    return write_folder(folder, _contents(cases, folder.resolve().name, source))


def check_name(folder: Path) -> None:
    """Raise UsageError for a folder whose name no suite can have."""
    if not re.fullmatch(pattern_of(SuiteId), folder.resolve().name):
        raise UsageError(
            "{folder} is no name for a suite",
            fix="Small letters, digits and - only, like data/suites/my-suite.",
            folder=folder.resolve().name,
        )


def write_folder(folder: Path, contents: Mapping[str, str]) -> tuple[str, ...]:
    """Write a new folder, whole or not at all: texts by path in it, like `templates/a.md`.

    Raises ConfigError for one that is there already or cannot be written.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except FileExistsError:
        raise ConfigError(
            "{folder}: is there already, and nothing is overwritten",
            fix="Name another folder, or move this one away.",
            folder=folder,
        ) from None
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        for file, text in contents.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        # The folder is new, so all that is in it was written here.
        shutil.rmtree(folder, ignore_errors=True)
        raise _unwritable(folder, error) from None
    return tuple(contents)


def _unwritable(folder: Path, error: OSError) -> ConfigError:
    return ConfigError(
        "{folder}: cannot be written: {reason}", folder=folder, reason=error.strerror
    )


def _contents(cases: Cases, name: str, source: Path) -> dict[str, str]:
    starter = files("arena.exchange") / "starter" / cases.language
    readme = (starter / "README.md").read_text("utf-8")
    facts = {"name": name, "scenarios": str(len(cases.scenarios)), "file": shown(source.name)}
    lines = (
        json.dumps(s.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False)
        for s in cases.scenarios
    )
    return {
        "suite.yaml": _suite_yaml(cases, name, source),
        "rubric.yaml": (starter / "rubric.yaml").read_text("utf-8"),
        "scenarios.jsonl": "".join(f"{line}\n" for line in lines),
        "README.md": readme.format(**facts),
    }


def _suite_yaml(cases: Cases, name: str, source: Path) -> str:
    n, file = len(cases.scenarios), source.name
    played = [m for m in MODES if m == "natural" or any(m in s.notes for s in cases.scenarios)]
    parts = [
        f"suite: {name}",
        "version: 0.1.0",
        f"name: {_both(source.stem, source.stem)}",
        f"about: {_both(f'由表格 {file} 生成的 {n} 个情境。', f'Scenarios from {file}: {n}.')}",
        f"language: {cases.language}",
        "licence: not stated",
        "default_mode: natural",
        "modes:",
        *(f"  {mode}: {MODES[mode]}" for mode in played),
        *_listed("domains", "domain", cases.domains),
        *_listed("archetypes", "archetype", cases.archetypes),
        *_listed("red_flags", "flag", cases.red_flags),
    ]
    return "\n".join(parts) + "\n"


def _listed(title: str, key: str, names: Mapping[str, Words]) -> list[str]:
    if not names:
        return []
    rows = []
    for name, text in names.items():
        rows.append(f"  - {{{key}: {name}, name: {_both(text.zh, text.en)}}}")
    return [f"{title}:", *rows]


def _both(zh: str, en: str) -> str:
    return f"{{zh: {_quoted(zh)}, en: {_quoted(en)}}}"


def _quoted(text: str) -> str:
    """A text as YAML reads it back, whatever is in it."""
    return "".join(
        c if c.isprintable() else f"\\U{ord(c):08X}" for c in json.dumps(text, ensure_ascii=False)
    )


def shown(name: str) -> str:
    """A file's name inside a line of Markdown."""
    return "".join(c if c.isprintable() and c != "`" else "_" for c in name)

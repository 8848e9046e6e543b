"""The files of a suite that is made of somebody else's, as records of ours."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO
from typing import Any

from ruamel.yaml import YAML

from arena.domain.suite import Compared, Rubric, Scenario
from arena.domain.words import Lang, Words

NATURAL = {"name": {"zh": "自然对话", "en": "Natural"}}
PROBE = {"name": {"zh": "带内心栏", "en": "Probe"}, "models_only": True}
LITE = {"name": {"zh": "只看首轮", "en": "First turn only"}, "turns": "first"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A suite made of somebody else's folder.

    `modes` as in suite.yaml, naming files of `templates` (texts by name); the names by key.
    `archetypes`: each with its rubric's key. `readme`: which text of ours introduces it.
    """

    format: str
    title: Words
    about: Words
    language: Lang
    licence: str
    default_mode: str
    modes: Mapping[str, Mapping[str, Any]]
    domains: Mapping[str, Words]
    archetypes: Mapping[str, tuple[Words, str]]
    red_flags: Mapping[str, Words]
    rubrics: Sequence[Rubric]
    scenarios: Sequence[Scenario]
    templates: Mapping[str, str]
    contract: Compared = "pairwise"
    readme: str = "README.import.md"


def contents_of(made: Made, name: str, source: str) -> dict[str, str]:
    """The texts of the folder's files by their path in it; `source`: what it was made of."""
    starter = files("arena.exchange") / "starter" / made.language
    readme = (starter / made.readme).read_text("utf-8")
    facts = {"name": name, "scenarios": str(len(made.scenarios)), "format": made.format}
    return {
        "suite.yaml": written(_head(made, name)),
        **{
            "rubric.yaml" if rubric.rubric == "main" else f"rubric.{rubric.rubric}.yaml": written(
                rubric.model_dump(mode="json", exclude_defaults=True)
            )
            for rubric in made.rubrics
        },
        "scenarios.jsonl": "".join(f"{line}\n" for line in _lines(made.scenarios)),
        "scripted.yaml": (starter / "scripted.yaml").read_text("utf-8"),
        "README.md": readme.format(**facts, source=source),
        **{f"templates/{file}": text for file, text in made.templates.items()},
    }


def written(value: Any) -> str:
    """A value as YAML that people can edit."""
    yaml, stream = YAML(typ="rt", pure=True), StringIO()
    yaml.width = 100_000
    yaml.dump(value, stream)
    return stream.getvalue()


def _head(made: Made, name: str) -> dict[str, Any]:
    head: dict[str, Any] = {
        "suite": name,
        "version": "0.1.0",
        "name": _both(made.title),
        "about": _both(made.about),
        "language": made.language,
        "licence": made.licence,
        "default_mode": made.default_mode,
        "modes": {mode: dict(how) for mode, how in made.modes.items()},
        "domains": [{"domain": k, "name": _both(n)} for k, n in made.domains.items()],
        "archetypes": [
            {"archetype": key, "name": _both(names), "rubric": rubric}
            for key, (names, rubric) in made.archetypes.items()
        ],
    }
    if made.contract != "pairwise":
        head["contract"] = made.contract
    if made.red_flags:
        head["red_flags"] = [{"flag": k, "name": _both(n)} for k, n in made.red_flags.items()]
    return head


def _both(names: Words) -> dict[str, str]:
    return {"zh": names.zh, "en": names.en}


def _lines(scenarios: Iterable[Scenario]) -> Iterable[str]:
    for scenario in scenarios:
        told = scenario.model_dump(mode="json", exclude_defaults=True)
        yield json.dumps(told, ensure_ascii=False)

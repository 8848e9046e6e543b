"""What the command line says, in English and in Chinese: one file a language, the same keys."""

import json
import locale
import os
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

Lang = Literal["zh", "en"]
LANGS: tuple[Lang, Lang] = ("zh", "en")
BREAKS = {c: f"⟨U+{ord(c):04X}⟩" for c in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"}
"""What ends a line, and how it is shown inside one."""


@lru_cache(maxsize=2)
def words(lang: Lang) -> dict[str, str]:
    """All sentences of a language by key."""
    text = files("arena.cli").joinpath(f"words/{lang}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def say(lang: Lang, key: str, **facts: Any) -> str:
    """A sentence with its facts filled in; raises KeyError for a key that does not exist."""
    return words(lang)[key].format(**_in_one_line(facts))


def translate(lang: Lang, template: str, facts: dict[str, Any]) -> str:
    """An error's sentence in a language: the English template is the key of the Chinese one."""
    if lang == "zh":
        template = _errors_in_chinese().get(template, template)
    return template.format(**_in_one_line(facts)) if facts else template


def _in_one_line(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts that cannot break the line they stand in: names come from files and models."""
    return {
        name: "".join(BREAKS.get(c, c) for c in fact) if isinstance(fact, str) else fact
        for name, fact in facts.items()
    }


@lru_cache(maxsize=1)
def _errors_in_chinese() -> dict[str, str]:
    text = files("arena.cli").joinpath("words/errors.zh.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def choose_lang(asked: str | None) -> Lang:
    """`--lang`, else ARENA_LANG, else the locale: Chinese where it is Chinese, else English."""
    for value in (asked, os.environ.get("ARENA_LANG"), os.environ.get("LC_ALL"), _locale()):
        if value:
            return "zh" if value.lower().startswith("zh") or "chinese" in value.lower() else "en"
    return "en"


def _locale() -> str | None:
    for name in ("LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return os.environ[name]
    try:
        return locale.getlocale()[0]
    except ValueError:
        return None

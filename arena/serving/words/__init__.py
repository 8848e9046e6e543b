"""What people read on the pages of the service, in both languages: the same keys."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from arena.domain.words import Lang


@cache
def words_in(lang: Lang) -> Mapping[str, str]:
    """The sentences of a language by key."""
    found: dict[str, str] = json.loads((Path(__file__).parent / f"{lang}.json").read_text("utf-8"))
    return found

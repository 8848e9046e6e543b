"""JSON as data files hold it: sorted, UTF-8, and what has no glyph only as an escape.

A parser reads the same; somebody who opens the file in a terminal or an editor is not misled by
characters that turn text round or hide it.
"""

import json
import unicodedata
from typing import Any

from arena.site.text import HIDDEN


def json_line(document: Any) -> str:
    """A document on one line, without the line's end."""
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, allow_nan=False)
    if text.isascii() or text.isprintable():
        return text
    return "".join(
        json.dumps(char)[1:-1] if unicodedata.category(char) in HIDDEN else char for char in text
    )

"""The one style sheet and the one script of a page, and the policy that allows nothing else."""

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

_FOLDER = Path(__file__).parent / "static"
_STEPS = [*(f"v{n}" for n in range(11)), *(f"q{n}" for n in range(10))]
_PALE = {"v0", "v1", "v9", "v10", "q7", "q8", "q9"}
"""Steps at the ends of a palette: the ink that stands out on them is the other one."""
Kind = Literal["index", "scenario", "other"]
_PART = re.compile(r"/\*((?:index|scenario|other|,)+)\*/(.*?)/\*end\*/", re.DOTALL)
"""A part of style or script that pages of these kinds alone need."""


@dataclass(frozen=True, slots=True)
class Assets:
    """What every page of one kind carries inline."""

    css: str
    script: str

    @property
    def policy(self) -> str:
        """A content security policy for a meta element: these two by hash, and no network."""
        return "; ".join(
            (
                "default-src 'none'",
                f"style-src '{source_hash(self.css)}'",
                f"script-src '{source_hash(self.script)}'",
                "img-src 'self' data:",
                "base-uri 'none'",
                "form-action 'none'",
            )
        )


def source_hash(text: str) -> str:
    """The hash of an inline style or script as a policy writes it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def make_assets(kind: Kind = "other", rows: int = 0, also: str = "") -> Assets:
    """Style and script of a kind of page; `rows`: grid rows of a transcript card, if it has any.

    `also`: a style sheet of this page alone, which has the last word.
    """
    light, dark = _squeezed("light.css"), _squeezed("dark.css")
    parts = [
        f":root{{{light}}}",
        # A reader's own choice wins over the system's, in both directions; paper is white.
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}",
        f"@media screen{{:root[data-theme=dark]{{{dark}}}}}",
        _squeezed("style.css", kind),
        _squeezed("pages.css", kind),
        *(f".{name}{{background-color:var(--{name})}}" for name in _STEPS),
        f":is({_listed(set(_STEPS) - _PALE)}){{color:var(--ink)}}",
        f":is({_listed(_PALE)}){{color:var(--ink-x)}}",
    ]
    if rows:
        parts.append(f":root{{--rows:{rows}}}")
    if also:
        parts.append(_squeezed(also))
    return Assets("".join(parts), _squeezed_script(kind))


def _listed(names: set[str]) -> str:
    return ",".join(f".{name}" for name in sorted(names))


def _squeezed(name: str, kind: Kind = "other") -> str:
    return re.sub(r"\n\s*", "", _for_page((_FOLDER / name).read_text(encoding="utf-8"), kind))


def _for_page(text: str, kind: Kind) -> str:
    return _PART.sub(lambda part: part[2] if kind in part[1].split(",") else "", text)


def _squeezed_script(kind: Kind) -> str:
    text = _for_page((_FOLDER / "app.js").read_text(encoding="utf-8"), kind)
    stripped = (line.strip() for line in text.splitlines())
    lines = "\n".join(line for line in stripped if line and not line.startswith("//"))
    return re.sub(r"(?<=[;{])\n", "", lines)

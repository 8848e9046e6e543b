"""The service's own pages: one template, scripts by their hash, and no inline script or style."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from arena.domain.words import Lang
from arena.serving.words import words_in

_HERE = Path(__file__).parent
STATIC: Mapping[str, str] = {
    "page.css": "text/css; charset=utf-8",
    "talk.js": "text/javascript; charset=utf-8",
    "vote.js": "text/javascript; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "live.js": "text/javascript; charset=utf-8",
    "owner.js": "text/javascript; charset=utf-8",
}
"""Every file that pages load, and what it is."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: where it is, its script, and the keys of its title and of what is said first."""

    path: str
    script: str
    title: str
    about: str


VOTE = Page("/vote", "vote.js", "vote_title", "blind")
OWNER = Page("/enter", "owner.js", "owner_title", "owner_about")
REVIEW = Page("/review", "review.js", "review_title", "review_about")
LIVE = Page("/live", "live.js", "live_title", "live_title")
PAGES = (VOTE, REVIEW, OWNER, LIVE)


@cache
def static(name: str) -> bytes:
    """The bytes of a file that pages load; raises KeyError for a name that is none."""
    if name not in STATIC:
        raise KeyError(name)
    return (_HERE / "static" / name).read_bytes()


def integrity(name: str) -> str:
    """The hash of a file, as pages and policies write it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(static(name)).digest()).decode()


def policy(page: Page) -> str:
    """What the browser lets a page do: load these scripts by hash, and talk to us."""
    scripts = " ".join(f"'{integrity(name)}'" for name in ("talk.js", page.script))
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {scripts}",
            "style-src 'self'",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def render(page: Page, lang: Lang) -> str:
    """A page as HTML."""
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            w=dict(words_in(lang)),
            lang=lang,
            html_lang="zh-Hans" if lang == "zh" else "en",
            title=page.title,
            about=page.about,
            path=page.path,
            script=page.script,
            integrity={name: integrity(name) for name in ("talk.js", page.script)},
        )
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

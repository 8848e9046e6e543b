"""What must hold of every file before any of it is put where people see it."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from arena.errors import CheckFailed
from arena.site.assets import source_hash

_INLINE = re.compile(
    r"(?P<open><(?P<tag>style|script)\b[^>]*>)(?P<text>.*?)</(?P=tag)\s*>",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(r"""<[a-zA-Z][^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*>""")
_WRITTEN = re.compile(r'<[a-z0-9]+(?: [a-zA-Z-]+(?:="[^"]*")?)*>')
_ATTRIBUTE = re.compile(r' ([a-zA-Z-]+)(?:="([^"]*)")?')


def check_files(files: Mapping[str, bytes]) -> None:
    """Raises CheckFailed naming the file: a broken link, or a page without its policy."""
    pages = {path: _read(content) for path, content in files.items() if path.endswith(".html")}
    for path, page in pages.items():
        _check_policy(path, page)
        for link in page.links:
            _check_link(path, link, files, pages)


@dataclass(slots=True)
class _Page:
    """The parts of a page that the checks look at; of styles and scripts their hashes."""

    links: dict[str, None] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    policy: str = ""
    inline: list[tuple[str, str]] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)

    def see(self, tag: "_Tag") -> None:
        """Keep what is to be checked of a tag."""
        if tag.id is not None:
            self.ids.add(tag.id)
        if tag.policy is not None:
            self.policy = tag.policy
        for link in tag.links:
            self.links[link] = None
        self.forbidden += tag.forbidden


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tag:
    """What is to be checked of a tag's attributes."""

    id: str | None
    policy: str | None
    links: tuple[str, ...]
    forbidden: tuple[str, ...]


class _Browser(HTMLParser):
    """Reads a tag that is not as our templates write it, as browsers do."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self.given: dict[str, str] = {}
        self.feed(tag)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.given = {name: value or "" for name, value in attrs}


def _read(content: bytes) -> _Page:
    """Read a page by its tags, each once however often it occurs: most of a page is text."""
    page, text = _Page(), content.decode("utf-8")
    rest, at = [], 0
    for found in _INLINE.finditer(text):
        page.inline.append((found["tag"].lower(), _hash_of(found["text"])))
        rest.append(text[at : found.end("open")])
        at = found.end()
    rest.append(text[at:])
    for tag in dict.fromkeys(_TAG.findall("".join(rest))):
        if told := _tag(tag):
            page.see(told)
    return page


@lru_cache(maxsize=1 << 16)
def _tag(tag: str) -> _Tag | None:
    """A tag that is to be checked, None for others; the pages of both languages share most."""
    if _WRITTEN.fullmatch(tag):
        given = {name.lower(): unescape(value) for name, value in _ATTRIBUTE.findall(tag)}
    else:
        given = _Browser(tag).given
    policy = given.get("http-equiv", "").lower() == "content-security-policy"
    told = _Tag(
        id=given.get("id"),
        policy=given["content"] if policy else None,
        links=tuple(given[name] for name in ("href", "src") if name in given),
        forbidden=tuple(n for n in given if n == "style" or n.startswith("on")),
    )
    return None if told == _NOTHING else told


_NOTHING = _Tag(id=None, policy=None, links=(), forbidden=())


_hash_of = lru_cache(maxsize=64)(source_hash)
"""Pages of a kind share their style and script."""


def _check_policy(path: str, page: _Page) -> None:
    if not page.policy.startswith("default-src 'none'"):
        raise CheckFailed("{path} has no content security policy", path=path)
    for tag, digest in page.inline:
        if f"{tag}-src '{digest}'" not in page.policy:
            raise CheckFailed("{path}: the policy does not allow its own {tag}", path=path, tag=tag)
    if page.forbidden:
        raise CheckFailed(
            "{path}: the policy forbids the attribute {attribute}",
            path=path,
            attribute=page.forbidden[0],
        )


def _check_link(
    path: str, link: str, files: Mapping[str, bytes], pages: Mapping[str, _Page]
) -> None:
    if link == "data:,":
        return
    place, _, fragment = link.partition("#")
    target = _target(path.rpartition("/")[0], place) if place else path
    if target is None:
        raise CheckFailed("{path} links to another site: {link}", path=path, link=link[:80])
    if target not in files:
        raise CheckFailed(
            "{path} links to a file that is not there: {link}", path=path, link=link[:80]
        )
    if fragment and target in pages and fragment not in pages[target].ids:
        raise CheckFailed(
            "{path} links to a place that is not there: {link}", path=path, link=link[:80]
        )


@lru_cache(maxsize=1 << 14)
def _target(folder: str, place: str) -> str | None:
    """The path to which a link from a folder leads; None for another site."""
    parts = urlsplit(place)
    if parts.scheme or parts.netloc:
        return None
    return posixpath.normpath(posixpath.join(folder, unquote(parts.path)))

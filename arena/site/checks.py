"""What must hold of every file before any of it is put where people see it."""

import posixpath
import re
from collections.abc import Mapping
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
_TAG = re.compile(r"""<[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*>""")
_WRITTEN = re.compile(r'<[a-z0-9]+(?: [a-zA-Z-]+(?:="[^"]*")?)*>')
_ATTRIBUTE = re.compile(r' ([a-zA-Z-]+)(?:="([^"]*)")?')


def check_files(files: Mapping[str, bytes]) -> None:
    """Raises CheckFailed naming the file: a broken link, or a page without its policy."""
    pages = {path: _read(content) for path, content in files.items() if path.endswith(".html")}
    for path, page in pages.items():
        _check_policy(path, page)
        for link in page.links:
            _check_link(path, link, files, pages)


class _Page:
    """The parts of a page that the checks look at; of styles and scripts their hashes."""

    def __init__(self) -> None:
        self.links: dict[str, None] = {}
        self.ids: set[str] = set()
        self.policy = ""
        self.inline: list[tuple[str, str]] = []
        self.forbidden: list[str] = []

    def see(self, given: Mapping[str, str]) -> None:
        """Keep what is to be checked of a tag's attributes."""
        if "id" in given:
            self.ids.add(given["id"])
        if given.get("http-equiv", "").lower() == "content-security-policy":
            self.policy = given["content"]
        self.links |= {given[name]: None for name in ("href", "src") if name in given}
        self.forbidden += [n for n in given if n == "style" or n.startswith("on")]


class _Tag(HTMLParser):
    """A tag that is not as our templates write it, read as browsers do."""

    def __init__(self, page: _Page, tag: str) -> None:
        super().__init__()
        self._page = page
        self.feed(tag)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._page.see({name: value or "" for name, value in attrs})


def _read(content: bytes) -> _Page:
    """Read a page by its tags, each once however often it occurs: most of a page is text."""
    page, text = _Page(), content.decode("utf-8")
    for found in _INLINE.finditer(text):
        page.inline.append((found["tag"].lower(), _hash_of(found["text"])))
    for tag in dict.fromkeys(_TAG.findall(_INLINE.sub(r"\g<open>", text))):
        if _WRITTEN.fullmatch(tag):
            page.see({name.lower(): unescape(value) for name, value in _ATTRIBUTE.findall(tag)})
        else:
            _Tag(page, tag)
    return page


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
    parts = urlsplit(link)
    if link == "data:,":
        return
    if parts.scheme or parts.netloc:
        raise CheckFailed("{path} links to another site: {link}", path=path, link=link[:80])
    target = path
    if parts.path:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path)))
    if target not in files:
        raise CheckFailed(
            "{path} links to a file that is not there: {link}", path=path, link=link[:80]
        )
    if parts.fragment and target in pages and parts.fragment not in pages[target].ids:
        raise CheckFailed(
            "{path} links to a place that is not there: {link}", path=path, link=link[:80]
        )

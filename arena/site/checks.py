"""What must hold of every file before any of it is put where people see it."""

import posixpath
from collections.abc import Mapping
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from arena.errors import CheckFailed
from arena.site.assets import source_hash


def check_files(files: Mapping[str, bytes]) -> None:
    """Raises CheckFailed naming the file: a broken link, or a page without its policy."""
    pages = {path: _read(content) for path, content in files.items() if path.endswith(".html")}
    for path, page in pages.items():
        _check_policy(path, page)
        for link in page.links:
            _check_link(path, link, files, pages)


class _Page(HTMLParser):
    """The parts of a page that the checks look at."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.policy = ""
        self.inline: list[tuple[str, str]] = []
        self.forbidden: list[str] = []
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._open = tag if tag in ("style", "script") else ""
        if "id" in given:
            self.ids.add(given["id"])
        if given.get("http-equiv", "").lower() == "content-security-policy":
            self.policy = given["content"]
        self.links += [given[name] for name in ("href", "src") if name in given]
        self.forbidden += [n for n in given if n == "style" or n.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.inline.append((self._open, data))


def _read(content: bytes) -> _Page:
    page = _Page()
    page.feed(content.decode("utf-8"))
    page.close()
    return page


def _check_policy(path: str, page: _Page) -> None:
    if not page.policy.startswith("default-src 'none'"):
        raise CheckFailed("{path} has no content security policy", path=path)
    for tag, text in page.inline:
        if f"{tag}-src '{source_hash(text)}'" not in page.policy:
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

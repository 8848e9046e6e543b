"""Published pages as tests read them."""

from functools import lru_cache
from html.parser import HTMLParser

OURS = {
    *("html", "head", "meta", "title", "link", "style", "script", "body", "a", "div", "header"),
    *("main", "footer", "nav", "section", "article", "h1", "h2", "h3", "p", "span", "b", "small"),
    *("ul", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "details"),
    *("summary", "label", "select", "option", "input", "code", "pre", "i"),
    *("svg", "g", "line", "circle", "rect", "path", "text", "figure"),
    *("defs", "use"),
}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.tags, self.inline, self.text, self._open = [], {}, "", ""
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag):
        self._open = ""

    def handle_data(self, data):
        if self._open in ("style", "script"):
            self.inline.setdefault(self._open, []).append(data)
        else:
            self.text += data


def tree(out):
    return {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}


def pages(out):
    return [(p, _read(p, p.stat().st_mtime_ns)) for p in sorted(out.rglob("*.html"))]


@lru_cache(maxsize=512)
def _read(path, when):
    """A page is read once, however many tests look at it."""
    return Page(path)

"""Following links as a reader does: from the first page to the command behind each verdict."""

import re

from tests.site.reading import Page

COMMAND = re.compile(r"<code>(arena show verdicts [0-9a-f]+ --input)</code>")


class Walk:
    """A site in one language, read page by page and only once each."""

    def __init__(self, out, index="index.html"):
        self.index = out / index
        self._pages = {}

    def page(self, path):
        if path not in self._pages:
            self._pages[path] = Page(path)
        return self._pages[path]

    def links(self, path, folder):
        """The pages below a folder that a page links to, with their fragments."""
        found = {}
        for tag, attrs in self.page(path).tags:
            href = attrs.get("href", "")
            if tag == "a" and f"/{folder}/" in f"/{href}":
                file, _, place = href.partition("#")
                found[(path.parent / file).resolve(), place] = None
        return list(found)

    def pairs(self):
        """First page → agents' pages → the pages of pairs."""
        found = {}
        for agent, _ in self.links(self.index, "a"):
            for pair, _ in self.links(agent, "v"):
                found[pair] = None
        return list(found)

    def verdicts(self, pair):
        """(page, text of the place) of the verdicts that a pair's page leads to."""
        for folder in ("s", "v"):
            for path, place in [*self.links(pair, folder), *self._own(pair)]:
                if place:
                    yield path, place, self.at(path, place)

    def _own(self, pair):
        return [(pair, a["href"][1:]) for t, a in self.page(pair).tags if _inner(t, a)]

    def at(self, path, place):
        """What stands at a place: up to the next one of its kind."""
        text = path.read_text(encoding="utf-8")
        start = text.index(f'id="{place}"')
        stop = re.compile(r'id="(?:c-|s-)|<h2|<footer').search(text, start + len(place) + 8)
        return text[start : stop.start()]


def _inner(tag, attrs):
    return tag == "a" and attrs.get("href", "").startswith("#s-")

"""The brief beside the first page: its file and the link to it."""

from collections.abc import Iterable, Mapping

from arena.site.brief_page import build_brief
from arena.site.facts import Edition
from arena.site.index_views import IndexView
from arena.site.names import Names
from arena.site.other_pages import Place
from arena.site.paper import Printer, count_pages
from arena.site.render import render_brief
from arena.site.text import plain
from arena.site.views import Link
from arena.site.words import Say

STEM = "brief"
PAGES = 2


def link_brief(place: Place, say: Say) -> Link:
    """The link from the first page."""
    return Link(href=place.at(STEM), label=say("brief.link"))


def link_pdf(place: Place, say: Say) -> Link:
    """The link to the printed brief, among the downloads."""
    path = _printed(place.at(STEM))
    return Link(href=path, label=path, note=say("downloads.brief"))


def print_brief(
    edition: Edition, names: Names, place: Place, index: IndexView, printer: Printer | None
) -> dict[str, bytes]:
    """The brief by its path, as PDF too where there is a printer; raises CheckFailed.

    `index` is the first page, whose parts it shortens.
    """
    say = names.say
    title = say("brief.title", suite=plain(say.of(edition.job.suite.name)))
    frame = place.frame(title, STEM, Link(href=place.at("index"), label=say("back")))
    view = build_brief(edition, names, frame, index)
    path, page = place.at(STEM), render_brief(view, say).encode()
    if printer is None:
        return {path: page}
    return {path: page, _printed(path): printer.print_page(page, edition.at)}


def warn_of_pages(files: Mapping[str, bytes], say: Say) -> Iterable[str]:
    """A sentence for each printed brief that is not of two pages."""
    for path in files:
        if path.endswith(".pdf") and (n := count_pages(files[path])) != PAGES:
            yield say("downloads.pages", file=path, n=n)


def _printed(path: str) -> str:
    return path.removesuffix(".html") + ".pdf"

"""What is around every page of a leaderboard: the way to it, its other language, the main pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from arena.domain.words import Lang
from arena.site import formats
from arena.site.facts import Edition
from arena.site.text import plain
from arena.site.views import Frame, Link
from arena.site.words import HTML_LANG, Say

INDEX = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """Makes the frames of one leaderboard in one language.

    `at` gives a file's name; `listed`: a front page lists the leaderboard; `others`: links from
    its first page to its other main pages.
    """

    edition: Edition
    say: Say
    at: Callable[[str, Lang], str]
    software: str
    listed: bool = False
    others: Sequence[Link] = field(default=())

    def frame(self, title: str, stem: str, home: Link | None = None) -> Frame:
        """The frame of a page; `home` leads from it to the leaderboard's first page."""
        say = self.say
        other: Lang = "en" if say.lang == "zh" else "zh"
        up = home.href.removesuffix(self.at(INDEX, say.lang)) if home else ""
        first = Link(href=up + self.at(INDEX, say.lang), label=say("crumb.board"))
        front = Link(href=f"{up}../{self.at(INDEX, say.lang)}", label=say("home"))
        return Frame(
            lang=say.lang,
            title=title,
            other=Link(href=self.at(stem, other), label=say("language.other")),
            other_lang=HTML_LANG[other],
            trail=(*([front] if self.listed else ()), *([first] if home else ())),
            software=plain(self.software),
            date=formats.moment(self.edition.at),
            site=(first, *(replace(link, href=up + link.href) for link in self.others)),
            here=title if home else say("crumb.board"),
            imported=self.edition.job.held is not None,
        )

    def front(self, title: str) -> Frame:
        """The frame of the page that lists several leaderboards; `edition` is the latest."""
        return replace(self.frame(title, INDEX), trail=(), site=(), here=self.say("home"))

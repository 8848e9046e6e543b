"""Figures beside the pages of a site, where they are asked for."""

from collections.abc import Iterable, Mapping

from arena.domain.words import Lang
from arena.site.facts import Edition
from arena.site.figures.catalogue import FIGURES, figures_of
from arena.site.figures.source import source_of
from arena.site.text import plain
from arena.site.views import Link
from arena.site.words import Say

FOLDER = "figures/"


class Illustrator:
    """Draws the figures of editions, or nothing; and remembers what fonts could not show."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self._renamed: dict[str, None] = {}
        self._english_instead = False

    def draw(self, edition: Edition, lang: Lang, *, suffix: str) -> dict[str, bytes]:
        """The figures of an edition by path; `suffix` stands before the end of the file name."""
        source = source_of(edition) if self._wanted else None
        if source is None:
            return {}
        files = {}
        for file, made in figures_of(source, lang).items():
            name, _, kind = file.rpartition(".")
            files[f"{FOLDER}{name}{suffix}.{kind}"] = made.content
            self._renamed |= dict.fromkeys(made.renamed)
            self._english_instead |= made.english_instead
        return files

    def warnings(self, say: Say) -> Iterable[str]:
        """What whoever publishes should know of the labels."""
        if self._english_instead:
            yield say("figures.english")
        if self._renamed:
            yield say("figures.renamed", agents=say.join([plain(name) for name in self._renamed]))


def list_figures(files: Mapping[str, bytes], say: Say) -> list[Link]:
    """Links to the figures: one for each, to the file that slides take."""
    links = []
    for name in FIGURES:
        for path in files:
            if path.startswith(f"{FOLDER}{name}.") and path.endswith(".png"):
                links.append(
                    Link(
                        href=path,
                        label=path.rpartition("/")[2],
                        note=say("figures.link", title=say(f"figure.{name}")),
                    )
                )
    return links

"""What a figure says, in a language and with fonts that can show it.

Without a Chinese font a figure speaks English and says so; a name that no font here has stands
under its id, and what is left is written as code points: never a box.
"""

from arena.domain.words import Lang
from arena.site.figures.fonts import Typeface, choose_typeface
from arena.site.figures.source import Source
from arena.site.text import plain
from arena.site.words import Say, say_in

LONGEST = 36
"""Characters of a name that are shown."""
OWN = "figure."
"""Keys of the words that figures use begin so."""


class Lettering:
    """Words and names for the figures of one source. Raises UsageError as `choose_typeface`."""

    def __init__(self, source: Source, lang: Lang, font: str | None = None) -> None:
        self._source = source
        self.face, fits = _fit(source, lang, font)
        self.english_instead = lang == "zh" and not fits
        if self.english_instead:
            self.face, _ = _fit(source, "en", font)
        self.say: Say = say_in("en" if self.english_instead else lang)
        self.renamed: dict[str, None] = {}
        """Agents that stand under their ids."""

    @property
    def title(self) -> str:
        """Of which suite and mode."""
        return self.readable(clip(self.say.of(self._source.title), 2 * LONGEST))

    def agent(self, agent: str) -> str:
        """An agent's name, or its id."""
        known = self._source.agents.get(agent)
        name = clip(one_line(self.say.of(known))) if known else clip(one_line(agent))
        if self.face.covers(name):
            return name
        self.renamed[agent] = None
        return self.readable(clip(one_line(agent)))

    def domain(self, domain: str) -> str:
        """A domain's name, or its id."""
        known = self._source.domains.get(domain)
        name = clip(one_line(self.say.of(known))) if known else domain
        return name if self.face.covers(name) else self.readable(clip(domain))

    def readable(self, text: str) -> str:
        """The text, or its code points where no font here has all of it."""
        text = one_line(text)
        return text if self.face.covers(text) else clip(ascii(text)[1:-1], 2 * LONGEST)


def _fit(source: Source, lang: Lang, font: str | None) -> tuple[Typeface, bool]:
    """A typeface for a language, and whether it holds the figures' own words."""
    say = say_in(lang)
    own = [text for key, text in say.table.items() if key.startswith(OWN)]
    names = [words[lang] for words in (*source.agents.values(), *source.domains.values())]
    face = choose_typeface([*own, *names, source.title[lang]], font)
    return face, all(face.covers(text.replace("\n", "")) for text in own)


def clip(text: str, most: int = LONGEST) -> str:
    """A text of at most so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def one_line(text: str) -> str:
    """A text that cannot break its line, what has no glyph as its code point."""
    return " ".join(plain(text).split())

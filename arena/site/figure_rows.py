"""Figures of a diagnosis as rows of a table, in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.domain.diagnosis import (
    AGREEMENT,
    AMONG_PEOPLE,
    BY_CRITERION,
    EVERYBODY,
    Figure,
    Unit,
    is_person,
)
from arena.domain.figure_words import FIGURES, GIVEN, READINGS, REASONS
from arena.domain.words import Words
from arena.site import formats
from arena.site.judge_views import AgreementRow, FigureRow
from arena.site.names import Names
from arena.site.text import plain

FORMATS: Mapping[Unit, Callable[[float], str]] = {
    "share": formats.percent,
    "difference": lambda value: formats.signed(f"{100 * value:+.0f}") + "%",
    "points": lambda value: formats.signed(f"{value:+.1f}"),
    "scale": lambda value: formats.signed(f"{value:+.2f}"),
    "log_odds": lambda value: formats.signed(f"{value:+.2f}"),
    "coefficient": formats.hundredth,
}


@dataclass(frozen=True, slots=True)
class Teller:
    """Says figures in one language; `people`: what those are called who judge beside models."""

    names: Names
    people: Mapping[str, str]

    def judge(self, name: str) -> str:
        """A judge's name; a person's is not published."""
        return self.people.get(name) or self.names.judge(name)

    def name(self, figure: Figure) -> str:
        """What a figure is called, with what it is about."""
        words = FIGURES.get(figure.figure)
        name = self._of(words.name) if words else plain(figure.figure)
        if not figure.of:
            return name
        return self.names.say("figure.of", name=name, of=self._about(figure))

    def rows(self, figures: Sequence[Figure]) -> tuple[FigureRow, ...]:
        """A row for every figure that has a value, notable ones first."""
        known = [f for f in figures if f.value is not None]
        ordered = sorted(known, key=lambda f: not f.notable)
        seen: set[str] = set()
        rows = []
        for figure in ordered:
            # The parts of a figure stand below it; its meaning is said once.
            rows.append(self._row(figure, told=figure.figure in seen))
            seen.add(figure.figure)
        return tuple(rows)

    def unknown(self, figures: Sequence[Figure]) -> tuple[str, ...]:
        """The figures without a value, a sentence a reason."""
        reasons = dict.fromkeys(f.why or "" for f in figures if f.value is None)
        said = []
        for why in reasons:
            named = [self.name(f) for f in figures if f.value is None and (f.why or "") == why]
            listed = self.names.say("list.comma").join(dict.fromkeys(named))
            said.append(self.names.say("figure.unknown", figures=listed, why=self.reason(why)))
        return tuple(said)

    def advice(self, figures: Sequence[Figure]) -> tuple[str, ...]:
        """What to do about each notable figure; of one without advice, that it is notable."""
        said = []
        for figure in figures:
            words = FIGURES.get(figure.figure)
            told = (words.above if figure.reading == "above" else words.below) if words else None
            key = "figure.advice" if told else "figure.stands_out"
            facts = {"name": self.name(figure), "value": _number(figure.value, figure.unit)}
            if told:
                facts["advice"] = self._of(told)
            said.append(self.names.say(key, **facts))
        return tuple(said)

    def agreement(
        self, figures: Sequence[Figure], measures: tuple[str, ...] = AGREEMENT
    ) -> tuple[AgreementRow, ...]:
        """A row for every other judge, or for every criterion, with a cell a measure."""
        others = dict.fromkeys(f.of for f in figures)
        return tuple(
            self._agreement([f for f in figures if f.of == other], measures) for other in others
        )

    def reason(self, why: str) -> str:
        """Why there is no value, or no interval."""
        words = REASONS.get(why)
        return self._of(words) if words else plain(why)

    def _agreement(self, figures: Sequence[Figure], measures: tuple[str, ...]) -> AgreementRow:
        first, own = figures[0], {f.figure: f for f in figures}
        none = all(f.value is None for f in figures)
        cells = []
        for measure in measures:
            figure = own.get(measure)
            value = _number(figure.value, figure.unit) if figure else formats.DASH
            cells.append((value, _interval(figure) if figure else ""))
        return AgreementRow(
            other=self._about(first) if first.of else formats.DASH,
            cells=() if none else tuple(cells),
            n=formats.count(first.n, self.names.say),
            why=self.reason(first.why or "") if none else "",
        )

    def _row(self, figure: Figure, *, told: bool) -> FigureRow:
        say, words = self.names.say, FIGURES.get(figure.figure)
        scenarios = figure.scenarios
        return FigureRow(
            name=self.name(figure),
            meaning=self._of(words.meaning) if words and not told else "",
            value=_number(figure.value, figure.unit),
            interval=_interval(figure) or formats.DASH,
            n=formats.count(figure.n, say),
            scenarios="" if scenarios is None else say("design.scenarios", n=scenarios),
            reading=self._reading(figure),
            tone="note" if figure.notable else "",
        )

    def _reading(self, figure: Figure) -> str:
        key: str = figure.reading
        if figure.figure == "decoy" and key in ("neutral", "below"):
            key = "beaten" if key == "below" else "unclear"
        why = self.reason(figure.why) if figure.why else ""
        said = self._of(READINGS[key]).format(why=why)
        if "rank" in figure.facts:
            facts = {name: str(figure.facts.get(name)) for name in ("rank", "agents")}
            return said + self.names.say("figure.placed", **facts)
        if figure.figure == "length_effect":
            given = GIVEN.get(str(figure.facts.get("given", "")))
            return self.names.say("figure.given", said=said, given=self._of(given or GIVEN[""]))
        return said

    def _about(self, figure: Figure) -> str:
        names, of = self.names, figure.of
        if figure.figure.startswith("unread_"):
            return plain(names.say.known(f"status.{of}", of))
        if figure.figure == "decoy":
            return names.agent(of)
        if figure.figure in ("score_alpha", AMONG_PEOPLE, *BY_CRITERION):
            return names.criterion(of)
        return self.judge(of)

    def _of(self, words: Words) -> str:
        return words[self.names.say.lang]


def name_people(judges: Sequence[str], names: Names) -> dict[str, str]:
    """People by number: who they are is nobody's business on a public page."""
    people = sorted({name for name in judges if is_person(name) and name != EVERYBODY})
    numbered = {name: names.say("figure.person", n=n) for n, name in enumerate(people, start=1)}
    return {**numbered, EVERYBODY: names.say("figure.everybody")}


def _number(value: float | None, unit: Unit) -> str:
    return formats.DASH if value is None else FORMATS[unit](value)


def _interval(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    low, high = _number(figure.low, figure.unit), _number(figure.high, figure.unit)
    signed = figure.unit not in ("share", "coefficient")
    return f"{low} … {high}" if signed else formats.between(low, high)

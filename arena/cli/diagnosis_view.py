"""A diagnosis in the terminal: a table a judge, what is notable, and what the figures mean."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.domain.diagnosis import (
    AGREEMENT,
    BY_CRITERION,
    Diagnosis,
    Figure,
    JudgeDiagnosis,
    Unit,
    to_json,
)
from arena.domain.figure_words import FIGURES, GIVEN, NOTES, READINGS, REASONS

UNKNOWN = "—"
FORMATS: Mapping[Unit, str] = {
    "share": "{:.1%}",
    "difference": "{:+.1%}",
    "points": "{:+.1f}",
    "scale": "{:+.2f}",
    "log_odds": "{:+.2f}",
    "coefficient": "{:.2f}",
}


def describe(found: Diagnosis) -> dict[str, Any]:
    """A diagnosis as JSON-able data, with what its figures mean in both languages."""
    used = dict.fromkeys(f.figure for f in _all(found))
    told = {name: FIGURES[name] for name in used}
    words = {
        name: {"name": one.name.model_dump(), "meaning": one.meaning.model_dump()}
        for name, one in told.items()
    }
    advice = {
        name: {
            side: text.model_dump()
            for side, text in (("above", one.above), ("below", one.below))
            if text
        }
        for name, one in told.items()
        if one.above or one.below
    }
    return {**to_json(found), "words": words, "advice": advice}


def show_diagnosis(found: Diagnosis, title: str, names: Mapping[str, str], lang: Lang) -> None:
    """All judges of a diagnosis on stdout; `names`: display names of judges where known."""
    for judge in found.judges:
        name = names.get(judge.judge, judge.judge) or UNKNOWN
        _show_judge(judge, say(lang, "diagnosis_title", title=title, judge=name), found, lang)
    if found.judges and any(f.value is not None for f in found.panel):
        _show_table(found.panel, say(lang, "diagnosis_panel", title=title), found, lang)
    _show_meanings(found, lang)
    for note in found.notes:
        output.tell(NOTES[note][lang], style="yellow")


def _all(found: Diagnosis) -> Iterable[Figure]:
    for judge in found.judges:
        yield from judge.figures
    yield from found.panel


def _show_judge(judge: JudgeDiagnosis, title: str, found: Diagnosis, lang: Lang) -> None:
    own = [f for f in judge.figures if f.figure not in (*AGREEMENT, *BY_CRITERION)]
    _show_table([f for f in own if f.value is not None], title, found, lang)
    _show_unknown(own, lang)
    _show_agreement(judge.figures, AGREEMENT, "column_agreement", lang)
    _show_agreement(judge.figures, BY_CRITERION, "column_by_criterion", lang)
    for figure in judge.notable():
        words = FIGURES[figure.figure]
        advice = words.above if figure.reading == "above" else words.below
        if advice is not None:
            line = say(lang, "diagnosis_do", figure=_name(figure, lang), advice=advice[lang])
            output.print_text(output.in_one_line(line) + "\n")


def _show_table(figures: Sequence[Figure], title: str, found: Diagnosis, lang: Lang) -> None:
    keys = ("quantity", "value", "interval", "cases", "scenarios", "reading")
    heads = [say(lang, f"column_{key}", level=f"{found.level:.0%}") for key in keys]
    rows = [
        [
            _name(f, lang),
            _number(f.value, f.unit),
            _interval(f),
            f"{f.n:,}",
            UNKNOWN if f.scenarios is None else f"{f.scenarios:,}",
            reading(f, lang),
        ]
        for f in figures
    ]
    output.print_table(output.in_one_line(title), heads, rows, right=frozenset({1, 2, 3, 4}))


def _show_unknown(figures: Sequence[Figure], lang: Lang) -> None:
    """The figures without a value, a line a reason."""
    reasons = dict.fromkeys(f.why for f in figures if f.value is None and f.why)
    for why in reasons:
        names = ", ".join(_name(f, lang) for f in figures if f.value is None and f.why == why)
        line = say(lang, "diagnosis_unknown", why=REASONS[why][lang], figures=names)
        output.print_text(output.in_one_line(line) + "\n")


def _show_agreement(
    told: Sequence[Figure], measures: tuple[str, str, str], head: str, lang: Lang
) -> None:
    """A row for everything that agreement was measured with, in a column a measure."""
    figures = [f for f in told if f.figure in measures]
    others = dict.fromkeys(f.of for f in figures)
    heads = [say(lang, head), *(FIGURES[m].name[lang] for m in measures)]
    heads += [say(lang, "column_cases")]
    rows = []
    for other in others:
        own = {f.figure: f for f in figures if f.of == other}
        if all(f.value is None for f in own.values()):
            why = next(iter(own.values())).why or ""
            rows.append([other or UNKNOWN, REASONS[why][lang], "", "", ""])
            continue
        cells = [f"{_number(own[m].value, own[m].unit)} {_interval(own[m])}" for m in measures]
        rows.append([other, *cells, f"{own[measures[0]].n:,}"])
    if rows:
        output.print_table("", heads, rows, right=frozenset({4}))


def _show_meanings(found: Diagnosis, lang: Lang) -> None:
    if not found.judges:
        return
    output.print_text(say(lang, "diagnosis_meanings", level=f"{found.level:.0%}") + "\n")
    for name in dict.fromkeys(f.figure for f in _all(found) if f.value is not None):
        words = FIGURES[name]
        line = say(lang, "diagnosis_meaning", name=words.name[lang], meaning=words.meaning[lang])
        output.print_text(f"  {line}\n")


def _name(figure: Figure, lang: Lang) -> str:
    name = FIGURES[figure.figure].name[lang]
    if not figure.of:
        return name
    status = figure.figure.startswith("unread_")
    of = say(lang, f"status_{figure.of}") if status else figure.of
    return say(lang, "diagnosis_of", name=name, of=of)


def reading(figure: Figure, lang: Lang) -> str:
    """What may be said of a figure, in a few words."""
    key = figure.reading
    if figure.figure == "decoy" and key in ("neutral", "below"):
        key = "beaten" if key == "below" else "unclear"  # type: ignore[assignment]
    why = REASONS[figure.why][lang] if figure.why else ""
    said = READINGS[key][lang].format(why=why)
    if "rank" in figure.facts:
        return said + say(lang, "diagnosis_rank", **figure.facts)
    if figure.figure == "length_effect" and figure.value is not None:
        given = GIVEN[str(figure.facts.get("given", ""))][lang]
        return say(lang, "diagnosis_given", said=said, given=given)
    return said


def _number(value: float | None, unit: Unit) -> str:
    return UNKNOWN if value is None else FORMATS[unit].format(value)


def _interval(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return UNKNOWN
    return f"{_number(figure.low, figure.unit)} … {_number(figure.high, figure.unit)}"

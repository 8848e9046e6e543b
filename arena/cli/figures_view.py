"""Published figures counted anew: how they are shown, each beside the published one."""

from typing import Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.exchange.eldercare_figures import Figure, Run

UNKNOWN = "–"


def show_run(run: Run, lang: Lang) -> None:
    """A table on stdout, and on stderr how many figures were found again."""
    heads = [
        say(lang, key)
        for key in ("figure", "figure_counted", "figure_published", "figure_difference")
    ]
    rows = [
        [
            _name(figure, lang),
            _number(figure.counted),
            _number(figure.published),
            _difference(figure, lang),
        ]
        for figure in run.figures
    ]
    title = " · ".join(part for part in (run.name, run.mode, run.judge) if part)
    output.print_table(output.in_one_line(title), heads, rows, right=frozenset({1, 2, 3}))
    if run.incomplete:
        names = ", ".join(run.incomplete)
        output.tell(say(lang, "figures_incomplete", names=names), style="yellow")
    for where, one, other in run.otherwise:
        facts = {"where": where, "one": one, "other": other}
        told = {key: output.in_one_line(text) for key, text in facts.items()}
        output.tell(say(lang, "figures_otherwise", **told), style="yellow")
    known = [figure.agrees for figure in run.figures if figure.agrees is not None]
    style = "bold" if all(known) else "red"
    output.tell(say(lang, "figures_found", run=run.name, n=sum(known), of=len(known)), style=style)


def describe_run(run: Run) -> dict[str, Any]:
    """A run as JSON-able data; null is unknown."""
    return {
        "run": run.name,
        "mode": run.mode,
        "judge": run.judge,
        "incomplete": list(run.incomplete),
        **({"otherwise": [list(one) for one in run.otherwise]} if run.otherwise else {}),
        "figures": [
            {
                "figure": figure.kind,
                "of": figure.of or None,
                "counted": figure.counted,
                "published": figure.published,
                "difference": figure.difference,
                "agrees": figure.agrees,
            }
            for figure in run.figures
        ],
    }


def _name(figure: Figure, lang: Lang) -> str:
    return say(lang, f"figure_{figure.kind}", of=figure.of)


def _number(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.12g}"


def _difference(figure: Figure, lang: Lang) -> str:
    if figure.difference is None:
        return UNKNOWN
    text = f"{figure.difference:+.12g}" if figure.difference else "0"
    return text if figure.agrees else say(lang, "figure_differs", by=text)

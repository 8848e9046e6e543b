"""Accuracy of multiple choice in the terminal: a row a part and agent, below the board."""

from collections.abc import Sequence

from arena.cli import output
from arena.cli.board_view import Names, percent
from arena.cli.words import Lang, say
from arena.domain.accuracy import Accuracy, Proportion
from arena.domain.board import Board
from arena.domain.suite import Suite


def show_accuracy(board: Board, suite: Suite, names: Names, lang: Lang, *, subjects: bool) -> None:
    """Tables on stdout: the whole, categories and Hard subset; with `subjects` one of those, too.

    Nothing where the board has no accuracy.
    """
    if not board.accuracy:
        return
    place = {s.agent: n for n, s in enumerate(board.agents)}
    told = sorted(board.accuracy, key=lambda a: place.get(a.agent, len(place)))
    _show_wide([a for a in told if a.part != "subject"], board, suite, names, lang)
    if subjects:
        _show_subjects([a for a in told if a.part == "subject"], board, suite, names, lang)


def _show_wide(
    told: Sequence[Accuracy], board: Board, suite: Suite, names: Names, lang: Lang
) -> None:
    keys = ("part", "agent", "over_all", "over_parsed", "right", "unparsed", "replies")
    heads = [say(lang, f"column_{key}", level=percent(board.method.level)) for key in keys]
    rows = []
    for part in dict.fromkeys((a.part, a.name) for a in board.accuracy):
        rows += [
            [
                "" if n else _part(one, suite, lang),
                names.get(one.agent, one.agent),
                _proportion(one.over_all),
                _proportion(one.over_parsed),
                str(one.right),
                str(one.unparsed),
                say(lang, "replies_of", n=one.replies, planned=one.planned),
            ]
            for n, one in enumerate(a for a in told if (a.part, a.name) == part)
        ]
    output.print_table(say(lang, "accuracy"), heads, rows, right=frozenset({4, 5, 6}))


def _show_subjects(
    told: Sequence[Accuracy], board: Board, suite: Suite, names: Names, lang: Lang
) -> None:
    agents = list(dict.fromkeys(a.agent for a in told))
    found = {(a.name, a.agent): a for a in told}
    heads = [say(lang, "column_subject"), *(names.get(agent, agent) for agent in agents)]
    rows = []
    for domain in suite.domains:
        own = [found.get((domain.domain, agent)) for agent in agents]
        if any(own):
            rows.append([domain.name[lang], *(_proportion(a.over_all if a else None) for a in own)])
    title = say(lang, "accuracy_subjects", level=percent(board.method.level))
    output.print_table(title, heads, rows, right=frozenset(range(1, len(heads))))


def _part(one: Accuracy, suite: Suite, lang: Lang) -> str:
    if one.part == "category" and suite.choice is not None:
        return say(lang, "accuracy_category", name=suite.choice.category_name(one.name)[lang])
    return say(lang, f"accuracy_{one.part}", name=one.name)


def _proportion(found: Proportion | None) -> str:
    if found is None:
        return "—"
    return f"{found.share:.1%} ({found.low:.0%}–{found.high:.0%})"

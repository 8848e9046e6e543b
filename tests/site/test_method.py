"""Method, fit and effects in words: every option has its own, and none is said of another."""

import re
from dataclasses import replace
from typing import get_args

import pytest

from arena.domain import method as methods
from arena.domain.board import BoardDesign, Effect, Residual
from arena.domain.design import DESIGNS
from arena.domain.method import Method
from arena.domain.standing import Why
from arena.domain.suite import RedFlag, RedFlagKind
from arena.domain.words import Words
from arena.maths.means import wilson
from arena.site.board_terms import build_board_terms
from arena.site.effects import build_effects
from arena.site.method import build_method, build_terms
from arena.site.names import make_names
from arena.site.words import say_in
from tests.site.boards import edition_of, make_board, pair, standing
from tests.site.hostile import make_job

JOB = make_job()
LANGS = ["zh", "en"]


def names_of(board, lang):
    return make_names(edition_of(board, JOB), say_in(lang))


def terms(board, lang="en"):
    return {t.label: t.value for t in build_board_terms(board, names_of(board, lang))}


def with_method(**options):
    return make_board([standing("a"), standing("b")], method=Method(**options))


def with_told(board, **changes):
    return replace(board, diagnostics=replace(board.diagnostics, **changes))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("option", "choices"),
    [
        ("estimator", get_args(methods.Estimator)),
        ("ties", get_args(methods.Ties)),
        ("interval", get_args(methods.Interval)),
        ("outcome", get_args(methods.Outcome)),
        ("prior_sd", (None, 2.5)),
        ("cluster", ((), ("scenario",), ("scenario", "judge"), ("prompt",))),
        ("level", (0.95, 0.975, 0.999)),
        ("seed", (1, 2)),
        ("resamples", (100, 1000)),
        ("anchor_agent", (None, "a")),
        ("min_comparisons", (30, 31)),
        ("controls", ((), ("position",), ("position", "length"))),
        ("versions", ({}, {"numpy": "2.1"})),
    ],
)
def test_every_choice_of_an_option_is_told_apart(option, choices, lang):
    told = [str(terms(with_method(**{option: choice}), lang)) for choice in choices]
    assert len(set(told)) == len(choices)
    assert not [t for t in told if "None" in t or "{n}" in t]


def with_design(*notes, **changes):
    known = {
        "design": "even",
        "history": ("even",),
        "comparisons": 120,
        "baseline": None,
        "seed": 1,
        "stop_width": None,
        "looks": 1,
        "stopped": None,
        "plan": "0" * 32,
    }
    made = make_board([standing("a"), standing("b")])
    design = BoardDesign(**{**known, **changes})
    return replace(made, design=design, notes=tuple(Why(key=key) for key in notes))


@pytest.mark.parametrize("lang", LANGS)
def test_the_design_is_told_and_every_one_apart(lang):
    boards = [
        *(
            with_design(design=name, history=(name,), baseline="a" if name == "against" else None)
            for name in DESIGNS
        ),
        with_design(history=("all", "even")),
        with_design(stop_width=80.0, looks=4),
        with_design(stop_width=80.0, looks=4, stopped=2),
    ]
    told = [" ".join(build_method(edition_of(board, JOB), say_in(lang))) for board in boards]
    assert len(set(told)) == len(told)
    assert not [text for text in told if "None" in text or "{" in text]
    label = say_in(lang)("term.design")
    assert all(label in terms(board, lang) for board in boards)
    assert label not in terms(make_board([standing("a"), standing("b")]), lang)


@pytest.mark.parametrize("lang", LANGS)
def test_a_board_that_verdicts_chose_tells_of_no_intervals(lang):
    chosen = with_design("adaptive", design="adaptive", history=("adaptive",))
    say = say_in(lang)
    text = " ".join(build_method(edition_of(chosen, JOB), say))
    assert say("method.ranks", risk="5%") not in text
    assert "95%" not in text
    assert terms(chosen, lang)[say("term.interval")] == "—"


@pytest.mark.parametrize("lang", LANGS)
def test_the_paragraphs_fit_the_method(lang):
    def said(**options):
        return " ".join(build_method(edition_of(with_method(**options), JOB), say_in(lang)))

    options = [
        *({"interval": kind} for kind in get_args(methods.Interval)),
        {"cluster": ()},
        {"cluster": ("prompt",)},
        {"prior_sd": 1.0},
        {"estimator": "elo"},
    ]
    told = [said(**o) for o in options]
    assert len(set(told)) == len(options)
    assert "Holm" not in told[-1]
    assert "99.9%" in said(level=0.999)
    assert "0.1%" in said(level=0.999)


@pytest.mark.parametrize("lang", LANGS)
def test_an_estimated_tie_parameter_is_shown_with_its_letter(lang):
    for ties, sign in (("davidson", "ν"), ("rao-kupper", "κ")):
        board = with_told(with_method(ties=ties), tie_parameter=0.617)
        assert f"{sign} = 0.62" in str(terms(board, lang))


def test_goodness_of_fit_in_words_depends_on_the_number_of_pairs():
    def fit(misfit, pairs):
        met = [pair("a", f"b{n}") for n in range(pairs)]
        board = with_told(make_board([standing("a")], met), misfit=misfit)
        return terms(board)["Goodness of fit"]

    # With 6 pairs the edge is 1 + 2 √(2/6) = 2.15, with 200 it is 1.2.
    assert "describe the pairs well" in fit(2.1, 6)
    assert "stray more" in fit(2.2, 6)
    assert "stray more" in fit(2.1, 200)
    assert fit(0.18, 6).startswith("0.18: ")
    assert fit(None, 0) == "—"


def test_the_three_largest_residuals_are_named():
    found = [
        Residual(a="a", b=f"b{n}", n=6, share=0.75, expected=0.6, residual=0.15, z=3.0 - n)
        for n in range(5)
    ]
    told = terms(with_told(with_method(), residuals=tuple(found)))["Largest residuals"]
    assert [f"b{n}" in told for n in range(5)] == [True, True, True, False, False]
    assert "earned 75%, expected 60% (z = 3.0)" in told


@pytest.mark.parametrize("lang", LANGS)
def test_an_effect_is_told_in_log_odds_and_as_a_share_between_equals(lang):
    told = {"se": 0.1, "p": 0.0001, "rows": 1600}
    board = replace(
        with_method(),
        effects=(
            Effect(control="position", judge="judge-a", effect=0.8, low=0.6, high=1.0, **told),
            Effect(control="length", judge=None, effect=-0.4, low=None, high=None, **told),
            Effect(control="<b>", judge=None, effect=9e9, low=None, high=None, **told),
        ),
    )
    rows = build_effects(board, names_of(board, lang))
    assert [r.equal for r in rows] == ["69%", "40%", "100%"]
    assert (rows[0].effect, rows[0].interval, rows[0].judge) == ("+0.80", "+0.60 … +1.00", "J <a>")
    assert (rows[1].effect, rows[1].interval, rows[1].judge) == ("−0.40", "—", "")
    assert len({r.unit for r in rows}) == 3
    assert rows[2].control == "<b>"
    assert build_effects(with_method(), names_of(board, lang)) == ()
    assert build_effects(None, names_of(board, lang)) == ()


def flags_on(lang, *, mode, flagged):
    """What a page says of red flags; `flagged`: the turn of the sign, by scenario."""
    kinds = (RedFlagKind(flag="fire", name=Words(zh="火情", en="Fire")),) if flagged else ()
    scenarios = tuple(
        s.model_copy(update={"red_flags": (RedFlag(flag="fire", sign="smoke", turn=turn),)})
        if (turn := flagged.get(n))
        else s
        for n, s in enumerate(JOB.suite.scenarios)
    )
    suite = replace(JOB.suite, red_flags=kinds, scenarios=scenarios)
    edition = edition_of(make_board([standing("a")]), replace(JOB, suite=suite, mode=mode))
    say = say_in(lang)
    told = build_terms(edition, make_names(edition, say), "arena")
    return {t.label: t.value for t in told}.get(say("term.flags"))


@pytest.mark.parametrize("lang", LANGS)
def test_the_share_of_scenarios_with_a_red_flag_has_its_interval(lang):
    cases = len(JOB.suite.scenarios)
    low, high = (f"{100 * end:.0f}%" for end in wilson(2, cases))
    told = flags_on(lang, mode="natural", flagged={0: 1, 1: 2})
    assert {"2", str(cases), low, high, "95%"} <= set(re.findall(r"\d+%?", told))
    # A sign that is shown in a later turn cannot be missed in the first one.
    assert str(1) in re.findall(r"\d+%?", flags_on(lang, mode="lite", flagged={0: 1, 1: 2}))
    assert flags_on(lang, mode="natural", flagged={}) is None

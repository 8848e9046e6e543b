"""Figures for files: every name can be read, nothing of a name is markup, bytes are settled."""

import re
import sys
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from types import ModuleType

import pytest

from arena.domain.money import Money
from arena.domain.standing import AbsoluteScore
from arena.domain.words import Words
from arena.errors import ArenaError, UsageError
from arena.site.figures import fonts
from arena.site.figures.canvas import KINDS, lettered, print_figure
from arena.site.figures.catalogue import FIGURES, figures_of, make_figure, write_figure
from arena.site.figures.fonts import USUAL, choose_typeface
from arena.site.figures.scatters import GAP, _apart
from arena.site.figures.source import Source
from tests.site.hostile import EVIL
from tests.support.boards import AGENTS, board, play

CHINESE = ["颐养小助手", "共情", "Steady", "𠮷野家", "半角ｶﾅ"]
BEGINS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


def score(mean):
    return AbsoluteScore(mean=mean, low=mean - 5, high=mean + 5, scenarios=9, planned=9)


@pytest.fixture(scope="module")
def made():
    found = board(play(AGENTS, 20), AGENTS)
    dressed = (
        replace(s, absolute=score(80 - 9 * n), domains={"meds": score(70 - n), "eol": score(30)})
        for n, s in enumerate(found.agents)
    )
    return replace(found, agents=tuple(dressed))


def source(made, names=(), title="居家养老 · 自然对话", **changes):
    called = {a: Words(zh=n, en=f"Agent {a}") for a, n in zip(AGENTS, names, strict=bool(names))}
    costs = {a: Money(Decimal("0.01") * 4**n, "CNY") for n, a in enumerate(AGENTS)}
    given = {
        "board": made,
        "title": Words(zh=title, en="Eldercare · Natural"),
        "agents": called if names else {},
        "domains": {"meds": Words(zh="用药与慢病", en="Medication")},
        "costs": costs,
    }
    return Source(**{**given, **changes})


def texts(path):
    return re.findall(r"<text[^>]*>(.*?)</text>", path.read_text("utf-8"), re.DOTALL)


@pytest.fixture
def bare(monkeypatch):
    """A machine without any font for Chinese."""
    monkeypatch.setattr(fonts, "INSTALLED", ())
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", None)


@pytest.fixture(scope="module")
def chinese_font():
    installed = fonts._installed()
    if not installed:
        pytest.skip("no font for Chinese is installed")
    return installed[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_a_file_of_its_kind_with_the_same_bytes_each_time(made, name, kind):
    first, second = (make_figure(name, source(made, CHINESE), "zh", kind) for _ in range(2))
    assert first.content.startswith(BEGINS[kind])
    assert first == second


@pytest.mark.parametrize("kind", [".svg", ".png"])
def test_r58_chinese_names_are_shown_or_replaced_and_never_boxes(made, tmp_path, kind, request):
    request.getfixturevalue("chinese_font")
    path = tmp_path / f"b{kind}"
    drawn = write_figure("ratings", source(made, CHINESE), "zh", path)
    assert set(drawn.renamed) <= set(AGENTS)
    assert not drawn.english_instead
    # A glyph that no font here has would have been warned of, and warnings are errors.
    if kind == ".svg":
        said = texts(path)
        for agent, name in zip(AGENTS, CHINESE, strict=True):
            assert (agent if agent in drawn.renamed else name) in said


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("name", FIGURES)
def test_r58_without_a_chinese_font_a_figure_speaks_english(made, tmp_path, name):
    path = tmp_path / "b.svg"
    drawn = write_figure(name, source(made, CHINESE), "zh", path)
    assert drawn.english_instead
    assert drawn.renamed == ()
    assert "Eldercare" in path.read_text("utf-8")
    assert not re.search(r"[\u4e00-\u9fff]", path.read_text("utf-8"))


@pytest.mark.usefixtures("bare")
def test_r58_without_a_chinese_font_ids_stand_for_names(made, tmp_path):
    path, only = tmp_path / "b.svg", Words(zh="颐养小助手", en="颐养小助手")
    told = source(made, agents=dict.fromkeys(AGENTS, only))
    assert set(write_figure("ratings", told, "en", path).renamed) == set(AGENTS)
    assert set(AGENTS) <= set(texts(path))
    assert "颐" not in path.read_text("utf-8")


def test_the_font_of_the_extra_is_taken_where_none_is_installed(monkeypatch, chinese_font):
    from pathlib import Path

    extra = ModuleType("pylopdf_fonts_zh_cn")
    extra.sans_path = lambda: Path(chinese_font[1])
    monkeypatch.setattr(fonts, "INSTALLED", ())
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", extra)
    face = choose_typeface(["居家养老"])
    assert face.covers("居家养老")
    assert choose_typeface(["plain"]).families == (USUAL,)


def test_a_font_that_is_named_goes_first(chinese_font):
    name, file = chinese_font
    for given in (name, name.upper(), file):
        face = choose_typeface(["居家养老"], given)
        assert face.families[0] == name or given == file
        assert face.families[1] == USUAL
        assert face.covers("居家养老")


def test_a_font_that_is_not_there_is_refused(tmp_path):
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    for font in ("No Such Family", "nowhere.ttf", str(tmp_path / "broken.ttf")):
        with pytest.raises(UsageError, match="--font"):
            choose_typeface(["x"], font)


def test_a_character_without_a_glyph_is_an_error_and_no_box():
    from matplotlib.figure import Figure

    face = choose_typeface(["plain"])
    with lettered(face):
        figure = Figure()
        figure.text(0.5, 0.5, "居")
    with pytest.raises(ArenaError, match="no font here"):
        print_figure(figure, ".png", face)


@pytest.mark.parametrize(
    ("figure", "name"),
    [
        *((figure, EVIL) for figure in FIGURES),
        *(("ratings", name) for name in ("$x^2_", "$\\frac{", "a\nb", "\\LaTeX", "")),
    ],
)
def test_a_hostile_name_is_text(made, tmp_path, figure, name):
    path, evil = tmp_path / "b.svg", Words(zh=name, en=name)
    told = source(
        made, title=name, agents=dict.fromkeys(AGENTS, evil), domains={"meds": evil, "eol": evil}
    )
    write_figure(figure, told, "zh", path)
    drawn = path.read_text("utf-8")
    assert "<script" not in drawn
    assert "<img" not in drawn
    assert [p.name for p in tmp_path.iterdir()] == ["b.svg"]


def test_what_is_too_little_is_no_figure(made, tmp_path):
    nobody = source(board([], "ab"))
    assert figures_of(nobody, "zh") == {}
    for name in FIGURES:
        with pytest.raises(UsageError):
            write_figure(name, nobody, "zh", tmp_path / "b.svg")
    euro = dict.fromkeys(AGENTS[:1], Money(Decimal(1), "EUR"))
    mixed = source(made)
    assert make_figure("cost", replace(mixed, costs=mixed.costs | euro), "zh", ".svg") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["b.jpg", "b", "folder.svg"])
def test_another_kind_of_file_is_refused(made, tmp_path, name):
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(UsageError):
        write_figure("ratings", source(made), "zh", tmp_path / name)


def test_a_folder_that_is_not_there_is_named(made, tmp_path):
    with pytest.raises(ArenaError, match="cannot be written"):
        write_figure("ratings", source(made), "zh", tmp_path / "nowhere" / "b.png")


@pytest.mark.parametrize("heights", [[], [0.5], [0.9, 0.9, 0.9], [0.02, 0.01, 0.0], [1.0, 0.0]])
def test_names_beside_points_keep_apart_and_in_order(heights):
    placed = _apart(heights)
    assert len(placed) == len(heights)
    assert all(a - b >= GAP - 1e-9 for a, b in pairwise(placed))
    assert all(p > -1e-9 for p in placed)

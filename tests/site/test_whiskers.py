"""Figures for files: every name can be read, nothing of a name is markup, one file is written."""

import re

import pytest

from arena.errors import ArenaError, UsageError
from arena.site.whiskers import write_whiskers
from tests.site.hostile import EVIL
from tests.support.boards import AGENTS, board, play


@pytest.fixture(scope="module")
def made():
    return board(play(AGENTS, 20), AGENTS)


def texts(path):
    return re.findall(r"<text[^>]*>(.*?)</text>", path.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_r58_chinese_names_are_shown_or_replaced_and_never_boxes(made, tmp_path, kind):
    names = dict(zip(AGENTS, ["颐养小助手", "共情", "Steady", "𠮷野家", "半角ｶﾅ"], strict=True))
    path = tmp_path / f"b.{kind}"
    drawn = write_whiskers(made, names, "居家养老 · 自然对话", path)
    assert set(drawn.renamed) <= set(AGENTS)
    # A glyph that no font here has would have been warned of, and warnings are errors.
    if kind == "svg":
        said = texts(path)
        for agent, name in names.items():
            assert (agent if agent in drawn.renamed else name) in said


def test_r58_without_a_chinese_font_ids_stand_for_names(made, tmp_path, monkeypatch):
    monkeypatch.setattr("arena.site.whiskers.FONTS", ())
    names = dict.fromkeys(AGENTS, "颐养小助手")
    path = tmp_path / "b.svg"
    assert set(write_whiskers(made, names, "榜", path).renamed) == set(AGENTS)
    assert set(AGENTS) <= set(texts(path))
    assert "颐" not in path.read_text("utf-8")


@pytest.mark.parametrize("name", [EVIL, "$x^2_", "$\\frac{", "a\nb", "\\LaTeX", ""])
def test_a_hostile_name_is_text(made, tmp_path, name):
    path = tmp_path / "b.svg"
    write_whiskers(made, dict.fromkeys(AGENTS, name), name, path)
    drawn = path.read_text("utf-8")
    assert "<script" not in drawn
    assert "<img" not in drawn
    assert [p.name for p in tmp_path.iterdir()] == ["b.svg"]


def test_nobody_rated_is_no_figure(tmp_path):
    with pytest.raises(UsageError):
        write_whiskers(board([], "ab"), {}, "t", tmp_path / "b.svg")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(made, tmp_path):
    with pytest.raises(ArenaError, match="cannot be written"):
        write_whiskers(made, {}, "t", tmp_path / "nowhere" / "b.png")

"""Voting in the terminal: a key each, kept at once, blind, gone on with later."""

import io
import os
import sys

import pytest

from arena.cli.keys import read_key
from arena.cli.voting import vote_here
from arena.errors import ConfigError
from tests.serving.conftest import SECRET, kept_votes


def pressing(*keys):
    waiting = iter(keys)
    return lambda: next(waiting)


def test_votes_are_kept_taken_back_and_gone_on_with(workspace, capsys):
    given = {"name": "li", "project": workspace.root}
    vote_here(given, "en", key=pressing("x", "1", "2", "0", "n", "n", "2", "s", "u", "1", "q"))
    said = capsys.readouterr().out
    votes = kept_votes(workspace, withdrawn=True)
    assert {v.via for v in votes} == {"terminal"}
    assert sorted((len(v.criteria), v.withdrawn) for v in votes) == [
        (0, False), (0, True), (2, False)
    ]  # fmt: skip
    vote_here(given, "zh", key=pressing("1", "1", "1", "q"))
    said += capsys.readouterr().out
    assert len(kept_votes(workspace)) == 3
    assert [name for name in SECRET if name in said.lower()] == []
    assert "2 of " in said
    assert "撤回上一票" in said
    assert "\x1b[31m" not in said
    assert "\u202e" not in said


def test_all_of_it_can_be_answered_and_a_wrong_name_is_told(workspace, capsys):
    given = {"name": "wu", "project": workspace.root}
    vote_here(given, "en", key=lambda: "s")
    assert "Everything is answered" in capsys.readouterr().err
    assert {v.outcome for v in kept_votes(workspace)} == {None}
    with pytest.raises(ConfigError, match="is not a name"):
        vote_here({**given, "name": "a b"}, "en")


def test_without_a_terminal_the_first_letter_of_a_line_counts(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n  Skip\n\n"))
    assert [read_key() for _ in range(4)] == ["1", "s", " ", "q"]


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are of POSIX systems")
def test_in_a_terminal_no_enter_is_needed(monkeypatch):
    main, other = os.openpty()
    with os.fdopen(other, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        os.write(main, b"U")
        assert read_key() == "u"
        os.write(main, b"2")
        assert read_key() == "2"
    os.close(main)

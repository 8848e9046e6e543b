"""A script is known by its columns, whichever language they are left in."""

import pytest

from arena.domain.agent import Agent
from arena.exchange import script_read
from arena.exchange.script_columns import NAMES, SPARE, find_columns, header_of, missing_columns


@pytest.mark.parametrize("of", [header_of, lambda c: NAMES[c][0], lambda c: NAMES[c][1].upper()])
def test_either_half_of_a_header_names_its_column(of):
    found, twice = find_columns([of(column) for column in NAMES])
    assert found == {column: n for n, column in enumerate(NAMES)}
    assert twice == ()


def test_columns_that_are_missing_or_stand_twice_are_known():
    found, twice = find_columns(["answer", "产品的回答", "something else", ""])
    assert (found, twice) == ({"answer": 0}, ("answer",))
    assert set(missing_columns(found)) == NAMES.keys() - SPARE - {"answer"}


def test_a_script_is_told_from_other_files(tmp_path):
    script, other = tmp_path / "a.csv", tmp_path / "b.csv"
    script.write_text(",".join(map(header_of, NAMES)) + "\n", "utf-8")
    other.write_text("scenario,answer\nS-1,x\n", "utf-8")
    (tmp_path / "c.xlsx").write_bytes(b"no spreadsheet")
    found = [script_read.sniff(tmp_path / n) for n in ("a.csv", "b.csv", "c.xlsx", "d.txt")]
    assert found == [True, False, False, False]


def test_the_key_of_an_agent_is_its_version_and_nobody_else_s_key_changes():
    common = {"agent": "a", "vendor": "v"}
    model = {**common, "model": "openai/x"}
    assert Agent(**model, by_hand=False).digest() == Agent(**model).digest()
    one, other = (Agent(**common, by_hand=True, version=v) for v in ("1", "2"))
    named = Agent(**common, by_hand=True, version="1", name="A", family="f")
    assert one.digest() == named.digest() != other.digest()

"""Natural keys: every column counts, and nothing else does."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.score import SheetSpec
from arena.domain.transcript import TranscriptSpec
from arena.domain.verdict import Presentation, Wording

TRANSCRIPT = TranscriptSpec(
    suite="s", shown="d", mode="natural", agent="x", agent_digest="e", scenario="S-1"
)
WORDING = Wording(template="t", rubric="r", notes="n", cut="c")
SHEET = SheetSpec(
    transcript="t", agent="x", scenario="S-1", judge="j", judge_digest="d", wording=WORDING
)
SHOWN = Presentation(
    a="1",
    b="2",
    agent_a="x",
    agent_b="y",
    scenario="S-1",
    replicate=1,
    judge="j",
    judge_digest="d",
    wording=WORDING,
    order="ab",
)

COLUMNS = [
    (TRANSCRIPT, "suite", "other"),
    (TRANSCRIPT, "shown", "other"),
    (TRANSCRIPT, "mode", "lite"),
    (TRANSCRIPT, "agent", "other"),
    (TRANSCRIPT, "agent_digest", "other"),
    (TRANSCRIPT, "scenario", "other"),
    (TRANSCRIPT, "user", "other"),
    (TRANSCRIPT, "replicate", 2),
    (TRANSCRIPT, "origin", "other"),
    (SHEET, "transcript", "other"),
    (SHEET, "judge", "other"),
    (SHEET, "judge_digest", "other"),
    (SHEET, "wording", replace(WORDING, template="other")),
    (SHEET, "wording", replace(WORDING, rubric="other")),
    (SHEET, "wording", replace(WORDING, notes="other")),
    (SHEET, "wording", replace(WORDING, cut="other")),
    (SHEET, "scope", "turn"),
    (SHEET, "round", 1),
    (SHEET, "judge_replicate", 2),
    (SHOWN, "a", "other"),
    (SHOWN, "b", "other"),
    (SHOWN, "judge", "other"),
    (SHOWN, "judge_digest", "other"),
    (SHOWN, "wording", replace(WORDING, template="other")),
    (SHOWN, "wording", replace(WORDING, rubric="other")),
    (SHOWN, "wording", replace(WORDING, notes="other")),
    (SHOWN, "wording", replace(WORDING, cut="other")),
    (SHOWN, "order", "ba"),
    (SHOWN, "order", None),
    (SHOWN, "judge_replicate", 2),
]
# What follows from the transcripts named in the key is no part of it.
FOLLOWING = [
    (TRANSCRIPT, "rounds", 3),
    (SHEET, "agent", "other"),
    (SHEET, "scenario", "other"),
    (SHOWN, "agent_a", "other"),
    (SHOWN, "agent_b", "other"),
    (SHOWN, "scenario", "other"),
    (SHOWN, "replicate", 2),
]


def name(value):
    return type(value).__name__ if not isinstance(value, str) else value


@pytest.mark.parametrize(("spec", "column", "other"), COLUMNS, ids=name)
@pytest.mark.reported("R44")
def test_changing_any_column_changes_the_key(spec, column, other):
    assert getattr(spec, column) != other
    assert replace(spec, **{column: other}).key != spec.key


@pytest.mark.parametrize(("spec", "column", "other"), FOLLOWING, ids=name)
def test_what_follows_from_the_key_is_no_part_of_it(spec, column, other):
    assert getattr(spec, column) != other
    assert replace(spec, **{column: other}).key == spec.key


@pytest.mark.parametrize("spec", [TRANSCRIPT, SHEET, SHOWN, WORDING], ids=name)
def test_every_field_is_in_one_of_the_lists(spec):
    listed = {column for one, column, _ in COLUMNS + FOLLOWING if type(one) is type(spec)}
    if spec is WORDING:
        listed = {"template", "rubric", "notes", "cut"}
    assert {f.name for f in fields(spec)} == listed


def test_the_kinds_never_share_a_key():
    assert len({TRANSCRIPT.key, SHEET.key, SHOWN.key}) == 3


@given(st.text(max_size=6), st.text(max_size=6), st.text(min_size=1, max_size=3))
def test_text_that_moves_from_one_column_to_the_next_changes_the_key(left, right, moved):
    one = replace(TRANSCRIPT, agent=left + moved, agent_digest=right)
    two = replace(TRANSCRIPT, agent=left, agent_digest=moved + right)
    assert one.key != two.key


def test_keys_stay_what_they_are():
    # A changed value would orphan every row that was paid for. Each is the first 32 hex digits of
    # SHA-256 over the JSON list of the columns.
    assert TRANSCRIPT.key == "671acbee75f934f7cb4bdd2e3bef8a75"
    assert SHEET.key == "4e23e715e34f8cb91bad22cbca933012"
    assert SHOWN.key == "ea70aa72ce14e243f03e0210cd8da463"

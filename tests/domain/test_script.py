"""Scripts and tallies: what plays a suite offline, and what a stage counts."""

import pytest

from arena.domain.call import Status
from arena.domain.script import QUALITY, Lines, Script
from arena.domain.tally import Shift, Tally

LINES = {"careful": ["c1", "c2"], "plain": ["p1"], "careless": ["x1"]}
AGENT = {"name": "n", "short": "n"}
SCRIPT = {
    "agents": [
        {"agent": "good", "mix": {"careful": 1}, **AGENT},
        {"agent": "bad", "mix": {"careless": 1}, **AGENT},
    ],
    "judges": [{"judge": "j", "name": "n", "uses": ["rubric"]}],
    "lines": {"*": LINES, "S-1": LINES | {"plain": ["own"]}},
}


def script(**changes):
    return Script.model_validate(SCRIPT | changes)


def test_the_last_text_serves_all_later_rounds():
    lines = Lines.model_validate(LINES)
    assert [lines.at("careful", n) for n in range(4)] == ["c1", "c2", "c2", "c2"]


def test_a_scenario_without_lines_of_its_own_gets_those_of_all():
    assert script().lines_of("S-1").plain == ("own",)
    assert script().lines_of("S-2").plain == ("p1",)


def test_levels_are_ordered_by_care():
    assert QUALITY == {"careful": 1.0, "plain": 0.5, "careless": 0.0}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"lines": {"S-1": LINES}}, r'"\*"'),
        ({"agents": SCRIPT["agents"][:1]}, "agents"),
        ({"judges": []}, "judges"),
        ({"agents": [{"agent": n, "mix": {"plain": 0.5}, **AGENT} for n in "ab"]}, "sum to 1"),
        (
            {"agents": [{"agent": n, "mix": {"plain": 2, "careful": -1}, **AGENT} for n in "ab"]},
            "sum to 1",
        ),
        ({"agents": [{"agent": n, "mix": {"superb": 1}, **AGENT} for n in "ab"]}, "superb"),
    ],
)
def test_a_script_that_cannot_be_played_is_refused(changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        script(**changes)


def test_a_tally_keeps_what_was_made_apart_from_what_was_not():
    tally = Tally(stage="collect", planned=6, present=2)
    for status in (Status.OK, Status.ERROR, Status.EMPTY, Status.ERROR):
        tally.count(status)
    shift = Shift(calls=7, capped=True, denied={"agent:x": "401"})
    tally.close(shift, begun=4)
    assert (tally.made, tally.errors, tally.not_begun, tally.calls) == (1, 3, 0, 7)
    assert tally.statuses == {Status.ERROR: 2, Status.EMPTY: 1}
    assert (tally.capped, tally.stopped, tally.denied) == (True, False, {"agent:x": "401"})
    assert not tally.complete


def test_a_stage_is_complete_when_all_planned_is_there():
    tally = Tally(stage="collect", planned=2, present=1)
    tally.count(Status.OK)
    assert tally.complete
    tally.close(Shift(), begun=4)
    assert tally.not_begun == 3

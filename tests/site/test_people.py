"""What people's votes add, on the page of the judges: nothing, ratings side by side, or why not."""

from dataclasses import replace

import pytest

from arena.domain.board import Calibration
from arena.domain.standing import Points
from arena.site.figure_rows import name_people
from arena.site.names import make_names
from arena.site.people import build_calibration_terms, build_people
from arena.site.words import say_in
from tests.site import boards
from tests.site.hostile import EVIL, make_job


@pytest.fixture(scope="module")
def edition():
    job = make_job()
    return boards.edition_of(boards.every_state(job.suite), job)


def told(**changes):
    values = {"labelled": 70, "scenarios": 20, "probability": 0.5, "power": 0.4, "agreement": ()}
    values |= {"people": 2, "answered": 0.9, "left_out": {"picked": 30, "skipped": 3}}
    return Calibration(**(values | changes))


def voted(edition, calibration, points=None):
    board = edition.board
    first, *rest = board.agents
    agents = (replace(first, calibrated=points), *(replace(s, calibrated=None) for s in rest))
    return replace(board, calibration=calibration, agents=agents)


POINTS = Points(rating=1042.4, low=980.2, high=1101.0, se=20.0)


def test_where_nobody_voted_there_is_no_section(edition):
    names = make_names(edition, say_in("en"))
    assert build_people(None, names) is None
    assert build_people(replace(edition.board, calibration=None), names) is None


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_ratings_stand_side_by_side_with_what_they_rest_on(edition, lang):
    names = make_names(edition, say_in(lang))
    view = build_people(voted(edition, told(), POINTS), names)
    (row,) = view.rows
    assert (row.calibrated, row.corrected) == ("1042", "980–1101")
    said = " ".join(term.value for term in view.terms)
    assert all(part in said for part in ("70", "0.40", "90%", "30", "3"))
    assert len(view.said) == 1


@pytest.mark.parametrize("why", ["few_scenarios", "adaptive"])
def test_ratings_without_intervals_say_why(edition, why):
    names = make_names(edition, say_in("en"))
    bare = replace(POINTS, low=None, high=None, se=None)
    view = build_people(voted(edition, told(why=why), bare), names)
    assert [r.corrected for r in view.rows] == [""]
    assert any("no intervals" in said for said in view.said)


def test_a_lambda_of_nothing_is_called_the_board_of_people_alone(edition):
    names = make_names(edition, say_in("en"))
    view = build_people(voted(edition, told(power=0.0), POINTS), names)
    assert any("people alone" in said for said in view.said)


@pytest.mark.parametrize("why", ["no_chance", "frame_lost", "picked", "unjudged", EVIL])
def test_what_corrects_nothing_says_why_and_shows_no_numbers(edition, why):
    names = make_names(edition, say_in("zh"))
    refused = told(why=why, labelled=0, scenarios=0, power=None, left_out={EVIL: 2})
    view = build_people(voted(edition, refused), names)
    assert view.rows == ()
    assert len(view.said) == 1
    assert "λ" not in "".join(term.value for term in view.terms)
    (term,) = build_calibration_terms(refused, names.say)
    assert term.value == view.said[0]


def test_all_people_together_are_no_person(edition):
    names = make_names(edition, say_in("en"))
    found = name_people(["human:wu", "human:*", "human:li"], names)
    assert found == {
        "human:li": "person 1",
        "human:wu": "person 2",
        "human:*": "all people together",
    }

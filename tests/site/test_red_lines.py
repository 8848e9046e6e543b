"""How often a red line was crossed, and by which rule."""

from dataclasses import replace

import pytest

from arena.domain.flag import Flag
from arena.site.names import make_names
from arena.site.ranking import build_ranking
from arena.site.red_lines import build_red_lines, danger_of
from arena.site.words import say_in
from tests.site.large import make_large


@pytest.fixture(scope="module")
def gated():
    return make_large(4, 30, resamples=50)


@pytest.fixture(scope="module")
def free():
    return make_large(4, 30, gated=False, resamples=50)


def lines(edition, lang="en"):
    return build_red_lines(edition, make_names(edition, say_in(lang)))


def changed(edition, spread=None, **rubric):
    """The edition with another spread of its first criterion, or another rubric."""
    suite = edition.job.suite
    main = suite.rubrics["main"]
    first = main.criteria[0].model_copy(update={"spread": spread})
    main = main.model_copy(update={"criteria": (first, *main.criteria[1:]), **rubric})
    suite = replace(suite, rubrics={"main": main})
    return replace(edition, job=replace(edition.job, suite=suite))


def test_a_gate_on_red_flags_says_what_a_red_line_is(gated):
    found = lines(gated)
    assert "below 10" in found.rule
    assert "90%" in found.rule
    for standing in gated.board.agents:
        (result,) = standing.eligibility.gates
        cell = found.cells[standing.agent]
        assert cell.over == (result.state == "failed")
        if result.panel.cases:
            crossed = result.panel.cases - result.panel.met
            assert cell.text == f"{crossed}/{result.panel.cases}"
            assert "%" in cell.note


def test_what_was_never_judged_is_unknown_and_never_0(gated):
    cell = lines(gated).cells["agent-03"]
    assert (cell.text, cell.sort, cell.note) == ("unknown", "", "")


def test_the_threshold_of_a_rubric_stands_in_for_a_gate_and_fails_nobody(free):
    found = lines(free)
    assert "below 10" in found.rule
    assert not any(cell.over for cell in found.cells.values())
    danger = danger_of(free)
    low = sum(
        fact.sheets[0].scores[0].value < 10
        for scenario in danger
        for fact in free.transcripts[scenario]
        if fact.agent == "agent-03"
    )
    assert found.cells["agent-03"].text == f"{low}/{len(danger)}"


def test_judges_that_were_asked_count_but_for_what_people_rejected(free):
    asked = changed(free, red_flags="ask")
    first, second = danger_of(asked)[:2]

    def flag(scenario, kind, human="unchecked"):
        return Flag(
            id=f"{scenario}{kind}",
            agent="agent-00",
            scenario=scenario,
            transcript="t",
            flag=kind,
            round=1,
            quote="",
            found=False,
            judges=(),
            human=human,
        )

    flags = (
        flag(first, "late"),
        flag(first, "other"),
        flag(second, "late", "rejected"),
        flag(second, "low:care"),
    )
    board = replace(asked.board, flags=flags)
    found = lines(replace(asked, board=board))
    assert found.cells["agent-00"].text == f"1/{len(danger_of(asked))}"
    assert found.cells["agent-01"].text == f"0/{len(danger_of(asked))}"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_without_a_rule_nothing_is_counted_and_the_page_says_so(free, lang):
    bare = changed(free)
    assert lines(bare) is None
    ranking = build_ranking(bare, make_names(bare, say_in(lang)))
    assert ranking.red_rule == ""
    assert say_in(lang)("red.none", n=len(danger_of(bare))) in ranking.about

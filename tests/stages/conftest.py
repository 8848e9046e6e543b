"""A suite, and what others say of it."""

import pytest

from arena.domain.call import Message, Status
from arena.domain.imported import (
    ImportedSheet,
    ImportedTranscript,
)
from arena.domain.score import Score
from arena.suites.find import find_suite
from arena.suites.load import load_suite
from tests.stages.taking import MODE


@pytest.fixture(scope="module")
def suite():
    return load_suite(find_suite(None, "everyday-en"))


@pytest.fixture
def said(suite):
    """said(agent, scenario index, …) → an imported transcript in the suite's own words."""

    def make(agent, n=0, reply="Yes.", **more):
        scenario = suite.scenarios[n]
        messages = []
        for turn in suite.user_turns(scenario, MODE):
            messages += [Message("user", turn), Message("assistant", reply)]
        facts = {"scenario": scenario.scenario, "mode": MODE, "place": f"f:{n + 1}", **more}
        return ImportedTranscript(agent=agent, messages=tuple(messages), **facts)

    return make


@pytest.fixture
def sheet(suite):
    """sheet(transcript, **changed scores) → a whole sheet of middling scores."""

    def make(of, **changed):
        scenario = next(s for s in suite.scenarios if s.scenario == of.scenario)
        rubric = suite.rubric_of(scenario)
        values = {c.criterion: sum(rubric.scale_of(c)) / 2 for c in rubric.criteria_for(scenario)}
        values |= changed
        scores = [Score(criterion=k, value=v) for k, v in values.items() if v is not None]
        return ImportedSheet(
            agent=of.agent,
            scenario=of.scenario,
            mode=MODE,
            judge="elder",
            status=Status.OK,
            scores=tuple(scores),
            place=of.place,
        )

    return make

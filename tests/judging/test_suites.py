"""Every suite that ships can be put to a judge: its templates render in every mode."""

import json
from pathlib import Path

import pytest

from arena.domain.call import Message, Status
from arena.domain.plan import plan_transcripts
from arena.domain.transcript import Transcript
from arena.judging.prompt import pairwise_prompt, rubric_prompt
from arena.judging.shield import blocks
from arena.suites.load import load_suite

SUITES = Path(__file__).parents[2] / "data" / "suites"
NAMES = ["clinic-interview-zh", "eldercare-zh", "everyday-en", "memoir-interview-zh"]
FILES = ("suite.yaml", "rubric.yaml", "scenarios.jsonl", "scripted.yaml", "README.md")


@pytest.fixture(params=NAMES)
def suite(request):
    folder = SUITES / request.param
    if missing := [name for name in FILES if not (folder / name).is_file()]:
        pytest.skip(f"{request.param} is not complete: {', '.join(missing)}")
    return load_suite(folder)


def answered(suite, mode, scenario, agent):
    (spec,) = (
        s for s in plan_transcripts(suite, mode, [agent], replicates=1)
        if s.scenario == scenario.scenario
    )  # fmt: skip
    messages = []
    for n, turn in enumerate(suite.user_turns(scenario, mode)):
        messages += [Message("user", turn), Message("assistant", f"reply {n} of {agent.agent}")]
    return Transcript(spec=spec, messages=tuple(messages), calls=(), at="")


def lowest(contract):
    """A full sheet with the lowest number everywhere."""
    scores = {c.criterion: contract.rubric.scale_of(c)[0] for c in contract.criteria}
    if contract.rubric.comments == "parts":
        parts = {"fault": "f", "reason": "r", "merit": "m"}
        scores = {key: {"score": value, "comment": parts} for key, value in scores.items()}
    beside = {"suggestions": [], "evidence": [], "insufficient_evidence": [], "confidence": 0}
    return {"scores": scores, "summary": "s"} | beside


def test_every_scenario_of_every_mode_can_be_judged_both_ways(suite, make):
    judge, agents = make.judge(), [make.agent("x"), make.agent("y")]
    asked = 0
    for mode in suite.modes:
        for scenario in suite.scenarios:
            one, two = (answered(suite, mode, scenario, agent) for agent in agents)
            common = {"suite": suite, "scenario": scenario, "mode": mode, "judge": judge}
            sheet, rubric = rubric_prompt(transcript=one, key="k", seed=1, **common)
            pair, pairwise = pairwise_prompt(first=one, second=two, key="k", seed=1, **common)
            assert len(blocks(sheet.messages[0].text)) == 1
            assert [b.code for b in blocks(pair.messages[0].text)] == list(pairwise.codes)
            assert sheet.flags == pair.flags == ()
            assert rubric.read(json.dumps(lowest(rubric))).status is Status.OK
            asked += 1
    assert asked == len(suite.modes) * len(suite.scenarios) > 0

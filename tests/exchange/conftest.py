"""What judges are asked about transcripts of an imported suite."""

import pytest

from arena.domain.agent import Judge
from arena.domain.call import Message
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.judging.prompt import pairwise_prompt, rubric_prompt

READER = Judge(judge="reader", vendor="arena", model="none")


def played(suite, scenario, mode, agent):
    messages = []
    for n, turn in enumerate(suite.user_turns(scenario, mode)):
        messages += [Message("user", turn), Message("assistant", f"{agent} 第{n}次回话")]
    spec = TranscriptSpec(
        suite=suite.suite,
        shown="",
        mode=mode,
        agent=agent,
        agent_digest="",
        scenario=scenario.scenario,
    )
    return Transcript(spec=spec, messages=tuple(messages), calls=(), at="")


def asked(suite, scenario, mode, use):
    about = {"suite": suite, "scenario": scenario, "mode": mode, "judge": READER}
    first, second = (played(suite, scenario, mode, agent) for agent in "甲乙")
    if use == "rubric":
        prompt, contract = rubric_prompt(**about, transcript=first, key="k", seed=0)
    else:
        prompt, contract = pairwise_prompt(**about, first=first, second=second, key="k", seed=0)
    return prompt.messages[0].text, contract


@pytest.fixture(scope="session")
def ask():
    """ask(suite, scenario, mode, use) → the prompt's text and its contract."""
    return asked

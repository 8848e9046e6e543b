"""What sways a scripted judge beside quality can be recovered from its answers."""

import math
from dataclasses import replace

import pytest
from pydantic import ValidationError

from arena.domain.call import Message
from arena.domain.script import ScriptedAgent, ScriptedJudge
from arena.llm.scripted import Play, Scripted, chance_first_wins
from arena.llm.scripted_bias import spoken_length, sway

JUDGE = {"judge": "j", "name": "J", "uses": ("pairwise",)}


def dialogue(*replies, head="agent"):
    return "\n".join(
        f"[{n}] user:\nHow long is this turn?\n[{n}] {head}:\n{reply}"
        for n, reply in enumerate(replies, start=1)
    )


@pytest.mark.parametrize("head", ["agent", "智能体"])
def test_length_is_what_the_agent_said(head):
    assert spoken_length(dialogue("abc", "de\nfgh", head=head)) == 3 + 6
    assert spoken_length("no dialogue") == len("no dialogue")


def test_length_and_family_add_to_the_log_odds():
    judge = ScriptedJudge(**JUDGE, length_bonus=0.5, family_bonus=2.0, family_sign="~ ours")
    short, long = dialogue("ab"), dialogue("ab" * 4)
    assert sway(judge, long, short) == pytest.approx(0.5 * math.log(4))
    assert sway(judge, short, long) == pytest.approx(-0.5 * math.log(4))
    own = dialogue("ab\n~ ours")
    assert sway(judge, own, own) == 0
    assert sway(judge, own, short) == pytest.approx(2.0 + 0.5 * math.log(9 / 2))
    chance = chance_first_wins(judge, 0.5, 0.5, sway(judge, own, short))
    assert math.log(chance / (1 - chance)) == pytest.approx(sway(judge, own, short))


def test_a_judge_without_these_faults_is_swayed_by_nothing():
    assert sway(ScriptedJudge(**JUDGE), dialogue("a"), dialogue("b" * 99)) == 0


def test_a_family_needs_a_sign():
    with pytest.raises(ValidationError, match="family_sign"):
        ScriptedJudge(**JUDGE, family_bonus=1.0)


async def test_a_signature_ends_every_reply(stage_of):
    plain, signed = await stage_of(None), await stage_of("~ ours")
    assert signed == [f"{text}\n~ ours" for text in plain]


@pytest.fixture
def stage_of(make, suite, script):
    async def say(signature):
        agents = [
            ScriptedAgent(**{**a.model_dump(), "signature": signature}) for a in script.agents
        ]
        signed = script.model_copy(update={"agents": tuple(agents)})
        play = Scripted({"everyday-en": Play(suite, signed)})
        endpoint = make.endpoint(model=f"scripted/everyday-en/{agents[0].agent}")
        messages = (Message("user", suite.scenarios[0].turns[0]),)
        request = replace(make.request(endpoint=endpoint), messages=messages)
        return [(await play(request)).text]

    return say

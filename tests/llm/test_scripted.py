"""Scripted agents and judges: their stated skills and faults can be recovered."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from arena.domain.call import Message
from arena.domain.script import ScriptedAgent, ScriptedJudge
from arena.errors import ProviderFault
from arena.judging.pairwise import PairwiseContract
from arena.judging.rubric import RubricContract
from arena.judging.shield import fence
from arena.llm.scripted import (
    NEITHER,
    Play,
    Scripted,
    chance_first_wins,
    level_of,
    quality_of,
    unit,
)

NONCE = "3f9a12cd"
CODES = ("K482", "M357")


@pytest.fixture
def stage(make, suite, script):
    """Asks scripted agents and judges of the shipped suite."""
    play = Scripted({"everyday-en": Play(suite, script)})

    async def say(who, *texts, **sampling):
        messages = tuple(Message(("user", "assistant")[n % 2], t) for n, t in enumerate(texts))
        endpoint = make.endpoint(model=f"scripted/everyday-en/{who}")
        request = make.request(endpoint=endpoint, sampling=sampling)
        return (await play(replace(request, messages=messages))).text

    async def judge(who, contract, *texts, codes=CODES):
        prompt = "\n\n".join(
            fence(text, code=code, nonce=NONCE).text
            for code, text in zip(codes, texts, strict=False)
        )
        endpoint = make.endpoint(model=f"scripted/everyday-en/{who}")
        request = make.request(
            prompt, endpoint, response_format="json_schema", schema=contract.schema()
        )
        return contract.read((await play(request)).text)

    rubric = suite.rubric_of(suite.scenarios[0])
    return SimpleNamespace(
        play=play,
        say=say,
        judge=judge,
        pairwise=PairwiseContract(criteria=rubric.compare_criteria(), codes=CODES, lang="en"),
        rubric=RubricContract(rubric=rubric, criteria=rubric.criteria, lang="en"),
    )


@pytest.fixture
def lines(suite, script):
    return script.lines_of(suite.scenarios[0].scenario)


async def test_the_same_question_gets_the_same_answer(stage, suite, script):
    turn = suite.scenarios[3].turns[0]
    for agent in script.agents:
        assert await stage.say(agent.agent, turn) == await stage.say(agent.agent, turn)


async def test_another_seed_may_get_another_level(stage, suite, script):
    agent = script.agents[1].agent
    said = {await stage.say(agent, suite.scenarios[0].turns[0], seed=n) for n in range(40)}
    assert len(said) == 3


async def test_a_dialogue_stays_at_its_level_and_goes_on(stage, suite, script):
    scenario = suite.scenarios[0]
    lines = script.lines_of(scenario.scenario)
    for agent in script.agents:
        texts = []
        for turn in scenario.turns:
            texts.append(turn)
            texts.append(await stage.say(agent.agent, *texts))
        said = tuple(texts[1::2])
        assert said in (lines.careful, lines.plain, lines.careless)


async def test_a_scenario_is_known_inside_its_instruction(stage, suite, script):
    turn = suite.scenarios[0].turns[0]
    agent = script.agents[0].agent
    assert await stage.say(agent, f"Answer briefly.\n{turn}\nEnd.") == await stage.say(agent, turn)


async def test_an_unknown_scenario_gets_the_lines_of_all(stage, script):
    said = await stage.say(script.agents[0].agent, "Something nobody wrote a line for.")
    everyone = script.lines["*"]
    assert said in (*everyone.careful, *everyone.plain, *everyone.careless)


def test_mix_shares_are_recovered_over_many_scenarios():
    agent = ScriptedAgent(
        agent="a", name="A", short="A", mix={"careful": 0.6, "plain": 0.3, "careless": 0.1}
    )
    count = 4000
    drawn = [level_of(agent, unit(["level", agent.agent, f"S-{n}", None])) for n in range(count)]
    for level, share in agent.mix.items():
        # Four standard errors of a share.
        margin = 4 * math.sqrt(share * (1 - share) / count)
        assert drawn.count(level) / count == pytest.approx(share, abs=margin)


@pytest.mark.parametrize(
    ("draw", "level"),
    [(0.0, "careful"), (0.59, "careful"), (0.6, "plain"), (0.89, "plain"), (0.9999, "careless")],
)
def test_a_draw_falls_into_the_share_of_its_level(draw, level):
    mix = {"careful": 0.6, "plain": 0.3, "careless": 0.1}
    agent = ScriptedAgent(agent="a", name="A", short="A", mix=mix)
    assert level_of(agent, draw) == level


def test_a_level_of_no_share_is_never_played():
    agent = ScriptedAgent(
        agent="a", name="A", short="A", mix={"careful": 0, "plain": 1, "careless": 0}
    )
    assert {level_of(agent, unit(n)) for n in range(200)} == {"plain"}


def test_draws_are_spread_evenly():
    draws = [unit(["x", n]) for n in range(4000)]
    assert all(0 <= d < 1 for d in draws)
    assert sum(draws) / len(draws) == pytest.approx(0.5, abs=4 / math.sqrt(12 * 4000))


def test_quality_is_the_mean_of_known_lines():
    known = {"good line": 1.0, "so so": 0.5, "bad line": 0.0}
    assert quality_of("a good line and a bad line", known) == 0.5
    assert quality_of("good line, so so", known) == 0.75
    assert quality_of("nothing known", known) == NEITHER


@pytest.mark.parametrize(
    ("first", "second", "bonus", "odds"),
    [(1.0, 0.0, 0.0, 4.0), (0.5, 0.5, 0.4, 0.4), (0.0, 1.0, 0.0, -4.0), (0.5, 0.0, 0.4, 2.4)],
)
def test_odds_follow_from_sharpness_and_bonus(first, second, bonus, odds):
    judge = ScriptedJudge(judge="j", name="J", uses=("pairwise",), sharpness=4, first_bonus=bonus)
    chance = chance_first_wins(judge, first, second)
    assert math.log(chance / (1 - chance)) == pytest.approx(odds)


async def test_the_stated_first_bonus_is_recovered_from_equal_pairs(stage, script, lines):
    (judge,) = [j for j in script.judges if "pairwise" in j.uses]
    assert judge.first_bonus == 0.4
    count, first = 1200, 0
    for n in range(count):
        texts = (f"{lines.plain[0]} a{n}", f"{lines.plain[0]} b{n}")
        reading = await stage.judge(judge.judge, stage.pairwise, *texts)
        first += reading.winner == "first"
    expected = 1 / (1 + math.exp(-0.4))
    margin = 4 * math.sqrt(expected * (1 - expected) / count)
    assert first / count == pytest.approx(expected, abs=margin)


async def test_careful_beats_careless_shown_first_or_second(stage, script, lines):
    judge = next(j for j in script.judges if "pairwise" in j.uses).judge
    won, count = 0, 200
    for n in range(count):
        good, bad = f"{lines.careful[0]} g{n}", f"{lines.careless[0]} b{n}"
        forward = await stage.judge(judge, stage.pairwise, good, bad)
        backward = await stage.judge(judge, stage.pairwise, bad, good)
        won += (forward.winner, backward.winner) == ("first", "second")
    # sharpness 4, bonus 0.4: odds of 4.4 and 3.6, so about 96 % of pairs agree.
    assert won / count > 0.9


async def test_scores_rank_careful_over_plain_over_careless(stage, script, lines):
    judge = next(j for j in script.judges if "rubric" in j.uses).judge
    means = []
    for level in ("careful", "plain", "careless"):
        text = getattr(lines, level)[0]
        readings = [await stage.judge(judge, stage.rubric, f"{text} {n}") for n in range(30)]
        values = [s.value for r in readings for s in r.scores]
        assert len(values) == 30 * len(stage.rubric.criteria)
        means.append(sum(values) / len(values))
    assert means[0] > means[1] + 0.5 > means[2] + 1


async def test_a_judge_answers_the_same_question_alike(stage, script, lines):
    for judge in script.judges:
        contract = stage.pairwise if "pairwise" in judge.uses else stage.rubric
        texts = (lines.careful[0], lines.careless[0])
        one = await stage.judge(judge.judge, contract, *texts)
        assert one == await stage.judge(judge.judge, contract, *texts)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("scripted/nowhere/x", "no scripted suite called nowhere"),
        ("scripted/everyday-en/nobody", "scripts nobody called nobody"),
        ("scripted/everyday-en", "scripts nobody called "),
        ("scripted/", "no scripted suite called "),
    ],
)
async def test_an_unknown_name_is_a_clear_fault(stage, make, model, said):
    with pytest.raises(ProviderFault) as caught:
        await stage.play(make.request(endpoint=make.endpoint(model=model)))
    assert (caught.value.fault, caught.value.status) == ("rejected", 404)
    assert said in caught.value.message


@pytest.mark.parametrize("kind", ["judge without a schema", "agent without a user turn"])
async def test_a_question_it_cannot_read_is_a_clear_fault(stage, make, script, kind):
    if kind.startswith("judge"):
        who, messages = script.judges[0].judge, (Message("user", "Score this."),)
    else:
        who, messages = script.agents[0].agent, (Message("system", "Be kind."),)
    endpoint = make.endpoint(model=f"scripted/everyday-en/{who}")
    with pytest.raises(ProviderFault) as caught:
        await stage.play(replace(make.request(endpoint=endpoint), messages=messages))
    assert caught.value.fault == "rejected"


async def test_usage_is_told_so_that_forecasts_learn(stage, make, script, suite):
    endpoint = make.endpoint(model=f"scripted/everyday-en/{script.agents[0].agent}")
    reply = await stage.play(make.request(suite.scenarios[0].turns[0], endpoint))
    assert reply.tokens_in > 0
    assert reply.tokens_out > 0
    assert json.dumps(reply.text)

"""Scripted agents and judges: a whole board offline, with strengths and faults that are known.

Model strings are `scripted/<suite>/<id>`. A scripted agent finds its scenario in the first user
turn and answers with the suite's lines; a scripted judge finds those lines in the transcripts it
is shown. Every draw comes from a digest of what was asked, so the same question gets the same
answer on any machine.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.domain.call import Reply, Request
from arena.domain.digest import digest
from arena.domain.script import (
    QUALITY,
    ChoiceAgent,
    ChoiceScript,
    Level,
    Lines,
    Script,
    ScriptedAgent,
    ScriptedJudge,
)
from arena.domain.simulated import answer_from_record
from arena.domain.suite import Suite
from arena.domain.telling import Section
from arena.domain.tokens import estimate_prompt, estimate_tokens
from arena.errors import ProviderFault
from arena.judging.commentary_phrases import COMMENTARY
from arena.judging.labels import Side
from arena.judging.sheet_phrases import CANNOT_JUDGE
from arena.judging.shield import blocks
from arena.llm.answering import answer_question
from arena.llm.scripted_bias import sway
from arena.llm.scripted_pair import Decide, compare, mark
from arena.llm.scripted_sheet import (
    beside_scores,
    comment_on,
    may_leave,
    nothing_to_judge,
    value_of,
    with_comment,
)

PREFIX = "scripted"
USER = "user"
"""Who plays the user of any suite: `scripted/<suite>/user`."""
NEITHER = 0.5
"""Quality of a transcript in which a scripted judge knows no line."""


@dataclass(frozen=True, slots=True)
class Play:
    """A suite with its script."""

    suite: Suite
    script: Script | ChoiceScript


class Scripted:
    """The provider of every `scripted/…` model."""

    def __init__(self, plays: Mapping[str, Play]) -> None:
        self._plays = plays
        self._known = {
            name: _known_lines(play.script)
            for name, play in plays.items()
            if isinstance(play.script, Script)
        }

    async def __call__(self, request: Request) -> Reply:
        """Answer at once; raises ProviderFault for a suite or name that is not there."""
        suite, _, who = request.endpoint.model.removeprefix(f"{PREFIX}/").partition("/")
        play = self._plays.get(suite)
        if play is None:
            raise ProviderFault("rejected", f"no scripted suite called {suite}", status=404)
        text = self._say(suite, play, who, request)
        if text is None:
            raise ProviderFault("rejected", f"{suite} scripts nobody called {who}", status=404)
        return _reply(request, text)

    def _say(self, suite: str, play: Play, who: str, request: Request) -> str | None:
        """What somebody of a script says; None where it has nobody of that name."""
        if isinstance(play.script, ChoiceScript):
            return next(
                (_answer(play.suite, a, request) for a in play.script.agents if a.agent == who),
                None,
            )
        for agent in play.script.agents:
            if agent.agent == who:
                return _speak(play.suite, play.script, agent, request)
        if who == USER:
            return _answer_as_user(play, request)
        for judge in play.script.judges:
            if judge.judge == who:
                return self._judge(suite, judge, request)
        return None

    def _judge(self, suite: str, judge: ScriptedJudge, request: Request) -> str:
        shown = [block.text for block in blocks(request.messages[0].text)]
        quality = [quality_of(text, self._known[suite]) for text in shown]
        asked = request.messages[0].text
        if shown and any(say["form"] in asked for say in COMMENTARY.values()):
            return comment_on(quality[0])
        schema = request.schema or {}
        if "properties" not in schema or not shown:
            raise ProviderFault(
                "rejected", "a scripted judge needs `response_format: json_schema`", status=400
            )
        if "scores" in schema["properties"]:
            sections = self._plays[suite].suite.sections
            return _score(judge, shown, quality, schema, sections)
        answer = mark if "winner" not in schema["properties"] else compare
        return answer(schema, _sides(judge, shown, quality))


def _answer_as_user(play: Play, request: Request) -> str:
    """What the scripted user says: it knows its scenario by the first thing that it said."""
    said = [m.text for m in request.messages if m.role == "assistant"]
    scenario = next((s for s in play.suite.scenarios if said and s.turns[0] in said[0]), None)
    if scenario is None:
        raise ProviderFault("rejected", "a scripted user needs its first turn", status=400)
    return answer_from_record(scenario, request.messages[-1].text, said)


def unit(value: Any) -> float:
    """A number in [0, 1) that depends on nothing but a JSON-able value."""
    return int(digest(value)[:13], 16) / 16**13


def level_of(agent: ScriptedAgent, draw: float) -> Level:
    """The level an agent plays, from a uniform draw and its mix."""
    reached = 0.0
    for level, share in agent.mix.items():
        reached += share
        if draw < reached:
            return level
    return list(agent.mix)[-1]


def quality_of(text: str, known: Mapping[str, float]) -> float:
    """Mean quality of the known lines in a text; one half when there is none."""
    found = [quality for line, quality in known.items() if line in text]
    return sum(found) / len(found) if found else NEITHER


def chance_first_wins(
    judge: ScriptedJudge, first: float, second: float, swayed: float = 0.0
) -> float:
    """Probability that the first shown wins, from both qualities and the stated bias.

    `swayed`: log-odds that something else gives it.
    """
    lead = judge.sharpness * (first - second) + judge.first_bonus + swayed
    return 1 / (1 + math.exp(-lead))


def _speak(suite: Suite, script: Script, agent: ScriptedAgent, request: Request) -> str:
    name, spoken = _scenario_of(suite, request)
    draw = unit(["level", agent.agent, name, request.sampling.get("seed")])
    line = script.lines_of(name).at(level_of(agent, draw), len(spoken) - 1)
    return line if agent.signature is None else f"{line}\n{agent.signature}"


def _answer(suite: Suite, agent: ChoiceAgent, request: Request) -> str:
    name, _ = _scenario_of(suite, request)
    right = suite.choice.answers.get(name) if suite.choice else None
    return answer_question(agent, name, right, request.sampling.get("seed"), unit)


def _scenario_of(suite: Suite, request: Request) -> tuple[str, list[str]]:
    """The scenario that is played (or a digest, where it is none of the suite), and the turns."""
    spoken = [m.text for m in request.messages if m.role == "user"]
    if not spoken:
        raise ProviderFault("rejected", "a scripted agent needs a user turn", status=400)
    scenario = next((s for s in suite.scenarios if s.turns[0] in spoken[0]), None)
    return (scenario.scenario if scenario else digest(spoken[0])), spoken


def _known_lines(script: Script) -> dict[str, float]:
    def of(lines: Lines) -> dict[str, float]:
        return {text.strip(): QUALITY[level] for level in QUALITY for text in getattr(lines, level)}

    return {text: quality for lines in script.lines.values() for text, quality in of(lines).items()}


def _sides(judge: ScriptedJudge, shown: Sequence[str], quality: Sequence[float]) -> Decide:
    """How the judge decides about anything: who, and by how much."""
    swayed = sway(judge, shown[0], shown[1])

    def side(about: str, ties: bool) -> tuple[Side, float]:
        chance = chance_first_wins(judge, quality[0], quality[1], swayed)
        if ties and abs(chance - 0.5) < judge.tie_band:
            return "tie", 0.0
        won = unit([judge.judge, about, *shown]) < chance
        return ("first" if won else "second"), abs(chance - 0.5)

    return side


def _score(
    judge: ScriptedJudge,
    shown: Sequence[str],
    quality: Sequence[float],
    schema: Any,
    sections: Sequence[Section],
) -> str:
    properties = schema["properties"]["scores"]["properties"]
    nothing = nothing_to_judge(judge.cannot_judge, shown[0], sections)
    left = {name for name, rule in properties.items() if name in nothing and may_leave(rule)}
    values = {}
    for name, rule in properties.items():
        noise = judge.noise * (2 * unit([judge.judge, name, *shown]) - 1)
        if name not in left:
            values[name] = value_of(rule, 0.0 if name in nothing else quality[0] + noise)
    given = {name: CANNOT_JUDGE if name in left else values[name] for name in properties}
    answer = {
        "scores": {name: with_comment(properties[name], value) for name, value in given.items()},
        "summary": "Scripted judge: scored by the written level of its lines.",
    }
    answer |= beside_scores(schema, values, shown[0])
    return json.dumps(answer, ensure_ascii=False)


def _reply(request: Request, text: str) -> Reply:
    return Reply(
        text=text,
        finish_reason="stop",
        model_returned=request.endpoint.model,
        tokens_in=estimate_prompt(request.messages),
        tokens_out=estimate_tokens(text),
    )

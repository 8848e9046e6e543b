"""Stand-ins for transcripts that are not there yet, so that a forecast can count real prompts."""

from collections.abc import Mapping

from arena.domain.call import Message
from arena.domain.job import Job
from arena.domain.transcript import Transcript

USUAL_REPLY = 220
"""Tokens of a reply before any was seen."""


def stand_ins(
    job: Job, there: Mapping[str, Transcript], reply_tokens: Mapping[str, float]
) -> dict[str, Transcript]:
    """The transcripts that are there, and for the others one with filler of the usual length.

    `reply_tokens` is the median of an agent's replies so far, by agent.
    """
    scenarios = {s.scenario: s for s in job.suite.scenarios}
    agents = {a.agent: a for a in job.agents}
    filler = "字" if job.suite.language == "zh" else "word "
    found = dict(there)
    for spec in job.all_transcripts():
        if spec.key in found:
            continue
        reply = filler * round(reply_tokens.get(spec.agent, USUAL_REPLY))
        system = agents[spec.agent].system
        messages = [Message("system", system)] if system else []
        for turn in job.suite.user_turns(scenarios[spec.scenario], spec.mode):
            messages += [Message("user", turn), Message("assistant", reply)]
        found[spec.key] = Transcript(spec=spec, messages=tuple(messages), calls=(), at="")
    return found

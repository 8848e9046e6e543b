"""Stand-ins for transcripts that are not there yet, so that a forecast can count real prompts."""

from collections.abc import Mapping

from arena.domain.call import Message
from arena.domain.job import Job
from arena.domain.tokens import USUAL_REPLY
from arena.domain.transcript import Transcript


def stand_ins(
    job: Job, there: Mapping[str, Transcript], reply_tokens: Mapping[str, float]
) -> dict[str, Transcript]:
    """The transcripts that are there, and for those to be collected one with usual filler.

    What a person is to bring is not waited for: nobody knows when it comes.
    `reply_tokens` is the median of an agent's replies so far, by agent.
    """
    agents = {a.agent: a for a in job.agents}
    filler = "字" if job.suite.language == "zh" else "word "
    found = dict(there)
    for spec in job.transcripts():
        if spec.key in found or spec.agent in job.by_hand:
            continue
        reply = filler * round(reply_tokens.get(spec.agent, USUAL_REPLY))
        system = agents[spec.agent].system
        messages = [Message("system", system)] if system else []
        for turn in job.suite.user_turns(job.scenario(spec.scenario), spec.mode):
            messages += [Message("user", turn), Message("assistant", reply)]
        found[spec.key] = Transcript(spec=spec, messages=tuple(messages), calls=(), at="")
    return found

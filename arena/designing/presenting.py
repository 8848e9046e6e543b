"""Presentations as hearings, what they will cost, and what was heard as verdicts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from arena.domain.forecast import Cuts, ForecastLine
from arena.domain.job import Job
from arena.domain.transcript import Transcript
from arena.domain.verdict import CriterionVerdict, Presentation, Verdict
from arena.judging.pairwise import PairwiseContract, PairwiseReading, to_outcome
from arena.judging.prompt import pairwise_prompt
from arena.llm.hearing import (
    CUT,
    Heard,
    Hearing,
    forecast_cuts,
    forecast_hearings,
    sample_of,
)
from arena.store.summaries import Observed
from arena.store.tables import Tried

SAMPLE = 200
"""Prompts of a judge that a forecast counts; more are scaled up from these."""


def forecast_presentations(
    stage: str,
    job: Job,
    asked: Sequence[Presentation],
    todo: Mapping[str, Tried],
    transcripts: Mapping[str, Transcript],
    *,
    observed: Mapping[tuple[str, str], Observed],
    endpoints: Mapping[str, int],
) -> tuple[tuple[ForecastLine, ...], tuple[Cuts, ...]]:
    """What asking some presentations takes, a line a judge, and how many prompts will be cut."""
    sample = list(hearings_of(job, sample_of(asked, SAMPLE), todo, transcripts))
    usual = {
        h.who: 150.0 + 22 * len(job.suite.rubric_of(job.scenario(h.subject.scenario)).compare)
        for h in sample
    }
    seen_here = {f"judge:{who}": seen for (who, k), seen in observed.items() if k == "verdict"}
    pending = Counter(f"judge:{s.judge}" for s in asked)
    lines = forecast_hearings(
        stage,
        sample,
        pending=pending,
        usual_reply=usual | {who: seen.tokens_out for who, seen in seen_here.items()},
        seconds_per_call={w: s.latency_ms / 1000 for w, s in seen_here.items() if s.latency_ms},
        prices=job.prices,
        rates=job.rates,
        concurrency=endpoints,
        seen=seen_here,
    )
    return lines, forecast_cuts(stage, sample, pending=pending)


def hearings_of(
    job: Job,
    specs: Sequence[Presentation],
    todo: Mapping[str, Tried],
    transcripts: Mapping[str, Transcript],
) -> Iterable[Hearing]:
    """The question of each presentation to its judge; `transcripts` by key."""
    judges = {j.judge: j for j in job.judges}
    names = {
        a.agent: tuple(dict.fromkeys((a.agent, a.display.zh, a.display.en))) for a in job.agents
    }
    for spec in specs:
        shown = (spec.a, spec.b) if spec.order == "ab" else (spec.b, spec.a)
        who = (spec.agent_a, spec.agent_b) if spec.order == "ab" else (spec.agent_b, spec.agent_a)
        prompt, contract = pairwise_prompt(
            suite=job.suite,
            scenario=job.scenario(spec.scenario),
            mode=job.mode,
            first=transcripts[shown[0]],
            second=transcripts[shown[1]],
            judge=judges[spec.judge],
            key=spec.key,
            seed=job.seed,
            aliases=(names[who[0]], names[who[1]]),
        )
        yield Hearing(
            kind="verdict",
            key=spec.key,
            judge=judges[spec.judge],
            prompt=prompt,
            contract=contract,
            subject=spec,
            lang=job.suite.language,
            attempt=todo[spec.key].attempts.get(0, 0) + 1,
        )


def verdict_of(heard: Heard) -> Verdict:
    """The verdict of a hearing that was read. Raises TypeError for another contract's."""
    read: PairwiseReading = heard.reading
    spec: Presentation = heard.hearing.subject
    contract = heard.hearing.contract
    last, order = heard.calls[-1], spec.order or "ab"
    if not isinstance(contract, PairwiseContract):
        raise TypeError("a presentation is read by a pairwise contract")
    codes = contract.codes if order == "ab" else contract.codes[::-1]
    return Verdict(
        presentation=spec,
        attempt=last.attempt,
        status=heard.status,
        outcome=to_outcome(read.winner, order) if read.winner else None,
        margin=read.margin,
        reason=read.reason,
        criteria=tuple(
            CriterionVerdict(
                criterion=c.criterion, side=to_outcome(c.side, order), strength=c.strength
            )
            for c in read.criteria
        ),
        flags=_flags(heard),
        codes=(codes[0], codes[1]),
        call=last.key,
        at=last.at,
    )


def _flags(heard: Heard) -> tuple[str, ...]:
    """What was noticed of the prompt and of the answer; `cut`: not all was shown."""
    prompt = heard.hearing.prompt
    cut = (CUT,) if prompt.cut else ()
    return tuple(dict.fromkeys((*prompt.flags, *cut, *heard.reading.flags)))

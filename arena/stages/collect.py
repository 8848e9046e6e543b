"""collect: scenarios × agents × replicates without a transcript → transcripts.

Reads the plan, `transcript` and `call`; writes `call` and `transcript`. One question is one call:
turn k + 1 is asked once the reply to turn k is committed, so a run that is killed goes on where it
was. A product that keeps the dialogue itself begins anew instead, within the run and after it; what
was answered before is kept, counted and never judged. Who is talked to by hand is passed over.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from arena.domain.agent import Agent
from arena.domain.call import Message, Status
from arena.domain.digest import digest
from arena.domain.forecast import Expected, Forecast, forecast_lines
from arena.domain.job import Job
from arena.domain.simulated import CANNED, user_messages, user_prompt
from arena.domain.sitting import SITTINGS, Sitting
from arena.domain.suite import Scenario
from arena.domain.tally import Tally
from arena.domain.tokens import USUAL_REPLY, estimate_prompt, estimate_tokens
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.judging.running import read_sections
from arena.judging.thinking import split_thinking
from arena.llm.desk import Answer, Asked, Desk
from arena.store.rows import Rows, call_row, transcript_row
from arena.store.store import Store
from arena.store.tables import Tried
from arena.store.writer import Writer

STAGE = "collect"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """A transcript under way: what was answered so far, and by which calls.

    `turns`: the user turns that are known: all of them, or with a simulated user those that it
    has said. `attempts` were made before this sitting and `used` in it, by round; `number` counts
    the sittings of this run.
    """

    spec: TranscriptSpec
    agent: Agent
    scenario: Scenario
    turns: tuple[str, ...]
    replies: tuple[str, ...]
    calls: tuple[str, ...]
    attempts: Mapping[int, int]
    used: Mapping[int, int] = field(default_factory=dict)
    sitting: Sitting | None = None
    number: int = 1
    welcome: str = ""

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was exchanged, and the next user turn if there is one."""
        system = (Message("system", self.agent.system),) if self.agent.system else ()
        spoken = [Message("assistant", self.welcome)] if self.welcome else []
        for number, turn in enumerate(self.turns[: len(self.replies) + 1]):
            spoken.append(Message("user", turn))
            if number < len(self.replies):
                spoken.append(Message("assistant", self.replies[number]))
        return (*system, *spoken)

    def answered(self, reply: str, answer: Answer) -> "Dialogue":
        """The dialogue with one more reply, and what its product keeps."""
        return replace(
            self,
            replies=(*self.replies, reply),
            calls=(*self.calls, answer.last.key),
            sitting=answer.sitting or self.sitting,
            welcome=answer.welcome or self.welcome,
        )

    def counted(self, answer: Answer) -> "Dialogue":
        """The dialogue with the attempts of an answer counted."""
        made = {answer.last.round: answer.last.attempt}
        return replace(self, used={**self.used, **made})

    def begun_anew(self, run: str) -> "Dialogue":
        """The dialogue from its first turn, as somebody else; what was answered is left behind."""
        rounds = {*self.attempts, *self.used}
        return replace(
            self,
            turns=self.turns if self.spec.user == CANNED else self.turns[:1],
            replies=(),
            calls=(),
            attempts={n: max(self.attempts.get(n, 0), self.used.get(n, 0)) for n in rounds},
            used={},
            sitting=_sit(self.spec, run, self.number + 1),
            number=self.number + 1,
            welcome=_stated_welcome(self.agent, self.spec),
        )

    def continued(self, turn: str) -> "Dialogue":
        """The dialogue with one more user turn."""
        return replace(self, turns=(*self.turns, turn))

    @property
    def finished(self) -> bool:
        """Whether every round was answered."""
        return len(self.replies) == self.spec.rounds

    @property
    def waits_for_user(self) -> bool:
        """Whether a simulated user is to speak next."""
        return not self.finished and len(self.turns) == len(self.replies)


async def collect(job: Job, *, store: Store, writer: Writer, desk: Desk) -> Tally:
    """Play every planned transcript that is not there yet; repeating it is safe."""
    specs = job.transcripts()
    todo = store.transcripts.todo(specs)
    tally = Tally(stage=STAGE, planned=len(specs), present=len(specs) - len(todo))
    dialogues = list(_dialogues(job, specs, todo, tally))

    async def handle(answer: Answer) -> Iterable[Asked]:
        dialogue: Dialogue = answer.asked.context.counted(answer)
        tables = [("call", tuple(call_row(c) for c in answer.calls))]
        if answer.last.status is not Status.OK:
            await writer.add(Rows(tuple(tables)))
            if answer.broken and dialogue.number < SITTINGS:
                return (_ask(job, dialogue.begun_anew(job.run), desk),)
            tally.count(answer.last.status, by=answer.last)
            return ()
        reply = split_thinking(answer.last.text or "").visible.strip()
        if answer.asked.speaker == "user":
            dialogue = dialogue.continued(reply)
        else:
            dialogue = dialogue.answered(reply, answer)
        finished = dialogue.finished
        if finished:
            transcript = Transcript(
                spec=dialogue.spec,
                messages=dialogue.messages,
                calls=dialogue.calls,
                at=answer.last.at,
            )
            tables.append(("transcript", (transcript_row(transcript, job.run),)))
        await writer.add(Rows(tuple(tables)))
        tally.made += finished
        return () if finished else (_ask(job, dialogue, desk),)

    shift = await desk.work((_ask(job, d, desk) for d in dialogues), handle, tally)
    tally.close(shift, begun=len(dialogues))
    return tally


def forecast(
    job: Job, *, store: Store, endpoints: Mapping[str, int], collecting: bool = True
) -> Forecast:
    """What collect would ask. `endpoints`: calls at once by `agent:ID`; it always collects."""
    specs = job.transcripts()
    todo = store.transcripts.todo(specs)
    observed = store.summaries.observed()
    expected: dict[str, Expected] = {}
    passed = Tally(stage=STAGE)
    for dialogue in _dialogues(job, specs, todo, passed):
        who = f"agent:{dialogue.agent.agent}"
        seen = observed.get((dialogue.agent.agent, "transcript"))
        _expect(job, dialogue, expected, who, seen.tokens_out if seen else USUAL_REPLY)
    lines = forecast_lines(
        STAGE,
        expected,
        prices=job.prices,
        rates=job.rates,
        seconds_per_call={
            f"agent:{who}": seen.latency_ms / 1000
            for (who, kind), seen in observed.items()
            if kind == "transcript" and seen.latency_ms
        },
        concurrency=endpoints,
        seen=[f"agent:{who}" for who, kind in observed if kind == "transcript"],
    )
    return Forecast(
        lines=lines, present=len(specs) - len(todo), by_hand=dict(sorted(passed.by_hand.items()))
    )


def _expect(
    job: Job, dialogue: Dialogue, expected: dict[str, Expected], who: str, reply: float
) -> None:
    """Add what the rest of a dialogue is expected to take, a simulated user's part included."""
    sums = expected.setdefault(who, Expected())
    sums.sessions += not dialogue.replies
    prompt = estimate_prompt(dialogue.messages)
    written = job.suite.user_turns(dialogue.scenario, dialogue.spec.mode)
    user = f"user:{job.user.user}" if job.user else ""
    for turn in range(len(dialogue.replies), dialogue.spec.rounds):
        # What a simulated user will say is about as long as what is written for it.
        opening = sum(estimate_tokens(t) for t in written[turn : turn + 1])
        if turn >= len(dialogue.turns):
            other = expected.setdefault(user, Expected())
            other.calls += 1
            other.sessions += 1
            told = estimate_tokens(user_prompt(dialogue.scenario, job.suite.language))
            other.tokens_in += told + prompt
            other.tokens_out += opening
            # Later openings are in the prompt already, with the reply before them.
            prompt += opening if turn == len(dialogue.replies) else 0
        sums.calls += 1
        sums.tokens_in += prompt
        sums.tokens_out += reply
        following = sum(estimate_tokens(t) for t in written[turn + 1 : turn + 2])
        prompt += round(reply) + following


def _dialogues(
    job: Job, specs: Iterable[TranscriptSpec], todo: Mapping[str, Tried], tally: Tally
) -> Iterator[Dialogue]:
    """The unfinished dialogues that may be asked now; what is skipped is counted."""
    agents = {a.agent: a for a in job.agents}
    for spec in specs:
        tried = todo.get(spec.key)
        if tried is None:
            continue
        agent = agents[spec.agent]
        if agent.by_hand:
            tally.by_hand[spec.agent] += 1
            continue
        last = tried.last
        if last not in (None, Status.OK, Status.ERROR) and not job.retry_errors:
            tally.skipped[last] += 1
            continue
        done = [
            tried.rounds[n] for n in sorted(tried.rounds) if tried.rounds[n].status is Status.OK
        ]
        if agent.stateful:
            # What a product kept of an earlier run cannot be gone on with.
            done, tried = [], replace(tried, utterances={})
        yield Dialogue(
            spec=spec,
            agent=agent,
            scenario=job.scenario(spec.scenario),
            turns=_turns(job, spec, tried),
            replies=tuple(split_thinking(d.text or "").visible.strip() for d in done),
            calls=tuple(d.call for d in done),
            attempts=tried.attempts,
            sitting=_sit(spec, job.run, 1) if agent.product else None,
            welcome=_stated_welcome(agent, spec),
        )


def _sit(spec: TranscriptSpec, run: str, number: int) -> Sitting:
    return Sitting(
        seed=digest([spec.key, run, number]),
        scenario=spec.scenario,
        replicate=spec.replicate,
    )


def _stated_welcome(agent: Agent, spec: TranscriptSpec) -> str:
    """What a product is known to say before the first turn, without being asked."""
    if agent.replay:
        tape = agent.replay.tapes.get((spec.scenario, spec.replicate))
        return tape.welcome if tape else ""
    welcome = agent.http.welcome if agent.http else None
    return (welcome.say or "") if welcome else ""


def _turns(job: Job, spec: TranscriptSpec, tried: Tried) -> tuple[str, ...]:
    """The user turns that are known of a dialogue."""
    written = job.suite.user_turns(job.scenario(spec.scenario), spec.mode)
    if job.user is None:
        return written
    turns = [written[0]]
    while (said := tried.utterances.get(len(turns) + 1)) and said.status is Status.OK:
        turns.append(split_thinking(said.text or "").visible.strip())
    return tuple(turns)


def _ask(job: Job, dialogue: Dialogue, desk: Desk) -> Asked:
    turn = len(dialogue.replies) + 1
    common: dict[str, Any] = {
        "key": dialogue.spec.key,
        "kind": "transcript",
        "attempt": dialogue.attempts.get(turn, 0) + 1,
        "round": turn,
        "context": dialogue,
    }
    if dialogue.waits_for_user and job.user is not None:
        heard = [read_sections(r, job.suite.sections).said for r in dialogue.replies]
        return desk.ask_of(
            f"user:{job.user.user}",
            speaker="user",
            entrant=job.user.user,
            entrant_digest=job.user.digest(),
            messages=user_messages(dialogue.scenario, job.suite.language, dialogue.turns, heard),
            sampling=job.user.sampling,
            **common,
        )
    return desk.ask_of(
        f"agent:{dialogue.agent.agent}",
        speaker="agent",
        entrant=dialogue.agent.agent,
        entrant_digest=dialogue.spec.agent_digest,
        messages=dialogue.messages,
        sampling=dialogue.agent.sampling,
        sitting=dialogue.sitting,
        **common,
    )

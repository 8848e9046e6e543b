"""What a person is shown of two transcripts, and what a vote is as a verdict of `human:ID`.

A person is shown the situation and both dialogues under neutral codes, and what the comparison is
made by. Who speaks, which judge said what, and the notes for judges are not shown. Names of agents
and vendors that stand in a dialogue are blacked out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.domain.agent import Agent
from arena.domain.call import Status
from arena.domain.digest import digest
from arena.domain.job import Job
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.domain.verdict import CriterionVerdict, Outcome, Presentation, Verdict, Wording
from arena.domain.voting import HUMAN, Draw
from arena.judging.facts import compare_facts
from arena.judging.labels import Side
from arena.judging.pairwise import to_outcome
from arena.judging.shield import draw_codes, reveal

SHAPE = "vote-1"
"""Names what people are shown and asked; a change of it is a change of every wording."""
HIDDEN = "█████"
SHORTEST = 2
"""Characters of a name that is blacked out; a shorter one would black out half a text."""
CHOICES: tuple[Side, ...] = ("first", "second", "tie")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person says of a presentation: overall (None: skipped), and by criterion."""

    choice: Side | None
    criteria: Mapping[str, Side]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One presentation as a person sees it; every text is plain and hostile.

    `codes` and `dialogues` are of what is shown first and second; a dialogue is a list of
    (`user` or `agent`, text). `criteria`: key, name and question.
    """

    title: str
    user: str
    context: str
    codes: tuple[str, str]
    dialogues: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]
    criteria: tuple[tuple[str, str, str], ...]


def comparisons_of(job: Job) -> Iterator[tuple[TranscriptSpec, TranscriptSpec]]:
    """Every pair of ranked agents on what both were shown, in order of scenario and agents."""
    ranked = {agent.agent for agent in job.ranked}
    groups: dict[tuple[str, str, str, int], list[TranscriptSpec]] = {}
    for spec in job.all_transcripts():
        if spec.agent in ranked:
            where = (spec.scenario, spec.shown, spec.user, spec.replicate)
            groups.setdefault(where, []).append(spec)
    for group in groups.values():
        yield from combinations(sorted(group, key=lambda spec: spec.agent), 2)


def presentation_for(draw: Draw, job: Job, person: str) -> Presentation:
    """The natural key of one person's vote on a draw; `person` is `human:ID`."""
    scenario = job.scenario(draw.scenario)
    return Presentation(
        a=draw.a,
        b=draw.b,
        agent_a=draw.agent_a,
        agent_b=draw.agent_b,
        scenario=draw.scenario,
        replicate=draw.replicate,
        judge=person,
        judge_digest=digest(["person", person]),
        wording=Wording(
            template=digest([SHAPE]),
            rubric=digest(compare_facts(job.suite, scenario)),
            notes=digest([scenario.title.model_dump(), scenario.persona.model_dump()]),
            cut="whole",
        ),
        order=draw.order,
    )


def show_for(draw: Draw, job: Job, transcripts: Mapping[str, Transcript], item: str) -> Shown:
    """What is shown of a draw, the side that its order puts first standing first.

    `item` decides the codes. Raises KeyError where a transcript is not there.
    """
    scenario, lang = job.scenario(draw.scenario), job.suite.language
    first, second = (draw.a, draw.b) if draw.order == "ab" else (draw.b, draw.a)
    hide = blackout(job.agents)
    criteria = job.suite.rubric_of(scenario).compare_criteria()
    return Shown(
        title=hide(reveal(scenario.title[lang])),
        user=hide(reveal(scenario.persona.user)),
        context=hide(reveal(scenario.persona.context)),
        codes=draw_codes(job.seed, item),
        dialogues=(_spoken(transcripts[first], hide), _spoken(transcripts[second], hide)),
        criteria=tuple((c.criterion, c.name[lang], c.question) for c in criteria),
    )


def verdict_of(
    answer: Answer, draw: Draw, job: Job, person: str, *, item: str, attempt: int, at: str
) -> Verdict:
    """A person's answer as a verdict; a skip is `refused` and has no outcome."""
    first, second = draw_codes(job.seed, item)
    codes = (first, second) if draw.order == "ab" else (second, first)
    choice = answer.choice
    return Verdict(
        presentation=presentation_for(draw, job, person),
        attempt=attempt,
        status=Status.REFUSED if choice is None else Status.OK,
        outcome=None if choice is None else to_outcome(choice, draw.order),
        margin=None,
        reason="",
        criteria=tuple(
            CriterionVerdict(
                criterion=name, side=Outcome(to_outcome(side, draw.order)), strength=None
            )
            for name, side in sorted(answer.criteria.items())
            if choice is not None
        ),
        flags=(),
        codes=codes,
        call="",
        at=at,
    )


class Blackout:
    """Names of agents and of who makes them, blacked out in what people are shown."""

    def __init__(self, names: Sequence[str]) -> None:
        known = sorted({n for n in names if len(n) >= SHORTEST}, key=lambda n: (-len(n), n))
        # A Latin name is met only as a word of its own: "qi" hides no part of "quiet".
        parts = [
            rf"(?<![0-9A-Za-z]){re.escape(n)}(?![0-9A-Za-z])" if n.isascii() else re.escape(n)
            for n in known
        ]
        self._names = re.compile("|".join(parts), re.IGNORECASE) if parts else None

    def __call__(self, text: str) -> str:
        """The text without the names."""
        return text if self._names is None else self._names.sub(HIDDEN, text)


def blackout(agents: Sequence[Agent]) -> Blackout:
    """Hides how these agents, their vendors, families and models are called."""
    names: list[str] = []
    for agent in agents:
        model = (agent.model or "").rsplit("/", 1)[-1]
        told = [words for words in (agent.display, agent.short) if words is not None]
        names += [agent.agent, agent.vendor, agent.family, model]
        names += [text for words in told for text in (words.zh, words.en)]
    return Blackout([n.strip() for n in names if n and n.strip() != "unknown"])


def _spoken(transcript: Transcript, hide: Blackout) -> tuple[tuple[str, str], ...]:
    said = [("agent", transcript.welcome)] if transcript.welcome else []
    for user, reply in transcript.rounds:
        said += [("user", user), ("agent", reply)]
    return tuple((who, hide(reveal(text))) for who, text in said)


def person_of(name: str) -> str:
    """A voter's name as judges are called, `human:NAME`."""
    return HUMAN + name.removeprefix(HUMAN)

"""Editions of any size with texts as long as real ones: for the weight of pages and for the bench.

Lengths are those of long Chinese dialogues about care: six rounds, replies of 300 characters and
reasons of 120. Everything follows from the numbers asked for, so that bytes can be compared.
"""

from dataclasses import replace
from itertools import combinations
from zlib import crc32

from arena.domain.agent import Agent
from arena.domain.call import Status
from arena.domain.score import Score
from arena.domain.standing import State
from arena.domain.suite import Rubric, Scenario
from arena.domain.verdict import CriterionVerdict, Outcome
from arena.site.facts import ComparisonFact, SheetFact, TranscriptFact, VerdictFact
from tests.site import boards
from tests.site.hostile import make_job, make_suite, words

CRITERIA = ("reads", "safety", "advice", "warmth", "honest", "plain")
SCORED = (*CRITERIA, *(f"more_{n}" for n in range(6)))
ROUNDS, JUDGES = 6, ("judge-a", "judge-b")
SAID = "您先别急，我听明白了：这几天夜里醒得多，白天没精神，心里也闷。先说说今天吃药的时间。"


def said(length, n=0):
    """Chinese text of a length; another for another number."""
    start = n % len(SAID)
    return f"{n}，" + (SAID[start:] + SAID * (length // len(SAID) + 1))[:length]


def crowd_job(agents, scenarios):
    """A job of so many agents and scenarios, with two judges."""
    suite = make_suite()
    names = {key: {"zh": f"标准{n}", "en": f"Criterion {n}"} for n, key in enumerate(SCORED)}
    rubric = Rubric.model_validate(
        {
            "rubric": "main",
            "name": "sheet",
            "scale": [0, 10],
            "criteria": [
                {"criterion": key, "name": name, "question": "q"} for key, name in names.items()
            ],
            "compare": list(CRITERIA),
        }
    )
    suite = replace(
        suite,
        name=words("Crowd"),
        about=words("About"),
        rubrics={"main": rubric},
        scenarios=tuple(
            Scenario(
                scenario=f"S-{n:03}",
                archetype="talk",
                domain=("alpha", "beta")[n % 2],
                title=words(f"情境 {n}"),
                persona={"user": said(60, n), "context": said(80, n)},
                turns=tuple(said(45, n + turn) for turn in range(ROUNDS)),
                notes={"natural": "JUDGE-ONLY-NOTE"},
            )
            for n in range(scenarios)
        ),
    )
    crowd = tuple(
        Agent(
            agent=f"agent-{n:02}",
            name={"zh": f"智能体 {n}", "en": f"Agent {n}"},
            vendor=f"vendor-{n}",
            family="qwen",
            kind="model",
            model=f"m/{n}",
        )
        for n in range(agents)
    )
    return make_job(suite=suite, agents=crowd)


def crowd(agents, scenarios, *, judges=1, one_in=1):
    """An edition of that size; `one_in`: of how many possible comparisons one is made."""
    job = crowd_job(agents, scenarios)
    names = [a.agent for a in job.agents]
    standings = [
        boards.standing(name, State.RANKED, rating=1200.0 - n, rank_low=1, rank_high=agents)
        for n, name in enumerate(names)
    ]
    pairs = [boards.pair(*two) for two in combinations(names, 2)]
    board = boards.make_board(standings, pairs, digest=job.suite.digest())
    scenes = job.suite.scenarios
    return replace(
        boards.edition_of(board, job),
        scenarios=scenes,
        transcripts={
            scene.scenario: tuple(_transcript(name, scene, n + k) for k, name in enumerate(names))
            for n, scene in enumerate(scenes)
        },
        comparisons={
            scene.scenario: tuple(
                _comparison(a, b, scene.scenario, judge, n + k)
                for k, (a, b) in enumerate(combinations(names, 2))
                if (n + k) % one_in == 0
                for judge in JUDGES[:judges]
            )
            for n, scene in enumerate(scenes)
        },
    )


def _transcript(agent, scene, n):
    scores = tuple(Score(criterion=key, value=float(n % 11), comment="") for key in SCORED)
    sheet = SheetFact(
        judge="judge-a",
        status=Status.OK,
        absolute=50.0,
        scores=scores,
        summary=said(120, n),
        strengths=(said(40, n), said(40, n + 1)),
        issues=(said(40, n + 2), said(40, n + 3)),
    )
    return TranscriptFact(
        agent=agent,
        scenario=scene.scenario,
        replicate=1,
        rounds=tuple((turn, said(300, n + k)) for k, turn in enumerate(scene.turns)),
        status=Status.OK,
        broken=0,
        error="",
        sheets=(sheet,),
        absolute=50.0,
        cost=None,
        latencies=(1500,) * ROUNDS,
    )


def _comparison(a, b, scenario, judge, n):
    verdicts = tuple(
        VerdictFact(
            order=order,
            status=Status.OK,
            outcome=(Outcome.A, Outcome.B, Outcome.TIE)[(n + k) % 3 if n % 4 == 0 else n % 3],
            margin=3,
            key=f"{n:08x}{k}{0:023}",
            codes=_codes(a, b, scenario, order),
            reason="{}比{}稳妥：".format(*_codes(a, b, scenario, order)) + said(110, n + k),
            criteria=tuple(
                CriterionVerdict(
                    criterion=key, side=(Outcome.A, Outcome.B)[(n + m) % 2], strength=3
                )
                for m, key in enumerate(CRITERIA)
            ),
        )
        for k, order in enumerate(("ab", "ba"))
    )
    points = [{Outcome.A: 1.0, Outcome.B: 0.0}.get(v.outcome, 0.5) for v in verdicts]
    return ComparisonFact(
        a=a,
        b=b,
        scenario=scenario,
        replicate=1,
        judge=judge,
        verdicts=verdicts,
        share=sum(points) / 2,
        flipped={v.outcome for v in verdicts} == {Outcome.A, Outcome.B},
        read=1,
        of=1,
    )


def _codes(*place):
    """Blind codes, other ones for every presentation."""
    number = crc32(" ".join(place).encode())
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    first, second = number % 24, (number + number // 24 % 23 + 1) % 24
    return f"{letters[first]}{number % 10_000:04}", f"{letters[second]}{number // 97 % 10_000:04}"

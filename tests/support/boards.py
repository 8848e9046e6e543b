"""Boards made of simulated comparisons, and what is asked of them."""

import itertools
import math

import numpy as np

from arena.domain.method import Method
from arena.domain.verdict import Comparison
from arena.stages.rank.board import BoardIdentity, make_board

IDENTITY = BoardIdentity(
    suite="tiny",
    suite_version="1.2",
    suite_digest="d1",
    mode="natural",
    panel=("j1", "j2"),
    software="0.1",
    at="2026-01-02T03:04:05Z",
)


def compare(a, b, scenario, share, *, judge="j1", replicate=1, flipped=False):
    return Comparison(
        scenario=f"s{scenario:02d}",
        agent_a=a,
        agent_b=b,
        judge=judge,
        replicate=replicate,
        share=share,
        flipped=flipped,
    )


def board(
    comparisons,
    agents,
    *,
    scenarios=20,
    planned=None,
    excluded=None,
    scores=(),
    facts=None,
    rows=None,
    judge_rows=None,
    **options,
):
    """A board; further options are those of its method."""
    return make_board(
        comparisons,
        agents=list(agents),
        scenarios=[f"s{i:02d}" for i in range(scenarios)],
        planned=planned,
        excluded=excluded or {},
        scores=scores,
        identity=IDENTITY,
        method=Method(**{"resamples": 200, **options}),
        facts=facts,
        rows=rows,
        judge_rows=judge_rows,
    )


def play(agents, scenarios, *, seed=0, spread=1.0):
    """All pairs in every scenario; agents earlier in the list are stronger."""
    rng = np.random.default_rng(seed)
    ability = np.linspace(spread, -spread, len(agents))
    found = []
    for s in range(scenarios):
        today = ability + rng.normal(0, 0.4, len(agents))
        for i, j in itertools.combinations(range(len(agents)), 2):
            first, second = rng.random(2) < 1 / (1 + math.exp(today[j] - today[i]))
            share = (int(first) + int(second)) / 2
            found.append(compare(agents[i], agents[j], s, share, flipped=bool(first != second)))
    return found


def standing(made, agent):
    return next(s for s in made.agents if s.agent == agent)


def pair(made, a, b):
    return next(p for p in made.pairs if (p.a, p.b) == (a, b))


def states(made):
    return {s.agent: str(s.state) for s in made.agents}


AGENTS = tuple("abcde")

"""Invented outcomes as files, and what a board made of them says of somebody."""

import csv
import io
import json
import math
from itertools import combinations

import numpy as np
from typer.testing import CliRunner

import arena
from arena.cli.main import app

POINTS = 400 / math.log(10)
"""Points of rating to a unit of log-odds."""
PLAIN = ("agent_a", "agent_b", "outcome")
IN_SCENARIOS = ("scenario", *PLAIN)
JUDGED = (*IN_SCENARIOS, "order", "judge")
SETTLED = {
    **{"ARENA_LANG": "en", "NO_COLOR": "1"},
    **dict.fromkeys(("ARENA_DEBUG", "LC_ALL", "LC_MESSAGES", "LANG", "FORCE_COLOR")),
}
"""What decides how a command speaks; None: not set."""


def arena_rank(*words, **more):
    """`arena rank …` in this process: exit code, stdout, stderr."""
    done = CliRunner().invoke(app, ["rank", *map(str, words)], env=SETTLED, **more)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def csv_text(columns, rows, delimiter=","):
    """The rows as CSV with a header."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows([columns, *rows])
    return text.getvalue()


def json_lines(columns, rows):
    """The rows as JSON lines; an empty value is left out."""
    objects = [{c: v for c, v in zip(columns, row, strict=True) if v != ""} for row in rows]
    return "".join(json.dumps(found, ensure_ascii=False) + "\n" for found in objects)


def write(folder, columns, rows, name="outcomes.csv"):
    """A CSV file in the folder."""
    path = folder / name
    path.write_text(csv_text(columns, rows), encoding="utf-8")
    return path


def board_of(folder, columns, rows, **options):
    """The board of the rows, written to a file and read from it."""
    return arena.rank(write(folder, columns, rows), **options)


def even(agents, scenarios, seed=0, first=0):
    """Every pair once in every scenario, each won by either side with the same chance."""
    rng = np.random.default_rng(seed)
    return [
        (f"s{s}", a, b, a if rng.random() < 0.5 else b)
        for s in range(first, first + scenarios)
        for a, b in combinations(agents, 2)
    ]


def beaten(winner, losers, scenarios):
    """The winner beats each of the losers once in every scenario."""
    return [(f"s{s}", winner, loser, winner) for s in range(scenarios) for loser in losers]


def names_of(strengths):
    """m0, m1, …: agents by index."""
    return [f"m{i}" for i in range(len(strengths))]


def judged(strengths, scenarios, rng, *, bias=0.0, nu=0.0, judge="j", noise=0.0, orders=2):
    """Rows of JUDGED: every pair in every scenario, shown in both orders or in one by chance.

    `bias`: log-odds for whoever is shown first; `nu`: Davidson's; `noise`: SD of the effect of a
    scenario on an agent.
    """
    names = names_of(strengths)
    rows = []
    for s in range(scenarios):
        here = np.asarray(strengths) + rng.normal(0, noise, len(strengths))
        for i, j in combinations(range(len(strengths)), 2):
            shown = ("ab", "ba") if orders == 2 else (rng.choice(["ab", "ba"]),)
            for order in shown:
                gap = here[i] - here[j] + (bias if order == "ab" else -bias)
                rows.append((f"s{s}", names[i], names[j], drawn(gap, nu, rng), order, judge))
    return rows


def drawn(gap, nu, rng):
    """a, b or tie by Davidson's model, a ahead by `gap` in log-odds."""
    parts = np.array([math.exp(gap / 2), nu, math.exp(-gap / 2)])
    return ("a", "tie", "b")[int(rng.choice(3, p=parts / parts.sum()))]


def centred(strengths):
    """Ratings of those strengths by name."""
    theta = np.asarray(strengths) - np.mean(strengths)
    return dict(zip(names_of(strengths), 1000 + POINTS * theta, strict=True))


def ratings(board):
    """Rating by agent."""
    return {s.agent: s.rating for s in board.agents}


def standing(board, name):
    """What the board says of the agent."""
    return next(s for s in board.agents if s.agent == name)


def states(board):
    """State by agent, as text."""
    return {s.agent: s.state.value for s in board.agents}


def pair(board, a, b):
    """What the board says of the two."""
    return next(p for p in board.pairs if {p.a, p.b} == {a, b})


def notes(board):
    """Keys of the board's notes."""
    return {note.key for note in board.notes}

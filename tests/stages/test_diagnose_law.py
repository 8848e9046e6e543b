"""The law of a diagnosis: every planted fault is found within its interval, and nothing else."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest

from arena.stages.diagnose.figures import Options
from arena.stages.diagnose.report import make_diagnosis
from tests.support.judging import Faults, World, draw
from tests.support.sizes import boards

pytestmark = pytest.mark.slow

OPTIONS = Options(level=0.95, resamples=20, seed=1)
FAULTY = {"position": 0.8, "length": 0.8, "family": 1.2}
EFFECT = {"position": "position_effect", "length": "length_effect", "family": "family_effect"}
FOUND_BY = {"position": "first_shown", "length": "length_effect", "family": "family_effect"}


@dataclass
class Seen:
    """Over many seeds: judges, judges falsely accused, and of planted faults found and covered."""

    draws: int = 0
    accused: int = 0
    judges: int = 0
    found: Counter = field(default_factory=Counter)
    covered: Counter = field(default_factory=Counter)


def look(world, planted, draws):
    """`planted`: (judge, fault) → size. Everything else that is notable is an accusation."""
    seen = Seen(draws=draws)
    guilty = {(f"judge-{j}", FOUND_BY[fault]) for j, fault in planted}
    for seed in range(draws):
        evidence = draw(world, np.random.default_rng(seed))
        found = make_diagnosis(evidence, OPTIONS, software="arena")
        for judge in found.judges:
            notable = {(judge.judge, f.figure) for f in judge.notable()}
            seen.judges += 1
            seen.accused += bool(notable - guilty)
            seen.found.update(notable & guilty)
            for figure in judge.figures:
                for fault, name in EFFECT.items():
                    if figure.figure == name and figure.value is not None:
                        size = planted.get((int(judge.judge[-1]), fault), 0.0)
                        seen.covered[judge.judge, name, "told"] += 1
                        seen.covered[judge.judge, name] += figure.low <= size <= figure.high
    return seen


def panel(**faults):
    """A judge with faults beside two fair ones, one sharper and one blunter."""
    return (
        Faults(own=(0, 1), **faults),
        Faults(sharpness=8, own=(2,)),
        Faults(sharpness=2),
    )


@pytest.mark.parametrize(
    "world",
    [
        World(judges=panel()),
        World(judges=panel(), scored=False),
        World(judges=panel()[:2], agents=4, scenarios=12),
    ],
    ids=["panel", "without scores", "small"],
)
def test_fair_judges_are_accused_of_nothing(world):
    draws = boards(40, 600)
    seen = look(world, {}, draws)
    # At most 5 %, with the room that so few draws need.
    assert seen.accused / seen.judges <= boards(0.09, 0.06)


@pytest.mark.parametrize("fault", FAULTY)
def test_each_fault_is_found_within_its_interval_and_no_other(fault):
    draws = boards(25, 400)
    world = World(judges=panel(**{fault: FAULTY[fault]}))
    seen = look(world, {(0, fault): FAULTY[fault]}, draws)
    assert seen.found["judge-0", FOUND_BY[fault]] / draws >= 0.9
    assert seen.covered["judge-0", EFFECT[fault]] / draws >= boards(0.84, 0.92)
    assert seen.accused / seen.judges <= boards(0.107, 0.06)


def test_all_faults_at_once_are_told_apart():
    draws = boards(20, 300)
    planted = {(0, fault): size for fault, size in FAULTY.items()}
    seen = look(World(judges=panel(**FAULTY)), planted, draws)
    for fault in FAULTY:
        assert seen.found["judge-0", FOUND_BY[fault]] / draws >= 0.85
        assert seen.covered["judge-0", EFFECT[fault]] / draws >= boards(0.8, 0.92)
    assert seen.accused / seen.judges <= boards(0.117, 0.06)


def test_a_lenient_judge_makes_the_others_harsh_and_by_how_much():
    world = World(judges=(Faults(severity=8.0), Faults(), Faults()))
    for seed in range(5):
        evidence = draw(world, np.random.default_rng(seed))
        judges = make_diagnosis(evidence, OPTIONS, software="arena").judges
        (lenient, harsh, _) = ({f.figure: f for f in j.figures}["severity"] for j in judges)
        assert lenient.reading == "above"
        assert lenient.low <= 8.0 <= lenient.high
        assert harsh.reading == "below"
        assert harsh.value == pytest.approx(-4.0, abs=2.0)

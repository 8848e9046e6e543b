"""Verdicts and scores of judges whose faults are known, as a diagnosis's evidence."""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from arena.stages.diagnose.evidence import Evidence, Marks, Verdicts


@dataclass(frozen=True, kw_only=True)
class Faults:
    """What a judge adds to the log-odds of the side that is shown first, is longer, is its own."""

    sharpness: float = 4.0
    position: float = 0.0
    length: float = 0.0
    family: float = 0.0
    severity: float = 0.0
    own: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class World:
    """Agents of different quality over scenarios, and how far one scenario strays."""

    agents: int = 5
    scenarios: int = 30
    spread: float = 0.15
    noise: float = 0.2
    scored: bool = True
    judges: tuple[Faults, ...] = field(default=(Faults(), Faults()))


def draw(world: World, rng: np.random.Generator) -> Evidence:
    """All pairs, both orders, every judge; lengths have nothing to do with quality."""
    k, s = world.agents, world.scenarios
    quality = np.linspace(-world.spread, world.spread, k)[rng.permutation(k)]
    quality = quality + world.noise * rng.standard_normal((s, k))
    length = 0.5 * rng.standard_normal((s, k)) + 0.3 * rng.standard_normal(k)
    columns: dict[str, list[np.ndarray]] = {}
    pairs = list(combinations(range(k), 2))
    for j, judge in enumerate(world.judges):
        for n, (a, b) in enumerate(pairs):
            lead = judge.sharpness * (quality[:, a] - quality[:, b])
            lead = lead + judge.length * (length[:, a] - length[:, b])
            kin = int(a in judge.own) - int(b in judge.own)
            for sign in (1, -1):
                chance = 1 / (1 + np.exp(-(lead + sign * judge.position + judge.family * kin)))
                place = np.arange(s)
                row = {
                    "judge": j,
                    "first": a,
                    "second": b,
                    "scenario": place,
                    "unit": place * len(pairs) + n,
                    "repeat": 1,
                    "share": (rng.random(s) < chance).astype(np.float64),
                    "shown": sign,
                    "length": length[:, a] - length[:, b],
                    "of_first": place * k + a,
                    "of_second": place * k + b,
                    "kin": kin,
                }
                for name, value in row.items():
                    columns.setdefault(name, []).append(np.broadcast_to(value, s))
    found = {name: np.concatenate(parts) for name, parts in columns.items()}
    return Evidence(
        agents=tuple(f"agent-{i}" for i in range(k)),
        decoys=(),
        judges=tuple(f"judge-{j}" for j in range(len(world.judges))),
        criteria=(),
        scenarios=s,
        verdicts=Verdicts(**found),
        marks=_marks(world, quality, rng),
        tries={},
        counted={},
    )


def _marks(world: World, quality: np.ndarray, rng: np.random.Generator) -> Marks:
    s, k = quality.shape
    transcript = np.tile(np.arange(s * k), len(world.judges) if world.scored else 0)
    judge = np.repeat(np.arange(len(world.judges)), s * k) if world.scored else transcript
    severity = np.array([f.severity for f in world.judges])
    value = 50 + 100 * quality.ravel()[transcript] + 5 * rng.standard_normal(len(transcript))
    return Marks(
        judge=judge,
        scenario=transcript // k,
        unit=transcript,
        transcript=transcript,
        criterion=np.full(len(transcript), -1),
        value=value + severity[judge],
    )

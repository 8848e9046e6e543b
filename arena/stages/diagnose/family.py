"""Whether a judge favours agents of its own vendor or family, against what the others say."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arena.domain.diagnosis import Figure, is_person
from arena.errors import ArenaError
from arena.maths.arrays import Bools, Floats, Ints
from arena.maths.joint.rows import OutcomeRows
from arena.maths.leaning import fit_leaning
from arena.maths.row_means import row_mean
from arena.stages.diagnose.covariates import Covariates, component
from arena.stages.diagnose.effects import effect_mean
from arena.stages.diagnose.evidence import Comparisons, Evidence
from arena.stages.diagnose.figures import Options, of_mean, unknown

OWN, EFFECT = "own_family", "family_effect"


def family_figures(
    evidence: Evidence,
    folded: Comparisons,
    judge: int,
    found: Covariates,
    options: Options,
) -> Iterator[Figure]:
    """What own-family agents earn above what the other judges give them, and as an effect.

    The plain difference has no rule: a judge that tells agents apart more sharply gives more to
    every strong one, its own or not. The effect allows for that.
    """
    own = folded.of(judge) & (folded.kin != 0)
    others = np.zeros(len(folded.judge), dtype=np.bool_)
    for j, name in enumerate(evidence.judges):
        if j != judge and not is_person(name):
            others |= folded.of(j)
    if not own.any() or not others.any():
        reason = "single_judge" if own.any() else _why_none(evidence, judge)
        yield unknown(OWN, reason, options, unit="difference")
        yield unknown(EFFECT, reason, options, unit="log_odds")
        return
    yield _above(folded, own, others, options)
    yield _effect(evidence, folded, others, found, options)


def _why_none(evidence: Evidence, judge: int) -> str:
    if not evidence.vendors_known:
        return "no_vendors"
    if not (evidence.verdicts.judge == judge).any():
        return "no_rows"
    if evidence.judges[judge] in evidence.guarded:
        return "guarded"
    return "all_kin" if evidence.judges[judge] in evidence.kin_alone else "no_kin"


def _above(folded: Comparisons, own: Bools, others: Bools, options: Options) -> Figure:
    size = int(folded.unit.max(initial=-1)) + 1
    there = others & (folded.unit >= 0)
    counts = np.bincount(folded.unit[there], minlength=size)
    mean = np.bincount(folded.unit[there], folded.share[there], size) / np.maximum(counts, 1)
    shared = own & (folded.unit >= 0)
    shared[shared] = counts[folded.unit[shared]] > 0
    above = (folded.share[shared] - mean[folded.unit[shared]]) * folded.kin[shared]
    scenario = None if folded.scenario is None else folded.scenario[shared]
    return of_mean(
        OWN,
        row_mean(above, scenario, share=False, level=options.level),
        options,
        unit="difference",
        why="not_shared",
        independent=scenario is None,
    )


def _effect(
    evidence: Evidence,
    folded: Comparisons,
    others: Bools,
    found: Covariates,
    options: Options,
) -> Figure:
    verdicts, k = evidence.verdicts, len(evidence.agents)
    n = int((verdicts.kin[found.rows] != 0).sum())
    if folded.scenario is None or verdicts.scenario is None:
        return unknown(EFFECT, "no_scenarios", options, unit="log_odds", n=n)
    members = component(folded.first[others], folded.second[others], folded.share[others], k)
    if members is None:
        return unknown(EFFECT, "not_connected", options, unit="log_odds", n=n)
    inside = np.zeros(k, dtype=np.bool_)
    inside[members] = True
    theirs = others & inside[folded.first] & inside[folded.second]
    found = found.only(inside[verdicts.first[found.rows]] & inside[verdicts.second[found.rows]])
    rows, kin = found.rows, verdicts.kin[found.rows]
    seen = np.unique(np.concatenate([folded.scenario[theirs], verdicts.scenario[rows]]))
    entering = _Entering(place=np.cumsum(inside) - 1, agents=len(members), seen=seen)
    try:
        lean = fit_leaning(
            entering(
                folded.first[theirs],
                folded.second[theirs],
                folded.scenario[theirs],
                folded.share[theirs],
                np.zeros((int(theirs.sum()), 0)),
            ),
            entering(
                verdicts.first[rows],
                verdicts.second[rows],
                verdicts.scenario[rows],
                verdicts.share[rows],
                np.column_stack([kin.astype(np.float64), found.x]),
            ),
            level=options.level,
        )
    except ArenaError:
        return unknown(EFFECT, "not_told", options, unit="log_odds", n=n)
    clusters = len(np.unique(verdicts.scenario[rows][kin != 0]))
    return of_mean(
        EFFECT,
        effect_mean(lean.effect, lean.margin, lean.p, int((kin != 0).sum()), clusters),
        options,
        unit="log_odds",
        neutral=0.0,
        facts={"given": found.given} if found.given else {},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entering:
    """Verdicts as rows of a fit, agents and scenarios renumbered to those that are in it."""

    place: Ints
    agents: int
    seen: Ints

    def __call__(
        self, first: Ints, second: Ints, scenario: Ints, share: Floats, x: Floats
    ) -> OutcomeRows:
        return OutcomeRows(
            first=self.place[first],
            second=self.place[second],
            scenario=np.searchsorted(self.seen, scenario),
            win=share,
            tie=np.zeros(len(share)),
            loss=1 - share,
            x=x,
            agents=self.agents,
            scenarios=len(self.seen),
        )

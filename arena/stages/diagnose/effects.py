"""What position and length do to a judge's log-odds, the agents' strengths being given."""

from collections.abc import Iterator

import numpy as np

from arena.domain.diagnosis import Figure
from arena.errors import ArenaError
from arena.maths.arrays import Ints
from arena.maths.effects import fit_effects
from arena.maths.row_means import FEWEST_CLUSTERS, RowMean
from arena.maths.tally import Rows
from arena.stages.diagnose.covariates import LENGTH, POSITION, Covariates, component
from arena.stages.diagnose.evidence import Evidence
from arena.stages.diagnose.figures import Options, of_mean, unknown
from arena.stages.diagnose.shares import is_balanced


def effect_figures(
    evidence: Evidence, judge: int, found: Covariates, options: Options
) -> Iterator[Figure]:
    """Effects of position and of length on one judge, in log-odds.

    Position has a rule here only where the orders are not balanced; else its share has.
    """
    verdicts, k = evidence.verdicts, len(evidence.agents)
    own = (verdicts.judge == judge) & (verdicts.repeat == 1)
    ruled = {POSITION: not is_balanced(verdicts, own, k), LENGTH: True}
    means: dict[str, RowMean] = {}
    why = dict(found.lacking)
    rows = found.rows
    members = component(verdicts.first[rows], verdicts.second[rows], verdicts.share[rows], k)
    if members is None:
        why = {name: why.get(name, "not_connected") for name in ruled}
    else:
        means, more = _fit(evidence, found, members, options)
        why |= more
    for name, rule in ruled.items():
        facts = {"given": found.given} if found.given else {}
        neutral = 0.0 if rule else None
        if name in means:
            yield of_mean(
                f"{name}_effect",
                means[name],
                options,
                unit="log_odds",
                neutral=neutral,
                independent=verdicts.scenario is None,
                facts=facts,
            )
        else:
            n, reason = len(found.rows), why.get(name, "not_told")
            yield unknown(f"{name}_effect", reason, options, unit="log_odds", n=n)


def _fit(
    evidence: Evidence, found: Covariates, members: Ints, options: Options
) -> tuple[dict[str, RowMean], dict[str, str]]:
    """Effects by name, and the reason for those that have no estimate."""
    verdicts, k = evidence.verdicts, len(evidence.agents)
    inside = np.zeros(k, dtype=np.bool_)
    inside[members] = True
    found = found.only(inside[verdicts.first[found.rows]] & inside[verdicts.second[found.rows]])
    while found.names:
        kept = np.zeros(len(verdicts), dtype=np.bool_)
        kept[found.rows] = True
        rows = _rows(evidence).only(kept, np.cumsum(inside) - 1, len(members))
        try:
            fitted = fit_effects(rows, found.x, level=options.level)
        except ArenaError as error:
            index = error.facts.get("index")
            if index is None:
                return {}, dict.fromkeys(found.names, "not_told") | found.lacking
            found = found.without(int(index), "not_told")
            continue
        clusters = rows.scenarios if rows.scenario is not None else len(found.rows)
        return {
            name: effect_mean(
                fitted.effects[i],
                fitted.margins[i],
                fitted.p[i],
                len(found.rows),
                clusters,
            )
            for i, name in enumerate(found.names)
        }, found.lacking
    return {}, found.lacking


def _rows(evidence: Evidence) -> Rows:
    verdicts = evidence.verdicts
    return Rows(
        first=verdicts.first,
        second=verdicts.second,
        scenario=verdicts.scenario,
        share=verdicts.share,
        agents=len(evidence.agents),
        scenarios=evidence.scenarios,
        tie=(verdicts.share == 0.5).astype(np.float64),
    )


def effect_mean(effect: float, margin: float, p: float, rows: int, clusters: int) -> RowMean:
    """An effect in the shape of a mean; with few clusters it has no interval."""
    if clusters < FEWEST_CLUSTERS:
        margin = p = float("nan")
    return RowMean(
        value=float(effect),
        low=float(effect - margin),
        high=float(effect + margin),
        p=float(p),
        rows=rows,
        clusters=clusters,
    )

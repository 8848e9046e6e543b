"""Whether a judge is fooled by a decoy, an agent that answers nothing."""

from collections.abc import Iterator

import numpy as np

from arena.domain.diagnosis import Figure
from arena.maths.arrays import Bools, Floats
from arena.maths.row_means import row_mean
from arena.stages.diagnose.evidence import Comparisons, Evidence
from arena.stages.diagnose.figures import Options, of_mean

HALF = 0.5


def decoy_figures(
    evidence: Evidence, folded: Comparisons, judge: int, options: Options
) -> Iterator[Figure]:
    """Share of the points that each decoy earns from real agents; nothing where there is none.

    `facts`: its `rank` among the `agents` that this judge compared, by share of all points.
    """
    own = folded.of(judge)
    decoys = {i for i, name in enumerate(evidence.agents) if name in evidence.decoys}
    shares = _shares(folded, own, len(evidence.agents))
    for decoy in sorted(decoys):
        others = list(decoys - {decoy})
        ahead = own & (folded.first == decoy) & ~np.isin(folded.second, others)
        behind = own & (folded.second == decoy) & ~np.isin(folded.first, others)
        rows = ahead | behind
        earned = np.where(ahead, folded.share, 1 - folded.share)[rows]
        facts = {}
        if rows.any():
            rank = 1 + int((shares > shares[decoy]).sum())
            facts = {"rank": rank, "agents": int((~np.isnan(shares)).sum())}
        scenario = None if folded.scenario is None else folded.scenario[rows]
        yield of_mean(
            "decoy",
            row_mean(earned, scenario, neutral=HALF, level=options.level),
            options,
            of=evidence.agents[decoy],
            neutral=HALF,
            independent=scenario is None,
            facts=facts,
        )


def _shares(folded: Comparisons, own: Bools, agents: int) -> Floats:
    """Mean share of each agent, shape (K,); NaN for whom the judge never compared."""
    first, second, share = folded.first[own], folded.second[own], folded.share[own]
    met = np.bincount(first, minlength=agents) + np.bincount(second, minlength=agents)
    won = np.bincount(first, share, agents) + np.bincount(second, 1 - share, agents)
    return np.where(met > 0, won / np.maximum(met, 1), np.nan)

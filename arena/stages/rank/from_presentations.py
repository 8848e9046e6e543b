"""A file's verdicts before they are folded, with what may have swayed them, for controls."""

from collections.abc import Sequence

import numpy as np

from arena.maths.arrays import Floats
from arena.maths.tally import Rows
from arena.stages.rank.controls import LENGTH, VENDOR
from arena.stages.rank.from_outcomes import cluster_codes
from arena.stages.rank.material import JUDGE, Presented
from arena.store.outcomes.presentations import Presentations


def from_presentations(
    found: Presentations, *, agents: tuple[str, ...], cluster: Sequence[str]
) -> Presented:
    """Verdicts of a board's `agents`; `cluster`: the column that hangs together, or none."""
    place = {name: i for i, name in enumerate(agents)}
    at = np.array([place.get(name, -1) for name in found.agents], dtype=np.int64)
    kept = (at[found.first] >= 0) & (at[found.second] >= 0)
    scenario, count = None, int(kept.sum())
    if cluster:
        codes, count = cluster_codes(found.codes[cluster[0]])
        scenario = codes[kept]
    judges = found.codes.get(JUDGE)
    return Presented(
        rows=Rows(
            first=at[found.first[kept]],
            second=at[found.second[kept]],
            scenario=scenario,
            share=found.share[kept],
            agents=len(agents),
            scenarios=count,
            weight=None if found.weight is None else found.weight[kept],
            tie=found.tie[kept],
        ),
        sign=found.shown[kept].astype(np.int64),
        judge=np.zeros(int(kept.sum()), dtype=np.int64) if judges is None else judges.codes[kept],
        judges=("",) if judges is None else judges.names,
        controls={name: values[kept] for name, values in _controls(found).items()},
    )


def _controls(found: Presentations) -> dict[str, Floats]:
    """What favours `first`: log ratio of lengths, differences of all else, vendors of a kind."""
    controls = {}
    for name, (of_first, of_second) in found.pairs.items():
        if name == LENGTH:
            logs = [np.log(np.where(side > 0, side, np.nan)) for side in (of_first, of_second)]
            controls[name] = logs[0] - logs[1]
        else:
            controls[name] = of_first - of_second
    judge, first, second = found.vendor_judge, found.vendor_first, found.vendor_second
    if judge is not None and first is not None and second is not None:
        known = (judge >= 0) & (first >= 0) & (second >= 0)
        kin = (judge == first).astype(np.float64) - (judge == second)
        controls[VENDOR] = np.where(known, kin, np.nan)
    return controls

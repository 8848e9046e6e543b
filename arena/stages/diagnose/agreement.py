"""How far judges say the same of the same: of who won, and of scores."""

from collections.abc import Iterator

import numpy as np

from arena.domain.diagnosis import AGREEMENT, EVERYBODY, Figure, is_person
from arena.maths import agreement
from arena.maths.agreement import Agreement
from arena.maths.arrays import Bools, Floats, Ints
from arena.stages.diagnose.evidence import Comparisons, Evidence
from arena.stages.diagnose.figures import Options, known, unknown

NO_SCENARIO = "no_scenarios"
ABSOLUTE = ""


def agreement_figures(
    evidence: Evidence, folded: Comparisons, judge: int, options: Options
) -> Iterator[Figure]:
    """Agreement of one judge with every other, and with all people together where there are two.

    Raw, κ and α of who won a comparison (a, tie, b); a comparison whose orders disagree is ½ each.
    """
    names = evidence.judges
    others = {name: folded.of(j) for j, name in enumerate(names) if j != judge}
    people = [mask for name, mask in others.items() if is_person(name)]
    if len(people) > 1 and not is_person(names[judge]):
        others[EVERYBODY] = np.logical_or.reduce(people)
    others = {name: mask for name, mask in others.items() if mask.any()}
    mine = folded.of(judge)
    if not others or not mine.any():
        why = "single_judge" if mine.any() else "no_rows"
        yield from (unknown(m, why, options, unit="coefficient") for m in AGREEMENT)
        return
    own = codes(folded, mine)
    for name, mask in others.items():
        if folded.scenario is None:
            yield from (
                unknown(m, NO_SCENARIO, options, of=name, unit="coefficient") for m in AGREEMENT
            )
        else:
            theirs = codes(folded, mask)
            asked = is_person(name) or is_person(names[judge])
            picked = picked_among(evidence, own, theirs) if asked else 0
            yield from agree(AGREEMENT, name, own, theirs, places(folded), options, picked=picked)


def panel_figures(evidence: Evidence, folded: Comparisons, options: Options) -> Iterator[Figure]:
    """Krippendorff's α over all judges that are no people: of who won, and of scores by criterion.

    Scores are on an interval scale; a unit is a transcript, or the round of one.
    """
    judges = [j for j, name in enumerate(evidence.judges) if not is_person(name)]
    masks = [folded.of(j) for j in judges]
    masks = [mask for mask in masks if mask.any()]
    if len(masks) < 2 or folded.scenario is None:
        why = "single_judge" if len(masks) < 2 else NO_SCENARIO
        yield unknown("panel_alpha", why, options, unit="coefficient")
    else:
        said = np.stack([codes(folded, mask) for mask in masks])
        found = agreement.krippendorff_alpha(
            said, places(folded), scale="nominal", seed=options.seed, resamples=options.resamples
        )
        yield figure_of("panel_alpha", "", found, options)
    yield from _of_scores(evidence, judges, options)


def _of_scores(evidence: Evidence, judges: list[int], options: Options) -> Iterator[Figure]:
    marks = evidence.marks
    for code in np.unique(marks.criterion):
        name = ABSOLUTE if code < 0 else evidence.criteria[code]
        here = (marks.criterion == code) & np.isin(marks.judge, judges)
        who, which = np.unique(marks.judge[here], return_inverse=True)
        if len(who) < 2:
            yield unknown("score_alpha", "single_judge", options, of=name, unit="coefficient")
            continue
        _, begin, unit = np.unique(marks.unit[here], return_index=True, return_inverse=True)
        table = np.full((len(who), len(begin)), np.nan)
        table[which, unit] = marks.value[here]
        found = agreement.krippendorff_alpha(
            table,
            marks.scenario[here][begin],
            scale="interval",
            seed=options.seed,
            resamples=options.resamples,
        )
        yield figure_of("score_alpha", name, found, options)


def codes(folded: Comparisons, mask: Bools) -> Floats:
    """Who won by unit: 1, 0 (tie) or −1, NaN where nothing is known; shape (units,)."""
    mask = mask & (folded.unit >= 0)
    size = int(folded.unit.max(initial=-1)) + 1
    counts = np.bincount(folded.unit[mask], minlength=size)
    sums = np.bincount(folded.unit[mask], folded.share[mask] - 0.5, size)
    return np.where(counts > 0, np.sign(sums), np.nan)


def places(folded: Comparisons) -> Ints:
    """Scenario of each unit, shape (units,)."""
    size = int(folded.unit.max(initial=-1)) + 1
    found = np.zeros(size, dtype=np.int64)
    there = folded.unit >= 0
    if folded.scenario is not None:
        found[folded.unit[there]] = folded.scenario[there]
    return found


def agree(
    measures: tuple[str, str, str],
    of: str,
    own: Floats,
    other: Floats,
    scenario: Ints,
    options: Options,
    *,
    picked: int = 0,
) -> Iterator[Figure]:
    """Raw agreement, κ and α of two coders, as figures of these names.

    `picked`: of the shared units, those that people were asked about because judges differ.
    """
    how = {"seed": options.seed, "resamples": options.resamples}
    both = np.stack([own, other])
    found = (
        agreement.raw_agreement(own, other, scenario, **how),
        agreement.cohen_kappa(own, other, scenario, **how),
        agreement.krippendorff_alpha(both, scenario, scale="nominal", **how),
    )
    for measure, one in zip(measures, found, strict=True):
        yield figure_of(measure, of, one, options, picked=picked)


def picked_among(evidence: Evidence, own: Floats, other: Floats) -> int:
    """How many of the units that two coders share were picked because judges differ on them."""
    shared = np.flatnonzero(~(np.isnan(own) | np.isnan(other)))
    return sum(unit in evidence.picked for unit in shared.tolist())


def figure_of(
    figure: str, of: str, found: Agreement, options: Options, *, picked: int = 0
) -> Figure:
    """An agreement as a figure; where it has no value or no interval, with the reason."""
    why = None
    if not found.units:
        why = "not_shared"
    elif np.isnan(found.value):
        why = "one_code"
    elif found.low is None:
        few = found.scenarios < agreement.FEWEST_SCENARIOS
        why = "few_scenarios" if few else "unvaried"
    return Figure(
        figure=figure,
        of=of,
        unit="share" if figure.endswith("_raw") else "coefficient",
        value=known(found.value),
        low=found.low,
        high=found.high,
        # Agreement is always told at 95 %, for its bootstrap knows no other level.
        level=0.95,
        n=found.units,
        scenarios=found.scenarios,
        why=why,
        facts={"picked": picked} if picked else {},
    )

"""Which comparisons people are asked about: a random part with known chances, and disputed ones.

The random part is a systematic sample: comparisons are laid out by strata, at random within each,
and every (M/n)-th is taken from a random start. Each of M has the chance n/M exactly, and every
stratum gets its share of n to within one. Reference: C.-E. Särndal, B. Swensson and J. Wretman,
Model Assisted Survey Sampling (1992), §3.4.
"""

from dataclasses import dataclass

import numpy as np

from arena.maths.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Comparisons that were drawn, in a random order; shape (n,) each.

    `chosen`: indices in 0 … M−1, none twice. `random`: whether it is of the random part.
    `probability`: the chance with which it came into the random part, NaN for what was picked.
    `first_ab`: a fair coin each.
    """

    chosen: Ints
    random: Bools
    probability: Floats
    first_ab: Bools


def draw_sample(
    pair: Ints, domain: Ints, dispute: Floats, *, size: int, share: float, seed: int
) -> Sample:
    """Draw `size` of M comparisons (all of them where there are no more), `share` at random.

    `pair`, `domain`: stratum of each, shape (M,). `dispute`: how far judges differ, NaN where none
    answered. What is picked beside the random part is what judges differ on most, over pairs in
    turn; what nobody disputes is never picked, so that there may be less than `size`. At least
    one is drawn at random where `size` and M are at least 1.
    """
    rng = np.random.default_rng(seed)
    total = len(pair)
    size = min(size, total)
    wanted = min(size, max(1, round(share * size))) if size else 0
    level = np.nan_to_num(dispute, nan=-1.0)
    drawn = _systematic(np.lexsort((rng.random(total), level, domain, pair)), wanted, rng)
    left = np.setdiff1d(np.flatnonzero(level > 0), drawn)
    picked = _disputed(left, pair, level, size - wanted, rng)
    chosen = np.concatenate((drawn, picked)).astype(np.int64)
    random = np.arange(len(chosen)) < len(drawn)
    mixed = rng.permutation(len(chosen))
    probability = np.where(random, wanted / total if total else np.nan, np.nan)
    return Sample(
        chosen=chosen[mixed],
        random=random[mixed],
        probability=probability[mixed],
        first_ab=rng.random(len(chosen)) < 0.5,
    )


def _systematic(laid_out: Ints, wanted: int, rng: np.random.Generator) -> Ints:
    """Every (M/n)-th from a random start; each element has the chance n/M."""
    if wanted == 0:
        return laid_out[:0]
    step = len(laid_out) / wanted
    at = np.floor(rng.random() * step + step * np.arange(wanted)).astype(np.int64)
    # Rounding may carry the last one a hair past the end.
    taken: Ints = laid_out[np.minimum(at, len(laid_out) - 1)]
    return taken


def _disputed(left: Ints, pair: Ints, level: Floats, wanted: int, rng: np.random.Generator) -> Ints:
    """The most disputed, one a pair in turn, ties at random."""
    if wanted <= 0 or not len(left):
        return left[:0]
    ordered = left[np.lexsort((rng.random(len(left)), -level[left]))]
    turn = np.empty(len(ordered), dtype=np.int64)
    for one in np.unique(pair[ordered]):
        own = pair[ordered] == one
        turn[own] = np.arange(own.sum())
    return ordered[np.lexsort((np.arange(len(ordered)), -level[ordered], turn))][:wanted]

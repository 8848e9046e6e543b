"""choix, a library of others, asked for the same strengths: the independent second opinion."""

import numpy as np

from arena.maths.arrays import Floats
from arena.maths.threads import one_thread


def choix_strengths(wins: Floats) -> Floats | None:
    """Strengths that choix finds, centred, shape (K,), from points earned, shape (K, K).

    Its spectral method needs one strongly connected component; None where it gives up. L. Maystre
    and M. Grossglauser, Fast and accurate inference of Plackett–Luce models, NIPS 28 (2015).
    """
    # choix takes a second to import, for a check that few ask for.
    import choix

    with one_thread():
        try:
            found = np.asarray(choix.ilsr_pairwise_dense(wins, alpha=0.0, tol=1e-10, max_iter=1000))
        except (ValueError, RuntimeError):
            return None
    return np.asarray(found - found.mean())

"""Clustered standard errors without resampling: the sandwich.

u_s = Σ_{c in s} x_c (y_c − p_c), x_c = e_i − e_j, is scenario s's part of the gradient, H the
information. V = S/(S−1) · H⁺ [Σ_s (u_s − ū)(u_s − ū)ᵀ] H⁺. Reference: K.-Y. Liang and S. Zeger,
Biometrika 73 (1986).
"""

import numpy as np

from arena.maths.tally import Bools, Floats
from arena.maths.threads import one_thread


def centred_inverse(matrix: Floats) -> Floats:
    """H⁺ = (H + h·11ᵀ/K)⁻¹ − 11ᵀ/(hK) with h = tr H / K, shape (K, K).

    The pseudo-inverse of a symmetric matrix of rank K−1 whose null vector is 1. One agent: 0.
    """
    k = len(matrix)
    if k == 1:
        return np.zeros((1, 1))
    size = np.trace(matrix) / k
    ones = np.full((k, k), 1 / k)
    with one_thread():
        return np.asarray(np.linalg.inv(matrix + size * ones) - ones / size)


def clustered_covariance(scores: Floats, information: Floats) -> Floats:
    """V, shape (K, K), from the scenarios' scores u, shape (S, K), and H, shape (K, K).

    V·1 = 0. Needs at least two scenarios.
    """
    inverse = centred_inverse(information)
    apart = scores - scores.mean(axis=0)
    with one_thread():
        half = apart @ inverse
        meat = half.T @ half
    return np.asarray(len(scores) / (len(scores) - 1) * meat)


def recentre(covariance: Floats, reference: Bools) -> Floats:
    """C V Cᵀ, C = I − 1·1_Rᵀ/|R|: the covariance about the mean over `reference`, shape (K,)."""
    k = len(covariance)
    centring = np.eye(k) - reference[None, :] / reference.sum()
    with one_thread():
        return np.asarray(centring @ covariance @ centring.T)


def difference_errors(covariance: Floats) -> Floats:
    """SE_ij = √(V_ii + V_jj − 2 V_ij), shape (K, K), 0 on the diagonal."""
    own = np.diag(covariance)
    return np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0))

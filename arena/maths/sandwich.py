"""Clustered standard errors without resampling: the sandwich.

u_s = Σ_{c in s} x_c (y_c − p_c), x_c = e_i − e_j, is scenario s's part of the gradient, H the
information. V = S/(S−1) · H⁺ [Σ_s (u_s − ū)(u_s − ū)ᵀ] H⁺. Reference: K.-Y. Liang and S. Zeger,
Biometrika 73 (1986).
"""

import numpy as np

from arena.maths.arrays import Bools, Floats, Ints, Table, column_sums, gram
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


def clustered_covariance(
    scores: Table, information: Floats, copies: Ints | None = None, *, prior: float = 0.0
) -> Floats:
    """V, shape (K, K), from the scenarios' scores u, shape (S, K), and H, shape (K, K).

    V·1 = 0. Needs at least two scenarios. `copies`: how many scenarios have the score of each
    row, shape (S,). `prior`: what a Gaussian prior on centred strengths adds to H.
    """
    k = len(information)
    inverse = centred_inverse(information + prior * (np.eye(k) - np.full((k, k), 1 / k)))
    count = scores.shape[0] if copies is None else int(copies.sum())
    with one_thread():
        mean = column_sums(scores, copies) / count
        meat = gram(scores, copies) - count * np.outer(mean, mean)
        spread = inverse @ meat @ inverse
    return np.asarray(count / (count - 1) * (spread + spread.T) / 2)


def crossed_covariance(first: Floats, second: Floats, both: Floats) -> Floats:
    """V when two kinds of clusters cross, as scenario and voter do: V₁ + V₂ − V₁₂, shape (K, K).

    `both`: with the meeting of the two as cluster. The difference may have small negative
    variances; these are set to 0. A. Cameron, J. Gelbach and D. Miller, Journal of Business and
    Economic Statistics 29 (2011).
    """
    with one_thread():
        sizes, axes = np.linalg.eigh(first + second - both)
        return np.asarray((axes * np.maximum(sizes, 0.0)) @ axes.T)


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

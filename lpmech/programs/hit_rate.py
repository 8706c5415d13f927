"""The optimum in closed form for weights that are constant off the diagonal in each row: only a hit counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from lpmech.entries import Array

__all__ = ["hit_gains", "best_floors", "hit_duals", "misses", "threshold"]


def hit_gains(weights: Array) -> Array | None:
    """What a hit of each label gains over a miss, shape (K,), if every row is constant off the diagonal, else None.

    Gains must not be negative, and K >= 2.
    """
    rows, columns = weights.shape
    if rows != columns or rows < 2:
        return None
    gains = weights.diagonal() - misses(weights)
    if np.any(gains < 0):
        return None
    off = weights != misses(weights)[:, None]
    np.fill_diagonal(off, False)
    return None if off.any() else gains


def best_floors(gains: Array, excess: float) -> Array:
    """Floors of RRTop-k for the best k: 1 / (t + k - 1) on the k labels of largest gain, shape (K,).

    Notes
    -----
    Source: ghazi2021, Theorem 3, with gains in place of the prior.
    """
    order = np.argsort(-gains, kind="stable")
    sizes = np.arange(1, len(gains) + 1)
    kept = 1 + int(np.argmax(np.cumsum(gains[order]) / (excess + sizes)))
    floors = np.zeros(len(gains))
    floors[order[:kept]] = 1 / (excess + kept)
    return floors


def hit_duals(weights: Array, gains: Array, excess: float) -> Array:
    """Duals that prove `best_floors`: pi_y = miss_y + max(g_y - (V - g_y) / (t - 1), 0) on kept labels, V the value.

    For a kept label y the constraint of output y reads g_y - V + (t - 1)(g_y - pi_y) = 0; for the others pi_y is the
    miss and t g_y <= V.
    """
    kept = best_floors(gains, excess) > 0
    value = (1 + excess) * gains[kept].sum() / (excess + kept.sum())
    own = np.maximum(gains - (value - gains) / excess, 0.0)
    return misses(weights) + np.where(kept, own, 0.0)


def misses(weights: Array) -> Array:
    """The entry beside the diagonal, which stands for its row."""
    beside = np.roll(np.arange(len(weights)), -1)
    return weights[np.arange(len(weights)), beside]


def threshold(k: Any, mass: Any, following: Any) -> Any:
    """t_k = P_k / p_(k+1) - k + 1, the e^epsilon above which k + 1 labels beat k.

    Parameters
    ----------
    k : int
        Number of labels kept below the threshold.
    mass : number
        P_k, prior mass of the k most probable labels.
    following : number
        p_(k+1) > 0, the next probability.

    Notes
    -----
    From w_(k+1) > w_k with w of ghazi2021 Alg. 2; derived in `lpmech.mechanisms.rr_with_prior.derivation`.
    """
    return mass / following - k + 1

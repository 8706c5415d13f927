"""Estimated shares made shares: none negative, one in all."""

from __future__ import annotations

import numpy as np

from lpmech.entries import Array, as_array, to_float

__all__ = ["on_simplex"]


def on_simplex(estimates: object) -> Array:
    """The shares nearest to these estimates: each moved by one number, those that fall below 0 set to 0.

    Parameters
    ----------
    estimates : array_like, shape (K,)
        Unbiased estimates of the shares, which may be negative and have any sum.

    Returns
    -------
    ndarray of float, shape (K,)
        max(estimates + c, 0), which sums to one. It is never farther from the true shares, as the sum of squares; for
        a rare label it is biased upwards.

    Raises
    ------
    InvalidInputError
        If the estimates are no finite numbers in one dimension.

    Notes
    -----
    The Euclidean projection on the simplex; norm-sub of Wang, Lopuhaa-Zwakenberg, Li, Skoric and Li, Locally
    differentially private frequency estimation with consistency (2020).
    """
    shares = to_float(as_array(estimates, "estimates", 1))
    falling = np.sort(shares)[::-1]
    moves = (1 - np.cumsum(falling)) / np.arange(1, shares.size + 1)
    kept = int(np.flatnonzero(falling + moves > 0)[-1])
    return np.maximum(shares + moves[kept], 0.0)

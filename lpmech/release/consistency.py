"""Estimated shares made shares: none negative, one in all."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfcx

from lpmech.entries import Array, as_array, positive_number, to_float

__all__ = ["central_shares", "expected_shares", "on_simplex"]


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


def expected_shares(estimates: object, deviation: float) -> Array:
    """The mean of the shares given these estimates, where all shares were equally likely before.

    Parameters
    ----------
    estimates : array_like, shape (K,)
        Unbiased estimates of the shares.
    deviation : float
        Standard deviation of an estimate, above 0; its error is taken for normal.

    Returns
    -------
    ndarray of float, shape (K,)
        Positive, with sum one.

    Raises
    ------
    InvalidInputError
        If the estimates are no finite numbers in one dimension, or the deviation is none above 0.

    Notes
    -----
    Of normal variables around the estimates less c that are not negative the means are taken, c such that they sum to
    one: the condition on the sum is kept by the means, and not by every draw.
    """
    shares, s = to_float(as_array(estimates, "estimates", 1)), positive_number(deviation, "deviation")

    def means(c: float) -> Array:
        z = (shares - c) / s
        return s * np.maximum(z + np.sqrt(2 / np.pi) / erfcx(-z / np.sqrt(2)), 0.0)

    # a mean is at least the number itself, and at most s^2 / |number| of a negative one
    least, most = shares.min() - 1, shares.max() + shares.size * s * s + s
    found = means(brentq(lambda c: means(c).sum() - 1, least, most, xtol=1e-15, rtol=1e-14))
    return found / found.sum()


def central_shares(estimates: object, deviation: float) -> Array:
    """Halfway between the likeliest shares (`on_simplex`) and the expected ones: about the median.

    Arguments and errors as for `expected_shares`. The median has the least mean absolute error; the likeliest shares of
    rare labels are too small, the expected ones too large.
    """
    return (on_simplex(estimates) + expected_shares(estimates, deviation)) / 2

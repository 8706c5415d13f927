"""Utilities: matrices u[y, j], larger is better; a loss is its negative."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from lpmech.entries import Array, Number, as_array, is_exact
from lpmech.errors import UtilityError
from lpmech.priors import as_prior

__all__ = [
    "hit",
    "absolute",
    "squared",
    "tanimoto",
    "weight_matrix",
    "weight_matrix_from_decay",
    "concentration",
    "bin_loss",
]


def hit(labels: int | Sequence[object]) -> Array:
    """Hit rate: 1 on the diagonal, 0 elsewhere; its expectation is Pr[released label = true label].

    Parameters
    ----------
    labels : int or sequence
        K, or the labels themselves.

    Returns
    -------
    ndarray of Fraction, shape (K, K)
    """
    size = labels if isinstance(labels, int) else len(labels)
    if size < 1:
        raise UtilityError("labels", labels, "at least one label")
    return as_array(np.eye(size, dtype=int), "utility", 2)


def absolute(labels: int | Sequence[object]) -> Array:
    """Absolute distance as a loss: u[y, j] = -|x_y - x_j|, shape (K, K).

    Parameters
    ----------
    labels : int or sequence of numbers
        K (meaning the labels 0..K-1), or the labels' values x.

    Raises
    ------
    UtilityError
        If a label is not a finite number.
    """
    return -abs(_differences(labels))


def squared(labels: int | Sequence[object]) -> Array:
    """Squared distance as a loss: u[y, j] = -(x_y - x_j)^2, shape (K, K); see `absolute`."""
    return -(_differences(labels) ** 2)


def tanimoto(values: int | Sequence[object]) -> Array:
    """Generalised Jaccard (Tanimoto) similarity u[x, y] = x y / (x^2 + y^2 - x y), shape (K, K).

    Parameters
    ----------
    values : int or sequence of positive numbers
        K (meaning the values 1..K), or the values.

    Raises
    ------
    UtilityError
        If a value is not positive.

    Notes
    -----
    Source: zhang2025, section V.A.
    """
    x = _values(range(1, values + 1) if isinstance(values, int) else values, "values")
    if np.any(x <= 0):
        raise UtilityError("values", x[x <= 0][0], "positive numbers")
    products = np.multiply.outer(x, x)
    return products / (np.add.outer(x * x, x * x) - products)


def weight_matrix(prior: object, sigma: float) -> Array:
    """Weights w[i, j] = p_j exp(-[i != j] / sigma), shape (K, K), floats.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution p of the true label.
    sigma : float
        Positive hyperparameter.

    Raises
    ------
    PriorError
        If the prior is not a distribution.
    UtilityError
        If sigma is not a positive finite number.

    Notes
    -----
    Source: liu2026, eq. (3.3).
    """
    if not (isinstance(sigma, (int, float)) and 0 < sigma < math.inf):
        raise UtilityError("sigma", sigma, "a positive finite number")
    return weight_matrix_from_decay(prior, math.exp(-1.0 / sigma))


def weight_matrix_from_decay(prior: object, decay: Number) -> Array:
    """The weights of `weight_matrix` from decay = exp(-1 / sigma), exact for exact arguments, shape (K, K).

    Raises
    ------
    PriorError
        If the prior is not a distribution.
    UtilityError
        If the decay is not in [0, 1).
    """
    factor = as_array([decay], "decay", 1, UtilityError)[0]
    if not 0 <= factor < 1:
        raise UtilityError("decay", decay, "a number with 0 <= decay < 1")
    probabilities = as_prior(prior)
    size = len(probabilities)
    off = np.full((size, size), factor, dtype=object if is_exact(probabilities) else float)
    factors = np.where(np.eye(size, dtype=bool), factor**0, off)
    return as_array(factors * probabilities, "weights", 2, UtilityError)


def concentration(points: int | Sequence[object], radius: Number) -> Array:
    """1 where the released point lies within `radius` of the true one, else 0, shape (K, K).

    Its expectation is the probability mass that a mechanism concentrates around the truth (zheng2025).

    Raises
    ------
    UtilityError
        If a point is not a number or the radius is negative.
    """
    bound = as_array([radius], "radius", 1, UtilityError)[0]
    if bound < 0:
        raise UtilityError("radius", radius, "a number >= 0")
    return as_array((abs(_differences(points)) <= bound).astype(int), "utility", 2)


def bin_loss(values: Sequence[object], bins: Sequence[object], loss: Callable[[Number, Number], Number]) -> Array:
    """Utility -loss(x_y, b_j) of releasing a bin's representative b_j for a value x_y, shape (K, J).

    Raises
    ------
    UtilityError
        If a value or a loss is not a finite number.
    """
    x, b = _values(values, "values"), _values(bins, "bins")
    return -as_array([[loss(v, r) for r in b.tolist()] for v in x.tolist()], "loss", 2, UtilityError)


def _values(labels: object, argument: str) -> Array:
    return as_array(list(labels), argument, 1, UtilityError)  # type: ignore[call-overload]


def _differences(labels: int | Sequence[object]) -> Array:
    x = _values(range(labels) if isinstance(labels, int) else labels, "labels")
    return np.subtract.outer(x, x)

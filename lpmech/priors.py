"""Priors: distributions of the true label."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from lpmech.entries import Array, as_array, is_exact, total, whole_number
from lpmech.errors import PriorError, shown

__all__ = ["as_prior", "uniform_prior", "prior_from_counts", "top_labels", "SUM_TOLERANCE"]

#: How far the sum of a float distribution may be from one.
SUM_TOLERANCE = 1e-12


def uniform_prior(size: int) -> Array:
    """The exact uniform distribution on `size` labels, shape (size,).

    Raises
    ------
    PriorError
        If `size` is not a positive whole number.
    """
    size = whole_number(size, "size", 1, 10**7, PriorError)
    return as_array([Fraction(1, size)] * size, "prior", 1)


def as_prior(prior: object, size: int | None = None) -> Array:
    """Validate a prior; it is never renormalised.

    Parameters
    ----------
    prior : array_like or None
        Probabilities of the true labels, shape (K,); None is the uniform prior on `size` labels.
    size : int, optional
        Required K.

    Returns
    -------
    ndarray, shape (K,)
        Fractions (sum exactly 1) or floats (sum within 1e-12 of 1, or K roundings if that is more).

    Raises
    ------
    PriorError
        If an entry is negative or not finite, the size is wrong, or the sum is not one.
    """
    if prior is None:
        if size is None:
            raise PriorError("prior", prior, "a sequence of probabilities")
        return uniform_prior(size)
    values = as_array(prior, "prior", 1, PriorError)
    if size is not None and values.size != whole_number(size, "size", 1, error=PriorError):
        raise PriorError("prior", prior, f"{shown(size)} probabilities, not {values.size}")
    if np.any(values < 0):
        raise PriorError("prior", values[values < 0][0], "probabilities that are not negative")
    mass = total(values)
    tolerance = 0.0 if is_exact(values) else max(SUM_TOLERANCE, values.size * np.finfo(float).eps)
    if abs(mass - 1) > tolerance:
        raise PriorError("prior", prior, f"probabilities that sum to one, not to {shown(mass)}")
    return values


def prior_from_counts(counts: Sequence[int]) -> Array:
    """The exact empirical prior of label counts, shape (K,).

    Raises
    ------
    PriorError
        If a count is negative or fractional, or all are zero.
    """
    values = as_array(counts, "counts", 1, PriorError)
    if not is_exact(values):
        values = as_array([Fraction(v) for v in values.tolist()], "counts", 1, PriorError)
    for value in values.tolist():
        if value < 0 or value.denominator != 1:
            raise PriorError("counts", value, "whole numbers that are not negative")
    mass = total(values)
    if mass == 0:
        raise PriorError("counts", counts, "at least one positive count")
    return as_array(values / mass, "counts", 1, PriorError)


def top_labels(prior: Array, k: int) -> list[int]:
    """Indices of the `k` labels with the largest prior; ties go to the smaller index.

    The order is by falling prior, as in ghazi2021 Alg. 1 (which leaves ties open).
    """
    order = np.argsort(-prior, kind="stable")
    return [int(i) for i in order[:k]]

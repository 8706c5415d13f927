"""Priors: distributions of the true label.

Every public function that takes a prior takes what `as_prior` takes, and calls it first. What has been checked is
handed back as it is, as `lpmech.privacy.as_privacy_level` hands back a level: so a prior is converted once, where it
comes in, and what functions hand on to one another is not looked at again.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.entries import Array, as_array, is_exact, total, whole_number
from lpmech.errors import PriorError, shown

__all__ = ["as_prior", "uniform_prior", "prior_from_counts", "top_labels", "SUM_TOLERANCE"]

#: How far the sum of a float distribution may be from one.
SUM_TOLERANCE = 1e-12


class _Checked(np.ndarray[Any, np.dtype[Any]]):
    """A distribution that cannot be written to; only what `_checked` returns is one, not what is made from it."""

    is_distribution = False

    def __array_wrap__(self, array: Array, context: object = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else np.asarray(array)

    def __repr__(self) -> str:
        return repr(np.asarray(self))


def _checked(values: Array) -> Array:
    values.setflags(write=False)  # before the view, which cannot be made writable then
    found = values.view(_Checked)
    found.is_distribution = True
    return found


def uniform_prior(size: int) -> Array:
    """The exact uniform distribution on `size` labels, shape (size,).

    Raises
    ------
    PriorError
        If `size` is not a positive whole number.
    """
    size = whole_number(size, "size", 1, 10**7, PriorError)
    return _checked(as_array([Fraction(1, size)] * size, "prior", 1))


def as_prior(prior: object, size: int | None = None, names: Sequence[Hashable] | None = None) -> Array:
    """Validate a prior; it is never renormalised.

    Parameters
    ----------
    prior : array_like or None
        Probabilities of the true labels, shape (K,); None is the uniform prior on `size` labels.
    size : int, optional
        Required K.
    names : sequence of hashable, optional
        The true labels: a Series is put into their order; 0, ..., K - 1 if omitted.

    Returns
    -------
    ndarray, shape (K,)
        Fractions (sum exactly 1) or floats (sum within 1e-12 of 1, or K roundings if that is more). It cannot be
        written to; given to `as_prior` again it is not copied or checked once more.

    Raises
    ------
    PriorError
        If an entry is negative or not finite, the size is wrong, the sum is not one, or a Series has other labels.
    """
    if prior is None:
        if size is None:
            raise PriorError("prior", prior, "a sequence of probabilities")
        return uniform_prior(size)
    known = prior if isinstance(prior, _Checked) and prior.is_distribution else None
    values = as_array(prior, "prior", 1, PriorError, [names]) if known is None else known
    if size is not None and values.size != whole_number(size, "size", 1, error=PriorError):
        raise PriorError("prior", prior, f"{shown(size)} probabilities, not {values.size}")
    if known is not None:
        return known
    if np.any(values < 0):
        raise PriorError("prior", values[values < 0][0], "probabilities that are not negative")
    mass = total(values)
    tolerance = 0.0 if is_exact(values) else max(SUM_TOLERANCE, values.size * np.finfo(float).eps)
    if abs(mass - 1) > tolerance:
        raise PriorError("prior", prior, f"probabilities that sum to one, not to {shown(mass)}")
    return _checked(values)


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
    return _checked(as_array(values / mass, "counts", 1, PriorError))


def top_labels(prior: Array, k: int) -> list[int]:
    """Indices of the `k` labels with the largest prior; ties go to the smaller index.

    The order is by falling prior, as in ghazi2021 Alg. 1 (which leaves ties open).
    """
    order = np.argsort(-prior, kind="stable")
    return [int(i) for i in order[:k]]

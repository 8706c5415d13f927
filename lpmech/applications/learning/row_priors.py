"""RRWithPrior with a prior of its own for every example: the sampling step of LP-MST (ghazi2021 Alg. 2 and 3)."""

from __future__ import annotations

import numpy as np

from lpmech.entries import Array
from lpmech.errors import InvalidInputError, LabelError, PriorError
from lpmech.mechanisms.intervals import as_numbers
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomState, as_random_source
from lpmech.rationals import likelihood_weights

__all__ = ["best_ks", "sample_rr_with_priors"]


def best_ks(priors: object, epsilon: PrivacyLevel | float) -> Array:
    """k* of every row: the smallest k that maximises w_k = t / (t + k - 1) times the mass of the k largest entries.

    Parameters
    ----------
    priors : array_like, shape (n, K)
        One distribution a row.
    epsilon : float or PrivacyLevel
        Privacy level.

    Returns
    -------
    ndarray of int, shape (n,)

    Raises
    ------
    PriorError
        If a row is not a distribution (tolerance 1e-9).
    PrivacyLevelError
        If the level is not usable.
    """
    return _best_ks(-np.sort(-_rows(priors), axis=1), as_privacy_level(epsilon))


def _best_ks(falling: Array, level: PrivacyLevel) -> Array:
    t = float(level.ratio)
    rates = np.cumsum(falling, axis=1) * (t / (t + np.arange(falling.shape[1])))
    return np.argmax(rates, axis=1) + 1


def sample_rr_with_priors(
    labels: object, priors: object, epsilon: PrivacyLevel | float, random_state: RandomState = None
) -> Array:
    """Randomize every label by RRWithPrior with its own prior.

    Parameters
    ----------
    labels : array_like of int, shape (n,)
        True labels 0, ..., K - 1.
    priors : array_like, shape (n, K)
        One distribution a row; it must not depend on the row's own label.
    epsilon : float or PrivacyLevel
        Privacy level of each released label.
    random_state : None, int, numpy.random.Generator or RandomSource
        None for releases; see `lpmech.randomness`.

    Returns
    -------
    ndarray of int, shape (n,)
        Each one of the k* labels of largest prior in its row; ties go to the smaller label.

    Raises
    ------
    LabelError
        If the labels are not n whole numbers 0, ..., K - 1.
    InvalidInputError
        If `random_state` is none of the above.
    PriorError, PrivacyLevelError
        If another argument is not usable.

    Notes
    -----
    Source: ghazi2021, Alg. 1 and 2, row by row; O(K log K) for each example. Drawn with whole numbers: of the k labels
    the true one has the weight W, each other one the weight B, and W / B is at most e^epsilon, exactly.
    """
    rows, level = _rows(priors), as_privacy_level(epsilon)
    truth, source = label_array(labels, "labels"), as_random_source(random_state)
    n, size = rows.shape
    if truth.shape != (n,) or truth.dtype.kind not in "iu" or np.any((truth < 0) | (truth >= size)):
        raise LabelError("labels", "other labels", f"{n} whole numbers 0, ..., {size - 1}")
    order = np.argsort(-rows, axis=1, kind="stable")
    sizes = _best_ks(np.take_along_axis(rows, order, axis=1), level)
    rank = np.argmax(order == truth[:, None], axis=1)
    high, low = likelihood_weights(level.ratio_below, size)
    chosen = np.empty(n, dtype=np.intp)
    for k in np.unique(sizes).tolist():
        members = np.flatnonzero(sizes == k)
        own = rank[members]
        ticks, any_of_k = source.below(high + (k - 1) * low, members.size), source.below(k, members.size)
        other = (ticks - high) // low
        kept = np.where(ticks < high, own, other + (other >= own))
        chosen[members] = np.where(own < k, kept, any_of_k)  # a true label that is not among the k: any of them
    return order[np.arange(n), chosen]


def label_array(labels: object, argument: str) -> Array:
    """Labels or groups as an array.

    Raises
    ------
    LabelError
        If they have no rectangular shape.
    """
    try:
        return np.asarray(labels)
    except ValueError as exc:
        raise LabelError(argument, "a ragged sequence", "a flat sequence") from exc


def _rows(priors: object) -> Array:
    try:
        rows = as_numbers(priors, "priors")
    except InvalidInputError as exc:
        raise PriorError("priors", priors, "numbers of shape (n, K)") from exc
    if rows.ndim != 2 or rows.size == 0:
        raise PriorError("priors", f"shape {rows.shape}", "shape (n, K)")
    if not np.all(rows >= 0) or np.any(np.abs(rows.sum(axis=1) - 1) > 1e-9):
        raise PriorError("priors", rows, "rows that are not negative and sum to one")
    return rows

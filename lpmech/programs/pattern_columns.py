"""The best mixture of patterns where they are too many to be looked at: column generation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_matrix

from lpmech.entries import Array
from lpmech.errors import InfeasibleProgramError, SolverError
from lpmech.programs.solvers.highs import minimise

__all__ = ["Mixture", "best_mixture", "fresh", "generate", "shares_of"]

#: A gap that is small enough, as a share; most rounds, and columns added in one; orders of labels tried in each; how
#: far the duals that are priced are drawn to the best so far.
_NEAR, _ROUNDS, _AT_ONCE, _ORDERS, _DRAWN = 1e-5, 150, 40, 4, 0.7
#: What a pattern has to gain, as a share.
_GAIN = 1e-12


class Mixture(NamedTuple):
    """Where HiGHS stopped on the mixture of some patterns, and the patterns: masks say where they are t."""

    masks: Array
    columns: Array
    worth: Array
    stop: Any
    duals: Array

    @property
    def value(self) -> float:
        """What the mixture is worth."""
        return float(self.worth @ self.stop.point)

    @property
    def slack(self) -> Array:
        """How much the duals exceed each pattern."""
        return np.asarray(self.columns @ self.duals - self.worth)


def best_mixture(masks: Array, columns: Array, worth: Array) -> Mixture:
    """The best mixture of patterns, in floats; HiGHS has them in multiples whose largest entry is 1."""
    ones, heights = np.ones(columns.shape[1]), columns.max(axis=1)
    gains = worth / heights
    unit = float(abs(gains).max()) or 1.0
    stop = minimise(-gains / unit, csc_matrix((columns / heights[:, None]).T), ones, ones)
    return Mixture(masks, columns, worth, stop._replace(point=stop.point / heights), -stop.duals * unit)


def fresh(found: Array, gains: Array, duals: Array, masks: Array) -> Array:
    """Patterns that gain something beyond the duals and are not among the masks, the best first."""
    known = {mask.tobytes() for mask in masks}
    least = _GAIN * max(float(abs(duals).sum()), 1e-300)
    return found[[i for i in np.argsort(-gains) if gains[i] > least and found[i].tobytes() not in known]]


def generate(
    laws: Array,
    ratio: float,
    worth: Callable[[list[Any]], Any],
    price: Callable[[Array, float], tuple[float, Array]],
    first: Array,
) -> tuple[Mixture, Array]:
    """The best mixture of columns that are found one after the other, and duals of about the least bound.

    Duals of a few columns go to and fro. So what is priced is drawn to the best duals so far (in-out separation), and
    labels of the same shares get the same. Beside the patterns that pricing meets, those labels are columns that follow
    each other in an order by chance: the best of these from each label on.

    Parameters
    ----------
    laws : ndarray of float, shape (1, K) or (2, K)
    ratio : float
    worth : callable
        What patterns are worth, from the sums of each law times the pattern.
    price : callable
        For duals, and a bound small enough: what bounds patterns beyond these, and patterns, shape (n, K).
    first : ndarray of float, shape (K,)
        Duals to begin with.
    """
    size, random = len(first), np.random.default_rng(0)
    alike = np.unique(laws, axis=1, return_inverse=True)[1].ravel()
    best, (excess, met) = first, price(first, 0.0)
    bound = float(first.sum() + excess)

    def columns_of(masks: Array) -> Array:
        return np.where(masks, ratio, 1.0)

    def worth_of(masks: Array) -> Array:
        return np.asarray(worth(list(laws @ columns_of(masks).T)))

    def around(duals: Array) -> Array:
        orders = [np.argsort(duals / np.maximum(laws[0], 1e-300)), *(random.permutation(size) for _ in range(_ORDERS))]
        return np.vstack([_windows(order, laws, ratio, worth, duals) for order in orders])

    masks = np.unique(
        np.vstack([np.zeros((1, size), dtype=bool), np.eye(size, dtype=bool), met, around(first)]), axis=0
    )
    found, before = best_mixture(masks, columns_of(masks), worth_of(masks)), 0.0
    for left in reversed(range(_ROUNDS)):
        for drawn in (_DRAWN, 0.0):
            tried = drawn * best + (1 - drawn) * found.duals
            tried = (np.bincount(alike, tried) / np.bincount(alike))[alike]
            excess, met = price(tried, _NEAR * found.value)
            if tried.sum() + excess < bound:
                best, bound = tried, float(tried.sum() + excess)
            met = np.unique(np.vstack([met, around(tried)]), axis=0)
            new = fresh(met, worth_of(met) - columns_of(met) @ found.duals, found.duals, masks)
            if len(new):
                break
        if not (len(new) and left) or bound - found.value <= _NEAR * found.value:
            break
        kept = found.stop.columns | ~masks.any(axis=1)  # with these there is a mixture
        kept[np.argsort(found.slack)[: 3 * size]] = True
        kept |= found.value <= before * (1 + _GAIN)  # where only duals change, what was dropped would come again
        before = found.value
        masks = np.vstack([masks[kept], new[: max(size, _AT_ONCE)]])
        try:
            found = best_mixture(masks, columns_of(masks), worth_of(masks))
        except (SolverError, InfeasibleProgramError):  # what was found before is a mixture, too
            break
    return found, best


def shares_of(found: Mixture) -> Array:
    """How much of each pattern is in the mixture, once more from the equations of the basis."""
    shares, basic = np.zeros(len(found.masks)), found.stop.columns
    shares[basic] = np.linalg.lstsq(found.columns[basic].T, np.ones(found.columns.shape[1]))[0]
    return np.maximum(shares, 0.0)


def _windows(order: Array, laws: Array, ratio: float, worth: Callable[[list[Any]], Any], duals: Array) -> Array:
    """Patterns of labels that follow each other in a ring: from each on the best for the duals."""
    size = len(order)
    starts, lengths = np.arange(size)[:, None], np.arange(1, size)

    def sums(row: Array) -> Array:
        known = np.concatenate([[0.0], np.cumsum(np.tile(row[order], 2))])
        return np.asarray(row.sum() + (ratio - 1) * (known[starts + lengths] - known[starts]))

    gains = worth([sums(law) for law in laws]) - sums(duals)
    masks = np.empty((size, size), dtype=bool)
    masks[:, order] = (np.arange(size) - starts) % size <= gains.argmax(axis=1)[:, None]
    return masks

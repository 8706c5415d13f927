"""The parameters that suit a utility and a prior best, of mechanisms whose expected utility is a sum over blocks.

With the labels in the order of falling prior and G = prior times utility, every block of RRTop-k and of BlockRR is a
rectangle of G: its sum is a difference of prefix sums, so all candidates together cost one pass over G. In floats; of
candidates that agree to 1e-12 the first is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lpmech.entries import Array, as_array, to_float
from lpmech.errors import UtilityError
from lpmech.mechanisms.block_rr import beta, gamma
from lpmech.priors import as_prior, top_labels
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["best_top_k", "best_block_sizes"]

_EQUAL = 1e-12


def best_top_k(utility: object, prior: object, epsilon: PrivacyLevel | float) -> int:
    """The k of `rr_top_k` with the largest expected utility.

    Parameters
    ----------
    utility : array_like, shape (K, K)
        Larger is better.
    prior : array_like, shape (K,)
        Distribution of the true label.
    epsilon : float or PrivacyLevel
        Privacy level.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    sums, diagonal = _prefix_sums(utility, prior)
    t = float(as_privacy_level(epsilon).ratio)
    k = np.arange(1, len(diagonal))
    own = sums[k, k]
    values = (diagonal[1:] - diagonal[1:] / t + own / t) / (1 + (k - 1) / t) + (sums[-1, k] - own) / k
    return 1 + _first_best(values)


def best_block_sizes(
    utility: object, prior: object, epsilon: PrivacyLevel | float, sizes: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """The (|S1|, l) with the largest expected utility of `block_rr_from_partition`, S1 being the most probable labels.

    Parameters
    ----------
    utility, prior, epsilon
        As for `best_top_k`.
    sizes : sequence of (int, int)
        The candidates: |S1| from 1 to K, and l from 0 to |S1|.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    sums, diagonal = _prefix_sums(utility, prior)
    t, size = float(as_privacy_level(epsilon).ratio), len(diagonal) - 1
    n, l = np.array(sizes).T
    low, rare = (formula(t, 1, n, size - n, l.astype(float)) for formula in (beta, gamma))
    favoured = sums[size, l] - sums[n, l]
    other = sums[size, n] - sums[n, n] - favoured
    second = sums[size, size] - sums[size, n] - sums[n, size] + sums[n, n]
    majority = low * (t - 1) * diagonal[n] + low * sums[n, n] + rare * (sums[n, size] - sums[n, n])
    minority = favoured / size + low * other + rare * second + rare * (t - 1) * (diagonal[size] - diagonal[n])
    return sizes[_first_best(majority + minority)]


def _prefix_sums(utility: object, prior: object) -> tuple[Array, Array]:
    """Sums of G over the first a rows and b columns, shape (K + 1, K + 1), and over the first a diagonal entries."""
    gain = to_float(as_array(utility, "utility", 2, UtilityError))
    probabilities = as_prior(prior, len(gain))
    if gain.shape[0] != gain.shape[1]:
        raise UtilityError("utility", f"shape {gain.shape}", "a square matrix")
    order = top_labels(probabilities, len(gain))
    weighted = (to_float(probabilities)[:, None] * gain)[np.ix_(order, order)]
    sums = np.zeros((len(gain) + 1, len(gain) + 1))
    sums[1:, 1:] = weighted.cumsum(axis=0).cumsum(axis=1)
    return sums, np.concatenate([[0.0], weighted.diagonal().cumsum()])


def _first_best(values: Array) -> int:
    return int(np.flatnonzero(values >= values.max() - _EQUAL * abs(values).max())[0])

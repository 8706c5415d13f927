"""The finite mechanisms as `DescribedChannel`: the same closed forms as their namesakes, without the matrix.

The exponential mechanism has no such structure: each of its rows is another exponential of the utility.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from lpmech.applications.at_scale.described import DescribedChannel
from lpmech.entries import Array, as_array, to_float, whole_number
from lpmech.errors import BlockError, InvalidInputError, LabelError, UtilityError
from lpmech.mechanisms.block_rr import beta, gamma
from lpmech.mechanisms.rr_with_prior import best_k
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = [
    "bipartite_rr_on_points",
    "bipartite_rr_star_on_points",
    "described_block_rr_from_partition",
    "common_m_on_points",
    "common_m_star_on_points",
    "described_randomized_response",
    "described_rr_on_bins",
    "described_rr_top_k",
    "described_rr_with_prior",
]


def described_randomized_response(size: int, epsilon: PrivacyLevel | float) -> DescribedChannel:
    """`lpmech.mechanisms.randomized_response` on the labels 0..K-1; one group, windows {y}.

    Raises
    ------
    PrivacyLevelError, LabelError
        If the level is not usable, or there is no label.
    """
    whole_number(size, "size", 1, error=LabelError)
    return described_rr_on_bins(np.arange(size), epsilon)


def described_rr_on_bins(bin_of: Sequence[Hashable] | Array, epsilon: PrivacyLevel | float) -> DescribedChannel:
    """`lpmech.mechanisms.rr_on_bins`: output i is the i-th bin in order of first appearance.

    Raises
    ------
    PrivacyLevelError, LabelError
        If the level is not usable, or there is no label.
    """
    if len(bin_of) == 0:
        raise LabelError("bin_of", bin_of, "at least one label")
    t = float(as_privacy_level(epsilon).ratio)
    names = bin_of.tolist() if isinstance(bin_of, np.ndarray) else bin_of
    positions = {name: i for i, name in enumerate(dict.fromkeys(names))}
    own = np.fromiter((positions[name] for name in names), dtype=np.intp, count=len(names))
    bins = len(positions)
    base = np.array([[1 / (t + bins - 1)]])
    return DescribedChannel(
        np.arange(bins), np.array([0, bins]), np.zeros(len(own), dtype=np.intp), base, own, own + 1, t
    )


def described_rr_top_k(prior: object, k: int, epsilon: PrivacyLevel | float) -> DescribedChannel:
    """`lpmech.mechanisms.rr_top_k`: the kept labels and the others, as inputs and as outputs.

    Raises
    ------
    PriorError, PrivacyLevelError
        If prior or level are not usable.
    InvalidInputError
        If k is not in 1..K.
    """
    probabilities = to_float(as_prior(prior))
    size, t = len(probabilities), float(as_privacy_level(epsilon).ratio)
    if whole_number(k, "k", 1, error=InvalidInputError) > size:
        raise InvalidInputError("k", k, f"a whole number from 1 to {size}")
    order = np.argsort(-probabilities, kind="stable")
    position = np.argsort(order)
    kept = position < k
    base = np.array([[1 / (t + k - 1), 0.0], [1 / k, 0.0]])
    group = np.where(kept, 0, 1)
    return DescribedChannel(
        order,
        np.array([0, k, size]),
        group,
        base[: group.max() + 1],
        np.where(kept, position, 0),
        np.where(kept, position + 1, 0),
        t,
    )


def described_rr_with_prior(prior: object, epsilon: PrivacyLevel | float) -> DescribedChannel:
    """`lpmech.mechanisms.rr_with_prior`: RRTop-k with k = k*.

    Raises
    ------
    PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    return described_rr_top_k(prior, best_k(prior, epsilon), epsilon)


def described_block_rr_from_partition(
    prior: object, majority: Sequence[int] | Array, epsilon: PrivacyLevel | float, l: int
) -> DescribedChannel:
    """`lpmech.mechanisms.block_rr_from_partition`: B(y) = {y}, S~ = S, Delta the l most probable labels of S1.

    Parameters and errors as there.
    """
    probabilities = to_float(as_prior(prior))
    size, t = len(probabilities), float(as_privacy_level(epsilon).ratio)
    first = np.unique(np.asarray(majority))
    if first.size == 0 or first.size != len(majority) or first.dtype.kind not in "iu":
        raise BlockError("majority", majority, "one or more distinct labels")
    if first[0] < 0 or first[-1] >= size:
        raise BlockError("majority", majority, f"labels 0..{size - 1}")
    s1, s2 = len(first), size - len(first)
    l = whole_number(l, "l", 0, s1, BlockError)
    in_first = np.zeros(size, dtype=bool)
    in_first[first] = True
    order = np.lexsort((-probabilities, ~in_first))
    position = np.argsort(order)
    b_value, g_value = (float(formula(t, 1, s1, s2, float(l))) for formula in (beta, gamma))
    base = np.array([[b_value, b_value, g_value], [1 / size, b_value, g_value]])
    group = np.where(in_first, 0, 1)
    return DescribedChannel(
        order, np.array([0, l, s1, size]), group, base[: group.max() + 1], position, position + 1, t
    )


def common_m_on_points(values: object, epsilon: PrivacyLevel | float) -> int:
    """m of BRR (zhang2025 Alg. 2) for the loss |x_i - x_j| between points on a line, without a matrix or its sorts.

    Parameters
    ----------
    values : array_like, shape (K,)
        x, rising.
    epsilon : float or PrivacyLevel
        Privacy level.

    Raises
    ------
    UtilityError, PrivacyLevelError
        If the points do not rise, or the level is not usable.

    Notes
    -----
    The i nearest points form a window, found by bisection; their losses are differences of prefix sums. The derivative
    (7) does not rise with i: from i to i + 1 it changes by (lambda_(i+1) - lambda_i) (sum of the weights + t - 1), so
    m is found by bisection, too, for all rows at once: O(K log(K)^2).
    """
    points, t = _points(values), float(as_privacy_level(epsilon).ratio)
    ahead = _derivatives(points, t)
    low, high = np.ones(len(points), dtype=np.intp), np.full(len(points), len(points), dtype=np.intp)
    while np.any(low < high):  # every weight up to low is raised, none from high on
        middle = (low + high) // 2
        positive = (ahead(middle) > 0) & (low < high)
        high = np.where(positive | (low >= high), high, middle)
        low = np.where(positive, middle + 1, low)
    return int(low.min())


def common_m_star_on_points(values: object, epsilon: PrivacyLevel | float, prior: object = None) -> int:
    """m of BRR* (zhang2025 Alg. 3) for the loss |x_i - x_j|, as `common_m_on_points`; uniform prior if omitted.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    points, t = _points(values), float(as_privacy_level(epsilon).ratio)
    size = len(points)
    weights = np.full(size, 1 / size) if prior is None else to_float(as_prior(prior, size))
    ahead = _derivatives(points, t)
    low, high = 1, size
    while low < high:
        middle = (low + high) // 2
        if weights @ ahead(np.full(size, middle)) > 0:
            low = middle + 1
        else:
            high = middle
    return low


def bipartite_rr_on_points(values: object, epsilon: PrivacyLevel | float) -> DescribedChannel:
    """`lpmech.mechanisms.bipartite_rr` for the loss |x_i - x_j|: windows of the m nearest points.

    Raises
    ------
    UtilityError, PrivacyLevelError
        If the points do not rise, or the level is not usable.
    """
    return _on_points(_points(values), common_m_on_points(values, epsilon), epsilon)


def bipartite_rr_star_on_points(
    values: object, epsilon: PrivacyLevel | float, prior: object = None
) -> DescribedChannel:
    """`lpmech.mechanisms.bipartite_rr_star` for the loss |x_i - x_j|.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    return _on_points(_points(values), common_m_star_on_points(values, epsilon, prior), epsilon)


def _on_points(points: Array, m: int, epsilon: PrivacyLevel | float) -> DescribedChannel:
    size, t = len(points), float(as_privacy_level(epsilon).ratio)
    starts = _window_starts(points, np.full(size, m))
    base = np.array([[1 / (m * t + size - m)]])
    return DescribedChannel(
        np.arange(size), np.array([0, size]), np.zeros(size, dtype=np.intp), base, starts, starts + m, t
    )


def _window_starts(points: Array, count: Array) -> Array:
    """First of the `count` points nearest to each point; of two equally far ones the smaller."""
    low, high = np.zeros(len(points), dtype=np.intp), len(points) - count
    while np.any(low < high):
        middle = (low + high) // 2
        end = np.minimum(middle + count, len(points) - 1)
        right = (points - points[middle] > points[end] - points) & (low < high)
        high = np.where(right | (low >= high), high, middle)
        low = np.where(right, middle + 1, low)
    return low


def _derivatives(points: Array, t: float) -> Callable[[Array], Array]:
    """Numerator of (7) for the i-th nearest point (0-based) of every row, when the nearer ones have weight t."""
    size = len(points)
    sums = np.concatenate([[0.0], np.cumsum(points)])
    here = np.arange(size)
    everything = here * points - sums[here] + (sums[-1] - sums[here]) - (size - here) * points

    def derivative(i: Array) -> Array:
        starts = _window_starts(points, i)
        stops = starts + i
        nearer = (
            (here - starts) * points
            - (sums[here] - sums[starts])
            + (sums[stops] - sums[here])
            - (stops - here) * points
        )
        around = _window_starts(points, i + 1)
        farthest = np.maximum(points - points[around], points[around + i] - points)
        return (t * nearer + everything - nearer) - farthest * (i * t + (size - i))

    return derivative


def _points(values: object) -> Array:
    points = to_float(as_array(values, "values", 1, UtilityError))
    if np.any(np.diff(points) <= 0):
        raise UtilityError("values", values, "numbers that rise")
    return points

"""Staircase randomized response (SRR): equal steps of probability from the nearest group of places to the farthest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, to_float, whole_number
from lpmech.errors import LabelError, UtilityError
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["step_weight", "staircase_rr", "ranked_groups", "best_group_sizes"]


def step_weight(t: Any, groups: int, j: int) -> Any:
    """Weight of group j = 1..m: t for the nearest, 1 for the farthest, equal steps (t - 1) / (m - 1) between."""
    return 1 + (groups - j) * (t - 1) / (groups - 1)


def staircase_rr(group_of: object, epsilon: PrivacyLevel | float) -> Channel:
    """Release an output of group j with probability alpha_j, falling in equal steps from alpha_1 = t alpha_m.

    Parameters
    ----------
    group_of : array_like of int, shape (K, N)
        Group 1..m of every output for every true item, 1 the nearest; m >= 2 is the largest entry.
    epsilon : float or PrivacyLevel
        Level of every single row, alpha_1 / alpha_m = t; that of the channel if all rows have the same group sizes.

    Returns
    -------
    Channel, K x N
        Exact for an exact level.

    Raises
    ------
    LabelError
        If a group is not a whole number >= 1, or there are fewer than two groups.
    PrivacyLevelError
        If the level is not usable.

    Notes
    -----
    Source: Wang, Hong, Xiong, Qin, Hong: L-SRR, CCS 2022 (arXiv:2209.15091), in the form of the implementation its
    authors published (SRR.py): alpha_m = (m - 1) / ((m - 1) N t - (t - 1) sum_{j >= 2} (j - 1) |G_j(x)|). This depends
    on the row through the sizes |G_j(x)|: where they differ between rows, the tight level of the channel exceeds
    epsilon in general (see `Channel.epsilon`). There the groups come from common prefixes of codes of the locations;
    `ranked_groups` makes groups of common sizes by distance instead.
    """
    groups = as_array(group_of, "group_of", 2, LabelError)
    whole = groups.astype(int)
    if np.any(whole != groups) or whole.min() < 1 or whole.max() < 2:
        raise LabelError("group_of", group_of, "whole numbers 1..m with m >= 2")
    t, m = as_privacy_level(epsilon).ratio, int(whole.max())
    weights = as_array([step_weight(t, m, j) for j in range(1, m + 1)], "weights", 1)[whole - 1]
    return Channel(weights / weights.sum(axis=1, keepdims=True))


def ranked_groups(utility: object, sizes: Sequence[int]) -> Array:
    """Groups of common sizes: in each row the sizes[0] most useful outputs are group 1, the next sizes[1] group 2, ...

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Larger is better. Ties: the true item, then the smaller index.
    sizes : sequence of int
        Sizes of the groups, summing to N.

    Raises
    ------
    UtilityError, LabelError
        If the utility is not a matrix of finite numbers, or the sizes are not whole numbers >= 1 with sum N.
    """
    matrix = as_array(utility, "utility", 2, UtilityError)
    counts = [whole_number(size, "sizes", 1, error=LabelError) for size in sizes]
    if sum(counts) != matrix.shape[1]:
        raise LabelError("sizes", sizes, f"whole numbers >= 1 with sum {matrix.shape[1]}")
    labels = np.repeat(np.arange(1, len(counts) + 1), counts)
    groups = np.empty(matrix.shape, dtype=int)
    for k, row in enumerate(matrix.tolist()):
        groups[k, sorted(range(len(row)), key=lambda j, k=k, row=row: (-row[j], j != k, j))] = labels  # type: ignore[misc]
    return groups


def best_group_sizes(utility: object, level: PrivacyLevel, prior: object = None) -> tuple[int, int, int]:
    """The common sizes of three groups with the largest expected utility of `staircase_rr` on `ranked_groups`.

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Larger is better; N >= 3.
    level : PrivacyLevel
        Privacy level.
    prior : array_like, shape (K,), optional
        Distribution of the true item; uniform if omitted.

    Raises
    ------
    UtilityError, PriorError
        If an argument is not usable.

    Notes
    -----
    With prefix sums P of the averaged sorted rows and sizes (a, b - a, N - b) the value is
    (P_N + (t - 1)(P_a + P_b) / 2) / (N + (t - 1)(a + b) / 2). Carried out in floats, both divided by (t - 1) / 2.
    """
    matrix = to_float(as_array(utility, "utility", 2, UtilityError))
    n = matrix.shape[1]
    if n < 3:
        raise UtilityError("utility", f"shape {matrix.shape}", "at least three columns")
    sums = np.cumsum(to_float(as_prior(prior, len(matrix))) @ np.sort(matrix, axis=1)[:, ::-1])
    half_step = (float(level.ratio) - 1) / 2
    a, b = np.triu_indices(n - 1, 1)  # group 1 ends after a + 1 outputs, group 2 after b + 1
    values = (sums[-1] / half_step + sums[a] + sums[b]) / (n / half_step + a + b + 2)
    best = int(np.argmax(values))
    first, second = int(a[best]) + 1, int(b[best]) + 1
    return first, second - first, n - second

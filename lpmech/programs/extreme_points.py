"""Which private channels are extreme points, and which can be optimal at all.

The private channels with K inputs and J outputs form a polytope. A channel is an extreme point iff the constraints
that are tight at it determine it; it is the unique optimum of some program iff it is extreme, and it is optimal for no
utility (but those for which every channel is) iff no inequality is tight at it.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import combinations, pairwise, permutations

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_array
from lpmech.errors import ChannelError
from lpmech.linear_algebra import independent_columns
from lpmech.privacy import PrivacyLevel

__all__ = ["tight_constraints", "is_extreme_point", "exposing_utility", "extreme_rays", "staircase_refinement"]


def tight_constraints(channel: Channel, level: PrivacyLevel) -> Array:
    """Normals of the inequalities that hold with equality, shape (n, K, J), pointing out of the polytope.

    q[y, j] >= 0 gives -1 at (y, j); q[y, j] <= t q[y', j] gives 1 at (y, j) and -t at (y', j).

    Raises
    ------
    ChannelError
        If the channel or the level is not exact: tightness is a question about equality.
    """
    if not (channel.is_exact and level.is_exact):
        raise ChannelError("channel", channel, "an exact channel with an exact level")
    t = level.ratio
    normals = []
    for j, column in enumerate(channel.matrix.T):
        low, high = min(column), max(column)
        for y, entry in enumerate(column):
            if entry == 0:
                normals.append(_normal(channel, {(y, j): Fraction(-1)}))
            elif entry == high == t * low:
                lows = [z for z, other in enumerate(column) if other == low]
                normals += [_normal(channel, {(y, j): Fraction(1), (z, j): -Fraction(t)}) for z in lows]
    return np.stack(normals) if normals else np.empty((0, *channel.matrix.shape), dtype=object)


def is_extreme_point(channel: Channel, level: PrivacyLevel) -> bool:
    """Whether the row sums and the tight constraints determine the channel: their rank is K J (exact).

    Raises
    ------
    ChannelError
        If the channel or the level is not exact.
    """
    rows, columns = channel.matrix.shape
    sums = [_normal(channel, {(y, j): Fraction(1) for j in range(columns)}) for y in range(rows)]
    normals = [*sums, *tight_constraints(channel, level)]
    flat = as_array([[Fraction(v) for v in normal.ravel().tolist()] for normal in normals], "normals", 2)
    return len(independent_columns(flat)) == rows * columns


def exposing_utility(channel: Channel, level: PrivacyLevel) -> Array | None:
    """A utility that is maximal exactly where all tight constraints of the channel are tight, or None if none is.

    Shape (K, J), for the uniform prior: the sum of the normals. The channel is optimal for it, and the only optimum if
    it is an extreme point. None means that the channel is optimal for no utility, except for those that depend on the
    true label only, for which every channel is.

    Raises
    ------
    ChannelError
        If the channel or the level is not exact.
    """
    normals = tight_constraints(channel, level)
    return normals.sum(axis=0) if len(normals) else None


def extreme_rays(size: int, level: PrivacyLevel) -> set[tuple[Fraction, ...]]:
    """The private columns on K labels of which every other one is a sum: by trying all K - 1 tight inequalities.

    Parameters
    ----------
    size : int
        K >= 1; there are (K (K - 1) choose K - 1) sets of inequalities v_y = t v_z to try, 220 for K = 4.
    level : PrivacyLevel
        Exact.

    Returns
    -------
    set of tuples of Fraction
        Each with least entry 1.

    Raises
    ------
    ChannelError
        If the level is not exact.

    Notes
    -----
    Source: these are the staircase patterns of kairouz2016.
    """
    if not level.is_exact:
        raise ChannelError("level", level, "an exact level")
    t, found = Fraction(level.ratio), set()
    for tight in combinations(permutations(range(size), 2), size - 1):
        column = {0: Fraction(1)}
        for _ in tight:
            column |= {y: t * column[z] for y, z in tight if z in column}
            column |= {z: column[y] / t for y, z in tight if y in column}
        least = min(column.values())
        if (
            len(column) == size
            and max(column.values()) <= t * least
            and all(column[y] == t * column[z] for y, z in tight)
        ):
            found.add(tuple(column[y] / least for y in range(size)))
    return found


def staircase_refinement(channel: Channel, level: PrivacyLevel) -> Channel:
    """A staircase channel of which the given one is a merging of outputs: its columns have entries m and t m only.

    A private column with entries v_0 < v_1 < ... < v_n is a constant column and, for i = 1..n, a column that is t m in
    the rows with an entry of v_i or more, and m elsewhere, with m = (v_i - v_(i-1)) / (t - 1).

    Parameters
    ----------
    channel : Channel, K x J
        Private at the level; exact.
    level : PrivacyLevel
        Exact.

    Returns
    -------
    Channel
        Its outputs are pairs (output j, i), i = 0 for the constant column; columns of zeros are left out.
        ``post_process(lambda pair: pair[0])`` merges them into the outputs of the given channel that occur at all.

    Raises
    ------
    ChannelError
        If the channel or the level is not exact, or the channel is not private at this level.

    Notes
    -----
    Source: the decomposition behind the staircase mechanisms of kairouz2016. No utility that a merging of outputs
    cannot raise (mutual information, every f-divergence) is larger for the channel than for its refinement.
    """
    if not (channel.is_exact and level.is_exact and channel.satisfies(level)):
        raise ChannelError("channel", channel, "an exact channel that is private at the level, which is exact, too")
    t = Fraction(level.ratio)
    columns: dict[tuple[Hashable, int], list[Fraction]] = {}
    for name, column in zip(channel.outputs, channel.matrix.T, strict=True):
        steps = sorted({Fraction(v) for v in column})
        constant = steps[0] - (steps[-1] - steps[0]) / (t - 1)
        floors = [((step - below) / (t - 1), step) for below, step in pairwise(steps)]
        parts = [[m * t if v >= step else m for v in column] for m, step in floors]
        columns |= {(name, i): part for i, part in enumerate([[constant] * len(column), *parts]) if any(part)}
    return Channel([list(row) for row in zip(*columns.values(), strict=True)], channel.inputs, list(columns))


def _normal(channel: Channel, entries: dict[tuple[int, int], Fraction]) -> Array:
    normal = np.full(channel.matrix.shape, Fraction(0), dtype=object)
    for key, value in entries.items():
        normal[key] = value
    return normal

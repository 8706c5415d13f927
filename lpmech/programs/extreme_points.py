"""Which private channels are extreme points, and which can be optimal at all.

The private channels with K inputs and J outputs form a polytope. A channel is an extreme point iff the constraints
that are tight at it determine it; it is the unique optimum of some program iff it is extreme, and it is optimal for no
utility (but those for which every channel is) iff no inequality is tight at it.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_array
from lpmech.errors import ChannelError
from lpmech.linear_algebra import independent_columns
from lpmech.privacy import PrivacyLevel

__all__ = ["tight_constraints", "is_extreme_point", "exposing_utility"]


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


def _normal(channel: Channel, entries: dict[tuple[int, int], Fraction]) -> Array:
    normal = np.full(channel.matrix.shape, Fraction(0), dtype=object)
    for key, value in entries.items():
        normal[key] = value
    return normal

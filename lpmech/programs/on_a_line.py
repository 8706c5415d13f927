"""An optimum of the metric program on a line, with its duals, in closed form where the geometric mechanism is optimal.

On a line a label has the neighbours y - 1 and y + 1; a = 1 / t. The candidate releases, for each output i of the
truncated geometric mechanism, G[y, i] in proportion to a^|y - i|, the best output j for it (Ghosh, Roughgarden,
Sundararajan: a post-processing of it is optimal if no row of the utility rises away from its own label). If the outputs
of G that become j are those from l to r, column j grows by t from label to label up to l, and falls by t from r on.
There the rows of neighbours are tight, and only there duals are not 0: up_y = lambda[y, y - 1, j] for y <= l and
down_y = lambda[y, y + 1, j] for y >= r. All entries of j are positive, so every dual constraint of it is an equation,

    pi_y + up_y - t up_(y + 1) = w[y, j] below l,  pi_l + up_l = w[l, j],  pi_y = w[y, j] between,

the same beyond r, and pi_l + up_l + down_l = w[l, j] if l = r. Eliminated from the ends, up_(y + 1) = a (up_y + pi_y -
w[y, j]), they leave one equation in pi for each i: K in all. An output that is never released has such duals from both
ends to some label, where its constraint holds. All this is a proposal: that signs and constraints hold is checked where
a `LinearSolution` is made, so that nothing rests on the argument.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import groupby

import numpy as np

from lpmech.entries import Array
from lpmech.errors import SolverError
from lpmech.linear_algebra import flint_number, from_flint, solve_square, to_flint
from lpmech.programs.linear import Proposal

__all__ = ["proposal_on_a_line"]


def proposal_on_a_line(weights: Array, base: Fraction) -> Callable[[], Proposal]:
    """What makes the candidate for weights, shape (K, J), K >= 2, and t, where labels are at distance 1 of the next.

    The duals are those of the rows of `lpmech.programs.metric`. It raises `SolverError` where there is no candidate.
    """

    def made() -> Proposal:
        gains, a = to_flint(weights), flint_number(1 / base)
        size, width = gains.shape
        before, after = gains.copy(), gains.copy()
        for y in range(1, size):
            before[y] = before[y] + a * before[y - 1]
            after[-1 - y] = after[-1 - y] + a * after[-y]
        scores = before + after - gains
        best = [max(range(width), key=row.__getitem__) for row in scores]
        groups = [(j, [i for i, _ in group]) for j, group in groupby(enumerate(best), key=lambda pair: pair[1])]
        ends = {j: (group[0], group[-1]) for j, group in groups}
        if len(ends) < len(groups):
            raise SolverError("what becomes one output is no interval")
        powers = np.array([a**k for k in range(size)], dtype=object)
        near = powers[abs(np.subtract.outer(np.arange(size), np.arange(size)))]
        equations, right = near.copy(), np.array([scores[i, j] for i, j in enumerate(best)], dtype=object)
        for j, (low, high) in ends.items():
            for i in range(low, high + 1) if low < high else ():
                equations[i] = 0 * a
                if i == low:
                    equations[i, : i + 1], right[i] = near[i, : i + 1], before[i, j]
                elif i == high:
                    equations[i, i:], right[i] = near[i, i:], after[i, j]
                else:
                    equations[i, i], right[i] = 1 + 0 * a, gains[i, j]
        rows = to_flint(solve_square(from_flint(equations), from_flint(right)))
        lacking = gains - rows[:, None]
        up, down = lacking * 0, lacking * 0
        for y in range(1, size):
            up[y] = a * (up[y - 1] - lacking[y - 1])
            down[-1 - y] = a * (down[-y] - lacking[-y])
        for j in range(width):
            low, high = ends[j] if j in ends else (_meeting(up[:, j], down[:, j], lacking[:, j]),) * 2
            up[low + 1 :, j], down[:high, j] = 0 * a, 0 * a
        share = (1 - a) / (1 + a)
        mass = np.array([1 / (1 + a), *[share] * (size - 2), 1 / (1 + a)], dtype=object)
        channel = lacking * 0
        for i, j in enumerate(best):
            channel[:, j] = channel[:, j] + mass[i] * near[:, i]
        pairs = [part for y in range(size) for part in ((up[y],) if y else ()) + ((down[y],) if y < size - 1 else ())]
        return from_flint(channel), from_flint(np.concatenate([rows, *pairs])).tolist()

    return made


def _meeting(up: Array, down: Array, lacking: Array) -> int:
    """A label to which the duals of an output are not negative from both ends, and where its constraint holds."""
    size = len(up)
    risen = next((y for y in range(size) if up[y] < 0), size)
    fallen = next((y for y in reversed(range(size)) if down[y] < 0), -1)
    for y in range(fallen + 1, risen):
        if up[y] + down[y] >= lacking[y]:
            return y
    raise SolverError("an output that is not released would be worth releasing")

"""Which mechanisms for numbers on a line keep enough to estimate the mean without bias."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lpmech.channel import Channel
from lpmech.claims import Instance, Parts
from lpmech.linear_algebra import independent_columns
from lpmech.mechanisms.bipartite_rr import bipartite_channel
from lpmech.mechanisms.grid import symmetric_grid
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.across.paper import PAPER
from lpmech.privacy import PrivacyLevel
from lpmech.terms import functions as tm
from lpmech.utilities import absolute

J, M, T, N, X = tm.symbols("j m t N x")
_LEVEL = PrivacyLevel.from_ratio(3)


def _nearest(point: int, m: int) -> set[int]:
    """The m nearest of 1, ..., 9, ties to the larger one."""
    return set(sorted(range(1, 10), key=lambda j: (abs(j - point), -j))[:m])


@PAPER.claim(
    "BRR cannot be decoded without bias",
    r"for points 1, ..., $N$ with the distance $|i-j|$ and $3\le m\le N$ the first two rows of BRR are equal: no numbers given to its outputs have the true point as their mean",
    hypotheses=r"the $m$ nearest points of the first and of the second: $j$ is among them iff $|j - 1| \le m - 1$, and iff $|j - 2| \le m - 2$",
    given=[J >= 1],
    replay="N = 2..9, every m from there on, ties to the smaller index; one less, with ties to the larger",
    formula=3,
    note="At $m = 2$ it depends on how the tie of 1 and 3 about 2 is broken. `unbiased_bipartite_rr` keeps one point of each group with equal rows.",
)
def brr_cannot_be_decoded(least: int) -> Parts:
    for n in range(2, 10):
        for m in range(least, n + 1):
            rows = bipartite_channel(absolute(n), m, _LEVEL).matrix.tolist()
            yield Instance(f"N = {n}, m = {m}, t = 3: first two rows", rows[0], "==", rows[1])
    less = least - 1
    yield Instance(f"the {less} points nearest to 1, to 2", _nearest(1, less), "!=", _nearest(2, less))
    near_1, near_2 = J <= M, tm.And(J - 2 <= M - 2, 2 - J <= M - 2)
    same = tm.And(tm.Implies(near_1, near_2), tm.Implies(near_2, near_1))
    yield "near 1 iff near 2, whatever N and m", tm.Implies(M >= least, same)


@PAPER.claim(
    "BRR on points with different rows",
    r"rows of BRR with different windows are linearly independent: there are $N-m+1$ of them for $3\le m<N$, and rounding at random to their points and decoding is unbiased",
    family="points a step apart, N = 4..10, 3 <= m < N, t = 3; exact rank",
    formula=lambda n, m: n - m + 1,
)
def windows_are_independent(count: Callable[[int, int], int]) -> Parts:
    for n in range(4, 11):
        for m in range(3, n):
            rows = list(dict.fromkeys(map(tuple, bipartite_channel(absolute(n), m, _LEVEL).matrix.tolist())))
            rank = len(independent_columns(Channel(list(map(list, rows))).matrix))
            where = f"N = {n}, m = {m}, t = 3: different rows, their rank"
            yield Instance(where, (len(rows), rank), "==", (count(n, m), count(n, m)))


@PAPER.claim(
    "RR decodes numbers by a factor",
    "for points symmetric about 0 randomised response is decoded without bias by multiplying with $(t+N-1)/(t-1)$",
    hypotheses=r"$x_1 + \dots + x_N = 0$, $t > 1$: the mean of the released point is $((t-1) x + \sum x_j)/(t+N-1)$",
    given=[T > 1, N >= 2],
    replay="-1, ..., 1 with N = 2..6, t = 3, decoded by the inverse",
    formula=lambda t, n: (t + n - 1) / (t - 1),
    note="For $N = 2$ this is the mechanism of Duchi and others for means.",
)
def rr_decodes(factor: Callable[[Any, Any], Any]) -> Parts:
    for size in range(2, 7):
        points = symmetric_grid(1, Fraction(2, size - 1))
        values = (randomized_response(points, _LEVEL).decoder @ points).tolist()
        stated = [factor(Fraction(3), size) * p for p in points]
        yield Instance(f"N = {size}, t = 3: numbers that decode", values, "==", stated)
    yield "the decoded mean is the point", (factor(T, N) * ((T - 1) * X) / (T + N - 1), X)

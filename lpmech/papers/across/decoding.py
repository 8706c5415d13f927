"""Which mechanisms for numbers on a line keep enough to estimate the mean without bias."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.channel import Channel
from lpmech.linear_algebra import independent_columns
from lpmech.mechanisms.bipartite_rr import bipartite_channel
from lpmech.mechanisms.grid import symmetric_grid
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.across.paper import PAPER
from lpmech.papers.checking import check_family, check_implications, replayed
from lpmech.privacy import PrivacyLevel
from lpmech.utilities import absolute
from lpmech.verdicts import Outcome

J, M = sp.symbols("j m")


def _rank(rows: Sequence[Sequence[Fraction]]) -> int:
    return len(independent_columns(Channel([list(row) for row in rows]).matrix))


@PAPER.claim(
    "BRR cannot be decoded without bias",
    r"for points 1, ..., N with the distance |i-j| and 3\le m\le N the first two rows of BRR are equal: no numbers given to its outputs have the true point as their mean",
    hypotheses="the m nearest points of the first and of the second: j is among them iff |j - 1| <= m - 1, and iff |j - 2| <= m - 2. The formula is the least m. Replayed on N = 2..9, every m, "
    "ties to the smaller index",
    formula=3,
    mutants={"m >= 1": 1, "m >= 2, other ties": 2},
    note="At m = 2 it depends on how the tie of 1 and 3 about 2 is broken. `unbiased_bipartite_rr` keeps one point of each group with equal rows.",
)
def brr_cannot_be_decoded(least: int) -> Outcome:
    same = check_implications(
        [J >= 1, M >= least],
        {
            "near 1 => near 2": sp.Implies(J <= M, sp.And(J - 2 <= M - 2, 2 - J <= M - 2)),
            "near 2 => near 1": sp.Implies(sp.And(J - 2 <= M - 2, 2 - J <= M - 2), J <= M),
        },
        "the same m nearest points, every N and m",
    )

    def failure(case: tuple[int, int]) -> str | None:
        n, m = case
        rows = bipartite_channel(absolute(n), m, PrivacyLevel.from_ratio(3)).matrix.tolist()
        return None if rows[0] == rows[1] else f"N = {n}, m = {m}, t = 3: rows {rows[0]} and {rows[1]} differ"

    family = [(n, m) for n in range(2, 10) for m in range(least, n + 1)]
    return replayed(same, check_family(family, failure, "N = 2..9"))


@PAPER.claim(
    "BRR on points with different rows",
    r"rows of BRR with different windows are linearly independent: there are N-m+1 of them for 3\le m<N, and rounding at random to their points and decoding is unbiased",
    hypotheses="points a step apart, N = 4..10, 3 <= m < N, t = 3; exact rank. The formula is the number of independent rows",
    recorded="certified",
    formula=lambda n, m: n - m + 1,
    mutants={"N - m": lambda n, m: n - m, "N - 2m + 1": lambda n, m: n - 2 * m + 1, "N": lambda n, m: n},
)
def windows_are_independent(count: Callable[[int, int], int]) -> Outcome:
    def failure(case: tuple[int, int]) -> str | None:
        n, m = case
        rows = bipartite_channel(absolute(n), m, PrivacyLevel.from_ratio(3)).matrix.tolist()
        different = list(dict.fromkeys(map(tuple, rows)))
        rank = _rank(different)
        if len(different) == rank == count(n, m):
            return None
        return f"N = {n}, m = {m}, t = 3: {len(different)} different rows of rank {rank}, stated {count(n, m)}"

    return check_family([(n, m) for n in range(4, 11) for m in range(3, n)], failure, "N = 4..10, exact rank")


@PAPER.claim(
    "RR decodes numbers by a factor",
    r"for points symmetric about 0 randomised response is decoded without bias by multiplying with (t+N-1)/(t-1)",
    hypotheses="x_1 + ... + x_N = 0, t > 1: the mean of the released point is ((t-1) x + sum x_j)/(t+N-1). Replayed on -1, ..., 1 with N = 2..6, t = 3",
    formula=lambda t, n: (t + n - 1) / (t - 1),
    mutants={"(t+N)/(t-1)": lambda t, n: (t + n) / (t - 1), "(t+N-1)/t": lambda t, n: (t + n - 1) / t},
    note="For N = 2 this is the mechanism of Duchi and others for means.",
)
def rr_decodes(factor: Callable[[Any, Any], Any]) -> Outcome:
    t, n, x = sp.symbols("t N x")
    unbiased = check_implications(
        [t > 1, n >= 2],
        {"mean": sp.Eq(factor(t, n) * ((t - 1) * x) / (t + n - 1), x)},
        "every N, t and point",
    )

    def failure(size: int) -> str | None:
        points = symmetric_grid(1, Fraction(2, size - 1))
        decoder = randomized_response(points, PrivacyLevel.from_ratio(3)).decoder
        values = [sum((d * p for d, p in zip(row, points, strict=True)), Fraction(0)) for row in decoder.tolist()]
        stated = [factor(Fraction(3), size) * p for p in points]
        return None if values == stated else f"N = {size}, t = 3: {values} decode, stated {stated}"

    return replayed(unbiased, check_family(range(2, 7), failure, "N = 2..6, decoded by the inverse"))

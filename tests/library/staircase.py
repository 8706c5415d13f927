"""Staircase randomised response: its steps, its groups and the best sizes of three groups."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, product
from typing import Any

from library.paper import PAPER
from library.parameters import at, settings
from lpmech.claims import Parts
from lpmech.errors import LabelError, UtilityError
from lpmech.mechanisms.staircase_rr import best_group_sizes, ranked_groups, staircase_rr
from lpmech.papers.across.agreement import agrees, refused
from lpmech.privacy import PrivacyLevel

Groups = list[list[int]]


def _ranked(utility: list[list[int]], sizes: Sequence[int]) -> Groups:
    labels = [group for group, size in enumerate(sizes, 1) for _ in range(size)]
    orders = [sorted(range(len(row)), key=lambda j: (-row[j], j != k, j)) for k, row in enumerate(utility)]
    return [[labels[order.index(j)] for j in range(len(order))] for order in orders]


def _rows(groups: Groups, t: Fraction) -> list[list[Fraction]]:
    """alpha_m by its formula, the others in equal steps up to alpha_1 = t alpha_m."""
    m, n = max(map(max, groups)), len(groups[0])
    lows = [Fraction(m - 1) / ((m - 1) * n * t - (t - 1) * sum(g - 1 for g in row)) for row in groups]
    return [[low * (t - (g - 1) * (t - 1) / (m - 1)) for g in row] for low, row in zip(lows, groups, strict=True)]


@PAPER.claim(
    "Staircase randomised response (the functions)",
    r"`staircase_rr` has $\alpha_m=\frac{m-1}{(m-1)Ne^\epsilon-(e^\epsilon-1)\sum_{j\ge 2}(j-1)|G_j|}$ and equal steps up to $e^\epsilon\alpha_m$, `ranked_groups` the most useful outputs first; `best_group_sizes` finds the best three sizes",
    hypotheses="of equal outputs the true item comes first, then the smaller index; every three sizes, as exact channels, which are private; what are no groups or sizes is refused",
    family="48 whole utilities with ties, 1 to 4 items, 3, 4 and 6 outputs, priors with zeros, t = 11/10, 2, 9, 10^9; rows with groups of different sizes too",
    formula=(staircase_rr, ranked_groups, best_group_sizes),
    survivors={
        "part 1: range(1, m + 1) -> range(1, m + 1 + 1)": "a weight that no group has",
        "part 1: 1 -> 2 in m + 1": "a weight that no group has",
        "part 3: 1 -> 0 in n - 1": "a third group without outputs is never better: the least useful output is at most the mean",
    },
)
def staircase(functions: Any) -> Parts:
    mechanism, ranked, best_sizes = functions
    for utility, prior, level in chain(*(settings((1, 2, 3, 4) * 4, columns) for columns in (3, 4, 6))):
        n, values, where = len(utility[0]), {}, at(utility, prior, level)
        for sizes in ((a, b, n - a - b) for a, b in product(range(1, n), repeat=2) if a + b < n):
            groups = ranked(utility, sizes).tolist()
            channel = mechanism(groups, level)
            yield agrees(f"{where}: groups of {sizes}", groups, _ranked(utility, sizes))
            yield agrees(f"{where}: channel of {sizes}", channel.matrix, _rows(groups, Fraction(level.ratio)))
            yield channel.satisfies(level) or f"{where}: the channel of {sizes} is not private"
            values[sizes] = channel.expected_utility(utility, prior)
        found = best_sizes(utility, level, prior)
        yield values[found] == max(values.values()) or f"{where}: {found} is not the best"
    five = PrivacyLevel.from_ratio(5)
    for groups in ([[1, 2, 2], [1, 1, 2]], [[4, 2], [1, 1]], [[3, 3, 1, 2, 2]]):
        yield agrees(f"groups {groups}, t = 5", mechanism(groups, five).matrix, _rows(groups, Fraction(5)))
    yield from refused(LabelError, mechanism, ([[1, 1]], five), ([[0, 2]], five), ([[Fraction(3, 2), 2]], five))
    yield from refused(LabelError, ranked, *(([[1, 2, 3]], sizes) for sizes in ((1, 1), (0, 3), (4,))))
    yield from refused(UtilityError, best_sizes, ([[1, 2]], five, None))

"""Section IV.D: how far the printed m = min(m_1, m_2) is off, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.certify.checker import exp_bounds
from lpmech.errors import UndecidedError
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.checking import check_implications
from lpmech.papers.claims import Parts
from lpmech.papers.zhang2025.paper import PAPER
from lpmech.papers.zhang2025.section_4d import ALL_SIZES, sizes_and_levels
from lpmech.papers.zhang2025.section_4d_m import printed_minimum
from lpmech.papers.zhang2025.section_4d_roots import roots_ordered


@PAPER.claim(
    "m = min(m_1, m_2) (how far off)",
    r"the printed \min\{m_1,m_2\} is the m of Alg. 2 or exactly one too large, for every N and \epsilon",
    hypotheses="t > 1, N >= 3; r_1 and r_2 the right roots of (8) and of (9) or (10), r_1 < r_2: 'i_3r > i_1r [repaired]'; m of an end point is the last integer below r_1, that of a middle row the last odd one below r_2. The formula: printed less true value",
    replay=f"{ALL_SIZES}, N >= 3; 0 and 1 both occur",
    formula=lambda surplus: sp.And(surplus >= 0, surplus <= 1),
    mutants={"one too small or right": lambda surplus: sp.And(surplus >= -1, surplus <= 0)},
    survivors={
        "surplus -> surplus ** 2": "the same for whole numbers at least 0",
        "surplus -> surplus ** 2, place 2": "the same for whole numbers at least 0",
    },
    note="m_2 by itself is two too large where it is wrong, but the minimum then is the printed m_1, one more than the true m_2. With m one too large a row of utility at a tie loses nothing, another one does: see 'm_2 (odd or even)'.",
)
def how_far(surplus: Any) -> Parts:
    found = set()
    for n, t in sizes_and_levels(3):
        printed, right = printed_minimum(t, n), closed.m_integers(t, n)
        found.add(printed - right)
        yield surplus(sp.Integer(printed - right)) == sp.true or f"N = {n}, t = {t}: printed {printed}, right {right}"
    for amount in set(range(-3, 4)) - found:
        yield surplus(sp.Integer(amount)) == sp.false or f"never {amount} too large"
    first, second = sp.symbols("r_1 r_2")
    end, end_printed, middle, middle_printed = sp.symbols("m_1 f_1 m_2 f_2", integer=True)
    rounded = [end_printed <= first, first < end_printed + 1]
    in_middle = [
        *(end_printed <= first, first < second, middle < second, second <= middle + 2),
        *(middle_printed - 1 <= second, second < middle_printed + 1),
    ]
    at_end = {"m_1 is f_1 or f_1 - 1": sp.And(end_printed - 1 <= end, end <= end_printed)}
    order = {"f_1 <= f_2": end_printed <= middle_printed}
    not_less = {"m_2 >= f_1 - 1": middle >= end_printed - 1}
    for given, bound in (
        ([end < first, first <= end + 1, *rounded], at_end),
        (in_middle, order),
        (in_middle, not_less),
    ):
        yield check_implications(given, bound, "rounding of two roots in this order")
    yield check_implications(
        [*at_end.values(), *order.values(), *not_less.values()],
        {"printed less true": surplus(sp.Min(end_printed, middle_printed) - sp.Min(end, middle))},
        "and the smaller of each",
    )
    yield roots_ordered(3)


#: epsilon -> for how many N of 3..200 the printed m is one too large.
WRONG: Mapping[str, int] = {"1": 50, "3": 51, "5": 49}


@PAPER.claim(
    "m = min(m_1, m_2) (how often off)",
    r"at the budgets \epsilon=1,3,5 of Fig. 11 the printed m is one too large for 50, 51 and 49 of the 198 sizes N=3,\dots,200",
    hypotheses="|i - j| on 1..N; e^epsilon enclosed by rationals at both ends of which all values agree",
    every="all N from 3 to 200",
    formula=WRONG,
    note="e^epsilon is irrational there, so r_1 is no integer and the printed m_1 is right: the whole error is the parity of m_2, in one size out of four. N = 20 at epsilon = 3 is among them.",
)
def how_often(claimed: Mapping[str, int]) -> Parts:
    for budget, count in claimed.items():
        wrong = []
        for n in range(3, 201):
            values = {
                (
                    printed_minimum(t, n),
                    closed.m_end_point_printed(t, n),
                    closed.m_integers(t, n),
                    closed.m_end_point(t, n),
                )
                for t in exp_bounds(Fraction(budget))
            }
            if len(values) > 1:
                raise UndecidedError(f"N = {n}, epsilon = {budget}: e^epsilon is not told apart from a threshold")
            found, end_printed, right, end = values.pop()
            yield end_printed == end or f"N = {n}, epsilon = {budget}: m_1 is printed as {end_printed}, right is {end}"
            wrong += [n] if found != right else []
        yield len(wrong) == count or (
            f"epsilon = {budget}: wrong for {len(wrong)} sizes, N = {', '.join(map(str, wrong[:5]))}, ..."
        )

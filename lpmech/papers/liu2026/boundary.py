"""Section 4: which optimal solutions of (4.1) lie where (4.2) and (4.3) are equalities."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.mechanisms.block_rr import beta, gamma
from lpmech.papers.checking import check_identities, check_implications
from lpmech.papers.claims import Parts
from lpmech.papers.liu2026.paper import PAPER, S1, S2, L, T
from lpmech.papers.liu2026.section_4 import WITH_MINORITY, closed_form_entries, described, small_cases, solved

FIRST, SECOND, X, Y, REST = sp.symbols("a b x y R")


def _left_sides(matrix: Any, t: Any, majority: list[int], favoured: list[int]) -> list[Any]:
    """Left sides of (4.2), (4.3) for B(y) = {y}, S~ = S."""
    size = len(matrix)
    found = []
    for y in range(size):
        fixed = [] if y in majority else favoured
        rest = sum(matrix[j][j] for j in range(size) if j != y and j not in fixed)
        found.append(matrix[y][y] + rest / t + len(fixed) * t**0 / size)
    return found


@PAPER.claim(
    "Section 4 (boundary, which points)",
    r"a feasible point of (4.1) has equalities in (4.2) and (4.3) for all labels iff it is BlockRR's closed form: so 'the equations hold' at an optimal solution iff the closed form is one",
    hypotheses="B(y) = {y}, S~ = S; a, b diagonal entries on S1 and S2, x, y those of two labels of one set, R the sum of the others. The formula: the diagonal. "
    "Replayed on positive priors with denominator 4 on K = 2, 3 labels, d in {1/2, 1/4}, t in {2, 5}, every l: closed form and exact optimum",
    given=WITH_MINORITY,
    evidence="the two equations form a regular system, solved by Cramer's rule",
    replay="closed forms and exact optima",
    formula=lambda t, s1, s2, l: (t * beta(t, 1, s1, s2, l), t * gamma(t, 1, s1, s2, l)),
    mutants={
        "RR": lambda t, s1, s2, l: (t / (t + s1 + s2 - 1), t / (t + s1 + s2 - 1)),
        "beta and gamma exchanged": lambda t, s1, s2, l: (t * gamma(t, 1, s1, s2, l), t * beta(t, 1, s1, s2, l)),
    },
    note="It is what repairs 'Section 4 (boundary)' for every prior: see 'eq. (4.1) (when BlockRR is optimal)'. An equality in row y makes every free entry off the diagonal 1/t of the diagonal entry below it: 'eq. (4.2) and (4.3) (equality) [repaired]'.",
)
def equalities_only_at_block_rr(diagonal: Any) -> Parts:
    """Two equalities of one set differ by (1 - 1/t)(x - y), so its diagonal entries agree; two equations with a regular matrix are left."""
    for case in small_cases():
        prior, _, t, l = case
        solution, closed, majority = solved(case)
        favoured = sorted(majority, key=lambda y: (-prior[y], y))[:l]
        s1, s2 = len(majority), len(prior) - len(majority)
        entries, (high, low) = closed_form_entries(t, s1, s2, l), diagonal(t, s1, s2, l)
        right = high == entries["majority own"] and (not s2 or low == entries["minority own"])
        yield right or f"{described(case)}: the diagonal is {high} and {low}"
        for matrix in (closed.matrix, solution.channel.matrix):
            sides, same = _left_sides(matrix.tolist(), t, majority, favoured), bool((matrix == closed.matrix).all())
            where = f"{described(case)}: left sides {', '.join(map(str, sides))}"
            point = "the closed form" if same else "another point"
            yield all(v == 1 for v in sides) == same or f"{where} at {point}"
    two_labels = [T > 1, sp.Eq(X + (Y + REST) / T, Y + (X + REST) / T)]
    yield check_implications(two_labels, {"x = y": sp.Eq(X, Y)}, "the diagonal is constant on S1, on S2")
    on_first, on_second = 1 + (S1 - 1) / T, S2 / T
    minor_first, minor_second = (S1 - L) / T, 1 + (S2 - 1) / T
    majority = on_first * FIRST + on_second * SECOND - 1
    minority = minor_first * FIRST + minor_second * SECOND + L / (S1 + S2) - 1
    determinant = on_first * minor_second - on_second * minor_first
    high, low = diagonal(T, S1, S2, L)
    yield "a", (determinant * (FIRST - high), minor_second * majority - on_second * minority)
    yield "b", (determinant * (SECOND - low), on_first * minority - minor_first * majority)
    yield "determinant > 0", determinant > 0
    no_minority = {"S2 empty": (on_first * (FIRST - high.subs(S2, 0)), on_first * FIRST - 1)}
    whole = (T > 1, S1 >= 1, L >= 0, L <= S1)
    yield check_identities(no_minority, "also without minority labels", hypotheses=whole)

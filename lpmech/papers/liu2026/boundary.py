"""Section 4: which optimal solutions of (4.1) lie where (4.2) and (4.3) are equalities."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.mechanisms.block_rr import beta, gamma
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.liu2026.paper import PAPER, S1, S2, L, T
from lpmech.papers.liu2026.section_4 import Case, closed_form_entries, described, small_cases, solved
from lpmech.verdicts import Outcome

FIRST, SECOND, X, Y, REST = sp.symbols("a b x y R")
SIZES = (T > 1, S1 >= 1, S2 >= 1, L >= 0, L <= S1)


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
    hypotheses="t > 1, B(y) = {y}, S~ = S, s1 >= 1, s2 >= 0, 0 <= l <= s1; a, b diagonal entries on S1 and S2, x, y those of two labels of one set, R the sum of the others. The formula: the diagonal. "
    "Replayed on positive priors with denominator 4 on K = 2, 3 labels, d in {1/2, 1/4}, t in {2, 5}, every l: closed form and exact optimum",
    formula=lambda t, s1, s2, l: (t * beta(t, 1, s1, s2, l), t * gamma(t, 1, s1, s2, l)),
    mutants={
        "RR": lambda t, s1, s2, l: (t / (t + s1 + s2 - 1), t / (t + s1 + s2 - 1)),
        "beta and gamma exchanged": lambda t, s1, s2, l: (t * gamma(t, 1, s1, s2, l), t * beta(t, 1, s1, s2, l)),
        "e^eps left out": lambda t, s1, s2, l: (beta(t, 1, s1, s2, l), gamma(t, 1, s1, s2, l)),
    },
    note="It is what repairs 'Section 4 (boundary)' for every prior: see 'eq. (4.1) (when BlockRR is optimal)'. An equality in row y makes every free entry off the diagonal 1/t of the diagonal entry below it: 'eq. (4.2) and (4.3) (equality) [repaired]'.",
)
def equalities_only_at_block_rr(diagonal: Any) -> Outcome:
    """Two equalities of one set differ by (1 - 1/t)(x - y), so its diagonal entries agree; two equations with a regular matrix are left."""
    alike = check_implications(
        [T > 1, sp.Eq(X + (Y + REST) / T, Y + (X + REST) / T)],
        {"x = y": sp.Eq(X, Y)},
        "the diagonal is constant on S1, on S2",
    )
    size = S1 + S2
    (on_first, on_second), (minor_first, minor_second) = (
        (1 + (S1 - 1) / T, S2 / T),
        ((S1 - L) / T, 1 + (S2 - 1) / T),
    )
    majority = on_first * FIRST + on_second * SECOND - 1
    minority = minor_first * FIRST + minor_second * SECOND + L / size - 1
    determinant = on_first * minor_second - on_second * minor_first
    high, low = diagonal(T, S1, S2, L)
    solved_for = check_identities(
        {
            "a": (determinant * (FIRST - high), minor_second * majority - on_second * minority),
            "b": (determinant * (SECOND - low), on_first * minority - minor_first * majority),
        },
        "Cramer's rule: both equations hold iff a and b are those of the closed form",
        hypotheses=SIZES,
    )
    regular = check_implications(SIZES, {"determinant > 0": determinant > 0}, "the system is regular")
    without = check_identities(
        {"S2 empty": (on_first * (FIRST - high.subs(S2, 0)), on_first * FIRST - 1)},
        "also without minority labels",
        hypotheses=(T > 1, S1 >= 1, L >= 0, L <= S1),
    )

    def failure(case: Case) -> str | None:
        prior, _, t, l = case
        solution, closed, majority = solved(case)
        favoured = sorted(majority, key=lambda y: (-prior[y], y))[:l]
        entries = closed_form_entries(t, len(majority), len(prior) - len(majority), l)
        high, low = diagonal(t, len(majority), len(prior) - len(majority), l)
        if high != entries["majority own"] or (len(majority) < len(prior) and low != entries["minority own"]):
            return f"{described(case)}: the diagonal is {high} and {low}"
        for matrix, is_closed in ((closed.matrix, True), (solution.channel.matrix, None)):
            sides = _left_sides(matrix.tolist(), t, majority, favoured)
            same = bool((matrix == closed.matrix).all())
            if all(v == 1 for v in sides) != (is_closed or same):
                return f"{described(case)}: left sides {', '.join(map(str, sides))} at {'the closed form' if same else 'another point'}"
        return None

    proof = both(both(alike, solved_for), both(regular, without))
    return replayed(proof, check_family(small_cases(), failure, "closed forms and exact optima"))

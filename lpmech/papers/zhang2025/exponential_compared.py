"""Section V.B and the conclusion: is BRR ahead of the exponential mechanism for every similarity?"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star, local_m
from lpmech.mechanisms.exponential import exponential_from_root, sensitivity
from lpmech.papers.checking import both, check_family, check_implications, replayed
from lpmech.papers.claims import Repair
from lpmech.papers.zhang2025.greedy import loop_maximises
from lpmech.papers.zhang2025.paper import PAPER, Matrix, similarity_matrices, written
from lpmech.verdicts import Outcome

#: Diagonally largest 3 x 3 matrices, and the smallest found in which BRR* is behind too.
BEHIND: Matrix = ((1, 1, 1), (0, 2, 1), (0, 2, 2))
ROOTS = (Fraction(2), Fraction(3))


def _instances() -> list[tuple[Matrix, Fraction]]:
    shifted = [tuple(tuple(v - 1 for v in row) for row in m) for m in similarity_matrices(3, 3)]
    usable = [m for m in [*shifted[::7], BEHIND] if sensitivity(m) == 1]
    return list(product(usable, ROOTS))


def _same_m(matrix: Matrix, level: PrivacyLevel) -> bool:
    return len({local_m(row, level) for row in matrix}) == 1


@PAPER.claim(
    "Section V.B (exponential mechanism, every similarity)",
    r"what 'for any utility function and any privacy level ... the optimal randomized response' implies of 'lower utility loss than ... exponential mechanism': the average utility of BRR is at least that of (3) for every similarity with the true item on top",
    hypotheses="3 x 3 similarities with sensitivity 1, every seventh of those in {0, 1, 2} and (1 1 1; 0 2 1; 0 2 2); the true item largest in its row, uniform prior, t = 4 and 9; the better of BRR and BRR*; exact. The formula says for which it is claimed",
    consequence="optimality",
    recorded="refuted",
    formula=lambda matrix, level: True,
    mutants={
        "at most one constant row": lambda matrix, level: sum(len(set(row)) == 1 for row in matrix) <= 1,
        "true item above all others": lambda matrix, level: all(row[k] >= max(row) for k, row in enumerate(matrix)),
    },
    note="The text of V.B speaks of the two similarities of its figures, and is right there: 'Figs. 4 and 5 (strictly better than the exponential mechanism)'. The exponential mechanism adapts every row by itself, BRR forces one m on all; a row with little to choose from drags the others down.",
    repair=Repair(
        r"BRR's utility is in every row at least that of the exponential mechanism if all rows choose the same m in Alg. 1 and the true item is the most similar in each, for every N and \epsilon",
        hypotheses="t > 1; within a row the weights of (3) are then at most e^epsilon apart: u_yy - u_yj <= 2 Delta q. Among weights in [1, e^epsilon] those of Alg. 1 are best for the row. Replayed on the same matrices",
        formula=_same_m,
        mutants={"for every similarity": lambda matrix, level: True},
        note="So for |i - j| turned into a circle, for the Hamming distance, and for every similarity whose rows are rearrangements of one another.",
    ),
)
def ahead_of_exponential(claimed: Any) -> Outcome:
    def failure(instance: tuple[Matrix, Fraction]) -> str | None:
        matrix, root = instance
        level = PrivacyLevel.from_ratio(root**2)
        if not claimed(matrix, level):
            return None
        own = max(c(matrix, level).expected_utility(matrix) for c in (bipartite_rr, bipartite_rr_star))
        other = exponential_from_root(matrix, root).expected_utility(matrix)
        return (
            None
            if own >= other
            else f"lambda = {written(matrix)}, t = {root**2}: BRR and BRR* {own}, exponential mechanism {other}"
        )

    instances = check_family(_instances(), failure, "3 x 3 similarities of sensitivity 1")
    own, mine, theirs, best, delta = sp.symbols("u_yy u_yj u_jy u_jj Delta")
    spread = check_implications(
        [delta > 0, own - theirs <= delta, best - mine <= delta, best >= theirs, own >= mine],
        {"within a row": own - mine <= 2 * delta},
        "two outputs, both rows: the exponents of (3) lie within epsilon of each other",
    )
    return replayed(both(spread, loop_maximises(lambda similarity, value: similarity > value)), instances)

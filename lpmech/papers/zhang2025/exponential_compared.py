"""Section V.B and the conclusion: is BRR ahead of the exponential mechanism for every similarity?"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star, local_m
from lpmech.mechanisms.exponential import exponential_from_root, sensitivity
from lpmech.papers.claims import Parts, Repair
from lpmech.papers.zhang2025.greedy import loop_maximises, raised_above
from lpmech.papers.zhang2025.paper import PAPER, Matrix, similarity_matrices, written

#: The smallest found in which BRR* is behind too.
BEHIND: Matrix = ((1, 1, 1), (0, 2, 1), (0, 2, 2))
SHIFTED = [tuple(tuple(v - 1 for v in row) for row in m) for m in similarity_matrices(3, 3)]
CASES = [m for m in [*SHIFTED[::7], BEHIND] if sensitivity(m) == 1]

OWN, MINE, THEIRS, BEST, DELTA = sp.symbols("u_yy u_yj u_jy u_jj Delta")


@PAPER.claim(
    "Section V.B (exponential mechanism, every similarity)",
    r"what 'for any utility function and any privacy level ... the optimal randomized response' implies of 'lower utility loss than ... exponential mechanism': the average utility of BRR is at least that of (3) for every similarity with the true item on top",
    hypotheses="the true item largest in its row, uniform prior; the better of BRR and BRR*. The formula says for which similarities it is claimed",
    given=[DELTA > 0, OWN - THEIRS <= DELTA, BEST - MINE <= DELTA, BEST >= THEIRS, OWN >= MINE],
    evidence="two outputs, both rows: the exponents of (3) lie within epsilon of each other",
    replay="3 x 3 similarities with sensitivity 1, every seventh of those in {0, 1, 2} and (1 1 1; 0 2 1; 0 2 2), t = 4 and 9, exact",
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
        hypotheses="t > 1; within a row the weights of (3) are then at most e^epsilon apart: u_yy - u_yj <= 2 Delta q. Among weights in [1, e^epsilon] those of Alg. 1 are best for the row",
        formula=lambda matrix, level: len({local_m(row, level) for row in matrix}) == 1,
        note="So for |i - j| turned into a circle, for the Hamming distance, and for every similarity whose rows are rearrangements of one another.",
    ),
)
def ahead_of_exponential(claimed: Any) -> Parts:
    for matrix, root in product(CASES, (Fraction(2), Fraction(3))):
        level = PrivacyLevel.from_ratio(root**2)
        if claimed(matrix, level):
            own = max(c(matrix, level).expected_utility(matrix) for c in (bipartite_rr, bipartite_rr_star))
            other = exponential_from_root(matrix, root).expected_utility(matrix)
            yield own >= other or (
                f"lambda = {written(matrix)}, t = {root**2}: BRR and BRR* {own}, exponential mechanism {other}"
            )
    yield "within a row", OWN - MINE <= 2 * DELTA
    yield loop_maximises(raised_above)

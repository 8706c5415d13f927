"""The dual of (4.1) that proves BlockRR optimal, for every K: channels, priors and duals as vectors of any length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lpmech.claims import Parts, each
from lpmech.mechanisms.block_rr.optimality import dual_from_sum, dual_sums
from lpmech.papers.liu2026.paper import PAPER, S1, S2, L, T, beta, gamma
from lpmech.terms import functions as tm
from lpmech.terms.vectors import Vector

SIZE, D, I, J, Y, FIRST, WHOLE, MASS, KEPT = tm.symbols("K d i j y F W A M")
PRIOR, DUAL, COLUMN = (Vector(name, SIZE) for name in ("p", "u", "c"))
CHANNEL = Vector("q", SIZE, SIZE)
#: Delta is 1..l, S1 is 1..s1, and S2 the labels from there to K.
SIZES = (tm.Whole(SIZE, S1, L), T > 1, S1 >= 1, S1 <= SIZE, L >= 0, L <= S1, D >= 0, D < 1)
OUTPUT = (tm.Whole(J), J >= 1, J <= SIZE)
SCALARS = (T > 1, S1 >= 1, S2 >= 0, L >= 0, L <= S1)


def _sum(term: Callable[[Any], Any], first: Any, last: Any) -> Any:
    return tm.Sum(term(I), (I, first, last))


def _column(rows: Any) -> Any:
    """Weights less duals, times the entries of column j: of the rows 1..rows, among which j is."""
    return _sum(lambda y: (D * PRIOR[J] - DUAL[y]) * CHANNEL[y, J], 1, rows) + (1 - D) * PRIOR[J] * CHANNEL[J, J]


DUALS_OF_S1, DUALS = (_sum(lambda y: DUAL[y], 1, last) for last in (S1, SIZE))
#: What the fixed entries of a column of Delta add: 1/K in each row of S2.
FIXED = ((SIZE - S1) * D * PRIOR[J] - (DUALS - DUALS_OF_S1)) / SIZE


@PAPER.claim(
    "eq. (4.1) (dual of BlockRR, every K)",
    r"for every $K$, every prior and every channel of (4.1): if $\pi_y\ge d p_j$ wherever row $y$ is free in the column of another label $j$, the duals of 'eq. (4.1) (when BlockRR is optimal)' "
    r"bound the objective by $\Pi+(s_2dA-l(\Pi-\Pi_1))/K$, which BlockRR's closed form attains",
    hypotheses=r"labels are numbered: $\Delta$ is $1, \dots, l$, $S_1$ is $1, \dots, s_1$; $\tilde{S} = S$, $B(y) = \{y\}$, $K = s_1 + s_2$; $A$, $M$ the prior mass of $\Delta$ and of the rest of $S_1$, $d = e^{-1/\sigma}$; "
    r"$q$ a channel, $u$ the duals, $F$, $W$ their sums $\Pi_1$, $\Pi$, $c_j$ what column $j$ adds to objective less duals",
    formula=(dual_sums, dual_from_sum),
    kind="ours",
    mutants={"sums of l = 0": (lambda t, s1, s2, l, d, a, m: dual_sums(t, s1, s2, 0, d, 0, a + m), dual_from_sum)},
    uses=("eq. (4.1) (when BlockRR is optimal)",),
    note="Weak duality by machine, sums over labels included. That these are the only duals that can prove it is 'eq. (4.1) (when BlockRR is optimal)'.",
)
def every_size(formulas: Any) -> Parts:
    """Sums of the duals; columns with free rows; fixed rows; all columns; the objective is their sum; it is attained."""
    sums, dual = formulas
    of_first, of_rest = (T + (S1 - 1) * D), (T + (SIZE - 1) * D)
    mass, kept = _sum(lambda y: PRIOR[y], 1, L), _sum(lambda y: PRIOR[y], L + 1, S1)
    first = (mass * of_first - L * FIRST + kept * of_rest - (S1 - L) * WHOLE) / (T - 1)
    in_delta = _sum(lambda y: dual(PRIOR[y], T, S1, D, FIRST), 1, L)
    beside = _sum(lambda y: dual(PRIOR[y], T, SIZE, D, WHOLE), L + 1, S1)
    yield SIZES, {"the duals of S1": tm.Eq(in_delta + beside, first)}
    minority = _sum(lambda y: dual(PRIOR[y], T, SIZE, D, WHOLE), S1 + 1, SIZE)
    rest = ((1 - mass - kept) * of_rest - (SIZE - S1) * WHOLE) / (T - 1)
    prior = tm.Eq(_sum(lambda y: PRIOR[y], 1, SIZE), 1)
    yield [*SIZES, prior], {"the duals of S2": tm.Eq(minority, rest)}
    first_sum, whole_sum = sums(T, S1, S2, L, D, MASS, KEPT)
    size = S1 + S2
    weighted = T + (size - 1) * D
    own = (MASS * of_first - L * first_sum + KEPT * weighted - (S1 - L) * whole_sum) / (T - 1)
    others = ((1 - MASS - KEPT) * weighted - S2 * whole_sum) / (T - 1)
    yield SCALARS, {"their sums": (own, first_sum), "with S2": (own + others, whole_sum)}
    bound = whole_sum + (S2 * D * MASS - L * (whole_sum - first_sum)) / size
    high, low = beta(T, 1, S1, S2, L), gamma(T, 1, S1, S2, L)
    attained = (
        MASS * ((1 - D) * T * high + D * ((T + S1 - 1) * high + S2 / size))
        + KEPT * ((1 - D) * T * high + D * (T + size - 1) * high)
        + (1 - MASS - KEPT) * ((1 - D) * T * low + D * (T + size - 1) * low)
    )
    yield [*SCALARS, D >= 0, D < 1], {"the closed form attains the bound": (attained, bound)}

    private = tm.Each(CHANNEL[Y, J] >= CHANNEL[J, J] / T, (Y, 1, SIZE))
    columns = {"of Delta": (S1, L, DUALS_OF_S1), "beside Delta": (SIZE, SIZE, DUALS)}
    for name, (rows, last, total) in each("column", columns.items()):
        above = [tm.Each(DUAL[Y] >= D * PRIOR[J], (Y, *ends)) for ends in ((1, J - 1), (J + 1, rows))]
        solved = tm.Eq(DUAL[J], dual(PRIOR[J], T, rows, D, total))
        yield [*SIZES, *OUTPUT, J <= last, private, *above, solved], {f"column {name}": _column(rows) <= 0}

    products = [(D * PRIOR[J] - DUAL[Y]) * entry for entry in (CHANNEL[Y, J], 1 / SIZE)]
    fixed = tm.Each(tm.Eq(CHANNEL[Y, J], 1 / SIZE), (Y, S1 + 1, SIZE))
    of_fixed = tm.Each(tm.Eq(*products), (Y, S1 + 1, SIZE))
    yield [*SIZES, *OUTPUT, fixed], {"fixed entries": of_fixed}
    yield [*SIZES, *OUTPUT, _column(S1) <= 0, of_fixed], {"column of Delta with them": _column(SIZE) <= FIXED}

    bounded = [tm.Each(COLUMN[J] <= FIXED, (J, 1, L)), tm.Each(COLUMN[J] <= 0, (J, L + 1, SIZE))]
    added = ((SIZE - S1) * D * mass - L * (DUALS - DUALS_OF_S1)) / SIZE
    yield [*SIZES, *bounded], {"all columns": _sum(lambda j: COLUMN[j], 1, SIZE) <= added}
    stochastic = tm.Each(tm.Eq(tm.Sum(CHANNEL[Y, J], (J, 1, SIZE)), 1), (Y, 1, SIZE))
    weights = _sum(lambda y: D * PRIOR[J] * CHANNEL[y, J], 1, SIZE) + (1 - D) * PRIOR[J] * CHANNEL[J, J]
    exchanged = tm.Eq(tm.Sum(weights, (J, 1, SIZE)) - DUALS, tm.Sum(_column(SIZE), (J, 1, SIZE)))
    yield [tm.Whole(SIZE), SIZE >= 1, stochastic], {"objective less duals": exchanged}

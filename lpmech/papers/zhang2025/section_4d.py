"""Section IV.D: BRR on the integers 1..N with |i - j|: Fig. 3, the chains, (8), (9), (10) and m."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import chain, product
from typing import Any

import numpy as np

from lpmech.claims import Instance, Parts, Relations, each
from lpmech.entries import as_array
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.mechanisms.bipartite_rr import derivation as derived
from lpmech.papers.zhang2025 import rows as lemmas
from lpmech.papers.zhang2025.paper import PAPER
from lpmech.prove import steps
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

T, N, I, R, HALF_N = map(term_of, (derived.t, derived.N, derived.i, derived.r, derived.M))
SIZE, K, H = tm.symbols("N k h")
OWN, OTHER, WEIGHT, LOW, HIGH, TAIL, HEAD = tm.symbols("lambda_i lambda_j s_j L H S_tail S_head")

#: e^epsilon for the exhaustive checks; 11/4 and above have epsilon > 1, and 4 and 9 make square roots rational.
LEVELS = tuple(map(Fraction, ("3/2", "2", "11/4", "3", "4", "7/2", "9", "20", "55")))
ALL_SIZES = "N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}; N = 3, 20, 201, 500, t in {1001/1000, 10^4}; exact"
#: A rational just above e: t > E_ABOVE implies epsilon > 1.
E_ABOVE = Fraction(2719, 1000)


def sorted_losses(n: int, k: int) -> list[int]:
    """The distances of item k to 1..N in rising order."""
    return sorted(abs(j - k) for j in range(1, n + 1))


@cache
def row_ms(n: int, t: Fraction) -> tuple[int, ...]:
    """m of every row by Alg. 1, the similarities the negative distances, in whole numbers."""
    rows = (-np.array(sorted_losses(n, k)) for k in range(1, (n + 1) // 2 + 1))  # row N + 1 - k has the same distances
    found = [closed.greedy_m(row, t.numerator, t.denominator) for row in rows]
    return tuple(found + found[n // 2 - 1 :: -1] if n > 1 else found)


def sizes_and_levels(least: int = 1) -> Iterable[tuple[int, Fraction]]:
    """One where m > 1; all N up to 200 at every level, small N first; some larger N, levels next to 1 and far from it."""
    extreme = product((3, 20, 201, 500), (Fraction(1001, 1000), Fraction(10**4)))
    return chain([(20, LEVELS[0])], product(range(least, 201), LEVELS), extreme)


@PAPER.claim(
    "Section IV.D (losses)",
    r"the rule for losses, raise $s_i$ until $\partial Q/\partial s_i\ge 0$, is Alg. 1 for the similarities $-\lambda$",
    hypotheses=r"any losses, $N$ and $t$: each term of the numerator of (7) changes its sign, rising losses are falling similarities. $-\lambda$ is not positive, which Alg. 1 does not need",
    given=[WEIGHT > 0],
    replay="|i - j| on 1..N, every row, N <= 25 at nine levels",
    formula=lambda loss: -loss,
    survivors={"loss -> loss + 1": "the same: a constant added to all losses changes no difference"},
    note=r"Algs. 1 to 3 ask for $\lambda_1 \ge \dots \ge \lambda_N > 0$, section IV.D has $0 = \lambda_1 \le \dots \le \lambda_N$: another quantity, the same letter.",
)
def losses_as_similarities(similarity: Any) -> Parts:
    for n, t in product(range(1, 26), LEVELS):
        for k in range(1, n + 1):
            losses = sorted_losses(n, k)
            m = closed.greedy_m(as_array([Fraction(str(similarity(loss))) for loss in losses], "row", 1), t)
            weights = [[t.numerator] * i + [t.denominator] * (n - i) for i in range(1, n)]  # times the denominator of t
            raised = [closed.derivative_numerator(losses, w, i) < 0 for i, w in enumerate(weights, 1)]
            yield raised == [i < m for i in range(1, n)] or f"N = {n}, t = {t}, row {k}: m = {m}, but raised {raised}"
    yield "every term of (7)", ((similarity(OWN) - similarity(OTHER)) * WEIGHT, -(OWN - OTHER) * WEIGHT)


FIG_3 = {
    1: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    2: (0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    3: (0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9),
    4: (0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9),
    5: (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7),
    6: (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6),
    7: (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6),
}
FIG_3_MENDED = {**FIG_3, 4: (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8)}


@PAPER.claim(
    "Fig. 3",
    r"the table of Fig. 3 shows the sorted distances of item $k$ to $1,\dots,N$",
    hypotheses=r"$N \ge 14$, rows 1 to 7, first twelve columns, last column $N - k$",
    consequence="wording",
    readings={"row 4 as transcribed": "refuted", "apart from row 4": "proved"},
    formula=FIG_3,
    mutants={"row 7 = row 5": {**FIG_3, 4: FIG_3_MENDED[4], 7: FIG_3[5]}},
    uses=["Fig. 3 (row 4 mended)"],
    note="Fig. 3 is a picture; row 4 repeats row 3 in our transcript, a slip of the figure or of the transcript. The argument drawn from the figure does not depend on it.",
)
def fig_3_as_transcribed(rows: dict[int, tuple[int, ...]]) -> tuple[Outcome, ...]:
    mended = PAPER.claims["Fig. 3 (row 4 mended)"]
    return mended.outcome_of(rows), mended.outcome_of({**rows, 4: FIG_3_MENDED[4]})


@PAPER.claim(
    "Fig. 3 (row 4 mended)",
    "rows 1 to 7 of Fig. 3 with row $4 = (0,1,1,2,2,3,3,4,5,6,7,8)$ are the sorted distances",
    hypotheses=r"first twelve columns, last column $N - k$; by 'Fig. 3 [all rows]' the $i$-th distance is $\max(\lfloor i/2\rfloor, i - k)$, whatever $N$ is",
    given=[tm.Whole(SIZE, K, H), SIZE >= 14, K >= 1, K <= 7, 2 * H <= SIZE, SIZE <= 2 * H + 1],
    kind="ours",
    every={"row": range(1, 8), "column": range(1, 13)},
    formula=FIG_3_MENDED,
)
def fig_3(rows: dict[int, tuple[int, ...]]) -> Parts:
    for k in each("row"):
        right = tuple(steps.value(lemmas.sorted_distance(i, k, i // 2), {}) for i in each("column"))
        yield Instance(f"row {k}: distances, printed", right, "==", rows[k])
    yield "last column", tm.Eq(lemmas.sorted_distance(SIZE, K, H), SIZE - K)
    yield "upper half", 2 * K <= SIZE + 1
    yield from lemmas.distances_are(lemmas.sorted_distance)


@PAPER.claim(
    "Section IV.D (adjacent rows)",
    r"for adjacent rows $k'$ (farther out) and $k$: $\lambda'_i=\lambda_i$ for $i\le j_0$ and $\lambda'_i=\lambda_i+1$ for $i>j_0$; $j_0=2k'$",
    hypotheses=r"all integers $N$, $k = k' + 1 \le (N + 1)/2$ and $i$; the distances of 'Fig. 3 [all rows]'",
    given=lemmas.IN_THE_TABLE,
    formula=lambda outer: 2 * outer,
)
def adjacent_rows(first_changed: Any) -> Parts:
    outer, inner = (lemmas.sorted_distance(lemmas.INDEX, row, lemmas.HALF) for row in (lemmas.ROW, lemmas.ROW + 1))
    unchanged = first_changed(lemmas.ROW) >= lemmas.INDEX
    yield "i <= j_0: unchanged", tm.Implies(unchanged, tm.Eq(outer, inner))
    yield "i > j_0: one more", tm.Implies(tm.Not(unchanged), tm.Eq(outer, inner + 1))
    yield from lemmas.distances_are(lemmas.sorted_distance)


#: `risen` is the outer row's own distance above the inner one's.
for name, statement, formula, risen in (
    (
        "first",
        r"for $i\le j_0$: $\sum_j(\lambda'_i-\lambda'_j)s_j=\sum_j(\lambda_i-\lambda_j)s_j-\sum_{j>j_0}s_j\le\sum_j(\lambda_i-\lambda_j)s_j$",
        lambda total, head, tail: total - tail,
        0,
    ),
    (
        "second",
        r"for $i>j_0$: $\sum_j(\lambda'_i-\lambda'_j)s_j=\sum_j(\lambda_i-\lambda_j)s_j+\sum_{j\le j_0}s_j>\sum_j(\lambda_i-\lambda_j)s_j$",
        lambda total, head, tail: total + head,
        1,
    ),
):

    @PAPER.claim(
        f"Section IV.D ({name} chain)",
        statement,
        hypotheses=r"the shift of 'Section IV.D (adjacent rows)'; sums over $j \le j_0$ and $j > j_0$: $S_{\mathrm{head}}$, $S_{\mathrm{tail}}$ of the weights, $L$, $H$ of $\lambda_j s_j$; any $N$",
        given=[TAIL > 0, HEAD > 0],
        formula=formula,
    )
    def adjacent_sums(shifted: Any, risen: int = risen) -> Relations:
        total = OWN * (HEAD + TAIL) - (LOW + HIGH)  # LOW, HIGH: sums of lambda_j s_j over both ranges
        outer, stated = (OWN + risen) * (HEAD + TAIL) - (LOW + HIGH + TAIL), shifted(total, HEAD, TAIL)
        return {"chain": (outer, stated), "outer against inner": stated > total if risen else stated <= total}


@PAPER.claim(
    "Section IV.D (end point or middle)",
    r"'the minimum $m$ is obtained when the true term is at the extreme point or the middle point', for every $N$ and $\epsilon$",
    hypotheses=r"$t > 1$; the two chains with $j_0 = 2 k'$ hold at every $i$; $c_k = m + 1$ is the first index at which row $k$'s sum is $\ge 0$",
    replay=ALL_SIZES,
    formula=(lambda ms: min(ms[0], ms[(len(ms) - 1) // 2]), lemmas.chains),
    survivors={
        "part 1: 1 -> 0": "the same: the mirror image of the middle row",
        "part 1: 0 -> -1": "the same: the other end point",
        "part 2: outer > inner -> outer >= inner in tm.Implies(tm.Not(i <= j0), outer > inner)": "weaker, and enough for where the minimum is",
    },
    note=r"Going inwards $c_k$ does not fall while $c_k > 2(k - 1)$; once $c_k \le 2(k - 1)$ this stays so and $c_k$ does not rise. So its minimum is at an end of the rows $1,\dots,(N + 1)/2$.",
)
def end_or_middle(case: Any) -> Parts:
    smallest, related = case
    for n, t in sizes_and_levels():
        ms = row_ms(n, t)
        yield Instance(f"N = {n}, t = {t}: m of an end point or the middle, least m", smallest(ms), "==", min(ms))
    yield from lemmas.minimum_at_an_end(related)


MIDDLE = [HALF_N >= 0, R >= 0, R <= HALF_N]

for id, statement, hypotheses, given, derive, formula, n, i in (
    (
        "eq. (8)",
        r"end point: $\sum_{j<i}(\lambda_i-\lambda_j)e^\epsilon+\sum_{j>i}(\lambda_i-\lambda_j)=\frac{1}{2}(e^\epsilon-1)i^2+(N-\frac{1}{2}e^\epsilon+\frac{1}{2})i-\frac{1}{2}N^2-\frac{1}{2}N$",
        "losses 0, 1, ..., $N - 1$",
        [N >= 1, I >= 1, I <= N],
        *(derived.derive_end_point_sum, closed.end_point_sum, N, I),
    ),
    (
        "eq. (9)",
        r"middle, $N$ even, $i$ odd: the sum is $\frac{e^\epsilon-1}{4}i^2+\frac{N-(e^\epsilon-1)}{2}i+\frac{(e^\epsilon-1)-N^2-2N}{4}$",
        "losses 0, 1, 1, ..., $N/2$; $i = 2r + 1$, $N = 2M$",
        [HALF_N >= 1, R >= 0, R < HALF_N],
        *(lambda: derived.derive_middle_sum(0), closed.middle_sum_even, 2 * HALF_N, 2 * R + 1),
    ),
    (
        "eq. (10)",
        r"middle, $N$ odd, $i$ odd: the sum is $\frac{e^\epsilon-1}{4}i^2+\frac{N-(e^\epsilon-1)}{2}i+\frac{(e^\epsilon-1)-2N-N^2+1}{4}$",
        "losses 0, 1, 1, ..., $(N-1)/2$ in pairs; $i = 2r + 1$, $N = 2M + 1$",
        MIDDLE,
        *(lambda: derived.derive_middle_sum(1), closed.middle_sum_odd, 2 * HALF_N + 1, 2 * R + 1),
    ),
    (
        "eq. (10) (second line)",
        r"the second line of (10), $\frac{i-1}{2}e^\epsilon+2e^\epsilon(1+\dots+(\frac{i-1}{2}-1))-2(1+\dots+(\frac{N-1}{2}-\frac{i-1}{2}))$, is the sum",
        "$i = 2r + 1$, $N = 2M + 1$",
        MIDDLE,
        lambda: derived.derive_middle_sum(1),
        lambda t, m, r: r * t + 2 * t * (r - 1) * r / 2 - 2 * (m - r) * (m - r + 1) / 2,
        *(HALF_N, R),
    ),
):

    @PAPER.claim(id, statement, hypotheses=hypotheses, given=[T > 1, *given], formula=formula)
    def sum_of_losses(formula: Any, derive: Any = derive, n: Any = n, i: Any = i) -> Relations:
        return {"summed symbolically by sympy": (term_of(derive()), formula(T, n, i))}

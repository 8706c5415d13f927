"""App. B.1: every scalar method keeps the label with probability at most e^epsilon / K on average."""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts
from lpmech.claims.checking import sharp
from lpmech.mechanisms.rr_with_prior import rr_with_prior
from lpmech.papers.checks import rows_in_words, sampled
from lpmech.papers.zhao2025.paper import DIAGONAL, PAPER, ROOTS, K, T, best_hit_rate, shares, vector
from lpmech.programs import optimal_channel
from lpmech.terms import functions as tm
from lpmech.utilities import hit
from lpmech.verdicts import Outcome

OWN, OTHER, DOUBLE, ROW, ROWS, COLUMN, SEVERAL = tm.symbols("M_ii M_ji A r n c C")
_LEVELS = (Fraction(2), Fraction(4), Fraction(20))


@PAPER.claim(
    "App. B.1 (privacy of the diagonal)",
    r"$\epsilon$-label LDP gives $M_{ii}\le e^\epsilon M_{ji}$ for all $j$",
    given=[T > 1, OWN >= 0, OTHER >= 0, OWN <= T * OTHER, OTHER <= T * OWN],
    replay="all channels on 2 (3) labels with positive entries in sevenths (fifths), at their tight level",
    kind="remark",
    formula=lambda t: t,
)
def diagonal(factor: Any) -> Parts:
    for size, parts in ((2, 7), (3, 5)):
        laws = [row for row in shares(size, parts) if all(row)]
        for rows in product(*[laws] * (size - 1), laws[::-1]):
            channel = Channel(rows)
            most, stated = (channel.matrix.diagonal() / channel.matrix.min(axis=0)).max(), factor(channel.ratio)
            yield Instance(
                f"M = ({rows_in_words(rows)}), t = {channel.ratio}: largest M_ii / M_ji, t", most, "<=", stated
            )
    yield from sharp(OWN, factor(T) * OTHER, tm.Eq(OWN, T * OTHER)).items()


@PAPER.claim(
    "App. B.1 (summed)",
    r"$K\sum_i M_{ii}\le\sum_i\sum_j e^\epsilon M_{ji}=Ke^\epsilon$",
    hypotheses=r"by induction: $n$ entries $M_{ji}$ of column $i$ have the sum $c$; several columns have the sum $C$ and diagonal entries with the sum $D$; $n$ rows, each with the sum $r = 1$, have the double sum $A$",
    uses=["App. B.1 (privacy of the diagonal)"],
    kind="remark",
    formula=lambda t, size: (t * size, t * size),
    note=r"The double sum and the bound are both $K e^\epsilon$.",
)
def summed(sides: Any) -> Parts:
    double, right = sides(T, K)
    entries = [T > 1, ROWS >= 0, OWN >= 0, ROWS * OWN <= T * COLUMN, OWN <= T * OTHER]
    yield entries, {"one more entry of a column": (ROWS + 1) * OWN <= T * (COLUMN + OTHER)}
    columns = [T > 1, K >= 1, K * DIAGONAL <= T * SEVERAL, K * OWN <= T * COLUMN]
    yield columns, {"one more column": K * (DIAGONAL + OWN) <= T * (SEVERAL + COLUMN)}
    rows = [T > 1, K >= 1, ROWS >= 0, tm.Eq(DOUBLE, T * ROWS), tm.Eq(ROW, 1)]
    yield rows, {"one more row": tm.Eq(DOUBLE + T * ROW, T * (ROWS + 1))}
    yield [T > 1, K >= 1], {"double sum": (double, T * K), "bound": (right, T * K)}


PAPER.claim(
    "App. B.1 (bound)",
    r"$(1/K)\sum_i M_{ii}\le e^\epsilon/K$",
    hypotheses="$D =$ sum of the diagonal",
    given=[T > 1, K >= 1, K * DIAGONAL <= K * T],
    kind="remark",
    formula=lambda t, k: t / k,
)(lambda value: sharp(DIAGONAL / K, value(T, K), tm.Eq(DIAGONAL, T)))


@PAPER.claim(
    "App. B.1 (bound, sharp)",
    r"leaving out $j=i$: $(1/K)\sum_i M_{ii}\le e^\epsilon/(e^\epsilon+K-1)$, which is below $e^\epsilon/K$ for $K\ge 2$",
    hypotheses="$D =$ sum of the diagonal",
    kind="ours",
    formula=lambda t, k: t / (t + k - 1),
    note=r"So the bound $e^\epsilon/K$ is never attained for $K \ge 2$; it is above 1 for $K < e^\epsilon$.",
)
def sharp_bound(value: Any) -> Parts:
    yield best_hit_rate(value)
    yield [T > 1, K >= 2], {"below e^eps/K": value(T, K) < T / K}


@PAPER.claim(
    "App. B.1 (the program's optimum)",
    r"the largest average of $M_{ii}$ over $\epsilon$-LDP channels is $e^\epsilon/(e^\epsilon+K-1)$",
    given=[T > 1, K >= 2],
    replay="the exact optimum of the program, K = 1, ..., 5, t in {2, 4, 20}",
    method="exact linear programs",
    kind="ours",
    formula=lambda t, k: t / (t + k - 1),
)
def optimum(value: Any) -> Parts:
    for size, t in product((2, 1, 3, 4, 5), _LEVELS):
        best = optimal_channel(hit(size), PrivacyLevel.from_ratio(t)).solve("exact").value
        yield Instance(f"K = {size}, t = {t}: optimum, as stated", best, "==", value(t, size))
    dual = value(T, K) / K  # of the program with prior 1/K: the same for every row
    yield "own >= 0 >= other", tm.And(1 / K >= dual, dual >= 0)
    yield "dual constraint, the same for every output", (1 / K - dual) - (K - 1) * dual + (T - 1) * (1 / K - dual) <= 0
    yield "attained by randomized response", tm.Eq(value(T, K), T / (T + K - 1))


@PAPER.claim(
    "App. B.1 (decreases with K)",
    "'for all scalar approximation methods ... the probability of retaining the original label decreases with $K$'",
    hypotheses=r"the best scalar method; $t \in \{2, 4, 20\}$, $K = 1$, ..., 6; for each reading the law of the labels on $K$ classes",
    consequence="wording",
    readings={
        "average over all $K$ labels": "certified",
        "any law of the labels: two labels with $1/2$ each, the others unused": "refuted",
    },
    kind="remark",
    formula=operator.lt,
    mutants={"it grows": operator.gt},
    note="The proof bounds the unweighted average over the $K$ labels; with a known prior RRWithPrior need not lose anything.",
)
def decreases(compare: Any) -> tuple[Outcome, ...]:
    def rates(law: Any, first: int) -> Parts:
        for t, size in product(_LEVELS, range(first, 6)):
            channels = ((n, rr_with_prior(law(n), PrivacyLevel.from_ratio(t))) for n in (size, size + 1))
            before, after = (channel.expected_utility(hit(n), law(n)) for n, channel in channels)
            falls = compare(after, before) and (after == before or not compare(before, after))
            found = Instance(f"t = {t}: hit rate at K = {size + 1}, at {size}", after, "<", before)
            yield found if falls == found.holds else f"{found.where} are not related so"

    half = (Fraction(1, 2),) * 2
    readings = rates(lambda n: (Fraction(1, n),) * n, 1), rates(lambda n: half + (Fraction(0),) * (n - 2), 2)
    return tuple(sampled(instances, "K <= 6", "exact rational arithmetic") for instances in readings)


@PAPER.claim(
    "App. B.1 (the vector decoded)",
    r"a label decoded from the vector $Z$ obeys the same bound: its hit rate is at most $e^\epsilon/(e^\epsilon+K-1)$",
    hypotheses=r"any decoding of any $\epsilon$-LDP release (Theorem 1); $D$ the sum of $M_{ii}$ of the release and its decoding: $(K-1) M_{ii} \le e^\epsilon$ times the rest of column $i$, summed over $i$",
    uses=["Theorem 1"],
    replay="the best decoding for uniform labels (the largest entry of each column), K = 2, ..., 8, s in {3/2, 2, 3}",
    headline=6,
    kind="ours",
    formula=lambda t, k: t / (t + k - 1),
    note=r"The vector is an $\epsilon$-LDP channel too, and decoding is post-processing: B.1 does not tell scalar from vector.",
)
def vector_decoded(value: Any) -> Parts:
    for size, s in product(range(2, 9), ROOTS[:3]):
        where = f"K = {size}, s = {s}: hit rate of the vector, decoded, and the bound"
        yield Instance(where, vector(size, s).hit_rate, "<=", value(s * s, size))
    yield best_hit_rate(value)


PAPER.leave_out(
    "App. B.1 ('the performance degrades inevitably with larger K')",
    "performance of a trained model is not defined there; the bound concerns the kept labels only",
)

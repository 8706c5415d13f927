"""Theorem 3.2 (Table 1) and Remark 3.3 (Table 2): BlockRR recovers the mechanisms of section 2."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import sympy as sp

from lpmech.claims import Parts, Relations, Repair
from lpmech.claims.checking import check_identities, iff
from lpmech.mechanisms.block_rr import beta, gamma
from lpmech.papers.liu2026.paper import PAPER, S1, S2, L, T
from lpmech.papers.liu2026.section_2 import rr_entries
from lpmech.papers.liu2026.shapes import compares, equals

#: One candidate each and any partition, at l = 0.
PARTITIONS = (T > 1, S1 >= 1, S2 >= 0)


PAPER.claim(
    "Theorem 3.2 (Table 1, RR)",
    r"\mathcal S_1=\mathcal S, \mathcal S_2=\emptyset, \tilde S_2=\emptyset, B=I gives RR for every K and every l",
    hypotheses="b = 1, s1 = K, s2 = 0",
    given=[T > 1, S1 >= 1, L >= 0, L <= S1],
    formula=rr_entries,
)(equals((T, S1), own=T * beta(T, 1, S1, 0, L), other=beta(T, 1, S1, 0, L)))


@PAPER.claim(
    "Theorem 3.2 (Table 1, RRWithPrior)",
    r"\tilde S_1=B(\mathcal S_1), \tilde S_2=\emptyset, B=I, l=|\tilde S_1| gives RR on the k=|\mathcal S_1| kept labels and the uniform distribution 1/k for the others",
    hypotheses="b = 1, s1 = k, s2 = 0, any number of other labels; read without 'y in B(y) for y in S2', which S~ = S~1 contradicts (see section 3.1). The formula: entries and l",
    given=[T > 1, S1 >= 1],
    formula=(lambda t, size: (*rr_entries(t, size), 1 / size), lambda k: k),
    mutants={"Delta empty": (lambda t, k: (*rr_entries(t, k), 1 / k), lambda k: sp.Integer(0))},
    note="Both release kept labels only: elsewhere both are zero.",
)
def table_1_rr_with_prior(formulas: Any) -> Relations:
    """Entry types with S~2 empty: own and other in majority rows; Delta and the rest of S~1, if any is left, in minority rows."""
    entries, size_of_delta = formulas
    high, low, uniform = entries(T, S1)
    l = size_of_delta(S1)
    value = beta(T, 1, S1, 0, l)
    return {
        "kept, true": (T * value, high),
        "kept, other": (value, low),
        "not kept": (1 / (S1 + 0), uniform),
        "not kept, outside Delta": sp.Or(sp.Eq(l, S1), sp.Eq(value, uniform)),
    }


BIN, OUTPUT, BINS = sp.symbols("a j m", integer=True)


@PAPER.claim(
    "Theorem 3.2 (Table 1, RRonBins)",
    r"\mathcal S_1=\mathcal S, \tilde S_1=B(\mathcal S_1), B=\Phi gives RRonBins on the bins \Phi(\mathcal S)",
    hypotheses="any number of labels, Phi onto the m bins; a = bin of a label, j = the bin released; read without 'y in B(y)', which Phi need not satisfy",
    given=[T > 1, BINS >= 1, BIN >= 0, BIN <= BINS - 1, OUTPUT >= 0, OUTPUT <= BINS - 1],
    formula=(lambda a, m: a, rr_entries),
    mutants={"bins reversed": (lambda a, m: m - 1 - a, rr_entries)},
    note="If Phi does not reach all of Y~, Table 1's S~ = B(S) is the image of Phi, a smaller set than Def. 2.5's Y~.",
)
def table_1_rr_on_bins(mechanism: Any) -> Relations:
    """With s1 = m, s2 = 0, b = 1 the row of a label in bin a is t beta at a and beta elsewhere."""
    favoured, entries = mechanism
    high, low = entries(T, BINS)
    value = beta(T, 1, BINS, 0, 0)
    places = iff(sp.Eq(OUTPUT, BIN), sp.Eq(OUTPUT, favoured(BIN, BINS))).values()
    return {"high": (T * value, high), "low": (value, low), "place": sp.And(*places)}


D, LENGTH = sp.symbols("delta A")
REACH = 2 * D + LENGTH
FAR = beta(T, 2 * D, REACH, 0, REACH)

PAPER.claim(
    "Theorem 3.2 (Table 1, RPWithPrior)",
    r"with cardinality read as length, B(x)=[x-\delta,x+\delta], \tilde S_2=\emptyset, l=|\tilde S_1| gives the densities of Def. 2.6",
    hypotheses="A = A2 - A1; |B| = 2 delta, |S~1| = 2 delta + A",
    given=[T > 1, D > 0, LENGTH >= 0],
    formula=lambda t, delta, a: (1 / (2 * delta + a / t), 1 / (t * (2 * delta + a / t)), 1 / (2 * delta + a)),
    mutants={"|S~1| = A2 - A1": lambda t, delta, a: (1 / (a / t), 1 / a, 1 / a)},
)(equals((T, D, LENGTH), near=T * FAR, far=FAR, outside=1 / REACH))


KEPT, ALL = sp.symbols("k K", integer=True)


@PAPER.claim(
    "Theorem 3.2 (framework hypotheses)",
    r"the RRWithPrior row of Table 1 satisfies the hypotheses of section 3.1 (B:\mathcal S\to\tilde{\mathcal S}, y\in B(y))",
    hypotheses="k of K labels in S1, S~ = B(S1) = S1, B = I: B(y) = {y} lies in S~ for all y iff none of the K - k others exists",
    given=[KEPT >= 1, ALL >= KEPT],
    replay="all K <= 4 and k",
    formula=lambda size, k: sp.true,
    note="Theorem 3.2 itself stands: the minority rows of this configuration never use B(y).",
    consequence="wording",
    repair=Repair(
        r"B=I maps \mathcal S into \tilde{\mathcal S}=B(\mathcal S_1) iff \mathcal S_2=\emptyset; for RRWithPrior the hypothesis is to be asked of y\in\mathcal S_1 only",
        formula=lambda size, k: sp.Eq(k, size),
        mutants={"never": lambda size, k: sp.false},
        survivors={"sp.Eq(k, size) -> sp.Ge(k, size)": "the same, as k <= K"},
    ),
)
def table_1_hypotheses(satisfied: Any) -> Parts:
    for size in range(1, 5):
        for k in range(1, size + 1):
            outside = set(range(k, size))
            as_claimed = (not outside) == bool(satisfied(size, k))
            yield as_claimed or f"K = {size}, k = {k}: B(y) = {{y}} lies outside S~ for y in {outside}"
    yield from iff(satisfied(ALL, KEPT), sp.Eq(ALL - KEPT, 0), "S2 empty", "satisfied").items()


@PAPER.claim(
    "Remark 3.3 (Table 2, RR)",
    r"l=0, B=I gives RR for every partition \mathcal S_1,\mathcal S_2",
    hypotheses="b = 1, s1 = |S1|, s2 = |S2|, K = s1 + s2",
    given=PARTITIONS,
    formula=0,
)
def table_2_rr(size_of_delta: int) -> Relations:
    """With Delta empty the entries are t beta, beta, gamma in majority and beta, t gamma, gamma in minority rows."""
    first, second = (f(T, 1, S1, S2, sp.sympify(size_of_delta)) for f in (beta, gamma))
    high, low = rr_entries(T, S1 + S2)
    return {
        "majority row, true label": (T * first, high),
        "beta, both rows": (first, low),
        "minority row, true label": (T * second, high),
        "gamma, both rows": (second, low),
    }


def _bins_by_blocks(phi: tuple[int, ...], majority: tuple[int, ...], t: Fraction) -> list[list[Fraction]]:
    """Rows of the block definitions at l = 0 with S~2 = S~ minus B(S1): candidates count only in their own block."""
    outputs = sorted(set(phi))
    first = {phi[y] for y in majority}
    value = beta(t, 1, len(first), len(outputs) - len(first), Fraction(0))  # = gamma at l = 0
    rows = []
    for y, bin in enumerate(phi):
        block = first if y in majority else set(outputs) - first
        rows.append([t * value if j == bin and j in block else value for j in outputs])
    return rows


COMMON = sp.Symbol("c", integer=True)


@PAPER.claim(
    "Remark 3.3 (Table 2, RRonBins)",
    r"l=0, \tilde S_1=B(\mathcal S_1), \tilde S_2=B(\mathcal S_2), B=\Phi gives RRonBins for every partition",
    hypotheses="any Phi and any non-empty S1; c = number of bins with labels of both S1 and S2; S~2 = S~ minus S~1",
    given=[*PARTITIONS, COMMON >= 0],
    replay="small Phi and partitions",
    formula=lambda common: sp.true,
    note="If a bin serves labels of both S1 and S2, then B(S2) is not S~ minus S~1 as section 3.1 requires, and the "
    "rows of those minority labels do not sum to one.",
    consequence="formula",
    repair=Repair(
        r"Table 2's RRonBins row is RRonBins iff \Phi(\mathcal S_1)\cap\Phi(\mathcal S_2)=\emptyset",
        formula=lambda common: sp.Eq(common, 0),
        mutants={"never": lambda common: sp.false},
    ),
)
def table_2_rr_on_bins(condition: Any) -> Parts:
    """At l = 0 all entries are v = beta = gamma but those of a label's own bin, if that lies in its own block, which is t v.

    It does for majority labels, and for minority labels of bins that no majority label has. A minority label of a
    common bin, and there is one iff c > 0, has v there where RRonBins has t v.
    """
    t = Fraction(2)
    for n in (1, 2, 3):
        for phi, m in product(product(range(2), repeat=n), range(1, n + 1)):
            bins = sorted(set(phi))
            high, low = rr_entries(t, len(bins))
            right = [[high if j == own else low for j in bins] for own in phi]
            for majority in combinations(range(n), m):
                rows = _bins_by_blocks(phi, majority, t)
                common = {phi[y] for y in majority} & {phi[y] for y in range(n) if y not in majority}
                as_claimed = (rows == right) == bool(condition(sp.Integer(len(common))))
                where = f"Phi = {phi}, S1 = {majority}, t = {t}"
                yield as_claimed or f"{where}: rows sum to {[str(sum(row)) for row in rows]}"
    _, value = rr_entries(T, S1 + S2)
    both = {"beta": (beta(T, 1, S1, S2, 0), value), "gamma": (gamma(T, 1, S1, S2, 0), value)}
    yield check_identities(both, "beta = gamma = v", hypotheses=PARTITIONS)
    yield from iff(condition(COMMON), sp.Or(sp.Eq(COMMON, 0), sp.Eq(value, T * value)), "RRonBins").items()


FIRST, SECOND = (f(T, 1, S1, S2, L) for f in (beta, gamma))

#: RRTop-k with k < K never releases some label, while all entries are positive here; and t beta exceeds RR's diagonal.
PAPER.claim(
    "Section 2 (unification)",
    r"BlockRR is more than its special cases: for 0<l<|\tilde S_1| and \tilde S_2\ne\emptyset it is neither RR nor RRTop-k",
    hypotheses="B = I, S~ = S; compared with RRTop-k for every k (k = K is RR)",
    given=[T > 1, S1 >= 1, S2 >= 1, L > 0, L < S1],
    formula=sp.Gt,
    mutants={"it is RR": sp.Eq, "smaller": sp.Lt},
    note="The same holds at l = |S~1|: gamma stays positive.",
)(compares({"beta > 0": (FIRST, 0), "gamma > 0": (SECOND, 0), "not RR": (T * FIRST, rr_entries(T, S1 + S2)[0])}))

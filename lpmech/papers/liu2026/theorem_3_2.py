"""Theorem 3.2 (Table 1) and Remark 3.3 (Table 2): BlockRR recovers the mechanisms of section 2."""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import iff
from lpmech.papers.checks import equals, rr_entries
from lpmech.papers.liu2026.paper import PAPER, S1, S2, L, T, beta, gamma
from lpmech.papers.liu2026.section_2 import LENGTH, D
from lpmech.papers.liu2026.shapes import compares, decides
from lpmech.prove import steps
from lpmech.terms import functions as tm

#: One candidate each and any partition, at l = 0.
PARTITIONS = (T > 1, S1 >= 1, S2 >= 0)


PAPER.claim(
    "Theorem 3.2 (Table 1, RR)",
    r"$\mathcal{S}_1=\mathcal{S}$, $\mathcal{S}_2=\emptyset$, $\tilde{S}_2=\emptyset$, $B=I$ gives RR for every $K$ and every $l$",
    hypotheses="$b = 1$, $s_1 = K$, $s_2 = 0$",
    given=[T > 1, S1 >= 1, L >= 0, L <= S1],
    formula=rr_entries,
)(equals((T, S1), own=T * beta(T, 1, S1, 0, L), other=beta(T, 1, S1, 0, L)))


@PAPER.claim(
    "Theorem 3.2 (Table 1, RRWithPrior)",
    r"$\tilde{S}_1=B(\mathcal{S}_1)$, $\tilde{S}_2=\emptyset$, $B=I$, $l=|\tilde{S}_1|$ gives RR on the $k=|\mathcal{S}_1|$ kept labels and the uniform distribution $1/k$ for the others",
    hypotheses=r"$b = 1$, $s_1 = k$, $s_2 = 0$, any number of other labels; read without '$y$ in $B(y)$ for $y$ in $S_2$', which $\tilde{S} = \tilde{S}_1$ contradicts (see section 3.1)",
    given=[T > 1, S1 >= 1],
    formula=(lambda t, size: (*rr_entries(t, size), 1 / size), lambda k: k),
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
        "not kept, outside Delta (nothing if l = s1)": tm.Or(tm.Eq(l, S1), tm.Eq(value, uniform)),
    }


BIN, BINS = tm.symbols("a m")


@PAPER.claim(
    "Theorem 3.2 (Table 1, RRonBins)",
    r"$\mathcal{S}_1=\mathcal{S}$, $\tilde{S}_1=B(\mathcal{S}_1)$, $B=\Phi$ gives RRonBins on the bins $\Phi(\mathcal{S})$",
    hypotheses=r"any number of labels, $\Phi$ onto the $m$ bins; $a =$ bin of a label; read without '$y$ in $B(y)$', which $\Phi$ need not satisfy",
    given=[tm.Whole(BIN, BINS), T > 1, BINS >= 1, BIN >= 0, BIN <= BINS - 1],
    formula=(lambda a, m: a, rr_entries),
    note=r"If $\Phi$ does not reach all of $\tilde{Y}$, Table 1's $\tilde{S} = B(S)$ is the image of $\Phi$, a smaller set than Def. 2.5's $\tilde{Y}$.",
)
def table_1_rr_on_bins(mechanism: Any) -> Relations:
    """With s1 = m, s2 = 0, b = 1 the row of a label in bin a is t beta at a and beta elsewhere."""
    favoured, entries = mechanism
    high, low = entries(T, BINS)
    value = beta(T, 1, BINS, 0, 0)
    return {"high": (T * value, high), "low": (value, low), "at the bin of the label": (favoured(BIN, BINS), BIN)}


REACH = 2 * D + LENGTH
FAR = beta(T, 2 * D, REACH, 0, REACH)

PAPER.claim(
    "Theorem 3.2 (Table 1, RPWithPrior)",
    r"with cardinality read as length, $B(x)=[x-\delta,x+\delta]$, $\tilde{S}_2=\emptyset$, $l=|\tilde{S}_1|$ gives the densities of Def. 2.6",
    hypotheses=r"$A = A_2 - A_1$; $|B| = 2 \delta$, $|\tilde{S}_1| = 2 \delta + A$",
    given=[T > 1, D > 0, LENGTH >= 0],
    formula=lambda t, delta, a: (1 / (2 * delta + a / t), 1 / (t * (2 * delta + a / t)), 1 / (2 * delta + a)),
)(equals((T, D, LENGTH), near=T * FAR, far=FAR, outside=1 / REACH))


KEPT, ALL = tm.symbols("k K")


PAPER.claim(
    "Theorem 3.2 (framework hypotheses)",
    r"the RRWithPrior row of Table 1 satisfies the hypotheses of section 3.1 $(B:\mathcal{S}\to\tilde{\mathcal{S}}, y\in B(y))$",
    hypotheses=r"$k$ of $K$ labels in $S_1$, $\tilde{S} = B(S_1) = S_1$, $B = I$: $B(y) = \{y\}$ lies in $\tilde{S}$ for all $y$ iff none of the $K - k$ others exists",
    given=[tm.Whole(KEPT, ALL), KEPT >= 1, ALL >= KEPT],
    formula=lambda size, k: tm.TRUE,
    note="Theorem 3.2 itself stands: the minority rows of this configuration never use $B(y)$.",
    cause="Section 3.1 (y in B(y), S~ in S)",
    consequence="wording",
    repair=Repair(
        r"$B=I$ maps $\mathcal{S}$ into $\tilde{\mathcal{S}}=B(\mathcal{S}_1)$ iff $\mathcal{S}_2=\emptyset$; for RRWithPrior the hypothesis is to be asked of $y\in\mathcal{S}_1$ only",
        formula=lambda size, k: k >= size,
    ),
)(decides((ALL, KEPT), tm.Eq(ALL - KEPT, 0), "no label has B(y) outside S~"))


@PAPER.claim(
    "Remark 3.3 (Table 2, RR)",
    r"$l=0$, $B=I$ gives RR for every partition $\mathcal{S}_1,\mathcal{S}_2$",
    hypotheses="$b = 1$, $s_1 = |S_1|$, $s_2 = |S_2|$, $K = s_1 + s_2$",
    given=PARTITIONS,
    formula=0,
)
def table_2_rr(size_of_delta: int) -> Relations:
    """With Delta empty rows have t beta, beta, gamma or beta, t gamma, gamma: RR's if beta and gamma are its lower entry."""
    low = rr_entries(T, S1 + S2)[1]
    return {f.__name__: (f(T, 1, S1, S2, size_of_delta), low) for f in each("entry", (beta, gamma))}


COMMON = tm.symbol("c")


@PAPER.claim(
    "Remark 3.3 (Table 2, RRonBins)",
    r"$l=0$, $\tilde{S}_1=B(\mathcal{S}_1)$, $\tilde{S}_2=B(\mathcal{S}_2)$, $B=\Phi$ gives RRonBins for every partition",
    hypotheses=r"any $\Phi$ and any non-empty $S_1$; $c =$ number of bins with labels of both $S_1$ and $S_2$; $\tilde{S}_2 = \tilde{S}$ minus $\tilde{S}_1$",
    given=[*PARTITIONS, tm.Whole(COMMON), COMMON >= 0],
    replay="small Phi and partitions",
    formula=lambda common: tm.TRUE,
    note=r"If a bin serves labels of both $S_1$ and $S_2$, then $B(S_2)$ is not $\tilde{S}$ minus $\tilde{S}_1$ as section 3.1 requires, "
    "and the rows of those minority labels do not sum to one.",
    consequence="formula",
    repair=Repair(
        r"Table 2's RRonBins row is RRonBins iff $\Phi(\mathcal{S}_1)\cap\Phi(\mathcal{S}_2)=\emptyset$",
        formula=lambda common: tm.Eq(common, 0),
    ),
)
def table_2_rr_on_bins(condition: Any) -> Parts:
    """At l = 0 all entries are v = beta = gamma but those of a label's own bin, if that lies in its own block, which is t v.

    It does for majority labels, and for minority labels of bins that no majority label has. A minority label of a
    common bin, and there is one iff c > 0, has v there where RRonBins has t v, and its row does not sum to one.
    """
    t = Fraction(2)
    for phi in (phi for n in (2, 1, 3) for phi in product(range(2), repeat=n)):
        labels, bins = range(len(phi)), len(set(phi))
        for majority in (chosen for m in labels for chosen in combinations(labels, m + 1)):
            first = {phi[y] for y in majority}
            common = first & {phi[y] for y in labels if y not in majority}
            value = beta(t, 1, len(first), bins - len(first), Fraction(0))  # = gamma at l = 0
            in_own_block = [(phi[y] in first) == (y in majority) for y in labels]
            sums = [(bins - 1 + (t if inside else 1)) * value for inside in in_own_block]
            relation = "==" if steps.holds(condition(len(common))) else "!="
            sets = (
                f"the bins of labels 0, 1, ... are {', '.join(map(str, phi))}, S1 = {{{', '.join(map(str, majority))}}}"
            )
            where = f"{sets}; t = {t}, beta = gamma = {value}: sums of the rows"
            yield Instance(where, sums, relation, [1] * len(sums))
    _, value = rr_entries(T, S1 + S2)
    yield PARTITIONS, {f.__name__: (f(T, 1, S1, S2, 0), value) for f in each("entry", (beta, gamma))}
    yield from iff(
        condition(COMMON), tm.Or(tm.Eq(COMMON, 0), tm.Eq(value, T * value)), "no common bin, or its entry is RRonBins'"
    ).items()


FIRST, SECOND = (f(T, 1, S1, S2, L) for f in (beta, gamma))

#: RRTop-k with k < K never releases some label, while all entries are positive here; and t beta exceeds RR's diagonal.
PAPER.claim(
    "Section 2 (unification)",
    r"'generalizes existed RR-type mechanisms as special cases': BlockRR is more than these, for $0<l<|\tilde{S}_1|$ and $\tilde{S}_2\ne\emptyset$ it is neither RR nor RRTop-k",
    hypotheses=r"$B = I$, $\tilde{S} = S$; compared with RRTop-k for every $k$ ($k = K$ is RR)",
    given=[T > 1, S2 >= 1, L >= 1, L <= S1 - 1],
    formula=operator.gt,
    mutants={"it is RR": tm.Eq},
    note=r"The same holds at $l = |\tilde{S}_1|$: $\gamma$ stays positive.",
)(
    compares(
        {
            "no zero in S~1, so not RRTop-k": (FIRST, 0),
            "nor in S~2": (SECOND, 0),
            "not RR": (T * FIRST, rr_entries(T, S1 + S2)[0]),
        }
    )
)

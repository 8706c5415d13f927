"""Theorem 3.4, its proof in Appendix C, and the tight level of BlockRR."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import iff
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.papers.checks import equals
from lpmech.papers.liu2026.equation_3_1 import columns, line_4, majority_row, majority_sum, minority_row, minority_sum
from lpmech.papers.liu2026.paper import ALL, ANY_SIZES, PAPER, S1, S2, SIZES, WITH_MINORITY, B, L, T, beta, gamma, kappa
from lpmech.papers.liu2026.shapes import compares
from lpmech.prove import steps
from lpmech.terms import functions as tm

S = S1 + S2
E = (T - 1) * B


@PAPER.claim(
    "Theorem 3.4",
    r"$\mathrm{BlockRR}_\epsilon$, by the definition of its four blocks, is $\epsilon$-label DP: in every column, largest entry $\le e^\epsilon$ smallest entry",
    hypotheses=r"where $\tilde{S}_2$ is empty, $\gamma$ belongs to no output",
    given=ANY_SIZES,
    formula=(beta, gamma, lambda s1, s2: 1 / (s1 + s2)),
    note=r"Columns of $\tilde{S}_1$ hold $t \beta$, $\beta$ and, in $\Delta$, $1/|\tilde{S}|$; columns of $\tilde{S}_2$ hold $t \gamma$ and $\gamma$. This is what Appendix C proves. Algorithm 1 prints another block: see 'Theorem 3.4 (Algorithm 1)'.",
    kind="theorem",
    repairs=["Theorem 3.4 (Algorithm 1)", "Theorem 3.4 (Algorithm 1, renormalised)"],
)
def theorem_3_4(entries: Any) -> Relations:
    beta_of, gamma_of, delta_of = entries
    high, low, delta = beta_of(*ALL), gamma_of(*ALL), delta_of(S1, S2)
    return {
        "0 < beta <= 1/|S~| <= t beta": tm.And(high > 0, high <= delta, delta <= T * high),
        "gamma >= 0": low >= 0,
        "majority rows": (majority_sum(T * high, high, low), 1),
        "minority rows": (minority_sum(delta, high, T * low, low), 1),
    }


def _renormalised_row(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> tuple[Any, ...]:
    """The printed row divided by its sum."""
    row = line_4(t, b, s1, s2, l)
    return tuple(entry / minority_sum(*row, b=b, s1=s1, s2=s2, l=l) for entry in row)


def _columns(row: Any, t: Any, s1: Any, s2: Any, l: Any) -> dict[str, tuple[Any, list[Any]]]:
    """Column -> (how many such columns there are, its entries: of majority rows, then of minority rows), b = 1."""
    found = columns(majority_row(t, 1, s1, s2, l), row(t, 1, s1, s2, l))
    return dict(zip(found, zip((l, s1 - l, s2), found.values(), strict=True), strict=True))


#: Whose rows have the entries of a column: of a label of S1, or of S2.
_ROWS = {
    "S1": ("its own row", "other majority rows", "minority rows"),
    "S2": ("majority rows", "its own row", "other minority rows"),
}


def _pairs(row: Any) -> Iterator[tuple[str, Any, Any, Any]]:
    """Name, number of such columns, and both entries, for every pair of entries of a column."""
    for name, (number, entries) in _columns(row, T, S1, S2, L).items():
        rows = _ROWS["S2" if name.endswith("S2") else "S1"]
        for (x_name, x), (y_name, y) in permutations(zip(rows, entries, strict=True), 2):
            yield f"{name}, {x_name} against {y_name}", number, x, y


@PAPER.claim(
    "Theorem 3.4 (Algorithm 1)",
    r"$\mathrm{BlockRR}_\epsilon$, that is Algorithm 1 as printed, is $\epsilon$-label DP: in every column, largest entry $\le e^\epsilon$ smallest entry",
    hypotheses=r"$B(y) = \{y\}$, $\tilde{S} = S$, $s_1 = |S_1|$, $s_2 = |S_2|$, $K = s_1 + s_2$; the row of a minority label $y$ as line 4 prints it: $1/K$ on $\Delta$, $t\gamma$ on $y$, $\gamma$ elsewhere; of a majority label "
    r"$t\beta$ on $y$, $\beta$ on the rest of $S_1$, $\gamma$ on $S_2$; (3.2): $\beta = (t-1+l s_2/K)/\kappa$, $\gamma = (t-1+l-l(t-1+s_1)/K)/\kappa$, $\kappa = (t-1)(t-1+K)+l s_2$",
    given=WITH_MINORITY,
    replay="small sizes at t = 2",
    cause="Alg. 1 line 4",
    consequence="privacy",
    formula=line_4,
    control=minority_row,
    survivors={
        "t * low -> low in (1 / (s1 + s2), high, t * low, low)": "a row that sums to less than one, but no column exceeds the ratio"
    },
    note=r"Line 4 prints $\gamma$ where the block definition, and Appendix C, have $\beta$; with $\beta$ the theorem holds ('Theorem 3.4'). The printed rows do not sum to one ('Alg. 1 line 4'). The ratio stays below $t^2$ and comes as near as one likes: $t = 2$, "
    r"$s_1 = 1000$, $s_2 = 1$, $l = 999$ has $4000/1001$, a level of nearly $2 \epsilon$.",
)
@PAPER.claim(
    "Theorem 3.4 (Algorithm 1, renormalised)",
    r"Algorithm 1 as printed is $\epsilon$-label DP if its minority rows are divided by their sum",
    hypotheses=r"$B(y) = \{y\}$, $\tilde{S} = S$, $s_1 = |S_1|$, $s_2 = |S_2|$; the printed rows as in 'Theorem 3.4 (Algorithm 1)'",
    given=WITH_MINORITY,
    replay="small sizes at t = 2",
    cause="Alg. 1 line 4",
    consequence="privacy",
    kind="ours",
    formula=_renormalised_row,
    control=minority_row,
    note=r"A sentence of ours: what a program does that draws from the printed weights; the public code has $\beta$ in that block and is private ('Implementation (BlockRR, rows)'). Rows of the block definition sum to one, so dividing by their sum changes nothing there.",
)
def algorithm_1_private(row: Any) -> Parts:
    t = Fraction(2)
    for s1, s2 in product((1, 2, 3), (1, 2)):
        for l in range(s1 + 1):
            for name, (number, entries) in _columns(row, t, *map(Fraction, (s1, s2, l))).items():
                high, low = max(entries), min(entries)
                where = f"t = {t}, |S1| = {s1}, |S2| = {s2}, l = {l}: the column of {name} has {high} and {low}"
                yield not number or Instance(f"{where}: the first, {t} times the second", high, "<=", t * low)
    for name, number, x, y in each("pair of entries", _pairs(row)):
        yield f"column of {name}", tm.Or(tm.Eq(number, 0), tm.And(x > 0, x <= T * y))


@PAPER.claim(
    "Theorem 3.4 (Algorithm 1, which l)",
    r"Algorithm 1 as printed keeps the ratio $e^\epsilon$ in every column iff $l=0$ or $l=|\tilde{S}_1|$",
    hypotheses=r"$B(y) = \{y\}$, $\tilde{S} = S$, $s_1 = |S_1|$, $s_2 = |S_2|$",
    given=WITH_MINORITY,
    kind="ours",
    formula=lambda l, s1: tm.Or(tm.Eq(l, 0), tm.Eq(l, s1)),
)
def algorithm_1_private_for(condition: Any) -> Parts:
    """The columns of S1 outside Delta, if there are any, hold t beta and gamma: t beta <= t gamma iff l = 0."""
    claimed = condition(L, S1)
    number, (own, _, rest) = _columns(line_4, T, S1, S2, L)["a label of S1 outside Delta"]
    yield "private => condition", tm.Implies(tm.Or(tm.Eq(number, 0), own <= T * rest), claimed)
    for name, number, x, y in each("pair of entries", _pairs(line_4)):
        yield f"condition => {name}", tm.Implies(claimed, tm.Or(tm.Eq(number, 0), x <= T * y))


N1, N2, FAVOURED = tm.symbols("s1 s2 l")


@PAPER.claim(
    "Theorem 3.4 (tight level)",
    r"with $B(y)=\{y\}$ and $\tilde{\mathcal{S}}=\mathcal{S}$ the level of BlockRR is exactly $\epsilon$ iff $K\ge 2$",
    hypotheses="$b = 1$, $K = s_1 + s_2$ with $s_1 = |S_1|$, $s_2 = |S_2|$",
    given=[tm.Whole(N1, N2, FAVOURED), T > 1, N1 >= 1, N2 >= 0, FAVOURED >= 0, FAVOURED <= N1],
    replay="small partitions",
    kind="ours",
    formula=lambda size, s1, l: size >= 2,
    note=r"The theorem bounds the level; with $\tilde{S} = B(S_1)$ and one kept label (Table 1, RRWithPrior, $k = 1$) it is 0.",
)
def tight_level(is_tight: Any) -> Parts:
    """Two majority labels have t beta and beta in one column; a minority label and a majority one t gamma and gamma.

    So the level, at most epsilon, is reached if s1 >= 2 or s2 >= 1; if neither, there is one label and one row.
    """
    for size, s1, l in ((n, m, l) for n in (1, 2, 3) for m in range(1, n + 1) for l in range(m + 1)):
        ratio = block_rr_from_partition([Fraction(1, size)] * size, range(s1), PrivacyLevel.from_ratio(2), l).ratio
        relation = "==" if steps.holds(is_tight(size, s1, l)) else "!="
        yield Instance(f"K = {size}, S1 = {set(range(s1))}, l = {l}, t = 2: tight ratio", ratio, relation, 2)
    high, low, share = beta(T, 1, N1, N2, FAVOURED), gamma(T, 1, N1, N2, FAVOURED), 1 / (N1 + N2)
    yield "beta > 0, and gamma > 0 if S~2 is not empty", tm.And(high > 0, tm.Or(N2 < 1, low > 0))
    yield "never above epsilon", tm.And(high <= share, share <= T * high)
    yield from iff(is_tight(N1 + N2, N1, FAVOURED), tm.Or(N1 >= 2, N2 >= 1), "reached", "claimed").items()


PAPER.claim(
    "App. C (beta written out)",
    r"the expressions for $\beta$ and $\gamma$ in Appendix C equal (3.2)",
    given=ANY_SIZES,
    formula=(
        lambda t, b, s1, s2, l: (
            ((t - 1) * b + l * s2 / (s1 + s2)) / ((t * b + s1 - b) * (t * b + s2 - b) - (s1 - l) * s2)
        ),
        lambda t, b, s1, s2, l: (
            ((t * b + l - b) - l / (s1 + s2) * (t * b + s1 - b)) / ((t * b + s1 - b) * (t * b + s2 - b) - (s1 - l) * s2)
        ),
    ),
)(equals(ALL, beta=beta(*ALL), gamma=gamma(*ALL)))


@PAPER.claim(
    "App. C chain 1 step 2",
    r"$1/|\tilde{S}|-\beta\ge 0 \Leftrightarrow \kappa\ge(e^\epsilon|B|-|B|)|\tilde{S}|-l|\tilde{S}_2|$, as printed, is an equivalence that ends in $(e^\epsilon|B|-|B|)^2\ge 0$",
    hypotheses=r"$\kappa-(\text{right side})$ should equal $((t-1) b)^2$, the last line of the chain",
    given=ANY_SIZES,
    formula=lambda t, b, s, s2, l: (t - 1) * b * s - l * s2,
    note=r"A sign slip: $l |\tilde{S}_2|$ must be added. Both inequalities hold for all sizes, so that as sentences the lines are equivalent; but the line is not the one before it times $|\tilde{S}|\kappa$. The conclusion $\beta \le 1/|\tilde{S}|$ is right.",
    consequence="slip",
    repair=Repair(
        r"$|\tilde{S}|\kappa(1/|\tilde{S}|-\beta)=\kappa-(e^\epsilon|B|-|B|)|\tilde{S}|-l|\tilde{S}_2|=(e^\epsilon|B|-|B|)^2$",
        formula=lambda t, b, s, s2, l: (t - 1) * b * s + l * s2,
    ),
)
def chain_1(right: Any) -> Relations:
    last_line = tm.Eq(kappa(*ALL) - right(T, B, S, S2, L), E**2)
    the_same = (S * kappa(*ALL) * (1 / S - beta(*ALL)), E**2)
    return {"kappa - right side = ((t-1) b)^2": last_line, "from the inequality": the_same}


@PAPER.claim(
    "App. C chain 1 (conclusion)",
    r"$\beta\le 1/|\tilde{S}|$",
    given=ANY_SIZES,
    formula=lambda s1, s2: 1 / (s1 + s2),
)
def chain_1_conclusion(bound: Any) -> Parts:
    yield "beta <= bound", beta(*ALL) <= bound(S1, S2)
    sizes = [B > 0, S1 >= B, S2 >= B, L > 0, L <= S1]
    yield sizes, {"attained as t falls to 1": (beta(1, B, S1, S2, L), bound(S1, S2))}


PAPER.claim(
    "App. C chain 2 step 2",
    r"$e^\epsilon\beta\ge 1/|\tilde{S}| \Leftrightarrow e^\epsilon((e^\epsilon|B|-|B|)+l|\tilde{S}_2|/|\tilde{S}|)|\tilde{S}|\ge\kappa$",
    hypotheses=r"then $\kappa > 0$",
    given=ANY_SIZES,
    formula=lambda t, b, s, s2, l: t * ((t - 1) * b + l * s2 / s) * s,
)(equals((T, B, S, S2, L), difference=S * kappa(*ALL) * (T * beta(*ALL) - 1 / S) + kappa(*ALL)))


@PAPER.claim(
    "App. C chain 2 step 3",
    r"the last line, $(e^\epsilon-1)^2(|\tilde{S}|-|B|)|B|+(e^\epsilon-1)l|\tilde{S}_2|\ge 0$, is equivalent to the line before",
    given=ANY_SIZES,
    formula=lambda t, b, s, s2, l: (t - 1) ** 2 * (s - b) * b + (t - 1) * l * s2,
)
def chain_2_step_3(last: Any) -> Relations:
    line = last(T, B, S, S2, L)
    return {"difference of the sides": (T * (E + L * S2 / S) * S - kappa(*ALL), line), "last line >= 0": line >= 0}


PAPER.claim(
    "App. C (columns of S~2)",
    r"columns of $\tilde{S}_2$ hold only $e^\epsilon\gamma$ and $\gamma$, 'which clearly satisfies (C.1)'",
    hypotheses=r"needs $\gamma \ge 0$, which the proof does not mention",
    given=SIZES,
    formula=operator.gt,
    mutants={"gamma = 0": tm.Eq},
    uses=["eq. (3.2) (positivity)"],
)(compares({"gamma and 0": (gamma(*ALL), 0)}))

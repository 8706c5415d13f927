"""Section 3.1: the four blocks, eq. (3.1), (3.2), the hypotheses they hide, and Alg. 1."""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.claims.checking import iff
from lpmech.errors import BlockError
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.block_rr.derivation import row_sums, solve_blocks, symbols
from lpmech.mechanisms.block_rr.equations import unknowns
from lpmech.papers.liu2026.paper import ALL, ANY_SIZES, EMPTY, PAPER, S1, S2, SINGLE, SIZES, B, L, T, beta, gamma, kappa
from lpmech.papers.liu2026.shapes import compares, decides
from lpmech.prove import steps
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm

IN_PAPER = dict(zip(symbols, (T, B, S1, S2, L), strict=True))
X, Y = tm.symbols("beta gamma")


def equations_3_1(t: Any, b: Any, s1: Any, s2: Any, l: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Left minus right side of both equations of (3.1)."""
    first = (t * b + s1 - b) * x + s2 * y - 1
    second = (s1 - l) * x + (t * b + s2 - b) * y - (1 - l / (s1 + s2))
    return first, second


@PAPER.claim(
    "eq. (3.1)",
    r"the rows of the four blocks sum to one iff $(e^\epsilon|B|+|\tilde{S}_1|-|B|)\beta+|\tilde{S}_2|\gamma=1$ and $(|\tilde{S}_1|-|\Delta|)\beta+(e^\epsilon|B|+|\tilde{S}_2|-|B|)\gamma=1-|\Delta|/|\tilde{S}|$",
    hypotheses=r"$|B(y)| = b$ for all $y$; $B(y)$ in $\tilde{S}_1$ for $y$ in $S_1$ and in $\tilde{S}_2$ for $y$ in $S_2$; $\Delta$ in $\tilde{S}_1$",
    given=ANY_SIZES,
    formula=equations_3_1,
)
def eq_3_1(equations: Any) -> Relations:
    majority, minority = (term_of(side).at(IN_PAPER) for side in row_sums(*unknowns))
    first, second = equations(*ALL, X, Y)
    return {"majority row": (majority - 1, first), "minority row": (minority - 1, second)}


def printed_kappa(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    """kappa as (3.2) prints it."""
    return ((t - 1) * b + s1) * ((t - 1) * b + s2) - (s1 - l) * s2


@PAPER.claim(
    "eq. (3.2)",
    r"$\beta=\beta_1/\kappa$, $\gamma=\gamma_1/\kappa$ with the stated $\beta_1,\gamma_1,\kappa$ is the solution of (3.1)",
    hypotheses=r"sizes real; then $\kappa > 0$. The printed fractions are compared with the functions $\beta(t, b, s_1, s_2, l)$, $\gamma(t, b, s_1, s_2, l)$ of the library, and these solve (3.1)",
    given=ANY_SIZES,
    formula=(beta, gamma),
)
def eq_3_2(formulas: Any) -> Relations:
    x, y = (f(*ALL) for f in formulas)
    raised, k = (T - 1) * B, printed_kappa(*ALL)
    printed = {
        "beta as printed": ((raised + L * S2 / (S1 + S2)) / k, x),
        "gamma as printed": (((raised + L) - L / (S1 + S2) * (raised + S1)) / k, y),
    }
    derived_beta, derived_gamma = (term_of(side).at(IN_PAPER) for side in solve_blocks())
    first, second = equations_3_1(*ALL, x, y)
    solved = {"beta, (3.1) solved": (x, derived_beta), "gamma, (3.1) solved": (y, derived_gamma)}
    return {**printed, **solved, "first equation": (first, 0), "second equation": (second, 0)}


PAPER.claim(
    "eq. (3.2) (positivity)",
    r"$\kappa>0$, $\beta>0$ and $\gamma>0$",
    given=SIZES,
    kind="ours",
    formula=operator.gt,
    mutants={"zero": tm.Eq, "negative": operator.lt},
)(compares({f"{f.__name__} and 0": (f(*ALL), 0) for f in (kappa, beta, gamma)}))


@PAPER.claim(
    "eq. (3.2) (S~2 empty)",
    r"with $|\tilde{S}_2|=0$: $\beta=1/((e^\epsilon-1)|B|+|\tilde{S}_1|)>0$ and $\gamma=(1-l/|\tilde{S}_1|)\beta\ge 0$, zero iff $l=|\tilde{S}_1|$",
    hypotheses="$s_2 = 0$",
    given=EMPTY,
    formula=(lambda t, b, s1, l: 1 / ((t - 1) * b + s1), lambda t, b, s1, l: (1 - l / s1) / ((t - 1) * b + s1)),
    note=r"$\gamma$ then belongs to no output; see 'eq. (3.1) (S~2 empty)' for what this does to minority rows.",
)
def second_outputs_empty(formulas: Any) -> Relations:
    x, y = (f(T, B, S1, L) for f in formulas)
    return {
        "beta": (beta(T, B, S1, 0, L), x),
        "gamma": (gamma(T, B, S1, 0, L), y),
        "beta > 0": x > 0,
        "gamma >= 0, zero iff l = s1": tm.Or(tm.And(y > 0, L < S1), tm.And(tm.Eq(y, 0), tm.Eq(L, S1))),
    }


INSIDE = tm.symbol("i")
MISPLACED_ROW = L / (S1 + S2) + (S1 - L) * beta(*ALL) + ((B - INSIDE) * T + S2 - B + INSIDE) * gamma(*ALL)

PAPER.claim(
    "eq. (3.1) (where B(y) lies)",
    r"the blocks are normalised by (3.2) whenever $|B(y)|$ is constant and $y\in B(y)\subseteq\tilde{S}$, as assumed",
    hypotheses=r"$i$ of the $b$ candidates of a minority label lie in $\tilde{S}_1$ outside $\Delta$; $b \ge 2$, as with $y\in B(y)$ a single candidate is $y$ itself, and not in $\tilde{S}_1$",
    given=[*SIZES, B >= 2, INSIDE >= 0, INSIDE <= B, INSIDE <= S1 - L],
    evidence="the row misses one by i (t - 1) gamma, and gamma > 0",
    formula=lambda inside: tm.TRUE,
    note=r"The block $(S_2, \tilde{S}_1)$ has no case for $\tilde{y}$ in $B(y)$, so (3.1) tacitly puts $B(y)$ inside $\tilde{S}_2$ for $y$ in "
    r"$S_2$. The mapping $x \to [x - \delta, x + \delta]$ of Table 1 violates this near the border of $S_1$ when $\tilde{S}_2$ is not empty. "
    r"With $S = \{1, 2, 3, 4\}$, $S_1 = \{1\}$, $B(1) = \{1, 2\}$, $B(2) = \{2, 3\}$, $B(3) = B(4) = \{3, 4\}$ the row of 2 has $\beta$ at 1 and 2, where 2 is a candidate, $e^\epsilon\gamma$ at 3 and $\gamma$ at 4: with $l = 0$ and $e^\epsilon = 2$, where $\beta = \gamma = 1/6$, that is $1/6 + 1/6 + 2/6 + 1/6 = 5/6$.",
    consequence="formula",
    repair=Repair(
        r"a minority row sums to one by (3.2) iff $B(y)\subseteq\tilde{S}_2$",
        formula=lambda inside: tm.Eq(inside, 0),
    ),
)(decides((INSIDE,), tm.Eq(MISPLACED_ROW, 1), "the minority row sums to one"))


@PAPER.claim(
    "eq. (3.1) (S~2 empty)",
    r"the blocks are normalised by (3.2) for every $l\in\{0,\dots,|\tilde{S}_1|\}$ when $\tilde{S}_2=\emptyset$ and $S_2\ne\emptyset$",
    hypotheses="$s_2 = 0$",
    given=EMPTY,
    replay="two labels with the same two candidates",
    formula=lambda l, s1: tm.TRUE,
    note=r"The second equation of (3.1) counts $|B(y)| e^\epsilon \gamma$ even when no output of $\tilde{S}_2$ exists to carry it. "
    r"Section 3.1's $y\in B(y)$ for $y\in S_2$ leaves $|B| \ge 2$, as in the counterexample. Table 1 has such sets with $B = I$, and $l = s_1$.",
    consequence="formula",
    repair=Repair(
        r"with $\tilde{S}_2=\emptyset$ and $S_2\ne\emptyset$ the minority rows sum to one iff $l=|\tilde{S}_1|$",
        formula=lambda l, s1: tm.Eq(l, s1),
    ),
)
def only_outputs_of_s1(condition: Any) -> Parts:
    """A minority row has 1/s1 on Delta and beta on the rest of S~1, and there is nothing else."""
    for l in range(3):
        value = beta(Fraction(2), 2, 2, 0, Fraction(l))
        total = Fraction(l, 2) + (2 - l) * value
        row = " + ".join(["1/2"] * l + [str(value)] * (2 - l))
        sets = "S1 = {1}, S2 = {2}, B(1) = B(2) = {1, 2}, so b = s1 = 2"
        relation = "==" if steps.holds(condition(l, 2)) else "!="
        yield Instance(f"{sets}; t = 2, l = {l}: the row of 2, {row}", total, relation, 1)
    yield from iff(condition(L, S1), tm.Eq(L / S1 + (S1 - L) * beta(T, B, S1, 0, L), 1), "sum = 1").items()


OTHER = tm.symbol("c")
MAJORITY_SIDES = [equations_3_1(T, size, S1, S2, L, X, Y)[0] for size in (B, OTHER)]


@PAPER.claim(
    "eq. (3.1) (|B(y)| constant)",
    r"the assumption that $|B(y)|$ is constant is needed: two majority equations of (3.1) with $|B(y)|\ne|B(y')|$ have no solution with $\beta\ne 0$",
    hypotheses="the first equation of (3.1) holds for two labels with $b$ and $c$ candidates",
    given=[T > 1, B > 0, OTHER > 0, S1 > 0, S2 >= 0, *(tm.Eq(side, 0) for side in MAJORITY_SIDES)],
    kind="ours",
    formula=lambda b, c, x: tm.Or(tm.Eq(b, c), tm.Eq(x, 0)),
    note="The paper makes the assumption from (3.2) on; (3.1) is printed before it.",
)
def constant_candidate_size(condition: Any) -> Parts:
    claimed, (first, second) = condition(B, OTHER, X), MAJORITY_SIDES
    yield "equal sizes or beta = 0", claimed
    yield [T > 1, B > 0, OTHER > 0], iff(claimed, tm.Eq(first - second, 0), "the same left side")


LABELS, OUTPUTS = tm.symbols("n m")


@PAPER.claim(
    "Section 3.1 (y in B(y), S~ in S)",
    r"the framework ($B:\mathcal{S}\to\tilde{\mathcal{S}}$ with $y\in B(y)$ for all $y\in\mathcal{S}$) admits $\tilde{\mathcal{S}}\subsetneq\mathcal{S}$",
    hypotheses=r"$n = |S|$, $m = |\tilde{S}|$, $\tilde{S}$ a subset of the finite $S$; then $\tilde{S} = S$ iff $n = m$, and $n - m$ labels are missing from $\tilde{S}$",
    given=[tm.Whole(LABELS, OUTPUTS), OUTPUTS >= 1, LABELS >= OUTPUTS],
    replay="small sets",
    headline=4,
    formula=lambda labels, outputs: tm.TRUE,
    note=r"'$\tilde{S}$ subset of $S$' is the printed relation; with $y$ in $B(y)$ for every $y$ it collapses to $\tilde{S} = S$. Table 1 uses "
    r"$\tilde{S} = B(S_1)$, a proper subset, and $\Phi$ with $y$ not in $\Phi(y)$: it needs the hypothesis for $y$ in $S_1$ or not at all.",
    consequence="wording",
    repair=Repair(
        r"$y\in B(y)\subseteq\tilde{\mathcal{S}}\subseteq\mathcal{S}$ for all $y\in\mathcal{S}$ holds for some $B$ iff $\tilde{\mathcal{S}}=\mathcal{S}$",
        formula=lambda labels, outputs: tm.Eq(labels, outputs),
    ),
)
def framework_hypothesis(admitted: Any) -> Parts:
    """Some B exists iff none of the n - m labels outside S~ exists: B(y) = {y} if so, and such a y cannot lie in B(y)."""
    for m, n in ((1, 2), *combinations_with_replacement((1, 2, 3), 2)):
        where = f"S = {set(range(n))}, S~ = {set(range(m))}: labels y of S that no B(y) can contain, as it lies in S~"
        yield Instance(where, n - m, "==" if steps.holds(admitted(n, m)) else "!=", 0)
    yield from iff(admitted(LABELS, OUTPUTS), LABELS - OUTPUTS < 1, "none missing", "admitted").items()


def majority_row(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> tuple[Any, Any, Any]:
    """Entries of a majority row, by the blocks and by Alg. 1 lines 6-10: on B(y), on the rest of S~1, on S~2."""
    high = beta(t, b, s1, s2, l)
    return t * high, high, gamma(t, b, s1, s2, l)


def minority_row(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> tuple[Any, Any, Any, Any]:
    """Entries of a minority row by the blocks: on Delta, on S~1 outside Delta, on B(y), on the rest of S~2."""
    high, low = beta(t, b, s1, s2, l), gamma(t, b, s1, s2, l)
    return 1 / (s1 + s2), high, t * low, low


def line_4(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> tuple[Any, Any, Any, Any]:
    """Alg. 1 line 4: gamma on everything outside B(y) and Delta."""
    delta, _, own, low = minority_row(t, b, s1, s2, l)
    return delta, low, own, low


def columns(majority: tuple[Any, ...], minority: tuple[Any, ...]) -> dict[str, list[Any]]:
    """Entries of the columns of the labels: of majority rows, then of minority rows."""
    (own, first, second), (delta, rest, minority_own, low) = majority, minority
    return {
        "a label of Delta": [own, first, delta],
        "a label of S1 outside Delta": [own, first, rest],
        "a label of S2": [second, minority_own, low],
    }


def majority_sum(own: Any, rest: Any, second: Any, *, b: Any = B, s1: Any = S1, s2: Any = S2) -> Any:
    """Sum of a majority row with these entries."""
    return b * own + (s1 - b) * rest + s2 * second


def minority_sum(
    delta: Any, rest: Any, own: Any, low: Any, *, b: Any = B, s1: Any = S1, s2: Any = S2, l: Any = L
) -> Any:
    """Sum of a minority row with these entries."""
    return l * delta + (s1 - l) * rest + b * own + (s2 - b) * low


@PAPER.claim(
    "Alg. 1 line 4",
    r"the minority row of Algorithm 1 ($1/|\tilde S|$ on $\Delta$, $e^\epsilon\gamma$ on $B(y)$, $\gamma$ on $\tilde{y}\notin B(y)\cup\Delta$) sums to one",
    hypotheses=r"$B(y)$ in $\tilde{S}_2$",
    given=SIZES,
    headline=1,
    formula=line_4,
    note=r"The block ($S_2$, $\tilde{S}_1$ minus $\Delta$) was defined with $\beta$, and Appendix C has $\beta$ there; Alg. 1 prints $\gamma$ for all of $\tilde{S}$ outside $B(y)$ and $\Delta$. What this does to privacy is 'Theorem 3.4 (Algorithm 1)'.",
    consequence="formula",
    repair=Repair(
        r"with $\beta$ on $\tilde{S}_1\setminus\Delta$ and $\gamma$ on $\tilde{S}_2\setminus B(y)$ the minority row sums to one",
        formula=minority_row,
    ),
)
def algorithm_1_line_4(row: Any) -> Relations:
    delta, _, own, low = row(*ALL)
    return {
        "minority row": tm.Eq(minority_sum(*row(*ALL)), 1),
        "on Delta": tm.Eq(delta, 1 / (S1 + S2)),
        "on B(y)": tm.Eq(own, T * gamma(*ALL)),
        "on S~2": tm.Eq(low, gamma(*ALL)),
    }


PAPER.claim(
    "Alg. 1 line 4 (when it is right)",
    r"Algorithm 1's minority row as printed sums to one iff $l=0$ or $l=|\tilde{S}_1|$",
    given=SIZES,
    kind="ours",
    formula=lambda l, s1: tm.Or(tm.Eq(l, 0), tm.Eq(l, s1)),
    note=r"At $l = 0$ $\beta = \gamma$; at $l = s_1$ nothing of $\tilde{S}_1$ outside $\Delta$ is left.",
)(decides((L, S1), tm.Eq(minority_sum(*line_4(*ALL)), 1), "sum = 1"))


@PAPER.claim(
    "Alg. 1 lines 6-10",
    r"the majority row ($\gamma$ on $\tilde{S}_2$, $e^\epsilon\beta$ on $B(y)$, $\beta$ on $\tilde{S}_1\setminus B(y)$) sums to one",
    hypotheses=r"$B(y)$ in $\tilde{S}_1$",
    given=ANY_SIZES,
    formula=majority_row,
)
def algorithm_1_majority(row: Any) -> Relations:
    own, _, second = row(*ALL)
    entries = {"on B(y)": (own, T * beta(*ALL)), "on S~2": (second, gamma(*ALL))}
    return {"majority row": (majority_sum(*row(*ALL)), 1), **entries}


@PAPER.claim(
    "Alg. 1 (Delta)",
    r"$\Delta\subseteq\tilde{S}_1$ has any cardinality $l\in\{0,\dots,|\tilde{S}_1|\}$ and every such $l$ gives a channel",
    hypotheses=r"$B(y) = \{y\}$, $\tilde{S} = S$; without $S_2$ only majority rows exist",
    given=SINGLE,
    replay="small sizes, every l and one below and above",
    formula=lambda s1: (0, s1),
)
def delta_sizes(bounds: Any) -> Parts:
    """The entries of all rows are t beta, beta, gamma, 1/|S~|, t gamma; a subset of S~1 with l elements exists iff 0 <= l <= s1."""
    level = PrivacyLevel.from_ratio(2)
    for m, n in combinations_with_replacement((1, 2, 3), 2):
        low, high = bounds(m)
        for l in range(-1, m + 2):
            where = f"K = {n}, S1 = {tuple(range(m))}, l = {l}"
            try:
                channel = block_rr_from_partition([Fraction(1, n)] * n, range(m), level, l)
            except BlockError as exc:
                yield not low <= l <= high or f"{where}: {exc}"
            else:
                yield low <= l <= high or f"{where}: a channel, beyond the range {low}..{high}"
                yield bool(channel.satisfies(level)) or f"{where}, t = 2: ratio {channel.ratio}"
    low, high = bounds(S1)
    yield [S1 >= 1], iff(tm.And(low <= L, high >= L), tm.And(L >= 0, L <= S1), "Delta exists")
    x, y, share = beta(T, 1, S1, S2, L), gamma(T, 1, S1, S2, L), 1 / (S1 + S2)
    yield [*SINGLE, S2 >= 1], {"minority row": (minority_sum(*minority_row(T, 1, S1, S2, L), b=1), 1)}
    yield "majority row", (majority_sum(*majority_row(T, 1, S1, S2, L), b=1), 1)
    yield "entries", tm.And(x > 0, y >= 0)
    yield "columns of Delta", tm.And(x <= share, share <= T * x)

"""Section VI.A: the prior-weighted BRR* (12) to (15), Alg. 3."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Repair
from lpmech.claims.checking import check_identities
from lpmech.entries import as_array
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.checks import equals
from lpmech.papers.zhang2025.algorithm_1 import SIGN, derivative_of_q
from lpmech.papers.zhang2025.algorithm_2 import FAMILIES, families, maximises_among_common_m
from lpmech.papers.zhang2025.greedy import ALG_3, rule_maximises
from lpmech.papers.zhang2025.paper import (
    BREAKING,
    ENTRIES,
    LARGE,
    OF_TWO,
    PAPER,
    RATIOS,
    N,
    T,
    among_common_m,
    average,
    matrices,
    written,
)
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

#: Any N: s is the weight s_i, C the sum of the other weights; in row k lambda_k is the similarity of s_i, A_k the sum of
#: lambda_j s_j over the others. Two rows with prior (p, 1 - p); everything is linear in the rows, so more rows are alike.
L1, L2, A1, A2, P, S, C = tm.symbols("lambda_1 lambda_2 A_1 A_2 p s C")
HIGH, LOW, SECOND = tm.symbols("a b q")
MASS = S + C
ROW_1, ROW_2 = L1 * S + A1, L2 * S + A2
VALUE = P * ROW_1 / MASS + (1 - P) * ROW_2 / MASS
WEIGHTS = [S > 0, C > 0, P >= 0, P <= 1]
#: N rows with the uniform prior: one, and the sum of the N - 1 others.
ROWS = tm.symbol("N")
UNIFORM = ROW_1 / MASS / ROWS + ROW_2 / MASS / ROWS


@PAPER.claim(
    "eq. (12)",
    r"$Q_g=\sum_k\pi(k)\sum_i\lambda_i^{(k)}w_i^{(k)}$ is the expected utility of the channel",
    hypotheses=r"any $N$, utility and weights: the channel gives the larger weight to the more similar output, so two outputs contribute what their two terms do in sorted order, and exchanges sort a row; rows enter with their prior $p$, $q \ge 0$, $1 - p - q \ge 0$",
    replay="3 x 3 similarities in {1, 2}, priors (1/2, 1/3, 1/6) and (1/6, 1/6, 2/3), m = 1, 2, 3, t in {2, 3}",
    given=[HIGH >= LOW, P >= 0, SECOND >= 0, P + SECOND <= 1],
    evidence="two outputs, hence all, by exchanges; linear in the rows",
    formula=(
        lambda prior, rows: sum(p * row for p, row in zip(prior, rows, strict=True)),
        lambda u, v, high, low: tm.Max(u, v) * high + tm.Min(u, v) * low,
    ),
    survivors={"part 1: prior and rows exchanged": "the same: a product has no order"},
    note=r"Two outputs of similarities $u$, $v$ contribute $\max(u,v)a+\min(u,v)b$ with the weights $a\ge b$.",
)
def eq_12(case: Any) -> Parts:
    combined, pair = case
    priors = [tuple(Fraction(share, 6) for share in prior) for prior in ((3, 2, 1), (1, 1, 4))]
    for matrix, prior, m, t in product([OF_TWO, *matrices(3, 2), OF_TWO], priors, (1, 2, 3), RATIOS[:2]):
        low = closed.low_probability(t, 3, m)
        rows = [(t - 1) * low * sum(sorted(row)[3 - m :]) + low * sum(row) for row in matrix]
        expected = average(matrix, m, t, prior)
        where = f"lambda = {written(matrix)}, prior ({', '.join(map(str, prior))}), m = {m}, t = {t}"
        yield Instance(f"{where}: (12), expected utility", combined(prior, rows), "==", expected)
    u, v, *values = tm.symbols("u v r_1 r_2 r_3")
    together = pair(u, v, HIGH, LOW)
    yield "u more similar", tm.Implies(u >= v, tm.Eq(u * HIGH + v * LOW, together))
    yield "v more similar", tm.Implies(u < v, tm.Eq(u * LOW + v * HIGH, together))
    mean = P * values[0] + SECOND * values[1] + (1 - P - SECOND) * values[2]
    yield "rows", tm.Eq(mean, combined((P, SECOND, 1 - P - SECOND), values))


PAPER.claim(
    "eq. (13)",
    r"$\partial Q_g/\partial s_i^{(k)}=\pi(k)\sum_j(\lambda_i^{(k)}-\lambda_j^{(k)})s_j^{(k)}/(\sum_j s_j^{(k)})^2$",
    hypotheses="rows with their own weights; any $N$, the other rows do not depend on $s_i^{(k)}$",
    given=WEIGHTS,
    formula=lambda p, numerator, mass: p * numerator / mass**2,
)(
    equals(
        (P, L1 * C - A1, MASS),
        **{"sympy differentiates (12)": steps.diff(P * ROW_1 / MASS + (1 - P) * tm.symbol("Q2"), S)},
    )
)


PAPER.claim(
    "eq. (14)",
    r"treating the weights uniformly, '$Q_g$ becomes $\sum_k\sum_i\lambda_i^{(k)}s_i/\sum_j s_j$', as printed",
    hypotheses=r"$N$ rows with the uniform prior $1/N$, any number of outputs: $\lambda_1$ the similarity of output $i$ in one row and $s$ its weight, $C$ the sum of the other weights, $A_1$ the sum of $\lambda_j s_j$ over the others; $\lambda_2$, $A_2$ the same, summed over the other $N - 1$ rows",
    consequence="formula",
    given=[S > 0, C > 0, ROWS >= 2],
    formula=lambda n: (ROW_1 + ROW_2) / MASS,
    note=r"The factor $\pi(k) = 1/N$ is dropped; it does not move the maximum. With similarities one everywhere it is $N$ in place of 1.",
    repair=Repair(
        r"with $\pi(k)=1/N$, $Q_g=\frac{1}{N}\sum_k\sum_i\lambda_i^{(k)}s_i/\sum_j s_j$",
        formula=lambda n: (ROW_1 + ROW_2) / MASS / n,
    ),
)(equals((ROWS,), Q_g=UNIFORM))


def _printed_15(p: Any) -> Any:
    """(15) with pi(k) outside the sum over k, k = 1."""
    return p / MASS**2 * ((L1 * C - A1) + (L2 * C - A2))


PAPER.claim(
    "eq. (15) (uniform prior)",
    r"$\partial Q_g/\partial s_i=\frac{\pi(k)}{(\sum_j s_j)^2}\sum_j(\sum_k(\lambda_i^{(k)}-\lambda_j^{(k)}))s_j$ for $\pi(k)=1/N$",
    hypotheses="as in (14)",
    given=[S > 0, C > 0, ROWS >= 1],
    formula=_printed_15,
)(equals((1 / ROWS,), **{"sympy differentiates (12)": steps.diff(UNIFORM, S)}))


@PAPER.claim(
    "eq. (15) (general prior)",
    r"(15) with $\pi(k)$ in front of the sum over $k$ is the derivative for any prior ('if we know the a prior probability distribution')",
    hypotheses=r"a row of prior $p$ and one of prior $1 - p$ (or the mean of the others under the prior), $k = 1$; any number of outputs: in row $k$ $\lambda_k$ is the similarity of output $i$, $s$ its weight; $C$ the other weights together, $A_k$ their sum times their similarities",
    consequence="slip",
    formula=_printed_15,
    note=r"The free $k$ in $\pi(k)$ shows the slip; the paper adds 'with $\pi(k) = 1/N$', for which (15) is right. The values are those of the rows $(3, 2, 1)$ and $(3, 3, 1)$ with $s = (2, 1, 1)$, $i = 2$.",
    repair=Repair(
        r"$\partial Q_g/\partial s_i=\frac{1}{(\sum_j s_j)^2}\sum_j(\sum_k\pi(k)(\lambda_i^{(k)}-\lambda_j^{(k)}))s_j$",
        formula=lambda p: (p * (L1 * C - A1) + (1 - p) * (L2 * C - A2)) / MASS**2,
    ),
)
def eq_15_general(derivative: Any) -> Outcome:
    # rows (3, 2, 1) and (3, 3, 1), s = (2, 1, 1), i = 2
    point = {L1: 2, A1: 7, L2: 3, A2: 7, S: 1, C: 3, P: tm.Rational(1, 3)}
    pair = (steps.diff(VALUE, S), derivative(P))
    return check_identities({"derivative": pair}, "sympy differentiates (12)", [point], WEIGHTS)


PAPER.claim(
    "Section VI.A (sign of (15))",
    "'the monotonicity of $Q_g$ with respect to $s_i$ is independent of the values of $s_i$'",
    **{
        **SIGN,
        "hypotheses": r"$\lambda_i = \sum_k \pi(k) \lambda_i^{(k)}$, $A$ and $C$ without the $i$-th term; any $N$",
    },
)(derivative_of_q)


STAR: dict[str, Any] = {
    "replay": f"every m; {FAMILIES}, uniform prior",
    "formula": ALG_3,
    "mutants": {"all outputs": (lambda u, level: len(u), lambda p, own, others: tm.TRUE)},
}


PAPER.claim(
    "Alg. 3 (optimal among common weights)",
    r"BRR* maximises $Q_g$ over all common weights $s\in[1,e^\epsilon]^N$, for every $N$ and every prior",
    hypotheses=r"any utility; a common weight is raised exactly where $\Lambda_i > Q_g$, $\Lambda_i=\sum_k\pi(k)\lambda_i^{(k)}$",
    **STAR,
    note=r"Termwise $(\Lambda_i - Q) s_i \le (\Lambda_i - Q) s_i^*$, and the right sides sum to zero. Larger weights for larger similarities are best in a row by the rearrangement inequality.",
)(maximises_among_common_m)


@PAPER.claim(
    "Alg. 3 (m* >= m)",
    "the $m$ of BRR* is at least the $m$ of BRR: 'The slope of the BRR* is always greater' in the weak sense",
    hypotheses=r"a term that every row raises, $d_k = \lambda_i^{(k)} C - A^{(k)} > 0$, has a positive numerator $\sum_k \pi_k d_k$ of (15); one row of prior $p$, the mean of the others",
    given=WEIGHTS,
    replay=FAMILIES,
    formula=lambda p, first, second: p * first + (1 - p) * second,
)
def m_star_at_least_m(combined: Any) -> Parts:
    for name, utility, t in families():
        star, m = (choose(utility, PrivacyLevel.from_ratio(t)) for choose in (closed.common_m_star, closed.common_m))
        yield Instance(f"{name}, t = {t}: m of BRR*, of BRR", star, ">=", m)
    yield "the numerator of (15)", (steps.diff(VALUE, S), combined(P, L1 * C - A1, L2 * C - A2) / MASS**2)
    first, second = tm.symbols("d1 d2")
    all_raise = tm.And(first > 0, second > 0)
    yield "positive where all rows raise the term", tm.Implies(all_raise, combined(P, first, second) > 0)


PAPER.claim(
    "Alg. 3 (BRR* against BRR)",
    r"the average utility of BRR* is at least that of BRR",
    hypotheses=r"$t > 1$, any $N$, utility and prior: BRR has common weights in $\{1, e^\epsilon\}$ too, and BRR* is best among them",
    **STAR,
)(maximises_among_common_m)


@PAPER.claim(
    "Alg. 3 (private)",
    r"BRR* satisfies $\epsilon$-LDP: it 'optimizes the distribution of $m$ high-weighted items, ensuring differential privacy'",
    hypotheses="any utility, prior and $N$: one $m$ for all rows, any sets; the prior does not depend on the true items",
    replay=f"{FAMILIES}, uniform prior, and one that rises",
    formula=ENTRIES,
    uses=["eq. (6)"],
    note=r"The prior decides $m$, and $m$ can be read off the channel: one estimated from the true items of the same people is a further release, which $\epsilon$ does not cover.",
)
def alg_3_private(formulas: Any) -> Parts:
    high, low = formulas
    for name, utility, t in families():
        n, level = len(utility), PrivacyLevel.from_ratio(t)
        for prior in (None, [Fraction(2 * k + 2, n * (n + 1)) for k in range(n)]):
            channel, m = closed.bipartite_rr_star(utility, level, prior), closed.common_m_star(utility, level, prior)
            entries = {high(t, n, m), low(t, n, m)} if m < n else {Fraction(1, n)}
            where, own = f"{name}, t = {t}, m = {m}", set(channel.matrix.flat)
            found = Instance(f"{where}: tight ratio", channel.ratio, "<=", t)
            yield found if own == entries else f"{where}: entries {', '.join(map(str, own))}"
    yield PAPER.claims["eq. (6)"].outcome_of(formulas)


@PAPER.claim(
    "Alg. 3 (known prior)",
    r"Alg. 3, with $Q_g=\frac{1}{N}\sum_k$ and (15) as printed, finds the best common $m$ for a known prior $\pi$",
    hypotheses=r"any $N$, utility and prior; two rows of prior $p$ and $1 - p$, more are alike; (15): $\partial Q_g/\partial s_i=\frac{\pi(k)}{(\sum_j s_j)^2}\sum_j(\sum_k(\lambda_i^{(k)}-\lambda_j^{(k)}))s_j$",
    replay="four 3 x 3 matrices of similarities in {1, 2, 3} and one with 10^20 + 1, 10^20 + 2, priors (4/5, 1/10, 1/10), (1/2, 1/3, 1/6), (1/10, 2/5, 1/2), t in {2, 5/4, 3/2, 3, 8, 9, 1001/1000, 10^4}",
    cause="eq. (15) (general prior)",
    consequence="wording",
    # as printed in (14) and (15) the prior does not enter the sum over k
    formula=(
        lambda matrix, level, prior: closed.common_m_star(matrix, level),
        lambda p, own, others: own + others > 0,
    ),
    note=r"Section VI starts from a known prior, then sets $\pi(k) = 1/N$; line 1 of Alg. 3 has $1/N$: it is meant for the uniform prior, though section VI.C says that BRR* 'leverages prior probabilities and determines $m$ using Algorithm 3'. With $\pi$ inside the sum it is right for every prior.",
    repair=Repair(
        r"with $\sum_k\pi(k)\lambda_i^{(k)}$ in place of $\frac{1}{N}\sum_k\lambda_i^{(k)}$ Alg. 3 finds the best common $m$ for the prior $\pi$",
        formula=ALG_3,
    ),
)
def known_prior(case: Any) -> Parts:
    choose, rule = case
    utilities = [
        ((3, 3, 1), (1, 3, 1), (1, 1, 3)),
        ((3, 1, 1), (3, 3, 1), (1, 3, 3)),
        ((2, 2, 1), (1, 2, 1), (1, 1, 2)),
        ((3, 2, 1), (2, 3, 1), (1, 1, 3)),
        LARGE,
    ]
    levels = list(map(Fraction, ("2", "5/4", "3/2", "3", "8", "9", "1001/1000", "10000")))
    for text in ("4/5, 1/10, 1/10", "1/2, 1/3, 1/6", "1/10, 2/5, 1/2"):
        prior = list(map(Fraction, text.split(", ")))
        cases = [(f"lambda = {written(u)}, pi = ({text})", u, t) for t, u in product(levels, utilities)]
        yield from among_common_m(lambda u, level, prior=prior: choose(u, level, prior), cases, prior)
    yield from among_common_m(choose, BREAKING)
    yield from rule_maximises(rule)


@cache
def sorted_rows(n: int) -> np.typing.NDArray[np.int64]:
    """The distances of every item to 1..N in rising order, shape (N, N)."""
    items = np.arange(n, dtype=np.int64)
    return np.sort(abs(np.subtract.outer(items, items)), axis=1)


def star_m(t: Fraction, n: int) -> int:
    """m of BRR* for |i - j| on 1..N and the uniform prior, exact."""
    return closed.greedy_m(as_array((-sorted_rows(n).sum(axis=0)).tolist(), "sums", 1), t)


@PAPER.claim(
    "Section VI.B (closer to GRR, BRR*)",
    r"BRR* on $1,\dots,N$ with $|i-j|$ is GRR iff $e^\epsilon\ge(N-1)(N-2)/3$",
    hypotheses="uniform prior: over the rows the second smallest distances add up to $N$, all of them to $N(N^2 - 1)/3$ (summed symbolically), and $m = 1$ iff (15) at $i = 2$ is not positive",
    given=[T > 1, N >= 2],
    replay="the library's m for N <= 40, t in {3/2, 2, 7/2, 10, 26, 70, 220}",
    kind="ours",
    formula=lambda n: (n - 1) * (n - 2) / 3,
)
def star_is_grr_from(threshold: Any) -> Parts:
    for size, t in product(
        (*range(28, 41), *range(2, 28)), map(Fraction, ("3/2", "2", "7/2", "10", "26", "70", "220"))
    ):
        m = star_m(t, size)
        least = threshold(Fraction(size))
        where = f"N = {size}, t = {t}, where the threshold is {least}: m of BRR*"
        yield Instance(where, m, "==" if t >= least else "!=", 1)
    n, y, k = tm.symbols("n y k")
    row = steps.summation(y - k, (k, 1, y)) + steps.summation(k - y, (k, y, n))
    total = steps.expand(steps.summation(row, (y, 1, n))).at({n: N})
    numerator = N * (T + N - 1) - total  # losses: the weights add up to t + N - 1 when only the true item is raised
    yield "(15) at i = 2 is N times t minus the threshold", (numerator, N * (T - threshold(N)))

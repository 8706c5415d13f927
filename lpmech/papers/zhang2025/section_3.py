"""Sections III and IV.A: the exponential, Laplace and GRR mechanisms, BRR's probabilities (6), and what is linear."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Relations
from lpmech.claims.checking import check_relations
from lpmech.mechanisms.bipartite_rr import bipartite_channel, high_probability, low_probability
from lpmech.mechanisms.bipartite_rr.equations import expected_utility, term
from lpmech.mechanisms.exponential import exponential_from_root, sensitivity
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.checks import equals, row_of_two, rr_entries
from lpmech.papers.zhang2025.paper import ENTRIES, PAPER, RATIOS, SETS, M, N, T, counted, rows_of, written
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm
from lpmech.utilities import absolute, tanimoto
from lpmech.verdicts import Outcome

OUT, HERE, THERE, SPREAD, EPSILON, SHARE, X, Y = tm.symbols("r f g Delta epsilon pi x y")
COMMON, RAISED, SIZE = tm.symbols("c m N")
OWN, WEIGHT, REST, COUNT = map(term_of, term)
WEIGHT_2, REST_2, COUNT_2, THETA = tm.symbols("s_2 A_2 C_2 theta")


def _distance(a: Any, b: Any) -> Any:
    return tm.Max(a - b, b - a)


#: Two scores of one output, or two values of f, are at most Delta apart.
CLOSE = [SPREAD > 0, EPSILON > 0, _distance(HERE, THERE) <= SPREAD]


@PAPER.claim(
    "eq. (3)",
    r"the exponential mechanism $\Pr\propto\exp(\epsilon q/(2\Delta q))$ is $\epsilon$-DP with $\Delta q$ the largest change of a score between inputs",
    hypotheses="all scores; $f$, $g$ two scores of one output",
    given=CLOSE,
    replay="2 x 2 and 2 x 3 scores 0, Delta, 2 Delta with Delta = 1, 1/3, e^{eps/2} = 2, 3, exact because the exponents are integers",
    formula=lambda epsilon, delta: epsilon / (2 * delta),
    note=r"Let $u$ be $e$ to half of $\epsilon$. The exponents of one output differ by at most $\epsilon/2$, so the weights satisfy $a \le u b$, both ways; sums of such weights do too, output by output, and so do the normalising constants. The ratio of two probabilities is at most $u^2$.",
)
def exponential_private(factor: Any) -> Parts:
    for root, columns, delta in product((Fraction(2), Fraction(3)), (2, 3), (Fraction(1), Fraction(1, 3))):
        for scores in product(product((0 * delta, delta, 2 * delta), repeat=columns), repeat=2):
            if sensitivity(scores) == delta:
                found = exponential_from_root(scores, root)
                powers = [[root ** (u / delta) for u in row] for row in scores]
                same = found.matrix.tolist() == [[power / sum(row) for power in row] for row in powers]
                where = f"scores {written(scores)}, rows {written(found.matrix)}: tight ratio against e^epsilon"
                yield Instance(where, found.ratio, "<=", root**2) if same else f"{where}: not (3)"
    yield "exponents differ by half of epsilon at most", factor(EPSILON, SPREAD) * (HERE - THERE) <= EPSILON / 2
    yield "and not less, so epsilon is approached with many outputs", (factor(EPSILON, SPREAD) * SPREAD, EPSILON / 2)
    a, b, c, d, total, other, u = tm.symbols("a b c d A B u")
    ratios = {
        "sums of weights": tm.Implies(c <= u * d, a + c <= u * (b + d)),
        "the ratio of two probabilities": a / total <= u**2 * b / other,
    }
    yield [u > 1, a > 0, b > 0, total > 0, other > 0, a <= u * b, other <= u * total], ratios


@PAPER.claim(
    "eq. (4)",
    r"the Laplace mechanism $f(D)+\mathrm{Laplace}(\Delta f/\epsilon)$ is $\epsilon$-DP: $\ln$ of the density ratio is $(|r-f'|-|r-f|)/b\le\epsilon$ for $b=\Delta f/\epsilon$",
    hypotheses="real outputs $r$; density $e^{-|r - f|/b}/(2b)$",
    given=CLOSE,
    formula=lambda spread, epsilon: spread / epsilon,
)
def eq_4(scale: Any) -> Relations:
    return {
        "ratio": _distance(OUT, THERE) - _distance(OUT, HERE) <= EPSILON * scale(SPREAD, EPSILON),
        "attained at r = f, f' = f + Delta f": (SPREAD, EPSILON * scale(SPREAD, EPSILON)),
    }


PAPER.claim(
    "eq. (5)",
    r"GRR: $e^\epsilon/(e^\epsilon+N-1)$ on the truth, $1/(e^\epsilon+N-1)$ elsewhere: normalised, level exactly $\epsilon$",
    given=[T > 1, N >= 2],
    formula=rr_entries,
)(lambda entries: row_of_two(entries(T, N), T, N))


@PAPER.claim(
    "Section III.E (unbiased)",
    r"GRR works 'while enabling unbiased estimation of the overall data': $(c-q)/(p-q)$ is unbiased for a share $\pi$, where $c$ is the released share",
    hypotheses=r"$E c = \pi p + (1 - \pi) q$ with $p$, $q$ of (5)",
    given=[T > 1, N >= 2, SHARE >= 0, SHARE <= 1],
    formula=lambda c, p, q: (c - q) / (p - q),
)
def unbiased(estimate: Any) -> Relations:
    p, q = rr_entries(T, N)
    return {"the mean, linear in c": (estimate(SHARE * p + (1 - SHARE) * q, p, q), SHARE), "p > q": p > q}


PAPER.claim(
    "eq. (6)",
    r"BRR: $e^\epsilon/(me^\epsilon+N-m)$ on $Y_m$, $1/(me^\epsilon+N-m)$ elsewhere: normalised and $\epsilon$-LDP for every choice of the sets $Y_m$",
    given=[T > 1, M >= 1, M <= N],
    evidence="every row has m high and N - m low entries; a column holds only high and low, whatever the sets",
    formula=ENTRIES,
)(lambda formulas: row_of_two((f(T, N, M) for f in formulas), T, N, M))


@PAPER.claim(
    "eq. (6) (tight level)",
    r"the level of (6) is exactly $\epsilon$ iff two rows have different sets $Y_m$, else 0",
    hypotheses=r"two sets of $m$ outputs with $c$ in common, $m - c$ in the first only and as many in the second only: they differ iff $m - c \ge 1$",
    given=[tm.Whole(COMMON, RAISED, SIZE), T > 1, RAISED >= 1, RAISED <= SIZE, COMMON >= 0, RAISED - COMMON >= 0],
    replay="N = 3, every pair of sets of one size, t in {2, 3}",
    kind="ours",
    formula=lambda only, common: only >= 1,
    note="An output in the first set only has a column with both entries of (6), ratio $t$; in all other columns the two rows agree.",
)
def eq_6_tight(is_tight: Any) -> Parts:
    for first, second, t in product(SETS[::-1], SETS, RATIOS[:2]):
        if len(first) == len(second):
            ratio, common = rows_of(first, second, t).ratio, len({*first} & {*second})
            relation = "==" if is_tight(len(first) - common, common) else "!="
            where = f"sets {counted(first)}, {counted(second)}: tight ratio against t"
            yield Instance(where, ratio, relation, t)
    high, low = high_probability(T, SIZE, RAISED), low_probability(T, SIZE, RAISED)
    largest = tm.Piecewise((high / low, RAISED - COMMON >= 1), (1, True))  # some column holds both entries, or none
    yield "both entries have the ratio t > 1", tm.And(low > 0, tm.Eq(high, T * low), high > low)
    yield "tight iff the largest ratio is t", tm.Equivalent(is_tight(RAISED - COMMON, COMMON), tm.Eq(largest, T))


@PAPER.claim(
    "Section IV.A (m = 1)",
    "'when $m=1$, $p=p^*$, thereby equating BRR to GRR': the channel (6) with $m=1$ is the channel (5) when the true item is the most similar to itself",
    hypotheses="so it is for $-|x - y|$ and Tanimoto on positive numbers, where no other item is as similar",
    given=[T > 1, N >= 2, X > 0, Y > 0, tm.Ne(X, Y)],
    replay="-|i - j| and Tanimoto on 1..N, N = 2..6, t in {2, 3, 7/2, 10}",
    formula=1,
    note="$Y_1$ holds the true item alone, so the entry $p^*$ stands on the diagonal and $q^*$ elsewhere, as $p$ and $q$ in (5).",
)
def one_is_grr(m: Any) -> Parts:
    yield "p* = p", tm.Implies(tm.Eq(M, m), tm.Eq(high_probability(T, N, M), rr_entries(T, N)[0]))
    yield "q* = q", tm.Implies(tm.Eq(M, m), tm.Eq(low_probability(T, N, M), rr_entries(T, N)[1]))
    yield "-|x - y| < 0", -_distance(X, Y) < 0
    yield "Tanimoto < 1", X * Y / (X * X + Y * Y - X * Y) < 1
    for n, similarity, t in product(range(2, 7), (absolute, tanimoto), RATIOS):
        level = PrivacyLevel.from_ratio(t)
        same = bipartite_channel(similarity(n), int(m), level) == randomized_response(n, level)
        yield same or f"{similarity.__name__} on 1..{n}, t = {t}: m = {m} is another channel"


PAPER.claim(
    "Section IV.A (m = N)",
    "with $m=N$ every item has probability $1/N$: BRR gives no information, and is 0-LDP",
    hypotheses="the other end of the range of $m$, which the paper does not mention",
    given=[T > 1, N >= 2],
    kind="ours",
    formula=lambda n: 1 / n,
)(equals((N,), **{"$p^*$ at m = N": high_probability(T, N, N)}))


@PAPER.claim(
    "Section IV.A (Q is linear-fractional)",
    r"$Q=\sum_i\lambda_i s_i/\sum_i s_i$ is a ratio of linear functions of the weights: at $(1-\theta)s+\theta s'$ it is the mean of $Q(s)$ and $Q(s')$ with weights $(1-\theta)\sum s_i$ and $\theta\sum s'_i$",
    hypotheses="positive weights, any $N$ and similarities; $s$, $C$ and $A$: one weight, the sum of the others, and their similarities' part",
    kind="ours",
    # from the values at s and s', whose weights sum to m and n
    formula=lambda share, a, b, m, n: ((1 - share) * m * a + share * n * b) / ((1 - share) * m + share * n),
    note=r"So $Q$ lies between its values at the ends: a maximum over $[1, e^\epsilon]^N$ is attained at a vertex, which is what Algs. 1 to 3 use. With $w = s / \sum(s)$ and $c = 1 / \sum(s)$, $c \le w \le e^\epsilon c$, it becomes a linear program (Charnes and Cooper).",
)
def linear_fractional(mean: Any) -> Outcome:
    points = (WEIGHT, REST, COUNT), (WEIGHT_2, REST_2, COUNT_2)
    between = tuple((1 - THETA) * a + THETA * b for a, b in zip(*points, strict=True))
    first, second, middle = (
        term_of(expected_utility()).at(dict(zip((WEIGHT, REST, COUNT), at, strict=True))) for at in (*points, between)
    )
    between_both = (middle, mean(THETA, first, second, WEIGHT + COUNT, WEIGHT_2 + COUNT_2))
    given = [WEIGHT > 0, WEIGHT_2 > 0, COUNT > 0, COUNT_2 > 0, THETA > 0, THETA < 1]
    return check_relations({"Q between two weight vectors": between_both}, given)


@PAPER.claim(
    "Abstract (this linear program)",
    r"'solving this linear program can be computationally cheap', 'can be efficiently solved as a linear programming problem': the maximisation is linear in its variables",
    hypotheses="the variables are the weights $s_i$ of sections IV.A and VI.A, or the release probabilities $w_i$ of (12); any $N$, similarities and two points; a linear function has the mean of their values between them",
    consequence="wording",
    readings={"in the weights $s$": "refuted", "in the release probabilities $w$": "proved"},
    formula=lambda share, a, b, m, n: (1 - share) * a + share * b,
    mutants={"the mean of the first point twice": lambda share, a, b, m, n: a},
    note="Algs. 1 to 3 optimise over $s$, where the problem is linear-fractional: 'Section IV.A (Q is linear-fractional)'. Over the release probabilities, with the inequalities of privacy, it is a linear program, which the algorithms do not solve: 'Abstract (optimal for any utility)'.",
)
def linear_program(mean: Any) -> tuple[Outcome, ...]:
    w, v, rest, rest_2 = tm.symbols("w v R R_2")
    inside = OWN * ((1 - THETA) * w + THETA * v) + (1 - THETA) * rest + THETA * rest_2
    linear = (inside, mean(THETA, OWN * w + rest, OWN * v + rest_2, tm.Rational(1), tm.Rational(1)))
    probabilities = {"sum of lambda_i w_i, linear in the release probabilities": linear}
    return linear_fractional(mean), check_relations(probabilities, [THETA > 0, THETA < 1])


PAPER.leave_out(
    "Section II and III.A to III.D (definitions)", "definitions (1), (2) and Warner's scheme state no result"
)

"""Sections III and IV.A: the exponential, Laplace and GRR mechanisms, and BRR's probabilities (6)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.bipartite_rr import bipartite_channel, high_probability, low_probability
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, M, N, T, grr
from lpmech.utilities import absolute, tanimoto
from lpmech.verdicts import Outcome

OUT, HERE, THERE, SPREAD, EPSILON = sp.symbols("r f g Delta epsilon")


@PAPER.claim(
    "eq. (3)",
    r"the exponential mechanism \Pr\propto\exp(\epsilon q/(2\Delta q)) is \epsilon-DP with \Delta q the largest change of a score between inputs",
    hypotheses="all scores, epsilon > 0, Delta > 0; the formula is the factor of q in the exponent. Replayed on 2 x 2 and 2 x 3 integer scores 0..2, "
    "e^{eps/(2 Delta)} = 2, 3, exact because the exponents are integers",
    formula=lambda epsilon, delta: epsilon / (2 * delta),
    mutants={
        "factor 2 dropped": lambda epsilon, delta: epsilon / delta,
        "three halves of the budget": lambda epsilon, delta: 3 * epsilon / (2 * delta),
    },
    note="Let u be e to half of epsilon. The exponents of one output differ by at most epsilon/2, so the weights satisfy a <= u b, both ways; sums of such "
    "weights do too, output by output, and so do the normalising constants. The ratio of two probabilities is at most u^2.",
)
def exponential_private(factor: Any) -> Outcome:
    def failure(case: tuple[tuple[tuple[int, ...], ...], Fraction]) -> str | None:
        scores, base = case
        delta = max(abs(a - b) for a, b in zip(*scores, strict=True))
        multiple = int(2 * delta * factor(Fraction(1), delta)) if delta else 1
        rows = [[base ** (multiple * s) for s in row] for row in scores]
        channel = Channel([[v / sum(row) for v in row] for row in rows])
        bound = base ** (2 * delta)
        return (
            None
            if channel.ratio <= bound
            else f"scores {scores}, e^(eps/2Delta) = {base}, Delta = {delta}: ratio {channel.ratio} > {bound}"
        )

    family = [
        (scores, Fraction(base))
        for base in (2, 3)
        for columns in (2, 3)
        for scores in product(product(range(3), repeat=columns), repeat=2)
    ]
    exponent = check_implications(
        [SPREAD > 0, EPSILON > 0, _distance(HERE, THERE) <= SPREAD],
        {"half of epsilon": factor(EPSILON, SPREAD) * (HERE - THERE) <= EPSILON / 2},
        "exponents of one output",
    )
    a, b, c, d, total, other, u = sp.symbols("a b c d A B u")
    weights = [u > 1, a > 0, b > 0, total > 0, other > 0, a <= u * b, other <= u * total]
    ratio = check_implications(
        weights,
        {
            "sums of weights": sp.Implies(c <= u * d, a + c <= u * (b + d)),
            "the ratio of probabilities": a / total <= u**2 * b / other,
        },
        "ratio of two probabilities, any number of outputs",
    )
    return replayed(both(exponent, ratio), check_family(family, failure, "small integer scores"))


def _distance(a: Any, b: Any) -> Any:
    return sp.Max(a - b, b - a)


@PAPER.claim(
    "eq. (4)",
    r"the Laplace mechanism f(D)+\mathrm{Laplace}(\Delta f/\epsilon) is \epsilon-DP: \ln of the density ratio is (|r-f'|-|r-f|)/b\le\epsilon for b=\Delta f/\epsilon",
    hypotheses="real outputs r, |f - f'| <= Delta f; density e^{-|r - f|/b}/(2b)",
    given=[SPREAD > 0, EPSILON > 0, _distance(HERE, THERE) <= SPREAD],
    evidence="the scale is positive; triangle inequality, all real r, f, f'",
    formula=lambda spread, epsilon: spread / epsilon,
    mutants={
        "scale Delta f / (2 epsilon)": lambda spread, epsilon: spread / (2 * epsilon),
        "scale epsilon / Delta f": lambda spread, epsilon: epsilon / spread,
    },
    survivors={"spread -> spread + 1": "also true: more noise is private too"},
)
def eq_4(scale: Any) -> Relations:
    return {"ratio": _distance(OUT, THERE) - _distance(OUT, HERE) <= EPSILON * scale(SPREAD, EPSILON)}


@PAPER.claim(
    "eq. (5)",
    r"GRR: e^\epsilon/(e^\epsilon+N-1) on the truth, 1/(e^\epsilon+N-1) elsewhere: normalised, level exactly \epsilon",
    formula=grr,
    mutants={
        "denominator t + N": lambda t, n: (t / (t + n), 1 / (t + n)),
        "(1 - p)/N": lambda t, n: (t / (t + n - 1), (n - 1) / (n * (t + n - 1))),
    },
)
def eq_5(entries: Any) -> Outcome:
    high, low = entries(T, N)
    normalised = check_identities(
        {"row sum": (high + (N - 1) * low, 1), "(1-p)/(N-1)": (low * (N - 1), 1 - high)},
        "rows sum to one",
        hypotheses=[T > 1, N >= 2],
    )
    level = check_implications(
        [T > 1, N >= 2], {"low > 0": low > 0, "high = t low": sp.Eq(high, T * low)}, "high = t low > 0"
    )
    return both(normalised, level)


@PAPER.claim(
    "Section III.E (unbiased)",
    r"GRR 'enables unbiased estimation of the overall data': (c-q)/(p-q) is unbiased for a share \pi, where c is the released share",
    hypotheses="E c = pi p + (1 - pi) q with p, q of (5), N >= 2 makes p > q",
    formula=lambda c, p, q: (c - q) / (p - q),
    mutants={"c / p": lambda c, p, q: c / p, "c - q": lambda c, p, q: c - q},
)
def unbiased(estimate: Any) -> Outcome:
    share, p, q = sp.Symbol("pi"), T / (T + N - 1), 1 / (T + N - 1)
    mean = check_identities(
        {"mean": (estimate(share * p + (1 - share) * q, p, q), share)},
        "linear in c, so the mean passes through",
        hypotheses=[T > 1, N >= 2, share >= 0, share <= 1],
    )
    return both(mean, check_implications([T > 1, N >= 2], {"p > q": p > q}, "and p > q"))


@PAPER.claim(
    "eq. (6)",
    r"BRR: e^\epsilon/(me^\epsilon+N-m) on Y_m, 1/(me^\epsilon+N-m) elsewhere: normalised and \epsilon-LDP for every choice of the sets Y_m",
    formula=(high_probability, low_probability),
    mutants={
        "m - 1 in the denominator": (
            lambda t, n, m: t / ((m - 1) * t + n - m),
            lambda t, n, m: 1 / ((m - 1) * t + n - m),
        ),
        "e^2eps on Y_m": (lambda t, n, m: t**2 / (m * t**2 + n - m), lambda t, n, m: 1 / (m * t**2 + n - m)),
    },
)
def eq_6(formulas: Any) -> Outcome:
    high, low = (f(T, N, M) for f in formulas)
    normalised = check_identities(
        {"row sum": (M * high + (N - M) * low, 1)},
        "every row has m high and N - m low entries",
        hypotheses=[T > 1, M >= 1, M <= N],
    )
    private = check_implications(
        [T > 1, M >= 1, M <= N],
        {"low > 0": low > 0, "high <= t low": high <= T * low},
        "a column holds only high and low, whatever the sets",
    )
    return both(normalised, private)


@PAPER.claim(
    "eq. (6) (tight level)",
    r"the level of (6) is exactly \epsilon iff two rows have different sets Y_m, else 0",
    hypotheses="any N and 1 <= m <= N; two sets of m outputs with c in common, m - c >= 0 in the first only and as many in the second only: they differ iff m - c >= 1. The formula is a condition on m - c and c. Replayed on N = 3, every pair of sets of one size, t in {2, 3}",
    formula=lambda only, common: only >= 1,
    mutants={
        "always": lambda only, common: sp.true,
        "iff the sets are disjoint": lambda only, common: sp.Eq(common, 0),
    },
    note="An output in the first set only has a column with both entries of (6), ratio t; in all other columns the two rows agree.",
)
def eq_6_tight(is_tight: Any) -> Outcome:
    def failure(case: tuple[set[int], set[int], Fraction]) -> str | None:
        first, second, t = case
        low = 1 / (len(first) * t + 3 - len(first))
        ratio = Channel([[t * low if j in chosen else low for j in range(3)] for chosen in (first, second)]).ratio
        tight = bool(is_tight(len(first - second), len(first & second)))
        return None if (ratio == t) == tight else f"sets {first}, {second}, t = {t}: tight ratio {ratio}"

    sets = [set(c) for m in (1, 2, 3) for c in combinations(range(3), m)]
    pairs = [(a, b, t) for t in (Fraction(2), Fraction(3)) for a in sets for b in sets if len(a) == len(b)]
    common, m, size = sp.symbols("c m N", integer=True)
    only = m - common
    high, low = high_probability(T, size, m), low_probability(T, size, m)
    mixed = only >= 1  # some column holds both entries
    proof = check_implications(
        [T > 1, m >= 1, m <= size, common >= 0, only >= 0],
        {
            "both entries have the ratio t > 1": sp.And(low > 0, sp.Eq(high, T * low), high > low),
            "tight => a mixed column": sp.Implies(is_tight(only, common), mixed),
            "a mixed column => tight": sp.Implies(mixed, is_tight(only, common)),
        },
        "all N, m, c and t",
    )
    return replayed(proof, check_family(pairs, failure, "all pairs of sets"))


@PAPER.claim(
    "Section IV.A (m = 1)",
    r"'when m=1, p=p^*, thereby equating BRR to GRR'",
    hypotheses="and as channels for -|i - j| and Tanimoto, N <= 6, where the true item is the most similar one",
    formula=1,
    mutants={"m = 2": 2, "m = N": N},
)
def one_is_grr(m: Any) -> Outcome:
    return check_identities(
        {
            "p* = p": (high_probability(T, N, m), T / (T + N - 1)),
            "q* = q": (low_probability(T, N, m), 1 / (T + N - 1)),
        },
        "identities in N and t",
        hypotheses=[T > 1, N >= 2],
    )


@PAPER.claim(
    "Section IV.A (m = 1) [channels]",
    r"the channel (6) with m=1 is the channel (5) when the true item is the most similar to itself",
    hypotheses="any N and t; so it is for -|i - j| and Tanimoto on positive numbers, where no other item is as similar. Replayed on 1..N, N <= 6, "
    "t in {2, 3, 7/2, 10}",
    formula=1,
    mutants={"m = 2": 2},
    note="Y_1 holds the true item alone, so the entry p* stands on the diagonal and q* elsewhere, as p and q in (5).",
)
def one_is_grr_channel(m: int) -> Outcome:
    def failure(case: tuple[str, int, Fraction]) -> str | None:
        name, n, t = case
        level = PrivacyLevel.from_ratio(t)
        utility = absolute(n) if name == "-|i - j|" else tanimoto(n)
        same = bipartite_channel(utility, m, level) == randomized_response(n, level)
        return None if same else f"{name} on 1..{n}, t = {t}: m = {m} is another channel"

    family = [(name, n, t) for n in range(2, 7) for name in ("-|i - j|", "Tanimoto") for t in RATIOS]
    x, y = sp.symbols("x y")
    nearest = check_implications(
        [x > 0, y > 0, sp.Ne(x, y)],
        {"-|x - y| < 0": -_distance(x, y) < 0, "Tanimoto < 1": x * y / (x * x + y * y - x * y) < 1},
        "the true item is the most similar one",
    )
    return replayed(both(one_is_grr(m), nearest), check_family(family, failure, "N = 2..6"))


@PAPER.claim(
    "Section IV.A (m = N)",
    r"with m=N every item has probability 1/N: BRR gives no information, and is 0-LDP",
    hypotheses="the other end of the range of m, which the paper does not mention",
    given=[T > 1, N >= 2],
    evidence="identity",
    formula=lambda n: 1 / n,
    mutants={"GRR's p": lambda n: T / (T + n - 1)},
)
def all_alike(entry: Any) -> Relations:
    return {"p*": (high_probability(T, N, N), entry(N))}


PAPER.leave_out(
    "Section II and III.A to III.D (definitions)", "definitions (1), (2) and Warner's scheme state no result"
)

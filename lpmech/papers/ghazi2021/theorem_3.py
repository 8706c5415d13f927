"""Section 3.2: the optimality of RRWithPrior, every step of its proof on its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, hit_rates, rr_with_prior
from lpmech.papers.checking import both, check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome, Verdict, unclear
from lpmech.papers.ghazi2021.paper import MASS, PAPER, RATIOS, K, T, priors, written
from lpmech.programs.general import Program
from lpmech.programs.rr_with_prior import lp1, lp2_by_enumeration, lp2_vertices
from lpmech.symbolic.rr_with_prior import extreme_point_value, symbols
from lpmech.utilities import hit

#: Priors and levels of the exact certificates: zero entries and ties included.
FAMILY = [(p, t) for p in priors((1, 2, 3, 4), 6) for t in RATIOS]


@PAPER.claim(
    "Theorem 3 (objective)",
    r"\mathrm{Obj}_p(R)=\sum_{y\in[k]}p_y q_{y|y}, as printed three times",
    hypotheses="RRWithPrior on priors with denominator 6, K <= 4, t in {11/10, 2, 3, 9/2, 20}",
    recorded="unclear",
    formula=lambda prior, diagonal, upto: sum(p * q for p, q in zip(prior[:upto], diagonal[:upto], strict=True)),
    mutants={"p_y dropped": lambda prior, diagonal, upto: sum(diagonal[:upto])},
    note="k is not defined where the sum is printed; [K] is meant, as the definition of Obj_p shows.",
)
def objective(expression: Any) -> Outcome:
    def reading(name: str, upto: Any) -> Outcome:
        def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
            prior, t = case
            channel = rr_with_prior([Fraction(1, len(prior))] * len(prior), PrivacyLevel.from_ratio(t))
            value = channel.expected_utility(hit(len(prior)), prior)
            claimed = expression(prior, channel.matrix.diagonal().tolist(), upto(prior))
            return None if claimed == value else f"{written(prior)}, t = {t}, RR, {name}: {claimed} against {value}"

        return check_family(FAMILY, failure, f"RR on all such priors, {name}")

    return unclear(
        {
            "the sum runs over [K]": reading("y in [K]", len),
            "k < K fixed, here k = K - 1": reading("y in [K-1]", lambda p: len(p) - 1),
        }
    )


def _channel_symbols(size: int) -> tuple[list[list[sp.Symbol]], list[Any]]:
    """Entries q[y][j] and the constraints (2), (3) of LP1."""
    q = [[sp.Symbol(f"q{y}{j}") for j in range(size)] for y in range(size)]
    rules = [T > 1, *(q[y][j] >= 0 for y in range(size) for j in range(size))]
    rules += [q[y][j] <= T * q[z][j] for j in range(size) for y in range(size) for z in range(size) if y != z]
    rules += [sp.Eq(sum(q[y]), 1) for y in range(size)]
    return q, rules


@PAPER.claim(
    "Theorem 3 ((2) and (3) imply (4))",
    r"q_{y|y}+e^{-\epsilon}\sum_{\tilde y\ne y}q_{\tilde y|\tilde y}\le 1 for every y",
    hypotheses="all channels private at t > 1, K = 2, 3, 4 written out; each term q_{y~|y} >= e^-eps q_{y~|y~} is (2), for any K",
    recorded="proved",
    formula=lambda own, others, t: own + others / t <= 1,
    mutants={
        "e^eps in place of e^-eps": lambda own, others, t: own + others * t <= 1,
        "factor 1": lambda own, others, t: own + others <= 1,
    },
)
def implies_4(constraint: Any) -> Outcome:
    for size in (2, 3, 4):
        q, rules = _channel_symbols(size)
        own, others = q[0][0], sum(q[j][j] for j in range(1, size))
        outcome = check_implications(
            rules, {f"(4), K = {size}": constraint(own, others, T)}, "K = 2, 3, 4, all private channels"
        )
        if outcome.verdict is Verdict.REFUTED:
            return outcome
    return outcome


@PAPER.claim(
    "Theorem 3 (LP2 relaxes LP1)",
    r"the optimum of LP1 is at most the optimum of LP2",
    hypotheses="priors with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20}; LP1 exact with exact duals, LP2 over its extreme points",
    recorded="certified",
    formula=lp2_by_enumeration,
    mutants={
        "LP2 without the points of |Y| = k*": lambda prior, level: min(hit_rates(prior, level).tolist()),
        "objective halved": lambda prior, level: lp2_by_enumeration(prior, level) / 2,
    },
)
def relaxation(optimum_of_lp2: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        level = PrivacyLevel.from_ratio(t)
        first, second = lp1(prior, level).solve("exact").value, optimum_of_lp2(prior, level)
        return None if first <= second else f"{written(prior)}, t = {t}: LP1 {first} > LP2 {second}"

    return check_family(FAMILY, failure, "all such priors and t")


TOTAL, Q, OTHER = sp.symbols("S q q2")


@PAPER.claim(
    "Theorem 3 (extreme points)",
    r"at an extreme point of LP2 no y has both (4) and (5) tight, so it is zero or, for some Y\ne\emptyset, (4) is tight on Y and (5) outside",
    hypotheses="t > 1, any K: S = sum_y q_y, (4) for y reads (1 - 1/t) q_y + S/t <= 1",
    recorded="proved",
    formula=lambda q, total, t: (1 - 1 / t) * q + total / t,
    mutants={
        "without S": lambda q, total, t: (1 - 1 / t) * q,
        "coefficient 1 of q": lambda q, total, t: q * (t - 1) * 0 + total / t,
    },
    note="If q_y = 0 and (4) is tight for y then S = t, and (4) forces every other q to be zero: S = 0, a contradiction. K tight "
    "constraints therefore split the labels into Y and its complement.",
)
def extreme_points(left: Any) -> Outcome:
    return check_implications(
        [T > 1, TOTAL >= 0, OTHER >= 0, sp.Eq(left(0, TOTAL, T), 1), left(OTHER, TOTAL, T) <= 1],
        {"S = t": sp.Eq(TOTAL, T), "every other q is zero": sp.Eq(OTHER, 0)},
        "any K, all t > 1",
    )


@PAPER.claim(
    "Theorem 3 (value at the extreme points)",
    r"'this results in' q_{y|y}=e^\epsilon/(e^\epsilon+|Y|-1) on Y",
    hypotheses="t > 1; k = |Y| tight constraints with q zero outside Y",
    recorded="proved",
    formula=lambda t, k: t / (t + k - 1),
    mutants={"t + k": lambda t, k: t / (t + k), "1/(t + k - 1)": lambda t, k: 1 / (t + k - 1)},
)
def extreme_value(value: Any) -> Outcome:
    t, k, _, _ = symbols
    equal = check_identities({"value": (extreme_point_value(), value(t, k))}, "solved from (4)")
    x, y = sp.symbols("x y")
    same = check_implications(
        [T > 1, sp.Eq((1 - 1 / T) * x + TOTAL / T, 1), sp.Eq((1 - 1 / T) * y + TOTAL / T, 1)],
        {"equal on Y": sp.Eq(x, y)},
        "two tight constraints give equal values",
    )
    return both(equal, same)


@PAPER.claim(
    "Theorem 3 (the points are feasible)",
    r"every listed point satisfies (4) for y\notin Y as well",
    hypotheses="t > 1, |Y| = k >= 1",
    recorded="proved",
    formula=lambda t, k: t / (t + k - 1),
    mutants={"t^2 in place of t": lambda t, k: t**2 / (t + k - 1)},
)
def points_feasible(value: Any) -> Outcome:
    return check_implications(
        [T > 1, K >= 1],
        {
            "(4) outside Y": K * value(T, K) / T <= 1,
            "(4) on Y": value(T, K) * (1 - 1 / T) + K * value(T, K) / T <= 1,
            "(5)": value(T, K) >= 0,
        },
        "all t and k",
    )


@PAPER.claim(
    "Theorem 3 (the points are extreme)",
    r"each of the 2^K listed points is an extreme point of LP2",
    hypotheses="K <= 5, t in {11/10, 2, 3, 9/2, 20}: the tight constraints have rank K",
    recorded="certified",
    formula=lambda size, t: lp2_vertices(size, t),
    mutants={"the centre of two vertices": lambda size, t: [*lp2_vertices(size, t), [Fraction(1, 2)] * size]},
    note="At epsilon = 0 (t = 1), which the paper admits, all constraints (4) coincide and only zero and the unit vectors are "
    "extreme; the upper bound is then max p, which k = 1 attains.",
)
def points_extreme(points: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        size, t = case
        for point in points(size, t):
            rows: list[list[Any]] = []
            for y in range(size):
                if point[y] == 0:
                    rows.append([int(j == y) for j in range(size)])
                if point[y] + sum(point[j] for j in range(size) if j != y) / t == 1:
                    rows.append([1 if j == y else 1 / t for j in range(size)])
            if sp.Matrix([[sp.Rational(str(v)) for v in row] for row in rows]).rank() < size:
                return f"K = {size}, t = {t}, point {list(map(str, point))}: tight constraints of rank < {size}"
        return None

    return check_family([(n, t) for n in range(1, 5) for t in RATIOS[:3]], failure, "K <= 4")


@PAPER.claim(
    "Theorem 3 (objective at the extreme points)",
    r"the objective there is \frac{e^\epsilon}{e^\epsilon+|Y|-1}\sum_{y\in Y}p_y",
    hypotheses="any Y with mass P and k labels",
    recorded="proved",
    formula=hit_rate,
    mutants={"mass times k": lambda t, k, mass: t * mass * k / (t + k - 1)},
)
def objective_at_points(rate: Any) -> Outcome:
    return check_identities({"objective": (T / (T + K - 1) * MASS, rate(T, K, MASS))}, "identity")


@PAPER.claim(
    "Theorem 3 (max over Y is max over k)",
    r"\max_{Y}\frac{e^\epsilon}{e^\epsilon+|Y|-1}\sum_{y\in Y}p_y=\max_k w_k: among sets of one size the k most probable labels are best",
    hypotheses="priors with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20}; exchanging a label for a more probable one never lowers the mass",
    recorded="certified",
    formula=lambda prior, t: max(hit_rate(t, k, sum(prior[:k])) for k in range(1, len(prior) + 1)),
    mutants={
        "k < K only": lambda prior, t: max(hit_rate(t, k, sum(prior[:k])) for k in range(1, max(2, len(prior)))),
        "the least probable": lambda prior, t: max(hit_rate(t, k, sum(prior[-k:])) for k in range(1, len(prior) + 1)),
    },
)
def max_over_sets(over_k: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        best = max(
            hit_rate(t, k, sum(prior[y] for y in chosen))
            for k in range(1, len(prior) + 1)
            for chosen in combinations(range(len(prior)), k)
        )
        return (
            None
            if best == over_k(prior, t)
            else f"{written(prior)}, t = {t}: best set {best}, over k {over_k(prior, t)}"
        )

    return check_family(FAMILY, failure, "all sets, all such priors and t")


@PAPER.claim(
    "Theorem 3 (LP1 = LP2 = max w_k)",
    r"the optimum of LP1 is \max_k w_k=\mathrm{Obj}_p(\mathrm{RRWithPrior})",
    hypotheses="priors with denominator 6 on K <= 4 and with denominator 8 on K = 5, 6 labels, t in {11/10, 2, 3, 9/2, 20}, zero entries and ties included; exact optima with exact duals",
    recorded="certified",
    formula=lambda prior, level: rr_with_prior(prior, level).expected_utility(hit(len(prior)), prior),
    mutants={
        "RR": lambda prior, level: hit_rates(prior, level)[-1],
        "w_1": lambda prior, level: hit_rates(prior, level)[0],
    },
)
def optimum(value: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        level = PrivacyLevel.from_ratio(t)
        solution = lp1(prior, level).solve("exact")
        claimed = value(prior, level)
        return (
            None
            if claimed == solution.value == max(hit_rates(prior, level))
            else f"{written(prior)}, t = {t}: LP1 {solution.value}, claimed {claimed}"
        )

    family = FAMILY + [(p, t) for p in priors((5, 6), 8)[::4] for t in RATIOS[1:4]]
    return check_family(family, failure, "all such priors and t")


W, P_Y, SUM = sp.symbols("W p_y C")


def dual_value(t: Any, p: Any, best: Any) -> Any:
    """pi_y = max(0, (t p_y - W) / (t - 1)): the dual certificate of Theorem 3."""
    return sp.Max(0, (t * p - best) / (t - 1))


@PAPER.claim(
    "Theorem 3",
    r"for every prior, every K and every \epsilon>0, \mathrm{Obj}_p(R)\le\max_k w_k for every \epsilon-DP R",
    hypotheses="t > 1; W = max w_k. Duals pi_y = max(0, (t p_y - W)/(t - 1)) of the program over channels; any K by scalar lemmas",
    recorded="proved",
    formula=dual_value,
    mutants={
        "factor t dropped": lambda t, p, best: sp.Max(0, (p - best) / (t - 1)),
        "divided by t": lambda t, p, best: sp.Max(0, (t * p - best) / t),
        "W subtracted twice": lambda t, p, best: sp.Max(0, (t * p - 2 * best) / (t - 1)),
    },
    note="(a) w_(k+1) is the mediant of w_k and t p_(k+1), so at the smallest k* exactly the k* kept labels have t p_y > W. "
    "(b) Hence sum_y pi_y = (t P_k* - k* W)/(t - 1) = W. (c) For output j the dual constraint reads t (p_j - pi_j) - sum_{y != j} pi_y "
    "<= 0, because p_j >= pi_j; with sum pi = W it is t p_j - (t - 1) pi_j <= W. So the duals prove W.",
)
def theorem_3(dual: Any) -> Outcome:
    k, pi = K, dual(T, P_Y, W)
    mediant = check_implications(
        [T > 1, k >= 1, W > 0, P_Y >= 0, SUM > 0, sp.Eq(SUM, T + k - 1)],
        {
            "(a) t p > w_k => w_k < w_(k+1) < t p": sp.Implies(
                T * P_Y > W, sp.And((W * SUM + T * P_Y) / (SUM + 1) > W, (W * SUM + T * P_Y) / (SUM + 1) < T * P_Y)
            ),
            "(a) t p <= w_k => w_(k+1) <= w_k": sp.Implies(T * P_Y <= W, (W * SUM + T * P_Y) / (SUM + 1) <= W),
        },
        "mediant",
    )
    kept = pi.args[1] if isinstance(pi, sp.Max) and pi.args[0] == 0 else pi.args[0] if isinstance(pi, sp.Max) else pi
    mass_of_duals = kept.subs(P_Y, MASS / K) * K  # linear in p: the sum over k labels of mass P
    total = check_identities(
        {"(b) sum of duals = W": (mass_of_duals.subs(W, hit_rate(T, K, MASS)), hit_rate(T, K, MASS))}, "duals sum to W"
    )
    constraint = check_implications(
        [T > 1, P_Y >= 0, W >= P_Y, W > 0],
        {"(c) p >= pi": pi <= P_Y, "pi >= 0": pi >= 0, "(c) dual constraint": T * P_Y - (T - 1) * pi <= W},
        "dual constraint of every output, all p, t, W >= p (w_1 = p_1)",
    )
    return both(both(mediant, total), constraint)


def _unique(program: Program) -> bool:
    """Whether the optimal channel is unique: the optimum is differentiable in every weight (exact one-sided slopes)."""
    step = Fraction(1, 10**9)
    value = program.solve("exact").value
    rows, columns = program.weights.shape
    for y in range(rows):
        for j in range(columns):
            shift = np.zeros((rows, columns), dtype=object)
            shift[y, j] = step
            up, down = (Program(program.weights + sign * shift, program.level).solve("exact").value for sign in (1, -1))
            if up - value != value - down:
                return False
    return True


@PAPER.claim(
    "Theorem 3 (uniqueness)",
    r"the optimal \epsilon-DP channel for the hit rate is unique iff k^* is the only maximiser of w_k and k^*\in\{1,K\}",
    hypotheses="positive priors with denominator 6 on K = 2, 3 labels, t in {11/10, 2, 3, 9/2, 20}; slopes of the exact optimum at step 1e-9",
    recorded="certified",
    formula=lambda maximisers, size: len(maximisers) == 1 and maximisers[0] in (1, size),
    mutants={
        "whenever k* is unique": lambda maximisers, size: len(maximisers) == 1,
        "always": lambda maximisers, size: True,
    },
    note="Not claimed by the paper. For 1 < k* < K the rows of labels outside Y_k may release any mixture within the bounds.",
)
def uniqueness(is_unique: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        level = PrivacyLevel.from_ratio(t)
        rates = hit_rates(prior, level).tolist()
        maximisers = [k + 1 for k, w in enumerate(rates) if w == max(rates)]
        found = _unique(lp1(prior, level))
        return (
            None
            if found == is_unique(maximisers, len(prior))
            else f"{written(prior)}, t = {t}: maximisers k = {maximisers}, unique: {found}"
        )

    return check_family([(p, t) for p in priors((2, 3), 6) if all(p) for t in RATIOS], failure, "all such priors and t")


@PAPER.claim(
    "Theorem 3 (zero prior entries)",
    r"labels of prior zero are never kept at the smallest maximiser, and do not change the optimum",
    hypotheses="priors with denominator 6 on K <= 3 labels, extended by a label of prior zero, t in {11/10, 2, 3, 9/2, 20}",
    recorded="certified",
    formula=lambda prior, level: best_k(prior, level),
    mutants={"the largest maximiser plus one": lambda prior, level: best_k(prior, level) + 1},
)
def zero_entries(choose: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        level = PrivacyLevel.from_ratio(t)
        longer = (*prior, Fraction(0))
        same = lp1(prior, level).solve("exact").value == lp1(longer, level).solve("exact").value
        return (
            None
            if same and choose(longer, level) == best_k(prior, level)
            else f"{written(longer)}, t = {t}: k* = {choose(longer, level)}"
        )

    return check_family([(p, t) for p in priors((1, 2, 3), 6) for t in RATIOS], failure, "all such priors and t")

"""Section 3.2: the optimality of RRWithPrior, every step of its proof on its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import hit_rate, hit_rates, rr_with_prior
from lpmech.papers.checking import both, check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome, Verdict, unclear
from lpmech.papers.ghazi2021.paper import FAMILY, MASS, PAPER, RATIOS, K, T, priors, written
from lpmech.programs.rr_with_prior import lp1, lp2_by_enumeration, lp2_vertices
from lpmech.symbolic.rr_with_prior import extreme_point, extreme_point_value, symbols
from lpmech.utilities import hit


@PAPER.claim(
    "Theorem 3 (objective)",
    r"\mathrm{Obj}_p(R)=\sum_{y\in[k]}p_y q_{y|y}, as printed three times",
    hypotheses="R = RR on K labels; priors with denominator 6, K <= 4, t in {11/10, 2, 3, 9/2, 20}",
    recorded="unclear",
    formula=lambda prior, diagonal, upto: sum(p * q for p, q in zip(prior[:upto], diagonal[:upto], strict=True)),
    mutants={"p_y dropped": lambda prior, diagonal, upto: sum(diagonal[:upto])},
    note="k is not defined where the sum is printed; [K] is meant, as the definition of Obj_p shows.",
)
def objective(expression: Any) -> Outcome:
    def reading(name: str, upto: Any) -> Outcome:
        def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
            prior, t = case
            channel = randomized_response(len(prior), PrivacyLevel.from_ratio(t))
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
    hypotheses="t > 1, every private channel; K = 2, 3 written out, then any K by induction over the other outputs",
    recorded="proved",
    formula=lambda t: 1 / t,
    mutants={"e^eps in place of e^-eps": lambda t: t, "factor 1": lambda t: 1, "2 e^-eps": lambda t: 2 / t},
    note="Induction: after any set of outputs, the left side is at most the part of row y that they cover; one more "
    "output j adds c q_jj <= q_jy by (2). With all outputs covered, (3) makes the right side 1.",
)
def implies_4(coefficient: Any) -> Outcome:
    for size in (2, 3):
        q, rules = _channel_symbols(size)
        others = sum(q[j][j] for j in range(1, size))
        outcome = check_implications(
            rules, {f"(4), K = {size}": q[0][0] + coefficient(T) * others <= 1}, "K = 2, 3, all private channels"
        )
        if outcome.verdict is Verdict.REFUTED:
            return outcome
    own, others, row, diagonal, entry = sp.symbols("own others row q_jj q_jy")
    step = check_implications(
        [T > 1, own >= 0, others >= 0, own + coefficient(T) * others <= row, diagonal >= 0, diagonal <= T * entry],
        {"one more output": own + coefficient(T) * (others + diagonal) <= row + entry},
        "induction step, any K",
    )
    return both(outcome, step)


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
    note="For every K it follows from '(2) and (3) imply (4)': the diagonal of a private channel is feasible for LP2.",
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
        "without q_y": lambda q, total, t: 0 * q + total / t,
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


def _solutions(size: int, chosen: tuple[int, ...], ratio: Any) -> str:
    points = [f"({', '.join(map(str, point))})" for point in extreme_point(size, chosen, sp.sympify(ratio))]
    return "; ".join(points) or "none"


def _all_sets(size: int) -> list[tuple[int, ...]]:
    return [chosen for count in range(size + 1) for chosen in combinations(range(size), count)]


@PAPER.claim(
    "Theorem 3 (extreme points, solved)",
    r"for every Y\subseteq[K] the system '(4) tight on Y, (5) tight outside' has exactly one solution, the listed one",
    hypotheses="K <= 4, all Y, t a symbol (the determinant on Y is (1 - 1/t)^(k-1) (1 + (k-1)/t), not zero for t > 1)",
    recorded="certified",
    formula=lp2_vertices,
    mutants={
        "denominator t + |Y|": lambda size, t: [
            [v * 0 if v == 0 else t / (t / v + 1) for v in p] for p in lp2_vertices(size, t)
        ],
        "without the zero point": lambda size, t: lp2_vertices(size, t)[1:],
    },
)
def extreme_points_solved(listed: Any) -> Outcome:
    t = symbols[0]

    def failure(size: int) -> str | None:
        points = {tuple(sp.factor(v) for v in point) for point in listed(size, t)}
        for chosen in _all_sets(size):
            solutions = extreme_point(size, chosen, t)
            if len(solutions) != 1 or not solutions <= points:
                return (
                    f"K = {size}, Y = {set(chosen) or '{}'}: solution {_solutions(size, chosen, t)} is not in the list"
                )
        return None if len(points) == 2**size else f"K = {size}: {len(points)} points listed, {2**size} systems"

    return check_family(range(1, 5), failure, "K <= 4, all Y, symbolic t")


@PAPER.claim(
    "Theorem 3 (value at the extreme points, epsilon = 0)",
    r"at \epsilon=0, which section 2 and Def. 2.1 admit, '(4) tight on Y, (5) outside' results in q_{y|y}=1/|Y|",
    hypotheses="t = 1, K <= 3, all Y",
    recorded="refuted",
    formula=(Fraction(1),),
    control=(Fraction(11, 10), Fraction(2)),
    mutants={"epsilon = 0 among others": (Fraction(2), Fraction(1))},
    repaired_by="Theorem 3 (value at the extreme points)",
    note="At t = 1 all constraints (4) coincide, so the system on Y has a whole face of solutions. Theorem 3 itself holds at "
    "epsilon = 0: see 'Theorem 3 (epsilon = 0)'. The formula under test is the set of ratios at which the step is used.",
)
def extreme_value_zero(ratios: Any) -> Outcome:
    def failure(case: tuple[Fraction, int, tuple[int, ...]]) -> str | None:
        t, size, chosen = case
        value = t / (t + len(chosen) - 1) if chosen else Fraction(0)
        stated = tuple(sp.Rational(str(value)) if y in chosen else sp.Integer(0) for y in range(size))
        if extreme_point(size, chosen, sp.Rational(str(t))) == {stated}:
            return None
        solutions = extreme_point(size, chosen, sp.Rational(str(t)))
        others = [tuple(v.subs(dict.fromkeys(v.free_symbols, 0)) for v in point) for point in solutions]
        return (
            f"K = {size}, t = {t}, Y = {set(chosen)}: the solutions are {_solutions(size, chosen, t)}, "
            f"among them {others[0]}, not only {value} on Y"
        )

    family = [(t, n, chosen) for t in ratios for n in (1, 2, 3) for chosen in _all_sets(n)]
    return check_family(family, failure, "K <= 3, all Y")


@PAPER.claim(
    "Theorem 3 (epsilon = 0)",
    r"Theorem 3 holds at \epsilon=0: (4) reads \sum_y q_{y|y}\le 1, so \mathrm{Obj}_p(R)\le\max p=w_1=\max_k w_k",
    hypotheses="t = 1, any K by induction over the labels; M = max p, A = sum of p_y q_y and S = sum of q_y so far",
    recorded="proved",
    formula=hit_rate,
    mutants={
        "k in place of k - 1": lambda t, k, mass: t * mass / (t + k),
        "k - 2": lambda t, k, mass: t * mass / (t + k - 2),
    },
)
def theorem_3_zero(rate: Any) -> Outcome:
    largest, partial, total, p, q = sp.symbols("M A S p q")
    attained = check_identities({"w_1 = M": (rate(1, 1, largest), largest)}, "k = 1 attains max p")
    bound = check_implications(
        [
            K >= 1,
            largest > 0,
            partial >= 0,
            p >= 0,
            q >= 0,
            p <= largest,
            partial <= largest * total,
            K * largest >= MASS,
        ],
        {
            "one more label": partial + p * q <= largest * (total + q),
            "S <= 1 => A <= M": sp.Implies(total <= 1, partial <= largest),
            "w_k <= M": rate(1, K, MASS) <= largest,
        },
        "upper bound for any K",
    )
    return both(attained, bound)


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
    formula=lp2_vertices,
    mutants={"the centre of two vertices": lambda size, t: [*lp2_vertices(size, t), [Fraction(1, 2)] * size]},
    note="For t > 1 only: see 'Theorem 3 (value at the extreme points, epsilon = 0)'.",
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

    return check_family([(n, t) for n in range(1, 6) for t in RATIOS], failure, "K <= 5")


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
    "Theorem 3 (max over Y is max over k, any K)",
    r"\sum_{y\in Y}p_y\le\sum_{\tilde y\in Y_k}p_{\tilde y} for every Y with k labels",
    hypotheses="c = p of the k-th most probable label, z = 1 for y in Y and 0 otherwise; the bounds are summed over all labels",
    recorded="proved",
    formula=lambda z, p, c: z * c + sp.Max(p - c, 0),
    mutants={
        "without the excess": lambda z, p, c: z * c,
        "excess of the labels in Y only": lambda z, p, c: z * sp.Max(p, c),
        "excess doubled": lambda z, p, c: z * c + 2 * sp.Max(p - c, 0),
    },
    note="Each label contributes at most z c + max(p - c, 0). The sum, k c + sum_y max(p_y - c, 0), does not depend on Y, and at "
    "Y = Y_k every label attains its bound.",
)
def max_over_sets_any_size(bound: Any) -> Outcome:
    z, p, c = sp.symbols("z p c")
    return check_implications(
        [sp.Or(sp.Eq(z, 0), sp.Eq(z, 1)), p >= 0, c >= 0],
        {
            "bound": z * p <= bound(z, p, c),
            "attained in Y_k (z = 1, p >= c)": sp.Implies(sp.And(sp.Eq(z, 1), p >= c), sp.Eq(p, bound(z, p, c))),
            "attained outside (z = 0, p <= c)": sp.Implies(sp.And(sp.Eq(z, 0), p <= c), sp.Eq(0, bound(z, p, c))),
            "the sum depends on |Y| only": sp.Eq(bound(1, p, c) - bound(0, p, c), c),
        },
        "every label, so every K and Y",
    )


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

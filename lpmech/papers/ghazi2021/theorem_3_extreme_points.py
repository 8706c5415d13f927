"""Section 3.2: the optimality of RRWithPrior, every step of its proof on its own."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import combinations
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import hit_rate, hit_rates, rr_with_prior
from lpmech.mechanisms.rr_with_prior.derivation import extreme_point, extreme_point_value, symbols
from lpmech.mechanisms.rr_with_prior.program import lp1, row_dual
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations
from lpmech.papers.ghazi2021.duals import duals_prove
from lpmech.papers.ghazi2021.paper import ANY_K, FAMILY, IN_PAPER, MASS, PAPER, RATIOS, WITH_MASS, K, T, priors, written
from lpmech.utilities import hit
from lpmech.verdicts import Outcome, Verdict, unclear


@PAPER.claim(
    "Theorem 3 (objective)",
    r"\mathrm{Obj}_p(R)=\sum_{y\in[k]}p_y q_{y|y}, as printed three times",
    hypotheses="R = RR on K labels; priors with denominator 6, K <= 4, t in {11/10, 2, 3, 9/2, 20}",
    consequence="formula",
    readings={
        "the sum runs over [K]": "certified",
        "k < K fixed, here k = K - 1": "refuted",
    },
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
    hypotheses="every private channel; K = 2, 3 written out, then any K by induction over the other outputs",
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
    r"the optimum of LP1 is at most the optimum of LP2: the diagonal of a private channel is feasible for LP2, with the same objective",
    hypotheses="t > 1, every K and prior; the formula is the coefficient of (4) and LP2's objective, per label; (4) by the induction of '(2) and (3) imply (4)'; replayed on exact optima of LP1 for priors with denominator 6 on K <= 4 labels",
    formula=(lambda t: 1 / t, lambda p, q: p * q),
    mutants={
        "factor 1 in (4)": (lambda t: 1, lambda p, q: p * q),
        "objective halved": (lambda t: 1 / t, lambda p, q: p * q / 2),
    },
)
def relaxation(second_program: Any) -> Outcome:
    coefficient, objective = second_program

    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        solution = lp1(prior, PrivacyLevel.from_ratio(t)).solve("exact")
        diagonal = solution.channel.matrix.diagonal().tolist()
        for q in diagonal:
            if q + coefficient(t) * (sum(diagonal) - q) > 1:
                return f"{written(prior)}, t = {t}: the optimal diagonal {list(map(str, diagonal))} violates (4)"
        value = sum(objective(p, q) for p, q in zip(prior, diagonal, strict=True))
        return None if solution.value <= value else f"{written(prior)}, t = {t}: LP1 {solution.value} > LP2 {value}"

    p, q = sp.symbols("p_y q_yy")
    same = check_implications(
        [p >= 0, q >= 0], {"objective of the diagonal": objective(p, q) >= p * q}, "label by label, (5) holds"
    )
    return replayed(both(implies_4(coefficient), same), check_family(FAMILY, failure, "all such priors and t"))


TOTAL, Q, OTHER = sp.symbols("S q q2")


@PAPER.claim(
    "Theorem 3 (extreme points)",
    r"at an extreme point of LP2 no y has both (4) and (5) tight, so it is zero or, for some Y\ne\emptyset, (4) is tight on Y and (5) outside",
    hypotheses="any K: S = sum_y q_y, (4) for y reads (1 - 1/t) q_y + S/t <= 1",
    formula=lambda q, total, t: (1 - 1 / t) * q + total / t,
    mutants={
        "S in place of S/t": lambda q, total, t: (1 - 1 / t) * q + total,
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
    hypotheses="k = |Y| >= 1 tight constraints with q zero outside Y",
    formula=lambda t, k: t / (t + k - 1),
    mutants={"t + k": lambda t, k: t / (t + k), "1/(t + k - 1)": lambda t, k: 1 / (t + k - 1)},
)
def extreme_value(value: Any) -> Outcome:
    equal = check_identities(
        {"value": (extreme_point_value().subs(IN_PAPER), value(T, K))}, "solved from (4)", hypotheses=ANY_K
    )
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
    hypotheses="every K and Y; the formula is q_y on Y as a function of t and k = |Y|, and the least |Y| listed; replayed on the linear systems for K <= 4, all Y, t a symbol",
    formula=(lambda t, k: t / (t + k - 1), 0),
    mutants={
        "denominator t + |Y|": (lambda t, k: t / (t + k), 0),
        "without the zero point": (lambda t, k: t / (t + k - 1), 1),
    },
    note="Two tight constraints differ by (1 - 1/t)(q_y - q_y'), so q is constant on Y and S = k q; what is left is one equation. "
    "The values are positive: different Y have different solutions.",
)
def extreme_points_solved(listed: Any) -> Outcome:
    value, least = listed
    t = symbols[0]

    def failure(size: int) -> str | None:
        for chosen in _all_sets(size):
            stated = tuple(sp.factor(value(t, len(chosen))) if y in chosen else sp.Integer(0) for y in range(size))
            if len(chosen) < least or extreme_point(size, chosen, t) != {stated}:
                found = _solutions(size, chosen, t)
                return f"K = {size}, Y = {set(chosen) or '{}'}: solution {found} is not in the list"
        return None

    one, other = sp.symbols("q_y q_z")
    tight = [sp.Eq((1 - 1 / T) * q + TOTAL / T, 1) for q in (one, other)]
    constant = check_implications([T > 1, *tight], {"constant on Y": sp.Eq(one, other)}, "q is constant on Y")
    k = sp.Symbol("k", integer=True)
    solved = check_implications(
        [T > 1, k >= 0, sp.Eq(TOTAL, k * one)],
        {
            "the only solution": sp.Implies(sp.And(k >= 1, tight[0]), sp.Eq(one, value(T, k))),
            "a solution": sp.Implies(sp.And(k >= 1, sp.Eq(one, value(T, k))), tight[0]),
            "positive": sp.Implies(k >= 1, value(T, k) > 0),
            "every |Y| is listed": k >= least,
        },
        "every Y, zero for the empty one",
    )
    return replayed(both(constant, solved), check_family(range(1, 5), failure, "K <= 4, all Y, symbolic t"))


@PAPER.claim(
    "Theorem 3 (value at the extreme points, epsilon = 0)",
    r"at \epsilon=0, which section 2 and Def. 2.1 admit, '(4) tight on Y, (5) outside' results in q_{y|y}=1/|Y|",
    hypotheses="t = 1. Is Y any set, or are the K tight constraints the independent ones that the sentence before speaks of?",
    consequence="proof",
    readings={
        "K independent tight constraints": "proved",
        "every non-empty Y": "refuted",
    },
    formula=lambda t, k: t / (t + k - 1),
    mutants={"denominator t + |Y|": lambda t, k: t / (t + k), "1 on Y": lambda t, k: t / t},
    note="At t = 1 all constraints (4) coincide: two of them are not independent, and for |Y| >= 2 the system has a whole face of "
    "solutions. Theorem 3 itself holds at epsilon = 0: see 'Theorem 3 (epsilon = 0)'.",
)
def extreme_value_zero(value: Any) -> Outcome:
    def failure(case: tuple[int, tuple[int, ...]]) -> str | None:
        size, chosen = case
        stated = tuple(sp.Rational(str(value(Fraction(1), len(chosen)))) if y in chosen else 0 for y in range(size))
        solutions = extreme_point(size, chosen, sp.Integer(1))
        if solutions == {stated}:
            return None
        others = [tuple(v.subs(dict.fromkeys(v.free_symbols, 0)) for v in point) for point in solutions]
        return (
            f"K = {size}, t = 1, Y = {set(chosen)}: the solutions are {_solutions(size, chosen, 1)}, "
            f"among them {others[0]}, not only {stated}"
        )

    coefficient = 1 - 1 / T  # (4) on Y: coefficient q_y + S/t = 1
    independent = check_implications(
        [T >= 1, K >= 1, sp.Or(sp.Eq(K, 1), sp.Ne(coefficient, 0))],
        {"the listed point solves the system": sp.Eq(coefficient * value(T, K) + K * value(T, K) / T, 1)},
        "K independent equations have one solution; at t = 1 two constraints (4) are never independent, so |Y| = 1",
    )
    family = [(n, chosen) for n in (1, 2, 3) for chosen in _all_sets(n) if chosen]
    return unclear(
        {
            "K independent tight constraints": both(
                independent, check_identities({"|Y| = 1": (value(sp.Integer(1), 1), 1)}, "q = 1")
            ),
            "every non-empty Y": check_family(family, failure, "t = 1, K <= 3, all Y"),
        }
    )


@PAPER.claim(
    "Theorem 3 (epsilon = 0)",
    r"Theorem 3 holds at \epsilon=0: (4) reads \sum_y q_{y|y}\le 1, so \mathrm{Obj}_p(R)\le\max p=w_1=\max_k w_k",
    hypotheses="t = 1, any K by induction over the labels; M = max p, A = sum of p_y q_y and S = sum of q_y so far",
    formula=hit_rate,
    mutants={
        "k in place of k - 1": lambda t, k, mass: t * mass / (t + k),
        "k - 2": lambda t, k, mass: t * mass / (t + k - 2),
    },
)
def theorem_3_zero(rate: Any) -> Outcome:
    largest, partial, total, p, q = sp.symbols("M A S p q")
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
    if bound.counterexample:
        return bound
    attained = check_identities(
        {"w_1 = M": (rate(1, 1, largest), largest)}, "k = 1 attains max p", hypotheses=[largest > 0]
    )
    return both(attained, bound)


@PAPER.claim(
    "Theorem 3 (the points are feasible)",
    r"every listed point satisfies (4) for y\notin Y as well",
    hypotheses="|Y| = k >= 1",
    given=[T > 1, K >= 1],
    evidence="all t and k",
    formula=lambda t, k: t / (t + k - 1),
    mutants={"t^2 in place of t": lambda t, k: t**2 / (t + k - 1)},
)
def points_feasible(value: Any) -> Relations:
    return {
        "(4) outside Y": K * value(T, K) / T <= 1,
        "(4) on Y": value(T, K) * (1 - 1 / T) + K * value(T, K) / T <= 1,
        "(5)": value(T, K) >= 0,
    }


@PAPER.claim(
    "Theorem 3 (the points are extreme)",
    r"each of the 2^K listed points is an extreme point of LP2",
    hypotheses="t > 1, every K and Y: K constraints are tight, (4) on Y and (5) outside, and only d = 0 keeps all of them tight; "
    "replayed as a rank for K <= 5, t in {11/10, 2, 3, 9/2, 20}",
    formula=lambda t, k: t / (t + k - 1),
    mutants={
        "the centre, 1/2 everywhere": lambda t, k: t / (2 * t),
        "denominator t + |Y|": lambda t, k: t / (t + k),
    },
    note="For t > 1 only: see 'Theorem 3 (value at the extreme points, epsilon = 0)'.",
)
def points_extreme(value: Any) -> Outcome:
    def failure(case: tuple[int, int, Fraction]) -> str | None:
        size, k, t = case
        point = [value(t, k)] * k + [Fraction(0)] * (size - k)
        rows: list[list[Any]] = [[int(j == y) for j in range(size)] for y in range(size) if point[y] == 0]
        for y in range(size):
            if point[y] + sum(point[j] for j in range(size) if j != y) / t == 1:
                rows.append([1 if j == y else 1 / t for j in range(size)])
        if sp.Matrix(len(rows), size, [sp.Rational(str(v)) for row in rows for v in row]).rank() < size:
            return f"K = {size}, t = {t}, point {list(map(str, point))}: tight constraints of rank < {size}"
        return None

    family = [(n, k, t) for n in range(1, 6) for k in range(n + 1) for t in RATIOS]
    one, other = sp.symbols("d_y d_z")
    kept_tight = [sp.Eq((1 - 1 / T) * d + TOTAL / T, 0) for d in (one, other)]
    constant = check_implications([T > 1, *kept_tight], {"constant on Y": sp.Eq(one, other)}, "d is constant on Y")
    kernel = check_implications(
        [T > 1, K >= 1, sp.Eq(TOTAL, K * one), kept_tight[0]], {"d = 0": sp.Eq(one, 0)}, "and zero"
    )
    tight = check_identities(
        {"(4) on Y": ((1 - 1 / T) * value(T, K) + K * value(T, K) / T, 1)},
        "(4) is tight on Y, all t and k",
        hypotheses=ANY_K,
    )
    return replayed(both(both(constant, kernel), tight), check_family(family, failure, "K <= 5"))


@PAPER.claim(
    "Theorem 3 (objective at the extreme points)",
    r"the objective there is \frac{e^\epsilon}{e^\epsilon+|Y|-1}\sum_{y\in Y}p_y",
    hypotheses="any Y with mass P in [0, 1] and k >= 1 labels",
    given=WITH_MASS,
    evidence="value solved from (4)",
    formula=hit_rate,
    mutants={"mass times k": lambda t, k, mass: t * mass * k / (t + k - 1)},
)
def objective_at_points(rate: Any) -> Relations:
    return {"objective": (extreme_point_value().subs(IN_PAPER) * MASS, rate(T, K, MASS))}


@PAPER.claim(
    "Theorem 3 (max over Y is max over k)",
    r"\max_{Y}\frac{e^\epsilon}{e^\epsilon+|Y|-1}\sum_{y\in Y}p_y=\max_k w_k: among sets of one size the k most probable labels are best",
    hypotheses="every prior, K and t; the formula says when an exchange of a label of Y for one outside is made, and which sizes k count; "
    "replayed on all sets for priors with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20}",
    formula=(lambda inside, outside: inside < outside, lambda k, size: k <= size),
    mutants={
        "k < K only": (lambda inside, outside: inside < outside, lambda k, size: k < size),
        "the least probable": (lambda inside, outside: inside > outside, lambda k, size: k <= size),
    },
    note="|Y| and with it the factor stay the same, so an exchange raises the objective iff it raises the mass. Exchanges end at Y_k.",
)
def max_over_sets(rule: Any) -> Outcome:
    exchange, counts = rule

    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        size = len(prior)
        best, found = Fraction(0), Fraction(0)
        for k in range(1, size + 1):
            for chosen in combinations(range(size), k):
                value = hit_rate(t, k, sum(prior[y] for y in chosen))
                others = set(range(size)) - set(chosen)
                final = not any(exchange(prior[y], prior[z]) for y in chosen for z in others)
                best, found = max(best, value), max(found, value) if final and counts(k, size) else found
        return None if best == found else f"{written(prior)}, t = {t}: best set {best}, over k {found}"

    inside, outside = sp.symbols("p_y p_z")
    k, size = sp.symbols("k K", integer=True)
    before, after = hit_rate(T, k, MASS + inside), hit_rate(T, k, MASS + outside)
    proof = check_implications(
        [T > 1, k >= 1, k <= size, MASS >= 0, inside >= 0, outside >= 0],
        {
            "an exchange raises the objective": sp.Implies(exchange(inside, outside), after > before),
            "no exchange left: y at least as probable as z": sp.Or(exchange(inside, outside), inside >= outside),
            "every size counts": counts(k, size),
        },
        "exchange of y in Y for z outside",
    )
    return replayed(proof, check_family(FAMILY, failure, "all sets, all such priors and t"))


@PAPER.claim(
    "Theorem 3 (max over Y is max over k, any K)",
    r"\sum_{y\in Y}p_y\le\sum_{\tilde y\in Y_k}p_{\tilde y} for every Y with k labels",
    hypotheses="c = p of the k-th most probable label, z = 1 for y in Y and 0 otherwise; the bounds are summed over all labels",
    formula=lambda z, p, c: z * c + sp.Max(p - c, 0),
    mutants={
        "without the excess": lambda z, p, c: z * c,
        "excess of the labels in Y only": lambda z, p, c: z * sp.Max(p, c),
        "excess doubled": lambda z, p, c: z * c + 2 * sp.Max(p - c, 0),
    },
    note="A proof without exchanges. Each label contributes at most z c + max(p - c, 0). The sum, k c + sum_y max(p_y - c, 0), does not depend on Y, "
    "and at Y = Y_k every label attains its bound.",
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
    hypotheses="t > 1, every K and prior: Alg. 1 is private (Lemma 1) and attains w_k, the duals of 'Theorem 3' bound LP1 by the largest; the "
    "formula combines max(w_1, ..., w_k) with w_(k+1). Replayed on exact optima with exact duals: priors with denominator 6 on K <= 4 and "
    "8 on K = 5, 6 labels, t in {11/10, 2, 3, 9/2, 20}, zero entries and ties included",
    formula=sp.Max,
    mutants={"RR": lambda best, following: following, "w_1": lambda best, following: best},
)
def optimum(combined: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        level = PrivacyLevel.from_ratio(t)
        value = lp1(prior, level).solve("exact").value
        claimed = reduce(combined, [sp.Rational(str(w)) for w in hit_rates(prior, level).tolist()])
        own = rr_with_prior(prior, level).expected_utility(hit(len(prior)), prior)
        return (
            None
            if sp.Rational(str(value)) == claimed and value == own
            else f"{written(prior)}, t = {t}: LP1 {value}, claimed {claimed}"
        )

    family = FAMILY + [(p, t) for p in priors((5, 6), 8)[::4] for t in RATIOS[1:4]]
    best, following = sp.symbols("W w")
    largest = check_implications(
        [best > 0, following > 0],
        {
            "an upper bound of both": sp.And(combined(best, following) >= best, combined(best, following) >= following),
            "one of both": sp.Or(sp.Eq(combined(best, following), best), sp.Eq(combined(best, following), following)),
        },
        "W is the largest w_k",
    )
    attained = check_identities(
        {"Alg. 1 attains w_k": (T / (T + K - 1) * MASS, hit_rate(T, K, MASS))},
        "attained by RRTop-k*",
        hypotheses=WITH_MASS,
    )
    proof = reduce(both, [largest, attained, duals_prove(row_dual)])
    return replayed(proof, check_family(family, failure, "all such priors and t"))

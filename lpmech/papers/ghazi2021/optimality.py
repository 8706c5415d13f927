"""Theorem 3 for every K by duals, the set of all optimal channels, uniqueness, labels of prior zero."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.errors import LpmechError
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, hit_rates, rr_top_k, rr_with_prior
from lpmech.papers.checking import both, check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome, Verdict
from lpmech.papers.ghazi2021.paper import FAMILY, MASS, NEXT, PAPER, RATIOS, K, T, priors, written
from lpmech.programs.general import Program
from lpmech.programs.optimality import dual_excess
from lpmech.programs.rr_with_prior import lp1, row_dual, solution_in_closed_form
from lpmech.symbolic.rr_with_prior import row_dual_from_tight_columns, symbols
from lpmech.utilities import hit

W, P_Y, SUM = sp.symbols("W p_y C")

DUAL_MUTANTS = {
    "factor t dropped": lambda t, p, best: (p - best) / (t - 1),
    "divided by t": lambda t, p, best: (t * p - best) / t,
    "W subtracted twice": lambda t, p, best: (t * p - 2 * best) / (t - 1),
}


def _numeric_duals(dual: Any, prior: tuple[Fraction, ...], t: Fraction) -> list[Fraction]:
    best = max(hit_rates(prior, PrivacyLevel.from_ratio(t)))
    return [max(Fraction(0), dual(t, p, best)) for p in prior]


def _mediants() -> Outcome:
    """w_(k+1) is the mediant of w_k = A/C and t p_(k+1) / 1, so it lies between them: who is kept at the smallest k*."""
    joined = (hit_rate(T, K, MASS) * (T + K - 1) + T * NEXT) / (T + K)
    identities = check_identities(
        {
            "(a) w_(k+1) is a mediant": (hit_rate(T, K + 1, MASS + NEXT), joined),
            "(a) w_1 = p_1": (hit_rate(T, 1, MASS), MASS),
        },
        "w_(k+1) from w_k",
    )
    following = (W * SUM + T * P_Y) / (SUM + 1)
    between = check_implications(
        [T > 1, K >= 1, W > 0, P_Y >= 0, SUM > 0, sp.Eq(SUM, T + K - 1)],
        {
            "(a) w_k < w_(k+1) => w_(k+1) < t p": sp.Implies(following > W, following < T * P_Y),
            "(a) w_(k+1) <= w_k => t p <= w_k": sp.Implies(following <= W, T * P_Y <= W),
            "(a) k* = 1: t p_1 > w_1": T * W > W,
        },
        "who is kept",
    )
    return both(identities, between)


@PAPER.claim(
    "Theorem 3",
    r"for every prior, every K and every \epsilon>0, \mathrm{Obj}_p(R)\le\max_k w_k for every \epsilon-DP R",
    hypotheses="t > 1; W = max w_k. Duals pi_y = max(0, (t p_y - W)/(t - 1)) of the program over channels; any K by scalar lemmas",
    recorded="proved",
    formula=row_dual,
    mutants=DUAL_MUTANTS,
    note="(a) w_(k+1) is the mediant of w_k and t p_(k+1), so at the smallest k* exactly the k* kept labels have t p_y > W. "
    "(b) Hence sum_y pi_y = (t P_k* - k* W)/(t - 1) = W. (c) For output j the dual constraint reads t (p_j - pi_j) - sum_{y != j} pi_y "
    "<= 0, because p_j >= pi_j; with sum pi = W it is t p_j - (t - 1) pi_j <= W. So the duals prove W.",
)
def theorem_3(dual: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        pi = _numeric_duals(dual, prior, t)
        best, excess = (
            max(hit_rates(prior, PrivacyLevel.from_ratio(t))),
            dual_excess(lp1(prior, PrivacyLevel.from_ratio(t)).weights, t, np.array(pi, dtype=object), {}),
        )
        if sum(pi) == best and max(excess) <= 0:
            return None
        return f"{written(prior)}, t = {t}: duals {list(map(str, pi))}, sum {sum(pi)} against W = {best}, excess {max(excess)}"

    replayed = check_family(FAMILY, failure, "constraints of the program over channels, written out")
    if replayed.verdict is Verdict.REFUTED:
        return replayed
    value = dual(T, P_Y, W)
    total = check_identities(
        {
            "(b) affine in p_y": (sp.diff(value, P_Y, 2), 0),
            "(b) sum of k duals = W": (
                K * dual(T, MASS / K, W).subs(W, hit_rate(T, K, MASS)),
                hit_rate(T, K, MASS),
            ),
        },
        "duals of the kept labels sum to W",
    )
    constraint = check_implications(
        [T > 1, P_Y >= 0, W >= P_Y, W > 0],
        {
            "(b) positive on the kept labels": sp.Implies(T * P_Y > W, value > 0),
            "(b) zero on the others": sp.Implies(T * P_Y <= W, value <= 0),
            "(c) p >= pi": sp.Max(0, value) <= P_Y,
            "(c) dual constraint": T * P_Y - (T - 1) * sp.Max(0, value) <= W,
        },
        "dual constraint of every output, all p, t, W >= p (w_1 = p_1)",
    )
    outcome = both(both(_mediants(), total), constraint)
    return Outcome(
        outcome.verdict, outcome.method, f"{outcome.evidence}; replayed on {replayed.evidence}", outcome.counterexample
    )


@PAPER.claim(
    "Theorem 3 (dual derived)",
    r"\pi_y=(e^\epsilon p_y-W)/(e^\epsilon-1) on Y_{k^*} is what complementary slackness leaves: tight columns, \sum\pi=W",
    hypotheses="all t, p_y, W; output y is released with positive probability, so its dual constraint is tight",
    recorded="proved",
    formula=row_dual,
    mutants=DUAL_MUTANTS,
)
def dual_derived(dual: Any) -> Outcome:
    t, _, best, p = symbols
    return check_identities({"pi_y": (row_dual_from_tight_columns(), dual(t, p, best))}, "solved by sympy")


@PAPER.claim(
    "Theorem 3 (LP2 = max w_k)",
    r"the optimum of LP2 is \max_k w_k, for every K: the duals of LP1 are duals of LP2",
    hypotheses="t > 1; LP2's dual: u >= 0, (1 - 1/t) u_y + sum(u)/t >= p_y, value sum(u) = W by step (b) of Theorem 3",
    recorded="proved",
    formula=row_dual,
    mutants=DUAL_MUTANTS,
    note="Independent of the description of the extreme points, so it does not need the paper's case distinction.",
)
def lp2_optimum(dual: Any) -> Outcome:
    value = dual(T, P_Y, W)
    constraint = check_implications(
        [T > 1, P_Y >= 0, W >= P_Y, W > 0],
        {"dual constraint": (1 - 1 / T) * sp.Max(0, value) + W / T >= P_Y},
        "every constraint of LP2's dual",
    )
    total = check_identities(
        {"sum of k duals = W": (K * dual(T, MASS / K, W).subs(W, hit_rate(T, K, MASS)), hit_rate(T, K, MASS))},
        "value W",
    )
    return both(total, constraint)


@PAPER.claim(
    "Theorem 3 (large K)",
    r"for the prior p_y\propto 1/y (Zipf) RRWithPrior attains the optimum, with K = 10, 20, 50 labels",
    hypotheses="t in {2, 9/2, 20}; closed-form duals against the program, exact",
    recorded="certified",
    formula=lambda size, level: rr_with_prior(_zipf(size), level).expected_utility(hit(size), _zipf(size)),
    mutants={"RR": lambda size, level: hit_rates(_zipf(size), level)[-1], "w_1": lambda size, level: _zipf(size)[0]},
)
def large_alphabets(value: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        size, t = case
        level = PrivacyLevel.from_ratio(t)
        best = solution_in_closed_form(_zipf(size), level).bound
        return None if value(size, level) == best else f"K = {size}, t = {t}: {value(size, level)} against {best}"

    return check_family([(n, t) for n in (10, 20, 50) for t in RATIOS[1::3] + RATIOS[3:4]], failure, "Zipf priors")


def _zipf(size: int) -> list[Fraction]:
    total = sum(Fraction(1, y) for y in range(1, size + 1))
    return [Fraction(1, y) / total for y in range(1, size + 1)]


@PAPER.claim(
    "Theorem 3 (all optimal channels)",
    r"if k^* is the only maximiser of w_k, an optimal channel releases labels of Y_{k^*} only, its rows on Y_{k^*} are those of "
    r"RR, and a row of y\notin Y_{k^*} is free between 1/(e^\epsilon+k^*-1) and e^\epsilon/(e^\epsilon+k^*-1)",
    hypotheses="t > 1, any K; complementary slackness with the duals of Theorem 3, m = smallest entry of a column",
    recorded="proved",
    formula=row_dual,
    mutants={
        "factor t dropped": DUAL_MUTANTS["factor t dropped"],
        "W subtracted twice": DUAL_MUTANTS["W subtracted twice"],
    },
    note="Not in the paper. Slack of an entry is w[y, j] - pi_y: positive puts it at t m, negative at m, zero leaves it free. "
    "A column whose dual constraint is not tight is zero. So the optimum is unique iff the maximiser is and k* is 1 or K: "
    "for 1 < k* < K the row of an unkept label may also be that of a kept one, and two maximisers give two channels.",
)
def all_optimal_channels(dual: Any) -> Outcome:
    value = dual(T, P_Y, W)
    pi = sp.Max(0, value)
    slackness = check_implications(
        [T > 1, P_Y >= 0, W > 0, W >= P_Y],
        {
            "kept: pi > 0, so off-diagonal entries are at m": sp.Implies(T * P_Y > W, pi > 0),
            "kept, k* >= 2 (W > p): the diagonal is at t m": sp.Implies(sp.And(T * P_Y > W, W > P_Y), P_Y - pi > 0),
            "not kept, t p < W: the column's constraint is not tight": sp.Implies(
                T * P_Y < W, T * P_Y - (T - 1) * pi < W
            ),
            "not kept: pi = 0, so the row is free": sp.Implies(T * P_Y <= W, sp.Eq(pi, 0)),
        },
        "signs of all slacks",
    )
    first, second = sp.symbols("m1 m2")
    rows = check_implications(
        [T > 1, K >= 1, sp.Eq(SUM + (T - 1) * first, 1), sp.Eq(SUM + (T - 1) * second, 1)],
        {
            "kept rows sum to one: equal floors": sp.Eq(first, second),
            "which are those of RR": sp.Implies(sp.Eq(SUM, K * first), sp.Eq(first, 1 / (T + K - 1))),
            "a kept row is not the uniform one": sp.Implies(K >= 2, T / (T + K - 1) > 1 / K),
        },
        "rows",
    )
    return both(slackness, rows)


def _slopes_show_uniqueness(program: Program) -> bool:
    """Whether the optimum has equal one-sided slopes in every weight: then all optimal channels agree in every entry.

    For optimal q the optimum at weights w + h e is at least V + h q[y, j], for both signs of h.
    """
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


def _second_optimum(prior: tuple[Fraction, ...], maximisers: list[int], level: PrivacyLevel) -> Channel | None:
    """Another candidate: RRTop-k of another maximiser, or unkept labels answering as a kept one."""
    first = rr_top_k(prior, maximisers[0], level)
    if len(maximisers) > 1:
        return rr_top_k(prior, maximisers[1], level)
    rows = first.matrix.tolist()
    other = Channel([*rows[: maximisers[0]], *[rows[0]] * (len(prior) - maximisers[0])])
    return None if other == first else other


def _has_one_optimum(prior: tuple[Fraction, ...], maximisers: list[int], level: PrivacyLevel) -> bool:
    """Decide uniqueness with a proof either way: a second optimal channel, or equal slopes everywhere."""
    other = _second_optimum(prior, maximisers, level)
    program = lp1(prior, level)
    if other is not None and other.satisfies(level) and program.value(other) == program.solve("exact").value:
        return False
    if not _slopes_show_uniqueness(program):
        raise LpmechError(f"uniqueness not decided for {written(prior)}, {level}")
    return True


@PAPER.claim(
    "Theorem 3 (uniqueness)",
    r"the optimal \epsilon-DP channel for the hit rate is unique iff k^* is the only maximiser of w_k and k^*\in\{1,K\}",
    hypotheses="priors with denominator 6 on K <= 3 labels, zero entries included, t in {11/10, 2, 3, 9/2, 20}; a second optimal channel, or equal slopes of the exact optimum in every weight",
    recorded="certified",
    formula=lambda maximisers, size: len(maximisers) == 1 and maximisers[0] in (1, size),
    mutants={
        "whenever k* is unique": lambda maximisers, size: len(maximisers) == 1,
        "always": lambda maximisers, size: True,
        "k* = K only": lambda maximisers, size: maximisers == [size],
    },
    note="Not claimed by the paper. For 1 < k* < K the rows of labels outside Y_k may release any mixture within the bounds.",
)
def uniqueness(is_unique: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        level = PrivacyLevel.from_ratio(t)
        rates = hit_rates(prior, level).tolist()
        maximisers = [k + 1 for k, w in enumerate(rates) if w == max(rates)]
        found = _has_one_optimum(prior, maximisers, level)
        return (
            None
            if found == is_unique(maximisers, len(prior))
            else f"{written(prior)}, t = {t}: maximisers k = {maximisers}, unique: {found}"
        )

    return check_family([(p, t) for p in priors((1, 2, 3), 6) for t in RATIOS], failure, "all such priors and t")


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

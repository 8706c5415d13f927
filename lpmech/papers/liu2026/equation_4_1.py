"""Section 4, continued: when RR solves (4.1), (4.9) over the diagonal entries, and what every setting loses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.block_rr import beta, gamma, kappa, partition_by_decay
from lpmech.mechanisms.block_rr.program import block_rr_program_from_decay
from lpmech.mechanisms.block_rr.relaxation import diagonal_relaxation
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.checking import both, check_every, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations
from lpmech.papers.liu2026.algorithm_2 import priors
from lpmech.papers.liu2026.losses import loss_bounds
from lpmech.papers.liu2026.paper import PAPER, S1, S2, SINGLE, L, T
from lpmech.papers.liu2026.section_4 import RATIOS, Case, described, small_cases
from lpmech.papers.liu2026.tables import COUNTS, SETTINGS
from lpmech.utilities import weight_matrix_from_decay
from lpmech.verdicts import Outcome

K, D, OWN, TOTAL = sp.symbols("K d p C")

#: Any label of any prior, and any sigma; d = 0 is the limit sigma -> 0.
LABELS = (T > 1, K >= 2, D >= 0, D < 1, OWN >= 0, OWN <= 1)


# -- RR and (4.1) ------------------------------------------------------------------------------------


def rr_value(t: Any, size: Any, decay: Any) -> Any:
    """Objective of (4.1) at RR: it does not depend on the prior."""
    return (t + (size - 1) * decay) / (t + size - 1)


def rr_dual(p: Any, t: Any, size: Any, decay: Any) -> Any:
    """The dual value of the row of a label with prior p that makes every dual constraint an equality."""
    return p - (rr_value(t, size, decay) - p * (1 + (size - 1) * decay)) / (t - 1)


def rr_is_optimal(prior: tuple[Fraction, ...], decay: Fraction, t: Fraction) -> bool:
    """decay * (largest other prior) <= dual value <= own prior, for every label."""
    duals = [rr_dual(p, t, len(prior), decay) for p in prior]
    return all(
        pi <= p and all(pi >= decay * other for j, other in enumerate(prior) if j != y)
        for y, (p, pi) in enumerate(zip(prior, duals, strict=True))
    )


@PAPER.claim(
    "eq. (4.1) (RR, dual values)",
    r"at l=0 the duals \pi_y=p_y-(V-p_y(1+(K-1)d))/(e^\epsilon-1), V=(e^\epsilon+(K-1)d)/(e^\epsilon+K-1), make every dual constraint of (4.1) an equality and sum to V, the value of RR; so RR is optimal whenever d\max_{j\ne y}p_j\le\pi_y\le p_y for all y",
    hypotheses="K >= 2 labels, any prior (0 <= p_y <= 1), d = exp(-1/sigma), weights (3.3), no fixed entries",
    given=LABELS,
    evidence="identities in t, K, d and p",
    formula=rr_dual,
    mutants={
        "p_y in place of the column sum": lambda p, t, k, d: p - (rr_value(t, k, d) - p) / (t - 1),
        "divided by t": lambda p, t, k, d: p - (rr_value(t, k, d) - p * (1 + (k - 1) * d)) / t,
        "value without d": lambda p, t, k, d: p - (rr_value(t, k, 0) - p * (1 + (k - 1) * d)) / (t - 1),
    },
    note="Column j has the weights p_j on and d p_j off the diagonal; with the signs as stated the dual constraint is "
    "sum_y (w_yj - pi_y) + (t - 1)(w_jj - pi_j) <= 0.",
)
def rr_dual_values(dual: Any) -> Relations:
    value = rr_value(T, K, D)
    pi = dual(OWN, T, K, D)
    # pi is affine in p and the priors sum to one, so the sum over labels is K pi(0) + (pi(1) - pi(0))
    at_zero, at_one = dual(sp.Integer(0), T, K, D), dual(sp.Integer(1), T, K, D)
    return {
        "dual constraint of a column": (OWN * (1 + (K - 1) * D) - value + (T - 1) * (OWN - pi), 0),
        "affine in p": (pi, at_zero + OWN * (at_one - at_zero)),
        "sum of the duals": (K * at_zero + at_one - at_zero, value),
    }


OTHER = sp.Symbol("q")


@PAPER.claim(
    "eq. (4.1) (when RR is optimal)",
    r"at l=0 RR, the closed form, solves (4.1) iff d\max_{j\ne y}p_j\le\pi_y\le p_y for all y, with the \pi of 'eq. (4.1) (RR, dual values)'",
    hypotheses="any prior, 0 <= d < 1 (0 is the limit \\sigma -> 0); q = largest prior of the other labels",
    formula=lambda pi, own, other, decay: sp.And(pi <= own, pi >= decay * other),
    mutants={
        "S2 empty": lambda pi, own, other, decay: own >= decay * other,
        "upper bound only": lambda pi, own, other, decay: pi <= own,
        "never": lambda pi, own, other, decay: sp.false,
    },
    note="At d = 0 the criterion is p_min >= 1 / (e^eps + K - 1), the last threshold of RRWithPrior.",
    repairs="Section 4 (diagonally dominant weights)",
)
def rr_optimal(criterion: Callable[[Any, Any, Any, Any], Any]) -> Outcome:
    """Duals show that RR is optimal iff they fit it: complementary slackness and strong duality.

    All column floors of RR are positive, its diagonal entries are above the floor, the others below t times the floor.
    So duals pi prove RR optimal iff every dual constraint is an equality with the slack w_jj - pi_j >= 0 on and
    w_yj - pi_y <= 0 off the diagonal, and if RR is optimal such duals exist. Their sum is V, so the equality of column j,
    p_j (1 + (K - 1) d) - V + (t - 1)(p_j - pi_j) = 0, determines pi_j; the signs are the criterion.
    """

    def failure(case: tuple[tuple[Fraction, ...], Fraction, Fraction]) -> str | None:
        prior, decay, t = case
        level = PrivacyLevel.from_ratio(t)
        program = block_rr_program_from_decay(prior, range(len(prior)), decay, level, 0)
        best, own = program.solve("exact").value, program.value(randomized_response(len(prior), level))
        fits = all(
            criterion(rr_dual(p, t, len(prior), decay), p, max(prior[:y] + prior[y + 1 :]), decay) == sp.true
            for y, p in enumerate(prior)
        )
        return None if (best == own) == fits else f"{described((prior, decay, t, 0))}: RR {own}, optimum {best}"

    family = [
        (p, d, t)
        for p in priors((2, 3), 6)
        if all(p)
        for d in (Fraction(0), Fraction(1, 2))
        for t in (Fraction(3, 2), Fraction(5))
    ]

    def proof() -> Outcome:
        pi = sp.Symbol("pi")
        column = OWN * (1 + (K - 1) * D) - rr_value(T, K, D) + (T - 1) * (OWN - pi)
        (solution,) = sp.solve(column, pi)
        determined = check_identities(
            {"pi": (solution, rr_dual(OWN, T, K, D))}, "the duals are determined", hypotheses=LABELS
        )
        signs = sp.And(OWN - pi >= 0, D * OTHER - pi <= 0)
        claimed = criterion(pi, OWN, OTHER, D)
        iff = check_implications(
            [*LABELS, OTHER >= 0, OWN + OTHER <= 1],
            {"criterion => signs": sp.Implies(claimed, signs), "signs => criterion": sp.Implies(signs, claimed)},
            "and fit RR iff the criterion holds; all K, priors, t and sigma",
        )
        return both(determined, iff)

    return replayed(proof(), check_family(family, failure, "small instances, exact optimum with exact duals"))


def dominant_everywhere(prior: tuple[Fraction, ...], decay: Fraction, t: Fraction) -> bool:
    """w_ii >= sum over j != i of w_ij, the usual sense; it implies w_ii >= w_ij, that of section 3.2."""
    weights = weight_matrix_from_decay(prior, decay)
    return all(2 * weights[i, i] >= weights[i].sum() for i in range(len(prior)))


@PAPER.claim(
    "Section 4 (diagonally dominant weights)",
    r"for a diagonally dominant weight matrix (then \mathcal S_2=\emptyset) RR, the closed form that section 4 derives, is the optimal solution of (4.1)",
    hypotheses="w_ii >= sum_{j != i} w_ij (the usual, stronger sense); positive priors with denominator 4 on K = 2, 3 labels, d in {1/8, 1/4, 1/2}, t in {2, 5}, l = 0",
    consequence="optimality",
    recorded="refuted",
    formula=dominant_everywhere,
    control=lambda prior, decay, t: dominant_everywhere(prior, decay, t) and rr_is_optimal(prior, decay, t),
    mutants={
        "w_ii >= w_ij (S2 empty)": lambda prior, decay, t: not partition_by_decay(prior, decay)[1],
        "any weights": lambda prior, decay, t: True,
    },
    note="The text calls RR 'a suitable choice' here, which is no theorem; that the derivation ends in 'the optimal solution' is one.",
)
def dominance_suffices(assumed: Callable[[tuple[Fraction, ...], Fraction, Fraction], bool]) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction, Fraction]) -> str | None:
        prior, decay, t = case
        if not assumed(prior, decay, t):
            return None
        level = PrivacyLevel.from_ratio(t)
        program = block_rr_program_from_decay(prior, range(len(prior)), decay, level, 0)
        solution, own = program.solve("exact"), program.value(randomized_response(len(prior), level))
        if solution.value == own:
            return None
        rows = [[str(v) for v in row] for row in solution.channel.matrix.tolist()]
        return f"{described((prior, decay, t, 0))}: RR {own}, optimum {solution.value} at {rows}"

    family = [
        (p, d, t)
        for p in priors((2, 3), 4)
        if all(p)
        for d in (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2))
        for t in RATIOS
    ]
    return check_family(family, failure, "instances of (4.1)")


# -- the settings of the experiments -----------------------------------------------------------------

#: data set -> percent of the optimum of (4.1) that BlockRR loses, in the order of the budgets of Tables 8 and 9.
LOSSES = {
    "CIFAR-10_1": ("7.16", "22.08", "20.68", "19.35", "12.95", "1.08", "0.00", "0.00"),
    "CIFAR-10_2": ("32.05", "8.66", "25.88", "7.67", "20.55", "7.49", "0.00", "0.00"),
}


@PAPER.claim(
    "eq. (4.1) (loss for every setting of Tables 8 and 9)",
    r"percent of the optimum of (4.1) lost by BlockRR's closed form: CIFAR-10_1 7.16, 22.08, 20.68, 19.35, 12.95, 1.08, 0, 0; CIFAR-10_2 32.05, 8.66, 25.88, 7.67, 20.55, 7.49, 0, 0",
    hypotheses=r"class counts of 5.1.1 as the prior, \epsilon = 0.6, 0.8, 1, 2, 3, 4, 6, 8, l = 0 where none is printed; the true e^\epsilon and e^{-1/\sigma}",
    formula=LOSSES,
    mutants={
        "data sets swapped": {"CIFAR-10_1": LOSSES["CIFAR-10_2"], "CIFAR-10_2": LOSSES["CIFAR-10_1"]},
        "optimal from epsilon = 4 on": {**LOSSES, "CIFAR-10_1": (*LOSSES["CIFAR-10_1"][:5], "0.00", "0.00", "0.00")},
        "0.01 less at 0.6": {**LOSSES, "CIFAR-10_1": ("7.15", *LOSSES["CIFAR-10_1"][1:])},
    },
)
def every_loss(expected: dict[str, tuple[str, ...]]) -> Outcome:
    """Each loss rounds to the number stated: between exact, certified optima at rationals around the setting; see `losses`."""

    def failure(case: tuple[str, Fraction, str]) -> str | None:
        dataset, budget, printed = case
        least, most = loss_bounds(dataset, budget)
        half = Fraction(1, 200)
        if Fraction(printed) - half <= least and most <= Fraction(printed) + half:
            return None
        sigma, l = SETTINGS[dataset][budget]
        return (
            f"{dataset}, epsilon = {float(budget):g}, sigma = {float(sigma):g}, l = {l or 0}: "
            f"the loss lies between {float(least):.5f} and {float(most):.5f} percent, not {printed}"
        )

    family = [(d, b, e) for d in COUNTS for b, e in zip(SETTINGS[d], expected[d], strict=True)]
    return check_every(family, failure, "all settings of Tables 8 and 9", "exact optima, interval arithmetic")


# -- (4.9) over the diagonal entries -----------------------------------------------------------------


@PAPER.claim(
    "Section 4 (solution of the final system)",
    r"the point at which all constraints of (4.9) are equalities has p_{y|y}=e^\epsilon\beta on \mathcal S_1 and e^\epsilon\gamma on \mathcal S_2",
    hypotheses="B(y) = {y}, S~ = S, s1 = |S1| >= 1, s2 = |S2| >= 1 or 0; (4.9) over the diagonal entries with its second constraint as in (4.3)",
    formula=lambda t, s1, s2, l: (t * beta(t, 1, s1, s2, l), t * gamma(t, 1, s1, s2, l)),
    mutants={
        "beta and gamma without t": lambda t, s1, s2, l: (beta(t, 1, s1, s2, l), gamma(t, 1, s1, s2, l)),
        "RR for every l": lambda t, s1, s2, l: (t / (t + s1 + s2 - 1),) * 2,
    },
)
def tight_point(diagonal: Any) -> Outcome:
    """Equations of two labels of one block differ by (1 - 1/t)(x_y - x_y') = 0, so x is constant on S1 and on S2.

    The two values then solve two equations, of determinant kappa / t^2 > 0, which the formula satisfies.
    """

    def failure(case: Case) -> str | None:
        prior, decay, t, l = case
        majority, minority = partition_by_decay(prior, decay)
        first, second = diagonal(t, len(majority), len(minority), Fraction(l))
        found = diagonal_relaxation(prior, majority, PrivacyLevel.from_ratio(t), l).tight_point().tolist()
        expected = [first if y in majority else second for y in range(len(prior))]
        return None if found == expected else f"{described(case)}: solution {', '.join(map(str, found))}"

    def proof() -> Outcome:
        first, second = diagonal(T, S1, S2, L)
        majority = sp.Matrix([[1 + (S1 - 1) / T, S2 / T], [(S1 - L) / T, 1 + (S2 - 1) / T]])
        left = majority * sp.Matrix([first, second])
        solves = check_identities(
            {
                "equation of S1": (left[0], 1),
                "equation of S2": (left[1], 1 - L / (S1 + S2)),
                "determinant": (T**2 * majority.det(), kappa(T, 1, S1, S2, L)),
            },
            "the formula solves both equations",
            hypotheses=SINGLE,
        )
        unique = check_implications(
            SINGLE,
            {"determinant > 0": kappa(T, 1, S1, S2, L) > 0, "1 - 1/t > 0": 1 - 1 / T > 0},
            "which have no other solution, for all sizes, l and t",
        )
        return both(solves, unique)

    return replayed(proof(), check_family(small_cases(), failure, "the linear system solved exactly"))


def diagonal_gains(prior: tuple[Fraction, ...], decay: Fraction, t: Fraction) -> list[Fraction]:
    """Weights of p_{y|y} alone."""
    return list(prior)


def implied_gains(prior: tuple[Fraction, ...], decay: Fraction, t: Fraction) -> list[Fraction]:
    """Weights of p_{y|y} with every off-diagonal entry of its column at p_{y|y} / t, as equality in (4.3) forces."""
    return [p * (1 + (len(prior) - 1) * decay / t) for p in prior]


def _tight_is_optimal(gains: Any, condition: Any, case: Case) -> str | None:
    prior, decay, t, l = case
    majority, _ = partition_by_decay(prior, decay)
    relaxation = diagonal_relaxation(prior, majority, PrivacyLevel.from_ratio(t), l)
    weights = gains(prior, decay, t)
    tight = sum(w * x for w, x in zip(weights, relaxation.tight_point().tolist(), strict=True))
    best, point = relaxation.optimum(weights)
    if not condition(prior, t) or tight == best:
        return None
    return f"{described(case)}: value {tight} where all are equalities, {best} at the diagonal ({', '.join(map(str, point))})"


@PAPER.claim(
    "Section 4 (the optimum makes every constraint an equality)",
    r"'the optimal solution of linear programming is typically found at the boundary. That is, the equations hold for both (4.2) and (4.3)' at the optimum of (4.9)",
    hypotheses="(4.9) over the diagonal entries, the reading in which it is bounded; weights of p_{y|y} alone, or with its column at p_{y|y} e^-eps; l = 0; positive priors with denominator 4 on K = 2, 3 labels, d in {1/2, 1/4}, t in {2, 5}",
    consequence="optimality",
    recorded="refuted",
    formula=lambda prior, t: True,
    control=lambda prior, t: (t + len(prior) - 1) * min(prior) >= 1,
    mutants={
        "p_min >= 1 / (t + K)": lambda prior, t: (t + len(prior)) * min(prior) >= 1,
        "p_min >= 1 / 2K": lambda prior, t: 2 * len(prior) * min(prior) >= 1,
    },
    note="An optimum is at an extreme point, where K of the 2K constraints are equalities: some may be p_{y|y} = 0, as in RRWithPrior.",
)
def tight_optimum(condition: Any) -> Outcome:
    family = [(gains, case) for case in small_cases() if case[3] == 0 for gains in (diagonal_gains, implied_gains)]
    return check_family(
        family, lambda pair: _tight_is_optimal(pair[0], condition, pair[1]), "all extreme points, exact, both weights"
    )


@PAPER.claim(
    "Section 4 (the optimum makes every constraint an equality) [repaired]",
    r"for l=0 and weights c>0 of the diagonal entries the point with all constraints equalities, RR, is optimal iff (e^\epsilon+K-1)\min c\ge\sum c",
    hypotheses="c > 0 and its sum C >= c; x > 0 there, so the dual values must solve A^T \\lambda = c, and optimality is \\lambda >= 0",
    formula=lambda own, total, t, k: (t + k - 1) * own >= total,
    mutants={
        "t + K": lambda own, total, t, k: (t + k) * own >= total,
        "K c_min >= sum": lambda own, total, t, k: k * own >= total,
    },
    repairs="Section 4 (the optimum makes every constraint an equality)",
)
def tight_optimum_repaired(condition: Any) -> Outcome:
    s, weights = 1 / T, [T > 1, K >= 2, OWN > 0, TOTAL >= OWN]
    multiplier = (OWN - TOTAL / (T + K - 1)) / (
        1 - s
    )  # of the constraint of a label with weight p, the weights sum to C
    sum_of_multipliers = (TOTAL - K * TOTAL / (T + K - 1)) / (1 - s)
    solved = check_identities(
        {
            "A^T lambda = c": ((1 - s) * multiplier + s * sum_of_multipliers, OWN),
            "sum of lambda = c . x": (sum_of_multipliers, TOTAL * T / (T + K - 1)),
            "x solves A x = 1": ((1 + (K - 1) * s) * T / (T + K - 1), 1),
        },
        "the multipliers of the all-tight point",
        hypotheses=weights,
    )
    claimed = condition(OWN, TOTAL, T, K)
    sign = check_implications(
        weights,
        {
            "condition => lambda >= 0": sp.Implies(claimed, multiplier >= 0),
            "lambda >= 0 => condition": sp.Implies(multiplier >= 0, claimed),
        },
        "their signs",
    )
    return both(solved, sign)

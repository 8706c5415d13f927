"""Section 4, continued: the faces of (4.2) and (4.3), when RR solves (4.1), (4.9) over the diagonal, all settings."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.claims.checking import check_implications, iff
from lpmech.mechanisms.block_rr.optimality import block_rr_is_optimal
from lpmech.mechanisms.block_rr.relaxation import diagonal_relaxation
from lpmech.papers.liu2026.equation_3_1 import X, Y, equations_3_1
from lpmech.papers.liu2026.instances import HALF, Prior, Setting, instances, positive
from lpmech.papers.liu2026.losses import loss_bounds
from lpmech.papers.liu2026.paper import (
    ALL,
    ANY_SIZES,
    LARGER,
    ORDERED,
    PAPER,
    S1,
    S2,
    SINGLE,
    B,
    L,
    T,
    beta,
    gamma,
    kappa,
)
from lpmech.papers.liu2026.section_4 import loss_in_words
from lpmech.papers.liu2026.tables import by_setting
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.utilities import weight_matrix_from_decay

K, D, OWN, TOP, TOTAL, OTHER, DUAL = tm.symbols("K d p p_max C q pi")


def without_delta(*family: Any) -> list[Setting]:
    """The instances with l = 0, in which the closed form is RR: 'Remark 3.3 (Table 2, RR)'."""
    return [case for case in instances(*family) if not case.l]


#: Any label of any prior, and any sigma; d = 0 is the limit sigma -> 0.
LABELS = (T > 1, K >= 2, D >= 0, D < 1, OWN >= 0, OWN <= 1)


@PAPER.claim(
    "Section 4 (boundary)",
    r"'the equations hold for both (4.2) and (4.3)' at the optimal solution of (4.1)",
    hypotheses=r"$B(y) = \{y\}$, $\tilde{S} = S$, $l = 0$, $d = e^{-1/\sigma}$; left side of both, of row $y$: $p_{y\mid y}+e^{-\epsilon}\sum_{j\ne y}p_{j\mid j}$, at most 1",
    replay="instances of (4.1) with l = 0",
    formula=lambda own, top, size, decay: tm.TRUE,
    note="An optimum lies on the boundary of the feasible set, but not on these faces of it. For every prior: 'Section 4 (boundary, which points)'.",
    consequence="optimality",
    repair=Repair(
        r"for the uniform prior (4.3) is an equality at every optimal solution",
        hypotheses=r"(4.3): $p_{y\mid y}+e^{-\epsilon}\sum_{j\ne y}p_{j\mid j}\le 1$; $l = 0$, $d = e^{-1/\sigma}$; $p = 1/K$ the prior of every label, slacks $w_{yj} - \pi$ on and off the diagonal, with the dual $\pi = V/K$ of every row, $V$ the value of RR",
        formula=lambda own, top, size, decay: tm.Eq(own * size, 1),
    ),
)
def boundary(condition: Any) -> Parts:
    """With pi = V / K for every row, V the value of RR, slacks are positive on and negative off the diagonal.

    So sum_y (w_yj - pi) q_yj <= m_j (t (w_jj - pi) + sum_(y != j) (w_yj - pi)) = 0 for every column with least entry m_j,
    with equality only if q_jj = t m_j and q_yj = m_j for y != j. At an optimum, where the sum over columns is zero,
    all are equalities, and then p_{y|y} + (1/t) sum of the other p_{j|j} is the sum of row y.
    """
    for case in without_delta(positive(4)):
        prior, solution = case.prior, case.solution
        if all(steps.holds(condition(p, max(prior), len(prior), case.decay)) for p in prior):
            own = solution.channel.matrix.diagonal()
            left = [x + (own.sum() - x) / case.t for x in own]
            yield Instance(f"{case}: left sides at the optimum, {solution.value}", left, "==", [1] * len(left))
    pi = rr_value(T, K, D) / K
    own, other = OWN - pi, D * OWN - pi
    yield check_implications(
        [T > 1, K >= 2, D > 0, D < 1, OWN > 0, OWN <= TOP, TOP <= 1, condition(OWN, TOP, K, D)],
        {"signs of the slacks": tm.And(own > 0, other < 0), "columns balance": tm.Eq(T * own + (K - 1) * other, 0)},
        "complementary slackness at every optimum",
    )


@PAPER.claim(
    "Section 4 (final system)",
    r"inserting $p_{\tilde{y}\mid\tilde{y}}=e^\epsilon\beta$ on $\tilde{\mathcal{S}}_1$ and $e^\epsilon\gamma$ on $\tilde{\mathcal{S}}_2$ into the equations gives (3.1)",
    hypotheses=r"$|B(y)| = b$; $\Delta$ in $\tilde{S}_1$, $B(y)$ in $\tilde{S}_2$ for $y$ in $S_2$",
    given=ANY_SIZES,
    formula=lambda t, x, y: (t * x, t * y),
)
def final_system(diagonal: Any) -> Relations:
    first, second = diagonal(T, X, Y)
    minority = B * second + ((S1 - L) * first + (S2 - B) * second) / T + L / (S1 + S2) - 1
    majority = B * first + ((S1 - B) * first + S2 * second) / T - 1
    of_majority, of_minority = equations_3_1(*ALL, X, Y)
    return {"majority": (majority, of_majority), "minority": (minority, of_minority)}


@PAPER.claim(
    "Section 4 (what Delta is for)",
    r"'we still aim to keep $p_{y\mid y}$ as large as possible for all $y\in\mathcal{S}_2$ ... To this end, we introduce a subset $\Delta$': with it BlockRR releases a minority label as itself at least as often as without",
    hypotheses=r"$l_2 = |\Delta|$, compared with a smaller $l$, such as $l = 0$",
    given=ORDERED,
    formula=operator.ge,
    note=r"In (4.1) too the fixed entries can only lower the largest $p_{y\mid y}$. What $\Delta$ does is what Lemma 3.1 says, 'minority-label mitigation': the opposite of the end named here.",
    consequence="wording",
    repair=Repair(
        r"for $y\in\mathcal{S}_2$, $p_{y\mid y}=e^\epsilon\gamma$ strictly falls as $\Delta$ grows: it is largest without $\Delta$",
        formula=operator.lt,
        mutants={"as often": tm.Eq},
    ),
    uses=["Lemma 3.1 (gamma)"],
)
def minority_label_as_itself(relation: Any) -> Relations:
    more, fewer = (T * gamma(T, B, S1, S2, l) for l in (LARGER, L))
    return {"p_{y|y} at l2 and at l": relation(more, fewer), "not of equal ones": tm.Not(relation(fewer, fewer))}


STEP, MOST, LEAST, OF_MOST, OF_LEAST = tm.symbols("s M m X Y")


@PAPER.claim(
    "Section 4 (symmetry)",
    r"'$p_{\tilde{y}\mid\tilde{y}}$ is symmetric about $\tilde{y}$ on $\tilde{S}_1$ and $\tilde{S}_2$': the linear system forces equal diagonal entries on $\tilde{S}_1$, and on $\tilde{S}_2$, whatever the sets $B(y)$ of one size are",
    hypotheses=r"$s = e^{-\epsilon}$; $M$, $m =$ largest and least diagonal entry of a block, of labels $y$, $y'$; $X$, $Y =$ sums of the diagonal entries over $B(y)$, $B(y')$, within the block; $|B(y)| = |B(y')| = b$",
    formula=lambda b: b,
    note=r"Of the linear system only: at the optimum of (4.1) it need not hold, see 'Section 4 (boundary)'. For $B(y) = \{y\}$ the entries are those of 'Section 4 (solution of the final system)'.",
)
def symmetric(size: Any) -> Parts:
    """The equations of y and y' differ by b M - b m = s (X - Y) at most s b (M - m), so M - m <= s (M - m), and s < 1."""
    second = size(B)
    difference = [tm.Eq(B * MOST - second * LEAST, STEP * (OF_MOST - OF_LEAST)), MOST >= LEAST]
    given = [STEP > 0, STEP < 1, B > 0, OF_MOST <= B * MOST, OF_LEAST >= second * LEAST, *difference]
    yield given, {"the largest entry is the least": tm.Eq(MOST, LEAST)}


# -- RR and (4.1) ------------------------------------------------------------------------------------


def rr_value(t: Any, size: Any, decay: Any) -> Any:
    """Objective of (4.1) at RR: it does not depend on the prior."""
    return (t + (size - 1) * decay) / (t + size - 1)


def rr_dual(p: Any, t: Any, size: Any, decay: Any) -> Any:
    """The dual value of the row of a label with prior p that makes every dual constraint an equality."""
    return p - (rr_value(t, size, decay) - p * (1 + (size - 1) * decay)) / (t - 1)


@PAPER.claim(
    "eq. (4.1) (RR, dual values)",
    r"at $l=0$ the duals $\pi_y=p_y-(V-p_y(1+(K-1)d))/(e^\epsilon-1)$, $V=(e^\epsilon+(K-1)d)/(e^\epsilon+K-1)$, make every dual constraint of (4.1) an equality and sum to $V$, the value of RR; so RR is optimal whenever $d\max_{j\ne y}p_j\le\pi_y\le p_y$ for all $y$",
    hypotheses=r"$K$ labels, any prior, $d = \exp(-1/\sigma)$, weights (3.3), no fixed entries",
    given=LABELS,
    kind="ours",
    formula=rr_dual,
    note="Column $j$ has the weights $p_j$ on and $d p_j$ off the diagonal; with the signs as stated the dual constraint is "
    r"$\sum_y (w_{yj} - \pi_y) + (t - 1)(w_{jj} - \pi_j) \le 0$.",
)
def rr_dual_values(dual: Any) -> Relations:
    value = rr_value(T, K, D)
    pi = dual(OWN, T, K, D)
    # pi is affine in p and the priors sum to one, so the sum over labels is K pi(0) + (pi(1) - pi(0))
    at_zero, at_one = dual(tm.Rational(0), T, K, D), dual(tm.Rational(1), T, K, D)
    return {
        "dual constraint of a column": (OWN * (1 + (K - 1) * D) - value + (T - 1) * (OWN - pi), 0),
        "affine in p": (pi, at_zero + OWN * (at_one - at_zero)),
        "sum of the duals": (K * at_zero + at_one - at_zero, value),
    }


@PAPER.claim(
    "eq. (4.1) (when RR is optimal)",
    r"at $l=0$ RR, the closed form, solves (4.1) iff $d\max_{j\ne y}p_j\le\pi_y\le p_y$ for all $y$, with the $\pi$ of 'eq. (4.1) (RR, dual values)'",
    hypotheses=r"any prior ($d = 0$ is the limit $\sigma \to 0$); $q =$ largest prior of the other labels",
    given=[*LABELS, OTHER >= 0, OWN + OTHER <= 1],
    replay="small instances, exact optimum with exact duals",
    formula=lambda pi, own, other, decay: tm.And(tm.term(pi) <= own, tm.term(pi) >= decay * other),
    note=r"At $d = 0$ the criterion is $p_\min \ge 1 / (e^\epsilon + K - 1)$, the last threshold of RRWithPrior.",
    repairs="Section 4 (diagonally dominant weights)",
)
def rr_optimal(criterion: Callable[[Any, Any, Any, Any], Any]) -> Parts:
    """Duals show that RR is optimal iff they fit it: complementary slackness and strong duality.

    All column floors of RR are positive, its diagonal entries are above the floor, the others below t times the floor.
    So they fit iff every dual constraint is an equality, w_jj >= pi_j and w_yj <= pi_y; the equality of a column
    determines its dual, as the sum of the duals is V; the signs are the criterion.
    """
    ratios = (Fraction(3, 2), Fraction(5))
    for case in without_delta(positive(6), (Fraction(0), HALF), ratios):
        prior, decay, own, optimum = case.prior, case.decay, case.value, case.solution.value
        duals = [
            (p, rr_dual(p, case.t, len(prior), decay), max(prior[:y] + prior[y + 1 :])) for y, p in enumerate(prior)
        ]
        fits = all(steps.holds(criterion(pi, p, other, decay)) for p, pi, other in duals)
        where = f"{case}, where the criterion {'holds' if fits else 'fails'}: RR, optimum"
        yield Instance(where, own, "==" if fits else "!=", optimum)
    column = OWN * (1 + (K - 1) * D) - rr_value(T, K, D) + (T - 1) * (OWN - DUAL)
    (determined,) = steps.solve(column, DUAL)
    yield "pi", (determined, rr_dual(OWN, T, K, D))
    signs = tm.And(OWN - DUAL >= 0, D * OTHER - DUAL <= 0)
    yield from iff(criterion(DUAL, OWN, OTHER, D), signs, "signs", "criterion").items()


def rr_is_optimal(prior: Prior, decay: Fraction, t: Fraction) -> bool:
    """By the criterion at l = 0 and S1 = S."""
    return block_rr_is_optimal(prior, range(len(prior)), decay, PrivacyLevel.from_ratio(t), 0)


def dominant_everywhere(prior: Prior, decay: Fraction, t: Fraction) -> bool:
    """w_ii >= sum over j != i of w_ij, the usual sense; it implies w_ii >= w_ij, that of section 3.2."""
    weights = weight_matrix_from_decay(prior, decay)
    return all(2 * weights[i, i] >= weights[i].sum() for i in range(len(prior)))


@PAPER.claim(
    "Section 4 (diagonally dominant weights)",
    r"for a diagonally dominant weight matrix (then $\mathcal{S}_2=\emptyset$) RR, the closed form that section 4 derives, is the optimal solution of (4.1)",
    hypotheses=r"$w_{ii} \ge \sum_{j \ne i} w_{ij}$ (the usual, stronger sense); positive priors with denominator 4 on $K = 2$, 3 labels, $d \in \{1/8, 1/4, 1/2\}$, $t \in \{2, 5\}$, $l = 0$",
    family="instances of (4.1)",
    cause="Section 4 (boundary)",
    consequence="optimality",
    formula=dominant_everywhere,
    control=lambda prior, decay, t: dominant_everywhere(prior, decay, t) and rr_is_optimal(prior, decay, t),
    survivors={"t -> t + 1": "dominance does not depend on t"},
    note="The text calls RR 'a suitable choice' here, which is no theorem; that the derivation ends in 'the optimal solution' is one.",
)
def dominance_suffices(assumed: Callable[[Prior, Fraction, Fraction], bool]) -> Parts:
    decays = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2))
    for case in without_delta(positive(4), decays):
        if assumed(*case[:3]):
            yield Instance(f"{case}: RR, optimum, at {case.rows}", case.value, "==", case.solution.value)


# -- the settings of the experiments -----------------------------------------------------------------

#: data set -> percent of the optimum of (4.1) that BlockRR loses, in the order of the budgets of Tables 8 and 9.
LOSSES = {
    "CIFAR-10_1": ("7.16", "22.08", "20.68", "19.35", "12.95", "1.08", "0.00", "0.00"),
    "CIFAR-10_2": ("32.05", "8.66", "25.88", "7.67", "20.55", "7.49", "0.00", "0.00"),
}


@PAPER.claim(
    "eq. (4.1) (loss for every setting of Tables 8 and 9)",
    r"percent of the optimum of (4.1) lost by BlockRR's closed form: $\text{CIFAR-10}_1$ 7.16, 22.08, 20.68, 19.35, 12.95, 1.08, 0, 0; $\text{CIFAR-10}_2$ 32.05, 8.66, 25.88, 7.67, 20.55, 7.49, 0, 0",
    hypotheses=r"closed form: $e^\epsilon\beta$, $\beta$, $e^\epsilon\gamma$, $\gamma$ and $1/K$ in the blocks, with (3.2); class counts of 5.1.1 as the prior, $\epsilon = 0.6$, 0.8, 1, 2, 3, 4, 6, 8, $l = 0$ where none is printed; the true $e^\epsilon$ and $e^{-1/\sigma}$",
    every="settings of Tables 8 and 9: exact optima, interval arithmetic",
    kind="ours",
    formula=LOSSES,
)
def every_loss(expected: dict[str, tuple[str, ...]]) -> Parts:
    """Each loss rounds to the number stated: between exact, certified optima at rationals around the setting; see `losses`."""
    for dataset, budget, _, _, printed in by_setting(expected):
        rounded = [Decimal(round(100 * bound)) / 100 for bound in loss_bounds(dataset, budget)]
        where = f"{loss_in_words(dataset, budget)}, to two decimals"
        yield Instance(where, rounded, "==", [Decimal(printed)] * 2)


# -- (4.9) over the diagonal entries -----------------------------------------------------------------


def only_solution(diagonal: Callable[..., tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    """The equations of (4.3) and (4.2) for one diagonal entry on S1 and one on S2: it solves them, and nothing else does."""
    (a, b), (c, d) = (1 + (S1 - 1) / T, S2 / T), ((S1 - L) / T, 1 + (S2 - 1) / T)
    (x, y), determinant = diagonal(T, S1, S2, L), kappa(T, 1, S1, S2, L)
    yield "equation of S1", (a * x + b * y, 1)
    yield "equation of S2", (c * x + d * y, 1 - L / (S1 + S2))
    yield "determinant", (T**2 * (a * d - b * c), determinant)
    yield "determinant > 0", determinant > 0


@PAPER.claim(
    "Section 4 (solution of the final system)",
    r"the point at which all constraints of (4.9) are equalities has $p_{y\mid y}=e^\epsilon\beta$ on $\mathcal{S}_1$ and $e^\epsilon\gamma$ on $\mathcal{S}_2$",
    hypotheses=r"$B(y) = \{y\}$, $\tilde{S} = S$, $s_1 = |S_1|$, $s_2 = |S_2|$; (4.9) over the diagonal entries with its second constraint as in (4.3)",
    given=SINGLE,
    replay="the linear system solved exactly",
    formula=lambda t, s1, s2, l: (t * beta(t, 1, s1, s2, l), t * gamma(t, 1, s1, s2, l)),
)
def tight_point(diagonal: Any) -> Parts:
    """Equations of two labels of one block differ by (1 - 1/t)(x_y - x_y') = 0, so x is constant on S1 and on S2.

    The two values then solve two equations, of determinant kappa / t^2 > 0, which the formula satisfies.
    """
    without, *others = instances(positive(4))
    for case in (*others, without):
        first, second = diagonal(case.t, *map(Fraction, case.sizes))
        found = diagonal_relaxation(case.prior, case.majority, case.level, case.l).tight_point().tolist()
        expected = [first if y in case.majority else second for y in range(len(case.prior))]
        yield Instance(f"{case}: solution, e^epsilon beta on S1 and e^epsilon gamma on S2", found, "==", expected)
    yield from only_solution(diagonal)
    yield "1 - 1/t > 0", 1 - 1 / T > 0


@PAPER.claim(
    "Section 4 (the optimum makes every constraint an equality)",
    r"'the optimal solution of linear programming is typically found at the boundary. That is, the equations hold for both (4.2) and (4.3)' at the optimum of (4.9)",
    hypotheses=r"(4.9) over the diagonal entries, the reading in which it is bounded; weights of $p_{y\mid y}$ alone, or with its column at $p_{y\mid y} e^{-\epsilon}$; $l = 0$; positive priors with denominator 4 on $K = 2$, 3 labels, $d \in \{1/2, 1/4\}$, $t \in \{2, 5\}$; and $(10, 1, 1)/12$, $d = 1/2$, $t = 5$",
    family="extreme points, exact, both weights",
    cause="Section 4 (boundary)",
    consequence="optimality",
    formula=lambda prior, t: True,
    control=lambda prior, t: (t + len(prior) - 1) * min(prior) >= 1,
    survivors=dict.fromkeys(
        [
            "(t + len(prior) - 1) * min(prior) >= 1 -> (t + len(prior) - 1) * min(prior) > 1",
            *("t + len(prior) -> t - len(prior)", "1 -> 2", "1 -> 2, place 2"),
        ],
        "a narrower condition is enough as well; the repaired claim has both directions",
    ),
    note=r"An optimum is at an extreme point, where $K$ of the $2K$ constraints are equalities: some may be $p_{y\mid y} = 0$, as in RRWithPrior.",
)
def tight_optimum(condition: Any) -> Parts:
    skewed = Setting((Fraction(5, 6), Fraction(1, 12), Fraction(1, 12)), HALF, Fraction(5), 0)
    for case in (c for c in (*without_delta(positive(4)), skewed) if condition(c.prior, c.t)):
        relaxation = diagonal_relaxation(case.prior, case.majority, case.level, 0)
        for column in (1, 1 + (len(case.prior) - 1) * case.decay / case.t):  # of an entry alone, and with its column
            weights = [p * column for p in case.prior]
            tight = sum(w * x for w, x in zip(weights, relaxation.tight_point().tolist(), strict=True))
            best, point = relaxation.optimum(weights)
            where = f"{case}: value where all are equalities, value at the diagonal ({', '.join(map(str, point))})"
            yield Instance(where, tight, "==", best)


@PAPER.claim(
    "Section 4 (the optimum makes every constraint an equality) [repaired]",
    r"for $l=0$ and weights $c>0$ of the diagonal entries the point with all constraints equalities, RR, is optimal iff $(e^\epsilon+K-1)\min c\ge\sum c$",
    hypotheses=r"$p =$ one of the weights, $C$ their sum; $x > 0$ there, so the dual values must solve $A^T \lambda = c$, and optimality is $\lambda \ge 0$",
    given=[T > 1, K >= 2, OWN > 0, TOTAL >= OWN],
    formula=lambda own, total, t, k: (t + k - 1) * own >= total,
    repairs="Section 4 (the optimum makes every constraint an equality)",
)
def tight_optimum_repaired(condition: Any) -> Relations:
    s = 1 / T
    multiplier = (OWN - TOTAL / (T + K - 1)) / (1 - s)  # of the constraint of a label with weight p
    sum_of_multipliers = (TOTAL - K * TOTAL / (T + K - 1)) / (1 - s)
    return {
        "A^T lambda = c": ((1 - s) * multiplier + s * sum_of_multipliers, OWN),
        "sum of lambda = c . x": (sum_of_multipliers, TOTAL * T / (T + K - 1)),
        "x solves A x = 1": ((1 + (K - 1) * s) * T / (T + K - 1), 1),
        **iff(condition(OWN, TOTAL, T, K), multiplier >= 0, "lambda >= 0"),
    }

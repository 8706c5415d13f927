"""Section 4 and Tables 8, 9: where BlockRR's closed form solves (4.1), and which labels the optimum never releases."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from flint import arb, arb_poly

from lpmech.certify.checker import exp_bounds
from lpmech.claims import Instance, Parts
from lpmech.claims.checking import iff
from lpmech.errors import InvalidInputError, UndecidedError
from lpmech.mechanisms.block_rr.optimality import block_rr_is_optimal, optimality_slacks
from lpmech.mechanisms.block_rr.program import block_rr_program_from_decay
from lpmech.papers.checks import ball, refuses
from lpmech.papers.liu2026.algorithm_2 import majority_of
from lpmech.papers.liu2026.equation_4_1 import without_delta
from lpmech.papers.liu2026.instances import HALF, RATIOS, Setting, instances, positive
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.shapes import decides
from lpmech.papers.liu2026.tables import COUNTS, by_setting
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel
from lpmech.prove import steps
from lpmech.terms import functions as tm

T, D = tm.symbols("t d")

#: data set -> the epsilon from which each closed form is optimal, rounded up to 0.001, in the order of Tables 8 and 9.
FROM: Mapping[str, tuple[str | None, ...]] = {
    "CIFAR-10_1": ("4.609", None, None, None, None, "4.496", "4.496", "4.496"),
    "CIFAR-10_2": (None, "5.685", None, "4.944", None, None, "4.314", "4.314"),
}


def _polynomial(slack: Any, decay: Any) -> arb_poly:
    """A polynomial in t with balls for coefficients, whose sign for t > 1 is that of the slack."""
    over, under = steps.fraction(steps.cancel(slack))
    if any(c <= 0 for c in steps.coefficients(under.at({T: T + 1}), T).values()):
        raise UndecidedError(f"the sign of the denominator {under}")
    powers = steps.coefficients(over, T, D)
    terms = (ball(v) * decay**k * arb_poly([0] * i + [1]) for (i, k), v in powers.items())
    return sum(terms, arb_poly())


def _negative_between(polynomial: arb_poly, low: Any, high: Any | None) -> bool:
    """Whether p(t) < 0 is certain for low < t < high (or all t > low): no coefficient in z = (high - t)/(t - low) is positive."""
    if high is None:
        found = polynomial(arb_poly([low, 1])).coeffs()
    else:  # (1 + z)^n p(low + (high - low) / (1 + z))
        scaled = polynomial(arb_poly([low, high - low])).coeffs()
        found = arb_poly(scaled[::-1])(arb_poly([1, 1])).coeffs()
    return all(bool(c <= 0) for c in found) and any(bool(c < 0) for c in found)


@cache
def slacks_of(dataset: str, sigma: Fraction, l: int) -> list[arb_poly]:
    """The slacks of `optimality_slacks`."""
    counts = COUNTS[dataset]
    decay = ball(-1 / sigma).exp()
    slacks = optimality_slacks(prior_from_counts(counts), majority_of(counts, sigma), D, T, l)
    return [_polynomial(slack, decay) for slack in dict.fromkeys(slacks)]


def _at(slacks: list[arb_poly], epsilon: Fraction) -> arb:
    """The least slack at this epsilon: the closed form is optimal iff it is not negative."""
    values = [slack(ball(epsilon).exp()) for slack in slacks]
    negative = [v for v in values if v < 0]
    if not negative and not all(v >= 0 for v in values):
        raise UndecidedError(f"a slack at epsilon = {epsilon} is not told apart from 0")
    return min(negative or values, key=lambda v: float(v.mid()))


@PAPER.claim(
    "eq. (4.1) (from which epsilon each setting is optimal)",
    r"with $\sigma$, $l$ and $S_1$ of Tables 8 and 9 kept, the closed form solves (4.1) exactly from $\epsilon=4.609$ ($\text{CIFAR-10}_1$, 0.6), 4.496 ($\text{CIFAR-10}_1$, 4, 6, 8), 5.685 ($\text{CIFAR-10}_2$, 0.8), 4.944 ($\text{CIFAR-10}_2$, "
    r"2), 4.314 ($\text{CIFAR-10}_2$, 6, 8) on, and for the other eight settings at no $\epsilon$",
    hypotheses=r"closed form: $e^\epsilon\beta$, $\beta$, $e^\epsilon\gamma$, $\gamma$ and $1/K$ in the blocks, with (3.2); class counts of 5.1.1 as the prior, the true $e^{-1/\sigma}$, $l = 0$ where the table has none; every real $\epsilon > 0$; thresholds rounded up to 0.001: optimal from there on, "
    "not 0.001 below it or anywhere lower",
    every="settings of Tables 8 and 9, every epsilon: sign patterns of polynomials in ball arithmetic (rigorous)",
    kind="ours",
    formula=FROM,
    mutants={"never at CIFAR-10_2, 8": {**FROM, "CIFAR-10_2": (*FROM["CIFAR-10_2"][:7], None)}},
    note=r"The slacks of 'eq. (4.1) (when BlockRR is optimal)' are polynomials in $e^\epsilon$ of degree at most three; one is negative on the whole of the range where BlockRR is not optimal. The eight settings "
    r"that are never optimal have a minority label that is rarer than $d$ times a majority label outside $\Delta$: 'eq. (4.1) (when BlockRR is never optimal)'. Of the sixteen settings only the four at 6 and 8 are used where they are optimal.",
)
def thresholds(claimed: Mapping[str, tuple[str | None, ...]]) -> Parts:
    for dataset, _, sigma, l, threshold in by_setting(claimed):
        where = f"{dataset}, sigma = {float(sigma)}, l = {l or 0}"
        slacks = slacks_of(dataset, sigma, l or 0)
        start = None if threshold is None else Fraction(threshold)
        last = None if start is None else start - Fraction(1, 1000)
        for epsilon, optimal in ((last or Fraction(14), False), (start, True)):
            if epsilon is not None:
                told = f"{where}: least slack of 'eq. (4.1) (when BlockRR is optimal)' at epsilon = {float(epsilon):g}"
                yield Instance(told, _at(slacks, epsilon), ">=" if optimal else "<", 0)
        if not any(_negative_between(p, ball(Fraction(1)), last and ball(last).exp()) for p in slacks):
            raise UndecidedError(f"{where}: no slack is negative for all smaller epsilon")
        if start and not all(_negative_between(-p, ball(start).exp(), None) for p in slacks):
            raise UndecidedError(f"{where}: a slack is not shown to be positive for all larger epsilon")


# -- settings that are never optimal ---------------------------------------------------------------------

OWN, OTHER, PI, FREE, SUM = tm.symbols("p q pi n X")


@PAPER.claim(
    "eq. (4.1) (when BlockRR is never optimal)",
    r"if a minority label $y$ is rarer than $d=e^{-1/\sigma}$ times a label of $\mathcal{S}_1\setminus\Delta$, the closed form solves (4.1) at no $\epsilon$; so for $l=0$ and $\mathcal{S}_2\ne\emptyset$ it never does",
    hypotheses=r"any $K$ and prior; $p$, $q$ priors of the two labels, $\pi$ the dual of row $y$: 'eq. (4.1) (when BlockRR is optimal)'. Replayed on positive priors with denominator 4 on $K = 2$, 3 labels, "
    r"$d \in \{1/2, 1/4\}$, $t \in \{2, 5\}$, every $l$: exact optima",
    given=[T > 1, D >= 0, D < 1, OWN >= 0, OTHER >= 0, OWN + OTHER <= 1],
    replay="instances of (4.1), exact optimum",
    kind="ours",
    formula=lambda own, other, d: own < d * other,
    note=r"The entry of row $y$ at that label would have to be worth at most $\pi$, the entry of its own label at least $\pi$. With (3.3) a minority label is rarer than $d \max p$, and $\max p$ is in $S_1$ but, if $l = 0$, not in $\Delta$.",
)
def never_optimal(condition: Any) -> Parts:
    for case in instances(positive(4)):
        kept = set(case.majority) - set(case.favoured)
        if any(condition(case.prior[y], case.prior[j], case.decay) for y, j in product(case.minority, kept)):
            yield Instance(f"{case}: BlockRR, optimum", case.value, "<", case.solution.value)
    claimed = condition(OWN, OTHER, D)
    yield "no dual has both signs", tm.Implies(claimed, tm.Not(tm.And(PI <= OWN, D * OTHER <= PI)))
    yield "else p has", tm.Or(claimed, D * OTHER <= OWN)


PAPER.claim(
    "eq. (4.1) (when BlockRR is optimal) [lower bounds suffice]",
    r"of the two signs in 'eq. (4.1) (when BlockRR is optimal)', $\pi_y\le p_y$ follows from the lower bounds of the other rows: so BlockRR is optimal iff $d\,p_j\le\pi_y$ for every entry $(y,j)$, $j\ne y$, that is not fixed",
    hypotheses="any column $y$ with $n$ free rows; $X =$ sum of the duals of its other free rows, each at least $d p$; the dual constraint of the column is an equality",
    given=[T > 1, D >= 0, D < 1, OWN >= 0, OWN <= 1, FREE >= 1, tm.Eq(T * (OWN - PI) + (FREE - 1) * D * OWN - SUM, 0)],
    kind="ours",
    formula=lambda total, n, d, p: total >= (n - 1) * d * p,
    note=r"The column's equality reads $t (p_y - \pi_y) =$ sum over the other free rows of $\pi_i - d p_y$.",
)(decides((SUM, FREE, D, OWN), PI <= OWN, "pi <= p", "assumed"))


@PAPER.claim(
    "eq. (4.1) (when BlockRR is optimal) [function]",
    r"`block_rr_is_optimal` says whether the closed form solves (4.1), without solving it",
    hypotheses=r"closed form: $e^\epsilon\beta$, $\beta$, $e^\epsilon\gamma$, $\gamma$ and $1/K$ in the blocks, with (3.2); positive priors with denominator 5 on $K = 2$, 3 labels, $(6, 5, 4, 3, 2)/20$ and $(9, 9, 1, 1)/20$ with $d \in \{1/2, 1/4, 3/4\}$, $t \in \{3/2, 3, 40\}$, every $l$; and $(3, 2)/5$, $d = 1/2$, $t = 4$, $l = 0$, where a bound is reached, and $d = 0$: against the exact optimum; $d < 0$ and $d = 1$ are refused",
    family="instances of (4.1), exact optimum with exact duals",
    formula=block_rr_is_optimal,
    mutants={
        "the first row's bound only": lambda p, s1, d, level, l: optimality_slacks(p, s1, d, level.ratio, l)[0] >= 0
    },
    survivors={"0 -> -1 in as_array([decay], 'decay', 1)[0]": "the array has one entry"},
    note="A library function on the criterion proved there; $K^2$ comparisons.",
)
def agrees(optimal: Any) -> Parts:
    some = [*positive(5), *(tuple(Fraction(c, 20) for c in counts) for counts in ((6, 5, 4, 3, 2), (9, 9, 1, 1)))]
    decays, ratios = (HALF, Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 2), Fraction(3), Fraction(40))
    ends = [Setting((Fraction(3, 5), Fraction(2, 5)), d, Fraction(4), 0) for d in (HALF, Fraction(0))]
    for case in (*ends, *instances(some, decays, ratios)):
        says = optimal(case.prior, case.majority, case.decay, case.level, case.l)
        where = f"{case}, said to be {'optimal' if says else 'not optimal'}: BlockRR, optimum"
        yield Instance(where, case.value, "==" if says else "!=", case.solution.value)
    for d in (Fraction(-1, 9), Fraction(1)):
        yield refuses(InvalidInputError, optimal, (HALF, HALF), [0, 1], d, ends[0].level, 0) or f"d = {d}: an answer"


# -- labels that the optimum never releases, the limitation of RRWithPrior that BlockRR is to remove ------------

K, RARER, TOP = tm.symbols("K p_j p_max")

#: Small instances of (4.1) with l = 0.
INSTANCES = without_delta(positive(6), (HALF, Fraction(1, 4), Fraction(3, 4)), (Fraction(5, 4), *RATIOS))


@PAPER.claim(
    "Section 4 (discarding minority labels)",
    r"'a key limitation' of RRWithPrior 'is its discarding of minority labels ... To address these shortcomings, we propose the BlockRR algorithm' as the optimal solution of (4.1): an optimal solution of (4.1) releases every label",
    hypotheses=r"$l = 0$, positive priors with denominator 6 on $K = 2$, 3 labels, $d = e^{-1/\sigma} \in \{1/2, 1/4, 3/4\}$, $t \in \{5/4, 2, 5\}$; exact optimum whose duals are strict in the columns of labels that it does not release, so that "
    "no optimum does",
    family="instances of (4.1) with l = 0, exact duals",
    consequence="optimality",
    formula=lambda own, top, t, size, d: True,
    control=lambda own, top, t, size, d: own * size == 1,
    survivors={"own and size exchanged": "the same product"},
    note=r"BlockRR itself releases every label of $\tilde{S} = S$, and is not the optimal solution there. (4.1) as an objective discards labels as RRWithPrior does.",
)
def every_label_released(claimed: Any) -> Parts:
    for case in INSTANCES:
        if all(claimed(p, max(case.prior), case.t, len(case.prior), case.decay) for p in case.prior):
            empty = [j for j, excess in enumerate(case.solution.dual_excess) if excess < 0]
            optimum = f"probability 0 in every optimum, {case.solution.value}, such as {case.rows}"
            yield Instance(f"{case}: number of labels of {optimum}", len(empty), "==", 0)


@PAPER.claim(
    "Section 4 (discarding minority labels) [repaired]",
    r"for $l=0$ the only optimum of (4.1) is to release the most probable label always iff $p_j(e^\epsilon+(K-1)d)<p_\max(1+(e^\epsilon+K-2)d)$ for every other label $j$: so at small $\epsilon$ whenever $p_\max$ is unique, and for a label of $\mathcal{S}_2$ at every $\epsilon$",
    hypotheses=r"$K$ labels, any prior, $p_\max =$ the prior of the most probable label. Replayed on positive priors with denominator 6 on $K = 2$, 3 labels, $d \in \{1/2, 1/4, 3/4\}$, $t \in \{5/4, 2, 5\}$",
    given=[T > 1, K >= 2, D >= 0, D < 1, TOP > 0, TOP <= 1, RARER >= 0, RARER <= TOP],
    replay="exact optima with exact duals",
    formula=lambda own, top, t, size, d: own * (t + (size - 1) * d) < top * (1 + (t + size - 2) * d),
    note=r"A constant answer is all that is left of the data then. The duals are $p_\max$ for the most probable label and $d p_\max$ for the others, and no other duals fit; the constraint of label $j$ is strict iff the condition holds.",
    repairs="Section 4 (discarding minority labels)",
)
def one_label_only(condition: Any) -> Parts:
    """The constant channel has floor 1 and no raised entry in its column, and zero floors elsewhere.

    Complementary slackness in its column: w_y - pi_y <= 0 and the sum is zero, so pi_y = w_y. If the other columns' constraints
    are strict, every optimum is zero there. If one is not satisfied the constant is not optimal; if one is an equality, then
    moving the floor of that column up a little, with entries at t m where w_yj > pi_y, keeps the value: another optimum.
    """
    for case in INSTANCES:
        size, solution = len(case.prior), case.solution
        *others, top = sorted(case.prior)
        constant = sum(not any(column) for column in solution.channel.matrix.T) == size - 1
        unique = constant and sum(excess < 0 for excess in solution.dual_excess) == size - 1
        as_claimed = unique == all(condition(p, top, case.t, size, case.decay) for p in others)
        yield as_claimed or f"{case}: one label is the only optimum: {unique}"
    # w - pi in the column of j: of the row of the largest prior, of row j, and of each of the K - 2 other rows
    of_top, own, of_others = D * RARER - TOP, RARER - D * TOP, D * (RARER - TOP)
    yield "rows other than j", tm.And(of_others <= 0, of_top <= 0)
    excess, below = (of_top + weight * own + (K - 2) * of_others for weight in (T, 1))
    strict = tm.And(tm.Implies(own >= 0, excess < 0), tm.Implies(own < 0, below < 0))
    yield from iff(condition(RARER, TOP, T, K, D), strict, "strict").items()
    yield "sum of the duals = value of the constant", (TOP + (K - 1) * D * TOP, TOP * (1 + (K - 1) * D))


#: Labels of probability 0 in every optimum of (4.1), in the order of Tables 8 and 9.
DISCARDED: Mapping[str, tuple[str, ...]] = {
    "CIFAR-10_1": ("68", "6789", "6789", "6789", "6789", "68", "", ""),
    "CIFAR-10_2": ("46789", "679", "6789", "679", "6789", "6789", "", ""),
}


@PAPER.claim(
    "eq. (4.1) (labels that its optimum discards, Tables 8 and 9)",
    r"labels shown to have probability 0 in every optimum of (4.1), by a strict dual constraint: $\text{CIFAR-10}_1$ 6 and 8 at $\epsilon=0.6$ and 4, 6 to 9 at 0.8 to 3; $\text{CIFAR-10}_2$ 4 and 6 to 9 at 0.6, 6, 7 and 9 at 0.8 and 2, 6 to 9 at 1, 3 and 4; none at 6 and 8",
    hypotheses=r"class counts of 5.1.1 as the prior; $e^\epsilon$ and $e^{-1/\sigma}$ rounded down to a multiple of $10^{-4}$ and $10^{-6}$; $l = 0$ where the tables have none",
    family="settings of Tables 8 and 9, exact optima with exact duals",
    kind="ours",
    formula=DISCARDED,
    note="In 12 of the 16 settings. BlockRR releases all ten labels there; it is 1 to 33 percent below the optimum.",
)
def discarded(claimed: Mapping[str, tuple[str, ...]]) -> Parts:
    for dataset, budget, sigma, l, labels in by_setting(claimed):
        prior, majority = prior_from_counts(COUNTS[dataset]), majority_of(COUNTS[dataset], sigma)
        t = Fraction(exp_bounds(budget)[0] * 10**4 // 1, 10**4)
        d = Fraction(10**6 / exp_bounds(1 / sigma)[1] // 1, 10**6)
        solution = block_rr_program_from_decay(prior, majority, d, PrivacyLevel.from_ratio(t), l or 0).solve("exact")
        strict = tuple(str(j) for j, excess in enumerate(solution.dual_excess) if excess < 0)
        where = f"{dataset}, epsilon = {float(budget):g}: labels of probability 0 in every optimum"
        yield Instance(where, strict or "none", "==", tuple(labels) or "none")

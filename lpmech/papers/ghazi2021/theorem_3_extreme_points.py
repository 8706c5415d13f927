"""Section 3.2: the optimality of RRWithPrior, every step of its proof on its own."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.claims.checking import check_relations, iff, sharp
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import hit_rate, hit_rates, rr_with_prior
from lpmech.mechanisms.rr_with_prior.derivation import extreme_point, extreme_point_value, symbols
from lpmech.mechanisms.rr_with_prior.program import lp1, row_dual
from lpmech.papers import beside
from lpmech.papers.checks import equals, sampled
from lpmech.papers.ghazi2021.duals import FOLLOWING, W, duals_prove, is_maximum
from lpmech.papers.ghazi2021.paper import ALL, ANY_K, FAMILY, IN_PAPER, LARGER, MASS, PAPER, PRIORS, WITH_MASS, K, T
from lpmech.prove import steps
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm
from lpmech.terms import names_in
from lpmech.utilities import hit
from lpmech.verdicts import Outcome

IMPLIES_4 = "Theorem 3 ((2) and (3) imply (4))"
OWN, OTHERS, ROW, DIAGONAL, ENTRY, LABEL, VALUE, TOTAL, OTHER = tm.symbols("own others row q_jj q_jy p_y q_yy S q2")
ONE, TWO, LARGEST, PARTIAL, PRIOR, HIT, INSIDE, OUTSIDE, EDGE = tm.symbols("q_y q_z M A p q p_y p_z c")
SIZE, COUNT = tm.symbols("K k")


@PAPER.claim(
    "Theorem 3 (objective)",
    r"$\mathrm{Obj}_p(R)=\sum_{y\in[k]}p_y q_{y\mid y}$, as printed three times",
    hypotheses=r"$R =$ RR and RRWithPrior on $K$ labels; priors with denominator 6, $K \le 4$ (2 to 4 where $k = K - 1$), $t \in \{11/10, 2, 3, 9/2, 20\}$",
    consequence="slip",
    readings={"the sum runs over $[K]$": "certified", "$k < K$ fixed, here $k = K - 1$": "refuted"},
    formula=lambda prior, diagonal, upto: sum(p * q for p, q in zip(prior[:upto], diagonal[:upto], strict=True)),
    mutants={"p_y dropped": lambda prior, diagonal, upto: sum(diagonal[:upto])},
    note=r"$k$ is not defined where the sum is printed; $[K]$ is meant, as the definition of $\mathrm{Obj}_p$ shows.",
)
def objective(expression: Any) -> tuple[Outcome, ...]:
    def values(name: str, less: int) -> Parts:
        for prior, level, where in (case for case in FAMILY if len(case[0]) > less):
            channels = {"RR": randomized_response(len(prior), level), "RRWithPrior": rr_with_prior(prior, level)}
            for mechanism, channel in channels.items():
                value = channel.expected_utility(hit(len(prior)), prior)
                claimed = expression(prior, channel.matrix.diagonal().tolist(), len(prior) - less)
                yield Instance(f"{where}, {mechanism}: sum over {name}, hit rate", claimed, "==", value)

    readings = ("all labels", 0), ("the labels 1 to K - 1", 1)
    return tuple(sampled(values(*r), f"RR and RRWithPrior on all such priors, the sum over {r[0]}") for r in readings)


@PAPER.claim(
    IMPLIES_4,
    r"$q_{y\mid y}+e^{-\epsilon}\sum_{\tilde{y}\ne y}q_{\tilde{y}\mid\tilde{y}}\le 1$ for every $y$",
    hypotheses=r"every private channel, any $K$, by induction over the outputs: own $= q_{y\mid y}$, others the sum of $q_{\tilde{y}\mid\tilde{y}}$ and row that of $q_{\tilde{y}\mid y}$ over the outputs so far; $q_{jj} = q_{j\mid j}$ and $q_{jy} = q_{j\mid y}$ for one more output $j$",
    formula=lambda t: 1 / t,
    note="Induction: after any set of outputs, the left side is at most the part of row $y$ that they cover; one more output "
    r"$j$ adds $c q_{jj} \le q_{jy}$ by (2). With all outputs covered, (3) makes the right side 1. RR attains it for every $K$.",
)
def implies_4(coefficient: Any) -> Parts:
    c = coefficient(T)
    yield [T > 1, OWN >= 0, tm.Eq(ROW, OWN)], {"the own output alone": OWN + c * 0 <= ROW}
    covered = [OWN >= 0, OTHERS >= 0, OWN + c * OTHERS <= ROW, DIAGONAL >= 0, DIAGONAL <= T * ENTRY]
    yield [T > 1, *covered], {"induction over K, one more output": OWN + c * (OTHERS + DIAGONAL) <= ROW + ENTRY}
    kept = T / (T + ALL - 1)
    yield [T > 1, ALL >= 2], {"attained by RR": (kept + c * (ALL - 1) * kept, 1)}


@PAPER.claim(
    "Theorem 3 (LP2 relaxes LP1)",
    r"the optimum of LP1 is at most the optimum of LP2: the diagonal of a private channel is feasible for LP2, with the same objective",
    hypotheses=r"every $K$ and prior; (4) has the coefficient $1/t = e^{-\epsilon}$, LP2's objective the term $p_y q_y$ for each label; (4) by 'Theorem 3 ((2) and (3) imply (4))', with own, others and row as there",
    given=[LABEL >= 0, VALUE >= 0],
    replay=f"exact optima of LP1, {PRIORS}",
    formula=(lambda t: 1 / t, lambda p, q: p * q),
    uses=[IMPLIES_4],
)
def relaxation(second_program: Any) -> Parts:
    coefficient, objective = second_program
    for prior, level, where in FAMILY:
        solution = lp1(prior, level).solve("exact")
        diagonal = solution.channel.matrix.diagonal().tolist()
        kept = all(q + coefficient(level.ratio) * (sum(diagonal) - q) <= 1 for q in diagonal)
        yield kept or f"{where}: the optimal diagonal {list(map(str, diagonal))} violates (4)"
        value = sum(objective(p, q) for p, q in zip(prior, diagonal, strict=True))
        yield Instance(f"{where}: optimum of LP1, LP2's objective there", solution.value, "==", value)
    yield PAPER.claims[IMPLIES_4].outcome_of(coefficient)
    yield "objective of the diagonal, label by label", (objective(LABEL, VALUE), LABEL * VALUE)


def _tight(q: Any, right: int = 1) -> Any:
    """(4) with equality, S the sum over all labels."""
    return tm.Eq((1 - 1 / T) * q + TOTAL / T, right)


@PAPER.claim(
    "Theorem 3 (extreme points)",
    r"at an extreme point of LP2 no $y$ has both (4) and (5) tight, so it is zero or, for some $Y\ne\emptyset$, (4) is tight on $Y$ and (5) outside",
    hypotheses=r"any $K$: $S = \sum_y q_y$, (4) for $y$ reads $(1 - 1/t) q_y + S/t \le 1$; $q_2$ another label's $q$",
    given=[T > 1, TOTAL >= 0, OTHER >= 0],
    formula=lambda q, total, t: (1 - 1 / t) * q + total / t,
    note="If $q_y = 0$ and (4) is tight for $y$ then $S = t$, and (4) forces every other $q$ to be zero: $S = 0$, a contradiction. $K$ "
    "tight constraints therefore split the labels into $Y$ and its complement.",
)
def extreme_points(left: Any) -> Parts:
    both_tight = tm.And(tm.Eq(left(tm.Rational(0), TOTAL, T), 1), left(OTHER, TOTAL, T) <= 1)
    yield "S = t, every other q is zero", tm.Implies(both_tight, tm.And(tm.Eq(TOTAL, T), tm.Eq(OTHER, 0)))
    yield "q_y + e^-epsilon sum of the others", (left(OTHER, TOTAL, T), OTHER + (TOTAL - OTHER) / T)


def _solutions(size: int, chosen: tuple[int, ...], ratio: Any) -> str:
    points = [f"({', '.join(map(str, point))})" for point in _points(size, chosen, ratio)]
    return "; ".join(points) or "none"


def _points(size: int, chosen: tuple[int, ...], ratio: Any) -> set[tuple[Any, ...]]:
    return {tuple(map(term_of, point)) for point in extreme_point(size, chosen, ratio)}


def _all_sets(*sizes: int) -> list[tuple[int, tuple[int, ...]]]:
    return [(n, chosen) for n in sizes for count in range(n + 1) for chosen in combinations(range(n), count)]


@PAPER.claim(
    "Theorem 3 (extreme points, solved)",
    r"for every $Y\subseteq[K]$ the system of (4) tight on $Y$ and (5) tight outside has exactly one solution, the listed one",
    hypotheses=r"every $K$ and $Y$; listed are $q_y = t/(t + k - 1)$ on $Y$, $k = |Y| \ge 0$, and 0 outside; $q_y$, $q_z$ two labels of $Y$, $S = k q_y$",
    given=[tm.Whole(COUNT), T > 1, COUNT >= 0],
    replay="the linear systems for K <= 4, all Y, t a symbol",
    formula=(lambda t, k: t / (t + k - 1), 0),
    note="Two tight constraints differ by $(1 - 1/t)(q_y - q_{y'})$, so $q$ is constant on $Y$ and $S = k q$; what is left is one equation. "
    r"The values are positive: different $Y$ have different solutions. The paper: 'this results in' $q = e^\epsilon/(e^\epsilon + |Y| - 1)$ on $Y$.",
)
def extreme_points_solved(listed: Any) -> Parts:
    value, least = listed
    t = symbols[0]
    yield least >= 0 or f"no set has {least} labels"
    for size, chosen in _all_sets(1, 2, 3, 4):
        stated = tuple(steps.factor(value(T, len(chosen))) if y in chosen else tm.Rational(0) for y in range(size))
        same = len(chosen) >= least and _points(size, chosen, t) == {stated}
        shown = f"K = {size}, Y = {set(chosen) or '{}'}: solution"
        yield same or f"{shown} {_solutions(size, chosen, t)} is not in the list"
    yield [T > 1, _tight(ONE), _tight(TWO)], {"q is constant on Y": tm.Eq(ONE, TWO)}
    yield ANY_K, {"solved from (4)": (term_of(extreme_point_value()).at(IN_PAPER), value(T, K))}
    on_y, system = value(T, COUNT), _tight(ONE).at({TOTAL: COUNT * ONE})
    yield "the only solution", tm.Implies(tm.And(COUNT >= 1, system), tm.Eq(ONE, on_y))
    yield "a solution", tm.Implies(tm.And(COUNT >= 1, tm.Eq(ONE, on_y)), system)
    yield "positive", tm.Implies(COUNT >= 1, on_y > 0)
    yield "every |Y| is listed", COUNT >= least


@PAPER.claim(
    "Theorem 3 (value at the extreme points, epsilon = 0)",
    r"at $\epsilon=0$, which section 2 and Def. 2.1 admit, (4) with equality on $Y$ and (5) outside 'results in' $q_{y\mid y}=1/|Y|$",
    hypotheses="$t = 1$. Is $Y$ any set, or are the $K$ tight constraints the independent ones that the sentence before speaks of?",
    consequence="proof",
    readings={"$K$ independent tight constraints": "proved", "every non-empty $Y$": "refuted"},
    every={"t": (1,)},
    formula=lambda t, k: t / (t + k - 1),
    mutants={"1 on Y": lambda t, k: t / t},
    note=r"At $t = 1$ all constraints (4) coincide: two of them are not independent, and for $|Y| \ge 2$ the system has a whole face of "
    r"solutions. Theorem 3 itself holds at $\epsilon = 0$: see 'Theorem 3 (epsilon = 0)'.",
)
def extreme_value_zero(value: Any) -> tuple[Outcome, ...]:
    def systems() -> Parts:
        for size, chosen in _all_sets(1, 2, 3):
            if chosen:
                on_y, solutions = value(tm.Rational(1), len(chosen)), _points(size, chosen, 1)
                stated = tuple(on_y if y in chosen else tm.Rational(0) for y in range(size))
                one = tuple(
                    steps.simplify(v.at(dict.fromkeys(map(tm.symbol, names_in(v)), 0))) for v in next(iter(solutions))
                )
                labels = ", ".join(str(y + 1) for y in chosen)
                shown = f"q = {one} solves the system, too, not only {stated}"
                yield solutions == {stated} or f"K = {size}, t = 1, Y = {{{labels}}}: {shown}"

    coefficient = 1 - 1 / T  # (4) on Y: coefficient q_y + S/t = 1
    independent = check_relations(
        {"the listed point solves the system": tm.Eq(coefficient * value(T, K) + K * value(T, K) / T, 1)},
        [T >= 1, K >= 1, tm.Or(tm.Eq(K, 1), tm.Ne(coefficient, 0))],
        "K independent equations have one solution; at t = 1 two constraints (4) are never independent, so |Y| = 1",
    )
    return (independent, sampled(systems(), "t = 1, K <= 3, all Y"))


@PAPER.claim(
    "Theorem 3 (epsilon = 0)",
    r"Theorem 3 holds at $\epsilon=0$: (4) reads $\sum_y q_{y\mid y}\le 1$, so $\mathrm{Obj}_p(R)\le\max p=w_1=\max_k w_k$",
    hypotheses=r"$t = 1$, any $K$ by induction over the labels; $M = \max p$, $A =$ sum of $p_y q_y$ and $S =$ sum of $q_y$ so far, $p$ and $q$ those of one more label",
    given=[
        *(K >= 1, LARGEST > 0, LARGEST <= 1, PARTIAL >= 0, PRIOR >= 0, HIT >= 0, HIT <= 1),
        *(PRIOR <= LARGEST, PARTIAL <= LARGEST * TOTAL, K * LARGEST >= MASS, MASS <= 1),
    ],
    every={"t": (1,)},
    formula=hit_rate,
)
def theorem_3_zero(rate: Any) -> Parts:
    yield "one more label", PARTIAL + PRIOR * HIT <= LARGEST * (TOTAL + HIT)
    yield "S <= 1 => A <= M", tm.Implies(TOTAL <= 1, PARTIAL <= LARGEST)
    yield "w_k <= M", rate(1, K, MASS) <= LARGEST
    yield "w_k", (rate(1, K, MASS), MASS / K)
    yield "w_1 = M", (rate(1, 1, LARGEST), LARGEST)


@PAPER.claim(
    "Theorem 3 (the points are feasible)",
    r"every listed point satisfies (4) for $y\notin Y$ as well",
    hypotheses=r"$|Y| = k \ge 1$; $d$ and $S$ as in 'Theorem 3 (the points are extreme)'",
    given=ANY_K,
    formula=lambda t, k: t / (t + k - 1),
)
@PAPER.claim(
    "Theorem 3 (the points are extreme)",
    "each of the $2^K$ listed points is an extreme point of LP2",
    hypotheses="every $K$ and $Y$: $K$ constraints are tight, (4) on $Y$ and (5) outside, and only $d = 0$ keeps all of them tight, $d_y$ and $d_z$ its values on $Y$, $S$ its sum",
    given=ANY_K,
    formula=lambda t, k: t / (t + k - 1),
    note="For $t > 1$ only: see 'Theorem 3 (value at the extreme points, epsilon = 0)'.",
)
def listed_points(value: Any) -> Parts:
    on_y, (one, other) = value(T, K), tm.symbols("d_y d_z")
    kept_tight = tm.And(_tight(one, 0), _tight(other, 0))
    yield "(4) outside Y", K * on_y / T <= 1
    yield "(4) is tight on Y", ((1 - 1 / T) * on_y + K * on_y / T, 1)
    yield "(5)", on_y >= 0
    yield "d is constant on Y", tm.Implies(kept_tight, tm.Eq(one, other))
    yield "and zero", tm.Implies(tm.And(kept_tight, tm.Eq(TOTAL, K * one)), tm.Eq(one, 0))


PAPER.claim(
    "Theorem 3 (objective at the extreme points)",
    r"the objective there is $\frac{e^\epsilon}{e^\epsilon+|Y|-1}\sum_{y\in Y}p_y$",
    hypotheses=r"any $Y$ with mass $P \in [0, 1]$ and $k \ge 1$ labels",
    given=WITH_MASS,
    formula=hit_rate,
)(
    equals(
        (T, K, MASS), **{"objective at the value solved from (4)": term_of(extreme_point_value()).at(IN_PAPER) * MASS}
    )
)


@PAPER.claim(
    "Theorem 3 (max over Y is max over k)",
    r"$\max_Y\frac{e^\epsilon}{e^\epsilon+|Y|-1}\sum_{y\in Y}p_y=\max_k w_k$: among sets of one size the $k$ most probable labels are best",
    hypotheses=r"every prior and $K$; a label $y$ of $Y$ is exchanged for one outside, $z$, where $p_y < p_z$; the sizes $k \le K$ count. $P$ the mass of the other labels of $Y$",
    given=[
        *(tm.Whole(SIZE, COUNT), T > 1, COUNT >= 1, SIZE >= 1),
        *(MASS >= 0, INSIDE >= 0, OUTSIDE >= 0, MASS + INSIDE + OUTSIDE <= 1),
    ],
    formula=(lambda inside, outside: inside < outside, lambda k, size: k <= size),
    note="$|Y|$ and with it the factor stay the same, so an exchange raises the objective iff it raises the mass. Exchanges end at $Y_k$. Without "
    r"exchanges: a label contributes at most $z c + \max(p - c, 0)$, $c = p$ of the $k$-th label, $z = 1$ in $Y$ and 0 outside; the sum does not depend on $Y$, and $Y_k$ attains it.",
)
def max_over_sets(rule: Any) -> Parts:
    exchange, counts = rule
    before, after = hit_rate(T, COUNT, MASS + INSIDE), hit_rate(T, COUNT, MASS + OUTSIDE)
    made = exchange(INSIDE, OUTSIDE)
    yield "an exchange raises the objective", tm.Implies(made, after > before)
    yield "no exchange left: y at least as probable as z", tm.Or(made, INSIDE >= OUTSIDE)
    yield from iff(counts(COUNT, SIZE), COUNT <= SIZE, "a size of Y", "counts").items()
    z, p, bound = tm.symbol("z"), INSIDE, tm.symbol("z") * EDGE + tm.Max(INSIDE - EDGE, 0)
    in_top_k = tm.Or(tm.And(tm.Eq(z, 1), p >= EDGE), tm.And(tm.Eq(z, 0), p <= EDGE))
    yield [tm.Or(tm.Eq(z, 0), tm.Eq(z, 1)), p >= 0, EDGE >= 0], sharp(z * p, bound, in_top_k)


@PAPER.claim(
    "Theorem 3 (LP1 = LP2 = max w_k)",
    r"the optimum of LP1 is $\max_k w_k=\mathrm{Obj}_p(\mathrm{RRWithPrior})$",
    hypotheses="every $K$ and prior: Alg. 1 is private (Lemma 1) and attains $w_k$, the duals of 'Theorem 3' bound LP1 by the largest; "
    r"in the relations $W = \max(w_1, \dots, w_k)$ and $w = w_{k+1}$",
    given=[W > 0, FOLLOWING > 0],
    replay="exact optima with exact duals: priors with denominator 6 on K <= 4 and 8 on K = 5, 6 labels, t in {11/10, 2, 3, 9/2, 20}, zero entries and ties included",
    compare=beside.rr_with_prior,
    formula=tm.Max,
    uses=["Theorem 3", "Section 3.1 (w_k)"],
)
def optimum(combined: Any) -> Parts:
    for prior, level, where in [*FAMILY, *LARGER]:
        value = lp1(prior, level).solve("exact").value
        claimed = steps.value(reduce(combined, map(tm.Rational, hit_rates(prior, level))), {})
        own = rr_with_prior(prior, level).expected_utility(hit(len(prior)), prior)
        yield Instance(f"{where}: optimum of LP1, hit rate of RRWithPrior", (value, own), "==", (claimed, claimed))
    yield from is_maximum(combined)
    yield WITH_MASS, {"Alg. 1 attains w_k": (T / (T + K - 1) * MASS, hit_rate(T, K, MASS))}
    yield from duals_prove(row_dual)

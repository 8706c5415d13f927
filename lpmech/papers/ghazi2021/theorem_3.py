"""Theorem 3 for every K by duals, all optimal channels, uniqueness, labels of prior zero, approximate DP (Section 7).

Last, as a statement about vectors: sums over labels, the order of the prior, channels of any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Any

import numpy as np

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts
from lpmech.claims.checking import both, check_facts, check_relations
from lpmech.errors import UndecidedError
from lpmech.mechanisms.privacy_indicator import approximate_delta_of, indicator_channel
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, hit_rates, rr_top_k, rr_with_prior
from lpmech.mechanisms.rr_with_prior.derivation import row_dual_from_tight_columns, symbols
from lpmech.mechanisms.rr_with_prior.program import lp1, row_dual, solution_in_closed_form
from lpmech.papers.checks import equals
from lpmech.papers.ghazi2021.duals import BELOW_W, FOLLOWING, P_Y, SUM, W, duals_prove, duals_sum_to_the_value
from lpmech.papers.ghazi2021.paper import ANY_K, FAMILY, IN_PAPER, MASS, PAPER, WITH_MASS, K, T, at_levels, priors
from lpmech.programs.general import Program
from lpmech.programs.optimality import dual_excess
from lpmech.prove import steps
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm
from lpmech.terms.vectors import Vector
from lpmech.utilities import hit
from lpmech.verdicts import Outcome

#: What is derived for a row, where P is W.
OF_A_ROW = {**IN_PAPER, symbols[2]: W, symbols[3]: P_Y}
FLOOR_1, FLOOR_2 = tm.symbols("m1 m2")
COUNT, KEPT, SIZE = tm.symbols("c k K")
DELTA, HIT, ABOVE, EVERY, DUAL, P, Q = tm.symbols("delta x z Z u P Q")


@PAPER.claim(
    "Theorem 3",
    r"for every prior, every $K$ and every $\epsilon>0$, $\mathrm{Obj}_p(R)\le\max_k w_k$ for every $\epsilon$-DP $R$",
    hypotheses=r"$W = \max w_k$. Duals $\pi_y = \max(0, (t p_y - W)/(t - 1))$ of the program over channels; any $K$ by scalar lemmas",
    replay="constraints of the program over channels, written out: priors with denominator 6 on K <= 4 labels",
    headline=6,
    formula=row_dual,
    note="(a) $w_{k+1}$ is the mediant of $w_k$ and $t p_{k+1}$, so at the smallest $k^*$ exactly the $k^*$ kept labels have $t p_y > W$. "
    r"(b) Hence $\sum_y \pi_y = (t P_{k^*} - k^* W)/(t - 1) = W$. (c) For output $j$ the dual constraint reads $t (p_j - \pi_j) - \sum_{y \ne j} \pi_y \le 0$, "
    r"because $p_j \ge \pi_j$; with $\sum \pi = W$ it is $t p_j - (t - 1) \pi_j \le W$. So the duals prove $W$.",
)
def theorem_3(dual: Any) -> Parts:
    for prior, level, where in FAMILY:
        best = max(hit_rates(prior, level))
        pi = [max(Fraction(0), dual(level.ratio, p, best)) for p in prior]
        excess = max(dual_excess(lp1(prior, level).weights, level.ratio, np.array(pi, dtype=object), {}))
        total = Instance(f"{where}, duals ({', '.join(map(str, pi))}): their sum, W", sum(pi), "==", best)
        yield total if excess <= 0 else Instance(f"{where}: largest excess of a dual constraint", excess, "<=", 0)
    yield from duals_prove(dual)


PAPER.claim(
    "Theorem 3 (dual derived)",
    r"$\pi_y=(e^\epsilon p_y-W)/(e^\epsilon-1)$ on $Y_{k^*}$ is what complementary slackness leaves: tight columns, $\sum\pi=W$",
    hypotheses=r"$0 < p_y \le W$; output $y$ is released with positive probability, so its dual constraint is tight",
    given=[T > 1, P_Y > 0, W >= P_Y, W <= 1],
    kind="ours",
    formula=row_dual,
)(equals((T, P_Y, W), **{"pi_y, solved from tight columns": term_of(row_dual_from_tight_columns()).at(OF_A_ROW)}))


@PAPER.claim(
    "Theorem 3 (LP2 = max w_k)",
    r"the optimum of LP2 is $\max_k w_k$, for every $K$: the duals of LP1 are duals of LP2",
    hypotheses=r"LP2's dual: $u \ge 0$, $(1 - 1/t) u_y + \sum(u)/t \ge p_y$, value $\sum(u) = W$ by step (b) of Theorem 3",
    given=BELOW_W,
    formula=row_dual,
    note="Independent of the description of the extreme points, so it does not need the paper's case distinction.",
)
def lp2_optimum(dual: Any) -> Parts:
    yield duals_sum_to_the_value(dual)
    yield "every constraint of LP2's dual", (1 - 1 / T) * tm.Max(0, dual(T, P_Y, W)) + W / T >= P_Y


@PAPER.claim(
    "Theorem 3 (an optimal solution is a vertex)",
    r"'An optimal solution to LP2 must be a vertex' of the polytope defined by (4) and (5)",
    hypotheses="$t > 1$; the vertex of a set $Y$ of $k$ labels has $q_y = t/(t + k - 1)$ on $Y$, 0 outside. Some optimal solution, or every one?",
    consequence="proof",
    readings={"some optimal solution is": "proved", "every optimal solution is": "refuted"},
    formula=lambda t, k: t / (t + k - 1),
    mutants={"1/|Y|": lambda t, k: 1 / (0 * t + k)},
    note="That some optimal solution is a vertex is what the proof needs. Where two $w_k$ tie, a whole edge of LP2 is optimal.",
)
def optimal_vertex(value: Any) -> tuple[Outcome, ...]:
    parts = [
        PAPER.claims["Theorem 3 (the points are feasible)"].outcome_of(value),
        check_relations({"that of Y_(k^*) attains W": (value(T, K) * MASS, hit_rate(T, K, MASS))}, WITH_MASS),
        PAPER.claims["Theorem 3 (LP2 = max w_k)"].run(),
    ]
    # the midpoint of the vertices of {1} and {1, 2} is optimal if both are; it is in the middle of an edge
    ((prior, level, where),) = at_levels([(Fraction(2, 3), Fraction(1, 3))], [Fraction(2)])
    t, (one, two) = level.ratio, (value(level.ratio, k) for k in (1, 2))
    x, y = (one + two) / 2, two / 2
    best = prior[0] * x + prior[1] * y
    shown = f"{where}: q = ({x}, {y}) has the optimal value {best}, and one tight constraint out of the two of a vertex"
    in_the_middle = x + y / t == 1 and best == max(hit_rates(prior, level))
    tie = [(not in_the_middle, shown), (two * (1 + 1 / t) == 1, f"t = {t}: q = ({two}, {two}) is no vertex")]
    return (reduce(both, parts), check_facts(tie, "a tie of w_1 and w_2", "exact rational arithmetic"))


@PAPER.claim(
    "Theorem 3 (large K)",
    r"for the prior $p_y\propto 1/y$ (Zipf) RRWithPrior attains the optimum, with $K = 10$, 20, 50 labels",
    kind="ours",
    hypotheses="every $t > 1$, as for any prior: the duals of 'Theorem 3'",
    replay="every w_k and the program with closed-form duals, t in {2, 9/2, 20}",
    formula=lambda size, k: sum(_zipf(size)[:k]),
    note=r"In $w_k = t P_k/(t + k - 1)$ the mass is $P_k = (1 + 1/2 + \dots + 1/k)/(1 + 1/2 + \dots + 1/K)$. With $W = w_k$, $t p_y \ge W$ reads $t \ge P_k/p_y - k + 1$.",
)
def large_alphabets(mass: Any) -> Parts:
    for size, t in product((10, 20, 50), map(Fraction, ("2", "9/2", "20"))):
        level = PrivacyLevel.from_ratio(t)
        rates, best = hit_rates(_zipf(size), level).tolist(), solution_in_closed_form(_zipf(size), level).bound
        claimed = [hit_rate(t, k, mass(size, k)) for k in range(1, size + 1)]
        each_k = Instance(f"K = {size}, t = {t}: all w_k", rates, "==", claimed)
        largest = Instance(f"K = {size}, t = {t}: max w_k, bound by the duals", max(claimed), "==", best)
        yield largest if each_k.holds else each_k
    yield from duals_prove(row_dual)


def _zipf(size: int) -> list[Fraction]:
    total = sum(Fraction(1, y) for y in range(1, size + 1))
    return [Fraction(1, y) / total for y in range(1, size + 1)]


@PAPER.claim(
    "Theorem 3 (all optimal channels)",
    "if $k^*$ is the only maximiser of $w_k$, an optimal channel releases labels of $Y_{k^*}$ only, its rows on $Y_{k^*}$ are those of "
    r"RR, and a row of $y\notin Y_{k^*}$ is free between $1/(e^\epsilon+k^*-1)$ and $e^\epsilon/(e^\epsilon+k^*-1)$",
    hypotheses="any $K$; complementary slackness with the duals of Theorem 3, $m =$ smallest entry of a column ($m_1$, $m_2$ of two kept ones), $C$ the sum of $m$ over the kept labels",
    given=BELOW_W,
    kind="ours",
    formula=row_dual,
    note=r"Not in the paper. Slack of an entry is $w[y, j] - \pi_y$: positive puts it at $t m$, negative at $m$, zero leaves it free. "
    "A column whose dual constraint is not tight is zero. So the optimum is unique iff the maximiser is and $k^*$ is 1 or $K$: "
    "for $1 < k^* < K$ the row of an unkept label may also be that of a kept one, and two maximisers give two channels.",
)
def all_optimal_channels(dual: Any) -> Parts:
    pi, kept = tm.Max(0, dual(T, P_Y, W)), T * P_Y > W
    yield duals_sum_to_the_value(dual)
    yield "kept: pi > 0, so off-diagonal entries are at m", tm.Implies(kept, pi > 0)
    yield "kept, k* >= 2 (W > p): the diagonal is at t m", tm.Implies(tm.And(kept, W > P_Y), P_Y - pi > 0)
    unkept = tm.Implies(T * P_Y < W, T * P_Y - (T - 1) * pi < W)
    yield "not kept, t p < W: the column's constraint is not tight", unkept
    yield "not kept: pi = 0, so the row is free", tm.Implies(T * P_Y <= W, tm.Eq(pi, 0))
    rows = {
        "kept rows sum to one: equal floors": tm.Eq(FLOOR_1, FLOOR_2),
        "which are those of RR": tm.Implies(tm.Eq(SUM, K * FLOOR_1), tm.Eq(FLOOR_1, 1 / (T + K - 1))),
        "a kept row is not the uniform one": tm.Implies(K >= 2, T / (T + K - 1) > 1 / K),
    }
    yield [*ANY_K, *(tm.Eq(SUM + (T - 1) * m, 1) for m in (FLOOR_1, FLOOR_2))], rows


def _has_one_optimum(prior: Sequence[Fraction], maximisers: list[int], level: PrivacyLevel) -> bool:
    """Decide uniqueness with a proof either way: a second optimal channel, or equal slopes everywhere.

    The second channel is RRTop-k of another maximiser, or has unkept labels that answer as a kept one. For optimal q the
    optimum at weights w + h e is at least V + h q[y, j], for both signs of h: with equal slopes all optimal q agree there.
    """
    program, (first, *others) = lp1(prior, level), [rr_top_k(prior, k, level) for k in maximisers]
    value, rows, kept = program.solve("exact").value, first.matrix.tolist(), maximisers[0]
    others.append(Channel([*rows[:kept], *[rows[0]] * (len(prior) - kept)]))
    if any(q != first and q.satisfies(level) and program.value(q) == value for q in others):
        return False
    for entry in np.ndindex(program.weights.shape):
        shift = np.zeros(program.weights.shape, dtype=object)
        shift[entry] = Fraction(1, 10**9)
        up, down = (Program(program.weights + sign * shift, level).solve("exact").value for sign in (1, -1))
        if up - value != value - down:
            raise UndecidedError(f"uniqueness not decided for {prior}, {level}")
    return True


@PAPER.claim(
    "Theorem 3 (uniqueness)",
    r"the optimal $\epsilon$-DP channel for the hit rate is unique iff $k^*$ is the only maximiser of $w_k$ and $k^*\in\{1,K\}$",
    hypotheses="every prior; $c$ is the number of maximisers of $w_k$, $k$ the smallest: unique iff $c = 1$ and ($k = 1$ or $k = K$); by 'Theorem 3 (all optimal channels)'",
    given=[tm.Whole(COUNT, KEPT, SIZE), T > 1, COUNT >= 1, KEPT >= 1, KEPT <= SIZE],
    replay="priors with denominator 6 on K <= 3 labels, zero entries included: a second optimal channel, or equal slopes of the exact optimum in every weight",
    formula=lambda count, k, size: tm.And(tm.Eq(count, 1), tm.Or(tm.Eq(k, 1), tm.Eq(k, size))),
    kind="ours",
    survivors={"tm.Eq(k, size) -> tm.Ge(k, size)": "the same for k <= K"},
    uses=["Theorem 3 (all optimal channels)"],
    note="Not claimed by the paper. Two maximisers $k < k'$ give RRTop-$k$ and RRTop-$k'$, which release $k$ and $k'$ labels. For one maximiser the "
    "rows of $Y_k$ are fixed, and every entry of a row outside lies between $m$ and $t m$, $m = 1/(t + k - 1)$: where $1 < k < K$ the row may "
    "be uniform on $Y_k$, or equal to that of a kept label. For $k = 1$ a single label is released; for $k = K$ there is no row outside.",
)
def uniqueness(is_unique: Any) -> Parts:
    for prior, level, where in at_levels(priors((1, 2, 3), 6)):
        rates = hit_rates(prior, level).tolist()
        maximisers = [k + 1 for k, w in enumerate(rates) if w == max(rates)]
        found = _has_one_optimum(prior, maximisers, level)
        same = found == steps.holds(is_unique(len(maximisers), maximisers[0], len(prior)))
        yield same or f"{where}: maximisers k = {maximisers}, unique: {found}"
    uniform, kept, floor = 1 / KEPT, T / (T + KEPT - 1), 1 / (T + KEPT - 1)
    claimed = is_unique(COUNT, KEPT, SIZE)
    yield "two maximisers: two channels", tm.Implies(claimed, tm.Eq(COUNT, 1))
    free = tm.And(tm.Not(claimed), tm.Ne(uniform, kept), floor <= uniform, uniform <= kept)
    yield "1 < k < K: two rows for a label outside", tm.Implies(tm.And(KEPT > 1, KEPT < SIZE), free)
    fixed = tm.And(tm.Eq(COUNT, 1), tm.Or(tm.Eq(KEPT, 1), SIZE - KEPT <= 0))
    yield "one maximiser, k = 1 or K: nothing is free", tm.Implies(fixed, claimed)
    yield PAPER.claims["Theorem 3 (all optimal channels)"].run()


@PAPER.claim(
    "Theorem 3 (zero prior entries)",
    r"labels of prior zero are never kept at the smallest maximiser, and do not change the optimum",
    hypotheses="every prior; $w_{k+1} < w_k$ where label $k + 1$ has prior zero",
    given=[*ANY_K, MASS > 0],
    replay="priors with denominator 6 on K <= 3 labels, extended by a label of prior zero, t in {11/10, 2, 3, 9/2, 20}",
    kind="ours",
    formula=lambda longer, shorter: longer < shorter,
    note=r"Labels of prior zero come last: with $n$ positive entries $w_n > w_{n+1} > \dots$, so $\max w_k$, the optimum by 'Theorem 3', and the "
    "smallest maximiser are those of the $n$ labels.",
)
def zero_entries(relation: Any) -> Parts:
    for longer, level, where in at_levels((*p, Fraction(0)) for p in priors((1, 2, 3), 6)):
        prior, rates = longer[:-1], hit_rates(longer, level).tolist()
        without, extended = ((lp1(p, level).solve("exact").value, best_k(p, level)) for p in (prior, longer))
        same = Instance(f"{where}, with the last label and without: optimum, k*", extended, "==", without)
        yield same if relation(rates[-1], rates[-2]) else f"{where}: w = ({', '.join(map(str, rates))})"
    longer_rate, rate = hit_rate(T, K + 1, MASS), hit_rate(T, K, MASS)
    yield "one more label of prior zero: w_(k+1) against w_k", relation(longer_rate, rate)
    yield "it is not kept, as w_k is larger", tm.Implies(relation(FOLLOWING, W), FOLLOWING < W)


@PAPER.claim(
    "Section 7 (approximate DP)",
    r"'is higher accuracy possible for approximate DP ...?' For the hit rate it is, by exactly $\delta(1-\max_k w_k)$: the most that $(\epsilon,\delta)$-DP allows is $\delta+(1-\delta)\max_k w_k$, reached by the label itself with probability $\delta$, else RRWithPrior",
    hypotheses=r"every prior, $K$ and $0 \le \delta < 1$. $x = q_{y\mid y}$, $z = \max(x - \delta, 0)$, $Z$ the sum of all $z$: singletons give $q_{j\mid y} \ge z_j/t$. Every row has $z (1 - 1/t) + Z/t \le 1 - \delta$, one with $z = 0$ by another with $z > 0$ (else $Z = 0$). With duals $u \ge 0$ of LP2, $(1 - 1/t) u + W/t \ge p$ and $\sum u = W$: "
    r"$\sum p x \le \delta + \sum p z \le \delta + \sum u (z (1 - 1/t) + Z/t) \le \delta + W (1 - \delta)$. $P$, $Q$ the probabilities of a set of outputs of RRWithPrior for two labels",
    given=[T > 1, DELTA >= 0, DELTA < 1],
    replay="the mixture: its hit rate, and its delta by all sets of outputs; priors with denominator 4 on K = 2, 3 labels, t = 3/2, 3, delta = 1/10, 1/2",
    kind="ours",
    formula=lambda best, delta: delta + (1 - delta) * best,
    uses=["Theorem 3 (LP2 = max w_k)"],
    note=r"Answers the third question of section 7 for $\mathrm{Obj}_p$. At $\delta = 10^{-5}$, as in Table 1, the gain is below $10^{-5}$.",
)
def approximate(value: Any) -> Parts:
    cases = at_levels(priors((2, 3), 4), map(Fraction, ("3/2", "3")))
    for (prior, level, where), delta in product(cases, map(Fraction, ("1/10", "1/2"))):
        mixture = indicator_channel(rr_with_prior(prior, level), delta)
        got, needs = mixture.expected_utility(hit(len(prior)), prior), approximate_delta_of(mixture, level)
        shown, claimed = f"{where}, delta = {delta}", value(max(hit_rates(prior, level)), delta)
        private = Instance(f"{shown}: least delta of the mixture, delta", needs, "<=", delta)
        yield Instance(f"{shown}: hit rate of the mixture, as stated", got, "==", claimed) if private.holds else private
    slack = ABOVE * (1 - 1 / T) + EVERY / T
    row = tm.And(HIT >= DELTA, tm.Eq(ABOVE, HIT - DELTA), HIT + (EVERY - ABOVE) / T <= 1)
    yield "a row with x >= delta", tm.Implies(row, slack <= 1 - DELTA)
    yield "and hence any other", tm.Implies(tm.And(ABOVE >= 0, slack <= 1 - DELTA), EVERY / T <= 1 - DELTA)
    yield "p x <= p delta + p z", tm.Implies(P_Y >= 0, P_Y * HIT <= P_Y * DELTA + P_Y * tm.Max(HIT - DELTA, 0))
    within = tm.And(DUAL >= 0, slack <= 1 - DELTA)
    yield "u times a row", tm.Implies(within, DUAL * slack <= DUAL * (1 - DELTA))
    yield "sum of the u is W", (DELTA + W * (1 - DELTA), value(W, DELTA))
    yield "the mixture is private", tm.Implies(P <= T * Q, (1 - DELTA) * P + DELTA <= T * (1 - DELTA) * Q + DELTA)
    yield PAPER.claims["Theorem 3 (LP2 = max w_k)"].run()


PAPER.leave_out(
    "Section 7 (first two questions)", "open questions about subsampling and the central model; nothing is stated"
)


LABEL, OTHER, OUTPUT, I = tm.symbols("y z j i")
PRIOR, DIAGONAL, DUALS = (Vector(name, SIZE) for name in ("p", "d", "u"))
CHANNEL = Vector("q", SIZE, SIZE)


def _total(term: Any, last: Any = SIZE) -> Any:
    return tm.Sum(term, (I, 1, last))


def _not_negative(vector: Vector) -> Any:
    return vector.each(lambda entry: entry >= 0)


def _rate(count: Any) -> Any:
    return hit_rate(T, count, _total(PRIOR[I], count))


LABELS = (tm.Whole(SIZE, KEPT), T > 1, KEPT >= 1, KEPT <= SIZE, PRIOR.ordered(), _not_negative(PRIOR))
#: k is a maximiser, and W = w_k.
BEST = (tm.Eq(W, _rate(KEPT)), tm.Each(_rate(OUTPUT) <= W, (OUTPUT, 1, SIZE)))
PRIVATE = (
    _not_negative(CHANNEL),
    tm.Each(
        CHANNEL[LABEL, OUTPUT] <= T * CHANNEL[OTHER, OUTPUT], (LABEL, 1, SIZE), (OTHER, 1, SIZE), (OUTPUT, 1, SIZE)
    ),
    tm.Each(tm.Eq(tm.Sum(CHANNEL[LABEL, OUTPUT], (OUTPUT, 1, SIZE)), 1), (LABEL, 1, SIZE)),
)


@PAPER.claim(
    "Theorem 3 (vectors of any length)",
    r"for every $K$, every prior $p_1\ge\dots\ge p_K$ and every private $K\times K$ channel $\sum_y p_y q_{y\mid y}\le W=\max_k w_k$: the "
    "sums over labels of Theorem 3's proof, by machine",
    hypotheses="$k$ a maximiser of $w_k$; labels are numbered in falling order of their prior. $d$ is the diagonal of a channel, $u$ any "
    r"vector with $u_y \ge 0$ and $u_y \ge (t p_y - W)/(t - 1)$, as $\max(0, (t p_y - W)/(t - 1))$ is, with the sum $W$",
    formula=row_dual,
    note="Inequalities for all labels at once, sums over labels included; only that labels may be numbered in the order of their "
    "prior is not part of it. 'Theorem 3' proves the same by scalar lemmas and replays it.",
)
def every_size(dual: Any) -> Parts:
    last, following = T * PRIOR[KEPT] >= W, T * PRIOR[KEPT + 1] <= W
    ends = [*LABELS, tm.Eq(_total(PRIOR[I]), 1), BEST[0], last, tm.Or(tm.Eq(KEPT, SIZE), following)]
    yield ends, {"(b) the duals of all labels sum to W": tm.Eq(_total(tm.Max(0, dual(T, PRIOR[I], W))), W)}
    yield [*LABELS, *BEST], {"(a) the last kept label": last}
    yield [*LABELS, KEPT <= SIZE - 1, *BEST], {"(a) the first label that is not": following}
    of_channel = CHANNEL[LABEL, LABEL] + (_total(CHANNEL[I, I]) - CHANNEL[LABEL, LABEL]) / T <= 1
    yield (
        [tm.Whole(SIZE, LABEL), T > 1, LABEL >= 1, LABEL <= SIZE, *PRIVATE],
        {"(c) the diagonal of a private channel satisfies (4)": of_channel},
    )
    feasible = tm.Each(DUALS[LABEL] >= dual(T, PRIOR[LABEL], W), (LABEL, 1, SIZE))
    relaxed = tm.Each((1 - 1 / T) * DIAGONAL[LABEL] + _total(DIAGONAL[I]) / T <= 1, (LABEL, 1, SIZE))
    vectors = [
        tm.Whole(SIZE),
        T > 1,
        SIZE >= 1,
        *map(_not_negative, (DIAGONAL, DUALS)),
        relaxed,
        feasible,
        tm.Eq(_total(DUALS[I]), W),
    ]
    yield vectors, {"(d) weak duality": _total(PRIOR[I] * DIAGONAL[I]) <= W}

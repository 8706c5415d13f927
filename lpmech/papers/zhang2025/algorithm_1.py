"""Section IV.B: the derivative (7), Alg. 1 for one row, rows with different m, and the weights searched."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Relations, each
from lpmech.entries import as_array
from lpmech.mechanisms.bipartite_rr import greedy_m, local_response
from lpmech.mechanisms.bipartite_rr.derivation import derivative_of_utility
from lpmech.mechanisms.bipartite_rr.equations import expected_utility, term
from lpmech.papers.checks import sampled
from lpmech.papers.zhang2025.greedy import loop_maximises, raised_above
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, SETS, T, counted, printed_loop, rows_of
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

#: Q = A / C before a weight is raised; lambda is the similarity of that weight, s its value, mu a later similarity.
OWN, S, A, C = map(term_of, term)
LATER, SHIFT, I, SIZE, SUM_BEFORE, SUM_FROM, SMALL, MORE = tm.symbols("mu c i N P R m_1 m_2")
VALUE, FIRST, LAST, ONE, OTHER, LARGEST, SMALLEST = tm.symbols("Q lambda_1 lambda_N a b s_1 s_N")
BEFORE, AFTER = A / C, (A + (T - 1) * OWN) / (C + (T - 1))
RAISING = [C > 0, T > 1]
#: Sorted integer similarities and levels.
_SORTED = [row for n in range(1, 6) for row in combinations_with_replacement((4, 3, 2, 1), n)]
ROWS = list(product([(4, 3, 2, 1), *_SORTED, (4, 4, 3, 2, 1)], RATIOS))
ROWS_IN_WORDS = "sorted integer similarities in 1..4, N <= 5, t in {2, 3, 7/2, 10}"


@PAPER.claim(
    "eq. (7)",
    r"$\partial Q/\partial s_i=\sum_j(\lambda_i-\lambda_j)s_j/(\sum_j s_j)^2$",
    hypotheses=r"any $N$: the terms $j \ne i$ enter through $A = \sum \lambda_j s_j$ and $C = \sum s_j$",
    given=[S > 0, C > 0],
    formula=lambda own, s, others, mass: ((own * mass - others) + (own - own) * s) / (s + mass) ** 2,
)
def derivative_of_q(expression: Any) -> Relations:
    actual, letters = derivative_of_utility()[0], (OWN, S, A, C)
    stated, q = expression(*letters), term_of(expected_utility())
    shifted = dict(zip(letters, (OWN + SHIFT, S, A + SHIFT * C, C), strict=True))
    return {
        "sympy differentiates Q": (term_of(actual), stated),
        "its sign is that of lambda_i C - A": tm.Equivalent(stated > 0, OWN * C > A),
        "the same after adding c to all similarities": (expression(*shifted.values()), stated),
        "Q after that": (q.at(shifted), q + SHIFT),
    }


#: The sign of a derivative that is A'C - A over a square, for (7) and for (15).
SIGN: dict[str, Any] = {
    "hypotheses": "any $N$; $A$ and $C$ without the $i$-th term. It does depend on the other $s_j$",
    "given": [S > 0, C > 0],
    "formula": lambda own, s, others, mass: (own * mass - others) / (s + mass) ** 2,
}


INDEPENDENT = "'the monotonicity of $Q$ with respect to $s_i$ is independent of the values of $s_i$'"
PAPER.claim("eq. (7) (sign)", INDEPENDENT, **SIGN)(derivative_of_q)


@PAPER.claim(
    "Alg. 1 (threshold)",
    r"raising $s_i$ from 1 to $e^\epsilon$ raises $Q$ iff $\lambda_i>Q$, and leaves $Q$ below $\lambda_i$: so the loop stops at the first $\lambda_i\le Q$",
    hypotheses="$Q = A/C$; any $N$",
    given=RAISING,
    kind="ours",
    formula=raised_above,
)
def threshold(rule: Any) -> Parts:
    yield "raised iff Q rises", tm.Equivalent(rule(OWN, BEFORE), AFTER > BEFORE)
    yield "the new Q is below lambda_i", tm.Implies(rule(OWN, BEFORE), AFTER < OWN)


PAPER.claim(
    "Alg. 1 (optimal for one row)",
    r"the weights of Alg. 1 maximise $Q=\sum\lambda_i s_i/\sum s_i$ over $s\in[1,e^\epsilon]^N$, for every $N$",
    hypotheses=r"sorted similarities; a weight is raised iff $\lambda_i>Q$: 'Alg. 1 (threshold)'",
    formula=raised_above,
    note=r"Term by term $(\lambda_i - Q) s_i \le (\lambda_i - Q) s_i^*$, and the right sides sum to zero; so $\sum \lambda_i s_i \le Q \sum s_i$. The constraints $s_1 = e^\epsilon$ and $s_N = 1$ of section IV.B hold at this optimum unless all similarities are equal.",
)(loop_maximises)


@PAPER.claim(
    "Alg. 1 (prefix sums)",
    r"one cumulative sum per row gives the $m$ of the loop of Alg. 1 as printed: its numerators are $\lambda_i((i-1)t+N-i+1)-(tP_{i-1}+P_N-P_{i-1})$",
    hypotheses="$P_{i-1}$ and $R = P_N - P_{i-1}$: sums of the similarities before $i$, and from $i$ on",
    given=[T > 1, I >= 1, I <= SIZE],
    replay=f"the loop as printed and the function; {ROWS_IN_WORDS}",
    kind="ours",
    formula=lambda own, i, n, before, rest, t: own * ((i - 1) * t + n - i + 1) - (t * before + rest),
    note="The loop has $s_j = t$ for $j < i$ and $s_j = 1$ from $i$ on; the same numerators stop it at the same place.",
)
def prefix_sums(numerator: Any) -> Parts:
    for row, t in ROWS:
        n, m = len(row), 1
        while m < n and numerator(row[m], m + 1, n, sum(row[:m]), sum(row[m:]), t) > 0:
            m += 1
        (printed, _), fast = printed_loop(row, t), greedy_m(as_array(row, "row", 1), t)
        where = f"lambda = {row}, t = {t}: m of the prefix sums and of the function, of the loop"
        yield Instance(where, (m, fast), "==", (printed, printed))
    # sum of (lambda_i - lambda_j) s_j in two parts
    loop = T * ((I - 1) * OWN - SUM_BEFORE) + ((SIZE - I + 1) * OWN - SUM_FROM)
    yield "numerator", (loop, numerator(OWN, I, SIZE, SUM_BEFORE, SUM_FROM, T))


PAPER.claim(
    "Alg. 1 (ties)",
    r"a term with $\lambda_i=Q$ can be raised or not without changing $Q$; Alg. 1 does not raise it",
    hypotheses="$Q = A/C$",
    given=RAISING,
    kind="ours",
    formula=lambda own, value: tm.Eq(own, value),
)(lambda condition: {"iff Q does not change": tm.Equivalent(condition(OWN, BEFORE), tm.Eq(AFTER, BEFORE))})


PAPER.claim(
    "Alg. 1 (hypothesis lambda_N > 0)",
    r"the hypothesis $\lambda_N>0$ is not needed: adding a constant to all similarities shifts $Q$ by it and changes no derivative",
    kind="ours",
    **{
        **SIGN,
        "hypotheses": r"any $N$; section IV.D itself uses distances, with $\lambda_1 = 0$ and the sign reversed",
    },
)(derivative_of_q)


#: Two rows of N = 3 with sets of different sizes.
PAIRS = [(a, b, Fraction(t)) for a in SETS for b in SETS if len(a) < len(b) for t in (2, 3)]


@PAPER.claim(
    "Section IV.B (different m)",
    "'for different given occurrences, the optimal ... $m$ can vary, which violates differential privacy protection'",
    hypotheses=r"$N = 3$, two rows with sets of different sizes, $t \in \{2, 3\}$",
    consequence="wording",
    readings={"different $m$ can violate privacy": "certified", "different $m$ always violates privacy": "refuted"},
    formula=True,
    mutants={"private always": False},
    note=r"True as 'may violate'. As 'violates whenever $m$ differs' it is false: with the smaller set inside the larger one the channel is still $\epsilon$-LDP.",
)
def different_m(violates: bool) -> tuple[Outcome, ...]:
    broken = [not rows_of(*case).satisfies(PrivacyLevel.from_ratio(case[2])) for case in PAIRS]
    some = any(broken) == violates or "Y = {1}, Y' = {2, 3}, t = 2: the joint ratio exceeds t"
    always = (
        Instance(f"Y = {counted(a)}, Y' = {counted(b)}, t = {t}: ratio against t", rows_of(a, b, t).ratio, ">", t)
        for a, b, t in PAIRS
    )
    every = "every pair of different sizes breaks privacy"
    return sampled(iter([some]), "some pair of sets breaks privacy"), sampled(always, every)


@PAPER.claim(
    "Section IV.B (different m) [sharp]",
    r"two rows (6) with $m_1<m_2$ form an $\epsilon$-LDP channel iff $Y\subseteq Y'$, for every $N$ and $\epsilon$",
    hypotheses="entries $t/D$, $1/D$ and $t/D'$, $1/D'$ with $D = m_1 t + N - m_1 < D' = m_2 t + N - m_2$",
    given=[T > 1, SMALL >= 1, MORE > SMALL, MORE <= SIZE],
    replay="N = 3, all pairs of sets, t in {2, 3}",
    kind="ours",
    every={"a column is in Y, in Y'": list(product((0, 1), repeat=2)), "first": (0, 1), "second": (0, 1)},
    formula=lambda first, second: first <= second,
    survivors=dict.fromkeys(("first -> first ** 2", "second -> second ** 2"), "the same for 0 and 1"),
    note="A column is of one of four kinds: in both sets, in $Y$ only, in $Y'$ only, in neither. Only 'in $Y$ only' breaks privacy.",
)
def nested_sets(allowed: Any) -> Parts:
    for first, second, t in PAIRS:
        channel = rows_of(first, second, t)
        expected = all(allowed(int(j in first), int(j in second)) for j in range(3))
        where = f"Y = {counted(first)}, Y' = {counted(second)}: tight ratio against t"
        yield Instance(where, channel.ratio, "<=" if expected else ">", t)
    for in_first, in_second in each("a column is in Y, in Y'"):
        a, b = (T**inside / (m * T + SIZE - m) for inside, m in ((in_first, SMALL), (in_second, MORE)))
        private = tm.And(a <= T * b, b <= T * a)
        stated = private if allowed(in_first, in_second) else tm.Not(private)
        yield f"column in Y: {in_first}, in Y': {in_second}", stated


@PAPER.claim(
    "Alg. 1 (break)",
    r"stopping at the first derivative $\le 0$ loses nothing: if $\lambda_i\le Q$, raising $s_i$ anyway and then a later $s_{i'}$ with $\lambda_{i'}\le\lambda_i$ never lifts $Q$ above its value before",
    hypotheses="$Q = A/C$; any $N$: $Q$ as a function of $m$ rises, then does not rise again",
    given=[*RAISING, BEFORE >= OWN],
    formula=lambda own, later: later <= own,
)
def break_is_final(order: Any) -> Relations:
    twice = (A + (T - 1) * (OWN + LATER)) / (C + 2 * (T - 1))
    ordered = order(OWN, LATER)
    return {
        "once": AFTER <= BEFORE,
        "twice": tm.Implies(ordered, twice <= BEFORE),
        "still not above": tm.Implies(ordered, AFTER >= LATER),
        "only if ordered": tm.Implies(tm.And(tm.Eq(BEFORE, OWN), twice <= BEFORE), ordered),
    }


@PAPER.claim(
    "Section IV.B (end weights)",
    r"the assumption $s_1=e^\epsilon$, $s_N=1$ loses nothing: some maximiser of $Q$ satisfies it",
    hypotheses="any similarities",
    given=[T > 1, S >= 1, S <= T, FIRST >= VALUE, VALUE >= LAST],
    replay=f"{ROWS_IN_WORDS}, N >= 2",
    formula=lambda t: (t, 1),
    note=r"Every $s$ with $s_i = t$ where $\lambda_i > Q$ and 1 where $\lambda_i < Q$ attains the maximum $Q$ ('Alg. 1 (optimal for one row)'), whatever $s_i$ is where $\lambda_i = Q$. And $\lambda_1 \ge Q \ge \lambda_N$, since $Q$ is a mean.",
)
def end_weights(ends: Any) -> Parts:
    for row, t in ROWS:
        if len(row) > 1:
            response, _ = local_response(np.array(row, dtype=object), PrivacyLevel.from_ratio(t))
            first, last = ends(t)
            where = f"lambda = {row}, t = {t}: w_1 times s_N = {last}, w_N times s_1 = {first}"
            yield Instance(where, response[0] * last, "==", response[-1] * first)
    top, bottom = ends(T)
    yield "s_1 is best at the top", (FIRST - VALUE) * (S - top) <= 0
    yield "s_N at the bottom", (LAST - VALUE) * (S - bottom) <= 0


@PAPER.claim(
    "Section IV.B (weights in [1, e^epsilon])",
    r"$s_1\le e^\epsilon s_N$ suffices for $\epsilon$-LDP, and is necessary if some column holds both $s_1$ and $s_N$",
    hypotheses="any $N$ and any rearrangements of positive weights, two entries $a$, $b$ of one column",
    given=[T > 1, SMALLEST > 0, ONE >= SMALLEST, OTHER >= SMALLEST, ONE <= LARGEST, OTHER <= LARGEST],
    formula=lambda largest, smallest, t: largest <= t * smallest,
    note=r"The rows have one total, so two entries of a column have the ratio of their weights. Private arrangements beyond $s \in [1, e^\epsilon]^N$, such as rows $(4, 2, 1)$, $(2, 4, 1)$, $(4, 2, 1)$ at $t = 2$, are left out.",
)
def row_weights(condition: Any) -> Relations:
    met = condition(LARGEST, SMALLEST, T)
    both = tm.And(tm.Eq(ONE, LARGEST), tm.Eq(OTHER, SMALLEST))
    return {
        "it suffices": tm.Implies(met, ONE <= T * OTHER),
        "it is necessary": tm.Implies(tm.And(both, ONE <= T * OTHER), met),
    }

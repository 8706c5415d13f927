"""App. F.3 to F.5: the lower bounds, Prop. 12 and 13, Fact 14, Lemma 15."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed, unless_refuted
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.ghazi2021.paper import PAPER, T
from lpmech.verdicts import Outcome, unclear

DELTA, HIT, MISS = sp.symbols("delta a b")
N, D, L = sp.symbols("n D L")


@PAPER.claim(
    "App. F.3 (gap)",
    r"(11) is tight with respect to Prop. 11 up to \tilde O(\sqrt K/\varepsilon): the ratio of the two bounds is \sqrt{K/\varepsilon} times logarithms, at most \sqrt K/\varepsilon",
    hypotheses="ratio of DL sqrt(K)/(epsilon sqrt n) and DL/sqrt(epsilon n), logarithms left out; squares compared",
    formula=lambda k, epsilon: k / epsilon,
    mutants={"K/epsilon^2": lambda k, epsilon: k / epsilon**2, "K": lambda k, epsilon: k},
    note="The text credits (11) to Prop. 11; it is the bound of Prop. 12, and that of Prop. 11 has no number.",
)
def gap(square: Any) -> Outcome:
    k, epsilon, n = sp.symbols("K epsilon n")
    ratio = (k / (epsilon**2 * n)) / (1 / (epsilon * n))
    known = [k >= 1, epsilon > 0, epsilon <= 1, n >= 1]
    exact = check_identities(
        {"squared ratio": (ratio, square(k, epsilon))}, "identity in K, epsilon, n", hypotheses=known
    )
    return both(exact, check_implications(known, {"at most": ratio <= k / epsilon**2}, "epsilon <= 1"))


@PAPER.claim(
    "Prop. 13 (loss)",
    r"for y in {1, 2}: \ell(w,(x,y))=-L\tilde y\langle w,x\rangle with \tilde y=2y-3, so that L(w,S)=-\frac Ln\langle w,\sum_i\tilde y_ie_i\rangle",
    hypotheses="s = <w, x> any real; the printed loss is L s for y = 1, -L s for y = 2",
    formula=lambda y: 2 * y - 3,
    mutants={"3 - 2y": lambda y: 3 - 2 * y, "2y - 1": lambda y: 2 * y - 1},
    note="X must hold e_1, ..., e_n, so d >= n.",
)
def loss(sign: Any) -> Outcome:
    s, scale = sp.symbols("s L")
    return check_identities(
        {"y = 1": (scale * s, -scale * sign(1) * s), "y = 2": (-scale * s, -scale * sign(2) * s)},
        "both labels",
        hypotheses=[scale > 0],
    )


@PAPER.claim(
    "eq. (13)",
    r"\Pr[\tilde y_i\langle\hat w,e_i\rangle>0]\le\frac{e^\varepsilon+\delta}{e^\varepsilon+1}",
    hypotheses="a = Pr[> 0] <= e^eps b + delta with b = Pr[< 0]",
    given=[T > 1, DELTA >= 0, HIT >= 0, MISS >= 0, HIT + MISS <= 1, HIT <= T * MISS + DELTA],
    evidence="for all t, delta",
    formula=lambda t, delta: (t + delta) / (t + 1),
    mutants={
        "t/(t + 1)": lambda t, delta: t / (t + 1),
        "(t + delta)/(2t)": lambda t, delta: (t + delta) / (2 * t),
        "1/2 + delta": lambda t, delta: sp.Rational(1, 2) + delta,
    },
)
def eq_13(bound: Any) -> Relations:
    return {"(13)": bound(T, DELTA) >= HIT}


@PAPER.claim(
    "eq. (13) (chain)",
    r"\frac12\Pr[<0|-1]+\frac12\Pr[>0|1]\le\frac12(e^\varepsilon\Pr[<0|1]+\delta)+\frac12(e^\varepsilon\Pr[>0|-1]+\delta)=e^\varepsilon\Pr[\tilde y\langle\hat w,e\rangle<0]+\delta",
    hypotheses="four conditional probabilities, each label with probability 1/2; (epsilon, delta)-LabelDP for the change of the i-th label",
    formula=lambda t, miss, delta: t * miss + delta,
    mutants={
        "delta/2": lambda t, miss, delta: t * miss + delta / 2,
        "half of e^eps": lambda t, miss, delta: t * miss / 2 + delta,
    },
)
def eq_13_chain(bound: Any) -> Outcome:
    below_minus, above_plus, below_plus, above_minus = sp.symbols("p_1 p_2 p_3 p_4")
    hit, miss = (below_minus + above_plus) / 2, (below_plus + above_minus) / 2
    return check_implications(
        [
            T > 1,
            DELTA >= 0,
            *(p >= 0 for p in (below_minus, above_plus, below_plus, above_minus)),
            below_minus <= T * below_plus + DELTA,
            above_plus <= T * above_minus + DELTA,
        ],
        {"chain": hit <= bound(T, miss, DELTA)},
        "for all probabilities",
    )


@PAPER.claim(
    "eq. (14)",
    r"E|I_{\hat w,S}|=\sum_i\Pr[\tilde y_i\langle\hat w,e_i\rangle>0]\le\frac{e^\varepsilon+\delta}{e^\varepsilon+1}n",
    hypotheses="any n by induction: one more index, in I with probability a, mean size of the rest of I then u and else v; (13) for each i. The "
    "formula is how the probabilities are combined, and the bound. Replayed on all sets I of n = 1, 2, 3 indices with 0/1 weights",
    formula=(sum, lambda t, delta, n: (t + delta) / (t + 1) * n),
    mutants={
        "the largest probability": (max, lambda t, delta, n: (t + delta) / (t + 1) * n),
        "probability that I is not empty": (any, lambda t, delta, n: (t + delta) / (t + 1) * n),
        "without n": (sum, lambda t, delta, n: (t + delta) / (t + 1)),
        "e^eps/(e^eps + 1)": (sum, lambda t, delta, n: t / (t + 1) * n),
    },
)
def eq_14(statement: Any) -> Outcome:
    expected, bound = statement

    def failure(weights: tuple[int, ...]) -> str | None:
        n = len(weights).bit_length() - 1
        total = sum(weights)
        sets = list(product((0, 1), repeat=n))
        mean = Fraction(sum(w * sum(s) for w, s in zip(weights, sets, strict=True)), total)
        chances = [Fraction(sum(w * s[i] for w, s in zip(weights, sets, strict=True)), total) for i in range(n)]
        return None if expected(chances) == mean else f"n = {n}, weights {weights}: {mean} against {expected(chances)}"

    def proof() -> Outcome:
        a, u, v, mean, n = sp.symbols("a u v m n")
        linear = check_identities(
            {"one more index": (a * (u + 1) + (1 - a) * v, expected([a * u + (1 - a) * v, a]))},
            "linearity",
            hypotheses=[a >= 0, a <= 1, u >= 0, v >= 0],
        )
        bounded = check_implications(
            [T > 1, DELTA >= 0, n >= 0, mean <= bound(T, DELTA, n), HIT <= (T + DELTA) / (T + 1)],
            {"no index": bound(T, DELTA, 0) >= 0, "one more": mean + HIT <= bound(T, DELTA, n + 1)},
            "induction over n",
        )
        return both(bounded, linear)

    family = [w for n in (1, 2, 3) for w in product(range(2), repeat=2**n) if sum(w)]
    return unless_refuted(check_family(family, failure, "all 0/1 weights"), proof)


def _datasets() -> list[tuple[int, tuple[int, ...], tuple[Fraction, ...]]]:
    """(n, signs, w) with w on a grid inside the ball of radius D/2 = 1."""
    grid = (Fraction(-3, 5), Fraction(0), Fraction(4, 5))
    return [
        (n, signs, w)
        for n in (1, 2, 3)
        for signs in product((-1, 1), repeat=n)
        for w in product(grid, repeat=n)
        if sum(v * v for v in w) <= 1
    ]


@PAPER.claim(
    "Prop. 13 (minimiser)",
    r"w^*=\frac D2\cdot\frac{1}{\sqrt n}\sum_i\tilde y_ie_i has L(w^*,S)=-\frac{DL}{2\sqrt n}, the least value on the ball of radius D/2",
    hypotheses="value by substitution, ||sum of signed unit vectors|| = sqrt(n); least by Cauchy-Schwarz ||w|| ||sum|| <= (D/2) sqrt(n)",
    formula=lambda d, l, n: -d * l / (2 * sp.sqrt(n)),
    mutants={"-DL/sqrt(n)": lambda d, l, n: -d * l / sp.sqrt(n), "-DL/(2n)": lambda d, l, n: -d * l / (2 * n)},
)
def minimiser(value: Any) -> Outcome:
    inner = D / 2 / sp.sqrt(N) * N  # <w*, sum> = D/(2 sqrt n) times n unit terms
    bound = D / 2 * sp.sqrt(N)
    return check_identities(
        {"value": (-L / N * inner, value(D, L, N)), "Cauchy-Schwarz": (-L / N * bound, value(D, L, N))},
        "identities in n, D, L",
        [{N: 4, D: 1, L: 1}],
        [N >= 1, D > 0, L > 0],
    )


@PAPER.claim(
    "eq. (15)",
    r"L(\hat w,S)\ge\frac{-L}{n}\cdot\frac D2\sqrt{|I_{\hat w,S}|}",
    hypotheses="every n, sign, L, D and w in the ball of radius D/2; squares where the risk is negative: s the sum of the m terms in I, Q that of "
    "their squares, y <= 0 that of the others; Cauchy-Schwarz by induction over m. Replayed with L = 1, D = 2, n = 1, 2, 3, all signs, "
    "coordinates in {-3/5, 0, 4/5}",
    formula=lambda inside, n: inside / n**2,
    mutants={
        "|I|/(4 n^2)": lambda inside, n: inside / (4 * n * n),
        "|I|/n^4": lambda inside, n: inside / n**4,
    },
)
def eq_15(square: Any) -> Outcome:
    def failure(case: tuple[int, tuple[int, ...], tuple[Fraction, ...]]) -> str | None:
        n, signs, w = case
        terms = [s * v for s, v in zip(signs, w, strict=True)]
        inside = sum(v > 0 for v in terms)
        risk = -sum(terms, Fraction(0)) / n
        fine = risk >= 0 or risk * risk <= square(Fraction(inside), n)
        return None if fine else f"n = {n}, signs {signs}, w = {tuple(map(str, w))}: risk {risk}, |I| = {inside}"

    m, total, squares, x, y, n, radius = sp.symbols("m s Q x y n r")  # r = D/2; L drops out
    proof = check_implications(
        [m >= 0, squares >= 0, total**2 <= m * squares, n >= 1, y <= 0, total + y >= 0, radius >= 0],
        {
            "one more term in I": (total + x) ** 2 <= (m + 1) * (squares + x**2),
            "(15)": sp.Implies(squares <= radius**2, ((total + y) / n) ** 2 <= radius**2 * square(m, n)),
        },
        "Cauchy-Schwarz for every m",
    )
    return replayed(proof, check_family(_datasets(), failure, "all such w"))


@PAPER.claim(
    "eq. (15) (steps)",
    r"dropping the terms outside I can only lower the sum -\sum_i\tilde y_i\langle\hat w,e_i\rangle; Cauchy-Schwarz on the rest, \|\sum_{I}\tilde y_ie_i\|=\sqrt{|I|}",
    hypotheses="two terms x inside, y <= 0 outside; for the rest (sum of m terms)^2 <= m times the sum of their squares, here m = 2, 3",
    formula=lambda m: m,
    mutants={"m - 1": lambda m: m - 1, "1": lambda m: 1},
)
def eq_15_steps(count: Any) -> Outcome:
    x, y, z = sp.symbols("x y z")
    return check_implications(
        [y <= 0],
        {
            "dropped": -x - y >= -x,
            "m = 2": (x + z) ** 2 <= count(2) * (x**2 + z**2),
            "m = 3": (x + y + z) ** 2 <= count(3) * (x**2 + y**2 + z**2),
        },
        "for all reals",
    )


@PAPER.claim(
    "Prop. 13",
    r"(12): excess risk at least \frac{DL}{2\sqrt n}\left(1-\sqrt{\frac{e^\varepsilon+\delta}{e^\varepsilon+1}}\right), which is positive for \delta<1",
    hypotheses="r = E|I| <= c n with c = (t + delta)/(t + 1); E sqrt|I| <= sqrt r (Jensen); u = sqrt(c), v = sqrt(r/n)",
    formula=lambda u: 1 - u,
    mutants={"1 - u^2, without the root": lambda u: 1 - u**2, "1": lambda u: sp.Integer(1)},
    note="With delta <= 1/2 and epsilon <= 1 the constant is at least 1 - sqrt((e + 1/2)/(e + 1)) = 0.0697.",
)
def prop_13(constant: Any) -> Outcome:
    u, v, scale = sp.symbols("u v s")  # s = DL/(2 sqrt n)
    c = (T + DELTA) / (T + 1)
    return check_implications(
        [T > 1, DELTA >= 0, DELTA < 1, u >= 0, sp.Eq(u**2, c), v >= 0, v <= u, scale > 0],
        {"excess": -scale * v + scale >= scale * constant(u), "positive": constant(u) > 0},
        "for all t, delta < 1",
    )


@PAPER.claim(
    "Fact 14",
    r"\Pr[A(S)\in T]\le e^{k\varepsilon}\Pr[A(S')\in T]+\frac{e^{k\varepsilon}-1}{e^\varepsilon-1}\delta for k-neighbours",
    hypotheses="induction on k: P_0 <= t P_1 + delta and P_1 <= u P_k + c(u) delta with u = t^{k-1} give P_0 <= t u P_k + c(t u) delta; c = 1 at k = 1",
    formula=lambda power, t: (power - 1) / (t - 1),
    mutants={
        "(t^k - 1)/t": lambda power, t: (power - 1) / t,
        "t^k/(t - 1)": lambda power, t: power / (t - 1),
        "t^{k-1}": lambda power, t: power / t,
    },
    note="The statement prints A(S) as a subset of T; membership is meant.",
)
def fact_14(coefficient: Any) -> Outcome:
    u = sp.Symbol("u")
    return check_identities(
        {"k = 1": (coefficient(T, T), 1), "step": (T * coefficient(u, T) + 1, coefficient(T * u, T))},
        "the recursion c_k = t c_{k-1} + 1",
        hypotheses=[T > 1, u >= 1],
    )


EPSILON = sp.Symbol("epsilon")


@PAPER.claim(
    "Lemma 15 (k)",
    r"k=\lfloor 1/\varepsilon'\rfloor gives \frac12<k\varepsilon'\le 1, so that the replicated size n/k turns DL/\sqrt{n/k} into the order DL/\sqrt{\varepsilon'n}",
    hypotheses="0 < epsilon' <= 1, k >= 1 whole with k <= 1/epsilon' < k + 1; n divisible by k",
    formula=(sp.Rational(1, 2), 1),
    mutants={"k epsilon' > 3/4": (sp.Rational(3, 4), 1), "k epsilon' <= 1/2": (sp.Rational(1, 4), sp.Rational(1, 2))},
    note="A receives n/k elements and A' the n replicated ones; the text writes DL/sqrt(n) for A. The hypothesis 'n >= 1/gamma' names a gamma that is not defined; 1/epsilon' is needed.",
)
def lemma_15_k(ends: Any) -> Outcome:
    k = sp.Symbol("k", integer=True)
    low, high = ends
    return check_implications(
        [EPSILON > 0, EPSILON <= 1, k >= 1, k * EPSILON <= 1, (k + 1) * EPSILON > 1],
        {"lower": k * EPSILON > low, "upper": k * EPSILON <= high},
        "for all epsilon'",
    )


@PAPER.claim(
    "Lemma 15 (delta)",
    r"\delta=\frac{e^{k\varepsilon'}-1}{e^{\varepsilon'}-1}\delta'\le(e-1)\delta'/\varepsilon'",
    hypotheses="k epsilon' <= 1; e^{k eps'} <= e (E below), e^{eps'} - 1 >= epsilon'",
    formula=lambda e, epsilon: (e - 1) / epsilon,
    mutants={"1/epsilon'": lambda e, epsilon: 1 / epsilon, "e - 1": lambda e, epsilon: e - 1},
)
def lemma_15_delta(bound: Any) -> Outcome:
    e, power, single = sp.symbols("E p q")  # e, e^{k eps'}, e^{eps'}
    return check_implications(
        [EPSILON > 0, EPSILON <= 1, e > 2, power > 1, power <= e, single >= 1 + EPSILON],
        {"ratio": (power - 1) / (single - 1) <= bound(e, EPSILON)},
        "for all epsilon' <= 1",
    )


@PAPER.claim(
    "Lemma 15 (last sentence)",
    r"as printed: 'when \delta'=C/\varepsilon' for any sufficiently small C>0, A violates Proposition 13', which needs \delta\le 1-\Omega(1)",
    hypotheses="delta = (1 + t + ... + t^{k-1}) delta' >= k delta', k = floor(1/epsilon'); C = 1/100, epsilon' = 1, 1/2, 1/3, ..., 1/128; "
    "needed: delta < 1",
    consequence="proof",
    headline=5,
    recorded="refuted",
    formula=lambda c, epsilon: c / epsilon,
    mutants={"C": lambda c, epsilon: c},
    note="For any C: k delta' is about C/epsilon'^2, so delta >= 1 once epsilon' is below the root of C. The lemma's own hypothesis is "
    "delta' <= Omega(epsilon'), that is delta' = C epsilon'.",
    repair=Repair(
        r"\delta'=C\varepsilon' with C\le 1/4 gives \delta\le(e-1)C\le 1/2, for every \varepsilon'\in(0,1]",
        hypotheses="k epsilon' <= 1, e < 3 and e^{epsilon'} - 1 >= epsilon', as in 'Lemma 15 (delta)'; replayed with C = 1/100, epsilon' = 1, ..., 1/128",
        formula=lambda c, epsilon: c * epsilon,
        mutants={
            "C/epsilon', as printed": lambda c, epsilon: c / epsilon,
            "C": lambda c, epsilon: c,
            "2 C epsilon'": lambda c, epsilon: 2 * c * epsilon,
        },
    ),
)
def lemma_15_last(choice: Any) -> Outcome:
    def failure(epsilon: Fraction) -> str | None:
        share, k = choice(Fraction(1, 100), epsilon), int(1 / epsilon)
        if k * share < 1:
            return None
        return f"C = 1/100, epsilon' = {epsilon}: delta' = {share}, k = {k}, delta >= {k * share}"

    c, e, power, single = sp.symbols("C E p q")  # e, e^{k eps'}, e^{eps'}
    proof = check_implications(
        [
            EPSILON > 0,
            EPSILON <= 1,
            c > 0,
            c <= sp.Rational(1, 4),
            e > 2,
            e < 3,
            power > 1,
            power <= e,
            single >= 1 + EPSILON,
        ],
        {"delta <= 1/2": (power - 1) / (single - 1) * choice(c, EPSILON) <= sp.Rational(1, 2)},
        "for all epsilon' <= 1 and C <= 1/4",
    )
    family = [Fraction(1, j) for j in range(1, 129)]
    return replayed(proof, check_family(family, failure, "C = 1/100, epsilon' = 1/j: delta >= k delta' stays below 1"))


@PAPER.claim(
    "Lemma 15 (any n)",
    r"for n\ge 1/\varepsilon' not divisible by k, \lfloor n/k\rfloor elements k times each and n-k\lfloor n/k\rfloor elements without loss "
    r"(x=0) serve: more than half of the n elements carry the loss",
    hypotheses="n = k m + r; L(w, S~') = (k m/n) L(w, S~)",
    formula=sp.Rational(1, 2),
    mutants={"more than 2/3": sp.Rational(2, 3), "all": sp.Integer(1)},
    note="The lemma is stated for every n >= 1/gamma (1/epsilon' is meant) and its proof speaks of replicated elements only.",
)
def lemma_15_any_n(share: Any) -> Outcome:
    k, m, r = sp.symbols("k m r", integer=True)
    return check_implications(
        [k >= 1, m >= 1, r >= 0, r < k],
        {"share of the replicated elements": k * m > share * (k * m + r)},
        "all n and k",
    )


@PAPER.claim(
    "Prop. 12 (budgets)",
    r"Lemma 16 with \varepsilon'=\varepsilon/(4\log(2/\delta)) turns (16) into \frac{DL}{\sqrt{\varepsilon n}}=\frac{DL}{2\sqrt{\log(2/\delta)}\sqrt{\varepsilon'n}}: a loss of \sqrt{\log(2/\delta)}, of the order \sqrt{\log(1/\varepsilon)} for \delta of the order \varepsilon",
    hypotheses="l = log(2/delta) > 0, epsilon' > 0; Lemma 16 is quoted from Bassily et al.",
    formula=lambda log: 1 / (2 * sp.sqrt(log)),
    mutants={"1/(4 log)": lambda log: 1 / (4 * log), "1/sqrt(log)": lambda log: 1 / sp.sqrt(log)},
)
def prop_12(loss_factor: Any) -> Outcome:
    log, epsilon = sp.symbols("l epsilon_prime")
    erm = D * L / sp.sqrt(4 * log * epsilon * N)
    return check_identities(
        {"bound": (erm, loss_factor(log) * D * L / sp.sqrt(epsilon * N))},
        "identity",
        [{D: 1, L: 1, log: 4, epsilon: 1, N: 1}],
        [log > 0, epsilon > 0, N >= 1, D > 0, L > 0],
    )


@PAPER.claim(
    "Prop. 12 (range of epsilon)",
    r"'Plugging this into Lemma 15, we arrive at Proposition 12', for any \varepsilon\in(0,1]",
    hypotheses="l = log(2/delta) > log 4 > 5/4, because Lemma 16 has delta < 1/2; its algorithm for ERM has the budget 4 l epsilon, and Lemma 15 "
    "takes budgets up to 1. The formula is the square of what is left of DL/sqrt(epsilon n)",
    consequence="bound",
    readings={
        "by Lemma 15 alone": "refuted",
        "by Lemma 15 where it applies, by the bound without privacy elsewhere": "proved",
    },
    formula=lambda log: 1 / (4 * log),
    mutants={"1/l": lambda log: 1 / log, "1/4": lambda log: sp.Rational(1, 4) + 0 * log},
    note="Lemma 15 covers epsilon <= 1/(4 l) only, which is below 1/5. Above it DL/sqrt(n), which the text calls well known (and which Prop. 13 "
    "gives up to a constant), is at least as large as what Lemma 15 would give, so the proposition stands.",
)
def prop_12_range(square: Any) -> Outcome:
    log, epsilon = sp.symbols("l epsilon")
    range_12 = [epsilon > 0, epsilon <= 1, log > sp.Rational(5, 4)]
    covered = 4 * log * epsilon <= 1
    by_lemma = square(log) / epsilon <= 1 / (4 * log * epsilon)  # squares of the bounds over DL/sqrt(n)
    return unclear(
        {
            "by Lemma 15 alone": check_implications(
                range_12, {"4 l epsilon <= 1": sp.And(covered, by_lemma)}, "every epsilon"
            ),
            "by Lemma 15 where it applies, by the bound without privacy elsewhere": check_implications(
                range_12,
                {"Lemma 15": sp.Implies(covered, by_lemma), "no privacy": sp.Or(covered, square(log) / epsilon <= 1)},
                "every epsilon and l",
            ),
        }
    )

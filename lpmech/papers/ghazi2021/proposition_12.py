"""App. F.3 to F.5: the lower bounds, Prop. 12 and 13, Fact 14, Lemma 15."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.claims.checking import check_relations, sharp
from lpmech.papers.checks import equals
from lpmech.papers.ghazi2021.paper import PAPER, T
from lpmech.papers.ghazi2021.theorem_9 import EPSILON, SIZE, D, L, N
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

DELTA, HIT, MISS, MEAN = tm.symbols("delta a b m")
HALF = tm.Rational(1, 2)
TERMS, TOTAL, SQUARES, INSIDE, OUTSIDE, RADIUS, U, V, SCALE, POWER, SINGLE, E = tm.symbols("m s Q x y r u v s p q E")
SMALL, LOG = tm.symbols("C l")
#: The budget of Lemma 15.
EPSILON_2 = tm.symbol("epsilon'")
WHOLE, COPIES, LEFT = tm.symbols("k m r")
CHANCES = tm.symbols("p_1 p_2 p_3 p_4")
#: Pr[< 0 | -1] and Pr[< 0 | 1], Pr[> 0 | 1] and Pr[> 0 | -1].
CHANGED = (CHANCES[::2], CHANCES[1::2])


@PAPER.claim(
    "App. F.3 (gap)",
    r"(11) is tight with respect to Prop. 11 up to $\tilde{O}(\sqrt{K}/\epsilon)$: the ratio of the two bounds is $\sqrt{K/\epsilon}$ times logarithms, at most $\sqrt{K}/\epsilon$",
    hypotheses=r"ratio of $DL \sqrt{K}/(\epsilon \sqrt{n})$ and $DL/\sqrt{\epsilon n}$, logarithms left out; squares compared",
    given=[SIZE >= 1, EPSILON > 0, EPSILON <= 1, N >= 1],
    kind="remark",
    formula=lambda k, epsilon: k / epsilon,
    note="The text credits (11) to Prop. 11; it is the bound of Prop. 12, and that of Prop. 11 has no number.",
)
def gap(square: Any) -> Relations:
    ratio = (SIZE / (EPSILON**2 * N)) / (1 / (EPSILON * N))
    return {"squared ratio": (ratio, square(SIZE, EPSILON)), "at most": ratio <= SIZE / EPSILON**2}


PAPER.claim(
    "App. F.3 (improvement)",
    r"Prop. 12 is 'an improvement of a factor for $\tilde{\Omega}(1/\sqrt{\epsilon})$ over the non-private lower bound' $\Omega(DL/\sqrt{n})$",
    hypotheses=r"ratio of $DL/\sqrt{\epsilon n}$ and $DL/\sqrt{n}$, logarithms and constants left out",
    given=[EPSILON > 0, EPSILON <= 1, D > 0, L > 0, N >= 1],
    kind="remark",
    formula=lambda epsilon: 1 / tm.sqrt(epsilon),
    mutants={"1/epsilon": lambda epsilon: 1 / epsilon},
    note=r"With its logarithm, 'Prop. 12 (11) (as a whole)', it is $1/\sqrt{\epsilon \ln(2/\epsilon)}$.",
)(equals((EPSILON,), ratio=D * L / tm.sqrt(EPSILON * N) / (D * L / tm.sqrt(N))))


@PAPER.claim(
    "App. F.4 (does not grow)",
    r"'the lower bound does not yet grow as $\epsilon$ decreases': that of Prop. 13 is at most $\frac{DL}{2\sqrt{n}}(1-\sqrt{\frac{1+\delta}{2}})$, whatever $\epsilon$",
    hypotheses=r"(12) with its constant, $\frac{DL}{2\sqrt{n}}(1-\sqrt{\frac{e^\epsilon+\delta}{e^\epsilon+1}})$; the fraction under the root is at least $(1 + \delta)/2$, which $\epsilon \to 0$ comes as near to as one likes",
    given=[T >= 1, DELTA >= 0, DELTA < 1],
    kind="remark",
    formula=lambda delta: (1 + delta) / 2,
    mutants={"without delta": lambda delta: HALF + 0 * delta},
    uses=["Prop. 13"],
    note=r"As an order. With its constant the bound does grow, for $\delta = 0$ from 0.0725 at $\epsilon = 1$ to 0.1464 times $DL/\sqrt{n}$ in the limit.",
)
def does_not_grow(least: Any) -> Relations:
    return sharp(least(DELTA), (T + DELTA) / (T + 1), tm.Eq(T, 1))


PAPER.claim(
    "Prop. 13 (loss)",
    r"for $y \in \{1, 2\}$: $\ell(w,(x,y))=-L\tilde{y}\langle w,x\rangle$ with $\tilde{y}=2y-3$, so that $L(w,S)=-\frac{L}{n}\langle w,\sum_i\tilde{y}_i e_i\rangle$",
    hypotheses=r"$s = \langle w, x\rangle$ any real; the printed loss is $L s$ for $y = 1$, $-L s$ for $y = 2$",
    given=[L > 0],
    every={"y": (1, 2)},
    formula=lambda y: 2 * y - 3,
    note=r"$X$ must hold $e_1$, ..., $e_n$, so $d \ge n$.",
)(lambda sign: {"y = 1": (L * SCALE, -L * sign(1) * SCALE), "y = 2": (-L * SCALE, -L * sign(2) * SCALE)})


PAPER.claim(
    "eq. (13)",
    r"$\Pr[\tilde{y}_i\langle\hat{w},e_i\rangle>0]\le\frac{e^\epsilon+\delta}{e^\epsilon+1}$",
    hypotheses=r"$a = \Pr[> 0] \le e^\epsilon b + \delta$ with $b = \Pr[< 0]$",
    given=[T > 1, DELTA >= 0, DELTA < 1, HIT >= 0, MISS >= 0, HIT + MISS <= 1, HIT <= T * MISS + DELTA],
    formula=lambda t, delta: (t + delta) / (t + 1),
)(lambda bound: sharp(HIT, bound(T, DELTA), tm.Eq(HIT + MISS, 1), tm.Eq(HIT, T * MISS + DELTA)))


@PAPER.claim(
    "eq. (13) (chain)",
    r"$\frac{1}{2}\Pr[<0\mid-1]+\frac{1}{2}\Pr[>0\mid1]\le\frac{1}{2}(e^\epsilon\Pr[<0\mid1]+\delta)+\frac{1}{2}(e^\epsilon\Pr[>0\mid-1]+\delta)=e^\epsilon\Pr[\tilde{y}\langle\hat{w},e\rangle<0]+\delta$",
    hypotheses=r"four conditional probabilities, each label with probability $1/2$; $(\epsilon,\delta)$-LabelDP for the change of the $i$-th label; $p_1 = \Pr[<0\mid-1]$, $p_2 = \Pr[>0\mid1]$, $p_3 = \Pr[<0\mid1]$, $p_4 = \Pr[>0\mid-1]$",
    given=[T > 1, DELTA >= 0, DELTA < 1, *(p >= 0 for p in CHANCES), *(a <= T * b + DELTA for a, b in CHANGED)],
    formula=lambda t, miss, delta: t * miss + delta,
)
def eq_13_chain(bound: Any) -> Relations:
    hit, miss = (sum(pair) / 2 for pair in zip(*CHANGED, strict=True))
    return sharp(hit, bound(T, miss, DELTA), *(tm.Eq(a, T * b + DELTA) for a, b in CHANGED))


@PAPER.claim(
    "eq. (14)",
    r"$E|I_{\hat{w},S}|=\sum_i\Pr[\tilde{y}_i\langle\hat{w},e_i\rangle>0]\le\frac{e^\epsilon+\delta}{e^\epsilon+1}n$",
    hypotheses="any $n$ by induction: one more index, in $I$ with probability $a$, mean size of the rest of $I$ then $u$ and else $v$, and $m$ in all; (13) for each $i$. "
    r"Their sum is at most $\frac{t + \delta}{t + 1} n$",
    given=[T > 1, DELTA >= 0, DELTA < 1, N >= 0, HIT >= 0, HIT <= (T + DELTA) / (T + 1)],
    formula=(sum, lambda t, delta, n: (t + delta) / (t + 1) * n),
    mutants={"the largest": (lambda chances: tm.Max(*chances), lambda t, delta, n: (t + delta) / (t + 1) * n)},
)
def eq_14(statement: Any) -> Parts:
    expected, bound = statement
    more, rest, (u, v) = bound(T, DELTA, N + 1), bound(T, DELTA, N), tm.symbols("u v")
    yield "no index", (bound(T, DELTA, 0), 0)
    yield "induction over n", tm.Implies(MEAN <= rest, MEAN + HIT <= more)
    yield "by the bound of (13)", tm.Eq(more - rest, (T + DELTA) / (T + 1))
    yield "linearity, one more index", (HIT * (u + 1) + (1 - HIT) * v, expected([HIT * u + (1 - HIT) * v, HIT]))


PAPER.claim(
    "Prop. 13 (minimiser)",
    r"$w^*=\frac{D}{2}\cdot\frac{1}{\sqrt{n}}\sum_i\tilde{y}_i e_i$ has $L(w^*,S)=-\frac{DL}{2\sqrt{n}}$, the least value on the ball of radius $D/2$",
    hypotheses=r"value by substitution, $n$ unit terms of $D/(2 \sqrt{n})$, the sum of the signed unit vectors has the norm $\sqrt{n}$; least by Cauchy-Schwarz: $\|w\|$ times this norm is at most $(D/2) \sqrt{n}$",
    given=[N >= 1, D > 0, L > 0],
    formula=lambda d, l, n: -d * l / (2 * tm.sqrt(n)),
)(equals((D, L, N), **{"value, and that of Cauchy-Schwarz": -L / N * D / 2 * tm.sqrt(N)}))


@PAPER.claim(
    "eq. (15)",
    r"$L(\hat{w},S)\ge\frac{-L}{n}\cdot\frac{D}{2}\sqrt{|I_{\hat{w},S}|}$",
    hypotheses="every $n$, sign, $L$, $D$ and $w$ in the ball of radius $r = D/2$; squares where the risk is negative: $s$ the sum of the $m$ terms in $I$, $Q$ that "
    r"of their squares, $y \le 0$ that of the others; Cauchy-Schwarz by induction over $m$; $L$ drops out",
    given=[TERMS >= 0, TOTAL**2 <= TERMS * SQUARES, N >= 1, OUTSIDE <= 0, TOTAL >= -OUTSIDE, SQUARES >= 0, RADIUS >= 0],
    formula=lambda inside, n: inside / n**2,
)
def eq_15(square: Any) -> Parts:
    bound, risk = RADIUS**2 * square(TERMS, N), ((TOTAL + OUTSIDE) / N) ** 2
    equal = tm.And(tm.Eq(TOTAL**2, TERMS * SQUARES), tm.Eq(SQUARES, RADIUS**2), tm.Eq(OUTSIDE, 0))
    yield "Cauchy-Schwarz, one more term in I", (TOTAL + INSIDE) ** 2 <= (TERMS + 1) * (SQUARES + INSIDE**2)
    yield "(15)", tm.Implies(SQUARES <= RADIUS**2, risk <= bound)
    yield "attained by equal terms", tm.Implies(equal, risk >= bound)


PAPER.claim(
    "Prop. 13",
    r"(12): excess risk at least $\frac{DL}{2\sqrt{n}}(1-\sqrt{\frac{e^\epsilon+\delta}{e^\epsilon+1}})$, which is positive for $\delta<1$",
    hypotheses=r"$r = E|I| \le c n$ with $c = (t + \delta)/(t + 1)$; $E \sqrt{|I|} \le \sqrt{r}$ (Jensen); $u = \sqrt{c}$, $v = \sqrt{r/n}$, $s = DL/(2 \sqrt{n})$",
    given=[T > 1, DELTA >= 0, DELTA < 1, tm.Eq(U**2, (T + DELTA) / (T + 1)), V >= 0, V <= U, SCALE > 0],
    formula=lambda u: 1 - u,
    note=r"With $\delta \le 1/2$ and $\epsilon \le 1$ the constant is at least $1 - \sqrt{(e + 1/2)/(e + 1)} = 0.0697$.",
)(lambda constant: sharp(SCALE * constant(U), -SCALE * V + SCALE, tm.Eq(V, U)) | {"positive": constant(U) > 0})


PAPER.claim(
    "Fact 14",
    r"$\Pr[A(S)\in T]\le e^{k\epsilon}\Pr[A(S')\in T]+\frac{e^{k\epsilon}-1}{e^\epsilon-1}\delta$ for $k$-neighbours",
    hypotheses=r"induction on $k$: $P_0 \le t P_1 + \delta$ and $P_1 \le u P_k + c(u) \delta$ with $u = t^{k-1}$ give $P_0 \le t u P_k + c(t u) \delta$; $c = 1$ at $k = 1$",
    given=[T > 1, U >= 1],
    formula=lambda power, t: (power - 1) / (t - 1),
    note="The statement prints $A(S)$ as a subset of $T$; membership is meant.",
)(lambda c: {"k = 1": (c(T, T), 1), "c_k = t c_{k-1} + 1": (T * c(U, T) + 1, c(T * U, T))})


@PAPER.claim(
    "Lemma 15 (k)",
    r"$k=\lfloor 1/\epsilon'\rfloor$ gives $\frac{1}{2}<k\epsilon'\le 1$, so that the replicated size $n/k$ turns $DL/\sqrt{n/k}$ into the order $DL/\sqrt{\epsilon'n}$",
    hypotheses=r"$k \le 1/\epsilon' < k + 1$; $n$ divisible by $k$; both ends sharp at $k = 1$",
    given=[tm.Whole(WHOLE), EPSILON_2 > 0, WHOLE >= 1],
    formula=(HALF, tm.Rational(1)),
    note=r"$A$ receives $n/k$ elements and $A'$ the $n$ replicated ones; the text writes $DL/\sqrt{n}$ for $A$. The hypothesis '$n \ge 1/\gamma$' names a $\gamma$ that is not defined; $1/\epsilon'$ is needed.",
)
def lemma_15_k(ends: Any) -> Parts:
    low, high = ends
    floor = tm.And(EPSILON_2 <= 1, WHOLE * EPSILON_2 <= 1, (WHOLE + 1) * EPSILON_2 > 1)
    taken = tm.And(EPSILON_2 > low, EPSILON_2 <= high)
    yield "both ends", tm.Implies(floor, tm.And(WHOLE * EPSILON_2 > low, WHOLE * EPSILON_2 <= high))
    yield "every value between is that of k = 1", tm.Implies(taken, tm.And(EPSILON_2 <= 1, 2 * EPSILON_2 > 1))


#: E, p, q stand for e, e^{k eps'}, e^{eps'}.
EXPONENTIALS = (EPSILON_2 > 0, EPSILON_2 <= 1, E > 2, POWER > 1, POWER <= E, SINGLE >= 1 + EPSILON_2)


PAPER.claim(
    "Lemma 15 (delta)",
    r"$\delta=\frac{e^{k\epsilon'}-1}{e^{\epsilon'}-1}\delta'\le(e-1)\delta'/\epsilon'$",
    hypotheses=r"$k \epsilon' \le 1$; $p = e^{k \epsilon'} \le E = e$, $q = e^{\epsilon'} \ge 1 + \epsilon'$",
    given=EXPONENTIALS,
    formula=lambda e, epsilon: (e - 1) / epsilon,
)(lambda bound: sharp((POWER - 1) / (SINGLE - 1), bound(E, EPSILON_2), tm.Eq(POWER, E), tm.Eq(SINGLE, 1 + EPSILON_2)))


@PAPER.claim(
    "Lemma 15 (last sentence)",
    r"as printed: 'when $\delta'=C/\epsilon'$ for any sufficiently small $C>0$, $A$ violates Proposition 13', which needs $\delta\le 1-\Omega(1)$",
    hypotheses=r"$\delta = (1 + q + \dots + q^{k-1}) \delta' \ge k \delta'$, $q = e^{\epsilon'}$, $k = \lfloor 1/\epsilon'\rfloor$; needed: $\delta < 1$",
    replay="C = 1/100, epsilon' = 1, 1/2, 1/3, ..., 1/128: delta >= k delta' stays below 1",
    given=[*EXPONENTIALS, E < 3, SMALL > 0, SMALL <= tm.Rational(1, 4)],
    consequence="slip",
    formula=lambda c, epsilon: c / epsilon,
    note=r"For any $C$: $k \delta'$ is about $C/\epsilon'^2$, so $\delta \ge 1$ once $\epsilon'$ is below the root of $C$. The lemma's own hypothesis is "
    r"$\delta' \le \Omega(\epsilon')$, so $\delta' = C \epsilon'$ is meant: a misprint.",
    repair=Repair(
        r"$\delta'=C\epsilon'$ with $C\le 1/4$ gives $\delta\le(e-1)C\le 1/2$, for every $\epsilon'\in(0,1]$",
        hypotheses=r"$k \epsilon' \le 1$; $p = e^{k \epsilon'} \le E = e < 3$, $q = e^{\epsilon'} \ge 1 + \epsilon'$, as in 'Lemma 15 (delta)'",
        formula=lambda c, epsilon: c * epsilon,
        survivors=dict.fromkeys(["epsilon -> epsilon ** 2", "c -> c ** 2"], "a smaller delta'"),
    ),
)
def lemma_15_last(choice: Any) -> Parts:
    for j in range(1, 129):
        share = choice(Fraction(1, 100), Fraction(1, j))
        where = f"C = 1/100, epsilon' = {Fraction(1, j)}, delta' = {share}, k = {j}: k delta', at most delta, against 1"
        yield Instance(where, j * share, "<", 1)
    delta = (POWER - 1) / (SINGLE - 1) * choice(SMALL, EPSILON_2)
    yield "delta <= (e - 1) C", delta <= (E - 1) * SMALL
    yield "delta <= 1/2", delta <= HALF


@PAPER.claim(
    "Lemma 15 (any n)",
    r"for $n\ge 1/\epsilon'$ not divisible by $k$, $\lfloor n/k\rfloor$ elements $k$ times each and $n-k\lfloor n/k\rfloor$ elements without loss "
    "($x=0$) serve: more than half of the $n$ elements carry the loss",
    hypotheses=r"$n = k m + r$; $L(w, \tilde{S}') = (k m/n) L(w, \tilde{S})$",
    given=[tm.Whole(WHOLE, COPIES, LEFT), WHOLE >= 1, COPIES >= 1, LEFT >= 0, LEFT < WHOLE],
    kind="ours",
    formula=HALF,
    note=r"The lemma is stated for every $n \ge 1/\gamma$ ($1/\epsilon'$ is meant) and its proof speaks of replicated elements only.",
)
def lemma_15_any_n(share: Any) -> Parts:
    more = WHOLE * COPIES - share * (WHOLE * COPIES + LEFT)
    worst = tm.And(tm.Eq(COPIES, 1), tm.Eq(LEFT, WHOLE - 1))
    yield "share of the replicated elements", more > 0
    yield "by half an element where n = 2k - 1, every k", tm.Implies(worst, tm.Eq(more, HALF))


PAPER.claim(
    "Prop. 12 (budgets)",
    r"Lemma 16 with $\epsilon'=\epsilon/(4\log(2/\delta))$ turns (16) into $\frac{DL}{\sqrt{\epsilon n}}=\frac{DL}{2\sqrt{\log(2/\delta)}\sqrt{\epsilon'n}}$: a loss of $\sqrt{\log(2/\delta)}$, of the order $\sqrt{\log(1/\epsilon)}$ for $\delta$ of the order $\epsilon$",
    hypotheses=r"$l = \log(2/\delta) > 0$, $\epsilon' > 0$; Lemma 16 is quoted from Bassily et al.",
    given=[LOG > 0, EPSILON_2 > 0, N >= 1, D > 0, L > 0],
    formula=lambda log: 1 / (2 * tm.sqrt(log)),
)(equals((LOG,), bound=tm.sqrt(EPSILON_2 * N) / tm.sqrt(4 * LOG * EPSILON_2 * N)))


@PAPER.claim(
    "Prop. 12 (range of epsilon)",
    r"'Plugging this into Lemma 15, we arrive at Proposition 12', for any $\epsilon\in(0,1]$",
    hypotheses=r"$l = \log(2/\delta) > \log 4 > 5/4$, because Lemma 16 has $\delta < 1/2$; its algorithm for ERM has the budget $4 l \epsilon$, and Lemma "
    r"15 takes budgets up to 1. What Lemma 15 gives is $DL/\sqrt{\epsilon n}$ times the root of $1/(4 l)$",
    consequence="proof",
    readings={
        "by Lemma 15 alone": "refuted",
        "by Lemma 15 where it applies, by the bound without privacy elsewhere": "proved",
    },
    formula=lambda log: 1 / (4 * log),
    mutants={"1/l": lambda log: 1 / log},
    note=r"Lemma 15 covers $\epsilon \le 1/(4 l)$ only, which is below $1/5$. Above it $DL/\sqrt{n}$, which the text calls well known (and which Prop. "
    "13 gives up to a constant), is at least as large as what Lemma 15 would give, so the proposition stands.",
)
def prop_12_range(square: Any) -> tuple[Outcome, ...]:
    known, left = [EPSILON > 0, EPSILON <= 1, LOG > tm.Rational(5, 4)], square(LOG) / EPSILON
    covered = 4 * LOG * EPSILON <= 1
    by_lemma = tm.Eq(left, 1 / (4 * LOG * EPSILON))  # squares of the bounds over DL/sqrt(n)
    ranges = {"Lemma 15": tm.Implies(covered, by_lemma), "no privacy": tm.Or(covered, left <= 1)}
    return (
        check_relations({"4 l epsilon <= 1": tm.And(covered, by_lemma)}, known),
        check_relations(ranges, known),
    )

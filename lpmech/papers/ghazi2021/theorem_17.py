"""App. G: the debiased loss (17), Lemmas 18 to 20, Theorem 17."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from lpmech.applications.learning.sgd_formulas import unbiased_estimate
from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.claims.checking import sharp
from lpmech.papers.checks import ball, binomial_law, equals, sampled
from lpmech.papers.ghazi2021.paper import ANY_K, PAPER, K, T
from lpmech.papers.ghazi2021.section_1 import best_for_uniform
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

#: Loss at a label of the top k and the sum over the other k - 1 of them; loss at a label outside.
OWN, REST, OUTSIDE = tm.symbols("l_y R l_out")
#: How far the own loss and a sum of losses move; a mass and a mean.
MOVE, MOVES, MASS, MEAN, TOTAL = tm.symbols("u v q m S")
X, N, OURS, BEST, OURS_SEEN, BEST_SEEN, B = tm.symbols("x n L_f L_best M_f M_best b")


def low(t: Any, k: Any) -> Any:
    """p_{k,epsilon} = 1/(e^epsilon + k - 1)."""
    return 1 / (t + k - 1)


PAPER.claim(
    "eq. (17) (well defined)",
    r"$1-kp_{k,\epsilon}=\frac{e^\epsilon-1}{e^\epsilon+k-1}>0$",
    given=ANY_K,
    formula=lambda t, k: (t - 1) / (t + k - 1),
)(lambda value: {"1 - k p": (1 - K * low(T, K), value(T, K)), "positive": value(T, K) > 0})


@PAPER.claim(
    "Lemma 18",
    r"$y\in Y_k^x$: $E_{\tilde{y}}[\tilde{\ell}(t,(x,\tilde{y}))]=\ell(t,(x,y))$",
    hypotheses=r"$k \ge 2$ labels in $Y$ ($k = 1$ releases the label); the $t$ of the losses is a prediction, that of the relations $e^\epsilon$; $l_y$ the loss at $y$, $R$ the sum over the other $k - 1$ ($\tilde{\ell}$ is linear in them)",
    given=[T > 1, K >= 2],
    formula=unbiased_estimate,
)
def lemma_18(form: Any) -> Relations:
    total, p = OWN + REST, low(T, K)
    # sum over the others of form(loss at that label) = (k - 1) values, linear in the loss: R and k - 1 copies of the total
    others = (K - 1) * form(T, K, REST / (K - 1), total)
    return {"mean": (T * p * form(T, K, OWN, total) + p * others, OWN)}


PAPER.claim(
    "Lemma 18 (outside the top k)",
    r"$y\notin Y_k^x$: $E_{\tilde{y}}[\tilde{\ell}(t,(x,\tilde{y}))]=\frac{1}{k}\sum_{y'\in Y_k^x}\ell(t,(x,y'))$, whatever $\ell(t,(x,y))$ is",
    hypotheses="the released label is uniform on $Y_k$; $S$ the sum of the losses at the labels of $Y_k$",
    given=ANY_K,
    kind="ours",
    formula=lambda total, k: total / k,
)(equals((TOTAL, K), **{"linear in the loss, so the mean passes through": unbiased_estimate(T, K, TOTAL / K, TOTAL)}))


def _lipschitz(own: Any, most: Any) -> Any:
    """The check that the debiased loss moves by at most the constant, where the sum of the other losses moves by `most`."""

    def check(constant: Any) -> Parts:
        change, bound = unbiased_estimate(T, K, MOVE, own + MOVES), constant(T, K)
        within = [*ANY_K, MOVE <= 1, MOVE >= -1, MOVES <= most, MOVES >= -most]
        yield within, {"upper": change <= bound, "lower": -change <= bound}
        yield ANY_K, {"attained": (change.at({MOVE: 1, MOVES: -most}), bound)}

    return check


PAPER.claim(
    "Lemma 19",
    r"$\tilde{\ell}$ is $L\frac{1+kp_{k,\epsilon}}{1-kp_{k,\epsilon}}$-Lipschitz in $t$",
    hypotheses=r"the $t$ of the loss is a prediction, that of the relations $e^\epsilon$. All $k + 1$ losses move by at most 1 ($L |t - t'| = 1$), the own one by $u$, the sum of the $k$ by $v$; any label $y$, also outside $Y_k$, where it is attained",
    formula=lambda t, k: (1 + k * low(t, k)) / (1 - k * low(t, k)),
)(_lipschitz(0, K))

PAPER.claim(
    "Lemma 19 (labels that are released)",
    r"for $y\in Y_k^x$, the only labels that RRTop-k releases, the constant is $L\frac{1+(k-2)p_{k,\epsilon}}{1-kp_{k,\epsilon}}=L\frac{e^\epsilon+2k-3}{e^\epsilon-1}$",
    hypotheses="own loss and the $k - 1$ others move by at most 1 each, $u$ and $v$ in all",
    kind="ours",
    formula=lambda t, k: (t + 2 * k - 3) / (t - 1),
)(_lipschitz(MOVE, K - 1))


@PAPER.claim(
    "Lemma 20",
    r"(19): $|L(f;P)-\tilde{L}(f,\tilde{P})|\le\Pr_{(x,y)\sim P}[y\notin Y_k^x]$",
    hypotheses="mass $q$ outside $Y_k$; inside the difference is 0 (Lemma 18), outside it is the loss at $y$ minus the mean $m$ of the losses on $Y_k$",
    given=[MASS >= 0, MASS <= 1, OUTSIDE >= 0, OUTSIDE <= 1, MEAN >= 0, MEAN <= 1],
    formula=lambda q: q,
)
def lemma_20(bound: Any) -> Relations:
    difference, most = MASS * (OUTSIDE - MEAN), bound(MASS)
    return sharp(difference, most, tm.Eq(OUTSIDE, 1), tm.Eq(MEAN, 0)) | {"lower": -difference <= most}


@PAPER.claim(
    "Lemma 20 (first line of the proof)",
    r"as printed: $\tilde{L}(f;\tilde{P})=E_{(x,y)\sim P,\tilde{y}}[\ell(f,(x,\tilde{y}))]$",
    hypotheses="one $x$, $k = K = 2$, $y = 1$, $t = 2$, losses $(1, 0)$ and $(0, 1)$ at the labels 1, 2; is the loss in the two displayed lines the debiased one?",
    consequence="slip",
    readings={"the loss itself, as printed": "refuted", "the debiased loss": "certified"},
    formula=unbiased_estimate,
    mutants={"(17) without its factor": lambda t, k, own, total: own - low(t, k) * total},
    note="Lemma 18, which the proof uses for the inner term, is about the debiased loss; the tilde seems to be missing in the two lines.",
)
def lemma_20_line(form: Any) -> tuple[Outcome, ...]:
    def mean(of: Any, first: int, second: int) -> Any:
        return (2 * of(Fraction(2), 2, first, 1) + of(Fraction(2), 2, second, 1)) / Fraction(3)

    def values(value: Any) -> Parts:
        for losses in ((1, 0), (0, 1)):
            left, right = mean(unbiased_estimate, *losses), mean(value, *losses)
            where = f"k = K = 2, e^eps = 2, y = 1, losses {', '.join(map(str, losses))}: mean of the debiased loss, right side"
            yield Instance(where, left, "==", right)

    return tuple(sampled(values(value), "two losses") for value in (lambda t, k, own, total: own, form))


def width(t: Any, k: Any) -> Any:
    """Largest minus smallest value of the debiased loss at released labels, for losses in [0, 1]."""
    return (t + 2 * k - 3) / (t - 1)


@PAPER.claim(
    "Theorem 17 (range)",
    r"in the proof: $\tilde{\ell}\circ F$ consists of functions $X\times Y\to[0,1]$, as Lemma 21 needs",
    given=[*ANY_K, OWN >= 0, OWN <= 1, REST >= 0, REST <= K - 1],
    replay="losses 0 or 1 on the k labels of Y_k, k = 1, 2, 3, 4, t in {3/2, 2, 5}, a released label",
    consequence="proof",
    formula=lambda t, k: (Fraction(0), Fraction(1)),
    note="Only for $k = 1$ are the values in $[0, 1]$.",
    repair=Repair(
        r"$-\frac{k-1}{e^\epsilon-1}\le\tilde{\ell}\le\frac{e^\epsilon+k-2}{e^\epsilon-1}$ at released labels, both attained: width $\frac{e^\epsilon+2k-3}{e^\epsilon-1}$",
        formula=lambda t, k: (-(k - 1) / (t - 1), (t + k - 2) / (t - 1)),
    ),
)
def value_range(ends: Any) -> Parts:
    for k, t in product((1, 2, 3, 4), (Fraction(2), Fraction(3, 2), Fraction(5))):
        first, last = ends(t, k)
        for losses in product((0, 1), repeat=k):
            for own in losses:
                value = unbiased_estimate(t, k, Fraction(own), sum(losses))
                where = f"k = {k}, e^eps = {t}, losses {', '.join(map(str, losses))}, released label with loss {own}: debiased loss, "
                least = Instance(f"{where}lower end", value, ">=", first)
                yield Instance(f"{where}upper end", value, "<=", last) if least.holds else least
    (first, last), value = ends(T, K), unbiased_estimate(T, K, OWN, OWN + REST)
    yield "lower", value >= first
    yield "upper", value <= last
    yield "lower, attained", (value.at({OWN: 0, REST: K - 1}), first)
    yield "upper, attained", (value.at({OWN: 1, REST: 0}), last)
    yield "width", (last - first, width(T, K))


PAPER.claim(
    "eq. (18) from (24)",
    r"'(18) now follows by combining (24), (26), and (27)': the deviation $\sqrt{\log(2/\beta)/n}$ of (24) is at most $\sqrt{\log(2/\beta)/(2n)}$ of (18)",
    hypotheses=r"$x = \log(2/\beta)$; squares compared",
    given=[X > 0, N >= 1],
    consequence="proof",
    formula=lambda x, n: x / (2 * n),
    control=lambda x, n: x / n,
    survivors=dict.fromkeys(["x / n -> x", "x -> x + 1"], "a larger deviation"),
    note=r"(18) would follow from the usual form of Lemma 21, whose deviation is $\sqrt{\log(2/\beta)/(2n)}$; (22) is weaker and correct.",
)(lambda square: {"(24) <= (18)": X / N <= square(X, N)})


def failing(law: Sequence[tuple[Fraction, Fraction]], radius: arb) -> Fraction:
    """Probability that the deviation exceeds the radius, for pairs of a deviation and its probability."""
    return sum((chance for gap, chance in law if not ball(gap) <= radius), Fraction(0))


def law_of_a_mean(n: int, chance: Fraction, high: Fraction, other: Fraction) -> list[tuple[Fraction, Fraction]]:
    """|mean - expected mean| with its probability, for n independent values: `high` with this chance, else `other`."""
    expected = chance * high + (1 - chance) * other
    means = (other + (high - other) * Fraction(hits, n) for hits in range(n + 1))
    return [(abs(mean - expected), p) for mean, p in zip(means, binomial_law(n, chance), strict=True)]


@PAPER.claim(
    "Theorem 17",
    r"(18): with probability at least $1-\beta$, $|\tilde{L}(f;\tilde{S})-L(f;P)|\le 2L\frac{1+kp_{k,\epsilon}}{1-kp_{k,\epsilon}}R_{n,P_X}(F)+\sqrt{\log(2/\beta)/(2n)}+\Pr[y\notin Y_k^x]$ for all $f$",
    hypotheses="$F =$ one function (its Rademacher complexity is 0), $k = K$ (no label outside), the true label always $y = 1$ with loss 1, the others 0",
    replay="one function, exact tails, ball arithmetic (arb)",
    cause="Theorem 17 (range)",
    recorded="refuted",
    consequence="bound",
    headline=1,
    formula=(lambda x, n: x / (2 * n), lambda t, k: Fraction(1)),
    mutants={"(24)'s deviation": (lambda x, n: x / n, lambda t, k: Fraction(1))},
    note=r"Smallest: $k = K = 2$, $e^\epsilon = 2$, $n = 1$, $\beta = 1/2$. The debiased loss is 2 (probability $2/3$) or -1, its mean 1; both "
    r"are further from 1 than $\sqrt{\ln(4)/2} = 0.833$. At $e^\epsilon = 3/2$ they are 3 and -2, so that a logarithm to base 2 does not help. The deviation must be multiplied by the width of the range.",
)
@PAPER.claim(
    "Theorem 17 [repaired]",
    r"the same with $\frac{e^\epsilon+2k-3}{e^\epsilon-1}\sqrt{\log(2/\beta)/(2n)}$",
    hypotheses=r"quoted: Lemma 21 in its usual form, $|E g - \text{mean }g| \le$ $2R(g) + s$, $s^2 = \log(2/\beta)/(2n)$, for $g = (\text{debiased loss}-\text{least value})/B$ with values in $[0, 1]$, $B$ the width, where $B R(g) = R$ of the debiased loss $\le M R(F)$ by Lemma 22, $M$ from Lemma 19; Lemma 20. In the relations $R = R(F)$, $r = R(g)$, $g$ the deviation of the mean of $g$, $e$ that of the debiased loss, $b \le q$ the bias of Lemma 20",
    replay="one function, exact tails, ball arithmetic (arb)",
    formula=(lambda x, n: x / (2 * n), width),
    note="The usual form of Lemma 21 (symmetrisation and bounded differences) is quoted, as in the paper; the rest is proved. That $R(g)$ is $R/B$: a constant "
    "drops out of (20), whose signs have mean zero.",
    repairs=["eq. (18) from (24)", "Theorem 17"],
)
def theorem_17(formula: Any) -> Parts:
    square, multiple = formula
    levels = Fraction(2), Fraction(3, 2), Fraction(5)
    for beta, n, k, t in product((Fraction(1, 2), Fraction(1, 20)), (1, 2, 5, 10), (2, 3), levels):
        radius = square((2 / ball(beta)).log(), n).sqrt() * ball(multiple(t, k))
        values = (unbiased_estimate(t, k, Fraction(own), 1) for own in (1, 0))
        beyond = failing(law_of_a_mean(n, t / (t + k - 1), *values), radius)
        where = f"k = K = {k}, e^eps = {t}, n = {n}, beta = {beta}, loss 1 at the true label only"
        yield Instance(f"{where}: Pr[deviation > {radius.str(5, radius=False)}], beta", beyond, "<=", beta)
    radius_squared = (width(T, K) ** 2 * X / (2 * N), multiple(T, K) ** 2 * square(X, N))
    yield [*ANY_K, X > 0, N >= 1], {"the radius is the width times the deviation": radius_squared}
    gap, scaled, small, deviation, bias, complexity, lipschitz = tm.symbols("e g r s b R M")
    known = [
        *(*ANY_K, X > 0, N >= 1, deviation >= 0, tm.Eq(deviation**2, X / (2 * N))),
        *(scaled <= 2 * small + deviation, width(T, K) * small <= lipschitz * complexity, bias <= MASS),
        tm.Eq(gap, width(T, K) * scaled),
    ]
    most = 2 * lipschitz * complexity + width(T, K) * deviation + MASS
    yield known, {"(18) with the width, for every class": gap + bias <= most}


@PAPER.claim(
    "Theorem 17 (empirical risk minimiser)",
    r"where $|\tilde{L}(f;\tilde{S})-L(f;P)|\le b$ for all $f$, the empirical risk minimiser has excess risk at most $2b$ ('within a factor of 2')",
    hypotheses=r"whatever the bound $b$ on the right of (18) is; $L_f$, $M_f$ the risk and the empirical risk of the minimiser, $L_{\mathrm{best}}$, $M_{\mathrm{best}}$ those of the best function",
    given=[OURS - OURS_SEEN <= B, BEST_SEEN - BEST <= B, OURS_SEEN <= BEST_SEEN],
    formula=2,
)
def risk_minimiser(factor: Any) -> Relations:
    worst = tm.Eq(OURS - OURS_SEEN, B), tm.Eq(BEST_SEEN - BEST, B), tm.Eq(OURS_SEEN, BEST_SEEN)
    return sharp(OURS - BEST, factor * B, *worst)


PAPER.claim(
    "App. G (uniform top-k prior)",
    "'RRTop-k can ... be thought of RRWithPrior in the case when e.g. the prior ... is uniform over the $k$ labels in $Y_k^x$'",
    hypotheses=r"$w_j = t \min(j/k, 1)/(t + j - 1)$; $k^* = k$ is the number of labels that RRWithPrior keeps, $j$ any other",
    replay="uniform on k of K <= 6 labels, t in {11/10, 2, 3, 9/2, 20}",
    kind="remark",
    formula=lambda k, size: k,
    note=r"At $\epsilon = 0$ all $w_1$, ..., $w_k$ are equal and the choice is open.",
)(best_for_uniform)


PAPER.claim(
    "Theorem 17 (constant)",
    r"(27): $\frac{1+kp_{k,\epsilon}}{1-kp_{k,\epsilon}}=\frac{e^\epsilon+2k-1}{e^\epsilon-1}$",
    hypotheses=r"$p_{k,\epsilon} = 1/(t + k - 1)$",
    given=ANY_K,
    formula=lambda t, k: (t + 2 * k - 1) / (t - 1),
)(equals((T, K), **{"(27)": (1 + K * low(T, K)) / (1 - K * low(T, K))}))


@PAPER.claim(
    "eq. (17) (binary, and eq. (7))",
    r"(17) 'generalizes' the debiased loss for two classes, $\frac{(1-\rho)\ell(t,y)-\rho\ell(t,y')}{1-2\rho}$ with $\rho=p_{2,\epsilon}$ the flip probability; and $\hat{g}_t$ of (7) is its gradient for $k=K$",
    hypotheses=r"any losses or gradients, $t = e^\epsilon$ in the relations; $l_y$ the own one, $R$ the sum of the others",
    given=ANY_K,
    formula=lambda t, k, own, total: (own - low(t, k) * total) / (1 - k * low(t, k)),
    note="So LP-RR-SGD of App. F is stochastic gradient descent on the loss of App. G.",
)
def same_loss(form: Any) -> Relations:
    flip = 1 / (T + 1)
    binary = ((1 - flip) * OWN - flip * REST) / (1 - 2 * flip)
    seven = unbiased_estimate(T, K, OWN, OWN + REST)
    return {"k = 2": (form(T, 2, OWN, OWN + REST), binary), "k = K": (form(T, K, OWN, OWN + REST), seven)}

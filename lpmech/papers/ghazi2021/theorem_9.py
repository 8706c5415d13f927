"""App. F.1: LP-RR-SGD (Theorem 9, Cor. 10), each inequality with its constant."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lpmech import Channel
from lpmech.applications.learning.sgd_formulas import theorem_9_moment, unbiased_estimate
from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.claims.checking import check_identities, iff, sharp
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.papers.ghazi2021.entries import top_k
from lpmech.papers.ghazi2021.paper import ANY_K, FAMILY_K, PAPER, PRIORS, K, T
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

#: Number of labels, epsilon, Lipschitz constant, diameter, number of examples; its logarithm.
SIZE, EPSILON, L, D, N = tm.symbols("K epsilon L D n")
LOG = tm.log(N)
#: Gradient at the true label and the sum over the others; those of other losses; two numbers.
OWN, REST, OWN_2, REST_2, ONE, TWO = tm.symbols("g_y R g'_y R' a b")
MASS, OURS, BEST, OURS_2, BEST_2, LEAST, SLACK, F, C = tm.symbols("q L_w L_best M_w M_best M_least h f c")
LOSSES, ITERATE = tm.symbols("l_1 l_2 m_1 m_2"), tm.symbol("T")


@PAPER.claim(
    "eq. (7) (unbiased)",
    r"$E_{\tilde{y}_t}[\hat{g}_t]=\nabla_w\ell(w_t,(x_t,y_t))$",
    hypotheses="$g_y$ the gradient at the true label, $R$ the sum of the other $K - 1$; $g'_y$, $R'$ any others",
    given=[T > 1, SIZE >= 1],
    formula=unbiased_estimate,
)
def unbiased(estimate: Any) -> Parts:
    total = OWN + REST
    # the estimates at the other K - 1 labels add up to the one at their sum, for the estimate is additive
    others, more = estimate(T, SIZE, REST, (SIZE - 1) * total), OWN_2 + REST_2
    two = estimate(T, SIZE, OWN, total) + estimate(T, SIZE, OWN_2, more)
    yield "mean", ((T * estimate(T, SIZE, OWN, total) + others) / (T + SIZE - 1), OWN)
    yield "additive", (two, estimate(T, SIZE, OWN + OWN_2, total + more))


@PAPER.claim(
    "Theorem 9 (privacy)",
    r"LP-RR-SGD is $\epsilon$-LabelDP: the ratio of the laws of $\hat{g}_t$ for two labels is at most $e^\epsilon$, as that of RR",
    hypotheses="every label is released once, by RR, and all later steps are post-processing",
    given=[T > 1, SIZE >= 1],
    formula=lambda t: t,
    note="The proof refers to a $Q_t$ that is not defined.",
)
def privacy(allowed: Any) -> Relations:
    high, low, _ = top_k(T, SIZE)
    return {"ratio": tm.Eq(high, allowed(T) * low), "the other way": low <= allowed(T) * high}


@PAPER.claim(
    "Theorem 9 (factor of the gradient)",
    r"$\frac{e^\epsilon+K-1}{e^\epsilon-1}\le\frac{2K}{\epsilon}$, for $0<\epsilon\le K$",
    hypotheses=r"$t \ge 1 + \epsilon$ ($e^x \ge 1 + x$), with equality the bound is attained at $\epsilon = K$; the text uses $\epsilon \le 1$, $K \ge 2$",
    given=[EPSILON > 0, EPSILON <= SIZE, SIZE >= 1, T >= 1 + EPSILON],
    formula=lambda k, epsilon: 2 * k / epsilon,
)
def factor(bound: Any) -> Parts:
    value, end = (T + SIZE - 1) / (T - 1), tm.And(tm.Eq(EPSILON, SIZE), tm.Eq(T, 1 + EPSILON))
    scaled = tm.Eq(bound(SIZE, EPSILON) * EPSILON, bound(Fraction(1), Fraction(1)) * SIZE)
    yield "bound", bound(SIZE, EPSILON) >= value
    yield "attained", tm.Implies(end, tm.Eq(bound(SIZE, EPSILON), value))
    yield "of the order K/epsilon", scaled


PAPER.claim(
    "Theorem 9 (split of the error)",
    r"$E\|\hat{g}-\nabla\|^2\le 2E\|\hat{g}\|^2+2\|\nabla\|^2$",
    hypotheses=r"coordinate by coordinate, all real $a$, $b$: $(a - b)^2 \le 2 a^2 + 2 b^2$, attained at $b = -a$",
    formula=(2, 2),
)(lambda pair: sharp((ONE - TWO) ** 2, pair[0] * ONE**2 + pair[1] * TWO**2, tm.Eq(TWO, -ONE)))


@PAPER.claim(
    "Theorem 9 (norm of the centred gradient)",
    r"$\|g_t-\sum_k\nabla_k/(e^\epsilon+K-1)\|\le 2L$, so that the first term is at most $2(2K/\epsilon)^2(2L)^2=32K^2 L^2/\epsilon^2$",
    hypotheses=r"norms $n \le L$ of the released gradient and $m \le K L$ of the sum; triangle inequality",
    given=[T > 1, EPSILON > 0, SIZE >= 1, L >= 0, N >= 0, tm.symbol("m") >= 0, N <= L, tm.symbol("m") <= SIZE * L],
    formula=(2, 32),
    mutants={"L in place of 2L": (1, 8)},
)
def centred_norm(constants: Any) -> Parts:
    radius, constant = constants
    term = 2 * (2 * SIZE / EPSILON) ** 2 * (radius * L) ** 2
    yield "32", (term, constant * SIZE**2 * L**2 / EPSILON**2)
    yield "norm", N + tm.symbol("m") / (T + SIZE - 1) <= radius * L
    yield "no smaller one, as t tends to 1", (L + SIZE * L / (1 + SIZE - 1), radius * L)


def _variance(labels: Any) -> Callable[[Any], Parts]:
    def check(constant: Any) -> Parts:
        for size, epsilon, lipschitz in ((2, 1.0, 1.0), (2, 0.5, 2.0), (4, 0.25, 1.0)):
            square, claimed = (
                theorem_9_moment(size, epsilon, lipschitz) ** 2,
                constant * (size * lipschitz / epsilon) ** 2,
            )
            yield Instance(
                f"K = {size}, epsilon = {epsilon}, L = {lipschitz}: square of the library's G, as stated",
                square,
                "==",
                claimed,
            )
        square = labels**2 * L**2 / EPSILON**2
        yield "both terms together", constant * square >= 32 * square + 2 * L**2

    return check


PAPER.claim(
    "Theorem 9 (variance, 36)",
    r"$32K^2 L^2/\epsilon^2+2L^2\le 36K^2 L^2/\epsilon^2$, for $0<\epsilon\le 1$, $K\ge 2$",
    given=[EPSILON > 0, EPSILON <= 1, SIZE >= 2, L > 0],
    replay="G^2 of the library's step size",
    formula=36,
    note=r"$\epsilon \le \sqrt{2} K$ would do; at $\epsilon \le 1$, $K \ge 2$ so would $65/2$ in place of 36, which is $G^2$, $G = 6KL/\epsilon$.",
)(_variance(SIZE))


@PAPER.claim(
    "Theorem 9 (gradient moment)",
    r"$E\|\hat{g}_t\|^2\le 36K^2 L^2/\epsilon^2=G^2$, what Shamir and Zhang's theorem asks for; in fact at most $16K^2 L^2/\epsilon^2$",
    hypotheses=r"$E\|\hat{g}\|^2 = f^2 E\|\mathrm{centred}\|^2$, $f = (t+K-1)/(t-1)$, $c$ the norm of the centred gradient, with the two bounds above",
    given=[EPSILON > 0, EPSILON <= SIZE, SIZE >= 1, L > 0, F >= 0, C >= 0, F <= 2 * SIZE / EPSILON, C <= 2 * L],
    formula=16,
    note=r"The proof bounds the variance $E\|\hat{g} - \nabla\|^2$ by $G^2$ and uses it as second moment, which adds $\|\nabla\|^2 \le L^2$; the bound here needs no such step.",
)
def moment(constant: Any) -> Parts:
    most = constant * SIZE**2 * L**2 / EPSILON**2
    yield "at both bounds", ((2 * SIZE / EPSILON) ** 2 * (2 * L) ** 2, most)
    yield "moment", F**2 * C**2 <= most
    yield "G^2", most <= 36 * SIZE**2 * L**2 / EPSILON**2


@PAPER.claim(
    "Theorem 9 (step size and rate)",
    r"$\eta_t=D/(G\sqrt{t})=\frac{D\epsilon}{6KL\sqrt{t}}$, and $DG\log n/\sqrt{n}=6D L K\log n/(\epsilon\sqrt{n})$",
    hypotheses=r"$\tau = t > 0$; $G = 6 K L/\epsilon$, the root of $36 K^2 L^2/\epsilon^2$",
    given=[SIZE >= 1, EPSILON > 0, L > 0, D > 0, tm.symbol("tau") > 0, N >= 1],
    formula=6,
)
def step_size(constant: int) -> Parts:
    G, rate, root = 6 * SIZE * L / EPSILON, tm.log(N) / tm.sqrt(N), tm.sqrt(tm.symbol("tau"))
    yield "step", (D / (G * root), D * EPSILON / (constant * SIZE * L * root))
    yield "rate", (D * G * rate, constant * D * L * SIZE / EPSILON * rate)


def _over(lower: Any) -> Callable[[Any], Outcome]:
    """The check that compares the bound of Theorem 9 over a lower bound, given over D L."""
    found = D * L * SIZE * LOG / (EPSILON * tm.sqrt(N)) / (D * L * lower)
    first = {SIZE: 2, EPSILON: Fraction(1, 4), N: 4, D: 1, L: 1}
    known = [SIZE >= 1, EPSILON > 0, L > 0, D > 0, N >= 2]
    return lambda ratio: check_identities({"ratio": (found, ratio(SIZE, EPSILON, LOG))}, "", [first], known)


PAPER.claim(
    "Theorem 9 (tightness)",
    r"upper bound over the lower bound $DL/\sqrt{\epsilon n}$ is $K\log n/\sqrt{\epsilon}$",
    hypotheses=r"ratio of $D L K \log n/(\epsilon \sqrt{n})$ and $DL/\sqrt{\epsilon n}$, $n \ge 2$; logarithms in $1/\epsilon$ of the lower bound left out",
    formula=lambda k, epsilon, log: k * log / tm.sqrt(epsilon),
)(_over(1 / tm.sqrt(EPSILON * N)))

PAPER.claim(
    "Theorem 9 (tightness without privacy)",
    r"upper bound over the non-private lower bound $DL/\sqrt{n}$ is $K\log n/\epsilon$",
    formula=lambda k, epsilon, log: k * log / epsilon,
    note=r"At $n = 1$ the printed upper bound is zero, because $\log(1)$ is; $n \ge 2$ is read.",
)(_over(1 / tm.sqrt(N)))

PAPER.claim(
    "Section 6 (tight bound)",
    "'our bound is tight up to polylogarithmic factors and the dependency on the number of classes $K$'",
    hypotheses=r"$D L K \log n/(\epsilon \sqrt{n})$ over the best lower bound of the paper, $DL/\sqrt{\epsilon n}$; the sentence has this ratio as $K \log n$: the number of classes and a logarithm",
    consequence="wording",
    headline=4,
    formula=lambda k, epsilon, log: k * log,
    note=r"The factor $1/\sqrt{\epsilon}$ is no power of a logarithm and exceeds every one as $\epsilon$ falls: at $\epsilon = 1/10000$ the bounds are a factor of $100 K \log n$ apart, at the counterexample $4 \log 4$ in place of $2 \log 4$. "
    "In $D$, $L$ and $n$ the sentence is right, and App. F.1 has the factor.",
    uses=["Theorem 9 (tightness)"],
    repair=Repair(
        r"it is tight up to $K\log n/\sqrt{\epsilon}$ (App. F.1)",
        hypotheses=r"the ratio of the two bounds, logarithms in $1/\epsilon$ of the lower bound left out",
        formula=lambda k, epsilon, log: k * log / tm.sqrt(epsilon),
    ),
)(_over(1 / tm.sqrt(EPSILON * N)))


@PAPER.claim(
    "Cor. 10 (algorithm)",
    r"$\xi$ followed by RR on $Y_k^x$ is RRTop-k: $\epsilon$-LabelDP",
    hypotheses=r"$\xi$ keeps labels of $Y_k$ and draws the others uniformly from $Y_k$, which RR keeps uniform: each with probability $1/k$",
    given=ANY_K,
    replay=f"every k, {PRIORS}",
    formula=lambda k: [Fraction(1, k)] * k,
)
def kept_then_rr(share: Any) -> Parts:
    for k in range(1, 41):
        yield share(k) == [Fraction(1, k)] * k or f"k = {k}: not uniform on Y_k"
    for prior, k, level, where in FAMILY_K:
        xi = Channel([[int(i == j) for j in range(k)] if i < k else share(k) for i in range(len(prior))])
        made, wanted = xi.then(randomized_response(k, level)).matrix, rr_top_k(prior, k, level).matrix
        yield (made == wanted[:, :k]).all() or f"{where}: another channel"
    high, low, _ = top_k(T, K)
    yield "uniform on Y_k stays uniform", (high / K + (K - 1) * low / K, 1 / K)


PAPER.claim(
    "Cor. 10 (constants for k = 1)",
    r"Theorem 9 may be used with $k$ labels: $32k^2 L^2/\epsilon^2+2L^2\le 36k^2 L^2/\epsilon^2$ for $k=1$ too, where its proof has $K\ge 2$",
    given=[EPSILON > 0, EPSILON <= 1, K >= 1, L > 0],
    replay="G^2 of the library's step size",
    formula=36,
    note="34 would do. For $k = 1$ nothing is released but the label of $Y_1$, and the gradient is known without error.",
)(_variance(K))


@PAPER.claim(
    "eq. (9)",
    r"$|(L(w_1,P)-L(w_2,P))-(L(w_1,P')-L(w_2,P'))|\le 2DL\Pr[y\notin Y_k^x]$",
    hypotheses=r"mass $q$ outside $Y_k$; there $|l(w_1,z) - l(w_2,z)| \le DL$ at $z = (x,y)$, where the losses are $l_1$, $l_2$, and at $z = \xi(x,y)$, where they are $m_1$, $m_2$; inside both integrands are equal",
    given=[MASS >= 0, D >= 0, L >= 0, *(tm.Max(a - b, b - a) <= D * L for a, b in (LOSSES[:2], LOSSES[2:]))],
    formula=2,
)
def eq_9(constant: Any) -> Relations:
    a, b, c, d = LOSSES
    difference, bound = MASS * ((a - b) - (c - d)), constant * D * L * MASS
    return sharp(difference, bound, tm.Eq(a - b, D * L), tm.Eq(c - d, -D * L)) | {"lower": -difference <= bound}


#: Both sides of (10).
EXCESS, MOST = OURS - BEST, OURS_2 - LEAST + SLACK

PAPER.claim(
    "eq. (10)",
    r"$L(\hat{w},P)-L(w_P^*,P)\le L(\hat{w},P')-L(w_{P'}^*,P')+2DL\Pr[y\notin Y_k^x]$, by (9) and $L(w_{P'}^*,P')\le L(w_P^*,P')$",
    hypotheses=r"$w_{P'}^*$ minimises the risk under $P'$; $h$ the bound of (9); $L_w$, $L_{\mathrm{best}}$ the risks of $\hat{w}$ and $w_P^*$ under $P$, $M_w$, $M_{\mathrm{best}}$, $M_{\mathrm{least}}$ those of $\hat{w}$, $w_P^*$, $w_{P'}^*$ under $P'$",
    given=[SLACK >= 0, (OURS - BEST) - (OURS_2 - BEST_2) <= SLACK, LEAST <= BEST_2],
    formula=operator.le,
    mutants={"equality": tm.Eq},
)(lambda le: {"(10)": le(EXCESS, MOST), "at most": tm.Implies(le(EXCESS, MOST), EXCESS <= MOST)})


@PAPER.claim(
    "App. F.1 (training of Section 5)",
    r"'this is not guaranteed' there: the gradient at the released label alone has the mean $\nabla_y+p_{K,\epsilon}\sum_k(\nabla_k-\nabla_y)$, which is $\nabla_y$ iff the gradients of all labels have the mean $\nabla_y$",
    hypotheses="RR on $K$ labels, or RRTop-k with $k = K$ for $y$ in $Y_k$; $g_y$ the gradient at the true label (one coordinate), $R$ the sum of the others",
    given=[T > 1, SIZE >= 2],
    kind="remark",
    formula=lambda t, k, own, total: own + (total - k * own) / (t + k - 1),
    note=r"(7) removes this bias and multiplies the noise by $(e^\epsilon + K - 1)/(e^\epsilon - 1)$.",
)
def without_correction(mean: Any) -> Relations:
    total = OWN + REST
    found = mean(T, SIZE, OWN, total)
    return {"mean": ((T * OWN + REST) / (T + SIZE - 1), found)} | iff(
        tm.Eq(found, OWN), tm.Eq(total, SIZE * OWN), "all equal", "unbiased"
    )


@PAPER.claim(
    "Alg. 5 line 3, Alg. 6 line 3",
    r"the output $w_{n+1}$ is covered by Shamir and Zhang's bound $2DG(2+\ln T)/\sqrt{T}$ on the iterate $w_T$: at $T=n+1$ it is at most that at $n$, which Theorem 9 and Prop. 11 use",
    hypotheses=r"$T \ge 1$ real; slope of $(2 + \ln T)/\sqrt{T}$",
    given=[ITERATE >= 1],
    formula=lambda n: (2 + tm.log(n)) / tm.sqrt(n),
    note=r"After $n$ examples $w_1$, ..., $w_{n+1}$ exist. The two algorithms list a 'variance factor' $\sigma$; Alg. 5 has no line that uses it.",
)
def last_iterate(rate: Any) -> Relations:
    slope = steps.diff(rate(ITERATE), ITERATE)
    scaled = slope * ITERATE ** tm.Rational(3, 2)
    return {"slope times T^(3/2)": (scaled, -tm.log(ITERATE) / 2), "falls": slope <= 0}


PAPER.leave_out("Theorem 5, Cor. 6", "informal versions of Theorem 9 and Cor. 10, which are checked")
PAPER.leave_out("eq. (6) and Shamir and Zhang's Theorem 2", "results of other papers, quoted")

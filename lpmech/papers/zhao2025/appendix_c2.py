"""App. C.2: the binary cross entropy and its minimiser, the steps (39a), (41) and (42), and what holds in their place."""

from __future__ import annotations

from typing import Any

from lpmech.claims import Parts, Relations
from lpmech.claims.checking import sharp
from lpmech.papers.checks import equals
from lpmech.papers.zhao2025.paper import PAPER
from lpmech.prove import steps
from lpmech.terms import functions as tm

#: N examples, M functions of the form u -> {a, 1 - a} that the class offers.
A, N, M, U, ETA, R = tm.symbols("a N M u eta r")
#: Of the memorising class, whose values are a and 1 - a: the squared ratio of (39) and the least e^(2 delta) of (41).
RATIO, LEAST = (1 - A) ** 2 / (A * (1 - A)), 1 / (4 * A * (1 - A))
INSIDE = [U > 0, U < 1, ETA > 0, ETA < 1]
GAP, TRUE, TRAINED, BEST, LEARNED, EXCESS, SHARE, LOSS = tm.symbols("g L_best S_u S_best L_u e v delta")
_NEAR = [LEARNED - TRAINED <= GAP, TRAINED - LEARNED <= GAP, TRUE - BEST <= GAP, BEST - TRUE <= GAP]


def cross_entropy(q: Any, p: Any) -> Any:
    """l(q, p) = -p ln q - (1 - p) ln(1 - q)."""
    return -p * tm.log(q) - (1 - p) * tm.log(1 - q)


PAPER.claim(
    "eq. (44)",
    r"$E[l(u,Z(j))]=-\tilde{\eta}_j\ln u-(1-\tilde{\eta}_j)\ln(1-u)$",
    hypotheses=r"$\eta = \tilde{\eta}_j$; $Z(j)$ is 1 with probability $\eta$ and 0 otherwise",
    given=[U > 0, U < 1, ETA >= 0, ETA <= 1],
    formula=lambda u, eta: -eta * tm.log(u) - (1 - eta) * tm.log(1 - u),
)(
    equals(
        [U, ETA], **{"mean loss": ETA * cross_entropy(U, tm.Rational(1)) + (1 - ETA) * cross_entropy(U, tm.Rational(0))}
    )
)


PAPER.claim(
    "eq. (45) (minimiser)",
    r"$u=\tilde{\eta}_j$ minimises $-\tilde{\eta}_j\ln u-(1-\tilde{\eta}_j)\ln(1-u)$: the derivative is $(u-\tilde{\eta}_j)/(u(1-u))$",
    hypotheses=r"$\eta = \tilde{\eta}_j$; the derivative is negative below $u = \eta$ and positive above it",
    given=INSIDE,
    formula=lambda eta: eta,
)(lambda point: {"the derivative": (steps.diff(cross_entropy(U, ETA), U), (U - point(ETA)) / (U * (1 - U)))})


PAPER.claim(
    "eq. (39) (a)",
    r"'the right hand side of (38) converges to its expectation' by the weak law: $\min_u\frac{1}{N}\sum_i l(u(X_i),Z_i(j))\approx\min_u E[l(u(X),Z(j))]$",
    hypotheses=r"$Z$ fair bits, independent of $X$, $X$ without atoms, the class all functions with values $a$ and $1 - a$, $0 < a < 1/2$. One of them equals $1 - a$ where $Z_i = 1$ and $a$ where $Z_i = 0$: training loss $-\ln(1 - a)$ for every $N$. Each of them has the mean loss "
    r"$-(\ln a + \ln(1 - a))/2$. The ratio of $\exp(\text{mean loss})$ to $\exp(\text{training loss})$, squared, is $(1 - a)/a$, where the sentence has 1",
    consequence="proof",
    given=[A > 0, A < tm.Rational(1, 2)],
    evidence="a memorising class",
    formula=lambda low: tm.Rational(1),
    control=lambda low: (1 - low) / low,
    note="The weak law is about one $u$ chosen before the sample; the minimum is over a class, and a class as large as step (b) wants it memorises the bits. At $a = 1/10$ the training loss is 0.105, the mean loss 1.204, the least mean loss over all $u$ 0.693, for every $N$. "
    "A network stopped early, or small against $N$, is another matter: that is the repair.",
)(
    lambda allowed: {
        "ratio": RATIO <= allowed(A),
        "and no more": RATIO >= allowed(A),
    }
)


@PAPER.claim(
    "eq. (39) (a) [repaired]",
    r"if every $u$ of the class has $|\frac{1}{N}\sum_i l(u(X_i),Z_i(j))-E\,l(u(X),Z(j))|\le g$ (a uniform law), then $E\,l(g_j)\le\min_u E\,l(u)+2g$, and the two minima differ by at most $g$",
    hypotheses=r"$L_u$, $S_u$ mean and training loss of the trained $u$, $L_{\mathrm{best}}$, $S_{\mathrm{best}}$ those of the best $u$, $S_u \le S_{\mathrm{best}}$, $L_{\mathrm{best}} \le L_u$; $2 g$ is attained by $S_u = L_u - g$, $S_{\mathrm{best}} = L_{\mathrm{best}} + g$",
    given=[GAP >= 0, TRAINED <= BEST, TRUE <= LEARNED, *_NEAR],
    formula=2,
    note=r"For $m$ functions with losses in $[0, B]$ Hoeffding's inequality gives $g = B \sqrt{\ln(2m/\beta)/(2N)}$ with probability $1 - \beta$: $N$ has to grow faster than the model's $\ln m$.",
    repairs=["eq. (39) (a)", "eq. (41) (delta goes to zero)"],
)
def uniform_law(factor: Any) -> Relations:
    ends = tm.Eq(TRAINED, LEARNED - GAP), tm.Eq(BEST, TRUE + GAP), tm.Eq(TRAINED, BEST)
    minima = {"minima, one way": TRAINED - TRUE <= GAP, "minima, the other": TRUE - TRAINED <= GAP}
    return {**sharp(LEARNED - TRUE, factor * GAP, *ends), **minima}


PAPER.claim(
    "eq. (41) (delta goes to zero)",
    r"'$\delta$ goes to zero with the increase of model complexity and sample size $N$'",
    hypotheses=r"$X$ uniform on $M$ points, $N$ examples at different ones, $Z$ fair bits; the class of all functions with values $a$, $1/2$, $1 - a$ on the points, more complex with $M$. A trained $u$ is $1 - a$ or $a$ as the bit is at the points seen, and may be $a$ at all others: mean loss $-(\ln a + \ln(1 - a))/2$ whatever $N$ and $M$; "
    r"that of $1/2$ is $\ln 2$, the least. So $\delta \ge D(a) = \ln(1/(4 a (1 - a)))/2$, while $e^{2 \delta} \le 1 + 1/N$ would let it go to zero; that rate is ours, any other that goes to 1 fails as well",
    cause="eq. (39) (a)",
    consequence="proof",
    given=[A > 0, A < tm.Rational(1, 4), N >= 1, M >= N],
    evidence="a memorising class",
    formula=lambda examples, points: 1 + 1 / examples,
    control=lambda examples, points: 1 / (4 * A * (1 - A)),
    note=r"In (41) itself $\delta$ is only said to exist, which is true of any two numbers. If $M$ grows slowly enough against $N$, points are seen often, and it does go to zero, by the uniform law.",
)(lambda bound: {"e^(2 delta)": LEAST <= bound(N, M), "and no more": LEAST >= bound(N, M)})


PAPER.claim(
    "eq. (42)",
    r"as $g_j$ is continuous, '$l$ can not be much larger' than its minimum at any $x$, 'otherwise there will be a neighborhood of $x$ ... which violates the second inequality in (41)': a small mean excess $\delta$ makes the excess small at every $x$",
    hypotheses=r"excess $e$ on a set of mass $v \in (0, 1]$, where the continuous $g_j$ stays away from $\tilde{\eta}$, 0 elsewhere but on a set of small mass: mean excess $\delta = v e$. That 'not much larger' is at most $100 \delta$ is ours; no other factor serves, as $v$ can be smaller",
    consequence="proof",
    given=[EXCESS > 0, SHARE > 0, SHARE <= 1, tm.Eq(LOSS, SHARE * EXCESS)],
    evidence="a narrow bump",
    formula=lambda mean, mass: 100 * mean,
    control=lambda mean, mass: mean / mass,
    note=r"The neighbourhood exists, but continuity says nothing of its mass: whatever $\delta > 0$, $g_j = \tilde{\eta} + (1/4) \max(0, 1 - |x - x_0|/w)$ has a mean excess below it for small $w$, and stays $1/4$ off at $x_0$. With a common Lipschitz constant $w$ cannot be small.",
)(lambda largest: {"at x_0": largest(LOSS, SHARE) >= EXCESS, "and no more": largest(LOSS, SHARE) <= EXCESS})


@PAPER.claim(
    "eq. (42) [repaired]",
    r"the excess at $x$ is at least $2(g_j-\tilde{\eta}_j)^2$ (Pinsker), so $E(g_j-\tilde{\eta}_j)^2\le\delta/2$ and $\Pr[|g_j-\tilde{\eta}_j|\ge r]\le\delta/(2r^2)$",
    hypotheses=r"in the relations $u = g_j$, $\eta = \tilde{\eta}_j$. The excess of $u$ over $\tilde{\eta}$ is 0 at $u = \tilde{\eta}$, and the derivative of excess $- c (u - \tilde{\eta})^2$ has the sign of $u - \tilde{\eta}$; $c = 2$ is the largest such $c$, by the second derivative at $u = \tilde{\eta} = 1/2$. Then Markov's inequality, $v$ the probability",
    given=INSIDE,
    formula=tm.Rational(2),
    note="So (45) holds in mean square, at all $x$ but a set of small probability, which is what (20) integrates.",
    repairs="eq. (42)",
)
def pinsker(c: Any) -> Parts:
    excess = cross_entropy(U, ETA) - c * (U - ETA) ** 2
    slope, half = steps.together(steps.diff(excess, U)), tm.Rational(1, 2)
    yield "derivative above eta~", tm.Implies(U > ETA, slope >= 0)
    yield "derivative below eta~", tm.Implies(U < ETA, slope <= 0)
    yield (
        "no larger c, by the curvature at 1/2",
        (steps.diff(cross_entropy(U, ETA), U, 2).at({U: half, ETA: half}), 2 * c),
    )
    yield [R > 0, SHARE >= 0, c * R**2 * SHARE <= LOSS], {"Markov": SHARE <= LOSS / (2 * R**2)}


PAPER.leave_out(
    "eq. (37), (38), (40), step (39b)",
    "(37) defines, (38) restates it, (40) and the last line of (39) minimise over all functions, point by point; (39b) is a heuristic (universal approximation). For (39a), (41) and (42) see their claims",
)

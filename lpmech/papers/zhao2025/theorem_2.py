"""Section 4.2: (24), Theorem 2 and its steps (22) to (28)."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import both, check_identities, check_parts, sharp
from lpmech.mechanisms.unary_encoding import UnaryEncoding
from lpmech.papers.checks import equals, rr_entries, unit
from lpmech.papers.zhao2025.paper import PAPER, ROOTS, K, P, Q, S, shares
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome, Verdict, unclear

ETA, ETA_J, OTHER, BEST, SECOND, DELTA = tm.symbols("eta_c eta_j eta_l eta_best eta_s Delta")
OURS, RIVAL, NEXT, H = tm.symbols("g_c g_best g_l h")
HALF = tm.Rational(1, 2)


def tilted(s: Any, eta: Any) -> Any:
    """(24): P(Z(j) = 1) where P(Y = j) = eta."""
    return 1 / (1 + s) + (s - 1) / (s + 1) * eta


def amplification(s: Any) -> Any:
    """Delta_epsilon / Delta of (21)."""
    return (s + 1) / (s - 1)


RADIUS = amplification(S) * DELTA
GAP = tilted(S, BEST) - tilted(S, ETA)


PAPER.claim(
    "eq. (24)",
    r"$\tilde{\eta}_j=\frac{1}{1+e^{\epsilon/2}}+\frac{e^{\epsilon/2}-1}{e^{\epsilon/2}+1}\eta_j$",
    hypotheses=r"$K$ classes; the classes other than $j$ have $1 - \eta_j$ in total",
    given=[S > 1, *unit(ETA_J)],
    formula=tilted,
)(equals([S, ETA_J], **{"mean of Z(j)": Q * (1 - ETA_J) + P * ETA_J}))


PAPER.claim(
    "Section 4.2 (same argmax)",
    r"$\arg\max_j\tilde{\eta}_j=\arg\max_j\eta_j$: with $g=\tilde{\eta}$ the prediction (16) is optimal",
    hypotheses=r"any two classes; for $\epsilon = 0$ all tilted probabilities are $1/2$",
    uses=["eq. (24)"],
    given=[S > 1, ETA_J >= 0, OTHER >= 0, ETA_J + OTHER <= 1],
    formula=operator.gt,
    mutants={"the order is turned": operator.lt},
)(lambda above: {"keeps and reflects order": tm.Equivalent(ETA_J > OTHER, above(tilted(S, ETA_J), tilted(S, OTHER)))})


@PAPER.claim(
    "eq. (22)",
    r"$c(x)\ne c^*(x)$ happens only if $g_{c(x)}(x)\ge g_{c^*(x)}(x)$",
    hypotheses=r"$c(x)$ is what a scan over the classes leaves, a later score taking over where it is larger, or at least as large: by induction over the classes, $g_c$ the score kept, $g_{\mathrm{best}}$ an earlier "
    "one, $g_l$ the next",
    evidence="one step of the scan; with two classes and ties to the last every such c is chosen",
    formula=lambda ours, rival: ours >= rival,
    note=r"The proof calls every prediction $c \ne c^*$ suboptimal; when two classes tie for $\eta^*$ it has no excess risk by (8).",
)
def eq_22(relation: Any) -> Parts:
    for name, takes_over in each("ties", (("first", NEXT > OURS), ("last", NEXT >= OURS))):
        kept, before = tm.Piecewise((NEXT, takes_over), (OURS, True)), relation(OURS, RIVAL)
        yield f"against an earlier class, ties to the {name}", tm.Implies(before, relation(kept, RIVAL))
        yield f"against the next class, ties to the {name}", tm.Or(takes_over, relation(OURS, NEXT))
        yield f"a new one against the former, ties to the {name}", tm.Implies(takes_over, relation(NEXT, OURS))
    yield "no wider", tm.Implies(relation(OURS, RIVAL), OURS >= RIVAL)


def _near(score: Any) -> list[Any]:
    """Both scores g are within Delta of what they estimate."""
    errors = OURS - score(S, ETA), RIVAL - score(S, BEST)
    return [DELTA >= 0, S > 1, *unit(ETA, BEST), *(side <= DELTA for error in errors for side in (error, -error))]


_NEAR = _near(tilted)
#: Both scores wrong by Delta, towards each other, and equal.
_WORST = tm.And(tm.Eq(OURS, tilted(S, ETA) + DELTA), tm.Eq(RIVAL, tilted(S, BEST) - DELTA), tm.Eq(OURS, RIVAL))


PAPER.claim(
    "eq. (23)",
    r"(22) implies $\tilde{\eta}_{c(x)}\ge\tilde{\eta}^*-2\Delta(x)$",
    hypotheses=r"$g_c \ge g_{\mathrm{best}}$ by (22)",
    given=[*_NEAR, OURS >= RIVAL],
    formula=lambda delta: 2 * delta,
)(lambda slack: sharp(GAP, slack(DELTA), _WORST))


PAPER.claim(
    "eq. (25)",
    r"(23) is equivalent to $\eta_{c(x)}\ge\eta^*-2\Delta_\epsilon(x)$, $\Delta_\epsilon=\frac{e^{\epsilon/2}+1}{e^{\epsilon/2}-1}\Delta$",
    given=[S > 1, DELTA >= 0, *unit(ETA, BEST)],
    formula=amplification,
)(lambda factor: {"(23) iff (25)": tm.Equivalent(GAP <= 2 * DELTA, BEST - 2 * factor(S) * DELTA <= ETA)})


PAPER.claim(
    "eq. (26)",
    r"$c(x)\ne c^*(x)$ can happen only if $\eta^*-\eta_s\le 2\Delta_\epsilon$",
    hypotheses=r"(25); $\eta_c \le \eta_s$ for $c \ne c^*$",
    given=[S > 1, DELTA >= 0, BEST - 2 * RADIUS <= ETA, ETA >= 0, ETA <= SECOND, SECOND <= BEST, BEST + SECOND <= 1],
    formula=lambda radius: 2 * radius,
)(lambda bound: sharp(BEST - SECOND, bound(RADIUS), tm.Eq(BEST - 2 * RADIUS, ETA), tm.Eq(ETA, SECOND)))


@PAPER.claim(
    "Section 4.2 (as Section 1 has it: Delta below the gap)",
    r"'as long as $\Delta(x)$ is smaller than the gap between the largest and second largest one among $\{\eta_1(x),\ldots,\eta_K(x)\}$, the classifier will yield a Bayes optimal prediction'",
    hypotheses=r"$\Delta$ the largest error of $g$ against $\tilde{\eta}$, as in (18), or of the estimated against the true $\eta$, as the sentence before it can be read; $K = 2$, $s = 2$, 3, "
    r"$\eta_1 > 1/2$; both scores moved towards each other by $3/4$, all or half of their distance; a tie goes to class 2",
    consequence="wording",
    headline=3,
    formula=lambda delta, factor, gap: delta < gap,
    note=r"Both scores can be wrong by $\Delta$, in opposite directions, and the bits shrink the gap by $(s - 1)/(s + 1)$: (26) has $2 \Delta_\epsilon$, and nothing rests on this sentence of Section 1. It fails under both readings of $\Delta$.",
    repair=Repair(
        r"it is optimal as long as $2\Delta_\epsilon(x)$ is smaller than the gap; as long as $2\Delta$ is, for the error of estimates of $\eta$ itself",
        hypotheses="any $K$, $s > 1$, ties of $g$ broken either way: for $c(x)$ and $c^*(x)$ alone",
        formula=lambda delta, factor, gap: 2 * factor * delta < gap,
    ),
)
def below_the_gap(enough: Any) -> Outcome:
    scores = {
        r"$\Delta$ of (18)": (tilted, amplification),
        r"$\Delta$ of the estimates of $\eta$": (lambda s, eta: eta, lambda s: 1),
    }
    parts = {text: _optimal_if(enough, *score, text) for text, score in scores.items()}
    found = {text: check_parts(parts[text], replay="two classes") for text in each("reading", parts)}
    fails = [outcome.verdict is Verdict.REFUTED for outcome in found.values()]
    return unclear(found) if all(fails) else both(*found.values())


def _optimal_if(enough: Any, score: Any, factor: Any, text: str) -> Parts:
    """Whether a small enough error of the scores g against score(s, eta) makes the prediction optimal."""
    parts_of_distance = Fraction(3, 4), Fraction(1), Fraction(1, 2)
    for s, first, part in product(
        (Fraction(2), Fraction(3)), (Fraction(1), Fraction(3, 4), Fraction(2, 3)), parts_of_distance
    ):
        high, low = score(s, first), score(s, 1 - first)
        error, gap = part * (high - low), 2 * first - 1
        where = f"K = 2, s = {s}, eta = ({first}, {1 - first}), g = ({high - error}, {low + error})"
        yield not enough(error, factor(s), gap) or f"{where}: Delta = {error}, gap {gap}, prediction 2"
    promised = enough(DELTA, factor(S), BEST - SECOND)
    wrong = [*_near(score), OURS >= RIVAL, ETA <= SECOND, SECOND < BEST]
    yield wrong, {f"a wrong prediction needs more, {text}": tm.Not(promised)}
    worst = tm.Eq(OURS, score(S, ETA) + DELTA), tm.Eq(RIVAL, score(S, BEST) - DELTA), tm.Eq(ETA, SECOND)
    yield [DELTA >= 0, S > 1, SECOND < BEST, *worst], {"and nothing less does": tm.Or(promised, OURS >= RIVAL)}


_CHOSEN = [*_NEAR, SECOND >= 0, SECOND <= BEST, tm.Or(tm.Eq(ETA, BEST), tm.And(OURS >= RIVAL, ETA <= SECOND))]


@PAPER.claim(
    "eq. (27)",
    r"$\eta^*-\eta_{c(x)}\le 2\Delta_\epsilon$ if $\eta^*-\eta_s\le 2\Delta_\epsilon$, else 0",
    hypotheses=r"$c = c^*$, or $c \ne c^*$ with (22) and $\eta_c \le \eta_s$; $c^*$ fixed among tied classes",
    given=_CHOSEN,
    formula=(amplification, operator.le),
)
def eq_27(formula: Any) -> Relations:
    factor, relation = formula
    radius = factor(S) * DELTA
    close = relation(BEST - SECOND, 2 * radius)
    return {
        "first case": tm.Implies(close, 2 * radius >= BEST - ETA),
        "second case": tm.Implies(tm.Not(close), tm.Eq(ETA, BEST)),
        "no wider": tm.Implies(close, BEST <= SECOND + 2 * radius),
        "attained where both scores are wrong by Delta": tm.Implies(_WORST, tm.Eq(2 * radius, BEST - ETA)),
    }


@PAPER.claim(
    "eq. (28) (first line)",
    r"$R-R^*=E[(\eta^*(x)-E[\eta_{c(x)}(x)])f(x)dx]$, 'Recall Proposition 1', which is (8)",
    hypotheses=r"the gap $\eta^* - \eta_c$ is $d$ with probability $p$ of the training sample and else 0, on an interval of length $w$ where the density is $f$, and 0 elsewhere. Integrated or averaged is $(\eta^* - \eta_c) f$",
    consequence="slip",
    readings={
        r"an integral sign is missing, $E$ over the training sample": "proved",
        r"$E$ over $X$, and no $dx$": "refuted",
    },
    formula=lambda gap, density: gap * density,
    mutants={"the density twice": lambda gap, density: gap * density**2},
    note=r"Its second line has the sign. Over $X$ the density counts twice, once in $E$ and once as $f(x)$.",
)
def first_line_of_28(term: Any) -> tuple[Outcome, ...]:
    gap, chance, width, density = tm.symbols("d p w f")
    given = [*unit(chance), gap > 0, width > 0, density > 0, width * density <= 1]
    excess = chance * gap * density * width  # (8)
    integral = chance * term(gap, density) * width + (1 - chance) * term(0, density) * width
    average = term(chance * gap, density) * (density * width)
    return (
        check_identities({"the integral": (integral, excess)}, hypotheses=given),
        check_identities({"the average": (average, excess)}, hypotheses=given),
    )


@PAPER.claim(
    "Theorem 2",
    r"(20): $R-R^*\le\int E[2\Delta_\epsilon 1(\eta^*-\eta_s\le 2\Delta_\epsilon)]f\,dx$; pointwise (27), then (8) and the monotone expectation give (28)",
    hypotheses=r"$c^*$ fixed among tied classes; any model $g$, any $K \ge 2$",
    given=_CHOSEN,
    formula=2,
)
def theorem_2(factor: Any) -> Relations:
    radius = factor * RADIUS
    return {
        "the integrand of (8) is at most that of (20)": tm.Or(
            tm.Eq(ETA, BEST), tm.And(radius >= BEST - SECOND, radius >= BEST - ETA)
        ),
        "attained where both scores are wrong by Delta": tm.Implies(_WORST, tm.Eq(radius, BEST - ETA)),
    }


@PAPER.claim(
    "Theorem 2 (attained)",
    r"(20) is an equality for $K=2$, $g_1=g_2$, $\eta=(1/2+h,1/2-h)$ and a tie broken towards class 2: both sides are $2h$",
    hypotheses="$g = 1/2$ for both classes",
    headline=2,
    given=[S > 1, H > 0, H <= HALF],
    kind="ours",
    formula=lambda s, h: 2 * h,
)
def theorem_2_attained(value: Any) -> Relations:
    error = tilted(S, HALF + H) - HALF
    return {
        "the same error for both": (error, HALF - tilted(S, HALF - H)),
        "2 Delta_epsilon": (2 * amplification(S) * error, value(S, H)),
        "excess": ((HALF + H) - (HALF - H), value(S, H)),
    }


def _training_sets(
    etas: tuple[tuple[Fraction, ...], ...], s: Fraction, count: int
) -> Iterator[tuple[Fraction, list[list[Fraction]]]]:
    """(probability, g) over all training sets of `count` examples: g_j(x) is the mean bit at x, 1/2 without examples."""
    channel = UnaryEncoding(len(etas[0]), s, s).channel()
    laws = [zip(np.array(eta) @ channel.matrix / len(etas), channel.outputs, strict=True) for eta in etas]
    law = [(chance, x, z) for x, released in enumerate(laws) for chance, z in released]
    for examples in product(law, repeat=count):
        model = []
        for x, eta in enumerate(etas):
            bits = zip(*(z for _, where, z in examples if where == x), strict=True)
            model.append([Fraction(sum(column), len(column)) for column in bits] or [Fraction(1, 2)] * len(eta))
        yield prod((chance for chance, _, _ in examples), start=Fraction(1)), model


@PAPER.claim(
    "Theorem 2 (finite distributions)",
    "(20) with every expectation summed: model $=$ mean of the released bits at $x$, all training sets",
    hypotheses=r"ties of $g$ to the last class, of $\eta$ to the first",
    family="one or two feature values of equal mass, K = 2, 3, N = 1, 2 examples, s in {2, 3}; an equality at K = 2 without examples, where g = 1/2, s in {3/2, 2, 3, 10}",
    formula=(2, amplification),
)
def theorem_2_finite(formula: Any) -> Parts:
    multiple, factor = formula
    one = [((eta,), s, n) for s in (Fraction(2), Fraction(3)) for n in (1, 2) for eta in shares(2, 4) + shares(3, 3)]
    two = [((a, b), Fraction(2), 2) for a in shares(2, 3) for b in shares(2, 3)]
    none = [(((v, 1 - v),), s, 0) for s in ROOTS for v in (Fraction(3, 4), Fraction(1))]
    for etas, s, count in [*none, *two, *one]:
        excess = bound = Fraction(0)
        for weight, model in _training_sets(etas, s, count):
            for eta, g in zip(etas, model, strict=True):
                best = eta.index(max(eta))
                second = max(v for j, v in enumerate(eta) if j != best)
                chosen = max(range(len(g)), key=lambda j: (g[j], j))
                error = max(abs(value - tilted(s, e)) for value, e in zip(g, eta, strict=True))
                radius = multiple * factor(s) * error
                excess += weight / len(etas) * (eta[best] - eta[chosen])
                bound += weight / len(etas) * (radius if eta[best] - second <= radius else 0)
        shown = "; ".join("(" + ", ".join(map(str, eta)) + ")" for eta in etas)
        where = f"eta = {shown}, s = {s}, N = {count}: excess risk, bound"
        yield Instance(where, excess, "<=" if count else "==", bound)


@PAPER.claim(
    "Section 6 (better convergence)",
    r"'compared with existing scalar approximation methods ... our method has better theoretical convergence properties': the factor of (21) is smaller than $\frac{e^\epsilon+K-1}{e^\epsilon-1}$, that of randomized response in Theorem 2",
    hypotheses=r"read for every $K$ and $\epsilon$, by the factor (both ours), at the same error $\Delta$. Theorem 2 needs of the released label only that its law is $a + b \eta$, $b > 0$, as (24): it divides $\Delta$ by $b$",
    uses=["Theorem 2"],
    given=[S > 1, K >= 2, *unit(ETA_J)],
    consequence="bound",
    formula=lambda s, k: tm.TRUE,
    repair=Repair(r"it is smaller iff $K>2e^{\epsilon/2}+2$", formula=lambda s, k: k > 2 * s + 2),
    note=r"The paper does not carry this out. (34) bounds both errors alike, and the Lipschitz term of (33) becomes $L r_0$ in both. For $K = 10$ randomized response has the smaller factor once $e^{\epsilon/2} > 4$ (in Table 2 at $\epsilon = 3$ and 4: 1.524 against 1.574 at 3), for $K = 100$ once "
    r"$e^{\epsilon/2} > 49$. Its bits at wrong classes also vary less for large $K$, which (34) does not see.",
)
def better_convergence(condition: Any) -> Relations:
    high, low = rr_entries(S**2, K)
    factor = (S**2 + K - 1) / (S**2 - 1)
    return {
        "(24) for randomized response": (low * (1 - ETA_J) + high * ETA_J, low + ETA_J / factor),
        "the vector has the smaller factor": tm.Equivalent(condition(S, K), amplification(S) < factor),
    }


PAPER.leave_out(
    "Section 4.2 ('the excess error will not grow significantly with K')",
    "a qualitative reading of Theorem 2; 'App. C.1 (accuracy at fixed k)' has the gap 1 for every $K$ and an excess that grows, the experiments are Figs. 2 to 4",
)

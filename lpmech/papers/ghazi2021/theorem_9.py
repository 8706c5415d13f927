"""App. F.1 and F.2: LP-RR-SGD (Theorem 9, Cor. 10) and LP-Normal-SGD (Prop. 11), each inequality with its constant."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from flint import arb

from lpmech import Channel, PrivacyLevel
from lpmech.linear_algebra import inverse
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.ghazi2021.paper import PAPER, T
from lpmech.verdicts import Outcome

#: Number of labels, epsilon, Lipschitz constant, diameter.
SIZE, EPSILON, L, D = sp.symbols("K epsilon L D")
#: Gradient at the true label and the sum over the others.
OWN, REST = sp.symbols("g_y R")


def debiased_mean(t: Any, k: Any, own: Any, rest: Any, weight: Any) -> Any:
    """E of (7) over RR: own and rest are the gradient at y and the sum of the others, `weight` that of the mean."""
    released = (t * own + rest) / (t + k - 1)
    return (t + k - 1) / (t - 1) * (released - weight * (own + rest))


@PAPER.claim(
    "eq. (7) (unbiased)",
    r"E_{\tilde y_t}[\hat g_t]=\nabla_w\ell(w_t,(x_t,y_t))",
    hypotheses="K >= 1 labels; g_y the gradient at the true label, R the sum of the other K - 1",
    formula=lambda t, k: ((t + k - 1) / (t - 1), 1 / (t + k - 1)),
    mutants={
        "factor (t + K)/(t - 1)": lambda t, k: ((t + k) / (t - 1), 1 / (t + k - 1)),
        "mean 1/K": lambda t, k: ((t + k - 1) / (t - 1), 1 / k),
        "factor 1": lambda t, k: (sp.Integer(1), 1 / (t + k - 1)),
    },
)
def unbiased(constants: Any) -> Outcome:
    factor, weight = constants(T, SIZE)
    released = (T * OWN + REST) / (T + SIZE - 1)
    return check_identities(
        {"mean": (factor * (released - weight * (OWN + REST)), OWN)},
        "identity in t, K, g_y, R",
        hypotheses=[T > 1, SIZE >= 1],
    )


@PAPER.claim(
    "Theorem 9 (privacy)",
    r"LP-RR-SGD is \varepsilon-LabelDP: the ratio of the laws of \hat g_t for two labels is at most e^\varepsilon, as that of RR",
    hypotheses="every label is released once, by RR, and all later steps are post-processing",
    formula=lambda t: t,
    mutants={"(1 + t)/2": lambda t: (1 + t) / 2, "1": lambda t: sp.Integer(1)},
    note="The proof refers to a Q_t that is not defined.",
)
def privacy(allowed: Any) -> Outcome:
    high, low = T / (T + SIZE - 1), 1 / (T + SIZE - 1)
    return check_implications(
        [T > 1, SIZE >= 1], {"ratio": high <= allowed(T) * low, "the other way": low <= allowed(T) * high}, "all t, K"
    )


@PAPER.claim(
    "Theorem 9 (factor of the gradient)",
    r"\frac{e^\varepsilon+K-1}{e^\varepsilon-1}\le\frac{2K}{\varepsilon}, for 0<\varepsilon\le K",
    hypotheses="t >= 1 + epsilon (e^x >= 1 + x); the text uses epsilon <= 1, K >= 2",
    formula=lambda k, epsilon: 2 * k / epsilon,
    mutants={"K/epsilon": lambda k, epsilon: k / epsilon, "2/epsilon": lambda k, epsilon: 2 / epsilon},
)
def factor(bound: Any) -> Outcome:
    return check_implications(
        [EPSILON > 0, EPSILON <= SIZE, SIZE >= 1, T >= 1 + EPSILON],
        {"bound": bound(SIZE, EPSILON) >= (T + SIZE - 1) / (T - 1)},
        "for all t >= 1 + epsilon",
    )


@PAPER.claim(
    "Theorem 9 (split of the error)",
    r"E\|\hat g-\nabla\|^2\le 2E\|\hat g\|^2+2\|\nabla\|^2",
    hypotheses="coordinate by coordinate, all real a, b: (a - b)^2 <= 2 a^2 + 2 b^2",
    formula=(2, 2),
    mutants={"1 and 1": (1, 1), "2 and 1": (2, 1)},
)
def split(constants: Any) -> Outcome:
    a, b = sp.symbols("a b")
    first, second = constants
    return check_implications([], {"squares": (a - b) ** 2 <= first * a**2 + second * b**2}, "for all real a, b")


@PAPER.claim(
    "Theorem 9 (norm of the centred gradient)",
    r"\|g_t-\sum_k\nabla_k/(e^\varepsilon+K-1)\|\le 2L, so that the first term is at most 2(2K/\varepsilon)^2(2L)^2=32K^2L^2/\varepsilon^2",
    hypotheses="t > 1, epsilon > 0; norms n <= L of the released gradient and m <= K L of the sum; triangle inequality",
    formula=(2, 32),
    mutants={"L in place of 2L": (1, 8), "16 K^2 L^2": (2, 16)},
)
def centred_norm(constants: Any) -> Outcome:
    radius, constant = constants
    n, m = sp.symbols("n m")
    norm = check_implications(
        [T > 1, SIZE >= 1, L >= 0, n >= 0, m >= 0, n <= L, m <= SIZE * L],
        {"norm": n + m / (T + SIZE - 1) <= radius * L},
        "for all t, K, L",
    )
    value = check_identities(
        {"32": (2 * (2 * SIZE / EPSILON) ** 2 * (radius * L) ** 2, constant * SIZE**2 * L**2 / EPSILON**2)},
        "arithmetic",
        hypotheses=[EPSILON > 0, SIZE >= 1, L >= 0],
    )
    return both(value, norm)


@PAPER.claim(
    "Theorem 9 (variance, 36)",
    r"32K^2L^2/\varepsilon^2+2L^2\le 36K^2L^2/\varepsilon^2, for 0<\varepsilon\le 1, K\ge 2",
    hypotheses="epsilon <= sqrt(2) K would do",
    formula=36,
    mutants={"32": 32, "32 + 1/4": sp.Rational(129, 4)},
)
def variance(constant: Any) -> Outcome:
    return check_implications(
        [EPSILON > 0, EPSILON <= 1, SIZE >= 2, L > 0],
        {"sum": constant * SIZE**2 * L**2 / EPSILON**2 >= 32 * SIZE**2 * L**2 / EPSILON**2 + 2 * L**2},
        "for all epsilon <= 1, K >= 2",
    )


@PAPER.claim(
    "Theorem 9 (gradient moment)",
    r"E\|\hat g_t\|^2\le 36K^2L^2/\varepsilon^2=G^2, what Shamir and Zhang's theorem asks for; in fact at most 16K^2L^2/\varepsilon^2",
    hypotheses="E||g^||^2 = ((t+K-1)/(t-1))^2 E||centred||^2 with the two bounds above",
    formula=16,
    mutants={"4": 4, "8": 8},
    note="The proof bounds the variance E||g^ - grad||^2 by G^2 and uses it as second moment, which adds ||grad||^2 <= L^2; the bound here needs no such step.",
)
def moment(constant: Any) -> Outcome:
    f, c = sp.symbols("f c")
    return check_implications(
        [EPSILON > 0, EPSILON <= SIZE, SIZE >= 1, L > 0, f >= 0, c >= 0, f <= 2 * SIZE / EPSILON, c <= 2 * L],
        {
            "moment": f**2 * c**2 <= constant * SIZE**2 * L**2 / EPSILON**2,
            "G^2": constant * SIZE**2 * L**2 / EPSILON**2 <= 36 * SIZE**2 * L**2 / EPSILON**2,
        },
        "f = (t+K-1)/(t-1), c = norm of the centred gradient",
    )


@PAPER.claim(
    "Theorem 9 (step size and rate)",
    r"\eta_t=D/(G\sqrt t)=\frac{D\varepsilon}{6KL\sqrt t}, and DG\log n/\sqrt n=6DLK\log n/(\varepsilon\sqrt n)",
    hypotheses="t > 0; G = 6 K L/epsilon, the root of 36 K^2 L^2/epsilon^2",
    formula=6,
    mutants={"36": 36, "4": 4},
)
def step_size(constant: int) -> Outcome:
    k, epsilon, l, d, t, n = sp.symbols("K epsilon L D tau n")
    G, rate = 6 * k * l / epsilon, sp.log(n) / sp.sqrt(n)
    return check_identities(
        {
            "step": (d / (G * sp.sqrt(t)), d * epsilon / (constant * k * l * sp.sqrt(t))),
            "rate": (d * G * rate, constant * d * l * k / epsilon * rate),
        },
        "identities",
        points=[{d: 1, epsilon: 1, k: 2, l: 1, t: 1, n: 3}],
        hypotheses=[k >= 1, epsilon > 0, l > 0, d > 0, t > 0, n >= 1],
    )


EPS, N, LOG = sp.symbols("epsilon n log_n")


def _ratio_of_bounds(lower: Any, ratio: Any) -> Outcome:
    """The bound of Theorem 9 over a lower bound, given over D L."""
    known = [SIZE >= 1, EPS > 0, L > 0, D > 0, N >= 1, LOG > 0]
    upper = D * L * SIZE * LOG / (EPS * sp.sqrt(N))
    return check_identities(
        {"ratio": (upper / (D * L * lower), ratio(SIZE, EPS, LOG))},
        "identity",
        [{SIZE: 2, EPS: sp.Rational(1, 4), LOG: 1, N: 3, D: 1, L: 1}],
        known,
    )


@PAPER.claim(
    "Theorem 9 (tightness)",
    r"upper bound over the lower bound DL/\sqrt{\varepsilon n} is K\log n/\sqrt\varepsilon",
    hypotheses="K, D, L, epsilon, n, log n > 0, K, n >= 1; ratio of DLK log n/(epsilon sqrt n) and DL/sqrt(epsilon n); logarithms in 1/epsilon of the lower bound left out",
    formula=lambda k, epsilon, log: k * log / sp.sqrt(epsilon),
    mutants={"K log n/epsilon": lambda k, epsilon, log: k * log / epsilon},
)
def tightness(ratio: Any) -> Outcome:
    return _ratio_of_bounds(1 / sp.sqrt(EPS * N), ratio)


@PAPER.claim(
    "Theorem 9 (tightness without privacy)",
    r"upper bound over the non-private lower bound DL/\sqrt n is K\log n/\varepsilon",
    hypotheses="K, D, L, epsilon, n, log n > 0, K, n >= 1; ratio of DLK log n/(epsilon sqrt n) and DL/sqrt(n)",
    formula=lambda k, epsilon, log: k * log / epsilon,
    mutants={
        "K log n": lambda k, epsilon, log: k * log,
        "K log n/sqrt(epsilon)": lambda k, epsilon, log: k * log / sp.sqrt(epsilon),
    },
    note="At n = 1 the printed upper bound is zero, because log(1) is; it is read for n >= 2.",
)
def tightness_without_privacy(ratio: Any) -> Outcome:
    return _ratio_of_bounds(1 / sp.sqrt(N), ratio)


@PAPER.claim(
    "Section 6 (tight bound)",
    r"'our bound is tight up to polylogarithmic factors and the dependency on the number of classes K'",
    hypotheses="epsilon, D, L, log n > 0, K, n >= 1; DLK log n/(epsilon sqrt n) over the best lower bound of the paper, DL/sqrt(epsilon n). The formula is that ratio",
    consequence="bound",
    headline=6,
    recorded="refuted",
    formula=lambda k, epsilon, log: k * log,
    mutants={
        "K log n/epsilon": lambda k, epsilon, log: k * log / epsilon,
        "K^2 (log n)^2": lambda k, epsilon, log: k**2 * log**2,
    },
    note="The factor 1/sqrt(epsilon) is no power of a logarithm and exceeds every one as epsilon falls: at epsilon = 1/10000 the bounds are a factor of 100 K log n apart. "
    "In D, L and n the sentence is right, and App. F.1 has the factor.",
    repair=Repair(
        r"it is tight up to K\log n/\sqrt\varepsilon (App. F.1)",
        hypotheses="epsilon, D, L, log n > 0, K, n >= 1; the ratio of the two bounds, logarithms in 1/epsilon of the lower bound left out",
        formula=lambda k, epsilon, log: k * log / sp.sqrt(epsilon),
        mutants={
            "K log n": lambda k, epsilon, log: k * log,
            "K log n/epsilon": lambda k, epsilon, log: k * log / epsilon,
        },
    ),
)
def section_6_tight(ratio: Any) -> Outcome:
    return _ratio_of_bounds(1 / sp.sqrt(EPS * N), ratio)


# -- Corollary 10 ----------------------------------------------------------------------------------------


@PAPER.claim(
    "Cor. 10 (algorithm)",
    r"\xi followed by RR on Y_k^x is RRTop-k: \varepsilon-LabelDP",
    hypotheses="xi keeps labels of Y_k and draws the others uniformly from Y_k, which RR keeps uniform; replayed for two priors on K = 3, 4 labels, every k, t in {11/10, 2, 5}",
    formula=lambda k: [Fraction(1, k)] * k,
    mutants={
        "others become the most likely label": lambda k: [1] + [0] * (k - 1),
        "or the least likely of the k": lambda k: [0] * (k - 1) + [1],
    },
)
def top_k(share: Any) -> Outcome:
    priors = [
        (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
        (Fraction(2, 5), Fraction(3, 10), Fraction(1, 5), Fraction(1, 10)),
    ]

    def failure(case: tuple[tuple[Fraction, ...], int, Fraction]) -> str | None:
        prior, k, t = case
        level, n = PrivacyLevel.from_ratio(t), len(prior)
        rest = share(k)
        xi = Channel([[int(i == j) for j in range(k)] if i < k else rest for i in range(n)])
        made = xi.then(randomized_response(k, level))
        wanted = rr_top_k(list(prior), k, level)
        columns = [wanted.outputs.index(j) for j in range(k)]
        same = bool((made.matrix == wanted.matrix[:, columns]).all())
        return None if same else f"k = {k}, K = {n}, t = {t}: another channel"

    levels = (Fraction(11, 10), Fraction(2), Fraction(5))
    family = [(p, k, t) for p in priors for k in range(1, len(p) + 1) for t in levels]
    k = sp.Symbol("k")
    high, low = T / (T + k - 1), 1 / (T + k - 1)
    uniform = check_identities(
        {"uniform stays uniform": (high / k + (k - 1) * low / k, 1 / k)}, "all t, k", hypotheses=[T > 1, k >= 1]
    )
    return replayed(uniform, check_family(family, failure, "all these k, t"))


@PAPER.claim(
    "Cor. 10 (constants for k = 1)",
    r"Theorem 9 may be used with k labels: 32k^2L^2/\varepsilon^2+2L^2\le 36k^2L^2/\varepsilon^2 for k=1 too, where its proof has K\ge 2",
    hypotheses="k >= 1",
    given=[EPSILON > 0, EPSILON <= 1, SIZE >= 1, L > 0],
    evidence="for all epsilon <= 1, k >= 1",
    formula=36,
    mutants={"32": 32, "33": 33},
    note="34 would do. For k = 1 nothing is released but the label of Y_1, and the gradient is known without error.",
)
def one_label(constant: Any) -> Relations:
    return {"sum": constant * SIZE**2 * L**2 / EPSILON**2 >= 32 * SIZE**2 * L**2 / EPSILON**2 + 2 * L**2}


_LOSSES = sp.symbols("l_1 l_2 m_1 m_2")


@PAPER.claim(
    "eq. (9)",
    r"|(L(w_1,P)-L(w_2,P))-(L(w_1,P')-L(w_2,P'))|\le 2DL\Pr[y\notin Y_k^x]",
    hypotheses="mass q >= 0 outside Y_k, D, L >= 0; there |l(w_1,z) - l(w_2,z)| <= DL at z = (x,y) and at z = xi(x,y); inside both integrands are equal",
    formula=2,
    mutants={"DL": 1, "DL/2": sp.Rational(1, 2)},
)
def eq_9(constant: Any) -> Outcome:
    q = sp.Symbol("q")
    a, b, c, d = _LOSSES
    difference = q * ((a - b) - (c - d))
    bound = constant * D * L * q
    return check_implications(
        [q >= 0, D >= 0, L >= 0, a - b <= D * L, b - a <= D * L, c - d <= D * L, d - c <= D * L],
        {"upper": difference <= bound, "lower": -difference <= bound},
        "for all losses",
    )


@PAPER.claim(
    "eq. (10)",
    r"L(\hat w,P)-L(w_P^*,P)\le L(\hat w,P')-L(w_{P'}^*,P')+2DL\Pr[y\notin Y_k^x], by (9) and L(w_{P'}^*,P')\le L(w_P^*,P')",
    hypotheses="w_P'^* minimises the risk under P'",
    formula=sp.Le,
    mutants={"equality": sp.Eq, "strictly": sp.Lt},
)
def eq_10(relation: Any) -> Outcome:
    ours, best, ours_p, best_p, least, slack = sp.symbols("L_w L_best M_w M_best M_least h")
    return check_implications(
        [slack >= 0, (ours - best) - (ours_p - best_p) <= slack, least <= best_p],
        {"(10)": relation(ours - best, ours_p - least + slack)},
        "for all risks",
    )


# -- Proposition 11 --------------------------------------------------------------------------------------


@PAPER.claim(
    "Prop. 11 (sensitivity)",
    r"\|\nabla_w\ell(w,(x,k))-\nabla_w\ell(w,(x,k'))\|\le 2L",
    hypotheses="both norms at most L; attained by opposite gradients",
    formula=2,
    mutants={"L": 1, "sqrt(2) L, orthogonal gradients": sp.Rational(7, 5)},
    note="The text quantifies over k, k' in [n]; [K] is meant.",
)
def sensitivity(constant: Any) -> Outcome:
    a, b = sp.symbols("a b")  # the norms; the triangle inequality gives a + b
    return check_implications(
        [L >= 0, a >= 0, b >= 0, a <= L, b <= L], {"norm": a + b <= constant * L}, "triangle inequality"
    )


def _projection_trace(vectors: tuple[tuple[int, ...], ...]) -> Fraction | None:
    """Trace of the orthogonal projection onto the span of linearly independent rows; None if they are dependent."""
    import numpy as np

    rows = np.array([[Fraction(v) for v in row] for row in vectors], dtype=object)
    try:
        projection = rows.T @ inverse(rows @ rows.T) @ rows
    except ZeroDivisionError:
        return None
    return Fraction(projection.trace())


@PAPER.claim(
    "Prop. 11 (noise)",
    r"E\|b_t\|^2\le K\sigma^2: it is \sigma^2 times the dimension of L_t, the trace of the projection",
    hypotheses="any number of gradients in R^p: one more adds a unit vector u to an orthonormal basis of the span, or nothing; the trace of u u^T is "
    "the sum of its squares, 1. Replayed on 1 or 2 linearly independent gradients with entries -1, 0, 1 in R^3",
    formula=lambda k, p: k,
    mutants={"p, the full space": lambda k, p: p, "K - 1": lambda k, p: k - 1},
)
def noise(dimension: Any) -> Outcome:
    def failure(vectors: tuple[tuple[int, ...], ...]) -> str | None:
        trace = _projection_trace(vectors)
        fine = trace is None or trace == dimension(len(vectors), 3)
        return None if fine else f"gradients {vectors}: E||b||^2 = {trace} sigma^2, not {dimension(len(vectors), 3)}"

    k, p, trace, head, rest = sp.symbols("k p d u_1 U")  # the first coordinate of a vector, the squares of the others
    unit = check_identities(
        {"trace": (head**2 / (head**2 + rest) + rest / (head**2 + rest), 1)},
        "trace of u u^T",
        hypotheses=[rest >= 0, head**2 + rest > 0],
    )
    spanned = check_implications(
        [k >= 0, p >= 0, trace <= dimension(k, p)],
        {
            "no gradient": sp.Eq(dimension(0, p), 0),
            "one more, in the span": trace <= dimension(k + 1, p),
            "one more, outside": trace + 1 <= dimension(k + 1, p),
            "attained": sp.Eq(dimension(k + 1, p), dimension(k, p) + 1),
        },
        "induction over the gradients",
    )
    rows = list(product((-1, 0, 1), repeat=3))
    family = [(v,) for v in rows] + list(product(rows, repeat=2))
    return replayed(both(spanned, unit), check_family(family, failure, "all such gradients"))


@PAPER.claim(
    "Prop. 11 (moment and step size)",
    r"E\|\nabla+b_t\|^2=\|\nabla\|^2+E\|b_t\|^2\le L^2+K\sigma^2=G^2 and \eta_t=D/(G\sqrt t)",
    hypotheses="E b_t = 0, so that the mixed term 2<grad, E b> vanishes; n = ||grad||^2 <= L^2, v = E||b||^2 <= K sigma^2",
    formula=lambda l, k, sigma: l**2 + k * sigma**2,
    mutants={
        "larger of the two": lambda l, k, sigma: sp.Max(l**2, k * sigma**2),
        "K without sigma": lambda l, k, sigma: l**2 + k,
    },
)
def moment_11(square: Any) -> Outcome:
    n, v, sigma = sp.symbols("n v sigma")
    return check_implications(
        [SIZE >= 1, n >= 0, v >= 0, n <= L**2, v <= SIZE * sigma**2],
        {"moment": n + v <= square(L, SIZE, sigma)},
        "for all L, K, sigma",
    )


@PAPER.claim(
    "App. F.2 (factor sqrt K)",
    r"LP-Normal-SGD 'improves upon the excess risk bound of Theorem 9 by a factor of \sqrt K'",
    hypotheses="K, D, L, epsilon, n, log n, log(1/delta) > 0; delta fixed: the ratio of the two bounds is sqrt(K/log(1/delta))",
    formula=lambda k, log: sp.sqrt(k / log),
    mutants={"K": lambda k, log: k / sp.sqrt(log), "sqrt(K log(1/delta))": lambda k, log: sp.sqrt(k * log)},
    note="As a function of K the factor is sqrt(K); for delta <= e^-K the bound of Theorem 9 is the smaller one.",
)
def factor_of_11(ratio: Any) -> Outcome:
    k, epsilon, l, d, n, log_n, log = sp.symbols("K epsilon L D n log_n x")
    theorem_9 = d * l * k * log_n / (epsilon * sp.sqrt(n))
    proposition_11 = d * l * sp.sqrt(k * log) * log_n / (epsilon * sp.sqrt(n))
    return check_identities(
        {"ratio": (theorem_9 / proposition_11, ratio(k, log))},
        "identity",
        [{k: 4, log: 4, epsilon: 1, l: 1, d: 1, n: 4, log_n: 1}],
        [k >= 1, epsilon > 0, l > 0, d > 0, n >= 1, log_n > 0, log > 0],
    )


def needed_delta(epsilon: arb, shift: arb) -> arb:
    """The delta of Gaussian noise: Phi(m/2 - e/m) - e^e Phi(-m/2 - e/m), m = shift / sigma (Balle and Wang)."""

    def normal(x: arb) -> arb:
        return (-x / arb(2).sqrt()).erfc() / 2

    return normal(shift / 2 - epsilon / shift) - epsilon.exp() * normal(-shift / 2 - epsilon / shift)


#: Constants C with a delta near 1 that each of them misses at epsilon = 1/2.
_MISSED = [(c, 1 - Fraction(1, 128 * c * c)) for c in (4, 16, 64)]


@PAPER.claim(
    "Prop. 11 (privacy for every delta)",
    r"there is a constant C>0 such that for any \varepsilon,\delta\in(0,1) \sigma=CL\sqrt{\log(1/\delta)}/\varepsilon gives (\varepsilon,\delta)-LabelDP",
    hypotheses="as printed, delta up to 1; opposite gradients of norm L = 1, epsilon = 1/2, the exact delta of Gaussian noise; C = 4, 16, 64 (smaller C fail there too)",
    consequence="privacy",
    headline=2,
    recorded="refuted",
    formula=lambda delta: (1 / delta).log(),
    control=lambda delta: (2 / delta).log(),
    mutants={"half the logarithm": lambda delta: (1 / delta).log() / 2},
    note="Every other C fails as well, and Alg. 6 itself with its projection: see 'Prop. 11 (delta near 1, every C)'. By hand, at C = 4 and "
    "delta = 1 - 1/2048: 1 - delta' <= exp(epsilon/2 - m^2/8) with m = 2L/sigma, where m^2/8 is about 16.",
)
def privacy_11(log_term: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        c, delta = case
        d, epsilon = arb(delta.numerator) / delta.denominator, arb(1) / 2
        spent = needed_delta(epsilon, 2 * epsilon / (c * log_term(d).sqrt()))
        return (
            None
            if spent <= d
            else f"C = {c}, L = 1, epsilon = 1/2, delta = {delta}: needs {spent.str(12, radius=False)}"
        )

    return check_family(_MISSED, failure, "C = 4, 16, 64", "ball arithmetic (arb)")


@PAPER.claim(
    "Prop. 11 (delta near 1, every C)",
    r"whatever C\ge 1 is, with \sigma=CL\sqrt{\log(1/\delta)}/\varepsilon Alg. 6 is not (\varepsilon,\delta)-LabelDP at \varepsilon=1/2, "
    r"\delta=1-1/(256C^4)",
    hypotheses="W = [-D/2, D/2], w_1 = 0, n = 1, losses L w and -L w; the event w_2 > 0 has probability Phi(L/sigma) or Phi(-L/sigma). y = C^2, h = 1 - delta, z = (L/sigma)^2/2 = 1/(8 y ln(1/delta)); ln(1/delta) <= h/(1 - h), Phi(-x) <= exp(-x^2/2)/2 for x >= 0, exp(z) >= z^3/6, (1 + e^(1/2))/2 < 3/2",
    formula=lambda y: 1 / (256 * y**2),
    mutants={"1/(256 C^2)": lambda y: 1 / (256 * y), "1/2": lambda y: sp.Rational(1, 2) + 0 * y},
    note="Not in the paper; it makes the refutation of 'there is a constant C' complete. Smaller C have less noise, and fail with C = 1.",
)
def no_constant_11(gap: Any) -> Outcome:
    y, z = sp.symbols("y z")
    h = gap(y)
    return check_implications(
        [y >= 1, z >= (1 - h) / (8 * y * h)],
        {
            "0 < h < 1": sp.And(h > 0, h < 1),
            "(1 + e^epsilon) Phi(-L/sigma) < 1 - delta": sp.And(z > 0, h * z**3 / 6 > sp.Rational(3, 2)),
        },
        "Phi(L/sigma) - e^epsilon Phi(-L/sigma) > delta, for every C",
    )


@PAPER.claim(
    "Prop. 11 (privacy for delta <= 1/2)",
    r"\sigma=CL\sqrt{\log(1/\delta)}/\varepsilon with C^2=8(1+\ln(5/4)/\ln 2), C=3.26, gives (\varepsilon,\delta)-LabelDP for \varepsilon<1, \delta\le 1/2",
    hypotheses="x = ln(1/delta) >= c = ln 2, h = ln(5/4); quoted: sensitivity 2L and sigma >= 2L sqrt(2 ln(1.25/delta))/epsilon suffice; replayed with the exact delta on 12 pairs",
    formula=lambda h, c: 8 * (1 + h / c),
    mutants={"C^2 = 8": lambda h, c: 8 + 0 * h, "C^2 = 2, sensitivity L": lambda h, c: 2 * (1 + h / c)},
    repairs="Prop. 11 (privacy for every delta)",
)
def privacy_11_repaired(square: Any) -> Outcome:
    x, h, c = sp.symbols("x h c")
    proof = check_implications(
        [h > 0, c > 0, x >= c], {"C sqrt(ln(1/delta))": 8 * (x + h) <= square(h, c) * x}, "for all delta <= 1/2"
    )

    def failure(case: tuple[str, str]) -> str | None:
        epsilon, delta = map(arb, case)
        sigma = (square((arb(5) / 4).log(), arb(2).log()) * (1 / delta).log()).sqrt() / epsilon
        spent = needed_delta(epsilon, 2 / sigma)
        return None if spent <= delta else f"epsilon = {case[0]}, delta = {case[1]}: needs {spent.str(6, radius=False)}"

    pairs = list(product(("0.1", "0.5", "0.99"), ("0.5", "0.1", "0.001", "0.00001")))
    return replayed(proof, check_family(pairs, failure, "12 pairs (epsilon, delta)", "ball arithmetic (arb)"))


@PAPER.claim(
    "Prop. 11 (rate for every delta)",
    r"for any \delta\in(0,1): O(DG\log n/\sqrt n)\le O(DL\sqrt{K\log(1/\delta)}\log n/(\varepsilon\sqrt n)), G^2=L^2+K\sigma^2, with one constant",
    hypotheses="as printed, delta up to 1; L = epsilon = 1, K = 2; A the square of the constant, at least C^2 + 1, which serves in 'Prop. 11 (rate)'; "
    "x = ln(1/delta), here 1/(4A) or the least x admitted",
    consequence="bound",
    recorded="refuted",
    formula=sp.Integer(0),
    control=sp.Rational(1, 2),
    mutants={"x >= 1/1000": sp.Rational(1, 1000)},
    note="G >= L, while the bound tends to 0 as delta -> 1: at x = 1/(4A) its square is A K x = 1/2, whatever A is. Without privacy the excess "
    "risk is of the order DL/sqrt(n) already, so no analysis of SGD can repair it.",
)
def rate_11_every_delta(least: Any) -> Outcome:
    a, c = sp.symbols("A C")
    x = sp.Max(least, 1 / (4 * a))
    return check_implications(
        [c > 0, a >= c**2 + 1],
        {f"1 + 2 C^2 x <= 2 A x at x = max({least}, 1/(4A))": 1 + 2 * c**2 * x <= 2 * a * x},
        "for every constant",
    )


@PAPER.claim(
    "Prop. 11 (rate)",
    r"G=\sqrt{L^2+K\sigma^2}\le\sqrt{C^2+1}\,L\sqrt{K\log(1/\delta)}/\varepsilon",
    hypotheses="x = ln(1/delta) >= 1/2 (delta <= 0.6), K >= 2, 0 < epsilon <= 1; the last step of the proof, squared",
    formula=lambda c: c**2 + 1,
    mutants={"C^2": lambda c: c**2, "1": lambda c: sp.Integer(1)},
    note="Not for every delta in (0,1): see 'Prop. 11 (rate for every delta)'. The proposition prints the risk on S; Alg. 6 receives samples of P "
    "and no S is defined there, so the risk on P is read, which is what the quoted theorem bounds.",
    repairs="Prop. 11 (rate for every delta)",
)
def rate_11(square: Any) -> Outcome:
    x, c = sp.symbols("x C")
    sigma2 = c**2 * L**2 * x / EPSILON**2
    return check_implications(
        [x >= sp.Rational(1, 2), SIZE >= 2, EPSILON > 0, EPSILON <= 1, L > 0, c > 0],
        {"G^2": L**2 + SIZE * sigma2 <= square(c) * L**2 * SIZE * x / EPSILON**2},
        "for all K, epsilon, L, C",
    )


PAPER.leave_out("Theorem 5, Cor. 6", "informal versions of Theorem 9 and Cor. 10, which are checked")
PAPER.leave_out("eq. (6) and Shamir and Zhang's Theorem 2", "results of other papers, quoted")

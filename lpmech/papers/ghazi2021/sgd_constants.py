"""App. F.1 with its constants: the exact variance of (7), Theorem 9 and Cor. 10 as wholes, where LabelDP is easier."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb

from lpmech import PrivacyLevel
from lpmech.applications.learning.sgd_formulas import debiased, excess_risk_bound, rr_moment, theorem_9_moment
from lpmech.claims import Parts, Relations
from lpmech.claims.checking import check_reals, iff, sharp
from lpmech.entries import Array
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.ghazi2021.paper import PAPER, T
from lpmech.terms import functions as tm

SIZE, OWN, REST, SQUARES = tm.symbols("K n r Q")
LOG, N, D, L, EPSILON, RISK, BASE, OURS, THEIRS, ROOT, W = tm.symbols("l n D L epsilon q b e m s w")


def worst_gradients(size: int, t: float) -> Array:
    """Unit vectors in R^3, the first that of the true label: t g_y + sum of the others is as short as it can be."""
    back = min(1.0, t / (size - 1))
    angles = 2 * math.pi * np.arange(size - 1) / (size - 1)
    side = math.sqrt(1 - back * back)
    others = np.column_stack([np.full(size - 1, -back), side * np.cos(angles), side * np.sin(angles)])
    return np.vstack([[1.0, 0.0, 0.0], others])


@PAPER.claim(
    "Theorem 9 (variance, sharp)",
    r"$E\|\hat{g}_t-\nabla\|^2\le c^2 L^2$, $c=\frac{e^\epsilon+K-1}{e^\epsilon-1}$, where the paper has $36K^2 L^2/\epsilon^2$; attained iff $e^\epsilon\le K-1$, and for $e^\epsilon\ge K-1$ the largest value is $\frac{4e^\epsilon(K-1)}{(e^\epsilon-1)^2}L^2$",
    hypotheses=r"$K$ a whole number, $L = 1$; $\hat g = c(\tilde g_y - \text{mean})$ has the variance $c^2 (E\|\tilde{g}_y\|^2 - \|E \tilde{g}_y\|^2)$, $w E\|\tilde{g}_y\|^2 = t n^2 + Q$, $w \|E \tilde{g}_y\| \ge t n - r$, $w = t + K - 1$, $n = \|g_y\| \le 1$, $Q \le K - 1$ the squares and $r \le K - 1$ the length of the "
    r"sum of the others. Attained in $R^3$: $t g_y +$ sum of the others $= 0$ where $t \le K - 1$, all others opposite where $t \ge K - 1$",
    given=[T > 1, SIZE >= 2, OWN >= 0, OWN <= 1, REST >= 0, REST <= SIZE - 1, SQUARES >= 0, SQUARES <= SIZE - 1],
    replay="`debiased` for K = 2..6, t = 3/2, 2, 3, 5, those gradients and randomized response, floating point to 1e-9",
    kind="ours",
    formula=(lambda t, k: ((t + k - 1) / (t - 1)) ** 2, lambda t, k: 4 * t * (k - 1) / (t - 1) ** 2),
    note=r"At $K = 10$, $\epsilon = 1$: $46.5 L^2$ against $3{,}600 L^2$. For two labels it is $4t/(t-1)^2$ at every $\epsilon$, $1/\sinh^2(\epsilon/2)$, always below $c^2$.",
)
def exact_variance(values: Any) -> Parts:
    flat, steep = values
    for size, t in product(range(2, 7), map(Fraction, ("3/2", "2", "3", "5"))):
        level = PrivacyLevel.from_ratio(t)
        gradients = worst_gradients(size, float(t))
        law = np.asarray(randomized_response(size, level).matrix[0], dtype=float)
        got = float(law @ ((debiased(gradients, level) - gradients[0]) ** 2).sum(axis=1))
        claimed = float((flat if t <= size - 1 else steep)(t, size))
        good = abs(got - claimed) <= 1e-9 * claimed and got <= rr_moment(size, level, 1.0) ** 2
        yield good or f"K = {size}, t = {t}: variance {got:.6f} L^2, claimed {claimed:.6f}"
    total, second, first = T + SIZE - 1, T * OWN**2 + SQUARES, T * OWN - REST
    yield "at most, t <= K - 1", tm.Implies(T <= SIZE - 1, second / total <= flat(T, SIZE) * (T - 1) ** 2 / total**2)
    most, beyond = steep(T, SIZE) * (T - 1) ** 2, T >= SIZE - 1
    yield "at most, t >= K - 1", tm.Implies(tm.And(beyond, first >= 0), total * second - first**2 <= most)
    yield "at most, t n <= r", tm.Implies(tm.And(beyond, first <= 0), total * second <= most)


@PAPER.claim(
    "Theorem 9 (as a whole)",
    r"LP-RR-SGD with $\eta_t=\frac{D\epsilon}{6KL\sqrt{t}}$ has $E[L(\hat{w},P)]-L(w^*,P)\le\frac{12D L K(2+\ln n)}{\epsilon\sqrt{n}}\le\frac{47D L K\ln n}{\epsilon\sqrt{n}}$",
    hypotheses=r"$0 < \epsilon \le K$, $n \ge 2$; privacy by 'Theorem 9 (privacy)', an unbiased gradient by 'eq. (7) (unbiased)' with second moment at most $G^2$, $G = 6KL/\epsilon$, by 'Theorem 9 (gradient moment)'; quoted: Shamir and Zhang's theorem, $2DG(2 + \ln n)/\sqrt{n}$ for the last iterate; $l = \ln n$, the common factor $1/\sqrt{n}$ left out",
    given=[LOG >= tm.Rational(69, 100), SIZE >= 1, EPSILON > 0, D > 0, L > 0],
    replay="`excess_risk_bound` and `theorem_9_moment` for n = 2, 10, 1000, K = 2, 10, epsilon = 1/10, 1, floating point to 1e-12",
    formula=(12, 47),
    uses=["Theorem 9 (privacy)", "eq. (7) (unbiased)", "Theorem 9 (gradient moment)"],
    note=r"At $n = 1$ $\ln n$ is 0 and the printed bound with it; the $O$ of the text is read for $n \ge 2$. With $G = 2L(t+K-1)/(t-1) \le 4KL/\epsilon$ and its step size 8 in place of 12 will do.",
)
def theorem_9(constants: Any) -> Parts:
    first, second = constants
    for n, size, epsilon in product((2, 10, 1000), (2, 10), (0.1, 1.0)):
        got = excess_risk_bound(2.0, theorem_9_moment(size, epsilon, 3.0), n)
        claimed = first * 2 * 3 * size * (2 + math.log(n)) / (epsilon * math.sqrt(n))
        same = math.isclose(got, claimed, rel_tol=1e-12)
        yield same or f"n = {n}, K = {size}, epsilon = {epsilon}: {got} against {claimed}"
    scale = D * L * SIZE / EPSILON
    yield "2 D G (2 + ln n)", (2 * D * (6 * SIZE * L / EPSILON) * (2 + LOG), first * scale * (2 + LOG))
    yield "ln n >= ln 2", first * scale * (2 + LOG) <= second * scale * LOG
    log_2 = arb(2).log()
    at_two = {
        "0.69 <= ln 2": (arb(69) / 100, log_2),
        f"{second - 1} ln n, {first} (2 + ln n) at n = 2: {second - 1} is too small": (
            (second - 1) * log_2,
            first * (2 + log_2),
        ),
    }
    yield check_reals(at_two, "n >= 2")


@PAPER.claim(
    "Cor. 10 (8) (as a whole)",
    r"(8) with constants: $E[L(\hat{w},P)]-\min_w L(w,P)\le DL(\frac{47k\ln n}{\epsilon\sqrt{n}}+2\Pr[y\notin Y_k^x])$",
    hypotheses=r"$0 < \epsilon \le 1$, $k \ge 1$, $n \ge 2$; Theorem 9 as a whole for $P'$ with $k$ labels, (9) and (10); $b = k \ln n/(\epsilon \sqrt{n}) \ge 0$, $q = \Pr[y\notin Y_k]$; $m$ the excess risk under $P'$, $e$ that under $P$; 2 is what (9) gives, attained there",
    given=[BASE >= 0, RISK >= 0, D > 0, L > 0, THEIRS <= 47 * D * L * BASE, OURS <= THEIRS + 2 * D * L * RISK],
    formula=(47, 2),
    uses=["Theorem 9 (as a whole)", "eq. (9)", "eq. (10)", "Cor. 10 (algorithm)"],
    note=r"$\xi$ and randomized response on $Y_k$ together are RRTop-k ('Cor. 10 (algorithm)'), so this is a bound for training on its labels.",
)
def corollary_10(constants: Any) -> Relations:
    rate, mass = constants
    both_equal = tm.Eq(THEIRS, 47 * D * L * BASE), tm.Eq(OURS, THEIRS + 2 * D * L * RISK)
    return sharp(OURS, rate * D * L * BASE + mass * D * L * RISK, *both_equal)


@PAPER.claim(
    "Abstract (provably easier)",
    r"'LabelDP is provably easier than protecting both the inputs and labels': Theorem 9's bound is below the lower bound for $(\epsilon,\delta)$-DP of inputs and labels iff $p>nK^2\log^2 n$, $p$ the dimension; for pure $\epsilon$-DP iff $p>K\sqrt{n}\log n$",
    hypotheses=r"lower bounds of Bassily et al., quoted: $DL \max(1/\sqrt{n}, \min(1, \sqrt{p}/(\epsilon n)))$ and with $p$ for $\sqrt{p}$, constants and their logarithms left out; $l = \log n$, $s = \sqrt{n}$; $K l < \epsilon s$, else Theorem 9 says nothing ($DL$ is trivial); $w = \sqrt{p}$",
    given=[EPSILON > 0, EPSILON <= 1, SIZE >= 2, LOG >= 1, ROOT >= 1, W >= 1, SIZE * LOG < EPSILON * ROOT],
    formula=(lambda p, s, k, l: p > s**2 * k**2 * l**2, lambda p, s, k, l: p > k * s * l),
    note=r"So what is shown is a separation in high dimension only: for $p \le n$ the known bounds are even the other way round, as DP of both needs no more than $1/\sqrt{n} + \sqrt{p}/(\epsilon n)$ up to logarithms (Bassily et al., 2019). With LP-Normal-SGD (Prop. 11) $K^2$ becomes $K \log(1/\delta)$.",
)
def easier(conditions: Any) -> Parts:
    upper = SIZE * LOG / (EPSILON * ROOT)
    approximate, pure = conditions
    for name, condition, power in (("approximate", approximate, W), ("pure", pure, W**2)):
        below = upper < tm.Max(1 / ROOT, tm.Min(1, power / (EPSILON * ROOT**2)))
        yield from iff(condition(W**2, ROOT, SIZE, LOG), below, "below", name).items()

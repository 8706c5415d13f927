"""App. F.1: the variance of the debiased gradient, sharp, and where the bound of Theorem 5 beats ordinary DP."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import sympy as sp

from lpmech.applications.learning.convex import debiased, rr_variance
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.ghazi2021.paper import PAPER, T
from lpmech.verdicts import Outcome

SIZE, OWN, REST, SQUARES, A, S = sp.symbols("K g_y R Q a s")

#: (t, gradients at the K labels, the true one first): the worst ones for this t.
WORST = [
    (1.2, [(1, 0), (-0.6, 0.8), (-0.6, -0.8)]),
    (2.0, [(1, 0), (-1, 0), (-1, 0)]),
    (3.0, [(1, 0), (-1, 0), (-1, 0)]),
    (1.5, [(1,), (-1,)]),
    (20.0, [(1,), (-1,)]),
    (2.4, [(0, 1), (0.8, -0.6), (-0.8, -0.6), (0.8, -0.6), (-0.8, -0.6)]),
]


@PAPER.claim(
    "Theorem 9 (variance, sharp)",
    r"E\|\hat g_t-\nabla\|^2\le L^2\frac{(e^\varepsilon+K-1)^2-\max(e^\varepsilon-K+1,0)^2}{(e^\varepsilon-1)^2}, and this is attained: c^2L^2, c=\frac{e^\varepsilon+K-1}{e^\varepsilon-1}, for e^\varepsilon\le K-1, and \frac{4e^\varepsilon(K-1)L^2}{(e^\varepsilon-1)^2} beyond; Theorem 9 has 36K^2L^2/\varepsilon^2",
    hypotheses="t > 1, K >= 2, L = 1; a <= 1 the norm of the gradient at the true label, s <= K - 1 that of the sum R of the others, whose squared norms sum to Q <= K - 1; coordinate by coordinate for the identity. The function replayed on the worst gradients, floats to 1e-12",
    formula=rr_variance,
    mutants={
        "c^2 L^2 for every t": lambda t, k, l: l**2 * ((t + k - 1) / (t - 1)) ** 2,
        "4 t (K - 1)/(t - 1)^2 for every t": lambda t, k, l: 4 * t * (k - 1) * l**2 / (t - 1) ** 2,
        "half of it": lambda t, k, l: rr_variance(t, k, l) / 2,
        "K in place of K - 1": lambda t, k, l: rr_variance(t, k + 1, l),
    },
    note="A released gradient is c times one of the K gradients less a constant, so its variance is c^2 times theirs, at most c^2 L^2 less the squared norm of their mean; that can vanish iff t <= K - 1. At epsilon = 1, K = 10 "
    "the paper's constant is 3600 L^2, c^2 = 46.5; for K = 2 it is 144 against 3.68. c is at most 2K/epsilon, 'Theorem 9 (factor of the gradient)', so 4K^2 L^2/epsilon^2 would do.",
)
def sharp_variance(bound: Any) -> Outcome:
    mass = T + SIZE - 1
    factor, mean = mass / (T - 1), (OWN + REST) / mass
    shift = factor * mean + OWN  # what is taken from factor times the released coordinate
    expected = (
        T * (factor * OWN - shift) ** 2 + factor**2 * SQUARES - 2 * factor * shift * REST + (SIZE - 1) * shift**2
    ) / mass
    given = [T > 1, SIZE >= 2]
    identity = check_identities(
        {
            "one coordinate": (
                expected,
                factor**2 * ((T * OWN**2 + SQUARES) / mass - ((T * OWN + REST) / mass) ** 2),
            )
        },
        "the error is c^2 times the variance of the released gradient",
        hypotheses=given,
    )
    worst = bound(T, SIZE, 1)
    value = factor**2 * ((T * A**2 + SIZE - 1) / mass - ((T * A - S) / mass) ** 2)
    upper = check_implications(
        [*given, A >= 0, A <= 1, S >= 0, S <= SIZE - 1], {"at most": value <= worst}, "all norms of the gradients"
    )
    attained = check_implications(
        given,
        {
            "s = t": sp.Implies(T <= SIZE - 1, sp.Eq(value.subs({A: 1, S: T}), worst)),
            "s = K - 1": sp.Implies(T >= SIZE - 1, sp.Eq(value.subs({A: 1, S: SIZE - 1}), worst)),
        },
        "and attained",
    )

    def failure(case: Any) -> str | None:
        t, gradients = case
        table = np.array(gradients, dtype=float)
        k = len(table)
        errors = ((debiased(table, math.log(t)) - table[0]) ** 2).sum(axis=1)
        mean = float(np.average(errors, weights=[t] + [1.0] * (k - 1)))
        stated = float(bound(t, k, 1.0))
        return (
            None
            if math.isclose(mean, stated, rel_tol=1e-12)
            else f"t = {t}, gradients {gradients}: {mean} against {stated}"
        )

    return replayed(
        both(identity, both(upper, attained)), check_family(WORST, failure, "worst gradients, floats to 1e-12")
    )


N, P, EPS, LOG = sp.symbols("n p epsilon log_n")


@PAPER.claim(
    "Abstract (provably easier)",
    r"'LabelDP is provably easier than protecting both the inputs and labels': the bound K\log n/(\varepsilon\sqrt n) of Theorem 5 is below the lower bound \sqrt p/(\varepsilon n) of (\varepsilon,\delta)-DP iff the dimension p exceeds nK^2\log^2n",
    hypotheses="stochastic convex optimisation, section 6 and App. F; the hidden constants of both bounds taken as one, over D L; K >= 2, 0 < epsilon <= 1, n >= 2, log n > 0, p > 0. The formula: for which dimensions",
    formula=lambda n, k, log_n: n * k**2 * log_n**2,
    mutants={
        "p > n": lambda n, k, log_n: n,
        "without the logarithm": lambda n, k, log_n: n * k**2,
        "p > K^2 log^2 n": lambda n, k, log_n: k**2 * log_n**2,
    },
    note="What is shown is that the dimension is not needed, not that label privacy is easier at every dimension. On CIFAR-10, n = 50000 and K = 10, n K^2 log^2 n is 585 million; ResNet18 has about 11 million weights (and no convex loss).",
)
def provably_easier(least: Any) -> Outcome:
    upper, lower = SIZE * LOG / (EPS * sp.sqrt(N)), sp.sqrt(P) / (EPS * N)
    known = [SIZE >= 2, EPS > 0, EPS <= 1, N >= 2, LOG > 0, P > 0]
    stated = P > least(N, SIZE, LOG)
    return check_implications(
        known,
        {"p large => below": sp.Implies(stated, upper < lower), "below => p large": sp.Implies(upper < lower, stated)},
        "both bounds with constant one",
    )

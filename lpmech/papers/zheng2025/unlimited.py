"""What bounds utility, and what does not: the number of classes, epsilon, the printed rho in many dimensions (Section 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import isclose
from typing import Any

import numpy as np
import sympy as sp

from lpmech import PrivacyLevel
from lpmech.applications.robustness import Box, rho, rho_as_stated
from lpmech.mechanisms import PM, randomized_response
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.zheng2025.paper import PAPER
from lpmech.programs.general import optimal_channel
from lpmech.verdicts import Outcome

S, HIGHER, LEFT, X, LENGTH = sp.symbols("s S a x L")


def _pm(s: Fraction | int) -> PM:
    return PM(PrivacyLevel.from_ratio(s * s))


def _concentration(length: Any, s: Any) -> Any:
    """PM's mass on an interval of that length that lies in its window, or contains it."""
    return sp.Min(length * s, 1 - (1 - length) / s)


@PAPER.claim(
    "Section 7.2.1 (utility increases with epsilon)",
    r"under PM the concentration on a ball increases with \epsilon, for every x and \theta",
    hypotheses="1 < s = e^(epsilon/2) < S, 0 < L <= 1 the length of the ball within [0, 1]: a ball around x lies in the window or contains it ('Section 4.1.1 (piecewise, ball inside [0, 1])'; with one end cut off 0 < x <= C and theta >= x), so it has min(L s, 1 - (1 - L)/s). "
    "Replayed on PM for x = 0, 0.05, ..., 0.5, theta = 0.05, 0.2, 0.45, s = 1.2, 2, 5, to 1e-12",

    formula=_concentration,
    mutants={
        "in the window only": lambda length, s: length * s,
        "outside only": lambda length, s: 1 - (1 - length) / s,
        "the larger": lambda length, s: sp.Max(length * s, 1 - (1 - length) / s),
    },
    note="Of rho on a hyperrectangle it is not true: 'Section 7.2.1 (utility falls with epsilon)'.",
)  # fmt: skip
def ball_increases(mass: Any) -> Outcome:
    more = check_implications(
        [S > 1, HIGHER > S, LENGTH > 0, LENGTH <= 1],
        {"no less": mass(LENGTH, S) <= mass(LENGTH, HIGHER), "strictly, below length 1": sp.Implies(LENGTH < 1, mass(LENGTH, S) < mass(LENGTH, HIGHER))},
        "each branch increases",
    )  # fmt: skip
    c = 1 / (2 * (S + 1))
    theta = sp.Symbol("theta")
    cut = check_implications(
        [S > 1, X >= 0, X <= c, theta >= 0],
        {
            "inside the window, or containing it": sp.Or(sp.And(X >= theta, X + theta <= 2 * c), X <= theta),
        },
        "x within C of an end",
    )

    def failure(case: tuple[int, float, Fraction]) -> str | None:
        i, theta, s = case
        x = i / 20
        length = min(x + theta, 1.0) - max(x - theta, 0.0)
        got, claimed = float(_pm(s).concentration(x, theta)), float(mass(length, float(s)))
        return (
            None
            if isclose(got, claimed, abs_tol=1e-12)
            else f"x = {x}, theta = {theta}, s = {s}: mass {got}, claimed {claimed}"
        )

    family = product(range(11), (0.05, 0.2, 0.45), (Fraction(6, 5), Fraction(2), Fraction(5)))
    return replayed(both(more, cut), check_family(family, failure, "balls", "floating point"))


@PAPER.claim(
    "Section 7.2.1 (utility falls with epsilon)",
    r"'both utilities increase with \epsilon' is no law: for x\le 1/4 and the box [a,1], 0<a<x, rho of PM is 1-a e^{\epsilon/2}, which falls, for every \epsilon up to 2\ln(1/(2x)-1)",
    hypotheses="0 < a < x <= 1/(2 (S + 1)), 1 < s < S = e^(epsilon/2): the window starts at 0 and has length 1/(s + 1) >= 2x > a, so what is lost is the mass a s of [0, a]. Replayed on lpmech's rho for x = 0.1, 0.2, a = 0.05, 0.09, s = 1.1, 1.4, 4, where x allows it",

    formula=lambda a, s: 1 - a * s,
    mutants={"constant": lambda a, s: 1 - a, "rises": lambda a, s: 1 - a / s, "twice": lambda a, s: 1 - 2 * a * s},
    note="At x = 0.1 with the box [0.05, 1] PM guarantees 0.95 as epsilon -> 0 and 0.80 at epsilon = 2.77: the more privacy is given up, the more mass the window moves next to the true value, on the wrong side of the boundary too. The records of Figs. 6 and 7 do not show it. "
    "So the least epsilon for a utility requirement (Application 2) need not be where the curve first crosses.",
)  # fmt: skip
def box_falls(value: Any) -> Outcome:
    c = 1 / (2 * (HIGHER + 1))
    hypotheses = [S > 1, HIGHER > S, LEFT > 0, X > LEFT, X <= c]
    window = check_implications(
        hypotheses,
        {
            "the window starts at 0": X <= 1 / (2 * (S + 1)),
            "and reaches beyond a": 1 / (S + 1) > LEFT,
            "the mass of the box": sp.Eq(value(LEFT, S), (1 / (S + 1) - LEFT) * S + (1 - 1 / (S + 1)) / S),
            "falls": value(LEFT, HIGHER) < value(LEFT, S),
        },
        "the window at the end of the interval",
    )

    def failure(case: tuple[float, float, Fraction]) -> str | None:
        x, a, s = case
        got, claimed = rho([_pm(s)], [x], Box(np.array([a]), np.array([1.0]))), float(value(a, float(s)))
        return (
            None
            if isclose(got, claimed, abs_tol=1e-12)
            else f"x = {x}, box [{a}, 1], s = {s}: rho {got}, claimed {claimed}"
        )

    family = (
        case
        for case in product((0.1, 0.2), (0.05, 0.09), (Fraction(11, 10), Fraction(7, 5), Fraction(4)))
        if case[0] <= 0.5 / (case[2] + 1)
    )
    return replayed(window, check_family(family, failure, "boxes", "floating point"))


MASS = sp.Symbol("g")  # (s / (s + 1))^d, the mass of the window cube


@PAPER.claim(
    "Section 4.3 (lower bound, d dimensions)",
    r"in every dimension d the printed (1-\omega)(1-\tau)\Pr[\mathcal M^d(x)\in B] is no bound: at x=(1/2,...,1/2), \theta=1/2 the class may be preserved with probability d/(s+1) only, s=e^{\epsilon/2}",
    hypotheses="PM in every dimension, s > 1, whole d >= 1, (s + 1)^d >= 1/tau: the cube of the windows, side 1/(s + 1), is at most a tau fraction of [0, 1]^d and is given another class; it has mass (s/(s+1))^d >= 1 - d/(s+1) (by induction), while the printed rho is (1 - omega)(1 - tau). "
    "Replayed on PM.mass and rho_as_stated for d = 1, 2, 5, 20 and the least s = 2^k allowed with d/(s+1) <= 1/4, omega = 1/20, tau = 1/100",

    formula=lambda d, s: d / (s + 1),
    mutants={
        "1/(s + 1)": lambda d, s: 1 / (s + 1),
        "d/(s + 1)^2": lambda d, s: d / (s + 1) ** 2,
        "1/(d (s + 1))": lambda d, s: 1 / (d * (s + 1)),
    },
    note="The printed value stays at 0.9405 while the true one tends to 0 as epsilon grows. At d = 2, epsilon = 6 (per dimension) the class is preserved with 0.0926. "
    "The repair holds in d dimensions: a tau fraction has at most tau |B| max p = tau (2 theta s)^d.",
)  # fmt: skip
def many_dimensions(utility: Any) -> Outcome:
    single = sp.Symbol("n")
    first = check_identities({"d = 1": (1 - S / (S + 1), utility(sp.Integer(1), S))}, "start", hypotheses=[S > 1])
    step = check_implications(
        [S > 1, single >= 1, MASS >= 0, MASS <= 1, 1 - MASS <= utility(single, S)],
        {"d + 1": 1 - MASS * S / (S + 1) <= utility(single + 1, S)},
        "induction on d: Bernoulli's inequality",
    )
    window = check_identities(
        {"mass of one window": (sp.Integer(1) / (S + 1) * S, S / (S + 1))}, "length times density", hypotheses=[S > 1]
    )

    def failure(case: tuple[int, int]) -> str | None:
        d, s = case
        mechanism = _pm(s)
        low, high = (float(end) for end in mechanism.window(0.5))
        share, kept = (high - low) ** d, 1 - float(mechanism.mass(low, high, 0.5)) ** d
        stated = rho_as_stated([mechanism] * d, [0.5] * d, Box(np.zeros(d), np.ones(d)), omega=0.05, tau=0.01)
        good = (
            share <= 0.01 and kept <= float(utility(d, Fraction(s))) + 1e-12 and float(utility(d, Fraction(s))) < stated
        )
        return (
            None
            if good
            else f"d = {d}, s = {s}: share {share:.2g}, preserved {kept:.4f}, claimed {float(utility(d, Fraction(s))):.4f}, printed {stated:.4f}"
        )

    def family() -> Iterator[tuple[int, int]]:
        for d in (1, 2, 5, 20):
            yield d, next(2**k for k in range(1, 20) if (2**k + 1) ** d >= 100 and 4 * d <= 2**k + 1)

    return replayed(
        both(both(first, step), window), check_family(family(), failure, "four dimensions", "floating point")
    )


K, E, DIAGONAL = sp.symbols("K E D")


@PAPER.claim(
    "Section 4.3 (label bound)",
    r"a classifier with K classes, all taken, preserves some class with probability at most E/(E+K-1), E=e^{d\epsilon} the level of all features together, whatever mechanism and classifier; with K-RR on its classes it reaches it",
    hypotheses="E > 1, K >= 2; one input of every class, Q_ij = Pr[h(M(x_i)) = j], an E-LDP channel as post-processing of M; Q_jj <= E Q_ij summed over i != j and then over j: (K - 1) D <= E (K - D), D the sum of the Q_jj, K times their least or mean. "
    "Replayed: exact optimum of the program for K = 2, 3, 4, E = 2, 4, 20, and the library's K-RR",

    formula=lambda e, k: e / (e + k - 1),
    mutants={
        "E/K": lambda e, k: e / k,
        "E/(E + K)": lambda e, k: e / (e + k),
        "with K - 2": lambda e, k: e / (e + k - 2),
        "two classes": lambda e, k: e / (e + k**0),
    },
    note="So rho_wor and, with classes of equal weight, rho_avg cannot pass it. For two features at epsilon = 1 each and two classes 0.881; the ten digits with 49 pixels at epsilon = 1/10 each have at most 0.937.",
)  # fmt: skip
def label_bound(bound: Any) -> Outcome:
    each = [K >= 2, E > 1, DIAGONAL >= 0, DIAGONAL <= K, (K - 1) * DIAGONAL <= E * (K - DIAGONAL)]
    above = check_implications(each, {"the mean": bound(E, K) * K >= DIAGONAL}, "summed")
    low = 1 / (E + K - 1)
    reached = check_implications(
        [K >= 2, E > 1],
        {"K-RR": sp.Eq(bound(E, K), E * low), "a row": sp.Eq(E * low + (K - 1) * low, 1)},
        "attained",
    )

    def failure(case: tuple[int, int]) -> str | None:
        k, e = case
        level = PrivacyLevel.from_ratio(e)
        identity = [[int(i == j) for j in range(k)] for i in range(k)]
        best = optimal_channel(identity, level).solve("exact").value
        own = min(randomized_response(k, level).matrix.diagonal())
        claimed = Fraction(bound(Fraction(e), k))
        return None if best == own == claimed else f"K = {k}, E = {e}: optimum {best}, K-RR {own}, claimed {claimed}"

    return replayed(both(above, reached), check_family(product((2, 3, 4), (2, 4, 20)), failure, "exact programs"))

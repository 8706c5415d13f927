"""What bounds utility, and what does not: the number of classes, epsilon, the printed rho in many dimensions (Section 4.3)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isclose
from typing import Any

import numpy as np
import sympy as sp

from lpmech import PrivacyLevel
from lpmech.applications.robustness import Box, rho_as_stated
from lpmech.claims import Parts, Relations
from lpmech.claims.checking import check_implications
from lpmech.mechanisms import PM, randomized_response
from lpmech.papers.zheng2025.paper import PAPER, THETA, two_densities
from lpmech.programs.general import optimal_channel

S, HIGHER, LEFT, X, LENGTH, K, E, DIAGONAL = sp.symbols("s S a x L K E D")
#: (s / (s + 1))^d, the mass of the window cube, and the dimension.
MASS, DIMENSIONS = sp.symbols("g n")
HALF_WINDOW = 1 / (2 * (S + 1))


def _pm(s: Fraction | int) -> PM:
    return PM(PrivacyLevel.from_ratio(s * s))


@PAPER.claim(
    "Section 7.2.1 (utility increases with epsilon)",
    r"under PM the concentration on a ball increases with \epsilon, for every x and \theta",
    hypotheses="s = e^(epsilon/2) < S, L the length of the ball within [0, 1]: a ball around x lies in the window or contains it ('Section 4.1.1 (piecewise, ball inside [0, 1])'; with one end cut off 0 < x <= C and theta >= x), so it has min(L s, 1 - (1 - L)/s)",
    given=[S > 1, HIGHER > S, LENGTH > 0, LENGTH <= 1],
    evidence="each branch increases",
    replay="PM for x = 0, 0.05, ..., 0.5, theta = 0.05, 0.2, 0.45, s = 1.2, 2, 5, to 1e-12",
    formula=lambda length, s: sp.Min(length * s, 1 - (1 - length) / s),
    mutants={"in the window only": lambda length, s: length * s},
    note="Of rho on a hyperrectangle it is not true: 'Section 7.2.1 (utility falls with epsilon)'.",
)
def ball_increases(mass: Any) -> Parts:
    for i, theta, s in product(range(11), (0.05, 0.2, 0.45), (Fraction(6, 5), Fraction(2), Fraction(5))):
        x = i / 20
        length = min(x + theta, 1.0) - max(x - theta, 0.0)
        got, claimed = float(_pm(s).concentration(x, theta)), float(mass(length, float(s)))
        where = f"x = {x}, theta = {theta}, s = {s}"
        yield isclose(got, claimed, abs_tol=1e-12) or f"{where}: mass {got}, claimed {claimed}"
    less, more = mass(LENGTH, S), mass(LENGTH, HIGHER)
    yield "no less", less <= more
    yield "strictly, below length 1", sp.Implies(LENGTH < 1, less < more)
    inside = sp.Or(sp.And(X >= THETA, X + THETA <= 2 * HALF_WINDOW), X <= THETA)
    cut_off = [S > 1, X >= 0, X <= HALF_WINDOW, THETA >= 0]
    yield check_implications(cut_off, {"inside the window, or containing it": inside}, "x within C of an end")


@PAPER.claim(
    "Section 7.2.1 (utility falls with epsilon)",
    r"'both utilities increase with \epsilon' is no law: for x\le 1/4 and the box [a,1], 0<a<x, rho of PM is 1-a e^{\epsilon/2}, which falls, for every \epsilon up to 2\ln(1/(2x)-1)",
    hypotheses="s < S = e^(epsilon/2): the window starts at 0 and has length 1/(s + 1) >= 2x > a, so what is lost is the mass a s of [0, a]",
    given=[S > 1, HIGHER > S, LEFT > 0, X > LEFT, X <= HALF_WINDOW.subs(S, HIGHER)],
    evidence="the window at the end of the interval",
    formula=lambda a, s: 1 - a * s,
    uses=["Section 5.1 (the functions)"],
    note="At x = 0.1 with the box [0.05, 1] PM guarantees 0.95 as epsilon -> 0 and 0.80 at epsilon = 2.77: the more privacy is given up, the more mass the window moves next to the true value, on the wrong side of the boundary too. The records of Figs. 6 and 7 do not show it. "
    "So the least epsilon for a utility requirement (Application 2) need not be where the curve first crosses.",
)
def box_falls(value: Any) -> Relations:
    return {
        "the window starts at 0": X <= HALF_WINDOW,
        "and reaches beyond a": 1 / (S + 1) > LEFT,
        "the mass of the box": sp.Eq(value(LEFT, S), two_densities(1 / (S + 1) - LEFT, 1 - LEFT, S, S**2)),
        "falls": value(LEFT, HIGHER) < value(LEFT, S),
    }


@PAPER.claim(
    "Section 4.3 (lower bound, d dimensions)",
    r"in every dimension d the printed (1-\omega)(1-\tau)\Pr[\mathcal M^d(x)\in B] is no bound: at x=(1/2,...,1/2), \theta=1/2 the class may be preserved with probability d/(s+1) only, s=e^{\epsilon/2}",
    hypotheses="PM in every dimension, whole d, (s + 1)^d >= 1/tau: the cube of the windows, side 1/(s + 1), is at most a tau fraction of [0, 1]^d and is given another class; it has mass (s/(s+1))^d >= 1 - d/(s+1) (by induction), while the printed rho is (1 - omega)(1 - tau)",
    given=[S > 1, DIMENSIONS >= 1, MASS >= 0, MASS <= 1],
    evidence="induction on d: Bernoulli's inequality",
    replay="PM.mass and rho_as_stated for d = 1, 2, 5, 20 and the least s = 2^k allowed with d/(s+1) <= 1/4, omega = 1/20, tau = 1/100",
    formula=lambda d, s: d / (s + 1),
    note="The printed value stays at 0.9405 while the true one tends to 0 as epsilon grows. At d = 2, epsilon = 6 (per dimension) the class is preserved with 0.0926. "
    "The repair holds in d dimensions: a tau fraction has at most tau |B| max p = tau (2 theta s)^d.",
)
def many_dimensions(utility: Any) -> Parts:
    for d in (1, 2, 5, 20):
        s = next(2**k for k in range(1, 20) if (2**k + 1) ** d >= 100 and 4 * d <= 2**k + 1)
        mechanism, claimed = _pm(s), float(utility(d, Fraction(s)))
        low, high = (float(end) for end in mechanism.window(0.5))
        share, kept = (high - low) ** d, 1 - float(mechanism.mass(low, high, 0.5)) ** d
        stated = rho_as_stated([mechanism] * d, [0.5] * d, Box(np.zeros(d), np.ones(d)), omega=0.05, tau=0.01)
        where = f"d = {d}, s = {s}: share {share:.2g}, preserved {kept:.4f}"
        good = share <= 0.01 and kept <= claimed + 1e-12 and claimed < stated
        yield good or f"{where}, claimed {claimed:.4f}, printed {stated:.4f}"
    yield "d = 1", (1 - S / (S + 1), utility(sp.Integer(1), S))
    step = 1 - MASS * S / (S + 1) <= utility(DIMENSIONS + 1, S)
    yield "d + 1", sp.Implies(1 - MASS <= utility(DIMENSIONS, S), step)
    yield "mass of one window", (sp.Integer(1) / (S + 1) * S, S / (S + 1))


@PAPER.claim(
    "Section 4.3 (label bound)",
    r"a classifier with K classes, all taken, preserves some class with probability at most E/(E+K-1), E=e^{d\epsilon} the level of all features together, whatever mechanism and classifier; with K-RR on its classes it reaches it",
    hypotheses="one input of every class, Q_ij = Pr[h(M(x_i)) = j], an E-LDP channel as post-processing of M; Q_jj <= E Q_ij summed over i != j and then over j: (K - 1) D <= E (K - D), D the sum of the Q_jj, K times their least or mean",
    given=[K >= 2, E > 1],
    evidence="attained",
    replay="exact optimum of the program for K = 2, 3, 4, E = 2, 4, 20, and the library's K-RR",
    formula=lambda e, k: e / (e + k - 1),
    note="So rho_wor and, with classes of equal weight, rho_avg cannot pass it. For two features at epsilon = 1 each and two classes 0.881; the ten digits with 49 pixels at epsilon = 1/10 each have at most 0.937.",
)
def label_bound(bound: Any) -> Parts:
    for k, e in product((2, 3, 4), (2, 4, 20)):
        level = PrivacyLevel.from_ratio(e)
        best = optimal_channel([[int(i == j) for j in range(k)] for i in range(k)], level).solve("exact").value
        own, claimed = min(randomized_response(k, level).matrix.diagonal()), Fraction(bound(Fraction(e), k))
        yield best == own == claimed or f"K = {k}, E = {e}: optimum {best}, K-RR {own}, claimed {claimed}"
    low = 1 / (E + K - 1)
    yield "K-RR", sp.Eq(bound(E, K), E * low)
    yield "a row", sp.Eq(E * low + (K - 1) * low, 1)
    summed = [K >= 2, E > 1, DIAGONAL >= 0, DIAGONAL <= K, (K - 1) * DIAGONAL <= E * (K - DIAGONAL)]
    yield check_implications(summed, {"the mean": bound(E, K) * K >= DIAGONAL}, "summed")

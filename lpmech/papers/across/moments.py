"""Bias and expected errors of the mechanisms for numbers of [-c, c], against integrals in closed form and exact sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from flint import arb

from lpmech.claims import Parts
from lpmech.claims.checking import sharp
from lpmech.mechanisms.moments import average_error, bias, expected_error
from lpmech.mechanisms.perturbation import PERTURBATIONS, leaf_sensitivity
from lpmech.papers.across.paper import PAPER
from lpmech.papers.zheng2025.balls import ball
from lpmech.privacy import PrivacyLevel

_C = 2
_TRUE = tuple(map(Fraction, ("-2", "-1/2", "1/4", "3/2", "2")))
#: The difference, its absolute value and its square; and their integrals from 0.
_OF: tuple[Callable[[Any], Any], ...] = (lambda d: d, abs, lambda d: d * d)
_OVER: tuple[Callable[[Any], Any], ...] = (lambda d: d * d / 2, lambda d: d * abs(d) / 2, lambda d: d**3 / 3)


def _laplace(e: Any, x: Any) -> list[Any]:
    b = 2 * _C / e
    return [arb(0), b, 2 * b * b]


def _clipped(e: Any, x: Any) -> list[Any]:
    b = 2 * _C / e
    below, above = (-(x + _C) / b).exp(), (-(_C - x) / b).exp()  # half of each falls outside
    square = 2 * b * b - b * (b + x + _C) * below - b * (b + _C - x) * above
    return [b / 2 * (below - above), b / 2 * (2 - below - above), square]


def _pm(e: Any, x: Any) -> list[Any]:
    """Wang et al. 2019: no bias, the variance x^2 / (s - 1) + (s + 3) / (3 (s - 1)^2) on [-1, 1]."""
    s = (e / 2).exp() - 1
    return [arb(0), None, x * x / s + _C**2 * (s + 4) / (3 * s * s)]


#: Name -> the three moments at x, None where they have no short form; and averages that have one, by power.
_CONTINUOUS: dict[str, tuple[Callable[[Any, Any], list[Any]], dict[int, Callable[[Any], Any]]]] = {
    "Laplace": (_laplace, {1: lambda e: 2 * _C / e, 2: lambda e: 2 * (2 * _C / e) ** 2}),
    "Laplace, clipped": (_clipped, {1: lambda e: 2 * _C / e * (1 - (1 - (-e).exp()) / e)}),
    "PM": (_pm, {2: lambda e: _pm(e, _C / arb(3).sqrt())[2]}),
    "SW": (lambda e, x: [None, None, None], {}),
}


def _by_quantiles(mechanism: Any, x: Fraction) -> list[float]:
    difference = mechanism.quantile((np.arange(10**4) + 0.5) / 10**4, float(x)) - float(x)
    return [float(f(difference).mean()) for f in _OF]


def _to_nearest(channel: Any, x: Fraction) -> list[Fraction]:
    """Moments where x is moved to the nearest point, the smaller one of two."""
    row = channel.matrix[min(range(len(channel.inputs)), key=lambda i: (abs(channel.inputs[i] - x), i))]
    return [sum((Fraction(q) * f(y - x) for q, y in zip(row, channel.outputs, strict=True)), Fraction(0)) for f in _OF]


def _average_to_nearest(channel: Any, over: Callable[[Fraction], Fraction]) -> Fraction:
    """The integral of |y - x|^p over the numbers that are moved to each point, over the length."""
    points = channel.inputs
    cuts = [points[0], *((a + b) / 2 for a, b in pairwise(points)), points[-1]]
    total = Fraction(0)
    for row, (a, b) in zip(channel.matrix, pairwise(cuts), strict=True):
        total += sum(Fraction(q) * (over(y - a) - over(y - b)) for q, y in zip(row, channel.outputs, strict=True))
    return total / (2 * _C)


def _decoded(mechanism: Any, x: Fraction) -> list[Fraction]:
    """Moments where x is moved at random to the point below or above it, with the mean x, and the output is decoded."""
    points, values = mechanism.channel.inputs, list(map(Fraction, mechanism.outputs))
    i = max(k for k in range(len(points) - 1) if points[k] <= x)
    share = (x - points[i]) / (points[i + 1] - points[i])
    row = (1 - share) * mechanism.channel.matrix[i] + share * mechanism.channel.matrix[i + 1]
    return [Fraction(0), *(sum((q * f(v - x) for q, v in zip(row, values, strict=True)), Fraction(0)) for f in _OF[1:])]


def _stated(name: str, mechanism: Any, e: Any, x: Fraction) -> list[Any]:
    if name in _CONTINUOUS:
        return _CONTINUOUS[name][0](e, ball(x))
    return _decoded(mechanism, x) if "unbiased" in name else _to_nearest(mechanism.channel, x)


def _averages(name: str, mechanism: Any, e: Any) -> dict[int, Any]:
    if name in _CONTINUOUS:
        return {p: of(e) for p, of in _CONTINUOUS[name][1].items()}
    return {} if "unbiased" in name else {p: _average_to_nearest(mechanism.channel, _OVER[p]) for p in (1, 2)}


def _values(name: str, mechanism: Any, e: Any, functions: Any) -> Iterator[tuple[str, Any, Any]]:
    biased, error, average = functions
    for x in _TRUE:
        right = _stated(name, mechanism, e, x)
        found = biased(mechanism, float(x)), error(mechanism, float(x)), error(mechanism, float(x), 2)
        if None in right:
            same = np.allclose(found, _by_quantiles(mechanism, x), rtol=1e-3, atol=1e-3)
            yield f"moments at {x} as the quantiles give them", same, arb(1)
        for kind, value, wanted in zip(("bias", "mean error", "mean squared error"), found, right, strict=True):
            if wanted is not None:
                yield f"{kind} at {x}", value, wanted
    for power, wanted in _averages(name, mechanism, e).items():
        yield f"average error to the power {power}", average(mechanism, power), wanted


@PAPER.claim(
    "Ours (bias and expected error, the functions)",
    r"bias is E[M(x)]-x, expected_error E|M(x)-x|^p and average_error its mean over x, for every mechanism of PERTURBATIONS, whose interval is [-c,c] and whose level is \epsilon, of the exponential mechanism half of it; what is called unbiased is",
    hypotheses="Laplace noise as it is and clipped by integrals in closed form, PM's bias and variance likewise; on points by sums over the channel",
    recorded="certified",
    family="nine mechanisms, c = 2, five points, e^epsilon = 3 and 9, five numbers, two of them between two points, p = 1, 2; within 1e-9, SW and the mean error of PM within 1e-3 of a sum over quantiles",
    method="exact sums, and ball arithmetic (rigorous)",
    formula=(bias, expected_error, average_error),
    mutants={
        "no bias": (lambda mechanism, x: 0 * bias(mechanism, x), expected_error, average_error),
        "the mean error for every power": (bias, lambda mechanism, x, p=1: expected_error(mechanism, x), average_error),
        "the root": (bias, expected_error, lambda mechanism, p: average_error(mechanism, p) ** 0.5),
    },
    survivors={
        **dict.fromkeys(
            ("part 3: _PANELS + 1 -> _PANELS - 1, line 15", "part 3: 1 -> 2, line 15", "part 3: 1 -> 0, line 15"),
            "panels enough",
        ),
        "part 3: (edges[:-1] + edges[1:])[:, None] / 2 + half * nodes -> (edges[:-1] + edges[1:])[:, None] / 2 - half * nodes, line 22": "the nodes lie evenly about 0",
    },
)
def moments(functions: Any) -> Parts:
    for name, make in PERTURBATIONS.items():
        for level in map(PrivacyLevel.from_ratio, (3, 9)):
            mechanism, at = make(_C, Fraction(1), level), f"{name}, e^epsilon = {level.ratio}"
            spent = level.epsilon / 2 if name == "exponential" else level.epsilon
            good = mechanism.domain == (-_C, _C) and abs(mechanism.epsilon - spent) <= 1e-9
            yield good or f"{at}: the level {mechanism.epsilon} on {mechanism.domain}"
            for kind, found, right in _values(name, mechanism, ball(Fraction(level.ratio)).log(), functions):
                wanted = right if isinstance(right, arb) else ball(right)
                close = bool(abs(arb(float(found)) - wanted) <= arb("1e-9"))
                yield close or f"{at}: {kind} is {float(found)!r}, not {wanted.str(10, radius=False)}"


G, N, LAMBDA, R, S = sp.symbols("g n lambda r s")


@PAPER.claim(
    "Ours (the sensitivity of a leaf, the function)",
    r"leaf_sensitivity(g,n,\lambda)=\frac{2g}{n+\lambda} is the most by which one of the n residuals of [-g,g] moves their sum over n+\lambda",
    hypotheses="the residual r becomes s",
    given=[G > 0, N >= 1, LAMBDA >= 0, R <= G, R >= -G, S <= G, S >= -G],
    evidence="no move is larger, and from -g to g it is as large",
    formula=leaf_sensitivity,
    mutants={"the constant that zhang2025 quotes": lambda g, n, lam: g / (1 + lam)},
)
def sensitivity_of_a_leaf(most: Callable[..., Any]) -> dict[str, Any]:
    return sharp((S - R) / (N + LAMBDA), most(G, N, LAMBDA), sp.Eq(R, -G), sp.Eq(S, G))

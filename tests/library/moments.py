"""Bias and expected errors of the mechanisms for numbers of [-c, c], against integrals in closed form and exact sums."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import arb

from library.numbers import Window, mixed, nearest, pm, sw
from library.paper import PAPER
from lpmech.claims import Parts
from lpmech.mechanisms.moments import average_error, bias, expected_error
from lpmech.mechanisms.perturbation import PERTURBATIONS
from lpmech.papers.across.agreement import agrees, halved
from lpmech.papers.checks import ball
from lpmech.privacy import PrivacyLevel

_C = 2
#: The difference, its absolute value and its square; and their integrals from 0.
_OF: tuple[Callable[[Any], Any], ...] = (lambda d: d, abs, lambda d: d * d)
_OVER: tuple[Callable[[Any], Any], ...] = (lambda d: d * d / 2, lambda d: d * abs(d) / 2, lambda d: d * d * d / 3)

#: Bias, mean error and mean squared error at x; or the mean of both errors over x.
Moments = list[Any]


def _laplace(e: Any, x: Any) -> Moments:
    b = 2 * _C / e
    return [0, b, 2 * b * b]


def _clipped(e: Any, x: Any) -> Moments:
    b = 2 * _C / e
    below, above = (-(x + _C) / b).exp(), (-(_C - x) / b).exp()  # half of each falls outside
    square = 2 * b * b - b * (b + x + _C) * below - b * (b + _C - x) * above
    return [b / 2 * (below - above), b / 2 * (2 - below - above), square]


def _window(window: Callable[[Any], Window], factor: int) -> Callable[[Any, Any], Moments]:
    """Of a mechanism whose domain, with one end at -1 or 0 and the other at 1, is stretched to [-c, c]."""

    def moments(e: Any, x: Any) -> Moments:
        at = 1 - (_C - x) / factor
        return [factor**power * window(e).mean(over, at) for power, over in zip((1, 1, 2), _OVER, strict=True)]

    return moments


_CONTINUOUS = {"Laplace": _laplace, "Laplace, clipped": _clipped, "PM": _window(pm, _C), "SW": _window(sw, 2 * _C)}


def _at(name: str, mechanism: Any, e: Any, x: Fraction) -> Moments:
    if name in _CONTINUOUS:
        return _CONTINUOUS[name](e, ball(x))
    row = (mixed if "unbiased" in name else nearest)(mechanism.channel, x)
    pairs = list(zip(map(ball, row), map(ball, mechanism.outputs), strict=True))
    return [sum(q * of(y - ball(x)) for q, y in pairs) for of in _OF]


def _average(name: str, mechanism: Any, e: Any) -> Moments:
    """By Milne's rule, as between cuts these errors are polynomials of degree three in x; those of clipped noise are not."""
    if name == "Laplace, clipped":
        b, inside = 2 * _C / e, 1 - (-e).exp()
        return [b * (1 - inside / e), 2 * b * b * (2 - inside - 2 * inside / e)]
    points = [] if name in _CONTINUOUS else mechanism.channel.inputs
    kinks = {*points, *((a + b) / 2 for a, b in pairwise(points)), *map(Fraction, mechanism.outputs if points else ())}
    total = [arb(0), arb(0)]
    for low, high in pairwise(sorted({-_C, _C, *(k for k in kinks if abs(k) < _C)})):
        inner = (_at(name, mechanism, e, low + (high - low) * Fraction(k, 4))[1:] for k in (1, 2, 3))
        for p, (one, two, three) in enumerate(zip(*inner, strict=True)):
            total[p] += ball(Fraction(high - low, 6 * _C)) * (2 * one - two + 2 * three)
    return total


@PAPER.claim(
    "Ours (bias and expected error, the functions)",
    r"bias is $E[M(x)]-x$, `expected_error` $E|M(x)-x|^p$ and `average_error` its mean over $x$, for every mechanism of PERTURBATIONS, whose interval is $[-c,c]$ and whose level is $\epsilon$, of the exponential mechanism half of it; what is called unbiased is",
    hypotheses="Laplace noise as it is and clipped by integrals in closed form, those of PM and SW by integrals of their densities; on points by sums over the channel",
    family="nine mechanisms, c = 2, five points, e^epsilon = 3 and 9, five numbers, two of them between two points, p = 1, 2; within 1e-9",
    method="exact sums, and ball arithmetic (rigorous)",
    formula=(bias, expected_error, average_error),
    mutants=halved((bias, expected_error, average_error), 0, 1),
    survivors={
        **dict.fromkeys(
            [
                "part 3: _PANELS + 1 -> _PANELS - 1 in np.linspace(low, high, _PANELS + 1)",
                *(f"part 3: 1 -> {n} in _PANELS + 1" for n in (0, 2)),
            ],
            "panels enough",
        ),
        "part 3: (edges[:-1] + edges[1:])[:, None] / 2 + half * nodes -> (edges[:-1] + edges[1:])[:, None] / 2 - half * nodes in np.clip((edges[:-1] + edges[1:])[:, None] / 2 + half * nodes, low, high)": "the nodes lie evenly about 0",
    },
)
def moments(functions: Any) -> Parts:
    biased, error, average = functions
    for name, make in PERTURBATIONS.items():
        for level in map(PrivacyLevel.from_ratio, (3, 9)):
            mechanism, at = make(_C, Fraction(1), level), f"{name}, e^epsilon = {level.ratio}"
            e = ball(Fraction(level.ratio)).log()
            yield agrees(f"{at}: level", mechanism.epsilon, e / 2 if name == "exponential" else e, 1e-9)
            yield agrees(f"{at}: domain", mechanism.domain, (-_C, _C))
            for x in map(Fraction, ("-2", "-1/2", "1/4", "3/2", "2")):
                found = biased(mechanism, float(x)), error(mechanism, float(x)), error(mechanism, float(x), 2)
                yield agrees(f"{at}: moments at {x}", found, _at(name, mechanism, e, x), 1e-9)
                yield "unbiased" not in name or agrees(f"{at}: bias at {x}", found[0], 0, 1e-9)
            averages = average(mechanism), average(mechanism, 2)
            yield agrees(f"{at}: average errors", averages, _average(name, mechanism, e), 1e-9)

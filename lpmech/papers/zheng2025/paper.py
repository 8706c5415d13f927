"""The paper, the symbols its claims share, and its mechanisms over symbols and in ball arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from lpmech.claims import Paper
from lpmech.claims.checking import check_reals

__all__ = [
    "PAPER", "EXACT", "T", "EPSILON", "THETA", "X", "DELTA", "TAU", "OMEGA", "ball", "centred", "concentrations", "decided", "distance",
    "masses", "pm_shape", "positive", "rounds_to", "sw_shape", "two_densities", "unit", "upper_tail", "window_cdf", "window_mass",
]  # fmt: skip

PAPER = Paper("zheng2025", "Zheng, Hu: Quantifying Classifier Utility under Local Differential Privacy (zheng2025)")

#: How instances are decided that are compared here, as the checks' own.
EXACT = "exact rational arithmetic"

#: t = e^epsilon; epsilon; radius of the ball; true value; failure probability; tolerance; significance of the test.
T, EPSILON, THETA, X, DELTA, TAU, OMEGA = sp.symbols("t epsilon theta x delta tau omega")


def unit(*symbols: Any) -> list[Any]:
    """Each of them in [0, 1]."""
    return [r for v in symbols for r in (v >= 0, v <= 1)]


def positive(*symbols: Any) -> list[Any]:
    """Each of them above 0."""
    return [v > 0 for v in symbols]


def ball(value: Fraction | int | str) -> Any:
    """A rational number (also as a decimal text) as a ball of `flint.arb`."""
    exact = Fraction(value)
    return arb(exact.numerator) / exact.denominator


def rounds_to(value: Any, printed: str) -> dict[str, tuple[Any, Any]]:
    """The two inequalities that say that a ball rounds to a printed decimal number."""
    digits = len(printed.partition(".")[2])
    half = Fraction(1, 2 * 10**digits)
    number = Fraction(printed)
    text = f"the value {value.str(7, radius=False)} rounds to {printed}"
    return {text: (ball(number - half), value), f"{text} from above": (value, ball(number + half))}


def upper_tail(z: Any) -> Any:
    """Pr[Z >= z] of a standard normal variable, as a ball."""
    return (z / arb(2).sqrt()).erfc() / 2


def decided(inequalities: Mapping[str, tuple[Any, Any]]) -> Iterator[bool | str]:
    """Every left <= right of balls as an instance that a check yields."""
    for name, pair in inequalities.items():
        yield check_reals({name: pair}, name).counterexample or True


def distance(a: Any, b: Any) -> Any:
    """|a - b|, in words the prover knows."""
    return sp.Max(a - b, b - a)


def pm_shape(s: Any) -> tuple[Any, Any, Any]:
    """Density on the window, half its width, and e^epsilon, of PM with s = e^(epsilon/2), a ball or a symbol."""
    return s, (s - 1) / (2 * s**2 - 2), s**2


def sw_shape(epsilon: Any, t: Any) -> tuple[Any, Any, Any]:
    """The same of SW with t = e^epsilon."""
    return (t - 1) / epsilon, (t * (epsilon - 1) + 1) / (2 * (t - 1) ** 2), t


def centred(x: Any, c: Any) -> Any:
    """Left end of the window of Def. 11 and 12."""
    return sp.Min(sp.Max(x - c, 0), 1 - 2 * c)


def two_densities(near: Any, length: Any, high: Any, t: Any) -> Any:
    """Mass of a set of that length, the high density on the near part of it and that over t on the rest."""
    return near * high + (length - near) * high / t


def window_cdf(y: Any, start: Any, width: Any, high: Any, t: Any) -> Any:
    """cdf of a window mechanism on [0, 1] at y in [0, 1]."""
    return two_densities(sp.Min(sp.Max(y - start, 0), width), y, high, t)


def window_mass(shape: tuple[Any, Any, Any], low: Any, top: Any, x: Any) -> Any:
    """Mass of [low, top] in [0, 1] as a ball, the window around x moved inside [0, 1]."""
    density, half, t = shape
    start = (x - half).max(arb(0)).min(1 - 2 * half)
    near = ((start + 2 * half).min(top) - start.max(low)).max(arb(0))
    return two_densities(near, top - low, density, t)


def masses(epsilon: Any, low: Fraction, top: Fraction, x: Fraction, size: int = 101) -> dict[str, Any]:
    """Pr[low <= M(x) <= top] as balls, 0 <= low <= x <= top <= 1, for the mechanisms of Fig. 4 and what Section 3 truncates.

    The exponential mechanism (with the sign that favours near points) and k-RR live on 0, 1/(size - 1), ..., 1.
    """
    t, (a, b, at) = epsilon.exp(), map(ball, (low, top, x))
    below, above = ((a - at) * epsilon).exp() / 2, ((at - b) * epsilon).exp() / 2
    decay, index = (-epsilon / (2 * (size - 1))).exp(), int(x * (size - 1))
    inside = [low <= Fraction(k, size - 1) <= top for k in range(size)]
    weights = [decay ** abs(k - index) for k in range(size)]
    return {
        "Laplace": 1 - below - above,
        "truncated Laplace": 1 - (below if low > 0 else 0) - (above if top < 1 else 0),
        "PM": window_mass(pm_shape((epsilon / 2).exp()), a, b, at),
        "SW": window_mass(sw_shape(epsilon, t), a, b, at),
        "Exponential": sum((w for w, i in zip(weights, inside, strict=True) if i), arb(0)) / sum(weights, arb(0)),
        "k-RR": (t + sum(inside) - 1) / (t + size - 1),
    }


def concentrations(epsilon: Fraction | int | str, theta: Fraction | int | str) -> dict[str, Any]:
    """Pr[M(1/2) in the ball of radius theta < 1/2 around 1/2] as balls, with 101 points."""
    half, radius = Fraction(1, 2), Fraction(theta)
    return masses(ball(epsilon), half - radius, half + radius, half)

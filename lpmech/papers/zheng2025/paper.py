"""The paper, the symbols its claims share, and its mechanisms in ball arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from lpmech.claims import Paper
from lpmech.claims.checking import check_reals

__all__ = [
    "PAPER", "T", "EPSILON", "THETA", "X", "DELTA", "TAU", "OMEGA", "ball", "decided", "exponential", "rounds_to", "concentrations",
    "distance", "upper_tail", "pm_shape", "sw_shape", "window_mass",
]  # fmt: skip

PAPER = Paper("zheng2025", "Zheng, Hu: Quantifying Classifier Utility under Local Differential Privacy (zheng2025)")

#: t = e^epsilon; epsilon; radius of the ball; true value; failure probability; tolerance; significance of the test.
T, EPSILON, THETA, X, DELTA, TAU, OMEGA = sp.symbols("t epsilon theta x delta tau omega")


def ball(value: Fraction | int | str) -> Any:
    """A rational number (also as a decimal text) as a ball of `flint.arb`."""
    exact = Fraction(value)
    return arb(exact.numerator) / exact.denominator


def exponential(value: Any) -> Any:
    """c e^a with rational c and a as a ball."""
    factor, power = sp.sympify(value).as_coeff_Mul()
    return ball(str(factor)) * ball(str(sp.Rational(sp.log(power)))).exp()


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


def pm_shape(epsilon: Any) -> tuple[Any, Any, Any]:
    """Density on the window, half its width, and e^epsilon, of PM at a ball epsilon."""
    s = (epsilon / 2).exp()
    return s, 1 / (2 * (s + 1)), epsilon.exp()


def sw_shape(epsilon: Any) -> tuple[Any, Any, Any]:
    """The same of SW."""
    t = epsilon.exp()
    return (t - 1) / epsilon, (t * (epsilon - 1) + 1) / (2 * (t - 1) ** 2), t


def window_mass(shape: tuple[Any, Any, Any], low: Any, top: Any, x: Any) -> Any:
    """Mass of [low, top] in [0, 1]: the density on the window around x, moved inside [0, 1], and that over t elsewhere."""
    density, half, t = shape
    start = (x - half).max(arb(0)).min(1 - 2 * half)
    near = ((start + 2 * half).min(top) - start.max(low)).max(arb(0))
    return near * density + (top - low - near) * density / t


def concentrations(epsilon: Fraction | int | str, theta: Fraction | int | str, size: int = 101) -> dict[str, Any]:
    """Pr[M(1/2) in the ball of radius theta < 1/2 around 1/2] as balls, for the mechanisms of Fig. 4.

    The exponential mechanism (with the sign that favours near points) and k-RR live on 0, 1/(size - 1), ..., 1.
    """
    e, r = ball(epsilon), ball(theta)
    t, middle = e.exp(), ball("1/2")
    steps = int(Fraction(theta) * (size - 1))
    decay = (-e / (2 * (size - 1))).exp()
    half = (size - 1) // 2

    def weight(reach: int) -> Any:
        return 1 + 2 * sum((decay**k for k in range(1, reach + 1)), arb(0))

    return {
        "Laplace": 1 - (-r * e).exp(),
        "PM": window_mass(pm_shape(e), middle - r, middle + r, middle),
        "SW": window_mass(sw_shape(e), middle - r, middle + r, middle),
        "Exponential": weight(steps) / weight(half),
        "k-RR": (t + 2 * steps) / (t + size - 1),
    }

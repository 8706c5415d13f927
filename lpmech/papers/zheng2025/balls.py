"""The paper's mechanisms, probabilities and printed numbers in ball arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lpmech.claims import Instance
from lpmech.claims.checking import check_sampled_reals
from lpmech.papers.checks import ball
from lpmech.papers.zheng2025.paper import pm_shape, sw_shape, two_densities


def rounds_to(value: Any, printed: str) -> dict[str, tuple[Any, Any]]:
    """The two inequalities that say that a ball rounds to a printed decimal number."""
    digits = len(printed.partition(".")[2])
    half = Fraction(1, 2 * 10**digits)
    number = Fraction(printed)
    text = f"the value {value.str(7, radius=False)} rounds to {printed}"
    return {text: (ball(number - half), value), f"{text} from above": (value, ball(number + half))}


def upper_tail(z: Any) -> Any:
    """Pr[Z >= z] of a standard normal variable, as a ball."""
    return (z / ball(2).sqrt()).erfc() / 2


def leads(best: str, where: str, values: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The inequalities that say that of these probabilities that of one mechanism is the largest."""
    lost = {name: 1 - value for name, value in values.items()}
    return {f"{best} misses at most as often as {o} at {where}": (lost[best], lost[o]) for o in lost if o != best}


def decided(where: str, left: Any, relation: str, right: Any) -> Instance:
    """An instance of two balls, <= or >=, that do not overlap."""
    check_sampled_reals({where: (left, right) if relation == "<=" else (right, left)}, where)
    return Instance(where, left, relation, right)


def window_mass(shape: tuple[Any, Any, Any], low: Any, top: Any, x: Any) -> Any:
    """Mass of [low, top] in [0, 1] as a ball, the window around x moved inside [0, 1]."""
    density, half, t = shape
    start = (x - half).max(ball(0)).min(1 - 2 * half)
    near = ((start + 2 * half).min(top) - start.max(low)).max(ball(0))
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
        "Exponential": sum((w for w, i in zip(weights, inside, strict=True) if i), ball(0)) / sum(weights, ball(0)),
        "k-RR": (t + sum(inside) - 1) / (t + size - 1),
    }


def concentrations(epsilon: Fraction | int | str, theta: Fraction | int | str) -> dict[str, Any]:
    """Pr[M(1/2) in the ball of radius theta < 1/2 around 1/2] as balls for the mechanisms of Fig. 4, with 101 points."""
    half, radius = Fraction(1, 2), Fraction(theta)
    found = masses(ball(epsilon), half - radius, half + radius, half)
    return {name: value for name, value in found.items() if name != "truncated Laplace"}

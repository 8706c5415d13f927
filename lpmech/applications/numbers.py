"""How far the released number lies from the true one: BRR, Laplace and others beside the certified optimum."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, Number, positive_number, to_float
from lpmech.mechanisms.grid import GridMechanism, symmetric_grid
from lpmech.mechanisms.moments import NumberMechanism, average_error, bias, expected_error
from lpmech.mechanisms.perturbation import PERTURBATIONS
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs import optimal_channel
from lpmech.programs.optimality import loss_percent
from lpmech.utilities import absolute

__all__ = ["NumberErrors", "ALWAYS_ZERO", "OPTIMAL", "number_errors"]

#: The mechanism that does not look at the number, and the optimum of the program on the points.
ALWAYS_ZERO, OPTIMAL = "always 0", "optimal"


@dataclass(frozen=True)
class NumberErrors:
    """What a mechanism does to numbers of [-c, c].

    Attributes
    ----------
    mechanism : str
        Key of `PERTURBATIONS`, or `OPTIMAL` or `ALWAYS_ZERO`.
    on_points : float
        E|released - true| for true values uniform on the n = 2 c / L + 1 points; a proved lower bound for `OPTIMAL`.
    loss_percent : float
        By how much `on_points` exceeds that bound. It may be negative for mechanisms that release other numbers.
    anywhere : float
        E|released - true| for true values uniform on [-c, c], rounding included.
    root_mean_square : float
        Root of E (released - true)^2 for the same.
    bias : float
        E[released] - c where the true value is c.
    epsilon : float
        Tight privacy level.
    """

    mechanism: str
    on_points: float
    loss_percent: float
    anywhere: float
    root_mean_square: float
    bias: float
    epsilon: float


def number_errors(clip: Number, step: Number, epsilon: PrivacyLevel | float) -> list[NumberErrors]:
    """Every mechanism of `PERTURBATIONS` beside the optimum of the program on the points.

    Parameters
    ----------
    clip : number
        c, positive.
    step : number
        L, positive; 2 c / L must be a whole number, at most 1000.
    epsilon : float or PrivacyLevel
        Privacy level between any two numbers of [-c, c].

    Returns
    -------
    list of NumberErrors
        The optimum first, then by the error on the points.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    SolverError
        If the program is not solved to a proved optimum.
    NotInvertibleError
        If the level is so small that an unbiased mechanism cannot be decoded in floats.

    Notes
    -----
    Worked out on [-1, 1] and multiplied by c, so that neither a tiny nor a huge c is a matter of rounding. Floats, but
    for the bound of the optimum; see `expected_error` for their accuracy. Source of the comparison: zhang2025,
    sections V.C and V.D.
    """
    level, scale = as_privacy_level(epsilon), positive_number(clip, "clip")
    unit = Fraction(2, len(symmetric_grid(clip, step)) - 1)
    points = symmetric_grid(1, unit)
    solution = optimal_channel(absolute(list(points)), level).solve()
    bound = max(-float(solution.bound), 0.0)
    best = GridMechanism(solution.channel.renamed(points, points))
    zero = GridMechanism(Channel(np.ones((len(points), 1)), points, [0]))
    others = {**{name: make(1, unit, level) for name, make in PERTURBATIONS.items()}, ALWAYS_ZERO: zero}
    true = to_float(best.inputs)
    rows = [_errors(name, mechanism, true, bound, scale) for name, mechanism in others.items()]
    return [_errors(OPTIMAL, best, true, bound, scale), *sorted(rows, key=lambda row: row.on_points)]


def _errors(name: str, mechanism: NumberMechanism, points: Array, bound: float, scale: float) -> NumberErrors:
    """Errors of a mechanism on [-1, 1], multiplied by the scale."""
    mean = float(expected_error(mechanism, points).mean())
    on_points = bound if name == OPTIMAL else mean
    return NumberErrors(
        name,
        scale * on_points,
        loss_percent(-on_points, -bound),
        scale * average_error(mechanism),
        scale * average_error(mechanism, 2) ** 0.5,
        scale * float(bias(mechanism, points[-1])),
        mechanism.epsilon,
    )

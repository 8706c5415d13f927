"""Mechanisms for numbers clipped to [-c, c], by name: BRR against Laplace and the others (zhang2025 V.C, V.D, V.F)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from lpmech.entries import Number, positive_number, whole_number
from lpmech.errors import LabelError
from lpmech.mechanisms.clipped import Clipped
from lpmech.mechanisms.continuous import ContinuousMechanism
from lpmech.mechanisms.discretized import discretized
from lpmech.mechanisms.grid import GridMechanism, bipartite_rr_on_grid, exponential_on_grid, k_rr, symmetric_grid
from lpmech.mechanisms.laplace import Laplace
from lpmech.mechanisms.moments import NumberMechanism
from lpmech.mechanisms.piecewise import OriginalPM
from lpmech.mechanisms.rescaled import Rescaled
from lpmech.mechanisms.square_wave import OriginalSW
from lpmech.mechanisms.stochastic_rounding import StochasticRounding, unbiased_bipartite_rr
from lpmech.privacy import PrivacyLevel

__all__ = ["NO_NOISE", "PERTURBATIONS", "laplace", "leaf_sensitivity", "releasable"]

#: From c, the step L of the grid, and a level, a mechanism for numbers of [-c, c].
Perturbation = Callable[[Number, Number, PrivacyLevel | float], NumberMechanism]


#: Name, in comparisons, of releasing numbers as they are: no privacy.
NO_NOISE = "no noise"


def laplace(clip: Number, epsilon: PrivacyLevel | float) -> Laplace:
    """Laplace noise of scale 2 c / epsilon, enough for any two numbers of [-c, c].

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If c is not a positive finite number, or the level not usable.
    """
    c = positive_number(clip, "clip")
    return Laplace(epsilon, (-c, c))


def leaf_sensitivity(bound: Any, members: Any, regularization: Any) -> Any:
    """2 g / (n + lambda): how far one of the n targets of a leaf can move its value; any arithmetic.

    The value is the sum of n residuals of [-g, g] over n + lambda. (The g / (1 + lambda) that zhang2025 quotes from
    DPBoost is for adding an example to a leaf, or taking one away.)
    """
    return 2 * bound / (members + regularization)


def releasable(mechanism: str, intervals: int, epsilon: PrivacyLevel | float) -> GridMechanism | StochasticRounding:
    """A mechanism of `PERTURBATIONS` for numbers of [-1, 1], with an exact channel of at most that level.

    Parameters
    ----------
    mechanism : str
        Its name. Continuous ones are taken between grids, see `discretized`.
    intervals : int
        2 / L: the grid of the discrete ones has one point more.
    epsilon : float or PrivacyLevel
        Privacy level.

    Raises
    ------
    LabelError, InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    if mechanism not in PERTURBATIONS:
        raise LabelError("mechanism", mechanism, f"one of {', '.join(PERTURBATIONS)}")
    found = PERTURBATIONS[mechanism](1, Fraction(2, whole_number(intervals, "intervals", 1)), epsilon)
    return (discretized(found) if isinstance(found, ContinuousMechanism) else found).exact(epsilon)


#: Every mechanism that numbers are compared under; those without a grid ignore the step. "unbiased": mean = true value.
PERTURBATIONS: Mapping[str, Perturbation] = MappingProxyType(
    {
        "BRR": lambda c, step, e: bipartite_rr_on_grid(symmetric_grid(c, step), e),
        "RR": lambda c, step, e: k_rr(symmetric_grid(c, step), e),
        "exponential": lambda c, step, e: exponential_on_grid(symmetric_grid(c, step), e),
        "Laplace": lambda c, step, e: laplace(c, e),
        "Laplace, clipped": lambda c, step, e: Clipped(laplace(c, e)),
        "PM": lambda c, step, e: Rescaled(OriginalPM(e), (-float(c), float(c))),
        "SW": lambda c, step, e: Rescaled(OriginalSW(e), (-float(c), float(c))),
        "BRR, unbiased": lambda c, step, e: unbiased_bipartite_rr(symmetric_grid(c, step), e),
        "RR, unbiased": lambda c, step, e: StochasticRounding(k_rr(symmetric_grid(c, step), e).channel),
    }
)

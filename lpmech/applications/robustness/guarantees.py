"""What a mechanism guarantees of a classifier's class: rho of zheng2025, its variants, and the privacy indicator."""

from __future__ import annotations

from numbers import Real

import numpy as np

from lpmech.applications.robustness.regions import (
    Box,
    Mechanisms,
    as_box,
    as_true_point,
)
from lpmech.entries import Array, open_probability
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.grid import GridMechanism

__all__ = ["rho", "rho_as_stated", "rho_uniform_test", "rho_mechanism_test", "rho_with_indicator"]


def _masses(mechanisms: Mechanisms, x: object, box: Box) -> Array:
    """Probability of each side of the box; one for a feature without a mechanism."""
    point = as_true_point(mechanisms, x)
    if as_box(box).low.shape != point.shape:
        raise InvalidInputError("box", box, f"a box in {point.size} dimension(s), as x")
    if not box.contains(point):
        raise InvalidInputError("x", x, f"a point of the box from {box.low.tolist()} to {box.high.tolist()}")
    return np.array(
        [
            1.0 if m is None else float(m.mass(a, b, v))
            for m, a, b, v in zip(mechanisms, box.low, box.high, point, strict=True)
        ]
    )


def rho(mechanisms: Mechanisms, x: object, box: Box) -> float:
    """Product over features of Pr[released value in the box]: a lower bound of the utility if the box has one class.

    Parameters
    ----------
    mechanisms : sequence of mechanism or None, length d
        Independent mechanisms; None for a feature that is released as it is.
    x : array_like, shape (d,)
        The true point, in the box.
    box : Box
        Where the classifier has the class of x.

    Raises
    ------
    InvalidInputError
        If there is not one mechanism a feature, or x is not in the box or not in the domain of a mechanism.

    Notes
    -----
    Source: zheng2025, Section 5.1. The tight level is the sum of the mechanisms' levels.
    """
    return min(1.0, float(np.prod(_masses(mechanisms, x, box))))  # a mass of one may come out as one and an ulp


def rho_as_stated(mechanisms: Mechanisms, x: object, box: Box, *, omega: float = 0.05, tau: float = 0.01) -> float:
    """The paper's rho (1 - omega)(1 - tau) for a box accepted by a test with uniform points. It is no lower bound.

    Raises
    ------
    InvalidInputError
        As for `rho`, or if omega or tau is not in (0, 1).

    Notes
    -----
    Source: zheng2025, Section 4.3; refuted there as claim "Section 4.3 (lower bound)". Use `rho_uniform_test` or
    `rho_mechanism_test`.
    """
    return rho(mechanisms, x, box) * (1 - open_probability(omega, "omega")) * (1 - open_probability(tau, "tau"))


def rho_uniform_test(mechanisms: Mechanisms, x: object, box: Box, *, tau: float) -> float:
    """A right bound for a box with error rate at most tau under uniform points: rho - tau prod_i |box_i| max p_i.

    It holds with the confidence of the test, and may be zero: densities are high near x.

    Raises
    ------
    InvalidInputError
        As for `rho`; if tau is not in (0, 1); or if a feature has no continuous density (a mechanism on a grid, atoms).
    """
    total = rho(mechanisms, x, box)
    worst = open_probability(tau, "tau")
    for mechanism, a, b, v in zip(mechanisms, box.low, box.high, np.asarray(x, dtype=float), strict=True):
        if mechanism is None or isinstance(mechanism, GridMechanism) or mechanism.has_atoms:
            raise InvalidInputError(
                "mechanisms", mechanism, "mechanisms with a density; test with drawn_from otherwise"
            )
        worst *= (b - a) * float(mechanism.pdf(v, v))  # every density of this package is largest at the true value
    return max(0.0, total - worst)


def rho_mechanism_test(mechanisms: Mechanisms, x: object, box: Box, *, tau: float) -> float:
    """A right bound for a box with error rate at most tau under the mechanisms' own outputs: rho (1 - tau).

    It holds with the confidence of a test that draws its points with `drawn_from`.

    Raises
    ------
    InvalidInputError
        As for `rho`, or if tau is not in (0, 1).
    """
    return rho(mechanisms, x, box) * (1 - open_probability(tau, "tau"))


def rho_with_indicator(bound: float, delta: float) -> float:
    """delta + (1 - delta) bound: the utility under the privacy indicator for all features together.

    Raises
    ------
    InvalidInputError
        If the bound is not in [0, 1] or delta not in (0, 1).

    Notes
    -----
    Source: zheng2025, Section 5.2.1.
    """
    if isinstance(bound, bool) or not isinstance(bound, Real) or not 0 <= bound <= 1:
        raise InvalidInputError("bound", bound, "a probability")
    share = open_probability(delta, "delta")
    return share + (1 - share) * bound

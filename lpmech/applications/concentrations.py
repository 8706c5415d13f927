"""How much of its probability every mechanism keeps near the true point, beside the most that any private one can."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lpmech.applications.tight_levels import same_level_mechanisms
from lpmech.entries import to_float, whole_number
from lpmech.mechanisms import even_grid, randomized_response
from lpmech.mechanisms.grid import GridMechanism, IntervalMechanism
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.optimal import optimal_channel
from lpmech.utilities import concentration

__all__ = ["MeanConcentration", "mean_concentrations"]


#: More points take minutes.
_MOST_POINTS = 2_000


@dataclass(frozen=True)
class MeanConcentration:
    """Mean probability of a release near the true point.

    Attributes
    ----------
    mechanism : str
        Name; the first of a list is the optimum.
    value : float
        Mean over the points of Pr[|released - true| <= radius].
    loss_percent : float
        How many percent of the optimum are lost.
    """

    mechanism: str
    value: float
    loss_percent: float


def mean_concentrations(size: int, steps: int, epsilon: PrivacyLevel | float) -> list[MeanConcentration]:
    """Mean concentration on `size` even points of [0, 1] within `steps` of their distances, the optimum first.

    Every mechanism has the same *tight* level: the exponential one gets twice epsilon as its parameter, Gaussian noise
    the scale whose clipped release has this level.

    Parameters
    ----------
    size : int
        Number of points, from 2 to 2,000.
    steps : int
        Radius in units of the distance of neighbouring points, from 0 to size - 1.
    epsilon : float or PrivacyLevel
        Tight level of each.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    The optimum is the proved bound of the program for channels on the points. Releases between the points do not help,
    as no interval of length 2 steps / (size - 1) holds more than 2 steps + 1 points. On k (2 steps + 1) points it is
    e^epsilon / (e^epsilon + k - 1), attained by k-RR on the middles of k blocks of 2 steps + 1 points.
    """
    points = even_grid(whole_number(size, "size", 2, _MOST_POINTS))
    radius = Fraction(whole_number(steps, "steps", 0, size - 1), size - 1)
    level = as_privacy_level(epsilon)
    middles = [points[min(first + steps, size - 1)] for first in range(0, size, 2 * steps + 1)]
    mechanisms: dict[str, IntervalMechanism] = {
        **same_level_mechanisms(points, level),
        "k-RR on blocks": GridMechanism(randomized_response(middles, level), (0, 1)),
    }
    best = float(optimal_channel(concentration(list(points), radius), level).solve().bound)
    true = to_float(np.array(points, dtype=object))
    values = {"optimum": best}
    values |= {name: float(np.mean(m.concentration(true, float(radius)))) for name, m in mechanisms.items()}
    return [MeanConcentration(name, value, 100 * (1 - value / best)) for name, value in values.items()]

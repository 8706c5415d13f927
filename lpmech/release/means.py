"""The mean of numbers that were released without bias: the average of what was released, and an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lpmech.entries import rational_from_text
from lpmech.errors import ReleaseError
from lpmech.release.estimation import Frequencies

__all__ = ["Mean", "mean_of"]


@dataclass(frozen=True)
class Mean:
    """An estimated mean of the true numbers.

    Attributes
    ----------
    value : float
        The average of the released numbers; its expectation is the mean of the true ones.
    error : float
        Its standard error, from the spread of the released numbers; nan for one row.
    low, high : float
        The normal interval of the confidence of the frequencies.
    rows : int
    """

    value: float
    error: float
    low: float
    high: float
    rows: int


def mean_of(found: Frequencies) -> Mean:
    """The mean of the true numbers behind released ones.

    Raises
    ------
    ReleaseError
        If an output is no number.
    """
    from scipy.stats import norm

    numbers = [rational_from_text(str(name)) for name in found.outputs]
    if any(number is None for number in numbers):
        raise ReleaseError("outputs", "some that are no numbers", "the numbers of a design with --utility unbiased")
    values, rows = np.array([float(number or 0) for number in numbers]), found.rows
    mean = float(found.counts @ values / rows)
    spread = float(found.counts @ (values - mean) ** 2)
    error = math.sqrt(spread / (rows - 1) / rows) if rows > 1 else math.nan
    width = float(norm.ppf((1 + found.confidence) / 2)) * error
    return Mean(mean, error, mean - width, mean + width, rows)

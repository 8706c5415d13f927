"""Continuous mechanisms on a grid: what can be released of them, with an exact level."""

from __future__ import annotations

import math

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import whole_number
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.continuous import ContinuousMechanism
from lpmech.mechanisms.grid import GridMechanism

__all__ = ["discretized"]

#: An infinite support is cut where the released value lies beyond with at most this probability.
_TAIL = 2.0**-20


def discretized(mechanism: ContinuousMechanism, inputs: int = 65, cells: int = 512) -> GridMechanism:
    """The mechanism between two grids: x is moved to the nearest point, what is released to the middle of a cell.

    Parameters
    ----------
    mechanism : ContinuousMechanism
        With a finite tight level.
    inputs : int
        Points of the domain, both ends among them; at least 2.
    cells : int
        Even cells of the support, or, where that is infinite, of the interval that has all but about 1e-6 of the
        released values; the outer cells take what lies beyond. At least 2.

    Returns
    -------
    GridMechanism
        Its probabilities are floats; `GridMechanism.exact` with the level of the mechanism makes them rationals that
        keep it, to release from. Rounding before and after costs no privacy.

    Raises
    ------
    InvalidInputError
        If it is no continuous mechanism, its level is infinite, or a number is not usable.

    Notes
    -----
    Ours. Real-valued noise computed in floats is not private: Mironov, On significance of the least significant bits
    for differential privacy (2012).
    """
    if not isinstance(mechanism, ContinuousMechanism) or not math.isfinite(mechanism.epsilon):
        raise InvalidInputError("mechanism", mechanism, "a continuous mechanism with a finite level")
    points = np.linspace(*mechanism.domain, whole_number(inputs, "inputs", 2))
    first, last = mechanism.support
    if not math.isfinite(last - first):
        first, last = (
            float(mechanism.quantile(u, x)) for u, x in zip((_TAIL, 1 - _TAIL), mechanism.domain, strict=True)
        )
    edges = np.linspace(first, last, whole_number(cells, "cells", 2) + 1)
    middles = (edges[1:] + edges[:-1]) / 2
    edges[0], edges[-1] = mechanism.support
    matrix = np.maximum(mechanism.mass(edges[:-1], edges[1:], points[:, None]), 0.0)
    return GridMechanism(Channel(matrix / matrix.sum(axis=1)[:, None], points.tolist(), middles.tolist()))

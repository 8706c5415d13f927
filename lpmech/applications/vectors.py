"""Vectors of [-c, c]^d released coordinate by coordinate: the gradients of zhang2025 V.D and the vectors of V.F."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lpmech.entries import Array, whole_number
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.intervals import as_numbers
from lpmech.mechanisms.moments import NumberMechanism
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomState

__all__ = ["EveryCoordinate"]

#: From a privacy level, a mechanism for one coordinate.
ForOne = Callable[[float], NumberMechanism]


class EveryCoordinate:
    """Release every coordinate independently with epsilon / d.

    Parameters
    ----------
    mechanism : callable
        From a level, a mechanism for one coordinate, for example ``lambda e: bipartite_rr_on_grid(points, e)``.
    dimension : int
        d, positive.
    epsilon : float or PrivacyLevel
        Level of the whole vector, when any two vectors are neighbours.

    Attributes
    ----------
    coordinate : mechanism
        What every coordinate goes through.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """

    def __init__(self, mechanism: ForOne, dimension: int, epsilon: PrivacyLevel | float) -> None:
        self.dimension = whole_number(dimension, "dimension", 1)
        self.coordinate = mechanism(as_privacy_level(epsilon).share(self.dimension))

    @property
    def epsilon(self) -> float:
        """Tight level: d times that of one coordinate, as the worst pair of vectors is worst in every coordinate."""
        return self.dimension * self.coordinate.epsilon

    def sample(self, vectors: object, random_state: RandomState = None) -> Array:
        """Release every row independently and exactly, shape (n, d): the coordinate mechanism has to be exact.

        Raises
        ------
        InvalidInputError
            If the shape is another, an entry lies outside the domain, or the mechanism releases real numbers.
        ChannelError
            If its channel is not exact.
        """
        return self.coordinate.sample(_rows(vectors, self.dimension), random_state)

    def simulate(self, vectors: object, rng: np.random.Generator) -> Array:
        """Draw every row independently in floats: for experiments, never to be released.

        Parameters
        ----------
        vectors : array_like, shape (n, d)
            Entries in the domain of the coordinate mechanism.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of float, shape (n, d)

        Raises
        ------
        InvalidInputError
            If the shape is another, or an entry lies outside the domain.
        """
        return self.coordinate.simulate(_rows(vectors, self.dimension), rng)


def _rows(vectors: object, dimension: int) -> Array:
    x = as_numbers(vectors, "vectors")
    if x.ndim != 2 or x.shape[1] != dimension:
        raise InvalidInputError("vectors", f"shape {x.shape}", f"shape (n, {dimension})")
    return x

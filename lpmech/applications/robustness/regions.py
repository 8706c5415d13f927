"""Points, boxes and classifiers as arguments: checked once, in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import NoneType

import numpy as np

from lpmech.entries import Array
from lpmech.errors import InvalidInputError, LpmechError
from lpmech.mechanisms.grid import IntervalMechanism
from lpmech.mechanisms.intervals import as_numbers

__all__ = [
    "Box", "Classifier", "Mechanisms", "as_box", "as_domain", "as_point", "as_true_point",
    "labels_of",
]  # fmt: skip

#: A classifier: maps an array of points, shape (n, d), to their labels, shape (n,).
Classifier = Callable[[Array], Array]

#: One mechanism a feature; None for a feature that is released as it is.
Mechanisms = Sequence[IntervalMechanism | None]


@dataclass(frozen=True)
class Box:
    """A hyperrectangle [low_1, high_1] x ... x [low_d, high_d].

    Attributes
    ----------
    low, high : ndarray, shape (d,)
        Its ends, low <= high.

    Raises
    ------
    InvalidInputError
        If the ends are not numbers, of different shapes, or low > high somewhere.
    """

    low: Array
    high: Array

    def __post_init__(self) -> None:
        low, high = as_numbers(self.low, "low"), as_numbers(self.high, "high")
        if low.ndim != 1 or low.shape != high.shape or np.any(low > high):
            raise InvalidInputError("low", self.low, f"a vector of numbers at most high = {self.high!r}")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @property
    def volume(self) -> float:
        """Product of the lengths."""
        return float(np.prod(self.high - self.low))

    def contains(self, points: Array) -> Array:
        """Whether each point, shape (n, d), lies in the box."""
        return np.all((points >= self.low) & (points <= self.high), axis=-1)

    def intersect(self, other: Box) -> Box:
        """What two boxes have in common.

        Raises
        ------
        InvalidInputError
            If that is empty.
        """
        return Box(np.maximum(self.low, other.low), np.minimum(self.high, other.high))


def as_box(box: object) -> Box:
    """The argument itself.

    Raises
    ------
    InvalidInputError
        If it is no `Box`.
    """
    if not isinstance(box, Box):
        raise InvalidInputError("box", box, "a Box")
    return box


def as_domain(domain: Box | tuple[float, float], dimension: int) -> Box:
    """The domain as a box; a pair of numbers means the same interval in every dimension.

    Raises
    ------
    InvalidInputError
        If it is neither, has another dimension, or an end is infinite.
    """
    if not isinstance(domain, Box):
        ends = as_numbers(domain, "domain")
        if ends.shape != (2,) or not ends[0] < ends[1]:
            raise InvalidInputError("domain", domain, "a Box, or a pair of numbers low < high")
        domain = Box(np.full(dimension, ends[0]), np.full(dimension, ends[1]))
    if domain.low.shape != (dimension,) or not np.all(np.isfinite([domain.low, domain.high])):
        raise InvalidInputError("domain", domain, f"finite ends in {dimension} dimension(s)")
    return domain


def as_point(x: object, domain: Box | tuple[float, float]) -> tuple[Array, Box]:
    """A point of the domain, shape (d,), and the domain.

    Raises
    ------
    InvalidInputError
        If the point is no vector of numbers or lies outside the domain.
    """
    point = as_numbers(x, "x")
    if point.ndim != 1 or point.size == 0:
        raise InvalidInputError("x", x, "a vector with at least one feature")
    box = as_domain(domain, point.size)
    if not box.contains(point):
        raise InvalidInputError("x", x, f"a point of the domain from {box.low.tolist()} to {box.high.tolist()}")
    return point, box


def as_true_point(mechanisms: Mechanisms, x: object) -> Array:
    """A point with a mechanism (or None) for each of its features, shape (d,).

    Raises
    ------
    InvalidInputError
        If the mechanisms are no sequence of mechanisms and None, x is no vector of as many finite numbers, or one lies
        outside the domain of its mechanism.
    """
    point = as_numbers(x, "x")
    if point.ndim != 1 or point.size == 0 or not np.all(np.isfinite(point)):
        raise InvalidInputError("x", x, "a vector of finite numbers with at least one feature")
    if not isinstance(mechanisms, Sequence) or len(mechanisms) != point.size:
        raise InvalidInputError("mechanisms", mechanisms, f"one mechanism (or None) for each of {point.size} features")
    for mechanism, value in zip(mechanisms, point, strict=True):
        if not isinstance(mechanism, (IntervalMechanism, NoneType)):
            raise InvalidInputError("mechanisms", mechanism, "continuous mechanisms, mechanisms on a grid, or None")
        if mechanism is not None and not mechanism.domain[0] <= value <= mechanism.domain[1]:
            raise InvalidInputError("x", float(value), f"numbers in the mechanism's domain {mechanism.domain}")
    return point


def labels_of(classify: Classifier, points: Array) -> Array:
    """Labels of points, shape (n, d).

    Raises
    ------
    InvalidInputError
        If `classify` is not callable, refuses the points, or does not return one label a point.
    """
    if not callable(classify):
        raise InvalidInputError("classify", classify, "a callable from arrays (n, d) to labels (n,)")
    try:
        labels = np.asarray(classify(points))
    except LpmechError:
        raise
    except (ValueError, TypeError, IndexError) as exc:
        reason = " ".join(str(exc).split())
        raise InvalidInputError("classify", classify, f"a callable that accepts these points ({reason})") from exc
    if labels.shape != (len(points),):
        raise InvalidInputError("classify", labels, f"a callable that returns {len(points)} labels for as many points")
    return labels

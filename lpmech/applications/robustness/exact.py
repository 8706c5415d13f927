"""Exact robustness: how far a box can grow before it meets another class; radius and hyperrectangle from that."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from lpmech.applications.robustness.regions import Box, as_point
from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.intervals import as_numbers

__all__ = ["ExactClassifier", "LinearClassifier", "robustness_radius", "robustness_box", "MARGIN"]

#: Boxes end this far before the decision boundary, times the largest number of the domain where that is above 1: their
#: closed ends do not touch it, even rounded to float32, as scikit-learn's trees round their features.
MARGIN = 1e-7


class ExactClassifier(ABC):
    """A classifier whose structure is known, so that the nearest point of another class can be computed."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Number of features."""

    @abstractmethod
    def predict(self, points: Array) -> Array:
        """Labels of points, shape (n, d) to (n,)."""

    @abstractmethod
    def rescaled(self, start: Array, scale: Array) -> ExactClassifier:
        """The same classifier of features z in place of v = start + scale z, both of shape (d,), scale positive."""

    @abstractmethod
    def growth(self, x: Array, box: Box, grow: Box, domain: Box) -> float:
        """Least e such that [low - e a, high + e b], inside the domain, has a point of another class than x.

        Parameters
        ----------
        x : ndarray, shape (d,)
            A point of the box; its class is meant.
        box : Box
            Where growth starts.
        grow : Box
            ``grow.low`` holds -a, ``grow.high`` holds b: rates 0 or 1 of every face.
        domain : Box
            The box never leaves it.

        Returns
        -------
        float
            Infinite if there is no such point.
        """


def robustness_radius(classifier: ExactClassifier, x: object, domain: Box | tuple[float, float] = (0.0, 1.0)) -> float:
    """Largest radius whose open ball (inside the domain) has one class; infinite if the whole domain has.

    Raises
    ------
    InvalidInputError
        If x is not numeric, not in the domain, or has another number of features than the classifier.

    Notes
    -----
    Source: zheng2025, Def. 3 and appendix C.1.
    """
    point, box = _checked(classifier, x, domain)
    ones = np.ones(len(point))
    return classifier.growth(point, Box(point, point), Box(-ones, ones), box)


def robustness_box(classifier: ExactClassifier, x: object, domain: Box | tuple[float, float] = (0.0, 1.0)) -> Box:
    """A hyperrectangle with the class of x that cannot be moved outwards at any face, and contains the radius' ball.

    The ball of `robustness_radius` first, then each face in turn as far as it goes; every limit set by the classifier
    is kept at a distance of `MARGIN`.

    Raises
    ------
    InvalidInputError
        As for `robustness_radius`.

    Notes
    -----
    Source: zheng2025, Def. 9 and Section 5.1.
    """
    point, limits = _checked(classifier, x, domain)
    radius = robustness_radius(classifier, point, limits)
    margin = MARGIN * max(1.0, float(np.max(np.abs([limits.low, limits.high]))))
    reach = max(radius - margin, 0.0) if math.isfinite(radius) else float(np.max(limits.high - limits.low))
    found = Box(point - reach, point + reach).intersect(limits)
    zeros = np.zeros(len(point))
    for i in range(len(point)):
        for upwards in (True, False):
            rate = zeros.copy()
            rate[i] = 1.0
            grow = Box(zeros, rate) if upwards else Box(-rate, zeros)
            step = max(classifier.growth(point, found, grow, limits) - margin, 0.0)
            step = min(step, float(limits.high[i] - limits.low[i]))
            found = Box(found.low + step * grow.low, found.high + step * grow.high).intersect(limits)
    return found


def _checked(classifier: ExactClassifier, x: object, domain: Box | tuple[float, float]) -> tuple[Array, Box]:
    if not isinstance(classifier, ExactClassifier):
        raise InvalidInputError("classifier", classifier, "LinearClassifier, ReluClassifier or TreeEnsemble")
    point, box = as_point(x, domain)
    if len(point) != classifier.dimension:
        raise InvalidInputError("x", x, f"{classifier.dimension} features")
    return point, box


class LinearClassifier(ExactClassifier):
    """The class with the largest score W x + b; ties go to the first.

    Parameters
    ----------
    weights : array_like, shape (classes, d)
        One row a class; one row alone means two classes, the second where its score is positive (as the
        ``coef_`` and ``intercept_`` of linear models in scikit-learn).
    bias : array_like, shape (classes,)
        Offsets.

    Raises
    ------
    InvalidInputError
        If the shapes do not fit or an entry is not a finite number.
    """

    def __init__(self, weights: object, bias: object) -> None:
        w, b = as_numbers(weights, "weights"), as_numbers(bias, "bias")
        finite = bool(np.all(np.isfinite(w)) and np.all(np.isfinite(b)))
        if w.ndim != 2 or w.size == 0 or b.shape != w.shape[:1] or not finite:
            raise InvalidInputError("weights", weights, "finite numbers, shape (classes, d), and a bias for each")
        if len(w) == 1:
            w, b = np.vstack([np.zeros_like(w), w]), np.concatenate([[0.0], b])
        self.weights, self.bias = w, b

    @property
    def dimension(self) -> int:
        """Number of features."""
        return int(self.weights.shape[1])

    def predict(self, points: Array) -> Array:
        """Index of the largest score."""
        return np.argmax(points @ self.weights.T + self.bias, axis=1)

    def rescaled(self, start: Array, scale: Array) -> LinearClassifier:
        """The same for features z in place of v = start + scale z."""
        return LinearClassifier(self.weights * scale, self.bias + self.weights @ start)

    def growth(self, x: Array, box: Box, grow: Box, domain: Box) -> float:
        """Where the lead over some rival, least over the growing box, falls to zero: a piecewise linear function."""
        label = int(self.predict(x[None, :])[0])
        leads = [(self.weights[label] - w, self.bias[label] - b) for w, b in zip(self.weights, self.bias, strict=True)]
        del leads[label]
        return min(self._until_tie(slope, offset, box, grow, domain) for slope, offset in leads)

    @staticmethod
    def _until_tie(slope: Array, offset: float, box: Box, grow: Box, domain: Box) -> float:
        """Least e with min over the box of slope . x + offset <= 0, up to rounding: a tie in a corner counts."""
        down = slope > 0  # the coordinate that lowers the lead: the lower end where the slope is positive
        start = np.where(down, box.low, box.high)
        rate = np.abs(slope) * np.where(down, -grow.low, grow.high)
        room = np.where(down, box.low - domain.low, domain.high - box.high)
        lead = float(slope @ start + offset)
        reach = np.maximum(np.abs(domain.low), np.abs(domain.high))
        rounding = 1e-12 * float(np.abs(slope) @ reach + abs(offset))
        if lead <= 0:
            return 0.0
        done = 0.0
        for limit in [*np.unique(room[rate > 0]).tolist(), math.inf]:
            speed = float(rate[room > done].sum()) if limit > done else 0.0
            if speed > 0 and lead <= speed * (limit - done) + rounding:
                return min(done + lead / speed, limit)
            if math.isfinite(limit):
                lead -= speed * (limit - done)
                done = max(done, limit)
        return math.inf

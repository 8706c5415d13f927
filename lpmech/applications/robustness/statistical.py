"""Probabilistic robustness of any classifier: a test of one box, and the search for a radius and a hyperrectangle.

zheng2025 Section 4.2 and 5.1, with exact binomial tests and a level that holds for all tests of a search together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import scipy  # its parts are loaded when they are used

from lpmech.applications.robustness.regions import Box, Classifier, Mechanisms, as_point, as_true_point, labels_of
from lpmech.entries import Array, as_generator, open_probability, positive_number, whole_number
from lpmech.errors import InvalidInputError

__all__ = [
    "hoeffding_samples", "sufficient_samples", "error_bound", "RobustBox", "probabilistic_box", "uniform_in",
    "drawn_from",
]  # fmt: skip

#: Draws points of a box, shape (n, d).
Sampler = Callable[[Box, int, np.random.Generator], Array]


def hoeffding_samples(omega: float, tau: float) -> int:
    """n(omega, tau) = ln(2 / omega) / (2 tau^2), rounded up.

    Raises
    ------
    InvalidInputError
        If omega or tau is not in (0, 1).

    Notes
    -----
    Source: zheng2025, Theorem 1.
    """
    return math.ceil(math.log(2 / open_probability(omega, "omega")) / (2 * open_probability(tau, "tau") ** 2))


def sufficient_samples(omega: float, tau: float) -> int:
    """Samples after which an error rate of at most tau / 2 proves "rate <= tau" with confidence 1 - omega.

    n = ln(1 / omega) / KL(tau / 2, tau), by Chernoff's bound for binomial tails.

    Raises
    ------
    InvalidInputError
        If omega or tau is not in (0, 1).
    """
    tau = open_probability(tau, "tau")
    divergence = tau / 2 * math.log(0.5) + (1 - tau / 2) * math.log((1 - tau / 2) / (1 - tau))
    return math.ceil(-math.log(open_probability(omega, "omega")) / divergence)


def error_bound(errors: int, samples: int, omega: float) -> float:
    """Clopper-Pearson: the error rate is at most this with confidence 1 - omega.

    Raises
    ------
    InvalidInputError
        If the counts are impossible or omega is not in (0, 1).
    """
    counts = all(isinstance(c, Integral) and not isinstance(c, bool) for c in (errors, samples))
    if not counts or not 0 <= errors <= samples or samples < 1:
        raise InvalidInputError("errors", (errors, samples), "whole numbers 0 <= errors <= samples, samples >= 1")
    if errors == samples:
        return 1.0
    return float(scipy.stats.beta.isf(open_probability(omega, "omega"), errors + 1, samples - errors))


def uniform_in(box: Box, count: int, rng: np.random.Generator) -> Array:
    """Uniform points of a box."""
    return box.low + rng.random((count, len(box.low))) * (box.high - box.low)


def drawn_from(mechanisms: Mechanisms, x: object) -> Sampler:
    """A sampler of the mechanisms' own outputs for x, given that they lie in the box.

    With it the product of concentration and robustness is a lower bound of the utility (zheng2025 4.3); with uniform
    points it is not. Features without a mechanism keep their value.

    Parameters
    ----------
    mechanisms : sequence of mechanism or None, length d
        One mechanism a feature.
    x : array_like, shape (d,)
        The true point.

    Raises
    ------
    InvalidInputError
        If there is not one mechanism a feature, or x is not numeric or outside their domains.
    """
    point = as_true_point(mechanisms, x)

    def draw(box: Box, count: int, rng: np.random.Generator) -> Array:
        points = np.tile(point, (count, 1))
        for i, mechanism in enumerate(mechanisms):
            if mechanism is None:
                continue
            below = float(mechanism.cdf(box.low[i], point[i])) - float(mechanism.mass(box.low[i], box.low[i], point[i]))
            shares = below + (1 - rng.random(count)) * float(mechanism.mass(box.low[i], box.high[i], point[i]))
            drawn = mechanism.quantile(np.clip(shares, 0.0, 1.0), point[i])
            points[:, i] = np.clip(drawn, box.low[i], box.high[i])
        return points

    return draw


@dataclass(frozen=True)
class RobustBox:
    """A box on which a classifier keeps the class of x, up to an error rate.

    Attributes
    ----------
    box : Box
        The box found; x alone if no test passed.
    radius : float
        Radius of the search, before any face was moved.
    tau, omega : float
        The error rate under the sampling distribution is at most tau with confidence 1 - omega.
    tests, samples : int
        Number of tests planned, which share omega, and samples of each.
    """

    box: Box
    radius: float
    tau: float
    omega: float
    tests: int
    samples: int


class _RegionSearch:
    """Tests of boxes around a point at a level of omega for all of them together (union bound)."""

    def __init__(
        self, classify: Classifier, x: Array, domain: Box, tau: float, omega: float, tests: int,
        rng: np.random.Generator, sampler: Sampler,
    ) -> None:  # fmt: skip
        if not callable(sampler):
            raise InvalidInputError("sampler", sampler, "uniform_in, or what drawn_from returns")
        self.classify, self.x, self.domain, self.rng, self.sampler = classify, x, domain, as_generator(rng), sampler
        self.tau, self.level = open_probability(tau, "tau"), open_probability(omega, "omega") / tests
        self.samples = sufficient_samples(self.level, tau)
        self.label = labels_of(classify, x[None, :])[0]

    def passes(self, box: Box) -> bool:
        """Whether the error rate on the box is proved to be at most tau, from new samples."""
        labels = labels_of(self.classify, self.sampler(box, self.samples, self.rng))
        return error_bound(int(np.sum(labels != self.label)), self.samples, self.level) <= self.tau

    def bisect(self, accepted: float, largest: float, steps: int, box_at: Callable[[float], Box]) -> float:
        """Largest accepted value by bisection; `largest` itself is tried first."""
        if self.passes(box_at(largest)):
            return largest
        refused = largest
        for _ in range(steps - 1):
            middle = (accepted + refused) / 2
            if self.passes(box_at(middle)):
                accepted = middle
            else:
                refused = middle
        return accepted

    def ball(self, radius: float) -> Box:
        """The l_infinity ball, inside the domain."""
        return Box(self.x - radius, self.x + radius).intersect(self.domain)


def _steps(domain: Box, precision: float) -> int:
    """Tests of a bisection of the largest length of the domain to a precision."""
    span = float(np.max(domain.high - domain.low))
    if positive_number(precision, "precision") > span:
        raise InvalidInputError("precision", precision, f"a positive number, at most {span:g}")
    return 1 + math.ceil(math.log2(span / precision))


def probabilistic_box(
    classify: Classifier,
    x: object,
    rng: np.random.Generator,
    *,
    domain: Box | tuple[float, float] = (0.0, 1.0),
    tau: float = 0.01,
    omega: float = 0.05,
    precision: float = 0.01,
    sampler: Sampler = uniform_in,
    moved: Sequence[int] | None = None,
) -> RobustBox:
    """A hyperrectangle with error rate at most tau, with confidence 1 - omega: the radius' ball, then faces moved.

    Bisection; every test has new samples and level omega / (number of tests), and accepts if the Clopper-Pearson
    bound of the error rate is at most tau. The confidence needs no monotonicity; without it the box may be smaller
    than the largest one. A search has 1 + 2 len(moved) bisections.

    Parameters
    ----------
    classify : callable
        Maps points (n, d) to labels (n,).
    x : array_like, shape (d,)
        The point, in the domain.
    rng : numpy.random.Generator
        Source of randomness.
    domain : Box or (float, float)
        Where released points lie; balls are cut off there.
    tau, omega : float
        Tolerance and significance.
    precision : float
        Where a bisection stops.
    sampler : callable
        Distribution of the points in a box: `uniform_in`, or `drawn_from` the mechanisms.
    moved : sequence of int, optional
        Features whose two faces are moved after the ball is found, each as far as it goes; default: all. Without any
        it is the ball of the radius, for fewer tests.

    Raises
    ------
    InvalidInputError
        If x is not in the domain or not numeric, tau or omega not in (0, 1), the precision, the generator or the
        sampler not usable, a moved feature unknown or named twice, or the classifier refuses a point or does not return
        one label a point.

    Notes
    -----
    Source: zheng2025, Sections 4.2.2 (the radius) and 5.1; one level for all tests and the exact binomial bound are
    additions.
    """
    point, box = as_point(x, domain)
    steps, faces = _steps(box, precision), _features(moved, len(point))
    tests = steps * (1 + 2 * len(faces))
    search = _RegionSearch(classify, point, box, tau, omega, tests, rng, sampler)
    radius = _radius(search, steps)
    found = search.ball(radius)
    for i in faces:
        for upwards in (True, False):
            found = _moved_face(search, found, i, upwards, steps)
    return RobustBox(found, radius, float(tau), float(omega), tests, search.samples)


def _features(moved: Sequence[int] | None, dimension: int) -> Sequence[int]:
    """Positions of the features whose faces are moved."""
    if moved is None:
        return range(dimension)
    if not isinstance(moved, Sequence) or isinstance(moved, str):
        raise InvalidInputError("moved", moved, "a sequence of positions of features")
    found = [whole_number(i, "moved", 0, dimension - 1) for i in moved]
    if len(set(found)) != len(found):
        raise InvalidInputError("moved", moved, "every feature once")
    return found


def _radius(search: _RegionSearch, steps: int) -> float:
    largest = float(np.max(np.maximum(search.x - search.domain.low, search.domain.high - search.x)))
    return search.bisect(0.0, largest, steps, search.ball)


def _moved_face(search: _RegionSearch, box: Box, i: int, upwards: bool, steps: int) -> Box:
    side, limit = (box.high, search.domain.high) if upwards else (box.low, search.domain.low)

    def at(share: float) -> Box:
        moved = side.copy()
        moved[i] = side[i] + share * (limit[i] - side[i])
        return Box(box.low, moved) if upwards else Box(moved, box.high)

    if side[i] == limit[i]:
        return box
    return at(search.bisect(0.0, 1.0, steps, at))

"""Utility of a classifier under private data: guarantees, measured values, choices (zheng2025 4.3 to 5.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are loaded when they are used

from lpmech.applications.robustness.guarantees import rho
from lpmech.applications.robustness.regions import (
    Box,
    Classifier,
    Mechanisms,
    as_true_point,
    labels_of,
)
from lpmech.entries import Array, as_generator, open_probability, positive_number, whole_number
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.intervals import as_numbers

__all__ = [
    "Mechanisms", "Estimate",
    "empirical_rho", "measured", "UtilityProfile", "utility_profile", "rank_mechanisms", "epsilon_for",
]  # fmt: skip


#: Levels below this one are not looked at.
_SMALLEST = 1e-3

#: About how many released points a classifier gets at once.
_AT_ONCE = 100_000

#: Relative difference up to which tight levels count as the same.
_SAME_LEVEL = 1e-6


@dataclass(frozen=True)
class Estimate:
    """A measured probability with a confidence interval.

    Attributes
    ----------
    value, low, high : float
        Frequency and the ends of the interval.
    confidence : float
        Of the interval.
    samples : int
        How many were drawn.
    """

    value: float
    low: float
    high: float
    confidence: float
    samples: int


def empirical_rho(
    classify: Classifier,
    mechanisms: Mechanisms,
    x: object,
    rng: np.random.Generator,
    *,
    samples: int = 2000,
    confidence: float = 0.95,
) -> Estimate:
    """Frequency of the class of x among released points, with its Clopper-Pearson interval.

    Raises
    ------
    InvalidInputError
        If there is not one mechanism a feature, x is not numeric or outside their domains, `samples` is not positive,
        the confidence not in (0, 1), or the classifier refuses a point or does not return one label a point.

    Notes
    -----
    Source: zheng2025, Section 7.1 (2000 samples).
    """
    return measured(classify, mechanisms, [x], rng, samples=samples, confidence=confidence)[0]


def measured(
    classify: Classifier,
    mechanisms: Mechanisms,
    points: Sequence[object] | Array,
    rng: np.random.Generator,
    *,
    samples: int = 2000,
    confidence: float = 0.95,
) -> tuple[Estimate, ...]:
    """`empirical_rho` at every point, each with this confidence; the classifier is called for many points at once."""
    data, rng = np.array([as_true_point(mechanisms, x) for x in points]), as_generator(rng)
    samples, level = whole_number(samples, "samples", 1), open_probability(confidence, "confidence")
    found = []
    for block in np.array_split(data, -(-len(data) * samples // _AT_ONCE)):
        released = np.repeat(block, samples, axis=0)
        for i, mechanism in enumerate(mechanisms):
            if mechanism is not None:
                released[:, i] = mechanism.simulate(released[:, i], rng)
        labels = labels_of(classify, released).reshape(len(block), samples)
        found += np.sum(labels == labels_of(classify, block)[:, None], axis=1).tolist()
    intervals = {same: scipy.stats.binomtest(same, samples).proportion_ci(level, method="exact") for same in set(found)}
    return tuple(
        Estimate(same / samples, float(intervals[same].low), float(intervals[same].high), level, samples)
        for same in found
    )


@dataclass(frozen=True)
class UtilityProfile:
    """Guarantee and measured utility at many points.

    Attributes
    ----------
    theoretical : ndarray, shape (n,)
        `rho` at every point.
    empirical : tuple of Estimate
        Measured at every point; their intervals hold together, each with confidence 1 - (1 - confidence) / n.
    confidence : float
        Of all intervals together.
    """

    theoretical: Array
    empirical: tuple[Estimate, ...]
    confidence: float

    @property
    def rho_avg(self) -> float:
        """Mean guarantee."""
        return float(np.mean(self.theoretical))

    @property
    def rho_wor(self) -> float:
        """Least guarantee."""
        return float(np.min(self.theoretical))

    @property
    def empirical_avg(self) -> Estimate:
        """Mean frequency, with Hoeffding's interval for the mean of independent draws."""
        samples = sum(e.samples for e in self.empirical)
        mean = float(np.mean([e.value for e in self.empirical]))
        half = math.sqrt(math.log(2 / (1 - self.confidence)) / (2 * samples))
        return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half), self.confidence, samples)

    @property
    def empirical_wor(self) -> Estimate:
        """Least frequency; the interval covers the least utility, which a minimum of frequencies underestimates."""
        value, low, high = (min(getattr(e, name) for e in self.empirical) for name in ("value", "low", "high"))
        return Estimate(value, low, high, self.confidence, sum(e.samples for e in self.empirical))


def utility_profile(
    classify: Classifier,
    mechanisms: Mechanisms,
    points: object,
    boxes: Sequence[Box],
    rng: np.random.Generator,
    *,
    samples: int = 2000,
    confidence: float = 0.95,
) -> UtilityProfile:
    """Guarantee and measured utility at every point: rho, rho_avg and rho_wor beside their empirical counterparts.

    Parameters
    ----------
    classify : callable
        Maps points (n, d) to labels (n,).
    mechanisms : sequence of mechanism or None, length d
        One a feature.
    points : array_like, shape (n, d)
        Sample of the data.
    boxes : sequence of Box, length n
        Where the classifier has the class of each point.
    rng : numpy.random.Generator
        Source of randomness.
    samples : int
        Draws a point.
    confidence : float
        Of all intervals together.

    Raises
    ------
    InvalidInputError
        If there is no point, the numbers of points and boxes differ, or as for `rho` and `empirical_rho`.

    Notes
    -----
    Source: zheng2025, Section 4.3 (rho_avg, rho_wor) and 7.1.
    """
    data = as_numbers(points, "points")
    if not isinstance(boxes, Sequence):
        raise InvalidInputError("boxes", boxes, "a sequence with a Box for each point")
    if data.ndim != 2 or len(data) == 0 or len(boxes) != len(data):
        raise InvalidInputError(
            "points", points, f"numbers of shape (n, d), n >= 1, one for each of {len(boxes)} boxes"
        )
    each = 1 - (1 - open_probability(confidence, "confidence")) / len(data)
    theoretical = np.array([rho(mechanisms, x, box) for x, box in zip(data, boxes, strict=True)])
    empirical = measured(classify, mechanisms, data, rng, samples=samples, confidence=each)
    return UtilityProfile(theoretical, empirical, float(confidence))


def rank_mechanisms(candidates: Mapping[str, Mechanisms], x: object, box: Box) -> dict[str, float]:
    """The guarantee `rho` of every candidate, best first; all must have the same tight level.

    Raises
    ------
    InvalidInputError
        If there is no candidate, as for `rho`, or if the tight levels, summed over the features, differ: the
        exponential mechanism has half of its parameter, Gaussian noise none; `lpmech.applications.tight_levels` has
        these at a level of one's choice.

    Notes
    -----
    Source: zheng2025, Section 4.3, application 1.
    """
    if not isinstance(candidates, Mapping) or not candidates:
        raise InvalidInputError("candidates", candidates, "a mapping from names to mechanisms, at least one")
    values = {name: rho(mechanisms, x, box) for name, mechanisms in candidates.items()}
    levels = {name: sum(m.epsilon for m in ms if m is not None) for name, ms in candidates.items()}
    if not math.isfinite(max(levels.values())) or max(levels.values()) > min(levels.values()) * (1 + _SAME_LEVEL):
        given = ", ".join(f"{name} {level:.6g}" for name, level in levels.items())
        raise InvalidInputError("candidates", f"tight levels {given}", "mechanisms of the same finite tight level")
    return dict(sorted(values.items(), key=lambda item: -item[1]))


def epsilon_for(
    target: float, make: Callable[[float], Mechanisms], x: object, box: Box, *, largest: float = 50.0
) -> float:
    """An epsilon from which on, up to `largest`, the guarantee reaches the target; the least one up to 1e-6.

    Parameters
    ----------
    target : float
        Wanted utility, in (0, 1).
    make : callable
        Mechanisms, one a feature, for a level given to every feature.
    x, box
        As for `rho`.
    largest : float
        Where the search starts, positive.

    Raises
    ------
    InvalidInputError
        If the target is not in (0, 1), is not reached at `largest`, `make` is not callable, or as for `rho`.

    Notes
    -----
    Source: zheng2025, Section 4.3, application 2. A guarantee need not increase with epsilon; the crossing is looked
    for among 200 levels and then bisected.
    """
    wanted = open_probability(target, "target")
    largest = positive_number(largest, "largest")
    if not callable(make):
        raise InvalidInputError("make", make, "a function from a level to mechanisms, one a feature")

    def enough(epsilon: float) -> bool:
        return rho(make(epsilon), x, box) >= wanted

    if not enough(largest):
        raise InvalidInputError(
            "target", target, f"at most {rho(make(largest), x, box):.6g}, reached at epsilon = {largest:g}"
        )
    levels = np.geomspace(min(_SMALLEST, largest / 2), largest, 200)
    failing = [level for level in levels if not enough(float(level))]
    if not failing:
        return float(levels[0])
    low = float(failing[-1])
    high = float(levels[levels > low][0])
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high

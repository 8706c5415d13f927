"""Discrete mechanisms on points: k-RR and the exponential mechanism (zheng2025 4.1.2), BRR (zhang2025 V.C)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from lpmech.channel import Channel, as_channel
from lpmech.entries import Array, Number, as_array, as_generator, to_float, whole_number
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.bipartite_rr import bipartite_rr
from lpmech.mechanisms.continuous import ContinuousMechanism
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.grid_concentration import (
    best_worst_case_concentration,
    exponential_concentration,
    k_rr_concentration,
    positive_decimal,
)
from lpmech.mechanisms.intervals import as_ends, as_inside, as_interval, as_numbers, as_radius, broadcast
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.privacy import PrivacyLevel
from lpmech.randomness import RandomState
from lpmech.utilities import absolute

__all__ = [
    "GridMechanism",
    "even_grid",
    "symmetric_grid",
    "k_rr",
    "k_rr_on_bins",
    "exponential_on_grid",
    "bipartite_rr_on_grid",
    "k_rr_concentration",
    "exponential_concentration",
    "best_worst_case_concentration",
]

#: `symmetric_grid` makes no more; the channels on its points are matrices in full.
MOST_POINTS = 1001

#: Points this close (relative to the span of the grid) to an end of an interval count as inside it.
TOLERANCE = 1e-12


def even_grid(size: int) -> tuple[Fraction, ...]:
    """The points 0, 1/(size - 1), ..., 1.

    Raises
    ------
    InvalidInputError
        If `size` is not a whole number >= 2.
    """
    count = whole_number(size, "size", 2)
    return tuple(Fraction(k, count - 1) for k in range(count))


def symmetric_grid(clip: Number, step: Number) -> tuple[Fraction, ...]:
    """The n = 2 c / L + 1 points -c, -c + L, ..., c.

    Parameters
    ----------
    clip : number
        c, positive. A float is taken as the decimal number it prints, here and below.
    step : number
        L, positive; 2 c / L must be a whole number, at most 1000.

    Raises
    ------
    InvalidInputError
        If an argument is not a positive finite number, or 2 c / L is not whole or too large.

    Notes
    -----
    Source: zhang2025, section V.C.
    """
    c, length = positive_decimal(clip, "clip"), positive_decimal(step, "step")
    intervals = 2 * c / length
    if intervals >= MOST_POINTS:
        raise InvalidInputError("step", step, f"a step with at most {MOST_POINTS} points from -{clip} to {clip}")
    if intervals.denominator != 1:
        raise InvalidInputError("step", step, f"a number that divides 2 c = {2 * c} into whole steps")
    return tuple(-c + k * length for k in range(int(intervals) + 1))


class GridMechanism:
    """A channel whose labels are points of an interval, applied to any number of that interval.

    A true value is first moved to the nearest point (the smaller one of two), which costs no privacy. Ends of
    intervals are compared with the points up to 1e-12 of the span, so that 0.5 - 0.3 finds the point 0.2.

    Parameters
    ----------
    channel : Channel
        Its inputs and outputs are the points, numbers in increasing order; outputs may be other points.
    domain : (number, number), optional
        Interval of true values; default: from the first to the last input.

    Raises
    ------
    InvalidInputError
        If the inputs or outputs are not increasing numbers, or the domain is not a pair of finite numbers low < high.
    ChannelError
        If it is no channel.
    """

    def __init__(self, channel: Channel, domain: tuple[Number, Number] | None = None) -> None:
        self.channel = as_channel(channel)
        self.inputs = _increasing(channel.inputs, "channel.inputs")
        self.outputs = _increasing(channel.outputs, "channel.outputs")
        ends = (float(self.inputs[0]), float(self.inputs[-1]))
        self.domain = as_interval(ends if domain is None else domain, "domain")

    @property
    def epsilon(self) -> float:
        """Tight privacy level of the channel."""
        return self.channel.epsilon

    @property
    def support(self) -> tuple[float, float]:
        """First and last output."""
        return float(self.outputs[0]), float(self.outputs[-1])

    @cached_property
    def _cumulative(self) -> Array:
        return np.pad(np.cumsum(to_float(self.channel.matrix), axis=1), ((0, 0), (1, 0)))

    @property
    def _slack(self) -> float:
        return TOLERANCE * (self.domain[1] - self.domain[0])

    def rows(self, true: object) -> Array:
        """Index of the nearest input of every true value.

        Raises
        ------
        InvalidInputError
            If a true value lies outside the domain.
        """
        x = as_inside(true, self.domain)
        middles = (self.inputs[1:] + self.inputs[:-1]) / 2
        return np.searchsorted(middles, x - self._slack, side="left")

    def distribution(self, true: object) -> Array:
        """Pr[each of the outputs | true value], shape (..., J); errors as for `rows`."""
        return to_float(self.channel.matrix)[self.rows(true)]

    def mass(self, low: object, high: object, true: object) -> Array:
        """Pr[low <= released point <= high given the true value]; errors as for `ContinuousMechanism.mass`."""
        a, b = as_ends(low, high)
        first = np.searchsorted(self.outputs, a - self._slack, side="left")
        last = np.searchsorted(self.outputs, b + self._slack, side="right")
        row, first, last = broadcast(true=self.rows(true), low=first, high=last)
        return self._cumulative[row, np.maximum(first, last)] - self._cumulative[row, first]

    def cdf(self, released: object, true: object) -> Array:
        """Pr[released point <= y given the true value]."""
        last = np.searchsorted(self.outputs, as_numbers(released, "released") + self._slack, side="right")
        row, last = broadcast(true=self.rows(true), released=last)
        return self._cumulative[row, last]

    def quantile(self, probability: object, true: object) -> Array:
        """The smallest point y with cdf(y) >= probability; errors as for `ContinuousMechanism.quantile`."""
        u = as_numbers(probability, "probability")
        if np.any((u < 0) | (u > 1)):
            raise InvalidInputError("probability", u[(u < 0) | (u > 1)].flat[0], "numbers between 0 and 1")
        u, row = broadcast(probability=u, true=self.rows(true))
        below = self._cumulative[row, 1:] < u[..., None] - 1e-15
        return self.outputs[np.minimum(below.sum(axis=-1), len(self.outputs) - 1)]

    def concentration(self, true: object, radius: object) -> Array:
        """Pr[|released - true| <= radius]; errors as for `ContinuousMechanism.concentration`."""
        x, r = broadcast(true=as_numbers(true, "true"), radius=as_radius(radius))
        return self.mass(x - r, x + r, x)

    def exact(self, epsilon: PrivacyLevel | float) -> GridMechanism:
        """The mechanism with an exact channel, private at the level to the last bit; see `Channel.exact`."""
        return GridMechanism(self.channel.exact(epsilon), self.domain)

    def sample(self, true: object, random_state: RandomState = None) -> Array:
        """Release every value independently and exactly; the channel has to be exact, see `Channel.sample`."""
        row = self.rows(true)
        return self.outputs[self.channel.sample_positions(row.ravel(), random_state)].reshape(row.shape)

    def simulate(self, true: object, rng: np.random.Generator) -> Array:
        """Draw every value independently in floats: for experiments, never to be released."""
        row = self.rows(true)
        return self.outputs[drawn_in_floats(self._cumulative[row, 1:], as_generator(rng))]


def drawn_in_floats(cumulative: Array, rng: np.random.Generator) -> Array:
    """A column for every row of cumulative probabilities, shape (..., J), in floats; intp of shape (...)."""
    ticks = rng.random(cumulative.shape[:-1])[..., None] * cumulative[..., -1:]
    return np.sum(cumulative[..., :-1] <= ticks, axis=-1)


#: What the rest of the package asks of a mechanism on an interval.
IntervalMechanism = ContinuousMechanism | GridMechanism


def k_rr(points: Sequence[Number], epsilon: PrivacyLevel | float) -> GridMechanism:
    """k-RR on points: the true one with probability t / (t + k - 1), every other one with 1 / (t + k - 1).

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: zheng2025, Def. 14.
    """
    _increasing(points, "points")
    return GridMechanism(randomized_response(points, epsilon))


def k_rr_on_bins(count: int, epsilon: PrivacyLevel | float) -> GridMechanism:
    """k-RR on the middles of `count` equal bins of [0, 1].

    For radius r and count = ceil(1 / (2 r)) its concentration is at least t / (t + count - 1) at every x, and no
    mechanism of that level has more everywhere (`best_worst_case_concentration`).

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    bins = whole_number(count, "count", 1)
    middles = [Fraction(2 * i + 1, 2 * bins) for i in range(bins)]
    return GridMechanism(randomized_response(middles, epsilon), (0, 1))


def exponential_on_grid(points: Sequence[Number], epsilon: PrivacyLevel | float) -> GridMechanism:
    """The exponential mechanism on points with score -|x - y|: Pr[y | x] proportional to e^(-epsilon |x - y| / (2 D)).

    D is the largest distance of two points.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: zheng2025, Def. 13, with the sign that favours near points; the definition prints +|x - y|.
    """
    _increasing(points, "points")
    channel = exponential(absolute(list(points)), epsilon)
    return GridMechanism(channel.renamed(points, points))


def bipartite_rr_on_grid(points: Sequence[Number], epsilon: PrivacyLevel | float) -> GridMechanism:
    """BRR for the distance |x - y| on points; a number between two points is moved to the nearest one first.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: zhang2025, section V.C ("adjusted to the nearest discrete points"), with the points of `symmetric_grid`.
    Neither rounding nor BRR keeps the mean; `StochasticRounding` does, where the rows admit it.
    """
    _increasing(points, "points")
    channel = bipartite_rr(absolute(list(points)), epsilon)
    return GridMechanism(channel.renamed(points, points))


def _increasing(points: Sequence[object], argument: str) -> Array:
    try:
        entries = list(points)
    except TypeError as exc:
        raise InvalidInputError(argument, points, "numbers in increasing order") from exc
    values = to_float(as_array(entries, argument, 1))
    if len(values) < 1 or np.any(np.diff(values) <= 0):
        raise InvalidInputError(argument, points, "numbers in increasing order")
    return values

"""Channels of 10^5 labels and more, described instead of tabulated.

Every published finite mechanism but the exponential one has a matrix of blocks with windows in it: inputs and outputs
fall into few groups, Pr[j | y] depends on the groups only, except that a window of outputs of y, inside one group, has
`lift` times that probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn, Protocol

import numpy as np

from lpmech.applications.at_scale.exact import ExactDescribedChannel, filled
from lpmech.channel import LEVEL_TOLERANCE, ROW_SUM_TOLERANCE, Channel
from lpmech.entries import Array, as_array, to_float
from lpmech.errors import ChannelError, LabelError, UtilityError
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomState
from lpmech.rationals import DENOMINATOR

__all__ = ["AbsoluteDistance", "DescribedChannel", "DescribedUtility", "HitRate", "Pointwise"]

_CHUNK = 1 << 20


class DescribedUtility(Protocol):
    """A utility that needs no matrix: single entries, and sums over a set of outputs for every input."""

    def at(self, inputs: Array, outputs: Array) -> Array:
        """u[y, j] for arrays of labels of one shape."""

    def totals(self, inputs: int, outputs: Array) -> Array:
        """Sum of u[y, j] over the given outputs for y = 0, ..., inputs - 1, shape (inputs,)."""


class HitRate:
    """1 if the released label is the true one."""

    def at(self, inputs: Array, outputs: Array) -> Array:
        return (inputs == outputs).astype(float)

    def totals(self, inputs: int, outputs: Array) -> Array:
        return np.bincount(outputs, minlength=inputs)[:inputs].astype(float)


@dataclass(frozen=True)
class AbsoluteDistance:
    """-|x_y - x_j| for label values x; sums by one sort and prefix sums.

    Attributes
    ----------
    values : ndarray of float
        x, one for every label.
    """

    values: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", to_float(as_array(self.values, "values", 1, UtilityError)))

    def at(self, inputs: Array, outputs: Array) -> Array:
        return -abs(self.values[inputs] - self.values[outputs])

    def totals(self, inputs: int, outputs: Array) -> Array:
        own, others = self.values[:inputs], np.sort(self.values[outputs])
        sums = np.concatenate([[0.0], np.cumsum(others)])
        below = np.searchsorted(others, own)
        return sums[below] - below * own - (sums[-1] - sums[below]) + (len(others) - below) * own


@dataclass(frozen=True)
class Pointwise:
    """Any utility as a vectorised function of true and released labels; sums take time K J, but no memory."""

    function: Callable[[Array, Array], Array]

    def at(self, inputs: Array, outputs: Array) -> Array:
        return np.asarray(self.function(inputs, outputs), dtype=float)

    def totals(self, inputs: int, outputs: Array) -> Array:
        height = max(1, _CHUNK // max(len(outputs), 1))
        parts = [np.arange(start, min(start + height, inputs)) for start in range(0, inputs, height)]
        return np.concatenate([self.at(*np.broadcast_arrays(y[:, None], outputs)).sum(axis=1) for y in parts])


@dataclass(frozen=True)
class DescribedChannel:
    """A channel on the inputs 0..K-1 and the outputs 0..J-1 in G groups of inputs and H groups of outputs.

    Attributes
    ----------
    order : ndarray of int, shape (J,)
        The outputs, group after group.
    bounds : ndarray of int, shape (H + 1,)
        Group h holds order[bounds[h] : bounds[h + 1]].
    group : ndarray of int, shape (K,)
        Group of every input.
    base : ndarray, shape (G, H)
        Probability of one output of group h, for an input of group g, outside the window.
    starts, stops : ndarray of int, shape (K,)
        The window of an input: positions in `order`, inside one group of outputs; empty where both are equal.
    lift : float
        Factor of the probabilities inside the window, at least 1.

    Raises
    ------
    LabelError
        If `order` is no permutation, or groups or windows are not as stated.
    ChannelError
        If a probability is negative, lift below 1, or a row does not sum to one within 1e-12.
    """

    order: Array
    bounds: Array
    group: Array
    base: Array
    starts: Array
    stops: Array
    lift: float

    def __post_init__(self) -> None:
        outputs = len(self.order)
        if not np.array_equal(np.sort(self.order), np.arange(outputs)):
            raise LabelError("order", self.order, f"a permutation of 0..{outputs - 1}")
        if self.bounds[0] != 0 or self.bounds[-1] != outputs or np.any(np.diff(self.bounds) < 0):
            raise LabelError("bounds", self.bounds, f"positions that rise from 0 to {outputs}")
        if self.base.shape != (int(self.group.max()) + 1, len(self.bounds) - 1) or self.group.min() < 0:
            raise LabelError("group", self.base.shape, "a row of base for every group of inputs, a column for outputs")
        widths = self.stops - self.starts
        inside = (self.starts >= self.bounds[self._home]) & (self.stops <= self.bounds[self._home + 1])
        if np.any(widths < 0) or not np.all(inside | (widths == 0)):
            raise LabelError("starts", self.starts, "windows inside one group of outputs")
        if np.any(self.base < 0) or not 1 <= self.lift < math.inf:
            raise ChannelError("base", float(self.base.min()), "probabilities that are not negative, and lift >= 1")
        sums = self._group_mass[self.group].sum(axis=1) + self._window_mass
        worst = int(abs(sums - 1).argmax())
        if abs(sums[worst] - 1) > ROW_SUM_TOLERANCE:
            raise ChannelError("base", f"row {worst} with sum {sums[worst]}", "rows that sum to one")

    @property
    def shape(self) -> tuple[int, int]:
        """(K, J)."""
        return len(self.group), len(self.order)

    @cached_property
    def ratio(self) -> float:
        """e^epsilon of the tight level: the largest ratio of two entries of one column (inf if not private)."""
        high, low = np.zeros(len(self.order)), np.full(len(self.order), math.inf)
        column = np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))
        for g, base in enumerate(self.base):
            members = self.group == g
            covering = np.cumsum(
                np.bincount(self.starts[members], minlength=len(self.order) + 1)
                - np.bincount(self.stops[members], minlength=len(self.order) + 1)
            )[:-1]
            entry = base[column]
            high = np.maximum(high, np.where(covering > 0, self.lift * entry, entry))
            low = np.minimum(low, np.where(covering == members.sum(), self.lift * entry, entry))
        released = high > 0
        if np.any(low[released] == 0):
            return math.inf
        return float((high[released] / low[released]).max())

    @property
    def epsilon(self) -> float:
        """The tight privacy level in nats."""
        return math.log(self.ratio) if math.isfinite(self.ratio) else math.inf

    def expected_utility(self, utility: DescribedUtility, prior: object = None) -> float:
        """Sum over y, j of prior[y] Pr[j | y] u[y, j], without the matrix.

        Parameters
        ----------
        utility : DescribedUtility
            `HitRate`, `AbsoluteDistance` or `Pointwise`.
        prior : array_like, shape (K,), optional
            Distribution of the true label; uniform if omitted.

        Raises
        ------
        PriorError
            If the prior is not a distribution on the inputs.
        """
        inputs = len(self.group)
        weights = np.full(inputs, 1 / inputs) if prior is None else to_float(as_prior(prior, inputs))
        total = 0.0
        for h, (first, last) in enumerate(zip(self.bounds[:-1], self.bounds[1:], strict=True)):
            if last > first and np.any(self.base[:, h]):
                sums = utility.totals(inputs, self.order[first:last])
                total += float(weights @ (self.base[self.group, h] * sums))
        surplus = weights * (self.lift - 1) * self.base[self.group, self._home]
        for rows, positions in self._windows():
            total += float(surplus[rows] @ utility.at(rows, self.order[positions]))
        return total

    def exact(self, epsilon: PrivacyLevel | float) -> ExactDescribedChannel:
        """A rational channel beside this one, to be sampled: private at the level to the last bit; see `Channel.exact`.

        Raises
        ------
        ChannelError
            If the channel is not private at this level up to rounding, or only because windows cover whole groups of
            outputs between them.
        PrivacyLevelError
            If the level is not usable.
        """
        level = as_privacy_level(epsilon)
        home, window = self._home, self.lift * self.base[self.group, self._home]
        widths = self.stops - self.starts
        full = widths == np.diff(self.bounds)[home]  # no output of the group is outside the window
        key = np.column_stack([self.group, home, np.where(full, 0, widths), full])
        _, first, kind = np.unique(key, axis=0, return_index=True, return_inverse=True)
        base, home, window, full = self.base[self.group[first]].copy(), home[first], window[first], full[first]
        base[full, home[full]] = window[full]
        sizes = np.tile(np.append(np.diff(self.bounds), 0), (len(first), 1))
        sizes[:, -1] = np.where(full, 0, widths[first])
        sizes[np.arange(len(first)), home] -= sizes[:, -1]
        floors = np.array([math.ceil(v) for v in (base.min(axis=0) * DENOMINATOR).tolist()], dtype=np.int64)
        r = level.ratio_below
        tops = np.array([min(n * r.numerator // r.denominator, DENOMINATOR) for n in floors.tolist()], dtype=np.int64)
        cells = np.minimum(np.rint(np.column_stack([base, window]) * DENOMINATOR), DENOMINATOR).astype(np.int64)
        low, high = (np.column_stack([np.tile(v, (len(first), 1)), v[home]]) for v in (floors, tops))
        if np.any((cells - high > 2 + high * float(LEVEL_TOLERANCE)) & (sizes > 0)):
            allowed = f"a channel that is private at {level}; this one has epsilon = {self.epsilon:.9g}"
            raise ChannelError("channel", self, allowed)
        filled_rows = [filled(*row) for row in zip(cells, sizes, low, high, strict=True)]
        weights, extra_cell, extra = (np.array(part) for part in zip(*filled_rows, strict=True))
        stops = np.where(full[kind], self.starts, self.stops)
        found = ExactDescribedChannel(
            self.order, self.bounds, self.starts, stops, kind, home, weights, extra_cell, extra
        )
        if found.ratio > r or np.any(found.row_sums != DENOMINATOR):
            raise ChannelError("channel", self, f"a channel with room for rounding at {level}")
        return found

    def sample(self, labels: object, random_state: RandomState = None) -> NoReturn:
        """Refused: floats cannot be sampled without rounding; see `exact`.

        Raises
        ------
        ChannelError
            Always.
        """
        raise ChannelError("channel", self, "exact probabilities to sample from; take channel.exact(epsilon)")

    def tabulate(self) -> Channel:
        """The matrix, for alphabets where it fits."""
        matrix = np.repeat(self.base, np.diff(self.bounds), axis=1)[self.group]
        for rows, positions in self._windows():
            matrix[rows, positions] *= self.lift
        return Channel(matrix[:, np.argsort(self.order)])

    def _windows(self) -> Iterator[tuple[Array, Array]]:
        """All (input, position) pairs of the windows, in pieces."""
        widths = self.stops - self.starts
        ends = np.cumsum(widths)
        first = 0
        while first < len(widths):
            already = ends[first] - widths[first]
            beyond = max(first + 1, int(np.searchsorted(ends, already + _CHUNK, side="right")))
            part = widths[first:beyond]
            rows = np.repeat(np.arange(first, beyond), part)
            yield rows, np.arange(len(rows)) - np.repeat(ends[first:beyond] - part - already, part) + self.starts[rows]
            first = beyond

    @cached_property
    def _home(self) -> Array:
        """The group of outputs in which each window lies."""
        return np.clip(np.searchsorted(self.bounds, self.starts, side="right") - 1, 0, len(self.bounds) - 2)

    @cached_property
    def _group_mass(self) -> Array:
        return self.base * np.diff(self.bounds)

    @cached_property
    def _window_mass(self) -> Array:
        """What the window adds to the base, shape (K,)."""
        return (self.lift - 1) * self.base[self.group, self._home] * (self.stops - self.starts)

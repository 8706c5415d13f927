"""Numbers released through a channel on points without bias: rounded at random first, decoded afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from lpmech.channel import Channel, as_channel
from lpmech.entries import Array, Number, as_generator, to_float
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.grid import bipartite_rr_on_grid, drawn_in_floats
from lpmech.mechanisms.intervals import as_inside, as_numbers
from lpmech.privacy import PrivacyLevel
from lpmech.randomness import RandomState, as_random_source

__all__ = ["StochasticRounding", "unbiased_bipartite_rr"]


class StochasticRounding:
    """Move x at random to one of the two inputs around it, release that, and decode the output to a number.

    x between inputs a < b becomes b with probability (x - a) / (b - a), so its mean is x; the outputs are decoded by
    numbers v with sum_j q[i, j] v_j = inputs[i] for every row i, so the mean of the released number is x too. Of all
    such v the one of least norm is taken.

    Parameters
    ----------
    channel : Channel
        Its inputs are numbers in increasing order, two or more; its rows are linearly independent.

    Attributes
    ----------
    outputs : ndarray, shape (J,)
        The numbers v, not always in increasing order, and mostly wider apart than the inputs.

    Raises
    ------
    InvalidInputError
        If the inputs are not two or more increasing numbers.
    ChannelError
        If it is no channel.
    NotInvertibleError
        If the rows are linearly dependent, as those of BRR for |x - y| with m >= 3 are: the first two are equal.

    Notes
    -----
    Not in zhang2025, which rounds to the nearest point (section V.C). For RR on the two ends this is the mechanism of
    Duchi, Jordan and Wainwright.
    """

    def __init__(self, channel: Channel) -> None:
        self.channel = as_channel(channel)
        self.inputs = as_numbers(channel.inputs, "channel.inputs")
        if len(self.inputs) < 2 or np.any(np.diff(self.inputs) <= 0):
            raise InvalidInputError("channel.inputs", channel.inputs, "two or more numbers in increasing order")
        self.outputs = to_float(channel.decoder) @ self.inputs
        self.domain = (float(self.inputs[0]), float(self.inputs[-1]))

    @property
    def epsilon(self) -> float:
        """Tight level: the channel's, whose rows are the distributions at the inputs; between them they are mixed."""
        return self.channel.epsilon

    def distribution(self, true: object) -> Array:
        """Pr[each of the outputs | true value], shape (..., J).

        Raises
        ------
        InvalidInputError
            If a true value lies outside the domain.
        """
        left, share = self._between(as_inside(true, self.domain))
        rows = to_float(self.channel.matrix)
        return (1 - share[..., None]) * rows[left] + share[..., None] * rows[left + 1]

    def exact(self, epsilon: PrivacyLevel | float) -> StochasticRounding:
        """The mechanism with an exact channel, private at the level to the last bit, and the same outputs."""
        found = copy(self)
        found.channel = self.channel.exact(epsilon)
        return found

    def sample(self, true: object, random_state: RandomState = None) -> Array:
        """Release every value independently and exactly; the channel has to be exact, see `Channel.sample`.

        The neighbour is drawn with its probability rounded to a multiple of 2^-53, which costs no privacy: whatever the
        two inputs' shares, the output's law is a mixture of rows.
        """
        left, share = self._between(as_inside(true, self.domain))
        source = as_random_source(random_state)
        rows = left + (source.below(2**53, left.size).reshape(left.shape) < share * 2**53)
        return self.outputs[self.channel.sample_positions(rows.ravel(), source)].reshape(rows.shape)

    def simulate(self, true: object, rng: np.random.Generator) -> Array:
        """Draw every value independently in floats: for experiments, never to be released."""
        return self.outputs[drawn_in_floats(np.cumsum(self.distribution(true), axis=-1), as_generator(rng))]

    def _between(self, x: Array) -> tuple[Array, Array]:
        """Index of the input at or below x, and the probability of the next one."""
        left = np.minimum(np.searchsorted(self.inputs, x, side="right") - 1, len(self.inputs) - 2)
        return left, (x - self.inputs[left]) / (self.inputs[left + 1] - self.inputs[left])


def unbiased_bipartite_rr(points: Sequence[Number], epsilon: PrivacyLevel | float) -> StochasticRounding:
    """BRR for |x - y| without bias: rounded at random to points whose rows differ, both ends among them, and decoded.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    NotInvertibleError
        If BRR favours all points, so that its output says nothing.

    Notes
    -----
    Ours, not zhang2025's. With m >= 3 the points near an end share the window of the end. The rows kept are linearly
    independent: each window has a last point that the ones before it have not, and equal row sums rule out a constant.
    """
    channel = bipartite_rr_on_grid(points, epsilon).channel
    rows = [tuple(row) for row in channel.matrix.tolist()]
    last = len(rows) - 1
    first_with = {rows[i]: i for i in range(last, -1, -1)}
    kept = {*first_with.values()} - {first_with[rows[last]]} | {0, last}
    return StochasticRounding(channel.restrict([channel.inputs[i] for i in sorted(kept)]))

"""Published mechanisms as a design compares and deploys them: the same whatever the order and names of the labels.

A closed form may have to choose among labels that nothing tells apart: which of two of one prior is among the k most
probable ones. Here it is made in the canonical order of `lpmech.programs.symmetry` and averaged over the classes of
pairs, which shares ties alike; level and expected utility are kept by that, whatever the mechanism.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, to_float
from lpmech.mechanisms.catalogue import published_channels
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel
from lpmech.programs.symmetry import Symmetry
from lpmech.rationals import alike_numerators

__all__ = ["exact_alike", "published_alike"]

#: Entries that averaging moves by less are moved by rounding.
_ROUNDING = 1e-12


def published_alike(
    utility: Array, level: PrivacyLevel, prior: Array, symmetry: Symmetry
) -> Iterator[tuple[str, str, Channel]]:
    """`published_channels`, ties shared: (function name, chosen parameters, channel in the order of the labels).

    Parameters
    ----------
    utility, level, prior
        See `published_channels`.
    symmetry : Symmetry
        Of this utility and prior. Bins are made of labels that are next to each other in a line where each is followed
        by the one that is nearest to it, by the utility; by falling prior where that does not tell.
    """
    line = symmetry.reordered(_line(to_float(utility)[symmetry.order][:, symmetry.order]))
    order, back = line.order, line.back
    for name, parameters, channel in published_channels(utility[order][:, order], level, as_prior(prior[order])):
        shared = line.average(channel.matrix)
        if abs(to_float(shared) - to_float(channel.matrix)).max() > _ROUNDING:
            parameters = f"{parameters}, ties shared" if parameters else "ties shared"
        if not level.is_exact:
            shared = shared / line.average_labels(shared.sum(axis=1))[:, None]
        yield name, parameters, Channel(shared[back][:, back])


def exact_alike(channel: Channel, level: PrivacyLevel, symmetry: Symmetry) -> Channel:
    """`Channel.exact` of a K x K channel: rounded alike for pairs of labels that cannot be told apart.

    Raises
    ------
    ChannelError
        If the channel is not private at this level.
    """
    exact = channel.exact(level)
    if exact is channel:
        return exact
    order, back = symmetry.order, symmetry.back
    matrix = symmetry.average(channel.matrix[order][:, order])
    numerators, denominator = alike_numerators(matrix, level.ratio_below, symmetry.pairs)
    return Channel.of_numerators(numerators[back][:, back], denominator, channel.inputs, channel.outputs)


def _line(utility: Array) -> Array:
    """Positions of the labels: first one that is least near to all others, then always the nearest that is left."""
    near = utility + utility.T
    np.fill_diagonal(near, 0.0)
    found = [int(near.sum(axis=1).argmin())]
    np.fill_diagonal(near, -np.inf)
    for _ in range(len(near) - 1):
        near[:, found[-1]] = -np.inf
        found.append(int(near[found[-1]].argmax()))
    return np.array(found)

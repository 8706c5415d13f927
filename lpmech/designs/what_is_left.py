"""What a released label still says about the true one: which labels occur at all, decoding, information, guessing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lpmech.channel import Channel
from lpmech.designs.decoding import decodable, total_variance
from lpmech.entries import Array, to_float
from lpmech.errors import NotInvertibleError

__all__ = ["LabelLeft", "WhatIsLeft", "label_by_label", "what_is_left"]

#: A label that is released less often than this, whatever the true one, counts as never released.
_NEVER = 1e-9


@dataclass(frozen=True)
class WhatIsLeft:
    """What is left of the true label after a release.

    Attributes
    ----------
    never : tuple
        Outputs that no true label gives with probability above 1e-9.
    variance : float or None
        `lpmech.designs.decoding.total_variance`, None where the channel cannot be decoded.
    information : float
        Mutual information of true and released label in bits.
    guessed : float
        Posterior vulnerability: the probability that the best guess of the true label is right.
    """

    never: tuple[object, ...]
    variance: float | None
    information: float
    guessed: float

    @property
    def decodable(self) -> bool:
        """Whether the frequencies of the true labels can be estimated without bias.

        The rows of the channel are linearly independent then, and not only by rounding. Where not, `Channel.decoder`
        raises NotInvertibleError.
        """
        return self.variance is not None


@dataclass(frozen=True)
class LabelLeft:
    """One label, true and released.

    Attributes
    ----------
    label : object
        The label.
    prior, released : float
        Probability that it is the true one; that it is the released one.
    hit_rate : float
        Probability that it is released where it is the true one.
    guess, right : object, float
        The likeliest true label where it is the released one, and how likely that is (its posterior vulnerability);
        None and nan for a label that is never released.
    """

    label: object
    prior: float
    released: float
    hit_rate: float
    guess: object
    right: float


def what_is_left(channel: Channel, prior: Array) -> WhatIsLeft:
    """What a channel leaves, in floats.

    Parameters
    ----------
    channel : Channel
        K inputs, J outputs.
    prior : ndarray, shape (K,)
        Distribution of the true label.
    """
    matrix, p = channel.floats, to_float(prior)
    occurs: Array = np.any(matrix > _NEVER, axis=0)
    never = tuple(name for name, released in zip(channel.outputs, occurs, strict=True) if not released)
    joint = p[:, None] * matrix
    independent = p[:, None] * joint.sum(axis=0)
    seen = joint > 0
    information = float((joint[seen] * np.log2(joint[seen] / independent[seen])).sum())
    variance = _variance(channel, prior, occurs)
    return WhatIsLeft(never, variance, max(information, 0.0), float(joint.max(axis=0).sum()))


def _variance(channel: Channel, prior: Array, occurs: Array) -> float | None:
    """`total_variance`; None of a channel that cannot be decoded, or not from the labels that do occur."""
    if not (occurs.all() or decodable(channel.floats[:, occurs])):
        return None
    try:
        return float(total_variance(channel, prior))
    except NotInvertibleError:
        return None


def label_by_label(channel: Channel, prior: Array) -> list[LabelLeft]:
    """What is left of each label, for a channel with as many outputs as inputs, of the same names in the same order."""
    matrix, p = channel.floats, to_float(prior)
    joint = p[:, None] * matrix
    released = joint.sum(axis=0)
    guesses = joint.argmax(axis=0)
    found = []
    for y, label in enumerate(channel.inputs):
        occurs = released[y] > _NEVER
        guess, right = (channel.inputs[guesses[y]], joint[guesses[y], y] / released[y]) if occurs else (None, np.nan)
        found.append(LabelLeft(label, float(p[y]), float(released[y]), float(matrix[y, y]), guess, float(right)))
    return found

"""Which epsilon: what the best channel keeps of the labels, and what a person gives away, level by level."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lpmech.channel import Channel
from lpmech.designs.decoding import error_of, share_error
from lpmech.designs.optimum import optimum_of
from lpmech.designs.what_is_left import WhatIsLeft, what_is_left
from lpmech.entries import Array, to_float, whole_number
from lpmech.labels.counts import LabelCounts
from lpmech.labels.named_utilities import utility_named
from lpmech.mechanisms import randomized_response
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.hit_floors import HALFWAY

__all__ = ["EPSILONS", "Kept", "LevelChoice", "level_choices", "sureness"]

#: The levels that are compared.
EPSILONS = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0)


@dataclass(frozen=True)
class Kept:
    """What one channel keeps.

    Attributes
    ----------
    utility : float
        Expected utility.
    left : WhatIsLeft
        What a released label says of the true one.
    error : float or None
        Root mean squared error of the estimated share of a label; None if the channel cannot be decoded.
    """

    utility: float
    left: WhatIsLeft
    error: float | None


@dataclass(frozen=True)
class LevelChoice:
    """One level.

    Attributes
    ----------
    epsilon : float
        Of one release.
    sure : float
        `sureness` after all releases.
    best, keeping : Kept
        The best channel, and the best one that keeps every label (``--keep-labels``), as `lpmech.design` finds them.
    plain_error : float
        `Kept.error` of randomized response.
    """

    epsilon: float
    sure: float
    best: Kept
    keeping: Kept
    plain_error: float


def sureness(level: PrivacyLevel, releases: int = 1) -> float:
    """How sure of a person's label somebody gets who thinks two labels equally likely: at most t / (1 + t).

    Parameters
    ----------
    level : PrivacyLevel
        Level of one release.
    releases : int
        How many releases about the same person there are, of one column or of several: t is e^(releases epsilon).

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    return 1 / (1 + math.exp(-level.epsilon * whole_number(releases, "releases", 1)))


def level_choices(
    counts: LabelCounts, utility: str = "hit", epsilons: Iterable[float] = EPSILONS, releases: int = 1
) -> Iterator[LevelChoice]:
    """What each level keeps and costs, for public counts or for the reader's eyes.

    Parameters
    ----------
    counts : LabelCounts
        Labels and their counts; errors of shares are for as many rows.
    utility : str
        See `lpmech.labels.named_utilities.utility_named`.
    epsilons : iterable of float
        Levels of one release.
    releases : int
        How many releases about the same person there are.

    Raises
    ------
    InvalidInputError, PrivacyLevelError, DataFileError, UtilityError
        If an argument is not usable.
    """
    for epsilon in epsilons:
        level = as_privacy_level(epsilon)
        gain = utility_named(utility, counts, level)
        found = (optimum_of(gain, level, counts, floor) for floor in (None, HALFWAY))
        best, keeping = (_kept(entry.channel.to_float(), to_float(gain), counts) for entry in found)
        plain = share_error(randomized_response(len(counts.labels), level), counts.prior, sum(counts.counts))
        yield LevelChoice(epsilon, sureness(level, releases), best, keeping, plain)


def _kept(channel: Channel, gain: Array, counts: LabelCounts) -> Kept:
    prior = to_float(counts.prior)
    left = what_is_left(channel, prior)
    error = None if left.variance is None else error_of(left.variance, len(counts.labels), sum(counts.counts))
    return Kept(float(channel.expected_utility(gain, prior)), left, error)

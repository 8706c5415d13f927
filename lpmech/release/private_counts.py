"""Designing for private counts: part of the budget buys noisy counts, and only these are looked at afterwards."""

from __future__ import annotations

import math
import secrets
from dataclasses import replace
from fractions import Fraction

from lpmech.budgets import amount_text
from lpmech.entries import rational_from_text
from lpmech.errors import InvalidInputError, PrivacyLevelError
from lpmech.labels.counts import LabelCounts
from lpmech.mechanisms.private_histogram import with_noise
from lpmech.privacy import PrivacyLevel
from lpmech.randomness import RandomState
from lpmech.release.bought import BoughtCounts, clipped
from lpmech.release.spent import Spent

__all__ = ["in_place_of", "level_within", "noisy", "shared"]


def level_within(epsilon: str) -> PrivacyLevel:
    """The largest level in floats that is at most the decimal.

    Raises
    ------
    PrivacyLevelError
        If it is not a usable epsilon.
    """
    exact = rational_from_text(epsilon)
    if exact is None:
        raise PrivacyLevelError("epsilon", epsilon, "a decimal")
    value = float(exact)
    return PrivacyLevel.from_epsilon(value if Fraction(value) <= exact else math.nextafter(value, 0.0))


def shared(epsilon: str, spend: str, composition: str) -> Spent:
    """What the noisy counts and each release cost, adding up to at most epsilon; a new name for this purchase.

    Parameters
    ----------
    epsilon, spend : str
        The whole budget, and the part of it for the noisy counts; decimals.
    composition : {"sequential", "parallel"}
        sequential: the same rows are counted and released, so that the costs add up. parallel: rows that are counted
        are never released, so that each row pays one of them; both may be up to epsilon.

    Raises
    ------
    InvalidInputError
        If the part is not positive, or leaves nothing (sequential), or is more than the whole (parallel).
    """
    whole, part = rational_from_text(epsilon), rational_from_text(spend)
    if whole is None or part is None or not part > 0 or part > whole or (part == whole and composition == "sequential"):
        allowed = f"a decimal above 0 and below epsilon = {epsilon}, for the noisy counts"
        raise InvalidInputError("spend", spend, allowed)
    release = epsilon if composition == "parallel" else amount_text(whole - part)
    return Spent.on(release, spend, composition, secrets.token_hex(16))


def noisy(counts: LabelCounts, spend: str, random_state: RandomState = None) -> BoughtCounts:
    """Counts with discrete Laplace noise, private at epsilon = spend for changing one label.

    Parameters
    ----------
    counts : LabelCounts
        True counts of all labels that may occur, an alphabet fixed beforehand.
    spend : str
        Epsilon, a decimal; see `lpmech.mechanisms.discrete_noise`.
    random_state : None, int, numpy.random.Generator or RandomSource
        None for releases; see `lpmech.randomness`.

    Returns
    -------
    BoughtCounts
        As they were drawn; `in_place_of` makes label counts of them.
    """
    drawn = tuple(with_noise(counts.counts, level_within(spend), random_state))
    return BoughtCounts(drawn, sum(counts.counts))


def in_place_of(counts: LabelCounts, bought: BoughtCounts) -> LabelCounts:
    """The same labels with the noisy counts, none below zero; one for each if the noise makes all zero."""
    return replace(counts, counts=clipped(bought.counts))

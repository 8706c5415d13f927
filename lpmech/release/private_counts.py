"""Designing for private counts: part of the budget buys noisy counts, and only these are looked at afterwards."""

from __future__ import annotations

import math
import secrets
from dataclasses import replace
from fractions import Fraction
from functools import cache

from lpmech.budgets import amount_text
from lpmech.certify.checker import exp_bounds
from lpmech.entries import as_array, rational_from_text
from lpmech.errors import InvalidInputError, PriorError, PrivacyLevelError
from lpmech.labels.counts import LabelCounts
from lpmech.mechanisms.private_histogram import count_noise, with_noise
from lpmech.privacy import PrivacyLevel
from lpmech.programs.uncertain_priors import PriorSet, priors_between
from lpmech.randomness import RandomState
from lpmech.release.bought import BoughtCounts, clipped
from lpmech.release.spent import Spent

__all__ = ["confidence_set", "in_place_of", "level_within", "noisy", "shared"]


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


def confidence_set(bought: BoughtCounts, spend: str, confidence: object) -> PriorSet:
    """The shares of the counted rows, as far as noisy counts tell them: in this set with that probability or more.

    Parameters
    ----------
    bought : BoughtCounts
        With the number of rows.
    spend : str
        What they cost, a decimal: the noise that was used follows from it.
    confidence : number
        Above 0, below 1.

    Raises
    ------
    PriorError
        If the confidence is none, or no row was counted.

    Notes
    -----
    Every count is within a of the noisy one, a the least whole number with (1 - 2 x^(a + 1) / (1 + x))^K >= confidence,
    x = e^(-1 / scale) of the discrete Laplace noise, whose samples are independent: the law that is sampled, exactly;
    powers of e are enclosed by rationals. Where no shares of so many rows are within a, a larger a is taken.
    """
    level = as_array([confidence], "confidence", 1, PriorError)[0]
    if not 0 < level < 1:
        raise PriorError("confidence", confidence, "a probability above 0 and below 1")
    if not bought.rows:
        raise PriorError("confidence", confidence, "this option where rows were counted, not with none")
    error = _error_of_all(count_noise(level_within(spend)).scale, len(bought.counts), Fraction(level))
    rows = bought.rows
    while True:
        low = [Fraction(min(max(count - error, 0), rows), rows) for count in bought.counts]
        high = [Fraction(min(max(count + error, 0), rows), rows) for count in bought.counts]
        if sum(low) <= 1 <= sum(high):
            return replace(priors_between(low, high), kind="confidence", size=str(Fraction(level)))
        error += 1 + error // 16


@cache
def _error_of_all(scale: Fraction, size: int, confidence: Fraction) -> int:
    """The least a (or one more) such that as many samples of the noise are all within a with that probability."""
    base = 1 + 1 / exp_bounds(1 / scale)[1]

    def sure(a: int) -> bool:
        beyond = 2 / (exp_bounds((a + 1) / scale)[0] * base)
        return beyond < 1 and (1 - beyond) ** size >= confidence

    most = 1
    while not sure(most):
        most *= 2
    least = -1
    while most - least > 1:
        middle = (most + least) // 2
        least, most = (least, middle) if sure(middle) else (middle, most)
    return most


def in_place_of(counts: LabelCounts, bought: BoughtCounts) -> LabelCounts:
    """The same labels with the noisy counts, none below zero; one for each if the noise makes all zero."""
    return replace(counts, counts=clipped(bought.counts))

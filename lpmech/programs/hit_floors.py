"""The program with a floor on the hit rate of every label, and its proof by prices.

Maximise sum w[y, j] q[y, j] over private channels with q[y, y] >= h for every label y. With a price mu_y >= 0 on each
floor the same channel maximises w + diag(mu) over all private channels, if q[y, y] = h wherever mu_y > 0. So a
certificate of the priced program, which is of the usual kind, proves the program with floors: if its optimum is at
most U, then sum w q = sum (w + diag(mu)) q - sum mu_y q[y, y] <= U - h sum(mu) for every channel that keeps the floors.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, to_exact
from lpmech.errors import ProgramError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program

__all__ = ["HALFWAY", "FlooredOptimum", "as_floor", "floor_bound", "halfway_floor", "largest_floor", "priced"]

#: The word for `halfway_floor`.
HALFWAY = "halfway"

#: Floors come this near, relatively, to what randomised response attains.
_MARGIN = Fraction(1, 10**6)


@dataclass(frozen=True)
class FlooredOptimum:
    """An optimum under a floor on all hit rates, and its proof.

    Attributes
    ----------
    program : Program
        What is maximised, without the floor.
    floor : Fraction
        h.
    channel : Channel
        Exact, private at the level, every hit rate at least h.
    prices : ndarray of Fraction, shape (K,)
        mu: what one more unit of the hit rate of each label would cost.
    row_duals : ndarray, shape (K,)
        Almost feasible duals of the priced program.
    """

    program: Program
    floor: Fraction
    channel: Channel
    prices: Array
    row_duals: Array

    @property
    def priced(self) -> Program:
        """The program of which a certificate proves this optimum."""
        return priced(self.program, self.prices)


def priced(program: Program, prices: Array) -> Program:
    """The program whose hits are worth more by the prices; weights become exact."""
    weights = to_exact(program.weights)
    np.fill_diagonal(weights, weights.diagonal() + prices)  # all others stay the objects that equal entries share
    return Program(weights, program.level, program.inputs, program.outputs)


def floor_bound(upper: Fraction, prices: Array, floor: Fraction) -> Fraction:
    """Bound of the program with floors from one of the priced program.

    Raises
    ------
    ProgramError
        If a price is negative: then nothing is proved.
    """
    if min(prices.tolist()) < 0:
        raise ProgramError("prices", str(min(prices.tolist())), "prices that are not negative")
    return upper - floor * sum(prices.tolist(), Fraction(0))


def largest_floor(size: int, level: PrivacyLevel) -> Fraction:
    """t / (t + K - 1), rounded down: the hit rate of randomised response; no channel gives all labels a larger one.

    In column j of a private channel q[j, j] <= t q[y, j] for all y, so (K - 1) q[j, j] <= t (sum_y q[y, j] - q[j, j]);
    summed over j, with all q[j, j] >= h: (K - 1) K h <= t (K - K h).
    """
    t = level.ratio_below
    return t / (t + size - 1)


def halfway_floor(size: int, level: PrivacyLevel) -> Fraction:
    """Halfway between 1 / K, which a channel attains that ignores its input, and `largest_floor`; 60 bits."""
    exact = (Fraction(1, size) + largest_floor(size, level)) / 2
    return Fraction(int(exact * 2**60), 2**60)


def as_floor(floor: object, size: int, level: PrivacyLevel) -> Fraction:
    """A floor that all labels can keep at once: a number, or the word "halfway" for `halfway_floor`.

    Raises
    ------
    ProgramError
        If it is neither, negative, or too near to `largest_floor` or above it.
    """
    if floor == HALFWAY:
        return halfway_floor(size, level)
    most = largest_floor(size, level) * (1 - _MARGIN)
    allowed = (
        f"{HALFWAY!r} or a number from 0 to {float(most):.6g}: randomised response has a little more, no channel "
        "for all labels"
    )
    if isinstance(floor, str):
        raise ProgramError("hit_floor", floor, allowed)
    number = as_array([floor], "hit_floor", 1, ProgramError)[0]
    if not 0 <= number <= most:
        raise ProgramError("hit_floor", floor, allowed)
    return Fraction(number)

"""The program with a floor on the hit rate of every label, and its proof by prices.

Maximise sum w[y, j] q[y, j] over private channels with q[y, y] >= h for every label y. With a price mu_y >= 0 on each
floor the same channel maximises w + diag(mu) over all private channels, if q[y, y] = h wherever mu_y > 0. So a
certificate of the priced program, which is of the usual kind, proves the program with floors: if its optimum is at
most U, then sum w q = sum (w + diag(mu)) q - sum mu_y q[y, y] <= U - h sum(mu) for every channel that keeps the floors.

Channels that are limited otherwise, by delta or a metric, are those of a `LinearProgram`, to which `with_floor` adds
after all other rows, for each label, -q[y, y] <= -h; their duals are the prices. What all labels can have at most is a
program of the same kind (`largest_of`): with delta it is delta + (1 - delta) t / (t + K - 1), as the mean of the hit
rates is the hit rate under the uniform prior; for a metric it may be more than randomised response has.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from lpmech.channel import Channel
from lpmech.common_denominators import LONGEST
from lpmech.entries import Array, as_array, to_exact
from lpmech.errors import ProgramError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program
from lpmech.programs.linear import LinearProgram, LinearSolution, Row, Unknown

__all__ = [
    "HALFWAY",
    "FlooredOptimum",
    "as_floor",
    "floor_bound",
    "floor_of",
    "halfway_floor",
    "largest_floor",
    "largest_of",
    "priced",
    "short_prices",
    "with_floor",
]

#: The word for `halfway_floor`.
HALFWAY = "halfway"

#: Floors come this near, relatively, to what randomised response attains.
_MARGIN = Fraction(1, 10**6)

#: Prices are multiples of a part of a row's step, of which there are so many at least.
_LEAST_PARTS = 2**28


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
    """The program whose hits are worth more by the prices; weights become exact, where they can whole numbers."""
    if program.numerators is not None:
        numerators, denominator = program.numerators
        common = math.lcm(denominator, *(price.denominator for price in prices.tolist()))
        added = [int(price * common) for price in prices.tolist()]
        times = common // denominator
        if max(common, int(abs(numerators).max()) * times + max(added)) <= LONGEST:
            numerators = numerators * times
            np.fill_diagonal(numerators, numerators.diagonal() + added)
            return Program.of_numerators(numerators, common, program.level, program.inputs, program.outputs)
    weights = to_exact(program.weights)
    np.fill_diagonal(weights, weights.diagonal() + prices)  # all others stay the objects that equal entries share
    return Program(weights, program.level, program.inputs, program.outputs)


def short_prices(program: Program, prices: Array) -> Array:
    """Exact prices near those in floats, such that priced weights are as short as the program's own.

    Each is zero or an odd multiple of 2^-k times the number of which the weights of its row are multiples, with the
    largest k for which all are whole numbers up to 2^62 over one denominator: so rows of a certificate, in units of the
    number of which their entries are multiples, have the same entries. Where k is less than 28, which would cost
    accuracy, they are the floats.

    Parameters
    ----------
    program : Program
        Without prices.
    prices : ndarray of float, shape (K,)
    """
    if program.numerators is not None:
        numerators, denominator = program.numerators
        largest = int(abs(numerators).max()) + math.ceil(float(prices.max()) * denominator)
        parts = 1 << (LONGEST // max(largest, denominator)).bit_length() >> 1
        if parts >= _LEAST_PARTS:
            steps = np.maximum(np.gcd.reduce(numerators, axis=1), 1).tolist()
            units = [Fraction(step, denominator * parts) for step in steps]
            odd = [
                2 * int(Fraction(v) / unit / 2) + 1 if v else 0 for unit, v in zip(units, prices.tolist(), strict=True)
            ]
            return np.array([unit * many for unit, many in zip(units, odd, strict=True)], dtype=object)
    return to_exact(prices)


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
    most = largest_floor(size, level) * (1 - _MARGIN)
    allowed = (
        f"{HALFWAY!r} or a number from 0 to {float(most):.6g}: randomised response has a little more, no channel "
        "for all labels"
    )
    least = _read(floor, size, level, allowed)
    if least > most and floor != HALFWAY:  # of one label the word is one
        raise ProgramError("hit_floor", floor, allowed)
    return least


def _read(floor: object, size: int, level: PrivacyLevel, allowed: str) -> Fraction:
    """What a word or a number from 0 on says."""
    if floor == HALFWAY:
        return halfway_floor(size, level)
    if isinstance(floor, str):
        raise ProgramError("hit_floor", floor, allowed)
    least: Fraction = to_exact(as_array([floor], "hit_floor", 1, ProgramError))[0]
    if least < 0:
        raise ProgramError("hit_floor", floor, allowed)
    return least


def with_floor(program: LinearProgram, floor: object, level: PrivacyLevel) -> LinearProgram:
    """The program of those of its channels in which every label is released as itself so often.

    Parameters
    ----------
    program : LinearProgram
        Of labels that are outputs as well, K = J.
    floor : number or str
        From 0 to what all labels can have (`largest_of`); `HALFWAY` is `halfway_floor` of the level.
    level : PrivacyLevel
        At which randomised response is one of its channels.

    Raises
    ------
    ProgramError
        If the floor is none that all labels can have, or outputs are no labels.
    """
    size, width = len(program.inputs), len(program.outputs)
    if size != width:
        raise ProgramError("hit_floor", floor, f"no floor with {size} labels and {width} outputs, which are not labels")
    least = _read(floor, size, level, f"{HALFWAY!r} or a number from 0 to 1")
    most = response = largest_floor(size, level)
    keeping = np.full((size, size), (1 - response) / max(size - 1, 1), dtype=object)
    np.fill_diagonal(keeping, response)
    if least > response * (1 - _MARGIN):
        largest = _with_largest(program)
        most, keeping = largest.value, largest.channel.matrix
        if least > most:
            allowed = f"{HALFWAY!r} or a number from 0 to {float(most):.6g}; no channel has more for all labels"
            raise ProgramError("hit_floor", floor, allowed)
    rows = [Row(f"the hits of {name!r}", {(y, y): Fraction(-1)}, -least) for y, name in enumerate(program.inputs)]

    def repair(found: Array) -> Array:
        assert program.repair is not None
        matrix = program.repair(found)
        lowest = min(matrix.diagonal().tolist())
        if lowest >= least:
            return matrix
        if least > (near := most * (1 - _MARGIN)):
            raise ProgramError("hit_floor", floor, f"at most {float(near):.6g} where it is solved in floats")
        share = (least - lowest) / (most - lowest)
        return np.asarray((1 - share) * matrix + share * keeping)

    return replace(
        program,
        rows=(*program.rows, *rows),
        data={**program.data, "floor": str(least)},
        repair=repair if program.repair else None,
        proposal=None,
    )


def floor_of(program: LinearProgram) -> Fraction | None:
    """The floor of a program by `with_floor`, None of another."""
    told = program.data.get("floor")
    return None if told is None else Fraction(told)


def largest_of(program: LinearProgram) -> Fraction:
    """The largest floor that a channel of the program has for all labels at once, exactly.

    Parameters
    ----------
    program : LinearProgram
        As for `with_floor`; its objective does not matter.
    """
    return _with_largest(program).value


def _with_largest(program: LinearProgram) -> LinearSolution:
    floor, one = "floor", Fraction(1)
    rows: list[Row] = []
    for y, name in enumerate(program.inputs):
        terms: dict[Unknown, Fraction] = {floor: one, (y, y): -one}
        rows.append(Row(f"the hits of {name!r}", terms, 0 * one))
    objective: dict[Unknown, Fraction] = {floor: one}
    slacks = (*program.slacks, floor)
    found = LinearProgram(program.inputs, program.outputs, objective, (*program.rows, *rows), slacks)
    return found.solve()

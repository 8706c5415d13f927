"""Releasing numbers without bias: the best mechanism on a grid, as it can be drawn exactly, beside others.

What is compared is the expected square error of one released number, which for an unbiased mechanism is its variance,
averaged over the labels. The mean of n released numbers then estimates the mean of the true ones without bias, with an
error that the release adds of sqrt(variance / n).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import numpy as np

from lpmech.budgets import amount_text
from lpmech.channel import Channel
from lpmech.entries import Array, Number, as_array, to_float
from lpmech.errors import InvalidInputError, SolverError
from lpmech.labels.counts import LabelCounts, Labels, as_label_counts
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.solvers.unbiased import MOST_EXACT, refined, solve_unbiased
from lpmech.programs.unbiased import Unbiased, UnbiasedProgram, debiased, square_errors
from lpmech.rationals import DENOMINATOR, over_common_denominator

__all__ = [
    "Spacing",
    "UnbiasedDesign",
    "Variance",
    "design_unbiased",
    "drawable",
    "multiples",
    "rounded_between",
    "spacings",
    "staircase_variance",
]

#: About so many outputs to begin with, if no step is given; so many at most; and what a refined step is divided by.
_USUAL, _MOST, _FINER = 40, 1000, 1000

#: So many labels take some ten seconds.
_MOST_LABELS = 30

#: The level is lowered by about one part of t - 1 in one of these, so that the rounded optimum keeps it.
_ROOMS = (10**8, 10**6, 10**4, 10**3)

#: Where most numbers can be drawn exactly.
_USUAL_LEVELS = 1e-3, 15

#: The gap of a proof is at most the largest error an entry may count, divided by this.
_GAP = 10**6

#: Probabilities above this, of floats, are none by rounding only.
_USED = 1e-9


@dataclass(frozen=True)
class Variance:
    """One unbiased mechanism.

    Attributes
    ----------
    mechanism, parameters : str
    variance : float
        Expected square error of a released number.
    """

    mechanism: str
    parameters: str
    variance: float


@dataclass(frozen=True)
class UnbiasedDesign:
    """The best unbiased mechanism on a grid, and others.

    Attributes
    ----------
    labels : tuple of str
    step : Fraction
        Outputs are multiples of it.
    best : Unbiased
        Its channel can be drawn exactly.
    comparisons : tuple of Variance
        The best first, then by variance.
    anywhere : Fraction
        What no unbiased private mechanism has less than, whatever numbers it releases.
    """

    labels: tuple[str, ...]
    step: Fraction
    best: Unbiased
    comparisons: tuple[Variance, ...]
    anywhere: Fraction

    @property
    def channel(self) -> Channel:
        """The channel to the outputs that are used, with the names of the labels and decimals where there are some."""
        matrix = self.best.channel.matrix
        used = [j for j, most in enumerate(matrix.max(axis=0).tolist()) if most]
        return Channel(matrix[:, used], self.labels, [amount_text(self.best.program.grid[j]) for j in used])


@dataclass(frozen=True)
class Spacing:
    """The optimum on one grid.

    Attributes
    ----------
    step : Fraction
    points, outputs : int
        How many numbers the grid has, and how many of them the optimum releases.
    variance : float
    above : float
        Share by which it is above what no outputs are below.
    """

    step: Fraction
    points: int
    outputs: int
    variance: float
    above: float


def design_unbiased(counts: Labels, epsilon: PrivacyLevel | float, step: Number | None = None) -> UnbiasedDesign:
    """The unbiased mechanism of least expected square error, drawable exactly, beside others.

    Parameters
    ----------
    counts : LabelCounts, mapping, Series or sequence
        Labels that are numbers; see `lpmech.labels.counts.as_label_counts`.
    epsilon : float or PrivacyLevel
        Privacy level.
    step : number, optional
        Outputs are its multiples, as far as debiased randomised response reaches; default: outputs are placed where
        they help (`lpmech.programs.solvers.unbiased.refined`), as decimals.

    Raises
    ------
    InvalidInputError
        If a label is no number, there are more than 30, the step gives more outputs than are solved for so many, or
        nothing that can be drawn exactly is unbiased, as at a very small or a large epsilon.

    Examples
    --------
    >>> from lpmech.designs.unbiased import design_unbiased
    >>> found = design_unbiased({"1": 3, "2": 5, "3": 2}, 2.0)
    >>> len(found.best.outputs), float(found.best.value) < 1.001 * float(found.anywhere)
    (5, True)
    """
    labels, level = as_label_counts(counts), as_privacy_level(epsilon)
    values = _numbers(labels)
    if len(values) > _MOST_LABELS:
        raise InvalidInputError("counts", f"{len(values)} labels", f"at most {_MOST_LABELS}: --bins groups numbers")
    grid, chosen = multiples(values, level, step)
    program = UnbiasedProgram.of(values, labels.prior, grid, level)
    if step is None:
        chosen /= _FINER
    try:
        near = solve_unbiased(program, "float") if step is not None else refined(program, unit=chosen)
        best = drawable(near.program)
    except (InvalidInputError, SolverError) as exc:
        low, high = _USUAL_LEVELS
        if not low <= level.epsilon <= high:
            allowed = f"from about {low:g} to {high:g}, where these numbers can be released exactly without bias"
            raise InvalidInputError("epsilon", f"{level.epsilon:g}", allowed) from exc
        if step is None:
            raise
        allowed = "a step on which these numbers can be released exactly without bias, such as a smaller one, or none"
        raise InvalidInputError("step", step, allowed) from exc
    anywhere = max(best.anywhere, near.anywhere, Fraction(0))
    own = Variance("optimal", f"multiples of {amount_text(chosen)}", float(best.value))
    others = sorted(_others(program), key=lambda row: row.variance)
    return UnbiasedDesign(labels.labels, chosen, best, (own, *others), anywhere)


def multiples(values: Sequence[Fraction], level: PrivacyLevel, step: Number | None = None) -> tuple[Array, Fraction]:
    """Multiples of a step as far as `lpmech.programs.unbiased.debiased` randomised response reaches, and the step.

    Without a step it is 1, 2 or 5 times a power of ten, for about 40 of them.

    Raises
    ------
    InvalidInputError
        If the step is not positive, or there are more than 1000 of them, or more than are solved for so many labels.
    """
    numbers = debiased(values, _lowered(level, _ROOMS[-1])).tolist()
    low, high = min(numbers), max(numbers)
    if step is None:
        raw = float(high - low) / _USUAL
        power = Fraction(10) ** math.floor(math.log10(raw))
        found = next(power * digit for digit in (1, 2, 5, 10) if float(power * digit) >= raw)
    else:
        found = Fraction(as_array([step], "step", 1)[0])
        if found <= 0:
            raise InvalidInputError("step", step, "a positive number")
    first, last = math.floor(low / found), math.ceil(high / found)
    most = min(_MOST, MOST_EXACT // len(values))
    if last - first >= most:
        allowed = f"a step with at most {most} outputs from {float(low):g} to {float(high):g}"
        raise InvalidInputError("step", step, allowed)
    return as_array([found * k for k in range(first, last + 1)], "grid", 1), found


def drawable(program: UnbiasedProgram) -> Unbiased:
    """The optimum as a channel that can be drawn exactly, exactly unbiased, private to the last bit.

    Where the exact optimum of an exact level has a common denominator of at most 2^62, it is that. Else it is the
    optimum at a level lower by a small part of t - 1, the first of some that suffices, of which the entries are rounded
    to multiples of g / D except in two columns, g apart on the lattice of all numbers, where sum and mean then have one
    solution, in whole numbers / D. The bound is that of the program's own level.

    Raises
    ------
    InvalidInputError
        If no such rounding keeps the level: with numbers that have no coarse unit in common, or at a very small or a
        large epsilon.
    """
    if program.level.is_exact and program.level.ratio_below.denominator < _ROOMS[0]:
        found = solve_unbiased(program)
        if over_common_denominator(found.channel.matrix) is not None:
            return found
    for room in _ROOMS:
        lowered = PrivacyLevel.from_ratio(_lowered(program.level, room))
        found = solve_unbiased(UnbiasedProgram.of(program.values, program.prior, program.grid, lowered))
        matrix = _rounded(found)
        if matrix is not None and matrix.min() >= 0:
            channel = Channel(matrix, found.channel.inputs, found.channel.outputs)
            if channel.ratio <= program.level.ratio_below:
                made = Unbiased(program, channel, found.prices, found.row_duals)
                if made.value - made.bound <= program.errors.max() / _GAP:
                    return made
    allowed = "numbers with a coarse unit in common, such as rounded ones or --bins"
    raise InvalidInputError("counts", "numbers that cannot be released exactly without bias", allowed)


def _lowered(level: PrivacyLevel, room: int) -> Fraction:
    """A rational of few digits below the ratio: less by one or two parts of t - 1 in `room`."""
    excess = level.ratio_below - 1
    unit = Fraction(10) ** math.ceil(-math.log10(float(excess))) * room
    return 1 + Fraction(math.floor(excess * unit) - 1, 1) / unit


def _rounded(found: Unbiased) -> Array | None:
    """Its matrix over one denominator, rows that sum to one and have their means exactly; None if too coarse."""
    matrix, grid, values = found.channel.matrix, found.program.grid, found.program.values
    used = [j for j, most in enumerate(matrix.max(axis=0).tolist()) if most]
    numbers = [*grid[used].tolist(), *values.tolist()]
    unit = reduce(_common, [v - numbers[0] for v in numbers[1:]])
    places = [int((v - numbers[0]) / unit) for v in numbers]
    weights = matrix[:, used].min(axis=0).tolist()
    one, other = max(
        ((a, b) for a in range(len(used)) for b in range(a + 1, len(used))),
        key=lambda pair: min(weights[pair[0]], weights[pair[1]]) * _worth(places[pair[1]] - places[pair[0]]),
    )
    gap = places[other] - places[one]
    shares = DENOMINATOR // 10 ** len(str(gap))
    if not shares:
        return None
    exact = np.full(matrix.shape, Fraction(0), dtype=object)
    for row, exact_row, mean in zip(matrix.tolist(), exact, places[len(used) :], strict=True):
        left, moment = gap * shares, gap * shares * (mean - places[one])
        for at, j in enumerate(used):
            if at not in (one, other):
                share = gap * round(row[j] * shares)
                exact_row[j] = Fraction(share, gap * shares)
                left, moment = left - share, moment - share * (places[at] - places[one])
        exact_row[used[other]] = Fraction(moment, gap * gap * shares)
        exact_row[used[one]] = Fraction(left, gap * shares) - exact_row[used[other]]
    return exact


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The largest number of which both are whole multiples."""
    below = math.lcm(a.denominator, b.denominator)
    return Fraction(math.gcd(int(a * below), int(b * below)), below)


def _worth(gap: int) -> Fraction:
    """Of two columns this far apart: nearer ones round less, and quotients by some are finite decimals."""
    return Fraction(1 if 10 ** gap.bit_length() % gap else 100, gap)


def _others(program: UnbiasedProgram) -> list[Variance]:
    """Unbiased mechanisms that do not depend on a grid."""
    values, prior, level = to_float(program.values), to_float(program.prior), program.level
    span = float(np.ptp(values))
    found = [
        Variance("Laplace noise", "scale range / epsilon", 2 * (span / level.epsilon) ** 2),
        Variance("staircase noise", "its best gamma", span**2 * staircase_variance(level.epsilon)),
    ]
    shares = {n: float((prior * rounded_between(program.values, level, n)).sum()) for n in range(2, len(values) + 1)}
    best = min(shares, key=shares.__getitem__)
    found.append(Variance("RR on two ends, debiased", "rounded at random", shares[2]))
    if best != 2:
        found.append(Variance("RR on even points, debiased", f"{best} points, rounded at random", shares[best]))
    matrix = to_float(randomized_response(len(values), level).matrix)
    errors = square_errors(values, to_float(debiased(program.values, level.ratio_below)))
    found.append(Variance("RR, debiased", f"{len(values)} labels", float((prior[:, None] * matrix * errors).sum())))
    return found


def rounded_between(values: Array, level: PrivacyLevel, points: int) -> Array:
    """Variance of each value, rounded at random to one of so many even points and released by debiased RR, shape (K,).

    x between points a < b becomes b with probability (x - a) / (b - a). On two points it is the mechanism of Duchi,
    Jordan and Wainwright.
    """
    numbers = to_float(values)
    ends = np.linspace(numbers.min(), numbers.max(), points)
    left = np.minimum(np.searchsorted(ends, numbers, side="right") - 1, points - 2)
    share = (numbers - ends[left]) / (ends[left + 1] - ends[left])
    rows = np.zeros((len(numbers), points))
    rows[np.arange(len(numbers)), left] = 1 - share
    rows[np.arange(len(numbers)), left + 1] += share
    matrix = rows @ to_float(randomized_response(points, level).matrix)
    outputs = to_float(debiased(ends, level.ratio_below))
    return np.asarray((matrix * square_errors(numbers, outputs)).sum(axis=1))


def staircase_variance(epsilon: float) -> float:
    """The least variance of additive noise that makes numbers of a range of 1 private: that of the staircase mechanism.

    (2^(-2/3) b^(2/3) (1 + b)^(2/3) + b) / (1 - b)^2 with b = e^-epsilon.

    Notes
    -----
    Source: Geng, Viswanath, The Optimal Noise-Adding Mechanism in Differential Privacy, IEEE Trans. Inf. Theory 62
    (2016).
    """
    b = math.exp(-epsilon)
    found: float = ((b * (1 + b) / 2) ** (2 / 3) + b) / math.expm1(-epsilon) ** 2
    return found


def spacings(counts: LabelCounts, level: PrivacyLevel, steps: Sequence[Fraction], least: Fraction) -> list[Spacing]:
    """The optimum on grids of several steps, in floats: what a finer one gains.

    Parameters
    ----------
    counts, level
        As for `design_unbiased`.
    steps : sequence of Fraction
    least : Fraction
        What no outputs are below: `UnbiasedDesign.anywhere`.

    Raises
    ------
    InvalidInputError, ProgramError, SolverError
        As `design_unbiased`.
    """
    found = []
    for step in steps:
        grid, _ = multiples(_numbers(counts), level, step)
        solved = solve_unbiased(UnbiasedProgram.of(_numbers(counts), counts.prior, grid, level), "float")
        used = int((solved.channel.matrix.max(axis=0) > _USED).sum())
        found.append(Spacing(step, len(grid), used, float(solved.value), float(solved.value / float(least) - 1)))
    return found


def _numbers(labels: LabelCounts) -> list[Fraction]:
    if labels.values is None:
        raise InvalidInputError("counts", "labels that are no numbers", "numbers, to be released without bias")
    return labels.values

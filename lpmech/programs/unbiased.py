"""Numbers released without bias: the private channel of least expected square error whose mean is the true number.

Primal: minimise sum_y p_y sum_j q[y, j] (z_j - v_y)^2 over private channels q from labels of values v_y to outputs of
values z_j, subject to sum_j q[y, j] z_j = v_y for every label. Dual: with a price beta_y for every label's mean and the
K row duals pi of `lpmech.programs.optimality`, maximise -sum pi subject to, for every output,

    sum_y min(c_y(z_j), t c_y(z_j)) >= 0  with  c_y(z) = p_y (z - v_y)^2 + beta_y (z - v_y) + pi_y:

at fixed prices it is the usual program of the weights -p_y (z_j - v_y)^2 - beta_y (z_j - v_y), since an unbiased
channel pays nothing. So a proof is 2 K numbers.

As rows (`Unbiased.linear`, for a certificate), with a slack m_j for the floor of every output: for each label and
output q[y, j] - t m_j <= 0 and m_j - q[y, j] <= 0, then the K means; their duals are the parts of what an entry is
worth beyond its label's dual, and the prices.

How far the outputs have to reach. Let a and b be the least and the largest output, R = max v - min v. There is an
unbiased private channel if and only if a <= min v - R / (t - 1) and b >= max v + R / (t - 1), whatever outputs lie
between. Only if: z - a is never negative, so its mean at the largest value, max v - a, is at most t times that at the
least one, min v - a; the same for b - z. If: release b with probability (v_y - a) / (b - a), else a; that is private by
the same two inequalities, and unbiased. On two labels this is randomised response, debiased.

How many outputs. A column of a private channel is a sum of vectors with entries m and t m, so channels are nonnegative
sums of such vectors at outputs; rows and means are 2 K equations, and a basic solution has at most 2 K columns: an
optimum with at most 2 K outputs exists (Badanidiyuru et al. 2023, there for all real outputs), and `solve_unbiased`,
which ends at a basic solution, finds one.

All real outputs at once. c_y is a parabola in z, so the dual constraint can be decided on the whole line: `anywhere`
shifts pi until it holds there, and bounds what any outputs whatever could reach.

Source: Badanidiyuru, Ghazi, Kamath, Kumar, Leeman, Manurangsi, Varadarajan, Zhang, Optimal Unbiased Randomizers for
Regression with Label Differential Privacy, NeurIPS 2023 (arXiv:2312.05659).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, Literal

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, Number, as_array, to_exact, to_float, total, whole_number
from lpmech.errors import InvalidInputError, SolverError
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program
from lpmech.programs.linear import LinearProgram, LinearSolution, Row, Unknown
from lpmech.programs.optimality import dual_bound, feasible_shift

__all__ = [
    "Unbiased",
    "UnbiasedProgram",
    "anywhere",
    "debiased",
    "dips",
    "even_grid",
    "least_at_two",
    "reach",
    "square_errors",
]

#: Roots of the parabolas are enclosed between multiples of 1 / this, relative to their coefficients.
_FINE = 2**40

_NONE, _ONE = Fraction(0), Fraction(1)

#: So many parabolas at most may change their sign within one enclosure.
_MOST_UNDECIDED = 10

#: Values beyond it, or nearer to each other than its inverse, do not survive in floats.
_LARGEST = 10**100


@dataclass(frozen=True)
class UnbiasedProgram:
    """What is to be released without bias, and as which numbers.

    Attributes
    ----------
    values : ndarray of Fraction, shape (K,)
        Distinct, of at least two labels.
    prior : ndarray of Fraction, shape (K,)
    grid : ndarray of Fraction, shape (J,)
        The outputs, increasing; they reach far enough.
    level : PrivacyLevel
    """

    values: Array
    prior: Array
    grid: Array
    level: PrivacyLevel

    @classmethod
    def of(cls, values: object, prior: object, grid: object, level: PrivacyLevel) -> UnbiasedProgram:
        """The program of checked arguments; floats are taken at their exact values, the prior divided by its sum.

        Raises
        ------
        InvalidInputError, PriorError
            If values are not two or more distinct numbers, the grid not increasing, the prior no distribution; if the
            grid does not reach as far as `reach` says: then no private channel is unbiased.
        """
        numbers = _values(values)
        shares = to_exact(np.asarray(as_prior(prior, len(numbers))))
        points = to_exact(as_array(grid, "grid", 1))
        if any(a >= b for a, b in pairwise(points.tolist())):
            raise InvalidInputError("grid", grid, "increasing numbers")
        low, high = reach(numbers, level.ratio_below)
        if len(points) < 2 or points[0] > low or points[-1] < high:
            found = f"from {_shown(points[0])} to {_shown(points[-1])}" if len(points) else "no number"
            allowed = (
                f"outputs from at most {_shown(low)} to at least {_shown(high)}: at {level} no private channel "
                "on nearer ones is unbiased"
            )
            raise InvalidInputError("grid", found, allowed)
        return cls(numbers, shares / total(shares), points, level)

    @property
    def errors(self) -> Array:
        """p_y (z_j - v_y)^2, exact, shape (K, J)."""
        return self.prior[:, None] * square_errors(self.values, self.grid)

    def priced(self, prices: Array, level: PrivacyLevel | None = None) -> Program:
        """The usual program, of weights -p_y (z_j - v_y)^2 - beta_y (z_j - v_y), exact ones for exact prices."""
        names = [str(v) for v in self.values.tolist()], [str(z) for z in self.grid.tolist()]
        moved = prices[:, None] * (self.grid[None, :] - self.values[:, None])
        return Program(-self.errors - moved, level or self.level, *names)


@dataclass(frozen=True)
class Unbiased:
    """An unbiased private channel, and the proof of how good it is.

    Attributes
    ----------
    program : UnbiasedProgram
    channel : Channel
        Inputs and outputs are named by their numbers; exact, or floats.
    prices, row_duals : ndarray of Fraction, shape (K,)
        beta and pi.

    Raises
    ------
    SolverError
        On construction, if an exact channel is not exactly unbiased and private, or its error is below the bound.
    """

    program: UnbiasedProgram
    channel: Channel
    prices: Array
    row_duals: Array

    def __post_init__(self) -> None:
        if self.channel.is_exact:
            exact = all(b == 0 for b in self.bias.tolist()) and self.channel.ratio <= self.program.level.ratio_below
            if not exact or self.value < self.bound:
                raise SolverError("the channel is not what its proof says: unbiased, private, above the bound")

    @property
    def bias(self) -> Array:
        """Mean of what is released minus the true number, of every label, shape (K,)."""
        matrix = self.channel.matrix
        return np.asarray(matrix.dot(_like(matrix, self.program.grid)) - _like(matrix, self.program.values))

    @property
    def variances(self) -> Array:
        """Expected square error of every label, shape (K,)."""
        matrix = self.channel.matrix
        errors = square_errors(self.program.values, self.program.grid)
        return np.asarray((matrix * _like(matrix, errors)).sum(axis=1))

    @property
    def value(self) -> Number:
        """Expected square error under the prior."""
        found: Number = total(_like(self.channel.matrix, self.program.prior) * self.variances)
        return found

    @property
    def bound(self) -> Fraction:
        """What no unbiased private channel on the grid has less than, exact: the duals are shifted until feasible."""
        priced = self.program.priced(self.prices, PrivacyLevel.from_ratio(self.program.level.ratio_below))
        return -Fraction(dual_bound(priced.weights, priced.level.ratio, self.row_duals, {}, {}))

    @property
    def outputs(self) -> list[Fraction]:
        """The numbers that may be released: those of a positive probability."""
        most = self.channel.matrix.max(axis=0).tolist()
        return [z for z, share in zip(self.program.grid.tolist(), most, strict=True) if share > 0]

    @property
    def anywhere(self) -> Fraction:
        """What no unbiased private channel has less than, whatever real numbers it releases; see `anywhere`."""
        return anywhere(self.program, self.prices, self.row_duals)

    def linear(self) -> LinearSolution:
        """The same as rows with a dual for each: the largest negative error; `lpmech.certify.program` prints it.

        Raises
        ------
        SolverError
            If the channel is one of floats.
        """
        asked, size, width = self.program, len(self.program.values), len(self.program.grid)
        ratio = asked.level.ratio_below
        priced = self.program.priced(self.prices, PrivacyLevel.from_ratio(ratio))
        duals = self.row_duals + feasible_shift(priced.weights, ratio, self.row_duals, {})
        excess = priced.weights - duals[:, None]
        floors = [f"floor of {name}" for name in priced.outputs]
        objective: dict[Unknown, Fraction] = {}
        rows, values = [], (duals - self.prices * asked.values).tolist()
        errors = asked.errors.tolist()
        for y, j in product(range(size), range(width)):
            objective[y, j] = -errors[y][j]
            where = f"the entry of {priced.inputs[y]} at {priced.outputs[j]}"
            rows.append(Row(f"{where} is at most t times the floor", {(y, j): _ONE, floors[j]: -ratio}, _NONE))
            rows.append(Row(f"{where} is at least the floor", {(y, j): -_ONE, floors[j]: _ONE}, _NONE))
            values += [max(excess[y, j], _NONE), max(-excess[y, j], _NONE)]
        for y, value in enumerate(asked.values.tolist()):
            terms: dict[Unknown, Fraction] = {(y, j): z for j, z in enumerate(asked.grid.tolist())}
            rows.append(Row(f"the mean of what is released for {value}", terms, value, "="))
        data = {key: [str(v) for v in getattr(asked, key).tolist()] for key in ("values", "prior", "grid")}
        program = LinearProgram(
            priced.inputs,
            priced.outputs,
            objective,
            tuple(rows),
            tuple(floors),
            kind="unbiased",
            data={**data, "ratio": str(ratio)},
        )
        least = dict(zip(floors, self.channel.matrix.min(axis=0).tolist(), strict=True))
        exact: Literal["exact", "float"] = "exact" if self.value == self.bound else "float"
        return LinearSolution(program, self.channel, least, (*values, *self.prices.tolist()), exact)


def reach(values: object, ratio: Number) -> tuple[Any, Any]:
    """The nearest least and largest output with which a private channel can be unbiased.

    Examples
    --------
    >>> from lpmech.programs.unbiased import reach
    >>> [str(end) for end in reach([0, 1, 2], 3)]  # a range of 2, over t - 1 = 2, on either side
    ['-1', '3']
    """
    numbers = _values(values).tolist()
    low, high = min(numbers), max(numbers)
    return nearest_output(low, high, ratio), nearest_output(high, low, ratio)


def nearest_output(end: Any, other: Any, ratio: Any) -> Any:
    """v - (w - v) / (t - 1): how far outputs have to reach beyond the end v of the values; w is the other end."""
    return end - (other - end) / (ratio - 1)


def least_at_two(distance: Any, ratio: Any) -> Any:
    """d^2 t / (t - 1)^2: the least variance on two labels at a distance d, for either; that of debiased RR.

    For any prior and any outputs: the likelihood ratio L of the two rows has mean 1 under the one and lies between
    1 / t and t, so its variance is at most (t - 1)(1 - 1 / t); and d = E[(L - 1)(z - v)] is at most the product of both
    deviations (Hammersley, Chapman, Robbins). So it bounds the variance of a label of any number of labels, with the
    distance d to that farthest from it.
    """
    return distance * distance * ratio / (ratio - 1) ** 2


def square_errors(values: Array, grid: Array) -> Array:
    """(z_j - v_y)^2, shape (K, J)."""
    found: Array = (grid[None, :] - values[:, None]) ** 2
    return found


def debiased(values: object, ratio: Any) -> Array:
    """What randomised response on all labels releases for each of them to be unbiased, shape (K,).

    v_y + K (v_y - mean) / (t - 1), the mean being that of the values; they reach as far as `reach`, or farther.
    """
    numbers = _values(values)
    mean = total(numbers) / len(numbers)
    found: Array = numbers + len(numbers) * (numbers - mean) / (ratio - 1)
    return found


def even_grid(values: object, level: PrivacyLevel, points: int) -> Array:
    """Evenly spaced outputs that reach as far as those of `debiased` randomised response, exact, shape (points,).

    Raises
    ------
    InvalidInputError
        If there are fewer than two points, or values are not two or more distinct numbers.
    """
    count = whole_number(points, "points", 2)
    numbers = debiased(values, level.ratio_below).tolist()
    low, high = min(numbers), max(numbers)
    return as_array([low + (high - low) * Fraction(j, count - 1) for j in range(count)], "grid", 1)


def anywhere(program: UnbiasedProgram, prices: Array, row_duals: Array) -> Fraction:
    """What no unbiased private channel has less than, whatever real numbers it releases, from any prices and duals.

    Lifting every pi by s lifts the dual constraint by K s or more, so lifting them by -min F / K makes them feasible.

    Raises
    ------
    SolverError
        See `dips`.
    """
    least = min(low for low, _ in dips(program, prices, row_duals))
    return -sum((Fraction(pi) for pi in row_duals.tolist()), Fraction(0)) + min(least, Fraction(0))


def dips(program: UnbiasedProgram, prices: Array, row_duals: Array) -> list[tuple[Fraction, Fraction]]:
    """Where the dual constraint may be least: (value, number) of every parabola that F follows somewhere.

    F(z) = sum_y min(c_y(z), t c_y(z)) is the least of the parabolas sum_y h_y c_y(z) with every h_y one of 1 and t, so
    its least value is that of the parabolas that are the least one somewhere: where the signs of all c_y are known.
    Roots are enclosed in rationals; where one lies, both signs are tried.

    Raises
    ------
    SolverError
        If too many roots lie together.
    """
    t = program.level.ratio_below
    columns = (program.prior, program.values, prices, row_duals)
    rows = zip(*(to_exact(column).tolist() for column in columns), strict=True)
    parabolas = [(p, b - 2 * p * v, p * v * v - b * v + pi) for p, v, b, pi in rows]
    return [_least(parabolas, [t if high else Fraction(1) for high in signs]) for signs in _signs(parabolas)]


def _signs(parabolas: list[tuple[Fraction, Fraction, Fraction]]) -> set[tuple[bool, ...]]:
    """Which c_y are negative together somewhere on the line, and perhaps a few that are not."""
    enclosures = [_roots(*parabola) for parabola in parabolas]
    ends = sorted({end for pair in enclosures for enclosure in pair for end in enclosure})
    cells = [(ends[0] - 1, ends[0] - 1)] if ends else [(Fraction(0), Fraction(0))]
    cells += pairwise(ends)
    cells += [(ends[-1] + 1, ends[-1] + 1)] if ends else []
    found: set[tuple[bool, ...]] = set()
    for low, high in cells:
        middle = (low + high) / 2
        choices = [
            (False, True) if any(a <= low and high <= b for a, b in pair) else ((a2 * middle + a1) * middle + a0 < 0,)
            for pair, (a2, a1, a0) in zip(enclosures, parabolas, strict=True)
        ]
        if sum(len(choice) for choice in choices) > len(choices) + _MOST_UNDECIDED:
            raise SolverError("the dual constraint changes its signs at many numbers that are too near to each other")
        found.update(product(*choices))
    return found


def _roots(a: Fraction, b: Fraction, c: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Enclosures of the real roots of a z^2 + b z + c, a >= 0."""
    if not a:
        return [(-c / b, -c / b)] if b else []
    square = b * b - 4 * a * c
    if square < 0:
        return []
    scale = _FINE * square.denominator
    root = math.isqrt(square.numerator * square.denominator * _FINE * _FINE)
    low, high = Fraction(root, scale), Fraction(root + 1, scale)
    return [((-b - high) / (2 * a), (-b - low) / (2 * a)), ((-b + low) / (2 * a), (-b + high) / (2 * a))]


def _least(parabolas: list[tuple[Fraction, Fraction, Fraction]], heights: list[Fraction]) -> tuple[Fraction, Fraction]:
    """The least value of sum_y h_y c_y, and where; some label has a prior, so it is a parabola."""
    a, b, c = (
        sum((h * part for h, part in zip(heights, parts, strict=True)), Fraction(0))
        for parts in zip(*parabolas, strict=True)
    )
    return c - b * b / (4 * a), -b / (2 * a)


def _values(values: object) -> Array:
    numbers = to_exact(as_array(values, "values", 1))
    if len(numbers) < 2 or len(set(numbers.tolist())) < len(numbers):
        raise InvalidInputError("values", values, "two or more distinct numbers")
    ordered = sorted(numbers.tolist())
    apart = min(high - low for low, high in pairwise(ordered))
    if max(abs(ordered[0]), abs(ordered[-1])) > _LARGEST or apart * _LARGEST < 1:
        raise InvalidInputError("values", values, "numbers up to 1e100 that are at least 1e-100 apart")
    return numbers


def _like(matrix: Array, numbers: Array) -> Array:
    return numbers if matrix.dtype == object else to_float(numbers)


def _shown(number: Fraction) -> str:
    return str(number) if number.denominator < 10**6 else f"{float(number):.6g}"

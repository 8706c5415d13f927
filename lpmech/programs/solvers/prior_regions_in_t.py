"""The optimum as a function of the prior and of t = e^epsilon at once, for two or three labels.

A private channel is a sum of columns that are t on a set S of labels and 1 elsewhere (S neither empty nor everything),
each given to one output, with weights that make the rows sum to one; a program has an optimum with at most K such
columns. For K <= 3 all these basic channels are written down as rational functions of t. What they keep of the labels,
r(t), are finitely many vectors, and at every prior p and every t the optimum is the largest p . r(t) of those whose
weights are nonnegative at t: there is no other program to solve.

At a rational t the regions are cones. Their corners are rational functions of t, and they stay the regions up to the
next root of one of finitely many polynomials: an entry of a corner, the lead of the region's channel over another basic
channel at a corner, a determinant of the triangulation. In between, the volumes of the regions sum to that of all
priors as rational functions of t. The walk from root to root covers all t > 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from operator import mul
from typing import Any

from flint import fmpq, fmpz_poly
from sympy import QQ
from sympy.polys.fields import field

from lpmech.entries import Array
from lpmech.errors import SolverError
from lpmech.linear_algebra import flint_number
from lpmech.programs.cones import Cone, Ray, all_priors, primitive
from lpmech.programs.solvers.real_roots import RealRoot, nearest_root

__all__ = ["FIELD", "PriorRegionInT", "RegionsBetween", "T", "regions_in_t", "value_at"]

#: The rational functions of t, and t.
FIELD, T = field("t", QQ)
#: Rational points that are tried beyond a root, each nearer to it.
_TRIES = 40

#: Rational functions of t, elements of `FIELD`.
Functions = tuple[Any, ...]


@dataclass(frozen=True)
class PriorRegionInT:
    """A set of priors, for each t of an interval, for which one channel is optimal.

    Attributes
    ----------
    channel : tuple of tuples, shape (K, J)
        Rational functions of t, as everything else here.
    row_utilities : tuple, length K
        What the channel keeps of each label: the optimum at a prior p of the region is p . row_utilities.
    vertices : tuple of tuples
        The corners of the region: priors.
    borders : tuple of tuples
        A vector a(t) for each side that is not a side of the simplex of priors: the region has a(t) . p >= 0. Its
        entries are polynomials with whole coefficients.
    share : rational function
        The volume of the region in that of all priors.
    """

    channel: tuple[Functions, ...]
    row_utilities: Functions
    vertices: tuple[Functions, ...]
    borders: tuple[Functions, ...]
    share: Any


@dataclass(frozen=True)
class RegionsBetween:
    """The regions between two values of t; they cover all priors at every t in between.

    Attributes
    ----------
    lower, upper : RealRoot, upper None for infinity
        The ends.
    sample : Fraction
        A t inside.
    regions : tuple of PriorRegionInT
        The largest at the sample first.
    """

    lower: RealRoot
    upper: RealRoot | None
    sample: Fraction
    regions: tuple[PriorRegionInT, ...]


@dataclass(frozen=True)
class _Basic:
    """A basic channel, and the polynomials that are nonnegative where it is one."""

    channel: tuple[Functions, ...]
    row_utilities: Functions
    weights: Functions


class _ByChanceError(Exception):
    """Two functions agree at this t and are not the same."""


def regions_in_t(utility: Array) -> Iterator[RegionsBetween]:
    """The regions for all t > 1, from the lowest interval of t to the highest.

    Parameters
    ----------
    utility : ndarray, shape (K, J)
        Exact; K is 2 or 3.

    Raises
    ------
    SolverError
        If the structure beyond a root was not found.
    """
    channels = _basic_channels(utility)
    weights = {_polynomial(weight): None for channel in channels for weight in channel.weights}
    turning = [fmpz_poly(list(key)) for key in weights if len(key) > 1]
    lower = RealRoot.rational(fmpq(1))
    while True:
        found = _beyond(lower, channels, turning)
        yield found
        if found.upper is None:
            return
        lower = found.upper


def value_at(function: Any, t: Fraction) -> Fraction:
    """A rational function at a rational number that is no pole."""
    value = function.numer.evaluate(0, QQ(t.numerator, t.denominator))
    value /= function.denom.evaluate(0, QQ(t.numerator, t.denominator))
    return Fraction(int(value.numerator), int(value.denominator))


def _beyond(lower: RealRoot, channels: Sequence[_Basic], turning: Sequence[Any]) -> RegionsBetween:
    """The regions of the interval that begins at this root."""
    step = Fraction(1)
    for _ in range(_TRIES):
        sample = lower.near(step / 64) + step
        step /= 3
        point = flint_number(sample)
        if any(polynomial(point) == 0 for polynomial in turning):
            continue
        try:
            regions, conditions = _structure(sample, channels)
        except _ByChanceError:
            continue
        signs = [*conditions, *turning]
        start = nearest_root((), signs, point, -1, fmpq(1)) or RealRoot.rational(fmpq(1))
        if start.compared(lower) == 0:
            return RegionsBetween(lower, nearest_root((), signs, point, 1), sample, regions)
    raise SolverError(f"the regions beyond t = {float(lower.near(Fraction(1, 10**6))):g} were not found")


def _structure(t: Fraction, channels: Sequence[_Basic]) -> tuple[tuple[PriorRegionInT, ...], list[Any]]:
    """The regions at a rational t as functions of t, and the polynomials that keep their sign while they are it.

    Raises
    ------
    _ByChanceError
        If what agrees at this t does not near it.
    """
    feasible = {c.row_utilities: c for c in channels if all(value_at(weight, t) >= 0 for weight in c.weights)}
    at = {tuple(value_at(v, t) for v in kept): kept for kept in feasible}
    if len(at) < len(feasible):
        raise _ByChanceError
    whole = all_priors(len(next(iter(at))))
    signs = _Signs(t)
    regions, covered = [], FIELD(0)
    for here, kept in at.items():
        cell, rivals = _cell(whole, here, at)
        if cell is None:
            continue
        sides = {n: _side(n, kept, rivals.get(n)) for n in {n for tight in cell.rays.values() for n in tight}}
        corners = {ray: _corner(ray, [sides[n] for n in sorted(tight)], t) for ray, tight in cell.rays.items()}
        for other in feasible:
            if other != kept:
                lead, multiple = _whole(_difference(kept, other))
                leads = [_dot(lead, corner) for corner in corners.values()]
                if any(value_at(ahead / multiple, t) < 0 for ahead in leads):
                    raise SolverError(f"at t = {t} another channel is better at a corner of a region")
                signs.keep(multiple, *leads)
        for corner in corners.values():
            signs.keep(*corner, sum(corner))
        share = FIELD(0)
        for simplex in cell.simplices():
            rows = [corners[ray] for ray in simplex]
            volume = _determinant(rows)
            signs.keep(volume)
            size = volume if value_at(volume, t) > 0 else -volume
            for row in rows:
                size = size / sum(row)
            share = share + size
        covered = covered + share
        between = cell.facets() - whole.facets()
        regions.append(
            PriorRegionInT(
                feasible[kept].channel,
                kept,
                tuple(tuple(v / sum(corner) for v in corner) for corner in corners.values()),
                tuple(_cleared(sides[normal], normal, t) for normal in sorted(between)),
                share,
            )
        )
    if covered != 1:
        raise _ByChanceError
    regions.sort(key=lambda region: -value_at(region.share, t))
    return tuple(regions), signs.polynomials()


def _cell(
    whole: Cone, here: tuple[Fraction, ...], at: dict[tuple[Fraction, ...], Functions]
) -> tuple[Cone | None, dict[Ray, Functions]]:
    """The priors for which one vector of what is kept is best at a t, and for each border there what is kept beyond."""
    rivals: dict[Ray, Functions] = {}
    cell: Cone | None = whole
    for there, other in at.items():
        if cell is not None and there != here:
            normal = [a - b for a, b in zip(here, there, strict=True)]
            rivals.setdefault(primitive(normal), other)
            cell = cell.cut(normal)
    return cell, rivals


def _side(normal: Ray, kept: Functions, other: Functions | None) -> Functions:
    """A border as a function of t: of the simplex of priors, or towards the region where something else is kept."""
    return tuple(map(FIELD, normal)) if other is None else _whole(_difference(kept, other))[0]


def _corner(ray: Ray, borders: Sequence[Functions], t: Fraction) -> Functions:
    """The corner in which borders meet, as a function of t; at this t it is the ray."""
    for chosen in combinations(borders, len(ray) - 1):
        corner = _across(chosen)
        if any(corner):
            if any(_dot(border, corner) for border in borders):
                raise _ByChanceError
            positive = next(value_at(v, t) for v, entry in zip(corner, ray, strict=True) if entry) > 0
            return corner if positive else tuple(-v for v in corner)
    raise _ByChanceError


class _Signs:
    """Polynomials that are not zero at a t: numerators and denominators of functions, each once."""

    def __init__(self, t: Fraction) -> None:
        self._t = t
        self._kept: dict[tuple[int, ...], None] = {}

    def keep(self, *functions: Any) -> None:
        """The sign of these functions matters, unless they are zero for all t."""
        for function in functions:
            if function:
                if value_at(function, self._t) == 0:
                    raise _ByChanceError
                self._kept[_polynomial(function.numer)] = None
                self._kept[_polynomial(function.denom)] = None

    def polynomials(self) -> list[Any]:
        """Those that are not constant, for FLINT."""
        return [fmpz_poly(list(key)) for key in self._kept if len(key) > 1]


def _basic_channels(utility: Array) -> list[_Basic]:
    """All sums of K columns that are t on a set and 1 elsewhere, one for each r(t) and its weights."""
    size, outputs = utility.shape
    sets = [frozenset(s) for n in range(1, size) for s in combinations(range(size), n)]
    gains = [[QQ(v.numerator, v.denominator) for v in row] for row in utility.tolist()]
    found: dict[tuple[Functions, Functions], _Basic] = {}
    for chosen in combinations(sets, size):
        columns = [tuple(T if y in high else FIELD(1) for y in range(size)) for high in chosen]
        whole = _determinant(columns)
        if not whole:
            continue
        ones = (FIELD(1),) * size
        weights = [_determinant([ones if i == k else c for i, c in enumerate(columns)]) / whole for k in range(size)]
        parts = [[w * v for v in column] for w, column in zip(weights, columns, strict=True)]
        signs = tuple(FIELD(w.numer * w.denom) for w in weights)
        for place in product(range(outputs), repeat=size):
            kept = tuple(
                sum((part[y] * gains[y][j] for part, j in zip(parts, place, strict=True)), FIELD(0))
                for y in range(size)
            )
            if (kept, signs) not in found:
                found[kept, signs] = _Basic(_channel(parts, place, outputs), kept, signs)
    return list(found.values())


def _channel(parts: Sequence[Sequence[Any]], place: Sequence[int], outputs: int) -> tuple[Functions, ...]:
    """The columns, each added to its output."""
    return tuple(
        tuple(
            sum((part[y] for part, j in zip(parts, place, strict=True) if j == output), FIELD(0))
            for output in range(outputs)
        )
        for y in range(len(parts))
    )


def _across(rows: Sequence[Functions]) -> Functions:
    """The vector orthogonal to K - 1 vectors of length K: signed minors."""
    size = len(rows) + 1
    minors = [_determinant([[v for i, v in enumerate(row) if i != k] for row in rows]) for k in range(size)]
    return tuple(minor * (-1) ** k for k, minor in enumerate(minors))


def _determinant(rows: Sequence[Sequence[Any]]) -> Any:
    """By the first row: the matrices are 3 x 3 at most."""
    if len(rows) == 1:
        return rows[0][0]
    minors = (_determinant([[v for i, v in enumerate(row) if i != k] for row in rows[1:]]) for k in range(len(rows)))
    return sum((v * (-1) ** k * minor for k, (v, minor) in enumerate(zip(rows[0], minors, strict=True))), FIELD(0))


def _whole(vector: Functions) -> tuple[Functions, Any]:
    """A vector times the least common multiple of its denominators, and that multiple."""
    multiple = vector[0].denom
    for value in vector[1:]:
        multiple = multiple.lcm(value.denom)
    return tuple(FIELD(value.numer * multiple.exquo(value.denom)) for value in vector), FIELD(multiple)


def _cleared(border: Functions, inner: Ray, t: Fraction) -> Functions:
    """The multiple of a border that points inwards at this t: whole coefficients and no common factor."""
    whole, _ = _whole(border)
    common = whole[0].numer
    for value in whole[1:]:
        common = common.gcd(value.numer) if common else value.numer
    reduced = [value / FIELD(common) for value in whole]
    parts = [c / v.denom.coeffs()[0] for v in reduced for c in v.numer.coeffs()]
    coefficients = [Fraction(int(c.numerator), int(c.denominator)) for c in parts]
    divisor = math.gcd(*(c.numerator for c in coefficients))
    scale = Fraction(math.lcm(*(c.denominator for c in coefficients)), divisor)
    side = next(k for k, value in enumerate(inner) if value)
    sign = 1 if (inner[side] > 0) == (value_at(reduced[side], t) > 0) else -1
    return tuple(v * QQ(sign * scale.numerator, scale.denominator) for v in reduced)


def _difference(first: Functions, second: Functions) -> Functions:
    return tuple(a - b for a, b in zip(first, second, strict=True))


def _dot(first: Functions, second: Functions) -> Any:
    return sum(map(mul, first, second), FIELD(0))


def _polynomial(polynomial: Any) -> tuple[int, ...]:
    """Whole coefficients without a common divisor, the lowest first."""
    if hasattr(polynomial, "numer"):
        polynomial = polynomial.numer
    coefficients = [Fraction(int(c.numerator), int(c.denominator)) for c in polynomial.to_dense()]
    return primitive(coefficients[::-1]) if coefficients else ()

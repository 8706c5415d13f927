"""Homogeneous linear inequalities in a prior whose coefficients are polynomials in t: a solution, or proof of none.

Of v . p >= 0 and w . p > 0 there is no solution at a t iff some nonnegative multiples of the vectors sum to zero, one
of those of a strict inequality being positive (Motzkin), and then at most K + 1 of the vectors are needed. Which, a
solver in floats guesses at a rational t, or all sets are tried; as functions of t the multiples are minors, and they
prove it up to the next root of one of them. The walk from root to root covers an interval of t with its ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from operator import mul
from typing import Any

import numpy as np
from flint import fmpq, fmpz_mat, fmpz_poly
from scipy.optimize import linprog

from lpmech.errors import UndecidedError
from lpmech.linear_algebra import flint_number
from lpmech.programs.cones import Ray, primitive, to_sum_one
from lpmech.programs.solvers.real_roots import RealRoot, nearest_root

__all__ = ["SystemInT", "Vector", "never_negative"]

#: A polynomial in t (flint.fmpz_poly) for each label.
Vector = tuple[Any, ...]
#: Sets of vectors by their values and the number of strict ones.
_Sets = Callable[[Sequence[Ray], int], Iterator[tuple[int, ...]]]
#: Rational points that are tried beyond a root, each nearer to it.
_TRIES = 40
#: From here on a multiple in floats is taken to be positive.
_POSITIVE = 1e-9
_FROM_ONE = fmpz_poly([1, 1])


@dataclass(frozen=True)
class SystemInT:
    """Conditions on a prior p and on t > 1.

    Attributes
    ----------
    labels : int
        K.
    weak, strict : tuple of Vector
        v(t) . p >= 0 and w(t) . p > 0.
    """

    labels: int
    weak: tuple[Vector, ...]
    strict: tuple[Vector, ...]

    def solution(self, lower: RealRoot, upper: RealRoot | None) -> tuple[Fraction, tuple[Fraction, ...]] | None:
        """A t above 1 in the closed interval, and a prior; None proves that there is none.

        Raises
        ------
        UndecidedError
            If the only t at which there may be one is irrational.
        """
        if any(all(never_negative(-entry) for entry in vector) for vector in self.strict):
            return None
        position, is_settled = lower, lower.upper == 1
        while True:
            sample, multiples = self._beyond(position, upper)
            if not isinstance(multiples, _Multiples):
                return sample, to_sum_one(multiples)
            if not (is_settled or multiples.prove_at(position)) and (found := self._solution_at(position)):
                return found
            end = multiples.next_root(sample, 1)
            if end is None or (upper is not None and end.compared(upper) > 0):
                return None
            position, is_settled = end, multiples.prove_at(end)
            if upper is not None and end.compared(upper) == 0:
                return None if is_settled else self._solution_at(end)

    def _beyond(self, position: RealRoot, upper: RealRoot | None) -> tuple[Fraction, _Multiples | Ray]:
        """A t with a solution; or one with multiples that prove that there is none down to the position."""
        step = Fraction(1)
        for _ in range(_TRIES):
            sample = position.near(step / 64) + step
            step /= 3
            if upper is not None and RealRoot.rational(flint_number(sample)).compared(upper) >= 0:
                continue
            multiples = self._multiples(sample, _guess)
            if multiples is None and (found := self._at(sample)) is not None:
                return sample, found
            multiples = multiples or self._multiples(sample, _sets)
            if multiples is not None:
                start = multiples.next_root(sample, -1)
                if start is None or start.compared(position) <= 0:
                    return sample, multiples
        raise UndecidedError(f"whether inequalities have a solution beyond t = {float(position.near(Fraction(1, 99)))}")

    def _solution_at(self, position: RealRoot) -> tuple[Fraction, tuple[Fraction, ...]] | None:
        if position.lower != position.upper:
            near = float(position.near(Fraction(1, 10**9)))
            raise UndecidedError(f"whether inequalities have a solution at the root t = {near:.6g} of a polynomial")
        t = Fraction(int(position.lower.p), int(position.lower.q))
        found = self._at(t)
        return None if found is None else (t, to_sum_one(found))

    def _at(self, t: Fraction) -> Ray | None:
        """A solution at a t: a direction inside of the closed cone, if it is no border of a strict inequality."""
        weak, strict = ([_value(vector, t) for vector in vectors] for vectors in (self.weak, self.strict))
        if not all(map(any, strict)):
            return None
        normals = list(dict.fromkeys(filter(any, (*_axes(self.labels), *weak, *strict))))
        inside = [Fraction(0)] * self.labels
        for rays in map(_across, combinations(normals, len(normals[0]) - 1)):
            for ray in rays:
                if all(_dot(normal, ray) >= 0 for normal in normals):
                    inside = [a + b for a, b in zip(inside, to_sum_one(ray), strict=True)]
        found = primitive(inside)
        return found if any(found) and all(_dot(normal, found) > 0 for normal in strict) else None

    def _multiples(self, t: Fraction, sets: _Sets) -> _Multiples | None:
        """Multiples of a set of vectors that sum to zero; None if there are none, or at this t by chance."""
        axes = [tuple(fmpz_poly([v]) for v in axis) for axis in _axes(self.labels)]
        total = (fmpz_poly([1]),) * self.labels  # no prior is zero
        vectors = [*self.strict, total, *axes, *self.weak]
        values = [_value(vector, t) for vector in vectors]
        strict = len(self.strict) + 1  # they come first
        for chosen in sets(values, strict):
            if _positive_kernel([values[k] for k in chosen]) is not None:
                found = _as_functions([vectors[k] for k in chosen], t)
                return None if found is None else _Multiples(found, tuple(k < strict for k in chosen))
        return None


@dataclass(frozen=True)
class _Multiples:
    """Polynomials that are positive at a t, and those of them that belong to strict inequalities."""

    polynomials: tuple[Any, ...]
    are_strict: tuple[bool, ...]

    def next_root(self, sample: Fraction, direction: int) -> RealRoot | None:
        """Up to where they prove it: a weak one may touch zero."""
        pairs = list(zip(self.polynomials, self.are_strict, strict=True))
        weak, strict = ([p for p, is_strict in pairs if is_strict is kind] for kind in (False, True))
        return nearest_root(weak, strict, flint_number(sample), direction, None if direction > 0 else fmpq(1))

    def prove_at(self, end: RealRoot) -> bool:
        """Whether a strict one is positive at an end, at which all are nonnegative."""
        pairs = zip(self.polynomials, self.are_strict, strict=True)
        return any(is_strict and polynomial % end.polynomial for polynomial, is_strict in pairs)


def _sets(values: Sequence[Ray], strict: int) -> Iterator[tuple[int, ...]]:
    """All sets of K + 1 vectors at most with a strict one, which come first."""
    for size in range(1, len(values[0]) + 2):
        yield from (chosen for chosen in combinations(range(len(values)), size) if chosen[0] < strict)


def _guess(values: Sequence[Ray], strict: int) -> Iterator[tuple[int, ...]]:
    """The vectors of which a solver in floats makes zero, if it does: what is positive in a basic solution."""
    columns = np.array([[float(v) for v in value] for value in values]).T
    rows = np.vstack([columns / np.maximum(np.abs(columns).max(axis=0), 1), np.arange(len(values)) < strict])
    answer = linprog(np.zeros(len(values)), A_eq=rows, b_eq=[0] * len(columns) + [1], method="highs-ds")
    chosen = tuple(np.flatnonzero(np.asarray(answer.x) > _POSITIVE).tolist()) if answer.success else ()
    if chosen and chosen[0] < strict:
        yield chosen


def never_negative(polynomial: Any) -> bool:
    """Whether the coefficients in t - 1 show that a polynomial is nonnegative for all t > 1."""
    return all(c >= 0 for c in polynomial(_FROM_ONE).coeffs())


def _axes(size: int) -> list[Ray]:
    return [tuple(int(i == k) for i in range(size)) for k in range(size)]


def _value(vector: Vector, t: Fraction) -> Ray:
    """A positive multiple of the vector at a t."""
    point = flint_number(t)
    values = [polynomial(point) for polynomial in vector]
    return primitive([Fraction(int(value.p), int(value.q)) for value in values])


def _dot(first: Ray, second: Ray) -> int:
    return sum(map(mul, first, second))


def _across(normals: Sequence[Ray]) -> Iterator[Ray]:
    """Both directions orthogonal to K - 1 vectors of length K, if there are no others."""
    kernel, count = fmpz_mat([list(normal) for normal in normals]).nullspace()
    if count == 1:
        ray = [int(kernel[k, 0]) for k in range(len(normals) + 1)]
        yield primitive(ray)
        yield primitive([-v for v in ray])


def _positive_kernel(vectors: Sequence[Ray]) -> list[int] | None:
    """The positive multiples with which vectors sum to zero, if there are no others."""
    kernel, count = fmpz_mat([list(row) for row in zip(*vectors, strict=True)]).nullspace()
    if count != 1:
        return None
    multiples = [int(kernel[k, 0]) for k in range(len(vectors))]
    return multiples if min(multiples) > 0 or max(multiples) < 0 else None


def _as_functions(vectors: Sequence[Vector], t: Fraction) -> tuple[Any, ...] | None:
    """The multiples as polynomials in t, positive at this t: minors of as many rows as determine them."""
    size = len(vectors) - 1
    point = flint_number(t)
    for rows in combinations(range(len(vectors[0])), size):
        table = [[vector[row] for row in rows] for vector in vectors]
        minors = [(-1) ** k * _determinant([*table[:k], *table[k + 1 :]]) for k in range(len(table))]
        values = [minor(point) for minor in minors]
        if all(value > 0 for value in values) or all(value < 0 for value in values):
            common = minors[0]
            for minor in minors[1:]:
                common = common.gcd(minor)
            found = [minor // common for minor in minors]
            found = found if found[0](point) > 0 else [-minor for minor in found]
            sums = (sum(map(mul, found, column), fmpz_poly()) for column in zip(*vectors, strict=True))
            return None if any(sums) else tuple(found)
    return None


def _determinant(rows: Sequence[Sequence[Any]]) -> Any:
    """Of polynomials, by the first row: the matrices are small."""
    if not rows:
        return fmpz_poly([1])
    minors = (_determinant([[*row[:k], *row[k + 1 :]] for row in rows[1:]]) for k in range(len(rows)))
    return sum(((-1) ** k * rows[0][k] * minor for k, minor in enumerate(minors)), fmpz_poly())

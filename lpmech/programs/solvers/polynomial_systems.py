"""Linear systems (A + t B) x = r + t s over the rational functions of t, by evaluation and interpolation in FLINT.

By Cramer's rule the determinant and the numerators over it are polynomials of degree at most n, so their values at
n + 1 whole numbers determine them. Equations of one unknown and unknowns of one equation are taken out before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from typing import Any

import sympy as sp
from flint import fmpq, fmpq_mat, fmpz_mat, fmpz_poly

from lpmech.linear_algebra import flint_number

__all__ = ["Quotient", "QuotientVector", "solve_linear", "solve_polynomial", "T"]

#: The parameter t = e^epsilon.
T = sp.Symbol("t")


@dataclass(frozen=True)
class Quotient:
    """A rational function of t, not necessarily in lowest terms.

    Attributes
    ----------
    numerator, denominator : flint.fmpz_poly
        Integer polynomials, the second not zero.
    """

    numerator: Any
    denominator: Any

    @classmethod
    def of(cls, numerator: Any, denominator: Any) -> Quotient:
        """The quotient of two polynomials with rational coefficients, `flint.fmpq_poly`."""
        return cls(numerator.numer() * denominator.denom(), denominator.numer() * numerator.denom())

    def at(self, t: Fraction) -> Fraction:
        """The value at a rational number.

        Raises
        ------
        ZeroDivisionError
            At a zero of the denominator.
        """
        point = flint_number(t)
        value = self.numerator(point) / self.denominator(point)
        return Fraction(int(value.p), int(value.q))

    @cached_property
    def expression(self) -> sp.Expr:
        """The function in factors."""
        above, numerators = self.numerator.factor()
        below, denominators = self.denominator.factor()
        powers: dict[tuple[int, ...], int] = {}
        for sign, factors in ((1, numerators), (-1, denominators)):
            for factor, multiplicity in factors:
                key = tuple(int(c) for c in reversed(factor.coeffs()))
                powers[key] = powers.get(key, 0) + sign * multiplicity
        body = sp.Mul(*(sp.Poly(key, T).as_expr() ** power for key, power in powers.items()))
        constant = sp.Rational(int(above), int(below))
        return sp.Mul(constant, body, evaluate=not body.is_Add) if constant != 1 else body


@dataclass(frozen=True)
class QuotientVector:
    """Rational functions of t over their least common denominator; equal ones compare equal.

    Attributes
    ----------
    numerators : tuple of flint.fmpz_poly
        Integer polynomials.
    denominator : flint.fmpz_poly
        Without a factor common to all numerators; its leading coefficient is positive.
    """

    numerators: tuple[Any, ...]
    denominator: Any

    @classmethod
    def of(cls, numerators: Sequence[Any], denominator: Any) -> QuotientVector:
        """Numerators over a denominator that may have a factor in common with all of them."""
        common = reduce(lambda found, each: found if found.is_one() else found.gcd(each), numerators, denominator)
        if denominator.leading_coefficient() < 0:
            common = -common
        if common.is_one():
            return cls(tuple(numerators), denominator)
        return cls(tuple(each // common for each in numerators), denominator // common)

    def __getitem__(self, index: int) -> Quotient:
        return Quotient(self.numerators[index], self.denominator)


def solve_linear(constant: Sequence[Any], linear: Sequence[Any], right: Sequence[Any]) -> QuotientVector:
    """Solve (A + t B) x = r.

    Parameters
    ----------
    constant, linear : sequence of sequences of int, shape (n, n)
        A and B.
    right : sequence of flint.fmpz_poly, length n
        r, of degree at most one.

    Raises
    ------
    ZeroDivisionError
        If the matrix is singular for every t.
    """
    rows = [
        {k: fmpz_poly([a, b]) for k, (a, b) in enumerate(zip(*pair, strict=True)) if a or b}
        for pair in zip(constant, linear, strict=True)
    ]
    known = _equations_of_one_unknown(rows, right)
    last = _unknowns_of_one_equation(rows, known)
    left = [i for i in range(len(rows)) if i not in known and i not in last]
    unknown = sorted({*range(len(rows))} - {*known.values()} - {*last.values()})
    if len(left) != len(unknown):
        raise ZeroDivisionError("the matrix is singular")
    sides = [right[i] - _sum(rows[i][k] * right[j] for j, k in known.items() if k in rows[i]) for i in left]
    fixed, moving = ([[part[i][k] for k in unknown] for i in left] for part in (constant, linear))
    inner = _by_values(fixed, moving, sides)
    found = dict(zip(unknown, inner.numerators, strict=True))
    found |= {k: right[i] * inner.denominator for i, k in known.items()}
    for i, k in last.items():
        found[k] = right[i] * inner.denominator - _sum(rows[i][l] * found[l] for l in rows[i] if l != k)
    return QuotientVector.of([found[k] for k in range(len(rows))], inner.denominator)


def _equations_of_one_unknown(rows: Sequence[Mapping[int, Any]], right: Sequence[Any]) -> dict[int, int]:
    """Equations i: x_k = r_i with a number r_i, each with its unknown k."""
    found: dict[int, int] = {}
    for i, row in enumerate(rows):
        if len(row) == 1 and right[i].degree() < 1:
            ((k, factor),) = row.items()
            if factor == 1 and k not in found.values():
                found[i] = k
    return found


def _unknowns_of_one_equation(rows: Sequence[Mapping[int, Any]], known: Mapping[int, int]) -> dict[int, int]:
    """Equations i, other than the known ones, in which alone an unknown k stands, with the factor 1."""
    equations: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        for k in row:
            equations.setdefault(k, []).append(i)
    alone = ((where[0], k) for k, where in equations.items() if len(where) == 1)
    return {i: k for i, k in alone if i not in known and rows[i][k] == 1}


def _sum(polynomials: Iterable[Any]) -> Any:
    return sum(polynomials, fmpz_poly())


def solve_polynomial(rows: Sequence[Sequence[Any]], right: Sequence[Any]) -> QuotientVector:
    """Solve A(t) x = r(t) for polynomials of any degree, `flint.fmpz_poly`, shape (n, n) and length n.

    Raises
    ------
    ZeroDivisionError
        If the matrix is singular for every t.
    """
    degrees = [max(0, *(entry.degree() for entry in row)) for row in rows]
    beyond = max((side.degree() - own for side, own in zip(right, degrees, strict=True)), default=0)
    degree = sum(degrees) + max(0, beyond)  # a product in a determinant has one factor of the right side at most
    return _interpolated(lambda point: fmpz_mat([[entry(point) for entry in row] for row in rows]), right, degree)


def _by_values(constant: Sequence[Any], linear: Sequence[Any], right: Sequence[Any]) -> QuotientVector:
    """`solve_linear` from the values at n + 1 whole numbers."""
    size = len(right)
    fixed, moving = (fmpz_mat(size, size, [entry for row in part for entry in row]) for part in (constant, linear))
    return _interpolated(lambda point: fixed + moving * point, right, size)


def _interpolated(matrix_at: Callable[[int], Any], right: Sequence[Any], degree: int) -> QuotientVector:
    """The solution by Cramer's rule, its determinants being of at most this degree, from values at whole numbers."""
    size = len(right)
    values: list[list[Any]] = []
    points: list[int] = []
    point = 2
    while len(points) <= degree:
        matrix = matrix_at(point)
        determinant = matrix.det()
        if determinant:
            solution = matrix.solve(fmpz_mat(size, 1, [each(point) for each in right])) * determinant
            values.append([*solution.entries(), determinant])
            points.append(point)
        elif point - 1 - len(points) > degree:  # more roots than a determinant has that is not zero
            raise ZeroDivisionError("the matrix is singular")
        point += 1
    coefficients = _interpolation(tuple(points)) * fmpq_mat(values)
    columns = [fmpz_poly([int(coefficients[i, k].p) for i in range(degree + 1)]) for k in range(size + 1)]
    return QuotientVector.of(columns[:-1], columns[-1])


@lru_cache(maxsize=64)
def _interpolation(points: tuple[int, ...]) -> Any:
    """The matrix that takes values at the points to coefficients, the lowest first."""
    whole = reduce(lambda product, point: product * fmpz_poly([-point, 1]), points, fmpz_poly([1]))
    slope, size = whole.derivative(), len(points)
    parts = [whole // fmpz_poly([-point, 1]) for point in points]  # each vanishes at all points but its own
    values = [slope(point) for point in points]
    return fmpq_mat(size, size, [fmpq(part[k], v) for k in range(size) for part, v in zip(parts, values, strict=True)])

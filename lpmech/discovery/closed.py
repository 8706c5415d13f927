"""Closed forms by interpolation: a polynomial through exact values, over one of a few denominators."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from operator import mul
from typing import Any

import sympy as sp
from flint import fmpq, fmpq_mat

from lpmech.linear_algebra import flint_number
from lpmech.prove.from_sympy import term_of
from lpmech.prove.rational_functions import as_rational
from lpmech.statements.numeric import fraction_of
from lpmech.terms import ONE, Apply, Node
from lpmech.terms.functions import sqrt

__all__ = ["ODD", "K", "has_root", "in_terms", "linear_through", "square_root", "through", "without_powers"]

K = sp.Symbol("K")
#: The letter for the parity of an index.
ODD = "odd"

#: Denominators that are tried, the simplest first.
_DENOMINATORS = (
    sp.Integer(1), K, K + 1, K - 1, K * (K + 1), K * (K - 1), K**2 - 1, K**2, K * (K**2 - 1), K - 2, K * (K - 2),
)  # fmt: skip
_MOST = 5
#: Degree up to which polynomials are tried beside powers.
_MOST_BESIDE_POWERS = 2
#: Of powers, by the number of letters: 1, b^K, b^m, b^(K - m).
_EXPONENTS = {1: ((0,), (1,)), 2: ((0, 0), (1, 0), (0, 1), (1, -1)), 3: ((0, 0, 0),)}


def through(
    values: Mapping[tuple[int, ...], Fraction], letters: Sequence[str], spare: int = 2, base: Fraction | None = None
) -> sp.Expr | None:
    """A rational function with these values, of total degree 5 at most above its denominator; None if there is none.

    Parameters
    ----------
    values : mapping
        By the letters' whole values; the first letter is K.
    letters : sequence of str
        A third one is 0 or 1, the parity of the second, and of the degree two.
    spare : int
        So many values more than coefficients there are at least: each of them could have refused it.
    base : Fraction, optional
        Of powers b^K, b^m, b^(K - m) by which terms of degree 2 at most are multiplied, too, over b^K - 1.
    """
    symbols = [sp.Symbol(letter) for letter in letters]
    exponents = _EXPONENTS[len(letters)] if base else _EXPONENTS[len(letters)][:1]
    below_powers = () if base is None else tuple(over * (as_rational(base) ** K - 1) for over in (1, K, K + 1))
    for degree in range((_MOST if base is None else _MOST_BESIDE_POWERS) + 1):
        terms = list(product(_monomials(len(letters), degree), exponents))
        if len(values) < len(terms) + spare:
            break
        rows = {point: [flint_number(_at(point, *term, base)) for term in terms] for point in values}
        for below in below_powers or _DENOMINATORS:
            if any(_at_size(below, point[0]) == 0 for point in values):
                continue
            found = _solved(rows, {x: value * _at_size(below, x[0]) for x, value in values.items()})
            if found is not None:
                above = (c * _term(symbols, *term, base) for c, term in zip(found, terms, strict=True))
                return sp.factor(sum(above) / below)
    return _quotient_through(values, symbols, spare) if base is None else None


def linear_through(values: Mapping[tuple[int, ...], int], letters: Sequence[str]) -> sp.Expr | None:
    """The linear function with these values, a constant where they are equal; None if there is none, or several."""
    if len(set(values.values())) == 1:
        return sp.Integer(next(iter(values.values())))
    rows = {point: [fmpq(1), *map(fmpq, point)] for point in values}
    found = _solved(rows, {point: Fraction(value) for point, value in values.items()})
    return None if found is None else sum(map(mul, found[1:], map(sp.Symbol, letters)), found[0])


def _quotient_through(
    values: Mapping[tuple[int, ...], Fraction], symbols: Sequence[sp.Symbol], spare: int
) -> sp.Expr | None:
    """The quotient of two polynomials, the lower one of degree one or two, if it is the only one through the values."""
    for degree, below in ((d, e) for d in range(_MOST - 1) for e in (1, 2)):
        above, under = (_monomials(len(symbols), most) for most in (degree, below))
        if len(values) < len(above) + len(under) - 1 + spare:
            continue
        entries = [
            math.prod(map(pow, point, powers)) * factor
            for point, value in values.items()
            for part, factor in ((above, fmpq(1)), (under, -flint_number(value)))
            for powers in part
        ]
        space = _kernel(fmpq_mat(len(values), len(above) + len(under), entries))
        if space is None:
            continue
        terms = [sp.prod(map(sp.Pow, symbols, powers)) for powers in (*above, *under)]
        upper, lower = (
            sum(c * term for c, term in zip(part, own, strict=True))
            for part, own in ((space[: len(above)], terms[: len(above)]), (space[len(above) :], terms[len(above) :]))
        )
        if all(sp.sympify(lower).subs(dict(zip(symbols, point, strict=True))) != 0 for point in values):
            return sp.factor(upper / lower)
    return None


def _term(symbols: Sequence[sp.Symbol], powers: Sequence[int], exponent: Sequence[int], base: Fraction | None) -> Any:
    polynomial = sp.prod(map(sp.Pow, symbols, powers))
    if base is None or not any(exponent):
        return polynomial
    return polynomial * as_rational(base) ** sum(map(mul, exponent, symbols))


def _at(point: Sequence[int], powers: Sequence[int], exponent: Sequence[int], base: Fraction | None) -> Fraction:
    number = Fraction(math.prod(map(pow, point, powers)))
    return number if base is None else number * base ** sum(map(mul, exponent, point))


@cache
def _at_size(below: sp.Expr, size: int) -> Fraction:
    return fraction_of(below.subs(K, size))


@cache
def _monomials(letters: int, degree: int) -> list[tuple[int, ...]]:
    found = product(range(degree + 1), repeat=min(letters, 2))
    plain = [powers for powers in found if sum(powers) <= degree]
    if letters < 3:
        return plain
    return [(*powers, odd) for powers in plain for odd in (0, 1) if sum(powers) + 2 * odd <= degree]


def _solved(
    rows: Mapping[tuple[int, ...], Sequence[fmpq]], rights: Mapping[tuple[int, ...], Fraction]
) -> list[sp.Rational] | None:
    """The one solution of a linear system, a row for each point; a few rows spread over all refuse most of them."""
    points, unknowns = list(rows), len(next(iter(rows.values())))
    step = max(1, len(points) // (unknowns + 3))
    for some in (points[::step], points) if step > 1 else (points,):
        entries = [x for point in some for x in (*rows[point], flint_number(rights[point]))]
        reduced, rank = fmpq_mat(len(some), unknowns + 1, entries).rref()
        if rank and not any(reduced[rank - 1, column] for column in range(unknowns)):  # 0 = 1
            return None
    return [as_rational(fraction_of(reduced[row, unknowns])) for row in range(unknowns)] if rank == unknowns else None


def _kernel(matrix: fmpq_mat) -> list[sp.Rational] | None:
    """The vector that a matrix sends to 0, if there is one only, but for multiples."""
    reduced, rank = matrix.rref()
    if rank != matrix.ncols() - 1:
        return None
    pivots = [next(column for column in range(rank + 1) if reduced[row, column]) for row in range(rank)]
    (free,) = set(range(rank + 1)) - set(pivots)
    found = {column: -reduced[row, free] for row, column in enumerate(pivots)}
    return [as_rational(fraction_of(found.get(column, fmpq(1)))) for column in range(rank + 1)]


def without_powers(expression: sp.Expr) -> tuple[sp.Expr, dict[str, Node]]:
    """A formula with letters in place of 2^K, 2^m (2^(K - m) is 2^K/2^m), and what they are, by their names."""
    powers: dict[str, Node] = {}

    def apart(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        if not (base.is_Rational and exponent.free_symbols):
            return sp.Pow(base, exponent)
        found = sp.Integer(1)
        for part in sp.Add.make_args(sp.expand(exponent)):
            times, letter = part.as_coeff_Mul()
            if letter == 1:
                found *= base**times
            else:
                name = f"power_{letter}"
                powers[name] = term_of(base**letter)
                found *= sp.Symbol(name) ** times
        return found

    return expression.replace(lambda e: e.is_Pow, lambda e: apart(e.base, e.exp)), powers


def has_root(expression: sp.Expr) -> bool:
    """Whether a square root stands in it; 2^K is none."""
    return any(power.exp.is_Rational and not power.exp.is_integer for power in expression.atoms(sp.Pow))


def square_root(square: sp.Expr, shows: Callable[[Node], bool]) -> Node:
    """As a term: the rational function whose square it is, if there is one and its sign is shown; else a root."""
    positive = {letter: sp.Symbol(letter.name, positive=True) for letter in square.free_symbols}
    root = sp.sqrt(sp.factor(square.subs(positive))).replace(sp.Abs, lambda x: x)
    root = sp.powdenest(root, force=True).subs({new: old for old, new in positive.items()})
    if not has_root(root) and sp.cancel(root**2 - square) == 0:
        for one in (root, -root):
            if shows(in_terms(one) >= 0):
                return in_terms(one)
    return sqrt(in_terms(sp.factor(square)))


def in_terms(expression: Any) -> Node:
    """A formula of sympy's as a term: one fraction of factors, with as few signs as may be."""
    above, below = sp.fraction(sp.factor(sp.sympify(expression)))
    written = [_over(*(_fewest_signs(sp.factor(sign * part)) for part in (above, below))) for sign in (1, -1)]
    return min(written, key=_signs)


def _over(above: Node, below: Node) -> Node:
    return above if below == ONE else Apply("/", (above, below))


def _fewest_signs(factored: Any) -> Node:
    """A product in which one of the factors takes a sign from a coefficient where that leaves fewer of them."""
    coefficient, rest = factored.as_coeff_Mul()
    factors = sp.Mul.make_args(rest)
    written = [term_of(factored)]
    for place, factor in enumerate(factors):
        if factor.is_Add:
            others = [*factors[:place], sp.expand(-factor), *factors[place + 1 :]]
            first = [] if coefficient == -1 else [-coefficient]
            written.append(term_of(sp.Mul(*first, *others, evaluate=False)))
    return min(written, key=_signs)


def _signs(node: Node) -> tuple[bool, int, int, int, int]:
    """What makes a fraction ugly, the worst first; K - 1 is positive, and stands so."""
    text = str(node)
    return "/-" in text, text.count("-("), text.count("-"), len(text), text.count("- K")

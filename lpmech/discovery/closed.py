"""Closed forms by interpolation: a polynomial through exact values, over one of a few denominators."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import sympy as sp
from sympy.polys.matrices import DomainMatrix

from lpmech.prove.from_sympy import term_of
from lpmech.terms import ONE, Apply, Node

__all__ = ["K", "in_terms", "through"]

K = sp.Symbol("K")

#: Denominators that are tried, the simplest first.
_DENOMINATORS = (
    sp.Integer(1), K, K + 1, K - 1, K * (K + 1), K * (K - 1), K**2 - 1, K**2, K * (K**2 - 1), K - 2, K * (K - 2),
)  # fmt: skip
_MOST = 5


def through(values: Mapping[tuple[int, ...], Fraction], letters: Sequence[str], spare: int = 2) -> sp.Expr | None:
    """A rational function with these values, of total degree 5 at most above its denominator; None if there is none.

    Parameters
    ----------
    values : mapping
        By the letters' whole values; the first letter is K.
    letters : sequence of str
    spare : int
        So many values more than coefficients there are at least: each of them could have refused it.
    """
    symbols = [sp.Symbol(letter) for letter in letters]
    for degree in range(_MOST + 1):
        monomials = _monomials(len(letters), degree)
        if len(values) < len(monomials) + spare:
            return None
        for below in _DENOMINATORS:
            if any(below.subs(K, point[0]) == 0 for point in values):
                continue
            found = _solved(values, monomials, below)
            if found is not None:
                terms = (c * sp.prod(map(sp.Pow, symbols, powers)) for c, powers in zip(found, monomials, strict=True))
                return sp.factor(sum(terms) / below)
    return None


@cache
def _monomials(letters: int, degree: int) -> list[tuple[int, ...]]:
    return [powers for powers in product(range(degree + 1), repeat=letters) if sum(powers) <= degree]


def _solved(
    values: Mapping[tuple[int, ...], Fraction], monomials: Sequence[tuple[int, ...]], below: sp.Expr
) -> list[Any] | None:
    rows = []
    for point, value in values.items():
        own = [math.prod(map(pow, point, powers)) for powers in monomials]
        right = Fraction(value) * int(below.subs(K, point[0]))
        rows.append([*map(sp.QQ, own), sp.QQ(right.numerator, right.denominator)])
    reduced, pivots = DomainMatrix(rows, (len(rows), len(monomials) + 1), sp.QQ).rref()
    if pivots != tuple(range(len(monomials))):
        return None
    solved = reduced.to_Matrix()
    return [solved[row, len(monomials)] for row in range(len(monomials))]


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

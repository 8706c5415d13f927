"""Contradictions shown by products: inequalities multiplied, weighted and added up to nothing, though one is positive.

A certificate takes products of the given inequalities and of squares, none of which is negative, with positive weights,
and multiples of the given equations, all zero. If the sum is the zero polynomial and one of the products is positive,
no point satisfies the relations (a Positivstellensatz of Krivine, Stengle and Handelman). The search proposes; what
counts is only that `contradicts` multiplies it out, exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import mul
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lpmech.errors import UndecidedError
from lpmech.prove.polynomials import Ring
from lpmech.prove.product_search import Candidate, CandidateTable, weights

__all__ = [
    "INEQUALITIES",
    "STRICT",
    "NotAllZero",
    "ProductProof",
    "Weighted",
    "certificate",
    "contradicts",
    "difference",
    "sides_of",
]

_REACH = 3
#: The kinds of relations that are inequalities, and those that are strict.
STRICT = (sp.Lt, sp.Gt)
INEQUALITIES = (sp.Lt, sp.Le, sp.Gt, sp.Ge)


@dataclass(frozen=True)
class Weighted:
    """A term that is not negative: weight * square^2 * the product of some of the inequalities' sides.

    Attributes
    ----------
    weight : positive sympy Rational
    factors : tuple of int
        Positions of inequalities among the relations, repeated where a power is meant.
    square : sympy expression
        A polynomial, which is squared.
    """

    weight: sp.Rational
    factors: tuple[int, ...] = ()
    square: sp.Expr = sp.S.One


@dataclass(frozen=True)
class ProductProof:
    """Products and multiples of equations that add up to the zero polynomial.

    Attributes
    ----------
    products : tuple of Weighted
    multiples : tuple of (int, sympy expression)
        Position of an equation among the relations, and the polynomial by which it is multiplied.
    away : NotAllZero or None
        One relation more, which follows from the others.
    """

    products: tuple[Weighted, ...]
    multiples: tuple[tuple[int, sp.Expr], ...] = ()
    away: NotAllZero | None = None


@dataclass(frozen=True)
class NotAllZero:
    """That some symbol is not zero, since the origin violates a relation: a sum of symbols and squares is positive.

    Attributes
    ----------
    relation : relation
        Of the sum, which counts as the relation after the last one.
    violated : relation
        At the origin.
    known : mapping of Symbol to relation
        The symbols that are not negative, and what says so; of the others the sum has squares.
    squared : tuple of Symbol
    """

    relation: Relational
    violated: Relational
    known: Mapping[sp.Symbol, Relational]
    squared: tuple[sp.Symbol, ...]


def contradicts(relations: Sequence[Relational], proof: ProductProof) -> bool:
    """Whether a certificate shows that no real point satisfies polynomial relations; exact.

    Raises
    ------
    UndecidedError
        If a relation is not one of polynomials.
    """
    ring, sides = sides_of(relations)
    total, positive = ring.zero, False
    for product in proof.products:
        if not (product.weight.is_Rational and product.weight > 0):
            return False
        if not all(isinstance(relations[i], INEQUALITIES) for i in product.factors):
            return False
        square = _polynomial(ring, product.square) ** 2
        total += _polynomial(ring, product.weight) * reduce(mul, (sides[i] for i in product.factors), square)
        nonzero = product.square.is_Rational and product.square != 0
        positive |= nonzero and all(isinstance(relations[i], STRICT) for i in product.factors)
    for index, multiplier in proof.multiples:
        if not isinstance(relations[index], sp.Eq):
            return False
        total += _polynomial(ring, multiplier) * sides[index]
    return bool(positive and total == 0)


def certificate(relations: Sequence[Relational], reach: int = _REACH) -> ProductProof | None:
    """Search for a certificate that polynomial relations contradict each other; None says nothing.

    Parameters
    ----------
    relations : sequence of <, <=, >, >= and equations
    reach : int
        Of how many inequalities products are tried.

    Raises
    ------
    UndecidedError
        If a relation is not one of polynomials.
    """
    if not relations:
        return None
    given = tuple(relations)
    return next((found for n in range(1, reach + 1) if (found := _of_reach(given, n)) is not None), None)


@lru_cache(maxsize=1 << 12)  # cases have relations in common, and are asked again at a higher reach
def _of_reach(relations: tuple[Relational, ...], reach: int) -> ProductProof | None:
    begun = _begun(relations)
    if isinstance(begun, ProductProof):
        return begun
    ring, table = begun
    weighed = weights(table.candidates(reach))
    found = None if weighed is None else _certificate(ring, table, weighed)
    return found if found is not None and contradicts(relations, found) else None


@lru_cache(maxsize=1 << 4)
def _begun(relations: tuple[Relational, ...]) -> ProductProof | tuple[Ring, CandidateTable]:
    """What every reach begins with."""
    ring, sides = sides_of(relations)
    strict = {i: isinstance(r, STRICT) for i, r in enumerate(relations) if isinstance(r, INEQUALITIES)}
    return _multiple(relations, ring, sides) or (ring, CandidateTable(sides, strict))


def _multiple(relations: Sequence[Relational], ring: Ring, sides: Sequence[Any]) -> ProductProof | None:
    """That something positive is a multiple of what an equation says to be zero."""
    equations = [i for i, r in enumerate(relations) if isinstance(r, sp.Eq) and sides[i]]
    for n, relation in enumerate(relations):
        for i in equations if isinstance(relation, STRICT) else ():
            quotient, rest = divmod(sides[n], sides[i])
            if not rest:
                return ProductProof((Weighted(sp.S.One, (n,)),), ((i, ring.expression(-quotient)),))
    return None


def _certificate(ring: Ring, table: CandidateTable, weighed: Sequence[tuple[Candidate, Any]]) -> ProductProof:
    products, multiples = [], []
    for candidate, value in weighed:
        weight = sp.Rational(int(value.p), int(value.q))
        polynomial = ring.expression(table.old(candidate.square))
        if candidate.equation is None:
            products.append(Weighted(weight, candidate.factors, polynomial))
        else:
            multiples.append((candidate.equation, weight * polynomial))
    return ProductProof(tuple(products), tuple(multiples))


def sides_of(relations: Sequence[Relational]) -> tuple[Ring, list[Any]]:
    ring = Ring(sorted(set[sp.Symbol]().union(*(r.free_symbols for r in relations)), key=str))
    return ring, [_polynomial(ring, difference(relation)) for relation in relations]


def difference(relation: Relational) -> sp.Expr:
    """The side of a relation: what an inequality says to be positive or not negative, an equation to be zero."""
    return relation.gts - relation.lts if isinstance(relation, INEQUALITIES) else relation.lhs - relation.rhs


def _polynomial(ring: Ring, expression: sp.Expr) -> Any:
    numerator, denominator = ring.quotient(expression)
    if not denominator.is_one():
        raise UndecidedError(f"{expression} is no polynomial")
    return numerator

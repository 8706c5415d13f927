"""Sums of squares: a semidefinite program proposes Gram matrices, exact arithmetic makes squares of them.

Polynomial relations contradict each other if products of the inequalities, each times a sum of squares, and multiples
of the equations add up to nothing, though one product is positive (Stengle's Positivstellensatz; on boxes Putinar's
and Schmuedgen's). A sum of squares is z'Qz with a positive semidefinite Q: floats propose all Q at once, as far inside
of the cone as they can be. Where a Q has to be singular its kernel, in small rationals, is taken out of z, and the
program is solved again. Then the Q are made rational and the sum exact; their L D L' have the squares (Peyrl and
Parrilo, Theor. Comput. Sci. 409, 2008). What counts is `lpmech.prove.products.contradicts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, combinations, combinations_with_replacement
from operator import mul
from typing import Any

import sympy as sp
from flint import fmpq, fmpq_mpoly
from sympy.core.relational import Relational

from lpmech.errors import MissingDependencyError
from lpmech.prove.gram import Linear, definite, interior, rounded, without_kernel
from lpmech.prove.polynomials import Ring
from lpmech.prove.products import INEQUALITIES, STRICT, NotAllZero, ProductProof, Weighted, contradicts, sides_of

__all__ = ["contradictory_by_squares"]

#: Beyond these nothing is tried: symbols, degree, monomials of one sum of squares, entries of all Gram matrices.
_MOST_SYMBOLS, _MOST_DEGREE, _MOST_BASIS, _MOST_ENTRIES = 6, 10, 36, 1200
#: Products of two inequalities are multiplied by squares where there are not more than so many inequalities.
_MOST_MULTIPLIED = 5
#: How often kernels are taken out.
_ROUNDS = 4


@dataclass(frozen=True)
class Block:
    """A product of inequalities, and what the sum of squares that it is multiplied by is made of.

    Attributes
    ----------
    factors : tuple of int
        Positions among the relations.
    side : polynomial
        The product.
    basis : tuple of polynomials
        What is squared are combinations of these.
    """

    factors: tuple[int, ...]
    side: fmpq_mpoly
    basis: tuple[fmpq_mpoly, ...]

    def columns(self) -> Iterator[fmpq_mpoly]:
        """What each entry on and above the diagonal of the Gram matrix is multiplied by."""
        for i, j in combinations_with_replacement(range(len(self.basis)), 2):
            yield self.side * self.basis[i] * self.basis[j] * (1 if i == j else 2)


def contradictory_by_squares(relations: Sequence[Relational]) -> ProductProof | None:
    """A certificate with sums of squares that polynomial relations contradict each other.

    None says nothing; without cvxpy it is the answer. A certificate may speak of one relation more, the last: that some
    symbol is not zero.

    Raises
    ------
    UndecidedError
        If a relation is not one of polynomials.
    """
    ring, sides = sides_of(relations)
    degree = max((side.total_degree() for side in sides), default=0)
    if not 0 < len(ring.symbols) <= _MOST_SYMBOLS or not 0 < degree <= _MOST_DEGREE:
        return None
    try:
        even = degree + degree % 2
        away = _away_from_zero(relations)
        for limit in (even, even + 2):
            if (found := _found(relations, [], limit)) is not None:
                return found
            if away is not None and (found := _found(relations, [away.relation], limit)) is not None:
                return replace(found, away=away)
        return None
    except MissingDependencyError:
        return None


def _away_from_zero(relations: Sequence[Relational]) -> NotAllZero | None:
    """That some symbol is not zero, where all of them being zero violates a relation; as one inequality."""
    symbols = sorted(set[sp.Symbol]().union(*(r.free_symbols for r in relations)), key=str)
    violated = next((r for r in relations if not bool(r.subs(dict.fromkeys(symbols, 0)))), None)
    if violated is None:
        return None
    said = {r.gts: r for r in relations if isinstance(r, INEQUALITIES) and r.lts == 0}
    known = {s: said[s] for s in symbols if s in said}
    squared = tuple(s for s in symbols if s not in known)
    return NotAllZero(sp.Gt(sp.Add(*known, *(s**2 for s in squared)), 0), violated, known, squared)


def _found(multiplied: Sequence[Relational], away: Sequence[Relational], degree: int) -> ProductProof | None:
    """A certificate of a degree; some relations are multiplied by no squares."""
    relations = [*multiplied, *away]
    ring, sides = sides_of(relations)
    strict = [i for i, r in enumerate(relations) if isinstance(r, STRICT)]
    one = ring.one
    positive = [Block(f, reduce(mul, (sides[i] for i in f), one), (one,)) for f in _products(strict, 2)]
    positive = [block for block in positive if block.side.total_degree() <= degree]
    blocks = _blocks(multiplied, ring, sides, degree)
    multiples = [
        (i, monomial)
        for i, r in enumerate(relations)
        if isinstance(r, sp.Eq)
        for monomial in _monomials(ring, degree - sides[i].total_degree())
    ]
    if not _small_enough(blocks):
        return None
    for _ in range(_ROUNDS):
        columns = [
            *chain.from_iterable(b.columns() for b in (*blocks, *positive)),
            *(m * sides[i] for i, m in multiples),
        ]
        linear = Linear.of(columns, [len(b.basis) for b in blocks], len(positive))
        point = interior(linear)
        if point is None:
            return None
        if point.inside:
            proposed = (_certificate(ring, blocks, positive, multiples, v) for v in rounded(linear, point.values))
            return next((p for p in proposed if p is not None and contradicts(relations, p)), None)
        smaller = [_smaller(block, matrix) for block, matrix in zip(blocks, point.matrices, strict=True)]
        if None in smaller or smaller == blocks:
            return None
        blocks = [block for block in smaller if block is not None and block.basis]
    return None


def _products(positions: Sequence[int], most: int) -> list[tuple[int, ...]]:
    return [chosen for size in range(most + 1) for chosen in combinations(positions, size)]


def _blocks(relations: Sequence[Relational], ring: Ring, sides: Sequence[Any], degree: int) -> list[Block]:
    """Products of inequalities with monomials up to what makes the degree."""
    inequalities = [i for i, r in enumerate(relations) if isinstance(r, INEQUALITIES)]
    products = _products(inequalities, 2 if len(inequalities) <= _MOST_MULTIPLIED else 1)
    found = []
    for factors in products:
        side = reduce(mul, (sides[i] for i in factors), ring.one)
        if side.total_degree() <= degree:
            found.append(Block(factors, side, tuple(_monomials(ring, (degree - side.total_degree()) // 2))))
    plain, *others = found
    return [replace(plain, basis=_reachable(plain.basis, others)), *others]


def _reachable(basis: Sequence[fmpq_mpoly], others: Sequence[Block]) -> tuple[fmpq_mpoly, ...]:
    """The monomials whose squares something else can cancel."""
    elsewhere = {m for block in others for column in block.columns() for m in map(tuple, column.monoms())}
    kept = {tuple(map(int, b.monoms()[0])): b for b in basis}
    while True:
        mixed = {tuple(x + y for x, y in zip(a, b, strict=True)) for a, b in combinations(kept, 2)}
        lost = [m for m in kept if (double := tuple(2 * e for e in m)) not in elsewhere and double not in mixed]
        if not lost:
            return tuple(kept.values())
        for monomial in lost:
            del kept[monomial]


def _monomials(ring: Ring, degree: int) -> list[fmpq_mpoly]:
    generators = [ring.quotient(symbol)[0] for symbol in ring.symbols]
    sizes = range(degree + 1)
    return [reduce(mul, f, ring.one) for size in sizes for f in combinations_with_replacement(generators, size)]


def _small_enough(blocks: Sequence[Block]) -> bool:
    sizes = [len(block.basis) for block in blocks]
    return max(sizes) <= _MOST_BASIS and sum(n * (n + 1) // 2 for n in sizes) <= _MOST_ENTRIES


def _smaller(block: Block, matrix: Any) -> Block | None:
    """With a basis of what is orthogonal to the kernel of a Gram matrix; None if that is in no small rationals."""
    combinations_of = without_kernel(matrix)
    if combinations_of is None:
        return None
    made = (sum((b * c for b, c in zip(block.basis, row, strict=True)), 0 * block.side) for row in combinations_of)
    return replace(block, basis=tuple(made))


def _certificate(
    ring: Ring,
    blocks: Sequence[Block],
    positive: Sequence[Block],
    multiples: Sequence[tuple[int, fmpq_mpoly]],
    values: Sequence[fmpq],
) -> ProductProof | None:
    """The products with these weights; None if a Gram matrix is not positive semidefinite."""
    given = iter(values)
    products: list[Weighted] = []
    for block in (*blocks, *positive):
        size = len(block.basis)
        entries = {pair: next(given) for pair in combinations_with_replacement(range(size), 2)}
        decomposed = definite(entries, size)
        if decomposed is None:
            return None
        for weight, row in decomposed:
            square = sum((b * c for b, c in zip(block.basis, row, strict=True)), 0 * block.side)
            products.append(Weighted(_rational(weight), block.factors, ring.expression(square)))
    return ProductProof(
        tuple(products), tuple((i, ring.expression(m * v)) for (i, m), v in zip(multiples, given, strict=True))
    )


def _rational(value: fmpq) -> sp.Rational:
    return sp.Rational(int(value.p), int(value.q))

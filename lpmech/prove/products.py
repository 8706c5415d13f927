"""Contradictions shown by products: inequalities multiplied, weighted and added up to nothing, though one is positive.

A certificate takes products of the given inequalities and of squares, none of which is negative, with positive weights,
and multiples of the given equations, all zero. If the sum is the zero polynomial and one of the products is positive,
no point satisfies the relations (a Positivstellensatz of Krivine, Stengle and Handelman). The search proposes; what
counts is only that `contradicts` multiplies it out, exactly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from lpmech.errors import UndecidedError
from lpmech.prove.clearing import cleared
from lpmech.prove.polynomials import Ring
from lpmech.prove.product_search import Candidate, Table, weights

__all__ = ["Certificate", "Product", "certificate", "contradicts", "follows"]

_REACH = 3
_MOST_CASES = 40
_STRICT = (sp.Lt, sp.Gt)
_INEQUALITIES = (sp.Lt, sp.Le, sp.Gt, sp.Ge)


@dataclass(frozen=True)
class Product:
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
class Certificate:
    """Products and multiples of equations that add up to the zero polynomial.

    Attributes
    ----------
    products : tuple of Product
    multiples : tuple of (int, sympy expression)
        Position of an equation among the relations, and the polynomial by which it is multiplied.
    """

    products: tuple[Product, ...]
    multiples: tuple[tuple[int, sp.Expr], ...] = ()


def contradicts(relations: Sequence[Relational], proof: Certificate) -> bool:
    """Whether a certificate shows that no real point satisfies polynomial relations; exact.

    The side of an inequality is the difference that it says to be positive or not negative, that of an equation the
    difference that it says to be zero.
    """
    ring, sides = _sides(relations)
    total, positive = ring.zero, False
    for product in proof.products:
        if not (product.weight.is_Rational and product.weight > 0) or not all(isinstance(relations[i], _INEQUALITIES) for i in product.factors):
            return False
        square = _polynomial(ring, product.square) ** 2
        total += _polynomial(ring, product.weight) * reduce(mul, (sides[i] for i in product.factors), square)
        nonzero = product.square.is_Rational and product.square != 0
        positive |= nonzero and all(isinstance(relations[i], _STRICT) for i in product.factors)
    for index, multiplier in proof.multiples:
        if not isinstance(relations[index], sp.Eq):
            return False
        total += _polynomial(ring, multiplier) * sides[index]
    return bool(positive and total == 0)


def certificate(relations: Sequence[Relational], reach: int = _REACH) -> Certificate | None:
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
    ring, sides = _sides(relations)
    strict = {i: isinstance(r, _STRICT) for i, r in enumerate(relations) if isinstance(r, _INEQUALITIES)}
    table = Table(sides, strict)
    for reached in range(1, reach + 1):
        weighed = weights(table.candidates(reached))
        if weighed is not None:
            found = _certificate(ring, weighed)
            if contradicts(relations, found):
                return found
    return None


def follows(hypotheses: Sequence[Boolean], conclusion: Boolean, integers: Collection[sp.Symbol] = ()) -> bool:
    """Whether certificates prove a conclusion, with alternatives, Min, Max and Abs taken apart; False says nothing.

    All relations have to be defined wherever the hypotheses hold.
    """
    formulas = [_readable(sp.to_nnf(f, simplify=False)) for f in (*hypotheses, sp.Not(conclusion))]
    try:
        return _Cases(frozenset(integers)).contradictory(formulas)
    except UndecidedError:
        return False


def _certificate(ring: Ring, weighed: Sequence[tuple[Candidate, Any]]) -> Certificate:
    products, multiples = [], []
    for candidate, value in weighed:
        weight = sp.Rational(int(value.p), int(value.q))
        polynomial = ring.expression(candidate.square)
        if candidate.equation is None:
            products.append(Product(weight, candidate.factors, polynomial))
        else:
            multiples.append((candidate.equation, weight * polynomial))
    return Certificate(tuple(products), tuple(multiples))


def _sides(relations: Sequence[Relational]) -> tuple[Ring, list[Any]]:
    ring = Ring(sorted(set[sp.Symbol]().union(*(r.free_symbols for r in relations)), key=str))
    return ring, [_polynomial(ring, _difference(relation)) for relation in relations]


def _difference(relation: Relational) -> sp.Expr:
    return relation.gts - relation.lts if isinstance(relation, _INEQUALITIES) else relation.lhs - relation.rhs


def _polynomial(ring: Ring, expression: sp.Expr) -> Any:
    numerator, denominator = ring.quotient(expression)
    if not denominator.is_one():
        raise UndecidedError(f"{expression} is no polynomial")
    return numerator


# ---- cases


class _Cases:
    """Refutation by cases; how many are looked at is limited."""

    def __init__(self, integers: frozenset[sp.Symbol]):
        self._integers = integers
        self._left = _MOST_CASES

    def contradictory(self, formulas: Sequence[Boolean]) -> bool:
        """Whether every case of the formulas has a certificate."""
        self._left -= 1
        if self._left < 0:
            return False
        flat = _conjuncts(_substituted(_conjuncts(formulas)))
        if sp.false in flat:
            return True
        plain = [f for f in flat if isinstance(f, (*_INEQUALITIES, sp.Eq)) and not _choices(f)]
        others = sorted((f for f in flat if f not in plain), key=lambda f: isinstance(f, sp.Ne) and not _choices(f))
        relations = _conjuncts([self._strengthened(cleared(f, plain)) for f in plain])
        if sp.false in relations or certificate(relations, 1) is not None:
            return True
        if others:
            return all(self.contradictory([*relations, *rest]) for rest in _alternatives(others[0], others[1:]))
        relations = _connected(_conjuncts([_without_known_factors(r, relations) for r in relations]))
        return sp.false in relations or certificate(relations) is not None

    def _strengthened(self, relation: Boolean) -> Boolean:
        """n > 0 as n >= 1 for a whole number n."""
        if not isinstance(relation, _STRICT) or not relation.free_symbols <= self._integers:
            return relation
        difference = sp.expand(_difference(relation))
        if not difference.is_polynomial(*relation.free_symbols):
            return relation
        whole = all(c.is_Integer for c in sp.Poly(difference, *relation.free_symbols).coeffs())
        return sp.Ge(difference, 1) if whole else relation


def _conjuncts(formulas: Sequence[Boolean]) -> list[Boolean]:
    """The parts of a conjunction; only `false` if one of them is."""
    flat = [part for f in formulas for part in sp.And.make_args(f) if part != sp.true]
    return [sp.false] if sp.false in flat else list(dict.fromkeys(flat))


def _substituted(formulas: Sequence[Boolean]) -> list[Boolean]:
    """With values in place of symbols that are linear in an equation."""
    for equation in formulas:
        if isinstance(equation, sp.Eq) and not _choices(equation):
            difference = sp.expand(_difference(equation))
            for symbol in sorted(difference.free_symbols, key=str):
                slope = difference.diff(symbol)
                if slope.is_Rational:
                    value = sp.expand(symbol - difference / slope)
                    return _substituted([f.xreplace({symbol: value}) for f in formulas if f is not equation])
    return list(formulas)


def _connected(relations: Sequence[Boolean]) -> list[Boolean]:
    """Without relations that a symbol which is linear in them and in no other can always satisfy."""
    for relation in relations:
        elsewhere = set[sp.Symbol]().union(*(r.free_symbols for r in relations if r is not relation))
        for symbol in relation.free_symbols - elsewhere:
            if _difference(relation).diff(symbol).is_Rational:
                return _connected([r for r in relations if r is not relation])
    return list(relations)


def _without_known_factors(relation: Relational, context: Sequence[Relational]) -> Boolean:
    """What remains of a relation when factors are left out that are positive, negative or not zero in the context."""
    difference = _difference(relation)
    ring = Ring(sorted(difference.free_symbols, key=str))
    remaining, factors = ring.factors(_polynomial(ring, difference))
    if len(factors) == 1 and factors[0][1] == 1:
        return relation
    others = [c for c in context if c is not relation]
    for factor, times in factors:
        if isinstance(relation, _STRICT) and times % 2 == 0:
            continue
        if certificate([*others, factor <= 0], 1) is not None:
            continue
        if certificate([*others, factor >= 0], 1) is not None:
            remaining *= (-1) ** times
            continue
        remaining *= factor ** (1 if isinstance(relation, sp.Eq) else times)
    if isinstance(relation, sp.Eq):
        return sp.Eq(remaining, 0)
    return remaining > 0 if isinstance(relation, _STRICT) else remaining >= 0


def _readable(formula: Boolean) -> Boolean:
    """A formula without negations and implications, weakened by leaving out relations that have no rational sides."""
    kept = {r: _is_rational(r) for r in formula.atoms(Relational)}
    return formula.xreplace({r: sp.true for r, rational in kept.items() if not rational})


def _is_rational(relation: Relational) -> bool:
    choices = {node: sp.Dummy() for node in relation.atoms(sp.Min, sp.Max, sp.Abs)}
    parts = [a for node in choices for a in node.args] + [relation.lhs, relation.rhs]
    return all(e.is_rational_function(*e.free_symbols) for part in parts if (e := part.xreplace(choices)).free_symbols)


def _choices(formula: Boolean) -> list[sp.Expr]:
    """Min, Max and Abs inside a formula, innermost first."""
    return sorted(formula.atoms(sp.Min, sp.Max, sp.Abs), key=lambda node: (sp.count_ops(node), str(node)))


def _alternatives(formula: Boolean, others: Sequence[Boolean]) -> Iterator[list[Boolean]]:
    """The cases of a formula that is not a plain relation, each with the other formulas.

    Raises
    ------
    UndecidedError
        If it is outside what is taken apart here.
    """
    if isinstance(formula, sp.Or):
        yield from ([part, *others] for part in formula.args)
    elif choices := _choices(formula):
        node = choices[0]
        values = (node.args[0], -node.args[0]) if isinstance(node, sp.Abs) else node.args
        for value in values:
            smaller = isinstance(node, sp.Min)
            chosen = [value <= v if smaller else value >= v for v in values if v is not value]
            yield [*chosen, *(f.xreplace({node: value}) for f in (formula, *others))]
    elif isinstance(formula, sp.Ne):
        yield from ([relation, *others] for relation in (formula.lhs < formula.rhs, formula.lhs > formula.rhs))
    else:
        raise UndecidedError(f"{formula} is no combination of polynomial relations")

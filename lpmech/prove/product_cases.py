"""Implications by products of their hypotheses: alternatives are taken apart, and every case gets a certificate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from lpmech.errors import UndecidedError
from lpmech.prove.clearing import cleared
from lpmech.prove.polynomials import Ring
from lpmech.prove.products import INEQUALITIES, STRICT, certificate, difference

__all__ = ["by_products", "follows"]

_MOST_CASES = 100


#: Whether polynomial relations are shown to contradict each other.
Contradicted = Callable[[Sequence[Relational]], bool]


def by_products(relations: Sequence[Relational]) -> bool:
    """Whether there is a certificate of products."""
    return certificate(relations) is not None


def follows(
    hypotheses: Sequence[Boolean],
    conclusion: Boolean,
    integers: Collection[sp.Symbol] = (),
    contradicted: Contradicted = by_products,
) -> bool:
    """Whether certificates prove a conclusion, with alternatives, Min, Max and Abs taken apart; False says nothing.

    All relations have to be defined wherever the hypotheses hold.
    """
    formulas = [_readable(sp.to_nnf(f, simplify=False)) for f in (*hypotheses, sp.Not(conclusion))]
    try:
        return _Cases(frozenset(integers), contradicted).contradictory(formulas)
    except UndecidedError:
        return False


class _Cases:
    """Refutation by cases; how many are looked at is limited."""

    def __init__(self, integers: frozenset[sp.Symbol], contradicted: Contradicted):
        self._integers = integers
        self._contradicted = contradicted
        self._left = _MOST_CASES

    def contradictory(self, formulas: Sequence[Boolean]) -> bool:
        """Whether every case of the formulas has a certificate."""
        self._left -= 1
        if self._left < 0:
            return False
        flat = _conjuncts(_substituted(_conjuncts(formulas)))
        if sp.false in flat:
            return True
        plain = [f for f in flat if isinstance(f, (*INEQUALITIES, sp.Eq)) and not _choices(f)]
        others = sorted((f for f in flat if f not in plain), key=lambda f: isinstance(f, sp.Ne) and not _choices(f))
        relations = _conjuncts([self._strengthened(cleared(f, plain)) for f in plain])
        if sp.false in relations or certificate(relations, 1) is not None:
            return True
        if others:
            return all(
                self.contradictory([*relations, *rest]) for rest in _alternatives(others[0], others[1:], relations)
            )
        relations = _connected(_conjuncts([_without_known_factors(r, relations) for r in relations]))
        return sp.false in relations or self._contradicted(relations)

    def _strengthened(self, relation: Boolean) -> Boolean:
        """n > 0 as n >= 1 for a whole number n."""
        if not isinstance(relation, STRICT) or not relation.free_symbols <= self._integers:
            return relation
        side = sp.expand(difference(relation))
        if not side.is_polynomial(*relation.free_symbols):
            return relation
        whole = all(c.is_Integer for c in sp.Poly(side, *relation.free_symbols).coeffs())
        return sp.Ge(side, 1) if whole else relation


def _conjuncts(formulas: Sequence[Boolean]) -> list[Boolean]:
    """The parts of a conjunction; only `false` if one of them is."""
    flat = [part for f in formulas for part in sp.And.make_args(f) if part != sp.true]
    return [sp.false] if sp.false in flat else list(dict.fromkeys(flat))


def _substituted(formulas: Sequence[Boolean]) -> list[Boolean]:
    """With values in place of symbols that are linear in an equation."""
    for equation in formulas:
        if isinstance(equation, sp.Eq) and not _choices(equation):
            side = sp.expand(difference(equation))
            for symbol in sorted(side.free_symbols, key=str):
                slope = side.diff(symbol)
                if slope.is_Rational:
                    value = sp.expand(symbol - side / slope)
                    try:
                        replaced = [f.xreplace({symbol: value}) for f in formulas if f is not equation]
                    except (TypeError, ValueError):  # a denominator vanishes: sympy compares no infinities
                        continue
                    return _substituted(replaced)
    return list(formulas)


def _connected(relations: Sequence[Boolean]) -> list[Boolean]:
    """Without relations that a symbol which is linear in them and in no other can always satisfy."""
    for relation in relations:
        elsewhere = set[sp.Symbol]().union(*(r.free_symbols for r in relations if r is not relation))
        for symbol in relation.free_symbols - elsewhere:
            if difference(relation).diff(symbol).is_Rational:
                return _connected([r for r in relations if r is not relation])
    return list(relations)


def _without_known_factors(relation: Relational, context: Sequence[Relational]) -> Boolean:
    """What remains of a relation when factors are left out that are positive, negative or not zero in the context."""
    side = difference(relation)
    ring = Ring(sorted(side.free_symbols, key=str))
    remaining, factors = ring.factors(ring.quotient(side)[0])
    if len(factors) == 1 and factors[0][1] == 1:
        return relation
    others = [c for c in context if c is not relation]
    for factor, times in factors:
        if isinstance(relation, STRICT) and times % 2 == 0:
            continue
        if certificate([*others, factor <= 0], 1) is not None:
            continue
        if certificate([*others, factor >= 0], 1) is not None:
            remaining *= (-1) ** times
            continue
        remaining *= factor ** (1 if isinstance(relation, sp.Eq) else times)
    if isinstance(relation, sp.Eq):
        return sp.Eq(remaining, 0)
    return remaining > 0 if isinstance(relation, STRICT) else remaining >= 0


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


def _alternatives(formula: Boolean, others: Sequence[Boolean], known: Sequence[Relational]) -> Iterator[list[Boolean]]:
    """The cases of a formula that is not a plain relation, each with the other formulas.

    Raises
    ------
    UndecidedError
        If it is outside what is taken apart here.
    """
    if isinstance(formula, sp.Or):
        yield from ([part, *others] for part in formula.args)
    elif choices := _choices(formula):
        for value, conditions in _chosen(choices[0], known):
            yield [*conditions, *(f.xreplace({choices[0]: value}) for f in (formula, *others))]
    elif isinstance(formula, sp.Ne):
        yield from ([relation, *others] for relation in (formula.lhs < formula.rhs, formula.lhs > formula.rhs))
    else:
        raise UndecidedError(f"{formula} is no combination of polynomial relations")


def _chosen(node: sp.Expr, known: Sequence[Relational]) -> Iterator[tuple[sp.Expr, list[Boolean]]]:
    """The values of Min, Max or Abs, and when they are taken; only one where it is known to be taken."""
    values = [node.args[0], -node.args[0]] if isinstance(node, sp.Abs) else list(node.args)
    sign = -1 if isinstance(node, sp.Min) else 1
    for value in values:
        better = (cleared(sign * other > sign * value, known) for other in values if other is not value)
        if all(_impossible(b, known) for b in better):
            yield value, []
            return
    for i, value in enumerate(values):
        earlier = [sign * value > sign * other for other in values[:i]]
        yield value, [*earlier, *(sign * value >= sign * other for other in values[i + 1 :])]


def _impossible(relation: Boolean, known: Sequence[Relational]) -> bool:
    return relation == sp.false or (relation != sp.true and certificate([*known, relation], 1) is not None)

"""Implications by products of their hypotheses: alternatives are taken apart, and every case gets a certificate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from lpmech.errors import UndecidedError
from lpmech.prove.clearing import cleared, clearing
from lpmech.prove.language import conjuncts
from lpmech.prove.polynomials import Ring
from lpmech.prove.products import INEQUALITIES, STRICT, ProductProof, certificate, difference

__all__ = ["Bound", "Chosen", "Derived", "Refutation", "Shown", "follows", "readable"]

#: Cases that are looked at; and how often products of a higher degree are tried while alternatives are left.
_MOST_CASES, _MOST_TRIES = 100, 8


#: What shows that polynomial relations contradict each other, or None.
Contradicted = Callable[[Sequence[Relational]], ProductProof | None]


@dataclass(frozen=True, eq=False)
class Shown:
    """A relation that is denied last and contradicts the others.

    Attributes
    ----------
    relations : tuple of relations
    proof : ProductProof
    """

    relations: tuple[Relational, ...]
    proof: ProductProof


@dataclass(frozen=True, eq=False)
class Bound:
    """A factor with its multiplicity; its sign, and what shows it: 0 and None where it is not known."""

    factor: sp.Expr
    times: int
    sign: int
    shown: Shown | None


@dataclass(frozen=True, eq=False)
class Chosen:
    """A Min, Max or Abs, the value that it takes, and what shows that others are not better where that is known."""

    node: sp.Expr
    value: sp.Expr
    shown: tuple[Shown, ...] = ()


@dataclass(frozen=True, eq=False)
class Derived:
    """A fact that follows from another one.

    Attributes
    ----------
    how : str
        "part" of a conjunction; an equation "put in" for the symbol `data`; denominators "cleared", with the signs
        `data`; "whole" numbers; without known "factors", a tuple of `Bound`; a case "chosen", a `Chosen`; that "not all
        zero" are the symbols, a `NotAllZero`.
    sources : tuple of sympy Boolean
        The fact, and for "put in" the equation; for "chosen" the conditions of the case.
    """

    how: str
    sources: tuple[Boolean, ...]
    data: Any = None


Why = Mapping[Boolean, Derived | None]


@dataclass(frozen=True, eq=False)
class Refutation:
    """That formulas contradict each other.

    Attributes
    ----------
    why : mapping of sympy Boolean to Derived or None
        How facts follow from others; None of those that are given.
    shown : Shown or None
        Relations that contradict each other; None: one is false, or every branch ends so.
    split : sympy Boolean or None
        What has alternatives; None for a Min, Max or Abs.
    branches : tuple of (tuple of sympy Boolean, Refutation)
        What each alternative adds.
    """

    why: Why
    shown: Shown | None = None
    split: Boolean | None = None
    branches: tuple[tuple[tuple[Boolean, ...], Refutation], ...] = ()


def follows(
    hypotheses: Sequence[Boolean],
    conclusion: Boolean,
    integers: Collection[sp.Symbol] = (),
    contradicted: Contradicted = certificate,
) -> Refutation | None:
    """Certificates that prove a conclusion, with alternatives, Min, Max and Abs taken apart; None says nothing.

    All relations have to be defined wherever the hypotheses hold.
    """
    formulas = [readable(f) for f in (*hypotheses, sp.Not(conclusion))]
    try:
        return _Cases(frozenset(integers), contradicted).contradictory(formulas, dict.fromkeys(formulas))
    except UndecidedError:
        return None


class _Cases:
    """Refutation by cases; how many are looked at is limited."""

    def __init__(self, integers: frozenset[sp.Symbol], contradicted: Contradicted):
        self._integers = integers
        self._contradicted = contradicted
        self._left, self._tries = _MOST_CASES, _MOST_TRIES

    def contradictory(self, formulas: Sequence[Boolean], given: Why) -> Refutation | None:
        """The certificates of every case of the formulas."""
        self._left -= 1
        if self._left < 0:
            return None
        why = dict(given)
        flat = _conjuncts(_substituted(_conjuncts(formulas, why), why), why)
        if sp.false in flat:
            return Refutation(why)
        plain = [f for f in flat if isinstance(f, (*INEQUALITIES, sp.Eq)) and not _choices(f)]
        open_ones = (f for f in flat if f not in plain and not (isinstance(f, sp.Or) and why.keys() & set(f.args)))
        others = sorted(open_ones, key=self._when)
        relations = _conjuncts([self._strengthened(_without_denominators(f, plain, why), why) for f in plain], why)
        if sp.false in relations:
            return Refutation(why)
        if (proof := certificate(relations, 1)) is not None:
            return Refutation(why, Shown(tuple(relations), proof))
        if others and self._tries and not any(isinstance(f, sp.Ne) for f in others):
            self._tries -= 1
            if (proof := certificate(relations)) is not None:
                return Refutation(why, Shown(tuple(relations), proof))
        if others:
            return self._split(others[0], others[1:], relations, why)
        relations = _connected(_conjuncts([_without_known_factors(r, relations, why) for r in relations], why))
        if sp.false in relations:
            return Refutation(why)
        found = self._contradicted(relations)
        if found is None:
            return None
        if (away := found.away) is not None:
            sources = (away.violated, *away.known.values())
            relations = [*relations, _noted(why, away.relation, "not all zero", sources, away)]
        return Refutation(why, Shown(tuple(relations), found))

    def _when(self, formula: Boolean) -> tuple[int, bool]:
        """When a formula is taken apart: whole numbers that differ first, then what has the fewest alternatives."""
        denied = isinstance(formula, sp.Ne) and not _choices(formula)
        if denied and formula.free_symbols <= self._integers:
            return 0, denied
        return len(formula.args) if isinstance(formula, sp.Or) else 2, denied

    def _split(
        self, formula: Boolean, others: Sequence[Boolean], relations: Sequence[Relational], why: Why
    ) -> Refutation | None:
        branches = []
        for added, rest, more in _alternatives(formula, others, relations):
            found = self.contradictory([*relations, *rest], {**more, **why, **dict.fromkeys(added)})
            if found is None:
                return None
            branches.append((tuple(added), found))
        chosen = _choices(formula) and not isinstance(formula, sp.Or)
        return Refutation(why, None, None if chosen else formula, tuple(branches))

    def _strengthened(self, relation: Boolean, why: dict[Boolean, Derived | None]) -> Boolean:
        """n > 0 as n >= 1 for a whole number n."""
        if not isinstance(relation, STRICT) or not relation.free_symbols <= self._integers:
            return relation
        side = sp.expand(difference(relation))
        if not side.is_polynomial(*relation.free_symbols):
            return relation
        whole = all(c.is_Integer for c in sp.Poly(side, *relation.free_symbols).coeffs())
        return _noted(why, sp.Ge(side, 1), "whole", (relation,)) if whole else relation


def _noted(
    why: dict[Boolean, Derived | None], fact: Boolean, how: str, sources: tuple[Boolean, ...], data: Any = None
) -> Boolean:
    """The fact, with how it follows if that is not known yet."""
    if fact not in why:
        why[fact] = Derived(how, sources, data)
    return fact


def _conjuncts(formulas: Sequence[Boolean], why: dict[Boolean, Derived | None]) -> list[Boolean]:
    """The parts of a conjunction; only `false` if one of them is."""
    flat = [_noted(why, part, "part", (f,)) for f in formulas for part in conjuncts(f) if part != sp.true]
    return [sp.false] if sp.false in flat else list(dict.fromkeys(flat))


def _substituted(formulas: Sequence[Boolean], why: dict[Boolean, Derived | None]) -> list[Boolean]:
    """With values in place of symbols that are linear in an equation."""
    for equation in formulas:
        if isinstance(equation, sp.Eq) and not _choices(equation):
            side = sp.expand(difference(equation))
            for symbol in sorted(side.free_symbols, key=str):
                slope = side.diff(symbol)
                if slope.is_Rational:
                    value = sp.expand(symbol - side / slope)
                    try:
                        pairs = [(f, f.xreplace({symbol: value})) for f in formulas if f is not equation]
                    except (TypeError, ValueError):  # a denominator vanishes: sympy compares no infinities
                        continue
                    return _substituted([_noted(why, new, "put in", (f, equation), symbol) for f, new in pairs], why)
    return list(formulas)


def _without_denominators(relation: Boolean, known: Sequence[Boolean], why: dict[Boolean, Derived | None]) -> Boolean:
    found = clearing(relation, known)
    return _noted(why, found.formula, "cleared", (relation,), found.signs)


def _connected(relations: Sequence[Boolean]) -> list[Boolean]:
    """Without relations that a symbol which is linear in them and in no other can always satisfy."""
    for relation in relations:
        elsewhere = set[sp.Symbol]().union(*(r.free_symbols for r in relations if r is not relation))
        for symbol in relation.free_symbols - elsewhere:
            if difference(relation).diff(symbol).is_Rational:
                return _connected([r for r in relations if r is not relation])
    return list(relations)


def _without_known_factors(
    relation: Relational, context: Sequence[Relational], why: dict[Boolean, Derived | None]
) -> Boolean:
    """What remains of a relation when factors are left out that are positive, negative or not zero in the context."""
    side = difference(relation)
    ring = Ring(sorted(side.free_symbols, key=str))
    remaining, factors = ring.factors(ring.quotient(side)[0])
    if len(factors) == 1 and factors[0][1] == 1:
        return relation
    others = [c for c in context if c is not relation]
    bounds = []
    for factor, times in factors:
        if isinstance(relation, STRICT) and times % 2 == 0:
            bounds.append(Bound(factor, times, 0, None))
            continue
        sign, shown = _sign_of(factor, others)
        bounds.append(Bound(factor, times, sign, shown))
        remaining *= sign**times if sign else factor ** (1 if isinstance(relation, sp.Eq) else times)
    if isinstance(relation, sp.Eq):
        found = sp.Eq(remaining, 0)
    else:
        found = remaining > 0 if isinstance(relation, STRICT) else remaining >= 0
    return _noted(why, found, "factors", (relation,), tuple(bounds))


def _sign_of(factor: sp.Expr, others: Sequence[Relational]) -> tuple[int, Shown | None]:
    """1 or -1 where a factor is shown to be positive or negative, and by what; 0 and None."""
    for sign, denied in ((1, factor <= 0), (-1, factor >= 0)):
        proof = certificate([*others, denied], 1)
        if proof is not None:
            return sign, Shown((*others, denied), proof)
    return 0, None


def readable(formula: Boolean) -> Boolean:
    """A formula without negations and implications, weakened by leaving out relations that have no rational sides."""
    formula = sp.to_nnf(formula, simplify=False)
    kept = {r: _is_rational(r) for r in formula.atoms(Relational)}
    return formula.xreplace({r: sp.true for r, rational in kept.items() if not rational})


def _is_rational(relation: Relational) -> bool:
    choices = {node: sp.Dummy() for node in relation.atoms(sp.Min, sp.Max, sp.Abs)}
    parts = [a for node in choices for a in node.args] + [relation.lhs, relation.rhs]
    return all(e.is_rational_function(*e.free_symbols) for part in parts if (e := part.xreplace(choices)).free_symbols)


def _choices(formula: Boolean) -> list[sp.Expr]:
    """Min, Max and Abs inside a formula, innermost first."""
    return sorted(formula.atoms(sp.Min, sp.Max, sp.Abs), key=lambda node: (sp.count_ops(node), str(node)))


def _alternatives(
    formula: Boolean, others: Sequence[Boolean], known: Sequence[Relational]
) -> Iterator[tuple[list[Boolean], list[Boolean], Why]]:
    """The cases of a formula that is not a plain relation: what each adds, what is known in it besides, and why.

    Raises
    ------
    UndecidedError
        If it is outside what is taken apart here.
    """
    if isinstance(formula, sp.Or):
        yield from (([part], [part, *others], {}) for part in formula.args)
    elif choices := _choices(formula):
        for chosen, conditions in _chosen(choices[0], known):
            why: dict[Boolean, Derived | None] = {}
            for f in (formula, *others):
                _noted(why, f.xreplace({chosen.node: chosen.value}), "chosen", (f, *conditions), chosen)
            yield conditions, [*conditions, *(f.xreplace({chosen.node: chosen.value}) for f in (formula, *others))], why
    elif isinstance(formula, sp.Ne):
        for relation in (formula.lhs < formula.rhs, formula.lhs > formula.rhs):
            yield [relation], [relation, *others], {}
    else:
        raise UndecidedError(f"{formula} is no combination of polynomial relations")


def _chosen(node: sp.Expr, known: Sequence[Relational]) -> Iterator[tuple[Chosen, list[Boolean]]]:
    """The values of Min, Max or Abs, and when they are taken; only one where it is known to be taken."""
    values = [node.args[0], -node.args[0]] if isinstance(node, sp.Abs) else list(node.args)
    sign = -1 if isinstance(node, sp.Min) else 1
    for value in values:
        better = [cleared(sign * other > sign * value, known) for other in values if other is not value]
        shown = [_impossible(b, known) for b in better]
        if None not in shown:
            yield Chosen(node, value, tuple(s for s in shown if isinstance(s, Shown))), []
            return
    for i, value in enumerate(values):
        earlier = [sign * value > sign * other for other in values[:i]]
        yield Chosen(node, value), [*earlier, *(sign * value >= sign * other for other in values[i + 1 :])]


def _impossible(relation: Boolean, known: Sequence[Relational]) -> Shown | bool | None:
    """What shows that a relation is not so, True if that is visible, or None."""
    if relation == sp.false:
        return True
    proof = None if relation == sp.true else certificate([*known, relation], 1)
    return None if proof is None else Shown((*known, relation), proof)

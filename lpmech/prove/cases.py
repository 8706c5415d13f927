"""Case distinctions taken apart: Piecewise, Min, Max, Abs, sign, floor, ceiling and Mod, one node at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.prove.language import Sequent, defined, is_whole, truth
from lpmech.prove.rounded import floor

__all__ = [
    "alternatives_of", "binomial_branches", "branches", "branches_of_truth", "parity_branches", "with_equation_used",
    "zero_branches",
]  # fmt: skip

_SPLIT = (sp.Abs, sp.sign, sp.Max, sp.Min, sp.Piecewise, sp.floor, sp.ceiling, sp.Mod)
_MOST_RESIDUES = 60


def branches(statement: Sequent) -> list[Sequent] | None:
    """Statements without one case distinction of the conclusion that together imply the statement; None if it has none.

    Every branch has the condition of its case among its hypotheses, so that each is implied by the statement as well.
    What stands inside a sum or product is left alone.
    """
    node = next(_innermost(statement.conclusion), None)
    if node is None:
        return None
    if (found := alternatives_of(statement.conclusion)) is not None:
        return [_replaced(statement.under([c]), node, value) for c, value in found[1] if c != sp.false]
    match node:
        case sp.Mod():
            dividend, divisor = node.args
            return [_replaced(statement, node, dividend - divisor * floor(dividend / divisor))]
        case sp.ceiling():
            return [_replaced(statement, node, -floor(-node.args[0], evaluate=False))]
    return _floor(statement, node)


def branches_of_truth(statement: Sequent) -> list[Sequent] | None:
    """The same of a conclusion that is the `truth` of another, whose parts need not be defined: no case may apply then.

    In the last branch none does, and no relation that speaks of the case distinction is true.
    """
    split = branches(statement)
    if split is None:
        return None
    node = next(_innermost(statement.conclusion))
    found = alternatives_of(statement.conclusion)
    covered = sp.Or(*(truth(condition) for condition, _ in found[1])) if found else defined(node)
    if covered == sp.true:
        return split
    return [*split, statement.under([sp.Not(covered)]).with_conclusion(_without(statement.conclusion, node))]


def _without(formula: Boolean, node: sp.Basic) -> Boolean:
    """A formula that implies the given one, whatever a part of it is."""
    if isinstance(formula, (sp.And, sp.Or)):
        return formula.func(*(_without(part, node) for part in formula.args))
    return sp.false if formula.has(node) else formula


def alternatives_of(conclusion: Boolean) -> tuple[sp.Basic, list[tuple[Boolean, sp.Expr]]] | None:
    """The innermost case distinction of a conclusion, with conditions and values; None if it rounds or is missing."""
    node = next(_innermost(conclusion), None)
    match node:
        case None | sp.Mod() | sp.ceiling() | sp.floor():
            return None
        case sp.Abs():
            (x,) = node.args
            cases = [(x >= 0, x), (x < 0, -x)]
        case sp.sign():
            (x,) = node.args
            cases = [(x > 0, sp.S.One), (sp.Eq(x, 0), sp.S.Zero), (x < 0, -sp.S.One)]
        case sp.Max() | sp.Min():
            larger = isinstance(node, sp.Max)
            cases = [
                (sp.And(*(a >= b if larger else a <= b for b in node.args if b != a)), a) for a in node.args
            ]  # fmt: skip
        case _:
            cases, before = [], sp.true
            for value, condition in node.args:
                cases.append((sp.And(before, condition), value))
                before = sp.And(before, sp.Not(condition))
    return node, cases


def binomial_branches(statement: Sequent) -> list[Sequent] | None:
    """Cases below, inside and above the range 0 <= k <= n of a binomial of the conclusion; None if all are decided.

    The edges k = -1 and k = n + 1, where it is zero for n >= 0, are cases of their own: an equation can be used. For
    n < 0 <= k it is left as it is.
    """
    for node in sorted(_outside_sums(statement.conclusion, sp.binomial), key=str):
        n, k = node.args
        inside, below = (k >= 0, k <= n), (n < 0, k >= 0)
        if k.is_Integer or any(all(c == sp.true or c in statement.hypotheses for c in cs) for cs in (inside, below)):
            continue
        outside = [[k < -1], _equation(k, -1), [k > n + 1], _equation(k, n + 1)]
        return [
            *(_replaced(statement.under([*conditions, n >= 0]), node, sp.S.Zero) for conditions in outside),
            *(statement.under([c for c in cs if c not in statement.hypotheses]) for cs in (inside, below)),
        ]
    return None


def _equation(left: sp.Expr, right: sp.Expr) -> list[Boolean]:
    """left = right, solved for a symbol that occurs with coefficient one."""
    difference = sp.expand(left - right)
    for symbol in sorted(difference.free_symbols, key=str):
        if difference.is_polynomial(symbol) and sp.Poly(difference, symbol).degree() == 1:
            slope, rest = sp.Poly(difference, symbol).all_coeffs()
            if slope in (1, -1):
                return [sp.Eq(symbol, sp.expand(-rest / slope))]
    return [sp.Eq(left, right)]


def parity_branches(statement: Sequent) -> list[Sequent] | None:
    """Cases of even and odd, for a whole number in an exponent of -1."""
    for node in sorted(_outside_sums(statement.conclusion, sp.Pow), key=str):
        if node.base == -1 and is_whole(node.exp, statement.integers):
            half = sp.expand(node.exp / 2)
            odd = {
                s
                for term in sp.Add.make_args(half)
                if not is_whole(term, statement.integers)
                for s in term.free_symbols
            }
            if odd:
                return _by_residue(statement, min(odd, key=str), 2)
    return None


def zero_branches(statement: Sequent, knows: Callable[[Boolean], bool]) -> list[Sequent] | None:
    """Cases of zero and of more than zero, for a base that is not negative under an exponent with symbols: 0^0 = 1."""
    powers = sorted((n for n in _outside_sums(statement.conclusion, sp.Pow) if n.exp.free_symbols), key=str)
    for base in dict.fromkeys(node.base for node in powers):
        if base.free_symbols and (base > 0) not in statement.hypotheses and knows(base >= 0) and not knows(base > 0):
            own = [node for node in powers if node.base == base]
            at_zero = {n: sp.Piecewise((sp.S.One, sp.Eq(n.exp, 0)), (sp.S.Zero, True)) for n in own}
            zero = statement.under(_equation(base, sp.S.Zero))
            return [zero.with_conclusion(zero.conclusion.xreplace(at_zero)), statement.under([base > 0])]
    return None


def _outside_sums(node: sp.Basic, kind: type) -> set[sp.Basic]:
    if isinstance(node, (sp.Sum, sp.Product)):
        return set()
    found = set[sp.Basic]().union(*(_outside_sums(part, kind) for part in node.args))
    return found | {node} if isinstance(node, kind) else found


def _innermost(node: sp.Basic) -> Iterator[sp.Basic]:
    if isinstance(node, (sp.Sum, sp.Product)):
        return
    for part in node.args:
        yield from _innermost(part)
    if isinstance(node, _SPLIT):
        yield node


def _replaced(statement: Sequent, node: sp.Basic, value: sp.Expr) -> Sequent:
    return statement.with_conclusion(statement.conclusion.xreplace({node: value}))


def _floor(statement: Sequent, node: sp.floor) -> list[Sequent]:
    (argument,) = node.args
    whole, rest = _whole_part(argument, statement.integers)
    if rest.is_Rational:
        return [_replaced(statement, node, whole + floor(rest))]
    symbol, modulus = _residues(rest, statement.integers)
    if symbol is not None:
        return _by_residue(statement, symbol, modulus)
    fresh = sp.Dummy("floor")
    return [_replaced(statement.under([fresh <= argument, argument < fresh + 1], [fresh]), node, fresh)]


def _by_residue(statement: Sequent, symbol: sp.Symbol, modulus: int) -> list[Sequent]:
    fresh = sp.Dummy(symbol.name)
    return [
        Sequent(
            tuple(h.subs(symbol, modulus * fresh + r) for h in statement.hypotheses),
            statement.conclusion.subs(symbol, modulus * fresh + r),
            (statement.integers - {symbol}) | {fresh},
        )
        for r in range(modulus)
    ]


def _whole_part(argument: sp.Expr, integers: Collection[sp.Symbol]) -> tuple[sp.Expr, sp.Expr]:
    """The visibly whole terms of a sum, and the rest."""
    terms = sp.Add.make_args(sp.expand(argument))
    whole = [term for term in terms if is_whole(term, integers)]
    return sp.Add(*whole), sp.Add(*(term for term in terms if term not in whole))


def _residues(rest: sp.Expr, integers: Collection[sp.Symbol]) -> tuple[sp.Symbol | None, int]:
    """An integer symbol on whose residue the floor depends, and the modulus."""
    symbols = sorted(rest.free_symbols, key=str)
    if not symbols or not set(symbols) <= set(integers) or not rest.is_polynomial():
        return None, 0
    coefficients = sp.Poly(rest, *symbols).coeffs()
    if not all(c.is_Rational for c in coefficients):
        return None, 0
    modulus = int(sp.ilcm(1, *(c.q for c in coefficients)))
    return (symbols[0], modulus) if modulus <= _MOST_RESIDUES else (None, 0)


def with_equation_used(statement: Sequent) -> tuple[Sequent, sp.Symbol, Boolean] | None:
    """With a value in place of a symbol that a hypothesis gives as an equation, and both; None if there is none."""
    for h in statement.hypotheses:
        if not isinstance(h, sp.Eq):
            continue
        for symbol, value in ((h.lhs, h.rhs), (h.rhs, h.lhs)):
            if not isinstance(symbol, sp.Symbol) or value.has(symbol) or not statement.conclusion.has(symbol):
                continue
            if symbol in statement.integers and not is_whole(value, statement.integers):
                continue
            rest = tuple(o for o in statement.hypotheses if o != h)
            simpler = Sequent((*rest, defined(h)), statement.conclusion, statement.integers).at({symbol: value})
            return simpler, symbol, h
    return None

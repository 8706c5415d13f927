"""The language of statements: what a formula may contain, over which numbers, and where it is defined.

A statement is a list of hypotheses and a conclusion in sympy. Its symbols belong to the engine: whatever sympy was told
of a user's symbol (``positive=True``, ``integer=True``, ...) becomes a visible hypothesis, because sympy silently
evaluates relations that follow from it. Symbols are real unless declared integer. Numbers are exact.

A formula is true at a point if it is defined there and true. Conjunction and disjunction are read as by Kleene: one
false part makes a conjunction false, one true part a disjunction true, whatever the others are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

from lpmech.errors import FormulaError

__all__ = [
    "Obligation",
    "Statement",
    "conditions",
    "defined",
    "falsity",
    "is_whole",
    "obligations",
    "settled",
    "stated",
    "truth",
]

_FUNCTIONS = (
    sp.Abs, sp.sign, sp.Max, sp.Min, sp.floor, sp.ceiling, sp.Mod, sp.exp, sp.log, sp.sin, sp.cos, sp.tan,
    sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.factorial, sp.binomial,
)  # fmt: skip
_CONSTANTS = (sp.pi, sp.E, sp.GoldenRatio)
_SIGNS = (
    ("positive", lambda s: s > 0), ("negative", lambda s: s < 0), ("nonnegative", lambda s: s >= 0),
    ("nonpositive", lambda s: s <= 0), ("nonzero", lambda s: sp.Ne(s, 0)),
)  # fmt: skip
_READ = {"integer", "even", "odd", "real", "complex", "finite", "commutative", "zero"} | {name for name, _ in _SIGNS}
_ALLOWED = (
    "exact numbers, symbols, + - * / and powers, sqrt, Abs, sign, Min, Max, floor, ceiling, Mod, Piecewise, Sum, Product, "
    "binomial, factorial, exp, log, sin, cos, tan, sinh, cosh, tanh, relations and Boolean operators"
)


@dataclass(frozen=True)
class Obligation:
    """Something that must hold for a formula to be defined.

    Attributes
    ----------
    under : tuple of sympy Boolean
        Conditions under which it is needed (the range of an index, the branch of a case distinction).
    condition : sympy Boolean
        What is needed.
    indices : frozenset of Symbol
        Bound integer symbols that occur in it.
    """

    under: tuple[Boolean, ...]
    condition: Boolean
    indices: frozenset[sp.Symbol] = frozenset()


@dataclass(frozen=True)
class Statement:
    """Hypotheses and a conclusion over bare symbols.

    Attributes
    ----------
    hypotheses : tuple of sympy Boolean
        Those given and those that assumptions on symbols make.
    conclusion : sympy Boolean
        What should follow.
    integers : frozenset of Symbol
        The symbols that range over the integers; the others range over the reals.
    """

    hypotheses: tuple[Boolean, ...]
    conclusion: Boolean
    integers: frozenset[sp.Symbol]

    @cached_property
    def symbols(self) -> tuple[sp.Symbol, ...]:
        """Free symbols of hypotheses and conclusion, by name."""
        free = set[sp.Symbol]().union(*(h.free_symbols for h in self.hypotheses), self.conclusion.free_symbols)
        return tuple(sorted(free, key=str))

    def with_conclusion(self, conclusion: Boolean) -> Statement:
        """The same hypotheses, another conclusion."""
        return Statement(self.hypotheses, conclusion, self.integers)

    def under(self, hypotheses: Iterable[Boolean], integers: Iterable[sp.Symbol] = ()) -> Statement:
        """With further hypotheses and integer symbols."""
        return Statement((*self.hypotheses, *hypotheses), self.conclusion, self.integers | set(integers))

    def at(self, values: dict[sp.Symbol, Any]) -> Statement:
        """With values in place of some symbols."""
        replaced = (sp.sympify(h).subs(values) for h in self.hypotheses)
        kept = tuple(h for h in replaced if h != sp.true)
        return Statement(kept, sp.sympify(self.conclusion).subs(values), self.integers - set(values))


def stated(conclusion: Any, hypotheses: Sequence[Any] = ()) -> Statement:
    """A statement over bare symbols, with everything that sympy was told of the given symbols as hypotheses.

    ``sympy.Contains(n, sympy.Integers)`` among the hypotheses declares an integer as well as ``integer=True`` does.

    Raises
    ------
    FormulaError
        If something is outside the language, or two different symbols have one name.
    """
    given = [_as_boolean(h) for h in hypotheses]
    target = _as_boolean(conclusion)
    integers: set[sp.Symbol] = set()
    bare: dict[sp.Symbol, sp.Symbol] = {}
    assumed: list[Boolean] = []
    names: dict[str, sp.Symbol] = {}
    for part in (*given, target):
        for symbol in sorted(part.atoms(sp.Symbol) - _bound(part), key=str):
            if names.setdefault(symbol.name, symbol) != symbol:
                raise FormulaError("symbol", symbol, "one symbol of each name")
            if symbol not in bare:
                bare[symbol] = sp.Symbol(symbol.name)
                assumed += _assumptions(symbol, bare[symbol], integers)
    parts = [_indices_renamed(part.xreplace(bare), set(names)) for part in (*given, _with_domain(target, bare))]
    kept = []
    for part in parts[:-1]:
        if isinstance(part, sp.Contains) and part.args[1] == sp.S.Integers and isinstance(part.args[0], sp.Symbol):
            integers.add(part.args[0])
        elif part != sp.true:
            kept.append(part)
    for part in (*kept, parts[-1]):
        _check(part)
    return Statement((*assumed, *kept), parts[-1], frozenset(integers))


def _with_domain(target: Boolean, bare: dict[sp.Symbol, sp.Symbol]) -> Boolean:
    """The conclusion, and what it needs to be defined where sympy loses that when symbols are replaced."""
    kept = set(obligations(target.xreplace(bare)))
    lost = [o for o in obligations(target) if not o.indices]
    lost = [Obligation(tuple(u.xreplace(bare) for u in o.under), o.condition.xreplace(bare)) for o in lost]
    needed = [sp.Or(*map(sp.Not, o.under), o.condition) for o in lost if o not in kept]
    return sp.And(target, *needed) if needed else target


def _as_boolean(value: Any) -> Boolean:
    given = sp.sympify(value)
    if not isinstance(given, (Boolean, BooleanAtom)) or isinstance(given, sp.Symbol):
        raise FormulaError("statement", value, "a relation or a Boolean combination of relations")
    return given


def _bound(part: sp.Basic) -> set[sp.Symbol]:
    return {limit[0] for node in part.atoms(sp.Sum, sp.Product) for limit in node.limits} - part.free_symbols


def _assumptions(symbol: sp.Symbol, bare: sp.Symbol, integers: set[sp.Symbol]) -> list[Boolean]:
    told = {name for name, value in symbol.assumptions0.items() if value}
    unread = {name for name, value in symbol._assumptions_orig.items() if value is False or name not in _READ}
    if unread:
        raise FormulaError("symbol", f"{symbol} with {', '.join(sorted(unread))}", f"assumptions {sorted(_READ)}")
    if "integer" in told:
        integers.add(bare)
    found = [relation(bare) for name, relation in _SIGNS if name in told][:1]
    if "zero" in told:
        found = [sp.Eq(bare, 0)]
    if "even" in told or "odd" in told:
        found.append(sp.Eq(sp.Mod(bare, 2), int("odd" in told)))
    return found


def _indices_renamed(part: Boolean, taken: set[str]) -> Boolean:
    """Bound symbols bare, integer by nature, and different from every free symbol."""
    replacement = {}
    for node in sorted(part.atoms(sp.Sum, sp.Product), key=lambda n: len(str(n))):
        for limit in node.limits:
            if len(limit) != 3:
                raise FormulaError("formula", node, "sums and products with a lower and an upper limit")
            index, name = limit[0], limit[0].name
            while name in taken:
                name += "_"
            replacement[index] = sp.Symbol(name)
    return part.xreplace(replacement) if replacement else part


def _check(node: Any) -> None:
    if isinstance(node, (sp.Float, sp.core.numbers.NumberSymbol)) and node not in _CONSTANTS:
        raise FormulaError("number", node, "exact numbers: write Rational(1, 3), not 0.333")
    known = isinstance(
        node, (sp.Rational, sp.Symbol, sp.Add, sp.Mul, sp.Pow, sp.Piecewise, sp.Sum, sp.Product, sp.Tuple, *_FUNCTIONS)
    )  # fmt: skip
    logical = isinstance(node, (Relational, sp.And, sp.Or, sp.Not, sp.Implies, sp.Equivalent, BooleanAtom))
    pair = isinstance(node, sp.functions.elementary.piecewise.ExprCondPair)
    if not (known or logical or pair or node in _CONSTANTS):
        raise FormulaError("formula", node, _ALLOWED)
    for part in node.args:
        _check(part)


# ---- where formulas are defined


def obligations(
    node: Any, under: tuple[Boolean, ...] = (), indices: frozenset[sp.Symbol] = frozenset()
) -> Iterator[Obligation]:
    """Everything that must hold for an expression or relation to be defined."""
    if isinstance(node, (sp.Sum, sp.Product)):
        inside, within = under, indices
        for index, lower, upper in reversed(node.limits):
            yield from obligations(lower, inside, within)
            yield from obligations(upper, inside, within)
            inside, within = (*inside, lower <= index, index <= upper), within | {index}
        yield from obligations(node.function, inside, within)
        return
    if isinstance(node, sp.Piecewise):
        before: tuple[Boolean, ...] = ()
        for value, condition in node.args:
            yield from obligations(condition, (*under, *before), indices)
            yield from obligations(value, (*under, *before, condition), indices)
            before = (*before, sp.Not(condition))
        covered = sp.Or(*(condition for _, condition in node.args))
        if covered != sp.true:
            yield Obligation(under, covered, indices)
        return
    for part in node.args:
        yield from obligations(part, under, indices)
    yield from (Obligation(under, condition, indices) for condition in conditions(node) if condition != sp.true)


def conditions(node: Any) -> list[Boolean]:
    """What the outermost operation of an expression demands of its arguments."""
    match node:
        case sp.binomial():  # as a polynomial in n for k >= 0, and zero for k < 0 <= n
            in_domain = sp.Or(*(argument >= 0 for argument in node.args))
            return [in_domain, *(c for argument in node.args for c in _whole(argument))]
        case sp.Pow():
            return _power_conditions(node.base, node.exp)
        case sp.exp():
            return []
        case sp.log():
            return [node.args[0] > 0]
        case sp.Mod():
            return [sp.Ne(node.args[1], 0)]
        case sp.tan():
            return [sp.Ne(sp.cos(node.args[0]), 0)]
        case sp.coth():
            return [sp.Ne(node.args[0], 0)]
        case sp.factorial():
            return [node.args[0] >= 0, *_whole(node.args[0])]
    return []


def _power_conditions(base: sp.Expr, exponent: sp.Expr) -> list[Boolean]:
    if exponent.is_Integer:
        return [sp.Ne(base, 0)] if exponent < 0 else []
    if exponent.is_Rational:
        return [base > 0] if exponent < 0 else [base >= 0]
    if base == sp.E or (base.is_Rational and base > 0):
        return []
    at_zero = sp.And(sp.Eq(base, 0), exponent >= 0)  # 0^0 = 1, as in sympy
    return [sp.Or(base > 0, at_zero, sp.And(sp.Ne(base, 0), *_whole(exponent)))]


def _whole(argument: sp.Expr) -> list[Boolean]:
    """That an argument is a whole number."""
    return [] if argument.is_Integer else [sp.Eq(argument, sp.floor(argument, evaluate=False), evaluate=False)]


def is_whole(argument: sp.Expr, integers: Collection[sp.Symbol]) -> bool:
    """Whether an expression is visibly a whole number: a polynomial over the integers in integer symbols."""
    if not argument.free_symbols:
        return bool(argument.is_Integer)
    if not argument.free_symbols <= set(integers) or not argument.is_polynomial():
        return False
    return all(c.is_Integer for c in sp.Poly(argument, *argument.free_symbols).coeffs())


def settled(formula: Boolean, integers: Collection[sp.Symbol]) -> Boolean:
    """The formula with the floors and ceilings of visibly whole numbers taken away."""
    whole = {node: node.args[0] for node in formula.atoms(sp.floor, sp.ceiling) if is_whole(node.args[0], integers)}
    return formula.xreplace(whole) if whole else formula


def defined(node: Any) -> Boolean:
    """When an expression or relation without bound symbols is defined; what its sums need is left to `obligations`."""
    needed = [sp.Or(*map(sp.Not, o.under), o.condition) for o in obligations(node) if not o.indices]
    return sp.And(*needed)


def truth(formula: Boolean) -> Boolean:
    """When a formula is defined and true."""
    match formula:
        case sp.And():
            return sp.And(*map(truth, formula.args))
        case sp.Or():
            return sp.Or(*map(truth, formula.args))
        case sp.Not():
            return falsity(formula.args[0])
        case sp.Implies():
            return sp.Or(falsity(formula.args[0]), truth(formula.args[1]))
        case sp.Equivalent():
            first, second = formula.args
            return sp.Or(sp.And(truth(first), truth(second)), sp.And(falsity(first), falsity(second)))
    return sp.And(defined(formula), formula)


def falsity(formula: Boolean) -> Boolean:
    """When a formula is defined and false."""
    match formula:
        case sp.And():
            return sp.Or(*map(falsity, formula.args))
        case sp.Or():
            return sp.And(*map(falsity, formula.args))
        case sp.Not():
            return truth(formula.args[0])
        case sp.Implies():
            return sp.And(truth(formula.args[0]), falsity(formula.args[1]))
        case sp.Equivalent():
            first, second = formula.args
            return sp.Or(sp.And(truth(first), falsity(second)), sp.And(falsity(first), truth(second)))
    return sp.And(defined(formula), sp.Not(formula))

"""The language of statements: what a formula may contain, over which numbers, and where it is defined.

A statement is a list of hypotheses and a conclusion: terms (`lpmech.terms`), of which sympy sees nothing evaluated, or
expressions of sympy. Its symbols belong to the engine: whatever sympy was told
of a user's symbol (``positive=True``, ``integer=True``, ...) becomes a visible hypothesis, because sympy silently
evaluates relations that follow from it. Symbols are real unless declared integer. Numbers are exact.

A formula is true at a point if it is defined there and true. Conjunction and disjunction are read as by Kleene: one
false part makes a conjunction false, one true part a disjunction true, whatever the others are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

from lpmech.errors import FormulaError, LpmechError, SolverError, UndecidedError
from lpmech.prove.evaluate import holds_at
from lpmech.prove.from_sympy import ALLOWED, as_terms
from lpmech.prove.substitution import put_in
from lpmech.prove.texts import NOWHERE_DEFINED, in_sympy, is_whole_number
from lpmech.prove.vectors import Each, VectorEntry
from lpmech.terms import Node

__all__ = [
    "Obligation", "Sequent", "conditions", "conjuncts", "defined", "falsity",
    "is_whole", "obligations", "settled", "stated", "truth",
]  # fmt: skip

_FUNCTIONS = (
    sp.Abs, sp.sign, sp.Max, sp.Min, sp.floor, sp.ceiling, sp.Mod, sp.exp, sp.log, sp.sin, sp.cos, sp.tan,
    sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.factorial, sp.binomial,
)  # fmt: skip
_CONSTANTS = (sp.pi, sp.E, sp.GoldenRatio)
#: What sympy makes of a division by zero: part of the language, and defined nowhere.
_NOWHERE = (sp.zoo, sp.nan)


_LARGEST_EXPONENT = 100_000
#: Formulas of which it is kept where they are defined: a search asks of the same ones again and again.
_REMEMBERED = 4096


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
class Sequent:
    """Hypotheses and a conclusion over bare symbols.

    Attributes
    ----------
    hypotheses : tuple of sympy Boolean
        Those given and those that assumptions on symbols make.
    conclusion : sympy Boolean
        What should follow.
    integers : frozenset of Symbol
        The symbols that range over the integers; the others range over the reals.
    bodies : tuple of Obligation
        What the terms of the conclusion's sums and products need, for every index, to be defined.
    partial : bool
        Whether the conclusion has a part that is not defined everywhere, though it became a truth value.
    """

    hypotheses: tuple[Boolean, ...]
    conclusion: Boolean
    integers: frozenset[sp.Symbol]
    bodies: tuple[Obligation, ...] = ()
    partial: bool = False

    @cached_property
    def symbols(self) -> tuple[sp.Symbol, ...]:
        """Free symbols of hypotheses and conclusion, by name."""
        free = set[sp.Symbol]().union(*(h.free_symbols for h in self.hypotheses), self.conclusion.free_symbols)
        return tuple(sorted(free, key=str))

    def with_conclusion(self, conclusion: Boolean) -> Sequent:
        """The same hypotheses, another conclusion."""
        return Sequent(self.hypotheses, conclusion, self.integers)

    def connected(self) -> Sequent:
        """Without hypotheses that share no symbol with the conclusion, not even by way of others: none can matter."""
        bodies = (part for o in self.bodies for part in (o.condition, *o.under))
        reached = self.conclusion.free_symbols.union(*(part.free_symbols for part in bodies))
        while more := {s for h in self.hypotheses if h.free_symbols & reached for s in h.free_symbols} - reached:
            reached |= more
        return replace(self, hypotheses=tuple(h for h in self.hypotheses if h.free_symbols & reached))

    def under(self, hypotheses: Iterable[Boolean], integers: Iterable[sp.Symbol] = ()) -> Sequent:
        """With further hypotheses and integer symbols."""
        return Sequent((*self.hypotheses, *hypotheses), self.conclusion, self.integers | set(integers))

    def at(self, values: dict[sp.Symbol, Any]) -> Sequent:
        """With values in place of some symbols, and sums between numbers written out.

        Raises
        ------
        UndecidedError
            If sympy cannot put them in (1/x > 0 at x = 0), or would write out too large a number.
        """
        if any(v.is_Integer and abs(v) > _LARGEST_EXPONENT for v in values.values()) and any(
            part.has(sp.binomial, sp.factorial, sp.Pow) for part in (*self.hypotheses, self.conclusion)
        ):
            raise UndecidedError(f"{values}: a number too large for powers, factorials and binomials")
        try:
            replaced = (put_in(h, values) for h in self.hypotheses)
            kept = tuple(h for h in replaced if h != sp.true)
            return Sequent(kept, put_in(self.conclusion, values), self.integers - set(values))
        except (TypeError, ValueError, AttributeError) as exc:  # the last from within sympy
            raise UndecidedError(f"{values} cannot be put in: {exc}") from exc


def stated(conclusion: Any, hypotheses: Sequence[Any] = ()) -> Sequent:
    """A statement over bare symbols, with everything that sympy was told of the given symbols as hypotheses.

    ``sympy.Contains(n, sympy.Integers)`` among the hypotheses declares an integer as well as ``integer=True`` does.

    Raises
    ------
    FormulaError
        If something is outside the language, or two different symbols have one name.
    UndecidedError
        If a part of it is no real number (sqrt(-1) < 1, Mod(K, 0)) and the formula is not false because of that.
    """
    given = tuple(hypotheses)
    try:
        if all(isinstance(part, (sp.Basic, Node)) for part in (conclusion, *given)):
            return _remembered(conclusion, given)
        return _stated(conclusion, given)
    except LpmechError:
        raise
    except NOWHERE_DEFINED as exc:
        raise UndecidedError(f"{conclusion}: a part is no real number ({exc})") from exc


@lru_cache(maxsize=1 << 6)  # who looks for a counterexample, and then for a proof, states the same twice
def _remembered(conclusion: Any, hypotheses: tuple[Any, ...]) -> Sequent:
    return _stated(conclusion, hypotheses)


def _stated(conclusion: Any, hypotheses: Sequence[Any]) -> Sequent:
    (goal, *hypotheses), told = as_terms((conclusion, *hypotheses))
    parts = conjuncts(*map(_as_boolean, (*told, *hypotheses)))
    target = _as_boolean(goal)
    for part in (*parts, target):
        _check(part)
    integers = {part.args[0] for part in parts if isinstance(part, sp.Contains)}
    given = [_as_relations(part) for part in parts if not isinstance(part, sp.Contains)]
    target = _as_relations(target)
    indices: dict[tuple[sp.Symbol, int], sp.Symbol] = {}
    kept = []
    for part in given:
        read = _as_given(part, indices)
        if _indexed(read) < _indexed(part):
            raise FormulaError("hypothesis", part, "sums and products that do not cancel")
        if read != sp.true:
            kept.append(read)
    read = _as_given(target, indices)
    try:
        bodies = tuple(_of_bodies(target, indices))
    except NOWHERE_DEFINED:
        if read != sp.false:
            raise
        bodies = ()
    return Sequent(tuple(kept), read, frozenset(integers), bodies, read == sp.false and _is_partial(target))


def _as_relations(formula: Boolean) -> Boolean:
    """A formula with a relation wherever it says that a symbol is a whole number; among hypotheses that declares it."""
    whole = {part: is_whole_number(part.args[0]) for part in formula.atoms(sp.Contains)}
    return formula.xreplace(whole) if whole else formula


def _is_partial(formula: Boolean) -> bool:
    try:
        return any(o.condition != sp.true for o in obligations(formula))
    except NOWHERE_DEFINED:
        return True


def _indexed(formula: Boolean) -> int:
    """How many different things the terms of its sums and products need."""
    return len({o.condition for o in obligations(formula) if o.indices and o.condition != sp.true})


def _of_bodies(formula: Boolean, names: dict[tuple[sp.Symbol, int], sp.Symbol]) -> Iterator[Obligation]:
    for o in obligations(formula):
        if o.indices:
            inside = {i: names.setdefault((i, -1), sp.Dummy(i.name)) for i in o.indices}
            under = tuple(_renamed(u, inside, names) for u in o.under)
            yield Obligation(under, _renamed(o.condition, inside, names), frozenset(inside[i] for i in o.indices))


def _as_given(formula: Boolean, names: dict[tuple[sp.Symbol, int], sp.Symbol]) -> Boolean:
    """The formula over bare symbols.

    Sympy evaluates what it rebuilds, and x/x becomes 1: where a condition for the formula to be defined gets lost in
    that, it is written out.
    """
    try:
        plain = _renamed(formula, {}, names)
        if plain.has(sp.I):
            return _of_undefined(formula, names)
        present = {(o.under, o.condition) for o in obligations(plain)}
        for o in obligations(formula):
            under = tuple(_renamed(u, {}, names) for u in o.under)
            condition = _renamed(o.condition, {}, names)
            if not (o.indices or condition == sp.true or {(under, condition), ((), condition)} & present):
                return _renamed(truth(formula), {}, names)
    except NOWHERE_DEFINED:
        return _of_undefined(formula, names)
    return _confirmed(formula, plain)


def _confirmed(formula: Boolean, plain: Boolean) -> Boolean:
    """What sympy makes of a formula about numbers alone is believed if the engine's own evaluator says the same."""
    if isinstance(formula, BooleanAtom) or not isinstance(plain, BooleanAtom) or formula.free_symbols:
        return plain
    if bool(holds_at(formula, {})) is not bool(plain):
        raise SolverError(f"two evaluators disagree about {formula}")
    return plain


def _of_undefined(formula: Boolean, names: dict[tuple[sp.Symbol, int], sp.Symbol]) -> Boolean:
    """The formula where sympy cannot evaluate a part of it: false, if all that holds it is nowhere defined."""
    found = _renamed(truth(formula), {}, names)
    if found.has(sp.I):
        raise UndecidedError(f"{formula}: a part is no real number")
    return found


def _renamed(
    node: Any, own: dict[sp.Symbol, sp.Symbol], names: dict[tuple[sp.Symbol, int], sp.Symbol], depth: int = 0
) -> Any:
    """Bare symbols; every index becomes a symbol of its own inside its sum or product only, by how deep that stands."""
    if isinstance(node, (sp.Sum, sp.Product, Each)):
        limits, inside = [], own
        for index, lower, upper in reversed(node.limits):
            ends = (_renamed(lower, inside, names, depth), _renamed(upper, inside, names, depth))
            fresh = names.setdefault((index, depth), sp.Dummy(index.name))
            inside, depth = {**inside, index: fresh}, depth + 1
            limits.append((fresh, *ends))
        return node.func(_renamed(node.function, inside, names, depth), *reversed(limits))
    if isinstance(node, sp.Symbol):
        return own.get(node, node)
    return node.func(*(_renamed(part, own, names, depth) for part in node.args)) if node.args else node


def _as_boolean(value: Any) -> Boolean:
    given = in_sympy(value)
    if not isinstance(given, (Boolean, BooleanAtom)) or isinstance(given, sp.Symbol):
        raise FormulaError("statement", value, "a relation or a Boolean combination of relations")
    return given


def _check(node: Any) -> None:
    if isinstance(node, sp.Contains) and node.args[1] == sp.S.Integers and isinstance(node.args[0], sp.Symbol):
        return
    if isinstance(node, (sp.Sum, sp.Product, Each)) and any(len(limit) != 3 for limit in node.limits):
        raise FormulaError("formula", node, "sums and products with a lower and an upper limit")
    if node not in _CONSTANTS and isinstance(node, (sp.Float, sp.core.numbers.NumberSymbol)):
        raise FormulaError("number", node, "exact numbers: write Rational(1, 3), not 0.333")
    if isinstance(node, sp.Pow) and node.exp.is_Rational and abs(node.exp) > _LARGEST_EXPONENT:
        raise FormulaError("power", node, f"numeric exponents up to {_LARGEST_EXPONENT}")
    if isinstance(node, sp.Equivalent) and len(node.args) != 2:
        raise FormulaError("formula", node, "equivalences of two statements")
    known = isinstance(
        node, (sp.Rational, sp.Symbol, sp.Add, sp.Mul, sp.Pow, sp.Piecewise, sp.Sum, sp.Product, sp.Tuple, VectorEntry,
               *_FUNCTIONS)
    )  # fmt: skip
    logical = isinstance(node, (Relational, sp.And, sp.Or, sp.Not, sp.Implies, sp.Equivalent, BooleanAtom, Each))
    pair = isinstance(node, sp.functions.elementary.piecewise.ExprCondPair)
    if not (known or logical or pair or node in _CONSTANTS or node in _NOWHERE):
        raise FormulaError("formula", node, ALLOWED)
    for part in (*node.lengths, *node.indices) if isinstance(node, VectorEntry) else node.args:
        _check(part)


# ---- where formulas are defined


def obligations(
    node: Any, under: tuple[Boolean, ...] = (), indices: frozenset[sp.Symbol] = frozenset()
) -> Iterator[Obligation]:
    """Everything that must hold for an expression or relation to be defined."""
    if isinstance(node, (sp.Sum, sp.Product, Each)):
        yield from _of_repeated(node, under, indices)
        return
    if isinstance(node, sp.Piecewise):
        before: tuple[Boolean, ...] = ()
        for value, condition in node.args:
            yield from _of_condition(condition, (*under, *before), indices)
            yield from obligations(value, (*under, *before, condition), indices)
            before = (*before, sp.Not(condition))
        covered = sp.Or(*(condition for _, condition in node.args))
        if covered != sp.true:
            yield Obligation(under, covered, indices)
        return
    for part in node.args:
        yield from obligations(part, under, indices)
    yield from (Obligation(under, condition, indices) for condition in conditions(node) if condition != sp.true)


def _of_condition(
    condition: Boolean, under: tuple[Boolean, ...], indices: frozenset[sp.Symbol]
) -> Iterator[Obligation]:
    """That the condition of a case is defined: of an alternative one true part is enough."""
    needed = _decided(condition)
    if needed != sp.true:
        yield Obligation(under, needed, indices)
    yield from (o for o in obligations(condition, under, indices) if o.indices - indices)


def _decided(formula: Boolean) -> Boolean:
    """When a formula has a truth value, by Kleene: a conjunction has one where all parts have one, or one is false."""
    match formula:
        case sp.And():
            return sp.Or(sp.And(*map(_decided, formula.args)), *map(falsity, formula.args))
        case sp.Or():
            return sp.Or(sp.And(*map(_decided, formula.args)), *map(truth, formula.args))
        case sp.Not():
            return _decided(formula.args[0])
        case sp.Implies():
            first, second = formula.args
            both = sp.And(_decided(first), _decided(second))
            return sp.Or(both, falsity(first), truth(second))
        case sp.Equivalent():
            return sp.And(*map(_decided, formula.args))
    return defined(formula)


def _of_repeated(node: Any, under: tuple[Boolean, ...], indices: frozenset[sp.Symbol]) -> Iterator[Obligation]:
    """The obligations of a sum or product: collected from its parts as written, which `xreplace` would evaluate."""
    inside, bound = under, indices
    own: dict[sp.Symbol, sp.Symbol] = {}  # other names for indices that stand for something else outside

    def renamed(part: Any) -> Iterator[Obligation]:
        for o in obligations(part, (), bound | own.keys()):
            free = frozenset(own.get(index, index) for index in o.indices)
            yield Obligation((*inside, *(u.xreplace(own) for u in o.under)), o.condition.xreplace(own), bound | free)

    for index, lower, upper in reversed(node.limits):
        for end in (lower, upper):
            yield from renamed(end)
            yield from (Obligation(inside, c.xreplace(own), bound) for c in _whole(end))
        name = sp.Dummy(index.name) if index in bound else index
        ends = lower.xreplace(own), upper.xreplace(own)
        inside, bound = (*inside, ends[0] <= name, name <= ends[1]), bound | {name}
        own[index] = name
    yield from renamed(node.function)


def conditions(node: Any) -> list[Boolean]:
    """What the outermost operation of an expression demands of its arguments."""
    if node in _NOWHERE:
        return [sp.false]
    match node:
        case VectorEntry():
            within = zip(node.indices, node.lengths, strict=True)
            return [c for i, length in within for c in (i >= 1, i <= length, *_whole(i))]
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
    return [] if argument.is_Integer else [is_whole_number(argument)]


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


@lru_cache(maxsize=_REMEMBERED)
def defined(node: Any) -> Boolean:
    """When an expression or relation without bound symbols is defined; what its sums need is left to `obligations`."""
    needed: Boolean = sp.true
    for o in obligations(node):
        if not o.indices:
            needed = sp.And(needed, sp.Or(*map(sp.Not, o.under), o.condition))
        if needed == sp.false:  # the rest asks of what is no real number
            break
    return needed


def conjuncts(*formulas: Boolean) -> tuple[Boolean, ...]:
    """The conditions that some are made of, in an order of their own: sympy's `make_args` has none."""
    return tuple(part for f in formulas for part in (f.args if isinstance(f, sp.And) else (f,)))


@lru_cache(maxsize=_REMEMBERED)
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

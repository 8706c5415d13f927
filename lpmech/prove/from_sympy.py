"""Terms made of sympy's expressions, in the order in which sympy prints them: one printer for both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lpmech.errors import FormulaError
from lpmech.prove.vectors import Each, VectorEntry
from lpmech.terms import FALSE, ONE, TRUE, ZERO, Apply, Choice, Name, Node, Number, Repeated, Term, term
from lpmech.terms.functions import E, pi

__all__ = ["ALLOWED", "as_terms", "term_of"]

_CONSTANTS = {
    sp.E: E, sp.pi: pi, sp.true: TRUE, sp.false: FALSE,
    sp.GoldenRatio: Apply("/", (Apply("+", (ONE, Apply("sqrt", (Number(Fraction(5)),)))), Number(Fraction(2)))),
    sp.oo: Apply("oo", ()), -sp.oo: Apply("-", (ZERO, Apply("oo", ()))),
    sp.zoo: Apply("/", (ONE, ZERO)), sp.nan: Apply("/", (ZERO, ZERO)),
}  # fmt: skip
#: The language of statements: see `lpmech.prove.language`.
ALLOWED = (
    "exact numbers, symbols, + - * / and powers, sqrt, Abs, sign, Min, Max, floor, ceiling, Mod, Piecewise, Sum, "
    "Product, binomial, factorial, exp, log, sin, cos, tan, sinh, cosh, tanh, relations and Boolean operators"
)
_JOINED = {sp.And: "and", sp.Or: "or", sp.Equivalent: "iff"}


def term_of(node: Any) -> Node:
    """The term that a formula of sympy's is; a term as it is.

    Raises
    ------
    FormulaError
        If it has a part that is none of the language.
    """
    if isinstance(node, (Node, int, Fraction)):
        return term(node)
    return _term_of(node)


@lru_cache(maxsize=1 << 14)  # the same hypotheses and parts are written again and again
def _term_of(node: Any) -> Node:
    if node in _CONSTANTS:
        return _CONSTANTS[node]
    match node:
        case sp.Symbol():
            return Name(node.name)
        case sp.Rational():
            return Number(Fraction(int(node.p), int(node.q)))
        case sp.Add():
            first, *others = node.as_ordered_terms()
            return reduce(_added, others, term_of(first))
        case sp.Mul():
            return _product(node)
        case sp.Pow():
            return _power(term_of(node.base), node.exp)
        case Relational():
            return Apply(node.rel_op, (term_of(node.lhs), term_of(node.rhs)))
        case sp.And() | sp.Or() | sp.Equivalent():
            return Apply(_JOINED[type(node)], tuple(map(term_of, sp.ordered(node.args))))
        case sp.Not() | sp.Implies():
            return Apply(type(node).__name__.lower(), tuple(map(term_of, node.args)))
        case sp.Contains():
            return Apply("whole", (term_of(node.args[0]),))
        case sp.Piecewise():
            return Choice(tuple((term_of(value), term_of(condition)) for value, condition in node.args))
        case sp.Sum() | sp.Product() | Each():
            body = term_of(node.function)
            for index, first, last in node.limits:
                body = Repeated(type(node).__name__, body, index.name, term_of(first), term_of(last))
            return body
        case VectorEntry():
            vector = Apply("vector", (Name(node.args[0].name), *map(term_of, node.lengths)))
            return Apply("[]", (vector, *map(term_of, node.indices)))
        case sp.Max() | sp.Min():
            return Apply(type(node).__name__, tuple(map(term_of, sorted(node.args, key=sp.default_sort_key))))
        case sp.Function():
            return Apply(type(node).__name__, tuple(map(term_of, node.args)))
        case sp.Float():
            raise FormulaError("number", node, "exact numbers: write Rational(1, 3), not 0.333")
    raise FormulaError("formula", node, ALLOWED)


#: What sympy may be told of a symbol, as a hypothesis.
_SIGNS = (
    ("zero", "=="), ("positive", ">"), ("negative", "<"), ("nonnegative", ">="), ("nonpositive", "<="),
    ("nonzero", "!="),
)  # fmt: skip
_READ = {"integer", "even", "odd", "real", "complex", "finite", "commutative", *(name for name, _ in _SIGNS)}


def as_terms(formulas: Sequence[Any]) -> tuple[list[Node], list[Node]]:
    """Formulas as terms, and what sympy was told of their symbols (``positive=True``) as hypotheses.

    Raises
    ------
    FormulaError
        As `term_of`; or if two different symbols have one name, or sympy was told what is no such hypothesis.
    """
    symbols = set[sp.Symbol]().union(*(f.free_symbols for f in formulas if isinstance(f, sp.Basic)))
    names: dict[str, sp.Symbol] = {}
    for symbol in sorted(symbols, key=str):
        if names.setdefault(symbol.name, symbol) != symbol:
            raise FormulaError("symbol", symbol, "one symbol of each name")
    told = [hypothesis for symbol in names.values() for hypothesis in _told(symbol)]
    return [term_of(f if isinstance(f, Term) else sp.sympify(f)) for f in formulas], told


def _told(symbol: sp.Symbol) -> Iterator[Node]:
    told = {name for name, value in symbol.assumptions0.items() if value}
    unread = {name for name, value in symbol._assumptions_orig.items() if value is False or name not in _READ}
    if unread:
        raise FormulaError("symbol", f"{symbol} with {', '.join(sorted(unread))}", f"assumptions {sorted(_READ)}")
    name = Name(symbol.name)
    if "integer" in told:
        yield Apply("whole", (name,))
    yield from [Apply(relation, (name, ZERO)) for word, relation in _SIGNS if word in told][:1]
    if "even" in told or "odd" in told:
        yield Apply("==", (Apply("Mod", (name, Number(Fraction(2)))), Number(Fraction(int("odd" in told)))))


def _added(sofar: Node, part: sp.Expr) -> Node:
    if part.as_coeff_Mul()[0] < 0:
        return Apply("-", (sofar, term_of(-part)))
    return Apply("+", (sofar, term_of(part)))


def _product(node: sp.Mul) -> Node:
    """A quotient, with the sign before it."""
    coefficient, rest = node.as_coeff_Mul()
    number = Fraction(int(coefficient.p), int(coefficient.q))
    numbers = abs(number.numerator), number.denominator
    parts: list[list[Node]] = [[Number(Fraction(n))] if n != 1 else [] for n in numbers]
    for factor in rest.as_ordered_factors() if isinstance(rest, sp.Mul) else [rest]:
        under = isinstance(factor, sp.Pow) and bool(factor.exp.is_Rational) and bool(factor.exp < 0)
        parts[under].append(_power(term_of(factor.base), -factor.exp) if under else term_of(factor))
    upper, lower = map(_multiplied, parts)
    found = upper if lower == ONE else Apply("/", (upper, lower))
    return Apply("-", (ZERO, found)) if number < 0 else found


def _multiplied(factors: list[Node]) -> Node:
    return reduce(lambda a, b: Apply("*", (a, b)), factors) if factors else ONE


def _power(base: Node, exponent: sp.Expr) -> Node:
    if exponent.is_Rational and exponent < 0:
        return Apply("/", (ONE, _power(base, -exponent)))
    if exponent == sp.Rational(1, 2):
        return Apply("sqrt", (base,))
    return base if exponent == 1 else Apply("**", (base, term_of(exponent)))

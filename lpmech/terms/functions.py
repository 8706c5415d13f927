"""Functions, relations and connectives of terms, under the names that they have in the field."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from lpmech.errors import FormulaError
from lpmech.terms.term import FALSE, PI, TRUE, Apply, Choice, Name, Node, Repeated, made, term

__all__ = [
    "FALSE", "OPPOSITE", "TRUE", "Abs", "And", "E", "Each", "Eq", "Equivalent", "Ge", "Gt", "Le", "Lt", "Implies",
    "Max", "Min", "Mod", "Ne", "Not", "Or", "Piecewise", "Product", "Rational", "Sum", "Whole", "binomial", "ceiling",
    "cos", "cosh", "erfc", "exp", "factorial", "floor", "log", "pi", "sign", "sin", "sinh", "sqrt", "symbol", "symbols",
    "tan", "tanh", "term",
]  # fmt: skip

#: The relation that holds where one does not, of two numbers.
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def symbol(name: str) -> Name:
    """The parameter of a name."""
    return Name(name)


def symbols(names: str) -> Any:
    """A tuple of parameters: ``s, t, K = symbols("s t K")``. That one is a whole number is said by ``Whole(K)``."""
    return tuple(map(Name, re.split(r"[\s,]+", names.strip())))


def Rational(above: Any, below: int = 1) -> Node:
    """A fraction, or a decimal as text, as a term; powers of it stay as they are written."""
    return term(Fraction(above) / below)


def Eq(left: Any, right: Any) -> Node:
    """That two sides are equal."""
    return Apply("==", (term(left), term(right)))


def Ne(left: Any, right: Any) -> Node:
    """That two sides differ."""
    return Apply("!=", (term(left), term(right)))


def Lt(left: Any, right: Any) -> Node:
    """left < right, also of two numbers."""
    return Apply("<", (term(left), term(right)))


def Le(left: Any, right: Any) -> Node:
    """left <= right, also of two numbers."""
    return Apply("<=", (term(left), term(right)))


def Gt(left: Any, right: Any) -> Node:
    """left > right, also of two numbers."""
    return Apply(">", (term(left), term(right)))


def Ge(left: Any, right: Any) -> Node:
    """left >= right, also of two numbers."""
    return Apply(">=", (term(left), term(right)))


def And(*conditions: Any) -> Node:
    """That all conditions hold."""
    return _joined("and", conditions) if conditions else TRUE


def Or(*conditions: Any) -> Node:
    """That one condition holds at least."""
    return _joined("or", conditions) if conditions else FALSE


def Not(condition: Any) -> Node:
    """That a condition is defined and does not hold."""
    return Apply("not", (_condition(condition),))


def Implies(condition: Any, then: Any) -> Node:
    """That something holds under a condition."""
    return Apply("implies", (_condition(condition), _condition(then)))


def Equivalent(condition: Any, other: Any) -> Node:
    """That two conditions hold in the same cases."""
    return Apply("iff", (_condition(condition), _condition(other)))


def Whole(*parameters: Any) -> Node:
    """That parameters are whole numbers: a hypothesis, as a parameter has no assumptions."""
    return And(*(Apply("whole", (term(parameter),)) for parameter in parameters))


def _joined(operation: str, conditions: tuple[Any, ...]) -> Node:
    parts = tuple(map(_condition, conditions))
    return parts[0] if len(parts) == 1 else Apply(operation, parts)


def _condition(condition: Any) -> Node:
    if isinstance(condition, bool):  # of x == y, which compares how x and y are written
        raise FormulaError("condition", condition, "a relation of terms: Eq(x, y), not x == y; of numbers term(x) >= 0")
    return term(condition)


def sqrt(x: Any) -> Node:
    """The square root; of x < 0 it is not defined."""
    return made("sqrt", x)


def exp(x: Any) -> Node:
    """e to the power x."""
    return made("exp", x)


def log(x: Any, base: Any = None) -> Node:
    """The logarithm, the natural one without a base; of x <= 0 it is not defined."""
    return made("log", x) if base is None else made("log", x) / made("log", base)


def Abs(x: Any) -> Node:
    """The absolute value."""
    return made("Abs", x)


def sign(x: Any) -> Node:
    """-1, 0 or 1."""
    return made("sign", x)


def sin(x: Any) -> Node:
    """The sine."""
    return made("sin", x)


def cos(x: Any) -> Node:
    """The cosine."""
    return made("cos", x)


def tan(x: Any) -> Node:
    """The tangent."""
    return made("tan", x)


def sinh(x: Any) -> Node:
    """The hyperbolic sine."""
    return made("sinh", x)


def cosh(x: Any) -> Node:
    """The hyperbolic cosine."""
    return made("cosh", x)


def tanh(x: Any) -> Node:
    """The hyperbolic tangent."""
    return made("tanh", x)


def erfc(x: Any) -> Node:
    """The complementary error function, for steps that sympy takes: the engine does not know it."""
    return made("erfc", x)


def floor(x: Any) -> Node:
    """The largest whole number below or at x."""
    return made("floor", x)


def ceiling(x: Any) -> Node:
    """The smallest whole number above or at x."""
    return made("ceiling", x)


def factorial(n: Any) -> Node:
    """n!, of whole numbers n >= 0."""
    return made("factorial", n)


def Min(*values: Any) -> Node:
    """The smallest of some numbers."""
    return made("Min", *values)


def Max(*values: Any) -> Node:
    """The largest of some numbers."""
    return made("Max", *values)


def Mod(x: Any, y: Any) -> Node:
    """x - y floor(x/y)."""
    return made("Mod", x, y)


def binomial(n: Any, k: Any) -> Node:
    """n (n - 1) ... (n - k + 1) / k!, of whole numbers."""
    return made("binomial", n, k)


def Piecewise(*cases: tuple[Any, Any]) -> Node:
    """The value of the first pair (value, condition) whose condition holds; ``True`` may be the last condition."""
    *before, (value, last) = cases
    conditions = [_condition(condition) for _, condition in before] + [TRUE if last is True else _condition(last)]
    return Choice(tuple(zip(map(term, (*(v for v, _ in before), value)), conditions, strict=True)))


def Sum(body: Any, *limits: tuple[Any, Any, Any]) -> Node:
    """The sum over whole numbers from first to last, zero over an empty range: ``Sum(body, (i, first, last))``."""
    return _repeated("Sum", term(body), limits)


def Product(body: Any, *limits: tuple[Any, Any, Any]) -> Node:
    """The product over whole numbers from first to last, one over an empty range."""
    return _repeated("Product", term(body), limits)


def Each(condition: Any, *limits: tuple[Any, Any, Any]) -> Node:
    """That a condition holds for all whole numbers from first to last."""
    return _repeated("Each", _condition(condition), limits)


def _repeated(operation: str, body: Node, limits: tuple[tuple[Any, Any, Any], ...]) -> Node:
    for index, first, last in limits:
        if not isinstance(index, Name):
            raise FormulaError("index", index, "a parameter")
        if index.name in _indices(body):  # Each(f(i) > 0, (i, 1, K)) with a sum over i in f
            raise FormulaError("index", index, f"one that is none of a sum within {body}")
        body = Repeated(operation, body, index.name, term(first), term(last))
    return body


def _indices(node: Node) -> set[str]:
    """The indices of the sums within a term."""
    match node:
        case Repeated(_, body, index, first, last):
            return {index}.union(*map(_indices, (body, first, last)))
        case Apply(_, parts):
            return set[str]().union(*map(_indices, parts))
        case Choice(cases):
            return set[str]().union(*(_indices(part) for case in cases for part in case))
    return set()


#: Euler's number and the circle's.
E, pi = exp(1), PI

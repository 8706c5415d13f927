"""Formulas as trees: built by operators, never evaluated while they are built, compared by how they are written.

``x == y`` asks whether two terms are written alike; the equation is ``Eq(x, y)``. ``x == 2`` and ``x in (2, 3)``, which
would always be false, raise a TypeError. ``x < y`` is a relation, of which it makes no sense to ask whether it is true:
an ``if`` raises one as well. Two plain numbers are added, subtracted, multiplied and divided; 0 + x, x - 0, 1*x, x*1,
x/1, x**1 are x, and x**0 is 1 of a parameter x. Nothing else is simplified, so that every pole, root and branch of what
was written is still there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, NoReturn, cast

from lpmech.errors import FormulaError
from lpmech.terms.asked import ask

__all__ = [
    "FALSE", "ONE", "PI", "TRUE", "ZERO", "Apply", "Choice", "Name", "Node", "Number", "Repeated", "Term", "folded",
    "made", "names_in", "parts_of", "shown_as", "substituted", "term",
]  # fmt: skip


class Term:
    """What operators make of terms and exact numbers: terms again.

    Raises
    ------
    TypeError
        Where a truth value is asked for (``if a < b``, ``a < b < c``, ``a and b``, ``if a == 2``).
    FormulaError
        Where a float is an operand: floats are not exact.
    """

    #: LaTeX that is printed in the place of the formula: a name for it. It is no part of what is asked or compared.
    shown = ""

    if TYPE_CHECKING:  # made below

        def __add__(self, other: Any) -> Any: ...
        def __radd__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __rsub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __rmul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __rtruediv__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...
        def __rpow__(self, other: Any) -> Any: ...
        def __mod__(self, other: Any) -> Any: ...
        def __rmod__(self, other: Any) -> Any: ...
        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...

    def __floordiv__(self, other: Any) -> Any:
        quotient = self / other
        return quotient if quotient is NotImplemented else made("floor", quotient)

    def __rfloordiv__(self, other: Any) -> Any:
        quotient = other / self
        return quotient if quotient is NotImplemented else made("floor", quotient)

    def __neg__(self) -> Any:
        return made("-", ZERO, self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return made("Abs", self)

    def at(self, values: Mapping[Any, Any]) -> Any:
        """With terms or numbers in place of parameters; nothing is taken together."""
        given = {parameter.name: term(value) for parameter, value in values.items()}
        return substituted(term(self), given)

    def __bool__(self) -> NoReturn:
        ask("whether it is true")
        raise TypeError(
            f"{self} is neither true nor false yet: use Piecewise for cases, And, Or and Not for conditions"
        )

    def __str__(self) -> str:
        ask("its text")
        return _printed(self)[0]

    def __format__(self, form: str) -> str:
        ask("its text")
        return format(_printed(self)[0], form)

    __repr__ = __str__

    def _no_number(self) -> NoReturn:
        ask("a number")
        raise TypeError(f"{_printed(self)[0]} is no number yet")

    __int__ = __index__ = __float__ = __round__ = _no_number


@dataclass(frozen=True, repr=False)
class Number(Term):
    """An exact number."""

    value: Fraction


@dataclass(frozen=True, repr=False)
class Name(Term):
    """A parameter; it has no assumptions, its domain is a hypothesis."""

    name: str


@dataclass(frozen=True, repr=False)
class Apply(Term):
    """An operation, a function, a relation, or "and", "or", "not", "implies", "iff", "whole", "true", "false"."""

    operation: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, repr=False)
class Choice(Term):
    """A case distinction: the value of the first pair (value, condition) whose condition holds."""

    cases: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True, repr=False)
class Repeated(Term):
    """A sum or a product over whole numbers, or that a condition holds for each of them."""

    operation: str
    body: Node
    index: str
    first: Node
    last: Node


Node = Number | Name | Apply | Choice | Repeated

ZERO, ONE = Number(Fraction(0)), Number(Fraction(1))
TRUE, FALSE, PI = Apply("true", ()), Apply("false", ()), Apply("pi", ())


def term(value: Any) -> Node:
    """A term, or an exact number as one.

    Raises
    ------
    FormulaError
        If it is neither: a float is not exact.
    """
    if isinstance(value, Term):
        return cast(Node, value)
    if isinstance(value, Rational) and not isinstance(value, bool):
        return Number(Fraction(int(value.numerator), int(value.denominator)))
    raise FormulaError("term", value, "a term or an exact number: Fraction(1, 3), not 0.333")


def made(operation: str, *arguments: Any) -> Node:
    """An operation on terms and exact numbers, as `term` takes them."""
    return folded(operation, tuple(map(term, arguments)))


def folded(operation: str, arguments: tuple[Node, ...]) -> Node:
    """An operation; sums of numbers and the like are worked out, and nothing that might not be defined is lost."""
    values = [a.value for a in arguments if isinstance(a, Number)]
    if len(values) == 2:
        a, b = values
        if operation in _EXACT:
            return Number(_EXACT[operation](a, b))
        if operation == "/" and b != 0:
            return Number(a / b)
        if operation == "**" and b.denominator == 1 and abs(b) <= 400 and (a != 0 or b >= 0):
            return Number(a ** int(b))
    if len(arguments) == 2:
        left, right = arguments
        if (operation == "+" and left == ZERO) or (operation == "*" and left == ONE):
            return right
        if operation == "**" and right == ZERO and isinstance(left, Name):
            return ONE
        if (operation in "+-" and right == ZERO) or (operation in ("*", "/", "**") and right == ONE):
            return left
    return Apply(operation, arguments)


_EXACT: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
}  # fmt: skip


def _operator(operation: str, reflected: bool) -> Callable[[Term, Any], Any]:
    def apply(self: Term, other: Any) -> Any:
        if not isinstance(other, (Term, Rational, float)):
            return NotImplemented
        return made(operation, *((other, self) if reflected else (self, other)))

    return apply


def _told_apart(written_alike: Callable[[Any, object], Any]) -> Callable[[Any, object], Any]:
    def compared(self: Term, other: object) -> Any:
        if isinstance(other, (Rational, float)):
            ask(f"whether it is {other}")
            raise TypeError(f"{self} == {other} is neither true nor false yet: use Eq or Ne, and Piecewise for cases")
        alike = written_alike(self, other)
        if alike is not True:
            ask("whether it is written as something else")
        return alike

    return compared


def _hashed(by_parts: Callable[[Any], int]) -> Callable[[Any], int]:
    def hashed(self: Term) -> int:
        ask("its hash")
        return by_parts(self)

    return hashed


for _kind in (Number, Name, Apply, Choice, Repeated):
    _kind.__eq__ = _told_apart(_kind.__eq__)  # type: ignore[method-assign]
    _kind.__hash__ = _hashed(_kind.__hash__)  # type: ignore[method-assign, assignment]

for _operation, _name in {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "**": "pow", "Mod": "mod",
}.items():  # fmt: skip
    setattr(Term, f"__{_name}__", _operator(_operation, False))
    setattr(Term, f"__r{_name}__", _operator(_operation, True))
for _operation, _name in {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}.items():
    setattr(Term, f"__{_name}__", _operator(_operation, False))


def shown_as(node: Node, latex: str) -> Node:
    """The same formula, which is printed by a name that texts define."""
    named = copy(node)
    object.__setattr__(named, "shown", latex)
    return named


def names_in(node: Term) -> set[str]:
    """The free names of a formula."""
    match node:
        case Name(name):
            return {name}
        case Apply(_, arguments):
            return set[str]().union(*map(names_in, arguments))
        case Choice(cases):
            return set[str]().union(*(names_in(part) for case in cases for part in case))
        case Repeated(_, body, index, first, last):
            return (names_in(body) - {index}) | names_in(first) | names_in(last)
    return set()


def parts_of(node: Node) -> Iterator[Node]:
    """A formula and everything that it is made of."""
    yield node
    match node:
        case Apply(_, arguments):
            inner: tuple[Node, ...] = arguments
        case Choice(cases):
            inner = tuple(part for case in cases for part in case)
        case Repeated(_, body, _, first, last):
            inner = (body, first, last)
        case _:
            inner = ()
    for part in inner:
        yield from parts_of(part)


def substituted(node: Node, values: Mapping[str, Node]) -> Node:
    """A formula with formulas in place of names."""
    match node:
        case Name(name):
            return values.get(name, node)
        case Apply(operation, arguments):
            return Apply(operation, tuple(substituted(part, values) for part in arguments))
        case Choice(cases):
            return Choice(tuple((substituted(v, values), substituted(c, values)) for v, c in cases))
        case Repeated(operation, body, index, first, last):
            free = names_in(body) - {index}
            inner = {name: value for name, value in values.items() if name in free}
            taken = set[str]().union(*map(names_in, inner.values()))
            if index in taken:  # another letter for the index, which is none of theirs
                fresh = index
                while fresh in taken | free:
                    fresh += "_"
                body, index = substituted(body, {index: Name(fresh)}), fresh
            ends = substituted(first, values), substituted(last, values)
            return Repeated(operation, substituted(body, inner), index, *ends)
    return node


# ---- as text, which `lpmech.terms.reader` reads again

_BINDING = {"or": 0, "and": 1, "not": 2, "+": 4, "-": 4, "*": 5, "/": 5, "**": 7}
_CALLED = {"implies": "Implies", "iff": "Equivalent"}
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
_RELATION, _ATOM = 3, 9


def _printed(node: Term) -> tuple[str, int]:
    """The text, and how strongly its outermost operation binds."""
    match node:
        case Number(value):
            return _number(value)
        case Name(name):
            return name, _ATOM
        case Choice(cases):
            return f"Piecewise({', '.join(f'({v}, {c})' for v, c in cases)})", _ATOM
        case Repeated(operation, body, index, first, last):
            return f"{operation}({body}, ({index}, {first}, {last}))", _ATOM
        case Apply("true" | "false" | "pi" as name, ()):
            return name if name == "pi" else name.capitalize(), _ATOM
        case Apply("and", ()) | Apply("or", ()):
            return str(node == Apply("and", ())), _ATOM
        case Apply("not", (part,)):
            return f"not {_within(part, _BINDING['not'] + 1)}", _BINDING["not"]
        case Apply("whole", (part,)):
            return f"{_within(part, 4)} in Integers", _RELATION
        case Apply("sqrt", (part,)):
            return f"sqrt({part})", _BINDING["**"]  # people may write it as a root without a bracket
        case Apply("vector", (name, *_)):
            return str(name), _ATOM
        case Apply("[]", (vector, *places)):
            return f"{vector}[{', '.join(map(str, places))}]", _ATOM
        case Apply("-", (Number(value), part)) if value == 0:
            return f"-{_within(part, 6)}", 6
        case Apply(operation, (left, right)) if operation in _RELATIONS:
            return f"{_within(left, 4)} {operation} {_within(right, 4)}", _RELATION
        case Apply("and" | "or" as operation, parts):
            binds = _BINDING[operation]
            return f" {operation} ".join(_within(part, binds + 1) for part in parts), binds
        case Apply(operation, (left, right)) if operation in _BINDING:
            binds = _BINDING[operation]
            before, after = (binds + 1, binds) if operation == "**" else (binds, binds + 1)
            space = " " if operation in ("+", "-") else ""
            return f"{_within(left, before)}{space}{operation}{space}{_within(right, after)}", binds
        case Apply(operation, parts):
            return f"{_CALLED.get(operation, operation)}({', '.join(map(str, parts))})", _ATOM
    raise FormulaError("term", type(node).__name__, "a term")


def _within(node: Node, binds: int) -> str:
    text, own = _printed(node)
    return text if own >= binds else f"({text})"


def _number(value: Fraction) -> tuple[str, int]:
    if value.denominator == 1:
        return str(value), _ATOM if value >= 0 else 6
    return str(value), _BINDING["/"] if value > 0 else 4

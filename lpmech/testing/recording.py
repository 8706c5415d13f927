"""A user's function run on numbers that write down what is done to them: its formula, for all parameters at once.

Arithmetic, floor, abs, roots, exponentials and logarithms become parts of a formula; a comparison is answered yes in
one run and no in another, and every run is a path with the conditions under which it is taken. Whatever else is asked
of such a number (its type as a float, a range of so many) ends the run: the function is then not followed.
Floats that a program mentions are read as the decimals that they print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn

import numpy as np

from lpmech.prove.grammar import Apply, Choice, Name, Node, Number, Repeated
from lpmech.prove.traced import _asked_by_an_operator
from lpmech.testing.numbers import exactly_as_written

__all__ = ["NotRecordedError", "Path", "Recorded", "recorded_paths", "substituted"]

_MOST_PATHS, _MOST_DECISIONS = 32, 24
_ONE, _ZERO = Number(Fraction(1)), Number(Fraction(0))


class NotRecordedError(TypeError):
    """A program asks something of a parameter that is no arithmetic and no comparison."""


@dataclass
class Path:
    """One run of a program.

    Attributes
    ----------
    decisions : list of (Node, bool)
        Conditions that were asked for, and the answers.
    defined : list of Node
        What must hold for the run to be as recorded: divisors are not zero.
    floats : bool
        Whether floats were met.
    result : object
        What the program returned.
    raised : Exception or None
        What it raised instead.
    """

    decisions: list[tuple[Node, bool]] = field(default_factory=list)
    defined: list[Node] = field(default_factory=list)
    floats: bool = False
    result: Any = None
    raised: Exception | None = None
    _planned: tuple[bool, ...] = ()
    _lost: NotRecordedError | None = None

    @property
    def conditions(self) -> list[Node]:
        """Under which conditions it is taken."""
        return [node if answer else Apply("not", (node,)) for node, answer in self.decisions]

    def decide(self, condition: Node) -> bool:
        """The answer to a comparison: the planned one, else yes."""
        for known, answer in self.decisions:
            if known == condition:
                return answer
        position = len(self.decisions)
        if position >= _MOST_DECISIONS:
            self.lose(f"more than {_MOST_DECISIONS} comparisons")
        answer = self._planned[position] if position < len(self._planned) else True
        self.decisions.append((condition, answer))
        return answer

    def lose(self, what: str) -> NoReturn:
        """End the run, also where the program catches what is raised."""
        self._lost = self._lost or NotRecordedError(what)
        raise self._lost


def recorded_paths(program: Callable[[dict[str, Any]], Any], names: Mapping[str, Node]) -> list[Path]:
    """All runs of a program on parameters that are symbols.

    Parameters
    ----------
    program : callable
        Takes the parameters by name.
    names : mapping
        What each parameter is: its own name, or a number.

    Raises
    ------
    NotRecordedError
        If it cannot be followed.
    """
    found: list[Path] = []
    planned: list[tuple[bool, ...]] = [()]
    while planned:
        path = Path(_planned=planned.pop())
        _run(program, path, names)
        found.append(path)
        if len(found) > _MOST_PATHS:
            raise NotRecordedError(f"more than {_MOST_PATHS} cases")
        answers = [answer for _, answer in path.decisions]
        planned += [(*answers[:i], False) for i in range(len(path._planned), len(answers)) if answers[i]]
    return found


def _run(program: Callable[[dict[str, Any]], Any], path: Path, names: Mapping[str, Node]) -> None:
    try:
        with _functions_of_math():
            path.result = program({name: Recorded(node, path) for name, node in names.items()})
    except Exception as exc:  # the program is the user's own
        path.raised = exc
        if isinstance(exc, (TypeError, AttributeError, RecursionError)) and path._lost is None:
            path._lost = NotRecordedError(f"{type(exc).__name__}: {exc}")
    if path._lost is not None:
        raise path._lost


class Recorded:
    """A formula in the parameters, and the run that it belongs to."""

    __slots__ = ("node", "path")

    def __init__(self, node: Node, path: Path) -> None:
        self.node = node
        self.path = path

    @property  # type: ignore[misc]
    def __class__(self) -> type[Recorded]:
        if not _asked_by_an_operator():
            self.path.lose("the type of a parameter")
        return Recorded

    def _other(self, other: Any) -> Node | None:
        if type(other) is Recorded:
            return other.node
        if isinstance(other, (bool, str)):
            return None
        exact = exactly_as_written(other)
        if exact is not None and isinstance(other, (float, np.floating)):
            self.path.floats = True
        return None if exact is None else Number(exact)

    def _made(self, operation: str, *arguments: Node) -> Recorded:
        if operation in ("/", "Mod"):
            self.path.defined.append(Apply("!=", (arguments[1], _ZERO)))
        return Recorded(_folded(operation, arguments), self.path)

    def _made_with(self, operation: str, number: int) -> Recorded:
        return self._made(operation, self.node, Number(Fraction(number)))

    def _ask(self, relation: str, other: Any) -> Any:
        node = self._other(other)
        if node is None:
            return NotImplemented
        if isinstance(self.node, Number) and isinstance(node, Number):
            return getattr(self.node.value, _PYTHON[relation])(node.value)
        return self.path.decide(Apply(relation, (self.node, node)))

    def __pow__(self, exponent: Any) -> Any:
        node = self._other(exponent)
        return NotImplemented if node is None else self._made("**", self.node, node)

    def __rpow__(self, base: Any) -> Any:
        node = self._other(base)
        return NotImplemented if node is None else self._made("**", node, self.node)

    def __floordiv__(self, other: Any) -> Any:
        quotient = self / other
        return quotient if quotient is NotImplemented else quotient.floor()

    def __rfloordiv__(self, other: Any) -> Any:
        quotient = other / self
        return quotient if quotient is NotImplemented else quotient.floor()

    def __neg__(self) -> Recorded:
        return self._made("-", _ZERO, self.node)

    def __pos__(self) -> Recorded:
        return self

    def __abs__(self) -> Recorded:
        return self._made("Abs", self.node)

    def __bool__(self) -> bool:
        return bool(self._ask("!=", 0))

    def floor(self) -> Recorded:
        """The largest whole number below; numpy and math ask for it so."""
        return self._made("floor", self.node)

    def ceil(self) -> Recorded:
        """The smallest whole number above."""
        return self._made("ceiling", self.node)

    __floor__, __ceil__ = floor, ceil

    def sqrt(self) -> Recorded:
        """The square root."""
        return self._made("sqrt", self.node)

    def exp(self) -> Recorded:
        """e to the power of it."""
        return self._made("exp", self.node)

    def log(self) -> Recorded:
        """The natural logarithm."""
        return self._made("log", self.node)

    def expm1(self) -> Any:
        """exp less one."""
        return self.exp()._made_with("-", 1)

    def log1p(self) -> Any:
        """The logarithm of one more."""
        return self._made_with("+", 1).log()

    def __repr__(self) -> str:
        self.path.lose("the text of a parameter")

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            self.path.lose(f"the attribute {name} of a parameter")
        raise AttributeError(name)


_PYTHON = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "Mod": "mod"}
_REFUSED = ("__float__", "__int__", "__index__", "__complex__", "__hash__", "__round__", "__trunc__", "__divmod__")


def _operator(operation: str, reflected: bool) -> Callable[[Recorded, Any], Any]:
    def apply(self: Recorded, other: Any) -> Any:
        node = self._other(other)
        if node is None:
            return NotImplemented
        return self._made(operation, *((node, self.node) if reflected else (self.node, node)))

    return apply


def _comparison(relation: str) -> Callable[[Recorded, Any], Any]:
    return lambda self, other: self._ask(relation, other)


def _refusal(name: str) -> Callable[..., NoReturn]:
    return lambda self, *_: self.path.lose(f"{name.strip('_')}() of a parameter")


for _operation, _name in _ARITHMETIC.items():
    setattr(Recorded, f"__{_name}__", _operator(_operation, False))
    setattr(Recorded, f"__r{_name}__", _operator(_operation, True))
for _relation, _name in _PYTHON.items():
    setattr(Recorded, _name, _comparison(_relation))
for _name in _REFUSED:
    setattr(Recorded, _name, _refusal(_name))


def _folded(operation: str, arguments: tuple[Node, ...]) -> Node:
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
        if (operation == "+" and left == _ZERO) or (operation == "*" and left == _ONE):
            return right
        if operation == "**" and right == _ZERO:
            return _ONE
        if (operation in "+-" and right == _ZERO) or (operation in ("*", "/", "**") and right == _ONE):
            return left
    return Apply(operation, arguments)


_EXACT: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
}  # fmt: skip


@contextmanager
def _functions_of_math() -> Iterator[None]:
    """Let math.exp, math.log and math.sqrt take recorded numbers, which have methods of these names."""
    originals = {name: getattr(math, name) for name in ("exp", "log", "sqrt", "expm1", "log1p")}

    def either(name: str, value: Any, *others: Any) -> Any:
        return getattr(value, name)(*others) if type(value) is Recorded else originals[name](value, *others)

    try:
        for name in originals:
            setattr(math, name, partial(either, name))
        yield
    finally:
        for name, original in originals.items():
            setattr(math, name, original)


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
            inner = {name: value for name, value in values.items() if name != index}
            ends = substituted(first, values), substituted(last, values)
            return Repeated(operation, substituted(body, inner), index, *ends)
    return node

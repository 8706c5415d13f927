"""A user's function run on numbers that write down what is done to them: its formula, for all parameters at once.

Arithmetic, floor, abs, roots, exponentials and logarithms become parts of a formula; a comparison is answered yes in
one run and no in another, and every run is a path with the conditions under which it is taken. Whatever else is asked
of such a number (its type as a float, a range of so many) ends the run: the function is then not followed.
Floats that a program mentions are read as the decimals that they print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from lpmech.prove.rational_functions import as_rational
from lpmech.prove.traced import METHODS, OF_OBJECTS, Traced, _asked_by_an_operator
from lpmech.statements.numbers import exactly_as_written
from lpmech.statements.numeric import numeric
from lpmech.statements.recorded_math import functions_of_math
from lpmech.terms import ZERO, Apply, Node, Number, names_in, substituted
from lpmech.terms.term import folded

__all__ = [
    "NotRecordedError",
    "Path",
    "Recorded",
    "evaluated",
    "node_of",
    "recorded_paths",
    "run_recorded",
]

_MOST_PATHS, _MOST_DECISIONS = 32, 24
#: So many paths where each is taken somewhere.
_MOST_POSSIBLE = 128
#: Whether conditions hold together somewhere.
Possible = Callable[[list[Node]], bool]


class NotRecordedError(TypeError):
    """A program asks something of a parameter that is no arithmetic and no comparison."""


@dataclass
class Path:
    """One run of a program.

    Attributes
    ----------
    stands : bool
        Whether it stands at a point, at which comparisons are answered.
    defined : list of Node
        What must hold for the run to be as recorded: divisors are not zero.
    indices : dict of str to Node
        Names that stand for all whole numbers from zero to below a number.
    floats : bool
        Whether floats were met.
    result : object
        What the program returned.
    raised : Exception or None
        What it raised instead.
    whole : frozenset of str
        The parameters that are whole numbers: what a function gets for them are ints.
    """

    stands = False

    defined: list[Node] = field(default_factory=list)
    indices: dict[str, Node] = field(default_factory=dict)
    floats: bool = False
    result: Any = None
    raised: Exception | None = None
    whole: frozenset[str] = frozenset()
    _branches: _Branches = field(default_factory=lambda: _Branches())
    _inner: _Branches | None = None
    _lost: NotRecordedError | None = None

    @property
    def decisions(self) -> list[tuple[Node, bool]]:
        """Conditions that were asked for, and the answers."""
        return self._branches.decisions

    @property
    def conditions(self) -> list[Node]:
        """Under which conditions it is taken."""
        return self._branches.conditions

    def decide(self, condition: Node) -> bool:
        """The answer to a comparison: the planned one, else yes."""
        inner = self._inner is not None and bool(names_in(condition) & self._inner.indices)
        branches = self._inner if self._inner is not None and inner else self._branches
        if len(branches.decisions) >= _MOST_DECISIONS:
            self.lose(f"more than {_MOST_DECISIONS} comparisons")
        return branches.answer(condition)

    def explored(self, entry: Callable[[], Any], indices: set[str]) -> list[tuple[tuple[Node, ...], Node]]:
        """A formula in indices by cases: the conditions of a case, and the formula."""
        found = []
        for self._inner in _every_way(frozenset(indices)):
            value = node_of(entry())
            found.append((tuple(self._inner.conditions), value))
        self._inner = None
        return found

    def lose(self, what: str) -> NoReturn:
        """End the run, also where the program catches what is raised."""
        self._lost = self._lost or NotRecordedError(what)
        raise self._lost


@dataclass
class _Branches:
    """Comparisons that were asked for, with the answers: the planned ones, else yes."""

    planned: tuple[bool, ...] = ()
    indices: frozenset[str] = frozenset()
    possible: Possible | None = None
    decisions: list[tuple[Node, bool]] = field(default_factory=list)
    implied: list[tuple[Node, bool]] = field(default_factory=list)

    @property
    def conditions(self) -> list[Node]:
        return [node if answer else Apply("not", (node,)) for node, answer in self.decisions]

    def answer(self, condition: Node) -> bool:
        for known, answer in (*self.decisions, *self.implied):
            if known == condition:
                return answer
        if self.possible is not None:
            yes, no = (self.possible([*self.conditions, one]) for one in (condition, Apply("not", (condition,))))
            if yes is not no:
                self.implied.append((condition, yes))
                return yes
        position = len(self.decisions)
        answer = self.planned[position] if position < len(self.planned) else True
        self.decisions.append((condition, answer))
        return answer


def _every_way(indices: frozenset[str] = frozenset(), possible: Possible | None = None) -> Iterator[_Branches]:
    """Branches to be taken, until all are; each is looked at when it has been taken."""
    planned: list[tuple[bool, ...]] = [()]
    most = _MOST_PATHS if possible is None else _MOST_POSSIBLE
    for _ in range(most):
        branches = _Branches(planned.pop(), indices, possible)
        yield branches
        answers = [answer for _, answer in branches.decisions]
        planned += [(*answers[:i], False) for i in range(len(branches.planned), len(answers)) if answers[i]]
        if not planned:
            return
    raise NotRecordedError(f"more than {most} cases")


def recorded_paths(
    program: Callable[[dict[str, Any]], Any],
    names: Mapping[str, Node],
    whole: Collection[str] = (),
    possible: Possible | None = None,
) -> list[Path]:
    """All runs of a program on parameters that are symbols.

    Parameters
    ----------
    program : callable
        Takes the parameters by name.
    names : mapping
        What each parameter is: its own name, or a number.
    whole : collection of str
        Which of the names are whole numbers.
    possible : callable, optional
        Whether conditions hold together somewhere; a comparison of which only one answer is possible is no branch.

    Raises
    ------
    NotRecordedError
        If it cannot be followed.
    """
    found = []
    for branches in _every_way(possible=possible):
        path = Path(whole=frozenset(whole), _branches=branches)
        run_recorded(program, path, names)
        found.append(path)
    return found


def run_recorded(program: Callable[[dict[str, Any]], Any], path: Path, names: Mapping[str, Node]) -> None:
    """Run a program once, with what comes of it in the path; raises as `recorded_paths` does."""
    try:
        with functions_of_math():
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
    if TYPE_CHECKING:  # made below
        __add__: Any
        __radd__: Any
        __sub__: Any
        __rsub__: Any
        __mul__: Any
        __truediv__: Any
        __rtruediv__: Any
        __mod__: Any
        __ge__: Any

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
        if isinstance(other, str):
            return None
        if isinstance(other, (complex, np.complexfloating)):
            self.path.lose("a complex number beside a parameter")
        if isinstance(other, (bool, np.bool_)):
            other = int(other)
        self._not_beyond_its_bits(other)
        exact = exactly_as_written(other)
        if exact is not None and isinstance(other, (float, np.floating)):
            self.path.floats = True
        return None if exact is None else Number(exact)

    def _not_beyond_its_bits(self, other: Any) -> None:
        """Refuse numpy's whole numbers where they wrap: K*int8(3) is negative at K = 43, int64(2)**K is 0 at K = 64.

        Beside a real parameter, which is a float or a Fraction, int64 is as exact as that.
        """
        kind = getattr(other, "dtype", None)
        if not isinstance(kind, np.dtype) or kind.kind not in "iu":
            return
        names = names_in(self.node)
        if kind != np.int64 or (names and names <= self.path.whole | self.path.indices.keys()):
            self.path.lose(f"{kind} beside a whole number, which overflows (an int does not)")

    def like(self, number: Any) -> Recorded:
        """A number in the same run."""
        return Recorded(node_of(number), self.path)

    def _made(self, operation: str, *arguments: Node) -> Recorded:
        if operation in ("/", "Mod"):
            self.path.defined.append(Apply("!=", (arguments[1], ZERO)))
        return Recorded(folded(operation, arguments), self.path)

    def _made_with(self, operation: str, number: int) -> Recorded:
        return self._made(operation, self.node, Number(Fraction(number)))

    def ask(self, relation: str, other: Any) -> Any:
        """The answer to a comparison."""
        node = self._other(other)
        if node is None:
            return NotImplemented
        if isinstance(self.node, Number) and isinstance(node, Number):
            return getattr(self.node.value, _PYTHON[relation])(node.value)
        return self.path.decide(Apply(relation, (self.node, node)))

    def __pow__(self, exponent: Any, modulus: Any = None) -> Any:
        if modulus is not None:
            self.path.lose("pow() with a modulus")
        node = self._other(exponent)
        return NotImplemented if node is None else self._made("**", self.node, node)

    def __rpow__(self, base: Any) -> Any:
        if type(base) in (float, np.float64) and base == math.e:
            return self.exp()
        node = self._other(base)
        return NotImplemented if node is None else self._made("**", node, self.node)

    def __floordiv__(self, other: Any) -> Any:
        quotient = self / other
        return quotient if quotient is NotImplemented else quotient.floor()

    def __rfloordiv__(self, other: Any) -> Any:
        quotient = other / self
        return quotient if quotient is NotImplemented else quotient.floor()

    def __neg__(self) -> Recorded:
        return self._made("-", ZERO, self.node)

    def __pos__(self) -> Recorded:
        return self

    def __abs__(self) -> Recorded:
        return self._made("Abs", self.node)

    def __bool__(self) -> bool:
        return bool(self.ask("!=", 0))

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

    def sinh(self) -> Any:
        """The hyperbolic sine; the other functions here are made of exponentials and logarithms as well."""
        return (self.exp() - (-self).exp()) / 2

    def cosh(self) -> Any:
        """The hyperbolic cosine."""
        return (self.exp() + (-self).exp()) / 2

    def tanh(self) -> Any:
        """The hyperbolic tangent."""
        return self.sinh() / self.cosh()

    def expit(self) -> Any:
        """1/(1 + exp(-x)), of `scipy.special`."""
        return 1 / (1 + (-self).exp())

    def logit(self) -> Any:
        """log(p/(1 - p)), of `scipy.special`."""
        return (self / (1 - self)).log()

    def exp2(self) -> Any:
        """2 to the power of it."""
        return 2**self

    def log2(self) -> Any:
        """The logarithm to the base 2."""
        return self.log() / self.like(2).log()

    def log10(self) -> Any:
        """The logarithm to the base 10."""
        return self.log() / self.like(10).log()

    def square(self) -> Any:
        """Its square."""
        return self * self

    def __trunc__(self) -> Recorded:
        return self.floor() if self >= 0 else self.ceil()

    def __round__(self, digits: int | None = None) -> Recorded:
        """The nearest whole number; of two the even one, as Python has it."""
        if digits is not None:
            self.path.lose("round() to digits of a parameter")
        above = (self + Fraction(1, 2)).floor()
        return above - 1 if above - self == Fraction(1, 2) and above % 2 == 1 else above

    def comb(self, chosen: Any) -> Recorded:
        """How many choices there are; `math.comb` raises where one of the numbers is negative."""
        node = self._other(chosen)
        if node is None:
            self.path.lose("comb() of a parameter")
        self.path.defined += [Apply(">=", (part, ZERO)) for part in (self.node, node)]
        return self._made("binomial", self.node, node)

    def factorial(self) -> Recorded:
        """The product of the whole numbers up to it; `math.factorial` raises where it is negative."""
        self.path.defined.append(Apply(">=", (self.node, ZERO)))
        return self._made("factorial", self.node)

    def __array_ufunc__(self, function: Any, method: str, *values: Any, **options: Any) -> Any:
        """A function of numpy or scipy, at this number itself: numpy asks for the methods above, scipy does not."""
        if method != "__call__" or options:
            self.path.lose(f"{function.__name__} of a parameter")
        for value in values:
            if type(value) is not Recorded:
                self._not_beyond_its_bits(value)
        if function.__name__ in ("expit", "logit"):
            return getattr(self, function.__name__)()
        return function(*(_boxed(value) if type(value) is Recorded else value for value in values))

    def __repr__(self) -> str:
        self.path.lose("the text of a parameter")

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            self.path.lose(f"the attribute {name} of a parameter")
        raise AttributeError(name)


_PYTHON = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "Mod": "mod"}


def _operator(operation: str, reflected: bool) -> Callable[[Recorded, Any], Any]:
    def apply(self: Recorded, other: Any) -> Any:
        node = self._other(other)
        if node is None:
            return NotImplemented
        return self._made(operation, *((node, self.node) if reflected else (self.node, node)))

    return apply


def _comparison(relation: str) -> Callable[[Recorded, Any], Any]:
    return lambda self, other: self.ask(relation, other)


def _refusal(name: str) -> property:
    """Of an attribute: whether a number has it is an answer as well."""
    return property(lambda self: self.path.lose(f"{name.strip('_')}() of a parameter"))


for _operation, _name in _ARITHMETIC.items():
    setattr(Recorded, f"__{_name}__", _operator(_operation, False))
    setattr(Recorded, f"__r{_name}__", _operator(_operation, True))
for _relation, _name in _PYTHON.items():
    setattr(Recorded, _name, _comparison(_relation))
_OWN = set(dir(Recorded))
for _name in ("__float__", "__complex__", *METHODS):
    if _name not in _OWN or _name in OF_OBJECTS:
        setattr(Recorded, _name, _refusal(_name))


def _boxed(value: Any) -> Any:
    """An array that holds one object: numpy then asks the object."""
    box = np.empty((), dtype=object)
    box[()] = value
    return box


def node_of(value: Any) -> Node:
    """A result as a formula; a float as the decimal that it prints."""
    if type(value) is Recorded:
        return value.node
    exact = exactly_as_written(value)
    if exact is None:
        raise NotRecordedError(f"a result of the kind {type(value).__name__}")
    return Number(exact)


def evaluated(node: Node, at: Mapping[str, Any]) -> Any:
    """The value of a formula at Fractions, floats, traced and recorded numbers; exact where they are."""
    path = next((value.path for value in at.values() if type(value) is Recorded), None)
    if path is not None:
        return Recorded(substituted(node, {name: node_of(value) for name, value in at.items()}), path)
    return numeric(node, {name: as_rational(v) if type(v) is not Traced else v for name, v in at.items()})

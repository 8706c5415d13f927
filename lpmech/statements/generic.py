"""Matrices with as many rows as a parameter says: one entry for all of them.

A function whose result is ``[[entry for j in range(K)] for y in range(K)]`` has no more to say about a symbolic K than
its entry, as a formula in y and j by cases. It is rewritten so that the entry is asked for once, at names for row and
column, which stand for all whole numbers below K.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from types import FunctionType
from typing import Any

from lpmech.prove.rational_functions import as_rational
from lpmech.statements.numeric import holds, numeric
from lpmech.statements.recorded_math import moved, recorded_names
from lpmech.statements.recording import NotRecordedError, Path, Recorded, node_of
from lpmech.terms import ONE, ZERO, Apply, Name, Node, Number, Repeated, names_in, substituted

__all__ = ["Generic", "by_entry", "followable"]

_MADE = "__lpmech_rows__"
#: What makes an array of rows, and nothing else.
_ARRAYS = {"array", "asarray"}


@dataclass(frozen=True)
class Generic:
    """A matrix over all rows and columns.

    Attributes
    ----------
    cases : tuple of (tuple of Node, Node)
        The entry by cases: the conditions of a case, and the formula.
    row, column : str
        What stands for row and column in them.
    size : tuple of Node
        How many there are.
    path : Path
        The run that it belongs to.
    """

    cases: tuple[tuple[tuple[Node, ...], Node], ...]
    row: str
    column: str
    size: tuple[Node, Node]
    path: Path

    def entries(self, elsewhere: bool = False) -> list[Recorded]:
        """All formulas of entries, whatever their conditions; of another row of the same column."""
        other = {self.row: Name(f"{self.row}'")} if elsewhere else {}
        self.path.indices |= {name.name: self.size[0] for name in other.values()}
        return [Recorded(substituted(value, other), self.path) for _, value in self.cases]

    def at(self, row: int, column: int) -> Recorded:
        """The entry at a row and a column; that there are so many is to be shown."""
        values: Mapping[str, Node] = {self.row: Number(Fraction(row)), self.column: Number(Fraction(column))}
        for size, number in zip(self.size, (row, column), strict=True):
            self.path.defined.append(Apply(">=", (size, Number(Fraction(number + 1)))))
        for conditions, value in self.cases:
            if all(self._answer(substituted(condition, values)) for condition in conditions):
                return Recorded(substituted(value, values), self.path)
        raise NotRecordedError("no case of an entry applies")

    def as_at(self, point: Mapping[str, Fraction]) -> list[Node]:
        """The formulas of all entries, row by row, where the parameters have values."""
        at = {name: as_rational(value) for name, value in point.items()}
        rows, columns = (range(int(numeric(size, at))) for size in self.size)
        return [self._as_at(point, Fraction(y), Fraction(j)) for y, j in product(rows, columns)]

    def _as_at(self, point: Mapping[str, Fraction], row: Fraction, column: Fraction) -> Node:
        own = {self.row: row, self.column: column}
        value = next(v for conditions, v in self.cases if all(holds(c, {**point, **own}) for c in conditions))
        return substituted(value, {name: Number(number) for name, number in own.items()})

    def _answer(self, condition: Node) -> bool:
        match condition:
            case Apply("not", (part,)):
                return not self._answer(part)
            case Apply(relation, (left, right)):
                return bool(Recorded(left, self.path).ask(relation, Recorded(right, self.path)))
        raise NotRecordedError("a condition that is no comparison")

    def total(self) -> Recorded:
        """The sum of a row."""
        count = self.size[1]
        match self.cases:
            case (((), value),):
                return Recorded(self._repeated(value), self.path)
            case (((Apply("==", sides),), special), ((Apply("not", (Apply("==", again),)),), usual)) if sides == again:
                place = next((side for side in sides if side != Name(self.column)), None)
                if Name(self.column) in sides and place == Name(self.row) and self.size[0] == count:
                    chosen = substituted(special, {self.column: place})
                    others = Apply("-", (self._repeated(usual), substituted(usual, {self.column: place})))
                    return Recorded(Apply("+", (others, chosen)), self.path)
        raise NotRecordedError("the sum of a row by its cases")

    def trace(self) -> Recorded:
        """The sum of the diagonal."""
        match self.cases:
            case ((_, value),) | (((Apply("==", _),), value), _) if self.size[0] == self.size[1]:
                places = [part for conditions, _ in self.cases for c in conditions for part in names_in(c)]
                if set(places) <= {self.row, self.column}:
                    return Recorded(self._repeated(substituted(value, {self.row: Name(self.column)})), self.path)
        raise NotRecordedError("the sum of a diagonal by its cases")

    def _repeated(self, value: Node) -> Node:
        count = self.size[1]
        if self.column not in names_in(value):
            return Apply("*", (count, value))
        return Repeated("Sum", value, self.column, ZERO, Apply("-", (count, ONE)))


def by_entry(entry: Callable[[Any, Any], Any], rows: Any, columns: Any, names: tuple[str, str]) -> Any:
    """The matrix of an entry by row and column, of recorded sizes by its formulas; in place of a comprehension."""
    recorded = next((size for size in (rows, columns) if type(size) is Recorded), None)
    if recorded is None:
        return [[entry(y, j) for j in range(columns)] for y in range(rows)]
    path = recorded.path
    row, column = (f"{name}'" for name in names)  # no name that a parameter can have
    size = node_of(rows), node_of(columns)
    path.defined += [Apply(">=", (number, ONE)) for number in size]
    path.indices |= {row: size[0], column: size[1]}
    y, j = (Recorded(Name(name), path) for name in (row, column))
    return Generic(tuple(path.explored(lambda: entry(y, j), {row, column})), row, column, size, path)


@cache
def _rewritten(function: FunctionType) -> Any:
    """The code of a function that ends with such a comprehension, rewritten; None of any other one."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function.__code__)))
    except (OSError, TypeError, SyntaxError):
        return None
    match tree.body:
        case [ast.FunctionDef(decorator_list=[], body=[*_, ast.Return(value=value) as last]) as made]:
            found = None if value is None else _comprehension(value)
            if found is None or len(list(_returns(made))) != 1:
                return None
            last.value = found
            made.args.defaults, made.args.kw_defaults = [], [None] * len(made.args.kwonlyargs)
            made.returns = None
            return compile(ast.fix_missing_locations(tree), function.__code__.co_filename, "exec")
    return None


def _returns(node: ast.AST) -> Iterator[ast.Return]:
    """Where a function returns, but for the functions inside of it."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.Return):
            yield part
        elif not isinstance(part, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _returns(part)


def _comprehension(value: ast.expr) -> ast.expr | None:
    match value:
        case ast.Call(func=ast.Attribute(attr=name), args=[inner], keywords=[]) if name in _ARRAYS:
            return _comprehension(inner)
        case ast.ListComp(elt=ast.ListComp(elt=entry, generators=[inside]), generators=[outside]):
            sizes = [_counted(part) for part in (outside, inside)]
            if None in sizes or any(isinstance(n, (ast.NamedExpr, ast.Await)) for n in ast.walk(value)):
                return None
            names = [part.target.id for part in (outside, inside) if isinstance(part.target, ast.Name)]
            if names[0] == names[1] or any(isinstance(n, ast.Name) and n.id == names[0] for n in ast.walk(inside.iter)):
                return None
            arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
            shown = ast.Tuple([ast.Constant(name) for name in names], ast.Load())
            parts: list[Any] = [ast.Lambda(arguments, entry), *sizes, shown]
            return ast.copy_location(ast.Call(ast.Name(_MADE, ast.Load()), parts, []), value)
    return None


def _counted(part: ast.comprehension) -> ast.expr | None:
    """How many values of a name a comprehension takes."""
    match part:
        case ast.comprehension(
            target=ast.Name(), iter=ast.Call(func=ast.Name("range"), args=[size], keywords=[]), ifs=[], is_async=0
        ):
            return size
    return None


def followable(function: Any) -> Any:
    """A function that takes recorded numbers, and asks once for the entry of a matrix over all numbers of rows.

    What is no plain Python function is handed back as it is.
    """
    if not isinstance(function, FunctionType):
        return function
    names = recorded_names(function)
    own = {*names, *function.__code__.co_varnames, *function.__code__.co_freevars}
    code = _rewritten(function) if "range" not in own else None
    if code is None:
        return moved(function, names)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    given = {**names, **{name: cell.cell_contents for name, cell in cells if _is_filled(cell)}, _MADE: by_entry}
    exec(code, given)
    made = given[function.__name__]
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def _is_filled(cell: Any) -> bool:
    try:
        return bool(cell.cell_contents is not cell)
    except ValueError:
        return False

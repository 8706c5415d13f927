"""What stands in the source of a check that no run can see: loops that build relations, and names that collide."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from lpmech.errors import LabelError

__all__ = ["looked_through"]

_Function = ast.FunctionDef | ast.Lambda
_THAT_MATTER = (
    *(ast.FunctionDef, ast.Return, ast.Yield, ast.YieldFrom, ast.Call),
    *(ast.Assign, ast.AugAssign, ast.Dict, ast.DictComp),
)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
#: Names of what settles relations, of what joins them, and of comparisons that are not exact.
_SETTLING = ("check_relations", "check_implications", "check_identities", "check_reals", "check_parts")
_PASSING_ON = ("dict", "tuple", "list", "both", "replayed", "unless_refuted", "reduce", "unclear", "chain")
_JOINING = ("And", "Or", "Not", "Implies", "Equivalent", "Max", "Min", "all", "any")
_NEAR = ("isclose", "allclose", "approx", "assert_allclose")


def looked_through(check: Callable[..., Any], whole: bool, exact: bool) -> None:
    """Look through a check, and through the functions of its file that it calls.

    Parameters
    ----------
    check : callable
    whole : bool
        Whether its instances are said to be all that the claim speaks of.
    exact : bool
        Whether its instances are said to be decided by exact arithmetic.

    Raises
    ------
    LabelError
        If it makes relations in a loop over anything but `each` and `cases` of `lpmech.statements.coverage`, takes some
        numbers for all that there are, gives two parts of a mapping one name, or compares nearly where it says exactly.
    """
    file = Path(inspect.getsourcefile(inspect.unwrap(check)) or "") if isinstance(check, FunctionType) else Path()
    if not file.is_file():
        return
    source = _source(file)
    for function, handed_on in source.reached(inspect.unwrap(check).__code__.co_firstlineno):
        for node, why, allowed in _faults(function, handed_on, _Numbers(source.assigned), whole, exact):
            raise LabelError("check", f"{file.name}, line {node.lineno}: {why}", allowed)


class _Source:
    """What stands at the top of a file."""

    def __init__(self, text: str) -> None:
        self._body = ast.parse(text).body
        self._named = {node.name: node for node in self._body if isinstance(node, ast.FunctionDef)}
        self.assigned = _values(self._body)

    def reached(self, line: int) -> Iterator[tuple[_Function, set[Any]]]:
        """The check that begins in a line, and functions whose results are its own, with what each hands on."""
        around = self._around(line)
        named = {**self._named, **{node.name: node for node in around if isinstance(node, ast.FunctionDef)}}
        waiting, seen = [node for node in around if _first_line(node) == line], set[int]()
        while waiting:
            function = waiting.pop()
            if id(function) not in seen:
                seen.add(id(function))
                handed_on = _handed_on(function)
                yield function, handed_on
                waiting += [named[name] for name in named.keys() & handed_on]

    def _around(self, line: int) -> list[_Function]:
        """The functions of what begins at the top of the file and has this line."""
        inside = (ast.walk(n) for n in self._body if _first_line(n) <= line <= (n.end_lineno or 0))
        return [node for nodes in inside for node in nodes if isinstance(node, (ast.FunctionDef, ast.Lambda))]


@cache
def _source(file: Path) -> _Source:
    return _Source(file.read_text(encoding="utf-8"))


def _first_line(node: Any) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])


@cache
def _own(function: _Function) -> _Body:
    """What matters in the function, but not in functions inside it, with what the loops around it go over."""
    body = function.body if isinstance(function.body, list) else [function.body]
    waiting: list[tuple[ast.AST, list[ast.expr]]] = [(node, []) for node in body]
    found: list[tuple[Any, list[ast.expr]]] = []
    while waiting:
        node, loops = waiting.pop()
        if isinstance(node, _THAT_MATTER):
            found.append((node, loops))
        match node:
            case ast.FunctionDef() | ast.Lambda():
                continue
            case ast.For():
                waiting.append((node.iter, loops))
                waiting += [(child, [*loops, node.iter]) for child in (*node.body, *node.orelse)]
                continue
            case ast.While():
                loops = [*loops, node.test]
            case ast.DictComp() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                loops = [*loops, *(generator.iter for generator in node.generators)]
        waiting += [(child, loops) for child in ast.iter_child_nodes(node)]
    return found


@cache
def _handed_on(function: _Function) -> set[Any]:
    """Names of variables and functions, and comprehensions, that are a check's result: returned, yielded, settled."""
    found: set[Any] = set()
    waiting: list[Any] = [function.body] if isinstance(function, ast.Lambda) else []
    own = [node for node, _ in _own(function)]
    for node in own:
        match node:
            case ast.Return(value=ast.expr() as value) | ast.YieldFrom(value=value):
                waiting.append(value)
            case ast.Yield(value=ast.Tuple(elts=[_, relations])):
                waiting.append(relations)
            case ast.Call(args=args) if _name(node.func) in _SETTLING:
                waiting += args
    while waiting:
        match waiting.pop():
            case ast.Name(id=name) if name not in found:
                found.add(name)
                waiting += [n.value for n in own if isinstance(n, ast.Assign) and name in map(_name, n.targets)]
            case ast.DictComp() as made:
                found.add(made)
            case ast.Dict(keys=keys, values=values):
                waiting += [value for key, value in zip(keys, values, strict=True) if key is None]
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                waiting += [left, right]
            case ast.IfExp(body=body, orelse=orelse):
                waiting += [body, orelse]
            case ast.Call(func=ast.Attribute(value=made, attr="items")):
                waiting.append(made)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                found.add(name)
                if name in _PASSING_ON:
                    waiting += [*args, *(keyword.value for keyword in keywords if keyword.arg is None)]
    return found


def _faults(
    function: _Function, handed_on: set[Any], numbers: _Numbers, whole: bool, exact: bool
) -> Iterator[tuple[Any, str, str]]:
    body = _own(function)
    numbers = numbers.with_those_of(body)
    for node, loops in body:
        around = [*loops, *(g.iter for g in node.generators)] if isinstance(node, ast.DictComp) else loops
        undeclared = [loop for loop in around if not _is_declared(loop)]
        relations = _makes_relations(node, handed_on)
        if not relations:
            joined = (loop for loop in _joined(node, loops, body, whole) if not _is_declared(loop))
            over_numbers = list(joined) if not isinstance(node, ast.Yield) else undeclared if whole else []
            undeclared = [loop for loop in over_numbers if loop in numbers]
        if undeclared:
            over = ast.unparse(undeclared[0])
            yield node, f"settled in a loop over {over if len(over) < 60 else over[:57] + '...'}", _ALLOWED
        if isinstance(node, ast.Dict):
            names = [ast.unparse(key) for key in node.keys if isinstance(key, (ast.Constant, ast.JoinedStr))]
            if twice := next((name for name in names if names.count(name) > 1), None):
                yield node, f"two parts are named {twice}", "a name once"
        if isinstance(node, ast.DictComp) and node in handed_on:
            own = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            if own.isdisjoint(n.id for n in ast.walk(node.key) if isinstance(n, ast.Name)):
                yield node, f"all parts are named {ast.unparse(node.key)}", "a name once"
        if exact and isinstance(node, ast.Call) and _name(node.func) in _NEAR:
            yield node, f"{_name(node.func)}(...) beside 'exact arithmetic'", "an exact comparison, or method='floats'"


_ALLOWED = "a loop over each(name, values), whose values the claim states with every=, or over cases({...})"


def _is_declared(over: ast.expr) -> bool:
    while isinstance(over, ast.Call) and _name(over.func) in ("enumerate", "zip") and over.args:
        over = over.args[0]
    return isinstance(over, ast.Call) and _name(over.func) in ("each", "cases")


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _makes_relations(node: Any, handed_on: set[Any]) -> bool:
    """Whether the node, which stands in a loop, makes relations that are settled."""
    match node:
        case ast.Yield(value=ast.Tuple()):
            return True
        case ast.DictComp():
            return node in handed_on
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))]) | ast.AugAssign(target=ast.Name(id=name)):
            return name in handed_on
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="update")):
            return name in handed_on
        case ast.Call():
            return _name(node.func) in _SETTLING
    return False


#: Parts of a function, each with what the loops around it go over.
_Body = Sequence[tuple[Any, list[ast.expr]]]


def _joined(node: Any, loops: list[ast.expr], body: _Body, whole: bool) -> Iterator[ast.expr]:
    """What is gone through within one relation: ``And(*(f(k) for k in range(9)))``, ``reduce(And, parts)``."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.BitAnd() | ast.BitOr()):
            yield from _since_begun(name, loops, body)
        case ast.Assign(targets=[ast.Name(id=name)]) if _adds_to(node, name):
            yield from _since_begun(name, loops, body)
        case ast.Call(args=args) if _name(node.func) in (*_JOINING, "reduce"):
            if whole or _name(node.func) not in ("all", "any"):
                for part in args:
                    yield from _gone_through(part.value if isinstance(part, ast.Starred) else part, body)


def _adds_to(node: ast.Assign, name: str) -> bool:
    """Whether a name is joined with more: ``claim = And(claim, ...)``."""
    match node.value:
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            joins = True
        case ast.Call(func=joining):
            joins = _name(joining) in _JOINING
        case _:
            return False
    return joins and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node.value))


def _since_begun(name: str, loops: list[ast.expr], body: _Body) -> Iterator[ast.expr]:
    """The loops in which a name is not begun anew."""
    begun: list[ast.expr] = []
    for node, around in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=assigned)]) if assigned == name and not _adds_to(node, name):
                begun += around
    yield from (loop for loop in loops if not any(loop is other for other in begun))


def _gone_through(part: ast.expr, body: _Body) -> Iterator[ast.expr]:
    """What a list of parts is made from: of a name, where it is assigned and where more is appended."""
    if isinstance(part, _COMPREHENSIONS):
        yield from (generator.iter for generator in part.generators)
    if not isinstance(part, ast.Name):
        return
    for node, loops in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == part.id:
                yield from _gone_through(value, body) if isinstance(value, _COMPREHENSIONS) else ()
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend")) if name == part.id:
                yield from _since_begun(name, loops, body)
            case ast.AugAssign(target=ast.Name(id=name)) if name == part.id:
                yield from _since_begun(name, loops, body)


class _Numbers:
    """What goes over numbers that are written in a file: a range, a list of numbers, a name for one."""

    def __init__(self, named: Mapping[str, ast.expr]) -> None:
        self.named = named

    def with_those_of(self, body: _Body) -> _Numbers:
        """With what names inside of a function stand for."""
        return _Numbers({**self.named, **_values(node for node, _ in body)})

    def __contains__(self, over: ast.expr) -> bool:
        return any(map(self._is_one, ast.walk(over)))

    def _is_one(self, node: ast.AST) -> bool:
        match node:
            case ast.Call():
                return _name(node.func) in ("range", "count", "arange", "linspace")
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return any(isinstance(e, ast.Constant) and type(e.value) in (int, float) for e in elements)
            case ast.Name(id=name) if name in self.named:
                return self.named[name] in _Numbers({n: value for n, value in self.named.items() if n != name})
        return False


def _values(nodes: Iterable[ast.AST]) -> dict[str, ast.expr]:
    return {_name(target): node.value for node in nodes if isinstance(node, ast.Assign) for target in node.targets}

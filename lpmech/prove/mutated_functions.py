"""Python functions, and formulas as texts, with one small change in their syntax tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from copy import deepcopy
from decimal import Context, Decimal
from functools import cache
from itertools import combinations
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from lpmech.errors import FormulaError
from lpmech.terms.reader import named_in_text, read_condition, read_expressions

__all__ = ["mutated_functions", "mutated_texts"]

_PARTNERS = {
    "min": "max", "max": "min", "Min": "Max", "Max": "Min", "any": "all", "all": "any", "And": "Or", "Or": "And",
    "floor": "ceil", "ceil": "floor", "ceiling": "floor", "Le": "Lt", "Lt": "Le", "Ge": "Gt", "Gt": "Ge", "Eq": "Ge",
}  # fmt: skip
_RELATIONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
}  # fmt: skip
#: Functions of one argument that are left out at times.
_DROPPED = {"sqrt", "log", "exp", "abs", "Abs", "floor", "ceil", "ceiling"}
_RANGES = {"range"}
_SUMS = {"Sum", "Product", "summation", "product"}

Node = ast.Lambda | ast.FunctionDef


def mutated_functions(function: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """Every function with one change, with the text of the change; none where the source is not at hand.

    Parameters
    ----------
    function : function
        A def or a lambda. What it calls is not changed.
    """
    found = _node(function.__code__)
    if found is None:
        return
    node = deepcopy(found)  # which may be changed
    names = [argument.arg for argument in node.args.posonlyargs + node.args.args]
    for part, field, place in list(_slots(node)):
        old = _at(part, field, place)
        within = f" in {ast.unparse(part)}" if _names_the_place(node, part) else ""
        for new in _changes(old, names, part):
            _put(part, field, place, new)
            yield f"{ast.unparse(old)} -> {ast.unparse(new)}{within}", _function(node, function)
        _put(part, field, place, old)
    used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    for one, other in combinations([name for name in names if name in used], 2):
        exchanged = _Exchange({one: other, other: one}).visit(deepcopy(node))
        yield f"{one} and {other} exchanged", _function(exchanged, function)


def _names_the_place(node: Node, part: ast.AST) -> bool:
    """Whether the expression around a change is told, as of a def: another line in it then changes no name."""
    return isinstance(node, ast.FunctionDef) and isinstance(part, ast.expr)


def mutated_texts(text: str) -> Iterator[tuple[str, str]]:
    """Every formula with one change, as text, with the text of the change; none of what is no formula, or a name.

    Parameters
    ----------
    text : str
        In the language of `lpmech.terms.reader`. All that is not changed stays as it is written. Names are words of
        their own (PM) and what has digits in groups (CIFAR-10_1).
    """
    names = sorted(named_in_text(text))
    if text.strip() in names or re.search(r"\d_\d", text) or not _is_formula(text, names):
        return
    tree = _AsWritten(text.strip()).visit(ast.parse(text.strip(), mode="eval"))
    for part, field, place in list(_slots(tree)):
        old = _at(part, field, place)
        for new in _changes(old, names, part):
            _put(part, field, place, new)
            yield f"{ast.unparse(old)} -> {ast.unparse(new)} in {text}", ast.unparse(tree)
        _put(part, field, place, old)
    for one, other in combinations(names, 2):
        exchanged = _Exchange({one: other, other: one}).visit(deepcopy(tree))
        yield f"{one} and {other} exchanged", ast.unparse(exchanged)


def _is_formula(text: str, names: list[str]) -> bool:
    for read in (read_expressions, read_condition):
        try:
            read(text, names, "formula")
        except FormulaError:
            continue
        return True
    return False


class _Decimal(float):
    """A decimal that is shown as it is written."""

    def __new__(cls, text: str) -> _Decimal:
        made = super().__new__(cls, text)
        made.text = text
        return made

    text: str

    def __repr__(self) -> str:
        return self.text

    def __add__(self, step: Any) -> _Decimal:
        return _Decimal(str(Context(prec=2000).add(Decimal(self.text), step)))

    def __sub__(self, step: Any) -> _Decimal:
        return self + -step


class _AsWritten(ast.NodeTransformer):
    """Floats of a syntax tree as the decimals that stand in the text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if isinstance(node.value, float):
            node.value = _Decimal(ast.get_source_segment(self._text, node) or repr(node.value))
        return node


def _node(code: CodeType) -> Node | None:
    """The definition in its file; of several lambdas in a line, the one whose instructions stand at the same places."""
    for node in _definitions(code.co_filename).get(code.co_name, ()):
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        if first == code.co_firstlineno and (isinstance(node, ast.FunctionDef) or _stands_at(code, node)):
            return node
    return None


@cache
def _definitions(file: str) -> dict[str, list[Node]]:
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[str, list[Node]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Lambda, ast.FunctionDef)):
            found.setdefault("<lambda>" if isinstance(node, ast.Lambda) else node.name, []).append(node)
    return found


def _stands_at(code: CodeType, node: ast.Lambda) -> bool:
    compiled = compile(ast.Expression(node), code.co_filename, "eval")
    inner = next(constant for constant in compiled.co_consts if isinstance(constant, CodeType))
    return {p for p in code.co_positions() if p[3]} == {p for p in inner.co_positions() if p[3]}


def _slots(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Every place of an expression: what it stands in, the field, and the place in a list of expressions."""
    for field, value in ast.iter_fields(node):
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or isinstance(
                child, (ast.arguments, ast.Raise, ast.Assert, ast.JoinedStr)
            ):
                continue
            if field in ("decorator_list", "returns", "annotation"):
                continue
            if isinstance(child, ast.expr):
                yield node, field, place
            yield from _slots(child)


def _at(node: ast.AST, field: str, place: int | None) -> Any:
    value = getattr(node, field)
    return value if place is None else value[place]


def _put(node: ast.AST, field: str, place: int | None, new: ast.AST) -> None:
    if place is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[place] = new


def _changes(node: Any, names: list[str], parent: ast.AST) -> Iterator[ast.expr]:
    """What one expression is changed to."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            yield from (ast.Constant(number + 1), ast.Constant(number - 1))
        case ast.Name(id=name, ctx=ast.Load()) if name in names and isinstance(parent, (ast.BinOp, ast.Compare)):
            yield from (_next(node, 1), ast.BinOp(node, ast.Pow(), ast.Constant(2)))
        case ast.Name(id=name, ctx=ast.Load()) if name in names and not isinstance(
            parent, ast.Attribute | ast.Subscript
        ):
            if getattr(parent, "func", None) is not node:
                yield _next(node, 1)
        case ast.BinOp(left, ast.Add(), right):
            yield ast.BinOp(left, ast.Sub(), right)
        case ast.BinOp(left, ast.Sub(), right):
            yield ast.BinOp(left, ast.Add(), right)
        case ast.BinOp(left, ast.Mult(), right):
            yield from (left, right)
        case ast.BinOp(left, ast.Div() | ast.FloorDiv() | ast.Pow() | ast.Mod(), _):
            yield left
        case ast.UnaryOp(ast.USub() | ast.Not(), operand):
            yield operand
        case ast.Compare(left, operators, comparators):
            for place, operator in enumerate(operators):
                for other in _RELATIONS.get(type(operator), ()):
                    yield ast.Compare(left, [*operators[:place], other(), *operators[place + 1 :]], comparators)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.Call(function, arguments, keywords):
            yield from _calls(function, arguments, keywords)


def _calls(function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> Iterator[ast.expr]:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name in _PARTNERS:
        partner = _PARTNERS[name]
        if (
            name == "floor"
            and isinstance(function, ast.Attribute)
            and getattr(function.value, "id", "") in ("sp", "tm")
        ):
            partner = "ceiling"
        other = ast.Attribute(function.value, partner, ast.Load()) if isinstance(function, ast.Attribute) else None
        yield ast.Call(other or ast.Name(partner, ast.Load()), arguments, keywords)
    if name in _DROPPED and len(arguments) == 1:
        yield arguments[0]
    if name == "Implies" and len(arguments) == 2:
        yield from (ast.Call(function, arguments[::-1], keywords), arguments[1])
    if name in _RANGES:
        for place in range(min(len(arguments), 2)):
            for step in (1, -1):
                yield ast.Call(function, _stepped(arguments, place, step), keywords)
    if name in _SUMS and len(arguments) == 2 and isinstance(arguments[1], ast.Tuple) and len(arguments[1].elts) == 3:
        for place in (1, 2):
            for step in (1, -1):
                limits = ast.Tuple(_stepped(arguments[1].elts, place, step), ast.Load())
                yield ast.Call(function, [arguments[0], limits], keywords)


def _stepped(arguments: list[ast.expr], place: int, step: int) -> list[ast.expr]:
    return [*arguments[:place], _next(arguments[place], step), *arguments[place + 1 :]]


def _next(node: ast.expr, step: int) -> ast.expr:
    return ast.BinOp(node, ast.Add() if step > 0 else ast.Sub(), ast.Constant(1))


class _Exchange(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)


def _function(node: Node, function: FunctionType) -> FunctionType:
    """The function that a changed tree defines, in the globals and with the closure of the given one."""
    free = function.__code__.co_freevars
    inner: ast.stmt = ast.Return(node) if isinstance(node, ast.Lambda) else _bare(node)
    around = ast.FunctionDef("around", _arguments(free), [inner], [], None)
    module = ast.fix_missing_locations(ast.Module([around], []))
    code = compile(module, function.__code__.co_filename, "exec")
    for _ in range(2):
        code = next(c for c in code.co_consts if isinstance(c, CodeType))
    cells = dict(zip(free, function.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _bare(node: ast.FunctionDef) -> ast.FunctionDef:
    return ast.FunctionDef(node.name, node.args, node.body, [], None)


def _arguments(names: tuple[str, ...]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])

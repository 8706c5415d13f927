"""What the text of a formula may contain: it is read by Python's parser, checked against a list, and never executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from fractions import Fraction
from keyword import iskeyword

from lpmech.errors import FormulaError
from lpmech.terms.term import FALSE, PI, TRUE, ZERO, Apply, Choice, Name, Node, Number, Repeated

__all__ = ["CONNECTIVES", "FUNCTIONS", "named_in_text", "read_condition", "read_expressions", "read_formula"]

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.Mod: "Mod"}
_RELATIONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
#: Functions by the names that people write, with their number of arguments (None: one or more).
_FUNCTIONS: dict[str, tuple[str, int | None]] = {
    "sqrt": ("sqrt", 1), "exp": ("exp", 1), "log": ("log", 1), "ln": ("log", 1), "abs": ("Abs", 1), "Abs": ("Abs", 1),
    "min": ("Min", None), "Min": ("Min", None), "max": ("Max", None), "Max": ("Max", None), "floor": ("floor", 1),
    "ceiling": ("ceiling", 1), "ceil": ("ceiling", 1), "Mod": ("Mod", 2), "binomial": ("binomial", 2),
    "factorial": ("factorial", 1), "Rational": ("/", 2),
    **{name: (name, 1) for name in ("sign", "sin", "cos", "tan", "sinh", "cosh", "tanh", "coth", "erfc")},
}  # fmt: skip
_OF_CONDITIONS = {"Implies": "implies", "Equivalent": "iff"}
#: Names that make conditions of conditions.
CONNECTIVES = frozenset((*_OF_CONDITIONS, "Each"))
#: What is no name of a parameter.
FUNCTIONS = frozenset((*_FUNCTIONS, *CONNECTIVES, "Piecewise", "Sum", "Product", "Integers"))
_ALLOWED = (
    "numbers, {names}, pi, + - * / **, comparisons, and, or, not, Implies, Equivalent, x in Integers, sqrt, exp, log, "
    "sin, cos, tan, sinh, cosh, tanh, coth, Abs, sign, Min, Max, floor, ceiling, Mod, binomial, factorial, "
    "Piecewise((value, condition), ...), Sum and Product(expression, (i, first, last)), and Each(condition, (i, first, "
    "last))"
)
_LONGEST, _DEEPEST, _LARGEST_POWER = 10_000, 60, 400


def read_expressions(text: str, names: Collection[str], argument: str = "conjecture") -> tuple[Node, ...]:
    """The expressions in a text, separated by commas.

    Raises
    ------
    FormulaError
        If a part is outside the language; the message names it.
    """
    reader = _TextReader(text, names, argument)
    body = reader.parsed()
    parts = body.elts if isinstance(body, ast.Tuple) else [body]
    return tuple(reader.value(part) for part in parts)


def read_formula(text: str, names: Collection[str], argument: str = "formula") -> Node:
    """The one expression of a text; raises as `read_expressions` does."""
    parts = read_expressions(text, names, argument)
    if len(parts) != 1:
        raise FormulaError(argument, text, "one formula")
    return parts[0]


def read_condition(text: str, names: Collection[str], argument: str = "conclusion") -> Node:
    """A relation, or relations joined by and, or, not; raises as `read_expressions` does."""
    reader = _TextReader(text, names, argument)
    return reader.condition(reader.parsed())


class _TextReader:
    def __init__(self, text: str, names: Collection[str], argument: str):
        self._text = text.strip()
        self._names = set(names)
        #: Names that are words of Python, such as lambda, by what is parsed in their place and has their length.
        self._kept = {f"{name[:-1]}_": name for name in names if iskeyword(name)}
        self._argument = argument
        self._depth = 0

    def parsed(self) -> ast.expr:
        if len(self._text) > _LONGEST:
            raise FormulaError(self._argument, self._text, f"at most {_LONGEST} characters")
        if "#" in self._text:  # Python's parser would drop the rest in silence
            raise FormulaError(self._argument, self._text, "a formula without a comment")
        text = self._text
        for mask, name in self._kept.items():
            text = re.sub(rf"\b{name}\b", mask, text)
        try:
            return ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as exc:
            raise FormulaError(
                self._argument, self._text, f"one line of {self._allowed} ({type(exc).__name__}: {exc})"
            ) from exc

    @property
    def _allowed(self) -> str:
        names = ", ".join(sorted(self._names, key=lambda n: (n != "t", n != "K", n)))
        return _ALLOWED.format(names=f"the names {names}" if names else "no names")

    def _refuse(self, node: ast.AST, allowed: str | None = None) -> FormulaError:
        part = ast.get_source_segment(self._text, node) or self._text
        return FormulaError(self._argument, part, allowed or self._allowed)

    def value(self, node: ast.expr) -> Node:
        """An expression whose value is a number."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise FormulaError(self._argument, self._text, f"expressions at most {_DEEPEST} levels deep")
        try:
            return self._read(node)
        finally:
            self._depth -= 1

    def _read(self, node: ast.expr) -> Node:
        match node:
            case ast.Constant(value=bool()):
                raise self._refuse(node)
            case ast.Constant(value=int() | float()):
                return Number(self._number(node))
            case ast.Name(id="pi") if "pi" not in self._names:
                return PI
            case ast.Name(id=name):
                if (name := self._kept.get(name, name)) not in self._names:
                    raise self._refuse(node)
                return Name(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Apply("-", (ZERO, self.value(operand)))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.value(operand)
            case ast.BinOp(op=ast.BitXor()):
                raise self._refuse(node, "** for powers, not ^")
            case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
                return Apply("floor", (Apply("/", (self.value(left), self.value(right))),))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self._binary(node, _OPERATORS[type(op)], self.value(left), self.value(right))
            case ast.IfExp(test=test, body=body, orelse=other):
                return Choice(((self.value(body), self.condition(test)), (self.value(other), TRUE)))
            case ast.Subscript(value=ast.Name(id=name), slice=place):
                return self._entry(node, name, place.elts if isinstance(place, ast.Tuple) else [place])
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(node, name, arguments)
        raise self._refuse(node)

    def _binary(self, node: ast.expr, operation: str, left: Node, right: Node) -> Node:
        if operation == "**" and isinstance(right, Number) and abs(right.value) > _LARGEST_POWER:
            raise self._refuse(node, f"exponents up to {_LARGEST_POWER}")
        return Apply(operation, (left, right))

    def _number(self, node: ast.Constant) -> Fraction:
        text = (ast.get_source_segment(self._text, node) or str(node.value)).replace("_", "")
        _, _, exponent = text.lower().partition("e")
        if not text.lower().startswith("0x") and exponent and abs(int(exponent)) > _LARGEST_POWER:
            raise self._refuse(node, f"decimals with exponents up to {_LARGEST_POWER}")
        return Fraction(node.value) if isinstance(node.value, int) else Fraction(text)

    def _call(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> Node:
        if name == "Piecewise" and arguments:
            return Choice(tuple(self._case(case, self.value) for case in arguments))
        if name in ("Sum", "Product") and len(arguments) == 2:
            body, limits = arguments
            return self._repeated(name, body, limits, self.value)
        if name not in _FUNCTIONS:
            raise self._refuse(node)
        operation, wanted = _FUNCTIONS[name]
        if not arguments or (wanted is not None and len(arguments) != wanted):
            raise self._refuse(node, f"{name} with {wanted or 'one or more'} arguments")
        return Apply(operation, tuple(self.value(a) for a in arguments))

    def _entry(self, node: ast.expr, name: str, places: list[ast.expr]) -> Node:
        as_written = next((n for n in self._names if n.startswith(f"{name}[")), None)
        if as_written is None or as_written.count(",") != len(places) - 1:
            raise self._refuse(node, as_written)
        return Apply("[]", (Name(name), *map(self.value, places)))

    def _case(self, node: ast.expr, read: Callable[[ast.expr], Node]) -> tuple[Node, Node]:
        if not isinstance(node, ast.Tuple) or len(node.elts) != 2:
            raise self._refuse(node, "Piecewise((value, condition), ...)")
        return read(node.elts[0]), self.condition(node.elts[1])

    def _repeated(self, name: str, body: ast.expr, limits: ast.expr, read: Callable[[ast.expr], Node]) -> Node:
        match limits:
            case ast.Tuple(elts=[ast.Name(id=index), first, last]) if index not in self._names:
                ends = self.value(first), self.value(last)
                self._names.add(index)
                repeated = Repeated(name, read(body), index, *ends)
                self._names.remove(index)
                return repeated
        raise self._refuse(limits, f"{name}(expression, (i, first, last)) with a new name for the index")

    def condition(self, node: ast.expr) -> Node:
        """An expression that is true or false."""
        match node:
            case ast.Constant(value=bool(value)):
                return TRUE if value else FALSE
            case ast.BoolOp(op=op, values=values):
                joined = "and" if isinstance(op, ast.And) else "or"
                return Apply(joined, tuple(self.condition(v) for v in values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Apply("not", (self.condition(operand),))
            case ast.Call(func=ast.Name(id=name), args=[first, then], keywords=[]) if name in _OF_CONDITIONS:
                return Apply(_OF_CONDITIONS[name], (self.condition(first), self.condition(then)))
            case ast.Call(func=ast.Name(id="Piecewise"), args=[_, *_] as given, keywords=[]):
                return Choice(tuple(self._case(case, self.condition) for case in given))
            case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Name(id="Integers")]):
                return Apply("whole", (self.value(left),))
            case ast.Call(func=ast.Name(id="Each"), args=[body, limits], keywords=[]):
                return self._repeated("Each", body, limits, self.condition)
            case ast.Compare(left=left, ops=ops, comparators=rights) if all(type(op) in _RELATIONS for op in ops):
                sides = [self.value(side) for side in (left, *rights)]
                relations = [
                    Apply(_RELATIONS[type(op)], (a, b)) for op, a, b in zip(ops, sides[:-1], sides[1:], strict=True)
                ]
                return relations[0] if len(relations) == 1 else Apply("and", tuple(relations))
        raise self._refuse(node, "a comparison such as 2*w + 1 <= K, or comparisons joined by and, or, not")


def named_in_text(text: str) -> set[str]:
    """The names in a text that stand for numbers, but for indices; none of what is no expression."""
    try:
        nodes = list(ast.walk(ast.parse(text.strip(), mode="eval")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    functions = {id(call.func) for call in calls}
    limits = [a for call in calls for a in call.args if isinstance(a, ast.Tuple) and len(a.elts) == 3]
    indices = {limit.elts[0].id for limit in limits if isinstance(limit.elts[0], ast.Name)}
    named = {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in functions}
    return named - indices - {"Integers"}

"""Formulas as text that `lpmech.prove.grammar` reads again."""

from __future__ import annotations

from fractions import Fraction

from lpmech.prove.grammar import Apply, Choice, Name, Node, Number, Repeated

__all__ = ["text_of"]

_BINDING = {"or": 0, "and": 1, "not": 2, "+": 4, "-": 4, "*": 5, "/": 5, "**": 7}
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
_RELATION, _ATOM = 3, 9


def text_of(node: Node) -> str:
    """A formula as text."""
    return _printed(node)[0]


def _printed(node: Node) -> tuple[str, int]:
    """The text, and how strongly its outermost operation binds."""
    match node:
        case Number(value):
            return _number(value)
        case Name(name):
            return name, _ATOM
        case Choice(cases):
            return f"Piecewise({', '.join(f'({text_of(v)}, {text_of(c)})' for v, c in cases)})", _ATOM
        case Repeated(operation, body, index, first, last):
            return f"{operation}({text_of(body)}, ({index}, {text_of(first)}, {text_of(last)}))", _ATOM
        case Apply("true", _):
            return "True", _ATOM
        case Apply("not", (part,)):
            return f"not {_within(part, _BINDING['not'] + 1)}", _BINDING["not"]
        case Apply("-", (Number(value), part)) if value == 0:
            return f"-{_within(part, 6)}", 6
        case Apply(operation, (left, right)) if operation in _RELATIONS:
            return f"{_within(left, 4)} {operation} {_within(right, 4)}", _RELATION
        case Apply(operation, (left, right)) if operation in _BINDING:
            binds = _BINDING[operation]
            before, after = (binds + 1, binds) if operation == "**" else (binds, binds + 1)
            space = " " if operation in ("+", "-", "and", "or") else ""
            return f"{_within(left, before)}{space}{operation}{space}{_within(right, after)}", binds
        case Apply("and" | "or", parts):
            binds = _BINDING[node.operation]
            return f" {node.operation} ".join(_within(part, binds + 1) for part in parts), binds
    assert isinstance(node, Apply)
    return f"{node.operation}({', '.join(map(text_of, node.arguments))})", _ATOM


def _within(node: Node, binds: int) -> str:
    text, own = _printed(node)
    return text if own >= binds else f"({text})"


def _number(value: Fraction) -> tuple[str, int]:
    if value.denominator == 1:
        return str(value), _ATOM if value >= 0 else 6
    return str(value), _BINDING["/"] if value > 0 else 4

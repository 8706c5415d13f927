"""Terms as JSON, and back: ``{"+": [{"name": "K"}, 1]}``; numbers are whole ones or fractions as text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lpmech.errors import FormulaError
from lpmech.terms.sorts import check_sorts
from lpmech.terms.term import Apply, Choice, Name, Node, Number, Repeated, Term

__all__ = ["from_data", "to_data"]

_BOUND = ("Sum", "Product", "Each")
_DEEPEST = 200
_ALLOWED = (
    'a number, "p/q", {"name": ...}, {"cases": [[value, condition], ...]}, {"Sum": [body, index, first, last]}, '
    "or {operation: [arguments]}"
)


def to_data(node: Term) -> Any:
    """What `json.dumps` takes."""
    match node:
        case Number(value):
            return int(value) if value.denominator == 1 else str(value)
        case Name(name):
            return {"name": name}
        case Choice(cases):
            return {"cases": [[to_data(value), to_data(condition)] for value, condition in cases]}
        case Repeated(operation, body, index, first, last):
            return {operation: [to_data(body), index, to_data(first), to_data(last)]}
        case Apply(operation, arguments):
            return {operation: list(map(to_data, arguments))}
    raise FormulaError("term", type(node).__name__, "a term")


def from_data(data: Any) -> Node:
    """The term that `to_data` has written.

    Raises
    ------
    FormulaError
        If it is nothing of the kind, or more than 200 levels deep, or an operation has other arguments than it takes.
    """
    found = _read(data, 0)
    check_sorts(found)
    return found


def _read(data: Any, depth: int) -> Node:
    if depth > _DEEPEST:
        raise FormulaError("data", "a term", f"terms at most {_DEEPEST} levels deep")
    match data:
        case bool():
            pass
        case int():
            return Number(Fraction(data))
        case str():
            try:
                return Number(Fraction(data))
            except (ValueError, ZeroDivisionError):
                pass
        case {"name": str() as name} if len(data) == 1:
            return Name(name)
        case {"cases": [*cases]} if len(data) == 1 and all(isinstance(c, list) and len(c) == 2 for c in cases):
            return Choice(tuple((_read(value, depth + 1), _read(condition, depth + 1)) for value, condition in cases))
        case dict() if len(data) == 1:
            ((operation, parts),) = data.items()
            match parts:
                case [body, str() as index, first, last] if operation in _BOUND:
                    read = (_read(part, depth + 1) for part in (body, first, last))
                    return Repeated(operation, next(read), index, *read)
                case [*_] if isinstance(operation, str) and operation not in (*_BOUND, "name", "cases"):
                    return Apply(operation, tuple(_read(part, depth + 1) for part in parts))
    raise FormulaError("data", str(data)[:80], _ALLOWED)

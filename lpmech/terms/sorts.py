"""What an operation takes, and what it gives: a number or a condition."""

from __future__ import annotations

from lpmech.errors import FormulaError
from lpmech.terms.term import Apply, Choice, Node, Repeated

__all__ = ["check_sorts"]

_NUMBER, _CONDITION = "a number", "a condition"
#: Least and greatest number of arguments of what takes numbers; what gives a condition is named below.
_OF_NUMBERS: dict[str, tuple[int, float]] = {
    **dict.fromkeys(("+", "-", "*", "/", "**", "Mod", "binomial", "<", "<=", ">", ">=", "==", "!="), (2, 2)),
    **dict.fromkeys(("sqrt", "exp", "log", "Abs", "sign", "floor", "ceiling", "factorial", "whole"), (1, 1)),
    **dict.fromkeys(("sin", "cos", "tan", "sinh", "cosh", "tanh", "coth", "erfc"), (1, 1)),
    "Min": (1, float("inf")), "Max": (1, float("inf")), "pi": (0, 0),
}  # fmt: skip
_OF_CONDITIONS: dict[str, tuple[int, float]] = {
    "and": (0, float("inf")), "or": (0, float("inf")), "not": (1, 1), "implies": (2, 2), "iff": (2, 2),
    "true": (0, 0), "false": (0, 0),
}  # fmt: skip
_GIVE_CONDITIONS = {"<", "<=", ">", ">=", "==", "!=", "whole", *_OF_CONDITIONS}


def check_sorts(node: Node) -> None:
    """Refuse a term that says nothing: ``And(t, K)``, ``(a < b) + 1``, ``Eq`` of conditions, three sides of a relation.

    Raises
    ------
    FormulaError
        If an operation is unknown, or has too many or too few arguments, or a condition where a number belongs.
    """
    _check(node, _sort(node))


def _sort(node: Node) -> str:
    match node:
        case Apply(operation, _) if operation in _GIVE_CONDITIONS:
            return _CONDITION
        case Choice(((value, _), *_)):
            return _sort(value)
        case Repeated("Each"):
            return _CONDITION
    return _NUMBER


def _check(node: Node, wanted: str) -> None:
    if _sort(node) != wanted:
        raise FormulaError("term", str(node)[:80], wanted)
    match node:
        case Apply("[]", (vector, *places)) if places:
            lengths = vector.arguments[1:] if isinstance(vector, Apply) and vector.operation == "vector" else ()
            for part in (*lengths, *places):
                _check(part, _NUMBER)
        case Apply(operation, arguments):
            taken, of = (_OF_CONDITIONS, _CONDITION) if operation in _OF_CONDITIONS else (_OF_NUMBERS, _NUMBER)
            least, most = taken.get(operation, (1, 0))
            if not least <= len(arguments) <= most:
                raise FormulaError(
                    "term", str(node)[:80], "operations that are known, with as many arguments as they take"
                )
            for part in arguments:
                _check(part, of)
        case Choice(cases):
            if not cases:
                raise FormulaError("term", "no case", "one case at least")
            for value, condition in cases:
                _check(value, wanted)
                _check(condition, _CONDITION)
        case Repeated(operation, body, _, first, last):
            _check(body, _CONDITION if operation == "Each" else _NUMBER)
            _check(first, _NUMBER)
            _check(last, _NUMBER)

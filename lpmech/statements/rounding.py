"""What rounding has made of a formula at a point: its exact value, and the size of the terms that rounding acts on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.errors import LpmechError, UndecidedError
from lpmech.prove.evaluate import UndefinedError
from lpmech.prove.rational_functions import as_rational
from lpmech.statements.numbers import ROUNDING, Requirement
from lpmech.statements.numeric import holds, numeric
from lpmech.statements.recording import NotRecordedError, Path, Recorded, node_of, run_recorded
from lpmech.statements.statement import NotFollowedError, Statement
from lpmech.terms import Apply, Choice, Name, Node, Number, Repeated

__all__ = ["excess_by_rounding", "size_of_terms"]

_DIGITS = 40


class _AtPoint(Path):
    """A run in which comparisons are answered as at one point."""

    stands = True

    def __init__(self, point: Mapping[str, Fraction]) -> None:
        super().__init__()
        self._point = point

    def decide(self, condition: Node) -> bool:
        """Whether it is true at the point."""
        return holds(condition, self._point)


def excess_by_rounding(statement: Statement, point: Mapping[str, Fraction]) -> float | None:
    """By how much floats miss what holds of the formula at a point, relatively.

    Zero where the sizes of the terms of sums explain it. None where the formula does not hold there, or the functions
    differ from it by more than rounding does.

    Raises
    ------
    NotFollowedError
        If functions cannot be followed.
    """
    path = _AtPoint(point)
    reals = {p.name: Name(p.name) for p in statement.domain.parameters if not p.whole}
    try:
        run_recorded(lambda at: statement.at({**point, **at}), path, reals)
        if path.raised is not None:
            raise NotFollowedError(f"it raises {path.raised!r}")
        followed, formulas = path.result
        if not any(type(formula) is Recorded for formula in formulas):
            raise NotFollowedError("there is no formula")
        exact = {name: as_rational(value) for name, value in point.items()}
        if not all(_holds(requirement, exact) for requirement in followed):
            return None
        called, values = statement.at(point)
        if not all(_is_rounded(value, node_of(f), exact) for value, f in zip(values, formulas, strict=True)):
            return None
    except (NotRecordedError, LpmechError, ArithmeticError, ValueError) as exc:
        raise NotFollowedError(str(exc)) from exc
    alike = [r.relation for r in followed] == [r.relation for r in called]
    sizes = [_size_beside_zero(r, exact) for r in followed] if alike else [0.0] * len(called)
    return max(
        (r.excess for r, size in zip(called, sizes, strict=True) if not r.holds_beside(size)),
        default=0.0,
    )


def _holds(requirement: Requirement, at: Mapping[str, Any]) -> bool:
    """Whether a requirement on formulas holds at a point, to more digits than floats have."""
    left, right = (sp.N(numeric(node_of(side), at), _DIGITS) for side in (requirement.left, requirement.right))
    missed = abs(left - right) if requirement.relation == "==" else right - left
    return bool(missed <= max(_size(requirement, at), 1e-300) * sp.Float(10, _DIGITS) ** (10 - _DIGITS))


def _size(requirement: Requirement, at: Mapping[str, Any]) -> float:
    return sum(size_of_terms(node_of(side), at) for side in (requirement.left, requirement.right))


def _size_beside_zero(requirement: Requirement, at: Mapping[str, Any]) -> float:
    """The size of the terms where a side is zero, so that no difference is small relative to it."""
    size = _size(requirement, at)
    sides = [abs(sp.N(numeric(node_of(side), at), _DIGITS)) for side in (requirement.left, requirement.right)]
    return size if min(sides) <= size * 2.0**-60 else 0.0


def _is_rounded(value: Any, formula: Node, at: Mapping[str, Any]) -> bool:
    """Whether a float is the value of a formula but for rounding."""
    exact = sp.N(numeric(formula, at), _DIGITS)
    return bool(abs(sp.Float(float(value), _DIGITS) - exact) <= ROUNDING * size_of_terms(formula, at))


def size_of_terms(node: Node, at: Mapping[str, Any]) -> float:
    """What rounding of a formula is relative to: its value, but that nothing in it is subtracted.

    Raises
    ------
    UndefinedError, ArithmeticError
        If the formula is not defined at the point.
    """
    return _sized(node, {name: float(value) for name, value in at.items()})[1]


def _sized(node: Node, at: Mapping[str, float]) -> tuple[float, float]:
    """The value in floats, and its size."""
    match node:
        case Number(number):
            return float(number), abs(float(number))
        case Name(name):
            return at[name], abs(at[name])
        case Choice(cases):
            for value, condition in cases:
                if numeric(condition, {name: sp.Rational(v) for name, v in at.items()}):
                    return _sized(value, at)
            raise UndefinedError("no case applies")
        case Repeated(operation, body, index, first, last):
            ends = [round(_sized(end, at)[0]) for end in (first, last)]
            terms = [_sized(body, {**at, index: float(i)}) for i in range(ends[0], ends[1] + 1)]
            join = math.fsum if operation == "Sum" else math.prod
            return join(v for v, _ in terms), join(s for _, s in terms)
        case Apply(operation, arguments):
            parts = [_sized(part, at) for part in arguments]
            return _applied(operation, [v for v, _ in parts], [s for _, s in parts])
    raise UndecidedError("size", node, "a formula")


def _applied(operation: str, values: list[float], sizes: list[float]) -> tuple[float, float]:
    if operation in ("+", "-"):
        return values[0] + values[1] if operation == "+" else values[0] - values[1], sizes[0] + sizes[1]
    if operation == "*":
        return values[0] * values[1], sizes[0] * sizes[1]
    if operation == "/":
        return values[0] / values[1], sizes[0] / abs(values[1]) * (sizes[1] / abs(values[1]))
    value = _FUNCTIONS[operation](*values)
    if operation in ("exp", "**"):
        return value, abs(value) * (1 + sizes[-1]) * (sizes[0] / abs(values[0]) if operation == "**" and value else 1)
    if operation in ("log", "sqrt"):
        return value, abs(value) + (sizes[0] / values[0] if operation == "log" else math.sqrt(sizes[0]))
    return value, max(abs(value), *sizes)


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "exp": math.exp, "**": math.pow, "log": math.log, "sqrt": math.sqrt, "Abs": abs, "Min": min, "Max": max,
    "floor": math.floor, "ceiling": math.ceil, "Mod": lambda a, b: a - b * math.floor(a / b),
    "binomial": lambda n, k: math.comb(round(n), round(k)), "factorial": lambda n: math.factorial(round(n)),
}  # fmt: skip

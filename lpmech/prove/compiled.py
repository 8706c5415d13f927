"""Formulas of rational functions as functions of FLINT's rationals: a fast and exact test for many points."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp
from flint import fmpq
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

__all__ = ["compiled"]

#: What is computed from the values of the symbols, in their order.
_Computed = Callable[[Sequence[fmpq]], Any]

_COMPARED: dict[type, Callable[[Any, Any], bool]] = {
    sp.Eq: operator.eq, sp.Ne: operator.ne, sp.Lt: operator.lt, sp.Le: operator.le,
    sp.Gt: operator.gt, sp.Ge: operator.ge,
}  # fmt: skip


def compiled(formula: Boolean, symbols: Sequence[sp.Symbol]) -> Callable[[Sequence[fmpq]], bool] | None:
    """The formula as a function of values of the symbols; None if it is no formula of rational functions.

    It raises ZeroDivisionError where a part of it is not defined.
    """
    return _computed(formula, {symbol: place for place, symbol in enumerate(symbols)})


def _computed(node: sp.Basic, places: Mapping[sp.Symbol, int]) -> _Computed | None:
    """Functions are put together, not written as a text for Python, which takes longer than the few points need."""
    match node:
        case sp.Symbol():
            return operator.itemgetter(places[node]) if node in places else None
        case sp.Rational():
            number = fmpq(int(node.p), int(node.q))
            return lambda _: number
        case BooleanAtom():
            known = bool(node)
            return lambda _: known
        case sp.Pow():
            base, exponent = _computed(node.base, places), node.exp
            if base is None or not exponent.is_Integer:
                return None
            power = int(exponent)
            return (lambda at: 1 / base(at)) if power == -1 else (lambda at: base(at) ** power)
    parts = []
    for argument in node.args:
        part = _computed(argument, places)
        if part is None:
            return None
        parts.append(part)
    return _combined(node, parts)


def _combined(node: sp.Basic, parts: list[_Computed]) -> _Computed | None:
    match node:
        case sp.Add():
            return lambda at: sum([part(at) for part in parts])
        case sp.Mul():
            return lambda at: math.prod([part(at) for part in parts])
        case sp.Max():
            return lambda at: max([part(at) for part in parts])
        case sp.Min():
            return lambda at: min([part(at) for part in parts])
        case sp.Abs() | sp.Not():
            (inner,) = parts
            return (lambda at: abs(inner(at))) if isinstance(node, sp.Abs) else (lambda at: not inner(at))
        case sp.And():
            return lambda at: all(part(at) for part in parts)
        case sp.Or():
            return lambda at: any(part(at) for part in parts)
        case sp.Implies() | Relational():
            first, second = parts
            if isinstance(node, sp.Implies):
                return lambda at: not first(at) or second(at)
            compare = _COMPARED[type(node)]
            return lambda at: compare(first(at), second(at))
    return None

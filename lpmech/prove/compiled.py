"""Formulas of rational functions as Python functions of Fractions: a fast and exact test for many points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom
from sympy.printing.pycode import PythonCodePrinter

__all__ = ["compiled"]

_KNOWN = (
    sp.Symbol, sp.Rational, sp.Add, sp.Mul, sp.Max, sp.Min, sp.Abs,
    Relational, sp.And, sp.Or, sp.Not, sp.Implies, BooleanAtom,
)  # fmt: skip


class _ExactPrinter(PythonCodePrinter):
    def _print_Rational(self, number: sp.Rational) -> str:
        return f"Fraction({number.p}, {number.q})"

    def _print_Half(self, number: sp.Rational) -> str:
        return self._print_Rational(number)


def compiled(formula: Boolean, symbols: Sequence[sp.Symbol]) -> Callable[..., bool] | None:
    """The formula as a function of Fractions, one for each symbol; None if it is no formula of rational functions.

    It raises ZeroDivisionError where a part of it is not defined.
    """
    for node in sp.preorder_traversal(formula):
        if not isinstance(node, _KNOWN) and not (isinstance(node, sp.Pow) and node.exp.is_Integer):
            return None
    printer = _ExactPrinter({"fully_qualified_modules": False})
    function: Callable[..., bool] = sp.lambdify(symbols, formula, modules=[{"Fraction": Fraction}], printer=printer)
    return function

"""Formulas as sympy expressions: as written for the prover, whose obligations are theirs; evaluated for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.errors import FormulaError
from lpmech.prove.language import truth
from lpmech.prove.texts import EVALUATED, Builder, as_written, read
from lpmech.terms import Node

__all__ = ["evaluated_by_sympy", "hypothesis"]


def evaluated_by_sympy(node: Node, symbols: Mapping[str, sp.Symbol]) -> Any:
    """A formula as sympy simplifies it, which forgets where it is defined.

    Raises
    ------
    FormulaError
        If it has no real value anywhere (1/(t - t), sqrt(-1)).
    """
    expression = read(Builder(symbols, EVALUATED), node, "conjecture")
    if expression.has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I):
        raise FormulaError("conjecture", str(expression), "formulas that are real numbers somewhere")
    return expression


def hypothesis(node: Node, symbols: Mapping[str, sp.Symbol], argument: str = "where") -> Boolean:
    """When a condition is defined and true as it is written: ``a == 0 or b/a <= 2`` is true at a = 0.

    Raises
    ------
    FormulaError
        If a part of it has no real value anywhere.
    """
    evaluated_by_sympy(node, symbols)
    return truth(as_written(node, symbols, argument))

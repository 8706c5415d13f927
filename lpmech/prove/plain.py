"""Statements as solvers read them: rational functions and case distinctions, over symbols and generators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

__all__ = ["Plain", "bound_to_roots", "is_plain"]


@dataclass(frozen=True)
class Plain:
    """A statement over symbols and generators: integer symbols, hypotheses, conclusion, what generators stand for."""

    integers: frozenset[sp.Symbol]
    hypotheses: list[Boolean]
    conclusion: Boolean
    meanings: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)


def bound_to_roots(abstraction: Any, hypotheses: list[Boolean], conclusion: Boolean) -> list[Boolean]:
    """t = s^q where the conclusion has s and the hypotheses have t."""
    free = set[sp.Symbol]().union(conclusion.free_symbols, *(h.free_symbols for h in hypotheses))
    return [sp.Eq(base, new**q) for base, (new, q) in abstraction.scales.items() if base in free]


def is_plain(formula: Boolean) -> bool:
    """Whether solvers can read it: rational functions and case distinctions."""
    for node in sp.preorder_traversal(formula):
        if isinstance(node, sp.Pow) and not node.exp.is_Integer:
            return False
        if isinstance(node, (sp.Sum, sp.Product, sp.exp, sp.factorial, sp.binomial)) or node in (
            sp.pi,
            sp.E,
            sp.GoldenRatio,
        ):
            return False
        if isinstance(node, (sp.log, sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh, sp.coth)):
            return False
    return True

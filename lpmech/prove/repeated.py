"""Sums and products of which sympy is told nothing.

Sympy decides relations from what it derives of their parts. Of sums and products that is not what the language says:
a product of zeros is zero for sympy though it may be empty, and a sum from 5 to 2 is minus the sum from 3 to 4 (Karr,
J. ACM 28, 1981). Of the nodes here it derives nothing, so that only the engine decides.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.prove.rounded import Mod, ceiling, floor
from lpmech.prove.vectors import Each, VectorEntry

__all__ = ["Product", "Sum", "owned"]


class _Untold:
    """Without what sympy derives of a sum or product: no sign, no value."""

    is_number = False
    _eval_is_zero = _eval_is_finite = _eval_is_extended_real = None
    _eval_is_positive = _eval_is_negative = _eval_is_nonnegative = _eval_is_nonpositive = None
    _eval_is_extended_positive = _eval_is_extended_negative = None
    _eval_is_extended_nonnegative = _eval_is_extended_nonpositive = None

    def _eval_evalf(self, prec: int) -> None:
        """No value: sympy's would count an empty range negatively."""


class Sum(_Untold, sp.Sum):
    """A sum over whole numbers, zero over an empty range."""


class Product(_Untold, sp.Product):
    """A product over whole numbers, one over an empty range."""


#: What stands for an operation of sympy's.
_OWN: dict[type, type] = {sp.Sum: Sum, sp.Product: Product, sp.floor: floor, sp.ceiling: ceiling, sp.Mod: Mod}


def owned(node: Any) -> Any:
    """A formula with own nodes for sympy's sums, products and roundings, otherwise as written."""
    if not any(type(part) in _OWN for part in sp.preorder_traversal(node)):
        return node
    parts = [owned(part) for part in node.args]
    if isinstance(node, (sp.Sum, sp.Product)):
        return _OWN.get(type(node), type(node))(*parts)
    if type(node) in _OWN:
        return _OWN[type(node)](*parts, evaluate=False)
    if isinstance(node, (sp.Tuple, sp.functions.elementary.piecewise.ExprCondPair, VectorEntry, Each)):
        return node.func(*parts)
    return node.func(*parts, evaluate=False)

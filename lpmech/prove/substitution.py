"""Values in place of symbols, without letting sympy compare what it would have to evaluate numerically.

`subs` rebuilds every relation, and sympy decides a relation between numbers by digits: of a sum over binomials it first
takes derivatives, for minutes. Here sums and products between numbers are written out before a relation sees them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from lpmech.errors import UndecidedError
from lpmech.prove.vectors import Each

__all__ = ["put_in"]

_MOST_TERMS = 5000


def put_in(node: Any, values: Mapping[sp.Symbol, Any]) -> Any:
    """An expression or a formula with values in place of some symbols.

    Raises
    ------
    UndecidedError
        If a sum or a product has more than 5,000 terms then.
    """
    if isinstance(node, (sp.Sum, sp.Product, Each)):
        return _repeated(node, values)
    if not node.free_symbols & values.keys():
        return node
    if isinstance(node, sp.Symbol):
        return sp.sympify(values[node])
    return node.func(*(put_in(part, values) for part in node.args))


def _repeated(node: Any, values: Mapping[sp.Symbol, Any]) -> Any:
    """From the outermost index to the innermost: the ends of one may depend on those outside."""
    *inner, (index, lower, upper) = node.limits
    body = node.func(node.function, *inner) if inner else node.function
    ends = put_in(lower, values), put_in(upper, values)
    if not all(end.is_Integer for end in ends):
        inside = put_in(body, {s: v for s, v in values.items() if s != index})
        return node.func(inside, (index, *ends))
    first, last = map(int, ends)
    if last - first >= _MOST_TERMS:
        raise UndecidedError(f"{node} at {dict(values)}: more than {_MOST_TERMS} terms")
    terms = (put_in(body, {**values, index: sp.Integer(i)}) for i in range(first, last + 1))
    return (sp.Add if isinstance(node, sp.Sum) else sp.And if isinstance(node, Each) else sp.Mul)(*terms)

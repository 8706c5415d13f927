"""Relations of rational functions as relations of polynomials: denominators multiplied out."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from lpmech.errors import UndecidedError
from lpmech.prove.coefficients import no_negative_coefficient
from lpmech.prove.polynomials import Ring

__all__ = ["cleared"]


def cleared(formula: Boolean, hypotheses: Sequence[Boolean]) -> Boolean:
    """The formula with every denominator multiplied out, equivalent wherever no denominator is zero.

    A denominator whose sign the coefficients show is left out, any other becomes a factor: n/d > 0 iff n d > 0.
    """
    replaced = {r: found for r in formula.atoms(Relational) if (found := _cleared(r, hypotheses)) is not None}
    return formula.xreplace(replaced) if replaced else formula


def _cleared(relation: Relational, hypotheses: Sequence[Boolean]) -> Boolean | None:
    difference = relation.lhs - relation.rhs
    symbols = sorted(difference.free_symbols, key=str)
    if difference.is_polynomial(*symbols) or not difference.is_rational_function(*symbols):
        return None
    ring = Ring(symbols)
    try:
        numerator, denominator = map(ring.expression, ring.quotient(difference))
    except UndecidedError:
        return None
    if not isinstance(relation, (sp.Eq, sp.Ne)) and not no_negative_coefficient(hypotheses, denominator > 0):
        numerator = -numerator if no_negative_coefficient(hypotheses, denominator < 0) else numerator * denominator
    return relation.func(numerator, 0)

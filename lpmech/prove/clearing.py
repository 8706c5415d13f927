"""Relations of rational functions as relations of polynomials: denominators multiplied out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from lpmech.errors import UndecidedError
from lpmech.prove.coefficients import Coefficients, no_negative_coefficient
from lpmech.prove.polynomials import Ring

__all__ = ["Cleared", "cleared", "clearing"]


@dataclass(frozen=True, eq=False)
class Cleared:
    """A formula with every denominator multiplied out.

    Attributes
    ----------
    formula : sympy Boolean
        Equivalent to the given one wherever no denominator is zero.
    signs : tuple of Coefficients
        The signs of the denominators that are left out.
    """

    formula: Boolean
    signs: tuple[Coefficients, ...] = ()


def cleared(formula: Boolean, hypotheses: Sequence[Boolean]) -> Boolean:
    """The formula of `clearing`."""
    return clearing(formula, hypotheses).formula


def clearing(formula: Boolean, hypotheses: Sequence[Boolean]) -> Cleared:
    """The formula with every denominator multiplied out, equivalent wherever no denominator is zero.

    A denominator whose sign the coefficients show is left out, any other becomes a factor: n/d > 0 iff n d > 0.
    """
    found = {r: f for r in formula.atoms(Relational) if (f := _cleared(r, hypotheses)) is not None}
    if not found:
        return Cleared(formula)
    replaced = {relation: part.formula for relation, part in found.items()}
    return Cleared(formula.xreplace(replaced), tuple(sign for part in found.values() for sign in part.signs))


def _cleared(relation: Relational, hypotheses: Sequence[Boolean]) -> Cleared | None:
    difference = relation.lhs - relation.rhs
    symbols = sorted(difference.free_symbols, key=str)
    if difference.is_polynomial(*symbols) or not difference.is_rational_function(*symbols):
        return None
    ring = Ring(symbols)
    try:
        numerator, denominator = map(ring.expression, ring.quotient(difference))
    except UndecidedError:
        return None
    if isinstance(relation, (sp.Eq, sp.Ne)):
        return Cleared(relation.func(numerator, 0))
    for sign, compared in ((1, denominator > 0), (-1, denominator < 0)):
        known = no_negative_coefficient(hypotheses, compared)
        if known is not None:
            return Cleared(relation.func(sign * numerator, 0), (known,))
    return Cleared(relation.func(numerator * denominator, 0))

"""What fails of a function that was followed in one real parameter: between its break points, and at them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.prove.rational_functions import as_rational, negative_point, nonzero_point
from lpmech.prove.trace import T
from lpmech.prove.traced import Traced, constant
from lpmech.statements.numbers import Requirement
from lpmech.statements.numeric import sign
from lpmech.statements.statement import NotFollowedError

__all__ = ["OUTSIDE", "failing", "failing_point"]

#: In place of a result: outside the hypotheses.
OUTSIDE = object()


def failing(requirements: Iterable[Requirement]) -> Requirement | None:
    """The first of requirements on exact numbers that fails."""
    for requirement in requirements:
        found = sign(requirement.left - requirement.right)
        if found < 0 or (found > 0 and requirement.relation == "=="):
            return requirement
    return None


def failing_point(requirements: Iterable[Requirement], lower: Any, upper: Any) -> Fraction | None:
    """The simplest of the rational points found of an interval at which requirements on rational functions fail."""
    differences = {(r.relation, _element(r.left) - _element(r.right)) for r in requirements}
    search = {"==": nonzero_point, ">=": negative_point}
    return _simplest(search[relation](difference, T, lower, upper) for relation, difference in differences)


def _simplest(points: Iterable[Fraction | None]) -> Fraction | None:
    """The one of smallest numerator and denominator: the same in every run, however a set is ordered."""
    found = [point for point in points if point is not None]
    return min(found, key=lambda point: (point.numerator + point.denominator, point), default=None)


def _element(number: Any) -> Any:
    """A number as an element of the field of rational functions."""
    if isinstance(number, Traced):
        return number.element
    if isinstance(number, float):
        raise NotFollowedError("floats in the result")
    exact = as_rational(number) if isinstance(number, (int, Fraction)) else sp.sympify(number)
    if not exact.is_Rational:
        raise NotFollowedError(f"{exact} is no rational function")
    return constant(exact)

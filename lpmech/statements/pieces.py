"""What fails of a function that was followed in one real parameter: between its break points, and at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.prove.rational_functions import as_rational, negative_point, nonzero_point
from lpmech.prove.trace import T, Trace
from lpmech.prove.traced import Traced, constant, parameter
from lpmech.prove.tracing import Cover, Piece, Raised
from lpmech.statements.numbers import Requirement
from lpmech.statements.numeric import fraction_of, sign
from lpmech.statements.statement import NotFollowedError

__all__ = ["OUTSIDE", "element", "failing", "failing_point", "simplest", "suspects", "t_of"]

#: In place of a result: outside the hypotheses.
OUTSIDE = object()


def failing(requirements: Iterable[Requirement]) -> str | None:
    """What fails first of requirements on exact numbers, told in its words."""
    for requirement in requirements:
        found = sign(requirement.left - requirement.right)
        if found < 0 or (found > 0 and requirement.relation == "=="):
            return requirement.told()
    return None


def failing_point(requirements: Iterable[Requirement], lower: Any, upper: Any) -> Fraction | None:
    """The simplest of the rational points found of an interval at which requirements on rational functions fail."""
    differences = {(r.relation, element(r.left) - element(r.right)) for r in requirements}
    search = {"==": nonzero_point, ">=": negative_point}
    return simplest(search[relation](difference, T, lower, upper) for relation, difference in differences)


def simplest(points: Iterable[Fraction | None]) -> Fraction | None:
    """The one of smallest numerator and denominator: the same in every run, however a set is ordered."""
    found = [point for point in points if point is not None]
    return min(found, key=lambda point: (point.numerator + point.denominator, point), default=None)


def element(number: Any) -> Any:
    """A number as an element of the field of rational functions."""
    if isinstance(number, Traced):
        return number.element
    if isinstance(number, float):
        raise NotFollowedError("floats in the result")
    return constant(as_rational(number) if isinstance(number, (int, Fraction)) else sp.sympify(number))


def t_of(root: int, piece: Piece) -> Traced:
    """The parameter on a piece."""
    return parameter(Trace(piece.point), root)


def suspects(cover: Cover, inside: Callable[[Piece], Fraction | None]) -> Iterator[Fraction]:
    """Rational values of the parameter at which something may fail.

    Of each piece a point where signs say so and the one at which it was run; then the break points.
    """
    for piece in cover.pieces:
        if piece.result is OUTSIDE:
            continue
        point = None if isinstance(piece.result, Raised) else inside(piece)
        if point is not None:
            yield point**cover.root
        yield fraction_of(piece.point**cover.root)
    yield from (fraction_of(spot.point**cover.root) for spot in cover.spots if spot.point.is_Rational)

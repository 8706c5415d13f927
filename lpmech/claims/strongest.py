"""The strongest counterexample of a refuted claim, beside the smallest one that its check tells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from typing import Any

from sympy.core.relational import Relational

from lpmech.claims.instance import Instance, apart
from lpmech.claims.self_test import FAILURES
from lpmech.errors import UndecidedError
from lpmech.prove.evaluate import Point, UndefinedError, holds_at, value_of
from lpmech.prove.language import Sequent
from lpmech.prove.search import candidate_points, relations_of, witness_at
from lpmech.verdicts import Outcome

__all__ = ["strongest"]

#: How many points of the hypotheses, values of a symbol, or further instances of a family, are looked at.
POINTS, REACH, INSTANCES = 400, 12, 2000


def strongest(outcome: Outcome) -> str | None:
    """What shows best that the claim is false, as far as looked; None where that is the counterexample itself.

    Of a relation, the point of its hypotheses at which its sides differ most, relative to the larger one, among the
    `POINTS` simplest; it is evaluated exactly and twice, as every counterexample. Of a family, likewise among the
    instances that fail, where the check tells both numbers of the smallest one (an `Instance`).
    """
    if isinstance(outcome.failed, Sequent):
        return _of_points(outcome.failed)
    return None if outcome.failed is None else _of_instances(outcome.failed)


def _of_points(statement: Sequent) -> str | None:
    failing: list[tuple[float, dict[Any, Any]]] = []
    looked_at = 0
    for point in candidate_points(statement, POINTS, REACH):
        looked_at += 1
        with suppress(UndecidedError):
            if not holds_at(statement.conclusion, point):
                failing.append((_violation(statement, point), point))
    for violation, point in sorted(failing, key=lambda pair: -pair[0]):  # the first of equals is the simplest
        if violation <= failing[0][0]:
            return None
        if (witness := witness_at(statement, point)) is not None:
            return f"{witness} (the strongest of {looked_at} points)"
    return None


def _violation(statement: Sequent, point: Point) -> float:
    """How far apart the sides of the relation are that fails at the point: 0 to 2, relative to the larger side."""
    for relation in relations_of(statement.conclusion):
        if not isinstance(relation, Relational) or holds_at(relation, point):
            continue
        try:
            left, right = (_fraction(value_of(side, point)) for side in (relation.lhs, relation.rhs))
        except (UndefinedError, UndecidedError):
            return 0.0
        return apart(left, right)
    return 0.0


def _fraction(value: Any) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(float(value.mid()))


def _of_instances(failing: Iterator[Instance | str | None]) -> str | None:
    first = next(failing, None)
    if not isinstance(first, Instance):  # the others are not gone through where there is nothing to compare with
        return None
    found: list[Instance | str] = [first]
    with suppress(*FAILURES):  # after an instance that fails, a check need not be able to go on
        found.extend(told for told in islice(failing, INSTANCES - 1) if told is not None)
    measured = [instance for instance in found if isinstance(instance, Instance)]
    strongest = max(measured, key=lambda instance: instance.apart)  # the first of equals is the smallest
    return None if strongest is first else f"{strongest.told} (the strongest of {len(found)} that fail)"

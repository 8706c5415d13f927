"""A statement followed in a real parameter, at values of the others: signs of rational functions, exactly.

Where functions cannot be followed they are called at the ladder of the domain, if it has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.errors import LpmechError, UndecidedError
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.traced import Traced
from lpmech.prove.tracing import Cover, Raised, UnfollowableError, cover
from lpmech.statements.comparing import compare
from lpmech.statements.domain import Domain, Parameter
from lpmech.statements.numbers import FLOATS
from lpmech.statements.numeric import fraction_of, numeric
from lpmech.statements.pieces import OUTSIDE, failing, failing_point
from lpmech.statements.statement import Confirm, FailsError, Found, NotFollowedError, Statement
from lpmech.statements.witness import DEFINED, Witness
from lpmech.terms import Apply, Name, names_in
from lpmech.verdicts import Verdict

__all__ = ["along"]

#: So many values of the other parameters are followed one by one; of whole numbers without end those up to a largest.
_MOST_FOLLOWED, _LARGEST_FOLLOWED = 40, 20


def along(statement: Statement, real: Parameter, confirm: Confirm) -> Found:
    """Signs of the functions of one real parameter between and at their break points."""
    __tracebackhide__ = True
    domain = statement.domain
    lower = _lower_bound(domain, real.name)
    if lower is None:
        raise NotFollowedError(f"{real.name} has no lower bound, as '{real.name} > 1' is one")
    others = [p for p in domain.parameters if p is not real]
    instances = domain.instances(others)
    if domain.ladder:
        return _on_all(statement, real, lower, instances, confirm)
    endless = {p.name for p in others if p.values is None}
    small = [at for at in instances if all(abs(at[name]) <= _LARGEST_FOLLOWED for name in endless)]
    followed = (small or instances)[:_MOST_FOLLOWED]
    for instance in followed:
        _along_instance(statement, real.name, lower, instance, confirm)
    whole = len(followed) == len(instances) and not endless
    return Found(Verdict.PROVED if whole else Verdict.CERTIFIED, domain.covered(real, followed, []), _HOW)


_HOW = "followed as rational functions, exact signs"


def _on_all(
    statement: Statement, real: Parameter, lower: Fraction, instances: list[dict[str, Any]], confirm: Confirm
) -> Found:
    """At every instance, at the ladder where it is not followed."""
    __tracebackhide__ = True
    domain = statement.domain
    followed: list[dict[str, Any]] = []
    called: list[dict[str, Any]] = []
    exact = True
    for instance in instances:
        try:
            if not statement.functions:
                raise NotFollowedError("it looks at more than values")
            if _along_instance(statement, real.name, lower, instance, confirm):
                followed.append(instance)
        except NotFollowedError:
            at = [domain.point({**instance, real.name: value}) for value in domain.ladder]
            inside = [point for point in at if domain.holds(point)]
            for point in inside:
                exact &= confirm(point)
            called += [instance] if inside else []
    if not followed and not called:
        raise UndecidedError("domain", str(domain), "one with a point among those that are tried")
    listed = all(p.values is not None for p in domain.parameters if p is not real)
    whole = listed and not called and not any("prior" in instance for instance in instances)
    how = ", ".join([*([_HOW] if followed else []), *(["exact arithmetic" if exact else FLOATS] if called else [])])
    verdict = Verdict.SUPPORTED if not exact else Verdict.PROVED if whole else Verdict.CERTIFIED
    return Found(verdict, domain.covered(real, followed, called), how)


def _along_instance(
    statement: Statement, real: str, lower: Fraction, instance: Mapping[str, Any], confirm: Confirm
) -> bool:
    """Whether the hypotheses leave a value there."""
    __tracebackhide__ = True
    domain = statement.domain
    shift = as_rational(lower - 1)

    def program(s: Any) -> Any:
        at = {**instance, real: s + shift if shift else s}
        return statement.at(at) if domain.holds(at) else OUTSIDE

    at_end = domain.point({**instance, real: lower})
    if domain.holds(at_end):
        confirm(at_end)
    try:
        found = cover(program)
    except (UnfollowableError, LpmechError, TypeError, RecursionError) as exc:
        raise NotFollowedError(f"{exc}") from exc
    _as_called(found, statement, real, shift, instance)
    for piece in found.pieces:
        if piece.result is OUTSIDE:
            continue
        raised = isinstance(piece.result, Raised)
        point = fraction_of(piece.point) if raised else failing_point(piece.result[0], piece.lower, piece.upper)
        if point is not None:
            failing_at = domain.point({**instance, real: point**found.root + lower - 1})
            confirm(failing_at)
            told = f"the function that was followed fails at {failing_at}, the one that is called does not"
            raise NotFollowedError(told, 1)
    for spot in found.spots:
        if spot.point.is_Rational:
            value = fraction_of(spot.point**found.root) + lower - 1
            at_spot = domain.point({**instance, real: value})
            if domain.holds(at_spot):
                confirm(at_spot)
        elif spot.result is not OUTSIDE:
            at = domain.point({**instance, real: sp.expand(spot.point**found.root + shift)})
            witness = _at_spot(spot.result, at)
            if witness is not None:
                raise FailsError(witness)
    return any(piece.result is not OUTSIDE for piece in found.pieces)


def _at_spot(result: Any, point: Mapping[str, Any]) -> Witness | None:
    """What fails at an irrational break point, to which the functions were followed."""
    if isinstance(result, Raised):
        return Witness(point, DEFINED, place={"told": f"not defined ({result})"})
    failed = failing(result[0])
    return None if failed is None else Witness.of(failed, point)


def _as_called(found: Cover, statement: Statement, real: str, shift: Any, instance: Mapping[str, Any]) -> None:
    """Raise where the functions, called at points of the domain, are not what was followed."""
    domain = statement.domain
    pieces = [p for p in found.pieces if p.result is not OUTSIDE and not isinstance(p.result, Raised)]
    met = [as_rational(p[real]) - shift for p in domain.points if all(p[n] == v for n, v in instance.items())][:3]
    for s in [piece.point for piece in pieces] + (met if found.root == 1 else [sp.Integer(2), sp.Integer(3)]):
        piece = next((p for p in pieces if p.lower < s < p.upper), None)
        at = {**instance, real: fraction_of(s**found.root + shift)}
        if piece is not None and domain.holds(at):
            followed = [fraction_of(v.at(s)) if type(v) is Traced else v for v in piece.result[1]]
            compare(followed, statement, at, [0.0] * len(followed))


def _lower_bound(domain: Domain, name: str) -> Fraction | None:
    """The largest number that the hypotheses say a parameter to be above."""
    bounds = []
    for _, node in domain.conditions:
        for part in node.arguments if isinstance(node, Apply) and node.operation == "and" else (node,):
            match part:
                case Apply(">" | ">=", (Name(left), bound)) | Apply("<" | "<=", (bound, Name(left))) if left == name:
                    if not names_in(bound):
                        bounds.append(fraction_of(numeric(bound, {})) if numeric(bound, {}).is_Rational else None)
    return max((b for b in bounds if b is not None), default=None)

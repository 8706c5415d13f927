"""A statement followed in its one real parameter, at values of the others: signs of rational functions, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy as sp

from lpmech.errors import LpmechError
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.traced import Traced
from lpmech.prove.tracing import Cover, Raised, UnfollowableError, cover
from lpmech.statements.comparing import compare, instances_of
from lpmech.statements.domain import Domain, Parameter
from lpmech.statements.numeric import fraction_of, numeric
from lpmech.statements.pieces import OUTSIDE, failing, failing_point
from lpmech.statements.statement import Confirm, FailsError, Found, NotFollowedError, Statement
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
    instances = instances_of(domain, others)
    endless = {p.name for p in others if p.values is None}
    small = [at for at in instances if all(abs(at[name]) <= _LARGEST_FOLLOWED for name in endless)]
    followed = (small or instances)[:_MOST_FOLLOWED]
    for instance in followed:
        _along_instance(statement, real.name, lower, instance, confirm)
    whole = len(followed) == len(instances) and all(p.values is not None for p in others)
    at = "" if not others else f" at {_named(followed)}"
    texts = [text for text, node in domain.conditions if names_in(node) == {real.name}]
    where = f" with {', '.join(texts)}" if texts else ""
    evidence = f"for all {real.name}{where}{at}: followed as rational functions, exact signs"
    return Found(Verdict.PROVED if whole else Verdict.CERTIFIED, evidence)


def _along_instance(
    statement: Statement, real: str, lower: Fraction, instance: Mapping[str, Fraction], confirm: Confirm
) -> None:
    __tracebackhide__ = True
    domain = statement.domain
    shift = as_rational(lower - 1)

    def program(s: Any) -> Any:
        at = {**instance, real: s + shift if shift else s}
        return statement.at(at) if domain.holds(at) else OUTSIDE

    at_end = {**instance, real: lower}
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
            failing_at = {**instance, real: point**found.root + lower - 1}
            confirm(failing_at)
            told = f"the function that was followed fails at {failing_at}, the one that is called does not"
            raise NotFollowedError(told, 1)
    for spot in found.spots:
        if spot.point.is_Rational:
            value = fraction_of(spot.point**found.root) + lower - 1
            if domain.holds({**instance, real: value}):
                confirm({**instance, real: value})
        elif spot.result is not OUTSIDE and (isinstance(spot.result, Raised) or failing(spot.result[0]) is not None):
            where = sp.N(spot.point**found.root + shift, 12)
            told = f"it fails at the break point {real} = {where}, an irrational number, to which it was followed"
            raise FailsError(told, instance)


def _as_called(found: Cover, statement: Statement, real: str, shift: Any, instance: Mapping[str, Fraction]) -> None:
    """Raise where the functions, called at points of the domain, are not what was followed."""
    domain = statement.domain
    if found.root != 1:
        values = [Fraction(k) ** found.root for k in (2, 3)]
    else:
        values = [p[real] for p in domain.points if all(p[n] == v for n, v in instance.items())][:3]
    for value in values:
        at = {**instance, real: value}
        if not domain.holds(at):
            continue
        s = as_rational(value) - shift
        s = sp.Integer(round(float(s) ** (1 / found.root))) if found.root != 1 else s
        piece = next((p for p in found.pieces if p.lower < s < p.upper), None)
        if piece is None or piece.result is OUTSIDE or isinstance(piece.result, Raised):
            continue
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


def _named(instances: list[dict[str, Fraction]]) -> str:
    names = list(instances[0])
    parts = []
    for name in names:
        values = sorted({at[name] for at in instances})
        run = len(values) > 2 and all(b - a == 1 for a, b in pairwise(values))
        parts.append(f"{name} = {values[0]}..{values[-1]}" if run else f"{name} = {', '.join(map(str, values))}")
    return ", ".join(parts)

"""A statement about a user's functions: called at points of the domain, and followed for all of them if that goes.

A failure is one of the functions as they were called. Where floats fail, the formula that was followed is asked at the
same point: what holds there as a formula, and is missed by as much as rounding explains, is told and is no failure.
What is followed, by tracing a real parameter (`lpmech.prove.tracing`) or by recording all of them
(`lpmech.statements.recording`), makes the verdict stronger, or finds the point at which the functions then fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lpmech.statements.besides import Besides
from lpmech.statements.following import RaisedError
from lpmech.statements.numbers import TOLERANCE, Requirement
from lpmech.statements.statement import FailsError, Found, NotFollowedError, Statement
from lpmech.verdicts import Verdict

__all__ = ["settle"]

#: So many entries of matrices are called for each choice of the whole parameters.
_MOST_ENTRIES = 2500


@dataclass
class _Calls:
    """The points at which the functions were called."""

    points: int = 0
    exact: bool = True
    excess: float = 0.0
    missed: str = ""

    @property
    def how(self) -> str:
        """How numbers were compared."""
        return "exact arithmetic" if self.exact else f"floats, up to rounding {TOLERANCE:g}; exactly: not checked"


def settle(statement: Statement, floats_count: bool = False) -> Found:
    """The verdict on a statement.

    Parameters
    ----------
    statement : Statement
    floats_count : bool
        Whether what floats miss by rounding is a failure, though it holds as a formula.

    Raises
    ------
    FailsError
        If it is false at a point.
    """
    __tracebackhide__ = True
    besides = Besides(getattr(called, "function", called) for called in (*statement.functions, *statement.only_called))
    calls = _called(statement)
    found = _found(statement, calls)
    if found.verdict is Verdict.PROVED and (more := besides.told()):
        verdict = Verdict.CERTIFIED if calls.exact else Verdict.SUPPORTED
        found = Found(verdict, f"{found.evidence}; not for all parameters: besides its arguments it {more}")
    if not calls.missed:
        return found
    if floats_count:
        raise FailsError(f"{calls.missed}; as a formula it holds: {found.evidence}", {})
    return Found(found.verdict, f"{found.evidence}; {calls.missed}")


def _found(statement: Statement, calls: _Calls) -> Found:
    __tracebackhide__ = True
    domain, exact = statement.domain, calls.exact
    if not domain.parameters:
        verdict = Verdict.PROVED if exact else Verdict.SUPPORTED
        return Found(verdict, f"{calls.how} on every entry" if exact else calls.how)
    if domain.is_finite and exact:
        return Found(Verdict.PROVED, f"called at all {calls.points} points of {domain}: {calls.how}")
    sampled = f"called at {'all ' if domain.is_finite else ''}{calls.points} points: {calls.how}"
    weaker = Verdict.CERTIFIED if exact else Verdict.SUPPORTED
    if not statement.functions:
        return Found(weaker, f"{sampled}; of {domain}")

    def confirmed(point: Mapping[str, Fraction]) -> None:
        __tracebackhide__ = True
        _call(statement, point, _Calls())

    from lpmech.statements.for_all import proof

    try:
        found = proof(statement, confirmed)
    except NotFollowedError as exc:
        return Found(weaker, f"{sampled}; not for all {domain}: {exc}")
    formula = "" if exact else ", of the formula in real arithmetic"
    return Found(found.verdict, f"{found.evidence}{formula}; {sampled}")


def _called(statement: Statement) -> _Calls:
    """Call the functions at points, the simplest first; where matrices are large, at fewer of them."""
    __tracebackhide__ = True
    domain, calls = statement.domain, _Calls()
    whole = [p.name for p in domain.parameters if p.whole]
    entries: dict[tuple[Any, ...], int] = {}
    for point in domain.points if domain.parameters else ({},):
        sizes = tuple(point[name] for name in whole)
        if entries.get(sizes, 0) < _MOST_ENTRIES or domain.is_finite:
            entries[sizes] = entries.get(sizes, 0) + _call(statement, point, calls)
    return calls


def _call(statement: Statement, point: Mapping[str, Fraction], calls: _Calls) -> int:
    """Call the functions at a point; how many requirements there were."""
    __tracebackhide__ = True
    asked = 0
    try:
        for requirement in statement.requirements(point):
            asked += 1
            calls.exact &= requirement.is_exact
            if not requirement.holds:
                missed = None if requirement.is_exact else _missed(statement, point, requirement)
                if missed is None:
                    raise FailsError(requirement.told(), point)
                if missed > calls.excess:
                    where = ", ".join(f"{name} = {value}" for name, value in point.items())
                    verb = "differs" if requirement.relation == "==" else "exceeds"
                    calls.excess, calls.missed = missed, f"in floats it {verb} by {missed:.2g} at {where}"
                if missed:
                    break
    except RaisedError as exc:
        raise FailsError(str(exc), point) from None
    calls.points += 1
    return asked


def _missed(statement: Statement, point: Mapping[str, Fraction], failing: Requirement) -> float | None:
    """By how much floats miss what holds as a formula; zero if the terms of a sum explain it, None if nothing does."""
    from lpmech.statements.rounding import excess_by_rounding

    try:
        return excess_by_rounding(statement, point)
    except NotFollowedError:
        return 0.0 if failing.holds_beside(failing.scale) else None

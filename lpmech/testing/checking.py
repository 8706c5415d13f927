"""A statement about a user's functions: called at points of the domain, then followed for all of them if that goes.

A failure is always one of the functions as they were called. What is followed, by tracing a real parameter
(`lpmech.prove.tracing`) or by recording all of them (`lpmech.testing.recording`), can only make the verdict stronger,
or find the point at which the functions then fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from lpmech.testing.domain import Domain
from lpmech.testing.following import Called, RaisedError
from lpmech.testing.numbers import Requirements
from lpmech.testing.results import TOLERANCE, Checked, FailedAssertionError
from lpmech.verdicts import Verdict

__all__ = ["checked", "failure_at"]


def checked(
    statement: str,
    domain: Domain,
    requirements: Requirements,
    functions: Sequence[Called] = (),
    seconds: float = 2.0,
) -> Checked:
    """Check a statement on a domain.

    Parameters
    ----------
    statement : str
        What is asserted.
    domain : Domain
    requirements : callable
        Gives what has to hold, for numbers of any kind.
    functions : sequence of Called
        What it is about, to be followed for all parameters; none where that cannot be, as programs have to be solved.
    seconds : float
        For each question to the prover.

    Raises
    ------
    FailedAssertionError
        If it is false at a point.
    """
    __tracebackhide__ = True
    exact = True
    points = domain.points if domain.parameters else ({},)
    for point in points:
        failure, exactly = _at(requirements, point)
        if failure is not None:
            raise FailedAssertionError(statement, failure, point)
        exact &= exactly
    how = "exact arithmetic" if exact else f"floats, up to rounding {TOLERANCE:g}; exactly: not checked"
    if not domain.parameters:
        verdict = Verdict.PROVED if exact else Verdict.SUPPORTED
        return Checked(statement, verdict, f"{how} on every entry" if exact else how)
    if domain.is_finite:
        every = f"called at all {len(points)} points of {domain}: {how}"
        return Checked(statement, Verdict.PROVED if exact else Verdict.SUPPORTED, every)
    sampled = f"called at {len(points)} points: {how}"
    weaker = Verdict.CERTIFIED if exact else Verdict.SUPPORTED
    if not functions:
        return Checked(statement, weaker, f"{sampled}; of {domain}")

    def confirmed(point: Mapping[str, Fraction]) -> None:
        __tracebackhide__ = True
        failure = failure_at(requirements, point)
        if failure is not None:
            raise FailedAssertionError(statement, failure, point)

    from lpmech.testing.for_all import NotFollowedError, Statement, proof

    try:
        found = proof(Statement(statement, domain, requirements, functions, seconds), confirmed)
    except NotFollowedError as exc:
        return Checked(statement, weaker, f"{sampled}; not for all {domain}: {exc}")
    formula = "" if exact else ", of the formula in real arithmetic"
    return Checked(statement, found.verdict, f"{found.evidence}{formula}; {sampled}")


def failure_at(requirements: Requirements, point: Mapping[str, Any]) -> str | None:
    """What fails at a point, or None."""
    return _at(requirements, point)[0]


def _at(requirements: Requirements, point: Mapping[str, Any]) -> tuple[str | None, bool]:
    exact = True
    try:
        for requirement in requirements(point):
            if not requirement.holds:
                return requirement.told(), exact
            exact &= requirement.is_exact
    except RaisedError as exc:
        return str(exc), exact
    return None, exact

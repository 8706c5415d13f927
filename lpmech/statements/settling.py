"""A statement about a user's functions: called at points of the domain, and followed for all of them if that goes.

A failure is one of the functions as they were called. Where floats fail, the formula that was followed is asked at the
same point: what holds there as a formula, and is missed by as much as rounding explains, is told and is no failure.
What is followed, by tracing a real parameter (`lpmech.prove.tracing`) or by recording all of them
(`lpmech.statements.recording`), makes the verdict stronger, or finds the point at which the functions then fail.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from lpmech.statements.besides import Besides
from lpmech.statements.following import RaisedError
from lpmech.statements.numbers import FLOATS, Requirement
from lpmech.statements.statement import FailsError, Found, NotFollowedError, Statement
from lpmech.statements.witness import DEFINED, Witness
from lpmech.verdicts import Verdict

__all__ = ["Calls", "call", "settle"]

#: So many entries of matrices are called for each choice of the whole parameters.
_MOST_ENTRIES = 2500
#: So many entries are called at numbers that stand in the code of functions.
_MOST_WRITTEN = 50_000
#: So many simple values are tried in place of the one at which something fails.
_MOST_TRIED = 80


@dataclass
class Calls:
    """The points at which the functions were called."""

    points: int = 0
    exact: bool = True
    excess: float = 0.0
    missed: Witness | None = None

    @property
    def told(self) -> str:
        """By how much floats miss what holds as a formula, and where."""
        assert self.missed is not None
        verb = "differs" if self.missed.relation == "==" else "exceeds"
        return f"in floats it {verb} by {self.excess:.2g} at {self.missed.where}"

    @property
    def how(self) -> str:
        """How numbers were compared."""
        return "exact arithmetic" if self.exact else FLOATS


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
    asked = (*statement.functions, *statement.only_called)
    besides = Besides(called.function for called in asked if not called.is_formula)
    try:
        calls = _called(statement)
        found = _found(statement, calls)
    except FailsError as exc:
        raise FailsError(_simpler(statement, exc.witness), exc.note) from None
    if (found.verdict is Verdict.PROVED or found.labels) and (more := besides.told()):
        verdict = Verdict.CERTIFIED if calls.exact else Verdict.SUPPORTED
        notes = f"{found.notes}; not for all parameters: besides its arguments it {more}"
        found = replace(found, verdict=verdict, notes=notes, labels=())
    if calls.missed is None:
        return found
    if floats_count:
        raise FailsError(calls.missed, f"{calls.told}; as a formula it holds: {found.evidence}")
    return replace(found, notes=f"{found.notes}; {calls.told}")


def _found(statement: Statement, calls: Calls) -> Found:
    __tracebackhide__ = True
    domain, exact = statement.domain, calls.exact
    if not domain.parameters:
        verdict = Verdict.PROVED if exact else Verdict.SUPPORTED
        return Found(verdict, "", f"{calls.how} on every entry" if exact else calls.how)
    if domain.is_finite and exact:
        return Found(Verdict.PROVED, f"called at all {calls.points} points of {domain}", calls.how)
    sampled = f"called at {'all ' if domain.is_finite else ''}{calls.points} points: {calls.how}"
    weaker = Verdict.CERTIFIED if exact else Verdict.SUPPORTED
    if not (statement.functions or domain.ladder):
        return Found(weaker, sampled, "", f"; of {domain}")

    def confirmed(point: Mapping[str, Any]) -> bool:
        __tracebackhide__ = True
        here = Calls()
        call(statement, point, here)
        return here.exact

    from lpmech.statements.for_all import proof

    try:
        found = proof(statement, confirmed)
    except NotFollowedError as exc:
        return Found(weaker, sampled, "", f"; not for all {domain}: {exc}")
    formula = "" if exact or found.verdict is Verdict.SUPPORTED else ", of the formula in real arithmetic"
    return replace(found, notes=f"{found.notes}{formula}", sampled=f"; {sampled}")


def _called(statement: Statement) -> Calls:
    """Call the functions at points, the simplest first, then at numbers of their code; of large matrices at fewer."""
    __tracebackhide__ = True
    domain, calls = statement.domain, Calls()
    whole = [p.name for p in domain.parameters if p.whole]
    entries: dict[tuple[Any, ...], int] = {}
    for point in domain.points if domain.parameters else ({},):
        sizes = tuple(point[name] for name in whole)
        if entries.get(sizes, 0) < _MOST_ENTRIES or domain.is_finite:
            entries[sizes] = entries.get(sizes, 0) + call(statement, point, calls)
    asked = 0
    for point in filter(domain.is_named, statement.written):
        asked += call(statement, point, calls) if asked < _MOST_WRITTEN else 0
    return calls


def call(statement: Statement, point: Mapping[str, Fraction], calls: Calls) -> int:
    """Call the functions at a point; how many requirements there were."""
    __tracebackhide__ = True
    asked = 0
    try:
        for requirement in statement.requirements(point):
            asked += 1
            calls.exact &= requirement.is_exact
            if not requirement.holds:
                witness = Witness.of(requirement, point)
                missed = None if requirement.is_exact else _missed(statement, point, requirement)
                if missed is None:
                    raise FailsError(witness)
                if missed > calls.excess:
                    calls.excess, calls.missed = missed, witness
                if missed:
                    break
    except RaisedError as exc:
        raise FailsError(Witness(dict(point), DEFINED, place={"told": str(exc)})) from None
    calls.points += 1
    return asked


def _simpler(statement: Statement, witness: Witness) -> Witness:
    """The witness, or one of the same requirement that is easier to check: at whole numbers, squares, quotients.

    One parameter after the other takes the simplest value near its own at which the requirement fails as well.
    """
    for parameter in sorted(statement.domain.parameters, key=lambda p: not p.whole):
        own = witness.point.get(parameter.name)
        if parameter.values is not None or type(own) is not Fraction:
            continue
        below = [Fraction(value) for value in range(min(_MOST_TRIED, math.ceil(own)))]
        simple = sorted({*_near(own), *statement.domain.ladder} - {own}, key=lambda v: (_length(v), v))
        for value in below if parameter.whole else simple[:_MOST_TRIED]:
            simpler = _length(value) < _length(own)
            point = {**witness.point, parameter.name: value}
            if (simpler or not witness.is_nice) and statement.domain.holds(point):
                try:
                    call(statement, point, Calls())
                except FailsError as exc:
                    if exc.witness.requirement == witness.requirement and exc.witness.is_nice:
                        witness = exc.witness
                        break
    return witness


def _near(value: Fraction) -> set[Fraction]:
    """Simple numbers near a number: quotients, decimals above a whole number, squares, decades below."""
    found = {Fraction(round_off(value * d), d) for d in range(1, 16) for round_off in (math.floor, math.ceil)}
    found |= {math.floor(value) + Fraction(1, 10**digits) for digits in range(1, 7)}
    root = math.isqrt(max(0, math.floor(value)))
    found |= {Fraction(r * r) for r in range(max(0, root - 1), root + 4)}
    decades = {Fraction(first * 10**k) for k in range(len(str(math.floor(abs(value))))) for first in (1, 2, 5)}
    return found | {decade for decade in decades if decade < value}


def _length(value: Fraction) -> int:
    """How long a number is for people: a decimal is short."""
    digits, size = len(str(value.denominator)) - 1, abs(value.numerator) + value.denominator
    return abs(value.numerator) // value.denominator + 10 * digits if value.denominator == 10**digits > 1 else size


def _missed(statement: Statement, point: Mapping[str, Fraction], failing: Requirement) -> float | None:
    """By how much floats miss what holds as a formula; zero if the terms of a sum explain it, None if nothing does."""
    from lpmech.statements.rounding import excess_by_rounding

    try:
        return excess_by_rounding(statement, point)
    except NotFollowedError:
        return 0.0 if failing.holds_beside(failing.scale) else None

"""What is remembered while a program runs on numbers that stand for functions of t (`lpmech.prove.traced`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

import sympy as sp

from lpmech.errors import InvalidInputError
from lpmech.prove.evaluate import sign_of

__all__ = ["BreakPoint", "NeedsRoot", "T", "Trace", "UnfollowableError", "runs", "running"]

#: The symbol of traced functions: t itself where no roots are taken, else s with t = s^k.
T = sp.Symbol("t")


class UnfollowableError(sp.SympifyError, TypeError):
    """A program does something with t that is no arithmetic, root of a power of t, or comparison."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        return f"{self.what} of the number t"


class BreakPoint(BaseException):
    """Two sides of a comparison meet at the very point at which a program is traced."""


class NeedsRoot(BaseException):
    """A root of t is taken that is no power of s."""

    def __init__(self, degree: int) -> None:
        super().__init__(degree)
        self.degree = degree


@dataclass
class Trace:
    """Where numbers stand, and the functions whose signs were asked for."""

    point: sp.Expr
    on_break_point: bool = False
    conditions: dict[Any, None] = field(default_factory=dict)
    ended: BaseException | None = None

    def end(self, reason: BaseException) -> NoReturn:
        """Raise, and remember the first reason: the program may catch what is raised."""
        self.ended = self.ended or reason
        raise reason

    def lose(self, what: str) -> NoReturn:
        """End a trace that cannot be followed."""
        self.end(UnfollowableError(what))

    def used(self) -> None:
        """A program uses a number of this trace.

        Raises
        ------
        InvalidInputError
            If another trace is running: the number was kept from an earlier call.
        """
        if _RUNNING and _RUNNING[-1] is not self:
            kept = "a number t, or a result, of an earlier call with other arguments"
            _RUNNING[-1].end(InvalidInputError("conjecture", kept, "functions of their arguments alone"))

    @cached_property
    def _minimal(self) -> sp.Poly | None:
        """The minimal polynomial of an irrational point; signs are then decided there, too."""
        return None if self.point.is_Rational else sp.Poly(sp.minimal_polynomial(self.point, T), T)

    def sign(self, element: Any) -> int:
        """The sign of a function at the point.

        Raises
        ------
        BreakPoint
            If it is zero or a pole there, and the point is not meant to be a break point.
        """
        self.used()
        if element == 0:
            return 0
        if not (element.numer.is_ground and element.denom.is_ground):
            self.conditions[element] = None
        sign = self._sign_of(element.numer) * self._sign_of(element.denom)
        if sign == 0 and not self.on_break_point:
            self.end(BreakPoint())
        return sign

    def _sign_of(self, polynomial: Any) -> int:
        if self._minimal is None:
            return int(sp.sign(polynomial.evaluate(0, self.point)))
        rest = sp.Poly(polynomial.as_expr(), T, domain="QQ").rem(self._minimal)
        return 0 if rest.is_zero else sign_of(rest.as_expr(), {T: self.point})


#: The trace of the program that runs now, in whatever thread it asks; within it, others.
_RUNNING: list[Trace] = []


@contextmanager
def running(trace: Trace) -> Iterator[None]:
    """Run a program: numbers of other traces than this one are then refused."""
    _RUNNING.append(trace)
    try:
        yield
    finally:
        _RUNNING.pop()


def runs() -> bool:
    """Whether a program runs, so that it may be the program that asks."""
    return bool(_RUNNING)

"""A function of a conjecture, run on an instance: for all t at once, or at one t."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.conjectures.instances import arguments, arguments_inside, inside
from lpmech.conjectures.source import Conjecture
from lpmech.errors import InvalidInputError, LpmechError, SolverError, UndecidedError
from lpmech.prove.counterexamples import Instance
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.trace import Trace, running
from lpmech.prove.traced import Traced
from lpmech.prove.tracing import Cover, Raised, UnfollowableError, cover
from lpmech.statements.numeric import sign
from lpmech.statements.pieces import OUTSIDE
from lpmech.statements.whole import Whole

__all__ = ["Followed"]

#: Numbers t that are given to a user's function as sympy's and as Python's numbers, the largest one first.
_KINDS = (Fraction(10**9), Whole(2), Fraction(3, 2))
#: Where a formula that was followed is compared with the function: s, where t = s^k.
_COMPARED = (sp.Integer(10**6), sp.Integer(3), sp.Rational(5, 2))


class Followed:
    """A function of a conjecture, with what it does on each instance remembered.

    Parameters
    ----------
    conjecture : Conjecture
    name : {"channel", "value"}
        Which function.
    """

    def __init__(self, conjecture: Conjecture, name: str):
        self.conjecture = conjecture
        self._name = name
        self._function: Callable[[dict[str, Any]], Any] = getattr(conjecture, name)
        self._covers: dict[Instance, Cover | None] = {}
        self._ran = False

    def at(self, instance: Instance) -> Any:
        """The result at the instance's own t, or `Raised`.

        Raises
        ------
        LpmechError
            If the result is not what it should be.
        """
        result = self._plain(instance, as_rational(instance.ratio))
        if isinstance(result, Raised) and isinstance(result.error, TypeError):
            again = self._or_raised(instance, instance.ratio)  # sympy's numbers are not multiplied with True
            result = result if isinstance(again, Raised) else again
        if isinstance(result, Raised):
            return self._judged(result, instance)
        self._ran = True
        return result

    def cover(self, instance: Instance) -> Cover | None:
        """What it does for all t > 1, or None if it cannot be followed; the ratio of the instance is not used.

        Raises
        ------
        LpmechError
            If a result is not what it should be.
        """
        key = Instance(Fraction(2), instance.counts, None, instance.parameters)
        if key not in self._covers:
            self._covers[key] = self._cover(key)
        return self._covers[key]

    def _cover(self, instance: Instance) -> Cover | None:
        def program(t: Any) -> Any:
            at = arguments(instance, t)
            return self._function(at) if arguments_inside(self.conjecture, at) else OUTSIDE

        try:
            found = cover(program) if self.conjecture.followable else None
        except (UnfollowableError, SolverError, TypeError):
            found = None
        again = self if self.conjecture.afresh is None else Followed(self.conjecture.afresh(), self._name)
        self._compare_kinds(instance, again)  # not before: what keeps its first t must not keep a plain one
        if found is None:
            return None
        results = [p.result for p in found.pieces] + [s.result for s in found.spots]
        for result in results:
            if isinstance(result, Raised) and isinstance(result.error, LpmechError):
                if isinstance(result.error, UndecidedError):
                    return None
                raise result.error
        if any(map(_has_irrational, results)):  # no function of the field of rational functions over the rationals
            return None
        if self._only_traced_fails(found, instance) or not again._as_called(found, instance):
            return None
        if all(isinstance(result, Raised) for result in results):
            self._judged(results[0], instance)
        self._ran = True
        return found

    def _only_traced_fails(self, found: Cover, instance: Instance) -> bool:
        """Whether the program raises where it runs well with a plain number."""
        ratios = [p.point**found.root for p in found.pieces if isinstance(p.result, Raised)]
        return any(not isinstance(self._plain(instance, as_rational(ratio)), Raised) for ratio in ratios)

    def _as_called(self, found: Cover, instance: Instance) -> bool:
        """Whether the function, called with plain numbers, gives the formula that was followed."""
        for point in () if self.conjecture.expressions else _COMPARED:
            formula = next((p.result for p in found.pieces if p.lower < point < p.upper), OUTSIDE)
            plain = self._or_raised(instance, point**found.root)
            if formula is not OUTSIDE and not isinstance(plain, Raised) and _differ(formula, plain, point):
                return False
        return True

    def _compare_kinds(self, instance: Instance, again: Followed) -> None:
        """Refuse a function whose result depends on the type of t, or on more than its arguments."""
        for t in () if self.conjecture.expressions else _KINDS:
            if inside(self.conjecture, replace(instance, ratio=Fraction(t))):
                plain, other = self._or_raised(instance, as_rational(t)), again._or_raised(instance, t)
                if not isinstance(plain, Raised) and not isinstance(other, Raised) and _differ(plain, other):
                    where = f"K = {len(instance.counts)}, t = {t}"
                    got = f"another result at {where} in a first call of the file run afresh, with another type of t"
                    raise InvalidInputError("conjecture", got, "functions of the values of their arguments alone")

    def _or_raised(self, instance: Instance, t: Any) -> Any:
        """The result for a number t of another kind, which may be none that is exact."""
        try:
            return self._plain(instance, t)
        except LpmechError as exc:
            return Raised(exc)

    def _plain(self, instance: Instance, t: Any) -> Any:
        trace = Trace(sp.S.One)
        try:
            with running(trace):
                result = self._function(arguments(instance, t))
        except LpmechError as exc:
            result = exc
        except Exception as exc:  # the user's own program
            result = Raised(exc)
        if trace.ended is not None:
            raise trace.ended
        if isinstance(result, LpmechError):
            raise result
        return result

    def _judged(self, raised: Raised, instance: Instance) -> Raised:
        """What a program raises everywhere from the start is no conjecture about some t."""
        if not self._ran and not self.conjecture.expressions:
            raise InvalidInputError(
                "conjecture",
                f"a function that raises {raised} at {instance}",
                "one that returns there, or --where K >= ...",
            ) from raised.error
        return raised

    def failing(self, instance: Instance, statement: Callable[[Instance, Any, Any], str | None]) -> str | None:
        """What fails at an instance: None where the statement holds, or where the hypotheses do not."""
        if not inside(self.conjecture, instance):
            return None
        result = self.at(instance)
        if isinstance(result, Raised):
            return f"not defined ({result})"
        return statement(instance, as_rational(instance.ratio), result)


def _has_irrational(result: Any) -> bool:
    """Whether a number of a result is an irrational constant."""
    if isinstance(result, list):
        return any(map(_has_irrational, result))
    return isinstance(result, sp.Expr) and not result.is_Rational


def _differ(formula: Any, plain: Any, point: sp.Rational = _COMPARED[0]) -> bool:
    """Whether two results of a program differ; the first of them may be a function of s, which is taken at a point."""
    if isinstance(formula, Raised):
        return True
    if isinstance(formula, list):
        return len(formula) != len(plain) or any(_differ(f, p, point) for f, p in zip(formula, plain, strict=True))
    return sign((formula.at(point) if isinstance(formula, Traced) else formula) - plain) != 0

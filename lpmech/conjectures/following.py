"""A function of a conjecture, run on an instance: for all t at once, or at one t."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from lpmech.conjectures.instances import arguments, arguments_inside, inside
from lpmech.conjectures.source import Conjecture
from lpmech.errors import InvalidInputError, LpmechError, SolverError, UndecidedError
from lpmech.prove.counterexamples import Instance
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.tracing import Cover, Raised, UnfollowableError, cover

__all__ = ["OUTSIDE", "Followed"]

#: In place of a result: t is outside the hypotheses.
OUTSIDE = object()


class Followed:
    """A function of a conjecture, with what it does on each instance remembered.

    Parameters
    ----------
    conjecture : Conjecture
    function : callable
        Its channel or value.
    """

    def __init__(self, conjecture: Conjecture, function: Callable[[dict[str, Any]], Any]):
        self.conjecture = conjecture
        self._function = function
        self._covers: dict[Instance, Cover | None] = {}
        self._ran = False

    def at(self, instance: Instance) -> Any:
        """The result at the instance's own t, or `Raised`.

        Raises
        ------
        LpmechError
            If the result is not what it should be.
        """
        result = self._plain(instance)
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
            found = cover(program)
        except (UnfollowableError, SolverError, TypeError):
            return None
        results = [p.result for p in found.pieces] + [s.result for s in found.spots]
        for result in results:
            if isinstance(result, Raised) and isinstance(result.error, LpmechError):
                if isinstance(result.error, UndecidedError):
                    return None
                raise result.error
        if self._only_traced_fails(found, instance):
            return None
        if all(isinstance(result, Raised) for result in results):
            self._judged(results[0], instance)
        self._ran = True
        return found

    def _only_traced_fails(self, found: Cover, instance: Instance) -> bool:
        """Whether the program raises where it runs well with a plain number: it asks t for what only that has."""
        ratios = [p.point**found.root for p in found.pieces if isinstance(p.result, Raised)]
        at = [replace(instance, ratio=Fraction(int(r.p), int(r.q))) for r in ratios]
        odd = (s for s in found.spots if isinstance(s.result, Raised) and isinstance(s.result.error, AttributeError))
        return any(True for _ in odd) or any(not isinstance(self._plain(i), Raised) for i in at)

    def _plain(self, instance: Instance) -> Any:
        try:
            return self._function(arguments(instance, as_rational(instance.ratio)))
        except LpmechError:
            raise
        except Exception as exc:  # the user's own program
            return Raised(exc)

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

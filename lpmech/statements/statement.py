"""A statement to be shown for all parameters, and what the ways to show it share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from lpmech.statements.domain import Domain
from lpmech.statements.following import Called, RaisedError
from lpmech.statements.numbers import Requirement, Requirements, Table, entries_of
from lpmech.statements.witness import Witness
from lpmech.verdicts import Verdict

__all__ = ["Confirm", "FailsError", "Found", "NotFollowedError", "Statement"]

#: Raises where the functions as they are called fail at a point; else whether their numbers are exact.
Confirm = Callable[[Mapping[str, Any]], bool]


class FailsError(Exception):
    """What was stated is false.

    Parameters
    ----------
    witness : Witness
    note : str
        What else is known.
    """

    def __init__(self, witness: Witness, note: str = "") -> None:
        super().__init__(witness, note)
        self.witness = witness
        self.note = note


class NotFollowedError(Exception):
    """Functions cannot be followed, or the prover does not decide; the message says why.

    Parameters
    ----------
    why : str
    progress : int
        How far the attempt came: requirements that were proved, and one for a function that was followed.
    """

    def __init__(self, why: str, progress: int = 0) -> None:
        super().__init__(why)
        self.progress = progress


@dataclass(frozen=True)
class Found:
    """A verdict, and what it is about.

    Attributes
    ----------
    verdict : Verdict
    about : str
        For which parameters it was settled.
    how : str
        By what.
    notes : str
        What else is known: what floats miss, why it is no more.
    labels : tuple of int
        Numbers of labels, beside what it is about, on which it is proved for all priors.
    sampled : str
        At how many points functions were called besides.
    """

    verdict: Verdict
    about: str
    how: str
    notes: str = ""
    sampled: str = ""
    labels: tuple[int, ...] = ()

    @property
    def evidence(self) -> str:
        """All of it in a line."""
        return ": ".join(filter(None, (self.about, self.how))) + self.notes + self.sampled


@dataclass(frozen=True)
class Statement:
    """What has to hold on a domain.

    Attributes
    ----------
    text : str
        What is asserted.
    domain : Domain
    requirements : callable
        Gives what has to hold at values of the parameters.
    functions : sequence of callable
        The functions of the parameters that it is about; none where they cannot be followed.
    seconds : float
        For each time that the prover is asked.
    only_called : sequence of callable
        Functions that it is about, too, and that are not followed.
    """

    text: str
    domain: Domain
    requirements: Requirements
    functions: Sequence[Called]
    seconds: float = 2.0
    only_called: Sequence[Called] = ()

    def at(self, at: Mapping[str, Any]) -> tuple[list[Requirement], list[Any]]:
        """What has to hold, and all values of the functions."""
        return list(self.requirements(at)), self.values(at)

    def values(self, at: Mapping[str, Any]) -> list[Any]:
        """All values of the functions."""
        return [v for function in self.functions for v in entries_of(function(at))]

    @cached_property
    def written(self) -> list[dict[str, Any]]:
        """Points at numbers that stand in the code of its functions, for which one of them may have a case of its own.

        The domain has them all where it is finite.
        """
        from lpmech.statements.written import written_points

        functions = [function for function in (*self.functions, *self.only_called) if not function.is_formula]
        if self.domain.is_finite or not functions or not self.domain.points:
            return []
        try:
            largest = min(_largest(function(self.domain.points[0])) for function in functions)
        except RaisedError:
            return []
        return written_points(self.domain, [function.function for function in functions], largest)

    @property
    def is_of_formulas(self) -> bool:
        """Whether its functions are formulas, which need not be called to know what they are."""
        return bool(self.functions) and all(function.is_formula for function in self.functions)


def _largest(value: Any) -> int:
    """Up to which whole numbers a function with such values is called at numbers that stand in its code."""
    if isinstance(value, (Fraction, float)) or type(value).__module__.startswith("sympy."):
        return 5000
    return 100 if type(value) is Table else 8  # a program is solved

"""A statement to be shown for all parameters, and what the ways to show it share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lpmech.statements.domain import Domain
from lpmech.statements.numbers import Requirement, Requirements, entries_of
from lpmech.verdicts import Verdict

__all__ = ["Confirm", "FailsError", "Found", "NotFollowedError", "Statement"]

#: Raises where the functions as they are called fail at a point.
Confirm = Callable[[Mapping[str, Fraction]], None]


class FailsError(Exception):
    """What was stated is false.

    Parameters
    ----------
    detail : str
        What is wrong, in numbers.
    point : mapping
        Values of the parameters at which it is.
    """

    def __init__(self, detail: str, point: Mapping[str, Any]) -> None:
        super().__init__(detail, dict(point))
        self.detail = detail
        self.point = dict(point)


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
    """A verdict beyond sampling, and what it is about."""

    verdict: Verdict
    evidence: str


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
        The functions of the parameters that it is about.
    seconds : float
        For each question to the prover.
    only_called : sequence of callable
        Functions that it is about, too, and that are not followed.
    """

    text: str
    domain: Domain
    requirements: Requirements
    functions: Sequence[Callable[[Mapping[str, Any]], Any]]
    seconds: float
    only_called: Sequence[Callable[[Mapping[str, Any]], Any]] = ()

    def at(self, at: Mapping[str, Any]) -> tuple[list[Requirement], list[Any]]:
        """What has to hold, and all values of the functions."""
        return list(self.requirements(at)), [v for function in self.functions for v in entries_of(function(at))]

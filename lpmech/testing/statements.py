"""A statement to be shown for all parameters, and what the ways to show it share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

from lpmech.conjectures.numeric import numeric
from lpmech.errors import LpmechError, UndecidedError
from lpmech.prove.evaluate import UndefinedError
from lpmech.prove.grammar import Node, names_in
from lpmech.prove.rational_functions import as_rational
from lpmech.testing.domain import Domain, Parameter
from lpmech.testing.following import RaisedError
from lpmech.testing.numbers import Requirement, Requirements, entries_of
from lpmech.testing.results import TOLERANCE
from lpmech.verdicts import Verdict

__all__ = ["Confirm", "Found", "NotFollowedError", "Statement", "compare", "fraction_of", "holds", "instances_of"]

#: Raises where the functions as they are called fail at a point.
Confirm = Callable[[Mapping[str, Fraction]], None]

#: What rounding in a user's function may do where it is called with floats; more, and it is another function there.
_ROUNDING = 1e-6


class NotFollowedError(Exception):
    """Functions cannot be followed, or the prover does not decide; the message says why."""


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
    """

    text: str
    domain: Domain
    requirements: Requirements
    functions: Sequence[Callable[[Mapping[str, Any]], Any]]
    seconds: float

    def at(self, at: Mapping[str, Any]) -> tuple[list[Requirement], list[Any]]:
        """What has to hold, and all values of the functions."""
        return list(self.requirements(at)), [v for function in self.functions for v in entries_of(function(at))]


def instances_of(domain: Domain, others: list[Parameter]) -> list[dict[str, Fraction]]:
    names = [p.name for p in others]
    if all(p.values is not None for p in others):
        every = (dict(zip(names, values, strict=True)) for values in product(*(sorted(p.values or ()) for p in others)))
        alone = [node for _, node in domain.conditions if names_in(node) <= set(names)]
        return list(islice((at for at in every if all(holds(node, at) for node in alone)), 2000))
    met = dict.fromkeys(tuple((name, point[name]) for name in names) for point in domain.points)
    return [dict(pairs) for pairs in met]


def holds(node: Node, at: Mapping[str, Fraction]) -> bool:
    try:
        return bool(numeric(node, {n: as_rational(v) for n, v in at.items()}))
    except (UndefinedError, ZeroDivisionError, UndecidedError):
        return False


def compare(followed: list[Any], statement: Statement, at: Mapping[str, Fraction]) -> None:
    """Raise where the functions, called at a point with exact numbers or with plain ones, are not what was followed."""
    where = ", ".join(f"{name} = {value}" for name, value in at.items())
    _compare(followed, statement.at(at)[1], TOLERANCE, 0, f"called at {where}")
    whole = {p.name for p in statement.domain.parameters if p.whole}
    plain = {name: int(value) if name in whole else float(value) for name, value in at.items()}
    try:
        called = [v for function in statement.functions for v in entries_of(function(plain))]
    except (RaisedError, LpmechError):  # made for exact numbers only
        return
    _compare(followed, called, _ROUNDING, _ROUNDING, f"called with floats and ints at {where}")


def _compare(followed: list[Any], called: list[Any], relative: float, absolute: float, how: str) -> None:
    near = [abs(a - b) <= relative * max(abs(a), abs(b)) + absolute for a, b in zip(followed, called, strict=False)]
    if not all(near) or len(called) != len(followed):
        raise NotFollowedError(f"{how} it is not what was followed")


def fraction_of(value: Any) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(int(value.p), int(value.q))

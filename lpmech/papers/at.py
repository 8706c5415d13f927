"""A claim at the reader's own parameters: what its check compares, computed exactly at one point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.errors import InvalidInputError
from lpmech.prove.language import stated
from lpmech.prove.wording import formula_in_words

__all__ = ["Compared", "Point", "asked", "at_point"]


@dataclass(frozen=True)
class Compared:
    """One comparison of a check at a point.

    Attributes
    ----------
    name : str
        What is compared.
    left, right : sympy expression or None
        The two sides, exact; None where the statement is no relation of two numbers.
    statement : str
        The relation as the check has it.
    holds : bool or None
        Whether it holds at the point; None where sympy does not decide it.
    """

    name: str
    left: Any
    right: Any
    statement: str
    holds: bool | None


@dataclass
class Point:
    """Values of parameters by name, and what was compared at them.

    Attributes
    ----------
    values : mapping of str to Fraction
    compared : list of Compared
        Of those parts of the check whose hypotheses the point satisfies.
    refused : list of str
        A hypothesis that the point violates, for each part that has one.
    names : set of str
        The parameters of all that was asked.
    """

    values: Mapping[str, Fraction]
    compared: list[Compared] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def look(self, conclusions: Mapping[str, Any], hypotheses: Sequence[Any]) -> None:
        """Compare the sides of every conclusion at this point.

        Raises
        ------
        InvalidInputError
            If a parameter has no value or is none of the statement's.
        """
        for name, conclusion in conclusions.items():
            statement = stated(conclusion, hypotheses)
            names = {s.name for s in statement.symbols}
            self.names |= names
            missing = sorted(names - set(self.values))
            if missing:
                raise InvalidInputError(
                    "at", f"no value of {', '.join(missing)}", f"a value of each of {sorted(names)}"
                )
            values = {s: sp.Rational(*self.values[s.name].as_integer_ratio()) for s in statement.symbols}
            broken = next((h for h in statement.hypotheses if sp.sympify(h).subs(values) == sp.false), None)
            fractional = next((s for s in statement.integers & set(values) if not values[s].is_Integer), None)
            if broken is not None or fractional is not None:
                self.refused.append(f"{fractional} an integer" if broken is None else formula_in_words(broken))
                continue
            self.compared.append(_compared(name, conclusion, {s.name: v for s, v in values.items()}))


def _compared(name: str, conclusion: Any, values: Mapping[str, Any]) -> Compared:
    given = {symbol: values[symbol.name] for symbol in conclusion.free_symbols}
    left = right = None
    truth = conclusion.subs(given)
    if isinstance(conclusion, sp.core.relational.Relational):
        left, right = (sp.sympify(side).subs(given).doit() for side in (conclusion.lhs, conclusion.rhs))
        truth = conclusion.func(left, right)
    decided = {sp.true: True, sp.false: False}.get(sp.simplify(truth))
    return Compared(name, left, right, formula_in_words(conclusion), decided)


_point: ContextVar[Point | None] = ContextVar("point", default=None)


def asked() -> Point | None:
    """The point at which checks are to compare instead of to prove, if there is one."""
    return _point.get()


@contextmanager
def at_point(values: Mapping[str, Fraction]) -> Iterator[Point]:
    """Inside the block, checks compare at a point what they prove elsewhere."""
    point = Point(values)
    token = _point.set(point)
    try:
        yield point
    finally:
        _point.reset(token)

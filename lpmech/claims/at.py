"""A claim at the reader's own parameters: what its check compares, computed exactly at one point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from inspect import signature
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lpmech.errors import InvalidInputError
from lpmech.prove.evaluate import UndefinedError, holds_at, value_of
from lpmech.prove.language import stated
from lpmech.prove.texts import in_sympy, letters_in
from lpmech.prove.wording import formula_in_words

__all__ = ["Compared", "ReaderPoint", "asked", "at_point", "compared_by"]


@dataclass(frozen=True)
class Compared:
    """One comparison of a check at a point.

    Attributes
    ----------
    name : str
        What is compared.
    left, right : Fraction or str or None
        The two sides: exact where they are rational, else twelve digits, or that they are not defined; None where the
        statement is no relation of two numbers.
    statement : str
        The relation as the check has it.
    holds : bool or None
        Whether it holds at the point; what is not defined does not hold. None where the point is outside of a
        hypothesis of this part, which the name says.
    """

    name: str
    left: Fraction | str | None
    right: Fraction | str | None
    statement: str
    holds: bool | None


@dataclass
class ReaderPoint:
    """Values of parameters by name, and what was compared at them.

    Attributes
    ----------
    values : mapping of str to Fraction
    compared : list of Compared
        Of those parts of the check whose hypotheses the point satisfies.
    refused : mapping of str to str
        Of each part that has one, a hypothesis that the point violates.
    names, others : set of str
        The parameters of what was asked about any of these values, and of what was asked about none.
    """

    values: Mapping[str, Fraction]
    compared: list[Compared] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)

    @property
    def left_out(self) -> list[Compared]:
        """The parts whose hypotheses the point violates."""
        return [Compared(f"{n} (left out: needs {why})", None, None, "", None) for n, why in self.refused.items()]

    def look(self, conclusions: Mapping[str, Any], hypotheses: Sequence[Any]) -> None:
        """Compare the sides of every conclusion at this point.

        Raises
        ------
        InvalidInputError
            If a parameter has no value.
        UndecidedError
            If the evaluator cannot tell, or has too much to do.
        """
        for name, conclusion in conclusions.items():
            statement = stated(conclusion, hypotheses)
            own = letters_in(conclusion)
            names = own | {s.name for s in statement.symbols}
            if own and own.isdisjoint(self.values):  # about other letters, such as what a relation is
                self.others |= names
                continue
            self.names |= names
            missing = sorted(names - set(self.values))
            if missing:
                raise InvalidInputError(
                    "at", f"no value of {', '.join(missing)}", f"a value of each of {', '.join(sorted(names))}"
                )
            exact = {name: sp.Rational(*self.values[name].as_integer_ratio()) for name in names}
            values = {s: exact[s.name] for s in statement.symbols}
            broken = next((h for h in statement.hypotheses if not holds_at(h, values)), None)
            fractional = next((s for s in statement.integers & set(values) if not values[s].is_Integer), None)
            if broken is not None or fractional is not None:
                self.refused[name] = f"{fractional} an integer" if broken is None else formula_in_words(broken)
                continue
            self.compared.append(_compared(name, conclusion, exact))


def _compared(name: str, conclusion: Any, values: Mapping[str, Any]) -> Compared:
    """Both sides as the engine's evaluator has them: nothing is cancelled before the values are in."""
    question = in_sympy(conclusion)
    point = {symbol: values[symbol.name] for symbol in question.free_symbols}
    relation = isinstance(question, Relational)
    left, right = (_value(side, point) for side in (question.lhs, question.rhs)) if relation else (None, None)
    return Compared(name, left, right, formula_in_words(conclusion), bool(holds_at(question, point)))


def _value(side: Any, point: Mapping[sp.Symbol, Any]) -> Fraction | str:
    try:
        value = value_of(sp.sympify(side), point)
    except UndefinedError as exc:
        return f"not defined ({exc})"
    return value if isinstance(value, Fraction) else str(value.str(12, radius=False))


def compared_by(compare: Callable[..., Iterable[Compared]], values: Mapping[str, Any]) -> tuple[Compared, ...]:
    """What a claim's own function compares at the reader's parameters.

    Raises
    ------
    InvalidInputError
        If a parameter of the function has no value, or a value no parameter.
    """
    names = [p.name for p in signature(compare).parameters.values() if p.default is p.empty]
    if set(names) != set(values):
        raise InvalidInputError("at", ", ".join(sorted(values)), f"a value of each of {', '.join(names)}")
    return tuple(compare(**values))


_point: ContextVar[ReaderPoint | None] = ContextVar("point", default=None)


def asked() -> ReaderPoint | None:
    """The point at which checks are to compare instead of to prove, if there is one."""
    return _point.get()


@contextmanager
def at_point(values: Mapping[str, Fraction]) -> Iterator[ReaderPoint]:
    """Inside the block, checks compare at a point what they prove elsewhere."""
    point = ReaderPoint(values)
    token = _point.set(point)
    try:
        yield point
    finally:
        _point.reset(token)

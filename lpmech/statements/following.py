"""The functions that users hand over, called at a point or followed for all parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from lpmech.errors import InvalidInputError, LpmechError
from lpmech.files.guard import chance_refused
from lpmech.files.strangers import RefusedError
from lpmech.statements.domain import Domain
from lpmech.statements.numbers import NoNumberError, is_recorded, number, number_or_table, table

__all__ = ["Called", "RaisedError", "called", "scalars", "tables"]

At = Mapping[str, Any]


class RaisedError(Exception):
    """A user's function raised something at a point."""


class Called:
    """A user's function, or a constant, as a function of the parameters by name.

    Parameters
    ----------
    function : callable
        Takes some of the parameters of the domain by name.
    argument : str
        What it is called in messages.
    domain : Domain
    read : callable
        Makes a number or a table of what it returns.

    Raises
    ------
    InvalidInputError
        If it wants other arguments.
    """

    def __init__(
        self, function: Callable[..., Any], argument: str, domain: Domain, read: Callable[[Any, str], Any]
    ) -> None:
        self.function = function
        self._argument = argument
        self._read = read
        try:
            wanted = inspect.signature(function).parameters.values()
        except (TypeError, ValueError) as exc:
            raise InvalidInputError(argument, function, "a Python function whose arguments have names") from exc
        named = [p for p in wanted if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        needed = [p.name for p in wanted if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        self.names = [p.name for p in named if p.name in domain.names]
        missing = [name for name in needed if name not in self.names]
        if missing:
            has = ", ".join(domain.names) or "no parameters (domain=... names them)"
            raise InvalidInputError(
                argument, f"a function that needs {', '.join(missing)}", f"arguments of the domain, which has {has}"
            )

    def __call__(self, at: At) -> Any:
        """What it returns, with numbers that stand for functions as they are.

        Raises
        ------
        RaisedError
            If it raises at numbers.
        """
        given = {name: at[name] for name in self.names}
        if any(map(is_recorded, given.values())):
            from lpmech.statements.generic import followable

            followed = followable(self.function)
            return self._read(followed(**{name: _argument(value) for name, value in given.items()}), self._argument)
        if not all(type(value) is Fraction for value in given.values()):
            return self._read(self.function(**{n: _argument(v) for n, v in given.items()}), self._argument)
        try:
            with chance_refused(self.function):
                return self._at_numbers(given)
        except RefusedError as exc:
            allowed = "a function of its arguments alone; of a sampler assert_private(..., labels=[...])"
            raise InvalidInputError(self._argument, f"a function that asks for {exc.value}", allowed) from exc
        except LpmechError:
            raise
        except NoNumberError as exc:
            raise RaisedError(str(exc)) from exc
        except Exception as exc:  # the function is the user's own
            raise RaisedError(f"{self._argument} raises {type(exc).__name__}: {exc}") from exc

    def _at_numbers(self, given: Mapping[str, Fraction]) -> Any:
        """Called with exact numbers, or with floats if it cannot take those; a pole is a pole of either."""
        try:
            result = self.function(**{name: _argument(value) for name, value in given.items()})
        except ZeroDivisionError:
            raise
        except Exception:  # numpy.exp(Fraction(1, 2)) is a TypeError; what others raise is their own
            result = self.function(**{name: _as_float(value) for name, value in given.items()})
        return self._read(result, self._argument)


def _argument(value: Any) -> Any:
    if type(value) is not Fraction:
        return value
    if value.denominator > 1:
        return value
    from lpmech.statements.whole import Whole

    return Whole(int(value))


def _as_float(value: Fraction) -> float | int:
    return int(value) if value.denominator == 1 else float(value)


def called(value: Any, argument: str, domain: Domain, read: Callable[[Any, str], Any]) -> Called:
    """A function of the domain; what is none is the same everywhere.

    Raises
    ------
    InvalidInputError, FormulaError
        If it is none, wants other arguments, or is no number or table.
    """
    if callable(value):
        return Called(value, argument, domain, read)
    if read in (number, number_or_table) and isinstance(value, str):
        return _text(value, argument, domain)
    try:
        constant = read(value, argument)
    except NoNumberError as exc:
        raise InvalidInputError(argument, value, "finite numbers") from exc
    return Called(lambda: constant, argument, domain, lambda result, _: result)


def _text(text: str, argument: str, domain: Domain) -> Called:
    """A formula in the language of `lpmech check`."""
    from lpmech.prove.grammar import Name, names_in, read_expressions
    from lpmech.statements.recording import evaluated

    parts = read_expressions(text, domain.names, argument)
    if len(parts) != 1:
        raise InvalidInputError(argument, text, "one formula")
    node = parts[0]
    used = [name for name in domain.names if name in names_in(node) or node == Name(name)]

    def function(**at: Any) -> Any:
        return evaluated(
            node, {n: Fraction(value) if type(value) in (int, float) else value for n, value in at.items()}
        )

    found = Called(function, argument, domain, number)
    found.names = used
    return found


def tables(value: Any, argument: str, domain: Domain) -> Called:
    """A function of the domain whose values are matrices."""
    return called(value, argument, domain, table)


def scalars(value: Any, argument: str, domain: Domain) -> Called:
    """A function of the domain whose values are numbers."""
    return called(value, argument, domain, number)

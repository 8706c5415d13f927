"""The functions that users hand over, called at a point or followed for all parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lpmech.errors import InvalidInputError, LpmechError
from lpmech.files.guard import chance_refused
from lpmech.files.strangers import RefusedError
from lpmech.statements.domain import At, Domain
from lpmech.statements.numbers import NoNumberError, is_recorded, number, number_or_table, table

if TYPE_CHECKING:
    from lpmech.terms import Node

__all__ = ["Around", "Called", "RaisedError", "as_python", "called", "formula", "scalars", "tables"]


class RaisedError(Exception):
    """A user's function raised something at a point, or gives what is no number there."""

    def __init__(self, argument: str, error: Exception) -> None:
        super().__init__(f"{argument} is not defined ({type(error).__name__}: {error})")


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
    around : callable
        Gives the context in which it is called; by default chance is refused.
    given : callable
        Makes what it gets of the name and the value of a parameter; by default whole numbers are ints.

    Attributes
    ----------
    function : callable
    names : list of str
        The parameters that it takes.
    is_formula : bool
        Whether it is a formula that was read from a text.

    Raises
    ------
    InvalidInputError
        If it wants other arguments.
    """

    is_formula = False

    def __init__(
        self,
        function: Callable[..., Any],
        argument: str,
        domain: Domain,
        read: Callable[[Any, str], Any],
        around: Around | None = None,
        given: Callable[[str, Any], Any] | None = None,
    ) -> None:
        self.function = function
        self._argument = argument
        self._read = read
        self._around = around
        self._given = given or as_python
        self._whole = {p.name for p in domain.parameters if p.whole}
        self._last: tuple[dict[str, Any], Any] = ({}, None)
        try:
            wanted = inspect.signature(function).parameters.values()
        except (TypeError, ValueError) as exc:
            raise InvalidInputError(argument, function, "a Python function whose arguments have names") from exc
        named = [p for p in wanted if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        needed = [p.name for p in wanted if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        self.names = [p.name for p in named if p.name in domain.arguments]
        missing = [name for name in needed if name not in self.names]
        if missing:
            has = ", ".join(domain.arguments) or "no parameters (domain=... names them)"
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
        last, result = self._last
        if last.keys() == given.keys() and last and all(given[name] is last[name] for name in given):
            return result
        result = self._called(given)
        self._last = given, result
        return result

    def _called(self, given: dict[str, Any]) -> Any:
        if any(map(is_recorded, given.values())):
            from lpmech.statements.generic import followable

            return self._read(self._within(followable(self.function), given, self._given), self._argument)
        if any(type(value).__name__ == "Traced" for value in given.values()):
            return self._read(self._within(self.function, given, self._given), self._argument)
        try:
            return self._at_numbers(given)
        except LpmechError:
            raise
        except NoNumberError as exc:
            raise RaisedError(self._argument, exc) from exc
        except Exception as exc:  # the function is the user's own
            raise RaisedError(self._argument, exc) from exc

    def _plain(self, name: str, value: Any) -> Any:
        """A parameter as an int, if it is whole everywhere, or a float; a prior as floats."""
        if type(value) is tuple:
            return [float(part) for part in value]
        return int(value) if name in self._whole else float(value)

    def _within(self, function: Callable[..., Any], given: At, kind: Callable[[str, Any], Any]) -> Any:
        with (self._around or _without_chance)(self.function, self._argument, given):
            return function(**{name: kind(name, value) for name, value in given.items()})

    def _at_numbers(self, given: Mapping[str, Any]) -> Any:
        """Called with exact numbers, or with floats if it cannot take those; a pole is a pole of either."""
        try:
            result = self._within(self.function, given, self._given)
        except (ZeroDivisionError, RefusedError):
            raise
        except Exception as exc:  # numpy.exp(Fraction(1, 2)) is a TypeError; what others raise is their own
            try:
                result = self._within(self.function, given, self._plain)
            except Exception:
                raise exc from None
        return self._read(result, self._argument)


#: Takes the function, what it is called in messages, and the values of its parameters.
Around = Callable[[Callable[..., Any], str, At], AbstractContextManager[Any]]


@contextmanager
def _without_chance(function: Callable[..., Any], argument: str, given: At) -> Iterator[None]:
    if any(type(value).__name__ in ("Traced", "Recorded") for value in given.values()):
        yield
        return
    try:
        with chance_refused(function):
            yield
    except RefusedError as exc:
        allowed = "a function of its arguments alone; of a sampler assert_private(..., labels=[...])"
        raise InvalidInputError(argument, f"a function that asks for {exc.value}", allowed) from exc


def as_python(name: str, value: Any) -> Any:
    """A parameter as a function gets it: whole numbers as ints whose quotients are exact, others as Fractions."""
    if type(value) is not Fraction:
        return value
    if value.denominator > 1:
        return value
    from lpmech.statements.whole import Whole

    return Whole(int(value))


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
    from lpmech.terms.reader import read_expressions

    parts = read_expressions(text, domain.names, argument)
    if len(parts) != 1:
        raise InvalidInputError(argument, text, "one formula")
    return formula(parts[0], argument, domain)


def formula(node: Node, argument: str, domain: Domain) -> Called:
    """A function of the domain that is a formula."""
    from lpmech.statements.recording import evaluated
    from lpmech.terms import Name, names_in

    def function(**at: Any) -> Any:
        return evaluated(
            node, {n: Fraction(value) if type(value) in (int, float) else value for n, value in at.items()}
        )

    found = Called(function, argument, domain, number)
    found.names = [name for name in domain.names if name in names_in(node) or node == Name(name)]
    found.is_formula = True
    return found


def tables(value: Any, argument: str, domain: Domain) -> Called:
    """A function of the domain whose values are matrices."""
    return called(value, argument, domain, table)


def scalars(value: Any, argument: str, domain: Domain) -> Called:
    """A function of the domain whose values are numbers."""
    return called(value, argument, domain, number)

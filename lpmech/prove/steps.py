"""Steps of a proof that sympy takes: a term goes in as sympy simplifies it, a term comes out.

What comes out is no more than a proposal: a claim states how it is related to what went in, and the engine decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.errors import UndecidedError
from lpmech.prove.evaluate import holds_at, value_of
from lpmech.prove.from_sympy import term_of
from lpmech.prove.texts import evaluated, in_sympy
from lpmech.terms import Name, Node, term

__all__ = [
    "cancel", "coefficients", "coefficients_in", "denom", "diff", "discriminant", "expand", "expand_log", "factor",
    "fraction", "holds", "integrate", "limit", "numer", "oo", "quo", "shown", "simplify", "solve", "summation",
    "together", "value",
]  # fmt: skip

#: Of `limit`.
oo = sp.oo


def _step(function: Callable[..., Any], name: str, what: str) -> Callable[..., Any]:
    def step(*arguments: Any, positive: Sequence[Name] = (), **options: Any) -> Any:
        names = {parameter.name for parameter in positive}
        return _back(function(*(_there(argument, names) for argument in arguments), **options))

    step.__name__ = name
    step.__doc__ = f"{what}; the arguments are those of `sympy.{name}`, and which parameters sympy takes for positive."
    return step


def _there(argument: Any, positive: set[str]) -> Any:
    match argument:
        case tuple() | list():
            return type(argument)(_there(part, positive) for part in argument)
    return evaluated(argument, positive) if isinstance(argument, Node) else argument


def _back(found: Any) -> Any:
    match found:
        case tuple() | list():
            return type(found)(map(_back, found))
        case dict():
            return {_back(key): _back(value) for key, value in found.items()}
    return term_of(found)


def holds(condition: Any) -> bool:
    """Whether a condition about numbers alone is true, as the engine evaluates it."""
    return bool(condition) if isinstance(condition, bool) else bool(holds_at(in_sympy(condition), {}))


def value(formula: Any, values: Mapping[Any, Any]) -> Fraction:
    """The value of a term at rational numbers, as the engine evaluates it.

    Raises
    ------
    UndecidedError
        If it is not rational there.
    """
    found = value_of(in_sympy(term(formula).at(values)), {})
    if not isinstance(found, Fraction):
        raise UndecidedError(f"{formula} at {values} is not rational")
    return found


def shown(formula: Any, digits: int = 12) -> str:
    """The value of a term about numbers alone, for people: exact where it is rational."""
    found = value_of(in_sympy(formula), {})
    return str(found) if isinstance(found, Fraction) else str(found.str(digits, radius=False))


def coefficients(formula: Any, *parameters: Name) -> dict[tuple[int, ...], Fraction]:
    """The coefficients of a polynomial in parameters, by the powers of these."""
    found = sp.Poly(evaluated(formula), *map(evaluated, parameters)).as_dict()
    return {powers: Fraction(int(value.p), int(value.q)) for powers, value in found.items()}


def coefficients_in(formula: Any, parameter: Any) -> list[Any]:
    """The coefficients of a polynomial in one parameter, from that of its zeroth power on."""
    return _back(sp.Poly(evaluated(formula), evaluated(parameter)).all_coeffs()[::-1])


diff = _step(sp.diff, "diff", "The derivative")
integrate = _step(sp.integrate, "integrate", "The integral")
limit = _step(sp.limit, "limit", "The limit")
summation = _step(sp.summation, "summation", "The sum in closed form")
discriminant = _step(sp.discriminant, "discriminant", "The discriminant of a polynomial")
solve = _step(sp.solve, "solve", "The solutions of an equation")
expand = _step(sp.expand, "expand", "Multiplied out")
expand_log = _step(sp.expand_log, "expand_log", "Logarithms of products as sums")
factor = _step(sp.factor, "factor", "As a product")
cancel = _step(sp.cancel, "cancel", "As a quotient of polynomials without a common factor")
together = _step(sp.together, "together", "As one quotient")
simplify = _step(sp.simplify, "simplify", "Something shorter that is equal")
fraction = _step(sp.fraction, "fraction", "Numerator and denominator")
numer = _step(sp.numer, "numer", "The numerator")
denom = _step(sp.denom, "denom", "The denominator")
quo = _step(sp.quo, "quo", "The quotient of polynomials, without remainder")

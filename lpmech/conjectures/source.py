"""Reading a conjecture: expressions in t and K, or Python functions of t, K and the prior."""

from __future__ import annotations

import inspect
import runpy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sympy as sp
from sympy.parsing.sympy_parser import parse_expr

from lpmech.entries import Array, as_array
from lpmech.errors import DataFileError, InvalidInputError, UtilityError
from lpmech.prove.tracing import Traced

__all__ = ["T", "K", "ChannelFormula", "ValueFormula", "Formulas", "formulas_from_file", "formulas_from_text"]

#: e^epsilon and the number of labels in expressions.
T, K = sp.symbols("t K")

_PARAMETERS = {"t", "K", "prior"}


@dataclass(frozen=True)
class ChannelFormula:
    """A conjectured closed form of a channel.

    Attributes
    ----------
    entries : callable
        Takes t (number or symbol) and the prior, returns the matrix, shape (K, J).
    uses_prior : bool
        Whether the entries depend on the prior, or on K and t only.
    diagonal, off_diagonal : sympy expression or None
        The two entries of a symmetric channel as expressions in t and K: these can be proved for all K.
    """

    entries: Callable[[sp.Expr, Sequence[sp.Rational]], sp.Matrix]
    uses_prior: bool
    diagonal: sp.Expr | None = None
    off_diagonal: sp.Expr | None = None


@dataclass(frozen=True)
class ValueFormula:
    """A conjectured closed form of the optimal expected utility.

    Attributes
    ----------
    value : callable
        Takes t (number or symbol) and the prior.
    uses_prior : bool
        Whether the value depends on the prior; if not, the prior is uniform.
    expression : sympy expression or None
        The value as an expression in t and K, if it was given so.
    """

    value: Callable[[sp.Expr, Sequence[sp.Rational]], sp.Expr]
    uses_prior: bool
    expression: sp.Expr | None = None


@dataclass(frozen=True)
class Formulas:
    """What a user conjectures.

    Attributes
    ----------
    channel : ChannelFormula or None
    value : ValueFormula or None
    utility : callable or None
        The utility for K labels, shape (K, J), where the user's file defines one.
    """

    channel: ChannelFormula | None = None
    value: ValueFormula | None = None
    utility: Callable[[int], Array] | None = None


def formulas_from_text(text: str) -> Formulas:
    """One expression in t and K: the optimal value; two with a comma: diagonal and off-diagonal entry of a channel.

    Raises
    ------
    InvalidInputError
        If the text is not that.
    """
    allowed = "one or two expressions in t and K such as 't/(t+K-1)' or 't/(t+K-1), 1/(t+K-1)'"
    try:
        parsed = parse_expr(text, local_dict={"t": T, "K": K})
        parts = [sp.nsimplify(part, rational=True) for part in (parsed if isinstance(parsed, tuple) else (parsed,))]
    except Exception as exc:  # sympy's parser evaluates the text: anything may be raised
        raise InvalidInputError("conjecture", text, f"{allowed} ({type(exc).__name__}: {exc})") from exc
    if len(parts) > 2 or any(not isinstance(p, sp.Expr) or p.free_symbols - {T, K} for p in parts):
        raise InvalidInputError("conjecture", text, allowed)
    if len(parts) == 1:
        (value,) = parts
        return Formulas(value=ValueFormula(lambda t, prior: value.subs({T: t, K: len(prior)}), False, value))
    diagonal, off_diagonal = parts

    def entries(t: sp.Expr, prior: Sequence[sp.Rational]) -> sp.Matrix:
        at = {T: t, K: len(prior)}
        return sp.Matrix(len(prior), len(prior), lambda y, j: (diagonal if y == j else off_diagonal).subs(at))

    return Formulas(channel=ChannelFormula(entries, False, diagonal, off_diagonal))


def formulas_from_file(path: str | Path) -> Formulas:
    """The functions ``channel`` and ``value`` (arguments out of t, K, prior), and ``utility(K)``, of a Python file.

    The functions are called with exact numbers (sympy) and, to settle all t, with a number t that records how they
    branch on it (`lpmech.prove.tracing`); arithmetic, comparisons, min, max, sorted and abs are understood.

    Raises
    ------
    DataFileError
        If the file cannot be read or run, or defines neither ``channel`` nor ``value``.
    InvalidInputError
        If a function has other arguments.
    """
    try:
        names = runpy.run_path(str(path))
    except Exception as exc:  # the file is the user's own program
        raise DataFileError("conjecture", str(path), f"a Python file that runs ({type(exc).__name__}: {exc})") from exc
    channel, value, utility = (names.get(name) for name in ("channel", "value", "utility"))
    if channel is None and value is None:
        raise DataFileError(
            "conjecture", str(path), "a file that defines channel(t, K), channel(t, prior) or value(...)"
        )
    formulas = Formulas()
    if channel is not None:
        wanted = _parameters(channel, "channel")
        formulas = Formulas(channel=ChannelFormula(_matrix_of(channel, wanted), "prior" in wanted))
    if value is not None:
        wanted = _parameters(value, "value")
        number = ValueFormula(lambda t, prior: _number(_call(value, wanted, t, prior), "value"), "prior" in wanted)
        formulas = Formulas(formulas.channel, number)
    if utility is not None:
        formulas = Formulas(formulas.channel, formulas.value, lambda size: _utility_of(utility, size))
    return formulas


def _parameters(function: Callable[..., Any], name: str) -> set[str]:
    wanted = set(inspect.signature(function).parameters) if callable(function) else {"?"}
    if "t" not in wanted or wanted - _PARAMETERS:
        raise InvalidInputError(name, f"arguments {sorted(wanted)}", "a function of t and of K or prior")
    return wanted


def _call(function: Callable[..., Any], wanted: set[str], t: sp.Expr, prior: Sequence[sp.Rational]) -> Any:
    given = {"t": t, "K": sp.Integer(len(prior)), "prior": list(prior)}
    return function(**{name: given[name] for name in wanted})


def _matrix_of(function: Callable[..., Any], wanted: set[str]) -> Callable[[sp.Expr, Sequence[sp.Rational]], sp.Matrix]:
    def entries(t: sp.Expr, prior: Sequence[sp.Rational]) -> sp.Matrix:
        rows = _call(function, wanted, t, prior)
        try:
            matrix = sp.Matrix([[_number(entry, "channel") for entry in row] for row in rows])
        except (TypeError, ValueError) as exc:
            raise InvalidInputError("channel", rows, f"a matrix: one list of entries for each label ({exc})") from exc
        if matrix.rows != len(prior):
            raise InvalidInputError("channel", f"{matrix.rows} rows for K = {len(prior)}", "one row for each label")
        return matrix

    return entries


def _number(value: Any, argument: str) -> sp.Expr:
    exact = value.expression if isinstance(value, Traced) else sp.sympify(value)
    if not isinstance(exact, sp.Expr) or exact.has(sp.Float):
        raise InvalidInputError(argument, value, "exact numbers and expressions in t: write Fraction(1, 3), not 0.333")
    return exact


def _utility_of(function: Callable[..., Any], size: int) -> Array:
    try:
        return as_array(function(size), "utility", 2, UtilityError)
    except UtilityError:
        raise
    except Exception as exc:
        raise UtilityError("utility", f"utility({size})", f"a matrix of numbers ({type(exc).__name__}: {exc})") from exc

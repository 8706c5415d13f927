"""What the optimum of a program is: by a solution with its proof, as a function of t, or for all numbers of labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.certify import certificate_of
from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.errors import InvalidInputError, LpmechError, SolverError
from lpmech.privacy import PrivacyLevel
from lpmech.programs import Program
from lpmech.programs.general import Solution
from lpmech.prove.trace import T
from lpmech.statements.following import RaisedError
from lpmech.statements.numbers import Requirement, Table, is_generic
from lpmech.statements.properties import constant_level, is_channel, private

__all__ = ["Optima", "hit_rate", "hits", "is_optimal", "worth"]

#: The regimes of larger programs take too long.
_LARGEST_FOR_REGIMES = 6
_ZERO = Fraction(0)


def worth(table: Table, weights: Array, argument: str = "channel") -> Any:
    """The sum of the entries times weights of the same shape.

    Raises
    ------
    InvalidInputError
        If the shape is another one.
    """
    shape = len(table.inputs), len(table.outputs)
    if shape != weights.shape:
        raise InvalidInputError(argument, f"shape {shape}", f"the shape of the utility, {weights.shape}")
    terms = [w * q for ws, row in zip(weights.tolist(), table.rows, strict=True) for w, q in zip(ws, row, strict=True)]
    return sum(terms[1:], terms[0])


def is_optimal(given: Any, program: Program, at: Mapping[str, Any]) -> Iterator[Requirement]:
    """A channel is one of a program, and no other one is worth more; or a number is its optimum."""
    if type(given) is Table:
        value, named = worth(given, program.weights), "it is worth"
        level = constant_level(program.level)
        yield from is_channel(given)
        yield from private(given, level.at_most(at, given), level.text)
    else:
        value, named = given, "the value"
    solution, optimum = _solved(program, type(value) is Fraction)
    yield _equal(value, optimum, named, solution.channel)


def _equal(value: Any, optimum: Any, named: str, better: Channel | None = None) -> Requirement:
    return Requirement(value, "==", optimum, "optimal", {"called": named, "better": better})


def _solved(program: Program, exact: bool) -> tuple[Solution, Any]:
    """A solution and the optimum: exact with its certificate checked, else the middle of what is proved of it."""
    try:
        if not (exact and program.is_exact):
            solution = program.solve()
            return solution, (float(solution.value) + float(solution.bound)) / 2
        solution = program.solve("exact")
        lower, upper = certificate_of(solution).interval()
    except LpmechError as exc:
        raise RaisedError("the program", exc) from exc
    if not lower == upper == solution.value:
        raise SolverError(f"the certificate proves [{lower}, {upper}], the solver says {solution.value}")
    return solution, Fraction(lower)


class Optima:
    """The optima of programs at e^epsilon = t, which may be a number that is followed.

    Parameters
    ----------
    program : callable
        Gives the program at values of the parameters and a level.
    """

    def __init__(self, program: Callable[[Mapping[str, Any], PrivacyLevel], Program]) -> None:
        self._program = program
        self._pieces: dict[Any, list[tuple[sp.Expr, sp.Expr, sp.Expr]]] = {}

    def requirement(self, value: Any, at: Mapping[str, Any], named: str) -> Requirement:
        """That a value is the optimum."""
        t = at["t"]
        if type(t) is Fraction:
            return _equal(value, _solved(self._program(at, PrivacyLevel.from_ratio(t)), True)[1], named)
        program = self._program(at, PrivacyLevel.from_ratio(2))
        if max(program.weights.shape) > _LARGEST_FOR_REGIMES:
            raise TypeError(f"the optimum for more than {_LARGEST_FOR_REGIMES} labels is no formula in t")
        return _equal(value, _on_regimes(self._regimes(program), t), named)

    def _regimes(self, program: Program) -> list[tuple[sp.Expr, sp.Expr, sp.Expr]]:
        from lpmech.programs.solvers.parametric import regimes_of, value_pieces

        key = tuple(map(tuple, program.weights.tolist()))
        if key not in self._pieces:
            try:
                self._pieces[key] = value_pieces(regimes_of(program))
            except LpmechError as exc:
                raise TypeError(f"the optimum is not known as a function of t: {exc}") from exc
        return self._pieces[key]


def _on_regimes(pieces: list[tuple[sp.Expr, sp.Expr, sp.Expr]], t: Any) -> Any:
    """The optimum as a function of t: which piece it is, comparisons of t tell."""
    _, _, value = next(piece for piece in pieces if piece[1] == sp.oo or not _beyond(t, piece[1]))
    above, under = (_of_polynomial(part, t) for part in sp.fraction(sp.together(value)))
    return above / under


def _beyond(t: Any, bound: sp.Expr) -> bool:
    """Whether t is above an algebraic number, by comparisons with rational numbers only."""
    if bound.is_Rational:
        return bool(t > bound)
    minimal = sp.Poly(sp.minimal_polynomial(bound, T), T)
    lower, upper = next(ends for ends, _ in minimal.intervals() if ends[0] <= bound and bound <= ends[1])
    if t <= lower:
        return False
    return bool(t >= upper or (_of_polynomial(minimal.as_expr(), t) > 0) is bool(minimal.eval(upper) > 0))


def _of_polynomial(expression: sp.Expr, t: Any) -> Any:
    found: Any = sp.S.Zero
    for coefficient in sp.Poly(expression, T).all_coeffs():
        found = found * t + coefficient
    return found


def hits(value: Any, at: Mapping[str, Any], named: str) -> Iterator[Requirement]:
    """A value is the optimal hit rate t/(t + K - 1) for the uniform prior, for whatever K and t.

    The dual pi_y = t/(K (t + K - 1)) is feasible with equality, and randomised response attains its sum.
    """
    t, size = at["t"], at["K"]
    dual = t / (size * (t + size - 1))
    excess = 1 / size - dual
    yield Requirement(excess, ">=", _ZERO, "dual of the optimum")
    yield Requirement(excess - (size - 1) * dual + (t - 1) * excess, "==", _ZERO, "dual of the optimum")
    yield _equal(value, size * dual, named)


def hit_rate(table: Any, at: Mapping[str, Any]) -> Any:
    """The mean of the diagonal."""
    if is_generic(table):
        return table.trace() / at["K"]
    shape = len(table.rows), len(table.outputs)
    if shape[0] != shape[1]:
        raise InvalidInputError("channel", f"shape {shape}", f"the shape of the utility, {(shape[0], shape[0])}")
    diagonal = [row[y] for y, row in enumerate(table.rows)]
    return sum(diagonal[1:], diagonal[0]) / at["K"]

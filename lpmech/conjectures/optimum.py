"""Is a value the optimum of the program? At one t by an exact solution, on intervals of t by the exact regimes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.certify import certificate_of
from lpmech.conjectures.instances import arguments
from lpmech.conjectures.questions import Question
from lpmech.conjectures.source import Conjecture
from lpmech.entries import Array, as_array, is_exact
from lpmech.errors import InvalidInputError, SolverError, UtilityError
from lpmech.labels.named_utilities import UTILITIES, same_at_every_level
from lpmech.programs import Program, optimal_channel
from lpmech.prove.counterexamples import Instance
from lpmech.prove.rational_functions import as_rational, nonzero_point, positive_root
from lpmech.prove.trace import T
from lpmech.prove.traced import Traced
from lpmech.prove.tracing import Piece
from lpmech.statements.numeric import fraction_of, sign, written
from lpmech.statements.pieces import simplest

__all__ = ["Gain", "gain_of", "optimal_question", "value_question"]

#: The utility of an instance, shape (K, J).
Gain = Callable[[Instance], Array]


def gain_of(conjecture: Conjecture, name: str | None) -> Gain:
    """The utility of a conjecture: the one of its file, or the named one.

    Raises
    ------
    InvalidInputError
        If both or an unknown one are given.
    """
    named = same_at_every_level()
    if conjecture.utility is not None:
        if name is not None:
            raise InvalidInputError("utility", name, "no --utility beside a file that defines its own utility")
        own = conjecture.utility
        return lambda instance: _matrix(own, instance)
    chosen = name or "hit"
    if chosen not in named:
        raise InvalidInputError("utility", chosen, f"{', '.join(named)}, or a function utility(K) in the file")
    outputs = conjecture.outputs
    if outputs is not None:
        return lambda instance: _between(chosen, instance, outputs(arguments(instance, None)))
    matrix = UTILITIES[chosen].matrix
    return lambda instance: matrix(len(instance.counts), as_array(instance.prior, "prior", 1), None)


def _matrix(function: Callable[[dict[str, Any]], Any], instance: Instance) -> Array:
    try:
        rows = [[_exact(entry) for entry in row] for row in function(arguments(instance, None))]
        found = as_array(rows, "utility", 2, UtilityError)
    except InvalidInputError:
        raise
    except Exception as exc:  # the user's own program
        raise UtilityError(
            "utility", f"utility at {instance}", f"a matrix of numbers ({type(exc).__name__}: {exc})"
        ) from exc
    if not is_exact(found):
        raise UtilityError("utility", f"floats at {instance}", "exact numbers: write Fraction(1, 3), not 0.333")
    return found


def _exact(entry: Any) -> Any:
    return fraction_of(entry) if isinstance(entry, sp.Rational) else entry


def _between(name: str, instance: Instance, outputs: list[Any]) -> Array:
    numbers = [_exact(o) for o in outputs]
    entry = UTILITIES[name].entry
    if entry is None or not all(isinstance(o, (int, Fraction)) for o in numbers):
        raise InvalidInputError(
            "utility",
            f"{name} for the outputs {outputs}",
            "a function utility(...) in the file: outputs are not numbers",
        )
    rows = [[entry(Fraction(y), Fraction(j)) for j in numbers] for y in range(len(instance.counts))]
    return as_array(rows, "utility", 2, UtilityError)


def optimal_question(conjecture: Conjecture, gain: Gain) -> Question:
    """Whether the channel attains the optimum."""

    def value(instance: Instance, rows: list[list[Any]]) -> Any:
        matrix = gain(instance)
        shape = (len(rows), len(rows[0]))
        if conjecture.outputs is not None:
            names = conjecture.outputs(arguments(instance, None))
            if len(names) != shape[1] or len(set(map(repr, names))) != len(names):
                raise InvalidInputError(
                    "outputs", names, f"a distinct name for each of the {shape[1]} columns at {instance}"
                )
        if matrix.shape != shape:
            raise InvalidInputError(
                "channel", f"shape {shape} at {instance}", f"the shape of the utility, {matrix.shape}"
            )
        terms = [
            as_rational(p * Fraction(u)) * q
            for p, gains, row in zip(instance.prior, matrix.tolist(), rows, strict=True)
            for u, q in zip(gains, row, strict=True)
        ]
        return sum(terms[1:], terms[0])

    return _question("optimal", "expected utility", value, gain)


def value_question(gain: Gain) -> Question:
    """Whether a number is the optimum."""
    return _question("value of the optimum", "the formula gives", lambda _, number: number, gain)


def _question(text: str, called: str, value: Callable[[Instance, Any], Any], gain: Gain) -> Question:
    optima = _Optima(gain)

    def at(instance: Instance, t: Any, result: Any) -> str | None:
        number, optimum = value(instance, result), optima.at(instance, t)
        return None if sign(number - optimum) == 0 else f"{called} {written(number)}, the optimum is {written(optimum)}"

    def on_piece(instance: Instance, root: int, piece: Piece) -> Fraction | None:
        found = value(instance, piece.result)
        number = found.expression if isinstance(found, Traced) else sp.sympify(found)
        return simplest(
            nonzero_point(number - optimum.subs(T, T**root), T, sp.Max(lower, piece.lower), sp.Min(upper, piece.upper))
            for lower, upper, optimum in optima.pieces(instance, root)
            if lower < piece.upper and piece.lower < upper
        )

    return Question(text, at, on_piece, "exact regimes of the program, exact solutions")


class _Optima:
    """The optimum of the program of each instance."""

    def __init__(self, gain: Gain):
        self._gain = gain
        self._pieces: dict[Any, list[tuple[sp.Expr, sp.Expr, sp.Expr]]] = {}

    def _program(self, instance: Instance) -> Program:
        return optimal_channel(self._gain(instance), instance.level, instance.prior)

    def at(self, instance: Instance, t: Any) -> Any:
        """The optimum at a number t of either kind; at a rational one with a certificate that was checked."""
        if isinstance(t, Traced):
            point = t.expression.subs(T, t.point)
            _, _, optimum = next(p for p in self.pieces(instance, 1) if bool(p[0] <= point) and bool(point <= p[1]))
            return t.like(optimum.subs(T, t.expression))
        solution = self._program(instance).solve("exact")
        lower, upper = certificate_of(solution).interval()
        if not lower == upper == solution.value:
            raise SolverError(f"the certificate proves [{lower}, {upper}], the solver says {solution.value}")
        return as_rational(Fraction(solution.value))

    def pieces(self, instance: Instance, root: int) -> list[tuple[sp.Expr, sp.Expr, sp.Expr]]:
        """(lower, upper, optimum as a function of t), the ends as values of s where t = s^root."""
        from lpmech.programs.solvers.parametric import regimes_of, value_pieces

        program = self._program(instance)
        key = tuple(map(tuple, program.weights.tolist()))
        if key not in self._pieces:
            self._pieces[key] = value_pieces(regimes_of(program))
        return [(positive_root(a, root), positive_root(b, root), value) for a, b, value in self._pieces[key]]

"""Certificates: a program with a channel and duals as exact rationals, which prove an interval for its optimum."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from lpmech.certify import checker
from lpmech.channel import Channel
from lpmech.entries import Array, as_array, to_exact
from lpmech.errors import CertificateError, DataFileError, ProgramError
from lpmech.programs.general import Solution
from lpmech.programs.optimality import best_fill, feasible_shift

__all__ = ["Certificate", "certificate_of", "read_certificate"]


@dataclass(frozen=True)
class Certificate:
    """A checked certificate; constructing one runs the checker.

    Attributes
    ----------
    data : dict
        The JSON object described in `lpmech.certify.checker`.
    lower, upper : Fraction
        The optimum lies in [lower, upper] (derived by the checker).

    Raises
    ------
    CertificateError
        If the checker rejects the data.
    """

    data: dict[str, Any]

    def __post_init__(self) -> None:
        self.interval()

    def interval(self) -> tuple[Fraction, Fraction]:
        """Run the checker and return the proved interval of the optimum."""
        try:
            return checker.check(self.data)
        except checker.RejectedError as exc:
            raise CertificateError(str(exc)) from exc

    @property
    def lower(self) -> Fraction:
        """Value attained by the channel."""
        return Fraction(self.data["lower"])

    @property
    def upper(self) -> Fraction:
        """Bound proved by the duals."""
        return Fraction(self.data["upper"])

    @property
    def channel(self) -> Channel:
        """The exact channel of the certificate."""
        rows = [[Fraction(v) for v in row] for row in self.data["channel"]]
        return Channel(rows, self.data["inputs"], self.data["outputs"])

    def to_json(self) -> str:
        """The certificate as JSON text."""
        return json.dumps(self.data, indent=1)


def certificate_of(solution: Solution) -> Certificate:
    """The certificate of a solution.

    An exact solution gives lower = upper. A float solution is rounded to rationals and repaired: the channel
    by the greedy fill of its column floors at a rational ratio just below e^epsilon, the duals by the uniform
    shift at a rational ratio just above; the interval [lower, upper] is then rigorous.

    Raises
    ------
    ProgramError
        For a float solution with fixed entries; solve such a program with ``solver="exact"``.
    CertificateError
        If the repaired data does not check.
    """
    program = solution.program
    if solution.is_exact:
        epsilon, low, high = None, program.level.ratio, program.level.ratio
        weights, matrix, duals = program.weights, solution.channel.matrix, solution.row_duals
    else:
        if program.fixed:
            raise ProgramError("fixed", dict(program.fixed), 'none, or an exact program solved with solver="exact"')
        epsilon, low, high = _rational_level(solution)
        weights = to_exact(program.weights)
        matrix = best_fill(weights, low, to_exact(solution.channel.matrix))
        duals = _shifted(weights, high, to_exact(solution.row_duals))
    lower = (weights * matrix).sum()
    upper = sum(duals.tolist()) + sum(mu * program.fixed[key] for key, mu in solution.fixed_duals.items())
    return Certificate(
        {
            "format": checker.FORMAT,
            "inputs": [_plain(name) for name in program.inputs],
            "outputs": [_plain(name) for name in program.outputs],
            "epsilon": epsilon,
            "ratio": [str(low), str(high)],
            "weights": _text(weights),
            "fixed": [[y, j, str(v)] for (y, j), v in program.fixed.items()],
            "channel": _text(matrix),
            "row_duals": [str(v) for v in duals.tolist()],
            "fixed_duals": [[y, j, str(v)] for (y, j), v in solution.fixed_duals.items()],
            "lower": str(lower),
            "upper": str(upper),
        }
    )


def read_certificate(path: str | Path) -> Certificate:
    """Read a certificate from a JSON file and check it.

    Raises
    ------
    DataFileError
        If the file is missing or not JSON.
    CertificateError
        If the checker rejects it.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as exc:
        raise DataFileError("certificate", str(path), f"a readable JSON file ({exc})") from exc
    if not isinstance(data, dict):
        raise DataFileError("certificate", str(path), "a JSON object")
    return Certificate(data)


def _rational_level(solution: Solution) -> tuple[str | None, Fraction, Fraction]:
    level = solution.program.level
    if isinstance(level.ratio, Fraction):
        return None, level.ratio, level.ratio
    epsilon = Fraction(level.epsilon)
    low, high = checker.exp_bounds(epsilon)
    return str(epsilon), low, high


def _shifted(weights: Array, ratio: Fraction, duals: Array) -> Array:
    return as_array(duals + feasible_shift(weights, ratio, duals, {}), "row_duals", 1)


def _plain(name: object) -> object:
    return name if isinstance(name, (str, int)) else str(name)


def _text(matrix: Array) -> list[list[str]]:
    return [[str(v) for v in row] for row in matrix.tolist()]

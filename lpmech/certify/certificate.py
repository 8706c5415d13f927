"""Certificates: a program with a channel and duals as exact rationals, which prove an interval for its optimum."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from lpmech.certify import checker
from lpmech.channel import Channel
from lpmech.entries import Array, as_array, to_exact
from lpmech.errors import CertificateError, DataFileError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program, Solution
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
    shift at a rational ratio just above; the interval [lower, upper] is then rigorous. With fixed entries, where no
    such repair exists, the program is solved exactly at both ratios.

    Raises
    ------
    InfeasibleProgramError
        If the fixed entries leave no channel private at the ratio just below e^epsilon.
    CertificateError
        If the repaired data does not check.
    """
    program = solution.program
    weights = to_exact(program.weights)
    fixed = {key: Fraction(value) for key, value in program.fixed.items()}
    epsilon, low, high = _rational_level(program)
    if solution.is_exact:
        matrix, duals, fixed_duals = solution.channel.matrix, solution.row_duals, dict(solution.fixed_duals)
    elif fixed:
        matrix = _exactly(weights, fixed, low).channel.matrix
        above = _exactly(weights, fixed, high)
        duals, fixed_duals = above.row_duals, dict(above.fixed_duals)
    else:
        matrix = best_fill(weights, low, to_exact(solution.channel.matrix))
        duals, fixed_duals = _shifted(weights, high, to_exact(solution.row_duals)), {}
    data = {
        "format": checker.FORMAT,
        "inputs": [_plain(name) for name in program.inputs],
        "outputs": [_plain(name) for name in program.outputs],
        "epsilon": epsilon,
        "ratio": [str(low), str(high)],
        "weights": _text(weights),
        "fixed": [[y, j, str(v)] for (y, j), v in fixed.items()],
        "channel": _text(matrix),
        "row_duals": [str(v) for v in duals.tolist()],
        "fixed_duals": [[y, j, str(fixed_duals[y, j])] for y, j in fixed],
        "lower": str((weights * matrix).sum()),
        "upper": str(sum(duals.tolist()) + sum(mu * fixed[key] for key, mu in fixed_duals.items())),
    }
    return Certificate({**data, "seal": checker.seal_of(data)})


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


def _exactly(weights: Array, fixed: Mapping[tuple[int, int], Fraction], ratio: Fraction) -> Solution:
    names: dict[tuple[Hashable, Hashable], Fraction] = {(y, j): value for (y, j), value in fixed.items()}
    return Program(weights, PrivacyLevel.from_ratio(ratio), fixed=names).solve("exact")


def _rational_level(program: Program) -> tuple[str | None, Fraction, Fraction]:
    level = program.level
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

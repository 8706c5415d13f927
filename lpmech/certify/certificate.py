"""Certificates: a program with a channel and duals as exact rationals, which prove an interval for its optimum."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from lpmech.certify import checker
from lpmech.certify.checked import checked
from lpmech.certify.packing import matrix_of, packed, packed_numerators, packed_weights, refuse_bytes
from lpmech.channel import Channel
from lpmech.common_denominators import exact_product
from lpmech.entries import Array, as_array, exact_texts, is_exact, to_exact, total
from lpmech.errors import CertificateError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program, Solution
from lpmech.programs.optimality import best_fill, feasible_shift, may_be_broken, shift_of_numerators
from lpmech.programs.uncertain_priors import WorstCase, worths

__all__ = ["Certificate", "certificate_around", "certificate_of", "certificate_of_worst_case", "read_certificate"]


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
        self.proof()

    def proof(self) -> checker.Proof:
        """Run the checker and return what it proves; as text, a sentence for people.

        Raises
        ------
        CertificateError
            If the checker rejects the data.
        """
        try:
            return checker.check(self.data)
        except checker.RejectedError as exc:
            raise CertificateError(str(exc)) from exc

    def interval(self) -> tuple[Fraction, Fraction]:
        """Run the checker and return the proved interval of the optimum."""
        proof = self.proof()
        return proof.lower, proof.upper

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
        """The exact channel of the certificate; its labels are text."""
        return Channel(matrix_of(self.data["channel"]), self.data["inputs"], self.data["outputs"])

    def to_json(self) -> str:
        """The certificate as JSON text.

        Raises
        ------
        CertificateError
            If it is longer than what the checker reads.
        """
        return self._json

    @cached_property
    def _json(self) -> str:
        text = json.dumps(self.data, indent=1)
        refuse_bytes(len(text))
        return text


def certificate_of(solution: Solution, stated: Mapping[str, str] | None = None) -> Certificate:
    """The certificate of a solution.

    An exact solution gives lower = upper. A float solution is rounded to rationals and repaired: the channel
    by the greedy fill of its column floors at a rational ratio just below e^epsilon, the duals by the uniform
    shift at a rational ratio just above; the interval [lower, upper] is then rigorous. With fixed entries, where no
    such repair exists, the program is solved exactly at both ratios. Names of labels become text.

    Parameters
    ----------
    solution : Solution
        An optimum with both sides of its proof.
    stated : mapping of str to str, optional
        What the certificate says beside its proof, such as ``{"utility": "hit"}``; the checker repeats it as stated.

    Raises
    ------
    InfeasibleProgramError
        If the fixed entries leave no channel private at the ratio just below e^epsilon.
    CertificateError
        If the repaired data does not check, or two labels have the same text.
    """
    program = solution.program
    fixed = {key: Fraction(value) for key, value in program.fixed.items()}
    _, low, high = _rational_level(program)
    if solution.is_exact:
        matrix, duals, fixed_duals = solution.channel.matrix, solution.row_duals, dict(solution.fixed_duals)
    elif fixed:
        weights = to_exact(program.weights)
        matrix = _exactly(weights, fixed, low).channel.matrix
        above = _exactly(weights, fixed, high)
        duals, fixed_duals = above.row_duals, dict(above.fixed_duals)
    else:
        matrix = best_fill(to_exact(program.weights), low, solution.channel.matrix)
        duals, fixed_duals = _shifted(program, high, to_exact(solution.row_duals)), {}
    channel = Channel(matrix, program.inputs, program.outputs)
    return _sealed(program, channel, duals, fixed_duals, solution.is_exact, stated)


def certificate_around(
    program: Program, channel: Channel, row_duals: Array, stated: Mapping[str, str] | None = None
) -> Certificate:
    """The certificate of a program without fixed entries from any private channel and any duals.

    Parameters
    ----------
    program : Program
        Without fixed entries.
    channel : Channel
        Exact, and private at a rational ratio below e^epsilon; it is certified as it is.
    row_duals : ndarray, shape (K,)
        Shifted until feasible at a rational ratio above e^epsilon.
    stated : mapping of str to str, optional
        As for `certificate_of`.

    Raises
    ------
    CertificateError
        If the channel is not private, or two labels have the same text.
    """
    duals = _shifted(program, _rational_level(program)[2], to_exact(row_duals))
    return _sealed(program, channel, duals, {}, False, stated)


def certificate_of_worst_case(found: WorstCase, stated: Mapping[str, str] | None = None) -> Certificate:
    """The certificate of the best channel for the worst prior of a set (`lpmech.programs.uncertain_priors`).

    With a floor its ends are those of the program with hits priced, whatever the prior (`WorstCase.priced`).

    Parameters
    ----------
    found : WorstCase
        Duals in floats are shifted until feasible at a rational ratio above e^epsilon.
    stated : mapping of str to str, optional
        As for `certificate_of`.

    Raises
    ------
    CertificateError
        If two labels have the same text.
    """
    program, priors = found.priced, found.priors
    exact = program.is_exact and is_exact(found.row_duals)
    duals = found.row_duals
    if not exact:
        duals = _shifted(program, _rational_level(program)[2], to_exact(duals))
    data = {
        "utility": packed_weights(found.utility),
        **{name: exact_texts(getattr(priors, name)) for name in ("centre", "low", "high")},
        "prior": exact_texts(found.prior),
        "radius": str(priors.radius),
        **({} if found.prices is None else {"prices": exact_texts(found.prices)}),
        "between": [str(v) for v in priors.between(worths(found.utility, found.channel.matrix))],
    }
    hits = found.channel.matrix.diagonal()
    paid = Fraction(0) if found.prices is None else Fraction(total(exact_product(found.prices, hits)))
    return _sealed(program, found.channel, duals, {}, exact, stated, (found.value + paid, data))


def _sealed(
    program: Program,
    channel: Channel,
    duals: Array,
    fixed_duals: Mapping[tuple[int, int], Any],
    exact: bool,
    stated: Mapping[str, str] | None,
    worst: tuple[Fraction, dict[str, Any]] | None = None,
) -> Certificate:
    fixed = {key: Fraction(value) for key, value in program.fixed.items()}
    epsilon, low, high = _rational_level(program)
    inputs, outputs = ([str(name) for name in names] for names in (program.inputs, program.outputs))
    lower = _attained(program, channel) if worst is None else worst[0]
    upper = sum(duals.tolist()) + sum(mu * fixed[key] for key, mu in fixed_duals.items())
    data = {
        "format": checker.FORMAT,
        "inputs": inputs,
        "outputs": outputs,
        **({} if epsilon is None else {"epsilon": str(epsilon)}),
        "ratio": [str(low), str(high)],
        "weights": packed_weights(program.numerators or to_exact(program.weights)),
        "fixed": [[inputs[y], outputs[j], str(v), str(fixed_duals[y, j])] for (y, j), v in fixed.items()],
        "channel": packed(channel.matrix) if channel.numerators is None else packed_numerators(*channel.numerators),
        "row_duals": [str(v) for v in duals.tolist()],
        "lower": str(lower if exact else _coarser(lower, -1)),
        "upper": str(upper if exact else _coarser(upper, 1)),
        **({} if stated is None else {"stated": dict(stated)}),
        **({} if worst is None else {"priors": worst[1]}),
    }
    return Certificate({**data, "seal": checker.seal_of(data)})


def read_certificate(path: str | Path) -> Certificate:
    """Read a certificate from a JSON file and check it.

    Raises
    ------
    DataFileError
        If the file is missing or not a regular file.
    CertificateError
        If it is too large or not strictly JSON, or the checker rejects it.
    """
    return checked(path, Certificate)[1]


def _exactly(weights: Array, fixed: Mapping[tuple[int, int], Fraction], ratio: Fraction) -> Solution:
    names: dict[tuple[Hashable, Hashable], Fraction] = {(y, j): value for (y, j), value in fixed.items()}
    return Program(weights, PrivacyLevel.from_ratio(ratio), fixed=names).solve("exact")


def _rational_level(program: Program) -> tuple[Fraction | None, Fraction, Fraction]:
    level = program.level
    if isinstance(level.ratio, Fraction):
        return None, level.ratio, level.ratio
    epsilon = Fraction(level.epsilon)
    low, high = checker.exp_bounds(epsilon)
    return epsilon, low, high


def _attained(program: Program, channel: Channel) -> Fraction:
    """The channel's value, exactly, of weights in floats, too."""
    if program.numerators is not None:
        return Fraction(program.value(channel))
    return channel.sum_with(to_exact(program.weights))


def _shifted(program: Program, ratio: Fraction, duals: Array) -> Array:
    near = may_be_broken(program.floats[0], ratio, duals)  # no other output can need a shift
    least = Fraction(0)  # of many digits
    if near.size and program.numerators is not None:
        least = shift_of_numerators(program.numerators[0][:, near], program.numerators[1], ratio, duals)
    elif near.size:
        least = Fraction(feasible_shift(to_exact(program.weights[:, near]), ratio, duals, {}))
    return as_array(duals + _coarser(least, 1), "row_duals", 1)


def _coarser(value: Fraction, direction: int) -> Fraction:
    """A number with a short text, about 2^-128 of the value below it (direction -1) or above it (1)."""
    shift = 128 - (value.numerator.bit_length() - value.denominator.bit_length())
    return direction * Fraction(math.ceil(direction * value * Fraction(2) ** shift)) * Fraction(2) ** -shift

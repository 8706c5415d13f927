"""The checker of certificates: standard library only, every comparison over `fractions.Fraction`.

A certificate is a JSON object. Numbers are strings such as "3/7".

=============  ======================================================================================
key            meaning
=============  ======================================================================================
format         "lpmech-certificate-2"
inputs         names of the K rows
outputs        names of the J columns
epsilon        the privacy level as a rational, or null when e^epsilon itself is rational
ratio          [lower, upper]: e^epsilon twice if it is rational, else `exp_bounds` of epsilon
weights        K rows of J numbers: maximise sum weights[y][j] q[y][j]
fixed          list of [y, j, value]: prescribed entries of q
channel        K rows of J numbers: a channel that is private at the lower ratio
row_duals      K numbers pi
fixed_duals    list of [y, j, mu], one for each fixed entry, in the same order
lower, upper   the optimum lies in [lower, upper]; equal for an exact optimum
seal           checksum of all the other entries (`seal_of`), against accidental changes
=============  ======================================================================================

What is checked: the channel is stochastic, private and has the fixed entries, and attains `lower`; the duals
satisfy, for every output j, sum_y r_yj + (t - 1) sum_y max(r_yj, 0) <= 0 with r_yj = w_yj - mu_yj - pi_y and t
the upper ratio (so for every smaller t too), and sum to `upper`. By weak duality the optimum is in between. That
much nobody can forge. The seal adds that no entry was changed by mistake, not even one that leaves the proof valid
but proves it of another program.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

__all__ = ["check", "RejectedError", "FORMAT", "exp_bounds", "seal_of"]

FORMAT = "lpmech-certificate-2"


class RejectedError(Exception):
    """The certificate does not prove what it states; the message says where."""


def check(certificate: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """Check a certificate and return the proved interval of the optimum.

    Raises
    ------
    RejectedError
        If anything is malformed or does not hold.
    """
    try:
        return _check(certificate)
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError) as exc:
        raise RejectedError(f"malformed certificate: {exc!r}") from exc


def _check(data: dict[str, Any]) -> tuple[Fraction, Fraction]:
    _require(data["format"] == FORMAT, f"format is not {FORMAT}")
    _require(data["seal"] == seal_of(data), "the seal does not match the entries")
    rows, columns = len(data["inputs"]), len(data["outputs"])
    _require(len(set(data["inputs"])) == rows > 0, "inputs are empty or repeated")
    _require(len(set(data["outputs"])) == columns > 0, "outputs are empty or repeated")
    low_ratio, high_ratio = (Fraction(v) for v in data["ratio"])
    _require(1 < low_ratio <= high_ratio, "the ratio is not above one")
    if data["epsilon"] is None:
        _require(low_ratio == high_ratio, "without epsilon the ratio must be one number")
    else:
        enclosure = exp_bounds(Fraction(data["epsilon"]))
        _require((low_ratio, high_ratio) == enclosure, "the ratio does not enclose e^epsilon")
    weights = _matrix(data["weights"], rows, columns)
    channel = _matrix(data["channel"], rows, columns)
    fixed = [(int(y), int(j), Fraction(v)) for y, j, v in data["fixed"]]
    row_duals = [Fraction(v) for v in data["row_duals"]]
    fixed_duals = [(int(y), int(j), Fraction(v)) for y, j, v in data["fixed_duals"]]
    lower, upper = Fraction(data["lower"]), Fraction(data["upper"])

    for y, row in enumerate(channel):
        _require(sum(row) == 1, f"row {y} of the channel does not sum to one")
        _require(min(row) >= 0, f"row {y} of the channel has a negative entry")
    for j, column in enumerate(zip(*channel, strict=True)):
        _require(max(column) <= low_ratio * min(column), f"output {j} breaks the privacy constraint")
    for y, j, value in fixed:
        _require(0 <= y < rows and 0 <= j < columns, f"fixed entry {(y, j)} is out of range")
        _require(channel[y][j] == value, f"entry {(y, j)} of the channel is not the fixed value")
    attained = sum(
        w * q for w_row, q_row in zip(weights, channel, strict=True) for w, q in zip(w_row, q_row, strict=True)
    )
    _require(attained == lower, "the channel does not attain the lower value")

    _require(len(row_duals) == rows, "row_duals has the wrong length")
    _require([e[:2] for e in fixed_duals] == [e[:2] for e in fixed], "fixed_duals do not match fixed")
    reduced = [[w - pi for w in row] for row, pi in zip(weights, row_duals, strict=True)]
    for y, j, mu in fixed_duals:
        reduced[y][j] -= mu
    for j, column in enumerate(zip(*reduced, strict=True)):
        excess = sum(column) + (high_ratio - 1) * sum(max(r, Fraction(0)) for r in column)
        _require(excess <= 0, f"the dual constraint of output {j} is violated")
    bound = sum(row_duals) + sum(mu * f for (_, _, mu), (_, _, f) in zip(fixed_duals, fixed, strict=True))
    _require(bound == upper, "the duals do not sum to the upper value")
    return lower, upper


def seal_of(data: dict[str, Any]) -> str:
    """The text of all entries but the seal, read as a number, modulo the prime 2^127 - 1."""
    text = repr(sorted((key, value) for key, value in data.items() if key != "seal"))
    return str(int.from_bytes(text.encode(), "big") % (2**127 - 1))


def exp_bounds(x: Fraction, terms: int = 36) -> tuple[Fraction, Fraction]:
    """Rationals below and above e^x for x > 0, about 1e-25 apart relatively for moderate x.

    Taylor's series of e^(x / 2^k) with x / 2^k <= 1 and its geometric remainder, raised to the power 2^k;
    rounded outwards to 128 significant bits after every squaring.
    """
    _require(x > 0, "epsilon is not positive")
    halvings = max(0, (x.numerator // x.denominator).bit_length())
    small = x / 2**halvings
    term = total = Fraction(1)
    for n in range(1, terms + 1):
        term = term * small / n
        total += term
    low, high = _round(total, 0), _round(total + 2 * term * small / (terms + 1), 1)
    for _ in range(halvings):
        low, high = _round(low * low, 0), _round(high * high, 1)
    return low, high


def _round(value: Fraction, up: int) -> Fraction:
    shift = 128 - (value.numerator.bit_length() - value.denominator.bit_length())
    scaled = value * Fraction(2) ** shift
    return (scaled.numerator // scaled.denominator + up) * Fraction(2) ** -shift


def _matrix(rows: Any, height: int, width: int) -> list[list[Fraction]]:
    matrix = [[Fraction(v) for v in row] for row in rows]
    _require(len(matrix) == height and all(len(row) == width for row in matrix), "a matrix has the wrong shape")
    return matrix


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise RejectedError(message)

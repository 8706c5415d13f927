"""Checks of a tabulated channel, such as the output of somebody's implementation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import sympy as sp

from lpmech.certify import certificate_of
from lpmech.channel import Channel
from lpmech.conjectures.checks import Finding
from lpmech.conjectures.printed import PrintedChannel, decoded, read_decoding, read_printed, read_table_utility
from lpmech.entries import Array, to_float
from lpmech.errors import InvalidInputError, LabelError
from lpmech.label_counts import LabelCounts
from lpmech.mechanisms import rr_top_k
from lpmech.mechanisms.catalogue import published_channels
from lpmech.named_utilities import utility_named
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.programs.optimality import loss_percent
from lpmech.prove.evaluate import sign_of
from lpmech.prove.rational_functions import as_rational
from lpmech.verdicts import Outcome, certified, refuted, supported

__all__ = ["check_table", "SAME"]

#: Entries this close are the same mechanism's: tables hold rounded decimals.
SAME = 1e-9


def check_table(
    path: str | Path,
    utility: str = "hit",
    counts: LabelCounts | None = None,
    level: PrivacyLevel | None = None,
    mechanism: str | None = None,
    decoding: str | Path | None = None,
) -> list[Finding]:
    """Tight level with its witness, which published mechanism it is, and what it loses against the optimum.

    Parameters
    ----------
    path : path
        CSV file: outputs as header, true labels as first column; columns are matched to labels by name.
    utility : str
        See `lpmech.named_utilities.utility_named`; for outputs that are not labels a CSV file with a column for each.
    counts : LabelCounts, optional
        Give the prior; default: uniform.
    level : PrivacyLevel, optional
        The level that the channel is meant to have; default: its own tight level.
    mechanism : str, optional
        Name of the mechanism it claims to be.
    decoding : path, optional
        CSV file ``output,label``: the label that every output stands for.

    Raises
    ------
    DataFileError, ChannelError, UtilityError
        If a file is not usable.
    LabelError
        If there is no mechanism of that name, or labels do not match.
    InvalidInputError
        If outputs are not labels, and neither a utility file nor a decoding says what they are worth.
    """
    table = read_printed(path)
    released = table.channel
    names = [str(name) for name in released.inputs]
    if decoding is not None:
        released = decoded(released, read_decoding(decoding, [str(o) for o in released.outputs], names))
    in_order = _counts(counts, names)
    gain = _gain(released, utility, in_order)
    findings = [Finding("tight level", _tight_level(table))]
    if level is not None:
        findings.append(Finding(f"private at {level}", _private(table, level)))
    tight = table.channel.epsilon
    if level is None and not 0 < tight < np.inf:
        if mechanism is not None:
            raise InvalidInputError("mechanism", mechanism, f"--epsilon or --ratio, for the table's own is {tight}")
        return findings
    own = level or PrivacyLevel.from_epsilon(tight)
    if released.inputs == released.outputs:
        findings.append(Finding("mechanism", _identified(released, gain, in_order.prior, own, mechanism)))
    elif mechanism is not None:
        raise InvalidInputError("mechanism", mechanism, "a table whose outputs are its labels, or a --decoding")
    findings.append(Finding("loss against the optimum", _loss(released, gain, in_order.prior, own)))
    return findings


def _counts(counts: LabelCounts | None, names: list[str]) -> LabelCounts:
    """The counts in the order of the rows."""
    if counts is None:
        return LabelCounts(tuple(names), (1,) * len(names))
    if sorted(counts.labels) != sorted(names):
        raise LabelError("counts", list(counts.labels), f"the labels of the channel, {names}")
    by_label = dict(zip(counts.labels, counts.counts, strict=True))
    return LabelCounts(tuple(names), tuple(by_label[name] for name in names))


def _gain(channel: Channel, utility: str, counts: LabelCounts) -> Array:
    """The utility of every output for every label, shape (K, J)."""
    inputs, outputs = list(counts.labels), [str(output) for output in channel.outputs]
    if set(outputs) <= set(inputs) and (not utility.endswith(".csv") or len(outputs) == len(inputs)):
        return utility_named(utility, counts)[:, [inputs.index(output) for output in outputs]]
    if not utility.endswith(".csv"):
        strange = [output for output in outputs if output not in inputs]
        raise InvalidInputError(
            "utility",
            f"{utility} for the outputs {', '.join(strange)}, which are no labels",
            "--utility FILE.csv with a column for each output, or --decoding FILE.csv with the columns output,label",
        )
    return read_table_utility(utility, inputs, outputs)


def _tight_level(table: PrintedChannel) -> Outcome:
    witness = table.channel.witness
    text = (
        f"epsilon = {table.channel.epsilon:.12g}: output {witness.output!r} for input {witness.likely!r} "
        f"against {witness.unlikely!r}"
    )
    return certified("largest ratio within an output", text)


def _private(table: PrintedChannel, level: PrivacyLevel) -> Outcome:
    """Certified of the decimals themselves; supported only where their rounding alone explains every excess."""
    ratio = _exact_ratio(level)
    worst: tuple[Fraction, int, int, int] | None = None
    explained = True
    for j, column in enumerate(zip(*table.entries, strict=True)):
        high, low = max(column), min(column)
        if sign_of(as_rational(high) - ratio * as_rational(low), {}) <= 0:
            continue
        most = as_rational(low + table.rounding(low)) * ratio
        explained &= low > 0 and sign_of(as_rational(high - table.rounding(high)) - most, {}) <= 0
        excess = high / low if low > 0 else Fraction(10**400)
        if worst is None or excess > worst[0]:
            worst = excess, j, column.index(high), column.index(low)
    if worst is None:
        return certified("exact comparison", "every pair of printed decimals")
    _, j, y, other = worst
    high, low = table.entries[y][j], table.entries[other][j]
    channel = table.channel
    shown = f"{float(high / low):.12g}" if low > 0 else "infinite"
    text = (
        f"output {channel.outputs[j]!r}, inputs {channel.inputs[y]!r} and {channel.inputs[other]!r}: "
        f"{float(high):.12g} against {float(low):.12g}, ratio {shown}, e^epsilon = {float(level.ratio):.12g}"
    )
    if explained:
        return supported("exact comparison", f"up to rounding: the decimals as printed are not private ({text})")
    return refuted("exact comparison", "more than the rounding of the printed decimals explains", text)


def _exact_ratio(level: PrivacyLevel) -> sp.Expr:
    if isinstance(level.ratio, Fraction):
        return as_rational(level.ratio)
    return sp.exp(sp.Rational(repr(level.epsilon)))


def _identified(channel: Channel, utility: Array, prior: Array, level: PrivacyLevel, mechanism: str | None) -> Outcome:
    candidates = [
        (name, parameters, _distance(channel, other)) for name, parameters, other in _candidates(utility, prior, level)
    ]
    names = list(dict.fromkeys(name for name, _, _ in candidates))
    if mechanism is not None:
        if mechanism not in names:
            raise LabelError("mechanism", mechanism, f"one of {', '.join(names)}")
        candidates = [c for c in candidates if c[0] == mechanism]
    name, parameters, distance = min(candidates, key=lambda c: c[2])
    called = f"{name} ({parameters})" if parameters else name
    if distance <= SAME:
        return supported("entry by entry", f"it is {called} at {level}: largest difference {distance:.2g}")
    nearest = f"nearest is {called}: largest difference {distance:.4g}"
    if mechanism is None:
        return supported("entry by entry", f"no published mechanism at {level}; {nearest}")
    return refuted("entry by entry", f"it is not {mechanism} at {level}", nearest)


def _candidates(utility: Array, prior: Array, level: PrivacyLevel) -> Iterator[tuple[str, str, Channel]]:
    yield from published_channels(utility, level, prior)
    yield from (("rr_top_k", f"k = {k}", rr_top_k(prior, k, level)) for k in range(1, len(prior) + 1))


def _distance(channel: Channel, other: Channel) -> float:
    return float(np.abs(to_float(channel.matrix) - to_float(other.matrix)).max())


def _loss(channel: Channel, utility: Array, prior: Array, level: PrivacyLevel) -> Outcome:
    certificate = certificate_of(optimal_channel(utility, level, prior).solve())
    value = float(Channel(channel.matrix).expected_utility(utility, prior))
    lost = loss_percent(value, float(certificate.lower))
    text = (
        f"{lost:.6g} percent: expected utility {value:.10g}, the optimum at {level} lies in "
        f"[{float(certificate.lower):.10g}, {float(certificate.upper):.10g}]"
    )
    return supported("floating point against a certified interval", text)

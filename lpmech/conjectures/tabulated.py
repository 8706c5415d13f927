"""Checks of a tabulated channel, such as the output of somebody's implementation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import sympy as sp

from lpmech.certify import certificate_of
from lpmech.channel import Channel
from lpmech.conjectures.checks import ROWS, Settled
from lpmech.conjectures.printed import (
    PrintedChannel,
    decoded,
    printed,
    read_decoding,
    read_printed,
    read_table_utility,
    told_apart,
)
from lpmech.entries import Array, to_float, widest
from lpmech.errors import InvalidInputError, LabelError
from lpmech.labels.counts import LabelCounts
from lpmech.labels.named_utilities import utility_named
from lpmech.privacy import PrivacyLevel, log_of_fraction
from lpmech.programs import optimal_channel
from lpmech.programs.optimality import loss_percent
from lpmech.prove.rational_functions import as_rational
from lpmech.statements.numbers import Requirement
from lpmech.verdicts import Outcome, Verdict, certified, refuted, supported

__all__ = ["check_table", "SAME"]

#: Entries this close are the same mechanism's: tables hold rounded decimals.
SAME = 1e-9
_DOMAIN = "the table as printed"


def check_table(
    path: str | Path,
    utility: str | None = None,
    counts: LabelCounts | None = None,
    level: PrivacyLevel | None = None,
    mechanism: str | None = None,
    decoding: str | Path | None = None,
) -> list[Settled]:
    """Tight level with its witness, which published mechanism it is, and what it loses against the optimum.

    Parameters
    ----------
    path : path
        CSV file: outputs as header, true labels as first column; columns are matched to labels by name.
    utility : str
        See `lpmech.labels.named_utilities.utility_named`; for outputs that are not labels a CSV file with a column for
        each. Default: hit where outputs are labels, else nothing is said of a mechanism or of a loss.
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
        If a file is not usable; rows may miss one by what the rounding of their decimals explains.
    LabelError
        If there is no mechanism of that name, or labels do not match.
    InvalidInputError
        If outputs are not labels, and neither a utility file nor a decoding says what they are worth, where a utility
        or a mechanism is named.
    """
    table = read_printed(path)
    released = table.channel
    names = [str(name) for name in released.inputs]
    if decoding is not None:
        released = decoded(released, read_decoding(decoding, [str(o) for o in released.outputs], names))
    in_order = _counts(counts, names)
    worth_known = utility is not None or mechanism is not None or {str(o) for o in released.outputs} <= set(names)
    gain = _gain(released, utility or "hit", in_order) if worth_known else None
    rows = _rows(table)
    settled = [
        Settled(ROWS, rows, _DOMAIN),
        Settled("tight level", _as_rounded(_tight_level(table), rows), _DOMAIN),
    ]
    if level is not None:
        settled.append(Settled(f"private at {level}", _as_rounded(_private(table, level), rows), _DOMAIN))
    if gain is None:
        return settled
    tight = table.channel.epsilon
    if level is None and not 0 < tight < np.inf:
        if mechanism is not None:
            raise InvalidInputError("mechanism", mechanism, f"--epsilon or --ratio, for the table's own is {tight}")
        return settled
    own = level or PrivacyLevel.from_epsilon(tight)
    if released.inputs == released.outputs:
        settled.append(
            Settled(
                "mechanism",
                _identified(released, gain, in_order.prior, own, mechanism, table.rounding(Fraction(0))),
                _DOMAIN,
            )
        )
    elif mechanism is not None:
        raise InvalidInputError("mechanism", mechanism, "a table whose outputs are its labels, or a --decoding")
    settled.append(Settled("loss against the optimum", _loss(released, gain, in_order.prior, own), _DOMAIN))
    return settled


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


def _rows(table: PrintedChannel) -> Outcome:
    """Certified of the numbers themselves; supported where their rounding explains what a row lacks."""
    name, total = table.farthest
    if total == 1:
        return certified("exact sums", "every row of the printed numbers")
    text = f"up to the rounding of {table.places} decimals: row {name!r} misses one by {printed(abs(total - 1))}"
    return supported("exact sums", f"{text}; the channel is taken to be each row divided by its sum")


def _as_rounded(found: Outcome, rows: Outcome) -> Outcome:
    """No more than supported of a table whose rows sum to one up to rounding only."""
    if found.verdict is not Verdict.CERTIFIED or rows.verdict is Verdict.CERTIFIED:
        return found
    return supported(
        found.method, f"{found.evidence}; of the printed decimals, whose rows are those of a channel up to rounding"
    )


def _tight_level(table: PrintedChannel) -> Outcome:
    columns = list(zip(*table.entries, strict=True))
    j, high, low = widest(columns) or (0, 0, 0)
    channel, infinite = table.channel, columns[j][low] == 0 < columns[j][high]
    ratio = columns[j][high] / columns[j][low] if columns[j][low] else Fraction(1)
    text = (
        f"epsilon = {'inf' if infinite else format(log_of_fraction(ratio), '.12g')}: output "
        f"{channel.outputs[j]!r} for input {channel.inputs[high]!r} against {channel.inputs[low]!r}"
    )
    return certified("largest ratio within an output", text)


def _private(table: PrintedChannel, level: PrivacyLevel) -> Outcome:
    """Certified of the decimals themselves; supported only where their rounding alone explains every excess."""
    ratio = _exact_ratio(level)

    def within(likely: Fraction, unlikely: Fraction) -> bool:
        return Requirement(ratio * as_rational(unlikely), ">=", as_rational(likely), "private").holds

    columns = enumerate(zip(*table.entries, strict=True))
    over = {j: column for j, column in columns if not within(max(column), min(column))}
    worst = widest(over.values())
    if worst is None:
        return certified("exact comparison", "every pair of printed decimals")
    place, likely, unlikely = worst
    (j, column), channel = list(over.items())[place], table.channel
    excess = column[likely] / column[unlikely] if column[unlikely] else None
    shown, bound = told_apart(as_rational(excess or Fraction(1)), ratio)
    text = (
        f"output {channel.outputs[j]!r}, inputs {channel.inputs[likely]!r} and "
        f"{channel.inputs[unlikely]!r}: {printed(column[likely])} against {printed(column[unlikely])}, ratio "
        f"{'infinite' if excess is None else shown}, e^epsilon = {bound}"
    )
    ends = [(max(column), min(column)) for column in over.values()]
    if all(low > 0 and within(high - table.rounding(high), low + table.rounding(low)) for high, low in ends):
        return supported("exact comparison", f"up to rounding: the decimals as printed are not private ({text})")
    return refuted("exact comparison", "more than the rounding of the printed decimals explains", text)


def _exact_ratio(level: PrivacyLevel) -> sp.Expr:
    if isinstance(level.ratio, Fraction):
        return as_rational(level.ratio)
    return sp.exp(sp.Rational(repr(level.epsilon)))


def _identified(
    channel: Channel, utility: Array, prior: Array, level: PrivacyLevel, mechanism: str | None, rounding: Fraction
) -> Outcome:
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
    if distance <= rounding:
        return supported("entry by entry", f"it is {called} at {level} up to the rounding of the decimals; {nearest}")
    if mechanism is None:
        return supported("entry by entry", f"no published mechanism at {level}; {nearest}")
    return refuted("entry by entry", f"it is not {mechanism} at {level}", nearest)


def _candidates(utility: Array, prior: Array, level: PrivacyLevel) -> Iterator[tuple[str, str, Channel]]:
    from lpmech.mechanisms import rr_top_k
    from lpmech.mechanisms.catalogue import published_channels

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

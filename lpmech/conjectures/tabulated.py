"""Checks of a tabulated channel, such as the output of somebody's implementation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lpmech.certify import certificate_of
from lpmech.channel import Channel
from lpmech.conjectures.checks import Finding
from lpmech.design import loss_percent, published_channels
from lpmech.entries import Array, to_float
from lpmech.errors import LabelError
from lpmech.mechanisms import rr_top_k
from lpmech.papers.claims import Outcome, certified, refuted, supported
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel

__all__ = ["check_table", "SAME"]

#: Entries this close are the same: tables hold rounded decimals.
SAME = 1e-9


def check_table(
    channel: Channel, utility: Array, prior: Array, level: PrivacyLevel | None = None, mechanism: str | None = None
) -> list[Finding]:
    """Tight level with its witness, which published mechanism it is, and what it loses against the optimum.

    Parameters
    ----------
    channel : Channel
        The table.
    utility : ndarray, shape (K, J)
        What is to be maximised.
    prior : ndarray, shape (K,)
        Distribution of the true label.
    level : PrivacyLevel, optional
        The level that the channel is meant to have; default: its own tight level.
    mechanism : str, optional
        Name of the mechanism it claims to be.

    Raises
    ------
    LabelError
        If there is no mechanism of that name.
    """
    tight = channel.epsilon
    findings = [Finding("tight level", _tight_level(channel))]
    if level is not None:
        findings.append(Finding(f"private at {level}", _private(channel, level)))
    if not 0 < tight < np.inf:
        return findings
    own = level or PrivacyLevel.from_epsilon(tight)
    findings.append(Finding("mechanism", _identified(channel, utility, prior, own, mechanism)))
    findings.append(Finding("loss against the optimum", _loss(channel, utility, prior, own)))
    return findings


def _tight_level(channel: Channel) -> Outcome:
    witness = channel.witness
    text = (
        f"epsilon = {channel.epsilon:.12g}: output {witness.output!r} for input {witness.likely!r} "
        f"against {witness.unlikely!r}"
    )
    return certified("largest ratio within an output", text)


def _private(channel: Channel, level: PrivacyLevel) -> Outcome:
    if channel.satisfies(level, SAME):
        return supported("comparison of the printed entries", f"up to {SAME:g}, the rounding of a table")
    witness = channel.witness
    where = f"output {witness.output!r}, inputs {witness.likely!r} and {witness.unlikely!r}"
    ratio = f"{where}: ratio {float(channel.ratio):.12g}, e^epsilon = {float(level.ratio):.12g}"
    return refuted("comparison of the printed entries", f"its level is {channel.epsilon:.12g}", ratio)


def _identified(channel: Channel, utility: Array, prior: Array, level: PrivacyLevel, mechanism: str | None) -> Outcome:
    candidates = [
        (name, parameters, _distance(channel, other))
        for name, parameters, other in _candidates(utility, prior, level)
        if other.matrix.shape == channel.matrix.shape
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
    if utility.shape[0] == utility.shape[1]:
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

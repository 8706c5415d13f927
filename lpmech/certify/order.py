"""The order of two channels as a certificate, which the stand-alone checker reads."""

from __future__ import annotations

import json
from typing import Any

from lpmech.certify import checker, order_checker
from lpmech.channel import Channel
from lpmech.entries import exact_texts
from lpmech.errors import CertificateError
from lpmech.programs.compare_channels import ChannelOrder, Decision

__all__ = ["order_certificate"]


def order_certificate(order: ChannelOrder, names: tuple[str, str]) -> str:
    """The text of a certificate: both channels, and for each a post-processing of the other one, or gains.

    Parameters
    ----------
    order : ChannelOrder
    names : pair of str
        Of the first and the second channel.

    Raises
    ------
    CertificateError
        If it is more than the checker reads.
    """
    channels = (order.first, order.second)
    ways = ((order.to_first, order.for_first), (order.to_second, order.for_second))
    data: dict[str, Any] = {
        "format": order_checker.FORMAT,
        "names": list(names),
        "inputs": [str(name) for name in order.first.inputs],
        "outputs": [[str(name) for name in channel.outputs] for channel in channels],
        "channels": [exact_texts(channel.matrix) for channel in channels],
        "proofs": [{**_made(made), **_gained(problem)} for made, problem in ways],
    }
    text = json.dumps({**data, "seal": checker.seal_of(data)}, indent=1)
    try:
        order_checker.check_order(checker.parse(text))
    except checker.RejectedError as exc:
        raise CertificateError(str(exc)) from exc
    return text


def _made(post_processing: Channel | None) -> dict[str, Any]:
    return {} if post_processing is None else {"from_other": exact_texts(post_processing.matrix)}


def _gained(problem: Decision | None) -> dict[str, Any]:
    return {} if problem is None else {"gain": exact_texts(problem.prior[:, None] * problem.gain)}

"""The command about channels that may be better for everybody: `compare`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from lpmech.cli.common import OK, Epsilon, Json, Whole, check_picture, check_writable, followed, save, working, write
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lpmech.channel import Channel
    from lpmech.mechanisms.named import NamedMechanism
    from lpmech.privacy import PrivacyLevel

__all__ = ["compare"]


def compare(
    first: str | None = None,
    second: str | None = None,
    *,
    labels: Whole = 3,
    ratio: str | None = None,
    epsilon: Annotated[Epsilon | None, Parameter(show=False)] = None,
    certificate: Path | None = None,
    picture: Path | None = None,
    as_json: Json = False,
) -> int:
    """Say which of two channels is at least as good for everybody, with a proof; of mechanisms for every epsilon.

    Parameters
    ----------
    first
        A channel: a CSV file, a directory of a design; or a mechanism, with its numbers: rr_top_k:2, or
        by its short name: rr, oue. Without any, all mechanisms are compared with each other.
    second
        Another one, with the same true labels.
    labels
        Number of labels of mechanisms, 3 to 8; beside a file it is that of the file.
    ratio
        e^epsilon as an exact rational: mechanisms at this level only, with the post-processing that makes one from the
        other, or the smallest decision problem in which it is worth more.
    epsilon
        Is told that --ratio is meant: nothing is compared at a rounded level.
    certificate
        File for the proof at one level, which `lpmech certify` checks.
    picture
        PNG file for all mechanisms: which dominates which one, at which epsilon.
    as_json
        Print JSON.
    """
    if epsilon is not None:
        raise InvalidInputError("epsilon", epsilon, "--ratio, e^epsilon as an exact rational such as 3 or 7/2")
    if (first is None) != (second is None):
        raise InvalidInputError("second", second, "two channels, or none for all mechanisms")
    if first is None or second is None:
        if ratio is not None or certificate is not None:
            raise InvalidInputError("ratio", ratio, "two channels for --ratio and --certificate")
        return _compare_all(labels, picture, as_json)
    if picture is not None:
        raise InvalidInputError("picture", str(picture), "no channels by name: the picture is of all mechanisms")
    if certificate is not None:
        check_writable(certificate)
    return _compare_two(first, second, labels, ratio, certificate, as_json)


def _compare_all(labels: int, picture: Path | None, as_json: bool) -> int:
    from lpmech.designs.orders import orders_of_mechanisms
    from lpmech.mechanisms.named import NAMED
    from lpmech.report.console import console
    from lpmech.report.orders import order_rows, orders_table

    if picture is not None:
        check_picture(picture, "picture")
    pairs = len(NAMED) * (len(NAMED) - 1) // 2
    found = followed(orders_of_mechanisms(labels), pairs, lambda pair: f"{pair.first}, {pair.second}")
    if as_json:
        print(json.dumps(order_rows(found), indent=1))
    else:
        out = console()
        out.print(orders_table(labels, found))
        out.print("all other pairs: incomparable at every epsilon; exact, with a proof for every t", soft_wrap=True)
    if picture is not None:
        from lpmech.plots.orders import plot_orders

        save(plot_orders(found, title=f"Better for everybody, {labels} labels"), picture)
    return OK


def _compare_two(
    first: str, second: str, labels: int, ratio: str | None, certificate: Path | None, as_json: bool
) -> int:
    from lpmech.mechanisms.named import named_mechanism
    from lpmech.privacy import PrivacyLevel

    level = None if ratio is None else PrivacyLevel.from_ratio(ratio)
    files = [_channel_of(text) for text in (first, second)]
    known = next((channel for channel in files if channel is not None), None)
    size = labels if known is None else len(known.inputs)
    named = [named_mechanism(t, size) if c is None else None for t, c in zip((first, second), files, strict=True)]
    names = named[0].name if named[0] else first, named[1].name if named[1] else second
    if named[0] and named[1] and level is None:
        if certificate is not None:
            raise InvalidInputError("certificate", str(certificate), "a certificate with --ratio: it is of one level")
        return _compare_in_t(named[0], named[1], as_json)
    if (level is None) != (None not in files):
        raise InvalidInputError("ratio", ratio, "--ratio beside a mechanism, and none for two files")
    channels = [_at(one, level, known) if one and level else channel for one, channel in zip(named, files, strict=True)]
    return _compare_channels(channels, names, certificate, as_json)


def _compare_in_t(first: NamedMechanism, second: NamedMechanism, as_json: bool) -> int:
    from lpmech.cli.release import say
    from lpmech.designs.orders import PairOrder
    from lpmech.programs.order_in_t import order_regimes
    from lpmech.report.orders import capacity_lines, order_rows, regime_lines

    one, other = first.in_t(), second.in_t()
    with working(f"{first.name}, {second.name}"):
        found = order_regimes(one, other)
    if as_json:
        print(json.dumps(order_rows([PairOrder(first.name, second.name, found)])[0], indent=1))
        return OK
    lines = [*regime_lines(found, (first.name, second.name))]
    for line in [*lines, *capacity_lines(one, first.name), *capacity_lines(other, second.name)]:
        say(line)
    return OK


def _compare_channels(
    channels: Sequence[Channel | None], names: tuple[str, str], certificate: Path | None, as_json: bool
) -> int:
    from lpmech.certify.order import order_certificate
    from lpmech.channel import as_channel
    from lpmech.cli.release import say
    from lpmech.programs.compare_channels import compare_channels
    from lpmech.report.orders import order_lines, order_row

    with working(", ".join(names)):
        found = compare_channels(as_channel(channels[0], "first"), as_channel(channels[1], "second"))
    if certificate is not None:
        write(certificate, order_certificate(found, names))
    if as_json:
        print(json.dumps(order_row(found, names), indent=1))
        return OK
    for line in order_lines(found, names):
        say(line)
    return OK


def _channel_of(text: str) -> Channel | None:
    """The channel of a file or of a design's directory; None of what is neither."""
    from lpmech.tables import read_channel

    path = Path(text)
    if path.is_dir():
        from lpmech.channel import Channel
        from lpmech.release import Release

        made = Release.load(path).randomizer
        return made if isinstance(made, Channel) else Channel(made.mechanism.channel().matrix, made.inputs)
    return read_channel(path) if path.suffix.lower() == ".csv" else None


def _at(mechanism: NamedMechanism, level: PrivacyLevel, beside: Channel | None) -> Channel:
    """A mechanism at a level; beside a file with the labels of the file."""
    from lpmech.channel import Channel

    found = mechanism.at(level)
    return found if beside is None else Channel(found.matrix, beside.inputs, found.outputs)

"""The checker of orders of two channels: `python order_checker.py order.json`, with checker.py beside it, nothing else.

A certificate of an order is a JSON object, read as `checker` reads its own; docs/certificate-format.md has it, too.

=============  ======================================================================================
key            meaning
=============  ======================================================================================
format         "lpmech-order-1"
inputs         distinct names of the K rows (true labels) of both channels
names          the two channels' names
outputs        two lists of distinct names: the columns (released labels) of each
channels       two row-stochastic matrices, lists of rows of numbers such as "3/7"
proofs         two objects: what is proved of the first channel, and of the second
seal           SHA-256 of all the other entries (`checker.seal_of`), against accidental changes
=============  ======================================================================================

A proof is {"from_other": R}, the channel is the other one followed by the channel R; or {"gain": G}, K rows of gains of
actions, the prior included: the sum over outputs j of max_a sum_y C[y][j] G[y][a] is larger for this channel than for
the other one. Post-processing never raises it, so no channel makes this one from the other one.
"""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from operator import mul
from typing import Any, NamedTuple

if __package__:
    from lpmech.certify import checker
else:  # a file alone, for which `python -I` looks nowhere: checker.py beside it
    _found = spec_from_file_location("checker", os.path.join(os.path.dirname(os.path.abspath(__file__)), "checker.py"))
    checker = module_from_spec(_found)  # type: ignore[arg-type]
    try:
        _found.loader.exec_module(checker)  # type: ignore[union-attr]
    except FileNotFoundError:
        print(f"not certified: {os.path.basename(__file__)} needs checker.py beside it", file=sys.stderr)
        sys.exit(2)

__all__ = ["FORMAT", "OrderProof", "check_order"]

require, value_text = checker.require, checker.value_text

FORMAT = "lpmech-order-1"
#: Limits: names, characters of a name, digits, bits of a common denominator, products of numbers for one matrix.
MAX_NAMES, MAX_TEXT, MAX_DIGITS, MAX_BITS, MAX_PRODUCTS = 1000, 1000, 1000, 4096, 2**24

_NUMBER = re.compile(rf"-?[0-9]{{1,{MAX_DIGITS}}}(/[0-9]{{1,{MAX_DIGITS}}})?")
_KEYS = {"format", "inputs", "names", "outputs", "channels", "proofs", "seal"}

#: Rows of whole numbers, multiples of 1 / unit, and the unit.
Whole = tuple[list[list[int]], int]


class OrderProof(NamedTuple):
    """What a checked order proves, for each of the two channels: made from the other one, or by how much worth more."""

    names: tuple[str, ...]
    worth: tuple[tuple[Fraction, Fraction] | None, ...]
    seal: str

    def __str__(self) -> str:
        """The proof in sentences."""
        lines = []
        names = [checker.shown(name) for name in self.names]
        for this, other, worth in zip(names, names[::-1], self.worth, strict=True):
            told = f"is {other} followed by a channel: never worth more"
            if worth is not None:
                told = (
                    f"is worth more than {other} for the gains given: {value_text(worth[0])} to {value_text(worth[1])}"
                )
            lines.append(f"certified: {this} {told}")
        return "\n".join([*lines, f"seal: {self.seal}"])


def check_order(data: dict[str, Any]) -> OrderProof:
    """Check the order of two channels and return what it proves.

    Raises
    ------
    RejectedError
        If anything is malformed or does not hold.
    """
    require(data.get("format") == FORMAT and data.keys() == _KEYS, f"not a {FORMAT} with the keys {sorted(_KEYS)}")
    require(data["seal"] == checker.seal_of(data), "the seal does not match the entries")
    inputs, names = _names(data["inputs"]), _names(data["names"])
    sizes = [len(_names(each)) for each in _list_of(data["outputs"], 2, "outputs")]
    require(len(names) == 2, "names: not two")
    given = zip(_list_of(data["channels"], 2, "channels"), sizes, strict=True)
    channels = [_stochastic(each, len(inputs), size, "channels") for each, size in given]
    proofs = _list_of(data["proofs"], 2, "proofs")
    ways = zip(channels, channels[::-1], proofs, strict=True)
    return OrderProof(names, tuple(_proved(*way) for way in ways), data["seal"])


def _proved(channel: Whole, other: Whole, proof: object) -> tuple[Fraction, Fraction] | None:
    """What the channel and the other one are worth, or None where it follows from the other one."""
    if not isinstance(proof, dict) or len(proof) != 1:
        raise checker.RejectedError("proofs: not one entry for each channel")
    ((kind, data),) = proof.items()
    require(kind in ("from_other", "gain"), "proofs: neither from_other nor gain")
    (this, one), (that, unit) = channel, other
    if kind == "from_other":
        post, of = _stochastic(data, len(that[0]), len(this[0]), kind)
        made = [[one * v for v in row] for row in _product(that, _turned(post))]
        same = made == [[unit * of * v for v in row] for row in this]
        require(same, "a channel is not what its post-processing makes of the other one")
        return None
    width = len(data[0]) if isinstance(data, list) and data and isinstance(data[0], list) else 0
    gain, scale = _matrix(data, len(this), width, kind)
    more, less = (sum(map(max, _product(_turned(each), _turned(gain)))) for each in (this, that))
    require(more * unit > less * one, "the gains do not tell the channels apart")
    return Fraction(more, one * scale), Fraction(less, unit * scale)


def _matrix(data: object, height: int, width: int, key: str) -> Whole:
    rows = [_list_of(row, width, key) for row in _list_of(data, height, key)]
    require(0 < width <= MAX_NAMES, f"{key}: no columns, or more than {MAX_NAMES}")
    require(all(isinstance(v, str) and _NUMBER.fullmatch(v) for row in rows for v in row), f"{key}: not numbers")
    unit, parts = 1, [[v.partition("/") for v in row] for row in rows]
    for below in {int(under or "1") for row in parts for _, _, under in row}:
        require(below > 0, f"{key}: a denominator is zero")
        unit = math.lcm(unit, below)
        require(unit.bit_length() <= MAX_BITS, f"{key}: a common denominator has more than {MAX_BITS} bits")
    return [[int(over) * (unit // int(under or "1")) for over, _, under in row] for row in parts], unit


def _stochastic(data: object, height: int, width: int, key: str) -> Whole:
    rows, unit = _matrix(data, height, width, key)
    require(all(min(row) >= 0 and sum(row) == unit for row in rows), f"{key}: a row is no distribution")
    return rows, unit


def _turned(rows: list[list[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _product(rows: list[list[int]], columns: list[list[int]]) -> list[list[int]]:
    count = len(rows) * len(columns) * len(rows[0])
    require(count <= MAX_PRODUCTS, f"{count} products of numbers, more than {MAX_PRODUCTS}")
    return [[sum(map(mul, row, column)) for column in columns] for row in rows]


def _names(data: object) -> tuple[str, ...]:
    require(isinstance(data, list) and 0 < len(data) <= MAX_NAMES, f"names: not a list of 1 to {MAX_NAMES}")
    names = tuple(name for name in data if isinstance(name, str)) if isinstance(data, list) else ()
    fits = len(set(names)) == len(names) and all(len(name) <= MAX_TEXT for name in names)
    require(isinstance(data, list) and len(names) == len(data) and fits, "names are repeated, too long or no texts")
    return names


def _list_of(data: object, size: int, key: str) -> list[Any]:
    if not isinstance(data, list) or len(data) != size:
        raise checker.RejectedError(f"{key}: not a list of {size} entries")
    return data


def main(arguments: Sequence[str]) -> int:
    """Check the order in the file named on the command line; 0 if it proves what it states, else 2."""
    return checker.main(arguments, check_order, "order_checker.py order.json")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

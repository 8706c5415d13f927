"""Matrices as certificates hold them: distinct values and their positions, so that thousands of labels have room."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from lpmech.certify import checker
from lpmech.common_denominators import exact_product
from lpmech.entries import Array, as_array, by_objects, exact_texts, objects_of, to_exact
from lpmech.errors import CertificateError

__all__ = ["matrix_of", "packed", "packed_numerators", "packed_weights", "refuse_bytes", "refuse_uncertifiable"]

#: Bits of a common denominator beyond which the entries of a row are quotients.
_LONG = 128

#: Characters of an entry of the weights in all but odd files, and of an entry of the channel at most.
_USUAL, _POSITION = 90, 6


def refuse_uncertifiable(utility: Array) -> None:
    """Refuse, before any work, a utility whose optimum would have a certificate that the checker does not read.

    Parameters
    ----------
    utility : ndarray, shape (K, J)
        The objective, but for a factor for each row, such as the prior.

    Raises
    ------
    CertificateError
        If there are too many labels, or their distinct utilities take too much room.
    """
    most = checker.MAX_NAMES
    if max(utility.shape) > most:
        raise CertificateError(
            f"{max(utility.shape)} labels: a certificate has at most {most}; merge some, or take --bins"
        )
    if utility.size * (_USUAL + _POSITION) > checker.MAX_BYTES:
        held = packed_weights(to_exact(utility))
        refuse_bytes(len(held["values"]) + sum(map(len, held["rows"])) + _POSITION * utility.size)


def refuse_bytes(size: int) -> None:
    """Refuse a certificate of more bytes than the checker reads.

    Raises
    ------
    CertificateError
        If it has more than `checker.MAX_BYTES`.
    """
    if size > checker.MAX_BYTES:
        allowed = (
            f"a certificate has at most {checker.MAX_BYTES}; fewer labels, or a utility of fewer or shorter numbers"
        )
        raise CertificateError(f"{size} bytes: {allowed}")


def packed(matrix: Array, scales: Sequence[str] = ()) -> dict[str, Any]:
    """A matrix as a certificate holds it: its distinct values, the most frequent first, and their positions."""
    texts = exact_texts(matrix)
    values = [text for text, _ in Counter(chain.from_iterable(texts)).most_common()]
    position = {text: str(i) for i, text in enumerate(values)}
    rows = [" ".join([position[text] for text in row]) for row in texts]
    return {**({"scales": list(scales)} if scales else {}), "values": " ".join(values), "rows": rows}


def packed_numerators(numerators: Array, denominator: int = 1, scales: Sequence[str] = ()) -> dict[str, Any]:
    """`packed` for the matrix of whole numbers, int64, over a denominator of at most 2^62."""
    distinct, first, places, often = np.unique(numerators, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -often))
    position = np.empty(len(order), dtype=np.intp)
    position[order] = np.arange(len(order))
    common = np.gcd(distinct, denominator)
    lowest = zip((distinct // common)[order].tolist(), (denominator // common)[order].tolist(), strict=True)
    values = " ".join([f"{over}/{under}" if under > 1 else str(over) for over, under in lowest])
    names = list(map(str, range(len(order))))
    rows = [" ".join([names[i] for i in row.tolist()]) for row in position[places].reshape(numerators.shape)]
    return {**({"scales": list(scales)} if scales else {}), "values": values, "rows": rows}


def packed_weights(weights: Array | tuple[Array, int]) -> dict[str, Any]:
    """Exact weights as a certificate holds them: each row over the largest number of which its entries are multiples.

    They may be given as int64 over a denominator of at most 2^62 (`Program.numerators`).

    So a utility of few values takes little room, whatever the prior. Where the multiples would be long, because the
    denominators of a row have little in common, they are quotients.
    """
    if isinstance(weights, tuple):
        numerators, denominator = weights
        steps = np.maximum(np.gcd.reduce(numerators, axis=1), 1)
        texts = [
            str(Fraction(int(step), denominator) if row.any() else 1)
            for step, row in zip(steps, numerators, strict=True)
        ]
        return packed_numerators(numerators // steps[:, None], 1, texts)
    multiples, scales = np.empty(weights.shape, dtype=object), []
    for row, entries in zip(multiples, weights, strict=True):
        scale = _scale([v.as_integer_ratio() for v in objects_of(entries)])
        row[:] = by_objects(entries, partial(_multiple, scale))
        scales.append(str(Fraction(*scale)))
    return packed(multiples, scales)


def _scale(row: list[tuple[int, int]]) -> tuple[int, int]:
    numerators, denominators = zip(*row, strict=True)
    common = math.lcm(*set(denominators))
    short = common if common.bit_length() <= _LONG else math.gcd(*denominators)
    return math.gcd(*numerators) or 1, short


def _multiple(scale: tuple[int, int], value: Fraction) -> int | Fraction:
    over, under = value.numerator * scale[1], value.denominator * scale[0]
    whole, rest = divmod(over, under)
    return Fraction(over, under) if rest else whole


def matrix_of(data: Any) -> Array:
    """The exact matrix that a checked certificate holds under "weights" or "channel", shape (K, J)."""
    if isinstance(data, list):  # as in version 3
        tokens, values = data, {text: Fraction(text) for text in {text for row in data for text in row}}
    else:
        tokens = [row.split(" ") for row in data["rows"]]
        values = {str(i): Fraction(text) for i, text in enumerate(data["values"].split(" "))}
    found = as_array([[values[token] for token in row] for row in tokens], "matrix", 2)
    scales = [] if isinstance(data, list) else data.get("scales", [])
    return exact_product(found, as_array([[Fraction(v)] for v in scales], "scales", 2)) if scales else found

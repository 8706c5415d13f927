"""Numbers grouped into bins: of equal width, equal ratio or equal counts, or between edges."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, pairwise

from lpmech.entries import rational_from_text
from lpmech.errors import InvalidInputError
from lpmech.labels.counts import LabelCounts, Tally

__all__ = ["binned"]


def binned(tally: Tally, bins: str, limits: tuple[Fraction, Fraction] | None, where: str) -> LabelCounts:
    """Numbers grouped into intervals; each is named by its middle.

    Parameters
    ----------
    tally : Tally
        Texts that are all numbers.
    bins : str
        ``20`` or ``equal:20``: intervals of equal width; ``log:20``: of equal ratios, for skewed positive numbers;
        ``quantile:20``: of about equal counts; or the edges ``0,10,100,1000``.
    limits : pair of Fraction, optional
        Smallest and largest possible number, for equal widths and ratios; default: those that occur.
    where : str
        The file, for errors.

    Raises
    ------
    InvalidInputError
        If the bins are not as above, or a text is no number or outside of the bins.
    """
    values: dict[Fraction, int] = {}
    for text, count in tally.counts.items():
        value = rational_from_text(text)
        if value is None:
            raise InvalidInputError("bins", f"{where} line {tally.first[text]}", "numbers, to be grouped into bins")
        values[value] = values.get(value, 0) + count
    edges = _edges(values, bins, limits)
    counts = [0] * (len(edges) - 1)
    for value, count in values.items():
        position = min(bisect_right(edges, value) - 1, len(counts) - 1) if value <= edges[-1] else -1
        if position < 0:
            lines = [line for text, line in tally.first.items() if rational_from_text(text) == value]
            raise InvalidInputError("bins", f"{where} line {lines[0]}", "numbers between the first and the last edge")
        counts[position] += count
    middles = tuple(f"{float((low + high) / 2):.12g}" for low, high in pairwise(edges))
    if len(set(middles)) != len(middles):
        raise InvalidInputError("bins", bins, "bins whose middles differ in twelve digits")
    return LabelCounts(middles, tuple(counts), "by value", tuple(edges))


def _edges(values: Mapping[Fraction, int], bins: str, limits: tuple[Fraction, Fraction] | None) -> list[Fraction]:
    if "," in bins:
        edges = [rational_from_text(text.strip()) for text in bins.split(",")]
        given = [edge for edge in edges if edge is not None]
        if len(given) != len(edges) or len(given) < 3 or any(low >= high for low, high in pairwise(given)):
            raise InvalidInputError("bins", bins, "three or more rising numbers, the edges of the bins")
        return given
    kind, _, number = bins.rpartition(":")
    count = int(number) if number.isascii() and number.isdigit() and len(number) < 7 else 0
    if kind not in ("", "equal", "log", "quantile") or count < 2:
        allowed = "a number of bins >= 2, equal:N, log:N, quantile:N, or edges such as 0,10,100"
        raise InvalidInputError("bins", bins, allowed)
    if kind == "quantile":
        return _quantiles(values, count)
    low, high = limits or (min(values), max(values))
    if low >= high:
        raise InvalidInputError("range", f"{low},{high}", "two numbers LOW,HIGH, the first one smaller")
    return (
        _equal_ratios(low, high, count) if kind == "log" else [low + (high - low) * i / count for i in range(count + 1)]
    )


def _equal_ratios(low: Fraction, high: Fraction, count: int) -> list[Fraction]:
    """Edges that grow by about the same factor, the inner ones rounded to three digits."""
    if low <= 0:
        raise InvalidInputError("range", f"{low},{high}", "two positive numbers for bins on a logarithmic scale")
    step = math.log(high / low) / count
    edges = [low, *(Fraction(f"{float(low) * math.exp(step * i):.3g}") for i in range(1, count)), high]
    if any(one >= other for one, other in pairwise(edges)):
        raise InvalidInputError("bins", f"log:{count}", "fewer bins: their edges agree in three digits")
    return edges


def _quantiles(values: Mapping[Fraction, int], count: int) -> list[Fraction]:
    """Edges between numbers that occur, so that the bins hold about the same number of them."""
    rising = sorted(values)
    sums = list(accumulate(values[v] for v in rising))
    inner = {rising[bisect_right(sums, sums[-1] * i // count)] for i in range(1, count) if sums[-1]}
    edges = sorted({rising[0], *inner, rising[-1]})
    if len(edges) < 3:
        raise InvalidInputError("bins", f"quantile:{count}", "numbers that fall into two or more quantiles")
    return edges

"""The channels for counting as called."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from library.paper import PAPER
from lpmech.claims import Parts
from lpmech.designs.best_for_counting import best_for_counting
from lpmech.designs.decoding import total_variance
from lpmech.entries import as_array
from lpmech.mechanisms.hadamard_response import hadamard_response
from lpmech.mechanisms.subset_selection import SubsetSelection, subset_selection
from lpmech.mechanisms.unary_encoding import optimal_unary_encoding, symmetric_unary_encoding
from lpmech.papers.across.agreement import agrees
from lpmech.privacy import PrivacyLevel

_RATIOS = tuple(map(Fraction, ("11/10", "3", "50")))


@PAPER.claim(
    "Hadamard response (the function)",
    r"`hadamard_response` has the least $2^b>K$ outputs, entries $2t/(S(1+t))$ where row $y+1$ of Sylvester's matrix is 1 and $2/(S(1+t))$ where it is -1, and the level $\ln t$",
    family="K = 1..20 and 31, 32, t = 11/10, 3, 50; the matrix by its recursion, exactly",
    formula=hadamard_response,
    note="Acharya, Sun and Zhang, arXiv:1802.04705, with one block.",
)
def hadamard_channel(make: Callable[[int, PrivacyLevel], Any]) -> Parts:
    for size, t in product((*range(1, 21), 31, 32), _RATIOS):
        signs = np.array([[1]])
        while len(signs) <= size:
            signs = np.block([[signs, signs], [signs, -signs]])
        low, channel = 2 / (len(signs) * (1 + t)), make(size, PrivacyLevel.from_ratio(t))
        right = [[t * low if sign > 0 else low for sign in row] for row in signs[1 : size + 1].tolist()]
        yield agrees(f"K = {size}, t = {t}: channel", channel.matrix, right)
        yield channel.ratio == (t if size > 1 else 1) or f"K = {size}, t = {t}: {channel.ratio}"


@PAPER.claim(
    "The best channel for counting (the function)",
    "`best_for_counting` is private, and its total variance exceeds the proved bound of all private channels by a $10^{-8}$ of itself at most; no other mechanism here is below the bound",
    family="K = 2..6, t = 11/10, 3, 50, and K = 8, t = 3; equal shares, 1/y and 2^-y; the bound over all 2^K vectors exactly, variances in floats within 1e-9",
    formula=best_for_counting,
    mutants={
        "randomized response": lambda labels, level, prior: (
            SubsetSelection(len(labels), 1, level.ratio).channel(),
            best_for_counting(labels, level, prior)[1],
        ),
        "the best subsets": lambda labels, level, prior: (
            subset_selection(len(labels), level).channel(),
            best_for_counting(labels, level, prior)[1],
        ),
        "at a level of twice the ratio": lambda labels, level, prior: best_for_counting(
            labels, PrivacyLevel.from_ratio(2 * level.ratio), prior
        ),
    },
    survivors={
        "-prior[y] -> prior[y] in (-prior[y], labels[y])": "any order of the labels will do that the file's order does not change",
        "weights * t > _RARE -> weights * t >= _RARE": "no weight is a float given in advance",
        "weights * t -> weights in weights * t > _RARE": "rare outputs, one more or less",
        "matrix / matrix.sum(axis=1, keepdims=True) -> matrix in Channel(matrix / matrix.sum(axis=1, keepdims=True), [labels[y] for y in order], names)": "rows sum to one but for rounding, which exact takes away",
    },
    note="Kairouz, Oh and Viswanath, kairouz2016, for why columns of ones and $t$'s suffice.",
)
def best_channel(make: Callable[..., Any]) -> Parts:
    for size, t in (*product(range(2, 7), _RATIOS), (8, Fraction(3))):
        level, names = PrivacyLevel.from_ratio(t), tuple(map(str, range(size)))
        for kind in range(3):
            weights = [Fraction(1, (1, y + 1, 2**y)[kind]) for y in range(size)]
            shares = as_array([w / sum(weights) for w in weights], "prior", 1)
            channel, bound = make(names, level, shares)
            where = f"K = {size}, t = {t}, shares {', '.join(map(str, shares.tolist()))}"
            yield channel.ratio <= t or f"{where}: the ratio is {float(channel.ratio)}"
            bound.check()
            yield bound.ratio >= t or f"{where}: a bound for t = {bound.ratio}"
            found, least = total_variance(channel, shares), float(bound.value)
            yield found <= least * (1 + 1e-8) or f"{where}: variance {found}, bound {least}"
            others: list[Any] = [subset_selection(size, level), hadamard_response(size, level)]
            others += [optimal_unary_encoding(size, level), symmetric_unary_encoding(size, level)]
            for other in others:
                beyond = float(total_variance(other, shares)) / least
                yield beyond >= 1 - 1e-9 or f"{where}: {other} has {beyond} of the bound"

"""App. B.1: every scalar method keeps the label with probability at most e^epsilon / K on average."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.rr_with_prior import rr_with_prior
from lpmech.mechanisms.unary_encoding import symmetric_unary_encoding
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations
from lpmech.papers.zhao2025.every_size import decoded_hit_rate
from lpmech.papers.zhao2025.paper import PAPER, K, T
from lpmech.programs import optimal_channel
from lpmech.utilities import hit
from lpmech.verdicts import Outcome, unclear

DIAGONAL, MASS, ENTRY = sp.symbols("D M_ii M_ji")

_LEVELS = (Fraction(2), Fraction(4), Fraction(20))


def _channels(t: Fraction) -> list[Channel]:
    """All channels on 2 and 3 labels with entries in sevenths or fifths that satisfy ratio t."""
    found = []
    for size, parts in ((2, 7), (3, 5)):
        rows = [r for r in product(range(1, parts), repeat=size) if sum(r) == parts]
        for matrix in product(rows, repeat=size):
            channel = Channel([[Fraction(v, parts) for v in row] for row in matrix])
            if channel.satisfies(PrivacyLevel.from_ratio(t)):
                found.append(channel)
    return found


def _trace(channel: Channel) -> Fraction:
    return sum((channel.matrix[i, i] for i in range(len(channel.inputs))), Fraction(0))


@PAPER.claim(
    "App. B.1 (privacy of the diagonal)",
    r"\epsilon-label LDP gives M_{ii}\le e^\epsilon M_{ji} for all j",
    hypotheses="t > 1, any K: M_ii, M_ji >= 0 within the factor t; replayed on all channels on 2 (3) labels with entries in sevenths (fifths) of level t in {2, 4, 20}",
    formula=lambda t: t,
    mutants={"e^(epsilon/2)": lambda t: t / 2, "a factor 1": lambda t: 1},
)
def diagonal(factor: Any) -> Outcome:
    def failure(case: tuple[Channel, Fraction]) -> str | None:
        channel, t = case
        m = channel.matrix
        for i, j in product(range(len(m)), repeat=2):
            if m[i, i] > factor(t) * m[j, i]:
                return f"M = {[list(map(str, row)) for row in m.tolist()]}, t = {t}: M_{i}{i} > {factor(t)} M_{j}{i}"
        return None

    own, other = sp.symbols("M_ii M_ji")
    proof = check_implications(
        [T > 1, own >= 0, other >= 0, own <= T * other, other <= T * own],
        {"M_ii <= t M_ji": own <= factor(T) * other},
        "two entries of one column, any K",
    )
    return replayed(proof, check_family([(c, t) for t in _LEVELS for c in _channels(t)], failure, "all such channels"))


@PAPER.claim(
    "App. B.1 (summed)",
    r"K\sum_iM_{ii}\le\sum_i\sum_je^\epsilon M_{ji}=Ke^\epsilon",
    hypotheses="every K >= 1; replayed on the same channels; the double sum runs over all entries, K rows that sum to one",
    formula=lambda t, size: (t * size, t * size),
    mutants={
        "sum over j != i": lambda t, size: (t * (size - 1), t * size),
        "e^epsilon without K": lambda t, size: (t, t),
    },
    note="Text: (value of the double sum, bound).",
)
def summed(sides: Any) -> Outcome:
    def failure(case: tuple[Channel, Fraction]) -> str | None:
        channel, t = case
        size = len(channel.inputs)
        middle, right = sides(t, size)
        left, double = size * _trace(channel), t * sum(channel.matrix.ravel().tolist(), Fraction(0))
        fine = left <= double == middle == right
        return None if fine else f"K = {size}, t = {t}: {left} <= {double}, stated as {middle} = {right}"

    double, row, rows = sp.symbols("A r n")
    proof = both(
        check_identities(
            {"double sum": (sides(T, K)[0], T * K), "bound": (sides(T, K)[1], T * K)},
            "K rows of sum 1",
            hypotheses=[T > 1, K >= 1],
        ),
        check_implications(
            [T > 1, rows >= 0, sp.Eq(double, T * rows), sp.Eq(row, 1)],
            {"one more row": sp.Eq(double + T * row, T * (rows + 1))},
            "by rows; by columns K M_ii <= t times the column by 'privacy of the diagonal'",
        ),
    )
    return replayed(proof, check_family([(c, t) for t in _LEVELS for c in _channels(t)], failure, "all such channels"))


@PAPER.claim(
    "App. B.1 (bound)",
    r"(1/K)\sum_iM_{ii}\le e^\epsilon/K",
    hypotheses="D = sum of the diagonal",
    formula=lambda t, k: t / k,
    mutants={"1/K": lambda t, k: 1 / k, "e^epsilon/(e^epsilon + K)": lambda t, k: t / (t + k)},
)
def bound(value: Any) -> Outcome:
    return check_implications(
        [T > 1, K >= 1, K * DIAGONAL <= K * T], {"bound": value(T, K) >= DIAGONAL / K}, "for all t, K"
    )


@PAPER.claim(
    "App. B.1 (bound, sharp)",
    r"leaving out j=i: (1/K)\sum_iM_{ii}\le e^\epsilon/(e^\epsilon+K-1), which is below e^\epsilon/K for K\ge 2",
    hypotheses="D = sum of the diagonal",
    given=[T > 1, K >= 2, (K - 1) * DIAGONAL <= T * (K - DIAGONAL)],
    evidence="for all t, K",
    formula=lambda t, k: t / (t + k - 1),
    mutants={"e^epsilon/(e^epsilon + K)": lambda t, k: t / (t + k), "e^epsilon/K": lambda t, k: t / k},
    note="So the bound e^eps/K is never attained for K >= 2; it is above 1 for K < e^eps.",
)
def sharp(value: Any) -> Relations:
    return {"bound": value(T, K) >= DIAGONAL / K, "below e^eps/K": value(T, K) < T / K}


@PAPER.claim(
    "App. B.1 (the program's optimum)",
    r"the largest average of M_{ii} over \epsilon-LDP channels is e^\epsilon/(e^\epsilon+K-1)",
    hypotheses="t > 1, K >= 2: equal duals; replayed for K = 1, ..., 5, t in {2, 4, 20}, exact optimum of the program",
    formula=lambda t, k: t / (t + k - 1),
    mutants={
        "e^epsilon/K": lambda t, k: t / k,
        "1": lambda t, k: t / t,
        "e^epsilon/(e^epsilon + K)": lambda t, k: t / (t + k),
    },
)
def optimum(value: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        size, t = case
        best = optimal_channel(hit(size), PrivacyLevel.from_ratio(t)).solve("exact").value
        return None if best == value(t, size) else f"K = {size}, t = {t}: optimum {best}, not {value(t, size)}"

    # dual of the program with prior 1/K: the same number value / K for every row
    dual = value(T, K) / K
    certificate = check_implications(
        [T > 1, K >= 2],
        {
            "own >= 0 >= other": sp.And(1 / K >= dual, dual >= 0),
            "dual constraint": (1 / K - dual) - (K - 1) * dual + (T - 1) * (1 / K - dual) <= 0,
            "attained by randomized response": sp.Eq(value(T, K), T / (T + K - 1)),
        },
        "one dual constraint, the same for every output",
    )
    family = [(n, t) for n in range(1, 6) for t in _LEVELS]
    return replayed(certificate, check_family(family, failure, "K <= 5", "exact linear programs"))


def _average(size: int, t: Fraction, law: tuple[Fraction, ...]) -> Fraction:
    """Largest hit rate of an epsilon-LDP channel for labels with this law."""
    return Fraction(rr_with_prior(law, PrivacyLevel.from_ratio(t)).expected_utility(hit(size), law))


@PAPER.claim(
    "App. B.1 (decreases with K)",
    r"'for all scalar approximation methods ... the probability of retaining the original label decreases with K'",
    hypotheses="the best scalar method; t in {2, 4, 20}, K = 1, ..., 6; for each reading the law of the labels on K classes",
    consequence="wording",
    readings={
        "average over all K labels": "certified",
        "any law of the labels: two labels with 1/2 each, the others unused": "refuted",
    },
    formula=lambda before, after: after < before,
    mutants={"it grows": lambda before, after: after > before},
    note="The proof bounds the unweighted average over the K labels; with a known prior RRWithPrior need not lose anything.",
)
def decreases(compare: Any) -> Outcome:
    def uniform(size: int) -> tuple[Fraction, ...]:
        return (Fraction(1, size),) * size

    def halves(size: int) -> tuple[Fraction, ...]:
        return (Fraction(1, 2), Fraction(1, 2), *[Fraction(0)] * (size - 2)) if size > 1 else (Fraction(1),)

    def reading(law: Any, first: int) -> Outcome:
        def failure(case: tuple[int, Fraction]) -> str | None:
            size, t = case
            rates = [_average(n, t, law(n)) for n in (size, size + 1)]
            return None if compare(*rates) else f"t = {t}: hit rate {rates[0]} at K = {size}, {rates[1]} at {size + 1}"

        return check_family([(n, t) for t in _LEVELS for n in range(first, 6)], failure, "K <= 6")

    return unclear(
        {
            "average over all K labels": reading(uniform, 1),
            "any law of the labels: two labels with 1/2 each, the others unused": reading(halves, 2),
        }
    )


@PAPER.claim(
    "App. B.1 (the vector decoded)",
    r"a label decoded from the vector Z obeys the same bound: its hit rate is at most e^\epsilon/(e^\epsilon+K-1)",
    hypotheses="t > 1, K >= 2, any decoding of any epsilon-LDP release (Theorem 1); replayed on the best decoding for uniform labels (the largest entry of each column), K = 2, ..., 8, s in {3/2, 2, 3}",
    formula=lambda t, k: t / (t + k - 1),
    mutants={"1/K": lambda t, k: 1 / (k + 0 * t), "e^eps/(e^eps + K)": lambda t, k: t / (t + k)},
    note="The vector is an epsilon-LDP channel too, and decoding is post-processing: B.1 does not tell scalar from vector.",
)
def vector_decoded(value: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        size, s = case
        rate = symmetric_unary_encoding(size, PrivacyLevel.from_ratio(s * s)).hit_rate
        return None if rate <= value(s * s, size) else f"K = {size}, s = {s}: {rate} > {value(s * s, size)}"

    roots = (Fraction(3, 2), Fraction(2), Fraction(3))
    instances = check_family([(n, s) for n in range(2, 9) for s in roots], failure, "K = 2..8")
    return replayed(decoded_hit_rate(value), instances)


PAPER.leave_out(
    "App. B.1 ('the performance degrades inevitably with larger K')",
    "performance of a trained model is not defined there; the bound concerns the kept labels only",
)

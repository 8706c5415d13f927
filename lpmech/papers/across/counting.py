"""Mechanisms for counting: subset selection, Hadamard response, unary encodings, and how well any channel can count."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech.claims import Instance, Parts
from lpmech.designs.best_for_counting import best_for_counting
from lpmech.designs.decoding import total_variance
from lpmech.entries import as_array
from lpmech.mechanisms.hadamard_response import hadamard_response, hadamard_variance
from lpmech.mechanisms.set_valued import SetValued
from lpmech.mechanisms.subset_selection import (
    SubsetSelection,
    best_subset_size,
    subset_odds,
    subset_variance,
)
from lpmech.mechanisms.unary_encoding import optimal_unary_encoding, symmetric_unary_encoding
from lpmech.papers.across.agreement import agrees
from lpmech.papers.across.chance import enumerated
from lpmech.papers.across.paper import PAPER
from lpmech.privacy import PrivacyLevel
from lpmech.terms import functions as tm

T, K, D, J, S, A = tm.symbols("t K d k s a")

_RATIOS = tuple(map(Fraction, ("11/10", "3", "50")))
_CASES = [(size, d, t) for size in range(2, 7) for d in range(1, size) for t in _RATIOS]
_SUBSETS = "Wang et al., arXiv:1607.08025; Ye and Barg, arXiv:1702.00610"


def _spread(p: Any, q: Any, size: Any) -> Any:
    """The total variance of the usual shares, for one person."""
    return (p * (1 - p) + (size - 1) * q * (1 - q)) / (p - q) ** 2


def _chances(odds: tuple[Any, Any]) -> tuple[Any, Any]:
    return odds[0] / (1 + odds[0]), 1 / (1 + odds[1])


@PAPER.claim(
    "Subset selection (odds)",
    "when a set of $d$ labels with the true one has $t$ times the probability of one without, the true label is in the set with odds $dt/(K-d)$, and another one outside with odds $(K-d)(dt+K-d-1)/(d((d-1)t+K-d))$",
    hypotheses="of the sets of $d$ labels the share $d/K$ has a given label; of those the share $(d-1)/(K-1)$ has another one, of the rest $d/(K-1)$",
    given=[T > 1, K >= 2, D >= 1, D <= K - 1],
    replay="the channel of every d for K = 2..6, t = 11/10, 3, 50: rows, level, chances of every label; the law of what is drawn for K = 4, t = 3, over everything that the random source can say",
    formula=subset_odds,
    note=f"{_SUBSETS}. For $d = 1$ this is randomized response.",
)
def odds_of_subsets(odds: Callable[[Any, Any, Any], tuple[Any, Any]]) -> Parts:
    with_label, without = D / K, (K - D) / K
    total = with_label * T + without
    p = with_label * T / total
    q = (with_label * (D - 1) / (K - 1) * T + without * D / (K - 1)) / total
    found = odds(K, D, T)
    yield "odds of the true label", (found[0] * (1 - p), p)
    yield "odds of another label", (found[1] * q, 1 - q)
    for size, d, t in _CASES:
        where, channel = f"K = {size}, d = {d}, t = {t}", SubsetSelection(size, d, t).channel()
        yield Instance(f"{where}: tight ratio", channel.ratio, "==", t)
        chances = _chances(odds(size, d, t))
        right = [[chances[int(j != y)] for j in range(size)] for y in range(size)]
        yield agrees(f"{where}: chances", channel.matrix @ np.array(channel.outputs, dtype=object), right)
    for d, label in product((1, 2, 3), (0, 2, 3)):
        mechanism = SubsetSelection(4, d, Fraction(3))
        law = enumerated(lambda source, m=mechanism, y=label: tuple(m.sample([y], source)[0].tolist()))  # type: ignore[misc]
        channel = mechanism.channel()
        written = dict(zip(channel.outputs, channel.matrix[label].tolist(), strict=True))
        yield law == written or f"K = 4, d = {d}, t = 3, label {label}: {law}, not {written}"


@PAPER.claim(
    "Subset selection (variance)",
    r"the shares estimated from sets of $d$ labels have the total variance $(K-1)(\frac{(K-1)(K-d+t^2 d)}{d(K-d)(t-1)^2}-1)/n$, whatever the true shares are",
    hypotheses="$p$, $q =$ probabilities that the set holds the true label, and another one, with the odds of 'Subset selection (odds)'; the share $f_y$ of label $y$ is estimated by the mean of $(z_y - q)/(p - q)$, $z_y = 1$ where the set holds $y$, else 0, with variance $f_y p(1-p) + (1-f_y) q(1-q)$ over $(p-q)^2 n$; the people are fixed, their shares sum to one",
    given=[T > 1, K >= 2, D >= 1, D <= K - 1],
    replay="SetValued.count_variance for K = 2..6, every d, t = 11/10, 3, 50, equal and unequal shares",
    formula=subset_variance,
    note=_SUBSETS,
)
def variance_of_subsets(variance: Callable[[Any, Any, Any], Any]) -> Parts:
    p, q = _chances(subset_odds(K, D, T))
    yield "total variance", (variance(K, D, T), _spread(p, q, K))
    for size, d, t in _CASES:
        for weights in ([1] * size, list(range(size))):
            shares = [Fraction(w, sum(weights)) for w in weights]
            found = sum(SubsetSelection(size, d, t).count_variance(shares).tolist())
            where = f"K = {size}, d = {d}, t = {t}, shares as {(*weights,)}: total variance"
            yield Instance(where, found, "==", variance(size, d, t))


@PAPER.claim(
    "Subset selection (best d)",
    r"over real $d$ the variance is least at $d=K/(t+1)$, and that of any $d$ exceeds it by $\frac{(K-1)^2(K-(t+1)d)^2}{Kd(K-d)(t-1)^2}$; `best_subset_size` is a whole $d$ with the least",
    given=[T > 1, K >= 2, D > 0, D < K],
    replay="K = 2..40 and 500, t = 101/100, 11/10, 2, 3, 50, 1000, all d compared",
    formula=lambda size, t: size / (t + 1),
    note=_SUBSETS,
)
def best_subsets(best: Callable[[Any, Any], Any]) -> Parts:
    excess = (K - 1) ** 2 * (K - (T + 1) * D) ** 2 / (K * D * (K - D) * (T - 1) ** 2)
    yield "excess over the least", (subset_variance(K, D, T) - subset_variance(K, best(K, T), T), excess)
    yield "no excess below 0", excess >= 0
    for size, t in product((*range(2, 41), 500), map(Fraction, ("101/100", "11/10", "2", "3", "50", "1000"))):
        found = best_subset_size(size, PrivacyLevel.from_ratio(t))
        least = min(subset_variance(size, d, t) for d in range(1, size))
        yield Instance(
            f"K = {size}, t = {t}: variance at d = {found}, least", subset_variance(size, found, t), "==", least
        )
        yield abs(found - min(max(best(Fraction(size), t), 1), size - 1)) < 1 or f"K = {size}, t = {t}: {found} is far"


@PAPER.claim(
    "Subset selection is the best for equal shares",
    "where the true shares are equal, no private channel has unbiased estimates with less total variance than subset selection with the best $d$, for all $K$ and $t$",
    hypotheses=r"CountingBound with $B = \alpha(I - \mathbf{1}\mathbf{1}^T/K) + \mathbf{1}\mathbf{1}^T/K^2$, $\alpha = (K-1)/(K(t-1)^2 m)$, $m = d(K-d)/(K+d(t-1))^2$, and equal duals $\lambda = 1/K^2 + \alpha^2(t-1)^2 m$; a vector $v$ with $k$ entries $t$ has $|v - \mathrm{mean}|^2 = (t-1)^2 k(K-k)/K$; the best $d$ has the largest $m$",
    given=[T > 1, K >= 2, D >= 1, D <= K - 1],
    replay="the bound itself, checked over all vectors, for K = 2..6, t = 11/10, 3, 50",
    formula=subset_variance,
    note="Ye and Barg, arXiv:1708.00059, prove it in the limit of many people: squared error of the worst shares, estimates of every kind.",
)
def subsets_are_best(variance: Callable[[Any, Any, Any], Any]) -> Parts:
    def m(k: Any) -> Any:
        return k * (K - k) / (K + k * (T - 1)) ** 2

    alpha = (K - 1) / (K * (T - 1) ** 2 * m(D))
    dual = 1 / K**2 + alpha**2 * (T - 1) ** 2 * m(D)
    trace = alpha * (K - 1) + 1 / K
    yield "value of the bound", (2 * trace - K * dual - 1, variance(K, D, T))
    total = K + J * (T - 1)
    moved = alpha**2 * (T - 1) ** 2 * J * (K - J) / K + (total / K**2) ** 2 * K
    room = alpha**2 * (T - 1) ** 2 * total**2 / K
    holds = [T > 1, K >= 2, D >= 1, D <= K - 1, J >= 0, J <= K - 1]
    yield holds, {"room of a vector with k entries t": (dual * total * (total / K) - moved, room * (m(D) - m(J)))}
    yield holds, {"its factor": room >= 0}
    excess = variance(K, J, T) - variance(K, D, T)
    least = (K - 1) ** 2 / (K * (T - 1) ** 2) * (1 / m(J) - 1 / m(D))
    yield [T > 1, K >= 2, D >= 1, D <= K - 1, J >= 1, J <= K - 1], {"least variance, largest m": (excess, least)}
    for size, t in product(range(2, 7), _RATIOS):
        equal = as_array([Fraction(1, size)] * size, "prior", 1)
        _, bound = best_for_counting(tuple(map(str, range(size))), PrivacyLevel.from_ratio(t), equal)
        stated = variance(size, best_subset_size(size, PrivacyLevel.from_ratio(t)), t)
        near = stated * (1 - Fraction(1, 10**8)) <= bound.value <= stated
        yield near or f"K = {size}, t = {t}: {float(bound.value)} against {float(stated)}"


@PAPER.claim(
    "Hadamard response (variance)",
    r"the shares decoded by $\frac{t+1}{t-1}H$ have the total variance $(K((t+1)/(t-1))^2-1)/n$, whatever the true shares are",
    hypotheses="rows of $H$ are orthogonal, and those but the first sum to 0: with $c = (t-1)/(t+1)$ the channel on $s$ outputs is $(1 + c H)/s$, so that $H/c$ decodes it, whose entries have the square $1/c^2$; the people are fixed, $f =$ share of a label",
    given=[T > 1, K >= 1],
    replay="K = 2..12, t = 11/10, 3, 50, equal and unequal shares, exactly; the decoder of least variance in floats, which is as good or better",
    formula=hadamard_variance,
    note="Acharya, Sun and Zhang, arXiv:1802.04705.",
)
def variance_of_hadamard(variance: Callable[[Any, Any], Any]) -> Parts:
    low, high = 2 / (S * (1 + T)), 2 * T / (S * (1 + T))
    c = (T - 1) / (T + 1)
    yield [T > 1, S >= 2], {"entry at 1": (high, (1 + c) / S), "entry at -1": (low, (1 - c) / S)}
    yield "sum over the labels of 1/c^2 - f", (variance(K, T), K / c**2 - 1)
    for size, t in product(range(2, 13), _RATIOS):
        channel = hadamard_response(size, PrivacyLevel.from_ratio(t))
        decoder = np.where(channel.matrix.T * len(channel.outputs) > 1, 1, -1) * ((t + 1) / (t - 1))
        where = f"K = {size}, t = {t}"
        yield agrees(f"{where}: decoded", channel.matrix @ decoder, np.eye(size, dtype=int))
        for weights in ([1] * size, list(range(size))):
            shares = as_array([Fraction(w, sum(weights)) for w in weights], "prior", 1)
            found = ((shares @ channel.matrix) @ decoder**2).sum() - 1
            yield Instance(f"{where}, shares as {(*weights,)}: total variance", found, "==", variance(size, t))
            best = total_variance(channel, shares)
            yield best <= variance(size, t) * (1 + Fraction(1, 10**9)) or f"{where}: {best} for the best decoder"


@PAPER.claim(
    "Unary encodings (variance)",
    r"optimal unary encoding has the total variance $(4tK/(t-1)^2+1)/n$, symmetric unary encoding, which is vector approximation, $K\sqrt{t}/(\sqrt{t}-1)^2/n$; no unary encoding has less for a label that nobody has than the optimal one",
    hypotheses="$t = s^2$; encodings have the odds $a$ at the true label and $t/a$ elsewhere, optimal at $a = 1$, symmetric at $a = s$",
    given=[S > 1, K >= 2, A > 0],
    replay="SetValued.total_variance for K = 2..6, s = 11/10, 3, 50",
    formula=(lambda size, s: 4 * s**2 * size / (s**2 - 1) ** 2 + 1, lambda size, s: size * s / (s - 1) ** 2),
    note="Wang, Blocki, Li and Jha, USENIX Security 2017; zhao2025 for the vectors.",
)
def variance_of_encodings(variances: tuple[Callable[[Any, Any], Any], ...]) -> Parts:
    makes: tuple[Callable[[int, PrivacyLevel], SetValued], ...] = (optimal_unary_encoding, symmetric_unary_encoding)
    optimal, symmetric = variances
    yield "optimal", (optimal(K, S), _spread(*_chances((tm.Rational(1), S**2)), K))
    yield "symmetric", (symmetric(K, S), _spread(*_chances((S, S)), K))
    p, q = _chances((A, S**2 / A))
    rare = q * (1 - q) / (p - q) ** 2
    excess = S**2 * (A - 1) ** 2 / (A * (S**2 - 1) ** 2)
    yield "a label that nobody has", (rare - 4 * S**2 / (S**2 - 1) ** 2, excess)
    yield "no excess below 0", excess >= 0
    for size, s, place in product(range(2, 7), _RATIOS, (0, 1)):
        found = makes[place](size, PrivacyLevel.from_ratio(s * s)).total_variance
        where = f"{('optimal', 'symmetric')[place]} unary encoding, K = {size}, s = {s}: total variance"
        yield Instance(where, found, "==", variances[place](size, s))

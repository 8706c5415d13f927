"""Which mechanisms are extreme points of the private channels, and which can be optimal for no utility."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.channel import Channel
from lpmech.mechanisms.bipartite_rr import bipartite_channel, bipartite_rr, common_m
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.papers.across.paper import PAPER
from lpmech.papers.checking import check_family, check_implications, replayed
from lpmech.papers.claims import Relations
from lpmech.privacy import PrivacyLevel
from lpmech.programs.extreme_points import exposing_utility, is_extreme_point
from lpmech.utilities import absolute
from lpmech.verdicts import Outcome

T, K, M, S = sp.symbols("t K m s")

_LEVELS = [PrivacyLevel.from_ratio(Fraction(t)) for t in ("3/2", "3", "20")]


def _prior(size: int) -> list[Fraction]:
    return [Fraction(2 * (size - y), size * (size + 1)) for y in range(size)]


def _agreement(instances: list[tuple[Any, Channel, PrivacyLevel, bool]]) -> Callable[[Any], str | None]:
    def failure(instance: tuple[Any, Channel, PrivacyLevel, bool]) -> str | None:
        what, channel, level, stated = instance
        if is_extreme_point(channel, level) is stated:
            return None
        return f"{what}, t = {level.ratio}: {'not ' if stated else ''}an extreme point"

    return failure


@PAPER.claim(
    "RR is an extreme point",
    r"randomised response is an extreme point of the \epsilon-private channels for every K\ge 2, so it is the only optimum for some utility",
    hypotheses="t > 1. Column j is tight everywhere, so the tight constraints leave one floor m_j for each; the row sums read m_1 + ... + m_K + (t-1) m_y = 1, two rows give (t-1)(m_y - m_z) = 0, and equal floors give (K+t-1) m = 1. The formula is the coefficient of m",
    formula=K + T - 1,
    mutants={"K - t": K - T, "(K - 3)(t - 1)": (K - 3) * (T - 1)},
)
def rr_is_extreme(coefficient: Any) -> Outcome:
    floors = sp.symbols("m_y m_z")
    facts = {
        "equal floors": sp.Implies(sp.Eq((T - 1) * (floors[0] - floors[1]), 0), sp.Eq(*floors)),
        "one solution": sp.Ne(coefficient, 0),
    }
    proof = check_implications([T > 1, K >= 2], facts, "equal floors, and one solution for them")
    instances = [(f"RR, K = {n}", randomized_response(n, level), level, True) for n in range(2, 7) for level in _LEVELS]
    return replayed(proof, check_family(instances, _agreement(instances), "K <= 6, exact rank"))


@PAPER.claim(
    "RRTop-k is an extreme point",
    r"RRTop-k is an extreme point iff k=1 or k=K: RRWithPrior, though optimal for the hit rate, is a vertex only if k^*\in\{1,K\}",
    hypotheses="K = 2..6, all k, three t; exact rank of the tight constraints",
    recorded="certified",
    formula=lambda size, k: k in (1, size),
    mutants={
        "always": lambda size, k: True,
        "iff k = K": lambda size, k: k == size,
        "iff k < K": lambda size, k: k < size,
    },
    note="The rows of dropped labels are uniform on the k kept ones, strictly between floor and ceiling.",
)
def rr_top_k_extreme(rule: Callable[[int, int], bool]) -> Outcome:
    instances = [
        (f"K = {size}, k = {k}", rr_top_k(_prior(size), k, level), level, rule(size, k))
        for size in range(2, 7)
        for k in range(1, size + 1)
        for level in _LEVELS
    ]
    return check_family(instances, _agreement(instances), "all k")


@PAPER.claim(
    "BlockRR is an extreme point",
    r"BlockRR is an extreme point iff l=0 or \mathcal S_2=\emptyset, that is, iff it is RR",
    hypotheses="K = 2..5, S1 the n most probable labels, all n and l, three t; exact rank of the tight constraints",
    recorded="certified",
    formula=lambda size, n, l: l == 0 or n == size,
    mutants={
        "always": lambda size, n, l: True,
        "iff l = 0": lambda size, n, l: l == 0,
        "iff S2 is empty": lambda size, n, l: n == size,
    },
    survivors={"l -> l ** 2": "the same: l^2 = 0 iff l = 0"},
    note="So BlockRR with l > 0 is never the only optimum: whatever utility it is optimal for, two other channels are too, of which it is a mixture.",
)
def block_rr_extreme(rule: Callable[[int, int, int], bool]) -> Outcome:
    instances = [
        (
            f"K = {size}, |S1| = {n}, l = {l}",
            block_rr_from_partition(_prior(size), range(n), level, l),
            level,
            rule(size, n, l),
        )
        for size in range(2, 6)
        for n in range(1, size + 1)
        for l in range(n + 1)
        for level in _LEVELS
    ]
    return check_family(instances, _agreement(instances), "all n and l")


@PAPER.claim(
    "BRR is an extreme point",
    r"BRR with m true items for -|i-j| is an extreme point iff m=1, that is, iff it is RR; so is BRR with its own m",
    hypotheses="N = 2..6, every m = 1..N, and N = 2..8 with BRR's own m, t = 3/2, 3, 20; exact rank of the tight constraints",
    recorded="certified",
    formula=lambda n, m: m == 1,
    mutants={
        "always": lambda n, m: True,
        "never": lambda n, m: False,
        "up to m = 2": lambda n, m: m <= 2,
        "N <= 5, as BRR's own m says at t = 3": lambda n, m: n <= 5,
    },
    note="For m >= 2 the first two rows have the same m true items and are equal, so one equation for the floors is missing. "
    "BRR's own m is 1 for N <= 5 at t = 3, for N <= 4 at 3/2 and for all these N at 20.",
)
def brr_extreme(rule: Callable[[int, int], bool]) -> Outcome:
    instances = [
        (f"N = {n}, m = {m}", bipartite_channel(absolute(n), m, level), level, rule(n, m))
        for n in range(2, 7)
        for m in range(1, n + 1)
        for level in _LEVELS
    ]
    instances += [
        (f"BRR, N = {n}", bipartite_rr(absolute(n), level), level, rule(n, common_m(absolute(n), level)))
        for n in range(2, 9)
        for level in _LEVELS
    ]
    return check_family(instances, _agreement(instances), "every m, and BRR's own")


def _exponential(size: int, root: Fraction) -> Channel:
    """The exponential mechanism for -|i-j| on 1..N with root = e^(epsilon / (2 (N - 1))), exactly."""
    weights = [[Fraction(1) / root ** abs(i - j) for j in range(size)] for i in range(size)]
    return Channel([[w / sum(row) for w in row] for row in weights])


@PAPER.claim(
    "The exponential mechanism is optimal for no utility",
    r"with \Pr\propto\exp(\epsilon q/(2\Delta q)) no inequality is tight for the scores -|i-j| on 1..N, N\ge 3, so it is optimal for no utility that depends on the output",
    hypotheses="N = 3..6 and e^(epsilon/(2(N-1))) in {11/10, 3/2, 2, 5}; exact",
    recorded="certified",
    formula=lambda size: 2 * (size - 1),
    mutants={
        "level of N = 2 for all": lambda size: 1,
        "without the factor 2": lambda size: size - 1 - (size > 3) * (size - 2),
    },
    note="The formula is the exponent of the level: e^epsilon = root^(2(N-1)). For the hit rate its level is epsilon/2 exactly, next claim.",
)
def exponential_is_interior(exponent: Callable[[int], int]) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        size, root = case
        level = PrivacyLevel.from_ratio(root ** exponent(size))
        channel = _exponential(size, root)
        inside = channel.satisfies(level) and exposing_utility(channel, level) is None
        return None if inside else f"N = {size}, root {root}: at t = {level.ratio} its tight ratio is {channel.ratio}"

    cases = [(size, root) for size in range(3, 7) for root in map(Fraction, ("11/10", "3/2", "2", "5"))]
    return check_family(cases, failure, "interior of the private channels")


@PAPER.claim(
    "The exponential mechanism for the hit rate",
    r"for the hit rate the exponential mechanism is RR at \epsilon/2, strictly inside the \epsilon-private channels",
    hypotheses="s = e^(epsilon/2) > 1, t = s^2, every K >= 2; the formula is the tight ratio in terms of s",
    given=[S > 1, K >= 2],
    evidence="RR with s in place of t; s < s^2",
    formula=S,
    mutants={"its tight ratio is t": S**2, "its tight ratio is s^3": S**3},
)
def exponential_for_hits(ratio: Any) -> Relations:
    diagonal, other = S / (S + K - 1), 1 / (S + K - 1)
    return {
        "rows sum to one": sp.Eq(diagonal + (K - 1) * other, 1),
        "tight ratio": sp.Eq(diagonal, ratio * other),
        "strictly inside": ratio < S**2,
    }

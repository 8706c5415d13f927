"""Which mechanisms are extreme points of the private channels, and which can be optimal for no utility."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.channel import Channel
from lpmech.claims import Instance, Parts
from lpmech.mechanisms.bipartite_rr import bipartite_channel, bipartite_rr, common_m
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.papers.across.paper import PAPER
from lpmech.privacy import PrivacyLevel
from lpmech.programs.extreme_points import exposing_utility, is_extreme_point
from lpmech.terms import functions as tm
from lpmech.utilities import absolute

T, K, M, S = tm.symbols("t K m s")

_LEVELS = [PrivacyLevel.from_ratio(Fraction(t)) for t in ("3/2", "3", "20")]


def _prior(size: int) -> list[Fraction]:
    return [Fraction(2 * (size - y), size * (size + 1)) for y in range(size)]


def _agrees(what: str, channel: Channel, level: PrivacyLevel, stated: bool) -> bool | str:
    right = is_extreme_point(channel, level) is bool(stated)
    return right or f"{what}, t = {level.ratio}: {'not ' if stated else ''}an extreme point"


@PAPER.claim(
    "RR is an extreme point",
    r"randomised response is an extreme point of the $\epsilon$-private channels for every $K\ge 2$, so it is the only optimum for some utility",
    hypotheses=r"column $j$ is tight everywhere, so the tight constraints leave one floor $m_j$ for each; the row sums read $m_1 + \dots + m_K + (t-1) m_y = 1$, two rows give $(t-1)(m_y - m_z) = 0$, and equal floors give $(K+t-1) m = 1$",
    given=[T > 1, K >= 2],
    replay="K <= 6, exact rank",
    formula=K + T - 1,
)
def rr_is_extreme(coefficient: Any) -> Parts:
    for n, level in product(range(2, 7), _LEVELS):
        yield _agrees(f"RR, K = {n}", randomized_response(n, level), level, True)
    one, other = tm.symbols("m_y m_z")
    yield "equal floors", tm.Implies(tm.Eq((T - 1) * (one - other), 0), tm.Eq(one, other))
    yield "row sum", (K * M + (T - 1) * M, coefficient * M)
    yield "one solution", tm.Ne(coefficient, 0)


@PAPER.claim(
    "RRTop-k is an extreme point",
    r"RRTop-k is an extreme point iff $k=1$ or $k=K$: RRWithPrior, though optimal for the hit rate, is a vertex only if $k^*\in\{1,K\}$",
    family="K = 2..6, all k, three t; exact rank of the tight constraints",
    formula=lambda size, k: k in (1, size),
    mutants={"always": lambda size, k: True},
    note="The rows of dropped labels are uniform on the $k$ kept ones, strictly between floor and ceiling.",
)
def rr_top_k_extreme(rule: Callable[[int, int], bool]) -> Parts:
    for size in range(2, 7):
        for k, level in product(range(1, size + 1), _LEVELS):
            yield _agrees(f"K = {size}, k = {k}", rr_top_k(_prior(size), k, level), level, rule(size, k))


@PAPER.claim(
    "BlockRR is an extreme point",
    r"BlockRR is an extreme point iff $l=0$ or $\mathcal{S}_2=\emptyset$, that is, iff it is RR",
    family="K = 2..5, S1 the n most probable labels, all n and l, three t; exact rank of the tight constraints",
    formula=lambda size, n, l: l == 0 or n == size,
    survivors={"l -> l ** 2": "the same: l^2 = 0 iff l = 0", "size and n exchanged": "the same: n = K iff K = n"},
    note="So BlockRR with $l > 0$ is never the only optimum: whatever utility it is optimal for, two other channels are too, of which it is a mixture.",
)
def block_rr_extreme(rule: Callable[[int, int, int], bool]) -> Parts:
    for size in range(2, 6):
        for n in range(1, size + 1):
            for l, level in product(range(n + 1), _LEVELS):
                channel = block_rr_from_partition(_prior(size), range(n), level, l)
                yield _agrees(f"K = {size}, |S1| = {n}, l = {l}", channel, level, rule(size, n, l))


@PAPER.claim(
    "BRR is an extreme point",
    "BRR with $m$ true items for $-|i-j|$ is an extreme point iff $m=1$, that is, iff it is RR; so is BRR with its own $m$",
    family="N = 2..6, every m = 1..N, and N = 2..8 with BRR's own m, t = 3/2, 3, 20; exact rank of the tight constraints",
    formula=lambda n, m: m == 1,
    mutants={"always": lambda n, m: True, "N <= 5, as BRR's own m says at t = 3": lambda n, m: n <= 5},
    survivors={"m -> m ** 2": "the same: m^2 = 1 iff m = 1"},
    note=r"For $m \ge 2$ the first two rows have the same $m$ true items and are equal, so one equation for the floors is missing. BRR's "
    r"own $m$ is 1 for $N \le 5$ at $t = 3$, for $N \le 4$ at $3/2$ and for all these $N$ at 20.",
)
def brr_extreme(rule: Callable[[int, int], bool]) -> Parts:
    for n in range(2, 7):
        for m, level in product(range(1, n + 1), _LEVELS):
            yield _agrees(f"N = {n}, m = {m}", bipartite_channel(absolute(n), m, level), level, rule(n, m))
    for n, level in product(range(2, 9), _LEVELS):
        own = rule(n, common_m(absolute(n), level))
        yield _agrees(f"BRR, N = {n}", bipartite_rr(absolute(n), level), level, own)


@PAPER.claim(
    "The exponential mechanism is optimal for no utility",
    r"with $\Pr\propto\exp(\epsilon q/(2\Delta q))$ no inequality is tight for the scores $-|i-j|$ on $1,\dots,N$, $N\ge 3$, so it is optimal for no utility that depends on the output",
    family="N = 3..6 and e^(epsilon/(2(N-1))) in {11/10, 3/2, 2, 5}, exactly: in the interior of the private channels",
    formula=lambda size: 2 * (size - 1),
    hypotheses=r"the scores differ by at most $N - 1$, so that $e^\epsilon$ is $e^{\epsilon/(2(N-1))}$ to the power of $2(N-1)$",
    note=r"For the hit rate its level is $\epsilon/2$ exactly: 'The exponential mechanism for the hit rate'.",
)
def exponential_is_interior(exponent: Callable[[int], int]) -> Parts:
    for size, root in product(range(3, 7), map(Fraction, ("11/10", "3/2", "2", "5"))):
        weights = [[root ** -abs(i - j) for j in range(size)] for i in range(size)]
        level, channel = (
            PrivacyLevel.from_ratio(root ** exponent(size)),
            Channel([[w / sum(row) for w in row] for row in weights]),
        )
        inside = channel.satisfies(level) and exposing_utility(channel, level) is None
        yield inside or f"N = {size}, root {root}: at t = {level.ratio} its tight ratio is {channel.ratio}"
        own = root ** (2 * (size - 1))  # the scores differ by N - 1 at most, the mechanism divides by twice that
        yield Instance(f"N = {size}, root {root}: e^epsilon as stated, of the mechanism", level.ratio, "==", own)


@PAPER.claim(
    "The exponential mechanism for the hit rate",
    r"for the hit rate the exponential mechanism is RR at $\epsilon/2$, strictly inside the $\epsilon$-private channels",
    hypotheses=r"$s = e^{\epsilon/2}$, $t = s^2$; the tight ratio is $s$",
    given=[S > 1, K >= 2],
    formula=S,
)
def exponential_for_hits(ratio: Any) -> Parts:
    diagonal, other = S / (S + K - 1), 1 / (S + K - 1)
    yield "rows sum to one", tm.Eq(diagonal + (K - 1) * other, 1)
    yield "tight ratio", tm.Eq(diagonal, ratio * other)
    yield "strictly inside", ratio < S**2

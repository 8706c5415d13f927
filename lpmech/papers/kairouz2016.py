"""kairouz2016 (extremal mechanisms): its claims.

A utility sums mu(column) over outputs, mu sublinear: convex, and mu(c v) = c mu(v) for c >= 0. A pattern A is a set of labels,
its column t on them, else 1. A staircase mechanism has multiples of such columns; V = sum pi bounds it if V + (t-1) pi(A) >= mu(A).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np
from flint import arb

from lpmech.channel import Channel
from lpmech.claims import Instance, Paper, Parts, each
from lpmech.claims.checking import check_sampled_reals
from lpmech.mechanisms.rr_on_bins import rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.programs.extreme_points import extreme_rays, staircase_refinement
from lpmech.prove import steps
from lpmech.terms import functions as tm

__all__ = ["PAPER"]

PAPER = Paper("kairouz2016", "Kairouz, Oh, Viswanath: Extremal Mechanisms for Local Differential Privacy (kairouz2016)")
PAPER.leave_out("numbers; how near the two come between the ends", "the text, beyond its abstract, was not at hand")

SOURCE = "Reconstructed from the abstract (arXiv:1407.1338) and the standard statement; not compared with the text."

t, v, low, high, a, b, tv = tm.symbols("t v low high a b TV")
_LEVELS = [PrivacyLevel.from_ratio(ratio) for ratio in ("3/2", 4)]
_PAIRS = [((3, 2, 1), (1, 2, 3)), ((1, 2, 7), (5, 3, 2)), ((5, 3, 2), (2, 3, 5)), ((5, 1, 1, 3), (1, 3, 4, 2))]

_PRIORS = [(5, 3, 2), (6, 3, 1), (2, 3, 4), (7, 2, 1), (9, 1, 3), (4, 3, 2)]
_WITHOUT_TIES = [((1, 2, 7), (5, 3, 2)), ((6, 3, 1), (3, 5, 2)), ((4, 5, 1), (2, 3, 5))]


def _masses(pair: Any, labels: Any, ratio: Any) -> list[Any]:
    return [sum(n * (ratio if y in labels else 1) for y, n in enumerate(law)) / sum(law) for law in pair]


@PAPER.claim(
    "Staircase patterns",
    r"the extreme rays of the $\epsilon$-private columns on $K$ labels are the $2^K-2$ columns with entries 1 and $e^\epsilon$, both of them",
    family="K = 2, 3, 4, 5, two t: every set of K - 1 tight inequalities, exactly",
    recorded="certified", kind="theorem", formula=lambda size: 2**size - 2,
    note=SOURCE + " The paper has $2^K$ patterns: with the two constant ones, which are sums of others.",
)  # fmt: skip
def patterns(number: Callable[[int], int]) -> Parts:
    for size, level in product((2, 3, 4, 5), _LEVELS):
        rays, stairs = extreme_rays(size, level), {c for c in product((1, level.ratio), repeat=size) if len({*c}) == 2}
        where = f"K = {size}, t = {level.ratio}: number of rays, of columns with entries 1 and t, of both"
        yield Instance(where, (len(rays), len(stairs), len(rays & stairs)), "==", (number(size),) * 3)


@PAPER.claim(
    "Staircase mechanisms suffice",
    r"every $\epsilon$-private channel is a merging of outputs of a staircase mechanism, so one of these is optimal for every sublinear utility",
    given=[t > 1, low > 0, v >= low, v <= high, high <= t * low],
    evidence="an entry v of a column between low and high is the sum of its parts, the gaps between entries below v added up",
    replay="RRTop-k mixed with a constant, K = 2, 3, 4, some k, two t: staircase, private, and merged again",
    formula=staircase_refinement, headline=1, kind="theorem",
    survivors={"channel.is_exact and level.is_exact and channel.satisfies(level) -> channel.is_exact or level.is_exact or channel.satisfies(level) in not (channel.is_exact and level.is_exact and channel.satisfies(level))": "refuses less, and nothing that the statement speaks of",
        "any(part) -> all(part)": "the same: a private column has zeros only or none"},
    note=SOURCE + " A sublinear utility cannot rise when outputs are merged; the program has an optimum with $K$ outputs or fewer.",
)  # fmt: skip
def refinement(refined: Callable[[Channel, PrivacyLevel], Any]) -> Parts:
    for (size, k), level in product(((2, 1), (3, 2), (4, 2), (4, 4)), _LEVELS):
        channel = Channel((2 * rr_top_k([Fraction(1, size)] * size, k, level).matrix + Fraction(1, size)) / 3)
        fine = refined(channel, level)
        right = fine.post_process(lambda pair: pair[0]) == channel
        right &= all(set(c) in ({min(c)}, {min(c), level.ratio * min(c)}) for c in fine.matrix.T)
        yield right or f"K = {size}, k = {k}, t = {level.ratio}: {fine.matrix}"
    yield "constant part", low - (high - low) / (t - 1) >= 0
    yield "sum of the parts", (low - (high - low) / (t - 1) + (high - low) / (t - 1) + (v - low), v)


@PAPER.claim(
    "Total variation",
    r"the binary mechanism that releases whether $P_0\ge P_1$, kept with $e^\epsilon/(1+e^\epsilon)$, has the largest total variation of the released laws, at every $\epsilon$",
    hypotheses="$a$ and $b$ are the masses of $P_0 - P_1$ and $P_1 - P_0$ on a pattern $A$, TV the whole mass of either",
    given=[t > 1, a >= 0, a <= tv, b >= 0, b <= tv],
    evidence="pi_y = |P0 - P1|(y) (t-1)/(2(t+1)) proves it for every K: weak duality",
    replay="four pairs of laws, K = 3, 4, two t: the exact optimum of the general program, and rr_on_bins",
    formula=(t - 1) / (t + 1), kind="theorem", uses=("Staircase mechanisms suffice",), note=SOURCE,
)  # fmt: skip
def total_variation(left: Any) -> Parts:
    for (p0, p1), level in product(_PAIRS, _LEVELS):
        gain, size = np.array([Fraction(m - n, sum(p0)) for m, n in zip(p0, p1, strict=True)]), len(p0)
        program = optimal_channel([[size * d, 0] for d in gain], level, [Fraction(1, size)] * size)
        reached = sum(max(gain @ column, 0) for column in rr_on_bins([d >= 0 for d in gain], level).matrix.T)
        stated = steps.value(left, {t: level.ratio}) * abs(gain).sum() / 2
        where = f"P0 - P1 = ({', '.join(map(str, gain))}), t = {level.ratio}: optimum, that of the binary mechanism"
        yield Instance(where, (program.solve("exact").value, reached), "==", (stated, stated))
    yield "every pattern", left * tv + (t - 1) * (a + b) * (t - 1) / (2 * (t + 1)) >= (t - 1) * tm.Abs(a - b) / 2
    yield "sum of pi", ((2 * tv) * (t - 1) / (2 * (t + 1)), left * tv)


def _duals(mu: Callable[[Any], Any], order: Any, ratio: Any) -> Iterator[tuple[str, Any, Any]]:
    """mu(A) and V + (t-1) pi(A): tight where the mechanism has a pattern and, of the binary one, for the second label."""
    alone, (one, two, three) = [mu([y]) for y in range(3)], order
    rr, binary = sum(alone) / (ratio + 2), (alone[one] + mu([two, three])) / (ratio + 1)
    share = {one: alone[one] - binary, two: alone[two] - binary}
    share[three] = (ratio - 1) * binary - sum(share.values())
    for labels in combinations(range(3), 2):
        yield f"RR, t on {' and '.join(str(y + 1) for y in labels)}", mu(labels), sum(alone[y] for y in labels) - rr
    for free in ([three], [one, two], [one, three]):
        yield f"binary, t on {' and '.join(str(y + 1) for y in free)}", mu(free), binary + sum(share[y] for y in free)


@PAPER.claim(
    "Chi-squared, an example at every level",
    r"for $\chi^2$ of the laws $(3,2,1)/6$ and $(1,2,3)/6$ the binary mechanism $\{1\},\{2,3\}$ is optimal iff $e^\epsilon\le 7$, randomised response iff $e^\epsilon\ge 7$",
    given=[t > 1],
    hypotheses=r"labels 1, 2, 3; a pattern $A$ has $t$ on some of them, else 1; for each the relation is $V + (t-1)\pi(A) - \mu(A) \ge 0$, with the value $V$ and the duals $\pi$ of either mechanism, and what the pattern is worth, $\mu(A)$",
    evidence="all patterns for all t: duals of either mechanism on its side, the other's value larger beyond",
    formula=7, kind="ours",
    note=SOURCE + " The example is ours: unlike for total variation, the binary one is not optimal at every level.",
)  # fmt: skip
def chi_squared(switch: Any) -> Parts:
    def mu(labels: Any) -> Any:
        m0, m1 = _masses(_PAIRS[0], labels, t)
        return (m0 - m1) ** 2 / m1

    duals = {name: (worth, bound) for name, worth, bound in _duals(mu, (0, 2, 1), t)}
    for name in each("pattern", duals):
        worth, bound = duals[name]
        yield name, tm.Implies(t >= switch if "RR" in name else t <= switch, steps.together(bound - worth) >= 0)
    rr, binary = sum(mu([y]) for y in range(3)) / (t + 2), (mu([0]) + mu([1, 2])) / (t + 1)
    yield "not beyond", tm.And(tm.Implies(t < switch, binary > rr), tm.Implies(t > switch, rr > binary))


@PAPER.claim(
    "Kullback-Leibler, both ends",
    r"where $P_0\ne P_1$ at every label, for small $\epsilon$ the binary mechanism that releases whether $P_0\ge P_1$ has the largest Kullback-Leibler divergence, for large $\epsilon$ randomised response",
    hypotheses=r"$K = 3$, $e^\epsilon = 101/100$ and 1000",
    recorded="certified", kind="theorem", formula=lambda p0, p1: [y for y in range(3) if p0[y] >= p1[y]],
    mutants={
        "whether it is the most likely label": lambda p0, p1: [max(range(3), key=lambda y: p0[y])],
        "whether P_1 is at most 1/3": lambda p0, p1: [y for y in range(3) if 3 * p1[y] <= sum(p1)],
    },
    survivors={"p0 and p1 exchanged": "the same two sets, as no label has P0 = P1"},
    note=SOURCE + r" With ties the side matters: of $(3,2,1)/6$ and $(1,2,3)/6$ the mechanism $P_0>P_1$ is the better one at $e^\epsilon = 101/100$, which the check compares.",
)  # fmt: skip
def both_ends(told_apart: Callable[[Any, Any], list[int]]) -> Any:
    def divergence(pair: Any, ratio: Any, labels: Any) -> Any:
        m0, m1 = _masses(pair, labels, ratio)
        return m0 * (m0 / m1).log() - m0 + m1  # the last two cancel in the sum over the outputs

    sides, ends = dict[str, Any](), (("binary", "1.01"), ("RR", "1000"))
    for pair, (end, level) in each("pair of laws and level", product(_WITHOUT_TIES, ends)):
        duals = _duals(partial(divergence, pair, arb(level)), _in_order(told_apart(*pair), *pair), arb(level))
        own = [(f"{name}: what the column is worth, by the duals", both) for name, *both in duals if end in name]
        sides |= {f"P0, P1 as {str(pair)[1:-1]}, t = {level}: {name}": both for name, both in each("pattern", own)}
    of_tie = partial(divergence, _PAIRS[0], arb(101) / 100)
    (first, *others), tie = sides.items(), (of_tie([0, 1]) + of_tie([2]), of_tie([0]) + of_tie([1, 2]))
    sides = dict([first, ("a tie, divergence by P0 >= P1, by P0 > P1", tie), *others])
    return check_sampled_reals(sides, "three pairs of laws, K = 3, every pattern against the mechanism's own duals")


@PAPER.claim(
    "Mutual information, both ends",
    r"for small $\epsilon$ the binary mechanism that tells labels of mass nearest to $1/2$ from the others has the largest mutual information of true and released label, for large $\epsilon$ randomised response",
    hypotheses=r"$K = 3$, $e^\epsilon = 101/100$ and 1000, six priors. Of three labels the mass of one, or of the two others, is nearest to $1/2$",
    recorded="certified", kind="theorem", formula=lambda prior: min(range(3), key=lambda y: abs(2 * prior[y] - sum(prior))),
    mutants={
        "the least likely label": lambda prior: min(range(3), key=prior.__getitem__),
        "the label nearest to 1/3": lambda prior: min(range(3), key=lambda y: abs(3 * prior[y] - sum(prior))),
    },
    note=SOURCE + " `lpmech.programs.sublinear` has the optimum between the ends.",
)  # fmt: skip
def information_at_both_ends(told_apart: Callable[[Any], int]) -> Any:
    def worth(prior: Any, ratio: Any, labels: Any) -> Any:
        mass = arb(sum(prior[y] for y in labels)) / sum(prior)
        mean = 1 + (ratio - 1) * mass
        return mass * ratio * (ratio / mean).log() - (1 - mass) * mean.log()

    sides, ends = dict[str, Any](), (("binary", "1.01"), ("RR", "1000"))
    for prior, (end, level) in each("prior and level", product(_PRIORS, ends)):
        one = told_apart(prior)
        order = [one, *sorted({0, 1, 2} - {one}, key=lambda y: -prior[y])]
        duals = _duals(partial(worth, prior, arb(level)), order, arb(level))
        own = [(f"{name}: what the column is worth, by the duals", both) for name, *both in duals if end in name]
        sides |= {f"prior as {prior}, t = {level}: {name}": both for name, both in each("pattern", own)}
    return check_sampled_reals(sides, "six priors, K = 3, every pattern against the mechanism's own duals")


def _in_order(labels: list[int], p0: Any, p1: Any) -> list[int]:
    """The label that is told from the two others, and these, the nearer to having P0 = P1 the later."""
    others = [y for y in range(3) if y not in labels]
    (one,), pair = sorted((labels, others), key=len)
    return [one, *sorted(pair, key=lambda y: -abs(p0[y] - p1[y]))]

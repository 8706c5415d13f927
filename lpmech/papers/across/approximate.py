"""The best hit rate under (epsilon, delta), by a dual written out for every number of labels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.mechanisms.privacy_indicator import indicator_channel
from lpmech.mechanisms.rr_with_prior import hit_rates, rr_with_prior
from lpmech.papers.across.paper import PAPER
from lpmech.privacy import PrivacyLevel
from lpmech.programs.approximate import approximate_channel
from lpmech.programs.linear import LinearSolution
from lpmech.terms import functions as tm
from lpmech.utilities import hit

T, K, W, P, MASS, DELTA, OWN, SHARE = tm.symbols("t k W p P delta pi r")


def _priors() -> Iterator[list[Fraction]]:
    for size in range(2, 6):
        for counts in (range(size, 0, -1), [1] * size, [7, *[1] * (size - 1)], [3, 3, *[0] * (size - 2)]):
            yield [Fraction(c, sum(counts)) for c in counts]


def _by_hand(prior: list[Fraction], level: PrivacyLevel, delta: Fraction) -> LinearSolution:
    """RRWithPrior mixed with the label itself, and the dual of the claim; constructing it checks both, and the gap."""
    program, ratio = approximate_channel(hit(len(prior)), level, delta, prior), level.ratio_below
    best = max(hit_rates(prior, level))
    own = [max((ratio * p - best) / (ratio - 1), Fraction(0)) for p in prior]
    share = [(p - pi) / (best - pi) if p > pi else Fraction(0) for p, pi in zip(prior, own, strict=True)]
    duals, slacks = list(own), []
    channel = indicator_channel(rr_with_prior(prior, level), delta)
    matrix = channel.matrix
    for y, z in permutations(range(len(prior)), 2):
        price = share[y] * own[z]
        duals += [price if j == y else Fraction(0) for j in range(len(prior))] + [price]
        slacks += [max(a - ratio * b, Fraction(0)) for a, b in zip(matrix[y], matrix[z], strict=True)]
    return LinearSolution(program, channel, dict(zip(program.slacks, slacks, strict=True)), tuple(duals))


@PAPER.claim(
    "Hit rate under (epsilon, delta)",
    r"the best hit rate of an $(\epsilon,\delta)$-private channel is $\delta+(1-\delta)W$, $W=\max_k w_k$ the rate of RRWithPrior: the dual has $\pi_y=\max((t p_y-W)/(t-1),0)$ and $\lambda_{j,z,j}=\pi_z r_j$ with $r_j=(p_j-\pi_j)/(W-\pi_j)$",
    hypotheses=r"every prior and $0 \le \delta < 1$. Entry $(j,j)$ needs $\pi_j + r_j (W - \pi_j) \ge p_j$, entry $(z,j)$ $\pi_z \ge t \pi_z r_j$, and the value is $W + \delta \sum_j r_j (W - \pi_j)$; of the $k$ labels with $t p_y > W$ and mass $P$, the $\pi_y$ add up to $W$ where $W = w_k$ (ghazi2021, Theorem 3). Where $p_j = \pi_j$, which is so if $\pi_j = W$, $r_j = 0$",
    given=[T > 1, DELTA >= 0, DELTA < 1, P >= 0, P <= 1, W <= 1, W >= P],
    replay="exact programs and the dual, K <= 5, four priors, t = 3/2, 3, delta = 1/100, 1/10, 1/2",
    formula=lambda best, delta: delta + (1 - delta) * best,
    mutants={"delta on top": lambda best, delta: delta + best, "no mixture": lambda best, delta: best},
    note="`lpmech.programs.approximate` has the best channel for any utility.",
)
def approximate_hits(value: Any) -> Parts:
    for prior, t, delta in product(_priors(), map(Fraction, ("3/2", "3")), map(Fraction, ("1/100", "1/10", "1/2"))):
        level = PrivacyLevel.from_ratio(t)
        best, claimed = _by_hand(prior, level, delta), value(max(hit_rates(prior, level)), delta)
        found = best.program.solve("exact").value
        where = f"prior ({', '.join(map(str, prior))}), t = {t}, delta = {delta}"
        yield Instance(f"{where}: exact optimum, value of the duals", (found, best.bound), "==", (claimed, claimed))
        yield Instance(f"{where}: sum of the pi, W", sum(best.duals[: len(prior)]), "==", max(hit_rates(prior, level)))
    kept = (T * P - W) / (T - 1)
    yield "entry (j, j)", tm.Implies(OWN < W, tm.Eq(OWN + (P - OWN) / (W - OWN) * (W - OWN), P))
    yield "pi at most p, kept", kept <= P
    within = tm.And(OWN >= 0, OWN >= kept, SHARE >= 0, tm.Eq(SHARE * (W - OWN), P - OWN), OWN < W)
    yield "entry (z, j)", tm.Implies(within, T * SHARE <= 1)
    rate = T * MASS / (T + K - 1)
    yield "sum of the pi", tm.Implies(K >= 1, tm.Eq((T * MASS - K * rate) / (T - 1), rate))
    yield "value", (W + DELTA * (1 - W), value(W, DELTA))
    yield "RRWithPrior mixed with the label itself", (DELTA + (1 - DELTA) * W, value(W, DELTA))

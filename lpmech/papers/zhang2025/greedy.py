"""Why the loops of Alg. 1 to 3 end at a maximum, for every N, prior and epsilon: the steps several claims rest on.

Q = A/C is the (average) utility, A = sum lambda_j s_j and C = sum s_j before the weight s_i is raised from 1 to t. In a
row k the numerator of (7) is lambda_i^(k) C - A^(k), and a prior enters linearly: `own` stands for one row of prior p,
`others` for the average of the other rows under the prior.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lpmech.claims import Parts
from lpmech.mechanisms.bipartite_rr import common_m, common_m_star
from lpmech.papers.checks import rr_entries
from lpmech.papers.zhang2025.paper import N, T
from lpmech.terms import functions as tm

#: From (p, own, others), numerators of (7): whether the common weight s_i is raised.
Rule = Callable[[Any, Any, Any], Any]

C, OWN, Q, S, P = tm.symbols("C lambda_i Q s p")
L1, L2, A1, A2 = tm.symbols("lambda_1 lambda_2 A_1 A_2")
#: A prior of two rows.
SHARES = [C > 0, P > 0, P < 1]


def raised_by_all(p: Any, own: Any, others: Any) -> Any:
    """Alg. 2 (BRR), m = min over the rows: every row raises the term."""
    return tm.And(own > 0, others > 0)


def raised_on_average(p: Any, own: Any, others: Any) -> Any:
    """Alg. 3 (BRR*), with the prior inside the sum: the average numerator is positive."""
    return p * own + (1 - p) * others > 0


def raised_above(own: Any, value: Any) -> Any:
    """Alg. 1: the similarity exceeds Q."""
    return own > value


def loop_maximises(raises: Callable[[Any, Any], Any]) -> Parts:
    """The loop that raises s_2, s_3, ... while raises(lambda_i, Q) maximises Q over all weights in [1, t]^N, for every N.

    Invariant: the raised terms have lambda >= Q. It holds at the start (only s_1 is raised, and lambda_1 is the largest
    similarity) and after every step, because the new Q is at most the last lambda raised. Where the loop stops the
    remaining terms have lambda <= Q. Then (lambda_i - Q) s_i <= (lambda_i - Q) s_i* for every i and every weight in
    [1, t]; the right sides sum to zero, so sum lambda_i s_i <= Q sum s_i. In [1, t'] with t' < t the bound is the same.
    """
    after = (Q * C + (T - 1) * OWN) / (C + T - 1)
    steps = {
        "a raised term stays at or above Q": tm.Implies(raises(OWN, Q), tm.And(after > Q, after <= OWN)),
        "a term not raised is at most Q": tm.Or(raises(OWN, Q), OWN <= Q),
        "raised terms: the bound": tm.Implies(OWN >= Q, (OWN - Q) * (S - T) <= 0),
        "other terms: the bound": tm.Implies(OWN <= Q, (OWN - Q) * (S - 1) <= 0),
    }
    yield [T > 1, C > 0, S >= 1, S <= T], steps


def rule_maximises(rule: Rule) -> Parts:
    """A common weight is raised exactly where the similarity averaged over the prior exceeds Q; so the loop maximises Q_g."""
    averaged, value = P * L1 + (1 - P) * L2, (P * A1 + (1 - P) * A2) / C
    raised = rule(P, L1 * C - A1, L2 * C - A2)
    yield SHARES, {"raised iff the averaged similarity exceeds Q_g": tm.Equivalent(raised, averaged > value)}
    yield from loop_maximises(raised_above)


#: How Alg. 2 and Alg. 3 choose the common m, and when they raise a common weight.
ALG_2, ALG_3 = (common_m, raised_by_all), (common_m_star, raised_on_average)


def no_row_falls(rule: Rule) -> Parts:
    """A step of the loop is taken exactly where it raises the utility of every single row; two rows, more are alike."""
    raised = rule(P, L1 * C - A1, L2 * C - A2)
    rises = [(a + (T - 1) * own) / (C + T - 1) > a / C for own, a in ((L1, A1), (L2, A2))]
    yield [T > 1, *SHARES], {"raised iff every row's utility rises": tm.Equivalent(raised, tm.And(*rises))}


def rearrangement() -> Parts:
    """Giving the larger of two weights to the larger of two similarities is best; so sorted rows are, by exchanges."""
    larger, smaller, high, low = tm.symbols("u v a b")
    exchange = larger * high + smaller * low >= larger * low + smaller * high
    yield [larger >= smaller, high >= low], {"rearrangement by exchanges": exchange}


def grr_maximises_hits(value: Callable[[Any, Any], Any]) -> Parts:
    """GRR has the hit rate value(t, N) for the uniform prior, and equal duals value / N prove it optimal, for every N."""
    pi = value(T, N) / N
    own, other = 1 / N - pi, -pi
    duals = {
        "own > 0 > other": tm.And(own > 0, other < 0),
        "dual constraint, the same for every output": own + (N - 1) * other + (T - 1) * own <= 0,
        "hit rate of GRR": tm.Eq(rr_entries(T, N)[0], value(T, N)),
    }
    yield [T > 1, N >= 2], duals

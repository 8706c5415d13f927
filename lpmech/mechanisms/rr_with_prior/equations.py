"""RRWithPrior: the equations that define it, as sympy objects (ghazi2021 section 3).

t = e^epsilon, k = how many labels are kept, P = their prior mass, p = the prior of one label, W = the optimum.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

__all__ = ["symbols", "truthful", "kept_row", "objective", "extreme_equations", "tight_column"]

symbols = t, k, P, p = sp.symbols("t k P p", positive=True)

#: Pr[y | y] of a kept label, the unknown of `kept_row`.
truthful = sp.Symbol("q_yy", positive=True)


def kept_row() -> sp.Eq:
    """The row of a kept label sums to one (ghazi2021 Alg. 1 line 3): one entry q_yy and k - 1 entries q_yy / t."""
    return sp.Eq(truthful + (k - 1) * truthful / t, 1)


def objective() -> sp.Expr:
    """Obj_p(RRTop-k), the probability that the released label is the true one (ghazi2021 Theorem 3): P q_yy."""
    return P * truthful


def extreme_equations(size: int, chosen: Sequence[int], ratio: sp.Expr) -> tuple[list[sp.Eq], tuple[sp.Symbol, ...]]:
    """LP2's constraints that an extreme point meets with equality: ghazi2021 eq. (4) on `chosen`, eq. (5) elsewhere.

    Returns
    -------
    equations : list of sympy equations
    unknowns : tuple of symbols
        q_0, ..., q_(K-1), where q_y stands for q[y | y].
    """
    q = sp.symbols(f"q:{size}")
    rows = [
        sp.Eq(q[y] + sum(q[j] for j in range(size) if j != y) / ratio, 1) if y in chosen else sp.Eq(q[y], 0)
        for y in range(size)
    ]
    return rows, q


def tight_column(dual: sp.Expr) -> sp.Eq:
    """The dual constraint of LP1 for the column of a kept label, met with equality; P stands for W = sum(pi).

    For output j it reads (p_j - sum(pi)) + (t - 1) (p_j - pi_j) <= 0; ghazi2021 Theorem 3, by duality.
    """
    return sp.Eq(p - P + (t - 1) * (p - dual), 0)

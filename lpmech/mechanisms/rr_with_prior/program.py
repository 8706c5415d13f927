"""The linear programs of the proof of ghazi2021 Theorem 3: LP1 over channels, and its relaxation LP2.

Both as cvxpy writes them, LP1 also as a `Program`; both solved in closed form, with the proof of optimality:
RRWithPrior on the primal side and, for both programs, the K duals `row_dual` on the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.entries import Array, is_exact, to_float
from lpmech.extras import needs
from lpmech.mechanisms.rr_with_prior.closed_form import hit_rates, rr_with_prior
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs import Program, Solution, optimal_channel
from lpmech.utilities import hit

if TYPE_CHECKING:
    import cvxpy as cp

__all__ = [
    "lp1_in_cvxpy",
    "lp2_in_cvxpy",
    "lp1",
    "row_dual",
    "row_duals",
    "solution_in_closed_form",
]


def lp1_in_cvxpy(prior: object, epsilon: PrivacyLevel | float) -> cp.Problem:
    """LP1 of ghazi2021 Theorem 3 in the paper's letters: q[y, j] is q_(j | y), t = e^epsilon, p the prior.

    maximise sum of p[y] q[y, y] subject to q[y, j] <= t q[y', j] (2), sum of q[y, :] = 1 (3), q >= 0.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label.
    epsilon : float or PrivacyLevel
        Privacy level.

    Returns
    -------
    cvxpy.Problem
        Its constraints carry the paper's numbers as labels; ``problem.var_dict["q"]`` is the channel, shape (K, K).

    Raises
    ------
    PriorError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: ghazi2021, eq. (2) and eq. (3).
    """
    with needs("programs"):
        import cvxpy as cp

    p, t = _letters(prior, epsilon)
    q = cp.Variable((p.size, p.size), name="q")
    constraints = [
        (q[:, None, :] <= t * q[None, :, :]).set_label("(2)"),
        (cp.sum(q, axis=1) == 1).set_label("(3)"),
        (q >= 0).set_label("not negative"),
    ]
    return cp.Problem(cp.Maximize(p @ cp.diag(q)), constraints)


def lp2_in_cvxpy(prior: object, epsilon: PrivacyLevel | float) -> cp.Problem:
    """LP2 of ghazi2021 Theorem 3 in the paper's letters: q[y] is q_(y | y), shape (K,).

    maximise sum of p[y] q[y] subject to q[y] + (1/t) (sum of q[j] over j other than y) <= 1 (4), q >= 0 (5).
    Parameters and errors as for `lp1_in_cvxpy`.

    Source: ghazi2021, eq. (4) and eq. (5).
    """
    with needs("programs"):
        import cvxpy as cp

    p, t = _letters(prior, epsilon)
    q = cp.Variable(p.size, name="q")
    constraints = [(q + (cp.sum(q) - q) / t <= 1).set_label("(4)"), (q >= 0).set_label("(5)")]
    return cp.Problem(cp.Maximize(p @ q), constraints)


def lp1(prior: object, epsilon: PrivacyLevel | float) -> Program:
    """LP1 of ghazi2021 Theorem 3: maximise the hit rate sum_y p_y q[y, y] over private channels, eq. (2) and eq. (3).

    Raises
    ------
    PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    probabilities = as_prior(prior)
    return optimal_channel(hit(len(probabilities)), epsilon, probabilities)


def row_dual(t: Any, p: Any, best: Any) -> Any:
    """(t p_y - W) / (t - 1), the dual of row y where positive (for the kept labels), W = max w_k.

    Parameters
    ----------
    t : number
        e^epsilon > 1.
    p : number
        Prior of the label.
    best : number
        W, the hit rate of RRWithPrior.

    Notes
    -----
    Not in the paper, which argues through LP2's extreme points: the duals prove ghazi2021 Theorem 3 for any K at once.
    """
    return (t * p - best) / (t - 1)


def row_duals(prior: object, epsilon: PrivacyLevel | float) -> Array:
    """Optimal duals pi_y = max(0, `row_dual`) of LP1 and LP2 (ghazi2021 Theorem 3), shape (K,); their sum is max w_k.

    Raises
    ------
    PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    probabilities, level = as_prior(prior), as_privacy_level(epsilon)
    rates = hit_rates(probabilities, level)
    weights, t = (probabilities, level.ratio) if is_exact(rates) else (to_float(probabilities), float(level.ratio))
    values = row_dual(t, weights, rates.max())
    return np.maximum(values, 0 * values)


def solution_in_closed_form(prior: object, epsilon: PrivacyLevel | float) -> Solution:
    """LP1 of ghazi2021 Theorem 3 solved without a solver: RRWithPrior and its duals; building it checks the proof.

    Parameters
    ----------
    prior, epsilon
        As for `lp1_in_cvxpy`.

    Returns
    -------
    Solution
        Exact for an exact prior and level. O(K^2) operations, the size of the channel.

    Raises
    ------
    PriorError, PrivacyLevelError
        If an argument is not usable.
    SolverError
        If the check fails (it would refute ghazi2021 Theorem 3).
    """
    given = as_prior(prior), as_privacy_level(epsilon)
    return Solution(lp1(*given), rr_with_prior(*given), row_duals(*given), statistics={"solver": "closed form"})


def _letters(prior: object, epsilon: PrivacyLevel | float) -> tuple[cp.Constant, cp.Constant]:
    """p and t of the paper."""
    with needs("programs"):
        import cvxpy as cp

    p, t = to_float(as_prior(prior)), float(as_privacy_level(epsilon).ratio)
    return cp.Constant(p, name="p"), cp.Constant(t, name="t")

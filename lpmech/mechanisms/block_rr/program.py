"""BlockRR's optimization problem (4.1) of liu2026: as cvxpy writes it, and as a `Program`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lpmech.entries import Number, is_exact, to_float
from lpmech.extras import needs
from lpmech.mechanisms.block_rr.closed_form import favoured_labels, partition
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.general import Program
from lpmech.utilities import weight_matrix, weight_matrix_from_decay

if TYPE_CHECKING:
    import cvxpy as cp

__all__ = ["block_rr_in_cvxpy", "block_rr_program", "block_rr_program_from_decay"]


def block_rr_in_cvxpy(
    prior: object, majority: Sequence[int], decay: Number, epsilon: PrivacyLevel | float, l: int
) -> cp.Problem:
    """liu2026 eq. (4.1) in the paper's letters: p[y, j] is p_(j | y), t = e^epsilon, w the weights of eq. (3.3).

    maximise sum of w[y, j] p[y, j] subject to p[y, j] <= t p[y', j], p[y, j] = 1 / K for y in S2 and j in Delta,
    sum of p[y, :] = 1, p >= 0; S~ = S.

    Its constraints carry the paper's number as label; ``problem.var_dict["p"]`` is the channel, shape (K, K).
    Parameters and errors as for `block_rr_program_from_decay`.
    """
    with needs("programs"):
        import cvxpy as cp

    probabilities = as_prior(prior)
    K = len(probabilities)
    Delta = favoured_labels(probabilities, majority, l)
    S2 = [y for y in range(K) if y not in set(majority)]
    w = cp.Constant(to_float(weight_matrix_from_decay(probabilities, decay)), name="w")
    t = cp.Constant(float(as_privacy_level(epsilon).ratio), name="t")
    p = cp.Variable((K, K), name="p")
    constraints = [
        (p[:, None, :] <= t * p[None, :, :]).set_label("(4.1) privacy"),
        *([(p[S2, :][:, Delta] == 1 / K).set_label("(4.1) S2 on Delta")] if S2 and Delta else []),
        (cp.sum(p, axis=1) == 1).set_label("(4.1) rows"),
        (p >= 0).set_label("(4.1) not negative"),
    ]
    return cp.Problem(cp.Maximize(cp.sum(cp.multiply(w, p))), constraints)


def block_rr_program(prior: object, epsilon: PrivacyLevel | float, sigma: float, l: int) -> Program:
    """liu2026 eq. (4.1): maximise sum w[y, j] q[y, j], with q[y, j] = 1/K fixed for y in S2 and j in Delta.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label; S~ = S.
    epsilon : float or PrivacyLevel
        Privacy level.
    sigma : float
        Hyperparameter of the weights (3.3), which also determine S1 and S2.
    l : int
        |Delta|: the l most probable labels of S1, 0..|S1|.

    Returns
    -------
    Program

    Raises
    ------
    BlockError
        If l is outside 0..|S1|.
    PriorError, PrivacyLevelError, UtilityError
        If another argument is not usable.

    Notes
    -----
    Source: liu2026, eq. (4.1) with eq. (3.3). The privacy constraint is the first one of (4.1).
    """
    majority, _ = partition(prior, sigma)
    return _program(weight_matrix(prior, float(sigma)), prior, majority, epsilon, l)


def block_rr_program_from_decay(
    prior: object,
    majority: Sequence[int],
    decay: Number,
    epsilon: PrivacyLevel | float,
    l: int,
) -> Program:
    """liu2026 eq. (4.1) for given S1 and decay = exp(-1 / sigma): exact for exact arguments; see `block_rr_program`."""
    return _program(weight_matrix_from_decay(prior, decay), prior, list(majority), epsilon, l)


def _program(weights: object, prior: object, majority: list[int], epsilon: PrivacyLevel | float, l: int) -> Program:
    probabilities = as_prior(prior)
    size = len(probabilities)
    favoured = favoured_labels(probabilities, majority, l)
    share: Number = Fraction(1, size) if is_exact(probabilities) else 1.0 / size
    fixed: dict[tuple[Hashable, Hashable], Number] = {
        (y, j): share for y in range(size) if y not in set(majority) for j in favoured
    }
    return Program(weights, epsilon, fixed=fixed)

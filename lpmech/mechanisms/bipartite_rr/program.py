"""zhang2025's utility maximisation, over all private channels and within the paper's own classes of channels.

The two maximisations as cvxpy writes them, the first also as a `Program`; BRR* attains the second.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.entries import Array, Number, as_array, to_float
from lpmech.errors import ProgramError, UtilityError
from lpmech.extras import needs
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs import Program, optimal_channel

if TYPE_CHECKING:
    import cvxpy as cp

__all__ = [
    "global_program_in_cvxpy",
    "common_weights_in_cvxpy",
    "global_program",
    "best_rearrangement",
    "best_two_valued",
]

_LARGEST_ENUMERATED = 4


def global_program_in_cvxpy(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> cp.Problem:
    """zhang2025 section I in the letters of its Table I: w[k, j] = Pr[y_j | x_k], t = e^epsilon, pi the prior.

    maximise Q_g = sum over k of pi[k] sum over j of lambda[k, j] w[k, j] subject to w[k, j] <= t w[k', j], the privacy
    of zhang2025 eq. (2), sum of w[k, :] = 1, w >= 0.

    ``problem.var_dict["w"]`` is the channel, shape (K, N). Parameters and errors as for `global_program`.
    """
    with needs("programs"):
        import cvxpy as cp

    lambda_, pi, t = _letters(as_array(utility, "utility", 2, UtilityError), epsilon, prior)
    w = cp.Variable(lambda_.shape, name="w")
    constraints = [
        (w[:, None, :] <= t * w[None, :, :]).set_label("(2)"),
        (cp.sum(w, axis=1) == 1).set_label("rows"),
        (w >= 0).set_label("not negative"),
    ]
    return cp.Problem(cp.Maximize(pi @ cp.sum(cp.multiply(lambda_, w), axis=1)), constraints)


def common_weights_in_cvxpy(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> cp.Problem:
    """What BRR* maximises: zhang2025 eq. (12) with one s in [1, t]^N for the sorted items of all rows, as in eq. (14).

    Q_g is a ratio of linear functions of s. With w_i = s_i / sum(s) and c = 1 / sum(s) it is a linear program (Charnes
    and Cooper): maximise sum over k of pi[k] sum over i of lambda[k, i] w[i], rows of lambda in falling order, subject
    to c <= w[i] <= t c and sum of w = 1; ``problem.var_dict["w"]`` are the weights of a sorted row, shape (N,).
    Parameters and errors as for `global_program`.
    """
    with needs("programs"):
        import cvxpy as cp

    matrix = as_array(utility, "utility", 2, UtilityError)
    lambda_, pi, t = _letters(np.sort(matrix, axis=1)[:, ::-1], epsilon, prior)
    w, c = cp.Variable(matrix.shape[1], name="w"), cp.Variable(name="c")
    constraints = [(c <= w).set_label("1 <= s"), (w <= t * c).set_label("s <= t"), (cp.sum(w) == 1).set_label("sum")]
    return cp.Problem(cp.Maximize(pi @ (lambda_ @ w)), constraints)


def global_program(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> Program:
    """Maximise the expected utility over all private channels (zhang2025 eq. (2); abstract and section I).

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Similarity of output j to true item k.
    epsilon : float or PrivacyLevel
        Privacy level.
    prior : array_like, shape (K,), optional
        Distribution of the true item; uniform if omitted.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    return optimal_channel(utility, epsilon, prior)


def best_rearrangement(utility: object, level: PrivacyLevel, prior: object = None) -> Number:
    """Largest expected utility among channels whose rows rearrange one weight vector with largest <= t smallest.

    The maximum of zhang2025 eq. (12), which Alg. 3 is to find and `common_weights_in_cvxpy` writes out.

    Reduction to the sorted sums: given the weights s_1 >= ... >= s_N every row is best off giving the larger
    weight to the larger utility (rearrangement inequality), so the value is sum Lambda_i s_i / sum s_i with
    Lambda_i = sum_k pi_k lambda_i^(k) over sorted rows. This ratio of linear functions is largest at a vertex of
    [1, t]^N; with sorted Lambda the vertices to compare are those that raise the first m weights.

    Raises
    ------
    UtilityError, PriorError
        If an argument is not usable.
    """
    matrix = as_array(utility, "utility", 2, UtilityError)
    sums = as_prior(prior, len(matrix)) @ np.sort(matrix, axis=1)[:, ::-1]
    t: Any = level.ratio
    n = len(sums)
    return max((t * sums[:m].sum() + sums[m:].sum()) / (m * t + n - m) for m in range(1, n + 1))


def best_two_valued(utility: object, level: PrivacyLevel, prior: object = None) -> Number:
    """Largest expected utility among private channels whose rows take at most two values a and t a each.

    zhang2025 eq. (6) with a set Y_y of its own size m for every row y. Enumerates all sets, for at
    most 4 outputs and 4 inputs.

    Raises
    ------
    ProgramError
        If there are more than 4 inputs or outputs.
    UtilityError, PriorError
        If an argument is not usable.
    """
    matrix = as_array(utility, "utility", 2, UtilityError)
    rows, columns = matrix.shape
    if max(rows, columns) > _LARGEST_ENUMERATED:
        raise ProgramError("utility", f"shape {matrix.shape}", f"at most {_LARGEST_ENUMERATED} inputs and outputs")
    weights = as_prior(prior, rows)[:, None] * matrix
    responses = [_two_valued(mask, level.ratio) for mask in product((0, 1), repeat=columns) if any(mask)]
    best: Number | None = None
    for choice in product(responses, repeat=rows):
        candidate = np.array(choice, dtype=object)
        if np.all(candidate.max(axis=0) <= level.ratio * candidate.min(axis=0)):
            value = (weights * candidate).sum()
            best = value if best is None or value > best else best
    assert best is not None  # the constant channel is always private
    return best


def _letters(
    utility: Array, epsilon: PrivacyLevel | float, prior: object
) -> tuple[cp.Constant, cp.Constant, cp.Constant]:
    """lambda, pi and t of the paper."""
    with needs("programs"):
        import cvxpy as cp

    pi, t = to_float(as_prior(prior, len(utility))), float(as_privacy_level(epsilon).ratio)
    return cp.Constant(to_float(utility), name="lambda"), cp.Constant(pi, name="pi"), cp.Constant(t, name="t")


def _two_valued(mask: tuple[int, ...], ratio: Number) -> list[Number]:
    low = 1 / (sum(mask) * ratio + len(mask) - sum(mask))
    return [ratio * low if high else low for high in mask]

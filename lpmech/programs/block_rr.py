"""The optimization problem (4.1) of liu2026."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

from lpmech.entries import Number, is_exact
from lpmech.errors import BlockError
from lpmech.mechanisms.block_rr import partition
from lpmech.priors import as_prior, top_labels
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program
from lpmech.utilities import weight_matrix, weight_matrix_from_decay

__all__ = ["block_rr_program", "block_rr_program_from_decay"]


def block_rr_program(prior: object, epsilon: PrivacyLevel | float, sigma: float, l: int) -> Program:
    """(4.1): maximise sum w[y, j] q[y, j], with q[y, j] = 1/K fixed for y in S2 and j in Delta.

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
    Source: liu2026, eq. (4.1) with (3.3). The privacy constraint is the first one of (4.1).
    """
    majority, _ = partition(prior, sigma)
    return _program(weight_matrix(prior, sigma), prior, majority, epsilon, l)


def block_rr_program_from_decay(
    prior: object,
    majority: Sequence[int],
    decay: Number,
    epsilon: PrivacyLevel | float,
    l: int,
) -> Program:
    """(4.1) for given S1 and decay = exp(-1 / sigma): exact for exact arguments; see `block_rr_program`."""
    return _program(weight_matrix_from_decay(prior, decay), prior, list(majority), epsilon, l)


def _program(weights: object, prior: object, majority: list[int], epsilon: PrivacyLevel | float, l: int) -> Program:
    probabilities = as_prior(prior)
    size = len(probabilities)
    if isinstance(l, bool) or not isinstance(l, int) or not 0 <= l <= len(majority):
        raise BlockError("l", l, f"a whole number from 0 to |S~1| = {len(majority)}")
    favoured = [i for i in top_labels(probabilities, size) if i in set(majority)][:l]
    share: Number = Fraction(1, size) if is_exact(probabilities) else 1.0 / size
    fixed: dict[tuple[Hashable, Hashable], Number] = {
        (y, j): share for y in range(size) if y not in set(majority) for j in favoured
    }
    return Program(weights, epsilon, fixed=fixed)

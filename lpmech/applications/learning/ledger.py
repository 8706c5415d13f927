"""What fits of label-private estimators spent in this process: the levels of releases of one example add up.

An example is known by its features, which are public; the labels, which are not, are not looked at. Fits with a given
seed are experiments and do not count: who repeats one gets the same release. Other processes are not seen.
"""

from __future__ import annotations

import hashlib
import secrets
import warnings

import numpy as np

from lpmech.entries import Array
from lpmech.errors import PrivacyWarning
from lpmech.randomness import RandomState

__all__ = ["spent_in_all"]

_KEY = secrets.token_bytes(16)
_SPENT: dict[bytes, float] = {}


def spent_in_all(features: Array, epsilon: float, random_state: RandomState) -> float:
    """Enter a release of the labels of these examples, and return the most that was spent on one of them so far.

    Parameters
    ----------
    features : ndarray of float, shape (n, d)
        One row for each example whose label was used. Two examples with equal features count as one.
    epsilon : float
        Level of this release.
    random_state : object
        As given to the estimator: only fits with None are releases.

    Warns
    -----
    PrivacyWarning
        If some of them were released before.
    """
    if random_state is not None or not np.isfinite(epsilon):
        return epsilon
    keys = {hashlib.blake2b(row.tobytes(), key=_KEY, digest_size=16).digest() for row in features}
    for key in keys:
        _SPENT[key] = _SPENT.get(key, 0.0) + epsilon
    total = max(_SPENT[key] for key in keys)
    if total > epsilon:
        warnings.warn(
            f"labels of these examples were released before in this process: epsilon is now {total:g} in all, not "
            f"{epsilon:g}; to choose among models, release once and go on with released_",
            PrivacyWarning,
            stacklevel=3,
        )
    return total

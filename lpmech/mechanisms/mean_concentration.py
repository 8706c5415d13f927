"""The largest mean concentration that a private mechanism can have, for every radius (ours; zheng2025 4.1)."""

from __future__ import annotations

from fractions import Fraction

from lpmech.entries import Number, as_array
from lpmech.errors import InvalidInputError
from lpmech.privacy import PrivacyLevel

__all__ = ["best_mean_concentration", "mean_concentration_duals"]


def best_mean_concentration(share: Number, level: PrivacyLevel) -> Number:
    """Largest mean of Pr[released value near the true one] over uniform true values: max of two numbers of bins.

    Parameters
    ----------
    share : number
        L, the share of the true values near one released value, 0 < L <= 1: 2 r for the radius r on [0, 1],
        (2 m + 1) / n for m steps among n even points. A float is taken as the decimal number it prints.
    level : PrivacyLevel
        Privacy level.

    Returns
    -------
    number
        Exact for an exact level.

    Raises
    ------
    InvalidInputError
        If an argument is not usable.

    Notes
    -----
    Ours. With k = floor(1/L) it is the larger of k L t / (t + k - 1), k-RR on k values with disjoint balls, and
    (t + L (k + 1) - 1) / (t + k), (k + 1)-RR on k + 1 values whose balls cover everything; see
    `mean_concentration_duals` for the proof that no mechanism has more.
    """
    length = _share(share)
    t = level.ratio
    bins = int(1 / length)
    return max(bins * length * t / (t + bins - 1), (t + length * (bins + 1) - 1) / (t + bins))


def mean_concentration_duals(share: Number, level: PrivacyLevel) -> tuple[Number, Number]:
    """Heights of the dual function of `best_mean_concentration`: low on [0, w) and high on [w, L), with period L.

    w = 1 - k L, k = floor(1/L), is what k balls leave uncovered. The function is the largest value that one true
    value can claim: every interval of length L has the same integral g, so that t L - (t - 1) g <= V with equality,
    V = k g + w low the total; released values nearer than L/2 to an end have less near them, and the inequality falls
    by t - (t - 1) pi > 0 for every unit less. Heights lie in [0, 1] by the choice of k or k + 1 bins.

    Raises
    ------
    InvalidInputError
        If an argument is not usable.
    """
    length = _share(share)
    t = level.ratio
    value, bins = best_mean_concentration(length, level), int(1 / length)
    rest = 1 - bins * length
    window = (t * length - value) / (t - 1)
    if not rest:
        return window / length, window / length
    low = (value - bins * window) / rest
    return low, (window - rest * low) / (length - rest)


def _share(share: Number) -> Fraction:
    """L as a fraction."""
    value = as_array([share], "share", 1)[0]
    exact = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    if not 0 < exact <= 1:
        raise InvalidInputError("share", share, "a number above 0, at most 1")
    return exact

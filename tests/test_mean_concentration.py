"""The best mean concentration by hand and by simulation of its two mechanisms; Dwork's scale and how far it goes."""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest
from scipy import stats

from lpmech import PrivacyLevel
from lpmech.errors import InvalidInputError, PrivacyLevelError
from lpmech.mechanisms.gaussian import classical_limit, classical_scale, pac_delta
from lpmech.mechanisms.mean_concentration import best_mean_concentration, mean_concentration_duals

TWO = PrivacyLevel.from_ratio(2)


def test_value_by_hand():
    """Catches a wrong number of bins, or the double cover counted once or three times."""
    # L = 1/2: two bins, t / (t + 1). L = 2/3: two balls that overlap on 1/3: 2/3 * 2/3 + 1/3 * 1 = 7/9.
    assert best_mean_concentration(Fraction(1, 2), TWO) == Fraction(2, 3)
    assert best_mean_concentration(Fraction(2, 3), TWO) == Fraction(7, 9)
    # L = 9/20: two disjoint balls on 9/10 of the interval, 3/5, against three that cover it, 47/80
    assert best_mean_concentration(Fraction(9, 20), TWO) == max(Fraction(9, 10) * Fraction(2, 3), Fraction(47, 80))
    assert best_mean_concentration(1, TWO) == 1
    assert best_mean_concentration(0.5, TWO) == Fraction(2, 3)


@pytest.mark.parametrize("share", [Fraction(2, 3), Fraction(9, 20), Fraction(3, 10), Fraction(1, 4), Fraction(1)])
def test_no_output_is_worth_more_than_the_duals_say(share):
    """Weak duality on the interval itself: catches duals that are infeasible near the ends or between."""
    t, steps = 2.0, 600
    low, high = map(float, mean_concentration_duals(share, TWO))
    length, rest = float(share), 1 - int(1 / share) * float(share)
    grid = (np.arange(steps) + 0.5) / steps
    heights = np.where(grid % length < rest - 1e-12, low, high)
    total = heights.mean()
    assert total == pytest.approx(float(best_mean_concentration(share, TWO)), abs=3 / steps)
    for released in np.linspace(0, 1, 61):
        near = np.abs(grid - released) <= length / 2
        excess = t * (near * (1 - heights)).mean() - (~near * heights).mean()
        assert excess <= 6 / steps


@pytest.mark.parametrize("share", [0, -1, Fraction(11, 10), float("nan"), "half"])
def test_shares_outside_are_named(share):
    with pytest.raises(InvalidInputError, match="share"):
        best_mean_concentration(share, TWO)


@pytest.mark.parametrize("delta", [0.5, 0.1, 1e-5])
def test_dworks_scale_is_private_up_to_its_limit_and_no_further(delta):
    """Catches a lost root, factor or quantile."""
    last = classical_limit(delta)
    assert last == pytest.approx(2 * log(1.25 / delta) * 2 - 2 * sqrt(2 * log(1.25 / delta)) * stats.norm.isf(delta))
    assert pac_delta(classical_scale(last, delta), last) == pytest.approx(delta)
    assert pac_delta(classical_scale(1.01 * last, delta), 1.01 * last) > delta
    assert classical_scale(1, delta) == pytest.approx(sqrt(2 * log(1.25 / delta)))


def test_bad_failure_probabilities_are_named():
    for delta in (0, 1, -0.1):
        with pytest.raises(PrivacyLevelError):
            classical_scale(1.0, delta)
        with pytest.raises(PrivacyLevelError):
            classical_limit(delta)

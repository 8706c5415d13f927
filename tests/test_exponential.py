"""The exponential mechanism: zhang2025 eq. (3)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import utilities

from lpmech import PrivacyLevel
from lpmech.errors import PrivacyLevelError, UtilityError
from lpmech.mechanisms.exponential import exponential, sensitivity
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.utilities import absolute, hit, tanimoto

epsilons = st.floats(0.05, 20)


@pytest.mark.parametrize(
    ("scores", "delta"),
    [
        ([[1, 0], [0, 1]], 1),
        ([[5, 0], [5, 0]], 0),  # constant down each column, whatever the rows
        ([[0, 0], [0, 3], [-1, 1]], 3),  # column 2: 0, 3, 1
        (absolute(7), 6),  # output 0: losses 0..6
    ],
)
def test_sensitivity_is_the_largest_range_of_a_column(scores, delta):
    assert sensitivity(scores) == delta


@pytest.mark.parametrize("size", [2, 3, 8])
def test_for_the_hit_rate_it_is_randomized_response_at_half_the_budget(size):
    # Delta = 1, so the odds of the true label are exp(eps / 2): the factor 2 of (3) is wasted on this score.
    assert np.allclose(exponential(hit(size), 2.0).matrix, randomized_response(size, 1.0).matrix, rtol=1e-14)


def test_distances_by_hand():
    # 1..3, Delta = 2, eps = 4 ln 2: odds exp(-eps d / 4) = 2^-d; row 1: 1, 1/2, 1/4 over 7/4.
    matrix = exponential(absolute(3), 4 * math.log(2)).matrix
    assert np.allclose(matrix[0], [4 / 7, 2 / 7, 1 / 7], rtol=1e-14)
    assert np.allclose(matrix[1], [1 / 4, 1 / 2, 1 / 4], rtol=1e-14)


@given(st.integers(2, 4).flatmap(lambda n: utilities(n, n)), epsilons)
def test_the_level_is_at_most_epsilon(scores, epsilon):
    """Catches a missing factor 2 or a sensitivity taken along rows."""
    assert exponential(scores, epsilon).epsilon <= epsilon * (1 + 1e-9) + 1e-12


@given(st.integers(2, 4).flatmap(lambda n: utilities(n, n)), epsilons, st.integers(-50, 50), st.integers(1, 20))
def test_shift_and_scale_of_the_score_do_not_matter(scores, epsilon, shift, scale):
    changed = [[scale * v + shift for v in row] for row in scores]
    assert np.allclose(exponential(changed, epsilon).matrix, exponential(scores, epsilon).matrix, rtol=1e-9, atol=1e-12)


@given(st.sampled_from([absolute(9), tanimoto(9)]), epsilons, epsilons)
def test_the_expected_score_rises_with_the_budget(scores, first, second):
    low, high = sorted((first, second))
    gain = [exponential(scores, e).expected_utility(scores) for e in (low, high)]
    assert gain[1] >= gain[0] - 1e-12


def test_an_exact_level_still_gives_floats():
    channel = exponential(hit(3), PrivacyLevel.from_ratio(4))
    assert not channel.is_exact
    assert channel.matrix[0, 0] == pytest.approx(1 / 2)  # odds sqrt 4 = 2 to 1 to 1


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: exponential([[math.nan, 0.0]], 1.0), UtilityError),
        (lambda: exponential([1.0, 2.0], 1.0), UtilityError),
        (lambda: exponential([], 1.0), UtilityError),
        (lambda: exponential([["a"]], 1.0), UtilityError),
        (lambda: exponential([[1.0, 0.0]], 0.0), PrivacyLevelError),
        (lambda: exponential([[1.0, 0.0]], math.inf), PrivacyLevelError),
        (lambda: sensitivity([1.0]), UtilityError),
    ],
)
def test_bad_input_is_a_typed_error(call, error):
    with pytest.raises(error):
        call()

"""Utilities of places, and BRR on them against the other mechanisms."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import euclidean_distances, haversine_distances

from lpmech import utilities
from lpmech.errors import UtilityError
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star, common_m_star
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.programs import optimal_channel

places = st.lists(st.tuples(st.integers(-90, 90), st.integers(-180, 180)), min_size=1, max_size=6)
MEAN_RADIUS = (2 * 6378.137 + 6356.752314245) / 3  # of the WGS 84 ellipsoid


@given(places)
def test_distances_agree_with_scikit_learn(points):
    # catches degrees taken as radians, latitude and longitude swapped, a missing factor 2 or radius, a sign
    angles = haversine_distances(np.radians(points))
    assert np.allclose(utilities.great_circle(points), -MEAN_RADIUS * angles, atol=1e-3)
    assert np.allclose(utilities.euclidean(points), -euclidean_distances(points), atol=1e-4)


def test_distances_known_by_hand():
    assert utilities.euclidean([[0, 0], [3, 4]]).tolist() == [[0, -5], [-5, 0]]
    # pole, equator, its opposite: a quarter and a half of the circle
    loss = -utilities.great_circle([[90, 0], [0, 0], [0, 180]], radius=1)
    assert np.allclose(loss, math.pi * np.array([[0, 1, 1], [1, 0, 2], [1, 2, 0]]) / 2, atol=1e-12)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_tiny_and_huge_distances_keep_their_digits(size):
    assert np.allclose(utilities.euclidean([[0, 0], [3 * size, 4 * size]])[0, 1] / size, -5)


@pytest.mark.parametrize(
    "call",
    [
        lambda: utilities.euclidean([1, 2]),
        lambda: utilities.euclidean([[0, "x"]]),
        lambda: utilities.euclidean([[-1.7e308], [1.7e308]]),
        lambda: utilities.great_circle([[91, 0]]),
        lambda: utilities.great_circle([[0, 181]]),
        lambda: utilities.great_circle([[0, 0, 0]]),
        lambda: utilities.great_circle([[0, 0]], radius=0),
        lambda: utilities.great_circle([[0, 0], [0, 180]], radius=1.7e308),
    ],
)
def test_bad_places_are_typed_errors(call):
    with pytest.raises(UtilityError) as caught:
        call()
    assert caught.value.allowed in str(caught.value)


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_brr_on_places_lies_between_randomized_response_and_the_optimum(epsilon):
    # a grid of 1 degree, 4 x 3 places; catches a loss given with the wrong sign and places mixed up with each other
    points = [(48 + i, 2 + j) for i in range(4) for j in range(3)]
    utility = utilities.great_circle(points)
    values = [
        channel.expected_utility(utility)
        for channel in (
            randomized_response(12, epsilon),
            bipartite_rr(utility, epsilon),
            bipartite_rr_star(utility, epsilon),
            optimal_channel(utility, epsilon).solve().channel,
        )
    ]
    assert all(low <= high + 1e-9 for low, high in pairwise(values))
    # BRR* is randomized response exactly where it favours one place only (here at epsilon = 3, not at 1)
    assert (values[2] > values[0] + 1) == (common_m_star(utility, epsilon) > 1)

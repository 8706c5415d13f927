"""Extreme points of the private channels, against solved programs."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import levels, priors, utilities

from lpmech import Channel, PrivacyLevel
from lpmech.errors import ChannelError
from lpmech.mechanisms import bipartite_rr, randomized_response, rr_top_k
from lpmech.programs import optimal_channel
from lpmech.programs.extreme_points import exposing_utility, is_extreme_point, tight_constraints
from lpmech.programs.solvers.simplex import solve_by_simplex
from lpmech.utilities import absolute

F = Fraction
THREE = PrivacyLevel.from_ratio(3)


@given(st.integers(2, 5), levels)
def test_randomised_response_is_extreme_and_exposed(size, level):
    channel = randomized_response(size, level)
    assert is_extreme_point(channel, level)
    # the utility that exposes it has no other optimum: the exact simplex method returns it from any start
    found = optimal_channel(exposing_utility(channel, level), level).solve("exact")
    assert found.channel == channel


@given(st.data())
def test_basic_solutions_are_extreme(data):
    # the simplex method ends in extreme points; a rank computed too small would show here
    program = optimal_channel(data.draw(utilities(3, 3)), data.draw(levels), data.draw(priors(3)))
    assert is_extreme_point(solve_by_simplex(program).channel, program.level)


def test_rr_top_k_is_not_extreme_where_some_labels_are_dropped():
    # the rows of dropped labels may be anything between the floors and t times the floors
    prior = [F(1, 2), F(1, 4), F(1, 4)]
    assert not is_extreme_point(rr_top_k(prior, 2, THREE), THREE)
    assert is_extreme_point(rr_top_k(prior, 1, THREE), THREE)
    assert is_extreme_point(rr_top_k(prior, 3, THREE), THREE)


def test_a_mixture_of_two_channels_is_not_extreme():
    one, other = randomized_response(2, THREE).matrix, Channel([[1, 0], [1, 0]]).matrix
    assert not is_extreme_point(Channel((one + other) / 2), THREE)


def test_interior_channels_are_optimal_for_nothing():
    interior = randomized_response(3, PrivacyLevel.from_ratio(2))
    assert len(tight_constraints(interior, THREE)) == 0
    assert exposing_utility(interior, THREE) is None
    assert exposing_utility(interior, PrivacyLevel.from_ratio(2)) is not None


def test_bipartite_rr_on_integers():
    assert is_extreme_point(bipartite_rr(absolute(4), THREE), THREE)


def test_floats_are_refused():
    with pytest.raises(ChannelError, match="exact"):
        is_extreme_point(randomized_response(3, 1.0), PrivacyLevel.from_epsilon(1.0))

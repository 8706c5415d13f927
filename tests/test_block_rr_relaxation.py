"""The relaxation (4.9) of liu2026 over the diagonal entries."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import levels, priors

from lpmech import PrivacyLevel
from lpmech.errors import BlockError, ProgramError
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.block_rr.relaxation import block_rr_relaxation, diagonal_relaxation
from lpmech.mechanisms.rr_with_prior import hit_rates

F = Fraction
TWO = PrivacyLevel.from_ratio(2)


def test_relaxation_by_hand():
    # K = 3, S1 = {0, 1}, Delta = {0}, t = 2: the rows of S1 are x_y + (others)/2 <= 1, the row of label 2 is
    # x_2 + x_1 / 2 <= 1 - 1/3. All equal: x_0 = x_1 = a, 3a/2 + c/2 = 1, c + a/2 = 2/3, so a = 8/15, c = 2/5.
    relaxation = diagonal_relaxation([F(1, 2), F(1, 3), F(1, 6)], [0, 1], TWO, 1)
    assert relaxation.matrix.tolist() == [[1, F(1, 2), F(1, 2)], [F(1, 2), 1, F(1, 2)], [0, F(1, 2), 1]]
    assert relaxation.bounds.tolist() == [1, 1, F(2, 3)]
    assert relaxation.tight_point().tolist() == [F(8, 15), F(8, 15), F(2, 5)]
    # (2/3, 2/3, 0) has 1/2 * 2/3 + 1/3 * 2/3 = 5/9, the tight point 4/15 + 8/45 + 1/15 = 23/45 < 25/45
    assert relaxation.optimum([F(1, 2), F(1, 3), F(1, 6)])[0] == F(5, 9)


@given(st.data(), levels)
def test_tight_point_is_the_diagonal_of_block_rr(data, level):
    size = data.draw(st.integers(2, 5))
    prior = data.draw(priors(size))
    majority = sorted(data.draw(st.sets(st.integers(0, size - 1), min_size=1)))
    l = data.draw(st.integers(0, len(majority)))
    closed = block_rr_from_partition(prior, majority, level, l)
    found = diagonal_relaxation(prior, majority, level, l).tight_point().tolist()
    assert found == [closed.matrix[y, y] for y in range(size)]


@settings(deadline=None, max_examples=30)
@given(st.data(), levels)
def test_without_delta_it_is_lp2_of_rr_with_prior(data, level):
    size = data.draw(st.integers(2, 4))
    prior = data.draw(priors(size).filter(all))
    assert diagonal_relaxation(prior, range(size), level, 0).optimum(prior)[0] == hit_rates(prior, level).max()


def test_bad_input_of_the_relaxation():
    halves = [F(1, 2), F(1, 2)]
    with pytest.raises(BlockError, match="l:"):
        diagonal_relaxation(halves, [0], TWO, 2)
    with pytest.raises(ProgramError, match="gains"):
        diagonal_relaxation(halves, [0], TWO, 0).optimum([1])
    with pytest.raises(ProgramError, match="gains"):
        diagonal_relaxation(halves, [0], TWO, 0).optimum([1, 0])
    with pytest.raises(ProgramError, match="at most 6"):
        diagonal_relaxation([F(1, 7)] * 7, range(7), TWO, 0).optimum([1] * 7)


def test_points_of_the_boundary_belong_to_the_relaxation_and_points_beyond_do_not():
    # K = 2, S1 = {0, 1}, no Delta, t = 2: p >= 0 and p_00 + p_11 / 2 <= 1, p_00 / 2 + p_11 <= 1
    relaxation = block_rr_relaxation([F(1, 2), F(1, 2)], [0, 1], F(1, 2), TWO, 0)

    def feasible(first, second, other=0):
        return relaxation.is_feasible(np.array([[first, other], [0, second]], dtype=object))

    small = F(1, 10**12)
    for inside in ((0, 0), (1, 0), (0, 1), (F(2, 3), F(2, 3)), (0, 0, 5)):
        assert feasible(*inside)
    for outside in ((1 + small, 0), (0, 1 + small), (F(2, 3) + small, F(2, 3)), (-small, 0), (0, 0, -small)):
        assert not feasible(*outside)


def test_the_best_extreme_point_may_have_zeros_and_tight_constraints_of_other_labels():
    # gains (1, 1/100): x = (1, 0) is worth 1, the tight point (2/3, 2/3) only 0.673. At (1, 0) label 0's constraint is
    # tight; label 1's, 1/2 <= 1, is not. With gains (1, 1) the tight point is worth 4/3.
    relaxation = diagonal_relaxation([F(1, 2), F(1, 2)], [0, 1], TWO, 0)
    assert relaxation.optimum([1, F(1, 100)])[0] == 1
    assert relaxation.optimum([1, F(1, 100)])[1].tolist() == [1, 0]
    assert relaxation.optimum([1, 1])[0] == F(4, 3)
    # K = 3, S1 = {0, 1}, Delta = {0, 1}, t = 2: the row of label 2 is x_2 <= 1/3; the row of label 0 gives
    # x_0 + (x_1 + x_2) / 2 <= 1. Gains (1, 1/3, 1/6): at (1, 0, 0) 1; at x_2 = 1/3 it costs 1/6 of x_0 and gains 1/18
    relaxation = diagonal_relaxation([F(1, 2), F(1, 3), F(1, 6)], [0, 1], TWO, 2)
    assert relaxation.optimum([1, F(1, 3), F(1, 6)])[0] == 1
    # all labels in Delta or beyond: the constraint x_2 <= 1/3 alone, for gains that favour label 2
    assert relaxation.optimum([F(1, 100), F(1, 100), 5])[1][2] == F(1, 3)

"""Utilities: what every one of them must satisfy, and that bad labels are typed errors, never a crash or a NaN."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import priors

from lpmech import Channel, PrivacyLevel, utilities
from lpmech.entries import is_exact
from lpmech.errors import PriorError, UtilityError
from lpmech.labels.counts import LabelCounts
from lpmech.labels.named_utilities import UTILITIES, utility_named
from lpmech.mechanisms import randomized_response
from lpmech.mechanisms.block_rr import block_rr_program_from_decay
from lpmech.programs import optimal_channel

F = Fraction
values = st.lists(st.fractions(-20, 20, max_denominator=6), min_size=1, max_size=6)
positive = st.lists(st.fractions(F(1, 6), 20, max_denominator=6), min_size=1, max_size=6)


@given(values)
def test_losses_are_symmetric_exact_and_best_on_the_diagonal(labels):
    # catches a swapped sign (a loss that is positive) and a matrix built from the wrong axis
    for utility in (utilities.absolute(labels), utilities.squared(labels)):
        assert is_exact(utility)
        assert np.array_equal(utility, utility.T)
        assert utility.max() == 0
        assert not any(utility.diagonal())
    assert np.array_equal(utilities.squared(labels), -(utilities.absolute(labels) ** 2))


@given(positive, st.fractions(F(1, 5), 5, max_denominator=5))
def test_tanimoto_is_symmetric_at_most_one_and_free_of_scale(labels, factor):
    # x y <= x^2 + y^2 - x y because (x - y)^2 >= 0, with equality iff x = y
    similarity = utilities.tanimoto(labels)
    assert np.array_equal(similarity, similarity.T)
    for y, a in enumerate(labels):
        for j, b in enumerate(labels):
            assert (similarity[y, j] == 1) == (a == b)
            assert 0 < similarity[y, j] <= 1
    assert np.array_equal(similarity, utilities.tanimoto([factor * v for v in labels]))


@given(values, st.fractions(0, 10, max_denominator=4))
def test_concentration_is_a_threshold_of_the_distance(labels, radius):
    # catches < in place of <=: the pair at exactly the radius counts
    near = utilities.concentration(labels, radius)
    assert np.array_equal(near == 1, -utilities.absolute(labels) <= radius)
    assert all(near.diagonal() == 1)


@given(st.data(), st.fractions(0, F(7, 8), max_denominator=8))
def test_weights_have_the_prior_of_the_column(data, decay):
    # liu2026 (3.3) has p_j, the released label's prior: catches p_i
    prior = data.draw(priors(4))
    weights = utilities.weight_matrix_from_decay(prior, decay)
    assert weights.diagonal().tolist() == prior
    assert all(weights[y, j] == decay * prior[j] for y in range(4) for j in range(4) if y != j)


@given(st.floats(0.05, 50.0))
def test_the_two_weight_matrices_agree(sigma):
    by_sigma = utilities.weight_matrix([0.5, 0.3, 0.2], sigma)
    assert np.array_equal(by_sigma, utilities.weight_matrix_from_decay([0.5, 0.3, 0.2], math.exp(-1 / sigma)))


def test_bin_loss_of_every_value_as_its_own_bin_is_the_distance():
    assert np.array_equal(
        utilities.bin_loss([1, 4, 6], [1, 4, 6], lambda a, b: abs(a - b)), utilities.absolute([1, 4, 6])
    )
    # a number K stands for 0, ..., K - 1
    assert utilities.bin_loss(2, 3, lambda a, b: 10 * a + b).tolist() == [[0, -1, -2], [-10, -11, -12]]


@pytest.mark.parametrize("count", [3, np.int64(3), np.uint8(3)])
def test_a_count_means_the_labels_from_zero_whatever_its_integer_type(count):
    assert np.array_equal(utilities.absolute(count), utilities.absolute([0, 1, 2]))
    assert np.array_equal(utilities.hit(count), utilities.hit(["a", "b", "c"]))
    assert np.array_equal(utilities.tanimoto(count), utilities.tanimoto([1, 2, 3]))


@pytest.mark.parametrize("sigma", [F(1, 2), 0.5, np.float64(0.5)])
def test_sigma_may_be_any_real_number(sigma):
    assert utilities.weight_matrix([0.5, 0.5], sigma)[0, 1] == pytest.approx(0.5 * math.exp(-2))


def test_a_tiny_sigma_leaves_the_diagonal_only():
    assert utilities.weight_matrix([0.5, 0.5], 5e-324).tolist() == [[0.5, 0.0], [0.0, 0.5]]


@pytest.mark.parametrize("utility", [utilities.hit, utilities.absolute, utilities.squared, utilities.tanimoto])
@pytest.mark.parametrize("labels", [0, -2, 2.5, True, None, [], "abc", {1, 2}])
def test_labels_that_are_neither_a_count_nor_a_sequence(utility, labels):
    with pytest.raises(UtilityError) as caught:
        utility(labels)
    assert caught.value.argument in ("labels", "values")


@pytest.mark.parametrize(
    "call",
    [
        lambda: utilities.absolute([-1.7e308, 1.7e308]),
        lambda: utilities.squared([0.0, 1e200]),
        lambda: utilities.tanimoto([1e-200, 1.0]),
        lambda: utilities.tanimoto([1e200, 1.0]),
        lambda: utilities.tanimoto([-1, 1]),
        lambda: utilities.weight_matrix([0.5, 0.5], True),
        lambda: utilities.weight_matrix([0.5, 0.5], math.nan),
        lambda: utilities.weight_matrix([0.5, 0.5], 1e18),
        lambda: utilities.weight_matrix_from_decay([0.5, 0.5], -0.1),
        lambda: utilities.concentration(3, "near"),
        lambda: utilities.bin_loss(None, [0], lambda a, b: a - b),
        lambda: utilities.bin_loss([1.0], [0], lambda a, b: math.nan),
    ],
)
def test_overflow_and_bad_parameters_are_typed_errors_not_nan(call):
    with pytest.raises(UtilityError) as caught:
        call()
    assert caught.value.allowed in str(caught.value)


def test_balanced_hits_average_the_recall_of_the_labels():
    # prior (1/2, 1/4, 1/4, 0), recalls 1/2, 1, 0: average over the three labels that occur 1/2
    utility = utilities.balanced_hit([F(1, 2), F(1, 4), F(1, 4), F(0)])
    assert utility.diagonal().tolist() == [F(2, 3), F(4, 3), F(4, 3), 0]
    channel = Channel([[F(1, 2), F(1, 2), 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    assert channel.expected_utility(utility, [F(1, 2), F(1, 4), F(1, 4), F(0)]) == F(1, 2)
    with pytest.raises(PriorError):
        utilities.balanced_hit([0.5, 0.6])


#: Every named utility for the labels 0 and 3 with p = (1/4, 3/4), at t = 3 where it depends on it.
EXPECTED = {
    "hit": [[1, 0], [0, 1]],
    "absolute": [[0, -3], [-3, 0]],
    "squared": [[0, -9], [-9, 0]],
    "tanimoto": [[1, F(2, 3)], [F(2, 3), 1]],  # of the positions 1 and 2, as 0 is not positive: x y / (x^2 + y^2 - x y)
    "near": [[1, 0], [0, 1]],
    "balanced": [[2, 0], [0, F(2, 3)]],
    "weights": [[1, F(3, 2)], [F(1, 6), 1]],  # p_j 2^-[i != j] / p_i
    # log2 of q_yj / sum_y p_y q_yj with q = 3/4 and 1/4: the releases have probabilities 3/8 and 5/8
    "information": np.log2([[2, 2 / 5], [2 / 3, 6 / 5]]),
}


@pytest.mark.parametrize("name", UTILITIES)
def test_a_named_utility_is_the_function_of_that_name(name):
    utility = utility_named(name, LabelCounts(("0", "3"), (1, 3)), PrivacyLevel.from_ratio(3))
    if UTILITIES[name].at_level:
        np.testing.assert_allclose(utility, EXPECTED[name], rtol=1e-14)
    else:
        assert utility.tolist() == EXPECTED[name]


@pytest.mark.parametrize("name", [name for name, utility in UTILITIES.items() if utility.formula])
def test_an_entry_between_numbers_is_that_of_the_matrix(name):
    utility, entry = UTILITIES[name], UTILITIES[name].entry
    matrix = utility.matrix([0, 3, F(7, 2)], np.array([F(1, 3)] * 3), None).tolist()
    assert matrix == [[entry(F(y), F(j)) for j in (0, 3, F(7, 2))] for y in (0, 3, F(7, 2))]


def test_weights_are_the_objective_of_4_1():
    # CIFAR-10_2 of liu2026 at t = 3, randomized response 3/12 and 1/12: sum of w over the diagonal is 1, off it 9/2, so
    # (4.1) is 3/12 + 9/2 * 1/12 = 5/8; weighing the rows by the prior once more gave 0.0719
    counts = LabelCounts(tuple("0123456789"), (5000, 4900, 4700, 4600, 4500, 4800, 600, 500, 700, 400))
    level = PrivacyLevel.from_ratio(3)
    utility = utility_named("weights", counts)
    channel = randomized_response(10, level)
    assert channel.expected_utility(utility, counts.prior) == F(5, 8)
    # with no entry fixed (l = 0) the program of `design` is (4.1)
    program = block_rr_program_from_decay(counts.prior, range(6), F(1, 2), level, 0)
    assert optimal_channel(utility, level, counts.prior).weights.tolist() == program.weights.tolist()
    # a label that does not occur has a row of zeros
    assert utilities.weights_per_label([F(1), F(0)], F(1, 2)).tolist() == [[1, 0], [0, 0]]

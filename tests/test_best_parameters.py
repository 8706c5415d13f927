"""Parameters chosen from block sums are those that trying every channel would choose."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import levels, priors, utilities

from lpmech.errors import UtilityError
from lpmech.mechanisms import best_block_sizes, best_contiguous_bins, best_top_k, block_rr_from_partition, rr_top_k
from lpmech.mechanisms.catalogue import _sizes
from lpmech.priors import top_labels
from lpmech.utilities import absolute


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_block_sums_are_the_expected_utilities_of_the_channels(data):
    # a wrong rectangle, or rows and columns confused, shows: utilities here are not symmetric
    size = data.draw(st.integers(1, 6))
    utility, prior, level = data.draw(utilities(size, size)), data.draw(priors(size)), data.draw(levels)
    by_k = [float(rr_top_k(prior, k, level).expected_utility(utility, prior)) for k in range(1, size + 1)]
    assert by_k[best_top_k(utility, prior, level) - 1] == pytest.approx(max(by_k), rel=1e-9, abs=1e-9)
    sizes = [(n, l) for n in range(1, size + 1) for l in range(n + 1)]
    order = top_labels(np.array(prior), size)

    def value(pair):
        return float(block_rr_from_partition(prior, order[: pair[0]], level, pair[1]).expected_utility(utility, prior))

    best = value(best_block_sizes(utility, prior, level, sizes))
    assert best == pytest.approx(max(map(value, sizes)), rel=1e-9, abs=1e-9)


def test_the_first_of_equal_candidates_is_taken():
    # a constant utility makes all equal
    assert best_top_k([[1, 1, 1]] * 3, [0.2, 0.3, 0.5], 1.0) == 1
    assert best_block_sizes([[1, 1, 1]] * 3, [0.2, 0.3, 0.5], 1.0, [(2, 1), (1, 0)]) == (2, 1)


@pytest.mark.parametrize("scale", [1e-15, 1.0, 1e15])
def test_the_unit_of_the_utility_does_not_matter(scale):
    # at epsilon = 3 all labels are kept; ties are found relative to the utility
    assert best_top_k(scale * np.eye(4), [0.1, 0.2, 0.3, 0.4], 3.0) == 4
    assert best_top_k(scale * np.eye(4), [0.1, 0.2, 0.3, 0.4], 0.1) == 1
    assert best_top_k(scale * np.ones((4, 4)) / 3, [0.1, 0.2, 0.3, 0.4], 3.0) == 1


@pytest.mark.parametrize("largest", [12, 13, 40, 1000])
def test_the_sizes_that_are_tried_are_spread_evenly_with_both_ends(largest):
    sizes = _sizes(largest)
    assert (sizes[0], sizes[-1], len(sizes)) == (1, largest, 12)
    steps = np.diff(sizes)
    assert steps.max() - steps.min() <= 1


def test_levels_whose_ratio_has_no_square():
    assert best_top_k(np.eye(3), [0.2, 0.3, 0.5], 700.0) == 3
    assert best_block_sizes(np.eye(3), [0.2, 0.3, 0.5], 700.0, [(2, 2), (3, 0)]) == (3, 0)


def test_a_utility_that_is_not_square_is_refused():
    with pytest.raises(UtilityError, match="square"):
        best_top_k(np.ones((3, 2)), [0.2, 0.3, 0.5], 1.0)


def test_bins_of_many_labels_by_hand():
    # uniform prior, |i - j| loss, tiny epsilon: one bin around the median; huge epsilon: every label its own
    loss = absolute(40)
    prior = np.full(40, 1 / 40)
    assert set(best_contiguous_bins(loss, prior, 1e-3)) <= {19, 20}
    assert best_contiguous_bins(loss, prior, 60.0) == list(range(40))

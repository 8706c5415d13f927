"""Described channels against the tabulated mechanisms of the same name."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmech import PrivacyLevel, mechanisms
from lpmech.applications.at_scale import mechanisms as at_scale
from lpmech.applications.at_scale.described import AbsoluteDistance, DescribedChannel, HitRate, Pointwise
from lpmech.errors import BlockError, ChannelError, InvalidInputError, LabelError, UtilityError
from lpmech.mechanisms.bipartite_rr import common_m, common_m_star
from lpmech.utilities import absolute, hit

PRIOR = np.array([0.3, 0.05, 0.2, 0.25, 0.15, 0.05])
POINTS = np.array([0.0, 1.0, 2.5, 3.0, 7.0, 7.5])


def pairs(epsilon: float = 1.2):
    """(described, tabulated) for every finite mechanism with structure."""
    loss = absolute(POINTS)
    bins = ["a", "a", "b", "c", "b", "c"]
    return {
        "rr": (at_scale.described_randomized_response(6, epsilon), mechanisms.randomized_response(6, epsilon)),
        "bins": (at_scale.described_rr_on_bins(bins, epsilon), mechanisms.rr_on_bins(bins, epsilon)),
        "top 2": (at_scale.described_rr_top_k(PRIOR, 2, epsilon), mechanisms.rr_top_k(PRIOR, 2, epsilon)),
        "top 6": (at_scale.described_rr_top_k(PRIOR, 6, epsilon), mechanisms.rr_top_k(PRIOR, 6, epsilon)),
        "prior": (at_scale.described_rr_with_prior(PRIOR, epsilon), mechanisms.rr_with_prior(PRIOR, epsilon)),
        "block": (
            at_scale.described_block_rr_from_partition(PRIOR, [0, 2, 3], epsilon, 1),
            mechanisms.block_rr_from_partition(PRIOR, [0, 2, 3], epsilon, 1),
        ),
        "block, all favoured": (
            at_scale.described_block_rr_from_partition(PRIOR, [0, 3], epsilon, 2),
            mechanisms.block_rr_from_partition(PRIOR, [0, 3], epsilon, 2),
        ),
        "brr": (at_scale.bipartite_rr_on_points(POINTS, epsilon), mechanisms.bipartite_rr(loss, epsilon)),
        "brr*": (
            at_scale.bipartite_rr_star_on_points(POINTS, epsilon, PRIOR),
            mechanisms.bipartite_rr_star(loss, epsilon, PRIOR),
        ),
    }


@pytest.mark.parametrize("name", list(pairs()))
def test_described_and_tabulated_are_the_same_channel(name):
    described, tabulated = pairs()[name]
    np.testing.assert_allclose(described.tabulate().matrix, tabulated.to_float().matrix, rtol=1e-12, atol=1e-15)
    assert described.epsilon == pytest.approx(tabulated.epsilon, abs=1e-12)
    if described.shape == (6, 6):
        for utility, matrix in (
            (HitRate(), hit(6)),
            (AbsoluteDistance(POINTS), absolute(POINTS)),
            (Pointwise(lambda y, j: (y - 2.0 * j) ** 2), np.subtract.outer(np.arange(6), 2.0 * np.arange(6)) ** 2),
        ):
            expected = float(tabulated.to_float().expected_utility(matrix.astype(float), PRIOR))
            assert described.expected_utility(utility, PRIOR) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", list(pairs()))
def test_samples_follow_the_rows(name):
    # 6 rows, n = 60 000 each: a frequency is within 5 standard deviations of its probability, sd <= sqrt(1/4n) = 0.002
    described, _ = pairs()[name]
    matrix = described.tabulate().matrix
    released = described.exact(described.epsilon).sample(np.repeat(np.arange(6), 60_000), 1).reshape(6, -1)
    for row, drawn in zip(matrix, released, strict=True):
        frequencies = np.bincount(drawn, minlength=len(row)) / drawn.size
        assert abs(frequencies - row).max() < 5 * math.sqrt(0.25 / 60_000)
        assert not np.any(frequencies[row == 0])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=12, unique=True).map(sorted),
    st.floats(0.05, 5.0),
)
def test_m_on_points_is_the_m_of_the_sorted_matrix(points, epsilon):
    # the double bisection against K sorts of K; exact ties of the derivative with zero may differ by rounding, so nudge
    x = np.array(points, dtype=float)
    loss = -abs(np.subtract.outer(x, x))
    assert at_scale.common_m_on_points(x, epsilon) == common_m(loss, epsilon)
    assert at_scale.common_m_star_on_points(x, epsilon) == common_m_star(loss, epsilon)


@pytest.mark.parametrize("epsilon", [1e-6, 1.2, 30.0, 60.0])
@pytest.mark.parametrize("name", list(pairs()))
def test_exact_described_channels_are_private_to_the_last_bit_and_near(name, epsilon):
    described, level = pairs(epsilon)[name][0], PrivacyLevel.from_epsilon(epsilon)
    exact = described.exact(level)
    table = exact.tabulate()  # as a Channel: its rows sum to one exactly
    assert exact.ratio <= level.ratio_below
    assert table.ratio <= exact.ratio
    assert table.total_variation(described.tabulate()) < Fraction(1, 10**11)


@pytest.mark.parametrize("denominator", [40, 997])
@pytest.mark.parametrize("name", list(pairs()))
def test_the_tree_of_the_described_sampler_by_enumeration(name, denominator, monkeypatch):
    """Every number that can be drawn, for every label: how often an output comes is its numerator in the table."""
    for module in ("lpmech.applications.at_scale.described", "lpmech.applications.at_scale.exact"):
        monkeypatch.setattr(f"{module}.DENOMINATOR", denominator)
    exact = pairs()[name][0].exact(1.2)
    for y, row in enumerate((exact.tabulate().matrix * denominator).tolist()):
        ticks = np.arange(denominator)
        drawn = exact.order[exact._positions(np.full(denominator, y), ticks)]
        assert np.bincount(drawn, minlength=len(row)).tolist() == row


def test_large_alphabets_without_a_matrix():
    # K = 10^5: a dense matrix would take 80 GB
    size, t = 100_000, math.exp(2.0)
    prior = np.arange(size, 0, -1.0) / (size * (size + 1) / 2)
    channel = at_scale.described_rr_with_prior(prior, 2.0)
    k = int((channel.base[0] > 0) @ np.diff(channel.bounds))
    # hit rate of RRTop-k: t / (t + k - 1) times the mass of the k first labels
    assert channel.expected_utility(HitRate(), prior) == pytest.approx(t / (t + k - 1) * prior[:k].sum(), rel=1e-9)
    assert channel.epsilon == pytest.approx(2.0, abs=1e-12)
    response = at_scale.described_randomized_response(size, 2.0)
    # sum over j of |y - j| averaged over y: (K^2 - 1) / 3, times low = 1 / (t + K - 1)
    expected = -(size**2 - 1) / 3 / (t + size - 1)
    assert response.expected_utility(AbsoluteDistance(np.arange(size))) == pytest.approx(expected, rel=1e-9)
    assert response.exact(2.0).sample(np.arange(size), 0).max() < size


def test_bad_descriptions_are_typed_errors():
    good = at_scale.described_randomized_response(3, 1.0)
    arguments = {name: getattr(good, name) for name in ("order", "bounds", "group", "base", "starts", "stops", "lift")}
    with pytest.raises(LabelError, match="permutation"):
        DescribedChannel(**{**arguments, "order": np.array([0, 0, 2])})
    with pytest.raises(LabelError, match="windows"):
        DescribedChannel(**{**arguments, "stops": np.array([1, 2, 4])})
    with pytest.raises(LabelError, match="rise"):
        DescribedChannel(**{**arguments, "bounds": np.array([0, 2])})
    with pytest.raises(LabelError, match="row of base"):
        DescribedChannel(**{**arguments, "group": np.array([0, 0, 1])})
    with pytest.raises(ChannelError, match="sum"):
        DescribedChannel(**{**arguments, "base": good.base * 1.1})
    with pytest.raises(ChannelError, match="lift"):
        DescribedChannel(**{**arguments, "lift": 0.5})
    with pytest.raises(LabelError, match="labels"):
        good.exact(1.0).sample(np.array([3]))
    with pytest.raises(ChannelError, match=r"channel\.exact"):
        good.sample(np.array([0]))
    with pytest.raises(ChannelError, match=r"private at epsilon = 0\.9"):
        good.exact(0.9)
    with pytest.raises(UtilityError, match="rise"):
        at_scale.bipartite_rr_on_points([0, 2, 1], 1.0)
    with pytest.raises(InvalidInputError, match="k"):
        at_scale.described_rr_top_k(PRIOR, 7, 1.0)
    with pytest.raises(BlockError, match="majority"):
        at_scale.described_block_rr_from_partition(PRIOR, [0, 0], 1.0, 0)
    with pytest.raises(LabelError, match="size"):
        at_scale.described_randomized_response(0, 1.0)
    with pytest.raises(LabelError, match="bin_of"):
        at_scale.described_rr_on_bins([], 1.0)

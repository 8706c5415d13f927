"""Whole numbers over one denominator give what quotients give, and long denominators take the other way."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmech import common_denominators
from lpmech.common_denominators import (
    exact_product,
    exact_row_sums,
    fractions_of,
    over_one_denominator,
    sum_of_products,
)
from lpmech.mechanisms import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.rr_on_bins import _BLOCK
from lpmech.programs.optimality import best_fill, feasible_shift

exact = st.fractions(-9, 9, max_denominator=60)
RATIO = Fraction(7, 2)


def matrix(values, shape):
    return np.array([*values, None], dtype=object)[:-1].reshape(shape)


matrices = st.lists(exact, min_size=12, max_size=12).map(lambda values: matrix(values, (3, 4)))


@settings(deadline=None, max_examples=60)
@given(matrices, matrices, st.sampled_from([4096, 3]))
def test_sums_and_products_are_those_of_the_quotients(first, second, bits):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_denominators, "_MOST_BITS", bits)
        assert sum_of_products(first, second) == sum((first * second).ravel().tolist())
        assert np.array_equal(exact_product(first[:, :1], second), first[:, :1] * second)
        assert np.array_equal(exact_row_sums(first), first.sum(axis=1))
        whole = over_one_denominator(first, second)
        if whole is not None:
            (above, other), under = whole
            assert under.bit_length() <= bits
            assert np.array_equal(fractions_of(above, under), first)
            assert np.array_equal(fractions_of(other, under), second)


@settings(deadline=None, max_examples=60)
@given(matrices, st.lists(exact, min_size=3, max_size=3), st.lists(st.floats(0, 1), min_size=12, max_size=12))
def test_fills_and_shifts_are_those_of_the_quotients(weights, duals, entries):
    rough = np.array(entries).reshape(3, 4) + 1e-3
    found = best_fill(weights, RATIO, rough), feasible_shift(weights, RATIO, matrix(duals, 3), {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_denominators, "_MOST_BITS", 0)
        slow = best_fill(weights, RATIO, rough), feasible_shift(weights, RATIO, matrix(duals, 3), {})
    assert np.array_equal(found[0], slow[0])
    assert found[1] == slow[1]
    assert all(sum(row) == 1 for row in found[0].tolist())
    assert np.all(found[0].max(axis=0) <= RATIO * found[0].min(axis=0))


@pytest.mark.parametrize("size", [6, _BLOCK + 5])
def test_no_two_neighbouring_bins_are_better_joined_or_cut_elsewhere(size):
    rng = np.random.default_rng(size)
    places, prior = np.sort(rng.random(size)), rng.dirichlet(np.ones(size))
    utility = -abs(places[:, None] - places)

    def worth(bins):
        channel = rr_on_bins(bins, 3.0)
        return float((prior[:, None] * utility[:, list(channel.outputs)] * channel.matrix).sum())

    bins = best_contiguous_bins(utility, prior, 3.0)
    best = worth(bins)
    for y in range(1, size):
        if bins[y] != bins[y - 1]:
            joined = [bins[y - 1] if b == bins[y] else b for b in bins]
            moved = [*bins[:y], bins[y - 1], *bins[y + 1 :]]
            later = [*bins[: y - 1], bins[y], *bins[y:]]
            for other in (joined, moved, later):
                assert worth(other) <= best + 1e-12

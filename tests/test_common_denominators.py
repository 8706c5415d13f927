"""Whole numbers over one denominator give what quotients give, and long denominators take the other way."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lpmech import common_denominators
from lpmech.certify.packing import packed, packed_numerators, packed_weights
from lpmech.channel import Channel
from lpmech.common_denominators import (
    exact_product,
    exact_row_sums,
    fractions_of,
    over_one_denominator,
    short_numerators,
    short_product,
    sum_of_products,
)
from lpmech.designs.decoding import decodable
from lpmech.entries import to_exact, to_float
from lpmech.mechanisms import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.rr_on_bins import _BLOCK
from lpmech.programs import Program
from lpmech.programs.optimality import best_fill, feasible_shift, may_be_broken, shift_of_numerators
from lpmech.programs.rounding import in_floats
from lpmech.release.sealing import indented

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


@given(arrays(np.int64, (3, 4), elements=st.integers(-50, 50)), st.integers(1, 40), st.integers(1, 40))
def test_short_numerators_stand_for_the_same_program(numerators, unit, other):
    """A program of numerators is the one of its Fractions: weights, floats with their error, values, reordered ones."""
    exact = np.array([[Fraction(v, unit) for v in row] for row in numerators.tolist()], dtype=object)
    prior = np.array([Fraction(y + 1, other) for y in range(3)], dtype=object)[:, None]
    short = short_product(prior, exact)
    assert fractions_of(*short).tolist() == (prior * exact).tolist()
    program, plain = Program.of_numerators(*short, 1.0), Program(prior * exact, 1.0)
    assert program.floats[0].tolist() == to_float(plain.weights).tolist()
    assert program.floats[1] == in_floats(plain.weights)[1]
    assert program.weights.tolist() == plain.weights.tolist()
    channel = Channel.of_numerators(np.full((3, 4), 5), 20, range(3), range(4))
    assert program.value(channel) == (plain.weights * channel.matrix).sum()
    assert fractions_of(*plain.numerators).tolist() == program.weights.tolist()
    order = np.array([2, 0, 1])
    square = Program.of_numerators(short[0][:, :3], short[1], 1.0)
    assert square.reordered(order).weights.tolist() == plain.weights[order][:, order].tolist()
    assert square.reordered(order).floats[0].flags.c_contiguous


def test_numerators_that_are_long_are_not_taken_for_floats():
    long = np.array([[Fraction(2**53 + 1), Fraction(1)]], dtype=object)
    assert short_numerators(long) is None
    assert short_product(long, long) is None
    half = np.array([[Fraction(2**30)]], dtype=object)
    assert short_product(half, half) is None
    assert short_product(half, half / 2**8)[0].tolist() == [[2**52]]
    assert Program(long, 1.0).numerators is None


@given(arrays(np.int64, (4, 5), elements=st.integers(-9, 9)), st.integers(1, 30))
def test_whole_numbers_are_packed_as_fractions_are(numerators, unit):
    exact = fractions_of(numerators, unit)
    assert packed_numerators(numerators, unit) == packed(exact)
    assert packed_weights((numerators, unit)) == packed_weights(exact)


@given(arrays(np.int64, (4, 6), elements=st.integers(-9, 9)), arrays(np.float64, 4, elements=st.floats(-9, 9)))
def test_outputs_that_are_left_out_need_no_shift(numerators, duals):
    """The shift of those whose constraint may be broken is that of all."""
    weights, ratio, exact = fractions_of(numerators, 7), Fraction(19, 7), to_exact(duals)
    near = may_be_broken(to_float(weights), ratio, duals)
    whole = feasible_shift(weights, ratio, exact, {})
    assert whole == (feasible_shift(weights[:, near], ratio, exact, {}) if near.size else 0)
    assert whole == shift_of_numerators(numerators, 7, ratio, exact)


def test_a_constraint_broken_by_less_than_rounding_is_looked_at():
    weights = np.array([[Fraction(1), Fraction(-5)], [Fraction(1), Fraction(-5)]], dtype=object)
    duals = to_exact(np.array([1.0, 1.0]))
    assert may_be_broken(to_float(weights), Fraction(2), duals).tolist() == [0]
    assert may_be_broken(to_float(weights), Fraction(2), duals - Fraction(1, 10**40)).tolist() == [0]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda part: st.lists(part) | st.dictionaries(st.text(), part) | st.lists(st.text()),
    )
)
def test_json_is_indented_as_the_library_does(value):
    assert indented(value) == json.dumps(value, indent=1, ensure_ascii=False)


@pytest.mark.parametrize("spread", [0.0, 1e-12, 1e-9, 1e-8, 1e-4, 1.0])
def test_what_can_be_decoded_is_what_singular_values_say(spread):
    rng = np.random.default_rng(3)
    matrix = np.full((6, 6), 1 / 6) + spread * (np.eye(6) - 1 / 6) * (1 + rng.random((6, 1)) / 10)
    values = np.linalg.svd(matrix, compute_uv=False)
    assert decodable(matrix) == (values[-1] > 1e-9 * values[0])
    assert not decodable(matrix[[0, 0, 1, 2, 3, 4]])

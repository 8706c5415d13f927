"""BRR: what its formulas, algorithms and closed forms must satisfy for any input."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import levels, priors, utilities

from lpmech import PrivacyLevel
from lpmech.entries import as_array
from lpmech.errors import InvalidInputError, PriorError, PrivacyLevelError, ProgramError, UtilityError
from lpmech.mechanisms.bipartite_rr import (
    bipartite_channel,
    bipartite_rr,
    bipartite_rr_star,
    common_m,
    common_m_star,
    derivative_numerator,
    greedy_m,
    high_probability,
    local_m,
    local_response,
    low_probability,
)
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.mechanisms.bipartite_rr import derivation as derived
from lpmech.mechanisms.bipartite_rr.program import best_rearrangement, best_two_valued, global_program
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.utilities import absolute, hit, tanimoto

F = Fraction
TWO = PrivacyLevel.from_ratio(2)


# -- the channel (6) ---------------------------------------------------------------------------------


def test_three_outputs_two_favoured():
    # t = 2, N = 3, m = 2: denominator 2 * 2 + 1 = 5. Item 1 of 0, 1, 2 ties 0 with 2: itself, then the smaller index.
    rows = bipartite_channel(absolute(3), 2, TWO).matrix.tolist()
    assert rows == [[F(2, 5), F(2, 5), F(1, 5)], [F(2, 5), F(2, 5), F(1, 5)], [F(1, 5), F(2, 5), F(2, 5)]]


@given(st.data(), levels)
def test_the_level_is_attained_unless_all_rows_favour_the_same_outputs(data, level):
    """Catches a wrong denominator, and a tight level that depends on more than the sets."""
    size = data.draw(st.integers(2, 5))
    utility, m = data.draw(utilities(size, size)), data.draw(st.integers(1, size))
    channel = bipartite_channel(utility, m, level)
    t = level.ratio
    favoured = {tuple(v == high_probability(t, size, m) for v in row) for row in channel.matrix.tolist()}
    assert all(sum(row) == m for row in favoured)
    assert channel.ratio == (t if len(favoured) > 1 else 1)


@given(st.integers(2, 6), levels)
def test_one_favoured_output_is_randomized_response(size, level):
    for utility in (absolute(size), tanimoto(size), hit(size)):
        assert bipartite_channel(utility, 1, level) == randomized_response(size, level)


@given(st.integers(1, 30), st.data(), levels)
def test_probabilities_sum_to_one(n, data, level):
    m = data.draw(st.integers(1, n))
    t = level.ratio
    assert m * high_probability(t, n, m) + (n - m) * low_probability(t, n, m) == 1
    assert high_probability(t, n, m) == t * low_probability(t, n, m)


# -- Alg. 1 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "t", "m"),
    [
        ([1], 2, 1),
        ([3, 3, 3], 5, 1),  # all derivatives are zero: never raised
        ([2, 2, 1], 2, 2),  # s_2: (2-2)*2 + (2-1)*1 = 1 > 0; s_3 negative
        ([2, 1, 0], 2, 1),  # s_2: (1-2)*2 + (1-0)*1 = -1
        ([4, 3, 0], 2, 2),  # s_2: (3-4)*2 + 3 = 1 > 0
        ([4, 3, 0], 3, 1),  # s_2: (3-4)*3 + 3 = 0: a tie is not raised
        ([0, 3, 4], 2, 2),  # the order given does not matter
    ],
)
def test_m_of_one_row_by_hand(row, t, m):
    assert local_m(row, PrivacyLevel.from_ratio(t)) == m


def _loop(row, t):
    """Alg. 1 with every derivative summed anew."""
    ordered = sorted(row, reverse=True)
    weights, m = [t] + [F(1)] * (len(row) - 1), 1
    for i in range(1, len(row)):
        if derivative_numerator(ordered, weights, i) <= 0:
            break
        weights[i], m = t, i + 1
    return m


@given(st.lists(st.fractions(-4, 4, max_denominator=6), min_size=1, max_size=8), levels)
def test_prefix_sums_give_the_m_of_the_loop(row, level):
    assert local_m(row, level) == _loop(row, level.ratio)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=7), levels, st.integers(-9, 9), st.integers(1, 9))
def test_m_depends_on_differences_only_and_not_on_scale(row, level, shift, scale):
    assert local_m([scale * v + shift for v in row], level) == local_m(row, level)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=7), levels, levels)
def test_m_does_not_grow_with_the_budget(row, first, second):
    low, high = sorted((first, second), key=lambda level: level.ratio)
    assert local_m(row, high) <= local_m(row, low)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=6), levels, st.randoms(use_true_random=False))
def test_a_response_moves_with_its_outputs(row, level, random):
    """Catches an answer that depends on the order in which outputs are listed (beyond ties)."""
    order = list(range(len(row)))
    random.shuffle(order)
    response, m = local_response(row, level)
    moved, same = local_response([row[j] for j in order], level)
    gain = as_array(row, "row", 1)
    assert same == m
    assert sorted(moved) == sorted(response)
    assert (gain[order] * moved).sum() == (gain * response).sum()


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=6), levels, st.data())
def test_no_other_weights_in_the_range_do_better(row, level, data):
    """Any s in [1, t]^N, not only its vertices."""
    t = level.ratio
    s = [1 + (t - 1) * data.draw(st.fractions(0, 1, max_denominator=8)) for _ in row]
    response, _ = local_response(row, level)
    assert sum(v * w for v, w in zip(row, s, strict=True)) / sum(s) <= (as_array(row, "row", 1) * response).sum()


def test_floats_agree_with_exact_arithmetic_where_there_is_no_tie():
    utility = tanimoto(12)
    for t in (F(3, 2), F(7, 2), F(20)):
        level = PrivacyLevel.from_ratio(t)
        exact, rounded = bipartite_rr(utility, level), bipartite_rr(utility.astype(float), math.log(t))
        assert exact.is_exact
        assert not rounded.is_exact
        assert np.allclose(rounded.matrix, exact.matrix.astype(float), rtol=1e-12, atol=0)


# -- Algs. 2 and 3 -----------------------------------------------------------------------------------


@given(st.data(), levels)
def test_the_prior_enters_the_sum_over_items(data, level):
    """A prior on one item makes BRR* that item's own answer; catches (15) as printed, with pi outside the sum."""
    size = data.draw(st.integers(2, 5))
    utility, k = data.draw(utilities(size, size)), data.draw(st.integers(0, size - 1))
    prior = [int(y == k) for y in range(size)]
    assert common_m_star(utility, level, prior) == local_m(utility[k], level)


@given(st.data(), levels)
def test_m_lies_between_the_smallest_and_the_largest_own_m(data, level):
    size = data.draw(st.integers(2, 5))
    utility, prior = data.draw(utilities(size, size)), data.draw(priors(size))
    own = [local_m(row, level) for row in utility]
    assert common_m(utility, level) == min(own)
    assert min(own) <= common_m_star(utility, level, prior) <= max(own)


@settings(deadline=None, max_examples=15)
@given(st.data())
def test_values_are_nested_common_m_two_valued_all_channels(data):
    utility = data.draw(utilities(3, 3))
    common = bipartite_rr_star(utility, TWO).expected_utility(utility)
    two_valued = best_two_valued(utility, TWO)
    assert common == best_rearrangement(utility, TWO) <= two_valued
    assert two_valued <= global_program(utility, TWO).solve("exact").value


# -- the integers 1..N -------------------------------------------------------------------------------


@given(st.integers(1, 60), levels)
def test_closed_forms_are_the_end_point_and_the_middle_row(n, level):
    utility = absolute(n)
    assert closed.m_end_point(level.ratio, n) == local_m(utility[0], level)
    assert closed.m_middle(level.ratio, n) == local_m(utility[(n - 1) // 2], level)
    assert closed.m_middle(level.ratio, n) % 2 == 1


@pytest.mark.parametrize(
    ("n", "t", "end", "middle"),
    [
        (4, F(11, 4), 2, 1),  # t < 3 = 1 + 2: s_2 is raised in row 1; row 2 (0 1 1 2): t + 0 - 1 > 0 is not
        (4, F(3), 1, 1),  # the tie at t = 3
        (5, F(3), 2, 1),  # row 3 (0 1 1 2 2): 3 + 0 - 2 > 0
        (
            9,
            F(4),
            3,
            3,
        ),  # row 1, i = 3: 3 * 4 - 21 < 0, i = 4: 6 * 4 - 15 > 0; row 5: 4 - 12 < 0, then (2 + 1 + 1) * 4 - 6 > 0
        (100, F(20), 18, 19),  # roots (8) 18.78, (9) 19.27; the middle takes the odd 19
    ],
)
def test_m_on_the_integers_by_hand(n, t, end, middle):
    assert (closed.m_end_point(t, n), closed.m_middle(t, n)) == (end, middle)
    assert closed.m_integers(t, n) == min(end, middle)


@pytest.mark.parametrize("odd", [0, 1])
def test_solving_the_derived_sums_gives_the_printed_roots(odd):
    t, n = derived.t, derived.N
    root = derived.right_root(derived.in_index(derived.derive_middle_sum(odd), odd))
    printed = (sp.sqrt(t * (n**2 - 1) + 1) - n) / (t - 1) + 1 if odd else n / (sp.sqrt(t) + 1) + 1
    assert sp.simplify(root - printed) == 0
    end = (sp.sqrt(n**2 * t + (1 - t) ** 2 / 4) - (n - t / 2 + sp.Rational(1, 2))) / (t - 1)
    assert sp.simplify(derived.right_root(derived.derive_end_point_sum()) - end) == 0


# -- bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [0, 4, -1, 1.0, True, None, "1"])
def test_m_outside_the_range_is_named(m):
    with pytest.raises(InvalidInputError, match=r"m: got .*from 1 to 3"):
        bipartite_channel(absolute(3), m, TWO)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: bipartite_rr([[1.0, math.nan], [0.0, 1.0]], 1.0), UtilityError),
        (lambda: bipartite_rr_star([[1.0, math.inf], [0.0, 1.0]], 1.0), UtilityError),
        (lambda: bipartite_rr([1, 2], 1.0), UtilityError),
        (lambda: bipartite_rr([[1, 2], [3]], 1.0), UtilityError),
        (lambda: bipartite_rr([[]], 1.0), UtilityError),
        (lambda: local_response([[1, 2]], 1.0), UtilityError),
        (lambda: local_m(["a"], 1.0), UtilityError),
        (lambda: bipartite_rr(absolute(2), 0.0), PrivacyLevelError),
        (lambda: local_m([1, 2], -1.0), PrivacyLevelError),
        (lambda: common_m(absolute(2), math.nan), PrivacyLevelError),
        (lambda: common_m_star(absolute(2), 1.0, [0.5, 0.6]), PriorError),
        (lambda: common_m_star(absolute(2), 1.0, [1.5, -0.5]), PriorError),
        (lambda: bipartite_rr_star(absolute(2), 1.0, [1.0]), PriorError),
        (lambda: best_two_valued(absolute(5), TWO), ProgramError),
        (lambda: best_rearrangement([[1, math.nan]], TWO), UtilityError),
    ],
)
def test_bad_input_is_a_typed_error(call, error):
    with pytest.raises(error):
        call()


def test_similarities_need_not_be_positive():
    """zhang2025 asks for lambda_N > 0, which nothing uses: distances enter as negative similarities."""
    assert (
        local_m([0, -1, -2, -3], TWO) == local_m([4, 3, 2, 1], TWO) == greedy_m(as_array([4, 3, 2, 1], "row", 1), F(2))
    )


def test_a_level_of_more_digits_than_a_machine_number_has_its_m():
    """e^3 in 40 digits: the m of the loop in Fractions."""
    level = PrivacyLevel.from_ratio(F(20085536923187667740928529654581717896987, 10**39))
    for utility, prior in ((tanimoto(20), None), (absolute(7), [F(1, 3), *[F(1, 9)] * 6])):
        rows = [sorted(row, reverse=True) for row in utility.tolist()]
        weights = prior or [F(1, len(rows))] * len(rows)
        means = [sum(w * row[j] for w, row in zip(weights, rows, strict=True)) for j in range(len(rows))]
        assert common_m(utility, level) == min(_loop(row, level.ratio) for row in rows)
        assert common_m_star(utility, level, prior) == _loop(means, level.ratio)

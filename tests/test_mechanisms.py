"""The closed forms against values computed independently, and what must hold for all valid parameters."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import levels, priors, utilities

from lpmech import Channel, PrivacyLevel
from lpmech.errors import BlockError, InvalidInputError, LabelError, PriorError, PrivacyLevelError, UtilityError
from lpmech.mechanisms.bipartite_rr import (
    bipartite_channel,
    bipartite_rr,
    bipartite_rr_star,
    common_m,
    common_m_star,
    local_m,
    local_response,
)
from lpmech.mechanisms.bipartite_rr.closed_form import m_integers
from lpmech.mechanisms.bipartite_rr.program import best_rearrangement, best_two_valued, global_program
from lpmech.mechanisms.block_rr import (
    Blocks,
    block_rr,
    block_rr_from_partition,
    block_rr_from_prior,
    partition,
    partition_by_decay,
)
from lpmech.mechanisms.block_rr.program import block_rr_program, block_rr_program_from_decay
from lpmech.mechanisms.block_rr.relaxation import block_rr_relaxation
from lpmech.mechanisms.exponential import exponential, sensitivity
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.rr_with_prior import best_k, hit_rates, rr_top_k, rr_with_prior, thresholds
from lpmech.mechanisms.rr_with_prior.program import lp1
from lpmech.programs import optimal_channel
from lpmech.utilities import absolute, hit, tanimoto

THREE = PrivacyLevel.from_ratio(3)
F = Fraction


# -- values with their derivation ------------------------------------------------------------------


def test_randomized_response_on_three_labels():
    # t / (t + K - 1) = 3/5, 1/5
    channel = randomized_response(["a", "b", "c"], THREE)
    assert channel.matrix.tolist() == [
        [F(3, 5), F(1, 5), F(1, 5)],
        [F(1, 5), F(3, 5), F(1, 5)],
        [F(1, 5), F(1, 5), F(3, 5)],
    ]
    assert channel.inputs == ("a", "b", "c")


def test_rr_with_prior_by_hand():
    # p = (1/2, 1/3, 1/6), t = 3: w = 1/2, 3/4 * 5/6 = 5/8, 3/5; k* = 2;
    # t_1 = (1/2)/(1/3) = 3/2, t_2 = (5/6)/(1/6) - 1 = 4
    prior = [F(1, 2), F(1, 3), F(1, 6)]
    assert hit_rates(prior, THREE).tolist() == [F(1, 2), F(5, 8), F(3, 5)]
    assert best_k(prior, THREE) == 2
    assert thresholds(prior) == [F(3, 2), F(4)]
    assert rr_with_prior(prior, THREE).matrix.tolist() == [
        [F(3, 4), F(1, 4), 0],
        [F(1, 4), F(3, 4), 0],
        [F(1, 2), F(1, 2), 0],
    ]


def test_block_rr_by_hand():
    # K = 3, S1 = {0, 1}, l = 1, t = 3, b = 1: kappa = (2+2)(2+1) - (2-1)*1 = 11, beta = (2 + 1/3)/11 = 7/33,
    # gamma = (2 + 1 - 4/3)/11 = 5/33; minority row: 1/3 on label 0, beta, t gamma
    channel = block_rr_from_partition([F(1, 2), F(1, 3), F(1, 6)], [0, 1], THREE, 1)
    assert channel.matrix.tolist() == [
        [F(21, 33), F(7, 33), F(5, 33)],
        [F(7, 33), F(21, 33), F(5, 33)],
        [F(11, 33), F(7, 33), F(15, 33)],
    ]


def test_bipartite_rr_by_hand():
    # losses |i - j| on 1..5 at t = 2. Row 3: 0 1 1 2 2: raising s_2 has 1*2 + 0 + (1-2)*2 = 0, not negative: m = 1.
    # Row 1: 0 1 2 3 4: s_2: 2 - (1+2+3) < 0; s_3: 2*2 + 1*2 - (1+2) = 3 > 0: m = 2. Row 2: 0 1 1 2 3: s_2, s_3:
    # 2 - 1 - 2 < 0; s_4: 4 + 2 + 2 - 1 > 0: m = 3. Alg. 2 takes 1, BRR* 2.
    level = PrivacyLevel.from_ratio(2)
    assert [local_m(row, level) for row in absolute(5)] == [2, 3, 1, 3, 2]
    assert common_m(absolute(5), level) == 1
    assert common_m_star(absolute(5), level) == 2
    assert bipartite_rr_star(absolute(5), level).matrix[0].tolist() == [
        F(2, 7),
        F(2, 7),
        F(1, 7),
        F(1, 7),
        F(1, 7),
    ]


def test_rr_on_bins_by_hand():
    # bins {0, 1} -> "low", {2} -> "high", t = 3: 3/4 and 1/4
    channel = rr_on_bins({0: "low", 1: "low", 2: "high"}, THREE)
    assert channel.outputs == ("low", "high")
    assert channel.matrix.tolist() == [[F(3, 4), F(1, 4)], [F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]


def test_exponential_by_hand():
    # scores identity, Delta = 1, epsilon = 2 ln 3: weights 3 and 1
    channel = exponential([[1, 0], [0, 1]], 2 * math.log(3))
    assert channel.matrix == pytest.approx(np.array([[0.75, 0.25], [0.25, 0.75]]))
    assert sensitivity(tanimoto(2)) == 1 - F(2, 3)


def test_exponential_of_a_constant_score_is_uniform():
    assert exponential([[2.0, 2.0], [2.0, 2.0]], 1.0).epsilon == 0.0


def test_exponential_survives_huge_scores():
    assert exponential([[1e300, 0.0], [0.0, 1e300]], 1.0).epsilon <= 1 + 1e-12


# -- properties ------------------------------------------------------------------------------------


@given(st.integers(2, 7), levels)
def test_rr_has_exactly_the_level(size, level):
    assert randomized_response(size, level).ratio == level.ratio


@given(st.data(), levels)
def test_rr_top_k_level_and_hit_rate(data, level):
    size = data.draw(st.integers(1, 6))
    prior, k = data.draw(priors(size)), data.draw(st.integers(1, size))
    channel = rr_top_k(prior, k, level)
    assert channel.ratio == (level.ratio if k >= 2 else 1)
    assert channel.expected_utility(hit(size), prior) == hit_rates(prior, level)[k - 1]


@settings(deadline=None)
@given(st.data(), levels)
def test_rr_with_prior_is_optimal_for_the_hit_rate(data, level):
    size = data.draw(st.integers(1, 5))
    prior = data.draw(priors(size))
    best = lp1(prior, level).solve("exact").value
    assert rr_with_prior(prior, level).expected_utility(hit(size), prior) == best
    # LP2's extreme points: t / (t + |Y| - 1) on every set Y of labels
    sets = [kept for n in range(1, size + 1) for kept in combinations(prior, n)]
    assert max(level.ratio * sum(kept) / (level.ratio + len(kept) - 1) for kept in sets) == best


@given(st.data(), levels)
def test_k_star_follows_the_thresholds(data, level):
    prior = data.draw(priors(data.draw(st.integers(1, 7))))
    limits = thresholds(prior)
    assert limits == sorted(limits)
    assert best_k(prior, level) == 1 + sum(limit < level.ratio for limit in limits)


@given(st.data(), levels)
def test_block_rr_is_private_and_normalised(data, level):
    size = data.draw(st.integers(2, 6))
    prior = data.draw(priors(size))
    majority = data.draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=size, unique=True))
    l = data.draw(st.integers(0, len(majority)))
    channel = block_rr_from_partition(prior, majority, level, l)
    assert channel.ratio == level.ratio  # rows summing to one is checked by Channel


@settings(deadline=None, max_examples=40)
@given(st.data(), levels)
def test_block_rr_never_beats_its_program(data, level):
    size = data.draw(st.integers(2, 4))
    prior = data.draw(priors(size))
    decay = data.draw(st.fractions(min_value=0, max_value=F(7, 8), max_denominator=8))
    majority, _ = partition_by_decay(prior, decay)
    l = data.draw(st.integers(0, len(majority)))
    solution = block_rr_program_from_decay(prior, majority, decay, level, l).solve("exact")
    closed = block_rr_from_partition(prior, majority, level, l)
    assert solution.program.value(closed) <= solution.value
    for key, value in solution.program.fixed.items():
        assert closed.matrix[key] == value


@settings(deadline=None)
@given(st.data(), levels)
def test_every_closed_form_is_at_most_the_program(data, level):
    size = data.draw(st.integers(2, 4))
    prior, utility = data.draw(priors(size)), data.draw(utilities(size, size))
    best = optimal_channel(utility, level, prior).solve("exact").value
    order = sorted(range(size), key=lambda i: -prior[i])
    closed = [
        randomized_response(size, level),
        rr_with_prior(prior, level),
        block_rr_from_partition(prior, order[:1], level, 1),
        bipartite_rr(utility, level),
        bipartite_rr_star(utility, level, prior),
    ]
    for channel in closed:
        assert channel.satisfies(level)
        assert channel.expected_utility(utility, prior) <= best
    approximate = exponential(utility, level)
    assert approximate.epsilon <= level.epsilon + 1e-9
    assert approximate.expected_utility(utility, prior) <= float(best) + 1e-9


@settings(deadline=None)
@given(st.data(), levels)
def test_brr_star_is_the_best_common_m_and_never_below_brr(data, level):
    size = data.draw(st.integers(2, 5))
    prior, utility = data.draw(priors(size)), data.draw(utilities(size, size))
    values = [bipartite_channel(utility, m, level).expected_utility(utility, prior) for m in range(1, size + 1)]
    channel = bipartite_rr_star(utility, level, prior)
    value = channel.expected_utility(utility, prior)
    assert value == max(values) == best_rearrangement(utility, level, prior)
    assert channel.satisfies(level)
    assert value >= bipartite_rr(utility, level).expected_utility(utility, prior)
    assert common_m_star(utility, level, prior) >= common_m(utility, level)


@given(st.integers(1, 40), levels)
def test_the_closed_form_of_m_is_the_minimum_over_rows(n, level):
    assert m_integers(level.ratio, n) == common_m(absolute(n), level)


@given(utilities(1, 6), levels)
def test_local_response_is_the_best_two_valued_row(utility, level):
    response, m = local_response(utility[0], level)
    assert sum(response) == 1
    row = np.array([F(u) for u in utility[0]], dtype=object)
    ordered = sorted(utility[0], reverse=True)
    best = max((level.ratio * sum(ordered[:i]) + sum(ordered[i:])) / (i * level.ratio + 6 - i) for i in range(1, 7))
    assert (row * response).sum() == best
    assert 1 <= m <= 6


def test_best_two_valued_rows_can_beat_brr_star():
    utility = [[1, 1, 1], [1, 2, 1], [1, 2, 2]]
    level = PrivacyLevel.from_ratio(2)
    assert best_two_valued(utility, level) == F(43, 30)
    assert bipartite_rr_star(utility, level).expected_utility(utility) == F(17, 12)
    assert global_program(utility, level).solve("exact").value >= F(43, 30)


@settings(deadline=None, max_examples=30)
@given(st.data(), levels)
def test_best_contiguous_bins_is_the_best_by_enumeration(data, level):
    size = data.draw(st.integers(2, 4))
    prior, utility = data.draw(priors(size)), data.draw(utilities(size, size))

    def value(bins) -> Fraction:
        channel = rr_on_bins(bins, level)
        return channel.expected_utility([[row[j] for j in channel.outputs] for row in utility], prior)

    def all_bins(start=0):
        if start == size:
            yield []
        for end in range(start + 1, size + 1):
            for own in range(start, end):
                for rest in all_bins(end):
                    yield [own] * (end - start) + rest

    best = max(value(bins) for bins in all_bins())
    found = value(best_contiguous_bins(utility, prior, level))
    assert float(found) == pytest.approx(float(best), abs=1e-9)


def test_bins_are_optimal_for_a_loss_that_grows_away_from_the_diagonal():
    prior = [F(1, 2), F(1, 6), F(1, 6), F(1, 6)]
    for ratio in (2, 5, 20):
        level = PrivacyLevel.from_ratio(ratio)
        channel = rr_on_bins(best_contiguous_bins(absolute(4), prior, level), level)
        value = channel.expected_utility(absolute(4)[:, list(channel.outputs)], prior)
        assert value == optimal_channel(absolute(4), level, prior).solve("exact").value


# -- relations between mechanisms -------------------------------------------------------------------


def test_block_rr_contains_rr_and_rr_top_k():
    prior = [F(4, 10), F(3, 10), F(2, 10), F(1, 10)]
    assert block_rr_from_partition(prior, [0, 2], THREE, 0) == randomized_response(4, THREE)
    kept = Blocks([0, 1], [2, 3], [0, 1], {y: [y] for y in range(4)}, [0, 1])
    top = rr_top_k(prior, 2, THREE)
    assert block_rr(kept, THREE).matrix.tolist() == top.matrix[:, :2].tolist()


def test_partition_matches_the_weights():
    # counts of liu2026 5.1.1, second data set, sigma = 0.5: threshold 5000 e^-2 = 676.7
    counts = [5000, 4900, 4700, 4600, 4500, 4800, 600, 500, 700, 400]
    majority, minority = partition([F(c, sum(counts)) for c in counts], 0.5)
    assert majority == [0, 1, 2, 3, 4, 5, 8]
    assert minority == [6, 7, 9]
    program = block_rr_program([F(c, sum(counts)) for c in counts], 1.0, 0.5, 2)
    assert sorted(program.fixed) == [(6, 0), (6, 1), (7, 0), (7, 1), (9, 0), (9, 1)]


def test_the_relaxation_of_the_block_rr_program():
    prior = [F(1, 2), F(1, 3), F(1, 6)]
    diagonal_only = block_rr_relaxation(prior, [0, 1, 2], 0, THREE, 0)
    # weights on the diagonal only: LP2, optimum max w_k = 5/8
    assert diagonal_only.solve() == pytest.approx(5 / 8)
    assert block_rr_relaxation(prior, [0, 1], F(1, 2), THREE, 1).solve() == math.inf
    # RR is feasible for (4.1) with l = 0 and meets every constraint with equality; Delta costs a minority row l/K
    rr = randomized_response(3, THREE).matrix
    assert diagonal_only.is_feasible(rr)
    assert (diagonal_only.matrix @ rr.ravel()).tolist() == [1, 1, 1]
    assert block_rr_relaxation(prior, [0, 1], F(1, 2), THREE, 2).right.tolist() == [1, 1, F(1, 3)]


# -- bad input ---------------------------------------------------------------------------------------

HALVES = [0.5, 0.5]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: randomized_response(0, 1.0), LabelError),
        (lambda: randomized_response(["a", "a"], 1.0), LabelError),
        (lambda: randomized_response(3, -1.0), PrivacyLevelError),
        (lambda: rr_with_prior([0.5, 0.6], 1.0), PriorError),
        (lambda: rr_top_k(HALVES, 3, 1.0), InvalidInputError),
        (lambda: rr_top_k(HALVES, 0, 1.0), InvalidInputError),
        (lambda: rr_top_k(HALVES, 1.5, 1.0), InvalidInputError),
        (lambda: rr_on_bins([], 1.0), LabelError),
        (lambda: best_contiguous_bins([[1.0, 2.0]], [1.0], 1.0), UtilityError),
        (lambda: bipartite_channel([[1.0, 0.0]], 3, 1.0), InvalidInputError),
        (lambda: local_m([math.nan, 1.0], 1.0), UtilityError),
        (lambda: common_m_star([[1.0, 0.0]], 1.0, HALVES), PriorError),
        (lambda: exponential([[math.inf]], 1.0), UtilityError),
        (lambda: partition(HALVES, 0.0), InvalidInputError),
        (lambda: partition_by_decay(HALVES, 1), InvalidInputError),
        (lambda: block_rr_from_prior(HALVES, 1.0, 1.0, 3), BlockError),
        (lambda: block_rr_from_partition(HALVES, [0], 1.0, -1), BlockError),
        (lambda: block_rr_from_partition(HALVES, [], 1.0, 0), BlockError),
        (lambda: block_rr_from_partition(HALVES, [0, 5], 1.0, 0), BlockError),
        (lambda: block_rr_program(HALVES, 1.0, 1.0, 7), BlockError),
        (lambda: Blocks([0], [0], [0, 1], {0: [0]}), BlockError),
        (lambda: Blocks([0], [1], [0, 1], {0: [0]}), BlockError),
        (lambda: Blocks([0], [1], [0, 1], {0: [0], 1: [0]}), BlockError),
        (lambda: Blocks([0], [1], [0, 1], {0: [0], 1: [7]}), BlockError),
        (lambda: Blocks([0], [1, 2], [0, 1, 2], {0: [0], 1: [1, 2], 2: [2]}), BlockError),
        (lambda: Blocks([0], [1], [0], {0: [0], 1: [0]}, []), BlockError),
        (lambda: Blocks([0], [1], [0, 1], {0: [0], 1: [1]}, [1]), BlockError),
        (lambda: Blocks([0], [1], [0, 0], {0: [0], 1: [0]}), BlockError),
    ],
)
def test_bad_input_is_a_typed_error(call, error):
    with pytest.raises(error) as caught:
        call()
    assert caught.value.argument
    assert caught.value.allowed in str(caught.value)


def test_float_inputs_give_float_channels_close_to_the_exact_ones():
    prior = [F(1, 2), F(1, 3), F(1, 6)]
    exact = rr_with_prior(prior, THREE)
    rounded = rr_with_prior([float(p) for p in prior], math.log(3))
    assert not rounded.is_exact
    assert rounded.matrix == pytest.approx(exact.matrix.astype(float), abs=1e-12)
    assert isinstance(rounded, Channel)


@given(st.data())
def test_a_zero_prior_label_is_never_kept(data):
    prior = data.draw(priors(5))
    assume(0 in prior)
    channel = rr_with_prior(prior, THREE)
    for y, p in enumerate(prior):
        if p == 0:
            assert not any(channel.matrix[:, y])

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from strategies import channels, priors, utilities

from lpmech import Channel
from lpmech.errors import ChannelError, InvalidInputError, LabelError, NotInvertibleError, PriorError, UtilityError

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
WARNER = Channel([[3 * QUARTER, QUARTER], [QUARTER, 3 * QUARTER]], ["no", "yes"], ["no", "yes"])


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0.5, 0.6]], "sum to one"),
        ([[0.5, 0.5 + 1e-11]], "sum to one"),
        ([[-0.5, 1.5]], "not negative"),
        ([[math.nan, 1.0]], "finite"),
        ([[HALF, HALF - Fraction(1, 10**30)]], "sum to one"),
        ([0.5, 0.5], "dimension"),
        ([[1.0], [0.5, 0.5]], "rectangular"),
    ],
)
def test_what_is_not_a_channel_is_refused(matrix, message):
    with pytest.raises(ChannelError, match=message):
        Channel(matrix)


@pytest.mark.parametrize("names", [["a"], ["a", "a"], ["a", "b", "c"]])
def test_names_must_match(names):
    with pytest.raises(LabelError, match="inputs"):
        Channel([[1, 0], [0, 1]], inputs=names)


def test_a_channel_is_immutable():
    with pytest.raises(AttributeError, match="immutable"):
        WARNER.inputs = ("a", "b")
    with pytest.raises(ValueError, match="read-only"):
        WARNER.matrix[0, 0] = 1


def test_tight_level_and_witness_of_warner():
    # column "no" is (3/4, 1/4): ratio 3, attained by true "no" against true "yes"
    assert WARNER.ratio == 3
    assert WARNER.epsilon == pytest.approx(math.log(3))
    assert (WARNER.witness.output, WARNER.witness.likely, WARNER.witness.unlikely) == ("no", "no", "yes")


def test_degenerate_levels():
    assert Channel([[1, 0], [0, 1]]).epsilon == math.inf
    assert Channel([[1, 0], [1, 0]]).epsilon == 0.0  # an output that never happens costs nothing


@given(channels(3, 4))
def test_tight_level_is_the_brute_force_maximum(matrix):
    brute = max(matrix[y][j] / matrix[z][j] for y in range(3) for z in range(3) for j in range(4))
    assert Channel(matrix).ratio == brute


@given(channels(3, 3), utilities(3, 3), priors(3))
def test_expected_utility_is_the_triple_sum(matrix, utility, prior):
    expected = sum(prior[y] * matrix[y][j] * utility[y][j] for y in range(3) for j in range(3))
    assert Channel(matrix).expected_utility(utility, prior) == expected


def test_expected_utility_checks_its_arguments():
    with pytest.raises(UtilityError, match="shape"):
        WARNER.expected_utility([[1, 0, 0], [0, 1, 0]])
    with pytest.raises(UtilityError, match="finite"):
        WARNER.expected_utility([[1.0, math.nan], [0, 1]])
    with pytest.raises(PriorError, match="prior"):
        WARNER.expected_utility([[1, 0], [0, 1]], [0.5, 0.6])


@given(channels(3, 3), channels(3, 2))
def test_post_processing_never_raises_the_level(first, second):
    assert Channel(first).then(Channel(second)).ratio <= Channel(first).ratio


def test_composition_matches_names_not_positions():
    swap = Channel([[0, 1], [1, 0]], ["yes", "no"], ["yes", "no"])
    assert WARNER.then(swap).matrix.tolist() == [[3 * QUARTER, QUARTER], [QUARTER, 3 * QUARTER]]
    with pytest.raises(LabelError, match=r"other\.inputs"):
        WARNER.then(Channel([[1, 0], [0, 1]]))


def test_post_process_merges_and_restrict_selects():
    merged = WARNER.post_process({"no": "any", "yes": "any"})
    assert merged.matrix.tolist() == [[1], [1]]
    assert WARNER.restrict(["yes"]).matrix.tolist() == [[QUARTER, 3 * QUARTER]]
    with pytest.raises(LabelError, match="maybe"):
        WARNER.restrict(["maybe"])


def test_decoder_of_warner_is_the_inverse():
    # inverse of [[3,1],[1,3]]/4 is [[3,-1],[-1,3]]/2
    assert WARNER.decoder.tolist() == [[3 * HALF, -HALF], [-HALF, 3 * HALF]]


@given(channels(2, 4))
def test_decoder_is_an_exact_right_inverse_or_a_typed_error(matrix):
    channel = Channel(matrix)
    if matrix[0] == matrix[1]:
        with pytest.raises(NotInvertibleError):
            _ = channel.decoder
    else:
        assert (channel.matrix @ channel.decoder).tolist() == [[1, 0], [0, 1]]


def test_float_channel_without_decoding():
    with pytest.raises(NotInvertibleError, match="linearly dependent"):
        _ = Channel([[0.5, 0.5], [0.5, 0.5]]).decoder


@pytest.mark.parametrize("rounded", [True, False])
def test_sampling_follows_the_channel(rounded):
    # chi-square at level 1e-6 with a fixed seed: catches swapped rows, wrong thresholds, off-by-one columns
    matrix = [[HALF, THIRD, Fraction(1, 6)], [Fraction(1, 6), HALF, THIRD]]
    channel = Channel(matrix, ["a", "b"], ["x", "y", "z"])
    channel = channel.to_float().exact(channel.epsilon) if rounded else channel
    rng = np.random.default_rng(7)
    labels = np.array(["a", "b"] * 30_000)
    released = channel.sample(labels, rng)
    for row, name in enumerate(channel.inputs):
        seen = [np.sum(released[labels == name] == out) for out in channel.outputs]
        expected = [float(p) * 30_000 for p in matrix[row]]
        assert stats.chisquare(seen, expected).pvalue > 1e-6


def test_impossible_outputs_are_never_sampled():
    channel = Channel([[0.0, 0.1 + 0.2, 0.7 - 1e-16 + 1e-16, 0.0]]).exact(1.0)
    released = channel.sample(np.zeros(200_000, dtype=int), np.random.default_rng(1))
    assert set(released.tolist()) == {1, 2}


def test_sampling_unknown_labels():
    with pytest.raises(LabelError, match="another value at position 1") as caught:
        WARNER.sample(["no", "maybe"], np.random.default_rng(0))
    assert "maybe" not in str(caught.value)  # an unknown label may be as private as a known one
    with pytest.raises(LabelError, match="labels"):
        Channel([[1, 0], [0, 1]]).sample([0, 2], np.random.default_rng(0))
    for labels in ([[0], [0, 1]], [None, 0]):  # numpy refuses the first, and to sort the second
        with pytest.raises(LabelError, match="labels"):
            Channel([[1, 0], [0, 1]]).sample(labels, np.random.default_rng(0))
    for state in (-1, 2**128, 0.5, True, "7", np.random, np.random.mtrand._rand):
        with pytest.raises(InvalidInputError, match="random_state"):
            Channel([[1, 0], [0, 1]]).sample([0, 1], state)


@pytest.mark.thorough
def test_ten_million_labels_of_a_hundred_classes_and_unbiased_counts():
    size, n = 100, 10_000_000
    channel = Channel((np.ones((size, size)) + 19 * np.eye(size)) / (size + 19)).exact(math.log(20))
    rng = np.random.default_rng(3)
    labels = rng.integers(0, size, n)
    released = channel.sample(labels, rng)
    estimate = channel.estimate_counts(released)
    true = np.bincount(labels, minlength=size)
    # standard deviation of one count is about sqrt(n p (1 - p)) / (20/119 - 1/119) with p about 1/100: 1970
    assert np.abs(estimate - true).max() < 6 * 1970
    assert np.abs(estimate - true).max() > 0


def test_equality_pickling_and_representation():
    assert pickle.loads(pickle.dumps(WARNER)) == WARNER
    assert WARNER.to_float().restrict(["yes", "no"]) != WARNER
    assert "2 x 2" in repr(WARNER)
    assert WARNER.to_float().to_exact() == WARNER


@given(st.data())
def test_satisfies_is_exact_at_the_boundary(data):
    matrix = data.draw(channels(3, 3))
    channel = Channel(matrix)
    if channel.ratio > 1:
        from lpmech import PrivacyLevel

        assert channel.satisfies(PrivacyLevel.from_ratio(channel.ratio))
        smaller = 1 + (channel.ratio - 1) * Fraction(999_999, 1_000_000)
        assert not channel.satisfies(PrivacyLevel.from_ratio(smaller))

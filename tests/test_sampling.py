"""Exact channels and their sampler: privacy, sums and laws are compared as whole numbers, nothing up to rounding."""

import hashlib
import math
import os
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lpmech import Channel, PrivacyLevel
from lpmech.errors import ChannelError, InvalidInputError, LabelError
from lpmech.mechanisms import randomized_response, rr_with_prior
from lpmech.programs import optimal_channel
from lpmech.randomness import RandomSource, as_random_source
from lpmech.rationals import DENOMINATOR, likelihood_weights, private_numerators
from lpmech.utilities import absolute


class Enumeration(RandomSource):
    """Instead of a random number below a bound: all of them, one after the other."""

    def __init__(self):
        self.bounds = []

    def below(self, bound, count):
        self.bounds.append(bound)
        return np.arange(count) % bound


class Scripted(RandomSource):
    """Words that were written down."""

    def __init__(self, words):
        self.left = list(words)

    def words(self, count):
        drawn, self.left = self.left[:count], self.left[count:]
        return np.array(drawn, dtype=np.uint64)


def assert_exactly_private(channel, level):
    """Rows sum to one and columns keep a rational number below e^epsilon, both as Fractions."""
    below = level.ratio_below
    assert all(sum(row) == 1 for row in channel.matrix.tolist())
    assert all(max(column) <= below * min(column) for column in channel.matrix.T.tolist())
    assert all(DENOMINATOR % v.denominator == 0 for v in channel.matrix.ravel().tolist())


@pytest.mark.parametrize("epsilon", [1e-15, 1e-9, 0.1, 1.0, 3.0, 20.0, 40.0, 45.0, 700.0])
@pytest.mark.parametrize("size", [2, 3, 17])
def test_rounded_channels_are_private_to_the_last_bit_and_near(epsilon, size):
    level = PrivacyLevel.from_epsilon(epsilon)
    prior = np.arange(1, size + 1) / (size * (size + 1) / 2)
    for channel in (
        randomized_response(size, epsilon),
        rr_with_prior(prior, epsilon),
        optimal_channel(absolute(size), epsilon, prior).solve().channel,
    ):
        exact = channel.exact(level)
        assert_exactly_private(exact, level)
        # the rows of float channels sum to one within 1e-12, and solved ones are as private as rounding lets them
        assert exact.total_variation(channel) < Fraction(1, 10**11)
        assert exact.exact(level) is exact


@given(st.data())
def test_any_float_channel_is_rounded_to_an_exactly_private_one(data):
    size = data.draw(st.integers(1, 5))
    epsilon = data.draw(st.floats(1e-16, 60).filter(lambda e: math.exp(e) > 1))
    level = PrivacyLevel.from_epsilon(epsilon)
    rows = st.lists(st.floats(0, 1), min_size=4, max_size=4).filter(lambda row: sum(row) > 0.1)
    floors = np.array(data.draw(rows))
    factors = np.array(
        [
            [data.draw(st.sampled_from([1.0, level.ratio, 1 + (level.ratio - 1) / 3])) for _ in floors]
            for _ in range(size)
        ]
    )
    matrix = floors * factors / (floors * factors).sum(axis=1)[:, None]
    channel = Channel(matrix)
    if channel.ratio <= level.ratio * (1 + 0.99e-6):
        exact = channel.exact(level)
        assert_exactly_private(exact, level)
        assert exact.total_variation(channel) < Fraction(1, 10**5)
    elif channel.ratio > level.ratio * (1 + 1.01e-6):
        with pytest.raises(ChannelError, match="private at"):
            channel.exact(level)


def test_an_exact_channel_with_a_small_denominator_stays_as_it_is():
    level = PrivacyLevel.from_ratio(3)
    channel = randomized_response(["a", "b"], level)
    assert channel.exact(level) is channel
    assert channel.exact(math.log(3) + 1e-9) is channel
    assert channel.exact(math.log(3) - 1e-9) is not channel  # a little too private for the same matrix: rounded
    with pytest.raises(ChannelError, match=r"private at epsilon = 1; this one has epsilon = 1\.09861229"):
        channel.exact(1.0)


def test_small_denominators_by_hand():
    # D = 10, ratio 3, RR: floors ceil(2.5) = 3 and tops 9; rows (7.5, 2.5) -> (8, 3) -> one too much, taken on the left
    assert private_numerators(np.array([[0.75, 0.25], [0.25, 0.75]]), Fraction(3), 10).tolist() == [[7, 3], [3, 7]]
    # no whole numbers below 4 have a ratio in (1, 1.1]: equal rows
    assert private_numerators(np.array([[0.52, 0.48], [0.48, 0.52]]), Fraction(11, 10), 4).tolist() == [[2, 2], [2, 2]]


@given(st.integers(1, 6), st.integers(1, 40), st.fractions(Fraction(101, 100), 50))
def test_numerators_keep_the_ratio_for_every_denominator(size, denominator, ratio):
    channel = randomized_response(size, PrivacyLevel.from_ratio(ratio))
    for matrix in (channel.matrix, channel.to_float().matrix):
        found = private_numerators(matrix, ratio, denominator)
        assert (found.sum(axis=1) == denominator).all()
        assert (found >= 0).all()
        assert all(max(column) <= ratio * min(column) for column in found.T.tolist())


def test_the_sampler_s_tree_by_enumeration():
    # every number that can be drawn, once: how often an output comes is its numerator
    matrix = [[Fraction(1, 6), 0, Fraction(1, 2), Fraction(1, 3)], [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2), 0]]
    channel = Channel(matrix, ["a", "b"], ["w", "x", "y", "z"])
    for name, row in zip(channel.inputs, matrix, strict=True):
        source = Enumeration()
        released = channel.sample([name] * 12, source)
        assert source.bounds == [12]
        assert [Fraction(int(np.sum(released == out)), 12) for out in channel.outputs] == row


def test_numbers_below_a_bound_are_the_leading_bits_and_rejected_ones_are_drawn_again():
    top = 1 << 61  # numbers below 5 take three bits: 0 .. 4 are kept, 5 .. 7 rejected
    source = Scripted([7 * top, 4 * top + 9, 5 * top, 0, 6 * top, 3 * top + top - 1, 2 * top])
    assert source.below(5, 4).tolist() == [4, 0, 3, 2]
    assert source.left == []
    assert Scripted([]).below(1, 3).tolist() == [0, 0, 0]


def test_every_number_below_a_bound_is_as_likely_at_scale():
    # chi-square at level 1e-6; the least and the largest bound that are used, and one that is rejected half of the time
    source = as_random_source(3)
    for bound in (2, 100, 2**40 + 1, 10**18, 2**62):
        drawn = source.below(bound, 200_000)
        assert drawn.max() < bound
        seen = np.bincount((drawn // max(bound // 100, 1)).clip(max=min(bound, 100) - 1))
        assert stats.chisquare(seen).pvalue > 1e-6


@pytest.mark.parametrize(
    "channel",
    [
        randomized_response(3, 1.0),
        Channel([[Fraction(1, 2**63 + 1), 1 - Fraction(1, 2**63 + 1)], [1, 0]]),
        Channel([[Fraction(1, 2**40), 1 - Fraction(1, 2**40)], [Fraction(1, 3**26), 1 - Fraction(1, 3**26)]]),
    ],
)
def test_channels_that_cannot_be_sampled_exactly_are_refused_with_the_way_out(channel):
    with pytest.raises(ChannelError, match=r"take channel\.exact\(epsilon\)"):
        channel.sample([0, 1])


def test_total_variation():
    a, b = Channel([[Fraction(1, 2), Fraction(1, 2)], [1, 0]]), Channel([[0.25, 0.75], [1.0, 0.0]])
    assert a.total_variation(b) == Fraction(1, 4)
    with pytest.raises(LabelError, match="other"):
        a.total_variation(Channel([[1, 0], [0, 1]], ["x", "y"]))


def test_a_million_labels_of_a_hundred_classes_in_a_second():
    channel = randomized_response(100, 2.0).exact(2.0)
    labels = np.random.default_rng(0).integers(0, 100, 1_000_000)
    channel.sample(labels[:10])
    start = time.process_time()
    released = channel.sample(labels)
    assert time.process_time() - start < 1
    hits = int(np.sum(released == labels))
    expected = 1e6 * float(channel.matrix[0, 0])
    assert abs(hits - expected) < 6 * math.sqrt(expected)


def test_randomness_is_fresh_or_of_the_whole_seed():
    def bits(state):
        return as_random_source(state).words(4).tolist()

    assert bits(None) != bits(None)
    assert bits(5) == bits(5)
    assert len({tuple(bits(state)) for state in (0, 1, 2**31, 2**32, 2**64, 2**127, 2**128 - 1)}) == 7
    generator = np.random.default_rng(1)
    assert bits(generator) != bits(generator)
    assert bits(np.random.default_rng(1)) == bits(np.random.default_rng(1))
    source = as_random_source(9)
    assert as_random_source(source) is source
    assert source.generator().random() != source.generator().random()
    for wrong in (-1, 2**128, 1.0, True, "1", np.random, np.random.mtrand._rand):
        with pytest.raises(InvalidInputError, match="random_state"):
            as_random_source(wrong)


def test_the_global_state_of_numpy_is_neither_read_nor_moved():
    channel = Channel([[Fraction(1, 2), Fraction(1, 2)]])
    released = []
    for _ in range(2):
        np.random.seed(0)
        before = np.random.get_state()[1].tolist()
        released.append(channel.sample([0] * 200).tolist())
        assert np.random.get_state()[1].tolist() == before
    assert released[0] != released[1]


def test_the_stream_is_chacha20():
    # the key stream of RFC 8439, A.1, test vector 1: key, nonce and counter are zero
    assert RandomSource(bytes(32)).words(1).tobytes() == bytes.fromhex("76b8e0ada0f13d90")
    # a seed is 16 bytes, the least first, hashed: who changes that changes every experiment
    key = hashlib.sha256(bytes([5, *[0] * 15])).digest()
    assert as_random_source(5).words(4).tolist() == RandomSource(key).words(4).tolist()


def test_a_fresh_source_has_a_key_of_256_bits_and_uses_all_of_it(monkeypatch):
    """Catches a key of fewer bits filled up with zeros: every release could be searched for its key."""
    asked = []

    def entropy(count):
        asked.append(count)
        return bytes(range(1, count + 1))

    monkeypatch.setattr("secrets.token_bytes", entropy)
    assert as_random_source(None).words(4).tolist() == RandomSource(bytes(range(1, 33))).words(4).tolist()
    assert asked == [32]
    source = as_random_source(None)
    monkeypatch.setattr("os.getpid", lambda: -1)  # as in a forked child
    assert source.words(4).tolist() == RandomSource(bytes(range(1, 33))).words(4).tolist()
    assert asked == [32, 32, 32]
    monkeypatch.undo()
    # of 3000 keys of 16 bits some are equal but for odds of e^-68, of 24 bits e^-0.27, of 256 bits none
    assert len({as_random_source(None).words(1).item() for _ in range(3000)}) == 3000
    for place in range(32):  # and each byte of a given key counts
        key = bytearray(32)
        key[place] = 1
        assert RandomSource(bytes(key)).words(1).item() != RandomSource(bytes(32)).words(1).item()


def _in_fork(source):
    """What a forked child draws, or says, and what the parent draws after the fork."""
    ours, theirs = os.pipe()
    if not (child := os.fork()):
        try:
            found = str(source.words(4).tolist())
        except InvalidInputError as exc:
            found = str(exc)
        os.write(theirs, found.encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        return pipe.read(), str(source.words(4).tolist())


def test_a_forked_child_has_other_bits_than_its_parent():
    """Catches one noise for two releases: the difference of the two is the difference of the labels."""
    source = as_random_source(None)
    source.words(1)
    first, parent = _in_fork(source)
    second, later = _in_fork(source)
    assert len({first, second, parent, later}) == 4
    assert all(found.startswith("[") for found in (first, second, parent, later))


def test_a_seeded_source_is_refused_in_a_forked_child():
    for source in (as_random_source(5), as_random_source(np.random.default_rng(1)), RandomSource(bytes(32))):
        said, parent = _in_fork(source)
        assert "a seeded source of the process that forked this one" in said
        assert parent.startswith("[")


@given(st.fractions(Fraction(101, 100), 10**6), st.integers(1, 10**6))
def test_weights_of_a_likelihood_are_whole_and_keep_the_ratio(ratio, outputs):
    """Catches a weight that is rounded up: its quotient would be above e^epsilon, if only by 2^-60."""
    high, low = likelihood_weights(ratio, outputs)
    assert 0 < low <= high <= ratio * low < high + 1
    assert high + (outputs - 1) * low <= 2**62

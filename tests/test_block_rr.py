"""BlockRR with general blocks: several candidates per label, S~ other than S."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import levels

from lpmech import PrivacyLevel
from lpmech.errors import BlockError, InvalidInputError
from lpmech.mechanisms.block_rr import Blocks, beta, block_rr, block_rr_from_partition, gamma, kappa, partition
from lpmech.mechanisms.block_rr.program import block_rr_program

F = Fraction
TWO = PrivacyLevel.from_ratio(2)


@st.composite
def blocks(draw):
    """Blocks with |B(y)| = b, majority candidates among "a0", "a1", ..., minority ones among "z0", "z1", ..."""
    b = draw(st.integers(1, 3))
    first = [f"a{i}" for i in range(draw(st.integers(b, 5)))]
    second = [f"z{i}" for i in range(draw(st.integers(b, 5)))]

    def own(names):
        return st.lists(st.sampled_from(names), min_size=b, max_size=b, unique=True)

    majority = draw(st.lists(own(first), min_size=1, max_size=4))
    minority = draw(st.lists(own(second), max_size=3))
    candidates = dict(enumerate([*majority, *minority]))
    reached = sorted({j for c in majority for j in c})
    favoured = draw(st.lists(st.sampled_from(reached), max_size=len(reached), unique=True))
    names = list(range(len(candidates)))
    return Blocks(names[: len(majority)], names[len(majority) :], [*reached, *second], candidates, favoured)


@given(blocks(), levels)
def test_every_entry_is_the_one_of_its_block(chosen, level):
    # a wrong block, a gamma in place of a beta (Alg. 1 line 4) or a lost row sum would show; Channel checks the sums
    channel = block_rr(chosen, level)
    t = level.ratio
    b, s1, s2, l = chosen.sizes
    low, rare = beta(t, b, s1, s2, F(l)), gamma(t, b, s1, s2, F(l))
    for (y, j), entry in zip(product(channel.inputs, channel.outputs), channel.matrix.ravel(), strict=True):
        if y in chosen.majority:
            expected = (t if j in chosen.candidates[y] else 1) * (low if j in chosen.first_outputs else rare)
        elif j in chosen.favoured:
            expected = F(1, s1 + s2)
        else:
            expected = (t if j in chosen.candidates[y] else 1) * (rare if j in chosen.second_outputs else low)
        assert entry == expected
    assert channel.satisfies(level)


def test_two_candidates_by_hand():
    # t = 2, b = 2, s1 = 3, s2 = 2, l = 1: E = (t - 1) b = 2, kappa = (2 + 3)(2 + 2) - (3 - 1) 2 = 16,
    # beta = (2 + 2/5) / 16 = 3/20, gamma = (2 + 1 - 5/5) / 16 = 1/8
    assert (kappa(2, 2, 3, 2, 1), beta(F(2), 2, 3, 2, 1), gamma(F(2), 2, 3, 2, 1)) == (16, F(3, 20), F(1, 8))
    chosen = Blocks([0, 1], [2], "abcde", {0: "ab", 1: "bc", 2: "de"}, ["b"])
    assert chosen.sizes == (2, 3, 2, 1)
    assert block_rr(chosen, TWO).matrix.tolist() == [
        [F(6, 20), F(6, 20), F(3, 20), F(1, 8), F(1, 8)],
        [F(3, 20), F(6, 20), F(6, 20), F(1, 8), F(1, 8)],
        [F(3, 20), F(1, 5), F(3, 20), F(1, 4), F(1, 4)],
    ]


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (([], [0], "a", {0: "a"}), "majority"),
        (([0], [0], "a", {0: "a"}), "majority, minority"),
        (([0], [1], "ab", {0: "a"}), "candidates"),
        (([0], [], "aa", {0: "a"}), "outputs"),
        (([0], [], "", {0: "a"}), "outputs"),
        (([0], [], "a", {0: "b"}), "candidates"),
        (([0], [], "a", {0: ""}), "candidates"),
        (([0, 1], [], "abc", {0: "ab", 1: "c"}), "candidates"),
        (([0], [1], "ab", {0: "a", 1: "a"}), "candidates"),
        (([0], [1], "ab", {0: "a", 1: "b"}, "b"), "favoured"),
        (([0], [1], "ab", {0: "a", 1: "b"}, "aa"), "favoured"),
        (([0, 1], [2], "ab", {0: "a", 1: "b", 2: "a"}, "a"), "favoured"),
    ],
)
def test_impossible_blocks_name_the_argument(arguments, argument):
    with pytest.raises(BlockError) as caught:
        Blocks(*arguments)
    assert caught.value.argument == argument
    assert caught.value.allowed


@pytest.mark.parametrize("majority", [[0.7], ["a"], [None]])
def test_labels_of_the_majority_are_not_rounded(majority):
    with pytest.raises(BlockError, match="majority"):
        block_rr_from_partition([F(1, 2), F(1, 2)], majority, TWO, 0)


def test_sigma_may_be_any_real_number():
    prior = [F(3, 4), F(1, 4)]  # 1/4 against 3/4 exp(-2) = 0.101 and 3/4 exp(-1/2) = 0.455
    for half, two in ((F(1, 2), 2), (np.float32(0.5), np.float32(2))):
        assert partition(prior, half) == ([0, 1], [])
        assert partition(prior, two) == ([0], [1])
    assert not block_rr_program(prior, 1.0, F(1, 2), 0).fixed


@pytest.mark.parametrize("sigma", [True, "1", 0, -1.0, float("nan"), float("inf"), 1e20])
def test_unusable_sigma_is_named(sigma):
    with pytest.raises(InvalidInputError) as caught:
        partition([0.5, 0.5], sigma)
    assert caught.value.argument == "sigma"


def test_a_label_of_prior_zero_is_minority_even_when_the_decay_underflows():
    assert partition([1.0, 0.0], 1e-4) == ([0], [1])


@pytest.mark.parametrize("epsilon", [1e-6, 1e-4, 1.0, 40.0, 400.0, 700.0])
@pytest.mark.parametrize(("size", "kept", "favoured"), [(2, 1, 0), (10, 4, 2), (10, 9, 9), (30, 30, 7)])
def test_levels_at_the_ends_of_the_floats(epsilon, size, kept, favoured):
    # (3.2) as printed squares t, which overflows from e^355 on, and cancels s1 s2, which is all there is near t = 1:
    # rows then sum to 0 or miss one by more than 1e-12, and there is no channel
    channel = block_rr_from_partition(np.arange(1, size + 1) / (size * (size + 1) / 2), range(kept), epsilon, favoured)
    assert channel.epsilon <= epsilon * (1 + 1e-9)
    exact = block_rr_from_partition([F(1, size)] * size, range(kept), PrivacyLevel.from_ratio(F(math.exp(epsilon))), 0)
    plain = block_rr_from_partition([1 / size] * size, range(kept), epsilon, 0)
    assert np.allclose(plain.matrix, exact.matrix.astype(float), rtol=1e-12, atol=0)

"""Published mechanisms as designs compare and deploy them: the same for every order and all names of the labels."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lpmech
from lpmech import Channel, PrivacyLevel
from lpmech.designs.counting import design_for_counting
from lpmech.designs.published import published_alike
from lpmech.entries import as_array, to_exact
from lpmech.labels.named_utilities import UTILITIES
from lpmech.mechanisms import randomized_response
from lpmech.programs.symmetry import symmetry_of
from lpmech.release import Spent
from lpmech.release.design_files import release_of
from lpmech.utilities import absolute, hit

NAMES = ("1", "2", "4", "5", "7", "11")
F = Fraction
WORDS = ("=a", "b,c", '"', "ä\u0301", "-1x", "<b>")
COUNTS = {
    "ties": (5, 5, 3, 3, 1, 1),
    "uniform": (1, 1, 1, 1, 1, 1),
    "zero": (0, 7, 7, 2, 2, 7),
    "distinct": (6, 1, 5, 2, 4, 3),
}
ORDERS = [(1, 0, 2, 3, 4, 5), (1, 2, 3, 4, 5, 0), *random.Random(3).sample(list(itertools.permutations(range(6))), 2)]


def in_the_first_order(channel, order):
    back = np.argsort(order)
    return channel.matrix[back][:, back].tolist()


def deployed(counts, utility, epsilon, order, names):
    """Parameters and exact released channel of every mechanism, back in the order of the names."""
    found = lpmech.design({names[y]: counts[y] for y in order}, epsilon, utility)
    spent = Spent.on(str(epsilon))
    rows = [row for row in found.comparisons if row.epsilon > 0]
    return {
        row.mechanism: (
            row.parameters,
            in_the_first_order(row.channel, order),
            in_the_first_order(release_of(found, str(epsilon), spent, None, row.mechanism).channel, order),
        )
        for row in rows
    }


@pytest.mark.parametrize("utility", UTILITIES)
@pytest.mark.parametrize("kind", COUNTS)
def test_what_a_design_deploys_does_not_depend_on_the_order(utility, kind):
    """Bit for bit, the released rationals, too; catches ties that are broken by position, and bins of the file's order."""
    first = deployed(COUNTS[kind], utility, 0.7, tuple(range(6)), NAMES)
    for order in ORDERS:
        assert deployed(COUNTS[kind], utility, 0.7, order, NAMES) == first


def test_names_and_exact_levels():
    """Other names, odd ones; and quotients where the level is exact."""
    for epsilon in (0.7, PrivacyLevel.from_ratio(3)):
        found = [
            [
                (row.mechanism, row.channel.matrix.tolist())
                for row in lpmech.design(dict(zip(names, COUNTS["ties"], strict=True)), epsilon, "hit").comparisons
            ]
            for names in (NAMES, WORDS, WORDS[::-1])
        ]
        assert found[0] == found[1] == found[2]
    by_name = dict(found[0])
    assert by_name["randomized_response"] == randomized_response(6, PrivacyLevel.from_ratio(3)).matrix.tolist()
    assert all(isinstance(v, F) for v in np.ravel(np.array(by_name["block_rr"], dtype=object)))


def test_ties_are_shared_by_hand():
    """|i - j| on three equally likely labels, e^epsilon = 2: the labels at the ends are told apart by nothing.

    RRTop-2 of a line from one end keeps that end and the middle: rows (2/3, 1/3, 0), (1/3, 2/3, 0), (1/2, 1/2, 0),
    a loss of (1/3 + 1/3 + 3/2) / 3 = 13/18; RR's is (3/4 + 1/2 + 3/4) / 3 = 2/3; k = 1, an end, 1.
    """
    gain, prior, level = absolute(3), as_array([F(1, 3)] * 3, "prior", 1), PrivacyLevel.from_ratio(2)
    found = {n: (text, c) for n, text, c in published_alike(gain, level, prior, symmetry_of(gain, prior))}
    text, channel = found["rr_top_k"]
    assert (text, channel.matrix[0].tolist()) == ("k = 3", [F(1, 2), F(1, 4), F(1, 4)])
    # at 11/10 one bin with the middle: no tie
    text, channel = found["rr_on_bins"]
    assert channel.matrix[0].tolist() == channel.matrix[2].tolist()[::-1]
    near = PrivacyLevel.from_ratio(F(11, 10))
    bins = next(c for n, _, c in published_alike(gain, near, prior, symmetry_of(gain, prior)) if n == "rr_on_bins")
    assert bins.matrix.tolist() == [[0, 1, 0]] * 3


@settings(max_examples=60, deadline=None)
@given(data=st.data(), size=st.integers(2, 6), ratio=st.fractions(min_value=F(11, 10), max_value=9, max_denominator=10))
def test_averaging_keeps_level_and_expected_utility_of_any_channel(data, size, ratio):
    """Exactly, of a channel that has nothing to do with the problem; floats are averaged to the same numbers."""
    gain = as_array(
        data.draw(st.lists(st.lists(st.integers(0, 1), min_size=size, max_size=size), min_size=size, max_size=size)),
        "u",
        2,
    )
    weights = data.draw(st.lists(st.integers(1, 2), min_size=size, max_size=size))
    prior = as_array([F(w, sum(weights)) for w in weights], "prior", 1)
    # columns within the ratio, the last one evened out, each row over the largest sum
    columns = data.draw(
        st.lists(
            st.lists(st.fractions(1, ratio, max_denominator=10), min_size=size, max_size=size),
            min_size=size - 1,
            max_size=size - 1,
        )
    )
    most = max(sum(column[y] for column in columns) for y in range(size))
    total = 2 * most + size * ratio / (ratio - 1)
    matrix = as_array([[*row, total - sum(row)] for row in zip(*columns, strict=True)], "q", 2) / total
    channel, symmetry = Channel(matrix), symmetry_of(gain, prior)
    order, back = symmetry.order, symmetry.back
    shared = symmetry.average(channel.matrix[order][:, order])[back][:, back]
    found = Channel(shared)
    assert found.ratio <= channel.ratio
    assert found.expected_utility(gain, prior) == channel.expected_utility(gain, prior)
    floats = symmetry.average(channel.to_float().matrix[order][:, order])[back][:, back]
    np.testing.assert_allclose(floats, shared.astype(float), atol=1e-15)
    assert symmetry.average(shared[order][:, order])[back][:, back].tolist() == shared.tolist()


@pytest.mark.parametrize("kind", ["ties", "distinct"])
def test_the_mechanisms_for_counting_do_not_depend_on_the_order(kind):
    """Each law, label by label; the rows of Hadamard response are in an order of shares and names, not of positions."""
    named = dict(zip("abcdef", COUNTS[kind], strict=True))

    def laws(order):
        found = design_for_counting({label: named[label] for label in order}, 1.0).comparisons
        channels = {x.mechanism: x.randomizer for x in found if isinstance(x.randomizer, Channel)}
        square = {
            name: in_the_first_order(c, np.argsort([*"abcdef"])[[ord(x) - 97 for x in order]])
            for name, c in channels.items()
            if len(c.outputs) == 6
        }
        rows = dict(
            zip(channels["hadamard_response"].inputs, channels["hadamard_response"].matrix.tolist(), strict=True)
        )
        return [x.mechanism for x in found], square, rows

    first = laws("abcdef")
    assert {"randomized_response", "block_rr", "optimal"} <= set(first[1])
    for order in ("badcfe", "fedcba", "cafebd"):
        assert laws(order) == first
    # at any shares: the least frequent of six labels has the seventh row of Sylvester's matrix, 1 - 1 in halves of 4
    last = min(named, key=lambda label: (named[label], -ord(label)))
    assert [v > F(1, 8) for v in first[2][last]] == [(6 & j).bit_count() % 2 == 0 for j in range(8)]


def test_two_hits_that_cost_the_same_are_no_reason_for_a_mixture():
    """Distinct shares: nothing is averaged, and a closed form stays what its function returns."""
    found = lpmech.design(dict(zip("abcd", (9, 5, 2, 1), strict=True)), 1.0)
    assert not any("ties shared" in row.parameters for row in found.comparisons)
    by_name = {row.mechanism: row for row in found.comparisons}
    prior = to_exact(found.prior).astype(float)
    assert (
        by_name["rr_with_prior"].channel.matrix.tolist() == lpmech.mechanisms.rr_with_prior(prior, 1.0).matrix.tolist()
    )
    assert hit(4).tolist() == np.eye(4, dtype=int).tolist()

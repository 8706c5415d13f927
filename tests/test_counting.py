"""Mechanisms that count: exact values, laws, decoders, the best private channel and the bound, shares on the simplex."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from other_libraries import global_seed
from pure_ldp.frequency_oracles.hadamard_response.internal import functions, k2k_hadamard
from scipy import optimize, stats

from lpmech import Channel, PrivacyLevel
from lpmech.designs import counting
from lpmech.designs.best_for_counting import best_for_counting
from lpmech.designs.counting import design_for_counting
from lpmech.designs.counting_bound import CountingBound, both_sides
from lpmech.designs.decoding import least_variance_decoder, share_error, total_variance
from lpmech.errors import CertificateError, InvalidInputError, LabelError, NotInvertibleError, PrivacyLevelError
from lpmech.mechanisms import (
    SubsetSelection,
    best_subset_size,
    hadamard_response,
    randomized_response,
    subset_selection,
)
from lpmech.mechanisms.hadamard_response import hadamard_variance
from lpmech.mechanisms.subset_selection import subset_variance
from lpmech.papers.across.chance import enumerated
from lpmech.release.consistency import central_shares, expected_shares, on_simplex
from lpmech.release.estimation import estimate, estimate_sets
from lpmech.release.label_sets import LabelSets
from lpmech.report.counting import bound_line, counting_design_table

F = Fraction


def level(ratio):
    return PrivacyLevel.from_ratio(ratio)


def shares_of(weights):
    return np.array([F(w, sum(weights)) for w in weights], dtype=object)


priors = st.lists(st.integers(1, 60), min_size=2, max_size=5).map(shares_of)
ratios = st.fractions(min_value=F(11, 10), max_value=30, max_denominator=10)


# -- subset selection ----------------------------------------------------------------------------------


def test_subset_selection_by_hand():
    # K = 4, d = 2, t = 3: p = 2*3/(2*3 + 2) = 3/4, q = (2 - 3/4)/3 = 5/12, (p - q)^2 = 1/9;
    # variance 9 (3/16 + 3 * 5/12 * 7/12) = 9 * 11/12 = 33/4.
    mechanism = SubsetSelection(4, 2, 3)
    assert (mechanism.p, mechanism.q, mechanism.ratio) == (F(3, 4), F(5, 12), 3)
    assert mechanism.total_variance == subset_variance(4, 2, F(3)) == F(33, 4)
    # six sets: of three with the label, each t/(3t + 3) = 1/4; of three without, 1/12
    assert sorted(mechanism.channel().matrix[0].tolist()) == [F(1, 12)] * 3 + [F(1, 4)] * 3
    # d = 1 is randomized response
    single, rr = SubsetSelection(5, 1, F(7, 2)).channel(), randomized_response(5, level("7/2"))
    assert {tuple(row) for row in single.matrix.tolist()} == {tuple(row) for row in rr.matrix.tolist()}


def test_best_subset_size_by_hand():
    # K/(t+1): 26/3.718 = 6.99 -> 7; 10/(3/2+1) = 4 exactly; at K = 4, t = 1.1 and 2: 1.90 -> 2, 4/3 -> 1
    assert best_subset_size(26, 1.0) == 7
    assert best_subset_size(10, level("3/2")) == 4
    assert [best_subset_size(4, level(t)) for t in ("11/10", 2)] == [2, 1]
    # K = 3, t = sqrt(2) would be a tie; beyond K = 2 the ends are never left
    assert best_subset_size(2, 20.0) == best_subset_size(500, 20.0) == 1


@given(st.integers(2, 80), st.floats(0.01, 8))
@settings(max_examples=80, deadline=None)
def test_best_subset_size_is_the_best_of_all(size, epsilon):
    """Catches rounding of K/(t+1) to the nearest: both neighbours have to be compared by their variance."""
    ratio = F(math.exp(epsilon))
    found = subset_variance(size, best_subset_size(size, epsilon), ratio)
    assert found == min(subset_variance(size, d, ratio) for d in range(1, size))


@pytest.mark.parametrize("chosen", [1, 2])
def test_law_of_subsets_of_three(chosen):
    """Catches a draw that prefers some sets: the law over everything that the random source can say."""
    mechanism = SubsetSelection(3, chosen, F(5, 2))
    channel = mechanism.channel()
    for label in range(3):
        law = enumerated(lambda source, y=label: tuple(mechanism.sample([y], source)[0].tolist()))
        assert law == dict(zip(channel.outputs, channel.matrix[label].tolist(), strict=True))


@given(st.integers(2, 40), st.floats(1e-3, 60), st.data())
@settings(max_examples=80, deadline=None)
def test_exact_subsets_keep_the_level(size, epsilon, data):
    """Catches odds rounded up: the exact ratio is at most e^epsilon in rational arithmetic, and near it."""
    asked = PrivacyLevel.from_epsilon(epsilon)
    chosen = data.draw(st.integers(1, size - 1))
    exact = subset_selection(size, asked, chosen).exact(asked)
    assert exact.is_drawable
    assert isinstance(exact.ratio, F)
    assert exact.ratio <= asked.ratio_below
    assert exact.exact(asked) is exact
    odds = exact.odds[0]
    assert odds.numerator + odds.denominator <= 2**62
    assert exact.ratio >= asked.ratio_below * (1 - F(1, 10**9)) or odds == 2**61


def test_subsets_of_500_labels():
    """Labels beyond the 450th are drawn, kept and decoded like the others; every set has d labels."""
    mechanism = subset_selection(500, 2.0).exact(2.0)
    labels = np.repeat([0, 470, 499], 4000)
    vectors = mechanism.sample(labels, np.random.default_rng(3))
    assert mechanism.chosen == 60  # 500 / (e^2 + 1) = 59.6
    assert set(vectors.sum(axis=1).tolist()) == {60}
    counts = np.bincount(labels, minlength=500)
    z = (mechanism.estimate_counts(vectors) - counts) / np.sqrt(mechanism.count_variance(counts.astype(float)))
    assert np.abs(z).max() < 5
    assert 0.8 < z.std() < 1.2
    assert 0.8 < z[451:].std() < 1.2


# -- Hadamard response ---------------------------------------------------------------------------------


def test_hadamard_response_by_hand():
    # K = 3: S = 4, entries t/(2 (1+t)) = 3/8 and 1/8 at t = 3, rows 1, 2, 3 of Sylvester's 4 x 4 matrix
    channel = hadamard_response(("a", "b", "c"), level(3))
    assert (8 * channel.matrix).tolist() == [[3, 1, 3, 1], [3, 3, 1, 1], [3, 1, 1, 3]]
    assert (channel.inputs, channel.ratio) == (("a", "b", "c"), 3)
    # 3 ((3+1)/(3-1))^2 - 1
    assert hadamard_variance(3, F(3)) == 11
    # a power of 2 of labels takes the next one of outputs
    assert [len(hadamard_response(k, 1.0).outputs) for k in (3, 4, 7, 8, 500)] == [4, 8, 8, 16, 512]


def test_hadamard_response_of_500_labels():
    """Rows beyond the 450th sum to one and are orthogonal like the first."""
    matrix = hadamard_response(500, 1.0).matrix
    signs = np.where(matrix * 512 > 1, 1, -1)
    assert np.array_equal(signs @ signs.T, 512 * np.eye(500))
    np.testing.assert_allclose(matrix.sum(axis=1), 1, rtol=1e-12)


@pytest.mark.filterwarnings("ignore:non-integer arguments to randrange")
def test_hadamard_response_releases_and_decodes_like_pure_ldp():
    """Their scheme for epsilon <= 1: outputs, entries and the unclipped estimate; catches entries or rows exchanged."""
    size, epsilon = 5, 0.8
    theirs, channel = k2k_hadamard.Hadamard_Rand_high_priv(size, epsilon), hadamard_response(size, epsilon)
    assert theirs.outsz == len(channel.outputs)
    for y in range(size):
        held = [j for j in range(theirs.outsz) if theirs.parity_check(y + 1, j) == 0]
        assert channel.matrix[y, held].sum() == pytest.approx(1 - theirs.pri_para, rel=1e-12)
        with global_seed(y):
            counts = np.bincount([theirs.encode_symbol(y) for _ in range(4000)], minlength=theirs.outsz)
        assert stats.chisquare(counts, 4000 * channel.matrix[y]).pvalue > 1e-4
    released = channel.exact(epsilon).sample(np.repeat(np.arange(size), [900, 50, 30, 15, 5]), 4)
    signs = np.where(channel.matrix.T * theirs.outsz > 1, 1, -1)
    ours = np.bincount(released, minlength=theirs.outsz) @ signs / 1000 / math.tanh(epsilon / 2)
    np.testing.assert_allclose(ours, theirs.decode_string(released, iffast=0, normalization=2), atol=1e-12)


# -- decoders ------------------------------------------------------------------------------------------


@given(priors, ratios)
@settings(max_examples=30, deadline=None)
def test_the_decoder_of_least_variance_is_unbiased_and_none_is_better(prior, ratio):
    """Its variance is the one that `total_variance` states, and at most that of the pseudo-inverse and of Sylvester."""
    size = len(prior)
    channel, shares = hadamard_response(size, level(ratio)), prior.astype(float)
    matrix, decoder = channel.matrix.astype(float), least_variance_decoder(channel, prior)
    np.testing.assert_allclose(matrix @ decoder, np.eye(size), atol=1e-9)
    stated = total_variance(channel, prior)
    assert ((shares @ matrix) @ decoder**2 - shares).sum() == pytest.approx(stated, rel=1e-9)
    assert stated <= ((shares @ matrix) @ channel.to_float().decoder ** 2 - shares).sum() * (1 + 1e-9)
    assert stated <= float(hadamard_variance(size, ratio)) * (1 + 1e-9)


def test_square_channels_have_one_decoder():
    """RR with K = 3, t = 4: subset selection with d = 1, variance 2 (2 (3 - 1 + 16)/(1 * 2 * 9) - 1) = 2."""
    prior, channel = shares_of([5, 2, 1]), randomized_response(3, level(4))
    assert total_variance(channel, prior) == pytest.approx(2, rel=1e-12)
    assert 3 * share_error(channel, prior, 1) ** 2 == pytest.approx(2, rel=1e-12)


def test_the_decoder_of_460_labels():
    """Labels beyond the 450th are decoded like the others: RR's only decoder is its inverse."""
    channel = randomized_response(460, 3.0)
    decoder = least_variance_decoder(channel, shares_of([1 + y % 7 for y in range(460)]))
    np.testing.assert_allclose(channel.matrix @ decoder, np.eye(460), atol=1e-9)


def test_channels_that_merge_labels_are_refused_and_empty_outputs_do_no_harm():
    prior = shares_of([1, 1])
    with pytest.raises(NotInvertibleError):
        total_variance(Channel([[F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)]]), prior)
    with pytest.raises(NotInvertibleError):
        total_variance(Channel([[F(1)], [F(1)]]), prior)
    padded = Channel([[F(3, 4), F(1, 4), F(0)], [F(1, 4), F(3, 4), F(0)]])
    assert total_variance(padded, prior) == pytest.approx(total_variance(randomized_response(2, level(3)), prior))
    assert least_variance_decoder(padded, prior)[2].tolist() == [0, 0]


# -- the best channel and the bound --------------------------------------------------------------------


@st.composite
def private_channels(draw, size, ratio):
    """A random private channel: weights on patterns, evened out so that rows sum to one."""
    patterns = list(itertools.product((0, 1), repeat=size))
    weights = draw(st.lists(st.integers(0, 9), min_size=len(patterns), max_size=len(patterns)))
    columns = [[w * (ratio if bit else 1) for bit in bits] for w, bits in zip(weights, patterns, strict=True) if w]
    rows = [sum(column[y] for column in columns) for y in range(size)]
    short = [max(rows, default=F(0)) + 1 - row for row in rows]
    # a_y (t - 1) + sum(a) = short_y, on the patterns with one t
    total = sum(short) / (ratio - 1 + size)
    single = [(s - total) / (ratio - 1) for s in short]
    lift = max(0, -min(single))
    columns += [[(a + lift) * (ratio if y == z else 1) for z in range(size)] for y, a in enumerate(single)]
    matrix = np.array(columns, dtype=object).T
    return Channel(matrix / matrix.sum(axis=1)[:, None])


@given(st.data(), priors, ratios)
@settings(max_examples=40, deadline=None)
def test_no_private_channel_is_below_the_bound(data, prior, ratio):
    """Catches a bound that is none: wrong signs, or a prior or level that is not the channel's."""
    names = tuple("abcde"[: len(prior)])
    best, bound = best_for_counting(names, level(ratio), prior)
    least = float(bound.value)
    assert best.ratio <= ratio
    assert total_variance(best, prior) == pytest.approx(least, rel=1e-7)
    other = data.draw(private_channels(len(prior), ratio))
    assert other.ratio <= ratio
    try:
        assert total_variance(other, prior) >= least * (1 - 1e-9)
    except NotInvertibleError:
        return


def test_the_bound_refuses_what_does_not_prove_it():
    """Duals a millionth smaller, another prior and a larger ratio are each found by the exact check."""
    prior = shares_of([4, 2, 1, 1])
    _, bound = best_for_counting(tuple("abcd"), level(3), prior)
    bound.check()
    assert isinstance(bound.value, F)
    with pytest.raises(CertificateError):
        CountingBound(prior, bound.ratio, bound.matrix, bound.duals * (1 - F(1, 10**6)))
    with pytest.raises(CertificateError):
        CountingBound(prior[::-1], bound.ratio, bound.matrix, bound.duals)
    with pytest.raises(CertificateError):
        CountingBound(prior, bound.ratio * 2, bound.matrix, bound.duals)
    with pytest.raises(InvalidInputError):
        CountingBound(shares_of([1] * 17), bound.ratio, np.zeros((17, 17), dtype=object), np.zeros(17, dtype=object))


def test_both_sides_of_the_bound_by_hand():
    """K = 2, t = 3, p = (3/4, 1/4), B = (0 1; 0 0): B v is the second entry of v; catches B transposed."""
    matrix = np.array([[F(0), F(1)], [F(0), F(0)]], dtype=object)
    needed, allowed = both_sides(shares_of([3, 1]), F(3), matrix, np.array([F(1), F(2)], dtype=object))
    # v = (1, 1), (3, 1), (1, 3): |B v|^2 = 1, 1, 9; (lambda . v) (p . v) = 3 * 1, 5 * 10/4, 7 * 6/4
    assert [int(v) for v in needed] == [1, 1, 9]
    assert [F(str(v)) for v in allowed] == [3, F(25, 2), F(21, 2)]


@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0, 6.0])
def test_equal_shares_are_counted_best_by_subset_selection(size, epsilon):
    """Subset selection is optimal for the uniform prior, at the right d (Ye and Barg, 2017); the bound attains it."""
    found = design_for_counting(dict.fromkeys("abcdefgh"[:size], 7), epsilon)
    variance = float(subset_selection(size, epsilon).total_variance)
    assert found.best.mechanism == (
        "subset_selection" if best_subset_size(size, epsilon) > 1 else "randomized_response"
    )
    assert float(found.best.variance) == pytest.approx(variance, rel=1e-12)
    assert float(found.bound.value) == pytest.approx(variance, rel=1e-8)
    assert found.bound.value <= variance * (1 + 1e-12)
    assert found.gap < 1e-8


def test_unequal_shares_are_counted_better_by_another_channel():
    """K = 8, shares 2^-y, e^epsilon = e^2: 7.97 % below subset selection, whose variance is the same for all shares."""
    counts = {label: 2 ** (8 - i) for i, label in enumerate("abcdefgh")}
    found = design_for_counting(counts, 2.0)
    assert (found.best.mechanism, found.rows) == ("best_for_counting", 510)
    by_name = {entry.mechanism: entry for entry in found.comparisons}
    gain = float(by_name["subset_selection"].variance) / found.best.variance
    assert gain == pytest.approx(1.0797, abs=5e-4)
    assert found.gap < 1e-8
    assert found.best.error == pytest.approx(math.sqrt(found.best.variance / 8 / 510))


@pytest.mark.parametrize("counts", [(9, 4, 2, 1, 1), (5, 5, 3, 3, 1), (1, 1, 1, 1, 1)])
def test_the_order_of_the_labels_does_not_matter(counts):
    """Every order of five labels, ties included: one channel, output for output, entry for entry."""
    named = dict(zip("abcde", counts, strict=True))

    def laws(order):
        channel, _ = best_for_counting(order, level(3), shares_of([named[label] for label in order]))
        sets = [
            frozenset(label for label, bit in zip(order, name, strict=True) if bit == "1") for name in channel.outputs
        ]
        columns = channel.matrix.T.tolist()
        return {
            (kept, label): v
            for kept, column in zip(sets, columns, strict=True)
            for label, v in zip(order, column, strict=True)
        }

    first = laws(tuple("abcde"))
    for order in itertools.permutations("abcde"):
        assert laws(order) == first


def test_labels_of_one_share_are_treated_alike():
    """Renaming labels of equal shares moves the law by rounding only: no vertex is picked."""
    channel, _ = best_for_counting(tuple("abcd"), level(3), shares_of([6, 2, 2, 2]))
    law = dict(zip(channel.outputs, channel.matrix[0].tolist(), strict=True))
    assert law["1100"] == pytest.approx(law["1010"], abs=F(1, 10**16)) if "1100" in law else "1010" not in law
    singles = [law[name] for name in ("0100", "0010", "0001")]
    assert max(singles) - min(singles) <= F(1, 10**16)
    # here the solver's own weights of such outputs differ by 4e-8
    channel, _ = best_for_counting(tuple("abcdefg"), PrivacyLevel.from_epsilon(0.3), shares_of([9, 9, 4, 4, 4, 1, 1]))
    kinds = {}
    for name, column in zip(channel.outputs, channel.matrix.T.tolist(), strict=True):
        kinds.setdefault(tuple(name[i:j].count("1") for i, j in ((0, 2), (2, 5), (5, 7))), []).append(max(column))
    assert any(len(kind) > 1 for kind in kinds.values())
    assert max(max(kind) - min(kind) for kind in kinds.values()) <= F(1, 10**15)


# -- the design ----------------------------------------------------------------------------------------


def test_every_mechanism_is_compared_and_keeps_the_level():
    found = design_for_counting({"a": 60, "b": 25, "c": 10, "d": 5}, 1.0, rows=1000)
    names = [entry.mechanism for entry in found.comparisons]
    wanted = {"randomized_response", "subset_selection", "optimal_unary_encoding", "symmetric_unary_encoding"}
    assert wanted | {"hadamard_response", "optimal", "best_for_counting"} <= set(names)
    assert "rr_on_bins" not in names  # merges labels
    below = PrivacyLevel.from_epsilon(1.0).ratio_below
    assert all(entry.randomizer.ratio <= below for entry in found.comparisons)
    variances = [float(entry.variance) for entry in found.comparisons[1:]]
    assert variances == pytest.approx(sorted(variances), rel=1e-9)  # equal ones differ by rounding
    assert float(found.best.variance) <= min(variances) * (1 + 1e-6) + 1e-12
    for entry in found.comparisons:
        assert entry.rows == 1000
        assert float(entry.variance) >= float(found.bound.value) * (1 - 1e-9)


@pytest.mark.parametrize("counts", [(600, 200, 100, 60, 40), (700, 250, 50, 0, 0)])
def test_the_stated_errors_are_the_errors(counts):
    """400 releases of 1,000 labels by every mechanism, estimated as `lpmech estimate` does.

    Catches a variance that is off by 15 %: with 2,000 squared errors that of a mean is about 2 %.
    """
    found, rng = design_for_counting(dict(zip("abcde", counts, strict=True)), 1.0), np.random.default_rng(8)
    prior, labels = np.array(counts) / 1000, np.repeat(range(5), counts)
    assert len(found.comparisons) >= 10
    for entry in found.comparisons:
        mechanism = entry.randomizer
        if isinstance(mechanism, Channel):
            rows = mechanism.to_float().matrix
            drawn = sum(rng.multinomial(n, row / row.sum(), 400) for n, row in zip(counts, rows, strict=True))
            shares = drawn @ least_variance_decoder(mechanism, prior) / 1000
            printed = estimate(drawn[0], mechanism, prior=prior)
        else:
            drawn = mechanism.sample(np.tile(labels, 400), rng).reshape(400, 1000, 5).sum(axis=1, dtype=np.int64)
            shares = (drawn / 1000 - float(mechanism.q)) / float(mechanism.p - mechanism.q)
            printed = estimate_sets(drawn[0], 1000, LabelSets(tuple("abcde"), mechanism))
        assert printed.unbiased == pytest.approx(shares[0], abs=1e-9)
        error = math.sqrt(((shares - prior) ** 2).mean())
        assert error == pytest.approx(entry.error, rel=0.07), entry.mechanism


def test_designs_do_not_depend_on_the_order_of_the_labels():
    """Every mechanism for four labels in two orders: one law for each label; catches rows that are not moved back."""
    counts = {"a": 5, "b": 40, "c": 5, "d": 50}
    one, other = (design_for_counting({label: counts[label] for label in order}, 1.0) for order in ("abcd", "dbca"))
    by_name = {entry.mechanism: entry for entry in other.comparisons}
    assert len(by_name) == len(one.comparisons)
    for entry in one.comparisons:
        assert float(entry.variance) == pytest.approx(float(by_name[entry.mechanism].variance), rel=1e-9)
        if isinstance(entry.randomizer, Channel):
            same = by_name[entry.mechanism].randomizer
            for label in "abcd":
                at, there = entry.randomizer.inputs.index(label), same.inputs.index(label)
                assert sorted(entry.randomizer.matrix[at].tolist()) == sorted(same.matrix[there].tolist())
    hadamard = next(e.randomizer for e in one.comparisons if e.mechanism == "hadamard_response")
    # the first row of Sylvester's matrix is that of the label with the largest count
    assert (
        hadamard.matrix[hadamard.inputs.index("d")].tolist() == hadamard_response(4, 1.0).exact(1.0).matrix[0].tolist()
    )
    assert hadamard.inputs == ("a", "b", "c", "d")


def test_up_to_how_many_labels_what_is_compared(monkeypatch):
    """Catches limits that are off by one, at small ones."""
    counts = {"a": 5, "b": 4, "c": 1}
    monkeypatch.setattr(counting, "_MOST_FLOORED", 3)
    monkeypatch.setattr(counting, "_MOST_PUBLISHED", 3)
    names = {entry.mechanism for entry in design_for_counting(counts, 1.0).comparisons}
    assert {"optimal", "block_rr", "randomized_response"} <= names
    names = {entry.mechanism for entry in design_for_counting(counts | {"d": 1}, 1.0).comparisons}
    assert "randomized_response" in names
    assert not {"optimal", "block_rr"} & names


def test_a_design_for_480_labels():
    """Loops over labels reach beyond the 450th: the best d there, by the closed form, and no bound."""
    found = design_for_counting({f"l{i:03}": 1 + i % 5 for i in range(480)}, 2.0)
    assert (found.best.mechanism, found.best.parameters) == ("subset_selection", "d = 57")  # 480 / (e^2 + 1) = 57.2
    assert (found.bound, found.gap) == (None, None)
    assert float(found.best.variance) == pytest.approx(subset_variance(480, 57, math.exp(2)), rel=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("epsilon", [1e-9, 1e-7, 1e-4, 25.0, 40.0, 700.0])
@pytest.mark.parametrize("counts", [(3, 2, 1), (5, 3, 0)])
def test_extreme_levels_have_a_design(epsilon, counts):
    """Where floats do not suffice there is no bound, or a weak one; never a wrong one, and never an error or a warning.

    At 40 all variances are rounding, which may be below 0: no root, and no percentage, is taken of that.
    """
    found = design_for_counting(dict(zip("abc", counts, strict=True)), epsilon)
    assert all(entry.variance >= 0 and math.isfinite(entry.error) for entry in found.comparisons)
    assert "randomized_response" in {entry.mechanism for entry in found.comparisons} or epsilon == 1e-9
    shown = counting_design_table(found, found.best)
    assert not any(cell.startswith("-") for cell in shown.columns[3].cells)
    assert bound_line(found, found.best)
    assert found.best.mechanism == "randomized_response" or epsilon == 1e-9  # sets of one or two: equal there
    assert found.gap is None or found.gap >= 0
    if found.bound is not None:
        assert found.bound.value <= subset_variance(3, 1, PrivacyLevel.from_epsilon(epsilon).ratio_below)


# -- shares on the simplex -----------------------------------------------------------------------------


def test_shares_on_the_simplex_by_hand():
    # 0.9, 0.4, -0.2: without the last one 1.3 is 0.3 too much, 0.15 each
    np.testing.assert_allclose(on_simplex([0.9, 0.4, -0.2]), [0.75, 0.25, 0], atol=1e-15)
    np.testing.assert_allclose(on_simplex([F(1, 2), F(1, 4), F(1, 4)]), [0.5, 0.25, 0.25], atol=0)
    np.testing.assert_allclose(on_simplex([-3.0, -3.0]), [0.5, 0.5], atol=1e-15)
    assert on_simplex([5.0]).tolist() == [1.0]


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=600))
@settings(max_examples=60, deadline=None)
def test_shares_on_the_simplex_are_those_of_pure_ldp_and_the_nearest(estimates):
    """Catches a projection that stops at the wrong label; up to 600 labels."""
    found = on_simplex(estimates)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1, abs=1e-9)
    np.testing.assert_allclose(found, functions.project_probability_simplex(estimates), atol=1e-9)
    moved = (found - np.array(estimates))[found > 0]
    assert np.ptp(moved) < 1e-9
    assert np.all((found - np.array(estimates))[found == 0] >= moved.max() - 1e-9)


def test_expected_shares_are_means_of_cut_normal_variables():
    """Catches a wrong mean: scipy's truncated normal with the same cut; up to 600 labels, far tails included."""
    for size, deviation in ((2, 0.3), (26, 0.013), (600, 0.05)):
        estimates = np.random.default_rng(size).normal(1 / size, deviation, size)
        estimates[0] += 0.4
        found = expected_shares(estimates, deviation)
        assert found.min() > 0
        assert found.sum() == pytest.approx(1, abs=1e-12)

        def means(c, mean=estimates, s=deviation):
            return stats.truncnorm.mean((c - mean) / s, np.inf, mean - c, s)

        cut = optimize.brentq(lambda c: means(c).sum() - 1, -2, 20, xtol=1e-14)
        np.testing.assert_allclose(found, means(cut), rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(
            central_shares(estimates, deviation), (found + on_simplex(estimates)) / 2, atol=1e-15
        )
    # almost no noise: the estimates themselves, or the nearest shares
    np.testing.assert_allclose(expected_shares([0.5, 0.3, 0.2], 1e-6), [0.5, 0.3, 0.2], atol=1e-9)
    np.testing.assert_allclose(expected_shares([0.9, 0.4, -0.2], 1e-9), [0.75, 0.25, 0], atol=1e-6)
    assert expected_shares([0.3], 0.1).tolist() == [1.0]


def test_shares_are_nearer_than_unbiased_estimates():
    """30 releases of 20,000 letters with the errors side by side: nearest 0.1 points less, central 0.02 less still."""
    prior = np.array(
        [
            8167,
            1492,
            2782,
            4253,
            12702,
            2228,
            2015,
            6094,
            6966,
            153,
            772,
            4025,
            2406,
            6749,
            7507,
            1929,
            95,
            5987,
            6327,
            9056,
            2758,
            978,
            2360,
            150,
            1974,
            74,
        ]
    )
    labels = np.repeat(np.arange(26), np.rint(prior * 0.2).astype(int))
    truth, mechanism = np.bincount(labels) / labels.size, subset_selection(26, 1.0).exact(1.0)
    deviation, errors = math.sqrt(mechanism.total_variance / 26 / labels.size), []
    for seed in range(30):
        shares = mechanism.decode(mechanism.sample(labels, seed)).mean(axis=0)
        found = shares, on_simplex(shares), central_shares(shares, deviation)
        errors.append([np.abs(v - truth).mean() for v in found])
    unbiased, nearest, central = np.mean(errors, axis=0)
    assert central < nearest < 0.93 * unbiased


# -- bad input -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error", "argument"),
    [
        (lambda: SubsetSelection(1, 1, 2), InvalidInputError, "size"),
        (lambda: SubsetSelection(3, 0, 2), InvalidInputError, "chosen"),
        (lambda: SubsetSelection(3, 3, 2), InvalidInputError, "chosen"),
        (lambda: SubsetSelection(3, 1, 1), InvalidInputError, "weight"),
        (lambda: SubsetSelection(3, 1, math.nan), InvalidInputError, "weight"),
        (lambda: subset_selection(3, -1.0), PrivacyLevelError, "epsilon"),
        (lambda: subset_selection(13, 1.0).channel(), InvalidInputError, "size"),
        (lambda: subset_selection(3, 1.0).sample([0]), InvalidInputError, "encoding"),
        (lambda: subset_selection(3, 1.0).exact(0.5), InvalidInputError, "encoding"),
        (lambda: subset_selection(3, 1.0).exact(1.0).sample([3]), LabelError, "labels"),
        (lambda: hadamard_response(("a", "a"), 1.0), LabelError, "inputs"),
        (lambda: best_for_counting(tuple("abcdefghi"), level(3), shares_of([1] * 9)), InvalidInputError, "labels"),
        (lambda: design_for_counting({"a": 1, "b": 2}, 1.0, rows=0), InvalidInputError, "rows"),
        (lambda: on_simplex([0.5, math.nan]), InvalidInputError, "estimates"),
        (lambda: on_simplex([[0.5, 0.5]]), InvalidInputError, "estimates"),
        (lambda: expected_shares([0.5, 0.5], 0.0), InvalidInputError, "deviation"),
        (lambda: central_shares([math.inf], 1.0), InvalidInputError, "estimates"),
    ],
)
def test_bad_input_is_named(make, error, argument):
    with pytest.raises(error) as caught:
        make()
    assert caught.value.argument == argument

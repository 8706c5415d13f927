"""Unary encodings and ALIBI: privacy, decoding, posteriors, sampling, each against enumeration or integration."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from lpmech import PrivacyLevel
from lpmech.errors import InvalidInputError, LabelError, PriorError, PrivacyLevelError
from lpmech.mechanisms import (
    Alibi,
    UnaryEncoding,
    alibi,
    optimal_unary_encoding,
    symmetric_unary_encoding,
)

F = Fraction

odds = st.fractions(min_value=F(1, 3), max_value=9, max_denominator=6)


@st.composite
def encodings(draw, largest=4):
    present, absent = draw(odds), draw(odds)
    if present * absent <= 1:
        present, absent = present + 2, absent + 2
    return UnaryEncoding(draw(st.integers(1, largest)), present, absent)


# -- unary encodings against the written-out channel ---------------------------------------------------


@given(encodings())
@settings(max_examples=40, deadline=None)
def test_level_is_the_tight_level_of_the_channel(encoding):
    """Catches a level that is only a bound: the channel's own largest ratio is compared, for every split."""
    assert encoding.channel().ratio == encoding.ratio


@given(encodings())
@settings(max_examples=30, deadline=None)
def test_decoding_is_unbiased_and_its_variance_exact(encoding):
    """Catches wrong constants in decoding or variance: both moments are summed over all vectors."""
    channel = encoding.channel()
    vectors = np.array(channel.outputs)
    decoded = encoding.decode(vectors)
    for y in range(encoding.size):
        weights = channel.matrix[y].astype(float)
        mean = weights @ decoded
        np.testing.assert_allclose(mean, np.eye(encoding.size)[y], atol=1e-12)
        counts = [int(j == y) for j in range(encoding.size)]
        expected = weights @ (decoded - mean) ** 2
        np.testing.assert_allclose(encoding.count_variance(counts).astype(float), expected, rtol=1e-9)


@given(encodings(), st.data())
@settings(max_examples=30, deadline=None)
def test_posterior_is_bayes_rule_and_hit_rate_its_mean_maximum(encoding, data):
    """Catches a posterior that uses the split instead of the level, and a wrong closed form of the hit rate."""
    numbers = data.draw(st.lists(st.integers(1, 5), min_size=encoding.size, max_size=encoding.size))
    prior = [F(v, sum(numbers)) for v in numbers]
    channel = encoding.channel()
    joint = channel.matrix * np.array(prior, dtype=object)[:, None]
    expected = (joint / joint.sum(axis=0)).astype(float).T
    np.testing.assert_allclose(encoding.posterior(channel.outputs, prior), expected, rtol=1e-12)
    # best guess for the uniform prior: the largest entry of each column, averaged
    assert encoding.hit_rate == sum(channel.matrix.max(axis=0).tolist()) / encoding.size


def test_exact_values():
    # t = 4, s = 2, K = 3: p = 2/3, q = 1/3, (p - q)^2 = 1/9, p(1-p) = q(1-q) = 2/9, so each count has variance 2 n.
    encoding = symmetric_unary_encoding(3, PrivacyLevel.from_ratio(4))
    assert (encoding.p, encoding.q, encoding.ratio) == (F(2, 3), F(1, 3), 4)
    assert encoding.count_variance([1, 1, 1]).tolist() == [6, 6, 6]
    # 2 (1 - 8/27)/3 + (1/3)(4/9)/3 = 38/81 + 4/81
    assert encoding.hit_rate == F(42, 81)
    # OUE, t = 3: p = 1/2, q = 1/4; the variance of a label that does not occur is q(1-q)/(p-q)^2 = 3 = 4t/(t-1)^2.
    rare = optimal_unary_encoding(2, PrivacyLevel.from_ratio(3))
    assert (rare.p, rare.q) == (F(1, 2), F(1, 4))
    assert rare.count_variance([1, 0])[1] == 3


def test_one_label_has_level_zero_and_irrational_roots_become_floats():
    assert symmetric_unary_encoding(1, 2.0).epsilon == 0
    assert isinstance(symmetric_unary_encoding(2, PrivacyLevel.from_ratio(3)).p, float)
    assert symmetric_unary_encoding(2, PrivacyLevel.from_ratio(F(9, 4))).p == F(3, 5)


def test_large_levels_do_not_overflow():
    encoding = symmetric_unary_encoding(5, 690.0)
    assert encoding.epsilon == pytest.approx(690)
    np.testing.assert_allclose(encoding.decode(np.eye(5)), np.eye(5), atol=1e-12)
    assert np.all(np.isfinite(encoding.count_variance([1.0] * 5)))
    assert encoding.hit_rate == pytest.approx(1)


@pytest.mark.parametrize("epsilon", [PrivacyLevel.from_ratio(4), 1.3])
def test_sampled_vectors_follow_the_channel(epsilon):
    """Catches swapped branches and dependent bits: a chi-square test over all 8 vectors, seed fixed."""
    encoding = symmetric_unary_encoding(3, epsilon).exact(epsilon)
    rng = np.random.default_rng(5)
    for y in range(3):
        vectors = encoding.sample(np.full(20000, y), rng)
        seen = np.bincount(vectors @ [4, 2, 1], minlength=8)
        assert stats.chisquare(seen, 20000 * encoding.channel().matrix[y].astype(float)).pvalue > 1e-4


def test_odds_between_two_powers_of_two_become_whole():
    """Catches odds from 2^60 to 2^61 as a quotient of floats: e^41.8 and e^42 are there."""
    for epsilon in (41.8, 42.0):
        exact = optimal_unary_encoding(3, epsilon).exact(epsilon)
        assert 2**60 <= exact.odds_absent < 2**61
        assert exact.ratio <= PrivacyLevel.from_epsilon(epsilon).ratio_below
        assert exact.sample([0, 1, 2], 1).shape == (3, 3)


@pytest.mark.parametrize(("size", "each"), [(50, 200), (500, 20)])
def test_estimated_counts_lie_within_five_standard_deviations(size, each):
    """Catches a variance that is off by a factor, and labels beyond the 450th that are treated otherwise."""
    encoding = optimal_unary_encoding(size, 1.0).exact(1.0)
    labels = np.repeat(np.arange(size), each)
    estimate = encoding.estimate_counts(encoding.sample(labels, np.random.default_rng(1)))
    z = (estimate - each) / np.sqrt(encoding.count_variance(np.full(size, float(each))))
    assert np.abs(z).max() < 5
    assert 0.6 < z.std() < 1.5
    assert 0.6 < z[-50:].std() < 1.5


@pytest.mark.parametrize(
    ("make", "error", "argument"),
    [
        (lambda: UnaryEncoding(0, 2, 2), InvalidInputError, "size"),
        (lambda: UnaryEncoding(True, 2, 2), InvalidInputError, "size"),
        (lambda: UnaryEncoding(2, -1, 2), InvalidInputError, "odds"),
        (lambda: UnaryEncoding(2, 1, 1), InvalidInputError, "odds"),
        (lambda: UnaryEncoding(2, math.inf, 1), InvalidInputError, "odds"),
        (lambda: symmetric_unary_encoding(2, 0.0), PrivacyLevelError, "epsilon"),
        (lambda: symmetric_unary_encoding(20, 1.0).channel(), InvalidInputError, "size"),
        (lambda: symmetric_unary_encoding(2, 1.0).decode([[0, 2]]), InvalidInputError, "vectors"),
        (lambda: symmetric_unary_encoding(2, 1.0).decode([[0, 1, 1]]), InvalidInputError, "vectors"),
        (lambda: symmetric_unary_encoding(2, 1.0).exact(1.0).sample([0, 2]), LabelError, "labels"),
        (lambda: symmetric_unary_encoding(2, 1.0).exact(1.0).sample([0.5]), LabelError, "labels"),
        (lambda: symmetric_unary_encoding(2, 1.0).count_variance([1]), InvalidInputError, "counts"),
        (lambda: symmetric_unary_encoding(2, 1.0).posterior([[0, 1]], [0.5, 0.6]), PriorError, "prior"),
        (lambda: Alibi(2, 0.0), InvalidInputError, "scale"),
        (lambda: Alibi(2, True), InvalidInputError, "scale"),
        (lambda: alibi(0, 1.0), InvalidInputError, "size"),
        (lambda: alibi(2, 1.0).posterior([[0.0, math.nan]]), InvalidInputError, "noisy"),
        (lambda: symmetric_unary_encoding(2, 1.0).exact(1.0).sample([0, 1], -1), InvalidInputError, "random_state"),
        (lambda: symmetric_unary_encoding(2, 1.0).exact(1.0).sample([[0], [0, 1]]), LabelError, "labels"),
        (lambda: symmetric_unary_encoding(2, 1.0).decode([[0, 1], [1]]), InvalidInputError, "vectors"),
        (lambda: alibi(2, 1.0).simulate([0, 1], 0), InvalidInputError, "rng"),
        (lambda: alibi(2, 1.0).posterior([["a", "b"]]), InvalidInputError, "noisy"),
        (lambda: alibi(2, 1.0).posterior([[0.1, 0.2], [0.3]]), InvalidInputError, "noisy"),
        (lambda: alibi(2, 1.0).simulate([2], np.random.default_rng()), LabelError, "labels"),
    ],
)
def test_bad_input_is_named(make, error, argument):
    with pytest.raises(error) as caught:
        make()
    assert caught.value.argument == argument


# -- ALIBI ---------------------------------------------------------------------------------------------


def printed_29(o, scale):
    """(29) as printed, K^2 terms."""
    scores = np.array([-sum(abs(value - (k == c)) for k, value in enumerate(o)) for c in range(len(o))]) / scale
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=6), st.floats(0.1, 10))
@settings(max_examples=60, deadline=None)
def test_posterior_equals_29_and_bayes_rule_with_laplace_densities(noisy, scale):
    """Catches a slip in the O(K) form: compared with the printed double sum and with scipy's densities."""
    o = np.array(noisy)
    released = Alibi(len(o), scale).posterior([o])[0]
    np.testing.assert_allclose(released, printed_29(o, scale), rtol=1e-9, atol=1e-300)
    prior = np.arange(1, len(o) + 1) / np.arange(1, len(o) + 1).sum()
    logs = stats.laplace.logpdf(o, np.eye(len(o)), scale).sum(axis=1) + np.log(prior)
    weights = np.exp(logs - logs.max())
    np.testing.assert_allclose(Alibi(len(o), scale).posterior([o], prior)[0], weights / weights.sum(), rtol=1e-8)


def test_alibi_is_stable_for_tiny_scales_and_zero_priors():
    # lambda = 1/1000: the exponents are +-1000, whose exponentials overflow when taken one by one.
    released = alibi(3, 500.0).posterior([[2.0, -1.0, 0.5]], [0, F(1, 2), F(1, 2)])
    assert released[0, 0] == 0
    assert released.sum() == pytest.approx(1)


def test_alibi_level_by_adversarial_search():
    """Catches the scale 1/epsilon: the log density ratio of two labels is maximised over many points."""
    mechanism = alibi(3, 1.0)
    points = np.random.default_rng(0).uniform(-3, 4, (20000, 3))
    logs = [stats.laplace.logpdf(points, np.eye(3)[y], mechanism.scale).sum(axis=1) for y in (0, 1)]
    assert np.max(logs[0] - logs[1]) == pytest.approx(1.0)
    assert mechanism.epsilon == 1.0
    assert alibi(1, 1.0).epsilon == 0


def test_mean_soft_label_of_two_classes_against_integration():
    # K = 2, lambda = 2: E[p(1 | o) | y = 1] by double integration of the printed formula.
    mechanism = Alibi(2, 2.0)

    def integrand(b, a):
        density = math.exp(-(abs(a - 1) + abs(b)) / 2) / 16
        return density * printed_29((a, b), 2.0)[0]

    # the posterior is constant in a and in b outside [0, 1]; twenty scales hold all but e^-20 of the mass
    pieces = [(-40, 0), (0, 1), (1, 41)]
    exact = sum(integrate.dblquad(integrand, *a, *b, epsabs=1e-7)[0] for a in pieces for b in pieces)
    rng = np.random.default_rng(2)
    released = mechanism.posterior(mechanism.simulate(np.zeros(40000, dtype=int), rng))[:, 0]
    assert released.mean() == pytest.approx(exact, abs=5 * released.std() / 200)

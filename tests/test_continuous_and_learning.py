"""RPWithPrior, the private histogram and liu2026 Alg. 2."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from lpmech import PrivacyLevel
from lpmech.applications.learning.block_rr import randomize_dataset
from lpmech.errors import BlockError, InvalidInputError, LabelError, PrivacyLevelError
from lpmech.mechanisms.private_histogram import distribution_of, noisy_counts, private_histogram
from lpmech.mechanisms.rp_with_prior import RPWithPrior

mechanisms = st.builds(
    lambda low, width, delta, epsilon: RPWithPrior(low, low + width, delta, epsilon),
    st.floats(-5, 5),
    st.floats(0, 4),
    st.floats(0.05, 2),
    st.floats(0.1, 5),
)


@settings(deadline=None, max_examples=40)
@given(mechanisms, st.floats(-8, 8))
def test_density_integrates_to_one_and_to_the_cdf(mechanism, true):
    first, last = mechanism.support
    breaks = sorted({*(p for p in (true - mechanism.delta, true + mechanism.delta) if first < p < last)})
    total, _ = integrate.quad(lambda x: float(mechanism.pdf(x, true)), first, last, points=breaks or None)
    assert total == pytest.approx(1, abs=1e-6)
    middle = (first + last) / 2
    mass, _ = integrate.quad(
        lambda x: float(mechanism.pdf(x, true)), first, middle, points=[b for b in breaks if b < middle] or None
    )
    assert float(mechanism.cdf(middle, true)) == pytest.approx(mass, abs=1e-6)
    assert float(mechanism.cdf(first - 1, true)) == 0
    assert float(mechanism.cdf(last + 1, true)) == pytest.approx(1)


@given(mechanisms, st.floats(-8, 8), st.floats(-8, 8), st.floats(0, 1))
def test_densities_stay_within_the_level(mechanism, first, second, share):
    low, high = mechanism.support
    out = min(low + share * (high - low), high)  # the sum may round past the end
    ratio = float(mechanism.pdf(out, first)) / float(mechanism.pdf(out, second))
    assert ratio <= math.exp(mechanism.epsilon) * (1 + 1e-9)


def test_tight_level_is_attained_and_vanishes_for_a_point():
    mechanism = RPWithPrior(0.0, 1.0, 0.1, 2.0)
    assert float(mechanism.pdf(0.0, 0.0) / mechanism.pdf(0.0, 1.0)) == pytest.approx(math.exp(2.0))
    assert RPWithPrior(1.0, 1.0, 0.1, 2.0).epsilon == 0.0


@pytest.mark.parametrize("true", [-1.0, 0.0, 0.4, 1.0])
def test_samples_follow_the_cdf(true):
    mechanism = RPWithPrior(0.0, 1.0, 0.2, 1.5)
    drawn = mechanism.simulate(np.full(20_000, true), np.random.default_rng(5))
    assert stats.kstest(drawn, lambda x: mechanism.cdf(x, true)).pvalue > 1e-6


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [((1, 0, 0.1, 1.0), "low"), ((0, 1, 0, 1.0), "delta"), ((0, 1, -1, 1.0), "delta"), ((math.nan, 1, 1, 1.0), "low"),
     ((0, math.inf, 1, 1.0), "high")],
)  # fmt: skip
def test_bad_intervals(arguments, argument):
    with pytest.raises(InvalidInputError) as caught:
        RPWithPrior(*arguments)
    assert caught.value.argument == argument
    with pytest.raises(PrivacyLevelError):
        RPWithPrior(0, 1, 0.1, 0.0)
    with pytest.raises(InvalidInputError, match="true"):
        RPWithPrior(0, 1, 0.1, 1.0).simulate([math.nan], np.random.default_rng(0))
    for call, name in (
        (lambda m: m.pdf("a", 0.5), "released"),
        (lambda m: m.cdf(0.5, [0.1, None]), "true"),
        (lambda m: m.pdf([0.1, 0.2, 0.3], [0.1, 0.2]), "released"),
        (lambda m: m.simulate([0.5], 0), "rng"),
    ):
        with pytest.raises(InvalidInputError, match=name):
            call(RPWithPrior(0, 1, 0.1, 1.0))


def test_histogram_noise_has_scale_two_over_epsilon():
    # the absolute deviation of Laplace(b) has mean b; counts of 1000 are never clipped
    rng = np.random.default_rng(11)
    labels = np.repeat(["a", "b"], 1000)
    deviations = np.concatenate([np.abs(noisy_counts(labels, ["a", "b"], 0.5, rng) - 1000) for _ in range(4000)])
    assert deviations.mean() == pytest.approx(4.0, abs=5 * 4.0 / math.sqrt(8000))


def test_histogram_covers_absent_classes_and_is_a_distribution():
    prior = private_histogram(
        ["a"] * 50, ["a", "b", "c"], PrivacyLevel.from_ratio(Fraction(3)), np.random.default_rng(2)
    )
    assert prior.shape == (3,)
    assert prior.sum() == pytest.approx(1)
    assert distribution_of(np.zeros(4)).tolist() == [0.25] * 4


def test_histogram_bad_input():
    rng = np.random.default_rng(0)
    with pytest.raises(LabelError, match="no class"):
        private_histogram(["a", "z"], ["a", "b"], 1.0, rng)
    with pytest.raises(LabelError, match="classes"):
        private_histogram(["a"], ["a", "a"], 1.0, rng)
    with pytest.raises(PrivacyLevelError):
        private_histogram(["a"], ["a", "b"], 0.0, rng)


def test_alg_2_splits_estimates_and_randomizes():
    rng = np.random.default_rng(4)
    labels = rng.choice(["cat", "dog", "owl"], p=[0.7, 0.25, 0.05], size=20_000)
    result = randomize_dataset(
        labels, ["cat", "dog", "owl"], 2.0, sigma=0.5, l=1, random_state=rng, prior_fraction=0.05
    )
    assert len(result.prior_indices) == 1000
    assert sorted([*result.prior_indices, *result.indices]) == list(range(20_000))
    assert result.epsilon == 2.0
    assert result.channel.epsilon <= 2.0 + 1e-12
    assert result.favoured == 1
    assert result.prior == pytest.approx([0.7, 0.25, 0.05], abs=0.06)
    share = np.mean(result.labels == labels[result.indices])
    expected = result.channel.expected_utility(
        np.eye(3), np.array([np.mean(labels == c) for c in result.channel.inputs])
    )
    assert share == pytest.approx(expected, abs=0.02)


def test_alg_2_takes_fewer_favoured_labels_when_s1_is_small():
    rng = np.random.default_rng(4)
    labels = np.array([0] * 990 + [1] * 10)
    result = randomize_dataset(labels, [0, 1], 3.0, sigma=1.0, l=2, random_state=rng, prior_fraction=0.5)
    assert result.favoured == 1


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"labels": [0]}, InvalidInputError),
        ({"labels": [[0, 1]]}, InvalidInputError),
        ({"labels": [0, 7]}, LabelError),
        ({"prior_fraction": 0}, InvalidInputError),
        ({"prior_fraction": 1}, InvalidInputError),
        ({"l": -1}, BlockError),
        ({"sigma": -1.0}, InvalidInputError),
        ({"epsilon": 0.0}, PrivacyLevelError),
    ],
)
def test_alg_2_bad_input(changes, error):
    arguments = {"labels": [0, 1, 0], "classes": [0, 1], "epsilon": 1.0, "sigma": 1.0, "l": 0, **changes}
    with pytest.raises(error):
        randomize_dataset(**arguments, random_state=np.random.default_rng(0))

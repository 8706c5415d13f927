"""Claims about public implementations: their formulas against the sampling they describe, and the probabilities of `estimates`."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from lpmech import PrivacyLevel
from lpmech.mechanisms.block_rr import block_rr_from_prior
from lpmech.mechanisms.rr_with_prior import hit_rate, hit_rates
from lpmech.papers.ghazi2021.implementations import google_weight
from lpmech.papers.liu2026.algorithm_2 import majority_of
from lpmech.papers.liu2026.estimates import least_agreement, minority_is_empty, most_agreement
from lpmech.papers.liu2026.implementations import _code_beta, _code_gamma
from lpmech.papers.liu2026.tables import COUNTS
from lpmech.priors import prior_from_counts


def kept(weight, prior, t):
    values = [weight(sum(prior[:k]), k, t) for k in range(1, len(prior) + 1)]
    return int(np.argmax(values)) + 1


@pytest.mark.parametrize("true", range(4))
def test_redirected_draws_give_every_other_label_once(true):
    # the step behind pure-LDP's (1 - p) / (n - 1): one of the first n - 1 labels, the last in place of the true one
    released = [3 if draw == true else draw for draw in range(3)]
    assert Counter(released) == Counter(set(range(4)) - {true})


@given(
    st.lists(st.integers(1, 50), min_size=2, max_size=8),
    st.fractions(min_value=Fraction(21, 20), max_value=12, max_denominator=20),
)
def test_off_by_one_weight_keeps_too_few_and_loses_at_most_the_stated_share(counts, t):
    # random priors against the two claims proved symbolically: catches a wrong index in either weight
    prior = sorted((Fraction(c, sum(counts)) for c in counts), reverse=True)
    size, rates = len(prior), hit_rates(prior, PrivacyLevel.from_ratio(t))
    ours, best = kept(google_weight, prior, t), kept(lambda mass, k, t: hit_rate(t, k, mass), prior, t)
    assert ours <= best
    assert rates[best - 1] == max(rates)
    assert rates[ours - 1] >= max(rates) * (1 - (size - 1) / (t * (t + size - 2)))


@pytest.mark.parametrize("size", [2, 3, 10])
def test_the_loss_is_attained(size):
    # p_1 = (t - 1) / (t + K - 2), others 1 / (t + K - 2), t = 3: all weights tie, one label is kept
    t = Fraction(3)
    prior = [(t - 1) / (t + size - 2)] + [1 / (t + size - 2)] * (size - 1)
    rates = hit_rates(prior, PrivacyLevel.from_ratio(t))
    assert kept(google_weight, prior, t) == 1
    assert 1 - rates[0] / max(rates) == Fraction(size - 1) / (t * (t + size - 2))


def test_entries_of_the_code_are_those_of_the_channel():
    # CIFAR-10_2, epsilon = 1, sigma = 1.2, l = 5: catches sizes passed in the wrong order
    prior, t = prior_from_counts(COUNTS["CIFAR-10_2"]), float(np.e)
    channel = block_rr_from_prior(prior.astype(float), 1.0, 1.2, 5)
    s1 = len(majority_of(COUNTS["CIFAR-10_2"], Fraction("1.2")))
    high, low = _code_beta(t, s1, 10 - s1, 5), _code_gamma(t, s1, 10 - s1, 5)
    assert channel.matrix[0, 0] == pytest.approx(t * high)
    assert channel.matrix[9, 9] == pytest.approx(t * low)
    assert channel.matrix[9, 4] == pytest.approx(high)  # of S1 only label 4, the least probable, is outside Delta
    assert channel.matrix[9, 0] == pytest.approx(0.1)


def simulated(dataset, epsilon, runs, rng):
    counts = np.array(COUNTS[dataset])
    drawn = rng.multivariate_hypergeometric(counts, round(0.01 * counts.sum()), size=runs)
    noisy = np.maximum(drawn + rng.laplace(scale=2 / epsilon, size=drawn.shape), 0.0)
    return noisy / noisy.max(axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("dataset", "epsilon", "sigma"),
    [("CIFAR-10_1", "4", "0.5"), ("CIFAR-10_2", "4", "0.5"), ("CIFAR-10_2", "8", "0.2")],
)
def test_bounds_of_an_empty_minority_hold_in_simulation(dataset, epsilon, sigma):
    # 40000 runs, standard error below 0.0025, so 0.01 is four of them; catches a wrong noise scale or threshold
    share = simulated(dataset, float(epsilon), 40_000, np.random.default_rng(7))
    found = np.mean(share.min(axis=1) >= np.exp(-1 / float(sigma)))
    least, most = minority_is_empty(dataset, Fraction(epsilon), Fraction(sigma))
    assert 0 <= least <= most <= 1
    assert float(least) - 0.01 <= found <= float(most) + 0.01
    assert most - least < Fraction(1, 20)


def test_bounds_of_agreement_hold_in_simulation():
    share = simulated("CIFAR-10_2", 1.0, 40_000, np.random.default_rng(8))
    first, second = (share >= np.exp(-1 / s) for s in (1.2, 1.6))
    found = np.mean(np.all(first == second, axis=1))
    setting = ("CIFAR-10_2", Fraction(1), Fraction("1.6"), Fraction("1.2"))
    assert float(least_agreement(*setting)) - 0.01 <= found <= float(most_agreement(*setting)) + 0.01


def test_uniform_prior_below_ln_2_gives_a_constant():
    # K = 5, t = 3/2: weight of k labels is (k/5) t / (t + k - 2), which falls; at t = 3 it rises
    prior = [Fraction(1, 5)] * 5
    assert kept(google_weight, prior, Fraction(3, 2)) == 1
    assert kept(google_weight, prior, Fraction(3)) == 5
    assert sp.simplify(google_weight(1, 5, sp.Symbol("t")) - sp.Symbol("t") / (sp.Symbol("t") + 3)) == 0

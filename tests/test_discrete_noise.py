"""Exact noise on whole numbers, what is released through it, and OpenDP's samplers beside it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from lpmech import PrivacyLevel
from lpmech.applications.vectors import EveryCoordinate
from lpmech.errors import InvalidInputError, LabelError, PrivacyLevelError
from lpmech.mechanisms import (
    AlibiOnGrid,
    Clipped,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    OriginalPM,
    alibi,
    discretized,
    symmetric_unary_encoding,
)
from lpmech.mechanisms.discrete_noise import happens_with_exp
from lpmech.mechanisms.perturbation import PERTURBATIONS, releasable
from lpmech.mechanisms.private_histogram import noisy_counts
from lpmech.randomness import RandomSource


class BranchError(Exception):
    pass


class Path(RandomSource):
    """Decisions that were taken before; the next one is open."""

    def __init__(self, decisions):
        self.left = list(decisions)

    def below(self, bound, count):
        drawn = []
        for _ in range(count if bound > 1 else 0):
            if not self.left:
                raise BranchError(bound)
            drawn.append(self.left.pop(0))
        return np.array(drawn if bound > 1 else [0] * count, dtype=np.int64)


def law(draw, least):
    """Exact probabilities of what `draw` returns, over all paths that are likelier than `least`, and what they miss."""
    found, paths, missed = {}, [((), Fraction(1))], Fraction(0)
    while paths:
        decisions, chance = paths.pop()
        if chance < least:
            missed += chance
            continue
        try:
            value = draw(Path(decisions))
        except BranchError as branch:
            (bound,) = branch.args
            paths += [((*decisions, n), chance / bound) for n in range(bound)]
        else:
            found[value] = found.get(value, Fraction(0)) + chance
    return found, missed


@pytest.mark.parametrize(("n", "d"), [(0, 1), (1, 1), (1, 2), (2, 3)])
def test_the_event_of_probability_exp_by_enumeration(n, d):
    found, missed = law(lambda source: bool(happens_with_exp(np.array([n]), d, source)[0]), Fraction(1, 10**4))
    assert missed < Fraction(1, 100)
    assert float(found[True]) <= math.exp(-n / d) <= float(found[True] + missed)


@pytest.mark.parametrize(("scale", "opened"), [(Fraction(1, 2), 0.18), (1, 0.1)])
def test_discrete_laplace_by_enumeration(scale, opened):
    """All likely paths of the sampler: a value's probability lies within what the unlikely ones leave open."""
    noise = DiscreteLaplace(scale)
    found, missed = law(lambda source: int(noise.sample(1, source)[0]), Fraction(1, 10_000))
    assert missed < opened
    for value in range(-2, 3):
        assert float(found[value]) <= noise.probability(value) <= float(found[value] + missed)
        assert found[value] == found[-value]


@pytest.mark.parametrize("scale", [Fraction(1, 3), 2, Fraction(7, 3), 20])
def test_discrete_laplace_at_scale(scale):
    # chi-square at level 1e-6
    noise = DiscreteLaplace(scale)
    drawn, values = noise.sample(100_000, 1), np.arange(-5, 6)
    seen, expected = np.array([np.sum(drawn == v) for v in values]), noise.probability(values)
    rest = 1 - expected.sum()
    assert stats.chisquare([*seen, 100_000 - seen.sum()], 1e5 * np.array([*expected, rest])).pvalue > 1e-6


@pytest.mark.parametrize("variance", [Fraction(2, 3), 4, 1000])
def test_discrete_gaussian_at_scale(variance):
    drawn, values = DiscreteGaussian(variance).sample(50_000, 2), np.arange(-200, 201)
    weights = np.exp(-(values**2) / (2 * float(variance)))
    near = abs(values) <= max(2, math.isqrt(int(variance)))
    seen, expected = np.array([np.sum(drawn == v) for v in values[near]]), (weights / weights.sum())[near]
    assert stats.chisquare([*seen, 50_000 - seen.sum()], 5e4 * np.array([*expected, 1 - expected.sum()])).pvalue > 1e-6


def test_the_same_law_as_opendp():
    """Two-sample chi-square at level 1e-6 against OpenDP's exact samplers; a scale of 4 for 3 is caught."""
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)

    def pvalue(a, b):
        cells = [np.bincount(np.clip(x, -8, 8) + 8, minlength=17) for x in (a, b)]
        return stats.chi2_contingency(np.array(cells)[:, np.sum(cells, axis=0) > 0]).pvalue

    for make, own, wrong in (
        (dp.m.make_laplace(*space, scale=3.0), DiscreteLaplace(3), DiscreteLaplace(4)),
        (dp.m.make_gaussian(*space, scale=3.0), DiscreteGaussian(9), DiscreteGaussian(16)),
    ):
        theirs = np.array([make(0) for _ in range(6000)])
        assert pvalue(theirs, own.sample(100_000, 3)) > 1e-6
        assert pvalue(theirs, wrong.sample(100_000, 3)) < 1e-6


@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 1.0, 700.0, PrivacyLevel.from_ratio(2)])
def test_the_level_of_the_noise_is_exact(epsilon):
    level = PrivacyLevel.from_epsilon(epsilon) if isinstance(epsilon, float) else epsilon
    spent = DiscreteLaplace.of_level(2, level).level(2)
    assert spent <= level.epsilon_below
    assert float(spent) == pytest.approx(level.epsilon, rel=1e-9 if level.epsilon < 100 else 1e-6)


def test_the_delta_of_the_gaussian_noise_is_an_upper_bound():
    # two coordinates move by one each; the exact delta by summation over a box of +-60
    noise, n = DiscreteGaussian(9), np.arange(-60, 61)
    p = np.exp(-(n**2) / 18) / np.exp(-(n**2) / 18).sum()
    moved = np.exp(-((n - 1) ** 2) / 18) / np.exp(-(n**2) / 18).sum()
    for epsilon in (0.5, 1.0, 2.0):
        exact = np.maximum(np.outer(p, moved) - math.exp(epsilon) * np.outer(moved, p), 0).sum()
        assert exact <= noise.delta(epsilon, 2) <= 1
    assert noise.concentrated(2) == Fraction(1, 9)
    assert noise.delta(0.1, 2) == 1


@pytest.mark.parametrize("wrong", [0, -1, 0.5, True, math.nan, "1", Fraction(1, 2**41), 2**41])
def test_bad_scales_are_refused(wrong):
    for noise in (DiscreteLaplace, DiscreteGaussian):
        with pytest.raises(InvalidInputError, match=r"scale|variance"):
            noise(wrong)
    with pytest.raises(InvalidInputError, match="variance"):
        DiscreteGaussian(2**39)
    with pytest.raises(InvalidInputError, match="deviation"):
        DiscreteGaussian.of_deviation(1e9)
    with pytest.raises(InvalidInputError, match="count"):
        DiscreteLaplace(1).sample(-1)


# -- what is released through it ---------------------------------------------------------------------


def test_no_count_can_be_told_from_the_last_bits():
    """Counts and their noise are whole numbers: what is released for 0 can be released for 1, and in the right ratio.

    With noise in floats the last bits told a count of 0 or 1 in 281 of 600.
    """
    released = [noisy_counts([0] * n, [0, 1], 1.0, 7)[0] for n in (0, 1)]
    assert {r.dtype.kind for r in released} == {"i"}
    noise = DiscreteLaplace.of_level(2, 1.0)
    many = [np.array([noisy_counts([0] * (5 + n), [0, 1], 1.0, seed)[0] for seed in range(1500)]) for n in (0, 1)]
    for n, drawn in enumerate(many):
        values = np.arange(3, 9)
        seen, expected = np.array([np.sum(drawn == v) for v in values]), noise.probability(values - 5 - n)
        assert (
            stats.chisquare([*seen, 1500 - seen.sum()], 1500 * np.array([*expected, 1 - expected.sum()])).pvalue > 1e-6
        )


def test_a_class_without_examples_gets_noise_too():
    # Pr[max(Z, 0) > 0] = a / (1 + a), a = e^(-1/2): 0.378; of 600, a standard deviation is 12
    shown = sum(noisy_counts(["a"] * 50, ["a", "b", "c"], 1.0, seed)[1] > 0 for seed in range(600))
    assert abs(shown - 600 * 0.3775) < 5 * 12


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0, 60.0])
@pytest.mark.parametrize("steps", [1, 5, 64])
def test_alibi_on_a_grid_keeps_its_level_exactly(epsilon, steps):
    """The preimage search of an attacker finds nothing: every grid point can come from either bit, in the right ratio."""
    mechanism, below = AlibiOnGrid(3, epsilon, steps), PrivacyLevel.from_epsilon(epsilon).ratio_below
    rows = mechanism.coordinate.matrix.tolist()
    assert all(v > 0 for row in rows for v in row)
    assert mechanism.coordinate.ratio**2 <= below  # two coordinates differ between labels
    assert mechanism.epsilon == pytest.approx(min(epsilon, 2 * math.log(1e18)), rel=1e-6)
    drawn = mechanism.sample(np.arange(3).repeat(200), 0)
    assert set((drawn * steps).ravel().tolist()) <= set(range(steps + 1))


def test_alibi_on_a_grid_has_the_soft_labels_of_the_published_one():
    """Mean posterior of the true label, 40,000 examples each: within five standard errors of the published noise's."""
    labels = np.zeros(40_000, dtype=int)
    published, repaired = alibi(4, 2.0), AlibiOnGrid(4, 2.0, 256)
    a = published.posterior(published.simulate(labels, np.random.default_rng(0)))[:, 0]
    b = repaired.posterior(repaired.sample(labels, 1))[:, 0]
    assert abs(a.mean() - b.mean()) < 5 * math.hypot(a.std(), b.std()) / 200
    # one step is the unary encoding with odds e^(epsilon / 2)
    p = float(symmetric_unary_encoding(4, 2.0).p)
    np.testing.assert_allclose(AlibiOnGrid(4, 2.0, 1).coordinate.matrix.astype(float), [[p, 1 - p], [1 - p, p]])


def test_real_valued_noise_is_not_released():
    for mechanism in (Laplace(1.0), OriginalPM(1.0), Clipped(Laplace(1.0))):
        with pytest.raises(InvalidInputError, match="discretized"):
            mechanism.sample([0.5])
    with pytest.raises(InvalidInputError, match="discretized"):
        EveryCoordinate(OriginalPM, 2, 1.0).sample([[0.5, 0.5]])
    assert not hasattr(alibi(2, 1.0), "sample")


@pytest.mark.parametrize("name", PERTURBATIONS)
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 30.0])
def test_releasable_mechanisms_keep_their_level_exactly_and_stay_near(name, epsilon):
    mechanism = releasable(name, 10, epsilon)
    assert mechanism.channel.is_exact
    assert mechanism.channel.ratio <= PrivacyLevel.from_epsilon(epsilon).ratio_below
    true = np.array([-1.0, 0.0, 0.4])
    mean = mechanism.distribution(true) @ mechanism.outputs
    spread = np.sqrt(mechanism.distribution(true) @ mechanism.outputs**2 - mean**2)
    drawn = mechanism.sample(np.tile(true, (4000, 1)), 5)
    assert np.all(abs(drawn.mean(axis=0) - mean) <= 6 * spread / math.sqrt(4000) + 1e-12)
    if name in ("Laplace", "PM"):  # without bias but for the grids
        assert np.all(abs(mean - true) < 0.02 * (1 + spread))


def test_discretized_mechanisms_need_a_finite_level():
    with pytest.raises(InvalidInputError, match="finite level"):
        discretized(Gaussian(1.0))
    with pytest.raises(InvalidInputError, match="cells"):
        discretized(Laplace(1.0), cells=1)
    with pytest.raises(LabelError, match="mechanism"):
        releasable("nobody", 10, 1.0)
    with pytest.raises(PrivacyLevelError):
        AlibiOnGrid(2, 0.0)


@pytest.mark.parametrize("epsilon", [1e-6, 0.7, 5.0, 100.0, PrivacyLevel.from_ratio(4), PrivacyLevel.from_ratio(3)])
def test_exact_encodings_keep_their_level_exactly(epsilon):
    level = epsilon if isinstance(epsilon, PrivacyLevel) else PrivacyLevel.from_epsilon(epsilon)
    encoding = symmetric_unary_encoding(3, level)
    exact = encoding.exact(level)
    assert exact.odds_present * exact.odds_absent <= level.ratio_below
    # 2^61 bounds the odds, which cuts levels above 2 * 61 ln 2 = 84.6
    assert exact.epsilon == pytest.approx(min(level.epsilon, 2 * 61 * math.log(2)), rel=1e-9)
    assert exact.exact(level) is exact

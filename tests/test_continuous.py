"""Continuous mechanisms and k-RR on a grid: densities integrate, formulas agree, levels are tight, bad input is typed."""

import itertools
import math
import warnings
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from lpmech import Channel, PrivacyLevel
from lpmech.errors import ChannelError, InvalidInputError, LabelError, PrivacyLevelError
from lpmech.mechanisms import (
    PM,
    SW,
    Clipped,
    Gaussian,
    Laplace,
    OriginalPM,
    OriginalSW,
    PrivacyIndicator,
    Rescaled,
    RPWithPrior,
    TruncatedLaplace,
    even_grid,
    exponential_on_grid,
    indicator_channel,
    k_rr,
    k_rr_on_bins,
)
from lpmech.mechanisms.gaussian import analytic_scale, approximate_delta, extended_scale, pac_delta, pac_scale
from lpmech.mechanisms.grid import GridMechanism
from lpmech.mechanisms.grid_concentration import (
    best_worst_case_concentration,
    exponential_concentration,
    k_rr_concentration,
)
from lpmech.mechanisms.privacy_indicator import approximate_delta_of, pac_delta_of
from lpmech.mechanisms.square_wave import half_width

F = Fraction
FAMILIES = {
    "Laplace": Laplace,
    "Laplace on [-2, 3]": lambda e: Laplace(e, (-2, 3)),
    "truncated Laplace": TruncatedLaplace,
    "truncated Laplace on [-2, 3]": lambda e: TruncatedLaplace(e, (-2, 3)),
    "clipped Laplace": lambda e: Clipped(Laplace(e)),
    "clipped Laplace on [-2, 3]": lambda e: Clipped(Laplace(e, (-2, 3))),
    "Gaussian": lambda e: Gaussian(extended_scale(e, 0.1)),
    "clipped Gaussian": lambda e: Clipped(Gaussian(pac_scale(e, 0.1))),
    "clipped Gaussian on [-1, 4]": lambda e: Clipped(Gaussian(5 * pac_scale(e, 0.1), (-1, 4))),
    "PM": PM,
    "PM as published": OriginalPM,
    "SW": SW,
    "SW as published": OriginalSW,
    "indicator": lambda e: PrivacyIndicator(PM(e), 0.2),
    "indicator of PM as published": lambda e: PrivacyIndicator(OriginalPM(e), 0.1),
    "indicator of Laplace": lambda e: PrivacyIndicator(Laplace(e), 0.05),
    "indicator of clipped": lambda e: PrivacyIndicator(Clipped(Laplace(e)), 0.3),
}
every_family = pytest.mark.parametrize("make", FAMILIES.values(), ids=FAMILIES)


def at(mechanism, share):
    """A true value: this share of the domain."""
    low, high = mechanism.domain
    return low + share * (high - low)


def atoms(mechanism, x):
    """Released values with positive probability."""
    ends = list(mechanism.domain)
    if isinstance(mechanism, Clipped):
        return ends
    if isinstance(mechanism, PrivacyIndicator):
        return [x, *(ends if isinstance(mechanism.mechanism, Clipped) else [])]
    return []


def integrated(mechanism, a, b, x):
    """Pr[a <= released <= b] by numerical integration of the density plus the atoms in between."""
    low, high = max(a, mechanism.support[0], -500.0), min(b, mechanism.support[1], 500.0)
    inner = getattr(mechanism, "mechanism", mechanism)
    kinks = [x, *mechanism.domain, *(np.ravel(inner.window(x)) if hasattr(inner, "window") else [])]
    cuts = [low, *sorted(k for k in map(float, kinks) if low < k < high), high] if low < high else []
    pieces = [
        integrate.quad(lambda y: float(mechanism.pdf(y, x)), *sorted(pair), limit=200)[0] for pair in pairwise(cuts)
    ]
    jumps = [
        mechanism.cdf(p, x) - mechanism.cdf(np.nextafter(p, -np.inf), x) for p in dict.fromkeys(atoms(mechanism, x))
    ]
    return sum(pieces) + sum(
        float(j) for p, j in zip(dict.fromkeys(atoms(mechanism, x)), jumps, strict=True) if a <= p <= b
    )


@every_family
@pytest.mark.parametrize("epsilon", [0.4, 2.0, 7.0])
@pytest.mark.parametrize("share", [0.0, 0.07, 0.5, 0.93, 1.0])
def test_mass_cdf_and_concentration_are_integrals_of_the_density(make, epsilon, share):
    # catches a missing branch: the ball inside the window, around it, across its end, across an end of the domain
    mechanism = make(epsilon)
    x = at(mechanism, share)
    span = mechanism.domain[1] - mechanism.domain[0]
    assert integrated(mechanism, -math.inf, math.inf, x) == pytest.approx(1, abs=1e-7)
    for radius in (0.02 * span, 0.2 * span, 0.6 * span, 1.5 * span):
        expected = integrated(mechanism, x - radius, x + radius, x)
        assert mechanism.concentration(x, radius) == pytest.approx(expected, abs=1e-7)
        assert mechanism.mass(x - radius, x + radius, x) == pytest.approx(expected, abs=1e-7)
    for y in (at(mechanism, place) for place in (-0.3, 0.0, 0.06, 0.35, 0.8, 1.0, 1.3)):
        assert mechanism.cdf(y, x) == pytest.approx(integrated(mechanism, -math.inf, y, x), abs=1e-7)


@every_family
@given(epsilon=st.floats(0.01, 20), share=st.floats(0, 1), u=st.floats(1e-6, 1 - 1e-6))
def test_the_quantile_inverts_the_cdf(make, epsilon, share, u):
    mechanism = make(epsilon)
    x = at(mechanism, share)
    y = float(mechanism.quantile(u, x))
    slack = 1e-9 * max(1.0, abs(y))
    assert mechanism.cdf(y + slack, x) >= u - 1e-9
    assert mechanism.cdf(y - slack, x) <= u + 1e-9


@every_family
@pytest.mark.parametrize("epsilon", [1e-4, 1.0, 30.0, 300.0])
def test_quantiles_of_zero_and_one(make, epsilon):
    """The ends of the support, or where the cdf rounds to 0 or 1; catches a numpy warning, or a value outside the support."""
    mechanism = make(epsilon)
    low, high = mechanism.support
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for share in (0.0, 0.3, 1.0):
            x = at(mechanism, share)
            first, last = mechanism.quantile([0.0, 1.0], x)
            assert low <= first <= last <= high
            assert mechanism.cdf(np.nextafter(first, -np.inf), x) == pytest.approx(0, abs=1e-12)
            assert mechanism.cdf(last, x) == pytest.approx(1, abs=1e-12)
            assert mechanism.mass(-math.inf, math.inf, x) == pytest.approx(1)
            if epsilon <= 1:
                assert (first, last) == (low, pytest.approx(high, abs=1e-12))


def test_quantiles_of_truncated_laplace_keep_their_digits():
    # x = 1, epsilon = 30: below y lies (e^(30 y) - 1) / (e^30 - 1); u = 1 / (e^30 - 1) gives y = ln(2) / 30.
    # Catches the tail computed as one minus something next to one: no digit of u would be left
    assert TruncatedLaplace(30.0).quantile(1 / math.expm1(30), 1.0) == pytest.approx(math.log(2) / 30, rel=1e-12)
    # epsilon = 1e-6: nearly uniform; catches ln(1 + small) written as a logarithm of something next to one
    assert TruncatedLaplace(1e-6).quantile([0.25, 0.5, 0.9], 0.5) == pytest.approx([0.25, 0.5, 0.9], abs=1e-6)
    assert TruncatedLaplace(1e-6).quantile(0.5, 0.5) == pytest.approx(0.5, abs=1e-13)


@every_family
def test_samples_follow_the_cdf(make):
    # Kolmogorov-Smirnov on the probability transform would see atoms; compare the empirical cdf at points instead:
    # 20000 draws, standard error at most 0.0036, five of them allowed
    mechanism = make(1.5)
    for share in (0.1, 0.8):
        x = at(mechanism, share)
        drawn = mechanism.simulate(np.full(20_000, x), np.random.default_rng(7))
        for place in (0.0, 0.2, 0.5, 0.79, 0.81, 1.0):
            y = at(mechanism, place)
            assert np.mean(drawn <= y) == pytest.approx(float(mechanism.cdf(y, x)), abs=0.018)


# -- the tight level, by an adversary ---------------------------------------------------------------


def log_ratio(first, second):
    """ln(first / second); nothing is learnt from a set of probability zero."""
    with np.errstate(divide="ignore"):
        return np.where(first > 0, np.log(np.maximum(first, 1e-300)) - np.log(second), -math.inf)


def sets_of(mechanism, x, partner):
    """Sets [a, b] that could tell x from another true value: half-lines, atoms, intervals of every length."""
    low, high = (max(mechanism.support[0], -12.0), min(mechanism.support[1], 12.0))
    inner = getattr(mechanism, "mechanism", mechanism)
    corners = [low, high, *mechanism.domain, x, partner]
    if hasattr(inner, "window"):
        corners += [*np.ravel(inner.window(x)), *np.ravel(inner.window(partner))]
    places = np.unique([*np.linspace(low, high, 61), *corners])
    step = 1e-7 * (high - low)
    ends = [(-math.inf, y) for y in places] + [(y, math.inf) for y in places] + [(y, y) for y in places]
    ends += [(y, y + step) for y in places] + [(y - step, y) for y in places]
    ends += [(a, b) for a, b in itertools.combinations(places[::4], 2)]
    return np.array(ends).T


def worst_loss(mechanism, x, partner):
    """Largest ln(Pr[S | x] / Pr[S | partner]) over sets S; a union of sets has no more than its worst part."""
    low, high = sets_of(mechanism, x, partner)
    return float(log_ratio(mechanism.mass(low, high, x), mechanism.mass(low, high, partner)).max())


PURE = [name for name, make in FAMILIES.items() if math.isfinite(make(1.0).epsilon)]


@pytest.mark.parametrize("epsilon", [0.01, 0.4, 2.0, 7.0])
@pytest.mark.parametrize("name", PURE)
def test_the_level_is_attained_and_not_exceeded(name, epsilon):
    """Both directions, every pair of 13 true values, sets with and without atoms.

    Attained up to 1e-6 by the ends of the domain, whichever of them is the true value. Catches a level that is only a bound
    (one without the atoms, or taken from the densities alone), and a normalising constant that depends on the true value.
    """
    mechanism = FAMILIES[name](epsilon)
    low, high = mechanism.domain
    assert worst_loss(mechanism, low, high) == pytest.approx(mechanism.epsilon, abs=1e-6)
    assert worst_loss(mechanism, high, low) == pytest.approx(mechanism.epsilon, abs=1e-6)
    for x, partner in itertools.permutations(np.linspace(low, high, 13), 2):
        assert worst_loss(mechanism, x, partner) <= mechanism.epsilon + 1e-6


@pytest.mark.parametrize("name", PURE)
@settings(max_examples=50)
@given(epsilon=st.floats(0.01, 8), shares=st.tuples(*[st.floats(0, 1)] * 4))
def test_no_pair_and_no_interval_exceeds_the_level(name, epsilon, shares):
    """Pairs and ends of intervals that hypothesis chooses, and moves towards simpler ones when it finds a loss."""
    mechanism = FAMILIES[name](epsilon)
    x, partner = at(mechanism, shares[0]), at(mechanism, shares[1])
    low, high = max(mechanism.support[0], -12.0), min(mechanism.support[1], 12.0)
    a, b = sorted(low + share * (high - low) for share in shares[2:])
    first, second = mechanism.mass(a, b, x), mechanism.mass(a, b, partner)
    assert first <= math.exp(mechanism.epsilon) * second + 1e-12
    y = np.array([a, b])
    assert np.all(mechanism.pdf(y, x) <= math.exp(mechanism.epsilon) * mechanism.pdf(y, partner) * (1 + 1e-9))


@pytest.mark.parametrize("epsilon", [0.4, 2.0])
def test_infinite_levels_are_infinite(epsilon):
    """Half-lines far out for the Gaussian, the atom at the true value for the indicator, and both directions."""
    gaussian = Gaussian(extended_scale(epsilon, 0.1))
    far = gaussian.scale * np.arange(5, 36, 5)
    least = (far - 0.5) / gaussian.scale**2  # the loss at the point y, which grows with y: half-lines have more
    assert np.all(log_ratio(gaussian.mass(far, math.inf, 1), gaussian.mass(far, math.inf, 0)) > least)
    assert np.all(log_ratio(gaussian.mass(-math.inf, 1 - far, 0), gaussian.mass(-math.inf, 1 - far, 1)) > least)
    for name in FAMILIES:
        if name.startswith("indicator"):
            mechanism = FAMILIES[name](epsilon)
            x, partner = at(mechanism, 0.3), at(mechanism, 0.7)
            assert math.isinf(mechanism.epsilon)
            for one, other in ((x, partner), (partner, x)):
                assert mechanism.mass(one, one, one) == pytest.approx(mechanism.delta)
                assert mechanism.mass(one, one, other) == 0


GRIDS = {
    "k-RR": lambda e: k_rr((0, F(1, 3), F(1, 2), 1), e),
    "k-RR on one bin": lambda e: k_rr_on_bins(1, e),
    "k-RR on bins": lambda e: k_rr_on_bins(5, e),
    "exponential": lambda e: exponential_on_grid((-1, 0, F(1, 4), 2, 3), e),
    "exponential on an even grid": lambda e: exponential_on_grid(even_grid(6), e),
    "indicator channel": lambda e: GridMechanism(indicator_channel(k_rr(even_grid(3), e), 0.2)),
}


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 6.0])
@pytest.mark.parametrize("name", GRIDS)
def test_levels_on_grids_over_every_set_of_outputs(name, epsilon):
    """Every subset of the points, every pair of 41 true values, on points or between them.

    Catches a level read off the wrong channel, and a true value between two points that is released as neither.
    """
    mechanism = GRIDS[name](epsilon)
    points = [float(y) for y in mechanism.outputs]
    inputs = np.linspace(*mechanism.domain, 41)
    masses = np.array([mechanism.mass(y, y, inputs) for y in points])
    assert masses.sum(axis=0) == pytest.approx(1)
    subsets = np.array(list(itertools.product((0, 1), repeat=len(points))))[1:]
    of_sets = subsets @ masses
    worst = np.log(of_sets.max(axis=1) / of_sets.min(axis=1)).max()
    assert worst == pytest.approx(mechanism.epsilon, abs=1e-6)
    if name.startswith("k-RR"):
        assert mechanism.epsilon == pytest.approx(0.0 if len(points) == 1 else epsilon, abs=1e-9)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 6.0])
@pytest.mark.parametrize("interval", [(0.0, 1.0), (-3.0, 2.0), (0.0, 1e-3)])
def test_level_of_rp_with_prior_over_intervals(interval, epsilon):
    """True values inside the interval and outside it, where the output is uniform; catches a level for the inside alone."""
    mechanism = RPWithPrior(*interval, 0.2, epsilon)
    first, last = mechanism.support
    low, high = interval
    inputs = np.array([low - 1, high + 1, *np.linspace(low, high, 11)])
    cuts = np.unique(np.clip([*np.linspace(first, last, 200), *(inputs - 0.2), *(inputs + 0.2)], first, last))
    cuts = cuts[np.append(np.diff(cuts) > 1e-6 * (high - low), True)]  # ends that differ by rounding are one
    below = mechanism.cdf(cuts[:, None], inputs)
    masses = np.vstack([np.diff(below, axis=0), below[1:], 1 - below[:-1]])  # neighbouring cuts, and half-lines
    assert np.log(masses.max(axis=1) / masses.min(axis=1)).max() == pytest.approx(mechanism.epsilon, abs=1e-6)


@pytest.mark.parametrize("make", [PM, SW, OriginalPM, OriginalSW])
@given(epsilon=st.floats(1e-3, 40), share=st.sampled_from([0.0, 1.0]) | st.floats(0, 1))
def test_the_true_value_lies_in_its_window(make, epsilon, share):
    """Catches an end of the window that is the true value itself and rounds past it (PM as published, at -1)."""
    mechanism = make(epsilon)
    x = at(mechanism, share)
    assert mechanism.pdf(x, x) == mechanism.high


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("scale", [0.4, 1.0, 3.0])
def test_deltas_of_the_gaussian_by_integration(epsilon, scale):
    """Densities of the worst pair integrated: the mass where the loss exceeds epsilon, and the hockey stick."""
    near, far = stats.norm(1, scale).pdf, stats.norm(0, scale).pdf
    cut = 0.5 + epsilon * scale**2  # the loss at y is (y - 1/2) / scale^2
    end = cut + 40 * scale
    assert pac_delta(scale, epsilon) == pytest.approx(integrate.quad(near, cut, end, epsabs=1e-13)[0], rel=1e-6)
    stick = integrate.quad(lambda y: max(near(y) - math.exp(epsilon) * far(y), 0), cut, end, epsabs=1e-13)[0]
    assert approximate_delta(scale, epsilon) == pytest.approx(stick, rel=1e-6)
    sides = [(near(y), math.exp(epsilon) * far(y)) for y in (cut - 1e-6, cut + 1e-6)]
    assert sides[0][0] < sides[0][1]
    assert sides[1][0] > sides[1][1]


def coin_then_uniform(window, support, share, count, rng):
    """Uniform on the window with the probability `share`, else uniform on the rest of the support."""
    (left, right), (first, last) = window, support
    near = left + rng.random(count) * (right - left)
    place = first + rng.random(count) * (last - first - (right - left))
    rest = np.where(place < left, place, place + right - left)
    return np.where(rng.random(count) < share, near, rest)


@pytest.mark.parametrize("x", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_windows_against_the_algorithms_of_their_authors(epsilon, x):
    """PM by Wang et al.'s Alg. 2 and SW by Li et al.'s definition: a coin, then a uniform value, no cdf inverted.

    Two-sample Kolmogorov-Smirnov at 1e-6 with 60000 draws each, seeded: distances above 0.0155 are seen. Catches a coin
    that is off by 0.06 (shown), and a window whose place or width is typed wrongly.
    """
    s, t, n = math.exp(epsilon / 2), math.exp(epsilon), 60_000
    c, true = (s + 1) / (s - 1), 2 * x - 1
    left = (c + 1) / 2 * true - (c - 1) / 2
    b = (epsilon * t - t + 1) / (2 * t * (t - 1 - epsilon))
    cases = {
        OriginalPM: (true, (left, left + c - 1), (-c, c), s / (s + 1)),
        OriginalSW: (x, (x - b, x + b), (-b, 1 + b), 2 * b * t / (2 * b * t + 1)),
    }
    for make, (value, window, support, share) in cases.items():
        mechanism = make(epsilon)
        assert np.ravel(mechanism.window(value)) == pytest.approx(np.array(window))
        assert mechanism.support == pytest.approx(support)
        drawn = mechanism.simulate(np.full(n, value), np.random.default_rng(1))
        theirs = coin_then_uniform(window, support, share, n, np.random.default_rng(2))
        assert stats.ks_2samp(drawn, theirs, method="asymp").pvalue > 1e-6
        other = coin_then_uniform(window, support, share - 0.06, n, np.random.default_rng(3))
        assert stats.ks_2samp(drawn, other, method="asymp").pvalue < 1e-6


def test_windows_by_hand():
    # e^epsilon = 4: s = 2, C = 1/6. x = 0: window [0, 1/3], density 2, else 1/2. Ball of radius 1/3 clipped to [0, 1/3]: 2/3.
    pm = PM(PrivacyLevel.from_ratio(4))
    assert pm.concentration([0, 0.5, 0.5, 0], [1 / 3, 0.1, 0.5, 0.5]) == pytest.approx([2 / 3, 0.4, 1, 2 / 3 + 1 / 12])
    assert np.ravel(pm.window(0.05)) == pytest.approx([0, 1 / 3])
    # the published PM rescaled to [0, 1] has the same density and window length, but its window starts at (1 - 2C) x
    original = OriginalPM(PrivacyLevel.from_ratio(4))
    c = original.support[1]
    assert original.high * 2 * c == pytest.approx(pm.high)
    assert (original.window(-0.9)[0] + c) / (2 * c) == pytest.approx(0.05 * 2 / 3)


def test_the_published_pm_is_unbiased_and_sw_maximises_its_criterion():
    # E[output] = x for PM; Li et al.'s b at epsilon = 1: 1 / (2 e (e - 2)) = 0.2561
    pm = OriginalPM(1.3)
    for x in (-1.0, -0.3, 0.8):
        mean = integrate.quad(
            lambda y, x=x: y * float(pm.pdf(y, x)), *pm.support, points=np.ravel(pm.window(x)), limit=300
        )[0]
        assert mean == pytest.approx(x, abs=1e-6)
    assert OriginalSW(1.0).b == pytest.approx(1 / (2 * math.e * (math.e - 2)))


@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.9e-3, 1.1e-3, 0.5, 30, 500])
def test_sw_is_normalised_where_its_closed_form_cancels(epsilon):
    sw = SW(epsilon)
    assert sw.cdf(1.0, 0.3) == pytest.approx(1, rel=1e-6)


def test_sw_is_as_wide_as_its_series_says_where_its_closed_form_cancels():
    # half the width is 1/4 - epsilon/12 + O(epsilon^2); the closed form, 0/0 at 0, has no digit left at 1e-9
    for e in (1e-3 - 1e-12, 1e-5, 1e-7, 1e-9):
        assert half_width(PrivacyLevel.from_epsilon(e)) == pytest.approx(0.25 - e / 12, abs=e * e)


def test_a_clipped_mechanism_has_no_density_beyond_its_domain():
    mechanism = Clipped(Laplace(1.0, (-2, 3)))
    assert mechanism.pdf([-2.5, -2, 3, 3.5], 0.5) == pytest.approx([0, 0, 0, 0])
    assert mechanism.pdf([-1.5, 2.5], 0.5) == pytest.approx(mechanism.mechanism.pdf([-1.5, 2.5], 0.5))


@given(epsilon=st.floats(0.05, 12), delta=st.floats(1e-9, 0.9))
def test_scales_are_the_smallest_for_their_notion(epsilon, delta):
    # catches a two-sided quantile in pac_scale, or a root of the wrong equation in analytic_scale
    assert pac_delta(pac_scale(epsilon, delta), epsilon) == pytest.approx(delta, rel=1e-6)
    assert approximate_delta(analytic_scale(epsilon, delta), epsilon) == pytest.approx(delta, rel=1e-5)
    assert analytic_scale(epsilon, delta) <= pac_scale(epsilon, delta) * (1 + 1e-9)
    assert pac_scale(epsilon, delta) < extended_scale(epsilon, delta)


def test_analytic_scale_against_published_values():
    # Balle and Wang's own code, sensitivity 1: epsilon = 1, delta = 1e-5 gives 3.7304
    assert analytic_scale(1.0, 1e-5) == pytest.approx(3.7304, abs=2e-3)


def test_clipped_gaussian_is_purely_private():
    # atoms: ln(Pr[Z <= 0] / Pr[Z <= -1]) for scale 1
    assert Clipped(Gaussian(1.0)).epsilon == pytest.approx(math.log(0.5 / stats.norm.cdf(-1)))


@pytest.mark.parametrize("size", [2, 5, 101])
def test_grid_concentration_counts_points_on_the_boundary(size):
    # 0.5 - 0.3 and 0.5 + 0.3 round to different sides of 0.2 and 0.8: all 61 of 101 points must be found
    points, level = even_grid(size), PrivacyLevel.from_ratio(7)
    mechanism, smooth = k_rr(points, level), exponential_on_grid(points, level)
    assert smooth.epsilon <= level.epsilon
    for index in range(0, size, max(1, size // 7)):
        for steps in range(size):
            x, r = index / (size - 1), steps / (size - 1)
            inside = sum(abs(p - points[index]) <= F(steps, size - 1) for p in points)
            assert mechanism.concentration(x, r) == pytest.approx(float(k_rr_concentration(inside, size, level)))
            assert smooth.concentration(x, r) == pytest.approx(exponential_concentration(index, steps, size, level))


def test_grid_cdf_quantile_and_samples():
    mechanism = k_rr((0, F(1, 2), 1), PrivacyLevel.from_ratio(2))  # row of 0.6: 1/4, 1/2, 1/4
    assert mechanism.cdf([-0.1, 0, 0.49, 0.5, 2], 0.6) == pytest.approx([0, 0.25, 0.25, 0.75, 1])
    assert mechanism.quantile([0, 0.25, 0.26, 0.75, 0.76, 1], 0.6) == pytest.approx([0, 0, 0.5, 0.5, 1, 1])
    assert mechanism.mass(0, 0.5, 0.6) == pytest.approx(0.75)
    drawn = mechanism.simulate(np.full((50, 200), 0.6), np.random.default_rng(1))
    assert drawn.shape == (50, 200)
    assert np.mean(drawn == 0.5) == pytest.approx(0.5, abs=0.025)  # five standard errors


@given(bins=st.integers(1, 9), epsilon=st.floats(0.1, 8), share=st.floats(0, 1))
def test_bins_reach_the_worst_case_bound_everywhere(bins, epsilon, share):
    radius = F(1, 2 * bins)
    value = k_rr_on_bins(bins, epsilon).concentration(share, float(radius))
    bound = best_worst_case_concentration(radius, epsilon)
    assert value >= bound - 1e-12


@pytest.mark.parametrize("make", [PM, SW, TruncatedLaplace, lambda e: Clipped(Laplace(e))])
@pytest.mark.parametrize("radius", [0.05, 0.1, 0.17, 0.25, 0.3, 0.49])
def test_no_mechanism_exceeds_the_worst_case_bound(make, radius):
    # catches a bound that is too small: the published mechanisms' own minimum over x
    for epsilon in (0.5, 2.0, 6.0):
        lowest = make(epsilon).concentration(np.linspace(0, 1, 201), radius).min()
        assert lowest <= best_worst_case_concentration(radius, epsilon) + 1e-12


def test_indicator_channel_and_its_two_deltas():
    # k-RR on two points, t = 3, delta = 1/5: diagonal 4/5 * 3/4 + 1/5 = 4/5; ratio 4 > 3, so the loss exceeds ln 3
    # with probability 4/5; the hockey stick is 4/5 - 3 * 1/5 = 1/5
    level = PrivacyLevel.from_ratio(3)
    channel = indicator_channel(k_rr((0, 1), level), F(1, 5))
    assert channel.matrix[0, 0] == F(4, 5)
    assert pac_delta_of(channel, level) == F(4, 5)
    assert approximate_delta_of(channel, level) == F(1, 5)
    assert pac_delta_of(channel, PrivacyLevel.from_ratio(4)) == 0


REFUSING = FAMILIES | {
    "k-RR": lambda e: k_rr(even_grid(5), e),
    "exponential on a grid": lambda e: exponential_on_grid(even_grid(5), e),
    "rescaled PM": lambda e: Rescaled(PM(e), (-3, 4)),
}


@pytest.mark.parametrize("make", REFUSING.values(), ids=REFUSING)
def test_bad_input_is_a_typed_error(make):
    mechanism = make(1.0)
    low, high = mechanism.domain
    calls = [
        lambda: mechanism.concentration(high + 1, 0.1),
        lambda: mechanism.concentration(low, -0.1),
        lambda: mechanism.concentration(low, math.inf),
        lambda: mechanism.concentration(low, "0.1"),
        lambda: mechanism.mass(0.6, 0.4, low),
        lambda: mechanism.mass(math.nan, 0.4, low),
        lambda: mechanism.quantile(1.5, low),
        lambda: mechanism.cdf("x", low),
        lambda: mechanism.cdf(0.5, [low, None]),
        lambda: mechanism.simulate([1j], np.random.default_rng(0)),
        lambda: mechanism.simulate([low], 0),  # a seed is no generator
        lambda: mechanism.simulate([low], None),
        lambda: mechanism.cdf([0.1, 0.2, 0.3], [low, low]),  # shapes that do not broadcast
        lambda: mechanism.mass([0.1, 0.2, 0.3], 0.5, [low, low]),
        lambda: mechanism.mass([0.1, 0.2, 0.3], [0.4, 0.5], low),
        lambda: mechanism.quantile([0.1, 0.2, 0.3], [low, low]),
        lambda: mechanism.concentration([low, low], [0.1, 0.2, 0.3]),
        lambda: mechanism.cdf(np.array(["0.3"], dtype=object), low),  # float() would take text, dates and truth values
        lambda: mechanism.cdf(np.array(["1970-01-01"], dtype="datetime64[D]"), low),
        lambda: mechanism.cdf(np.array([True], dtype=object), low),
    ]
    for call in calls:
        with pytest.raises(InvalidInputError):
            call()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: Laplace(0), PrivacyLevelError),
        (lambda: Laplace(1, (1, 0)), InvalidInputError),
        (lambda: Laplace(1, 3), InvalidInputError),
        (lambda: Gaussian(-1), InvalidInputError),
        (lambda: Gaussian(1, (0, math.inf)), InvalidInputError),
        (lambda: extended_scale(1, 0), PrivacyLevelError),
        (lambda: pac_scale(1, 1), PrivacyLevelError),
        (lambda: analytic_scale(1, "0.1"), PrivacyLevelError),
        (lambda: Clipped(PM(1)), InvalidInputError),
        (lambda: PrivacyIndicator(PM(1), 1.5), PrivacyLevelError),
        (lambda: PrivacyIndicator("PM", 0.5), LabelError),
        (lambda: indicator_channel(Channel([[1, 0]]), F(1, 2)), ChannelError),
        (lambda: k_rr((1, 0), 1), InvalidInputError),
        (lambda: k_rr(("a", "b"), 1), InvalidInputError),
        (lambda: k_rr((0, 1), 1).concentration(2, 0.1), InvalidInputError),
        (lambda: k_rr((0, 1), 1).concentration(1, -0.1), InvalidInputError),
        (lambda: k_rr((0, 1), 1).mass(1, 0, 0), InvalidInputError),
        (lambda: k_rr((0, 1), 1).quantile(-1, 0), InvalidInputError),
        (lambda: GridMechanism(Channel([[1]]), (1, 1)), InvalidInputError),
        (lambda: GridMechanism("channel"), ChannelError),
        (lambda: GridMechanism(Channel([[1, 0], [0, 1]]), (0, math.inf)), InvalidInputError),
        (lambda: GridMechanism(Channel([[1, 0], [0, 1]]), ("a", "b")), InvalidInputError),
        (lambda: GridMechanism(Channel([[1, 0], [0, 1]]), (0, 1, 2)), InvalidInputError),
        (lambda: k_rr(5, 1), InvalidInputError),
        (lambda: exponential_on_grid(5, 1), InvalidInputError),
        (lambda: indicator_channel("channel", 0.1), ChannelError),
        (lambda: pac_delta_of([[1, 0], [0, 1]], 1), ChannelError),
        (lambda: approximate_delta_of(None, 1), ChannelError),
        (lambda: Rescaled("PM", (0, 1)), InvalidInputError),
        (lambda: Rescaled(k_rr((0, 1), 1), (0, 1)), InvalidInputError),
        (lambda: even_grid(1), InvalidInputError),
        (lambda: k_rr_on_bins(0, 1), InvalidInputError),
        (lambda: k_rr_concentration(3, 2, 1), InvalidInputError),
        (lambda: exponential_concentration(2, 0, 2, 1), InvalidInputError),
        (lambda: best_worst_case_concentration(0, 1), InvalidInputError),
    ],
)
def test_bad_parameters_are_typed_errors(call, error):
    with pytest.raises(error):
        call()

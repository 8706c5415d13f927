"""Continuous mechanisms and k-RR on a grid: densities integrate, formulas agree, levels are tight, bad input is typed."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
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
    TruncatedLaplace,
    even_grid,
    exponential_on_grid,
    indicator_channel,
    k_rr,
    k_rr_on_bins,
)
from lpmech.mechanisms.gaussian import analytic_scale, approximate_delta, extended_scale, pac_delta, pac_scale
from lpmech.mechanisms.grid import (
    GridMechanism,
    best_worst_case_concentration,
    exponential_concentration,
    k_rr_concentration,
)
from lpmech.mechanisms.privacy_indicator import approximate_delta_of, pac_delta_of

F = Fraction
FAMILIES = {
    "Laplace": Laplace,
    "Laplace on [-2, 3]": lambda e: Laplace(e, (-2, 3)),
    "truncated Laplace": TruncatedLaplace,
    "clipped Laplace": lambda e: Clipped(Laplace(e)),
    "Gaussian": lambda e: Gaussian(extended_scale(e, 0.1)),
    "clipped Gaussian": lambda e: Clipped(Gaussian(pac_scale(e, 0.1))),
    "PM": PM,
    "PM as published": OriginalPM,
    "SW": SW,
    "SW as published": OriginalSW,
    "indicator": lambda e: PrivacyIndicator(PM(e), 0.2),
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
    for y in (at(mechanism, 0.0), at(mechanism, 0.35), at(mechanism, 1.0)):
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
def test_samples_follow_the_cdf(make):
    # Kolmogorov-Smirnov on the probability transform would see atoms; compare the empirical cdf at points instead:
    # 20000 draws, standard error at most 0.0036, five of them allowed
    mechanism = make(1.5)
    for share in (0.1, 0.8):
        x = at(mechanism, share)
        drawn = mechanism.sample(np.full(20_000, x), np.random.default_rng(7))
        for place in (0.0, 0.2, 0.5, 0.79, 0.81, 1.0):
            y = at(mechanism, place)
            assert np.mean(drawn <= y) == pytest.approx(float(mechanism.cdf(y, x)), abs=0.018)


@every_family
@pytest.mark.parametrize("epsilon", [0.4, 2.0, 7.0])
def test_the_level_is_tight(make, epsilon):
    """Search over pairs and outputs: no loss above the level, and one that comes close to it."""
    mechanism = make(epsilon)
    inputs = np.linspace(*mechanism.domain, 41)
    low, high = mechanism.support
    outputs = np.concatenate([np.linspace(max(low, -3), min(high, 3), 601), mechanism.domain])
    densities = mechanism.pdf(outputs[:, None], inputs)
    losses = [math.log(row.max() / row.min()) for row in densities if row.min() > 0]
    if isinstance(mechanism, Clipped):
        losses += [math.log(a.max() / a.min()) for a in mechanism.atoms(inputs)]
    if math.isinf(mechanism.epsilon):
        assert isinstance(mechanism, (Gaussian, PrivacyIndicator))
    else:
        assert max(losses) <= mechanism.epsilon + 1e-9
        assert max(losses) >= mechanism.epsilon - 0.02 * max(1.0, mechanism.epsilon)


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
    drawn = mechanism.sample(np.full((50, 200), 0.6), np.random.default_rng(1))
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


@pytest.mark.parametrize("make", FAMILIES.values(), ids=FAMILIES)
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
        lambda: mechanism.pdf("x", low),
        lambda: mechanism.cdf(0.5, [low, None]),
        lambda: mechanism.sample([1j], np.random.default_rng(0)),
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

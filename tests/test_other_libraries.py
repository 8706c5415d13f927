"""lpmech against diffprivlib and pure-ldp: their samplers and our cdfs, our samplers and theirs, parameters, estimates.

Every statistical test is a chi-square test at LEVEL, with fixed seeds: a right pair is rejected with probability 1e-6. Each
is also run on a mechanism that is wrong by a few per cent, or wrong in a way a person could get wrong, and must reject it.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from other_libraries import DEClient, DEServer, HEClient, UEClient, UEServer, diffprivlib, global_seed
from scipy import integrate, stats

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms import (
    Clipped,
    Gaussian,
    Laplace,
    TruncatedLaplace,
    UnaryEncoding,
    alibi,
    even_grid,
    exponential,
    exponential_on_grid,
    k_rr,
    optimal_unary_encoding,
    randomized_response,
    symmetric_unary_encoding,
)
from lpmech.mechanisms.exponential import sensitivity
from lpmech.mechanisms.gaussian import analytic_scale, approximate_delta
from lpmech.mechanisms.private_histogram import noisy_counts
from lpmech.utilities import absolute, hit

#: Probability with which a test rejects what is right.
LEVEL = 1e-6
#: Draws from another library, and from lpmech, which is quicker.
THEIRS, OURS = 60_000, 400_000


def edges_of(mechanism, x):
    """Ends of 20 cells of equal probability; an atom at an end of the domain is a cell of its own."""
    edges = mechanism.quantile(np.arange(1, 20) / 20, x)
    if isinstance(mechanism, Clipped):
        low, high = mechanism.domain
        edges = np.minimum([low, *edges], np.nextafter(high, low))
    return np.unique(edges)


def cell_counts(drawn, edges):
    """How many fall into (-inf, e1], (e1, e2], ..., (last, inf)."""
    return np.bincount(np.searchsorted(edges, drawn, side="left"), minlength=len(edges) + 1)


def fits(counts, probabilities):
    """Whether counts pass the chi-square test against a distribution."""
    return stats.chisquare(counts, counts.sum() * np.asarray(probabilities, dtype=float)).pvalue > LEVEL


def agree(first, second):
    """Whether two samples' counts pass the chi-square test of one common distribution."""
    return stats.chi2_contingency([first, second]).pvalue > LEVEL


def follows(drawn, mechanism, x):
    """Whether a sample fits the mechanism's cdf and quantile."""
    edges = edges_of(mechanism, x)
    return fits(cell_counts(drawn, edges), np.diff(np.concatenate([[0.0], mechanism.cdf(edges, x), [1.0]])))


def samples_agree(drawn, mechanism, x):
    """Whether a sample and the mechanism's own sampler agree."""
    edges = edges_of(mechanism, x)
    own = mechanism.simulate(np.full(OURS, x), np.random.default_rng(11))
    return agree(cell_counts(drawn, edges), cell_counts(own, edges))


def repeat(release, count=THEIRS):
    return np.array([release() for _ in range(count)])


# -- noise ------------------------------------------------------------------------------------------

WIDE = (-2.0, 3.0)
#: name: (theirs, ours, what a slip would give), each for the true value x
NOISE = {
    "Laplace": (
        diffprivlib.Laplace(epsilon=1.5, sensitivity=1, random_state=1), 0.3,
        Laplace(1.5),
        [Laplace(1.5 * 1.05), Laplace(1.5 / 1.05), Gaussian(math.sqrt(2) / 1.5)],  # the same variance
    ),
    "Laplace on [-2, 3]": (
        diffprivlib.Laplace(epsilon=0.7, sensitivity=5, random_state=2), 2.5,
        Laplace(0.7, WIDE),
        [Laplace(0.7 * 1.05, WIDE), Laplace(0.7 / 5, WIDE)],  # the second: a scale without the length of the domain
    ),
    "clipped Laplace": (  # "truncated" in diffprivlib, which moves what falls outside to the nearer end
        diffprivlib.LaplaceTruncated(epsilon=1.2, sensitivity=1, lower=0, upper=1, random_state=3), 0.25,
        Clipped(Laplace(1.2)),
        [Clipped(Laplace(1.2 * 1.1)), TruncatedLaplace(1.2)],
    ),
    "clipped Laplace on [-2, 3]": (
        diffprivlib.LaplaceTruncated(epsilon=4, sensitivity=5, lower=-2, upper=3, random_state=4), 2.9,
        Clipped(Laplace(4, WIDE)),
        [Clipped(Laplace(4 * 1.05, WIDE)), TruncatedLaplace(4, WIDE)],
    ),
    "truncated Laplace": (  # "bounded domain" in diffprivlib, which draws again until the value is inside
        diffprivlib.LaplaceBoundedDomain(epsilon=3, sensitivity=1, lower=0, upper=1, random_state=5), 0.2,
        TruncatedLaplace(3),
        [TruncatedLaplace(3 * 1.1), Clipped(Laplace(3))],
    ),
    "truncated Laplace on [-2, 3]": (
        diffprivlib.LaplaceBoundedDomain(epsilon=6, sensitivity=5, lower=-2, upper=3, random_state=6), -2.0,
        TruncatedLaplace(6, WIDE),
        [TruncatedLaplace(6 * 1.05, WIDE), TruncatedLaplace(6 / 1.05, WIDE)],
    ),
    "analytic Gaussian": (
        diffprivlib.GaussianAnalytic(epsilon=1, delta=0.05, sensitivity=1, random_state=7), 0.9,
        Gaussian(analytic_scale(1, 0.05)),
        [Gaussian(analytic_scale(1.05, 0.05)), Laplace(math.sqrt(2) / analytic_scale(1, 0.05))],
    ),
    "classical Gaussian": (  # Dwork and Roth's scale sqrt(2 ln(1.25 / delta)) / epsilon
        diffprivlib.Gaussian(epsilon=0.8, delta=0.01, sensitivity=1, random_state=8), 0.0,
        Gaussian(math.sqrt(2 * math.log(125)) / 0.8),
        [Gaussian(1.05 * math.sqrt(2 * math.log(125)) / 0.8)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOISE)
def test_noise_of_diffprivlib(name):
    """Their sample against our cdf, and against our sampler.

    Catches a scale that is off by 5% (10% where little of the noise is seen), the two kinds of truncation taken for one
    another, and a sampler that does not follow its own cdf.
    """
    theirs, x, ours, wrong = NOISE[name]
    drawn = repeat(lambda: theirs.randomise(x))
    assert follows(drawn, ours, x)
    assert samples_agree(drawn, ours, x)
    for mechanism in wrong:
        assert not follows(drawn, mechanism, x)
        assert not samples_agree(drawn, mechanism, x)


@pytest.mark.parametrize("epsilon", [0.3, 2.0, 9.0])
@pytest.mark.parametrize("x", [-2.0, -1.1, 2.4, 3.0])
@pytest.mark.parametrize(
    ("theirs", "make"),
    [(diffprivlib.LaplaceTruncated, lambda e: Clipped(Laplace(e, WIDE))), (diffprivlib.LaplaceBoundedDomain, lambda e: TruncatedLaplace(e, WIDE))],
    ids=["clipped", "truncated"],
)  # fmt: skip
def test_moments_of_bounded_noise_against_the_closed_forms_of_diffprivlib(theirs, make, epsilon, x):
    """Bias and variance from our cdf alone, E[Y] = high - integral of the cdf: no sampling, so a scale off by 1e-6 shows."""
    their = theirs(epsilon=epsilon, sensitivity=5, lower=-2, upper=3)
    mechanism, (low, high) = make(epsilon), WIDE
    below, above = ([low, x], [x, high])

    def integral(function):
        return sum(integrate.quad(function, *part, epsabs=1e-12)[0] for part in (below, above))

    mean = high - integral(lambda y: float(mechanism.cdf(y, x)))
    square = high**2 - integral(lambda y: 2 * y * float(mechanism.cdf(y, x)))
    assert mean - x == pytest.approx(their.bias(x), abs=1e-7)
    assert square - mean**2 == pytest.approx(their.variance(x), rel=1e-7)


def test_where_bounded_domain_and_truncated_laplace_differ():
    """For neighbours nearer than the ends of the domain diffprivlib inflates the scale; our densities say it must.

    Over pairs at distance 1/4 our density with their scale has loss 2 exactly; with the scale 1/4 / 2 it has more. Catches a
    normalising constant that is forgotten: without it the plain scale would do.
    """
    their = diffprivlib.LaplaceBoundedDomain(epsilon=2, sensitivity=0.25, lower=0, upper=1)

    def loss(scale):
        mechanism = TruncatedLaplace(1 / scale)
        x, y = np.linspace(0, 0.75, 301), np.linspace(0, 1, 401)[:, None]
        return float(np.abs(np.log(mechanism.pdf(y, x) / mechanism.pdf(y, x + 0.25))).max())

    assert loss(0.25 / their.effective_epsilon()) == pytest.approx(2, abs=1e-9)
    assert their.effective_epsilon() < 2
    assert loss(0.25 / 2) > 2.2
    whole = diffprivlib.LaplaceBoundedDomain(epsilon=2, sensitivity=1, lower=0, upper=1)
    assert whole.effective_epsilon() == pytest.approx(2)  # neighbours at the ends: nothing to inflate


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 3.0, 8.0])
@pytest.mark.parametrize("delta", [1e-6, 1e-3, 0.1, 0.6])
def test_analytic_gaussian_scale(epsilon, delta):
    """The same root found by two parametrisations; catches a wrong sign in either tail (b_plus taken for b_minus)."""
    their = math.sqrt(diffprivlib.GaussianAnalytic(epsilon=epsilon, delta=delta, sensitivity=1).variance(0))
    assert analytic_scale(epsilon, delta) == pytest.approx(their, rel=1e-7)
    if epsilon <= 1:
        classical = math.sqrt(diffprivlib.Gaussian(epsilon=epsilon, delta=delta, sensitivity=1).variance(0))
        assert classical > their
        assert approximate_delta(classical, epsilon) < delta


def test_private_histogram_is_clipped_geometric_noise_of_sensitivity_two():
    """noisy_counts against GeometricTruncated on 0, 1, ... with sensitivity 2; catches sensitivity 1 and counts not clipped.

    (diffprivlib's own histogram has sensitivity 1: neighbours there have an example more or less.)
    """
    theirs = diffprivlib.GeometricTruncated(epsilon=1.0, sensitivity=2, lower=0, upper=10**6, random_state=9)
    drawn = np.bincount(np.minimum(repeat(lambda: theirs.randomise(3)), 12), minlength=13)

    def ours(epsilon):
        counts = noisy_counts(np.repeat(np.arange(OURS // 4), 3), range(OURS // 4), epsilon, np.random.default_rng(2))
        return np.bincount(np.minimum(counts, 12), minlength=13)

    assert agree(drawn, ours(1.0))
    assert not agree(drawn, ours(1.06))
    assert not agree(drawn, ours(2.0))


def test_alibi_is_histogram_encoding():
    """One coordinate at the label and one elsewhere; catches the scale 1/epsilon, and noise on the label alone."""
    epsilon, size = 1.0, 3
    with global_seed(4):
        client = HEClient(epsilon, size, index_mapper=lambda label: label)
        theirs = np.array([client.privatise(1) for _ in range(THEIRS)])

    def ours(level):
        return alibi(size, level).simulate(np.ones(OURS, dtype=int), np.random.default_rng(3))

    for j in range(size):
        noise = stats.laplace(loc=float(j == 1), scale=alibi(size, epsilon).scale)
        edges = noise.ppf(np.arange(1, 20) / 20)
        counts = cell_counts(theirs[:, j], edges)
        assert fits(counts, np.full(20, 0.05))
        assert agree(counts, cell_counts(ours(epsilon)[:, j], edges))
        assert not agree(counts, cell_counts(ours(epsilon * 1.05)[:, j], edges))
    assert np.abs(np.corrcoef(theirs.T) - np.corrcoef(ours(epsilon).T)).max() < 0.03  # five standard errors are 0.022


# -- finite alphabets -------------------------------------------------------------------------------


def released_counts(channel, row, seed=6):
    return np.bincount(
        Channel(channel.matrix).exact(channel.epsilon).sample(np.full(OURS, row), np.random.default_rng(seed)),
        minlength=len(channel.outputs),
    )


SCORES = np.array([[5, 0, 2, 1], [0, 4, 4, 1], [1, 1, 0, 6]])


@pytest.mark.parametrize("row", range(3))
def test_exponential_mechanism_on_any_score(row):
    """diffprivlib selects among candidates by the scores of one row; its sensitivity is ours, the range of a column.

    Catches the missing factor 2, a sensitivity taken along rows (6 instead of 5 here), a score with the wrong sign.
    """
    assert sensitivity(SCORES) == 5
    theirs = diffprivlib.Exponential(epsilon=6.0, sensitivity=5, utility=SCORES[row].tolist(), random_state=10 + row)
    counts = np.bincount(repeat(theirs.randomise), minlength=4)
    channel = exponential(SCORES, 6.0)
    assert fits(counts, channel.matrix[row])
    assert agree(counts, released_counts(channel, row))
    for wrong in (exponential(SCORES, 6.0 * 1.1), exponential(SCORES, 12.0), exponential(-SCORES, 6.0)):
        assert not fits(counts, wrong.matrix[row])
        assert not agree(counts, released_counts(wrong, row))


def test_exponential_mechanism_on_a_grid():
    """zheng2025 Def. 13 with the sign that favours near points; catches the printed sign, and D taken as the step."""
    grid, x = even_grid(9), 0.25
    distances = [abs(float(point) - x) for point in grid]
    theirs = diffprivlib.Exponential(epsilon=8.0, sensitivity=1, utility=[-d for d in distances], random_state=14)
    counts = np.bincount(repeat(theirs.randomise), minlength=9)

    def masses(mechanism):
        return [float(mechanism.mass(point, point, x)) for point in map(float, grid)]

    assert fits(counts, masses(exponential_on_grid(grid, 8.0)))
    drawn = exponential_on_grid(grid, 8.0).exact(8.0).sample(np.full(OURS, x), np.random.default_rng(15))
    assert agree(counts, np.bincount(np.rint(8 * drawn).astype(int), minlength=9))
    assert not fits(counts, masses(exponential_on_grid(grid, 8.0 * 1.05)))
    printed = exponential(-absolute(9), 8.0).matrix[2]
    assert not fits(counts, printed)


def test_exponential_mechanism_of_categories():
    """The two rules of ExponentialCategorical: e^(-epsilon d / 2 Delta) in general, without the 2 if all rows weigh the same.

    Rows of |i - j| weigh differently, and it is our mechanism; for the hit rate they weigh the same, and it is k-RR. Catches
    a factor 2 in either (ours at epsilon is k-RR at epsilon / 2, see test_exponential.py).
    """
    names = "abcd"
    line = [(names[i], names[j], float(abs(i - j))) for i in range(4) for j in range(4)]
    theirs = diffprivlib.ExponentialCategorical(epsilon=4.0, utility_list=line, random_state=16)
    counts = np.bincount([names.index(theirs.randomise("b")) for _ in range(THEIRS)], minlength=4)
    assert fits(counts, exponential(absolute(4), 4.0).matrix[1])
    assert not fits(counts, exponential(absolute(4), 4.0 * 1.1).matrix[1])
    flat = diffprivlib.ExponentialHierarchical(epsilon=1.5, hierarchy=list(names), random_state=17)
    counts = np.bincount([names.index(flat.randomise("b")) for _ in range(THEIRS)], minlength=4)
    assert fits(counts, randomized_response(4, 1.5).matrix[1])
    assert not fits(counts, randomized_response(4, 1.5 * 1.05).matrix[1])
    assert not fits(counts, exponential(hit(4), 1.5).matrix[1])


@pytest.mark.parametrize(("size", "epsilon"), [(2, 0.8), (5, 1.0), (12, 3.0)])
def test_direct_encoding_is_randomized_response(size, epsilon):
    """p, q, the sample, and the estimated counts of one and the same set of reports.

    Catches 1/(t + K) for 1/(t + K - 1), a lie drawn from all K labels instead of the K - 1 others, and a decoder that is not
    the inverse.
    """
    channel = randomized_response(size, epsilon)
    client, server = (make(epsilon, size, index_mapper=lambda label: label) for make in (DEClient, DEServer))
    assert channel.matrix[0, 0] == pytest.approx(client.p, rel=1e-12)
    assert channel.matrix[0, 1] == pytest.approx(client.q, rel=1e-12)
    for label in (0, size - 1):  # pure-ldp redirects a lie that would be the truth to the last label
        with global_seed(label):
            reports = np.array([client.privatise(label) for _ in range(THEIRS)])
        counts = np.bincount(reports, minlength=size)
        assert fits(counts, channel.matrix[label])
        assert agree(counts, released_counts(channel, label))
        t = math.exp(epsilon)
        lie_from_all = np.full(size, (1 - t / (t + size - 1)) / size)
        lie_from_all[label] += t / (t + size - 1)
        for wrong in (randomized_response(size, epsilon * 1.06).matrix[label], lie_from_all):
            assert not fits(counts, wrong)
    server.aggregate_all(reports.tolist())
    estimates = [server.estimate(j, suppress_warnings=True) for j in range(size)]
    np.testing.assert_allclose(channel.estimate_counts(reports), estimates, rtol=1e-9, atol=1e-6)


def test_binary_mechanism_and_points():
    """diffprivlib's Binary, and k-RR on two points of an interval; catches the odds e^(epsilon / 2)."""
    theirs = diffprivlib.Binary(epsilon=1.1, value0="0", value1="1", random_state=18)
    counts = np.bincount(repeat(lambda: int(theirs.randomise("1"))), minlength=2)
    mechanism = k_rr((0, 1), 1.1)
    assert fits(counts, [float(mechanism.mass(0, 0, 0.9)), float(mechanism.mass(1, 1, 0.9))])
    assert not fits(counts, randomized_response(2, 1.1 * 1.1).matrix[1])
    assert not fits(counts, randomized_response(2, 1.1 / 2).matrix[1])


ENCODINGS = {"SUE": (symmetric_unary_encoding, False), "OUE": (optimal_unary_encoding, True)}


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("name", ENCODINGS)
def test_unary_encodings_have_the_parameters_of_pure_ldp(name, epsilon):
    """p and q of SUE and OUE; catches odds e^epsilon for e^(epsilon/2), or OUE's q = 1 / (1 + e^(epsilon/2))."""
    make, optimal = ENCODINGS[name]
    client, encoding = UEClient(epsilon, 4, use_oue=optimal), make(4, epsilon)
    assert (encoding.p, encoding.q) == (pytest.approx(client.p, rel=1e-12), pytest.approx(client.q, rel=1e-12))


@pytest.mark.parametrize("name", ENCODINGS)
def test_unary_encodings_release_and_decode_like_pure_ldp(name):
    """All 8 vectors of 3 bits, and the estimated counts of one set of reports.

    Catches dependent bits, p and q exchanged, an epsilon that is off by 10%, and a decoding that is not (z - q) / (p - q).
    """
    make, optimal = ENCODINGS[name]
    size, epsilon, label = 3, 1.2, 1
    encoding = make(size, epsilon)
    client, server = (kind(epsilon, size, use_oue=optimal, index_mapper=lambda y: y) for kind in (UEClient, UEServer))
    with global_seed(5):
        reports = np.array([client.privatise(label) for _ in range(THEIRS)])
    code = [4, 2, 1]  # place of a vector among the channel's outputs, in the order of itertools.product
    assert encoding.channel().outputs == tuple(product((0, 1), repeat=size))
    counts = np.bincount(reports @ code, minlength=8)
    own = encoding.exact(epsilon).sample(np.full(OURS, label), np.random.default_rng(21))
    assert fits(counts, encoding.channel().matrix[label])
    assert agree(counts, np.bincount(own @ code, minlength=8))
    exchanged = UnaryEncoding(size, encoding.odds_absent, encoding.odds_present) if optimal else make(size, 2 * epsilon)

    def released(encoding):
        return encoding.exact(encoding.epsilon).sample(np.full(OURS, label), np.random.default_rng(22))

    for wrong in (make(size, epsilon * 1.1), exchanged):
        assert not fits(counts, wrong.channel().matrix[label])
        assert not agree(counts, np.bincount(released(wrong) @ code))
    server.aggregate_all(reports)
    estimates = [server.estimate(j, suppress_warnings=True) for j in range(size)]
    np.testing.assert_allclose(encoding.estimate_counts(reports), estimates, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("name", ENCODINGS)
def test_count_variance_is_that_of_the_estimates_of_pure_ldp(name):
    """Spread of 3000 estimates made with pure-ldp's client and server alone, 20 users each, all with label 0.

    For 3000 estimates the ratio of sample to true variance has standard deviation sqrt(2/2999) = 0.026 for normal ones, so
    five are 13%. Catches the variance 4t/(t-1)^2 of a rare label of OUE used for the frequent one (at t = e^3: 42% less).
    """
    make, optimal = ENCODINGS[name]
    size, epsilon, users, runs = 2, 3.0, 20, 3000
    client = UEClient(epsilon, size, use_oue=optimal, index_mapper=lambda y: y)
    with global_seed(8):
        sums = np.array([[client.privatise(0) for _ in range(users)] for _ in range(runs)]).sum(axis=1)
    estimates = (sums - users * client.q) / (client.p - client.q)
    expected = make(size, epsilon).count_variance([users, 0]).astype(float)
    np.testing.assert_allclose(estimates.var(axis=0, ddof=1) / expected, 1, atol=0.13)
    np.testing.assert_allclose(estimates.mean(axis=0), [users, 0], atol=5 * math.sqrt(expected.max() / runs))
    if optimal:
        t = math.exp(epsilon)
        assert expected[1] == pytest.approx(users * 4 * t / (t - 1) ** 2)
        assert abs(estimates[:, 0].var(ddof=1) / expected[1] - 1) > 0.13


def test_exact_levels_draw_like_float_ones():
    """Integer arithmetic against pure-ldp's floats: SUE at e^epsilon = 4, where p = 2/3 and q = 1/3 exactly.

    Catches a numerator drawn one too low or too high: e^epsilon = 9/2 stands for it.
    """
    client = UEClient(math.log(4), 3, index_mapper=lambda y: y)
    with global_seed(9):
        counts = np.bincount([client.privatise(0) @ [4, 2, 1] for _ in range(THEIRS)], minlength=8)

    def ours(ratio):
        level = PrivacyLevel.from_ratio(ratio)
        encoding = symmetric_unary_encoding(3, level).exact(level)
        return np.bincount(encoding.sample(np.zeros(OURS, dtype=int), np.random.default_rng(23)) @ [4, 2, 1])

    assert agree(counts, ours(4))
    assert not agree(counts, ours(Fraction(9, 2)))

"""Numbers of [-c, c] and vectors of them: grids, rounding with and without bias, moments, SGD and trees (zhang2025 V)."""

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from commands import lpmech
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.exceptions import NotFittedError

from lpmech import Channel, PrivacyLevel
from lpmech.applications.learning.perturbed_comparison import compare_perturbations, score_once, scores
from lpmech.applications.learning.perturbed_sgd import LAPLACE_FOR_BATCHES, NO_NOISE, PerturbedSGDClassifier
from lpmech.applications.learning.perturbed_trees import LAPLACE_FOR_LEAVES, PerturbedBoostingRegressor
from lpmech.applications.numbers import ALWAYS_ZERO, OPTIMAL, number_errors
from lpmech.applications.vectors import EveryCoordinate
from lpmech.errors import InvalidInputError, LabelError, NotInvertibleError, PrivacyLevelError
from lpmech.mechanisms import (
    PM,
    SW,
    Clipped,
    Gaussian,
    GridMechanism,
    Laplace,
    OriginalPM,
    OriginalSW,
    Rescaled,
    StochasticRounding,
    TruncatedLaplace,
    bipartite_rr,
    bipartite_rr_on_grid,
    k_rr,
    randomized_response,
    symmetric_grid,
    unbiased_bipartite_rr,
)
from lpmech.mechanisms.bipartite_rr import common_m
from lpmech.mechanisms.continuous import WindowMechanism
from lpmech.mechanisms.moments import average_error, bias, expected_error
from lpmech.mechanisms.perturbation import PERTURBATIONS, laplace, leaf_sensitivity, releasable
from lpmech.utilities import absolute

pytestmark = [
    pytest.mark.usefixtures("own_ledger"),
    pytest.mark.filterwarnings("ignore:classes is not given"),  # but where a test asks for the warning
]

F = Fraction


# -- grids --------------------------------------------------------------------------------------------


def test_the_grid_has_2c_over_l_plus_1_points():
    # zhang2025 V.C; floats are decimals, so that 0.1 divides 2 although the float 0.1 does not
    assert symmetric_grid(F(1), F(1, 2)) == (F(-1), F(-1, 2), F(0), F(1, 2), F(1))
    assert len(symmetric_grid(1.0, 0.1)) == 21
    assert symmetric_grid(0.3, 0.2) == (F(-3, 10), F(-1, 10), F(1, 10), F(3, 10))


@pytest.mark.parametrize(
    ("clip", "step", "argument"),
    [
        (0, 1, "clip"),
        (-1, 1, "clip"),
        (math.nan, 1, "clip"),
        (1, 0, "step"),
        (1, 0.3, "step"),
        (1, 5, "step"),
        (1, 1e-9, "at most 1001 points"),  # two thousand million of them
        ("a", 1, "clip"),
    ],
)
def test_bad_grids_are_refused(clip, step, argument):
    with pytest.raises(InvalidInputError) as caught:
        symmetric_grid(clip, step)
    assert argument in str(caught.value)


def test_brr_on_a_grid_is_brr_for_distances_and_rounds_to_the_nearest_point():
    points = symmetric_grid(1, F(1, 4))
    mechanism = bipartite_rr_on_grid(points, PrivacyLevel.from_ratio(4))
    assert (mechanism.channel.matrix == bipartite_rr(absolute(9), PrivacyLevel.from_ratio(4)).matrix).all()
    assert mechanism.channel.ratio == 4  # the tight level, attained
    assert np.array_equal(mechanism.distribution(0.3), mechanism.distribution(0.25))
    assert not np.array_equal(mechanism.distribution(0.3), mechanism.distribution(0.5))
    with pytest.raises(InvalidInputError):
        mechanism.distribution(1.01)


@pytest.mark.parametrize("domain", [("a", "b"), (0, math.inf), (math.nan, 1), (1, 0), (1,), 3, (False, True)])
def test_bad_domains_of_a_grid_are_refused(domain):
    with pytest.raises(InvalidInputError, match="domain"):
        GridMechanism(k_rr([0, 1], 1.0).channel, domain)


# -- mechanisms carried to another interval --------------------------------------------------------------


@pytest.mark.parametrize(
    "own", [PM(1.5), SW(1.5), OriginalPM(0.7), OriginalSW(2), Clipped(Laplace(1.0)), Gaussian(1.0)]
)
@pytest.mark.parametrize("x", [-3.0, -1.3, 5.0])
def test_a_rescaled_mechanism_is_consistent(own, x):
    # cdf against the integral of the density between kinks, quantile against cdf, concentration against mass
    mechanism = Rescaled(own, (-3, 5))
    assert mechanism.epsilon == own.epsilon
    window = own.window(mechanism.inward(np.array(x))) if isinstance(own, WindowMechanism) else ()
    kinks = sorted({-2.9, x, 4.9, *(float(mechanism.outward(end)) for end in window)})
    for low, high in pairwise(kinks):
        area = integrate.quad(lambda y: float(mechanism.pdf(y, x)), low + 1e-9, high - 1e-9)[0]
        if mechanism.support[0] < low and high < mechanism.support[1]:
            assert area == pytest.approx(float(mechanism.cdf(high, x) - mechanism.cdf(low, x)), abs=1e-7)
    for u in (0.1, 0.5, 0.9):
        y = float(mechanism.quantile(u, x))
        assert float(mechanism.cdf(y, x)) >= u - 1e-9
        assert float(mechanism.cdf(y - 1e-6, x)) <= u + 1e-6
    ball = float(mechanism.mass(x - 1.7, x + 1.7, x))
    assert float(mechanism.concentration(x, 1.7)) == pytest.approx(ball, abs=1e-12)


# -- moments ------------------------------------------------------------------------------------------


def test_moments_of_laplace_noise():
    # scale b = 2 c / epsilon = 1/2: E|noise| = b, E noise^2 = 2 b^2, E|noise|^3 = 6 b^3
    mechanism = laplace(F(1, 2), 2.0)
    assert expected_error(mechanism, [-0.5, 0.1], 1) == pytest.approx([0.5, 0.5], rel=1e-9)
    assert expected_error(mechanism, 0.2, 2) == pytest.approx(0.5, rel=1e-9)
    assert expected_error(mechanism, 0.2, 3) == pytest.approx(0.75, rel=1e-9)
    assert bias(mechanism, [-0.5, 0.3]) == pytest.approx([0, 0], abs=1e-10)


def test_expected_error_of_clipped_laplace_noise():
    # int_0^d e^(-s/b)/2 ds on either side: b/2 (1 - e^(-d/b)) for the distance d to each end
    b, x = 2 / 3, 0.25
    expected = b / 2 * (2 - math.exp(-(1 - x) / b) - math.exp(-(1 + x) / b))
    assert float(expected_error(Clipped(laplace(1, 3.0)), x)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0, 9.0])
def test_moments_of_the_piecewise_mechanism(epsilon):
    # Wang et al. 2019: unbiased, variance x^2/(s - 1) + (s + 3)/(3 (s - 1)^2) with s = e^(epsilon/2)
    s = math.exp(epsilon / 2)
    for x in (-1.0, 0.0, 0.37):
        assert float(bias(OriginalPM(epsilon), x)) == pytest.approx(0, abs=1e-9)
        variance = x * x / (s - 1) + (s + 3) / (3 * (s - 1) ** 2)
        assert float(expected_error(OriginalPM(epsilon), x, 2)) == pytest.approx(variance, rel=1e-8)


@pytest.mark.parametrize("name", PERTURBATIONS)
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_moments_agree_with_samples(name, epsilon):
    # catches a wrong sampler or a wrong moment: six standard errors of 40,000 samples
    mechanism = PERTURBATIONS[name](F(2), F(1, 2), epsilon)
    x, rng = 1.3, np.random.default_rng(5)
    released = mechanism.simulate(np.full(40_000, x), rng)
    for power, of in ((None, released - x), (1, np.abs(released - x)), (2, (released - x) ** 2)):
        expected = bias(mechanism, x) if power is None else expected_error(mechanism, x, power)
        assert of.mean() == pytest.approx(float(expected), abs=6 * of.std() / 200)


def test_average_error_on_a_grid_is_exact():
    # two points, rounding to the nearer: for x in [0, 1] the error to 1 is 1 - x, to -1 is 1 + x; RR with t = 3:
    # 3/4 E(1 - x) + 1/4 E(1 + x) = 3/8 + 3/8; squares: 3/4 * 1/3 + 1/4 * 7/3 = 5/6
    mechanism = k_rr(symmetric_grid(1, 2), PrivacyLevel.from_ratio(3))
    assert average_error(mechanism) == pytest.approx(3 / 4, rel=1e-12)
    assert average_error(mechanism, 2) == pytest.approx(5 / 6, rel=1e-12)


def test_average_error_of_a_continuous_mechanism():
    # against a plain average over many true values
    mechanism = TruncatedLaplace(2.0, (-1, 1))
    x = np.linspace(-1, 1, 4001)
    middle = (x[1:] + x[:-1]) / 2
    assert average_error(mechanism) == pytest.approx(float(expected_error(mechanism, middle[::8]).mean()), rel=1e-4)


@pytest.mark.parametrize("power", [0, -1, math.inf, math.nan, True, "2"])
def test_bad_powers_are_refused(power):
    with pytest.raises(InvalidInputError, match="power"):
        expected_error(laplace(1, 1.0), 0.0, power)


@pytest.mark.parametrize("name", PERTURBATIONS)
@pytest.mark.parametrize("true", ["a", ["a"], None, math.nan, [[0.1], [0.1, 0.2]], 1.1, True])
def test_moments_of_what_is_no_number_of_the_domain_are_refused(name, true):
    with pytest.raises(InvalidInputError, match="true"):
        bias(PERTURBATIONS[name](1, 1, 1.0), true)


@pytest.mark.parametrize("clip", [0, -1, math.nan, "a", None, True])
def test_bad_bounds_of_laplace_noise_are_refused(clip):
    with pytest.raises(InvalidInputError, match="clip"):
        laplace(clip, 1.0)


# -- rounding at random ---------------------------------------------------------------------------------


@given(
    st.lists(st.integers(-20, 20), min_size=2, max_size=6, unique=True),
    st.floats(0.2, 6),
    st.floats(0, 1),
)
@settings(max_examples=60, deadline=None)
def test_stochastic_rounding_keeps_the_mean(points, epsilon, share):
    points = sorted(points)
    mechanism = StochasticRounding(randomized_response(points, epsilon))
    x = points[0] + share * (points[-1] - points[0])
    x = min(max(x, points[0]), points[-1])
    probabilities = mechanism.distribution(x)
    assert probabilities.sum() == pytest.approx(1)
    assert float(probabilities @ mechanism.outputs) == pytest.approx(x, abs=1e-7 * (1 + abs(mechanism.outputs).max()))


@pytest.mark.parametrize(("intervals", "epsilon"), list(product([1, 2, 4, 9, 10, 20], [0.5, 1.0, 3.0, 6.0])))
def test_unbiased_brr(intervals, epsilon):
    # the mean at 41 numbers; the level by search over all pairs of them; both ends in the domain
    points = symmetric_grid(1, F(2, intervals))
    mechanism = unbiased_bipartite_rr(points, epsilon)
    x = np.linspace(-1, 1, 41)
    probabilities = mechanism.distribution(x)
    assert probabilities @ mechanism.outputs == pytest.approx(x, abs=1e-8)
    ratios = probabilities[:, None, :] / probabilities[None, :, :]
    assert math.log(ratios.max()) == pytest.approx(mechanism.epsilon, rel=1e-9)
    assert mechanism.epsilon == pytest.approx(epsilon, rel=1e-9)
    assert bias(mechanism, x) == pytest.approx(np.zeros(41), abs=1e-8)


@pytest.mark.parametrize("points", [(0, 1, 2, 4, 5, 6), (0, 10, 10.1, 10.2, 20), (0, 1, 2, 30), (0, 1, 50, 51)])
@pytest.mark.parametrize("epsilon", [0.3, 1.5])
def test_unbiased_brr_on_uneven_points(points, epsilon):
    # inner points may share a window too: with m = 2, 4 and 5 have {4, 5}
    mechanism = unbiased_bipartite_rr(points, epsilon)
    x = np.linspace(points[0], points[-1], 41)
    assert mechanism.distribution(x) @ mechanism.outputs == pytest.approx(x, abs=1e-6)
    assert mechanism.domain == (points[0], points[-1])


@pytest.mark.parametrize("epsilon", [1e-5, 1e-7])
@pytest.mark.parametrize("name", ["BRR, unbiased", "RR, unbiased"])
def test_tiny_budgets_can_be_decoded(name, epsilon):
    # the rows are independent, but the condition number of rows @ rows.T is about 1e14 and more
    mechanism = PERTURBATIONS[name](1, F(1, 10), epsilon)
    deviation = float(expected_error(mechanism, 1, 2)) ** 0.5
    assert float(bias(mechanism, 1)) == pytest.approx(0, abs=1e-6 * deviation)


def test_rounding_to_the_nearest_point_is_biased_and_cannot_be_decoded():
    # m = 7 at epsilon = 1 on 21 points: the first rows of BRR are equal, so no numbers for the outputs give them two means
    points = symmetric_grid(1, F(1, 10))
    assert common_m(absolute(list(points)), 1.0) == 7
    mechanism = bipartite_rr_on_grid(points, 1.0)
    assert float(bias(mechanism, 1)) < -0.5
    with pytest.raises(NotInvertibleError):
        StochasticRounding(mechanism.channel)


def test_two_points_are_the_mechanism_of_duchi_and_others():
    # released: +-(t + 1)/(t - 1), plus with probability 1/2 + x (t - 1)/(2 (t + 1)); here t = 3
    mechanism = StochasticRounding(k_rr(symmetric_grid(1, 2), PrivacyLevel.from_ratio(3)).channel)
    assert mechanism.outputs == pytest.approx([-2, 2])
    assert mechanism.distribution(0.5) == pytest.approx([3 / 8, 5 / 8])


def test_a_rounded_number_is_released_by_its_law():
    # Pr[2] is 1/2 + x/4, see above; 4,000 draws lie within five standard deviations
    mechanism = StochasticRounding(k_rr(symmetric_grid(1, 2), PrivacyLevel.from_ratio(3)).channel).exact(math.log(3))
    for x in (-1.0, -0.5, 0.5, 1.0):
        probability = mechanism.distribution(x)[1]
        often = np.mean(mechanism.sample(np.full(4000, x), 7) > 0)
        assert abs(often - probability) < 5 * math.sqrt(probability * (1 - probability) / 4000)


@pytest.mark.parametrize("points", [(1, 0), (0, 2, 1), (0, 0)])
def test_points_out_of_order_are_refused(points):
    with pytest.raises(InvalidInputError, match=r"points: .*increasing order"):
        bipartite_rr_on_grid(points, 1.0)


def test_bad_input_to_stochastic_rounding():
    with pytest.raises(InvalidInputError, match="inputs"):
        StochasticRounding(Channel([[F(1, 2), F(1, 2)], [F(1, 3), F(2, 3)]], [1, 0]))
    with pytest.raises(InvalidInputError, match="domain"):
        StochasticRounding(randomized_response([0, 1], 1.0)).distribution(1.5)


# -- vectors --------------------------------------------------------------------------------------------


def test_the_level_of_a_vector_is_the_sum_over_coordinates():
    # the product channel of two coordinates has exactly this level
    both = EveryCoordinate(lambda e: bipartite_rr_on_grid(symmetric_grid(1, F(1, 2)), e), 2, 2.0)
    assert both.coordinate.epsilon == pytest.approx(1.0)
    rows = both.coordinate.channel.matrix
    product_channel = Channel((rows[:, :, None] * rows[:, None, :]).reshape(len(rows), -1))
    assert both.epsilon == pytest.approx(product_channel.epsilon)
    released = both.simulate([[0.1, -0.9]] * 5, np.random.default_rng(0))
    assert released.shape == (5, 2)
    assert set(np.unique(released)) <= {-1, -0.5, 0, 0.5, 1}


@pytest.mark.parametrize("vectors", [[0.1, 0.2], [[0.1]], [[0.1, 2.0]], [["a", 0.1]], [[math.nan, 0.1]]])
def test_bad_vectors_are_refused(vectors):
    with pytest.raises(InvalidInputError):
        EveryCoordinate(OriginalPM, 2, 1.0).simulate(vectors, np.random.default_rng(0))


def test_bad_dimensions_and_levels_are_refused():
    with pytest.raises(InvalidInputError, match="dimension"):
        EveryCoordinate(OriginalPM, 0, 1.0)
    with pytest.raises(PrivacyLevelError):
        EveryCoordinate(OriginalPM, 2, -1.0)


# -- the table --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.3, 1.5, 5.0])
def test_no_mechanism_on_the_points_beats_the_optimum(epsilon):
    rows = {row.mechanism: row for row in number_errors(1, F(1, 5), epsilon)}
    assert next(iter(rows)) == OPTIMAL
    # clipped noise and the like can be rounded to the points without loss on average or not; those on the points cannot win
    assert all(rows[name].loss_percent >= -1e-9 for name in ("BRR", "RR", "exponential", ALWAYS_ZERO))
    # 10/11 (1/5 + 2/5 + ... + 1) * 2 / 10 = 6/11: always releasing 0 on 11 points
    assert rows[ALWAYS_ZERO].on_points == pytest.approx(6 / 11)
    channel = bipartite_rr(absolute(list(symmetric_grid(1, F(1, 5)))), epsilon)
    exact = -channel.expected_utility(absolute(list(symmetric_grid(1, F(1, 5)))))
    assert rows["BRR"].on_points == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("clip", [F(1, 10**9), 1e-300, 1e9, 1e300])
def test_errors_are_proportional_to_the_range(clip):
    # catches programs, grids or moments whose rounding depends on the unit of the numbers
    unit, other = number_errors(1, F(1, 2), 1.0), number_errors(clip, F(str(float(clip))) / 2, 1.0)
    for one, scaled in zip(unit, other, strict=True):
        assert (one.mechanism, one.epsilon, one.loss_percent) == (scaled.mechanism, scaled.epsilon, scaled.loss_percent)
        for field in ("on_points", "anywhere", "root_mean_square", "bias"):
            assert getattr(scaled, field) == pytest.approx(float(clip) * getattr(one, field), rel=1e-12)


def test_the_bias_of_small_numbers_is_shown():
    # -7.45e-7 at c = 1e-6 and epsilon = 1, not -1e-6; that of Laplace noise is 0
    shown = lpmech("reproduce", "numbers", "--clip", "1e-6", "--step", "1e-7", "--epsilon", "1").stdout
    biases = {row[1].strip(): row[6].strip() for row in (line.split("│") for line in shown.splitlines()) if row[1:]}
    assert float(biases["BRR"]) == pytest.approx(-7.451e-7)
    assert biases["Laplace"] == biases["PM"] == biases["RR, unbiased"] == "0"


@pytest.mark.filterwarnings("error")
def test_brr_at_the_largest_level_and_range():
    # e^700 times the distances overflows; m = 1, as for every large level
    assert common_m(1e6 * absolute(20).astype(float), 700.0) == 1


def test_below_0_8_the_constant_is_better_than_brr_on_five_points_or_more():
    # zhang2025 'Section V.D (larger noise)' says so, and that on two points it is not
    for n, epsilon in product((2, 5, 6, 8, 12, 41), (0.05, 0.4, 0.8)):
        brr = -float(bipartite_rr(absolute(n), epsilon).expected_utility(absolute(n)))
        constant = float(np.abs(np.arange(n) - (n - 1) / 2).mean())
        assert (constant < brr) == (n > 2)


def test_at_small_budgets_brr_is_worse_than_a_constant():
    # README and the notebook say so: 0.6017 against 11/21 at epsilon = 1/2 on 21 points
    rows = {row.mechanism: row.on_points for row in number_errors(1, F(1, 10), 0.5)}
    assert rows["BRR"] > 0.6 > rows[ALWAYS_ZERO] == pytest.approx(11 / 21)
    with pytest.raises(InvalidInputError, match="at most 1001 points"):
        number_errors(1, F(1, 1000), 1.0)


# -- SGD --------------------------------------------------------------------------------------------------


def scaled_cancer():
    features, labels = load_breast_cancer(return_X_y=True)
    low, high = features.min(axis=0), features.max(axis=0)
    return 2 * (features - low) / (high - low) - 1, labels


def test_without_noise_it_is_gradient_descent():
    # one batch of everything, one step from zero: minus rate times the mean clipped gradient
    features, labels = scaled_cancer()
    features, labels = features[:50], labels[:50]
    model = PerturbedSGDClassifier(
        1.0, mechanism=NO_NOISE, clip=0.2, batch_size=50, learning_rate=3.0, random_state=0
    ).fit(features, labels)
    rows = np.column_stack([features, np.ones(50)])
    gradients = np.clip((0.5 - (labels == 0))[:, None] * rows, -0.2, 0.2)
    assert model.coef_ == pytest.approx(-3 * gradients.mean(axis=0)[None, :])
    assert model.epsilon_ == math.inf
    assert model.predict_proba(features).sum(axis=1) == pytest.approx(np.ones(50))


def test_the_budget_is_shared_among_coordinates_and_epochs(monkeypatch):
    levels = []

    def spy(mechanism, intervals, epsilon):
        levels.append(epsilon)
        return releasable(mechanism, intervals, epsilon)

    monkeypatch.setattr("lpmech.applications.learning.perturbed_sgd.releasable", spy)
    features, labels = scaled_cancer()
    model = PerturbedSGDClassifier(6.2, epochs=2, batch_size=100, random_state=0).fit(features, labels)
    assert levels == [pytest.approx(6.2 / 31 / 2)]  # 30 features and the intercept, one weight row for two labels
    assert model.epsilon_ == 6.2
    assert model.steps_ == 2 * (569 // 100)


@pytest.mark.parametrize("mechanism", [NO_NOISE, LAPLACE_FOR_BATCHES, *PERTURBATIONS])
def test_sgd_follows_scikit_learn(mechanism):
    features, labels = scaled_cancer()
    model = PerturbedSGDClassifier(200.0, mechanism=mechanism, clip=0.5, batch_size=16, classes=[0, 1], random_state=3)
    first, second = (clone(model).fit(features, labels) for _ in range(2))
    assert np.array_equal(first.coef_, second.coef_)
    assert not np.array_equal(first.coef_, clone(model).set_params(random_state=4).fit(features, labels).coef_)
    assert first.score(features, labels) > 0.7


def test_noise_for_a_batch_has_the_scale_of_its_sensitivity():
    # 2 c d / (B epsilon): deviation over many fits of a single step from equal gradients, within 5 %
    features, labels = np.zeros((40, 1)), np.arange(40) % 2
    released = [
        -PerturbedSGDClassifier(0.5, mechanism=LAPLACE_FOR_BATCHES, clip=1.0, batch_size=40, random_state=seed)
        .fit(features, labels)
        .coef_[0, 0]
        for seed in range(800)
    ]
    assert np.mean(np.abs(released)) == pytest.approx(2 * 2 / (40 * 0.5), rel=0.1)


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"mechanism": "nothing"}, LabelError),
        ({"clip": 0}, InvalidInputError),
        ({"clip": math.nan}, InvalidInputError),
        ({"batch_size": 0}, InvalidInputError),
        ({"batch_size": 570}, InvalidInputError),
        ({"epochs": 0.5}, InvalidInputError),
        ({"intervals": 0}, InvalidInputError),
        ({"intervals": 10**9}, InvalidInputError),
        ({"learning_rate": -1}, InvalidInputError),
        ({"epsilon": 0}, PrivacyLevelError),
        ({"epsilon": math.inf}, PrivacyLevelError),
        ({"classes": [0]}, LabelError),
    ],
)
def test_bad_parameters_of_sgd(parameters, error):
    with pytest.raises(error):
        PerturbedSGDClassifier(**parameters).fit(*scaled_cancer())


def test_sgd_says_that_it_is_not_fitted():
    with pytest.raises(NotFittedError):
        PerturbedSGDClassifier().predict([[1.0]])


# -- trees ------------------------------------------------------------------------------------------------


def test_splits_do_not_depend_on_targets():
    features, targets = load_diabetes(return_X_y=True)
    models = [
        PerturbedBoostingRegressor(1.0, target_range=(25, 346), random_state=0).fit(features, y)
        for y in (targets, targets[::-1], np.zeros(len(targets)))
    ]
    for trees in zip(*(model.trees_ for model in models), strict=True):
        assert len({tree.tree_.threshold.tobytes() + tree.tree_.feature.tobytes() for tree, _ in trees}) == 1


def test_one_target_moves_one_leaf_by_at_most_the_sensitivity():
    # first tree without noise: every leaf but one agrees, that one moves by at most 2 g / (n + lambda); attained at g = 1
    features, _ = load_diabetes(return_X_y=True)
    targets = np.ones(len(features))
    other = targets.copy()
    other[7] = -1
    leaves, values = [], []
    for y in (targets, other):
        model = PerturbedBoostingRegressor(1.0, mechanism=NO_NOISE, rounds=1, random_state=1).fit(features, y)
        leaves.append(model.trees_[0][0].apply(features))
        values.append(model.trees_[0][1])
    moved = np.flatnonzero(values[0] != values[1])
    assert moved.tolist() == [leaves[0][7]]
    members = int((leaves[0] == moved[0]).sum())
    assert abs(values[0] - values[1])[moved[0]] == pytest.approx(leaf_sensitivity(1, members, 1.0))


def test_the_budget_is_shared_among_rounds(monkeypatch):
    """Catches trees that have the whole level each: every target is in one leaf of every tree."""
    levels = []

    def spy(mechanism, intervals, epsilon):
        levels.append(epsilon)
        return releasable(mechanism, intervals, epsilon)

    monkeypatch.setattr("lpmech.applications.learning.perturbed_trees.releasable", spy)
    features = np.arange(40.0)[:, None]
    model = PerturbedBoostingRegressor(6.0, rounds=4, random_state=0).fit(features, np.linspace(-1, 1, 40))
    assert levels == [1.5]
    assert (len(model.trees_), model.epsilon_) == (4, 6.0)


def test_every_round_releases_clipped_leaves_with_the_sensitivity_of_their_members(monkeypatch):
    # noise made for too small a sensitivity, or for values clipped elsewhere, would not be private at the level
    seen = []

    def record(_, epsilon):
        return lambda values, sensitivities, clip, source: seen.append((epsilon, values, sensitivities, clip)) or values

    monkeypatch.setattr(PerturbedBoostingRegressor, "_release", record)
    features, targets = load_diabetes(return_X_y=True)
    model = PerturbedBoostingRegressor(
        3.0, target_range=(25, 346), rounds=3, shrinkage=0.25, regularization=2.0, random_state=0
    ).fit(features, targets)
    for round_, ((tree, _), (level, values, sensitivities, clip)) in enumerate(zip(model.trees_, seen, strict=True)):
        members = np.unique(tree.apply(features), return_counts=True)[1]
        assert float(level) == pytest.approx(1.0)
        assert clip == pytest.approx(160.5 * 0.75**round_)
        assert np.abs(values).max() <= clip
        assert sensitivities == pytest.approx(leaf_sensitivity(160.5, members, 2.0))


@pytest.mark.parametrize("mechanism", [NO_NOISE, LAPLACE_FOR_LEAVES, *PERTURBATIONS])
def test_trees_follow_scikit_learn(mechanism):
    # with a large budget every mechanism beats the mean of the targets; 77 is their deviation
    features, targets = load_diabetes(return_X_y=True)
    model = PerturbedBoostingRegressor(300.0, mechanism=mechanism, target_range=(25, 346), rounds=5, random_state=2)
    first, second = (clone(model).fit(features, targets) for _ in range(2))
    assert np.array_equal(first.predict(features), second.predict(features))
    assert np.sqrt(np.mean((first.predict(features) - targets) ** 2)) < 75
    assert first.epsilon_ == (math.inf if mechanism == NO_NOISE else 300.0)


@pytest.mark.parametrize(
    "parameters",
    [
        {"mechanism": "nothing"},
        {"target_range": (1, 0)},
        {"target_range": 3},
        {"rounds": 0},
        {"depth": 0},
        {"shrinkage": 1.0},
        {"shrinkage": 0},
        {"regularization": -1},
        {"intervals": 1.5},
        {"epsilon": math.nan},
    ],
)
def test_bad_parameters_of_trees(parameters):
    features, targets = load_diabetes(return_X_y=True)
    with pytest.raises(InvalidInputError):
        PerturbedBoostingRegressor(**parameters).fit(features, targets)


def test_bad_data_for_trees():
    features, targets = load_diabetes(return_X_y=True)
    model = PerturbedBoostingRegressor()
    for X, y in (
        (features, targets[:-1]),
        (features, ["a"] * 442),
        (features, np.full(442, np.nan)),
        (np.full((442, 10), np.inf), targets),
    ):
        with pytest.raises(InvalidInputError):
            model.fit(X, y)
    with pytest.raises(InvalidInputError, match="columns"):
        model.fit(features, targets).predict(features[:, :3])


# -- comparison and command line ----------------------------------------------------------------------------


def test_comparison_is_reproducible_and_complete():
    first = list(compare_perturbations("trees", [4.0], 2, seed=5))
    assert first == list(compare_perturbations("trees", [4.0], 2, seed=5))
    assert first[0] == score_once("trees", NO_NOISE, 4.0, 5)
    summaries = scores(first)
    assert [s.mechanism for s in summaries] == [NO_NOISE, LAPLACE_FOR_LEAVES, *PERTURBATIONS]
    assert summaries[0].mean == pytest.approx(np.mean([r.value for r in first[:2]]))
    with pytest.raises(LabelError):
        compare_perturbations("forest", [1.0], 1)
    with pytest.raises(InvalidInputError):
        compare_perturbations("sgd", [], 1)
    with pytest.raises(InvalidInputError, match="seed"):
        compare_perturbations("sgd", np.array([1.0]), 2, seed=2**32 - 1)


def test_the_commands_run():
    numbers = lpmech("reproduce", "numbers", "--clip", "2", "--step", "0.5", "--epsilon", "1")
    assert numbers.returncode == 0, numbers.stderr
    assert "BRR, unbiased" in numbers.stdout
    trained = lpmech("reproduce", "train", "sgd", "--epsilon", "8", "--repeats", "2", "--jobs", "1")
    assert trained.returncode == 0, trained.stderr
    assert "Laplace, one example" in trained.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("reproduce", "numbers", "--clip", "0"),
        ("reproduce", "numbers", "--step", "0.3"),
        ("reproduce", "numbers", "--step", "0.00001"),
        ("reproduce", "numbers", "--epsilon", "1e-15"),
        ("reproduce", "train", "forest"),
        ("reproduce", "train", "sgd", "--repeats", "0"),
    ],
)
def test_bad_arguments_are_one_line(arguments):
    result = lpmech(*arguments)
    assert result.returncode == 2
    assert result.stderr.startswith("lpmech: ")
    assert result.stderr.count("\n") == 1

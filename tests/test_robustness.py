"""Robustness: exact radii against brute force and one another, valid tests, guarantees against measured utility."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier

from lpmech.applications.robustness import (
    Box,
    LinearClassifier,
    ReluClassifier,
    Tree,
    TreeEnsemble,
    drawn_from,
    empirical_rho,
    epsilon_for,
    error_bound,
    from_estimator,
    hoeffding_samples,
    probabilistic_box,
    rank_mechanisms,
    rho,
    rho_as_stated,
    rho_mechanism_test,
    rho_uniform_test,
    rho_with_indicator,
    robustness_box,
    robustness_radius,
    sufficient_samples,
    uniform_in,
    utility_profile,
)
from lpmech.errors import InvalidInputError
from lpmech.mechanisms import (
    PM,
    SW,
    Clipped,
    Laplace,
    OriginalPM,
    PrivacyIndicator,
    Rescaled,
    TruncatedLaplace,
    even_grid,
    k_rr,
)

UNIT = Box(np.zeros(2), np.ones(2))
#: zheng2025, Example 5.
NETWORK = ReluClassifier(
    [[[-1.86, -2.09], [0.12, -0.46]], [[-3.05, 0.40], [4.02, -0.22]]], [[3.71, -0.08], [0.94, -0.58]]
)


def iris():
    data = load_iris()
    x = data.data[:, :2]
    return (x - x.min(0)) / (x.max(0) - x.min(0)), data.target


def grid_radius(classifier, x, steps=400):
    """Smallest sup-norm distance, inside [0, 1]^2, to a grid point of another class."""
    ticks = np.linspace(0, 1, steps + 1)
    points = np.array(list(itertools.product(ticks, ticks)))
    other = classifier.predict(points) != classifier.predict(np.array([x]))[0]
    return np.abs(points[other] - x).max(axis=1).min() if other.any() else math.inf


# -- exact ------------------------------------------------------------------------------------------


def test_linear_radius_by_hand():
    # class 1 where 2u + v - 2 > 0; at (1/2, 1/4): lead 3/4 over the l1 norm 3 of the slope: 1/4.
    # at (0, 0.9) the lead 1.1 falls at rate 3 while v can grow (by 0.1), then at rate 2: 0.1 + 0.8/2 = 1/2
    classifier = LinearClassifier([[2.0, 1.0]], [-2.0])
    assert robustness_radius(classifier, [0.5, 0.25]) == pytest.approx(0.25)
    assert robustness_radius(classifier, [0.0, 0.9]) == pytest.approx(0.5)
    assert robustness_radius(LinearClassifier([[2.0, 1.0]], [5.0]), [0.5, 0.5]) == math.inf
    box = robustness_box(LinearClassifier([[2.0, 1.0]], [5.0]), [0.5, 0.5])
    assert box.low == pytest.approx([0, 0])
    assert box.high == pytest.approx([1, 1])


def test_a_tie_in_a_corner_of_the_domain_counts():
    # the lead 7/4 x + 3/4 y vanishes at (0, 0) only: reached at radius 0.5, unless a rounded sum stays above zero
    classifier = LinearClassifier([[0.0, -0.75], [1.75, 0.0]], [0.0, 0.0])
    assert robustness_radius(classifier, [0.4013826594010962, 0.5]) == pytest.approx(0.5)


@settings(deadline=None, max_examples=25)
@given(
    weights=st.lists(st.lists(st.integers(-12, 12), min_size=3, max_size=3), min_size=3, max_size=3),
    x=st.lists(st.floats(0, 1), min_size=2, max_size=2),
)
def test_linear_and_mixed_integer_agree(weights, x):
    # a network without hidden layer is a linear classifier: two unrelated algorithms, with the same faces
    w, b = np.array(weights)[:, :2] / 4, np.array(weights)[:, 2] / 4  # no weights below the solver's tolerance
    linear, network = LinearClassifier(w, b), ReluClassifier([w], [b])
    first, second = robustness_radius(linear, x), robustness_radius(network, x)
    assert first == pytest.approx(second, abs=2e-6) or min(first, second) > 1 - 2e-6


@pytest.mark.parametrize("x", [(0.5, 0.5), (0.7, 0.9), (0.95, 0.95), (0.1, 0.8)])
def test_network_of_example_5(x):
    # (3.71 - 1.52/7.07)/3.95 - 1/2 = 0.384810 at the first point; brute force on a grid of 1/400 at the others
    radius = robustness_radius(NETWORK, x)
    if x == (0.5, 0.5):
        assert radius == pytest.approx((3.71 - 1.52 / 7.07) / 3.95 - 0.5, abs=1e-6)
    assert grid_radius(NETWORK, x) == pytest.approx(radius, abs=1 / 400)
    assert grid_radius(NETWORK, x) >= radius - 1e-6


def exact_classifiers():
    x, y = iris()
    logistic = LogisticRegression().fit(x, y)
    perceptron = MLPClassifier((6,), random_state=0, max_iter=400, learning_rate_init=0.02).fit(x, y)
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(x, y)
    forest = RandomForestClassifier(n_estimators=7, max_depth=4, random_state=0).fit(x, y)
    return {
        "linear": (LinearClassifier(logistic.coef_, logistic.intercept_), logistic),
        "network": (ReluClassifier([w.T for w in perceptron.coefs_], perceptron.intercepts_), perceptron),
        "tree": (from_estimator(tree), tree),
        "forest": (from_estimator(forest), forest),
    }


@pytest.fixture(scope="module")
def fitted():
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the network need not converge
        return exact_classifiers()


@pytest.mark.parametrize("kind", ["linear", "network", "tree", "forest"])
def test_exact_classifiers_against_scikit_learn_and_brute_force(fitted, kind):
    # catches a transposed layer, a wrong side of a threshold, a missed rival or a missed leaf
    classifier, estimator = fitted[kind]
    rng = np.random.default_rng(3)
    points = rng.random((2000, 2))
    assert np.array_equal(estimator.classes_[classifier.predict(points)], estimator.predict(points))
    for x in points[:6]:
        radius = robustness_radius(classifier, x)
        assert grid_radius(classifier, x, 200) == pytest.approx(radius, abs=1 / 200)
        assert grid_radius(classifier, x, 200) >= radius - 2e-6


@pytest.mark.parametrize("kind", ["linear", "network", "tree", "forest"])
def test_boxes_have_one_class_contain_the_ball_and_cannot_grow(fitted, kind):
    classifier, _ = fitted[kind]
    rng = np.random.default_rng(4)
    for x in rng.random((4, 2)):
        box = robustness_box(classifier, x)
        label = classifier.predict(x[None, :])[0]
        inside = box.low + rng.random((3000, 2)) * (box.high - box.low)
        corners = np.array(list(itertools.product(*zip(box.low, box.high, strict=True))))
        assert set(classifier.predict(np.vstack([inside, corners])).tolist()) == {int(label)}
        radius = robustness_radius(classifier, x)
        assert np.all(box.low <= np.maximum(x - radius, 0) + 2e-6)
        assert np.all(box.high >= np.minimum(x + radius, 1) - 2e-6)
        zeros = np.zeros(2)
        for i in range(2):
            rate = np.eye(2)[i]
            up, down = Box(zeros, rate), Box(-rate, zeros)
            assert box.high[i] == 1 or classifier.growth(x, box, up, UNIT) < 3e-6
            assert box.low[i] == 0 or classifier.growth(x, box, down, UNIT) < 3e-6


def test_networks_on_which_loose_tolerances_fail(capfd):
    # with the tolerances scipy's milp has, HiGHS stopped with "Solve error" here and wrote lines of its own on stdout
    rng = np.random.default_rng(20)
    weights = [rng.normal(size=(6, 2)) * 4, rng.normal(size=(6, 6)), rng.normal(size=(3, 6))]
    network = ReluClassifier(weights, [rng.normal(size=6) * 2, rng.normal(size=6), rng.normal(size=3)])
    steps = np.linspace(0, 1, 2001)
    for x in rng.random((8, 2)):
        box, radius = robustness_box(network, x), robustness_radius(network, x)
        label = network.predict(x[None, :])[0]
        edges = [np.stack([steps, np.full(2001, end)], axis=1) for end in (0.0, 1.0)]
        points = box.low + np.vstack([*edges, *(edge[:, ::-1] for edge in edges)]) * (box.high - box.low)
        assert np.all(network.predict(points) == label)
        assert grid_radius(network, x, 200) == pytest.approx(radius, abs=1 / 200)
        assert grid_radius(network, x, 200) >= radius - 1e-8
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("scale", [100.0, 1e5])
def test_boxes_of_trees_hold_on_wide_domains(scale):
    # scikit-learn rounds features to float32: a margin of 1e-7 is lost near 100, and points of the box change sides
    x, y = iris()
    estimator = DecisionTreeClassifier(max_depth=5, random_state=0).fit(x * scale, y)
    for point in np.random.default_rng(6).random((20, 2)) * scale:
        box = robustness_box(from_estimator(estimator), point, (0.0, scale))
        corners = np.array(list(itertools.product(*zip(box.low, box.high, strict=True))))
        assert set(estimator.predict(corners)) == set(estimator.predict(point[None, :]))


def test_ensembles_that_are_no_mean_of_trees_are_refused():
    # AdaBoost weights its trees, bagging may hide features from them, a vote counts labels, two labels have two votes
    x, y = iris()
    tree = DecisionTreeClassifier(max_depth=2)
    for other in (
        AdaBoostClassifier(tree, n_estimators=3),
        BaggingClassifier(tree, n_estimators=3, max_features=1),
        VotingClassifier([("a", tree), ("b", tree), ("c", tree)]),
    ):
        with pytest.raises(InvalidInputError, match="estimator"):
            from_estimator(other.fit(x, y))
    for several in (tree, RandomForestClassifier(2)):
        with pytest.raises(InvalidInputError, match="one label"):
            from_estimator(several.fit(x, np.stack([y, y], axis=1)))


def test_forest_ties_go_to_the_first_class():
    # two stumps on one feature, split at 0.3 and at 0.6: votes (2, 0), (1, 1), (0, 2): the tie belongs to class 0
    def stump(at):
        return Tree([[-np.inf], [at]], [[at], [np.inf]], [[1.0, 0.0], [0.0, 1.0]])

    forest = TreeEnsemble([stump(0.3), stump(0.6)])
    assert forest.predict(np.array([[0.1], [0.4], [0.6], [0.61]])).tolist() == [0, 0, 0, 1]
    assert robustness_radius(forest, [0.1]) == pytest.approx(0.5)
    assert robustness_radius(forest, [0.9]) == pytest.approx(0.3)
    assert robustness_radius(forest, [0.6]) == 0  # the next point to the right is of class 1
    assert robustness_box(forest, [0.0]).high == pytest.approx([0.6], abs=1e-6)


def test_a_point_on_the_edge_of_the_domain_lies_in_its_leaves():
    # x = (0, 0.5): class 1 above v = 0.7 and, for u <= 0.2, that is all there is; catches leaves closed on the wrong side
    infinite = np.inf
    tree = Tree(
        [[-infinite, -infinite], [-infinite, 0.7]], [[infinite, 0.7], [infinite, infinite]], [[1.0, 0.0], [0.0, 1.0]]
    )
    split = Tree(
        [[-infinite, -infinite], [0.2, -infinite]], [[0.2, infinite], [infinite, infinite]], [[0.5, 0.5], [1.0, 0.0]]
    )
    box = robustness_box(TreeEnsemble([tree, split]), [0.0, 0.5])
    assert box.high == pytest.approx([1.0, 0.7], abs=1e-6)
    assert robustness_radius(TreeEnsemble([tree, split]), [0.0, 0.5]) == pytest.approx(0.2)


# -- statistical ------------------------------------------------------------------------------------


def test_sample_sizes():
    assert hoeffding_samples(0.05, 0.01) == 18445  # ln 40 / 0.0002, the paper's 1.8e4
    assert error_bound(0, 149, 0.05) < 0.02 < error_bound(0, 148, 0.05)  # 0.98^149 < 0.05 < 0.98^148
    n = sufficient_samples(0.05, 0.02)
    assert error_bound(n * 2 // 200, n, 0.05) <= 0.02  # one error in a hundred passes
    assert n < hoeffding_samples(0.05, 0.01)
    assert error_bound(5, 5, 0.05) == 1.0


@pytest.mark.parametrize("samples", [1, 20, 149, 500])
@pytest.mark.parametrize("omega", [0.01, 0.2])
def test_error_bound_has_exactly_its_confidence(samples, omega):
    """Coverage summed over all outcomes, no sampling: at least 1 - omega at every error rate, and no more at the worst one.

    Catches a two-sided bound (omega / 2), parameters of the beta distribution that are off by one, and a normal approximation.
    """
    counts = np.arange(samples + 1)
    bounds = np.array([error_bound(int(k), samples, omega) for k in counts])
    np.testing.assert_allclose(stats.binom.cdf(counts[:-1], samples, bounds[:-1]), omega, rtol=1e-9)
    for rate in np.linspace(0, 1, 101):
        covered = stats.binom.pmf(counts, samples, rate)[bounds >= rate].sum()
        assert covered >= 1 - omega - 1e-12


@pytest.mark.parametrize("omega", [0.001, 0.05, 0.5])
@pytest.mark.parametrize("tau", [0.001, 0.02, 0.25, 0.8])
def test_sufficient_samples_suffice(omega, tau):
    """An error rate of tau / 2 passes; at the usual omegas a fifth of the samples would not do. Catches a wrong divergence."""
    n = sufficient_samples(omega, tau)
    assert error_bound(math.floor(tau / 2 * n), n, omega) <= tau
    if omega < 0.5:
        assert error_bound(math.floor(tau / 2 * (n // 5)), n // 5, omega) > tau


#: Runs of every procedure whose coverage is measured, and the probability with which a right one is called wrong.
RUNS, FALSE_ALARM = 200, 1e-6


def too_often(failures, rate, runs=RUNS):
    """Whether so many failures in independent runs refute that each fails with probability at most `rate`."""
    return stats.binomtest(int(failures), runs, rate, alternative="greater").pvalue <= FALSE_ALARM


def slightly_wrong_everywhere(points):
    """Class 1 at a share 0.26 of every box, however small; class 0 at (1/2, 1/2)."""
    return (points @ [1e6, 7.3e5] % 1 < 0.26).astype(int) * np.any(points != 0.5, axis=1)


@pytest.mark.parametrize(("moved", "precision"), [((), 0.05), (None, 0.25)])
@pytest.mark.parametrize("drawn", [None, [PM(2.0), SW(3.0)]], ids=["uniform", "drawn from mechanisms"])
def test_searches_keep_their_confidence(moved, precision, drawn, monkeypatch):
    """Error rate 0.26 > tau = 0.25 on every box: whatever is found is an error, allowed with probability omega = 0.2.

    Refuted from 70 of 200 runs on. Catches a level that every test of a search has for itself, shown.
    """
    sampler = uniform_in if drawn is None else drawn_from(drawn, [0.5, 0.5])

    def failures():
        options = {"tau": 0.25, "omega": 0.2, "precision": precision, "sampler": sampler, "moved": moved}
        found = [
            probabilistic_box(slightly_wrong_everywhere, [0.5, 0.5], np.random.default_rng(seed), **options)
            for seed in range(RUNS)
        ]
        return sum(np.any(f.box.high > f.box.low) for f in found)

    assert not too_often(failures(), 0.2)
    monkeypatch.setattr(
        "lpmech.applications.robustness.statistical.error_bound", lambda k, n, level: error_bound(k, n, 0.2)
    )
    assert too_often(failures(), 0.2)


def share_above_the_line(box):
    """Share of a box in the plane where 2u + v > 2, by the midpoint rule in u and exactly in v."""
    u = box.low[0] + (np.arange(2000) + 0.5) / 2000 * (box.high[0] - box.low[0])
    low, high = box.low[1], box.high[1]
    return float(np.clip((high - np.maximum(low, 2 - 2 * u)) / (high - low), 0, 1).mean())


def test_hyperrectangles_keep_their_tolerance(monkeypatch):
    """A linear classifier, tau = 0.1, omega = 0.1: the exact error rate of each of 200 boxes found.

    Refuted from 44 failures on. Catches a search that accepts by the frequency of errors in place of its upper bound, shown.
    And the boxes are worth having: all of them larger than the exact one, which allows no error.
    """
    classifier = LinearClassifier([[2.0, 1.0]], [-2.0])
    options = {"tau": 0.1, "omega": 0.1, "precision": 0.05}

    def boxes():
        return [
            probabilistic_box(classifier.predict, [0.5, 0.25], np.random.default_rng(seed), **options).box
            for seed in range(RUNS)
        ]

    right = boxes()
    assert not too_often(sum(share_above_the_line(box) > 0.1 for box in right), 0.1)
    exact = robustness_box(classifier, [0.5, 0.25])
    assert min(box.volume for box in right) > exact.volume
    monkeypatch.setattr(
        "lpmech.applications.robustness.statistical.error_bound", lambda errors, samples, omega: errors / samples
    )
    assert too_often(sum(share_above_the_line(box) > 0.1 for box in boxes()), 0.1)


def test_statistical_radius_and_box_agree_with_the_exact_ones():
    classifier = LinearClassifier([[2.0, 1.0]], [-2.0])
    x = [0.5, 0.25]
    rng = np.random.default_rng(0)
    found = probabilistic_box(classifier.predict, x, rng, tau=0.001, precision=0.01, moved=())
    # a rate of 0.001 allows a corner of that share: side lengths of about sqrt(2 * 0.001 * 2) of the width
    assert 0.25 - 0.011 <= found.radius <= 0.25 + 0.03
    assert found.tests == 8  # 2^7 > 100, and the largest radius first
    box = probabilistic_box(classifier.predict, x, rng, tau=0.001, precision=0.02)
    points = box.box.low + rng.random((200_000, 2)) * (box.box.high - box.box.low)
    assert np.mean(classifier.predict(points) != 0) <= 0.001
    assert box.box.contains(np.array([x]))[0]


def test_constant_classifier_is_robust_on_the_whole_domain():
    found = probabilistic_box(lambda points: np.zeros(len(points)), [0.3, 0.9], np.random.default_rng(0), moved=())
    assert found.radius == pytest.approx(0.9)
    assert found.box.low.tolist() == [0, 0]
    assert found.box.high.tolist() == [1, 1]


# -- utility ----------------------------------------------------------------------------------------


def section_3(points):
    """zheng2025, Section 3.1: class 1 on [0.2, 0.8]."""
    return np.where((points[:, 0] >= 0.2) & (points[:, 0] <= 0.8), 1, 2)


@pytest.mark.parametrize(
    "make", [Laplace, PM, SW, TruncatedLaplace, lambda e: Clipped(Laplace(e)), lambda e: k_rr(even_grid(11), e), lambda e: PrivacyIndicator(PM(e), 0.1)]
)  # fmt: skip
def test_guarantee_is_the_measured_utility_for_an_interval(make):
    # the box is the whole region of class 1, so rho is the utility itself: it must lie in the interval (seeded)
    mechanisms = [make(2.0)]
    guarantee = rho(mechanisms, [0.5], Box([0.2], [0.8]))
    measured = empirical_rho(section_3, mechanisms, [0.5], np.random.default_rng(5), samples=20_000, confidence=0.999)
    assert measured.low <= guarantee <= measured.high


def test_stated_bound_can_exceed_the_utility_and_the_right_ones_do_not():
    # PM with e^(epsilon/2) = 16 at x = 1/2: 0.4% of [0, 1], next to x, has another class: utility 1 - 0.004 * 16 = 0.936
    epsilon = 2 * math.log(16)

    def classify(points):
        return (np.abs(points[:, 0] - 0.505) < 0.002).astype(int)

    mechanisms, x, box = [PM(epsilon)], [0.5], Box([0.0], [1.0])
    truth = 0.936
    measured = empirical_rho(classify, mechanisms, x, np.random.default_rng(0), samples=100_000, confidence=0.999)
    assert measured.low <= truth <= measured.high
    assert rho_as_stated(mechanisms, x, box) == pytest.approx(0.9405)
    assert rho_as_stated(mechanisms, x, box) > truth
    assert rho_uniform_test(mechanisms, x, box, tau=0.004) == pytest.approx(truth)
    assert rho_mechanism_test(mechanisms, x, box, tau=0.064) == pytest.approx(truth)
    sampler = drawn_from(mechanisms, x)
    found = probabilistic_box(classify, x, np.random.default_rng(2), tau=0.05, sampler=sampler, moved=())
    assert found.radius < 0.01  # the test under the mechanism sees what the uniform one does not


def test_two_features_one_of_them_released_as_it_is():
    box = Box([0.2, 0.1], [0.8, 0.3])
    both = rho([PM(2.0), PM(3.0)], [0.5, 0.2], box)
    assert both == pytest.approx(float(PM(2.0).mass(0.2, 0.8, 0.5)) * float(PM(3.0).mass(0.1, 0.3, 0.2)))
    assert rho([PM(2.0), None], [0.5, 0.2], box) == pytest.approx(1 - 0.4 / math.e)
    assert rho_with_indicator(both, 0.1) == pytest.approx(0.1 + 0.9 * both)


def test_profile_average_and_worst():
    classifier = LinearClassifier([[2.0, 1.0]], [-2.0])
    points = np.array([[0.5, 0.25], [0.9, 0.9], [0.1, 0.2]])
    boxes = [robustness_box(classifier, x) for x in points]
    profile = utility_profile(
        classifier.predict, [PM(4.0), PM(4.0)], points, boxes, np.random.default_rng(0), samples=3000
    )
    assert profile.rho_avg == pytest.approx(np.mean(profile.theoretical))
    assert profile.rho_wor == profile.theoretical.min()
    for guarantee, measured in zip(profile.theoretical, profile.empirical, strict=True):
        assert guarantee <= measured.high  # a lower bound of what is measured
    assert profile.rho_avg <= profile.empirical_avg.high
    assert profile.rho_wor <= profile.empirical_wor.high
    # Hoeffding's interval for 9,000 draws at 99 %: sqrt(ln(2/0.01) / 18000) = 0.0172 to either side
    measured = profile.empirical_avg
    half = math.sqrt(math.log(2 / (1 - profile.confidence)) / 18000)
    assert (measured.low, measured.high) == pytest.approx((measured.value - half, min(1, measured.value + half)))


def test_a_network_of_scikit_learn_for_two_classes_has_one_output():
    x, y = iris()
    network = MLPClassifier((3,), random_state=0, max_iter=30).fit(x[:100], y[:100])
    found = from_estimator(network)
    assert isinstance(found, ReluClassifier)
    assert found.predict(x).tolist() == network.predict(x).tolist()


def test_a_point_on_the_boundary_has_no_box_around_it():
    # the radius is 0, less than the margin that is kept: neither the ball nor a face may go below it
    found = robustness_box(LinearClassifier([[2.0, 1.0]], [-2.0]), [0.5, 1.0])
    assert (found.low.tolist(), found.high.tolist()) == ([0.5, 1.0], [0.5, 1.0])


def test_a_network_with_one_output_is_that_with_two_and_zero_first():
    # one hidden layer: relu(x0 - x1) - 1/4 > 0 is class 1; both forms, and the points on either side
    one = ReluClassifier([[[1.0, -1.0], [0.0, 1.0]], [[1.0, 0.0]]], [[0.0, 0.0], [-0.25]])
    two = ReluClassifier([[[1.0, -1.0], [0.0, 1.0]], [[0.0, 0.0], [1.0, 0.0]]], [[0.0, 0.0], [0.0, -0.25]])
    points = np.array([[0.5, 0.3], [0.9, 0.1], [0.1, 0.9], [0.4, 0.1]])
    assert one.predict(points).tolist() == two.predict(points).tolist() == [0, 1, 0, 1]
    assert one.scores(points) == pytest.approx(two.scores(points))


POINTS = np.array([[0.3], [0.5], [0.79]])


def test_intervals_of_measured_utility_cover_it():
    """200 runs at confidence 0.8, 60 draws a point, three points; the utility is the mechanism's mass of [0.2, 0.8].

    All together, the mean's and the least one's. Catches intervals that are narrower than they say: those at confidence
    0.3 are refuted. For single ones see zheng2025's "Section 7.1 (measured utility, the function)".
    """
    mechanism = PM(1.5)
    truth = np.array([float(mechanism.mass(0.2, 0.8, x)) for x in POINTS[:, 0]])
    boxes = [Box([0.2], [0.8])] * 3

    def failures(confidence):
        profiles = [
            utility_profile(
                section_3, [mechanism], POINTS, boxes, np.random.default_rng(seed), samples=60, confidence=confidence
            )
            for seed in range(RUNS)
        ]
        return {
            "together": sum(
                not all(e.low <= t <= e.high for e, t in zip(p.empirical, truth, strict=True)) for p in profiles
            ),
            "mean": sum(not p.empirical_avg.low <= truth.mean() <= p.empirical_avg.high for p in profiles),
            "least": sum(not p.empirical_wor.low <= truth.min() <= p.empirical_wor.high for p in profiles),
        }

    assert {name: too_often(count, 0.2) for name, count in failures(0.8).items()} == dict.fromkeys(
        ["together", "mean", "least"], False
    )
    assert too_often(failures(0.3)["together"], 0.2)


@pytest.mark.parametrize("epsilon", np.geomspace(1e-3, 8, 25))
def test_uniform_test_uses_the_largest_density(epsilon):
    """PM as published at both ends of its domain, mirror images; catches a window that ends short of the true value."""
    mechanism = [OriginalPM(float(epsilon))]
    right = rho_uniform_test(mechanism, [1.0], Box([0.5], [1.0]), tau=0.01)
    left = rho_uniform_test(mechanism, [-1.0], Box([-1.0], [-0.5]), tau=0.01)
    assert left == pytest.approx(right)
    assert left == pytest.approx(max(0.0, float(mechanism[0].mass(-1, -0.5, -1)) - 0.01 * 0.5 * mechanism[0].high))


def test_choices_of_the_paper():
    box = Box([0.2], [0.8])
    ranked = rank_mechanisms(
        {"Laplace": [Laplace(2.0)], "PM": [PM(2.0)], "k-RR": [k_rr(even_grid(101), 2.0)]}, [0.5], box
    )
    assert list(ranked) == ["PM", "k-RR", "Laplace"]  # zheng2025, Section 4.1.3
    # ln 5 / 0.3 = 5.3648 (the paper: 5.2); PM: 1 - 0.4 e^(-epsilon/2) = 0.8 at 2 ln 2
    assert epsilon_for(0.8, lambda e: [Laplace(e)], [0.5], box) == pytest.approx(math.log(5) / 0.3, abs=2e-6)
    assert epsilon_for(0.8, lambda e: [PM(e)], [0.5], box) == pytest.approx(2 * math.log(2), abs=2e-6)
    assert epsilon_for(target=0.01, make=lambda e: [PM(e)], x=[0.5], box=box) == 1e-3
    assert epsilon_for(0.01, lambda e: [PM(e)], [0.5], box, largest=1e-4) <= 1e-4


# -- bad input --------------------------------------------------------------------------------------

RNG = np.random.default_rng(0)
LINEAR = LinearClassifier([[2.0, 1.0]], [-2.0])


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: robustness_radius(LINEAR, [1.5, 0.0]), "x"),
        (lambda: robustness_radius(LINEAR, [0.5]), "x"),
        (lambda: robustness_radius(LINEAR, ["a", "b"]), "x"),
        (lambda: robustness_radius(LINEAR, [[0.5, 0.5]]), "x"),
        (lambda: robustness_radius(LINEAR, [0.5, 0.5], (1.0, 0.0)), "domain"),
        (lambda: robustness_box(LINEAR, [0.5, 0.5], Box([0.0], [1.0])), "domain"),
        (lambda: robustness_radius(LINEAR.predict, [0.5, 0.5]), "classifier"),
        (lambda: LinearClassifier([[1.0, math.inf]], [0.0]), "weights"),
        (lambda: LinearClassifier([1.0, 2.0], [0.0]), "weights"),
        (lambda: LinearClassifier([[[1.0, 2.0]]], [0.0]), "weights"),
        (lambda: ReluClassifier([[1.0, 2.0]], [[0.0]]), "weights"),
        (lambda: ReluClassifier([[[1.0, 2.0]], [[1.0, 2.0]]], [[0.0], [0.0]]), "weights"),
        (lambda: ReluClassifier([], []), "weights"),
        (lambda: from_estimator(DecisionTreeClassifier()), "estimator"),
        (lambda: from_estimator(LogisticRegression()), "estimator"),
        (lambda: TreeEnsemble([]), "trees"),
        (lambda: Tree([[0.0]], [[1.0]], [0.5]), "low"),
        (lambda: Box([1.0], [0.0]), "low"),
        (lambda: Box([0.0], ["b"]), "high"),
        (lambda: UNIT.intersect(Box([2.0, 2.0], [3.0, 3.0])), "low"),
        (lambda: probabilistic_box(LINEAR.predict, [2.0, 0.5], RNG), "x"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], RNG, tau=0.0), "tau"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], RNG, omega=1.0), "omega"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], RNG, precision=0), "precision"),
        (lambda: probabilistic_box(lambda points: 1, [0.5, 0.5], RNG), "classify"),
        (lambda: probabilistic_box("classifier", [0.5, 0.5], RNG), "classify"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], RNG, moved=[2]), "moved"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], RNG, moved=[-1]), "moved"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], RNG, moved=[1, 1]), "moved"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], RNG, moved="01"), "moved"),
        (lambda: error_bound(3, 2, 0.1), "errors"),
        (lambda: hoeffding_samples(0.0, 0.1), "omega"),
        (lambda: drawn_from([PM(1.0)], [0.5, 0.5]), "mechanisms"),
        (lambda: rho([PM(1.0)], [0.5, 0.5], UNIT), "mechanisms"),
        (lambda: rho([PM(1.0), PM(1.0)], [0.5, 1.5], UNIT), "x"),
        (lambda: rho_uniform_test([Clipped(Laplace(1.0))], [0.5], Box([0.0], [1.0]), tau=0.1), "mechanisms"),
        (lambda: rho_with_indicator(0.5, 1.0), "delta"),
        # atoms behind a change of scale: 0.3 lies in the box with both atoms, of which no density tells
        (lambda: rho_uniform_test([Rescaled(Clipped(Laplace(1.0)), (0, 2))], [0.3], Box([0.0], [2.0]), tau=0.1),
         "mechanisms"),
        (lambda: rho(["PM"], [0.5], Box([0.0], [1.0])), "mechanisms"),
        (lambda: rho(PM(1.0), [0.5], Box([0.0], [1.0])), "mechanisms"),
        (lambda: rho([PM(1.0)], ["a"], Box([0.0], [1.0])), "x"),
        (lambda: rho([], [], Box([], [])), "x"),
        (lambda: rho([PM(1.0)], [0.5], (0, 1)), "box"),
        (lambda: rho([PM(1.0)], [1.5], Box([0.0], [2.0])), "x"),
        (lambda: rho_with_indicator("a", 0.5), "bound"),
        (lambda: error_bound(1.5, 10, 0.1), "errors"),
        (lambda: error_bound(0, math.inf, 0.1), "errors"),
        (lambda: drawn_from([PM(1.0)], ["a"]), "x"),
        (lambda: drawn_from([PM(1.0)], [math.nan]), "x"),
        (lambda: drawn_from(["PM"], [0.5]), "mechanisms"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], RNG, precision="a"), "precision"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], RNG, sampler="uniform"), "sampler"),
        (lambda: probabilistic_box(LINEAR.predict, [0.5, 0.5], 0), "rng"),
        (lambda: probabilistic_box(LogisticRegression().fit(*iris()).predict, [0.5] * 3, RNG), "classify"),
        (lambda: empirical_rho(section_3, [PM(1.0), None], [0.5, math.nan], RNG), "x"),
        (lambda: empirical_rho(section_3, ["PM"], [0.5], RNG), "mechanisms"),
        (lambda: empirical_rho(section_3, [PM(1.0)], [0.5], 0), "rng"),
        (lambda: utility_profile(section_3, [PM(1.0)], [[0.5]], None, RNG), "boxes"),
        (lambda: utility_profile(section_3, [PM(1.0)], [[0.5]], [1], RNG), "box"),
        (lambda: rank_mechanisms([PM(1.0)], [0.5], Box([0.0], [1.0])), "candidates"),
        (lambda: rank_mechanisms({"PM": PM(1.0)}, [0.5], Box([0.0], [1.0])), "mechanisms"),
        (lambda: epsilon_for(0.5, "PM", [0.5], Box([0.0], [1.0])), "make"),
        (lambda: epsilon_for(0.5, lambda e: [PM(e)], [0.5], Box([0.0], [1.0]), largest="a"), "largest"),
        (lambda: LinearClassifier(np.empty((0, 2)), []), "weights"),
        (lambda: ReluClassifier(None, None), "weights"),
        (lambda: ReluClassifier([1.0], [1.0]), "weights"),
        (lambda: ReluClassifier([[[1.0]]], [[math.inf]]), "biases"),
        (lambda: TreeEnsemble(None), "trees"),
        (lambda: TreeEnsemble(["tree"]), "trees"),
        (lambda: rho_with_indicator(1.5, 0.5), "bound"),
        (lambda: empirical_rho(section_3, [PM(1.0)], [0.5], RNG, samples=0), "samples"),
        (lambda: empirical_rho(section_3, [PM(1.0)], [0.5, 0.5], RNG), "mechanisms"),
        (lambda: utility_profile(section_3, [PM(1.0)], [["a"]], [Box([0.0], [1.0])], RNG), "points"),
        (lambda: utility_profile(section_3, [PM(1.0)], [[0.5]], [], RNG), "points"),
        (lambda: rank_mechanisms({}, [0.5], Box([0.0], [1.0])), "candidates"),
        (lambda: epsilon_for(0.999, lambda e: [Laplace(e)], [0.0], Box([0.0], [1.0])), "target"),
        (lambda: epsilon_for(1.0, lambda e: [PM(e)], [0.5], Box([0.0], [1.0])), "target"),
        (lambda: epsilon_for(0.5, lambda e: [PM(e)], [0.5], Box([0.0], [1.0]), largest=0), "largest"),
    ],
)  # fmt: skip
def test_bad_input_names_the_argument(call, argument):
    with pytest.raises(InvalidInputError) as caught:
        call()
    assert caught.value.argument == argument


def test_a_network_in_a_domain_that_is_no_cube():
    # class 1 where the second feature is above 8, through a hidden layer max(x_2, 0), max(-x_2, 0); domain
    # [0, 1] x [-20, 10] x [3, 3]: the boundary is 7 away, along a side of length 30; the others have 1 and 0
    network = ReluClassifier([[[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]], [[0.0, 0.0], [1.0, -1.0]]], [[0.0, 0.0], [8.0, 0.0]])
    domain = Box(np.array([0.0, -20.0, 3.0]), np.array([1.0, 10.0, 3.0]))
    point = np.array([0.5, 1.0, 3.0])
    assert robustness_radius(network, point, domain) == pytest.approx(7.0, abs=1e-6)
    assert robustness_radius(network, np.array([0.5, -15.0, 3.0]), domain) == pytest.approx(23.0, abs=1e-6)
    assert robustness_radius(network, point, Box(domain.low, np.array([1.0, 7.9, 3.0]))) == math.inf
    box = robustness_box(network, point, domain)
    assert box.low.tolist() == domain.low.tolist()
    assert box.high == pytest.approx([1.0, 8.0, 3.0], abs=1e-5)


def test_networks_and_linear_classifiers_agree_on_boxes_of_any_shape():
    rng = np.random.default_rng(5)
    for _ in range(10):
        w, b = rng.normal(size=(3, 4)), rng.normal(size=3)
        low = rng.uniform(-5, 5, size=4)
        domain = Box(low, low + 10 ** rng.uniform(-1, 1, size=4))
        x = rng.uniform(domain.low, domain.high)
        linear = robustness_radius(LinearClassifier(w, b), x, domain)
        assert robustness_radius(ReluClassifier([w], [b]), x, domain) == pytest.approx(linear, abs=1e-6)
        # the same through a hidden layer that copies what it gets: max(z, 0) - max(-z, 0) = z
        hidden = ReluClassifier(
            [np.vstack([w, -w]), np.hstack([np.eye(3), -np.eye(3)])], [np.hstack([b, -b]), np.zeros(3)]
        )
        assert robustness_radius(hidden, x, domain) == pytest.approx(linear, abs=1e-6)

"""Robustness: both sides of every bound of an argument, the defaults, and constants of the searches, each by hand."""

import math
from dataclasses import FrozenInstanceError
from inspect import Parameter, signature

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from lpmech.applications.robustness import (
    Box,
    LinearClassifier,
    ReluClassifier,
    Tree,
    TreeEnsemble,
    classifier_utility,
    drawn_from,
    empirical_rho,
    epsilon_for,
    error_bound,
    from_estimator,
    probabilistic_box,
    rank_mechanisms,
    rho,
    rho_as_stated,
    rho_mechanism_test,
    rho_uniform_test,
    rho_with_indicator,
    robustness_box,
    robustness_radius,
    study,
    sufficient_samples,
    trees,
    uniform_in,
    utility,
    utility_profile,
)
from lpmech.applications.robustness.estimators import _largest_below, rescaled_estimator
from lpmech.applications.robustness.exact import MARGIN
from lpmech.applications.robustness.regions import labels_of
from lpmech.applications.robustness.relu import _interval
from lpmech.applications.robustness.study_inputs import feature_table, positions_of, unit_ranges
from lpmech.applications.robustness.training import split, trained
from lpmech.applications.tabular import Examples
from lpmech.errors import InvalidInputError, LabelError, SolverError
from lpmech.mechanisms import PM, SW, Clipped, Gaussian, Laplace, even_grid, k_rr
from lpmech.mechanisms.gaussian import analytic_scale
from lpmech.privacy import PrivacyLevel

UNIT = Box([0.0], [1.0])
LINEAR = LinearClassifier([[2.0, 1.0]], [-2.0])
SQUARE = Box([0.0, 0.0], [1.0, 1.0])


def generator(seed=0):
    return np.random.default_rng(seed)


def ones(points):
    return np.ones(len(points))


# -- both sides of every bound ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: Box([[0.0]], [[1.0]]), "low"),
        (lambda: Box(0.0, 1.0), "low"),
        (lambda: Box([0.0, 0.0], [1.0]), "low"),
        (lambda: Box([0.0], [1.0, 1.0]), "low"),
        (lambda: robustness_radius(LINEAR, [0.5, 0.5], (0.0, 1.0, 2.0)), "domain"),
        (lambda: robustness_radius(LINEAR, [0.5, 0.5], (1.0,)), "domain"),
        (lambda: robustness_radius(LINEAR, [0.5, 0.5], [[0.0, 1.0], [0.0, 1.0]]), "domain"),
        (lambda: robustness_radius(LinearClassifier([[1.0]], [0.0]), [0.5], (0.5, 0.5)), "domain"),
        (lambda: robustness_radius(LINEAR, [0.5, 0.5], Box([0.0] * 3, [1.0] * 3)), "domain"),
        (lambda: robustness_radius(LINEAR, [0.5, 0.5], Box([-math.inf, 0.0], [1.0, 1.0])), "domain"),
        (lambda: robustness_radius(LINEAR, [0.5, 0.5], Box([0.0, 0.0], [1.0, math.inf])), "domain"),
        (lambda: robustness_radius(LINEAR, 0.5), "x"),
        (lambda: robustness_radius(LINEAR, []), "x"),
        (lambda: robustness_radius(LINEAR, [0.5, -0.5]), "x"),
        (lambda: robustness_radius(LINEAR, [0.5, 0.5, 0.5]), "x"),
        (lambda: rho([PM(1.0)], 0.5, UNIT), "x"),
        (lambda: rho([PM(1.0)], [[0.5]], UNIT), "x"),
        (lambda: rho([], [], Box([], [])), "x"),
        (lambda: rho([None], [math.inf], Box([0.0], [math.inf])), "x"),
        (lambda: rho([PM(1.0)], [-0.5], Box([-1.0], [1.0])), "x"),
        (lambda: rho([PM(1.0)], [0.3], Box([0.4], [1.0])), "x"),
        (lambda: rho([PM(1.0)], [0.3], Box([0.0], [0.2])), "x"),
        (lambda: rho([PM(1.0)], [0.5], SQUARE), "box"),
        (lambda: rho([PM(1.0)] * 2, [0.5, 0.5], UNIT), "box"),
        (lambda: rho([PM(1.0)] * 2, [0.5], UNIT), "mechanisms"),
        (lambda: rho_uniform_test([None], [0.5], UNIT, tau=0.1), "mechanisms"),
        (lambda: rho_with_indicator(-0.5, 0.5), "bound"),
        (lambda: rho_with_indicator(True, 0.5), "bound"),
        (lambda: empirical_rho(lambda p: np.zeros(len(p) + 1), [PM(1.0)], [0.5], generator()), "classify"),
        (lambda: empirical_rho(lambda p: np.zeros(len(p) - 1), [PM(1.0)], [0.5], generator()), "classify"),
        (lambda: empirical_rho(lambda p: np.zeros((len(p), 1)), [PM(1.0)], [0.5], generator()), "classify"),
        (lambda: empirical_rho(lambda p: p[:, 1], [PM(1.0)], [0.5], generator()), "classify"),
        (lambda: empirical_rho(lambda p: p + "a", [PM(1.0)], [0.5], generator()), "classify"),
        (lambda: error_bound(-1, 2, 0.1), "errors"),
        (lambda: error_bound(0, 0, 0.1), "errors"),
        (lambda: error_bound(False, 2, 0.1), "errors"),
        (lambda: error_bound(0, True, 0.1), "errors"),
        (lambda: probabilistic_box(ones, [0.5], generator(), precision=1.01), "precision"),
        (lambda: probabilistic_box(ones, [0.5], generator(), moved=[1]), "moved"),
        (lambda: probabilistic_box(ones, [0.5], generator(), moved=0), "moved"),
        (lambda: LinearClassifier([[1.0, 2.0]], [0.0, 0.0]), "weights"),
        (lambda: LinearClassifier([[1.0, 2.0], [3.0, 4.0]], [0.0]), "weights"),
        (lambda: LinearClassifier([[1.0, 2.0]], [math.inf]), "weights"),
        (lambda: LinearClassifier(np.empty((2, 0)), [0.0, 0.0]), "weights"),
        (lambda: LinearClassifier([1.0], [0.0]), "weights"),
        (lambda: ReluClassifier([[[1.0]]], []), "biases"),
        (lambda: ReluClassifier([[[1.0]], [[1.0]]], [[0.0]]), "biases"),
        (lambda: ReluClassifier([[[1.0]]], [[0.0], [0.0]]), "biases"),
        (lambda: ReluClassifier([1.0], [[1.0]]), "weights"),
        (lambda: ReluClassifier([[[[1.0]]]], [[0.0]]), "weights"),
        (lambda: ReluClassifier([np.empty((1, 0))], [[0.0]]), "weights"),
        (lambda: ReluClassifier([[[1.0], [1.0]], [[1.0]]], [[0.0, 0.0], [0.0]]), "weights"),
        (lambda: ReluClassifier([[[1.0]], [[1.0, 1.0]]], [[0.0], [0.0]]), "weights"),
        (lambda: ReluClassifier([[[math.nan]]], [[0.0]]), "weights"),
        (lambda: ReluClassifier([[[1.0]]], [[0.0, 0.0]]), "biases"),
        (lambda: ReluClassifier([[[1.0], [1.0]]], [[0.0]]), "biases"),
        (lambda: ReluClassifier([[[1.0]]], [0.0]), "biases"),
        (lambda: Tree([0.0], [1.0], [[1.0]]), "low"),
        (lambda: Tree([[[0.0]]], [[[1.0]]], [[1.0]]), "low"),
        (lambda: Tree([[0.0]], [[1.0, 1.0]], [[1.0]]), "low"),
        (lambda: Tree([[0.0, 0.0]], [[1.0]], [[1.0]]), "low"),
        (lambda: Tree([[0.0]], [[1.0]], [[[1.0]]]), "low"),
        (lambda: Tree([[0.0]], [[1.0]], [[1.0], [1.0]]), "low"),
        (lambda: Tree([[0.0], [1.0]], [[1.0], [2.0]], [[1.0]]), "low"),
        (lambda: Tree(np.empty((0, 1)), np.empty((0, 1)), np.empty((0, 2))), "low"),
        (lambda: TreeEnsemble([stump(0.5), Tree([[0.0, 0.0]], [[1.0, 1.0]], [[1.0, 0.0]])]), "trees"),
        (lambda: TreeEnsemble([stump(0.5), Tree([[0.0]], [[1.0]], [[1.0]])]), "trees"),
        (lambda: utility_profile(ones, [PM(1.0)], [[0.5]], [UNIT, UNIT], generator()), "points"),
        (lambda: utility_profile(ones, [PM(1.0)], [[0.5], [0.5]], [UNIT], generator()), "points"),
        (lambda: utility_profile(ones, [PM(1.0)], [0.5], [UNIT], generator()), "points"),
        (lambda: utility_profile(ones, [PM(1.0)], np.empty((0, 1)), [], generator()), "points"),
        (lambda: utility_profile(ones, [PM(1.0)], [[[0.5]]], [UNIT], generator()), "points"),
        (lambda: positions_of("ab", ["a", "b"]), "sensitive"),
        (lambda: positions_of([-1], ["a", "b"]), "sensitive"),
        (lambda: positions_of([2], ["a", "b"]), "sensitive"),
        (lambda: positions_of([0, "a"], ["a", "b"]), "sensitive"),
        (lambda: feature_table([1.0, 2.0]), "features"),
        (lambda: feature_table([[[1.0]]]), "features"),
        (lambda: feature_table(np.empty((0, 2))), "features"),
        (lambda: feature_table(np.empty((2, 0))), "features"),
    ],
)  # fmt: skip
def test_one_step_beyond_a_bound_is_refused(call, argument):
    with pytest.raises(InvalidInputError) as caught:
        call()
    assert caught.value.argument == argument


def test_the_bounds_themselves_are_allowed():
    for x in ([], [[0.5, 0.5]]):
        with pytest.raises(InvalidInputError, match="a vector with at least one feature"):
            robustness_radius(LINEAR, x)
    assert positions_of(["b", 0], ["a", "b"]) == [1, 0]
    assert feature_table(np.ones((2, 3)))[1] == ("0", "1", "2")
    assert feature_table(pd.DataFrame({"a": [1.0], 2: [3.0]}))[1] == ("a", "2")
    assert Box([1.0], [1.0]).volume == 0
    assert Box([0.5, 1.0], [2.0, 4.0]).volume == 4.5
    edges = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, -0.1], [1.1, 1.0], [0.5, 0.5]])
    assert SQUARE.contains(edges).tolist() == [True, True, False, False, True]
    assert rho([PM(1.0)], [0.0], Box([0.0], [0.0])) == 0
    assert rho([PM(1.0)], [1.0], UNIT) == pytest.approx(1)
    assert (rho_with_indicator(0, 0.25), rho_with_indicator(1, 0.25)) == (0.25, 1)
    assert rho([None], [0.5], UNIT) == 1.0
    for epsilon in (1.0, 4.0):  # masses that come out as one and an ulp
        for made in (Clipped(Laplace(epsilon)), k_rr(even_grid(11), epsilon)):
            assert rho([made] * 2, [0.0, 0.0], SQUARE) <= 1.0
    # tau |box| max p is above rho: no guarantee, not a negative one
    assert rho_uniform_test([PM(4.0)], [0.5], UNIT, tau=0.5) == 0.0
    assert error_bound(1, 1, 0.1) == 1.0
    assert error_bound(0, 1, 0.1) == pytest.approx(0.9)  # (1 - p)^1 = 0.1
    assert (
        probabilistic_box(ones, [0.5, 0.5], generator(), precision=1.0, moved=[1, 0]).tests == 5
    )  # five bisections of one step


def test_what_the_library_raises_is_not_blamed_on_the_classifier():
    def refusing(points):
        raise LabelError("label", "x", "another")

    with pytest.raises(LabelError, match="another"):
        labels_of(refusing, np.zeros((2, 1)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Box([0.0], [1.0]),
        lambda: Tree([[0.0]], [[1.0]], [[1.0]]),
        lambda: probabilistic_box(ones, [0.5], generator(), moved=()),
        lambda: empirical_rho(ones, [PM(1.0)], [0.5], generator(), samples=1),
        lambda: utility_profile(ones, [PM(1.0)], [[0.5]], [UNIT], generator(), samples=1),
        lambda: study.MechanismUtility("PM", 1.0, 0.0, 0.5, 0.5, None, None),
        lambda: study.ClassifierUtility(("a",), 1.0, 1, "exact", "", 0.9, ()),
    ],
)
def test_results_do_not_change(make):
    made = make()
    with pytest.raises(FrozenInstanceError):
        setattr(made, next(iter(vars(made))), None)


#: Function -> a call with what has no default, and the defaults, which are named where they are given.
DEFAULTS = {
    rho_as_stated: (([PM(2.0)], [0.5], UNIT), {"omega": 0.05, "tau": 0.01}),
    rho_uniform_test: (([PM(2.0)], [0.5], UNIT), {"tau": Parameter.empty}),
    rho_mechanism_test: (([PM(2.0)], [0.5], UNIT), {"tau": Parameter.empty}),
    empirical_rho: ((ones, [PM(2.0)], [0.5], generator()), {"samples": 2000, "confidence": 0.95}),
    utility.measured: ((ones, [PM(2.0)], [[0.5]], generator()), {"samples": 2000, "confidence": 0.95}),
    utility_profile: ((ones, [PM(2.0)], [[0.5]], [UNIT], generator()), {"samples": 2000, "confidence": 0.95}),
    epsilon_for: ((0.01, lambda e: [PM(e)], [0.5], UNIT), {"largest": 50.0}),
    probabilistic_box: (
        (ones, [0.5], generator()),
        {"domain": (0.0, 1.0), "tau": 0.01, "omega": 0.05, "precision": 0.01, "sampler": uniform_in, "moved": None},
    ),
    classifier_utility: (
        (LogisticRegression().fit([[0.0], [1.0]], [0, 1]), [[0.0], [1.0]], [0], 2.0, generator()),
        {"ranges": None, "rows": 25, "samples": 2000, "confidence": 0.95, "size": 11, "delta": None},
    ),
}


@pytest.mark.parametrize("function", DEFAULTS, ids=lambda function: function.__name__)
def test_defaults_are_those_of_the_documentation(function):
    given, defaults = DEFAULTS[function]
    named = {name: p.default for name, p in signature(function).parameters.items() if p.kind is Parameter.KEYWORD_ONLY}
    assert named == defaults
    needed = {name: 0.1 for name, default in defaults.items() if default is Parameter.empty}
    assert function(*given, **needed) is not None


# -- exact classifiers --------------------------------------------------------------------------------


@pytest.mark.parametrize(("end", "margin"), [(0.01, MARGIN), (1.0, MARGIN), (100.0, 100 * MARGIN)])
def test_boxes_end_a_margin_before_the_boundary(end, margin):
    # class 1 above half of the domain [0, end]; the margin grows with numbers above 1 only
    found = robustness_box(LinearClassifier([[1.0]], [-end / 2]), [end / 8], (0.0, end))
    assert end / 2 - found.high[0] == pytest.approx(margin, rel=1e-5)
    assert found.low[0] == 0.0
    found = robustness_box(LinearClassifier([[1.0]], [end / 2]), [-end / 8], (-end, 0.0))
    assert found.low[0] + end / 2 == pytest.approx(margin, rel=1e-5)
    assert found.high[0] == 0.0
    # the lower end of (end / 5, 4 end / 5] is nearer, so that the upper face goes on alone
    inner = Tree([[-np.inf], [end / 5], [4 * end / 5]], [[end / 5], [4 * end / 5], [np.inf]], [[1, 0], [0, 1], [1, 0]])
    found = robustness_box(TreeEnsemble([inner]), [3 * end / 10], (0.0, end))
    assert 4 * end / 5 - found.high[0] == pytest.approx(margin, rel=1e-5)
    assert found.low[0] - end / 5 == pytest.approx(margin, rel=1e-5)


def test_a_box_with_another_class_inside_does_not_grow():
    assert LINEAR.growth(np.array([0.5, 0.25]), SQUARE, Box([0.0, 0.0], [1.0, 1.0]), SQUARE) == 0.0


@pytest.mark.parametrize("domain", [(-1.0, 1.0), (-3.0, -1.0), (2.0, 5.0)])
def test_one_class_everywhere_has_the_whole_domain(domain):
    found = robustness_box(LinearClassifier([[0.0, 0.0]], [1.0]), [sum(domain) / 2] * 2, domain)
    assert (found.low.tolist(), found.high.tolist()) == ([domain[0]] * 2, [domain[1]] * 2)


@pytest.mark.parametrize("corner", [0.0, 1.0, -2.0])
def test_ties_in_corners_count_whatever_the_point(corner):
    # the lead a (u - c) + b (v - c) is zero in the corner (c, c) of [c, c + 1]^2 only, where rounded sums may stay above it
    rng = generator(5)
    for a, b, u, v in rng.random((60, 4)):
        classifier = LinearClassifier([[0.0, 0.0], [a, b]], [0.0, -(a + b) * corner])
        x = np.array([corner + u, corner + v])
        if classifier.predict(x[None, :])[0] == 1:
            assert robustness_radius(classifier, x, (corner, corner + 1)) == pytest.approx(max(u, v), abs=1e-9)


def test_a_lead_within_rounding_is_a_tie_where_something_moves():
    # at (0, 1/2) the lead 1e-13 is less than rounding; the first feature has no room, the second lowers it at rate 1
    classifier = LinearClassifier([[1.0, 1.0]], [1e-13 - 0.5])
    assert classifier.predict(np.array([[0.0, 0.5]])).tolist() == [1]
    assert 0 < robustness_radius(classifier, [0.0, 0.5]) < 1e-12


def test_a_unit_that_is_never_active_is_zero_for_the_next_layer():
    # the first unit is max(u - 3, 0) = 0 on the domain, though its argument goes down to -3; the second is u; the next
    # layer has max(u - a, 0) + b with a = 1/4: class 1 above u = 3/4, whatever the bounds of the first unit
    network = ReluClassifier(
        [[[1.0], [1.0]], [[2.0, 1.0], [-2.0, 0.0]], [[1.0, 1.0]]], [[-3.0, 0.0], [-0.25, 0.0], [-0.5]]
    )
    assert network.predict(np.array([[0.74], [0.76]])).tolist() == [0, 1]
    assert robustness_radius(network, [0.5]) == pytest.approx(0.25, abs=1e-6)
    assert robustness_radius(network, [0.9]) == pytest.approx(0.15, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_two_hidden_layers_against_all_points_of_a_line(seed):
    # one feature: where the class changes is found on a fine grid, so that a bound of a hidden unit that cuts off shows
    rng = generator(seed)
    shapes = [(5, 1), (5, 5), (2, 5)]
    network = ReluClassifier([rng.normal(size=s) * 3 for s in shapes], [rng.normal(size=s[0]) * 2 for s in shapes])
    line = np.linspace(0, 1, 20_001)
    labels = network.predict(line[:, None])
    for at in (0, 7_000, 13_000, 20_000):
        others = line[labels != labels[at]]
        nearest = np.abs(others - line[at]).min(initial=math.inf)
        assert robustness_radius(network, [line[at]]) == pytest.approx(nearest, abs=6e-5)


def test_a_unit_is_on_or_off_and_nothing_else():
    # max(u - 1/2, 0) > 1/4 above 3/4, whose switch would allow u itself if it could be two
    network = ReluClassifier([[[1.0]], [[1.0]]], [[-0.5], [-0.25]])
    assert robustness_radius(network, [0.1]) == pytest.approx(0.65, abs=1e-6)
    # a unit that is always on: max(u + 1/4, 0) > 3/4 above 1/2
    always = ReluClassifier([[[1.0]], [[1.0]]], [[0.25], [-0.75]])
    assert robustness_radius(always, [0.1]) == pytest.approx(0.4, abs=1e-6)


def test_what_is_asked_of_the_solver(monkeypatch):
    # looser tolerances move the boundary, and a gap ends a search early
    import highspy

    names = ("mip_feasibility_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance")
    names += ("mip_abs_gap", "mip_rel_gap", "mip_max_nodes")
    asked = []

    class Recorded(highspy.Highs):
        def run(self):
            asked.append([self.getOptionValue(name)[1] for name in names])
            return super().run()

    monkeypatch.setattr(highspy, "Highs", Recorded)
    robustness_radius(ReluClassifier([[[1.0]], [[1.0]]], [[-0.5], [-0.25]]), [0.1])
    assert asked == [[1e-9] * 4 + [0.0, 2000]]


def test_the_interval_of_an_affine_layer_is_attained():
    # rows (2, -3) + 1 and (-1, 0) + 2 on [-1, 2] x [0, 4]: -2 - 12 + 1 to 4 - 0 + 1, and 0 to 3
    low, high = _interval(
        np.array([[2.0, -3.0], [-1.0, 0.0]]), np.array([1.0, 2.0]), (np.array([-1.0, 0.0]), np.array([2.0, 4.0]))
    )
    assert (low.tolist(), high.tolist()) == ([-13.0, 0.0], [5.0, 3.0])


# -- trees --------------------------------------------------------------------------------------------


def stump(at, below=(1.0, 0.0), above=(0.0, 1.0)):
    return Tree([[-np.inf], [at]], [[at], [np.inf]], [below, above])


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0]])
def test_an_inner_leaf_contains_its_upper_end(order):
    tree = Tree(*(np.array(part)[order] for part in ([[-np.inf], [0.2], [0.6]], [[0.2], [0.6], [np.inf]], np.eye(3))))
    assert TreeEnsemble([tree]).predict(np.array([[0.2], [0.21], [0.6], [0.61]])).tolist() == [0, 1, 1, 2]


def test_ties_are_exact_between_whole_numbers_only():
    # an ulp of 1 above or below: the order of a sum may turn it round
    above, below = np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0)
    votes = [[1.0, 1.0], [1.0, below], [above, 1.0], [1.0, above], [0.75, 0.75], [2.0, 1.0], [0.5, 0.25]]
    assert trees._ahead(np.array(votes), 0).tolist() == [False, True, True, True, True, False, False]
    assert trees._ahead(np.array(votes[:1]), 1).tolist() == [True]


def test_a_threshold_at_the_end_of_the_domain_cuts_off_one_point():
    # class 0 at 0 alone, of [0, 1]; and nothing where the threshold is the upper end
    assert robustness_radius(TreeEnsemble([stump(0.0)]), [0.5]) == 0.5
    for outside in (1.0, 1.5, -0.5):
        assert robustness_radius(TreeEnsemble([stump(outside)]), [0.5]) == math.inf
    assert robustness_radius(TreeEnsemble([stump(1.0, (0.0, 1.0), (1.0, 0.0))]), [0.5]) == math.inf
    # next to a boundary of the first feature there is no ball, and the second goes on to its own: from a point on the edge
    infinite = np.inf
    near = Tree(
        [[-infinite, -infinite], [-infinite, 0.7], [1e-9, -infinite]],
        [[1e-9, 0.7], [1e-9, infinite], [infinite, infinite]],
        [[1, 0], [0, 1], [0, 1]],
    )
    assert robustness_box(TreeEnsemble([near]), [0.0, 0.5]).high == pytest.approx([0.0, 0.7], abs=1e-6)


def test_more_classes_than_leaves():
    assert robustness_radius(TreeEnsemble([stump(0.3, (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))]), [0.1]) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("low", "high", "growth"),
    [
        (0.0, 1.0, (0.0, 0.0)),  # around the box
        (0.5, 0.8, (0.0, 0.0)),
        (0.7, 0.8, (0.1, math.inf)),  # above, and the upper face grows, or does not
        (0.6, 0.8, (0.0, math.inf)),  # the upper face touches an interval that is open below
        (0.1, 0.3, (math.inf, 0.1)),  # below
        (0.1, 0.4, (math.inf, 0.0)),
    ],
)
def test_growth_that_an_interval_needs(low, high, growth):
    # the box is [0.4, 0.6]
    box, up, down = Box([0.4], [0.6]), Box([0.0], [1.0]), Box([-1.0], [0.0])
    needed = [float(trees._needed(np.array([low]), np.array([high]), box, grow)[0]) for grow in (up, down)]
    assert needed == pytest.approx(list(growth))
    still = Box([0.0], [0.0])
    if growth != (0.0, 0.0):
        assert trees._needed(np.array([low]), np.array([high]), box, still)[0] == math.inf


def test_a_point_at_the_upper_end_of_an_interval_is_in_it():
    point, down = Box([0.4], [0.4]), Box([-1.0], [0.0])
    ends = np.array([[0.1, 0.4], [0.4, 0.6]])
    for grow, expected in ((down, [0.0, math.inf]), (Box([0.0], [1.0]), [0.0, 0.0])):
        assert [float(trees._needed(ends[i, :1], ends[i, 1:], point, grow)[0]) for i in (0, 1)] == expected


def test_the_limit_of_cells_counts_cells_classes_and_trees(monkeypatch):
    # three cells, three classes, and two trees that count as twenty: 180 votes; 21 trees: 189. No step: only cells answer
    low, high = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    few = TreeEnsemble([stump(0.3, low, high), stump(0.6, low, high)])
    many = TreeEnsemble([stump(0.3, low, high), *[stump(0.6, low, high)] * 20])
    monkeypatch.setattr(trees, "MOST_STEPS", 0)
    assert robustness_radius(few, [0.1]) == 0.5
    for forest, votes in ((few, 180), (many, 189)):
        monkeypatch.setattr(trees, "MOST_CELL_VOTES", votes)
        assert math.isfinite(robustness_radius(forest, [0.1]))
        monkeypatch.setattr(trees, "MOST_CELL_VOTES", votes - 1)
        with pytest.raises(SolverError, match="into 3 cells"):
            robustness_radius(forest, [0.1])
    monkeypatch.setattr(trees, "MOST_STEPS", 100)
    monkeypatch.setattr(trees, "MOST_TREES", 2)
    monkeypatch.setattr(trees, "MOST_CELL_VOTES", 0)
    assert robustness_radius(few, [0.1]) == 0.5
    with pytest.raises(SolverError, match="21 trees"):
        robustness_radius(many, [0.1])


def searched(forest, x, monkeypatch):
    """Radius by branch and bound, and the steps that it took."""
    monkeypatch.setattr(trees, "MOST_CELL_VOTES", 0)
    steps = []
    visit = trees._NearestCell.visit
    monkeypatch.setattr(trees._NearestCell, "visit", lambda self, *at: (steps.append(at[0]), visit(self, *at)))
    radius = robustness_radius(forest, x)
    monkeypatch.undo()
    return radius, steps


@pytest.mark.parametrize(
    ("forest", "radius", "visited"),
    [
        # both leaves of the only tree
        ([stump(0.3)], 0.2, [0, 1, 1]),
        # votes (3, 0) below 0.3 are not made up for by the other two trees, so that nothing is looked at behind them;
        # above 0.3, the nearest leaves of the others give (2, 3), and no other leaf is nearer
        ([stump(0.3, (3.0, 0.0), (0.0, 3.0)), stump(0.6), stump(0.8)], 0.2, [0, 1, 1, 2, 3]),
        # in the other order that shows at the last tree only, where the nearer leaf is visited and the farther wins
        ([stump(0.8), stump(0.6), stump(0.3, (3.0, 0.0), (0.0, 3.0))], 0.2, [0, 1, 2, 3, 3]),
        # two of three are needed: above 0.6; (0, 1) below 0.3 cannot win after two votes for 0
        ([stump(0.3), stump(0.6), stump(0.8)], 0.5, [0, 1, 2, 1, 2, 3, 2, 3]),
        # the leaf above of one tree and below of the other meet in no point, and would be ahead
        ([stump(0.5, (1.0, 0.0), (0.0, 2.0)), stump(0.5, (1.0, 0.0), (3.0, 0.0))], math.inf, None),
        # nothing is ever ahead: one look at what the trees can add
        ([stump(0.8), stump(0.6, (0.9, 0.1), (0.8, 0.2)), stump(0.3, (0.9, 0.1), (0.8, 0.2))], math.inf, [0]),
    ],
)  # fmt: skip
def test_branch_and_bound_visits_what_it_has_to(forest, radius, visited, monkeypatch):
    found, steps = searched(TreeEnsemble(forest), [0.1], monkeypatch)
    assert found == pytest.approx(radius)
    visited = visited or steps
    assert steps == visited
    monkeypatch.setattr(trees, "MOST_CELL_VOTES", 0)
    monkeypatch.setattr(trees, "MOST_STEPS", len(visited))
    assert robustness_radius(TreeEnsemble(forest), [0.1]) == found
    monkeypatch.setattr(trees, "MOST_STEPS", len(visited) - 1)
    with pytest.raises(SolverError, match=f"a search of {len(visited) - 1} steps"):
        robustness_radius(TreeEnsemble(forest), [0.1])


def test_searches_agree_on_random_votes(monkeypatch):
    # three classes, two features, votes of any size: all cells against branch and bound, for balls and faces
    rng = generator(3)
    for _ in range(12):
        forest = TreeEnsemble(
            [
                Tree(
                    [[-np.inf, -np.inf], [a, -np.inf], [a, b]],
                    [[a, np.inf], [np.inf, b], [np.inf, np.inf]],
                    rng.integers(0, 4, (3, 3)) / 2,
                )
                for a, b in rng.random((4, 2))
            ]
        )
        x = rng.random(2)
        cells = robustness_radius(forest, x), robustness_box(forest, x)
        monkeypatch.setattr(trees, "MOST_CELL_VOTES", 0)
        assert robustness_radius(forest, x) == cells[0]
        assert np.array_equal(robustness_box(forest, x).low, cells[1].low)
        assert np.array_equal(robustness_box(forest, x).high, cells[1].high)
        monkeypatch.undo()


# -- structures of scikit-learn -----------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("activation", ["identity", "logistic", "tanh"])
def test_networks_with_other_activations_are_refused(activation):
    network = MLPClassifier((2,), activation=activation, max_iter=5).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(InvalidInputError, match="ReLU"):
        from_estimator(network)


@pytest.mark.filterwarnings("ignore")
def test_a_network_of_one_class_gets_sampled_bounds():
    # was: its only output was taken for the lead of a second class, which the classifier does not have
    x = generator().random((6, 1))
    network = MLPClassifier((2,), max_iter=5, random_state=0).fit(x, ["only"] * 6)
    with pytest.raises(InvalidInputError, match="estimator"):
        from_estimator(network)
    found = classifier_utility(network, x, [0], 1.0, generator(), samples=10)
    assert (found.guarantee, found.mechanisms[0].simulated.value) == ("sampled", 1.0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("model", [RidgeClassifier(), MLPClassifier((2,), max_iter=5)], ids=lambda m: type(m).__name__)
def test_classifiers_of_several_labels_an_example_are_refused(model, labels):
    # was: the largest score was taken for the label, where every label has a threshold of its own; and a ridge
    # classifier of two labels was refused, as its coefficients are flat
    x = generator().random((12, 2))
    rows = (generator(1).random((12, labels)) > 0.5).astype(int)
    with pytest.raises(InvalidInputError, match="one label an example"):
        from_estimator(model.fit(x, rows))
    assert from_estimator(model.fit(x, rows[:, 0])).predict(x).tolist() == model.predict(x).tolist()


@pytest.mark.parametrize("model", [LinearRegression(), SVC(kernel="linear")], ids=lambda m: type(m).__name__)
def test_other_models_with_coefficients_are_refused(model):
    with pytest.raises(InvalidInputError, match="estimator"):
        from_estimator(model.fit([[0.0], [1.0], [2.0]], [0, 1, 1]))


@pytest.mark.parametrize("dimension", [1, 3])
def test_a_classifier_of_other_features_is_refused(dimension):
    model = LogisticRegression().fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])
    with pytest.raises(InvalidInputError, match=f"a classifier of {dimension} features"):
        rescaled_estimator(model, np.zeros(dimension), np.ones(dimension))
    with pytest.raises(InvalidInputError, match="the 2 features of the classifier"):
        classifier_utility(model, np.eye(2, dimension) + np.eye(2)[:, :1], [0], 1.0, generator())


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.7, 0.5, -0.1, -0.7, 1e6 + 0.03])
def test_numbers_round_to_float32_below_a_threshold_up_to_there(threshold):
    found = _largest_below(threshold)
    assert float(np.float32(np.nextafter(found, -np.inf))) <= threshold
    assert float(np.float32(np.nextafter(found, np.inf))) > threshold


def test_ranges_are_those_of_the_numbers_unless_given():
    table, names = np.array([[1.0, 5.0, 7.0], [3.0, 5.0, 8.0]]), ("a", "b", "c")
    low, high = unit_ranges(table, names, [0, 2], {})
    assert (low.tolist(), high.tolist()) == ([1.0, 5.0, 7.0], [3.0, 6.0, 8.0])  # one unit where a column is constant
    low, high = unit_ranges(table, names, [0, 2], {"a": (1.0, 3.0), 2: (6.0, 9.0)})
    assert (low.tolist(), high.tolist()) == ([1.0, 5.0, 6.0], [3.0, 6.0, 9.0])
    for given in ({"a": (1.1, 3.0)}, {"a": (1.0, 2.9)}, {"b": (0.0, 9.0)}, {3: (0.0, 9.0)}, {-1: (0.0, 9.0)}):
        with pytest.raises(InvalidInputError) as caught:
            unit_ranges(table, names, [0, 2], given)
        assert caught.value.argument == "ranges"


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_ranges_of_a_millionth_of_the_numbers_are_too_narrow(sign):
    # the larger of the two ends in absolute value counts
    for width, fine in ((0.99, False), (1.01, True)):
        ends = sorted([sign * 1000.0, sign * (1000.0 - width * 1e-3)])
        if fine:
            assert unit_ranges(np.array(ends)[:, None], ["a"], [0], {})[1].tolist() == ends[1:]
        else:
            with pytest.raises(InvalidInputError, match="vary by more than 1e-06"):
                unit_ranges(np.array(ends)[:, None], ["a"], [0], {})


# -- statistical searches -----------------------------------------------------------------------------


def test_samples_of_a_test_by_hand():
    # ln(1/omega) / KL(tau/2, tau): tau = 1/2: KL = 1/4 ln(1/2) + 3/4 ln(3/2) = 0.13081
    divergence = 0.25 * math.log(0.5) + 0.75 * math.log(1.5)
    assert sufficient_samples(0.05, 0.5) == math.ceil(math.log(20) / divergence) == 23


@pytest.mark.parametrize("own", [0, 1])
def test_a_search_makes_no_more_tests_than_share_its_level(own):
    # no box passes but what is around x alone: every bisection takes all of its steps
    drawn = []

    def sampler(box, count, rng):
        drawn.append(count)
        return uniform_in(box, count, rng)

    def classify(points):
        return np.where(np.all(points == 0.5, axis=1), own, 1 - own)

    found = probabilistic_box(classify, [0.5, 0.5], generator(), tau=0.1, precision=0.1, sampler=sampler)
    assert found.tests == len(drawn) == 5 * (1 + 2 * 2)  # 1 + ceil(log2(10)) for the ball, and for four faces
    assert set(drawn) == {sufficient_samples(0.05 / 25, 0.1)} == {found.samples}
    assert (found.radius, found.box.volume) == (0.0, 0.0)
    assert (found.tau, found.omega) == (0.1, 0.05)


@pytest.mark.parametrize(
    ("x", "largest"), [((3.0, 0.0), 8.0), ((3.0, 3.5), 5.0), ((-1.5, 3.5), 6.5), ((1.0, 8.0), 9.0)]
)
def test_the_search_starts_with_the_whole_domain(x, largest):
    # [-2, 5] x [-1, 8]: the farthest face decides, a lower or an upper one
    domain = Box([-2.0, -1.0], [5.0, 8.0])
    found = probabilistic_box(ones, x, generator(), domain=domain, tau=0.2, precision=1.0, moved=())
    assert (found.radius, found.tests) == (largest, 1 + 4)  # the longest side has length 9, and 2^4 > 9
    assert (found.box.low.tolist(), found.box.high.tolist()) == ([-2.0, -1.0], [5.0, 8.0])


@pytest.mark.parametrize("sign", [1, -1])
def test_faces_go_to_the_ends_of_the_domain_and_no_farther(sign):
    # another class beyond 0.6 on one side: the ball ends there, the face on the other side goes on to -3 or 3
    found = probabilistic_box(lambda p: sign * p[:, 0] > 0.6, [0.5 * sign], generator(), domain=(-3.0, 3.0), tau=0.05)
    far, near = (found.box.low[0], found.box.high[0]) if sign == 1 else (-found.box.high[0], -found.box.low[0])
    assert far == -3.0
    assert 0.5 <= near < 0.9
    assert found.radius < 0.2


def test_uniform_points_fill_their_box():
    points = uniform_in(Box([1.0, -4.0], [3.0, -3.0]), 4000, generator())
    assert points.shape == (4000, 2)
    assert stats.kstest((points[:, 0] - 1) / 2, "uniform").pvalue > 1e-4
    assert stats.kstest(points[:, 1] + 4, "uniform").pvalue > 1e-4


def test_the_last_share_of_a_mechanism_is_its_largest_output():
    class Zeros:
        def random(self, count):
            return np.zeros(count)

    # on a grid the masses of [0, 1] may sum to one and an ulp
    points = drawn_from([k_rr(even_grid(11), 1.0)], [0.0])(UNIT, 2, Zeros())
    assert points.tolist() == [[1.0], [1.0]]


@pytest.mark.parametrize("mechanism", [PM(2.0), SW(1.0), Clipped(Laplace(1.0))], ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("ends", [(0.0, 1.0), (0.3, 0.8), (0.3, 1.0)])
def test_points_drawn_from_a_mechanism_have_its_law_given_the_box(mechanism, ends):
    # 4000 draws against conditional masses of five parts, chi-square; the first feature keeps its value
    points = drawn_from([None, mechanism], [7.0, 0.4])(Box([0.0, ends[0]], [9.0, ends[1]]), 4000, generator(1))
    assert set(points[:, 0]) == {7.0}
    points = points[:, 1:]
    assert ends[0] <= points[:, 0].min() <= points[:, 0].max() <= ends[1]
    cuts = np.linspace(*ends, 6)
    up_to = np.array([float(mechanism.mass(ends[0], cut, 0.4)) for cut in cuts[1:]])
    seen = [int((points[:, 0] <= cut).sum()) for cut in cuts[1:]]
    expected = np.diff([0, *up_to]) / up_to[-1] * 4000
    assert stats.chisquare(np.diff([0, *seen]), expected).pvalue > 1e-4


# -- utility ------------------------------------------------------------------------------------------


def test_a_classifier_gets_many_released_points_at_once(monkeypatch):
    sizes = []

    def classify(points):
        sizes.append(len(points))
        return ones(points)

    found = utility.measured(classify, [PM(1.0)], [[0.1], [0.5], [0.9]], generator(), samples=100)
    assert sizes == [300, 3]
    assert [e.samples for e in found] == [100] * 3
    sizes.clear()
    monkeypatch.setattr(utility, "_AT_ONCE", 150)
    utility.measured(classify, [PM(1.0)], [[0.1], [0.5], [0.9]], generator(), samples=100)
    assert sizes == [200, 2, 100, 1]


def test_frequencies_are_of_the_class_of_each_point():
    # class 1 above 0.5; without a mechanism the class stays, whatever the other point is
    def classify(points):
        return (points[:, 0] > 0.5).astype(int)

    both = utility.measured(classify, [None], [[0.2], [0.8]], generator(), samples=10)
    assert [e.value for e in both] == [1.0, 1.0]
    assert both[0].low == pytest.approx(0.025**0.1)  # Clopper-Pearson for 10 of 10: low^10 = 0.025
    assert (both[0].high, both[0].confidence) == (1.0, 0.95)


def test_summaries_of_a_profile_by_hand():
    # the mean: Hoeffding with all samples, cut off at 0 and 1; the least: the least of values and of each end
    estimates = tuple(
        utility.Estimate(value, value - 0.1, value + 0.05, 0.99, samples)
        for value, samples in ((0.5, 3), (0.2, 5), (0.8, 8))
    )
    profile = utility.UtilityProfile(np.array([0.4, 0.1, 0.7]), estimates, 0.9)
    assert (profile.rho_avg, profile.rho_wor) == (pytest.approx(0.4), 0.1)
    half = math.sqrt(math.log(20) / 32)
    mean = profile.empirical_avg
    assert (mean.value, mean.low, mean.high) == pytest.approx((0.5, 0.5 - half, 0.5 + half))
    assert (mean.confidence, mean.samples) == (0.9, 16)
    least = profile.empirical_wor
    assert (least.value, least.low, least.high) == pytest.approx((0.2, 0.1, 0.25))
    assert (least.confidence, least.samples) == (0.9, 16)
    short = utility.UtilityProfile(np.array([0.4]), (utility.Estimate(0.5, 0.0, 1.0, 0.9, 1),), 0.9).empirical_avg
    assert (short.low, short.high) == (0.0, 1.0)


def test_levels_of_one_millionth_more_are_the_same():
    box = Box([0.2], [0.8])
    assert list(rank_mechanisms({"a": [PM(2.0)], "b": [Laplace(2.0 * (1 + 0.9e-6))]}, [0.5], box)) == ["a", "b"]
    with pytest.raises(InvalidInputError, match="same finite tight level"):
        rank_mechanisms({"a": [PM(2.0)], "b": [Laplace(2.0 * (1 + 1.1e-6))]}, [0.5], box)


@pytest.mark.parametrize(("largest", "smallest"), [(50.0, 1e-3), (1e-4, 5e-5)])
def test_levels_are_looked_for_among_two_hundred(largest, smallest):
    asked = []

    def make(epsilon):
        asked.append(epsilon)
        return [PM(epsilon)]

    # every level suffices: the largest first, then all; the least one, or half of the largest
    assert epsilon_for(0.01, make, [0.5], UNIT, largest=largest) == pytest.approx(smallest, rel=1e-12)
    assert asked == pytest.approx([largest, *np.geomspace(smallest, largest, 200)])
    asked.clear()
    if largest == 50.0:
        # 1 - 0.4 e^(-epsilon/2) = 0.8 at 2 ln 2: between two neighbours, bisected down to 1e-6
        assert epsilon_for(0.8, make, [0.5], Box([0.2], [0.8])) == pytest.approx(2 * math.log(2), abs=1e-6)
        levels = np.geomspace(1e-3, 50.0, 200)
        next_ = int(np.searchsorted(levels, 2 * math.log(2)))
        width = levels[next_] - levels[next_ - 1]
        assert len(asked) == 201 + math.ceil(math.log2(width / 1e-6))
        assert asked[201] == pytest.approx(levels[next_] - width / 2)


def test_a_target_that_is_reached_at_the_largest_level_only():
    box = Box([0.2], [0.8])
    target = rho([PM(1.0)], [0.5], box)
    assert epsilon_for(target, lambda e: [PM(e)], [0.5], box, largest=1.0) == pytest.approx(1.0, abs=1e-6)


# -- the study ----------------------------------------------------------------------------------------


def test_moved_and_stretched_data_have_the_same_utility():
    # one feature and its range, shifted by 300 and doubled: everything is relative to the range
    x, y = np.array([[5.0], [30.0], [36.0], [55.0], [90.0]]), np.array([0, 0, 0, 1, 1])
    found = [
        classifier_utility(
            DecisionTreeClassifier(max_depth=1).fit(table, y),
            table,
            [0],
            2.0,
            generator(),
            ranges={0: ends},
            samples=50,
        )
        for table, ends in ((x, (0, 100)), (2 * x + 300, (300, 500)))
    ]
    assert [s.guarantee for s in found] == ["exact", "exact"]
    for one, other in zip(found[0].mechanisms, found[1].mechanisms, strict=True):
        assert (one.mechanism, one.guaranteed) == (other.mechanism, pytest.approx(other.guaranteed, abs=1e-5))
        assert one.simulated.value == pytest.approx(other.simulated.value, abs=0.05)
    single = classifier_utility(DecisionTreeClassifier().fit(x, y), x, [0], 2.0, generator(), rows=1, samples=1, size=2)
    assert (single.rows, single.mechanisms[0].simulated.samples) == (1, 1)
    with pytest.raises(FrozenInstanceError):
        single.rows = 2
    with pytest.raises(FrozenInstanceError):
        single.mechanisms[0].delta = 1.0


def test_delta_is_shared_among_the_features_and_comes_last():
    # (epsilon, delta) of the parts adds up: each of two features has half of both; a large delta wins and is still last
    level = PrivacyLevel.from_epsilon(3.0)
    half = PrivacyLevel.from_epsilon(1.5)
    mechanism, epsilon, delta = study._candidates(level, half, 2, 11, 0.2)["Gaussian"]
    assert mechanism.mechanism.scale == Gaussian(analytic_scale(half, 0.1)).scale
    assert (epsilon, delta) == (3.0, 0.2)
    assert all(m.epsilon == pytest.approx(1.5) and (e, d) == (pytest.approx(3.0), 0)
               for name, (m, e, d) in study._candidates(level, half, 2, 11, 0.2).items() if name != "Gaussian")  # fmt: skip
    assert "Gaussian" not in study._candidates(level, half, 2, 11, None)
    x = [[0.0], [0.4], [0.6], [1.0]]
    model = DecisionTreeClassifier(max_depth=1).fit(x, [0, 0, 1, 1])
    found = classifier_utility(model, x, [0], 0.5, generator(), samples=20, delta=0.999).mechanisms
    assert found[-1].mechanism == "Gaussian"
    assert found[-1].guaranteed > found[0].guaranteed


def test_where_rounding_decides_the_class_nothing_is_claimed_around():
    x = np.array([[0.0], [0.4], [0.6], [1.0]])
    model = DecisionTreeClassifier(max_depth=1).fit(x, [3, 3, 4, 4])
    boxes, reason = study._robust_boxes(model, np.zeros(1), np.ones(1), np.array([3, 4, 4, 3]), x, [0])
    assert reason == ""
    assert [box.volume > 0.4 for box in boxes] == [True, False, True, False]
    assert (boxes[1].low[0], boxes[3].high[0]) == (0.4, 1.0)
    assert (boxes[0].low[0], boxes[2].high[0]) == (0.0, 1.0)


@pytest.mark.parametrize("column", ["a", "c"])
def test_other_columns_than_those_of_fit_are_refused(column):
    model = DecisionTreeClassifier().fit(pd.DataFrame({"b": [0.0, 1.0]}), [0, 1])
    with pytest.raises(InvalidInputError, match="the columns of fit"):
        classifier_utility(model, pd.DataFrame({column: [0.0, 1.0]}), [column], 1.0, generator())


def test_training_and_its_seed():
    examples = Examples(("a",), np.arange(18.0)[:, None], np.arange(18) % 2, ("a",), "made")
    kept, tested = split(examples, 0)
    assert (len(kept), len(tested), sorted([*kept, *tested])) == (14, 4, list(range(18)))
    with pytest.raises(InvalidInputError, match="seed"):
        split(examples, -1)
    frame = pd.DataFrame({"a": np.arange(18.0)})
    assert trained("DecisionTreeClassifier", {}, frame, examples.labels, 3)[0][-1].random_state == 3
    assert trained("DecisionTreeClassifier", {"random_state": 5}, frame, examples.labels, 3)[0][-1].random_state == 5
    assert trained("GaussianNB", {}, frame, examples.labels, 3)[0].predict(frame).shape == (18,)


def test_sampled_bounds_by_hand():
    """Clopper-Pearson for every row at omega / (2 n), Hoeffding for the mean; seven mechanisms share 1 - confidence."""
    symmetric = ([[0.2], [0.3], [0.7], [0.8]], [0, 0, 1, 1])
    rows, samples, confidence = np.linspace(0.05, 0.95, 40)[:, None], 30, 0.8
    found = classifier_utility(
        GaussianNB().fit(*symmetric), rows, [0], 6.0, generator(), ranges={0: (0.0, 1.0)},
        rows=40, samples=samples, confidence=confidence,
    )  # fmt: skip
    assert (found.guarantee, found.rows, len(found.mechanisms)) == ("sampled", 40, 7)
    omega = (1 - confidence) / 7
    slack = math.sqrt(math.log(2 / omega) / (2 * samples * 40))
    for m in found.mechanisms:
        errors = samples - round(samples * m.simulated_least.value)
        assert m.guaranteed_least == pytest.approx(1 - error_bound(errors, samples, omega / 80))
        assert m.guaranteed == pytest.approx(m.simulated.value - slack)  # with so many rows the better of the two
        each = 1 - (1 - confidence) / 40
        least = stats.binomtest(samples - errors, samples).proportion_ci(each, method="exact")
        assert m.simulated_least.low == pytest.approx(least.low)
        half = math.sqrt(math.log(2 / (1 - confidence)) / (2 * samples * 40))
        assert m.simulated.low == pytest.approx(m.simulated.value - half)
    one = classifier_utility(
        GaussianNB().fit(*symmetric), rows, [0], 6.0, generator(), ranges={0: (0.0, 1.0)}, rows=1, samples=samples
    )  # of one row Clopper-Pearson's is the better one
    assert all(m.guaranteed == m.guaranteed_least > m.simulated.value - 0.5 for m in one.mechanisms)
    assert all(m.guaranteed > m.simulated.value - math.sqrt(math.log(14 / 0.05) / 60) for m in one.mechanisms)

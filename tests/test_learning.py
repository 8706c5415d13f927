"""LP-MST, cluster priors and the label-private gradient methods: budgets, conventions, bad input, excess risk."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import optimize, stats
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from lpmech.applications.learning import multi_stage
from lpmech.applications.learning.convex import LPNormalSGDClassifier, LPRRSGDClassifier, TrueLabelSGDClassifier
from lpmech.applications.learning.methods import OptimalClassifier, RRClassifier
from lpmech.applications.learning.multi_stage import LPMST, cluster_priors
from lpmech.applications.learning.prior_split import prior_from_split
from lpmech.applications.learning.row_priors import sample_rr_with_priors
from lpmech.applications.learning.sgd_formulas import (
    debiased,
    excess_risk_bound,
    normal_deviation,
    normal_moment,
    rr_moment,
    theorem_9_moment,
)
from lpmech.errors import (
    ChannelError,
    InvalidInputError,
    LabelError,
    LpmechError,
    PriorError,
    PrivacyLevelError,
    UtilityError,
)
from lpmech.mechanisms import StochasticRounding, private_histogram
from lpmech.privacy import PrivacyLevel
from lpmech.randomness import as_random_source

pytestmark = [
    pytest.mark.usefixtures("own_ledger"),
    pytest.mark.filterwarnings("ignore:classes is not given"),  # but where a test asks for the warning
]

X, Y = make_blobs(600, centers=4, cluster_std=0.6, random_state=0)
NAMES = np.array(["ash", "birch", "cedar", "dogwood"])[Y]
METHODS = [LPMST(KNeighborsClassifier(15), 3.0), LPRRSGDClassifier(3.0), LPNormalSGDClassifier(0.9)]


# -- scikit-learn conventions ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_conventions(method):
    """Catches state kept in the constructor, a seed that is not used, and labels of another type."""
    one = clone(method).set_params(random_state=1).fit(X, NAMES)
    same = clone(method).set_params(random_state=1).fit(X, NAMES)
    other = clone(method).set_params(random_state=2).fit(X, NAMES)
    np.testing.assert_array_equal(one.predict_proba(X), same.predict_proba(X))
    assert not np.array_equal(one.predict_proba(X), other.predict_proba(X))
    assert one.classes_.tolist() == sorted(set(NAMES))
    assert set(one.predict(X)) <= set(NAMES)
    np.testing.assert_allclose(one.predict_proba(X).sum(axis=1), 1)
    assert 0 <= one.score(X, NAMES) <= 1
    assert clone(one).get_params()["random_state"] == 1
    assert not hasattr(clone(one), "classes_")


def test_lp_mst_learns_and_a_second_stage_narrows_the_labels():
    first = LPMST(KNeighborsClassifier(25), 2.0, stages=1, random_state=0).fit(X, NAMES)
    second = LPMST(KNeighborsClassifier(25), 2.0, stages=2, random_state=0).fit(X, NAMES)
    assert first.mean_sizes_ == [4.0]
    assert second.mean_sizes_[0] == 4.0
    assert second.mean_sizes_[1] < 3
    assert second.score(X, NAMES) > 0.9
    assert np.bincount(second.stage_).tolist() == [300, 300]
    hits = [np.mean(m.released_ == NAMES) for m in (first, second)]
    assert hits[1] > hits[0]


def test_temperature_spreads_the_prior():
    sizes = [
        LPMST(KNeighborsClassifier(25), 2.0, temperature=v, random_state=0).fit(X, NAMES).mean_sizes_[1]
        for v in (1, 20)
    ]
    assert sizes[0] < sizes[1]


def test_budgets_add_up():
    plain = LPMST(KNeighborsClassifier(5), 1.0, random_state=0).fit(X, NAMES)
    primed = LPMST(KNeighborsClassifier(5), 1.0, clusters=4, prior_epsilon=0.25, random_state=0).fit(X, NAMES)
    assert plain.epsilon_ == pytest.approx(1.0)
    assert primed.epsilon_ == pytest.approx(2.0)  # after the other one; in itself 1.0, priors included
    assert primed.mean_sizes_[0] < 4


@pytest.mark.parametrize("prior_epsilon", [0.25, PrivacyLevel.from_ratio(2)], ids=str)
def test_the_levels_that_are_used_add_up(prior_epsilon, monkeypatch):
    """Catches labels released at the whole of epsilon besides the histograms, and histograms made twice."""
    used = []

    def histograms(groups, labels, classes, epsilon, rng):
        used.append(("histograms", len(labels), epsilon))
        return cluster_priors(groups, labels, classes, epsilon, rng)

    def release(labels, priors, epsilon, rng):
        used.append(("labels", len(labels), epsilon))
        return sample_rr_with_priors(labels, priors, epsilon, rng)

    monkeypatch.setattr(multi_stage, "cluster_priors", histograms)
    monkeypatch.setattr(multi_stage, "sample_rr_with_priors", release)
    model = LPMST(KNeighborsClassifier(5), 1.0, clusters=4, prior_epsilon=prior_epsilon, random_state=0).fit(X, NAMES)
    spent = 0.25 if prior_epsilon == 0.25 else math.log(2)
    assert [(what, count) for what, count, _ in used] == [("histograms", 600), ("labels", 300), ("labels", 300)]
    assert [level for *_, level in used] == pytest.approx([spent, 1 - spent, 1 - spent])
    assert model.epsilon_ == pytest.approx(1.0)


@pytest.mark.parametrize("temperature", [1e-300, 1e-3, 1e300])
def test_extreme_temperatures_give_priors(temperature):
    """Catches powers of a whole row that underflow to zero: 0.3^1000 is not a float."""
    model = LPMST(LogisticRegression(C=1e-3), 2.0, temperature=temperature, random_state=0).fit(X, NAMES)
    assert model.mean_sizes_[1] < 1.1 if temperature < 1 else model.mean_sizes_[1] == 4


def test_one_stage_is_randomized_response():
    """Catches a wrong first prior: the law of the released labels of one class, chi-square."""
    labels = np.array([0] * 4000 + [1, 2, 3])
    features = np.random.default_rng(0).random((len(labels), 1))
    released = LPMST(KNeighborsClassifier(3), 1.0, stages=1, random_state=0).fit(features, labels).released_
    seen = np.bincount(released[:4000], minlength=4)
    t = math.e
    assert stats.chisquare(seen, 4000 * np.array([t, 1, 1, 1]) / (t + 3)).pvalue > 1e-4


def test_every_label_is_released_once_and_models_see_released_labels_only(monkeypatch):
    """Catches a label used in two stages, and true labels that reach the model: every release is recorded."""
    released, trained = [], []

    def recorded(labels, priors, epsilon, rng):
        released.append(len(labels))
        return (sample_rr_with_priors(labels, priors, epsilon, rng) + 1) % 4  # never mistaken for a true label

    class Recording(KNeighborsClassifier):
        def fit(self, features, labels):
            trained.append(list(labels))
            return super().fit(features, labels)

    monkeypatch.setattr(multi_stage, "sample_rr_with_priors", recorded)
    model = LPMST(Recording(3), 50.0, stages=3, random_state=0).fit(X, NAMES)
    assert released == [200, 200, 200]
    assert [len(labels) for labels in trained] == [200, 400, 600]
    assert sorted(model.classes_[trained[-1]]) == sorted(model.released_)
    assert sorted(model.classes_[trained[0]]) == sorted(model.released_[model.stage_ == 0])


def test_priors_that_leave_one_label_give_a_constant_classifier():
    """58 of 60 labels equal, a level of 0.05: k* = 1 whatever the noise; logistic regression alone would refuse to fit."""
    labels = np.array(["often"] * 58 + ["seldom"] * 2)
    model = LPMST(LogisticRegression(), 1.0, clusters=1, prior_epsilon=0.95, random_state=0).fit(X[:60], labels)
    assert model.mean_sizes_ == [1.0, 1.0]
    assert set(model.released_) == {"often"} == set(model.predict(X))
    assert model.epsilon_ == pytest.approx(1.0)


def test_labels_that_a_stage_never_saw_get_probability_zero():
    labels = np.array([0, 1] * 10 + [2])
    features = np.random.default_rng(0).random((21, 2))
    model = LPMST(KNeighborsClassifier(3), 8.0, stages=3, classes=[0, 1, 2, 3], random_state=0).fit(features, labels)
    assert model.predict_proba(features).shape == (21, 4)


def test_cluster_priors_have_the_noise_of_half_the_budget():
    """Catches the parameter epsilon in place of epsilon / 2: variance of the noise on large counts."""
    rng, a = np.random.default_rng(0), 0.4 / 2
    shares = np.array([
        cluster_priors(np.zeros(2000, dtype=int), np.repeat([0, 1], 1000), 2, 0.4, rng)[0, 0] for _ in range(1200)
    ])  # fmt: skip
    # share = (1000 + e1)/(2000 + e1 + e2), to first order 1/2 + (e1 - e2)/4000
    expected = 2 * stats.dlaplace.var(a) / 4000**2
    assert shares.var() == pytest.approx(expected, rel=0.25)
    assert shares.mean() == pytest.approx(0.5, abs=1e-3)


def test_groups_have_priors_of_their_own_and_empty_histograms_are_uniform():
    rng = np.random.default_rng(0)
    priors = cluster_priors([0] * 500 + [1] * 500, [0] * 500 + [2] * 500, 3, 5.0, rng)
    assert priors[0].argmax() == 0
    assert priors[-1].argmax() == 2
    np.testing.assert_allclose(priors.sum(axis=1), 1)
    uniform = [cluster_priors([0], [0], 2, 0.01, rng)[0].tolist() for _ in range(200)]
    assert [0.5, 0.5] in uniform  # both noisy counts at most 0


# -- gradient methods ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "epsilon"), [(2, 0.5), (5, 1.0), (3, 4.0)])
def test_debiased_values_are_unbiased_and_within_their_range(size, epsilon):
    values, t = np.random.default_rng(0).random((size, 3)), math.exp(epsilon)
    estimates = debiased(values, epsilon)
    for y in range(size):
        chances = np.full(size, 1 / (t + size - 1))
        chances[y] *= t
        np.testing.assert_allclose(chances @ estimates, values[y], atol=1e-12)
    assert estimates.max() <= (t + size - 2) / (t - 1)
    assert estimates.min() >= -(size - 1) / (t - 1)


def test_moments_stay_below_the_papers_constants():
    for size, epsilon in product((2, 5, 20), (0.05, 0.5, 1.0)):
        assert rr_moment(size, epsilon, 1.0) <= 4 * size / epsilon <= 6 * size / epsilon


def test_theorem_9_has_a_larger_moment_and_a_smaller_one_is_refused():
    # K = 4, epsilon = 0.5, L = sqrt(2): 6 * 4 * sqrt(2) / 0.5 = 67.9, rr_moment = sqrt(2) * 2 * 4.6487 / 0.6487 = 20.3
    own, printed = (LPRRSGDClassifier(0.5, random_state=0, **o).fit(X, Y) for o in ({}, {"moment": theorem_9_moment}))
    assert printed.moment_ == pytest.approx(48 * math.sqrt(2))
    assert own.moment_ == pytest.approx(2 * math.sqrt(2) * (math.exp(0.5) + 3) / (math.exp(0.5) - 1))
    assert not np.array_equal(own.coef_, printed.coef_)
    assert clone(printed).moment is theorem_9_moment
    for moment in (lambda *_: 1.0, lambda *_: math.nan, 70.0):
        with pytest.raises(InvalidInputError, match="moment"):
            LPRRSGDClassifier(0.5, moment=moment).fit(X, Y)


def test_each_label_passes_through_randomized_response():
    """Catches a wrong chance of the true label or an uneven spread over the others: chi-square on 20000 releases."""
    model, source, estimates = LPRRSGDClassifier(0.9), as_random_source(0), debiased(np.eye(3), 0.9)
    for label in range(3):
        released = model._released(np.full(20_000, label), np.ones(20_000), 3, source)
        seen = np.bincount(np.argmin(np.linalg.norm(released[:, None] - estimates, axis=2), axis=1), minlength=3)
        chances = np.ones(3)
        chances[label] = math.exp(0.9)
        assert stats.chisquare(seen, 20_000 * chances / chances.sum()).pvalue > 1e-4


@pytest.mark.parametrize("length", [1.0, 0.01])
def test_gaussian_noise_covers_the_span_of_the_gradients_and_hides_the_label(length):
    """Catches noise in the wrong units or direction: its covariance is sigma^2 times the projection, whatever ||x||."""
    model, gradients = LPNormalSGDClassifier(0.5, 1e-3), np.full(3, 1 / 3) - np.eye(3)
    released = model._released(np.ones(20_000, dtype=int), np.full(20_000, length), 3, as_random_source(0))
    # in units of the unit vector x / ||x||; e_k is on the grid up to half a step
    noise = length * (released - np.eye(3)[1])
    assert abs(length - round(length * model._steps()) / model._steps()) <= 0.5 / model._steps()
    sigma = normal_deviation(0.5, 1e-3, math.sqrt(2))
    np.testing.assert_allclose(noise @ np.ones(3), noise[0] @ np.ones(3), atol=1e-9 * sigma)
    assert abs(noise[0] @ np.ones(3)) <= 0.5 / model._steps() + 1e-12
    # its mean is zero, within five deviations: the true label's unit vector, and no other's, is below it
    assert np.abs(noise.mean(axis=0)).max() < 5 * sigma * math.sqrt(2 / 3 / 20_000)
    np.testing.assert_allclose(np.cov(noise.T) / sigma**2, np.eye(3) - 1 / 3, atol=0.05)
    # the exact delta of Gaussian noise for two labels: the gradients are ||e_k - e_j|| ||x|| <= sqrt(2) apart
    shift = np.linalg.norm(gradients[0] - gradients[1]) / sigma
    delta = stats.norm.cdf(shift / 2 - 0.5 / shift) - math.exp(0.5) * stats.norm.cdf(-shift / 2 - 0.5 / shift)
    assert delta <= 1e-3
    # and of the discrete noise, from its concentrated level, for labels sqrt(2) units of the grid apart
    assert model._noise().delta(0.5, 2 * model._steps() ** 2) <= 1e-3


def test_the_grid_of_the_noise_has_whole_steps_to_the_unit():
    # noise of 2^15 and more units has one step to the unit, not half a one; sigma ~ 1/epsilon
    assert LPNormalSGDClassifier(0.9)._steps() == 2**11  # sigma = 15.2: at most 2^15 steps
    assert normal_deviation(1e-4, 1e-5, math.sqrt(2)) > 2**15
    assert LPNormalSGDClassifier(1e-4)._steps() == 1


def test_tiny_features_do_not_show_the_label():
    """Catches a gradient without noise: the square of 1e-200 underflows, so that the norm of such a row seems 0."""
    features = [[1e-200, 0.0]] * 4
    fitted = [LPNormalSGDClassifier(0.5, random_state=0).fit(features, y).coef_ for y in ([0, 0, 0, 1], [1, 1, 1, 0])]
    assert not np.any(fitted)


def test_huge_features_are_scaled_to_norm_one():
    """Catches squares that overflow: a row of norm infinity would become zero."""
    model = LPRRSGDClassifier(20.0, random_state=0)
    np.testing.assert_allclose(model.fit(X * 1e200, Y).coef_, clone(model).fit(X * 1e100, Y).coef_)


@pytest.mark.parametrize("method", [LPRRSGDClassifier(0.9), LPNormalSGDClassifier(0.9)], ids=["RR", "Normal"])
def test_excess_risk_stays_below_the_bound_and_falls(method):
    """Catches a wrong step size or sign: empirical excess risk against the best weights in the ball, two sizes."""
    radius, rng = 2.0, np.random.default_rng(0)
    features = rng.standard_normal((1500, 2))
    features /= np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1)
    labels = (features[:, 0] + 0.3 * rng.standard_normal(1500) > 0).astype(int)

    def risk(weights):
        scores = features @ np.reshape(weights, (2, 2)).T
        return np.mean(np.logaddexp(scores[:, 0], scores[:, 1]) - scores[np.arange(1500), labels])

    ball = {"type": "ineq", "fun": lambda w: radius**2 - w @ w}
    best = optimize.minimize(risk, np.full(4, 0.1), constraints=[ball]).fun
    excesses = []
    for count in (100, 1500):
        fitted = [
            clone(method).set_params(radius=radius, random_state=s).fit(features[:count], labels[:count])
            for s in range(5)
        ]
        excesses.append(np.mean([risk(model.coef_) for model in fitted]) - best)
        assert excesses[-1] <= fitted[0].excess_risk_bound()
        assert fitted[0].excess_risk_bound() == excess_risk_bound(2 * radius, fitted[0].moment_, count)
        assert all(np.linalg.norm(model.coef_) <= radius * (1 + 1e-12) for model in fitted)
    if isinstance(method, LPRRSGDClassifier):
        assert excesses[1] < excesses[0]


def test_gradient_methods_learn_without_much_noise():
    features, labels = load_iris(return_X_y=True)
    scaled = (features - features.mean(axis=0)) / features.std(axis=0)
    many = np.tile(scaled, (20, 1)), np.tile(labels, 20)
    assert LPRRSGDClassifier(20.0, random_state=0).fit(*many).score(scaled, labels) > 0.8
    assert TrueLabelSGDClassifier(random_state=0).fit(*many).score(scaled, labels) > 0.8


# -- bad input -------------------------------------------------------------------------------------------

KNN = KNeighborsClassifier(3)


@pytest.mark.parametrize(
    ("model", "features", "labels", "error", "argument"),
    [
        (LPMST(KNN), [["a", "b"]] * 4, [0, 1, 0, 1], InvalidInputError, "X"),
        (LPMST(KNN), [[math.nan]] * 4, [0, 1, 0, 1], InvalidInputError, "X"),
        (LPMST(KNN), [1.0, 2.0], [0, 1], InvalidInputError, "X"),
        (LPMST(KNN), [[1.0]] * 4, [0, 1, 0], InvalidInputError, "y"),
        (LPMST(KNN, classes=[0, 1]), [[1.0]] * 4, [0, 1, 0, 2], LabelError, "y"),
        (LPMST(KNN), [[1.0]] * 4, [1, 1, 1, 1], LabelError, "classes"),
        (LPMST(KNN, stages=5), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "stages"),
        (LPMST(KNN, stages=0), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "stages"),
        (LPMST(LinearSVC()), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "estimator"),
        (LPMST(3), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "estimator"),
        (LPMST(KNN, temperature=0.0), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "temperature"),
        (LPMST(KNN, shares=[0.5, 0.6]), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "shares"),
        (LPMST(KNN, shares=[1.0]), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "shares"),
        (LPMST(KNN, shares=[0.2, 0.3, 0.5]), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "shares"),
        (LPMST(KNN, shares=[0.01, 0.99]), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "shares"),
        (LPMST(KNN, shares=["a", "b"]), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "shares"),
        (LPMST(KNN, shares=[[1], [2, 3]]), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "shares"),
        (LPMST(GaussianNB), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "estimator"),
        (LPMST(KNN, classes=[None, "a"]), [[1.0]] * 4, [0, 1, 0, 1], LabelError, "classes"),
        (LPMST(KNN, classes=[[0, 1], [2, 3]]), [[1.0]] * 4, [0, 1, 0, 1], LabelError, "classes"),
        (LPMST(KNN, classes=[[1], [2, 3]]), [[1.0]] * 4, [0, 1, 0, 1], LabelError, "classes"),
        (LPMST(KNN), [[1.0]] * 4, [0, math.nan, 0, math.nan], LabelError, "y"),
        (LPMST(KNN), np.full((4, 1), "2020-01-01", "datetime64[s]"), [0, 1, 0, 1], InvalidInputError, "X"),
        (LPMST(KNN, clusters=2, prior_epsilon="x"), [[1.0]] * 4, [0, 1, 0, 1], PrivacyLevelError, "prior_epsilon"),
        (LPMST(KNN, 0.0), [[1.0]] * 4, [0, 1, 0, 1], PrivacyLevelError, "epsilon"),
        (LPMST(KNN, clusters=True), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "clusters"),
        (LPMST(KNN, clusters=1.5), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "clusters"),
        (LPMST(KNN, clusters=9), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "clusters"),
        (LPMST(KNN, clusters=2, prior_epsilon=1.0), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "prior_epsilon"),
        (LPMST(KNN, clusters=2, prior_epsilon=1.5), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "prior_epsilon"),
        (LPMST(KNN, random_state="x"), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "random_state"),
        (LPRRSGDClassifier(radius=-1), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "radius"),
        (LPRRSGDClassifier(classes=[0, 0]), [[1.0]] * 4, [0, 1, 0, 1], LabelError, "classes"),
        (LPRRSGDClassifier(), [["a"]] * 4, [0, 1, 0, 1], InvalidInputError, "X"),
        (LPNormalSGDClassifier(1.5), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "epsilon"),
        (LPNormalSGDClassifier(0.5, 1.0), [[1.0]] * 4, [0, 1, 0, 1], InvalidInputError, "delta"),
    ],
)
def test_bad_input_is_named(model, features, labels, error, argument):
    with pytest.raises(error) as caught:
        model.fit(features, labels)
    assert caught.value.argument == argument
    assert isinstance(caught.value, LpmechError)


def test_bad_groups_and_columns_are_named():
    rng = np.random.default_rng(0)
    with pytest.raises(InvalidInputError, match="groups"):
        cluster_priors([0.5], [0], 2, 1.0, rng)
    with pytest.raises(LabelError, match="labels"):
        cluster_priors([0], [2], 2, 1.0, rng)
    for call, error, argument in [
        (lambda: cluster_priors([[0], [0, 1]], [0], 2, 1.0, rng), LabelError, "groups"),
        (lambda: cluster_priors([0], [[0], [0, 1]], 2, 1.0, rng), LabelError, "labels"),
        (lambda: cluster_priors([0], [0], 2, 1.0, -1), InvalidInputError, "random_state"),
        (lambda: sample_rr_with_priors([0], [[0.5, 0.5]], 1.0, -1), InvalidInputError, "random_state"),
        (lambda: sample_rr_with_priors([[0], [0, 1]], [[0.5, 0.5]], 1.0, rng), LabelError, "labels"),
        (lambda: sample_rr_with_priors([0], [["a", "b"]], 1.0, rng), PriorError, "priors"),
        (lambda: sample_rr_with_priors([0], [[0.5, 0.5], [1.0]], 1.0, rng), PriorError, "priors"),
        (lambda: prior_from_split([0, 1, 0], [0, 1], 1.0, 0.5, rng), InvalidInputError, "labels"),
        (lambda: prior_from_split(np.array([0, 1]), [0, 1], 1.0, 0.5, -1), InvalidInputError, "random_state"),
        (lambda: private_histogram(None, [0, 1], 1.0, rng), LabelError, "labels"),  # was an empty histogram
        (lambda: private_histogram([0], None, 1.0, rng), LabelError, "classes"),
        (lambda: private_histogram([0], [0, 1], 1.0, -1), InvalidInputError, "random_state"),
        (lambda: OptimalClassifier(KNN, utility=[[1, 2], [3]]).fit(X, Y), UtilityError, "utility"),
        (lambda: LPRRSGDClassifier().fit(X, Y).score(X, Y, [1.0]), InvalidInputError, "sample_weight"),
        (lambda: LPRRSGDClassifier().fit(X, Y).score(X, Y, "a"), InvalidInputError, "sample_weight"),
        (lambda: StochasticRounding("channel"), ChannelError, "channel"),
    ]:
        with pytest.raises(error, match=argument):
            call()
    with pytest.raises(InvalidInputError, match="values"):
        debiased(1.0, 1.0)
    for values in (["a", "b"], [[1.0], [2.0, 3.0]], [1.0, math.nan], []):
        with pytest.raises(InvalidInputError, match="values"):
            debiased(values, 1.0)
    with pytest.raises(InvalidInputError, match="classes"):
        cluster_priors([0], [0], "a", 1.0, rng)
    with pytest.raises(InvalidInputError, match="neighbors"):
        LPMST(KNeighborsClassifier(400), random_state=0).fit(X, Y)
    with pytest.raises(InvalidInputError, match="neighbors"):
        RRClassifier(KNeighborsClassifier(-1), random_state=0).fit(X, Y)
    with pytest.raises(InvalidInputError, match="neighbors"):
        RRClassifier(KNeighborsClassifier(700), random_state=0).fit(X, Y).predict(X)
    for wrong, argument in [
        (lambda: excess_risk_bound(1.0, 1.0, 0), "steps"),
        (lambda: excess_risk_bound(-1.0, 1.0, 9), "diameter"),
        (lambda: excess_risk_bound(1.0, math.inf, 9), "moment"),
        (lambda: rr_moment(0, 1.0, 1.0), "classes"),
        (lambda: theorem_9_moment(2, 1.0, -1.0), "lipschitz"),
        (lambda: normal_moment(2, 0.0, 1.0), "deviation"),
    ]:
        with pytest.raises(InvalidInputError, match=argument):
            wrong()
    model = LPRRSGDClassifier(random_state=0).fit(X, Y)
    with pytest.raises(InvalidInputError, match="columns"):
        model.predict([[1.0]])


@pytest.mark.parametrize("method", [LPMST(KNN), LPRRSGDClassifier(), RRClassifier(KNN)], ids=lambda m: type(m).__name__)
def test_a_model_that_is_not_fitted_says_so(method):
    with pytest.raises(NotFittedError):
        clone(method).predict(X)


def test_works_with_a_linear_model_and_pandas():
    import pandas as pd

    frame = pd.DataFrame(X, columns=["a", "b"])
    assert LPMST(LogisticRegression(), 4.0, random_state=0).fit(frame, pd.Series(NAMES)).score(frame, NAMES) > 0.8


@pytest.mark.parametrize(("fraction", "first"), [(0.3, 3), (0.01, 1), (0.99, 9), (0.5, 5)])
def test_the_split_has_the_stated_share(fraction, first):
    """round(fraction n) of n = 10 examples, at least one in each part; catches a split that ignores the fraction."""
    prior_part, rest, prior = prior_from_split(np.arange(10) % 2, [0, 1], 1.0, fraction, 0)
    assert (len(prior_part), len(rest), len(prior)) == (first, 10 - first, 2)
    assert sorted([*prior_part, *rest]) == list(range(10))

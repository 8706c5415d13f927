"""Label-private learning: every step by hand, without noise or with known noise; both sides of every bound; defaults."""

import math
import warnings
from dataclasses import FrozenInstanceError
from inspect import signature
from itertools import permutations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from lpmech.applications.learning import convex, multi_stage, perturbed_sgd, perturbed_trees, row_priors
from lpmech.applications.learning.block_rr import block_rr_from_estimate, randomize_dataset
from lpmech.applications.learning.convex import LPNormalSGDClassifier, LPRRSGDClassifier, TrueLabelSGDClassifier
from lpmech.applications.learning.inputs import check_runs, encoded_labels, label_vector, seeded_clone, target_vector
from lpmech.applications.learning.label_vectors import neighbour_means
from lpmech.applications.learning.methods import RRClassifier
from lpmech.applications.learning.multi_stage import LPMST, cluster_priors
from lpmech.applications.learning.perturbed_sgd import (
    GRADIENT_MECHANISMS,
    LAPLACE_FOR_BATCHES,
    NO_NOISE,
    PerturbedSGDClassifier,
)
from lpmech.applications.learning.perturbed_trees import LAPLACE_FOR_LEAVES, PerturbedBoostingRegressor
from lpmech.applications.learning.prior_split import prior_from_split
from lpmech.applications.learning.private_classifier import LabelPrivateClassifier, PriorChannelClassifier
from lpmech.applications.learning.row_priors import best_ks, sample_rr_with_priors
from lpmech.applications.learning.sgd_formulas import (
    LIPSCHITZ,
    debiased,
    excess_risk_bound,
    normal_deviation,
    normal_moment,
    rr_moment,
    theorem_9_moment,
)
from lpmech.errors import BlockError, InvalidInputError, LabelError, PriorError, PrivacyWarning
from lpmech.mechanisms.perturbation import PERTURBATIONS
from lpmech.privacy import PrivacyLevel
from lpmech.randomness import as_random_source

pytestmark = [
    pytest.mark.usefixtures("own_ledger"),
    pytest.mark.filterwarnings("ignore:classes is not given"),  # but where a test asks for the warning
]

BASE = GaussianNB()


class Known:
    """In place of noise: the same numbers every time; how it was made is noted."""

    def __init__(self, values):
        self.values, self.made = np.asarray(values), []

    def of_level(self, *arguments):
        self.made.append(arguments)
        return self

    def sample(self, count, source):
        return np.resize(self.values, count)


# -- defaults -----------------------------------------------------------------------------------------


class Plain(PriorChannelClassifier):
    """Nothing of its own."""

    def _channel(self, prior, level):
        raise NotImplementedError


@pytest.mark.parametrize(
    ("make", "arguments", "defaults"),
    [
        (LPRRSGDClassifier, (), {"epsilon": 1.0, "radius": 10.0, "moment": rr_moment}),
        (LPNormalSGDClassifier, (), {"epsilon": 0.5, "delta": 1e-5, "radius": 10.0}),
        (TrueLabelSGDClassifier, (), {"radius": 10.0}),
        (RRClassifier, (BASE,), {"estimator": BASE, "epsilon": 1.0}),
        (Plain, (BASE,), {"estimator": BASE, "epsilon": 1.0, "prior_fraction": 0.1}),
        (
            LPMST, (BASE,),
            {
                "estimator": BASE, "epsilon": 1.0, "stages": 2, "shares": None, "temperature": 1.0, "clusters": None,
                "prior_epsilon": 0.1,
            },
        ),
        (
            PerturbedSGDClassifier, (),
            {
                "epsilon": 1.0, "mechanism": "BRR", "clip": 1.0, "intervals": 10, "batch_size": 32, "epochs": 1,
                "learning_rate": 1.0,
            },
        ),
        (
            PerturbedBoostingRegressor, (),
            {
                "epsilon": 1.0, "mechanism": "BRR", "target_range": (-1.0, 1.0), "rounds": 10, "depth": 3,
                "intervals": 20, "shrinkage": 0.3, "regularization": 1.0,
            },
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_defaults_are_those_of_the_documentation(make, arguments, defaults):
    model = make(*arguments)
    shared = {"random_state": None} if "rounds" in defaults else {"random_state": None, "classes": None}
    assert model.get_params(deep=False) == {**defaults, **shared}
    positional = [
        name
        for name, parameter in signature(type(model).__init__).parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    assert set(positional[1:]) <= {"estimator", "epsilon", "delta"}


# -- formulas -----------------------------------------------------------------------------------------


def test_formulas_by_hand():
    two = PrivacyLevel.from_ratio(2)
    assert debiased([1.0, 0.0, 4.0], two) == pytest.approx([-1, -5, 11])  # (4 v - 5) / 1
    assert rr_moment(3, two, 5.0) == pytest.approx(40)  # 5 * 2 * (2 + 3 - 1) / (2 - 1)
    assert theorem_9_moment(3, 0.5, 5.0) == pytest.approx(180)
    assert normal_deviation(0.5, 1e-3, 3.0) == pytest.approx(12 * math.sqrt(2 * math.log(1250)))
    assert normal_deviation(0.999, 0.5, 1.0) > 0
    assert normal_moment(2, 3.0, 5.0) == pytest.approx(math.sqrt(25 + 2 * 9))
    assert excess_risk_bound(3.0, 5.0, 4) == pytest.approx(2 * 3 * 5 * (2 + math.log(4)) / 2)
    assert excess_risk_bound(3.0, 5.0, 1) == pytest.approx(60)
    assert pytest.approx(2) == LIPSCHITZ**2
    for refused in (
        lambda: normal_deviation(1.0, 0.5, 1.0),
        lambda: debiased(np.empty((0, 2)), two),
        lambda: debiased(3.0, two),
        lambda: normal_deviation(0.5, 0.0, 1.0),
        lambda: normal_deviation(0.5, 0.5, 0.0),
        lambda: normal_moment(0, 1.0, 1.0),
        lambda: normal_moment(1, 1.0, 0.0),
        lambda: rr_moment(2, 1.0, 0.0),
        lambda: theorem_9_moment(0, 1.0, 1.0),
    ):
        with pytest.raises(InvalidInputError):
            refused()


# -- gradient descent of a convex loss ------------------------------------------------------------------


def test_rows_are_scaled_down_to_norm_one():
    rows = np.array([[3.0, 4.0], [0.3, 0.4], [0.6, 0.8], [1.0, 1.0], [1.0, 0.0], [1e-101, 0.0], [1e-99, 0.0]])
    half = math.sqrt(0.5)
    expected = [[0.6, 0.8], [0.3, 0.4], [0.6, 0.8], [half, half], [1.0, 0.0], [0.0, 0.0], [1e-99, 0.0]]
    assert convex._clipped(rows) == pytest.approx(np.array(expected), rel=1e-12, abs=1e-120)


@pytest.mark.parametrize("radius", [0.4, 3.0])
def test_every_step_is_that_of_the_algorithm(radius):
    """Projected descent with step 2 r / (L sqrt(t)) on true labels, written out; the order of the examples is random."""
    rows, labels = np.array([[0.6, 0.3], [3.0, 4.0], [0.2, -0.7]]), np.array([2, 0, 1])

    def descent(order):
        weights = np.zeros((3, 2))
        for t, i in enumerate(order, 1):
            x = rows[i] / max(1.0, math.hypot(*rows[i]))
            scores = softmax(weights @ x)
            weights = weights - 2 * radius / math.sqrt(2 * t) * np.outer(scores - np.eye(3)[labels[i]], x)
            weights = weights * min(1.0, radius / np.linalg.norm(weights))
        return weights

    model = TrueLabelSGDClassifier(radius=radius, random_state=0).fit(rows, labels)
    distances = [np.abs(model.coef_ - descent(order)).max() for order in permutations(range(3))]
    assert min(distances) < 1e-12
    assert sorted(distances)[1] > 1e-3  # the orders differ
    assert model.excess_risk_bound() == pytest.approx(excess_risk_bound(2 * radius, math.sqrt(2), 3))
    assert (model.steps_, model.epsilon_, model.released_indices_.tolist()) == (3, math.inf, [0, 1, 2])
    scores = np.array([[3.0, 4.0], [0.1, 0.2]]) / [[5.0], [1.0]] @ model.coef_.T
    assert model.predict_proba([[3.0, 4.0], [0.1, 0.2]]) == pytest.approx(softmax(scores, axis=1))


def test_what_is_released_with_known_noise(monkeypatch):
    """LP-Normal-SGD: the unit vector of the label, in steps, plus noise, projected to the true sum; by hand."""
    model = LPNormalSGDClassifier(0.9)
    steps = model._steps()
    monkeypatch.setattr(model, "_noise", lambda: Known([3.0, -1.0, 4.0, 0.0, 0.0, 0.0]))
    released = model._released(np.array([1, 2, 0]), np.array([1.0, 0.5, 0.0]), 3, as_random_source(0))
    # sums of the noise: 6 and 0; a third of them is taken off every entry
    assert released[0] == pytest.approx(np.array([1.0, steps - 3.0, 2.0]) / steps)
    assert released[1].tolist() == [0, 0, 1]
    assert released[2].tolist() == [0, 0, 0]  # a row of zeros has no gradient
    assert model._moment(4) == pytest.approx(normal_moment(4, normal_deviation(0.9, 1e-5, LIPSCHITZ), LIPSCHITZ))


@pytest.mark.parametrize("chosen", [math.inf, -math.inf])
def test_a_moment_is_finite(chosen):
    with pytest.raises(InvalidInputError, match="moment"):
        LPRRSGDClassifier(1.0, moment=lambda *_: chosen, random_state=0).fit([[0.0], [1.0]], [0, 1])
    least = LPRRSGDClassifier(1.0, moment=lambda *given: rr_moment(*given), random_state=0).fit([[0.0], [1.0]], [0, 1])
    assert least.moment_ == rr_moment(2, 1.0, LIPSCHITZ)


# -- minibatches ----------------------------------------------------------------------------------------


def test_three_epochs_without_noise_are_gradient_descent_with_three_labels():
    # one batch of everything: the order does not matter; steps of 1.7, 1.7 / sqrt(2), 1.7 / sqrt(3)
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(9, 2)), np.array([0, 1, 2] * 3)
    model = PerturbedSGDClassifier(
        1.0, mechanism=NO_NOISE, clip=0.3, batch_size=9, epochs=3, learning_rate=1.7, random_state=0
    ).fit(rows, labels)
    full, weights = np.column_stack([rows, np.ones(9)]), np.zeros((2, 3))
    for step in (1, 2, 3):
        shares = softmax(np.column_stack([full @ weights.T, np.zeros(9)]), axis=1)
        errors = shares[:, :2] - np.eye(3)[labels][:, :2]
        gradients = np.clip(errors[:, :, None] * full[:, None, :], -0.3, 0.3)
        weights = weights - 1.7 / math.sqrt(step) * gradients.mean(axis=0)
    assert model.coef_ == pytest.approx(weights)
    assert (model.steps_, model.released_indices_.tolist()) == (3, list(range(9)))
    shares = softmax(np.column_stack([full @ weights.T, np.zeros(9)]), axis=1)
    assert model.predict_proba(rows) == pytest.approx(shares)


def test_a_remainder_of_the_examples_is_left_out():
    rows, labels = np.arange(10.0)[:, None], np.arange(10) % 2
    model = PerturbedSGDClassifier(1.0, batch_size=4, epochs=1, random_state=0).fit(rows, labels)
    assert (model.steps_, len(model.released_indices_)) == (2, 8)
    assert PerturbedSGDClassifier(1.0, batch_size=1, random_state=0).fit(rows, labels).steps_ == 10
    assert PerturbedSGDClassifier(1.0, batch_size=10, random_state=0).fit(rows, labels).steps_ == 1


def test_noise_for_one_example_is_on_its_grid(monkeypatch):
    """A batch of 4, clip 3: one example moves a coordinate by 6 / 4, which is 1024 steps; 5 coordinates, 2 epochs."""
    noise = Known([5, -7])
    monkeypatch.setattr(perturbed_sgd, "DiscreteLaplace", noise)
    model, level = PerturbedSGDClassifier(mechanism=LAPLACE_FOR_BATCHES), PrivacyLevel.from_epsilon(3.0)
    release = model._release(level, 5, 3.0, 4, 2)
    step = 6 / 4 / 1024
    mean = np.array([0.1, -0.2, 3.0, 0.0, -3.0])
    assert release(mean, None) == pytest.approx(step * (np.rint(mean / step) + np.array([5, -7, 5, -7, 5])), rel=1e-12)
    ((sensitivity, share),) = noise.made
    assert (sensitivity, float(share)) == (1025 * 5, pytest.approx(1.5))


@pytest.mark.parametrize("mechanism", GRADIENT_MECHANISMS)
def test_every_mechanism_is_the_one_of_its_name(mechanism, monkeypatch):
    asked = []

    class Every:
        def __init__(self, make, dimension, level):
            asked.append((make.args, dimension, float(level)))

        def sample(self, vectors, source):
            return [2 * vector for vector in vectors]

    monkeypatch.setattr(perturbed_sgd, "EveryCoordinate", Every)
    monkeypatch.setattr(perturbed_sgd, "DiscreteLaplace", Known([0]))
    release = PerturbedSGDClassifier(mechanism=mechanism, intervals=6)._release(
        PrivacyLevel.from_epsilon(3.0), 5, 0.5, 4, 2
    )
    mean = np.array([0.25, -0.125])
    if mechanism in PERTURBATIONS:  # to [-1, 1] and back
        assert asked == [((mechanism, 6), 5, pytest.approx(1.5))]
        assert release(mean, None) == pytest.approx(2 * mean)
    else:
        assert asked == []
        assert release(mean, None) == pytest.approx(mean)


# -- trees ----------------------------------------------------------------------------------------------


def test_boosting_without_noise_is_written_out():
    """Residuals clipped to half the range, leaf values to c = g (1 - shrinkage)^r; the range is not around zero."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(40, 3))
    targets = 10 + 4 * np.sign(rows[:, 0]) + rng.normal(size=40)
    model = PerturbedBoostingRegressor(
        1.0, mechanism=NO_NOISE, target_range=(7.0, 15.0), rounds=4, depth=2, shrinkage=0.4, regularization=0.5,
        random_state=0,
    ).fit(rows, targets)  # fmt: skip
    centred, predicted = np.clip(targets, 7, 15) - 11, np.zeros(40)
    for round_, (tree, values) in enumerate(model.trees_):
        leaves = tree.apply(rows)
        for leaf in np.unique(leaves):
            inside = leaves == leaf
            value = np.clip(centred - predicted, -4, 4)[inside].sum() / (inside.sum() + 0.5)
            clip = 4 * 0.6**round_
            assert values[leaf] == pytest.approx(np.clip(value, -clip, clip))
        predicted = predicted + 0.4 * values[leaves]
        assert (tree.get_depth(), tree.max_features) == (2, 1)
    assert model.predict(rows) == pytest.approx(11 + predicted)
    assert model.released_indices_.tolist() == list(range(40))
    single = PerturbedBoostingRegressor(mechanism=NO_NOISE, rounds=1, depth=1, random_state=0).fit(rows, targets)
    assert (len(single.trees_), single.trees_[0][0].get_depth()) == (1, 1)


def test_noise_for_one_target_is_on_its_grid(monkeypatch):
    # 1024 steps are what a target moves a leaf, or twice the clip where that is less
    noise = Known([5, -7])
    monkeypatch.setattr(perturbed_trees, "DiscreteLaplace", noise)
    release = PerturbedBoostingRegressor(mechanism=LAPLACE_FOR_LEAVES)._release(0.7)
    values, steps = np.array([0.25, -0.5]), np.array([0.8, 3.0]) / 1024
    found = release(values, np.array([0.8, 4.0]), 1.5, None)
    assert found == pytest.approx(steps * (np.rint(values / steps) + np.array([5, -7])), rel=1e-12)
    assert noise.made == [(1025, 0.7)]


@pytest.mark.parametrize("mechanism", PERTURBATIONS)
def test_leaves_are_released_by_the_mechanism_of_the_name(mechanism, monkeypatch):
    asked = []

    class Points:
        def sample(self, values, source):
            return 2 * values

    monkeypatch.setattr(perturbed_trees, "releasable", lambda *given: asked.append(given) or Points())
    release = PerturbedBoostingRegressor(mechanism=mechanism, intervals=6)._release(0.7)
    assert asked == [(mechanism, 6, 0.7)]
    assert release(np.array([0.3]), np.array([1.0]), 0.5, None) == pytest.approx([0.6])


def test_seeds_of_trees_clones_and_clusters_are_whole_words(monkeypatch):
    """Below 2^31 and about half of them above 2^30: one seed for all would make every tree and every fit the same."""
    rows, labels = np.arange(8.0)[:, None], np.arange(8) % 2
    trees = PerturbedBoostingRegressor(rounds=40, depth=1, random_state=0).fit(rows, labels).trees_
    rng = np.random.default_rng(0)
    clones = [seeded_clone(DecisionTreeClassifier(), rng).random_state for _ in range(40)]
    groups = []

    class Grouping:
        def __init__(self, clusters, *, random_state, **_):
            groups.append(random_state)

        def fit_predict(self, features):
            return np.zeros(len(features), dtype=int)

    monkeypatch.setattr(multi_stage, "KMeans", Grouping)
    for seed in range(40):
        LPMST(BASE, clusters=1, classes=[0, 1], stages=1, random_state=seed).fit(rows, labels)
    for seeds in ([tree.random_state for tree, _ in trees], clones, groups):
        assert len(set(seeds)) == 40
        assert 2**30 < max(seeds) < 2**31
    assert "random_state" not in seeded_clone(BASE, rng).get_params()


# -- stages, priors of rows, splits -----------------------------------------------------------------------


def test_priors_of_clusters_by_hand(monkeypatch):
    noise = Known([2, -1, -4])
    monkeypatch.setattr(multi_stage, "DiscreteLaplace", noise)
    # group 5: counts (1, 2, 0) and noise: (3, 1, -4 -> 0); group 7: counts (0, 0, 1): (2, 0 of -1, 0 of -3)
    priors = cluster_priors([5, 5, 7, 5], [1, 0, 2, 1], 3, 0.8, 0)
    assert priors == pytest.approx(np.array([[0.75, 0.25, 0], [0.75, 0.25, 0], [1, 0, 0], [0.75, 0.25, 0]]))
    assert noise.made == [(2, 0.8)]


def test_powers_of_the_models_probabilities_by_hand():
    class Model:
        classes_ = np.array([0, 2])

        def predict_proba(self, features):
            return np.array([[0.2, 0.8]] * len(features))

    model = LPMST(BASE, temperature=2.0)
    model.classes_, model.estimator_ = np.array(["a", "b", "c"]), Model()
    third = math.sqrt(0.2) / (math.sqrt(0.2) + math.sqrt(0.8))  # 1 / 3
    assert model._probabilities(np.zeros((2, 1))) == pytest.approx(np.array([[third, 0, 1 - third]] * 2))


@pytest.mark.parametrize(("epsilon", "prior_epsilon"), [(1.0, 0.25), (3.0, 0.25), (1.0, 0.1)])
def test_labels_and_priors_together_stay_below_the_level(epsilon, prior_epsilon, monkeypatch):
    levels = []

    def release(labels, priors, level, source):
        levels.append(level)
        return labels

    monkeypatch.setattr(multi_stage, "sample_rr_with_priors", release)
    rows, labels = np.arange(8.0)[:, None], np.arange(8) % 2
    options = {"classes": [0, 1], "stages": 1, "random_state": 0}
    LPMST(BASE, epsilon, clusters=2, prior_epsilon=prior_epsilon, **options).fit(rows, labels)
    LPMST(BASE, epsilon, **options).fit(rows, labels)
    assert levels == [math.nextafter(epsilon - prior_epsilon, 0.0), epsilon]


def test_parts_of_the_examples_by_hand():
    rows, labels = np.arange(10.0)[:, None], np.arange(10) % 2
    options = {"classes": [0, 1], "random_state": 0}

    def sizes(**given):
        return np.bincount(LPMST(BASE, **options, **given).fit(rows, labels).stage_).tolist()

    assert sizes(stages=3) == [3, 4, 3]  # up to round(10 / 3) = 3 and round(20 / 3) = 7
    assert sizes(stages=2, shares=[0.29, 0.71]) == [3, 7]
    assert sizes(stages=10) == [1] * 10
    assert sizes(stages=2, shares=[0.5, 0.5 + 0.9e-9]) == [5, 5]
    assert sizes(stages=1, clusters=10) == [10]
    for given in (
        {"stages": 11}, {"shares": [-0.5, 1.5]}, {"shares": [0.0, 1.0]}, {"shares": [0.5, 0.5 + 2e-9]},
        {"shares": [0.5, 0.5 - 2e-9]}, {"clusters": 0}, {"clusters": 11}, {"stages": True}, {"shares": [0.3, 0.3, 0.4]},
    ):  # fmt: skip
        with pytest.raises(InvalidInputError, match=next(iter(given))):
            sizes(**given)


@pytest.mark.parametrize(
    ("prior", "k", "order"),
    [
        # t = 3: k* maximises the mass of the k largest times 3 / (3 + k - 1), that is 1, 3/4, 3/5
        ([0.9, 0.1, 0.0], 1, [0, 1, 2]),
        ([0.1, 0.3, 0.6], 2, [2, 1, 0]),
        ([0.0, 0.5, 0.5], 2, [1, 2, 0]),
        ([0.3, 0.3, 0.4], 3, [2, 0, 1]),
    ],
)
@pytest.mark.parametrize("truth", [0, 1, 2])
def test_every_tick_of_a_row_is_the_label_of_the_law(prior, k, order, truth, monkeypatch):
    """All outcomes of the source, each once: 3 ticks for the true label and 1 for each other one of the k of the row.

    A row of another k beside it, so that a label drawn for one row does not reach the other.
    """

    class Every:
        def below(self, bound, count):
            return np.arange(count) % bound

    monkeypatch.setattr(row_priors, "as_random_source", lambda given: Every())
    monkeypatch.setattr(row_priors, "likelihood_weights", lambda ratio, size: (3, 1))
    level, other = PrivacyLevel.from_ratio(3), [1.0, 0.0, 0.0] if k > 1 else [1 / 3] * 3
    assert best_ks([prior, other], level).tolist() == [k, 1 if k > 1 else 3]
    drawn = sample_rr_with_priors([truth, truth] * 60, [prior, other] * 60, level).reshape(60, 2)
    kept = order[:k]
    expected = dict.fromkeys(kept, 60 // k)  # a true label that is not among the k: any of them
    if truth in kept:
        expected = {y: 60 // (k + 2) * (3 if y == truth else 1) for y in kept}
    assert {y: int(count) for y, count in enumerate(np.bincount(drawn[:, 0])) if count} == expected
    assert set(drawn[:, 1]) == ({0} if k > 1 else {0, 1, 2})
    assert best_ks([[1.0]], 1.0).tolist() == [1]
    assert best_ks([[0.5, 0.5 + 0.9e-9]], 1.0).tolist() == [2]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sample_rr_with_priors([0, 1], [[0.5, 0.5]], 1.0), LabelError, "1 whole numbers 0, ..., 1$"),
        (lambda: sample_rr_with_priors([0], [[0.5, 0.5]] * 2, 1.0), LabelError, "2 whole numbers 0, ..., 1$"),
        (lambda: sample_rr_with_priors([0.0], [[0.5, 0.5]], 1.0), LabelError, "labels"),
        (lambda: sample_rr_with_priors([2], [[0.5, 0.5]], 1.0), LabelError, "labels"),
        (lambda: sample_rr_with_priors([3], [[0.5, 0.5]], 1.0), LabelError, "labels"),
        (lambda: sample_rr_with_priors([-1], [[0.5, 0.5]], 1.0), LabelError, "labels"),
        (lambda: best_ks([0.5, 0.5], 1.0), PriorError, "shape"),
        (lambda: best_ks([[[0.5, 0.5]]], 1.0), PriorError, "shape"),
        (lambda: best_ks(np.empty((0, 2)), 1.0), PriorError, "shape"),
        (lambda: best_ks(np.empty((2, 0)), 1.0), PriorError, "shape"),
        (lambda: best_ks([[1.5, -0.5]], 1.0), PriorError, "rows"),
        (lambda: best_ks([[0.5, 0.5 + 2e-9]], 1.0), PriorError, "rows"),
        (lambda: best_ks([[0.5, 0.5 - 2e-9]], 1.0), PriorError, "rows"),
        (lambda: cluster_priors([0, 1], [0], 2, 1.0), LabelError, "2 whole numbers 0, ..., 1$"),
        (lambda: cluster_priors([0], [0, 1], 2, 1.0), LabelError, "1 whole numbers 0, ..., 1$"),
        (lambda: cluster_priors([0], [0.0], 2, 1.0), LabelError, "labels"),
        (lambda: cluster_priors([0], [3], 2, 1.0), LabelError, "labels"),
        (lambda: cluster_priors([0], [-1], 2, 1.0), LabelError, "labels"),
        (lambda: cluster_priors([[0], [1]], [[0], [1]], 2, 1.0), InvalidInputError, "groups"),
        (lambda: cluster_priors(0, 0, 2, 1.0), InvalidInputError, "groups"),
        (lambda: cluster_priors(np.empty(0, int), np.empty(0, int), 2, 1.0), InvalidInputError, "groups"),
        (lambda: cluster_priors([0.0], [0], 2, 1.0), InvalidInputError, "groups"),
        (lambda: cluster_priors([0], [0], 0, 1.0), InvalidInputError, "classes"),
        (lambda: PerturbedSGDClassifier(epochs=0).fit([[0.0]] * 40, [0, 1] * 20), InvalidInputError, "epochs"),
        (lambda: neighbour_means(np.eye(2), np.eye(2), np.eye(2), 0), InvalidInputError, "neighbours"),
        (lambda: neighbour_means(np.eye(2), np.eye(2), np.eye(2), 3), InvalidInputError, "neighbours"),
        (lambda: prior_from_split(np.array([0, 1]), [0, 1], 1.0, -0.5), InvalidInputError, "prior_fraction"),
        (lambda: prior_from_split(np.array([0, 1]), [0, 1], 1.0, 0.0), InvalidInputError, "prior_fraction"),
        (lambda: prior_from_split(np.array([0, 1]), [0, 1], 1.0, 1.0), InvalidInputError, "prior_fraction"),
        (lambda: prior_from_split(np.array([0, 1]), [0, 1], 1.0, 1.5), InvalidInputError, "prior_fraction"),
        (lambda: prior_from_split(np.array([0, 1]), [0, 1], 1.0, "a"), InvalidInputError, "prior_fraction"),
        (lambda: prior_from_split(np.array([[0], [1]]), [0, 1], 1.0, 0.5), InvalidInputError, "labels"),
        (lambda: prior_from_split(np.array([0]), [0, 1], 1.0, 0.5), InvalidInputError, "labels"),
        (lambda: block_rr_from_estimate([0.5, 0.5], 1.0, 0.1, -1), BlockError, "l: got -1"),
        (lambda: target_vector([1.0], 2), InvalidInputError, "y"),
        (lambda: target_vector([1.0, 2.0, 3.0], 2), InvalidInputError, "y"),
        (lambda: target_vector([1.0, math.inf], 2), InvalidInputError, "y"),
        (lambda: label_vector([1, 2, 3], 2), InvalidInputError, "y"),
        (lambda: label_vector([1], 2), InvalidInputError, "y"),
        (lambda: label_vector([[1], [2]], 2), InvalidInputError, "y"),
        (lambda: label_vector([1.0, math.nan], 2), LabelError, "not NaN"),
        (lambda: encoded_labels([0, 1], [0, 1, 2], 2), InvalidInputError, "at least one for each of the 3"),
        (lambda: encoded_labels([0, 0], [0], 2), LabelError, "two or more"),
        (lambda: encoded_labels([0, 0], "ab", 2), LabelError, "two or more"),
        (lambda: encoded_labels([0, 0], [0, 1, 1], 3), InvalidInputError, "y"),
        (lambda: encoded_labels([0, 0, 0], [0, 1, 1], 3), LabelError, "two or more"),
        (lambda: check_runs(0, 0, 1), InvalidInputError, "repeats"),
        (lambda: check_runs(1, -1, 1), InvalidInputError, "seed"),
        (lambda: check_runs(1, 0, 0), InvalidInputError, "jobs"),
        (lambda: check_runs(2, 0, 1, 3), InvalidInputError, "repeats"),
    ],
)  # fmt: skip
def test_one_step_beyond_a_bound_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_the_bounds_themselves_are_allowed():
    check_runs(1, 0, 1)
    assert cluster_priors([0, 0], [0, 0], 1, 1.0).tolist() == [[1.0], [1.0]]
    assert neighbour_means(np.eye(2), np.eye(2), np.eye(2), 2).tolist() == [[0.5, 0.5]] * 2
    check_runs(3, 0, 1, 3)
    names, positions = encoded_labels(["b", "a"], ["a", "b"], 2)
    assert (names.tolist(), positions.tolist()) == (["a", "b"], [1, 0])
    assert target_vector([1, 2], 2).tolist() == [1.0, 2.0]
    assert [part.tolist() for part in prior_from_split(np.array([0, 1]), [0, 1], 1.0, 0.5, 0)[:2]] in (
        [[0], [1]],
        [[1], [0]],
    )
    channel, favoured = block_rr_from_estimate([0.6, 0.4], 1.0, 0.1, 0)
    assert (favoured, len(channel.inputs)) == (0, 2)
    released = randomize_dataset(np.arange(300) % 3, [0, 1, 2], 2.0, 0.1, 1, 0)
    assert (len(released.prior_indices), len(released.indices), released.epsilon) == (3, 297, 2.0)
    with pytest.raises(FrozenInstanceError):
        released.epsilon = 0.0


# -- warnings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [RRClassifier(LogisticRegression(), 2.0), LPRRSGDClassifier(2.0), LPMST(BASE, 2.0), PerturbedSGDClassifier(2.0, batch_size=4)],
    ids=lambda model: type(model).__name__,
)  # fmt: skip
def test_warnings_point_at_the_line_that_fits(model):
    rng = np.random.default_rng(len(type(model).__name__))  # examples of its own, for what is spent on them adds up
    rows, labels = rng.normal(size=(12, 2)), np.arange(12) % 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            model.fit(rows, labels)
    ours = [warning for warning in caught if warning.category is PrivacyWarning]
    assert len(ours) >= 3  # twice without classes, once for the same examples
    assert {warning.filename for warning in ours} == {__file__}
    assert model.epsilon_ == 4.0
    assert issubclass(RRClassifier, LabelPrivateClassifier)


@pytest.mark.parametrize("neighbours", [1, 7, 40])
def test_means_over_neighbours_are_the_same_of_sparse_targets(neighbours):
    """Against a loop over queries: the mean of the targets of the nearest points; one-hot targets given as sparse ones."""
    rng = np.random.default_rng(5)
    features, queries = rng.standard_normal((40, 2)), rng.standard_normal((9, 2))
    targets = np.eye(6)[rng.integers(0, 6, 40)]
    distances = ((queries[:, None] - features[None]) ** 2).sum(axis=2)
    near = np.argsort(distances, axis=1)[:, :neighbours]
    expected = np.array([targets[chosen].sum(axis=0) / neighbours for chosen in near])
    for given in (targets, csr_array(targets)):
        found = neighbour_means(features, given, queries, neighbours)
        assert isinstance(found, np.ndarray)
        assert found.tolist() == expected.tolist()  # sums of ones are exact in floats

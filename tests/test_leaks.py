"""What a fit shows of the labels beyond what it releases: splits, empty bins, seeds, repeated releases, classes."""

import math
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from lpmech.applications.learning.convex import LPNormalSGDClassifier, LPRRSGDClassifier, TrueLabelSGDClassifier
from lpmech.applications.learning.ledger import LEDGER
from lpmech.applications.learning.methods import METHODS, AlibiClassifier, RRClassifier, VectorClassifier
from lpmech.applications.learning.multi_stage import LPMST, cluster_priors
from lpmech.applications.learning.perturbed_sgd import PerturbedSGDClassifier
from lpmech.applications.learning.perturbed_trees import PerturbedBoostingRegressor
from lpmech.errors import InvalidInputError, LabelError, PrivacyWarning

pytestmark = pytest.mark.usefixtures("own_ledger")

X, Y = make_blobs([120, 60, 20], centers=[[0, 0], [6, 0], [0, 6]], random_state=0)
CLASSES = [0, 1, 2, 3]
GRADIENTS = [LPRRSGDClassifier(1.0), LPNormalSGDClassifier(0.9), PerturbedSGDClassifier(5.0)]


def made(name, **parameters):
    return METHODS[name](GaussianNB(), 1.0, classes=CLASSES, **parameters)


@pytest.mark.parametrize("name", METHODS)
def test_which_examples_are_used_for_what_does_not_depend_on_the_labels(name):
    """Catches stages or prior splits that are stratified by the true labels: which part an example is in would show it."""
    splits = set()
    for seed in range(4):
        labels = np.random.default_rng(seed).permutation(Y) if seed else Y
        model = made(name, random_state=5).fit(X, labels)
        parts = [getattr(model, part, np.zeros(0)) for part in ("released_indices_", "prior_indices_", "stage_")]
        splits.add(tuple(tuple(part.tolist()) for part in parts))
    assert len(splits) == 1


@pytest.mark.parametrize("method", [RRClassifier, VectorClassifier, AlibiClassifier])
def test_a_label_moves_its_own_release_only(method):
    """Coupled fits on neighbouring labels: catches noise that is shared, sorted or drawn by class."""
    changed = Y.copy()
    changed[7] = 2
    one, other = (method(GaussianNB(), 1.0, classes=CLASSES, random_state=1).fit(X, y) for y in (Y, changed))
    differs = np.flatnonzero((one.released_ != other.released_).reshape(len(X), -1).any(axis=1))
    assert set(differs) <= {7}


def test_labels_that_a_group_lacks_get_noise_as_those_it_has():
    """Catches noise on occupied bins only: a prior above zero would then say that somebody in the group has the label.

    The noisy count of an absent label is positive with probability a / (1 + a), a = e^(-1/2): 0.378; sd of 800 is 14.
    """
    groups, labels = np.repeat([0, 1], 30), np.repeat([0, 1], 30)
    priors = [cluster_priors(groups, labels, 3, 1.0, seed)[[0, 30]] for seed in range(800)]
    positive = np.sum(np.array(priors) > 0, axis=0)
    for group, label in ((0, 1), (0, 2), (1, 0), (1, 2)):
        assert abs(positive[group, label] - 800 * 0.3775) < 5 * 14


@pytest.mark.parametrize("name", METHODS)
def test_without_a_seed_the_noise_is_fresh_whatever_numpy_s_global_state(name):
    """Catches noise from numpy's global generator, and seeds of 31 bits: all bits of a seed count."""
    released = []
    for _ in range(2):
        np.random.seed(0)
        before = np.random.get_state()[1].tolist()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PrivacyWarning)  # of a second release, which is another test
            model = made(name).fit(X, Y)
        assert np.random.get_state()[1].tolist() == before
        # where the prior leaves one label, what is released is always the same; which examples made the prior is not
        parts = ("released_", "released_", "prior_indices_")
        released.append([np.asarray(getattr(model, part, 0)).tolist() for part in parts])
    assert released[0] != released[1]
    seeds = (1, 1 + 2**31, 1 + 2**127)
    noises = [
        np.asarray(RRClassifier(GaussianNB(), 0.1, classes=CLASSES, random_state=s).fit(X, Y).released_) for s in seeds
    ]
    assert not any(np.array_equal(noises[i], noises[j]) for i, j in ((0, 1), (0, 2), (1, 2)))


@pytest.mark.parametrize("model", [*[made(n) for n in METHODS], *GRADIENTS], ids=lambda m: type(m).__name__)
def test_classes_that_are_not_given_are_warned_of(model):
    with pytest.warns(PrivacyWarning, match="classes is not given"):
        clone(model).set_params(classes=None, random_state=0).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clone(model).set_params(classes=CLASSES, random_state=0).fit(X, Y)


@pytest.mark.parametrize("model", [*[made(n) for n in METHODS], *GRADIENTS], ids=lambda m: type(m).__name__)
def test_releases_of_the_same_examples_add_up(model):
    """Catches a grid search over fresh releases that reports the level of one: majorities over them tell the labels."""
    features, model = X, clone(model).set_params(classes=CLASSES)
    level = model.epsilon
    assert model.fit(features, Y).epsilon_ == level
    for times in (2, 3):
        with pytest.warns(PrivacyWarning, match="released before"):
            assert clone(model).fit(features, Y).epsilon_ == pytest.approx(times * level)
    with pytest.warns(PrivacyWarning, match="released before"):  # some of them are enough
        assert clone(model).fit(features[50:], Y[50:]).epsilon_ == pytest.approx(4 * level)
    assert clone(model).set_params(random_state=0).fit(features, Y).epsilon_ == pytest.approx(
        5 * level
    )  # an experiment
    assert model.released_indices_.tolist() == sorted(set(model.released_indices_.tolist()))


def test_cross_validation_spends_and_going_on_with_what_was_released_does_not(monkeypatch, tmp_path):
    with pytest.warns(PrivacyWarning, match="released before"):
        cross_val_score(made("RR"), X, Y, cv=3)
    monkeypatch.setenv(LEDGER, str(tmp_path / "of other people"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        private = made("RR").fit(X, Y)
        search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, cv=3)
        search.fit(X[private.released_indices_], private.released_)
    assert private.epsilon_ == 1.0


class FailsOnce(GaussianNB):
    """As a base estimator that runs out of memory at first."""

    failures = 1

    def fit(self, X, y, sample_weight=None):
        if FailsOnce.failures:
            FailsOnce.failures -= 1
            raise MemoryError
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("name", METHODS)
def test_a_release_whose_training_fails_is_charged(name, monkeypatch):
    monkeypatch.setattr(FailsOnce, "failures", 1)
    model = METHODS[name](FailsOnce(), 4.0, classes=CLASSES)  # at 4 more than one label is released
    with pytest.raises(MemoryError):
        model.fit(X, Y)
    with pytest.warns(PrivacyWarning, match="released before"):
        assert model.fit(X, Y).epsilon_ == 8.0


@pytest.mark.filterwarnings("ignore::lpmech.errors.PrivacyWarning")
@pytest.mark.parametrize(
    ("model", "part"),
    [
        (LPRRSGDClassifier(1.0), "convex.softmax"),
        (PerturbedSGDClassifier(1.0), "perturbed_sgd._probabilities"),
        (PerturbedBoostingRegressor(1.0, rounds=2), "perturbed_trees.ExtraTreeRegressor"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_gradients_whose_training_fails_are_charged(model, part, monkeypatch):
    def fails(*given, **named):
        raise MemoryError

    features, model = X, clone(model)
    if hasattr(model, "classes"):
        model.set_params(classes=CLASSES)
    with monkeypatch.context() as patched:
        patched.setattr(f"lpmech.applications.learning.{part}", fails)
        with pytest.raises(MemoryError):
            model.fit(features, Y)
    with pytest.warns(PrivacyWarning, match="released before"):
        model.fit(features, Y)
    assert model.epsilon_ >= 2


def test_targets_add_up_too():
    features = X
    for times in (1, 2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = PerturbedBoostingRegressor(2.0, rounds=2, mechanism="Laplace, one target").fit(features, Y - 1.0)
        assert model.epsilon_ == times * 2.0
    assert len(model.released_indices_) == len(X)
    assert TrueLabelSGDClassifier(classes=CLASSES).fit(features, Y).epsilon_ == math.inf


@pytest.mark.filterwarnings("ignore::lpmech.errors.PrivacyWarning")
@pytest.mark.parametrize("name", METHODS)
def test_no_error_quotes_a_label(name):
    secret = np.where(np.arange(len(X)) == 3, "secret", "known")
    for labels, classes in (
        (secret, ["known", "other"]),
        (secret[:5], None),
        (np.where(np.arange(len(X)) == 3, "secret", "secret"), None),
        ([["secret"], ["secret", "known"]], ["known", "other"]),
    ):
        model = METHODS[name](GaussianNB(), 1.0, classes=classes)
        with pytest.raises((LabelError, InvalidInputError)) as caught:
            model.fit(X, labels)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", METHODS)
def test_probabilities_where_the_base_has_them(name):
    model = METHODS[name](GaussianNB(), 6.0, classes=CLASSES, random_state=0).fit(X, Y)
    shares = model.predict_proba(X)
    assert shares.shape == (len(X), 4)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert np.mean(model.classes_[shares.argmax(axis=1)] == model.predict(X)) > 0.99
    assert np.mean(shares.argmax(axis=1) == Y) > 0.8


def test_no_probabilities_where_the_base_has_none():
    assert not hasattr(RRClassifier(LinearSVC()), "predict_proba")
    assert hasattr(RRClassifier(GaussianNB()), "predict_proba")
    assert hasattr(LPMST(GaussianNB()), "predict_proba")

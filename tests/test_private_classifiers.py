"""The label-private methods behind one interface: conventions, what reaches the model, budgets, bad input."""

import dataclasses
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from lpmech.applications.learning import prior_split
from lpmech.applications.learning.comparison import (
    BLOCK_RR_SETTINGS,
    COUNTS,
    NOT_PRIVATE,
    Run,
    compare,
    imbalanced_digits,
    number_of_runs,
    root_weighted_hit,
    run_once,
    stratified,
    summarise,
)
from lpmech.applications.learning.methods import (
    METHODS,
    AlibiClassifier,
    BlockRRClassifier,
    BRRStarClassifier,
    OptimalClassifier,
    RRClassifier,
    RRWithPriorClassifier,
    VectorClassifier,
)
from lpmech.applications.learning.private_classifier import PriorChannelClassifier
from lpmech.applications.tabular import read_examples
from lpmech.cli import main
from lpmech.errors import InvalidInputError, LabelError, LpmechError, MissingDependencyError, UtilityError
from lpmech.mechanisms import block_rr_from_partition, rr_with_prior
from lpmech.mechanisms.block_rr import partition
from lpmech.mechanisms.private_histogram import private_histogram
from lpmech.mechanisms.unary_encoding import symmetric_unary_encoding
from lpmech.papers.liu2026 import tables

pytestmark = [
    pytest.mark.usefixtures("own_ledger"),
    pytest.mark.filterwarnings("ignore:classes is not given"),  # but where a test asks for the warning
]

X, Y = make_blobs([240, 160, 60, 40], centers=[[0, 0], [6, 0], [0, 6], [6, 6]], cluster_std=0.7, random_state=0)
NAMES = np.array(["ash", "birch", "cedar", "dogwood"])[Y]
WITH_PRIOR = [name for name, method in METHODS.items() if issubclass(method, PriorChannelClassifier)]


def made(name, epsilon=4.0, base=None, **parameters):
    if name in WITH_PRIOR:
        parameters = {"prior_fraction": 0.3, **parameters}
    return METHODS[name](GaussianNB() if base is None else base, epsilon, random_state=0, **parameters)


# -- one interface ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_conventions(name):
    """Catches state kept in the constructor, a seed that is not used, positions in place of labels, no learning."""
    one, same = made(name).fit(X, NAMES), made(name).fit(X, NAMES)
    np.testing.assert_array_equal(one.predict(X), same.predict(X))
    assert set(one.predict(X)) <= set(NAMES)
    assert one.classes_.tolist() == sorted(set(NAMES))
    assert one.score(X, NAMES) > 0.75
    assert one.epsilon_ == 4.0
    copy = clone(one).set_params(epsilon=2.0)
    assert not hasattr(copy, "classes_")
    assert copy.get_params()["epsilon"] == 2.0
    assert copy.get_params()["random_state"] == 0
    assert isinstance(copy.get_params()["estimator"], GaussianNB)


@pytest.mark.parametrize("name", [n for n in METHODS if n != "LP-MST"])
def test_another_seed_releases_other_labels(name):
    """Catches a fixed generator inside: at a low level the released labels must differ."""
    seen = []

    class Recording(GaussianNB):
        def fit(self, features, labels, sample_weight=None):
            seen.append(np.concatenate([labels, np.zeros(0) if sample_weight is None else sample_weight]))
            return super().fit(features, labels, sample_weight)

    for seed in (1, 2):
        made(name, 1.0, Recording()).set_params(random_state=seed).fit(X, NAMES)
    half = len(seen) // 2
    assert not np.array_equal(seen[0], seen[half])


@pytest.mark.parametrize("name", WITH_PRIOR)
def test_every_label_is_used_once(name, monkeypatch):
    """Catches a label that is both in the histogram and released, and a histogram at another level than epsilon."""
    calls = []

    def recorded(labels, classes, level, rng):
        calls.append((len(labels), level.epsilon))
        return private_histogram(labels, classes, level, rng)

    monkeypatch.setattr(prior_split, "private_histogram", recorded)
    model = made(name, 1.5, prior_fraction=0.2).fit(X, NAMES)
    assert calls == [(100, 1.5)]
    assert not set(model.prior_indices_) & set(model.released_indices_)
    assert sorted([*model.prior_indices_, *model.released_indices_]) == list(range(500))
    assert model.channel_.epsilon <= 1.5 + 1e-12
    assert model.epsilon_ == 1.5


def test_budgets_of_priors_from_the_same_labels_add_up():
    """LP-MST with clusters uses labels twice: 0.5 for the priors and the rest of epsilon for the release."""
    model = made("LP-MST", 2.0, clusters=3, prior_epsilon=0.5, stages=1).fit(X, NAMES)
    assert model.epsilon_ == 2.0


def test_the_channels_are_those_of_the_papers():
    """Each channel is rebuilt from the published estimate of the prior; a wrong method or level would differ."""
    prior = RRWithPriorClassifier(GaussianNB(), 1.0, prior_fraction=0.3, random_state=3).fit(X, Y)
    assert prior.channel_ == rr_with_prior(prior.prior_, 1.0).exact(1.0)
    block = BlockRRClassifier(GaussianNB(), 1.0, sigma=0.9, l=2, prior_fraction=0.3, random_state=3).fit(X, Y)
    majority, minority = partition(block.prior_, 0.9)
    assert minority
    assert block.channel_ == block_rr_from_partition(block.prior_, majority, 1.0, 2).exact(1.0)
    # the same seed gives the same split and estimate, hence optimum (hit) and RRWithPrior are equally good: Theorem 3
    best = OptimalClassifier(GaussianNB(), 1.0, prior_fraction=0.3, random_state=3).fit(X, Y)
    values = [m.channel_.expected_utility(np.eye(4), m.prior_) for m in (best, prior)]
    assert values[0] == pytest.approx(values[1], abs=1e-9)
    # BRR* with the hit rate is randomized response: e / (e + 3) on the diagonal
    star = BRRStarClassifier(GaussianNB(), 1.0, random_state=3).fit(X, Y)
    np.testing.assert_allclose(np.diag(star.channel_.matrix).astype(float), np.e / (np.e + 3))


def test_a_utility_may_depend_on_the_prior():
    model = OptimalClassifier(GaussianNB(), 1.0, utility=root_weighted_hit, prior_fraction=0.3, random_state=0)
    gain = root_weighted_hit(model.fit(X, Y).prior_)
    other = rr_with_prior(model.prior_, 1.0).expected_utility(gain, model.prior_)
    assert model.channel_.expected_utility(gain, model.prior_) >= other - 1e-12
    # 1/sqrt(1/4) = 2, and a label that cannot occur counts nothing
    assert np.diag(root_weighted_hit(np.array([0.25, 0.0, 0.25, 0.5]))).tolist() == pytest.approx([2, 0, 2, 2**0.5])


# -- how released labels become training data --------------------------------------------------------------


def test_a_very_high_level_is_training_on_the_true_labels():
    """Catches shuffled rows, transposed weights and misplaced bits: without noise all must equal the plain model."""
    base = LogisticRegression(max_iter=300)
    for method in (RRClassifier, AlibiClassifier):
        model = method(base, 60.0, random_state=0).fit(X, Y)
        np.testing.assert_allclose(model.estimator_.coef_, base.fit(X, Y).coef_, atol=2e-2)
    model = VectorClassifier(base, 60.0, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(model.estimator_.predict(X), np.eye(4)[Y])


def test_probabilities_of_bits_are_debiased_cut_at_zero_and_normalised():
    """A bit of the true label is 1 with probability p, another one with q: a share is (bit - q) / (p - q), by hand."""
    encoding = symmetric_unary_encoding(3, 2.0)
    p, q = float(encoding.p), float(encoding.q)
    middle = (p + q) / 2

    class Bits:
        def predict_proba(self, features):
            return np.array([[p, q, q], [q, q, q], [middle, q, 0], [p, middle, q]])

    model = VectorClassifier(GaussianNB(), 2.0, classes=[0, 1, 2], random_state=0).fit(X[:300], Y[:300] % 3)
    model.estimator_ = Bits()
    expected = [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3], [1, 0, 0], [2 / 3, 1 / 3, 0]]
    np.testing.assert_allclose(model.predict_proba(X[:4]), expected, atol=1e-12)


def test_a_single_released_label_gives_a_constant_classifier():
    """RRWithPrior at a low level releases one label only; logistic regression alone would refuse to fit."""
    labels = np.zeros(400, dtype=int)
    model = RRWithPriorClassifier(LogisticRegression(), 0.2, prior_fraction=0.5, classes=[0, 1], random_state=0)
    model.fit(X[:400], labels)
    assert set(model.predict(X)) == {0}
    assert model.epsilon_ == 0.2


# -- bad input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_bad_data_is_a_typed_error(name):
    words = [["a", "b"]] * 4
    for features, labels, error in [
        (words, [0, 1, 0, 1], InvalidInputError),
        ([[np.nan]] * 4, [0, 1, 0, 1], InvalidInputError),
        ([[1.0]] * 3, [0, 1], InvalidInputError),
        ([1.0, 2.0], [0, 1], InvalidInputError),
        ([[1.0], [2.0]], [0, 0], LabelError),
        ([[1.0], [2.0]], [None, "a"], LabelError),
        ([[1.0], [2.0]], [[1], [2, 3]], LabelError),
        ([[1.0], [2.0]], [{1}, {1}], LabelError),
    ]:
        with pytest.raises(error):
            made(name).fit(features, labels)
    with pytest.raises(LabelError, match="another label at position") as caught:
        made(name, classes=["ash", "birch", "cedar"]).fit(X, NAMES)
    assert "dogwood" not in str(caught.value)
    with pytest.raises(LpmechError, match="epsilon"):
        made(name, -1.0).fit(X, Y)
    with pytest.raises(InvalidInputError, match="random_state"):
        made(name).set_params(random_state="x").fit(X, Y)
    with pytest.raises(InvalidInputError, match="columns"):
        made(name).fit(X, Y).predict(X[:, :1])


@pytest.mark.parametrize("name", METHODS)
def test_fewer_examples_than_labels_and_labels_unseen_in_fit(name):
    with pytest.raises(InvalidInputError, match="3 examples"):
        made(name, classes=range(4)).fit(X[:3], [0, 1, 2])
    with pytest.raises(LabelError, match="another label at position 0"):
        made(name).fit(X, NAMES).score(X[:1], ["elm"])


@pytest.mark.parametrize(
    ("method", "base", "named"),
    [
        (RRClassifier, object(), "predict"),
        (RRClassifier, GaussianNB, "classifier"),
        (RRClassifier, LinearRegression(), "classifier"),
        (VectorClassifier, LinearRegression(), "classifier"),
        (VectorClassifier, LinearSVC(), "predict_proba"),
        (AlibiClassifier, KNeighborsClassifier(), "sample_weight"),
    ],
)
def test_a_classifier_without_what_is_needed(method, base, named):
    with pytest.raises(InvalidInputError, match=named):
        method(base, 1.0).fit(X, Y)


@pytest.mark.parametrize("base", [DecisionTreeClassifier(), make_pipeline(StandardScaler(), GaussianNB())], ids=str)
def test_trees_and_pipelines_are_classifiers(base):
    """Catches a base whose seed is not set: the same seed must give the same predictions."""
    model = RRClassifier(base, 6.0, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), clone(model).fit(X, Y).predict(X))


def test_bad_parameters():
    for model, error in [
        (RRWithPriorClassifier(GaussianNB(), prior_fraction=0), InvalidInputError),
        (RRWithPriorClassifier(GaussianNB(), prior_fraction="some"), InvalidInputError),
        (BlockRRClassifier(GaussianNB(), l=-1), LpmechError),
        (BlockRRClassifier(GaussianNB(), sigma=0), LpmechError),
        (OptimalClassifier(GaussianNB(), utility=np.eye(3)), UtilityError),
        (OptimalClassifier(GaussianNB(), utility=[["a"] * 4] * 4), UtilityError),
        (BRRStarClassifier(GaussianNB(), utility=5), UtilityError),
    ]:
        with pytest.raises(error):
            model.fit(X, Y)


def test_without_scikit_learn_the_error_says_what_to_install():
    code = (
        "import sys; sys.modules['sklearn'] = None; sys.modules['sklearn.base'] = None\n"
        "from lpmech.cli import main; main(['reproduce', 'compare'])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "lpmech: scikit-learn is not installed; it comes with: pip install 'lpmech[learning]'\n"
    error = pickle.loads(pickle.dumps(MissingDependencyError("scikit-learn", "learning")))
    assert error.extra == "learning"


# -- the comparison on digits --------------------------------------------------------------------------------


def test_counts_and_settings_are_those_of_the_paper():
    for dataset, of_paper in (("digits-1", "CIFAR-10_1"), ("digits-2", "CIFAR-10_2")):
        assert COUNTS[dataset] == tables.COUNTS[of_paper]
        printed = {float(e): (float(s), l) for e, (s, l) in tables.SETTINGS[of_paper].items() if l is not None}
        assert dict(BLOCK_RR_SETTINGS[dataset]) == printed


@pytest.mark.parametrize("dataset", COUNTS)
def test_imbalanced_digits_have_the_proportions_and_no_example_twice(dataset):
    train, train_labels, test, test_labels = imbalanced_digits(dataset, np.random.default_rng(0))
    assert len(np.unique(np.concatenate([train, test]), axis=0)) == len(train) + len(test)
    totals = np.bincount(train_labels) + np.bincount(test_labels)
    assert np.abs(totals - 174 * np.array(COUNTS[dataset]) / 5000).max() <= 0.5
    assert np.abs(np.bincount(test_labels) - totals / 4).max() <= 0.5
    assert train.max() <= 1


def test_runs_are_reproducible_and_paired():
    plain = list(compare("digits-2", [2, 3], 2, methods=["RR", NOT_PRIVATE], seed=5))
    assert [(r.method, r.epsilon) for r in plain] == [("RR", 2)] * 2 + [(NOT_PRIVATE, 2)] * 2 + [("RR", 3)] * 2
    again = run_once("digits-2", "RR", 2.0, 6)
    assert (again.accuracy, again.spent) == (plain[1].accuracy, 2.0)
    assert plain[2].accuracy > plain[0].accuracy
    assert len({r.accuracy for r in plain}) > 2
    assert number_of_runs([1, 2], 3) == (2 * 8 + 1) * 3


def test_summaries_have_sample_deviations():
    # accuracies 0.2, 0.4: mean 0.3, deviation sqrt(2 * 0.01 / 1)
    runs = [Run("RR", 1.0, 1.0, a, np.array([a, 1.0])) for a in (0.2, 0.4)]
    (found,) = summarise(runs)
    assert found.accuracy == pytest.approx((0.3, 0.02**0.5))
    assert found.average == pytest.approx((0.65, 0.005**0.5))
    np.testing.assert_allclose(found.per_class, [[0.3, 1.0], [0.02**0.5, 0]])
    assert np.isnan(summarise(runs[:1])[0].accuracy[1])


@pytest.mark.parametrize(
    "bad", [{"repeats": 0}, {"repeats": 1.5}, {"seed": -1}, {"jobs": 0}, {"epsilons": []}, {"epsilons": [0]},
            {"dataset": "digits-3"}, {"methods": ["nobody"]}], ids=str,
)  # fmt: skip
def test_bad_comparisons(bad):
    with pytest.raises(LpmechError):
        compare(**{"dataset": "digits-1", "epsilons": [1.0], "repeats": 1, **bad})


@pytest.fixture
def flowers(tmp_path):
    rng = np.random.default_rng(4)
    lines = [f"{rng.normal(5 * (i % 3)):.2f},{'pq'[i % 2]},kind {i % 3}" for i in range(60)]
    path = tmp_path / "flowers.csv"
    path.write_text("\n".join(["length,side,kind", *lines]) + "\n")
    return path


def test_own_examples_are_split_by_label_and_learnt_from(flowers):
    examples = read_examples(flowers, "kind")
    train, labels, test, tested = stratified(examples, np.random.default_rng(0))
    assert np.unique(labels, return_counts=True)[1].tolist() == [15] * 3
    assert np.unique(tested, return_counts=True)[1].tolist() == [5] * 3
    assert np.allclose(train.mean(axis=0), 0)
    assert len(np.unique(np.vstack([train, test]), axis=0)) == len(np.unique(examples.features, axis=0))
    plain, noisy = compare(examples, [0.01], 1, methods=[NOT_PRIVATE, "RR"])
    assert plain.accuracy > 0.9 > noisy.accuracy  # what is private at epsilon = 0.01 cannot be learnt
    assert plain.per_class.shape == (3,)
    rare = dataclasses.replace(examples, labels=np.array(["rare", *examples.labels[1:]], dtype=object))
    with pytest.raises(InvalidInputError, match="one example of rare"):
        compare(rare, [1.0], 1)
    few = dataclasses.replace(examples, features=examples.features[:20], labels=examples.labels[:20])
    with pytest.raises(InvalidInputError, match="eight examples"):
        compare(few, [1.0], 1)


def test_the_comparison_of_own_examples_names_their_labels(flowers, capsys):
    options = ["--epsilon", "3", "--repeats", "1", "--jobs", "1"]
    for arguments, code, message in [
        ([str(flowers), "--label", "kind"], 0, "must not be private"),
        ([str(flowers)], 2, "column of its labels"),
        (["--label", "kind"], 2, "column of its labels"),
        ([str(flowers), "--label", "kind", "--dataset", "digits-1"], 2, "not both"),
        ([str(flowers), "--label", "sort"], 2, "length, side, kind"),
    ]:
        with pytest.raises(SystemExit) as caught:
            main(["reproduce", "compare", *arguments, *options])
        shown = capsys.readouterr()
        assert (caught.value.code, message in shown.out + shown.err) == (code, True)
        if code == 0:
            assert all(f" kind {i} " in shown.out for i in range(3))
            assert all(f" {method} " in shown.out for method in METHODS)

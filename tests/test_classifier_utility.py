"""Utility of one's own classifier: closed forms in one dimension, two searches, valid sampled bounds, bad input."""

import math
import re
from fractions import Fraction

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, PolynomialFeatures, RobustScaler, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from lpmech.applications.robustness import (
    Box,
    Tree,
    TreeEnsemble,
    classifier_utility,
    from_estimator,
    rank_mechanisms,
    robustness_box,
    robustness_radius,
    trees,
)
from lpmech.applications.robustness.estimators import rescaled_estimator
from lpmech.applications.robustness.study import _share
from lpmech.applications.robustness.training import parameters
from lpmech.applications.tight_levels import clipped_gaussian, same_level_mechanisms
from lpmech.cli import main
from lpmech.errors import InvalidInputError, LpmechError, PrivacyLevelError, SolverError
from lpmech.mechanisms import PM, Clipped, Gaussian, Laplace, even_grid, exponential_on_grid
from lpmech.privacy import PrivacyLevel


def generator(seed=0):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def people():
    """Age from 20 to 80 and income in thousands; who is above a line is of class yes."""
    rng = generator(7)
    age, income = rng.uniform(20, 80, 120).round(1), rng.uniform(10, 90, 120).round(1)
    labels = np.where(age + income + rng.normal(0, 5, 120) > 100, "yes", "no")
    return pd.DataFrame({"age": age, "income": income}), labels


@pytest.fixture(scope="module")
def forest(people):
    return RandomForestClassifier(12, max_depth=5, random_state=0).fit(*people)


# -- the same tight level -----------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.1, 2.0, 9.0])
def test_all_mechanisms_have_the_tight_level(epsilon):
    # catches the exponential mechanism at half of its budget
    made = same_level_mechanisms(even_grid(7), PrivacyLevel.from_epsilon(epsilon))
    assert {name: m.epsilon for name, m in made.items()} == pytest.approx(dict.fromkeys(made, epsilon), rel=1e-9)
    rows = np.array(made["exponential"].channel.matrix, dtype=float)
    assert math.log(np.max(rows[:, None] / rows)) == pytest.approx(epsilon)
    # the level of clipped noise is the ratio of its atoms at one end: ln(Phi(0) / Phi(-1 / scale))
    scale = clipped_gaussian(PrivacyLevel.from_epsilon(epsilon)).mechanism.scale
    assert math.log(0.5) - stats.norm.logcdf(-1 / scale) == pytest.approx(epsilon)
    assert (
        Clipped(Gaussian(scale * (1 - 1e-9))).epsilon
        > epsilon
        >= clipped_gaussian(PrivacyLevel.from_epsilon(epsilon)).epsilon
    )


def test_mechanisms_of_other_levels_are_not_ranked():
    box = Box([0.2], [0.8])
    for other in (exponential_on_grid(even_grid(11), 2.0), Gaussian(1.0), Laplace(2.1)):
        with pytest.raises(InvalidInputError, match="same finite tight level"):
            rank_mechanisms({"PM": [PM(2.0)], "other": [other]}, [0.5], box)
    assert set(
        rank_mechanisms(
            {n: [m] for n, m in same_level_mechanisms(even_grid(11), PrivacyLevel.from_epsilon(2.0)).items()},
            [0.5],
            box,
        )
    )
    # the level of all features counts, features without a mechanism do not
    two = {"a": [PM(2.0), None], "b": [None, Laplace(2.0)]}
    assert len(rank_mechanisms(two, [0.5, 0.5], Box([0.2, 0.2], [0.8, 0.8]))) == 2


# -- closed forms -------------------------------------------------------------------------------------


def test_in_one_dimension_the_guarantee_is_the_utility_and_has_a_closed_form():
    # class 1 above c = 37 on the range from 0 to 100, five rows, behind a scaler
    x = np.array([[5.0], [30.0], [36.0], [55.0], [90.0]])
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(x, [0, 0, 0, 1, 1])
    logistic, scaler = model[-1], model[0]
    c = (scaler.mean_[0] - scaler.scale_[0] * logistic.intercept_[0] / logistic.coef_[0, 0]) / 100
    e = 3.0
    found = classifier_utility(model, x, [0], e, generator(), ranges={0: (0, 100)}, samples=4000)
    assert (found.guarantee, found.reason, found.rows) == ("exact", "", 5)
    tails = {
        "Laplace, clipped": lambda v: stats.laplace.sf(c, loc=v, scale=1 / e),
        "Laplace, truncated": lambda v: (
            (stats.laplace.cdf(1, v, 1 / e) - stats.laplace.cdf(c, v, 1 / e))
            / (stats.laplace.cdf(1, v, 1 / e) - stats.laplace.cdf(0, v, 1 / e))
        ),
        "Gaussian, clipped": lambda v: stats.norm.sf(
            c, v, clipped_gaussian(PrivacyLevel.from_epsilon(e)).mechanism.scale
        ),
        "exponential": lambda v: on_grid(v, lambda g, at: np.exp(-e * abs(g - at))),
        "k-RR": lambda v: on_grid(v, lambda g, at: np.where(g == at, math.exp(e), 1.0)),
        "PM": lambda v: window(v, math.exp(e / 2), 1 / (math.exp(e / 2) + 1)),
        "SW": lambda v: window(v, math.expm1(e) / e, (math.exp(e) * (e - 1) + 1) / math.expm1(e) ** 2),
    }

    def on_grid(v, weight):
        grid = np.linspace(0, 1, 11)
        weights = weight(grid, grid[np.argmin(abs(grid - v))])
        return weights[grid > c].sum() / weights.sum()

    def window(v, high, width):
        start = min(max(v - width / 2, 0), 1 - width)
        inside = max(start + width - max(start, c), 0)
        return inside * high + (1 - c - inside) * high / math.exp(e)

    assert {m.mechanism for m in found.mechanisms} == set(tails)
    for m in found.mechanisms:
        above = np.array([tails[m.mechanism](v) for v in x[:, 0] / 100])
        stays = np.where(x[:, 0] / 100 > c, above, 1 - above)
        assert m.guaranteed == pytest.approx(stays.mean(), abs=1e-6)
        assert m.guaranteed_least == pytest.approx(stays.min(), abs=1e-6)
        assert m.simulated.low <= m.guaranteed <= m.simulated.high
        assert m.simulated_least.low <= m.guaranteed_least <= m.simulated_least.high
        assert (m.epsilon, m.delta) == (pytest.approx(e), 0)
    values = [m.guaranteed for m in found.mechanisms]
    assert values == sorted(values, reverse=True)


def test_sensitive_features_share_the_level_and_the_others_stay(people):
    # the class is that of the income alone: releasing the age as well costs half of the level, and nothing else
    features, _ = people
    model = DecisionTreeClassifier(max_depth=1).fit(features, features["income"] > 50)
    alone = classifier_utility(model, features, ["income"], 2.0, generator(), rows=6, samples=50)
    both = classifier_utility(model, features, ["age", "income"], 4.0, generator(), rows=6, samples=50)
    assert both.sensitive == ("age", "income")
    for a in alone.mechanisms:
        b = next(m for m in both.mechanisms if m.mechanism == a.mechanism)
        assert (b.epsilon, b.guaranteed) == (pytest.approx(2 * a.epsilon), pytest.approx(a.guaranteed))
    unseen = classifier_utility(model, features, ["age"], 2.0, generator(), rows=6, samples=50)
    assert all(m.guaranteed == pytest.approx(1.0) and m.simulated.value == 1 for m in unseen.mechanisms)


@pytest.mark.parametrize("epsilon", [0.1, 0.3, PrivacyLevel.from_ratio(2)])
def test_the_shares_of_the_features_are_at_most_epsilon_in_all(epsilon):
    level, share = _share(epsilon, 7)
    assert 7 * Fraction(share.epsilon) <= level.epsilon_below < 7 * Fraction(share.epsilon) * (1 + Fraction(1, 10**15))
    assert _share(level, 1) == (level, level)  # one feature has the level itself, exact if it is


def test_gaussian_noise_with_a_delta_is_marked_and_last(people, forest):
    found = classifier_utility(forest, people[0], ["age"], 3.0, generator(), rows=3, samples=50, delta=0.1)
    assert [m.delta for m in found.mechanisms] == [0] * 7 + [0.1]
    assert found.to_frame()["mechanism"].iloc[-1] == "Gaussian"


# -- structures of scikit-learn ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        LinearDiscriminantAnalysis(), LinearSVC(), Perceptron(), RidgeClassifier(), LogisticRegression(fit_intercept=False),
        ExtraTreesClassifier(5, max_depth=4, random_state=1), MLPClassifier((5,), max_iter=30, random_state=0),
    ],
    ids=lambda m: type(m).__name__,
)  # fmt: skip
@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler((-1, 3)), MaxAbsScaler(), RobustScaler()], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_structures_behind_scalers_predict_the_same(people, model, scaler):
    # catches a forgotten shift or scale of a scaler, or a transposed layer
    features = people[0].to_numpy()
    labels = np.digitize(features.sum(axis=1), [90, 120])
    pipeline = make_pipeline(scaler, model).fit(features, labels)
    low, high = features.min(axis=0), features.max(axis=0)
    points = generator().random((300, 2))
    exact = rescaled_estimator(pipeline, low, high)
    assert np.array_equal(pipeline.classes_[exact.predict(points)], pipeline.predict(low + points * (high - low)))


def test_thresholds_are_where_rounding_to_float32_puts_them():
    # float32 has steps of 0.0625 near 10^6: the threshold is one of them, and what is up to 0.03 above rounds to it
    tree = DecisionTreeClassifier().fit(np.array([[1e6], [1e6 + 0.125]]), [0, 1])
    points = 1e6 + np.linspace(-0.01, 0.13, 500)[:, None]
    assert np.array_equal(from_estimator(tree).predict(points), tree.predict(points))
    assert len(set(tree.predict(points))) == 2


# -- forests: two searches, ties, limits ------------------------------------------------------------


def test_all_cells_and_branch_and_bound_agree(people, forest, monkeypatch):
    exact = rescaled_estimator(forest, people[0].min().to_numpy(), people[0].max().to_numpy())
    points = generator(1).random((8, 2))
    domains = [Box([0, 0], [1, 1]), Box([0, 0.2], [1, 0.2])]
    points[4:, 1] = 0.2

    def answers():
        return [
            (robustness_radius(exact, x, domains[i // 4]), *robustness_box(exact, x, domains[i // 4]).low)
            for i, x in enumerate(points)
        ]

    by_cells = answers()
    monkeypatch.setattr(trees, "MOST_CELL_VOTES", 0)
    assert answers() == by_cells
    assert any(math.isfinite(radius) for radius, *_ in by_cells)


def test_forests_of_more_features_than_numpy_has_axes(people):
    # catches an axis for each: the constant columns change nothing
    few, labels = people
    many = np.hstack([few, np.ones((len(few), 70))])
    found = [
        classifier_utility(
            DecisionTreeClassifier(max_depth=1).fit(table, labels), table, [0, 1], 2.0, generator(),
            rows=4, samples=20,
        )
        for table in (few.to_numpy(), many)
    ]  # fmt: skip
    assert [study.guarantee for study in found] == ["exact", "exact"]
    first, second = ({m.mechanism: m.guaranteed for m in study.mechanisms} for study in found)
    assert first == pytest.approx(second)


def test_ties_that_rounding_decides_are_not_counted_on():
    # above 0.5 the votes are 0.7 + 0.2 + 0.1 and 0.3 + 0.8 + 0.9 less 1: equal but for rounding, in either order
    def tree(votes):
        return Tree([[-np.inf], [0.5]], [[0.5], [np.inf]], [[1.0, 0.0], votes])

    rounded = TreeEnsemble([tree([0.1, 0.3]), tree([0.2, 0.2]), tree([0.3, 0.1])])
    assert robustness_radius(rounded, [0.1]) == pytest.approx(0.4)
    whole = TreeEnsemble([tree([1.0, 0.0]), tree([0.0, 1.0])])
    assert robustness_radius(whole, [0.1]) == math.inf  # exact ties go to the first class


def test_large_forests_are_refused_and_get_sampled_bounds(monkeypatch):
    features = generator(2).random((150, 3))
    model = RandomForestClassifier(100, random_state=0).fit(features, features.sum(axis=1) > 1.5)
    monkeypatch.setattr(trees, "MOST_STEPS", 300)
    with pytest.raises(SolverError, match=r"100 trees .* cells, too many"):
        robustness_radius(from_estimator(model), features[0])
    found = classifier_utility(model, features, [0, 1, 2], 6.0, generator(), rows=2, samples=100)
    assert found.guarantee == "sampled"
    assert "too many to look at" in found.reason
    for m in found.mechanisms:
        assert 0 < m.guaranteed_least <= m.guaranteed < m.simulated.value
    many = TreeEnsemble([Tree([[-np.inf]], [[np.inf]], [[1.0, 0.0]])] * 501)
    monkeypatch.setattr(trees, "MOST_CELL_VOTES", 0)
    with pytest.raises(SolverError, match="501 trees"):  # not a recursion without end
        robustness_radius(many, [0.5])


def test_sampled_bounds_hold_together_with_their_confidence():
    # class 1 above 0.5 in both; at confidence 0.6 some bound is too high in at most 40 % of the runs
    symmetric = ([[0.2], [0.3], [0.7], [0.8]], [0, 0, 1, 1])
    model, exact = GaussianNB().fit(*symmetric), LogisticRegression(C=1e6).fit(*symmetric)
    rows, ranges = np.array([[0.4], [0.8]]), {0: (0.0, 1.0)}
    truth = {
        m.mechanism: m
        for m in classifier_utility(exact, rows, [0], 2.0, generator(), ranges=ranges, samples=1).mechanisms
    }
    wrong = 0
    for seed in range(12):
        found = classifier_utility(
            model, rows, [0], 2.0, generator(seed), ranges=ranges, samples=60, confidence=0.6
        ).mechanisms
        wrong += any(
            m.guaranteed > truth[m.mechanism].guaranteed + 1e-6
            or m.guaranteed_least > truth[m.mechanism].guaranteed_least + 1e-6
            for m in found
        )
        assert all(m.guaranteed > truth[m.mechanism].guaranteed - 0.3 for m in found)
    assert stats.binom.sf(wrong - 1, 12, 0.4) > 1e-3


# -- bad input --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"estimator": LinearRegression()}, "estimator"),
        ({"estimator": LogisticRegression()}, "estimator"),
        ({"estimator": LogisticRegression}, "estimator"),
        ({"estimator": "LogisticRegression"}, "estimator"),
        ({"features": [[1.0, 2.0, 3.0]]}, "features"),
        ({"features": [["a", "b"]]}, "features"),
        ({"features": [[1.0, math.inf]]}, "features"),
        ({"features": pd.DataFrame({"income": [1.0, 2.0], "age": [3.0, 4.0]})}, "features"),
        ({"sensitive": []}, "sensitive"),
        ({"sensitive": "age"}, "sensitive"),
        ({"sensitive": ["height"]}, "sensitive"),
        ({"sensitive": ["age", 0]}, "sensitive"),
        ({"sensitive": [2]}, "sensitive"),
        ({"features": pd.DataFrame({"age": [30.0, 30.0], "income": [1.0, 2.0]})}, "sensitive"),
        ({"ranges": {"age": (30, 40)}}, "ranges"),
        ({"ranges": {"age": (90, 10)}}, "ranges"),
        ({"ranges": {"income": (0, 100)}}, "ranges"),
        ({"rows": 0}, "rows"),
        ({"samples": 0}, "samples"),
        ({"confidence": 1.0}, "confidence"),
        ({"size": 1}, "size"),
        ({"delta": 0.0}, "delta"),
        ({"rng": 0}, "rng"),
    ],
    ids=str,
)  # fmt: skip
def test_bad_input_names_the_argument(people, forest, change, argument):
    call = {
        "estimator": forest,
        "features": people[0],
        "sensitive": ["age"],
        "epsilon": 1.0,
        "rng": generator(),
        **change,
    }
    with pytest.raises(InvalidInputError) as caught:
        classifier_utility(**call)
    assert caught.value.argument == argument


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.inf, 400.0])
def test_bad_levels(people, forest, epsilon):
    with pytest.raises(PrivacyLevelError):
        classifier_utility(forest, people[0], ["age"], epsilon, generator())


def test_pipelines_with_other_steps_get_sampled_bounds(people):
    model = make_pipeline(PolynomialFeatures(2), MinMaxScaler(), LogisticRegression()).fit(*people)
    found = classifier_utility(model, people[0], ["age"], 1.0, generator(), rows=2, samples=50)
    assert found.guarantee == "sampled"
    assert "scalers only" in found.reason


# -- the command ------------------------------------------------------------------------------------


@pytest.fixture
def file(people, tmp_path):
    features, labels = people
    path = tmp_path / "people.csv"
    features.assign(town=["A", "B"] * 60, flat=1.0, narrow=[1e9, 1e9 + 1] * 60, agrees=labels).to_csv(path, index=False)
    return path


def command(*arguments):
    with pytest.raises(SystemExit) as caught:
        main(["reproduce", "utility", *map(str, arguments)])
    return caught.value.code


COMMON = ("--label", "agrees", "--rows", "4", "--samples", "100")


def test_the_command_prints_and_draws(file, capsys, tmp_path):
    picture = tmp_path / "utility.png"
    code = command(
        file, *COMMON, "--sensitive", "age", "income", "--epsilon", 4, "--classifier", "RandomForestClassifier",
        "--parameter", "n_estimators=5", "--parameter", "criterion=entropy", "--delta", "1e-5", "--output", picture,
    )  # fmt: skip
    shown = capsys.readouterr()
    assert (code, shown.err) == (0, "")
    assert "RandomForestClassifier trained on 90 rows" in shown.out
    assert "epsilon = 4 for age, income together, 2 for each" in shown.out
    assert re.search(r"│ Gaussian +│ \(4, 1e-05\)\* │", shown.out)
    assert "provably has one class" in shown.out
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_file_is_loaded_with_its_own_order_of_columns(people, file, capsys, tmp_path):
    # the classifier knows the columns the other way round; classes of the age alone, so that mistaken columns show
    features = pd.get_dummies(pd.read_csv(file).drop(columns="agrees"), dtype=float)
    model = DecisionTreeClassifier(max_depth=1).fit(features[features.columns[::-1]], features["age"] > 50)
    joblib.dump(model, tmp_path / "model.joblib")
    options = (*COMMON, "--epsilon", 4, "--load-and-run", tmp_path / "model.joblib")
    assert command(file, *options, "--sensitive", "income") == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert re.search(r"│ PM +│ 4 +│ +100\.0 │ 100\.0 ", shown.out)
    assert command(file, *options, "--sensitive", "age") == 0
    assert not re.search(r"│ PM +│ 4 +│ +100\.0 │", capsys.readouterr().out)
    for other in ("aaa", "zzz"):  # a name that comes before, and one that comes after, in the alphabet
        renamed = features.rename(columns={"age": other})
        joblib.dump(DecisionTreeClassifier(max_depth=1).fit(renamed, features["age"] > 50), tmp_path / "model.joblib")
        assert command(file, *options, "--sensitive", "age") == 2
        assert "those of fit" in capsys.readouterr().err
    (tmp_path / "model.joblib").write_bytes(b"nothing")
    assert command(file, *options, "--sensitive", "age") == 2
    assert "can be loaded" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--sensitive", "town"), "columns of numbers: age, income, flat, narrow"),
        (("--sensitive", "height"), "columns of numbers"),
        (("--sensitive", "flat"), "features that vary"),
        (("--sensitive", "narrow"), "features that vary"),
        (("--sensitive", "age", "--classifier", "Classifier"), "a classifier of scikit-learn"),
        (("--sensitive", "age", "--classifier", "os.system"), "a classifier of scikit-learn"),
        (("--sensitive", "age", "--parameter", "C=-1"), "parameters it can be fitted with"),
        (("--sensitive", "age", "--parameter", "D=1"), "parameters it can be fitted with"),
        (("--sensitive", "age", "--classifier", "VotingClassifier"), "parameters it can be fitted with"),
        (("--sensitive", "age", "--range", "age=0"), "name=low:high"),
        (("--sensitive", "age", "--range", "income=0:1"), "name=low:high"),
        (("--sensitive", "age", "--range", "age=40:50"), "a range with all of age"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, tuple) else "",
)  # fmt: skip
def test_bad_options_are_one_line(file, capsys, options, message):
    assert command(file, *COMMON, "--epsilon", 1, *options) == 2
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert message in shown


def test_parameters_are_literals_or_text():
    assert parameters(["a=(8, 4)", "b=relu", "c=None", "d=x=y"]) == {"a": (8, 4), "b": "relu", "c": None, "d": "x=y"}
    for bad in (["a"], ["=1"], ["a=1", "a=2"], ["a b=1"]):
        with pytest.raises(LpmechError):
            parameters(bad)

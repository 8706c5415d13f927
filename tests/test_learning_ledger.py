"""`epsilon_` is never less than what was spent on anybody: folds, scaled features, clones, threads, processes, seeds."""

import math
import os
import stat
import subprocess
import sys
import textwrap
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from lpmech.applications.learning import ledger
from lpmech.applications.learning.convex import TrueLabelSGDClassifier
from lpmech.applications.learning.ledger import LEDGER, spent_in_all
from lpmech.applications.learning.methods import METHODS, AlibiClassifier, RRClassifier, VectorClassifier
from lpmech.errors import DataFileError, InvalidInputError, PrivacyWarning

pytestmark = [
    pytest.mark.usefixtures("own_ledger"),
    pytest.mark.filterwarnings("ignore::lpmech.errors.PrivacyWarning"),
]

X, Y = make_blobs([60, 40, 20], centers=[[0, 0], [6, 0], [0, 6]], random_state=0)


def made(**parameters):
    return RRClassifier(GaussianNB(), 1.0, classes=[0, 1, 2], **parameters)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_grid_search_over_scaled_folds_says_all_it_spent(jobs):
    """Four settings, three folds, and the best one fitted again: 4 * 3 + 1 releases, whatever the process and the folds.

    Catches examples known by their features, which every fold scales differently, and books that end with a process.
    """
    grid = {"rrclassifier__estimator__var_smoothing": [1e-9, 1e-6, 1e-3, 1e-1]}
    search = GridSearchCV(make_pipeline(StandardScaler(), made()), grid, cv=3, n_jobs=jobs, error_score="raise")
    with pytest.warns(PrivacyWarning, match="up to 13 in all, not 1"):
        search.fit(X, Y)
    assert search.best_estimator_[-1].epsilon_ == 13.0


def test_workers_that_are_older_than_the_ledger_learn_of_it():
    """In a process of its own: workers start, then the estimators are imported; what workers spend must be known here."""
    code = """
        from joblib import Parallel, delayed
        Parallel(2)(delayed(abs)(i) for i in range(4))
        import warnings; warnings.simplefilter("ignore")
        import numpy as np
        from sklearn.model_selection import cross_val_score
        from sklearn.naive_bayes import GaussianNB
        from lpmech.applications.learning.methods import RRClassifier
        x, y = np.arange(40.0)[:, None], np.repeat([0, 1], 20)
        model = RRClassifier(GaussianNB(), 0.5, classes=[0, 1])
        cross_val_score(model, x, y, cv=4, n_jobs=2, error_score="raise")
        print(model.fit(x, y).epsilon_)
    """
    environment = {name: value for name, value in os.environ.items() if name != LEDGER}
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert run.stdout == "2.5\n"


def test_a_worker_that_knows_no_ledger_releases_nothing(monkeypatch):
    """Catches books of its own in a worker: what it spends would be missing in the process that started it."""
    monkeypatch.delenv(LEDGER)
    model = made()
    with pytest.raises(InvalidInputError, match="worker process that is older"):
        model.fit(X, Y)
    assert not any(name.startswith(("released_", "epsilon_", "prior_")) for name in vars(model))
    assert made(random_state=1).fit(X, Y).epsilon_ == math.inf  # an experiment; what others spent is not known


def _fit(seed=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return made(random_state=seed).fit(X, Y).epsilon_


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_fits_at_once_are_all_counted(backend, own_ledger):
    get_reusable_executor().shutdown()  # functions are not estimators: their workers inherit the ledger when they start
    found = Parallel(2, backend)(delayed(_fit)() for _ in range(8))
    assert sorted(found)[-1] == 8.0
    assert len(own_ledger.read_text().splitlines()) == 8
    get_reusable_executor().shutdown()


def test_threads_do_not_lose_an_entry(own_ledger):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: spent_in_all(0.25, None), range(64)))
    assert sorted(found) == [0.25 * times for times in range(1, 65)]


def test_clones_refits_and_generators_add_up_and_other_people_count_until_they_have_a_ledger(monkeypatch, tmp_path):
    model = made()
    assert [model.fit(X, Y).epsilon_, model.fit(X, Y).epsilon_, clone(model).fit(X[:50], Y[:50]).epsilon_] == [1, 2, 3]
    assert made(random_state=np.random.default_rng(0)).fit(X, Y).epsilon_ == 4.0  # nobody knows its state
    assert model.fit(X + 1000, Y).epsilon_ == 5.0  # other examples, perhaps of the same people
    monkeypatch.setenv(LEDGER, str(tmp_path / "others"))
    assert model.fit(X + 1000, Y).epsilon_ == 1.0


def test_experiments_count_for_experiments_only():
    """A grid search with a seed releases 13 times as well; but a release is not charged for experiments before it."""
    assert [made(random_state=0).fit(X, Y).epsilon_ for _ in range(3)] == [1.0, 2.0, 3.0]
    assert made().fit(X, Y).epsilon_ == 1.0
    assert made(random_state=0).fit(X, Y).epsilon_ == 5.0


def test_labels_that_were_used_without_noise_are_not_private_any_more():
    TrueLabelSGDClassifier(classes=[0, 1, 2]).fit(X, Y)
    assert made().fit(X, Y).epsilon_ == math.inf


def test_decimals_add_up_as_they_are_written_and_never_to_less():
    # as floats 0.1 + 0.1 + 0.1 is 0.30000000000000004, and ten times 0.1 is 0.9999999999999999: less than was spent
    assert [spent_in_all(0.1, None) for _ in range(10)] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert spent_in_all(2.0**-80, None) == math.nextafter(1.0, 2.0)


@pytest.mark.parametrize("line", ["release nan", "release -1", "release", "1.0", "gift 1.0"])
def test_a_broken_ledger_is_refused_and_nothing_is_released(line, own_ledger):
    own_ledger.write_text(f"{line}\n")
    model = METHODS["RRWithPrior"](GaussianNB(), 1.0, classes=[0, 1, 2])
    with pytest.raises(DataFileError, match=LEDGER):
        model.fit(X, Y)
    assert not any(name.startswith(("released_", "epsilon_", "prior_i", "channel_")) for name in vars(model))


def test_a_ledger_that_cannot_be_written_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv(LEDGER, str(tmp_path / "nowhere" / "ledger"))
    with pytest.raises(DataFileError, match="nowhere"):
        made().fit(X, Y)


def test_the_ledger_is_private_and_goes_with_its_process(own_ledger):
    made().fit(X, Y)
    assert {stat.S_IMODE(path.stat().st_mode) for path in own_ledger.parent.glob("ledger*")} == {0o600}
    code = (
        "import os, sys\nfrom lpmech.applications.learning.ledger import LEDGER, spent_in_all\nspent_in_all(1.0, None)\n"
        "print(os.environ[LEDGER])\nsys.stdout.flush()\nif not os.fork(): sys.exit()\nos.wait()\n"
        "print(os.stat(os.path.dirname(os.environ[LEDGER])).st_mode & 0o777)"
    )
    environment = {name: value for name, value in os.environ.items() if name != LEDGER}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    path, mode = run.stdout.split()
    assert int(mode) == 0o700  # it is still there when a child that was forked is gone
    assert not os.path.exists(os.path.dirname(path))


def test_a_pickled_estimator_does_not_move_the_ledger_of_a_process_that_is_no_worker(own_ledger, monkeypatch, tmp_path):
    state = made().__getstate__()
    monkeypatch.setenv(LEDGER, str(tmp_path / "mine"))
    RRClassifier.__new__(RRClassifier).__setstate__(dict(state))
    assert os.environ[LEDGER] == str(tmp_path / "mine")
    monkeypatch.setattr(ledger, "_is_worker", lambda: True)
    model = RRClassifier.__new__(RRClassifier)
    model.__setstate__(dict(state))
    assert os.environ[LEDGER] == str(own_ledger)
    assert LEDGER not in vars(model)


# -- what is refused, before anything is spent ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "named"),
    [
        (VectorClassifier(LinearSVC(), 1.0, classes=[0, 1, 2]), "predict_proba"),
        (AlibiClassifier(make_pipeline(StandardScaler(), GaussianNB()), 1.0, classes=[0, 1, 2]), "sample_weight"),
        (METHODS["LP-MST"](LinearSVC(), 1.0, classes=[0, 1, 2]), "predict_proba"),
        (METHODS["optimal"](GaussianNB(), 1.0, classes=[0, 1, 2], utility=np.eye(2)), "shape"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_used_is_refused_before_anything_is_spent(model, named, own_ledger):
    with pytest.raises(InvalidInputError, match=named):
        model.fit(X, Y)
    assert not own_ledger.exists()


# -- what was released ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_released_holds_labels_unless_it_holds_vectors(name):
    """Catches positions in classes_ called labels: a model trained on them would predict positions."""
    names = np.array(["ash", "birch", "cedar"])
    model = METHODS[name](GaussianNB(), 4.0, classes=names, random_state=0).fit(X, names[Y])
    if model.released_.ndim == 1:
        assert set(model.released_) <= set(names)
        assert np.mean(model.released_ == names[Y][model.released_indices_]) > 0.7
    else:
        assert model.released_.shape == (len(X), 3)

"""Excess-risk curves: the population minimiser, the hypotheses of the theorems, the bounds, reproducibility, the command."""

import math
from functools import cache

import numpy as np
import pytest
from commands import lpmech
from scipy import optimize
from scipy.special import log_softmax

from lpmech.applications.learning.excess_risk import (
    ALGORITHMS,
    NOT_PRIVATE,
    ExcessRisk,
    curve_table,
    excess_risks,
    number_of_risks,
    slopes,
)
from lpmech.applications.learning.population import DATASETS, population
from lpmech.cli import main
from lpmech.errors import InvalidInputError, LabelError, SolverError

SIZES = (30, 100, 300)


@cache
def wine():
    return population("wine")


@cache
def curves():
    return tuple(excess_risks(wine(), [0.3, 0.9], SIZES, 6, seed=1))


def random_weights(problem, rng, count):
    for _ in range(count):
        weights = rng.standard_normal(problem.minimiser.shape)
        yield weights * problem.radius * rng.random() / np.linalg.norm(weights)


# -- the population --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dataset", "radius"), [("wine", 2.0), ("iris", 1.0), ("breast-cancer", 2.0)])
def test_the_minimum_is_that_of_another_solver(dataset, radius):
    """Catches a wrong loss, ball or tolerance: the multiplier of the ball by bisection, each step by L-BFGS."""
    problem = population(dataset, radius)
    hits, shape = np.eye(problem.classes)[problem.labels], problem.minimiser.shape

    def penalised(flat, multiplier):
        scores = problem.features @ flat.reshape(shape).T
        logs = log_softmax(scores, axis=1)
        gradient = (np.exp(logs) - hits).T @ problem.features / len(hits)
        return -np.sum(logs * hits) / len(hits) + multiplier / 2 * flat @ flat, gradient.ravel() + multiplier * flat

    def best(multiplier):
        start, options = np.zeros(problem.minimiser.size), {"maxiter": 5000, "ftol": 0, "gtol": 1e-9}
        return optimize.minimize(penalised, start, (multiplier,), jac=True, method="L-BFGS-B", options=options).x

    multiplier = optimize.brentq(lambda m: np.linalg.norm(best(m)) - radius, 1e-6, 1, xtol=1e-13)
    weights = best(multiplier).reshape(shape)
    assert problem.risk(weights) == pytest.approx(problem.minimum, abs=1e-8)
    np.testing.assert_allclose(weights, problem.minimiser, atol=2e-3)
    assert 0 <= problem.risk(problem.minimiser) - problem.minimum <= 1e-8


def test_no_weights_in_the_ball_are_better_than_the_minimum():
    """Catches a gap of the wrong sign; and the first-order condition: the gradient points to the centre of the ball."""
    problem, rng = wine(), np.random.default_rng(0)
    near = [problem.minimiser + 1e-3 * w for w in random_weights(problem, rng, 200)]
    for weights in [*random_weights(problem, rng, 200), *near]:
        inside = weights * min(1, problem.radius / np.linalg.norm(weights))
        assert problem.minimum <= problem.risk(inside) <= problem.minimum + problem.ceiling
    numbers = problem.minimiser.ravel()
    gradient = optimize.approx_fprime(numbers, lambda w: problem.risk(w.reshape(3, -1)), 1e-7)
    assert np.linalg.norm(numbers) == pytest.approx(2)
    assert gradient @ numbers == pytest.approx(-np.linalg.norm(gradient) * np.linalg.norm(numbers), rel=1e-5)


def test_an_uncertified_minimum_is_an_error(monkeypatch):
    monkeypatch.setattr(
        "lpmech.applications.learning.population._best_weights", lambda features, labels, radius: np.zeros((3, 13))
    )
    with pytest.raises(SolverError, match="least risk"):
        population("wine")


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_hypotheses_of_the_theorems_hold(dataset):
    """L = sqrt(2): gradients at all labels of random examples at random weights; D = 2 R: so is the ceiling D L."""
    raw, labels = DATASETS[dataset](return_X_y=True)
    problem = population(dataset)
    assert problem.labels.tolist() == labels.tolist()
    assert problem.features.shape == raw.shape
    np.testing.assert_allclose(np.linalg.norm(problem.features, axis=1), 1)
    assert problem.ceiling == pytest.approx(4 * math.sqrt(2))
    largest = 0.0
    for weights in random_weights(problem, np.random.default_rng(0), 50):
        for x in problem.features[::20]:
            scores = np.exp(log_softmax(weights @ x))
            largest = max(largest, *(np.linalg.norm(np.outer(scores - e, x)) for e in np.eye(problem.classes)))
    assert 0.7 < largest <= math.sqrt(2)


def test_samples_are_drawn_with_replacement_from_the_population():
    features, labels = wine().sample(2000, np.random.default_rng(0))
    rows = {tuple(x): y for x, y in zip(wine().features, wine().labels, strict=True)}
    assert all(rows[tuple(x)] == y for x, y in zip(features, labels, strict=True))
    assert len({tuple(x) for x in features}) == 178  # each is missed with probability (177/178)^2000 = 1e-5


# -- the curves ------------------------------------------------------------------------------------------


def test_the_mean_excess_risk_is_below_the_bound_and_falls():
    table = curve_table(curves())
    assert list(table) == ["algorithm", "epsilon", "n", "excess", "error", "bound", "below"]
    assert len(table) == 7 * 3
    assert table["below"].all()
    assert (table["excess"] + 3 * table["error"] <= table["bound"]).all()
    assert (table["excess"] > 0).all()
    assert (table["excess"] < wine().ceiling).all()
    last = table[table["n"] == 300].set_index(["algorithm", "epsilon"])["excess"]
    first = table[table["n"] == 30].set_index(["algorithm", "epsilon"])["excess"]
    for curve in (("LP-RR-SGD", 0.9), (NOT_PRIVATE, math.inf)):
        assert last[curve] < first[curve] / 2
    assert last[NOT_PRIVATE, math.inf] < last["LP-RR-SGD", 0.9] < last["LP-Normal-SGD", 0.3]


def test_the_bounds_are_those_of_the_theorems():
    """Catches R in place of D, a missing logarithm, the moment of another algorithm: n = 100, K = 3, epsilon = 0.9."""
    table = curve_table(curves()).set_index(["algorithm", "epsilon", "n"])["bound"]
    rate, root, t = 2 * 4 * (2 + math.log(100)) / 10, math.sqrt(2), math.exp(0.9)
    sigma = 2 * root * math.sqrt(2 * math.log(1.25e5)) / 0.9
    assert table["LP-RR-SGD", 0.9, 100] == pytest.approx(rate * root * 2 * (t + 2) / (t - 1))
    assert table["LP-RR-SGD, steps of Theorem 9", 0.9, 100] == pytest.approx(rate * 6 * 3 * root / 0.9)
    assert table["LP-Normal-SGD", 0.9, 100] == pytest.approx(rate * math.sqrt(2 + 3 * sigma**2))
    assert table[NOT_PRIVATE, math.inf, 100] == pytest.approx(rate * root)


def test_runs_depend_on_the_seed_and_on_nothing_else():
    def excesses(**options):
        return [run.excess for run in excess_risks(wine(), [0.5], [20], 2, **options)]

    assert excesses(seed=3) == excesses(seed=3, jobs=2)
    assert not set(excesses(seed=3)) & set(excesses(seed=4))
    assert len(excesses()) == number_of_risks([0.5], [20], 2) == 8
    assert number_of_risks([0.5, 0.9, 0.5], [20, 20, 30], 5) == 7 * 2 * 5


def synthetic(power, factor, bound):
    return [
        ExcessRisk("made up", 0.5, n, c * n**power, bound * (2 + math.log(n)) / math.sqrt(n))
        for n in (100, 1000, 10_000, 100_000)
        for c in (0.9 * factor, 1.1 * factor)
    ]


def test_a_bound_that_says_nothing_for_any_size_has_infinite_informative_size():
    # 10^9 (2 + ln n) / sqrt(n) at n = 10^15 is above 10^3; there was an IndexError
    table = curve_table(synthetic(-0.5, 1.0, 1e9))
    assert slopes(table, 5.0)["informative"].tolist() == [math.inf]


def test_slopes_of_known_curves():
    """Catches the slope of the bound in place of the curve's, logarithms to different bases, and a wrong looseness."""
    table = curve_table(synthetic(-0.5, 1.0, 100.0))
    (row,) = slopes(table, 5.0).to_dict("records")
    assert row["slope"] == pytest.approx(-0.5)
    assert row["late_slope"] == pytest.approx(-0.5)
    # relative error 0.1 at four points: 0.1 / sqrt(sum of squared deviations of ln n = 5 ln(10)^2)
    assert row["slope_error"] == pytest.approx(0.1 / math.sqrt(5 * math.log(10) ** 2))
    # ratio 100 (2 + ln n)
    assert row["least_ratio"] == pytest.approx(100 * (2 + math.log(100)))
    assert row["largest_ratio"] == pytest.approx(100 * (2 + math.log(100_000)))
    n = row["informative"]
    values = [100 * (2 + math.log(k)) / math.sqrt(k) for k in (n - 1, n)]
    assert values[1] < 5 <= values[0]
    assert row["below"] is True
    assert -0.5 < row["bound_slope"] < -0.35
    single = slopes(curve_table(synthetic(-0.5, 1.0, 100.0)[:2]), 5.0)
    assert single["slope"].isna().all()


def test_a_curve_above_its_bound_is_reported():
    table = curve_table(synthetic(-0.1, 1.0, 0.4))
    # mean 1e-0.2 = 0.63 against 0.4 (2 + ln 100) / 10 = 0.26
    assert not table["below"].any()
    assert not slopes(table, 5.0)["below"].any()


# -- bad input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"sizes": [0]}, "sizes"),
        ({"sizes": [2]}, "sizes"),  # fewer than the labels of wine
        ({"sizes": [10.5]}, "sizes"),
        ({"sizes": []}, "sizes"),
        ({"repeats": 0}, "repeats"),
        ({"repeats": 1}, "repeats"),
        ({"epsilons": [0.0]}, "epsilon"),
        ({"epsilons": [-0.5]}, "epsilon"),
        ({"epsilons": [1.0]}, "epsilon"),
        ({"epsilons": ["a"]}, "epsilon"),
        ({"epsilons": []}, "epsilons"),
        ({"seed": -1}, "seed"),
        ({"jobs": 0}, "jobs"),
        ({"delta": 0}, "delta"),
    ],
    ids=str,
)
def test_bad_arguments_are_named(options, argument):
    with pytest.raises(InvalidInputError) as caught:
        excess_risks(wine(), **options)
    assert caught.value.argument == argument


def test_bad_populations_are_named():
    with pytest.raises(LabelError, match="dataset"):
        population("cifar")
    for radius in (0, -1.0, math.nan, "a", True):
        with pytest.raises(InvalidInputError, match="radius"):
            population("wine", radius)


# -- the command -----------------------------------------------------------------------------------------


def test_the_command_prints_the_tables_and_draws_the_curves(tmp_path):
    path = tmp_path / "curves.png"
    run = lpmech(
        "reproduce",
        "excess-risk",
        "--epsilon",
        0.5,
        "--sizes",
        10,
        40,
        "--repeats",
        2,
        "--seed",
        3,
        "--jobs",
        1,
        "--output",
        path,
    )
    assert run.returncode == 0, run.stderr
    assert path.read_bytes()[:4] == b"\x89PNG"
    for name in ALGORITHMS:
        assert name in run.stdout
    for text in ("mean excess risk", "slope", "below at every n", "least risk in the ball: from", "every mean + 3"):
        assert text in run.stdout
    expected = curve_table(excess_risks(wine(), [0.5], [10, 40], 2, seed=3))
    for value in expected["excess"]:
        assert f"{value:.5f}" in run.stdout


def test_a_curve_above_its_bound_makes_the_command_exit_1(monkeypatch, capsys):
    monkeypatch.setattr(
        "lpmech.applications.learning.excess_risk.excess_risks", lambda *_, **__: iter(synthetic(-0.1, 1.0, 0.4))
    )
    with pytest.raises(SystemExit) as caught:
        main(["reproduce", "excess-risk", "--sizes", "10"])
    assert caught.value.code == 1
    assert "NOT every mean" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [["--sizes", "0"], ["--repeats", "0"], ["--epsilon", "0"], ["--seed=-1"], ["--dataset", "cifar"], ["--jobs", "0"],
     ["--sizes", "many"], ["--output", "/no/such/directory/curves.png"]],
    ids=str,
)  # fmt: skip
def test_bad_options_are_one_line_and_exit_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["reproduce", "excess-risk", *arguments])
    assert caught.value.code == 2
    error = capsys.readouterr().err.strip()
    assert len(error.splitlines()) == 1
    assert arguments[0].lstrip("-").split("=")[0].rstrip("s") in error or "file" in error


def test_the_figure_has_a_panel_for_every_level(tmp_path):
    """Catches lost panels and a bound that is not drawn: four levels, one hidden pair of panels, all lines counted."""
    from lpmech.plots import plot_excess_risk

    runs = [
        ExcessRisk(r.algorithm, e, r.size, r.excess, r.bound)
        for e in (0.1, 0.2, 0.3, 0.4)
        for r in synthetic(-0.5, 1, 9)
    ]
    runs += [ExcessRisk(NOT_PRIVATE, math.inf, r.size, r.excess, r.bound) for r in synthetic(-0.5, 0.1, 1)]
    panels = plot_excess_risk(curve_table(runs), 5.0, title="made up")
    panels[0].figure.savefig(tmp_path / "curves.png")
    visible = [axes for axes in panels[0].figure.axes if axes.get_visible()]
    assert visible == panels
    assert [axes.get_title() for axes in visible] == [rf"$\varepsilon = {e:g}$" for e in (0.1, 0.2, 0.3, 0.4)]
    assert all(len(axes.containers) == 2 for axes in visible)  # measured curves with error bars
    assert all(sum(line.get_linestyle() == "--" for line in axes.lines) == 2 for axes in visible)  # bounds

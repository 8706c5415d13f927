"""Commands that train on private data: `compare`, `train`, `excess-risk`, `circle`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from lpmech.cli.common import ASTRAY, CORES, OK, Epsilons, Jobs, Switch, Whole, Wholes, check_picture, followed, save
from lpmech.errors import InvalidInputError

__all__ = ["circle", "compare", "excess_risk", "train"]


def compare(
    data: Path | None = None,
    *,
    label: str | None = None,
    dataset: str | None = None,
    epsilon: Epsilons | None = None,
    repeats: Whole = 10,
    seed: Whole = 0,
    jobs: Jobs = CORES,
) -> int:
    """Train on labels released by every method: accuracy on one's own examples, or on digits imbalanced as in liu2026.

    Parameters
    ----------
    data
        CSV file with a header. What is printed depends on its true labels: use public or synthetic data.
    label
        Column of the labels; the other columns are the features.
    dataset
        digits-1 or digits-2 in place of a file: class proportions of the two data sets of liu2026, section 5.1.1 (not
        the paper's data); default: digits-1.
    epsilon
        Label-privacy level; may be repeated; default: 1 and 2.
    repeats
        Number of random subsets and seeds.
    seed
        The first seed.
    """
    from lpmech.applications.learning.comparison import compare as run_comparison
    from lpmech.applications.learning.comparison import number_of_runs, summarise
    from lpmech.applications.tabular import read_examples
    from lpmech.report.console import console
    from lpmech.report.experiments import learning_table

    if (data is None) != (label is None):
        raise InvalidInputError("label", label, "a file and the column of its labels, or neither")
    if data is not None and dataset is not None:
        raise InvalidInputError("dataset", dataset, "a file or the name of a data set, not both")
    levels = list(dict.fromkeys(epsilon or [1.0, 2.0]))
    examples = None if data is None or label is None else read_examples(data, label)
    name = dataset or "digits-1" if examples is None else examples.source
    started = run_comparison(examples or dataset or "digits-1", levels, repeats, seed=seed, jobs=jobs)
    runs = followed(started, number_of_runs(levels, repeats), lambda run: f"{run.method}, epsilon = {run.epsilon:g}")
    out = console()
    names = list(map(str, range(10))) if examples is None else sorted(set(examples.labels))
    out.print(learning_table(name, summarise(runs), names))
    if examples is not None:
        out.print("a simulation on the given examples, which must not be private: it depends on their true labels")
        return OK
    out.print(
        "not the papers' data: scikit-learn's 8 x 8 digits, logistic regression, 10 % of the examples for the prior;\n"
        "BRR* for the weights (3.3) of liu2026, optimal for hits weighted by prior^(-1/2)"
    )
    return OK


def train(
    task: str,
    *,
    epsilon: Epsilons | None = None,
    repeats: Whole = 10,
    seed: Whole = 0,
    jobs: Jobs = CORES,
) -> int:
    """Train with perturbed gradients or leaves, by BRR, Laplace noise and others (not the data of zhang2025).

    Parameters
    ----------
    task
        sgd (gradients of logistic regression, zhang2025 V.D) or trees (leaves of boosted trees, V.C).
    epsilon
        Privacy level of the whole training; may be repeated; default: 2, 8 and 32.
    repeats
        Number of random splits and seeds.
    seed
        The first seed.
    """
    from lpmech.applications.learning.perturbed_comparison import TASKS, compare_perturbations, scores
    from lpmech.report.console import console
    from lpmech.report.experiments import scores_table

    levels = list(dict.fromkeys(epsilon or [2.0, 8.0, 32.0]))
    started = compare_perturbations(task, levels, repeats, seed=seed, jobs=jobs)
    total = len(TASKS[task].mechanisms) * len(levels) * repeats
    runs = followed(started, total, lambda run: f"{run.mechanism}, epsilon = {run.epsilon:g}")
    out = console()
    out.print(scores_table(f"{TASKS[task].title}: {TASKS[task].unit}", scores(runs), TASKS[task].digits))
    out.print(
        "not the papers' data or models; the second line is Laplace noise for what one example can change,\n"
        "all below it protect any two values of the clipped range"
    )
    return OK


def excess_risk(
    *,
    dataset: str = "wine",
    epsilon: Epsilons | None = None,
    sizes: Wholes | None = None,
    repeats: Whole = 10,
    seed: Whole = 0,
    jobs: Jobs = CORES,
    output: Path | None = None,
) -> int:
    """Excess risk of LP-RR-SGD and LP-Normal-SGD (ghazi2021, Alg. 5 and 6) beside its bounds; exit 1 if above one.

    Parameters
    ----------
    dataset
        wine, iris or breast-cancer: its empirical distribution is the population.
    epsilon
        Label-privacy level below 1; may be repeated; default: 0.3 and 0.9.
    sizes
        Sample sizes; default: 100 300 1000 3000 10000 30000.
    repeats
        Number of samples of each size, at least 2.
    seed
        Seed of the whole experiment.
    output
        PNG file for a plot of the curves and bounds against n.
    """
    from lpmech.applications.learning.excess_risk import (
        EPSILONS,
        SIZES,
        curve_table,
        excess_risks,
        number_of_risks,
        slopes,
    )
    from lpmech.applications.learning.population import population
    from lpmech.certify.checker import above, below
    from lpmech.plots import plot_excess_risk
    from lpmech.report.console import console
    from lpmech.report.experiments import excess_risk_tables

    levels, counts = epsilon or EPSILONS, sizes or SIZES
    problem = population(dataset)
    if output is not None:
        check_picture(output, "output")
    started = excess_risks(problem, levels, counts, repeats, seed=seed, jobs=jobs)
    runs = followed(started, number_of_risks(levels, counts, repeats), lambda run: f"{run.algorithm}, n = {run.size}")
    table = curve_table(runs)
    rates, all_below = slopes(table, problem.ceiling), bool(table["below"].all())
    examples, width = problem.features.shape
    setting = f"{dataset}: {problem.classes} labels, {examples} examples x {width} features, R = {problem.radius:g}"
    out = console()
    out.print(excess_risk_tables(f"{setting}, {repeats} repeats", table, rates))
    out.print(
        f"{'every' if all_below else 'NOT every'} mean + 3 standard errors is below its bound; the bounds are "
        f"{rates['least_ratio'].min():.0f} to {rates['largest_ratio'].max():.0f} times the means"
    )
    out.print(
        f"least risk in the ball: from {below(Fraction(problem.minimum), 8)} to "
        f"{above(Fraction(problem.minimum) + Fraction(problem.gap), 8)}; no weights exceed it by more "
        f"than DL = {problem.ceiling:.4g}, so a larger\nbound says nothing; LP-Normal-SGD has delta = 1e-5"
    )
    if output is not None:
        save(plot_excess_risk(table, problem.ceiling, title=f"{setting}, {repeats} repeats")[0], output)
        out.print(f"written to {output}", soft_wrap=True, markup=False)
    return OK if all_below else ASTRAY


def circle(
    figure: Whole = 2,
    *,
    full: Switch = False,
    classes: Wholes | None = None,
    repeats: Whole | None = None,
    seed: Whole = 0,
    jobs: Jobs = CORES,
    output: Path | None = None,
) -> int:
    """Recompute a figure of zhao2025: nearest neighbours on private labels, classes on a circle, with 95 % intervals.

    Parameters
    ----------
    figure
        2, 3 or 4; each has a panel with sigma = 0.05 and one with sigma = 2/K.
    full
        The paper's 1000 trials, 1000 test examples in each: hours instead of minutes.
    classes
        Numbers of classes K; default: 3 5 10 20 40 60 80 100.
    repeats
        Number of trials without --full; default: 20, of 500 test examples.
    seed
        Seed of the whole experiment.
    output
        PNG file for the figure, with error bars.
    """
    from lpmech.applications.learning.circle import DEVIATIONS, FIGURES, FULL_SIZE, REDUCED_SIZE, SIZES, circle_figure
    from lpmech.plots import plot_circle
    from lpmech.report.console import console
    from lpmech.report.experiments import circle_table

    if full and repeats is not None:
        raise InvalidInputError("repeats", repeats, "this option without --full only")
    trials, tests = FULL_SIZE if full else (REDUCED_SIZE[0] if repeats is None else repeats, REDUCED_SIZE[1])
    sizes = sorted(set(classes or SIZES))
    if output is not None:
        check_picture(output, "output")
    started = circle_figure(figure, sizes, trials=trials, tests=tests, seed=seed, jobs=jobs)
    points = followed(started, len(DEVIATIONS) * len(sizes), lambda point: f"{point.panel}, K = {point.classes}")
    epsilon, neighbours = FIGURES[figure]
    size = f"N = 10000, {trials} trials of {tests} tests"
    title = f"zhao2025, Fig. {figure}: epsilon = {epsilon:g}, k = {neighbours}, {size}"
    out = console()
    out.print(circle_table(f"{title}; accuracy (%), mean ± half-width of the 95 % interval", points))
    if output is not None:
        save(plot_circle(points, title=title)[0], output)
        out.print(f"written to {output}", soft_wrap=True, markup=False)
    return OK

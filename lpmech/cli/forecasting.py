"""The command `forecast`: what training and counting with private labels would give."""

from __future__ import annotations

from pathlib import Path

from lpmech.cli.common import CORES, OK, Epsilon, Jobs, followed

__all__ = ["forecast"]


def forecast(data: Path, *, label: str, epsilon: Epsilon, repeats: int = 10, seed: int = 0, jobs: Jobs = CORES) -> int:
    """Forecast accuracy and counting errors under every private mechanism, from public or synthetic examples.

    Parameters
    ----------
    data
        CSV file with a header. What is printed depends on its true labels: use public or synthetic data that resemble
        the private ones.
    label
        Column of the labels; the other columns are the features.
    epsilon
        Label-privacy level.
    repeats
        Number of random splits into three quarters for training and one for the test.
    seed
        The first seed.
    """
    from lpmech.applications.learning.forecast import CONSTANT, counting_errors, forecasts, trials
    from lpmech.applications.learning.methods import METHODS
    from lpmech.applications.tabular import read_examples
    from lpmech.report.console import console
    from lpmech.report.experiments import counting_table, forecast_table

    examples = read_examples(data, label)
    features, labels = examples.features, examples.labels
    total = (len(METHODS) + 2) * repeats
    found = forecasts(followed(trials(features, labels, epsilon, repeats, seed=seed, jobs=jobs), total, str))
    out = console()
    out.print(forecast_table(f"{data.name}: test accuracy (%), epsilon = {epsilon:g}, {repeats} splits", found))
    errors = counting_errors(labels, epsilon)
    out.print(counting_table(f"shares of the labels from {len(labels)} released ones", errors))
    private = [entry for entry in found if entry.method in METHODS]
    best = max(private, key=lambda entry: entry.average[0])
    constant = next(entry for entry in found if entry.method == CONSTANT)
    worse = [entry.method for entry in private if entry.average[0] - entry.average[1] <= constant.average[0]]
    out.print(f"for training, {best.method} has the best average over the labels here", soft_wrap=True)
    if decodable := [(entry.error, entry.mechanism) for entry in errors if entry.error is not None]:
        out.print(f"for counting, {min(decodable)[1]} has the smallest error here", soft_wrap=True)
    if worse:
        out.print(f"not shown to be better than {CONSTANT}: {', '.join(worse)}", soft_wrap=True)
    out.print("a simulation on the given examples, which must not be private: it depends on their true labels")
    return OK

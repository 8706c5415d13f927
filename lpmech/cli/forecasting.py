"""The command `forecast`: what training and counting with private labels would give."""

from __future__ import annotations

import shlex
from pathlib import Path

from lpmech.cli.common import CORES, OK, Epsilon, Jobs, Whole, followed
from lpmech.cli.release import say

__all__ = ["forecast"]

#: How `lpmech design` deploys what a classifier releases its labels by, where it is a channel or a set for each label.
DEPLOYED = {
    "RR": ("--mechanism", "randomized_response"),
    "RRWithPrior": ("--mechanism", "rr_with_prior"),
    "BlockRR": ("--mechanism", "block_rr"),
    "BRR*": ("--mechanism", "bipartite_rr_star"),
    "optimal": (),
    "vector": ("--utility", "count", "--mechanism", "symmetric_unary_encoding"),
}


def forecast(
    data: Path, *, label: str, epsilon: Epsilon, repeats: Whole = 10, seed: Whole = 0, jobs: Jobs = CORES
) -> int:
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
    from lpmech.report.counting import counting_design_table
    from lpmech.report.experiments import forecast_table

    examples = read_examples(data, label)
    features, labels = examples.features, examples.labels
    total = (len(METHODS) + 2) * repeats
    found = forecasts(followed(trials(features, labels, epsilon, repeats, seed=seed, jobs=jobs), total, str))
    out = console()
    out.print(forecast_table(f"{data.name}: test accuracy (%), epsilon = {epsilon:g}, {repeats} splits", found))
    counting = counting_errors(labels, epsilon)
    out.print(counting_design_table(counting, counting.best))
    private = [entry for entry in found if entry.method in METHODS]
    best = max(private, key=lambda entry: entry.average[0])
    constant = next(entry for entry in found if entry.method == CONSTANT)
    worse = [entry.method for entry in private if entry.average[0] - entry.average[1] <= constant.average[0]]
    if worse:
        out.print(f"not shown to be better than {CONSTANT}: {', '.join(worse)}", soft_wrap=True)
    out.print("a simulation on the given examples, which must not be private: it depends on their true labels")
    given = ("lpmech", "design", str(data), "--column", label, "--epsilon", f"{epsilon:g}", "--counts-are", "public")
    say(f"for training, {best.method} has the best average over the labels here: METHODS[{best.method!r}] in Python")
    if best.method in DEPLOYED:
        say("its labels alone are released by a design of these shares:")
        say(shlex.join([*given, *DEPLOYED[best.method], "--output", "mechanism"]))
    else:
        say("it releases labels while it trains: no design does")
    say(f"for counting, {counting.best.mechanism} has the smallest error here; a design for counting by these shares:")
    say(shlex.join([*given, "--utility", "count", "--mechanism", counting.best.mechanism, "--output", "mechanism"]))
    return OK

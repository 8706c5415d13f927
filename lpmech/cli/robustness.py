"""The command `reproduce utility`: a classifier's utility on privately released features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from lpmech.cli.common import OK, Epsilon, Whole, check_picture, save, working
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.applications.tabular import Examples
    from lpmech.entries import Array

__all__ = ["reproduce_utility"]


def reproduce_utility(
    data: Path,
    *,
    label: str,
    sensitive: Annotated[list[str], Parameter(negative=(), consume_multiple=True)],
    epsilon: Epsilon,
    classifier: str = "LogisticRegression",
    parameter: Annotated[list[str] | None, Parameter(negative=())] = None,
    load_and_run: Path | None = None,
    range_: Annotated[list[str] | None, Parameter(name="--range", negative=())] = None,
    delta: float | None = None,
    rows: Whole = 25,
    samples: Whole = 2000,
    size: Whole = 11,
    seed: Whole = 0,
    output: Path | None = None,
) -> int:
    """How often a classifier keeps its class when sensitive features are released privately: guaranteed and simulated.

    The guarantee is that of zheng2025, section 4.3, repaired: a box in which the classifier provably has one class,
    times what the mechanism concentrates there. For classifiers of which no such box is known, or that are too large,
    it is a sampled lower bound. All mechanisms have the same tight level.

    Parameters
    ----------
    data
        CSV file with a header. What is printed depends on its rows: use public or synthetic data.
    label
        Column of the labels; the other columns are the features.
    sensitive
        Columns of numbers that are released by a mechanism; the others reach the classifier as they are.
    epsilon
        Tight level of all sensitive features together; each gets an even share.
    classifier
        Name of a class of scikit-learn; it is trained on three quarters of the rows, every feature mapped to [0, 1].
    parameter
        A parameter of it, such as max_depth=4; may be repeated.
    load_and_run
        File of a fitted classifier (joblib or pickle) in place of a name. Loading it runs whatever code is in it.
    range_
        Public range of a sensitive feature, such as age=0:100; may be repeated; default: that of the data.
    delta
        Adds Gaussian noise for (epsilon, delta)-LDP, which is another kind of privacy and is marked.
    rows
        How many rows to look at.
    samples
        Simulated releases of each row.
    size
        Number of points of the exponential mechanism and k-RR.
    seed
        Seed of the split, the training and the simulation.
    output
        PNG file for a plot of guaranteed and simulated utility.
    """
    import numpy as np

    from lpmech.applications.robustness.study import classifier_utility
    from lpmech.applications.robustness.training import parameters
    from lpmech.applications.tabular import read_examples
    from lpmech.plots import plot_utility
    from lpmech.report.console import console
    from lpmech.report.experiments import utility_lines, utility_table

    examples, given = read_examples(data, label), parameters(parameter or [])
    for name in sensitive:
        if name not in examples.numeric:
            raise InvalidInputError("sensitive", name, f"columns of numbers: {', '.join(examples.numeric)}")
    if output is not None:
        check_picture(output, "output")
    with working(f"{classifier} on {data.name}"):
        if load_and_run is None:
            tried = _trained(examples, classifier, given, seed)
        else:
            tried = _loaded(examples, load_and_run, given)
        ends = _seen(tried.examples, sensitive) | _ranges(range_ or [], sensitive)
        found = classifier_utility(
            tried.model, tried.examples.frame.iloc[tried.rows], sensitive, epsilon, np.random.default_rng(seed),
            ranges=ends, rows=rows, samples=samples, size=size, delta=delta,
        )  # fmt: skip
        title = f"{data.name}, {tried.title}: without privacy right on {tried.right} of {len(tried.rows)} rows"
    out = console()
    out.print(utility_table(title, found))
    for line in [*utility_lines(found), *tried.notes]:
        out.print(line)
    if output is not None:
        save(plot_utility(found, title=f"{data.name}, epsilon = {epsilon:g}")[0], output)
        out.print(f"written to {output}", soft_wrap=True, markup=False)
    return OK


@dataclass(frozen=True)
class _Tried:
    """A fitted classifier, what it was fitted on in words, and the rows of the examples on which it is tried."""

    model: Any
    title: str
    examples: Examples
    rows: Array
    notes: Sequence[str] = ()

    @property
    def right(self) -> str:
        """On how many of the rows it is right, in percent."""
        import numpy as np

        table = self.examples.frame if hasattr(self.model, "feature_names_in_") else self.examples.features
        tests = table.iloc[self.rows] if hasattr(table, "iloc") else table[self.rows]
        hits = np.asarray(self.model.predict(tests)).astype(str) == self.examples.labels[self.rows]
        return f"{100 * np.mean(hits):.1f} %"


def _trained(examples: Examples, classifier: str, given: dict[str, Any], seed: int) -> _Tried:
    from lpmech.applications.robustness.training import split, trained

    train, test = split(examples, seed)
    model, notes = trained(classifier, given, examples.frame.iloc[train], examples.labels[train], seed)
    return _Tried(model, f"{classifier} trained on {len(train)} rows", examples, test, notes)


def _loaded(examples: Examples, path: Path, given: dict[str, Any]) -> _Tried:
    import numpy as np

    from lpmech.applications.robustness.training import columns_of_fit, load_and_run

    if given:
        raise InvalidInputError("parameter", given, "parameters of a classifier that is given by its name")
    model = load_and_run(path)
    return _Tried(model, path.name, columns_of_fit(model, examples), np.arange(len(examples.labels)))


def _seen(examples: Examples, sensitive: Sequence[str]) -> dict[str | int, tuple[float, float]]:
    """The ranges of the data; none for a feature that does not vary."""
    columns = {name: examples.frame[name] for name in sensitive}
    ends = {name: (float(column.min()), float(column.max())) for name, column in columns.items()}
    return {name: (low, high) for name, (low, high) in ends.items() if low < high}


def _ranges(texts: Sequence[str], sensitive: Sequence[str]) -> dict[str | int, tuple[float, float]]:
    """Ranges from texts such as age=0:100."""
    found: dict[str | int, tuple[float, float]] = {}
    for text in texts:
        name, _, ends = text.rpartition("=")
        try:
            low, high = map(float, ends.split(":"))
        except ValueError as exc:
            raise InvalidInputError("range", text, "name=low:high with numbers") from exc
        if name not in sensitive:
            raise InvalidInputError("range", text, f"name=low:high with one of {', '.join(sensitive)}")
        found[name] = (low, high)
    return found

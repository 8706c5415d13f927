"""Tables of what the papers' experiments and their like have given."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from lpmech.applications.concentrations import MeanConcentration
    from lpmech.applications.learning.circle import CirclePoint
    from lpmech.applications.learning.comparison import Summary
    from lpmech.applications.learning.forecast import Forecast
    from lpmech.applications.learning.perturbed_comparison import ScoreSummary
    from lpmech.applications.locations import ExpectedDistances
    from lpmech.applications.numbers import NumberErrors
    from lpmech.applications.robustness.study import ClassifierUtility

from lpmech.report.console import percent

__all__ = [
    "learning_table",
    "distances_table",
    "numbers_table",
    "scores_table",
    "forecast_table",
    "excess_risk_tables",
    "circle_table",
    "concentrations_table",
    "utility_table",
    "utility_lines",
]

_MOST_CLASSES = 12


def learning_table(dataset: str, summaries: Sequence[Summary], names: Sequence[str]) -> Table:
    """Accuracy, average of the per-class accuracies, and each of up to 12, in percent, mean ± standard deviation."""
    repeats = max(s.repeats for s in summaries)
    table = Table(
        title=f"{escape(dataset)}: test accuracy (%), mean ± deviation of {repeats} repeats", title_justify="left"
    )
    table.add_column("epsilon", justify="right")
    table.add_column("method", no_wrap=True)
    table.add_column("accuracy", justify="right", no_wrap=True)
    table.add_column("per class", justify="right", no_wrap=True)
    shown = names if len(names) <= _MOST_CLASSES else []
    for name in shown:
        table.add_column(escape(name), justify="right", no_wrap=True)
    for entry in summaries:
        table.add_row(
            f"{entry.spent:g}",
            entry.method,
            percent(*entry.accuracy, 1),
            percent(*entry.average, 1),
            *(percent(mean, deviation, 0) for _, mean, deviation in zip(shown, *entry.per_class, strict=False)),
        )
    return table


def distances_table(title: str, found: Sequence[ExpectedDistances]) -> Table:
    """Expected distance in km under every mechanism, in brackets by how many percent it exceeds the optimum."""
    table = Table(
        title=f"{title}: expected distance of the released from the true place in km (percent above the optimum)",
        title_justify="left",
    )
    table.add_column("epsilon", justify="right", overflow="fold")
    table.add_column("region", overflow="fold")
    for name in ("places", "optimum", *found[0].by_mechanism):
        table.add_column(name, justify="right", overflow="fold")
    for entry, following in zip(found, [*found[1:], found[-1]], strict=True):
        table.add_row(
            f"{entry.level.epsilon:g}",
            entry.region,
            str(entry.size),
            _kilometres(entry.optimum),
            *(f"{_kilometres(value)} ({entry.loss_percent(name):.1f})" for name, value in entry.by_mechanism.items()),
            end_section=following.level != entry.level,
        )
    return table


def numbers_table(title: str, errors: Sequence[NumberErrors]) -> Table:
    """Expected errors of every mechanism for numbers, and by how many percent the first exceeds the optimum."""
    table = Table(title=escape(title), title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    for name in ("on the points", "above optimum (%)", "any number", "root mean square", "bias at c", "tight epsilon"):
        table.add_column(name, justify="right")
    for row in errors:
        bias = row.bias if abs(row.bias) > 1e-9 * row.root_mean_square else 0.0  # a rounding error
        table.add_row(
            row.mechanism,
            f"{row.on_points:.4g}",
            f"{row.loss_percent:.1f}",
            f"{row.anywhere:.4g}",
            f"{row.root_mean_square:.4g}",
            f"{bias:.4g}",
            f"{row.epsilon:.6g}",
        )
    return table


def scores_table(title: str, summaries: Sequence[ScoreSummary], digits: int) -> Table:
    """Mean ± deviation of the score of every mechanism, one column for each level."""
    repeats = summaries[0].repeats
    table = Table(title=f"{escape(title)}, mean ± deviation of {repeats} repeats", title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    for epsilon in dict.fromkeys(s.epsilon for s in summaries):
        table.add_column(f"epsilon = {epsilon:g}", justify="right", no_wrap=True)
    for mechanism in dict.fromkeys(s.mechanism for s in summaries):
        found = [s for s in summaries if s.mechanism == mechanism]
        table.add_row(mechanism, *(_score(s, digits) for s in found))
    return table


def forecast_table(title: str, found: Sequence[Forecast]) -> Table:
    """Accuracy and average over the labels of every method in percent, with the half-width of the 95 % interval."""
    table = Table(title=escape(title), title_justify="left")
    for name in ("method", "accuracy", "average over labels"):
        table.add_column(name, justify="left" if name == "method" else "right", no_wrap=True)
    for entry in found:
        table.add_row(entry.method, percent(*entry.accuracy, 1), percent(*entry.average, 1))
    return table


def _score(summary: ScoreSummary, digits: int) -> str:
    shown = f"{summary.mean:.{digits}f}"
    return shown if math.isnan(summary.deviation) else f"{shown} ± {summary.deviation:.{digits}f}"


def _kilometres(distance: float) -> str:
    return f"{distance:.0f}" if distance >= 1000 else f"{distance:.4g}"


def excess_risk_tables(title: str, table: pd.DataFrame, slopes: pd.DataFrame) -> Group:
    """Every point of the excess-risk curves with its bound; how fast each curve falls and how loose its bound is."""
    points = table.assign(ratio=table["bound"] / table["excess"])
    return Group(
        _frame_table(title, points, _POINTS),
        _frame_table("slope of log excess risk in log n (the rate of the bounds: -1/2)", slopes, _RATES),
    )


#: Heading -> format of a row.
_POINTS = {
    "algorithm": "{algorithm}",
    "epsilon": "{epsilon:g}",
    "n": "{n}",
    "mean excess risk": "{excess:.5f}",
    "standard error": "{error:.5f}",
    "bound": "{bound:.4g}",
    "bound / mean": "{ratio:.0f}",
    "below": "{below}",
}
_RATES = {
    "algorithm": "{algorithm}",
    "epsilon": "{epsilon:g}",
    "all n": "{slope:.2f} ± {slope_error:.2f}",
    "three largest n": "{late_slope:.2f} ± {late_slope_error:.2f}",
    "bound": "{bound_slope:.2f}",
    "bound / mean": "{least_ratio:.0f} to {largest_ratio:.0f}",
    "below at every n": "{below}",
    "bound < DL": "from n = {informative:.0f}",
}


def _frame_table(title: str, frame: pd.DataFrame, columns: Mapping[str, str]) -> Table:
    table = Table(title=escape(title), title_justify="left")
    for heading in columns:
        table.add_column(heading, justify="left" if heading == "algorithm" else "right", no_wrap=True)
    for row in frame.assign(below=frame["below"].map({True: "yes", False: "NO"})).to_dict("records"):
        table.add_row(*(cell.format_map(row) for cell in columns.values()))
    return table


def circle_table(title: str, points: Sequence[CirclePoint]) -> Table:
    """Accuracy of every method in percent, mean ± half-width of its 95 % interval, beside the Bayes classifier's."""
    table = Table(title=escape(title), title_justify="left")
    for name in ("panel", "sigma", "K", *points[0].result.accuracies, "Bayes"):
        table.add_column(name, justify="right", no_wrap=True)
    for point, following in zip(points, [*points[1:], points[-1]], strict=True):
        result = point.result
        table.add_row(
            point.panel,
            f"{point.deviation:.3g}",
            str(point.classes),
            *(percent(result.mean(method), result.half_width(method), 1) for method in result.accuracies),
            f"{100 * result.bayes:.1f}",
            end_section=following.panel != point.panel,
        )
    return table


def concentrations_table(title: str, found: Sequence[MeanConcentration]) -> Table:
    """Mean concentration of every mechanism, and how many percent of the optimum it loses."""
    table = Table(title=escape(title), title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    table.add_column("mean concentration", justify="right")
    table.add_column("loss (%)", justify="right")
    for row in found:
        style = "bold" if row.mechanism == "optimum" else ""
        table.add_row(row.mechanism, f"{row.value:.6g}", f"{abs(row.loss_percent):.2f}", style=style)
    return table


def utility_table(title: str, found: ClassifierUtility) -> Table:
    """Guaranteed and simulated utility under every mechanism, in percent; other kinds of privacy are marked."""
    table = Table(title=escape(title), title_justify="left")
    table.add_column("mechanism")
    table.add_column("tight\nlevel", no_wrap=True)
    for name in ("mean,\nguaranteed", "\nsimulated", "least,\nguaranteed", "\nsimulated"):
        table.add_column(name, justify="right", no_wrap=True)
    for m in found.mechanisms:
        level = f"{m.epsilon:.6g}" if m.delta == 0 else f"({m.epsilon:.6g}, {m.delta:g})*"
        cells = [
            f"{100 * e.value:.1f} [{100 * e.low:.1f}, {100 * e.high:.1f}]" for e in (m.simulated, m.simulated_least)
        ]
        bounds = [f"{100 * bound:.1f}" for bound in (m.guaranteed, m.guaranteed_least)]
        row = (m.mechanism, level, bounds[0], escape(cells[0]), bounds[1], escape(cells[1]))
        table.add_row(*row, style="" if m.delta == 0 else "dim")
    return table


def utility_lines(found: ClassifierUtility) -> list[str]:
    """What the numbers of `utility_table` mean: what is guaranteed and how, and what is marked."""
    each = found.epsilon / len(found.sensitive)
    lines = [
        f"chance in percent that the class stays what it is, mean and least of {found.rows} rows",
        f"epsilon = {found.epsilon:g} for {', '.join(found.sensitive)} together, {each:g} for each; their ranges must "
        "be public",
        f"simulated: in brackets the {100 * found.confidence:g} % interval of each number",
    ]
    if found.guarantee == "exact":
        lines.append("guaranteed: chance of a box around the row in which the classifier provably has one class")
    else:
        lines.append(
            f"guaranteed: sampled lower bounds, which hold together with {100 * found.confidence:g} % confidence; no "
            f"exact ones: {found.reason}"
        )
    if any(m.delta > 0 for m in found.mechanisms):
        lines.append("* (epsilon, delta)-LDP, a weaker kind of privacy: not comparable with the others")
    return lines

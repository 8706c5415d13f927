"""Tables of verdicts and comparisons for people, rows for machines."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lpmech.designs import Comparison, Design
from lpmech.epsilons import LevelChoice, sureness
from lpmech.plain_words import COLUMNS, EPSILON_COLUMNS, MECHANISMS, REMAINING, UTILITIES
from lpmech.privacy import PrivacyLevel
from lpmech.verdicts import Verdict

if TYPE_CHECKING:
    import pandas as pd

    from lpmech.applications.concentrations import MeanConcentration
    from lpmech.applications.learning.circle import CirclePoint
    from lpmech.applications.learning.comparison import Summary
    from lpmech.applications.learning.forecast import Counting, Forecast
    from lpmech.applications.learning.perturbed_comparison import ScoreSummary
    from lpmech.applications.locations import ExpectedDistances
    from lpmech.applications.numbers import NumberErrors
    from lpmech.applications.robustness.study import ClassifierUtility
    from lpmech.conjectures import Finding
    from lpmech.estimation import Frequencies
    from lpmech.label_counts import LabelCounts

__all__ = [
    "VERDICT_STYLES",
    "console",
    "comparison_table",
    "left_table",
    "explanations",
    "epsilons_table",
    "epsilon_words",
    "floor_line",
    "warning_of",
    "order_line",
    "regime_table",
    "findings_table",
    "losses_table",
    "learning_table",
    "distances_table",
    "numbers_table",
    "scores_table",
    "forecast_table",
    "counting_table",
    "excess_risk_tables",
    "circle_table",
    "concentrations_table",
    "utility_table",
    "utility_lines",
    "frequencies_table",
    "posterior_table",
]

#: How the verdicts look on a terminal.
VERDICT_STYLES = {
    Verdict.PROVED: "bold green",
    Verdict.CERTIFIED: "green",
    Verdict.SUPPORTED: "cyan",
    Verdict.REFUTED: "bold red",
    Verdict.UNCLEAR: "yellow",
    Verdict.UNDECIDED: "bold yellow",
    "error": "bold white on red",
}
_PLAIN_WIDTH = 160
_MOST_CLASSES = 12
_CELL = 240


def console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal or COLUMNS; 160 columns where there is neither (a pipe or a file)."""
    made = Console(stderr=stderr, highlight=False)
    known = made.is_terminal or "COLUMNS" in os.environ
    return made if known else Console(stderr=stderr, highlight=False, width=_PLAIN_WIDTH)


def comparison_table(design: Design) -> Table:
    """Every mechanism beside the optimum: expected utility, loss in percent, tight epsilon."""
    title = f"{len(design.labels)} labels, epsilon = {design.level.epsilon:g}, utility {design.utility_name}"
    table = Table(title=escape(title), title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    table.add_column("parameters", overflow="fold")
    for name in COLUMNS:
        table.add_column(name, justify="right")
    for entry in design.comparisons:
        table.add_row(*_comparison_cells(entry), style="bold" if entry.mechanism == "optimal" else "")
    return table


def left_table(design: Design) -> Table:
    """What every mechanism leaves of the label: labels that never occur, decoding, information, guessing."""
    table = Table(title="what a released label still says about the true one", title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    for name in REMAINING:
        table.add_column(name, justify="right")
    for entry in design.comparisons:
        left = entry.left
        table.add_row(
            entry.mechanism,
            f"{len(left.never)} of {len(design.labels)}",
            "yes" if left.decodable else "no",
            f"{left.information:.3g} bits",
            f"{100 * left.guessed:.1f} %",
            style="bold" if entry.mechanism == "optimal" else "",
        )
    return table


def epsilons_table(title: str, found: Sequence[LevelChoice]) -> Table:
    """What the best channel keeps at every level, and the best one that keeps every label beside it."""
    table = Table(title=escape(title), title_justify="left")
    for name in EPSILON_COLUMNS:
        table.add_column(name, justify="right")
    for entry in found:
        error = entry.keeping.error
        table.add_row(
            f"{entry.epsilon:g}",
            f"{math.ceil(1e3 * entry.sure) / 10:.1f} %",
            f"{entry.best.utility:.4g}",
            f"{len(entry.best.left.never)}",
            f"{entry.best.left.information:.3f}",
            f"{entry.keeping.utility:.4g}",
            f"{entry.keeping.left.information:.3f}",
            "-" if error is None else f"{100 * error:.2g}",
        )
    return table


def epsilon_words(level: PrivacyLevel, releases: int = 1) -> str:
    """What a level means for one person's label."""
    sure = math.ceil(1e3 * sureness(level, releases)) / 10
    times = "" if releases == 1 else f"{releases} releases at "
    return (
        f"{times}{level}: whoever thinks it even odds which of two labels a person has is at most {sure:.1f} % sure "
        "afterwards, whatever else they know"
    )


def explanations(design: Design) -> Group:
    """What the utility, the mechanisms and the columns of both tables are, a line each."""
    shown = {entry.mechanism: MECHANISMS[entry.mechanism] for entry in design.comparisons}
    utility = {f"utility {name}": text for name, text in UTILITIES.items() if name == design.utility_name}
    words = {**utility, **COLUMNS, **REMAINING, **shown}
    lines = [Text.assemble((name, "bold"), f": {text}") for name, text in words.items()]
    return Group(*lines, Text(f"{epsilon_words(design.level)}; `lpmech epsilons` compares levels"))


def floor_line(floor: Fraction) -> str:
    """What `optimal` means under a floor, and why another mechanism may have a larger utility."""
    kept = f"releases every label as itself with probability {float(floor):.6g} or more"
    return f"optimal is the best channel that {kept}; what has a larger utility does not"


def warning_of(design: Design) -> str | None:
    """One line if the optimum gives labels up, or cannot be decoded; else None."""
    left = design.optimum.left
    names = ", ".join(map(str, left.never[:6])) + (", ..." if len(left.never) > 6 else "")
    ways = "--keep-labels or --utility balanced keep more"
    if len(left.never) == len(design.labels) - 1:
        only = next(name for name in design.labels if name not in left.never)
        return f"warning: the optimum always releases {only}: nothing is left to learn from; {ways}"
    if left.never:
        return f"warning: the optimum never releases {len(left.never)} of {len(design.labels)} labels ({names}); {ways}"
    if not left.decodable:
        return f"warning: the optimum cannot be decoded: true frequencies cannot be estimated from it; {ways}"
    return None


def order_line(counts: LabelCounts) -> str:
    """Which order or values of the labels distances are taken from."""
    if counts.values is not None:
        return "distances are between the labels' own values (tanimoto: between positions unless all are positive)"
    names = " < ".join(counts.labels[:12]) + (" < ..." if len(counts.labels) > 12 else "")
    return f"distances are between positions in this order ({counts.order}): {names}"


def regime_table(title: str, pieces: Sequence[tuple[Any, Any, Any]]) -> Table:
    """Where which formula is the optimum: exact end points in t, rounded ones in epsilon."""
    from lpmech.solvers.parametric import epsilon_at

    table = Table(title=escape(title), title_justify="left")
    table.add_column("t from", overflow="fold")
    table.add_column("t to", overflow="fold")
    table.add_column("epsilon from", justify="right", no_wrap=True)
    table.add_column("optimum", overflow="fold")
    for lower, upper, value in pieces:
        table.add_row(str(lower), str(upper), f"{epsilon_at(lower):.6f}", str(value))
    return table


def losses_table(title: str, losses: Mapping[str, Mapping[str, float]]) -> Table:
    """Percent of the optimum lost, mechanisms by utilities; 80 columns hold it."""
    table = Table(title=escape(title), title_justify="left", box=SIMPLE_HEAD, padding=0)
    table.add_column("loss (%)", no_wrap=True)
    for utility in next(iter(losses.values())):
        table.add_column(utility, justify="right", no_wrap=True)
    for mechanism, row in losses.items():
        table.add_row(mechanism, *(f"{loss:.2f}" for loss in row.values()))
    return table


def findings_table(title: str, findings: Sequence[Finding]) -> Group:
    """What was established about a conjecture, and the counterexamples below."""
    table = Table(title=title, title_justify="left")
    for name in ("question", "verdict", "method", "evidence"):
        table.add_column(name, overflow="fold", no_wrap=name == "verdict")
    for finding in findings:
        outcome = finding.outcome
        style = VERDICT_STYLES[outcome.verdict]
        table.add_row(finding.question, Text(outcome.verdict, style=style), outcome.method, escape(outcome.evidence))
    refuted = [f for f in findings if f.outcome.counterexample]
    lines = [Text(f"counterexample to '{f.question}': {f.outcome.counterexample}") for f in refuted]
    return Group(table, *lines)


def learning_table(dataset: str, summaries: Sequence[Summary], names: Sequence[str]) -> Table:
    """Accuracy, average of the per-class accuracies, and each of up to 12, in percent, mean ± standard deviation."""
    repeats = max(s.repeats for s in summaries)
    table = Table(title=f"{dataset}: test accuracy (%), mean ± deviation of {repeats} repeats", title_justify="left")
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
            _percent(*entry.accuracy, 1),
            _percent(*entry.average, 1),
            *(_percent(mean, deviation, 0) for _, mean, deviation in zip(shown, *entry.per_class, strict=False)),
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
    table = Table(title=title, title_justify="left")
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
    table = Table(title=f"{title}, mean ± deviation of {repeats} repeats", title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    for epsilon in dict.fromkeys(s.epsilon for s in summaries):
        table.add_column(f"epsilon = {epsilon:g}", justify="right", no_wrap=True)
    for mechanism in dict.fromkeys(s.mechanism for s in summaries):
        found = [s for s in summaries if s.mechanism == mechanism]
        table.add_row(mechanism, *(_score(s, digits) for s in found))
    return table


def forecast_table(title: str, found: Sequence[Forecast]) -> Table:
    """Accuracy and average over the labels of every method in percent, with the half-width of the 95 % interval."""
    table = Table(title=title, title_justify="left")
    for name in ("method", "accuracy", "average over labels"):
        table.add_column(name, justify="left" if name == "method" else "right", no_wrap=True)
    for entry in found:
        table.add_row(entry.method, _percent(*entry.accuracy, 1), _percent(*entry.average, 1))
    return table


def counting_table(title: str, found: Sequence[Counting]) -> Table:
    """Root mean squared error of a share in percentage points, best first; mechanisms that cannot count last."""
    table = Table(title=title, title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    table.add_column("error (percentage points)", justify="right")
    for entry in sorted(found, key=lambda entry: math.inf if entry.error is None else entry.error):
        table.add_row(entry.mechanism, "cannot be decoded" if entry.error is None else f"{100 * entry.error:.2f}")
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
    table = Table(title=title, title_justify="left")
    for heading in columns:
        table.add_column(heading, justify="left" if heading == "algorithm" else "right", no_wrap=True)
    for row in frame.assign(below=frame["below"].map({True: "yes", False: "NO"})).to_dict("records"):
        table.add_row(*(cell.format_map(row) for cell in columns.values()))
    return table


def circle_table(title: str, points: Sequence[CirclePoint]) -> Table:
    """Accuracy of every method in percent, mean ± half-width of its 95 % interval, beside the Bayes classifier's."""
    table = Table(title=title, title_justify="left")
    for name in ("panel", "sigma", "K", *points[0].result.accuracies, "Bayes"):
        table.add_column(name, justify="right", no_wrap=True)
    for point, following in zip(points, [*points[1:], points[-1]], strict=True):
        result = point.result
        table.add_row(
            point.panel,
            f"{point.deviation:.3g}",
            str(point.classes),
            *(_percent(result.mean(method), result.half_width(method), 1) for method in result.accuracies),
            f"{100 * result.bayes:.1f}",
            end_section=following.panel != point.panel,
        )
    return table


def concentrations_table(title: str, found: Sequence[MeanConcentration]) -> Table:
    """Mean concentration of every mechanism, and how many percent of the optimum it loses."""
    table = Table(title=title, title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    table.add_column("mean concentration", justify="right")
    table.add_column("loss (%)", justify="right")
    for row in found:
        style = "bold" if row.mechanism == "optimum" else ""
        table.add_row(row.mechanism, f"{row.value:.6g}", f"{abs(row.loss_percent):.2f}", style=style)
    return table


def utility_table(title: str, found: ClassifierUtility) -> Table:
    """Guaranteed and simulated utility under every mechanism, in percent; other kinds of privacy are marked."""
    table = Table(title=title, title_justify="left")
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


def frequencies_table(title: str, found: Frequencies) -> Table:
    """Unbiased estimate, interval and most likely frequency of every true label, in percent."""
    table = Table(title=title, title_justify="left")
    table.add_column("true label")
    for name in ("unbiased (%)", "interval (%)", "most likely (%)"):
        table.add_column(name, justify="right", no_wrap=True)
    columns = (found.unbiased, found.low, found.high, found.likely)
    for label, *values in zip(found.labels, *(100 * column for column in columns), strict=True):
        middle, low, high, likely = values
        unbiased = "-" if math.isnan(middle) else f"{middle:.2f}"
        table.add_row(escape(str(label)), unbiased, f"{low:.2f} to {high:.2f}", f"{likely:.2f}")
    return table


def posterior_table(title: str, found: Frequencies, most: int = 3) -> Table:
    """The likeliest true labels of every released one, in percent, where the most likely frequencies are the prior."""
    table = Table(title=title, title_justify="left")
    table.add_column("released label")
    table.add_column("rows", justify="right")
    table.add_column("true label (%)")
    for j, name in enumerate(found.outputs):
        chances = found.posterior[:, j]
        if found.counts[j] == 0 and math.isnan(chances[0]):
            continue
        order = sorted(range(len(chances)), key=lambda k: -chances[k])[:most]
        text = ", ".join(f"{found.labels[k]} {100 * chances[k]:.1f}" for k in order)
        table.add_row(escape(str(name)), str(found.counts[j]), escape(text))
    return table


def _percent(mean: float, deviation: float, digits: int) -> str:
    shown = f"{100 * mean:.{digits}f}"
    return shown if math.isnan(deviation) else f"{shown} ± {100 * deviation:.{digits}f}"


def _comparison_cells(entry: Comparison) -> list[str]:
    return [
        entry.mechanism,
        entry.parameters,
        f"{entry.expected_utility:.6g}",
        f"{entry.loss_percent:.4f}",
        f"{entry.epsilon:.6g}",
    ]


def _short(text: str, limit: int = _CELL) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"

"""Tables and lines about a design, its losses, regimes and levels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lpmech.certify.checker import below
from lpmech.designs.comparing import Comparison
from lpmech.designs.designing import Design
from lpmech.designs.epsilons import LevelChoice, sureness
from lpmech.designs.several_labels import SeveralLabels
from lpmech.entries import to_exact
from lpmech.labels.named_utilities import UTILITIES
from lpmech.privacy import PrivacyLevel
from lpmech.programs.uncertain_priors import set_words
from lpmech.report.plain_words import COLUMNS, EPSILON_COLUMNS, MECHANISMS, REMAINING

if TYPE_CHECKING:
    from lpmech.designs.delta_design import DeltaDesign
    from lpmech.designs.information_design import InformationDesign
    from lpmech.designs.metric_design import MetricDesign
    from lpmech.labels.counts import LabelCounts
    from lpmech.release import Spent

__all__ = [
    "comparison_table",
    "counting_line",
    "left_table",
    "epsilons_table",
    "several_table",
    "epsilon_words",
    "sureness_words",
    "explanations",
    "floor_line",
    "worst_case_line",
    "spent_line",
    "warning_of",
    "order_line",
    "points",
    "regime_table",
    "losses_table",
]


def comparison_table(design: Design | MetricDesign | DeltaDesign | InformationDesign, level: str = "") -> Table:
    """Every mechanism beside the optimum: expected utility, loss in percent, tight epsilon."""
    level = level or f"epsilon = {design.level.epsilon:g}"
    title = f"{len(design.labels)} labels, {level}, utility {design.utility_name}"
    table = Table(title=escape(title), title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    table.add_column("parameters", overflow="fold")
    for name in COLUMNS:
        table.add_column(name, justify="right")
    for entry in design.comparisons:
        table.add_row(*_comparison_cells(entry), style="bold" if entry.mechanism == "optimal" else "")
    return table


def left_table(design: Design) -> Table:
    """What every mechanism leaves of the label: labels that never occur, errors of shares, information, guessing."""
    table = Table(title="what a released label still says about the true one", title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    for name in REMAINING:
        table.add_column(name, justify="right")
    for entry in design.comparisons:
        left = entry.left
        table.add_row(
            entry.mechanism,
            f"{len(left.never)} of {len(design.labels)}",
            points(entry.share_error),
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
        table.add_row(
            f"{entry.epsilon:g}",
            f"{math.ceil(1e3 * entry.sure) / 10:.1f} %",
            f"{entry.best.utility:.4g}",
            f"{len(entry.best.left.never)}",
            f"{entry.best.left.information:.3f}",
            f"{entry.keeping.utility:.4g}",
            f"{entry.keeping.left.information:.3f}",
            points(entry.keeping.error),
            points(entry.plain_error),
        )
    return table


def several_table(title: str, found: SeveralLabels) -> Table:
    """The joint optimum of several labels, and below it the ways to release them one by one, the best first."""
    table = Table(title=escape(title), title_justify="left")
    for name in ("released", "parts of epsilon"):
        table.add_column(name, no_wrap=True)
    for name in ("utility of a label", "loss"):
        table.add_column(name, justify="right")
    joint = float(found.together.value)
    table.add_row("together", "", f"{joint:.6g}", "0", style="bold")
    for way in found.one_by_one:
        parts = ", ".join(map(str, way.parts))
        table.add_row("one by one", parts, f"{float(way.value):.6g}", f"{joint - float(way.value):.3g}")
    return table


#: A choice among optimal channels is told where errors of shares are this much smaller for it.
_GAINED = 1.005


def points(error: float | None) -> str:
    """The error of a share in percentage points."""
    return "-" if error is None else f"{100 * error:.2g}"


def counting_line(design: Design) -> str:
    """What the optimum is worth for counting, beside randomized response, and which of the optimal ones it is."""
    error, before = design.optimum.share_error, design.error_before
    plain = next(entry.share_error for entry in design.comparisons if entry.mechanism == "randomized_response")
    said = []
    if error is not None and before is not None and before > _GAINED * error:
        gained = f"± {points(before)}" if math.isfinite(before) else "none"
        said.append(
            f"several channels have the largest utility: this one estimates shares to ± {points(error)} points, the "
            f"first that was found to {gained}; that costs no utility"
        )
    if error is None or (plain is not None and error > _GAINED * plain):
        said.append(f"optimal is no mechanism for counting: randomized_response has ± {points(plain)}")
    return "; ".join([*said, "for counting: --utility count"])


def epsilon_words(level: PrivacyLevel, releases: int = 1) -> str:
    """What a level means for one person's label."""
    times = "" if releases == 1 else f"{releases} releases at "
    return f"{times}{level}: {sureness_words(level, releases)}"


def sureness_words(level: PrivacyLevel, releases: int = 1) -> str:
    """The same without the level itself."""
    sure = math.ceil(1e3 * sureness(level, releases)) / 10
    return (
        f"whoever thinks it even odds which of two labels a person has is at most {sure:.1f} % sure afterwards, "
        "whatever else they know"
    )


def explanations(design: Design) -> Group:
    """What the utility, the mechanisms and the columns of both tables are, a line each."""
    shown = {entry.mechanism: MECHANISMS[entry.mechanism] for entry in design.comparisons}
    name = design.utility_name
    utility = {f"utility {name}": UTILITIES[name].words} if name in UTILITIES else {}
    words = {**utility, **COLUMNS, **REMAINING, **shown}
    lines = [Text.assemble((name, "bold"), f": {text}") for name, text in words.items()]
    return Group(*lines, Text(f"{epsilon_words(design.level)}; `lpmech epsilons` compares levels"))


def floor_line(floor: Fraction) -> str:
    """What `optimal` means under a floor, and why another mechanism may have a larger utility."""
    kept = f"releases every label as itself with probability {float(floor):.6g} or more"
    return f"optimal is the best channel that {kept}; what has a larger utility does not"


def worst_case_line(design: Design | MetricDesign | DeltaDesign, lower: Fraction) -> str:
    """What the released channel, `lower`, and the best one for the prior are worth in the worst case, and for it."""
    if design.priors is None:
        return ""
    safe, alone = design.comparisons[:2]
    other = design.priors.least(design.utility, to_exact(alone.channel.matrix))
    where = set_words(design.priors.kind, design.priors.size)
    return (
        f"under the worst prior {where}: optimal has {below(lower, 6)}, optimal_for_the_prior "
        f"{below(other, 6)}; for these shares themselves {safe.expected_utility:.6g} and {alone.expected_utility:.6g}"
    )


def spent_line(spent: Spent) -> str:
    """What noisy counts and release cost."""
    how = "the counted rows may be released" if spent.composition == "sequential" else "no counted row is released"
    return (
        f"private counts: {spent.prior} for noisy counts, {spent.release} for the release, {spent.total} in all "
        f"({spent.composition}: {how}); all of the above is made from the noisy counts"
    )


def warning_of(design: Design, chosen: Comparison) -> str | None:
    """One line if the mechanism that releases gives labels up, or cannot be decoded; else None."""
    left, it = chosen.left, "the optimum" if chosen.mechanism == "optimal" else chosen.mechanism
    names = ", ".join(map(str, left.never[:6])) + (", ..." if len(left.never) > 6 else "")
    ways = "--keep-labels or --utility balanced keep more"
    if len(left.never) == len(design.labels) - 1:
        only = next(name for name in design.labels if name not in left.never)
        return f"warning: {it} always releases {only}: nothing is left to learn from; {ways}"
    if left.never:
        return f"warning: {it} never releases {len(left.never)} of {len(design.labels)} labels ({names}); {ways}"
    if not left.decodable:
        return f"warning: {it} cannot be decoded: true frequencies cannot be estimated from it; {ways}"
    return None


def order_line(counts: LabelCounts) -> str:
    """Which order or values of the labels distances are taken from."""
    if counts.values is not None:
        return "distances are between the labels' own values (tanimoto: between positions unless all are positive)"
    names = " < ".join(counts.labels[:12]) + (" < ..." if len(counts.labels) > 12 else "")
    return f"distances are between positions in this order ({counts.order}): {names}"


def regime_table(title: str, pieces: Sequence[tuple[Any, Any, Any]]) -> Table:
    """Where which formula is the optimum: exact end points in t, rounded ones in epsilon."""
    from lpmech.programs.solvers.parametric import epsilon_at

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


def _comparison_cells(entry: Comparison) -> list[str]:
    return [
        entry.mechanism,
        escape(entry.parameters),
        f"{entry.expected_utility:.6g}",
        f"{entry.loss_percent:.4f}",
        f"{entry.epsilon:.6g}",
    ]

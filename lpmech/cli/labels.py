"""Commands for label counts: `design`, `losses`, `regimes`."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from lpmech.cli.common import OK, app, check_writable, make_directory, required_level, write

if TYPE_CHECKING:
    from lpmech.design import Design

__all__ = ["design", "losses", "regimes"]


@app.command
def design(
    counts: Path,
    *,
    epsilon: float | None = None,
    ratio: str | None = None,
    utility: str = "hit",
    output: Path | None = None,
    as_json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Find the best private channel for label counts and see how much every published mechanism loses.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    epsilon
        Privacy level.
    ratio
        e^epsilon as an exact rational such as 7/2, instead of --epsilon.
    utility
        hit, absolute, squared, tanimoto, near (within 1), balanced (average over the labels), weights (liu2026 (3.3),
        e^(-1/sigma) = 1/2), or a CSV file with a K x K matrix (larger is better).
    output
        Directory for channel.csv, comparison.csv, certificate.json and pictures.
    as_json
        Print the comparison as JSON.
    """
    from lpmech.certify.checker import above, below
    from lpmech.design import design as find_design
    from lpmech.report import comparison_table, console
    from lpmech.tables import read_counts

    level = required_level(epsilon, ratio)
    label_counts = read_counts(counts)
    if output is not None:
        make_directory(output)
    found = find_design(label_counts, level, utility)
    if output is not None:
        _write_design(found, output)
    if as_json:
        print(json.dumps(_design_json(found), indent=1, ensure_ascii=False))
        return OK
    out = console()
    out.print(comparison_table(found))
    lower, upper = found.certificate.lower, found.certificate.upper
    out.print(
        f"certified: the optimum lies in [{below(lower, 10)}, {above(upper, 10)}] "
        f"(exact rational arithmetic, gap at most {above(upper - lower, 1)})"
    )
    if utility in ("absolute", "squared", "tanimoto", "near") and label_counts.values is None:
        out.print("note: the labels are not all numbers; distances are between their positions in the file")
    if output is not None:
        out.print(f"written to {output}: " + ", ".join(sorted(p.name for p in output.iterdir())), soft_wrap=True)
    return OK


@app.command
def losses(counts: Path, *, epsilon: float | None = None, ratio: str | None = None) -> int:
    """Print what every published mechanism loses against the optimum, under every named utility.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    epsilon
        Privacy level.
    ratio
        e^epsilon as an exact rational such as 7/2, instead of --epsilon.
    """
    from lpmech.design import losses as find_losses
    from lpmech.report import console, losses_table
    from lpmech.tables import read_counts

    level = required_level(epsilon, ratio)
    label_counts = read_counts(counts)
    title = f"{counts.name}, {level}: percent of the certified optimum lost"
    console().print(losses_table(title, find_losses(label_counts, level)))
    return OK


@app.command
def regimes(counts: Path, *, utility: str = "hit", output: Path | None = None) -> int:
    """Print the optimum as an exact function of t = e^epsilon, for all epsilon > 0, with its break points.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    utility
        hit, absolute, squared, tanimoto, near, balanced, weights (as for design), or a CSV file with a K x K matrix.
    output
        PNG file for a plot of the optimum and every published closed form against epsilon.
    """
    from lpmech.design import curves, utility_named
    from lpmech.plots import plot_regimes
    from lpmech.privacy import PrivacyLevel
    from lpmech.programs import optimal_channel
    from lpmech.report import console, regime_table
    from lpmech.solvers.parametric import regimes as find_regimes
    from lpmech.solvers.parametric import value_pieces
    from lpmech.tables import read_counts

    label_counts = read_counts(counts)
    gain = utility_named(utility, label_counts)
    if output is not None:
        check_writable(output)
    found = find_regimes(optimal_channel(gain, PrivacyLevel.from_ratio(2), label_counts.prior))
    pieces = value_pieces(found)
    out = console()
    out.print(regime_table(f"{counts.name}: optimum for utility {utility}, t = e^epsilon", pieces))
    out.print(f"{len(pieces)} formulas on {len(found)} intervals, each proved for all t in it by signs of polynomials")
    if output is not None:
        last = max([3.0, *(1.3 * math.log(float(piece[0])) for piece in pieces)])
        plot_regimes(pieces, curves(gain, label_counts.prior, last), output, f"{counts.name}, utility {utility}")
        out.print(f"written to {output}", soft_wrap=True)
    return OK


def _design_json(found: Design) -> dict[str, Any]:
    return {
        "labels": list(found.labels),
        "epsilon": found.level.epsilon,
        "utility": found.utility_name,
        "optimum": {"lower": str(found.certificate.lower), "upper": str(found.certificate.upper)},
        "comparison": [
            {
                "mechanism": c.mechanism,
                "parameters": c.parameters,
                "expected_utility": c.expected_utility,
                "loss_percent": c.loss_percent if c.loss_percent != float("inf") else None,
                "epsilon": c.epsilon if c.epsilon != float("inf") else None,
            }
            for c in found.comparisons
        ],
    }


def _write_design(found: Design, directory: Path) -> None:
    from lpmech.plots import plot_channel, plot_comparison
    from lpmech.tables import write_channel

    write_channel(directory / "channel.csv", found.optimum.channel)
    lines = ["mechanism,expected_utility,loss_percent,epsilon"]
    lines += [f"{c.mechanism},{c.expected_utility!r},{c.loss_percent!r},{c.epsilon!r}" for c in found.comparisons]
    write(directory / "comparison.csv", "\n".join(lines) + "\n")
    write(directory / "certificate.json", found.certificate.to_json() + "\n")
    setting = f"epsilon = {found.level.epsilon:g}, utility {found.utility_name}"
    plot_channel(found.optimum.channel, directory / "channel.png", f"Optimal channel, {setting}")
    plot_comparison(found.comparisons, directory / "comparison.png", f"Expected utility, {setting}")

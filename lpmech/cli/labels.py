"""Commands for label counts beside `design`: `losses`, `regimes`, `epsilons`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from lpmech.cli.common import (
    OK,
    Counts,
    Epsilon,
    Epsilons,
    Ratio,
    Switch,
    Whole,
    check_picture,
    followed,
    refuse_existing,
    required_level,
    save,
    working,
)
from lpmech.cli.counting import announce
from lpmech.cli.prior_maps import OfPriors, PriorOptions, map_priors
from lpmech.cli.utility import LevelUtility, Utility
from lpmech.errors import InvalidInputError
from lpmech.labels.reading import Reading, read_counts

if TYPE_CHECKING:
    from lpmech.labels.counts import LabelCounts

__all__ = ["Columns", "refuse_unordered", "epsilons", "losses", "regimes"]


#: How the file of labels is read: the same options for every command.
Columns = Annotated[Reading, Parameter(name="*", group="How the file is read")]


def losses(
    counts: Counts,
    *,
    epsilon: Epsilon | None = None,
    ratio: Ratio = None,
    output: Path | None = None,
    overwrite: Switch = False,
    reading: Columns | None = None,
) -> int:
    """Print what every published mechanism loses against the optimum, under every named utility but information.

    Parameters
    ----------
    epsilon
        Privacy level.
    output
        CSV file for the table, a row for each mechanism.
    overwrite
        Replace the file if it exists.
    reading
        How the file is read.
    """
    from lpmech.designs.comparing import losses as find_losses
    from lpmech.files.access import write_text
    from lpmech.report.console import console
    from lpmech.report.designs import losses_table, order_line
    from lpmech.tables import csv_line

    level = required_level(epsilon, ratio)
    if output is not None:
        refuse_existing(output, overwrite)
    label_counts = read_counts(counts, reading)
    announce(len(label_counts.labels))
    title = f"{counts.name}, {level}: percent of the certified optimum lost"
    with working(f"{len(label_counts.labels)} labels"):
        found = find_losses(label_counts, level)
    out = console()
    out.print(losses_table(title, found))
    out.print(order_line(label_counts), soft_wrap=True, markup=False)
    if output is not None:
        refuse_existing(output, overwrite)
        rows = [["loss (%)", *found["optimal"]], *([name, *map(str, row.values())] for name, row in found.items())]
        write_text(output, "".join(map(csv_line, rows)))
        out.print(f"written to {output}", soft_wrap=True, markup=False)
    return OK


def regimes(
    counts: Counts | None = None,
    *,
    utility: Utility = "hit",
    output: Path | None = None,
    overwrite: Switch = False,
    reading: Columns | None = None,
    priors: PriorOptions | None = None,
) -> int:
    """Print the optimum as an exact function of t = e^epsilon, for all epsilon > 0, or of the prior (--all-priors).

    Parameters
    ----------
    output
        PNG file for a plot of the optimum and every published closed form against epsilon; or of the map of priors,
        of all t an HTML file with a slider.
    overwrite
        Replace a file that exists.
    reading
        How the file is read.
    priors
        Maps of all priors.
    """
    from lpmech.designs.comparing import curves
    from lpmech.designs.regimes import regimes as find_regimes
    from lpmech.plots import plot_regimes
    from lpmech.privacy import MAX_EPSILON
    from lpmech.programs.solvers.parametric import epsilon_at
    from lpmech.report.console import console
    from lpmech.report.designs import regime_table

    if priors is not None and priors.all_priors:
        if counts is not None:
            raise InvalidInputError("counts", str(counts), "either a file or --all-priors")
        return map_priors(priors, utility, output, overwrite)
    if counts is None or (priors is not None and priors != OfPriors()):
        raise InvalidInputError("counts", counts and str(counts), "a file; or --all-priors with --labels")
    label_counts = read_counts(counts, reading)
    refuse_unordered(utility, label_counts)
    if output is not None:
        refuse_existing(output, overwrite)
        check_picture(output, "output")
    with working(f"{len(label_counts.labels)} labels"):
        found = find_regimes(label_counts, utility)
    pieces = found.pieces
    if output is not None:
        last = min(MAX_EPSILON, max([3.0, *(1.3 * epsilon_at(piece[0]) for piece in pieces)]))
        drawn = curves(found.utility, found.prior, last)
        save(plot_regimes(pieces, drawn, title=f"{counts.name}, utility {utility}"), output)
    out = console()
    out.print(regime_table(f"{counts.name}: optimum for utility {utility}, t = e^epsilon", pieces))
    steps = f" ({len(found.regimes)} intervals of the proof)" if len(found.regimes) > len(pieces) else ""
    out.print(f"{len(pieces)} formulas, each proved for all t in its interval by signs of polynomials{steps}")
    if output is not None:
        out.print(f"written to {output}", soft_wrap=True, markup=False)
    return OK


def epsilons(
    counts: Path,
    *,
    utility: LevelUtility = "hit",
    releases: Whole = 1,
    epsilon: Annotated[Epsilons | None, Parameter(consume_multiple=True)] = None,
    reading: Columns | None = None,
) -> int:
    """Compare levels of privacy: what each keeps of the labels, and what it means for one person.

    Parameters
    ----------
    counts
        CSV or Parquet file of labels, as for design. What is printed depends on the exact counts.
    releases
        How many releases about the same person there will be: of several columns, or of one again and again.
    epsilon
        Levels of one release; default: seven from 0.1 to 5.
    reading
        How the file is read.
    """
    from lpmech.designs.epsilons import EPSILONS, level_choices
    from lpmech.privacy import PrivacyLevel
    from lpmech.report.console import console
    from lpmech.report.designs import epsilon_words, epsilons_table
    from lpmech.report.plain_words import EPSILON_COLUMNS

    levels = epsilon or EPSILONS
    label_counts = read_counts(counts, reading)
    announce(len(label_counts.labels), utility, floor=True, designs=len(levels))
    refuse_unordered(utility, label_counts)
    found = followed(
        level_choices(label_counts, utility, levels, releases), len(levels), lambda c: f"epsilon = {c.epsilon:g}"
    )
    out = console()
    rows = sum(label_counts.counts)
    out.print(epsilons_table(f"{len(label_counts.labels)} labels, {rows} rows, utility {utility}", found))
    for name, words in EPSILON_COLUMNS.items():
        out.print(f"{name}: {words}", soft_wrap=True, markup=False)
    middle = PrivacyLevel.from_epsilon(sorted(levels)[len(levels) // 2])
    out.print(epsilon_words(middle, releases), soft_wrap=True, markup=False)
    out.print("made from the exact counts: for your eyes, if the labels are private", soft_wrap=True)
    return OK


def refuse_unordered(utility: str, counts: LabelCounts) -> None:
    """Refuse a utility that depends on an order of the labels, where nobody has given one."""
    from lpmech.labels.named_utilities import needs_order

    if needs_order(utility, counts):
        raise InvalidInputError("order", None, f"--order with all labels from first to last: {utility} depends on it")

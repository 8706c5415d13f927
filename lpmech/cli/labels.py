"""Commands for label counts: `design`, `losses`, `regimes`."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from lpmech.cli.common import BAD_INPUT, OK, check_writable, required_level, save
from lpmech.errors import InvalidInputError
from lpmech.label_files import Reading, read_counts

if TYPE_CHECKING:
    from lpmech.designs import Design
    from lpmech.label_counts import LabelCounts
    from lpmech.privacy import PrivacyLevel
    from lpmech.release import Spent
    from lpmech.row_choice import RowChoice

__all__ = ["design", "losses", "regimes"]

#: How the file of labels is read: the same options for every command.
Columns = Annotated[Reading, Parameter(name="*", group="How the file is read")]

_WHOSE = """\
lpmech: --output: whose labels were counted? A mechanism tuned on the exact counts of private labels betrays them
lpmech: say --counts-are public (a census, other people's data), or --counts-are private --spend 0.2 (buys noisy counts)
"""


def design(
    counts: Path,
    *,
    epsilon: float | None = None,
    ratio: str | None = None,
    utility: str = "hit",
    keep_labels: Annotated[bool, Parameter(negative=())] = False,
    hit_floor: float | None = None,
    counts_are: Literal["public", "private"] | None = None,
    spend: float | None = None,
    composition: Literal["sequential", "parallel"] | None = None,
    share: str | None = None,
    ledger: Path | None = None,
    output: Path | None = None,
    overwrite: Annotated[bool, Parameter(negative=())] = False,
    explain: Annotated[bool, Parameter(negative=())] = False,
    as_json: Annotated[bool, Parameter(name="--json", negative=())] = False,
    reading: Columns | None = None,
) -> int:
    """Find the best private channel for label counts and see how much every published mechanism loses.

    Parameters
    ----------
    counts
        CSV or Parquet file with two columns, labels and their counts; or with one label per row.
    epsilon
        Privacy level; with private counts, of counting and releasing together.
    ratio
        e^epsilon as an exact rational such as 7/2, instead of --epsilon.
    utility
        hit, absolute, squared, tanimoto, near (within 1), balanced (average over the labels), weights (the objective of
        liu2026 (4.1), e^(-1/sigma) = 1/2), information (a bound of the bits that are left), or a CSV file with a K x K
        matrix (larger is better).
    keep_labels
        Every label is released as itself at least halfway as often, between chance and randomized response.
    hit_floor
        The least probability with which every label is released as itself, chosen by yourself.
    counts_are
        public: a census, a published table, other people's data. private: counts of the labels that are to be
        protected; then --spend buys noisy counts, and all that is written or printed is made from these.
    spend
        With private counts: the part of epsilon for the noisy counts.
    composition
        With private counts. sequential (default): the counted rows are released, too. parallel: they never are.
    share
        With --composition parallel: the share of the rows, chosen at random, that is counted and will be left out of
        the release, such as 0.1; without it all rows of the file are counted, and other rows are to be released.
    ledger
        With private counts: where their cost is entered; default: lpmech-ledger.json beside the counts.
    output
        Directory for release.json, channel.csv, comparison.csv, labels.csv, certificate.json and pictures; written as
        one, or not at all.
    overwrite
        Replace the directory of an earlier design.
    explain
        Say in plain words what the mechanisms and columns are.
    as_json
        Print the comparison as JSON.
    reading
        How the file is read.
    """
    from lpmech.budgets import epsilon_text
    from lpmech.designs import design as find_design
    from lpmech.release import Spent

    how = reading or Reading()
    level = required_level(epsilon, ratio)
    if output is not None:
        if counts_are is None:
            sys.stderr.write(_WHOSE)
            return BAD_INPUT
        _free(output, overwrite)
    spent = _spent(level, counts_are, spend, composition, how)
    choice = _choice(share, spent)
    label_counts = read_counts(counts, how, choice)
    announce(len(label_counts.labels))
    text = epsilon_text(level)
    if spent is not None:
        from lpmech.private_counts import level_within, noisy
        from lpmech.randomizing import record_prior

        label_counts, rows = noisy(label_counts, str(spent.prior)), sum(label_counts.counts)
        record_prior(
            counts, label_counts.prior, spent, rows=rows, column=how.column or "", choice=choice, ledger=ledger
        )
        text, level = spent.release, level_within(spent.release)
    _refuse_unordered(utility, label_counts)
    found = find_design(label_counts, level, utility, _floor(keep_labels, hit_floor, label_counts, level))
    written: list[str] = []
    if output is not None:
        from lpmech.design_directory import files_of_design, release_of, write_design

        release = release_of(found, text, spent or Spent.on(text))
        files = files_of_design(found, release, label_counts.edges)
        write_design(output, files, overwrite)
        written = sorted(files)
    if as_json:
        print(json.dumps(_design_json(found), indent=1, ensure_ascii=False))
        return OK
    _print_design(found, label_counts, spent, explain)
    if counts_are is None:
        print("made from the exact counts: for your eyes, if the labels are private; --output asks whose they are")
    if output is not None:
        print(f"written to {output}: {', '.join(written)}")
    return OK


def announce(size: int) -> None:
    """Say on stderr what many labels will cost; refuse what does not fit into memory."""
    from lpmech.designs import estimated_cost

    cost = estimated_cost(size)
    if cost.memory > cost.available:
        raise InvalidInputError(
            "counts", f"{size} distinct labels, about {cost.memory / 1e9:.0f} GB and {cost.text}", "fewer: --bins 100"
        )
    if cost.seconds > 10:
        hint = "; --bins groups numbers" if size > 1000 else ""
        sys.stderr.write(f"lpmech: {size} labels: about {cost.text} and {cost.memory / 1e9:.1f} GB{hint}\n")


def _free(output: Path, overwrite: bool) -> None:
    """Refuse a place that is taken before the work, not after it."""
    from lpmech.errors import DataFileError

    if output.exists() and not output.is_dir():
        raise DataFileError("output", str(output), "a directory, not a file")
    if output.is_dir() and any(output.iterdir()) and not overwrite:
        raise DataFileError("output", str(output), "a directory that is new or empty, or --overwrite")


def _spent(
    level: PrivacyLevel, counts_are: str | None, spend: float | None, composition: str | None, how: Reading
) -> Spent | None:
    """What private counts cost; None for others."""
    if counts_are != "private":
        for name, value in (("spend", spend), ("composition", composition)):
            if value is not None:
                raise InvalidInputError(name, value, "this option with --counts-are private only")
        return None
    if spend is None:
        raise InvalidInputError("spend", spend, "the part of epsilon that buys noisy counts, such as --spend 0.2")
    if level.is_exact:
        raise InvalidInputError("ratio", str(level.ratio), "--epsilon where counts are private, for costs to add up")
    fixed = how.order if how.bins is None else how.range or ("," in how.bins or None)
    if fixed is None or (how.bins or "").startswith("quantile"):
        allowed = "--order with all labels that may occur, or --bins with --range: else it shows which labels occur"
        raise InvalidInputError("order" if how.bins is None else "bins", how.bins, allowed)
    from lpmech.private_counts import shared

    return shared(repr(level.epsilon), repr(spend), composition or "sequential")


def _choice(share: str | None, spent: Spent | None) -> RowChoice | None:
    """Which rows are counted, None for all."""
    if share is None:
        return None
    if spent is None or spent.composition != "parallel":
        raise InvalidInputError("share", share, "this option with --composition parallel only")
    from lpmech.row_choice import RowChoice

    return RowChoice.draw(share)


def _floor(keep_labels: bool, hit_floor: float | None, counts: LabelCounts, level: PrivacyLevel) -> Any:
    from lpmech.programs.hit_floors import halfway_floor

    if keep_labels and hit_floor is not None:
        raise InvalidInputError("hit_floor", hit_floor, "at most one of --keep-labels and --hit-floor")
    return halfway_floor(len(counts.labels), level) if keep_labels else hit_floor


def _refuse_unordered(utility: str, counts: LabelCounts) -> None:
    from lpmech.named_utilities import needs_order

    if needs_order(utility, counts):
        raise InvalidInputError("order", None, f"--order with all labels from first to last: {utility} depends on it")


def _print_design(found: Design, counts: LabelCounts, spent: Spent | None, explain: bool) -> None:
    from lpmech.certify.checker import above, below
    from lpmech.named_utilities import DISTANCES
    from lpmech.report import comparison_table, console, explanations, floor_line, left_table, order_line, warning_of

    out = console()
    out.print(comparison_table(found))
    out.print(left_table(found))
    lower, upper = found.interval
    gap = max(float(upper - lower), 1e-12)
    out.print(
        f"certified: the optimum lies in [{below(lower, 10)}, {above(upper, 10)}] "
        f"(exact rational arithmetic, gap below {10.0 ** math.ceil(math.log10(gap)):.0e})",
        soft_wrap=True,
    )
    if found.floor is not None:
        out.print(floor_line(found.floor), soft_wrap=True)
    if found.utility_name in DISTANCES:
        out.print(order_line(counts), soft_wrap=True, markup=False)
    if spent is not None:
        how = "the counted rows may be released" if spent.composition == "sequential" else "no counted row is released"
        out.print(
            f"private counts: {spent.prior} for noisy counts, {spent.release} for the release, {spent.total} in all "
            f"({spent.composition}: {how}); all of the above is made from the noisy counts",
            soft_wrap=True,
        )
    if warning := warning_of(found):
        out.print(warning, soft_wrap=True, markup=False)
    if explain:
        out.print(explanations(found))
    else:
        out.print("--explain says what the mechanisms and columns are")


def losses(
    counts: Path, *, epsilon: float | None = None, ratio: str | None = None, reading: Columns | None = None
) -> int:
    """Print what every published mechanism loses against the optimum, under every named utility.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    epsilon
        Privacy level.
    ratio
        e^epsilon as an exact rational such as 7/2, instead of --epsilon.
    reading
        How the file is read.
    """
    from lpmech.designs import losses as find_losses
    from lpmech.report import console, losses_table, order_line

    level = required_level(epsilon, ratio)
    label_counts = read_counts(counts, reading)
    announce(len(label_counts.labels))
    title = f"{counts.name}, {level}: percent of the certified optimum lost"
    out = console()
    out.print(losses_table(title, find_losses(label_counts, level)))
    out.print(order_line(label_counts), soft_wrap=True, markup=False)
    return OK


def regimes(counts: Path, *, utility: str = "hit", output: Path | None = None, reading: Columns | None = None) -> int:
    """Print the optimum as an exact function of t = e^epsilon, for all epsilon > 0, with its break points.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    utility
        hit, absolute, squared, tanimoto, near, balanced, weights (as for design), or a CSV file with a K x K matrix.
    output
        PNG file for a plot of the optimum and every published closed form against epsilon.
    reading
        How the file is read.
    """
    from lpmech.designs import curves
    from lpmech.formulas import regimes as find_regimes
    from lpmech.plots import plot_regimes
    from lpmech.report import console, regime_table

    label_counts = read_counts(counts, reading)
    _refuse_unordered(utility, label_counts)
    if output is not None:
        check_writable(output)
    found = find_regimes(label_counts, utility)
    pieces = found.pieces
    out = console()
    out.print(regime_table(f"{counts.name}: optimum for utility {utility}, t = e^epsilon", pieces))
    steps = f" ({len(found.regimes)} intervals of the proof)" if len(found.regimes) > len(pieces) else ""
    out.print(f"{len(pieces)} formulas, each proved for all t in its interval by signs of polynomials{steps}")
    if output is not None:
        last = max([3.0, *(1.3 * math.log(float(piece[0])) for piece in pieces)])
        drawn = curves(found.utility, found.prior, last)
        save(plot_regimes(pieces, drawn, title=f"{counts.name}, utility {utility}"), output)
        out.print(f"written to {output}", soft_wrap=True)
    return OK


def _design_json(found: Design) -> dict[str, Any]:
    return {
        "labels": list(found.labels),
        "epsilon": found.level.epsilon,
        "utility": found.utility_name,
        "hit_floor": None if found.floor is None else float(found.floor),
        "optimum": {"lower": str(found.interval[0]), "upper": str(found.interval[1])},
        "comparison": [
            {
                "mechanism": c.mechanism,
                "parameters": c.parameters,
                "expected_utility": c.expected_utility,
                "loss_percent": c.loss_percent if c.loss_percent != float("inf") else None,
                "epsilon": c.epsilon if c.epsilon != float("inf") else None,
                "never_released": list(c.left.never),
                "decodable": c.left.decodable,
                "information_bits": c.left.information,
                "guessed": c.left.guessed,
            }
            for c in found.comparisons
        ],
    }

"""The command `several`: labels of one person, one by one or together."""

from __future__ import annotations

from pathlib import Path

from lpmech.cli.common import OK, Counts, Epsilon, Ratio, Whole, required_level, working
from lpmech.cli.labels import Columns, refuse_unordered
from lpmech.cli.utility import Utility
from lpmech.files.access import check_writable, write_text
from lpmech.labels.reading import read_counts

__all__ = ["several"]


def several(
    counts: Counts,
    *,
    labels_each: Whole = 2,
    epsilon: Epsilon | None = None,
    ratio: Ratio = None,
    utility: Utility = "hit",
    certificate: Path | None = None,
    reading: Columns | None = None,
) -> int:
    """Compare several labels of a person released one by one with the best joint channel, under one epsilon.

    Parameters
    ----------
    labels_each
        How many labels a person has, each with the shares of the file, independent of the others.
    epsilon
        Privacy level of all labels of a person together.
    certificate
        JSON file for the proof of the joint optimum, which certify reads.
    reading
        How the file is read.
    """
    from lpmech.certify import certificate_of
    from lpmech.designs.several_labels import several_labels
    from lpmech.labels.named_utilities import utility_named
    from lpmech.report.console import console
    from lpmech.report.designs import several_table

    level = required_level(epsilon, ratio)
    if certificate is not None:
        check_writable(certificate)
    label_counts = read_counts(counts, reading)
    refuse_unordered(utility, label_counts)
    gain = utility_named(utility, label_counts)
    with working(f"{labels_each} labels of a person"):
        found = several_labels(gain, level, labels_each, label_counts.prior, label_counts.labels)
    out = console()
    out.print(several_table(f"{labels_each} labels of a person, {level} together, utility {utility}", found))
    kind = "exact" if found.together.is_exact else f"within {float(found.together.gap):.1e}"
    out.print(f"the joint optimum is proved, {kind}; it gains {found.gain:.2f} % over the best one by one")
    if certificate is not None:
        write_text(certificate, certificate_of(found.together).to_json())
        out.print(f"written to {certificate}", soft_wrap=True, markup=False)
    return OK

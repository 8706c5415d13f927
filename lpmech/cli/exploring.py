"""`lpmech explore`: a page with sliders for epsilon and utility."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lpmech.cli.common import BAD_INPUT, CORES, OK, Jobs, Switch, followed, refuse_existing
from lpmech.cli.labels import Columns, refuse_unordered
from lpmech.cli.utility import Utilities
from lpmech.labels.reading import read_counts

if TYPE_CHECKING:
    from lpmech.labels.counts import LabelCounts

__all__ = ["explore"]

#: Labels up to which other processes would take longer to start than to compute.
_ALONE = 12

_WHOSE = """\
lpmech: explore: whose labels were counted? The page holds their exact frequencies
lpmech: say --counts-are public (a census, other people's data); of private labels, explore noisy counts
"""


def explore(
    counts: Path,
    *,
    output: Path,
    counts_are: Literal["public"] | None = None,
    utility: Utilities = None,
    overwrite: Switch = False,
    jobs: Jobs = CORES,
    reading: Columns | None = None,
) -> int:
    """Write a page with sliders for epsilon and utility: the optimal channel, break points, what every mechanism loses.

    One HTML file that needs no network. The optimum is an exact formula in t = e^epsilon, proved for all t > 1; what is
    drawn is computed from it in floats.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row. At most 25 labels.
    output
        The HTML file.
    counts_are
        public: a census, a published table, other people's data.
    overwrite
        Replace the file if it exists.
    reading
        How the file is read.
    """
    from lpmech.designs.exploring import explorable
    from lpmech.files.whole import replace_file
    from lpmech.report.console import console

    if counts_are is None:
        sys.stderr.write(_WHOSE)
        return BAD_INPUT
    refuse_existing(output, overwrite)
    label_counts = read_counts(counts, reading)
    for name in utility or ():
        refuse_unordered(name, label_counts)
    names = explorable(label_counts, utility)
    begun = _shown(label_counts, names, jobs)
    from lpmech.pages.explore import explore_page  # here, while other processes work

    found = followed(begun, len(names), lambda each: str(each["name"]))
    refuse_existing(output, overwrite)
    replace_file(output, explore_page(label_counts, counts.name, found))
    console().print(
        f"written to {output}: {len(label_counts.labels)} labels, utilities {', '.join(names)}", soft_wrap=True
    )
    return OK


def _shown(counts: LabelCounts, names: Sequence[str], jobs: int) -> Iterator[dict[str, Any]]:
    from joblib import Parallel, delayed

    several = jobs if len(counts.labels) > _ALONE and len(names) > 1 else 1
    begun: Iterator[dict[str, Any]] = Parallel(n_jobs=several, return_as="generator")(
        delayed(_of_one)(counts, name) for name in names
    )
    return begun


def _of_one(counts: LabelCounts, name: str) -> dict[str, Any]:
    from lpmech.designs.exploring import explored
    from lpmech.pages.explore import utility_shown

    (found,) = explored(counts, [name])
    return utility_shown(found)

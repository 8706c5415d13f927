"""A page about one design: what to release, what it costs, and how sure that is."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lpmech.certify.checker import above, below
from lpmech.designs.what_is_left import label_by_label
from lpmech.labels.named_utilities import UTILITIES
from lpmech.pages.rendering import page
from lpmech.report.designs import counting_line, floor_line, points, sureness_words, warning_of, worst_case_line
from lpmech.report.plain_words import COLUMNS, MECHANISMS, REMAINING

if TYPE_CHECKING:
    from lpmech.designs.designing import Design
    from lpmech.designs.what_is_left import LabelLeft
    from lpmech.release import Release

__all__ = ["design_page"]

#: Up to so many labels the channel is a table, beyond a picture.
_TABULATED = 24


def design_page(found: Design, release: Release, pictures: Mapping[str, bytes]) -> str:
    """A self-contained HTML page for the person who is to use the design.

    Parameters
    ----------
    found : Design
        For public counts, or for noisy ones; the page shows their frequencies.
    release : Release
        Made from it.
    pictures : mapping of str to bytes
        ``channel.png`` and ``comparison.png``.
    """
    lower, upper = found.interval
    best, name = found.named(release.mechanism), found.utility_name
    # under a floor a mechanism of the same utility may well break it
    others = [c for c in found.comparisons if c is not best] if found.floor is None else []
    equals = [c.mechanism for c in others if abs(c.loss_percent - best.loss_percent) < 1e-7]
    return page(
        "design.html",
        found=found,
        best=best,
        release=release,
        matrix=release.channel.matrix.tolist() if len(found.labels) <= _TABULATED else None,
        labels=[_cells(label) for label in label_by_label(release.channel, found.prior)],
        interval=(below(lower, 10), above(upper, 10)),
        equals=[(name, MECHANISMS[name]) for name in equals if name in MECHANISMS],
        sureness=sureness_words(found.level),
        floor=None if found.floor is None else floor_line(found.floor),
        worst_case=worst_case_line(found, lower),
        counting=counting_line(found),
        points=points,
        warning=warning_of(found, best),
        utility=UTILITIES[name].words if name in UTILITIES else "the matrix in utility.csv",
        columns=COLUMNS,
        remaining=REMAINING,
        mechanisms=MECHANISMS,
        pictures={name: base64.b64encode(content).decode("ascii") for name, content in pictures.items()},
    )


def _cells(x: LabelLeft) -> tuple[object, ...]:
    """The row of a label in the table."""
    guess = ("never released", "") if x.guess is None else (x.guess, f"{x.right:.4f}")
    return x.label, f"{x.prior:.4f}", f"{x.released:.4f}", f"{x.hit_rate:.4f}", *guess

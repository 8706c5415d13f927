"""A page about one design for counting: what to release, what it costs, and how sure that is."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from lpmech.pages.rendering import page
from lpmech.release.label_sets import LabelSets
from lpmech.report.counting import bound_line
from lpmech.report.designs import sureness_words
from lpmech.report.plain_words import COUNTING_COLUMNS, MECHANISMS

if TYPE_CHECKING:
    from lpmech.designs.counting import Counting, CountingDesign
    from lpmech.release import Release

__all__ = ["counting_page"]


def counting_page(found: CountingDesign, chosen: Counting, release: Release, picture: bytes) -> str:
    """A self-contained HTML page for the person who is to use the design.

    Parameters
    ----------
    found, chosen : CountingDesign, Counting
        For public counts, or for noisy ones; and what is to release.
    release : Release
        Made from it.
    picture : bytes
        ``comparison.png``.
    """
    sets = release.randomizer if isinstance(release.randomizer, LabelSets) else None
    return page(
        "design_for_counting.html",
        found=found,
        chosen=chosen,
        release=release,
        sets=None if sets is None else sets.allowed,
        p=None if sets is None else float(sets.mechanism.p),
        q=None if sets is None else float(sets.mechanism.q),
        bound=bound_line(found, chosen),
        sureness=sureness_words(found.level),
        columns=COUNTING_COLUMNS,
        mechanisms=MECHANISMS,
        picture=base64.b64encode(picture).decode("ascii"),
    )

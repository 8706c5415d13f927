"""The files of a design that are for people: pictures, and a page with them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from lpmech.errors import MissingDependencyError
from lpmech.extras import required

if TYPE_CHECKING:
    from lpmech.designs.comparing import Comparison
    from lpmech.designs.designing import Design
    from lpmech.release import Release

__all__ = ["files_for_people", "left_out"]

#: Labels up to which a picture keeps their order.
_READ_ONE_BY_ONE = 25


def left_out() -> str:
    """What `files_for_people` leaves out, and how it is had; empty if it is all there."""
    try:
        required("plots", "matplotlib")
        required("pages", "jinja2")
    except MissingDependencyError as exc:
        return f"without pictures and page: {exc.library} is not installed; pip install 'lpmech[plots,pages]' has all"
    return ""


def files_for_people(found: Design, chosen: Comparison, release: Release) -> dict[str, bytes]:
    """Name and content of two pictures and the page; none where a library for them is missing.

    Parameters
    ----------
    found : Design
    chosen : Comparison
        The one of its mechanisms that is drawn.
    release : Release
        Made from it.
    """
    if left_out():
        return {}
    from lpmech.pages.design import design_page
    from lpmech.plots import plot_channel, plot_comparison, png

    setting = f"epsilon = {found.level.epsilon:g}, utility {found.utility_name}"
    channel = plot_channel(chosen.channel, title=f"{_title(chosen)}, {setting}", order=_shown_order(found))
    comparison = plot_comparison(found.comparisons, title=f"Expected utility, {setting}")
    pictures = {"channel.png": png(channel), "comparison.png": png(comparison)}
    return {**pictures, "design.html": design_page(found, release, pictures).encode()}


def _title(chosen: Comparison) -> str:
    return "Optimal channel" if chosen.mechanism == "optimal" else f"Channel of {chosen.mechanism}"


def _shown_order(found: Design) -> list[Hashable] | None:
    """The most frequent labels first, where they are too many to be read one by one and no distance orders them."""
    from lpmech.labels.named_utilities import UTILITIES, is_ordered

    name = found.utility_name
    if len(found.labels) <= _READ_ONE_BY_ONE or name not in UTILITIES or is_ordered(name):
        return None
    return [name for _, name in sorted(zip(found.prior, found.labels, strict=True), key=lambda pair: -pair[0])]

"""The files of a design that are for people: pictures, and a page with them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from lpmech.errors import MissingDependencyError
from lpmech.extras import required

if TYPE_CHECKING:
    from lpmech.designs.designing import Design
    from lpmech.release import Release

__all__ = ["files_for_people", "left_out"]


def left_out() -> str:
    """What `files_for_people` leaves out, and how it is had; empty if it is all there."""
    try:
        required("plots", "matplotlib")
        required("pages", "jinja2", "latex2mathml")
    except MissingDependencyError as exc:
        return f"without pictures and page: {exc.library} is not installed; pip install 'lpmech[plots,pages]' has all"
    return ""


def files_for_people(found: Design, release: Release, order: Sequence[Hashable] | None) -> dict[str, bytes]:
    """Name and content of two pictures and the page; none where a library for them is missing.

    Parameters
    ----------
    found : Design
    release : Release
        Made from it.
    order : sequence of labels, optional
        In which the channel is drawn; default: as they are.
    """
    if left_out():
        return {}
    from lpmech.pages.design import design_page
    from lpmech.plots import plot_channel, plot_comparison, png

    setting = f"epsilon = {found.level.epsilon:g}, utility {found.utility_name}"
    channel = plot_channel(found.optimum.channel, title=f"Optimal channel, {setting}", order=order)
    comparison = plot_comparison(found.comparisons, title=f"Expected utility, {setting}")
    pictures = {"channel.png": png(channel), "comparison.png": png(comparison)}
    return {**pictures, "design.html": design_page(found, release, pictures).encode()}

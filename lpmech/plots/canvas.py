"""Figures to draw on: the caller's axes or new ones, names along them, and the picture as bytes."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.errors import InvalidInputError
from lpmech.extras import needs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["EPSILON_AXIS", "RESOLUTION", "axes_for", "legend_beside", "name_ticks", "panels_for", "plain", "png"]

#: Dots an inch.
RESOLUTION = 150
#: What stands along an axis of privacy levels.
EPSILON_AXIS = r"$\varepsilon$ (nats)"
_MOST_TICKS = 25
#: Characters of a name along an axis or in a legend, and of a title.
_LONGEST_NAME, _LONGEST_TITLE = 40, 160


def axes_for(ax: Axes | None, width: float, height: float) -> Any:
    """The caller's axes, or those of a new figure of this size in inches."""
    return _canvas(width, height).add_subplot() if ax is None else ax


def panels_for(
    ax: Sequence[Axes] | None, count: int, shape: tuple[int, int], size: tuple[float, float], **shared: bool
) -> list[Any]:
    """The caller's axes, which must be `count`, or the first `count` of a new figure of this shape and size."""
    if ax is None:
        grid = list(_canvas(*size).subplots(*shape, squeeze=False, **shared).flat)
        for spare in grid[count:]:
            spare.set_visible(False)
        return grid[:count]
    given = list(np.ravel(np.asarray(ax, dtype=object)))
    if len(given) != count:
        raise InvalidInputError("ax", f"{len(given)} axes", f"{count}: one for each panel")
    return given


def _canvas(width: float, height: float) -> Any:
    with needs("plots"):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def plain(text: object, title: bool = False) -> str:
    """Somebody's text as a picture shows it: never read as a formula, nor as markup of any other kind.

    Dollars are escaped for matplotlib, which would set what is between two of them; characters that cannot be printed
    are written as in Python (``\\n``, ``\\x1b``); the middle of a long text is left out; one that is blank, or begins
    with the underscore for which matplotlib leaves it out of legends, stands in quotation marks.
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))
    half = (_LONGEST_TITLE if title else _LONGEST_NAME) // 2
    if len(shown) > 2 * half:
        shown = f"{shown[: half - 1]}…{shown[-half:]}"
    if not title and (not shown.strip() or shown.startswith("_")):
        shown = f"'{shown}'"
    return shown.replace("$", r"\$")


def name_ticks(axis: Any, names: Sequence[object]) -> None:
    """Names along an axis, at most 25; those below a picture are turned where they would touch."""
    step = -(-len(names) // _MOST_TICKS)
    shown = {place: plain(names[place]) for place in range(0, len(names), step)}
    axis.set_ticks(list(shown), list(shown.values()))
    if axis.axis_name == "x" and sum(len(text) + 1 for text in shown.values()) > 40:
        for label in axis.get_ticklabels():
            label.set(rotation=45, ha="right", rotation_mode="anchor")


def legend_beside(axes: Any, **options: Any) -> None:
    """The legend on the right of the axes, where it hides nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0, fontsize=8, frameon=False, **options)


def png(axes: Axes) -> bytes:
    """The figure of these axes as a PNG picture."""
    figure: Any = axes.figure
    picture = io.BytesIO()
    with warnings.catch_warnings():  # a character that the font lacks is drawn as a box
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        figure.savefig(picture, dpi=RESOLUTION, format="png")
    return picture.getvalue()

"""Which mechanism is better for everybody, pair by pair along epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lpmech.extras import needs
from lpmech.plots.canvas import axes_for, legend_beside, plain
from lpmech.plots.looks import FAINT, LOOKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lpmech.designs.orders import PairOrder

__all__ = ["plot_orders"]

#: Look of a relation: the first dominates, the second does, they are equivalent.
_LOOKS = {"first dominates": LOOKS[1], "second dominates": LOOKS[0], "equivalent": LOOKS[2]}


def plot_orders(orders: Sequence[PairOrder], last: float = 4.0, ax: Axes | None = None, title: str = "") -> Axes:
    """A bar for each pair that is comparable somewhere: which of the two dominates, at which epsilon.

    Parameters
    ----------
    orders : sequence of PairOrder
        Of `lpmech.designs.orders.orders_of_mechanisms`.
    last : float
        Largest epsilon that is drawn.
    ax : Axes, optional
    title : str
    """
    with needs("plots"):
        from matplotlib.patches import Patch

    shown = [pair for pair in orders if any(regime.relation != "incomparable" for regime in pair.regimes)]
    axes = axes_for(ax, 9.5, 1.2 + 0.35 * max(1, len(shown)))
    for place, (_, _, regimes) in enumerate(shown):
        for regime in regimes:
            low, high = (min(end, last) for end in regime.epsilons)
            if regime.relation == "incomparable":
                axes.barh(place, high - low, left=low, height=0.15, color=FAINT)
            else:
                axes.barh(place, high - low, left=low, height=0.6, **_style(regime.relation))
    axes.set_yticks(range(len(shown)), [f"{plain(pair.first)} | {plain(pair.second)}" for pair in shown], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(0, last)
    axes.set_xlabel(r"$\varepsilon$")
    axes.set_title(plain(title, title=True))
    words = {"first dominates": "the left one dominates", "second dominates": "the right one dominates"}
    keys = [Patch(label=text, **_style(relation)) for relation, text in words.items()]
    legend_beside(axes, handles=[*keys, Patch(facecolor=FAINT, label="incomparable")])
    return axes


def _style(relation: str) -> dict[str, Any]:
    look = _LOOKS[relation]
    return {"facecolor": look.colour, "hatch": look.hatch, "edgecolor": "white"}

"""Pictures on the caller's axes."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lpmech.applications.places import world_places
from lpmech.designs.comparing import Comparison
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.plots import plot_channel, plot_comparison, plot_regimes, plot_release

CHANNEL = randomized_response(3, 1.0)
COMPARISONS = (
    Comparison("optimal", "", 0.5, 0.0, 1.0, CHANNEL, np.full(3, 1 / 3)),
    Comparison("other", "", 0.4, 20.0, 1.0, CHANNEL, np.full(3, 1 / 3)),
)
CURVES = {"RR": [(0.1, 0.5), (1.0, 0.7)]}


@pytest.mark.parametrize(
    "draw",
    [
        lambda **ax: plot_channel(CHANNEL, title="mine", **ax),
        lambda **ax: plot_comparison(COMPARISONS, title="mine", **ax),
        lambda **ax: plot_regimes([], CURVES, title="mine", **ax),
    ],
    ids=["channel", "comparison", "regimes"],
)
def test_a_picture_is_drawn_on_the_axes_of_the_caller_and_returned(draw):
    """Catches a figure of its own, and a file that nobody asked for: two panels of one figure, only the second used."""
    left, right = Figure().subplots(1, 2)
    assert draw(ax=right) is right
    assert right.get_title() == "mine"
    assert right.has_data()
    assert not left.has_data()
    alone = draw()
    assert alone.figure is not right.figure
    assert alone.get_title() == "mine"


def test_a_picture_of_several_panels_takes_as_many_axes():
    places = world_places()
    row = np.full(len(places), 1 / len(places))
    released = {"one": row, "two": row}
    axes = Figure().subplots(1, 2)
    assert plot_release(places, places.names[0], released, ax=axes) == list(axes)
    assert axes[0].figure.get_suptitle() == ""
    assert [panel.get_title().split(":")[0] for panel in axes] == ["one", "two"]
    with pytest.raises(InvalidInputError, match="2: one for each panel"):
        plot_release(places, places.names[0], released, ax=axes[:1])

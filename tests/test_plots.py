"""Pictures on the caller's axes: labelled, told apart in grey and by colour-blind readers, nothing across a label."""

import itertools
import math
from fractions import Fraction

import matplotlib.colors
import numpy as np
import pytest
import sympy as sp
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from lpmech.applications.places import world_places
from lpmech.channel import Channel
from lpmech.designs.comparing import Comparison
from lpmech.errors import InvalidInputError
from lpmech.mechanisms import rr_with_prior
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.plots import (
    plot_best,
    plot_channel,
    plot_comparison,
    plot_frequencies,
    plot_kept,
    plot_losses,
    plot_regimes,
    plot_release,
    png,
)
from lpmech.plots.looks import LOOKS, OPTIMUM, looks_of
from lpmech.release.estimation import estimate

CHANNEL = randomized_response(3, 1.0)
COMPARISONS = (
    Comparison("optimal", "", 0.5, 0.0, 1.0, CHANNEL, np.full(3, 1 / 3), 100),
    Comparison("other", "", 0.4, 20.0, 1.0, CHANNEL, np.full(3, 1 / 3), 100),
)
t = sp.Symbol("t")
#: prior (3/5, 2/5): the optimum is 3/5 up to t = 3/2, then t/(t+1)
PIECES = [(sp.Integer(1), sp.Rational(3, 2), sp.Rational(3, 5)), (sp.Rational(3, 2), sp.oo, t / (t + 1))]
LEVELS = [0.1, 0.3, 0.7, 1.0]
BEST = [max(0.6, math.exp(e) / (math.exp(e) + 1)) for e in LEVELS]
CURVES = {
    "rr_with_prior": list(zip(LEVELS, BEST, strict=True)),
    "rr_top_k": list(zip(LEVELS, BEST, strict=True)),
    "exponential": [(e, 0.5 * best) for e, best in zip(LEVELS, BEST, strict=True)],
}
FREQUENCIES = {"all": estimate([50, 30, 20], CHANNEL)}
NAMES = [["rr_with_prior", "block_rr"], ["rr_with_prior", "rr_with_prior"]]

DRAWN = {
    "channel": lambda **ax: plot_channel(CHANNEL, title="mine", **ax),
    "comparison": lambda **ax: plot_comparison(COMPARISONS, title="mine", **ax),
    "regimes": lambda **ax: plot_regimes(PIECES, CURVES, title="mine", **ax),
    "losses": lambda **ax: plot_losses(PIECES, CURVES, title="mine", **ax),
    "kept": lambda **ax: plot_kept([Fraction(3, 5), Fraction(2, 5)], 2.0, title="mine", **ax),
    "best": lambda **ax: plot_best(NAMES, [0.5, 1.0], [0.0, 1.0], title="mine", **ax),
    "frequencies": lambda **ax: plot_frequencies(FREQUENCIES, title="mine", **ax),
}
AXES = {
    "channel": ("released label", "true label"),
    "comparison": ("expected utility (larger is better)", ""),
    "regimes": (r"$\varepsilon$ (nats)", "expected utility"),
    "losses": (r"$\varepsilon$ (nats)", "utility lost (% of the optimum)"),
    "kept": (r"$\varepsilon$ (nats)", "labels kept, k*"),
    "best": (r"$\varepsilon$ (nats)", "skew of the prior"),
    "frequencies": ("rows with this true label (%)", ""),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_drawn_on_the_axes_of_the_caller_labelled_and_returned(name):
    """Catches a figure of its own, and a file that nobody asked for: two panels of one figure, only the second used."""
    draw = DRAWN[name]
    left, right = Figure().subplots(1, 2)
    assert draw(ax=right) is right
    assert right.get_title() == "mine"
    assert (right.get_xlabel(), right.get_ylabel()) == AXES[name]
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


# -- colours ------------------------------------------------------------------------------------------

#: What is seen of linear red, green and blue: Machado, Oliveira, Fernandes (2009), severity 1.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
PALETTE = [look.colour for look in (OPTIMUM, *LOOKS)]


def _linear(colour: str) -> np.ndarray:
    rgb = np.array(matplotlib.colors.to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def _contrast(one: str, other: str) -> float:
    """Ratio of the luminances as WCAG 2 has it, from 1 to 21."""
    low, high = sorted(float(_linear(c) @ TO_XYZ[1]) + 0.05 for c in (one, other))
    return high / low


def _lab(linear: np.ndarray) -> np.ndarray:
    ratio = np.clip(linear, 0, 1) @ TO_XYZ.T / [0.95047, 1.0, 1.08883]
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def _nearest(colours: list[str], sight: np.ndarray) -> float:
    """The least CIE76 distance of two of the colours; 2.3 is just noticeable."""
    seen = [_lab(sight @ _linear(c)) for c in colours]
    return min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2))


def test_every_colour_stands_out_from_white_and_neighbours_differ_in_grey():
    """WCAG 2.1 asks for 3 : 1 of graphics; matplotlib's own cycle has 1.9 (its light orange) and neighbours at 1.1."""
    assert min(_contrast(colour, "white") for colour in PALETTE) >= 3
    assert min(_contrast(a, b) for a, b in itertools.pairwise(PALETTE)) >= 2
    assert _contrast("C1", "white") < 3


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_are_told_apart_in_every_sight(sight):
    assert _nearest(PALETTE, SIGHT[sight]) >= 30
    assert _nearest([f"C{i}" for i in range(9)], SIGHT["deuteranopia"]) < 10  # matplotlib's own would not pass


def test_what_cannot_be_told_by_colour_is_told_by_marker_dash_and_hatch():
    for part in ("marker", "dash"):
        assert len({getattr(look, part) for look in LOOKS}) == len(LOOKS)
    plain = [look.colour for look in LOOKS if not look.hatch]
    assert len({look.hatch for look in LOOKS}) >= len(LOOKS) - len(plain)
    assert looks_of(["block_rr"])["block_rr"] == looks_of(["exponential", "block_rr"])["block_rr"]
    assert len(set(looks_of([f"k* = {k}" for k in range(8)]).values())) == 8


# -- what is shown ------------------------------------------------------------------------------------


def test_what_is_never_released_is_blank():
    """Catches a zero in a colour: RRWithPrior keeps two of three labels at t = 3, the third column is not drawn."""
    channel = rr_with_prior([0.5, 0.4, 0.1], 1.0)
    axes = plot_channel(channel)
    shown = axes.images[0].get_array()
    assert np.ma.getmaskarray(shown)[:, 2].all()
    assert not np.ma.getmaskarray(shown)[:, :2].any()
    assert len(axes.texts) == 6


def test_many_labels_are_shown_in_the_order_asked_for_without_those_never_released():
    size = 80
    matrix = np.zeros((size, size))
    matrix[:, [70, 10]] = 0.4, 0.6
    axes = plot_channel(Channel(matrix), order=[70, 10])
    dots = axes.images[0].get_array()
    colours = ScalarMappable(LogNorm(0.36, 0.6), "viridis").to_rgba(np.array([0.4, 0.6]), bytes=True)
    assert dots.shape == (size, 2, 4)
    assert (dots == colours).all()
    assert len(set(map(tuple, colours.tolist()))) == 2
    assert axes.get_xlabel() == "released label (78 others are never released)"
    assert [text.get_text() for text in axes.get_xticklabels()] == ["70", "10"]
    assert axes.get_yticklabels()[0].get_text() == "70"


def test_more_labels_than_cells_are_shown_by_the_largest_of_each_block():
    """Catches a mean or a sample in its place, in which a diagonal of a hundredth is lost, and an order forgotten."""
    size = 1000
    matrix = np.full((size, size), 1e-5)
    np.fill_diagonal(matrix, 1 - 1e-5 * (size - 1))
    axes = plot_channel(Channel(matrix), order=[7])
    dots = axes.images[0].get_array()
    colours = ScalarMappable(LogNorm(0.9e-5, matrix.max()), "viridis").to_rgba(
        np.array([1e-5, matrix.max()]), bytes=True
    )
    assert dots.shape == (334, 334, 4)  # blocks of three
    assert (dots == np.where(np.eye(334, dtype=bool)[:, :, None], colours[1], colours[0])).all()
    assert "the largest of 3 x 3 entries" in axes.figure.axes[1].get_ylabel()
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert names[:2] == ["7", "42"]  # every fourteenth block: 7, then 0 to 6, 8, ..., of which 42 is at place 42
    few = plot_channel(Channel(matrix[:, :1] * 0 + 1))
    assert few.images[0].get_array().shape == (334, 1, 4)


def test_no_line_and_no_bar_crosses_a_label_of_the_comparison():
    """Catches numbers inside the axes, where the line of the optimum runs: of losses, too, whose bars grow to the left."""
    for sign in (1, -1):
        entries = [
            Comparison(n, "", sign * v, 5.0, 1.0, CHANNEL, np.full(3, 1 / 3), 100)
            for n, v in (("optimal", 0.5), ("a", 0.45), ("b", 0.1))
        ]
        axes = plot_comparison(entries)
        png(axes)
        numbers = axes.child_axes[0].get_yticklabels()
        assert len(numbers) == 3
        assert not axes.texts
        inside = axes.get_window_extent()
        assert not any(inside.overlaps(label.get_window_extent()) for label in (*numbers, *axes.get_yticklabels()))


def test_maps_beside_each_other_share_their_colours():
    """Catches a scale that ends at each channel's own largest entry: one colour would be two probabilities."""
    exact = Channel([[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)]])
    largest = max(CHANNEL.matrix.max(), exact.matrix.max())
    first, second = (plot_channel(channel, largest=largest).images[0] for channel in (CHANNEL, exact))
    assert first.get_clim() == second.get_clim() == (0, 0.75)


def test_an_optimum_that_others_surpass_is_called_by_its_floor():
    """Catches `optimal`, 14 % worse than what stands beside it: it is the best of those that keep a floor."""
    floored, free = (
        Comparison("optimal", text, 0.4, 14.0, 1.0, CHANNEL, np.full(3, 1 / 3), 9) for text in ("hits >= 0.4", "")
    )
    assert [tick.get_text() for tick in plot_comparison([floored]).get_yticklabels()] == ["optimal with a floor"]
    assert [tick.get_text() for tick in plot_comparison([free]).get_yticklabels()] == ["optimal"]


def test_curves_that_coincide_are_one_line_and_the_loss_is_that_of_the_optimum():
    axes = plot_losses(PIECES, CURVES)
    both, exponential = axes.lines[:2]
    assert both.get_label() == "rr_with_prior,\nrr_top_k"
    assert np.allclose(both.get_ydata(), 0, atol=1e-9)
    assert np.allclose(exponential.get_ydata(), 50)


def test_break_points_are_exact_and_where_they_belong():
    for axes in (plot_regimes(PIECES, CURVES), plot_kept([Fraction(3, 5), Fraction(2, 5)], 2.0)):
        (above,) = axes.child_axes
        assert [text.get_text() for text in above.get_xticklabels()] == ["t = 3/2"]
        assert above.get_xticks() == pytest.approx([math.log(1.5)])
    (stairs, _) = plot_kept([Fraction(3, 5), Fraction(2, 5)], 2.0).lines
    assert stairs.get_drawstyle() == "steps-post"
    x, y = stairs.get_data()
    assert list(y) == [1, 2, 2]
    assert list(x) == pytest.approx([0, math.log(1.5), 2])


def test_the_map_names_what_is_best_and_has_a_name_for_every_cell():
    axes = plot_best(NAMES, [0.5, 1.0], [0.0, 1.0])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["block_rr", "rr_with_prior"]
    cells = [int((~np.ma.getmaskarray(area.get_array())).sum()) for area in axes.collections]
    assert cells == [1, 3]
    with pytest.raises(InvalidInputError, match=r"shape \(1, 2\)"):
        plot_best(NAMES, [0.5, 1.0], [0.0])


def test_legends_are_outside_the_axes():
    for axes in (plot_regimes(PIECES, CURVES), plot_frequencies({"a": FREQUENCIES["all"], "b": FREQUENCIES["all"]})):
        png(axes)
        assert not axes.get_window_extent().overlaps(axes.get_legend().get_window_extent())


@pytest.mark.parametrize("size", [25, 26, 470])
def test_of_many_labels_every_so_many_is_named_at_its_place(size):
    """Catches names on top of each other: at most 25 along an axis, each at the place of its own label."""
    axes = plot_frequencies({"all": estimate([1] * size, randomized_response(size, 1.0))})
    named = [text.get_text() for text in axes.get_yticklabels()]
    assert len(named) <= 25 < 2 * len(named)
    assert [int(text) for text in named] == axes.get_yticks().tolist()


def test_a_line_is_the_interval_of_its_label():
    """Catches ends of an interval that are something else: of every label from low to high, in percent."""
    found = FREQUENCIES["all"]
    (lines,) = plot_frequencies(FREQUENCIES).collections
    ends = [segment[:, 0].tolist() for segment in lines.get_segments()]
    assert ends == [pytest.approx([100 * a, 100 * b]) for a, b in zip(found.low, found.high, strict=True)]
    assert [segment[:, 1].tolist() for segment in lines.get_segments()] == [[y, y] for y in range(3)]

"""How the lines, points and areas of a picture look, so that they differ in grey and to colour-blind readers, too.

Nine colours, found by a search for the largest distance between any two of them in normal and in colour-blind sight;
each stands out from white, and neighbours in the list are dark and light by turns. A test holds them to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lpmech.mechanisms.catalogue import PUBLISHED

__all__ = ["FAINT", "LOOKS", "OPTIMUM", "QUIET", "Look", "looks_of"]


class Look(NamedTuple):
    """Colour, marker of points, dash pattern of a line, hatch of an area."""

    colour: str
    marker: str
    dash: str | tuple[int, tuple[int, ...]]
    hatch: str


#: The optimum, wherever it is shown.
OPTIMUM = Look("#000000", "*", "-", "")

#: Everything else, in this order.
LOOKS = (
    Look("#ff4d00", "o", "-", ""),
    Look("#3300ff", "s", "--", "//"),
    Look("#6699b3", "^", "-.", ""),
    Look("#801a00", "D", ":", "\\\\"),
    Look("#cc8066", "v", (0, (6, 1)), ".."),
    Look("#660080", "P", (0, (3, 1, 1, 1, 1, 1)), "xx"),
    Look("#b366ff", "X", (0, (1, 2)), "--"),
    Look("#4d4d4d", "h", (0, (8, 3)), "++"),
)

#: Lines that only guide the eye, and what stands beside the subject of a picture.
FAINT, QUIET = "#bbbbbb", "#666666"


def looks_of(names: Sequence[str]) -> dict[str, Look]:
    """A look for each name: the mechanisms of the catalogue keep theirs, other names take them in their order."""
    known = set(names) <= {*PUBLISHED, "optimal"}
    order = tuple(PUBLISHED) if known else tuple(name for name in names if name != "optimal")
    looks = {name: LOOKS[i % len(LOOKS)] for i, name in enumerate(order)} | {"optimal": OPTIMUM}
    return {name: looks[name] for name in names}

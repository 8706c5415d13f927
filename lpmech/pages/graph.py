"""What rests on what, as a picture: the claims of a paper below each other, an arc from each to those that it uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Arcs", "arcs_of"]

#: Distance of two lines, and the width of the arcs, in units of the picture.
LINE, WIDTH = 22, 150


@dataclass(frozen=True)
class Arcs:
    """A picture of arcs.

    Attributes
    ----------
    nodes : sequence of (str, int)
        Each claim with the height of its line.
    paths : sequence of str
        For each pair (user, used) an arc on the left of the lines, as SVG has paths; it ends at what is used.
    height : int
        Of the picture.
    """

    nodes: Sequence[tuple[str, int]]
    paths: Sequence[str]
    height: int


def arcs_of(order: Iterable[str], uses: Mapping[str, Iterable[str]]) -> Arcs:
    """The picture of the claims that use or are used.

    Parameters
    ----------
    order : iterable of str
        All claims, as they stand in the paper.
    uses : mapping of str to iterable of str
        Which claims a claim uses; those that are not in the order are left out.
    """
    known = list(order)
    pairs = [(user, used) for user in known for used in uses.get(user, ()) if used in known and used != user]
    shown = [id for id in known if any(id in pair for pair in pairs)]
    height = {id: LINE * place + LINE // 2 for place, id in enumerate(shown)}
    longest = max((abs(height[a] - height[b]) for a, b in pairs), default=1)
    paths = []
    for user, used in pairs:
        bulge = 20 + (WIDTH - 30) * abs(height[user] - height[used]) / longest
        left = WIDTH - bulge
        start, end = f"{WIDTH} {height[user]}", f"{WIDTH - 6} {height[used]}"
        paths.append(f"M {start} C {left:.0f} {height[user]}, {left:.0f} {height[used]}, {end}")
    return Arcs(list(height.items()), paths, LINE * len(shown))

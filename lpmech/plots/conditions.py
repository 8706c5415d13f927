"""Where a statement in two parameters holds: the set, and the borders of its condition."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.errors import InvalidInputError
from lpmech.extras import needs
from lpmech.plots.canvas import axes_for, plain
from lpmech.plots.looks import FAINT, LOOKS, OPTIMUM
from lpmech.terms import Apply, Name, Node, Number, names_in
from lpmech.terms.term import parts_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lpmech.conjectures.when import Found

__all__ = ["plot_condition"]

#: How far a parameter without an upper end is drawn beyond its lower one, and points along an axis of a real one.
_BEYOND, _POINTS = 10, 400
#: Whole numbers along an axis, and letters in a line of the title.
_MOST_COLUMNS, _LINE = 2000, 66
#: What jumps has no curve where it is equal to something.
_JUMPS = ("floor", "ceiling", "Mod", "sign")
_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")

Ends = tuple[float, float]


def plot_condition(
    found: Found, spans: Mapping[str, Ends] | None = None, ax: Axes | None = None, title: str = ""
) -> Axes:
    """The set of two parameters in which a statement holds, coloured; black lines are where a relation of it is equal.

    Parameters
    ----------
    found : Found
        Of `lpmech.when`; it has to speak of one or two parameters. The first in the order of the alphabet is drawn
        along the horizontal axis.
    spans : mapping of str to (lower, upper), optional
        Which values are drawn; default: those between the numbers that bound a parameter, and 10 beyond a lower one.
    ax : Axes, optional
    title : str

    Raises
    ------
    InvalidInputError
        If the condition speaks of more than two parameters or of none, or a span is of no parameter of it or is empty.

    Notes
    -----
    The lines are the zero set of the exact difference of both sides; the picture is computed from them in floats.
    """
    names = _drawn(found)
    given = dict(spans or {})
    for name, (low, high) in given.items():
        if name not in names or not -np.inf < low < high < np.inf:
            raise InvalidInputError("spans", {name: (low, high)}, f"rising ends for {' or '.join(names)}")
    axes = axes_for(ax, 7.2, 4.6)
    grids = [_values(name, given.get(name) or _span(found, name), name in found.whole) for name in names]
    x, y = np.meshgrid(*grids)
    at = dict(zip(names, (x, y), strict=True))
    inside = _true(found.hypotheses, at)
    drawn = _spoken(found)
    holds = inside & _true([drawn], at)
    with needs("plots"):
        from matplotlib.colors import ListedColormap

    shown = np.ma.masked_where(~inside, holds.astype(float))
    colours = ListedColormap([FAINT, LOOKS[2].colour])
    axes.pcolormesh(x, y, shown, cmap=colours, vmin=0, vmax=1, shading="nearest", rasterized=True)
    for node in parts_of(drawn):
        if isinstance(node, Apply) and node.operation in _RELATIONS and not _jumps(node):
            _line(axes, node, [np.linspace(grid[0], grid[-1], _POINTS) for grid in grids], names)
    axes.plot([], [], "s", color=LOOKS[2].colour, label="holds")
    axes.plot([], [], "s", color=FAINT, label="does not")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
    axes.set(xlabel=names[0], ylabel=names[1], title=_titled(plain(title or f"{found.condition}", title=True)))
    return axes


def _titled(text: str) -> str:
    """In lines that fit above the picture."""
    return "\n".join(textwrap.wrap(text, _LINE, break_long_words=False)) or text


def _jumps(node: Node) -> bool:
    return any(isinstance(part, Apply) and part.operation in _JUMPS for part in parts_of(node))


def _spoken(found: Found) -> Node:
    """The condition without names of roots."""
    plain = found.condition.without_names
    return found.condition.condition if plain is None else plain


def _drawn(found: Found) -> tuple[str, str]:
    """The two parameters of the axes; one that the condition does not speak of stands beside a single one."""
    spoken = sorted(names_in(_spoken(found)))
    if len(spoken) == 1:
        others = {name for node in found.hypotheses for name in names_in(node)} - set(spoken)
        spoken += sorted(others, key=lambda name: (name != "K", name != "t", name))[:1]
    if len(spoken) != 2:
        raise InvalidInputError("statement", found.statement, "a condition that speaks of one or two parameters")
    return min(spoken), max(spoken)


def _span(found: Found, name: str) -> Ends:
    """Between the largest number below and the least number above a parameter, as the hypotheses say."""
    lower: list[Fraction] = []
    upper: list[Fraction] = []
    for node in found.hypotheses:
        for part in parts_of(node):
            if isinstance(part, Apply) and part.operation in _RELATIONS[:4]:
                left, right = part.arguments
                rising = part.operation in ("<", "<=")
                if isinstance(left, Name) and left.name == name and isinstance(right, Number):
                    (upper if rising else lower).append(right.value)
                elif isinstance(right, Name) and right.name == name and isinstance(left, Number):
                    (lower if rising else upper).append(left.value)
    low = max(lower, default=min(upper, default=Fraction(_BEYOND)) - _BEYOND)
    return float(low), float(min(upper, default=low + _BEYOND))


def _values(name: str, span: Ends, whole: bool) -> Any:
    low, high = span
    if not whole:
        return np.linspace(low, high, _POINTS)
    first, last = np.ceil(low), np.floor(high)
    if not 1 <= last - first < _MOST_COLUMNS:
        between = f"ends with two whole numbers between them, or up to {_MOST_COLUMNS}: each has a column"
        raise InvalidInputError("spans", {name: span}, between)
    return np.arange(first, last + 1)


def _line(axes: Any, relation: Apply, grids: list[Any], names: tuple[str, str]) -> None:
    """Where both sides of a relation are equal."""
    x, y = np.meshgrid(*grids)
    at = dict(zip(names, (x, y), strict=True))
    left, right = (_numbers(side, at) for side in relation.arguments)
    difference = np.ma.masked_invalid(left - right)
    if difference.count() and difference.min() < 0 < difference.max():
        axes.contour(x, y, difference, levels=[0.0], colors=[OPTIMUM.colour], linewidths=1.4)


def _true(conditions: Iterable[Node], at: Mapping[str, Any]) -> Any:
    shape = next(iter(at.values())).shape
    found = np.ones(shape, dtype=bool)
    for condition in conditions:
        of_kinds = isinstance(condition, Apply) and condition.operation == "whole"  # the grid is of whole numbers
        if names_in(condition) <= set(at) and not of_kinds:
            found &= np.broadcast_to(np.asarray(_numbers(condition, at), dtype=bool), shape)
    return found


def _numbers(node: Node, at: Mapping[str, Any]) -> Any:
    """A term or condition in floats at all points."""
    import sympy as sp

    from lpmech.statements.symbolic import evaluated_by_sympy

    symbols = {name: sp.Symbol(name, real=True) for name in sorted(set(at) | names_in(node))}
    expression = evaluated_by_sympy(node, symbols)
    function = sp.lambdify([symbols[name] for name in at], expression, "numpy")
    with np.errstate(all="ignore"):
        return function(*at.values())

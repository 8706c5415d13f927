"""All figures and tables of the papers, as `figures.toml` lists them, with the functions that draw and compare."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lpmech.errors import InvalidInputError
from lpmech.plots.redrawn.numbers import Beside

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PaperFigure", "Treatment", "figures_of"]


class Treatment(StrEnum):
    """What is done about a figure or table of a paper."""

    REDRAWN = "redrawn"
    COMPARED = "numbers compared"
    APPROXIMATED = "approximated"
    LEFT_OUT = "not reproduced"
    PICTURE = "no numbers"


@dataclass(frozen=True)
class PaperFigure:
    """One figure or table of a paper, or several of which the same holds.

    Attributes
    ----------
    paper, item : str
        Key of the paper; ``"Fig. 4"``, or ``"Figs. 6 to 9"``.
    shows : str
        What is in it.
    treatment : Treatment
        What is done about it here.
    why : str
        What is ours in it, where it differs, or why it is not reproduced.
    claims : tuple of str
        The claims that judge what the paper says of it.
    command : str
        What does the like on data at hand; empty if nothing does.
    draw : callable or None
        Draws it: () -> Axes, one of those of a new figure.
    compare : callable or None
        The paper's numbers beside ours: () -> sequence of Beside.
    """

    paper: str
    item: str
    shows: str
    treatment: Treatment
    why: str
    claims: tuple[str, ...]
    command: str
    draw: Callable[[], Axes] | None
    compare: Callable[[], Sequence[Beside]] | None

    @property
    def file(self) -> str:
        """Name of the picture's file."""
        return f"{self.paper}-{self.item.lower().replace('.', '').replace(' ', '-')}.png"


def figures_of(paper: str) -> tuple[PaperFigure, ...]:
    """The figures and tables of a paper in its order.

    Raises
    ------
    InvalidInputError
        If it is none of the five papers.
    """
    listed = _listed()
    if paper not in listed:
        raise InvalidInputError("paper", paper, f"one of {', '.join(listed)}")
    return tuple(_figure(paper, row) for row in listed[paper])


@cache
def _listed() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(files(__package__).joinpath("figures.toml").read_text("utf-8"))


def _figure(paper: str, row: dict[str, Any]) -> PaperFigure:
    return PaperFigure(
        paper,
        row["item"],
        row["shows"],
        Treatment(row["treatment"]),
        row["why"],
        tuple(row.get("claims", ())),
        row.get("command", ""),
        _function(paper, row.get("draw", "")),
        _function(paper, row.get("compare", "")),
    )


def _function(paper: str, name: str) -> Callable[[], Any] | None:
    return getattr(import_module(f"{__package__}.{paper}"), name) if name else None

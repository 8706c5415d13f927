"""Figures and tables of the five papers, one by one: redrawn, approximated on data at hand, or not, and why.

`figures.toml` lists them all. What is pure computation has a function here, named after the paper, that draws it or
puts the paper's numbers beside ours; they call the closed forms and what the claims call.
"""

from lpmech.plots.redrawn.catalogue import PaperFigure, Treatment, figures_of
from lpmech.plots.redrawn.numbers import Beside

__all__ = ["Beside", "PaperFigure", "Treatment", "figures_of"]

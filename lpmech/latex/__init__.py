"""Tables of verdicts for the appendix of a paper."""

from lpmech.latex.appendix import PACKAGES, appendix
from lpmech.latex.words import latex_of

__all__ = ["PACKAGES", "appendix", "latex_of"]

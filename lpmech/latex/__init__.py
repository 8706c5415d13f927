"""Tables of verdicts for the appendix of a paper."""

from lpmech.latex.appendix import PACKAGES, appendix

__all__ = ["PACKAGES", "appendix"]

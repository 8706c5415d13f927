"""The optimum of a family of problems for every number of labels: fitted to exact regimes, checked, and proved."""

from lpmech.discovery.search import Discovery, discover

__all__ = ["Discovery", "discover"]

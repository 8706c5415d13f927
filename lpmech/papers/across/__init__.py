"""Questions across the papers: who is optimal for whose utility, and which mechanisms are extreme points."""

# isort: off
from lpmech.papers.across import bins  # noqa: F401
from lpmech.papers.across import utilities  # noqa: F401
from lpmech.papers.across import extreme_points  # noqa: F401
from lpmech.papers.across import decoding  # noqa: F401
from lpmech.papers.across import functions  # noqa: F401
from lpmech.papers.across import programs  # noqa: F401
from lpmech.papers.across.paper import PAPER

__all__ = ["PAPER"]

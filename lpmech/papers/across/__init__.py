"""Questions across the papers: who is optimal for whose utility, and which mechanisms are extreme points."""

# isort: off
from lpmech.papers.across import bins, utilities, extreme_points, decoding, leaves, counting, families, orders  # noqa: F401
from lpmech.papers.across import several, unbiased, counts  # noqa: F401
from lpmech.papers.across import approximate, informations  # noqa: F401
from lpmech.papers.across.paper import PAPER

__all__ = ["PAPER"]

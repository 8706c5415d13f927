"""zhao2025 (vector approximation): its claims, in the paper's order."""

# isort: off
from lpmech.papers.zhao2025 import section_3, section_4_1, theorem_2, section_4_3  # noqa: F401
from lpmech.papers.zhao2025 import section_5_figures, section_5_tables, appendix_b1, appendix_b2  # noqa: F401
from lpmech.papers.zhao2025 import appendix_c1, appendix_c2, implementations  # noqa: F401
from lpmech.papers.zhao2025.paper import PAPER

__all__ = ["PAPER"]

"""zhao2025 (vector approximation): its claims, in the paper's order."""

# isort: off
from lpmech.papers.zhao2025 import section_3  # noqa: F401
from lpmech.papers.zhao2025 import section_4_1  # noqa: F401
from lpmech.papers.zhao2025 import theorem_2  # noqa: F401
from lpmech.papers.zhao2025 import section_4_3  # noqa: F401
from lpmech.papers.zhao2025 import section_5_figures  # noqa: F401
from lpmech.papers.zhao2025 import section_5_tables  # noqa: F401
from lpmech.papers.zhao2025 import appendix_b1  # noqa: F401
from lpmech.papers.zhao2025 import appendix_b2  # noqa: F401
from lpmech.papers.zhao2025 import appendix_c1  # noqa: F401
from lpmech.papers.zhao2025 import limits  # noqa: F401
from lpmech.papers.zhao2025 import appendix_c2  # noqa: F401
from lpmech.papers.zhao2025 import implementations  # noqa: F401
from lpmech.papers.zhao2025.paper import PAPER

__all__ = ["PAPER"]

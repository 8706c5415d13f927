"""zhang2025 (bipartite randomized response): its claims, in the paper's order."""

# isort: off
from lpmech.papers.zhang2025 import abstract, section_1, section_3, algorithm_1, algorithm_2  # noqa: F401
from lpmech.papers.zhang2025 import section_4d, section_4d_roots, section_4d_m, algorithm_3  # noqa: F401
from lpmech.papers.zhang2025 import section_5ab, section_5c, section_5e, section_6c, functions  # noqa: F401
from lpmech.papers.zhang2025.paper import PAPER

__all__ = ["PAPER"]

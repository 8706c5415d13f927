"""zhang2025 (bipartite randomized response): its claims, in the paper's order."""

# isort: off
from lpmech.papers.zhang2025 import abstract  # noqa: F401
from lpmech.papers.zhang2025 import section_1  # noqa: F401
from lpmech.papers.zhang2025 import section_3  # noqa: F401
from lpmech.papers.zhang2025 import algorithm_1  # noqa: F401
from lpmech.papers.zhang2025 import algorithm_2  # noqa: F401
from lpmech.papers.zhang2025 import section_4d  # noqa: F401
from lpmech.papers.zhang2025 import section_4d_roots  # noqa: F401
from lpmech.papers.zhang2025 import section_4d_m  # noqa: F401
from lpmech.papers.zhang2025 import algorithm_3  # noqa: F401
from lpmech.papers.zhang2025 import section_5ab  # noqa: F401
from lpmech.papers.zhang2025 import section_5c  # noqa: F401
from lpmech.papers.zhang2025 import section_5e  # noqa: F401
from lpmech.papers.zhang2025 import section_6c  # noqa: F401
from lpmech.papers.zhang2025 import functions  # noqa: F401
from lpmech.papers.zhang2025 import programs  # noqa: F401
from lpmech.papers.zhang2025.paper import PAPER

__all__ = ["PAPER"]

"""zhang2025 (bipartite randomized response): its claims, in the paper's order."""

# isort: off
from lpmech.papers.zhang2025 import own_utilities  # noqa: F401
from lpmech.papers.zhang2025 import symmetric  # noqa: F401
from lpmech.papers.zhang2025 import introduction  # noqa: F401
from lpmech.papers.zhang2025 import foundations  # noqa: F401
from lpmech.papers.zhang2025 import linear_fractional  # noqa: F401
from lpmech.papers.zhang2025 import local  # noqa: F401
from lpmech.papers.zhang2025 import common  # noqa: F401
from lpmech.papers.zhang2025 import constant_rows  # noqa: F401
from lpmech.papers.zhang2025 import integers  # noqa: F401
from lpmech.papers.zhang2025 import roots  # noqa: F401
from lpmech.papers.zhang2025 import all_sizes  # noqa: F401
from lpmech.papers.zhang2025 import printed_m  # noqa: F401
from lpmech.papers.zhang2025 import weighted  # noqa: F401
from lpmech.papers.zhang2025 import figures  # noqa: F401
from lpmech.papers.zhang2025 import exponential_compared  # noqa: F401
from lpmech.papers.zhang2025 import optimality_gap  # noqa: F401
from lpmech.papers.zhang2025 import perturbation  # noqa: F401
from lpmech.papers.zhang2025 import locations  # noqa: F401
from lpmech.papers.zhang2025 import figure_12  # noqa: F401
from lpmech.papers.zhang2025 import functions  # noqa: F401
from lpmech.papers.zhang2025.paper import PAPER

__all__ = ["PAPER"]

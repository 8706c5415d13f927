"""zhao2025 (vector approximation): its claims, in the paper's order."""

# isort: off
from lpmech.papers.zhao2025 import preliminaries  # noqa: F401
from lpmech.papers.zhao2025 import method  # noqa: F401
from lpmech.papers.zhao2025 import split  # noqa: F401
from lpmech.papers.zhao2025 import theorem_2  # noqa: F401
from lpmech.papers.zhao2025 import implementation  # noqa: F401
from lpmech.papers.zhao2025 import figures  # noqa: F401
from lpmech.papers.zhao2025 import tables  # noqa: F401
from lpmech.papers.zhao2025 import scalar  # noqa: F401
from lpmech.papers.zhao2025 import alibi  # noqa: F401
from lpmech.papers.zhao2025 import dominance  # noqa: F401
from lpmech.papers.zhao2025 import nearest_neighbours  # noqa: F401
from lpmech.papers.zhao2025 import limits  # noqa: F401
from lpmech.papers.zhao2025 import networks  # noqa: F401
from lpmech.papers.zhao2025 import network_steps  # noqa: F401
from lpmech.papers.zhao2025 import implementations  # noqa: F401
from lpmech.papers.zhao2025 import functions  # noqa: F401
from lpmech.papers.zhao2025.paper import PAPER

__all__ = ["PAPER"]

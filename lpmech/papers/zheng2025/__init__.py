"""zheng2025 (classifier utility under LDP): its claims, in the paper's order, proofs beside their theorems."""

# isort: off
from lpmech.papers.zheng2025 import illustration  # noqa: F401
from lpmech.papers.zheng2025 import concentration  # noqa: F401
from lpmech.papers.zheng2025 import testing  # noqa: F401
from lpmech.papers.zheng2025 import quantification  # noqa: F401
from lpmech.papers.zheng2025 import unlimited  # noqa: F401
from lpmech.papers.zheng2025 import program  # noqa: F401
from lpmech.papers.zheng2025 import average  # noqa: F401
from lpmech.papers.zheng2025 import refinements  # noqa: F401
from lpmech.papers.zheng2025 import post_processing  # noqa: F401
from lpmech.papers.zheng2025 import gaussian  # noqa: F401
from lpmech.papers.zheng2025 import noise_levels  # noqa: F401
from lpmech.papers.zheng2025 import white_box  # noqa: F401
from lpmech.papers.zheng2025 import instances  # noqa: F401
from lpmech.papers.zheng2025 import cases  # noqa: F401
from lpmech.papers.zheng2025 import functions  # noqa: F401
from lpmech.papers.zheng2025.paper import PAPER

__all__ = ["PAPER"]

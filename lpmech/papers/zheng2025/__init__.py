"""zheng2025 (classifier utility under LDP): its claims, in the paper's order, proofs beside their theorems."""

# isort: off
from lpmech.papers.zheng2025 import section_3  # noqa: F401
from lpmech.papers.zheng2025 import section_4_1  # noqa: F401
from lpmech.papers.zheng2025 import section_4_2  # noqa: F401
from lpmech.papers.zheng2025 import section_4_3  # noqa: F401
from lpmech.papers.zheng2025 import program  # noqa: F401
from lpmech.papers.zheng2025 import section_5  # noqa: F401
from lpmech.papers.zheng2025 import theorem_3  # noqa: F401
from lpmech.papers.zheng2025 import post_processing  # noqa: F401
from lpmech.papers.zheng2025 import theorem_4  # noqa: F401
from lpmech.papers.zheng2025 import gaussian_scales  # noqa: F401
from lpmech.papers.zheng2025 import appendix_c1  # noqa: F401
from lpmech.papers.zheng2025 import appendix_c2  # noqa: F401
from lpmech.papers.zheng2025 import section_7  # noqa: F401
from lpmech.papers.zheng2025 import functions  # noqa: F401
from lpmech.papers.zheng2025 import searches  # noqa: F401
from lpmech.papers.zheng2025 import remarks  # noqa: F401
from lpmech.papers.zheng2025.paper import PAPER

__all__ = ["PAPER"]

"""zheng2025 (classifier utility under LDP): its claims, in the paper's order, proofs beside their theorems."""

# isort: off
from lpmech.papers.zheng2025 import section_3, section_4_1, section_4_2, section_4_3, program  # noqa: F401
from lpmech.papers.zheng2025 import section_5, theorem_3, post_processing, theorem_4  # noqa: F401
from lpmech.papers.zheng2025 import gaussian_scales, appendix_c1, appendix_c2, section_7  # noqa: F401
from lpmech.papers.zheng2025 import functions, searches, remarks  # noqa: F401
from lpmech.papers.zheng2025.paper import PAPER

__all__ = ["PAPER"]

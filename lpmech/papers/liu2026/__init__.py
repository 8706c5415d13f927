"""liu2026 (BlockRR): its claims, in the paper's order."""

# isort: off
from lpmech.papers.liu2026 import section_2, equation_3_1, lemma_3_1, theorem_3_2, theorem_3_4  # noqa: F401
from lpmech.papers.liu2026 import algorithm_2, algorithm_3, guarantees  # noqa: F401
from lpmech.papers.liu2026 import section_4, equation_4_1, closed_form_optimal, dual_every_size  # noqa: F401
from lpmech.papers.liu2026 import mixture, optimal_from  # noqa: F401
from lpmech.papers.liu2026 import tables_3_to_11, section_5_2, section_5_3, section_5_3_2  # noqa: F401
from lpmech.papers.liu2026 import wording, cross_checks, implementations, programs  # noqa: F401
from lpmech.papers.liu2026.paper import PAPER

__all__ = ["PAPER"]

"""ghazi2021 (RRWithPrior): its claims, in the paper's order."""

# isort: off
from lpmech.papers.ghazi2021 import section_1, section_3, theorem_3_extreme_points, theorem_3  # noqa: F401
from lpmech.papers.ghazi2021 import algorithm_2, algorithm_3, section_5, implementations  # noqa: F401
from lpmech.papers.ghazi2021 import appendices_b_and_e, theorem_9, proposition_11, sgd_constants  # noqa: F401
from lpmech.papers.ghazi2021 import proposition_12, theorem_17, reductions, lemma_21, programs  # noqa: F401
from lpmech.papers.ghazi2021.paper import PAPER

__all__ = ["PAPER"]

"""ghazi2021 (RRWithPrior): its claims, in the paper's order."""

# isort: off
from lpmech.papers.ghazi2021 import section_1, section_3, theorem_3_extreme_points, theorem_3, algorithm_2  # noqa: F401
from lpmech.papers.ghazi2021 import algorithm_3, limits_of_choice, section_5, implementations, algorithm_4  # noqa: F401
from lpmech.papers.ghazi2021 import appendix_e, theorem_9, proposition_11, sgd_constants, proposition_12  # noqa: F401
from lpmech.papers.ghazi2021 import theorem_17, reductions, lemma_21, remarks  # noqa: F401
from lpmech.papers.ghazi2021.paper import PAPER

__all__ = ["PAPER"]

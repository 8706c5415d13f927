"""ghazi2021 (RRWithPrior): its claims, in the paper's order."""

# isort: off
from lpmech.papers.ghazi2021 import section_1  # noqa: F401
from lpmech.papers.ghazi2021 import section_3  # noqa: F401
from lpmech.papers.ghazi2021 import theorem_3_extreme_points  # noqa: F401
from lpmech.papers.ghazi2021 import theorem_3  # noqa: F401
from lpmech.papers.ghazi2021 import algorithm_2  # noqa: F401
from lpmech.papers.ghazi2021 import algorithm_3  # noqa: F401
from lpmech.papers.ghazi2021 import limits_of_choice  # noqa: F401
from lpmech.papers.ghazi2021 import section_5  # noqa: F401
from lpmech.papers.ghazi2021 import implementations  # noqa: F401
from lpmech.papers.ghazi2021 import algorithm_4  # noqa: F401
from lpmech.papers.ghazi2021 import appendix_e  # noqa: F401
from lpmech.papers.ghazi2021 import theorem_9  # noqa: F401
from lpmech.papers.ghazi2021 import proposition_11  # noqa: F401
from lpmech.papers.ghazi2021 import sgd_constants  # noqa: F401
from lpmech.papers.ghazi2021 import proposition_12  # noqa: F401
from lpmech.papers.ghazi2021 import reductions  # noqa: F401
from lpmech.papers.ghazi2021 import theorem_17  # noqa: F401
from lpmech.papers.ghazi2021 import lemma_21  # noqa: F401
from lpmech.papers.ghazi2021 import remarks  # noqa: F401
from lpmech.papers.ghazi2021 import programs  # noqa: F401
from lpmech.papers.ghazi2021.paper import PAPER

__all__ = ["PAPER"]

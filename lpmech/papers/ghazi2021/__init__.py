"""ghazi2021 (RRWithPrior): its claims, in the paper's order."""

# isort: off
from lpmech.papers.ghazi2021 import introduction  # noqa: F401
from lpmech.papers.ghazi2021 import mechanism  # noqa: F401
from lpmech.papers.ghazi2021 import theorem_3  # noqa: F401
from lpmech.papers.ghazi2021 import optimality  # noqa: F401
from lpmech.papers.ghazi2021 import thresholds  # noqa: F401
from lpmech.papers.ghazi2021 import training  # noqa: F401
from lpmech.papers.ghazi2021 import limits_of_choice  # noqa: F401
from lpmech.papers.ghazi2021 import experiments  # noqa: F401
from lpmech.papers.ghazi2021 import implementations  # noqa: F401
from lpmech.papers.ghazi2021 import private_prior  # noqa: F401
from lpmech.papers.ghazi2021 import temperature  # noqa: F401
from lpmech.papers.ghazi2021 import convex  # noqa: F401
from lpmech.papers.ghazi2021 import sgd_constants  # noqa: F401
from lpmech.papers.ghazi2021 import lower_bounds  # noqa: F401
from lpmech.papers.ghazi2021 import reductions  # noqa: F401
from lpmech.papers.ghazi2021 import generalization  # noqa: F401
from lpmech.papers.ghazi2021.paper import PAPER

__all__ = ["PAPER"]

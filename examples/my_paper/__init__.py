"""A paper outside the package: four mechanisms with parameters of their own, true lemmas and false ones.

lpmech verify examples/my_paper --self-test
lpmech show examples/my_paper "Lemma 3.3"
"""

from . import subsets  # noqa: F401, I001  (in the order of the paper's sections)
from . import geometric  # noqa: F401
from . import windows  # noqa: F401
from . import mixtures  # noqa: F401
from .paper import PAPER

__all__ = ["PAPER"]

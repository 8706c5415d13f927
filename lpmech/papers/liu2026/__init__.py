"""liu2026 (BlockRR): its claims, in the paper's order."""

# isort: off
from lpmech.papers.liu2026 import definitions  # noqa: F401
from lpmech.papers.liu2026 import blocks  # noqa: F401
from lpmech.papers.liu2026 import lemma_3_1  # noqa: F401
from lpmech.papers.liu2026 import special_cases  # noqa: F401
from lpmech.papers.liu2026 import privacy  # noqa: F401
from lpmech.papers.liu2026 import partitioning  # noqa: F401
from lpmech.papers.liu2026 import composition  # noqa: F401
from lpmech.papers.liu2026 import guarantees  # noqa: F401
from lpmech.papers.liu2026 import optimization  # noqa: F401
from lpmech.papers.liu2026 import optimality  # noqa: F401
from lpmech.papers.liu2026 import closed_form_optimal  # noqa: F401
from lpmech.papers.liu2026 import mixture  # noqa: F401
from lpmech.papers.liu2026 import optimal_from  # noqa: F401
from lpmech.papers.liu2026 import discarded_labels  # noqa: F401
from lpmech.papers.liu2026 import boundary  # noqa: F401
from lpmech.papers.liu2026 import selection  # noqa: F401
from lpmech.papers.liu2026 import experiments  # noqa: F401
from lpmech.papers.liu2026 import discussion  # noqa: F401
from lpmech.papers.liu2026 import regimes  # noqa: F401
from lpmech.papers.liu2026 import significance  # noqa: F401
from lpmech.papers.liu2026 import sensitivity  # noqa: F401
from lpmech.papers.liu2026 import wording  # noqa: F401
from lpmech.papers.liu2026 import cross_checks  # noqa: F401
from lpmech.papers.liu2026 import implementations  # noqa: F401
from lpmech.papers.liu2026 import functions  # noqa: F401
from lpmech.papers.liu2026.paper import PAPER

__all__ = ["PAPER"]

"""liu2026 (BlockRR): its claims, in the paper's order."""

# isort: off
from lpmech.papers.liu2026 import section_2  # noqa: F401
from lpmech.papers.liu2026 import equation_3_1  # noqa: F401
from lpmech.papers.liu2026 import lemma_3_1  # noqa: F401
from lpmech.papers.liu2026 import theorem_3_2  # noqa: F401
from lpmech.papers.liu2026 import theorem_3_4  # noqa: F401
from lpmech.papers.liu2026 import algorithm_2  # noqa: F401
from lpmech.papers.liu2026 import algorithm_3  # noqa: F401
from lpmech.papers.liu2026 import guarantees  # noqa: F401
from lpmech.papers.liu2026 import section_4  # noqa: F401
from lpmech.papers.liu2026 import equation_4_1  # noqa: F401
from lpmech.papers.liu2026 import closed_form_optimal  # noqa: F401
from lpmech.papers.liu2026 import mixture  # noqa: F401
from lpmech.papers.liu2026 import optimal_from  # noqa: F401
from lpmech.papers.liu2026 import discarded_labels  # noqa: F401
from lpmech.papers.liu2026 import tables_3_to_11  # noqa: F401
from lpmech.papers.liu2026 import section_5_2  # noqa: F401
from lpmech.papers.liu2026 import section_5_3  # noqa: F401
from lpmech.papers.liu2026 import section_5_3_2  # noqa: F401
from lpmech.papers.liu2026 import wording  # noqa: F401
from lpmech.papers.liu2026 import cross_checks  # noqa: F401
from lpmech.papers.liu2026 import implementations  # noqa: F401
from lpmech.papers.liu2026.paper import PAPER

__all__ = ["PAPER"]

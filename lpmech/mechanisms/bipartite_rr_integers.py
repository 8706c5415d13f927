"""BRR on the integers 1..N: the former path of these functions of `lpmech.mechanisms.bipartite_rr`."""

from lpmech.mechanisms.bipartite_rr.closed_form import *  # noqa: F403
from lpmech.mechanisms.bipartite_rr.closed_form import __all__ as __all__

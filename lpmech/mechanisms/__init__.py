"""The published closed forms, each a function that returns a Channel (or a continuous mechanism).

The scalar formulas behind them (beta, gamma, w_k, m, ...) live in the module named after the mechanism:
``from lpmech.mechanisms.block_rr import beta``.
"""

from lpmech.mechanisms.bipartite_rr import bipartite_channel, bipartite_rr, bipartite_rr_star, local_response
from lpmech.mechanisms.block_rr import Blocks, block_rr, block_rr_from_partition, block_rr_from_prior
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.private_histogram import private_histogram
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rp_with_prior import RPWithPrior
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_top_k, rr_with_prior

__all__ = [
    "Blocks",
    "RPWithPrior",
    "best_contiguous_bins",
    "bipartite_channel",
    "bipartite_rr",
    "bipartite_rr_star",
    "block_rr",
    "block_rr_from_partition",
    "block_rr_from_prior",
    "exponential",
    "local_response",
    "private_histogram",
    "randomized_response",
    "rr_on_bins",
    "rr_top_k",
    "rr_with_prior",
]

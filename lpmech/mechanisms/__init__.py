"""The published closed forms, each a function that returns a Channel (or a continuous mechanism).

The scalar formulas behind them (beta, gamma, w_k, m, ...) live in the module named after the mechanism:
``from lpmech.mechanisms.block_rr import beta``.
"""

from lpmech.mechanisms.alibi import Alibi, alibi
from lpmech.mechanisms.bipartite_rr import bipartite_channel, bipartite_rr, bipartite_rr_star, local_response
from lpmech.mechanisms.block_rr import Blocks, block_rr, block_rr_from_partition, block_rr_from_prior
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.private_histogram import private_histogram
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rp_with_prior import RPWithPrior
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_top_k, rr_with_prior
from lpmech.mechanisms.unary_encoding import (
    UnaryEncoding,
    least_variance_unary_encoding,
    optimal_unary_encoding,
    symmetric_unary_encoding,
)

__all__ = [
    "Alibi",
    "Blocks",
    "RPWithPrior",
    "UnaryEncoding",
    "alibi",
    "best_contiguous_bins",
    "bipartite_channel",
    "bipartite_rr",
    "bipartite_rr_star",
    "block_rr",
    "block_rr_from_partition",
    "block_rr_from_prior",
    "exponential",
    "least_variance_unary_encoding",
    "local_response",
    "optimal_unary_encoding",
    "private_histogram",
    "randomized_response",
    "rr_on_bins",
    "rr_top_k",
    "rr_with_prior",
    "symmetric_unary_encoding",
]

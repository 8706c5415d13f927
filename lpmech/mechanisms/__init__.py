"""The published closed forms, each a function that returns a Channel (or a continuous mechanism).

The scalar formulas behind them (beta, gamma, w_k, m, ...) live in the module named after the mechanism:
``from lpmech.mechanisms.block_rr import beta``.
"""

from lpmech.mechanisms.alibi import Alibi, AlibiOnGrid, alibi
from lpmech.mechanisms.best_parameters import best_block_sizes, best_top_k
from lpmech.mechanisms.bipartite_rr import bipartite_channel, bipartite_rr, bipartite_rr_star, local_response
from lpmech.mechanisms.block_rr import Blocks, block_rr, block_rr_from_partition, block_rr_from_prior
from lpmech.mechanisms.clipped import Clipped
from lpmech.mechanisms.discrete_noise import DiscreteGaussian, DiscreteLaplace
from lpmech.mechanisms.discretized import discretized
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.gaussian import Gaussian
from lpmech.mechanisms.geometric import best_on_a_line, geometric
from lpmech.mechanisms.grid import (
    GridMechanism,
    bipartite_rr_on_grid,
    even_grid,
    exponential_on_grid,
    k_rr,
    k_rr_on_bins,
    symmetric_grid,
)
from lpmech.mechanisms.hadamard_response import hadamard_response
from lpmech.mechanisms.laplace import Laplace, TruncatedLaplace
from lpmech.mechanisms.piecewise import PM, OriginalPM
from lpmech.mechanisms.privacy_indicator import PrivacyIndicator, indicator_channel
from lpmech.mechanisms.private_histogram import private_histogram
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rescaled import Rescaled
from lpmech.mechanisms.rp_with_prior import RPWithPrior
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_top_k, rr_with_prior
from lpmech.mechanisms.set_valued import SetValued
from lpmech.mechanisms.square_wave import SW, OriginalSW
from lpmech.mechanisms.staircase_rr import staircase_rr
from lpmech.mechanisms.stochastic_rounding import StochasticRounding, unbiased_bipartite_rr
from lpmech.mechanisms.subset_selection import SubsetSelection, best_subset_size, subset_selection
from lpmech.mechanisms.unary_encoding import (
    UnaryEncoding,
    optimal_unary_encoding,
    symmetric_unary_encoding,
)

__all__ = [
    "Alibi",
    "AlibiOnGrid",
    "Blocks",
    "Clipped",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Gaussian",
    "GridMechanism",
    "Laplace",
    "OriginalPM",
    "OriginalSW",
    "PM",
    "PrivacyIndicator",
    "RPWithPrior",
    "Rescaled",
    "SetValued",
    "StochasticRounding",
    "SubsetSelection",
    "UnaryEncoding",
    "alibi",
    "SW",
    "TruncatedLaplace",
    "best_block_sizes",
    "best_contiguous_bins",
    "best_on_a_line",
    "best_subset_size",
    "best_top_k",
    "bipartite_channel",
    "bipartite_rr",
    "bipartite_rr_on_grid",
    "bipartite_rr_star",
    "block_rr",
    "block_rr_from_partition",
    "block_rr_from_prior",
    "discretized",
    "even_grid",
    "exponential",
    "exponential_on_grid",
    "geometric",
    "hadamard_response",
    "indicator_channel",
    "k_rr",
    "k_rr_on_bins",
    "local_response",
    "optimal_unary_encoding",
    "private_histogram",
    "randomized_response",
    "rr_on_bins",
    "rr_top_k",
    "rr_with_prior",
    "staircase_rr",
    "subset_selection",
    "symmetric_grid",
    "symmetric_unary_encoding",
    "unbiased_bipartite_rr",
]

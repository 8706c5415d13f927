"""Linear programs over channels, as data: the general one and those of the papers."""

from lpmech.programs.bipartite_rr import best_common_m, best_rearrangement, best_two_valued, global_program
from lpmech.programs.block_rr import (
    Relaxation,
    block_rr_program,
    block_rr_program_from_decay,
    block_rr_relaxation,
)
from lpmech.programs.general import Program, Solution, optimal_channel
from lpmech.programs.rr_with_prior import lp1, lp2_by_enumeration, lp2_vertices, solve_lp2

__all__ = [
    "Program",
    "Relaxation",
    "Solution",
    "best_common_m",
    "best_rearrangement",
    "best_two_valued",
    "block_rr_program",
    "block_rr_program_from_decay",
    "block_rr_relaxation",
    "global_program",
    "lp1",
    "lp2_by_enumeration",
    "lp2_vertices",
    "optimal_channel",
    "solve_lp2",
]

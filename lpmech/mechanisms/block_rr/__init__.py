"""BlockRR (liu2026): equations, derivation, closed form and linear program, a file each; `relaxation` has (4.9).

`equations` and `derivation` are sympy's and load it; they are imported by name.
"""

from lpmech.mechanisms.block_rr.closed_form import (
    Blocks,
    beta,
    block_rr,
    block_rr_from_partition,
    block_rr_from_prior,
    favoured_labels,
    gamma,
    kappa,
    partition,
    partition_by_decay,
)
from lpmech.mechanisms.block_rr.program import (
    block_rr_in_cvxpy,
    block_rr_program,
    block_rr_program_from_decay,
)

__all__ = [
    "Blocks",
    "beta",
    "block_rr",
    "block_rr_from_partition",
    "block_rr_from_prior",
    "block_rr_in_cvxpy",
    "block_rr_program",
    "block_rr_program_from_decay",
    "favoured_labels",
    "gamma",
    "kappa",
    "partition",
    "partition_by_decay",
]

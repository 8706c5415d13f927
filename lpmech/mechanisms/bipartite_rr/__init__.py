"""BRR and BRR* (zhang2025): equations, derivation, closed form and linear programs, a file each.

`equations` and `derivation` are sympy's and load it; they are imported by name.
"""

from lpmech.mechanisms.bipartite_rr.closed_form import (
    bipartite_channel,
    bipartite_rr,
    bipartite_rr_star,
    common_m,
    common_m_star,
    derivative_numerator,
    greedy_m,
    high_probability,
    local_m,
    local_response,
    low_probability,
    m_integers,
)
from lpmech.mechanisms.bipartite_rr.program import common_weights_in_cvxpy, global_program, global_program_in_cvxpy

__all__ = [
    "bipartite_channel",
    "bipartite_rr",
    "bipartite_rr_star",
    "common_m",
    "common_m_star",
    "common_weights_in_cvxpy",
    "derivative_numerator",
    "global_program",
    "global_program_in_cvxpy",
    "greedy_m",
    "high_probability",
    "local_m",
    "local_response",
    "low_probability",
    "m_integers",
]

"""RRTop-k and RRWithPrior (ghazi2021): equations, derivation, closed form and linear programs, a file each.

`equations` and `derivation` are sympy's and load it; they are imported by name.
"""

from lpmech.mechanisms.rr_with_prior.closed_form import (
    best_k,
    hit_rate,
    hit_rates,
    rr_top_k,
    rr_with_prior,
    threshold,
    thresholds,
)
from lpmech.mechanisms.rr_with_prior.program import lp1, lp1_in_cvxpy, lp2_in_cvxpy, solution_in_closed_form

__all__ = [
    "best_k",
    "hit_rate",
    "hit_rates",
    "lp1",
    "lp1_in_cvxpy",
    "lp2_in_cvxpy",
    "rr_top_k",
    "rr_with_prior",
    "solution_in_closed_form",
    "threshold",
    "thresholds",
]

"""Maps over priors against PPOPT, which solves the same multiparametric program in floats.

PPOPT gets the program over columns with entries t and 1, and its combinatorial algorithm; several of its regions may
have one channel. Where it has no region for a prior it has no answer.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from instances import seconds
from ppopt.mp_solvers.solve_mpqp import mpqp_algorithm, solve_mpqp
from ppopt.mplp_program import MPLP_Program
from rich.console import Console
from rich.table import Table

from lpmech import PrivacyLevel
from lpmech.designs.prior_maps import prior_map

RATIO, PRIORS = 3, 200


def columns_of(size: int) -> np.ndarray:
    """The columns with entries t and 1 of which every private channel is a sum, shape (2^K - 2, K)."""
    chosen = [high for high in product((1, RATIO), repeat=size) if len(set(high)) > 1]
    return np.array(chosen, dtype=float)


def program_of(utility: np.ndarray) -> MPLP_Program:
    """Maximise sum p_y u[y, j] q[y, j] over weights of such columns, with the parameters p_1, ..., p_(K-1)."""
    size = len(utility)
    columns = columns_of(size)
    sums = np.tile(columns.T, size)
    gained = -np.concatenate([columns * utility[:, j] for j in range(size)])
    moving, last = gained[:, :-1] - gained[:, -1:], gained[:, -1:]
    rows = np.vstack([sums, -np.eye(sums.shape[1])])
    right = np.zeros((len(rows), 1))
    right[:size] = 1
    simplex, ends = np.vstack([-np.eye(size - 1), np.ones((1, size - 1))]), np.zeros((size, 1))
    ends[-1] = 1
    unmoved = np.zeros((len(rows), size - 1))
    return MPLP_Program(rows, right, last, moving, simplex, ends, unmoved, equality_indices=list(range(size)))


def value(answer: np.ndarray, prior: np.ndarray, utility: np.ndarray) -> float:
    """The expected utility of the weights of columns."""
    size = len(utility)
    channel = (answer.reshape(size, -1) @ columns_of(size)).T
    return float((prior[:, None] * utility * channel).sum())


def main() -> None:
    """Regions, seconds, and how many of 200 priors PPOPT answers, with the largest difference of the optima."""
    columns = ("K", "utility", "regions", "s", "PPOPT", "s", "answered", "difference")
    table = Table(*columns, title=f"all priors at e^epsilon = {RATIO}")
    rng = np.random.default_rng(0)
    for size in (2, 3):
        for name in ("hit", "absolute", "squared"):
            ours = prior_map(size, name, PrivacyLevel.from_ratio(RATIO))
            utility = ours.utility.astype(float)
            program = program_of(utility)
            theirs = solve_mpqp(program, mpqp_algorithm.combinatorial)
            found = []
            for prior in rng.dirichlet(np.ones(size), PRIORS):
                answer = theirs.evaluate(prior[:-1].reshape(-1, 1))
                if answer is not None:
                    found.append(abs(float(ours.optimum(prior)) - value(answer, prior, utility)))
            times = (
                seconds(lambda n=name, k=size: prior_map(k, n, PrivacyLevel.from_ratio(RATIO)), 3),
                seconds(lambda p=program: solve_mpqp(p, mpqp_algorithm.combinatorial), 3),
            )
            counts = (len(ours.regions), len(theirs.critical_regions))
            cells = (size, name, counts[0], f"{times[0]:.3g}", counts[1], f"{times[1]:.3g}")
            table.add_row(*map(str, cells), f"{len(found)} of {PRIORS}", f"{max(found, default=float('nan')):.1e}")
    Console().print(table)


if __name__ == "__main__":
    main()

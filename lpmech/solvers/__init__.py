"""Solvers; importing this room registers them by name, each loads its library when first used."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lpmech.registry import register_solver

if TYPE_CHECKING:
    from lpmech.programs.general import Program, Solution

__all__: list[str] = []


def _through_cvxpy(program: Program, *, form: str, solver: str) -> Solution:
    from lpmech.solvers import formulations
    from lpmech.solvers.cvxpy_solver import solve_with_cvxpy

    return solve_with_cvxpy(program, getattr(formulations, form), solver)


def _exactly(program: Program) -> Solution:
    from lpmech.solvers.exact import solve_exactly

    return solve_exactly(program)


def _with_fixed_entries(program: Program) -> Solution:
    from lpmech.solvers.fixed_entries import solve_with_fixed_entries

    return solve_with_fixed_entries(program)


def _by_interior_point(program: Program) -> Solution:
    from lpmech.solvers.structured import solve_by_interior_point

    return solve_by_interior_point(program)


register_solver("highs", partial(_through_cvxpy, form="column_floor_form", solver="HIGHS"))
register_solver("highs-pairwise", partial(_through_cvxpy, form="pairwise_form", solver="HIGHS"))
register_solver("clarabel", partial(_through_cvxpy, form="column_floor_form", solver="CLARABEL"))
register_solver("clarabel-pairwise", partial(_through_cvxpy, form="pairwise_form", solver="CLARABEL"))
register_solver("exact", _exactly)
register_solver("fixed-entries", _with_fixed_entries)
register_solver("interior-point", _by_interior_point)

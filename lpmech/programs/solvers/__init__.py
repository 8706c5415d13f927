"""Solvers by name: ``solve(program, "exact")``. Each loads its library when first used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lpmech.errors import LabelError
from lpmech.programs.solvers.formulations import Formulation, column_floor_form, pairwise_form

if TYPE_CHECKING:
    from lpmech.programs.general import Program, Solution

__all__ = ["SOLVERS", "solve", "usual_solver"]


def _through_cvxpy(form: Callable[[Program], Formulation], solver: str) -> Callable[[Program], Solution]:
    def solved(program: Program) -> Solution:
        from lpmech.programs.solvers.cvxpy_solver import solve_with_cvxpy

        return solve_with_cvxpy(program, form, solver)

    return solved


def _exact(program: Program) -> Solution:
    from lpmech.programs.solvers.exact import solve_exactly

    return solve_exactly(program)


def _fixed_entries(program: Program) -> Solution:
    from lpmech.programs.solvers.fixed_entries import solve_with_fixed_entries

    return solve_with_fixed_entries(program)


def _interior_point(program: Program) -> Solution:
    from lpmech.programs.solvers.structured import solve_by_interior_point

    return solve_by_interior_point(program)


#: The solvers by name.
SOLVERS: dict[str, Callable[[Program], Solution]] = {
    "highs": _through_cvxpy(column_floor_form, "HIGHS"),
    "highs-pairwise": _through_cvxpy(pairwise_form, "HIGHS"),
    "clarabel": _through_cvxpy(column_floor_form, "CLARABEL"),
    "clarabel-pairwise": _through_cvxpy(pairwise_form, "CLARABEL"),
    "exact": _exact,
    "fixed-entries": _fixed_entries,
    "interior-point": _interior_point,
}


def usual_solver(program: Program) -> str:
    """The name of the solver that `solve` takes unless another one is named."""
    return "fixed-entries" if program.fixed else "interior-point"


def solve(program: Program, solver: str | None = None) -> Solution:
    """Solve a program over channels.

    Parameters
    ----------
    program : Program
        What to solve.
    solver : str, optional
        ``"interior-point"``: the structured method of `lpmech.programs.solvers.structured`, without fixed entries;
        ``"fixed-entries"``: scipy's HiGHS, and ``"exact"`` where its answer fails the check, or leaves a gap;
        ``"highs"`` or ``"clarabel"``: through cvxpy on the small column-floor form;
        ``"highs-pairwise"``, ``"clarabel-pairwise"``: on the pairwise form of the papers;
        ``"exact"``: exact rational optimum (needs an exact program).
        Default: ``"interior-point"`` unless entries are fixed, then ``"fixed-entries"``.

    Returns
    -------
    Solution
        Value, channel and dual values; the duality gap has been checked. ``"interior-point"`` and
        ``"fixed-entries"`` close it to 1e-8, relative to the value.

    Raises
    ------
    MissingDependencyError
        If it is one through cvxpy, and cvxpy is not installed.
    InfeasibleProgramError
        If the fixed entries admit no private channel.
    SolverError
        If the solver fails or its answer does not survive the check.
    LabelError
        If there is no solver of that name.
    """
    name = solver or usual_solver(program)
    if name not in SOLVERS:
        raise LabelError("solver", name, f"one of {sorted(SOLVERS)}")
    return SOLVERS[name](program)

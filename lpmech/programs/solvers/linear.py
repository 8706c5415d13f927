"""Linear programs over channels: HiGHS in floats, its basis solved over the rationals, or exact pivoting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from lpmech.channel import Channel
from lpmech.entries import Array, as_array
from lpmech.errors import ChannelError, InfeasibleProgramError, ProgramError, SolverError
from lpmech.linear_algebra import flint_number, from_flint, solve_sparse, to_flint
from lpmech.programs.linear import LinearProgram, LinearSolution, Row, Unknown
from lpmech.programs.solvers.farkas import decide
from lpmech.programs.solvers.highs import Stop, minimise

__all__ = ["solve_linear"]

#: Largest programs: rows of an exact one; rows times unknowns of one that is left to exact pivoting; coefficients.
_MOST_EXACT, _MOST_PIVOTED, _MOST_TERMS = 4500, 150_000, 400_000
#: Numbers of HiGHS are taken as whole multiples of this.
_GRAIN = 2**48


def solve_linear(program: LinearProgram, solver: str | None = None) -> LinearSolution:
    """Solve a linear program over channels.

    Parameters
    ----------
    program : LinearProgram
        What to solve.
    solver : {"exact", "float"}, optional
        ``"exact"``: the basis that HiGHS finds is solved over the rationals; where it does not verify, exact pivoting.
        ``"float"``: what HiGHS finds, made feasible exactly on both sides, so that a gap is left. Default: ``"exact"``
        for at most 4,500 rows, or where the program has no `repair`.

    Raises
    ------
    ProgramError
        If there is no such solver for the program, or the program is too large for it.
    InfeasibleProgramError
        If no channel satisfies the rows; proved for ``"exact"``.
    SolverError
        If HiGHS stops without an optimum, or what it finds cannot be made feasible.
    """
    height, terms = len(program.every_row), sum(len(row.terms) for row in program.every_row)
    if terms > _MOST_TERMS:
        raise ProgramError("program", f"{terms} coefficients", f"at most {_MOST_TERMS}")
    if height > _MOST_EXACT and solver in (None, "exact") and (proposed := _proposed(program)) is not None:
        return proposed
    chosen = solver or ("float" if height > _MOST_EXACT and program.repair else "exact")
    if chosen not in ("exact", "float") or (chosen == "float" and program.repair is None):
        raise ProgramError("solver", solver, "'exact'" if program.repair is None else "'exact' or 'float'")
    if chosen == "exact" and height > _MOST_EXACT:
        raise ProgramError("program", f"{height} rows", f"at most {_MOST_EXACT} for the solver 'exact'")
    return _exactly(program) if chosen == "exact" else _in_floats(program)


def _exactly(program: LinearProgram) -> LinearSolution:
    for units in (None,) if program.units is None else (None, program.units):
        with suppress(ChannelError, InfeasibleProgramError, SolverError, ValueError, ZeroDivisionError):
            return _of_basis(program, _stop(program, units))
    return _proposed(program) or _by_pivoting(program)


def _proposed(program: LinearProgram) -> LinearSolution | None:
    """The optimum that the program proposes, if it is one."""
    if program.proposal is None:
        return None
    with suppress(ChannelError, SolverError, ValueError, ZeroDivisionError):
        matrix, duals = program.proposal()
        channel = Channel(matrix, program.inputs, program.outputs)
        return LinearSolution(program, channel, {}, tuple(duals), "exact", {"basis": "closed form"})
    return None


def _of_basis(program: LinearProgram, stop: Stop) -> LinearSolution:
    """The solution that the basis of HiGHS stands for.

    Raises
    ------
    ChannelError, SolverError
        If the basis is not feasible on both sides.
    ValueError, ZeroDivisionError
        If its system is not square or singular.
    """
    place = {program.unknowns[i]: at for at, i in enumerate(np.flatnonzero(stop.columns))}
    tight = np.flatnonzero(~stop.rows)
    rows = [program.every_row[i] for i in tight]
    if len(rows) != len(place):
        raise ValueError("the basis is not square")
    number = cache(flint_number)
    system = [{place[x]: number(a) for x, a in row.terms.items() if x in place and a} for row in rows]
    turned: list[dict[int, Any]] = [{} for _ in place]
    for i, terms in enumerate(system):
        for column, a in terms.items():
            turned[column][i] = a
    point = solve_sparse(system, [number(row.right) for row in rows])
    solved = solve_sparse(turned, [number(program.objective.get(unknown, Fraction(0))) for unknown in place])
    every = [Fraction(0)] * len(program.every_row)
    for i, dual in zip(tight.tolist(), from_flint(np.array(solved, dtype=object)).tolist(), strict=True):
        every[i] = dual
    values = from_flint(np.array(point, dtype=object)).tolist()
    found = dict.fromkeys(program.unknowns, Fraction(0)) | dict(zip(place, values, strict=True))
    return _solution(program, found, every, {"basis": len(rows)})


def _by_pivoting(program: LinearProgram) -> LinearSolution:
    """The optimum by exact pivoting on the rows as equations of nonnegative numbers.

    Raises
    ------
    ProgramError
        If that would take long.
    InfeasibleProgramError
        If no channel satisfies the rows.
    """
    rows, unknowns = program.every_row, program.unknowns
    loose = [i for i, row in enumerate(rows) if row.relation == "<="]
    width = len(unknowns) + len(loose)
    if len(rows) * width > _MOST_PIVOTED:
        allowed = f"at most {_MOST_PIVOTED} rows times unknowns where the basis found in floats does not verify"
        raise ProgramError("program", len(rows) * width, allowed)
    place = {unknown: i for i, unknown in enumerate(unknowns)}
    matrix = np.full((len(rows), width), Fraction(0), dtype=object)
    for i, row in enumerate(rows):
        for unknown, a in row.terms.items():
            matrix[i, place[unknown]] = a
    matrix[loose, np.arange(len(unknowns), width)] = Fraction(1)
    right = as_array([row.right for row in rows], "right", 1)
    signs = np.array([Fraction(-1 if b < 0 else 1) for b in right.tolist()], dtype=object)
    gains = [program.objective.get(unknown, Fraction(0)) for unknown in unknowns] + [Fraction(0)] * len(loose)
    found = decide(to_flint(signs[:, None] * matrix), to_flint(signs * right), to_flint(as_array(gains, "gains", 1)))
    if found.solution is None or found.prices is None:
        raise InfeasibleProgramError("no channel satisfies the constraints of the program")
    point = dict(zip(unknowns, from_flint(found.solution).tolist(), strict=False))
    return _solution(program, point, (signs * from_flint(found.prices)).tolist(), {"basis": "pivoted"})


def _solution(
    program: LinearProgram, point: dict[Unknown, Fraction], duals: Sequence[Fraction], statistics: dict[str, Any]
) -> LinearSolution:
    shape = len(program.inputs), len(program.outputs)
    entries = as_array([point[x] for x in program.unknowns[: shape[0] * shape[1]]], "channel", 1).reshape(shape)
    channel = Channel(entries, program.inputs, program.outputs)
    return LinearSolution(program, channel, {s: point[s] for s in program.slacks}, tuple(duals), "exact", statistics)


def _in_floats(program: LinearProgram) -> LinearSolution:
    assert program.repair is not None
    stop, shape = _stop(program), (len(program.inputs), len(program.outputs))
    entries = program.repair(stop.point[: shape[0] * shape[1]].reshape(shape))
    channel = Channel(entries, program.inputs, program.outputs)
    return LinearSolution(
        program, channel, program.slacks_of(entries), tuple(_feasible_duals(program, stop.duals)), "float"
    )


def _feasible_duals(program: LinearProgram, found: Array) -> list[Fraction]:
    """Duals near those found that are feasible exactly: signs first, then every unknown by a row that only covers.

    Raising the dual of a row without negative coefficients helps all of its unknowns; each entry has its row sum.
    """
    rows, scale = program.every_row, _largest(program)
    duals = [
        -scale * Fraction(round(d / _reach(row) * _GRAIN), _GRAIN) for d, row in zip(found.tolist(), rows, strict=True)
    ]
    duals = [max(d, Fraction(0)) if row.relation == "<=" else d for d, row in zip(duals, rows, strict=True)]
    duals = duals if program.settle is None else program.settle(duals)
    lacking = dict.fromkeys(program.unknowns, Fraction(0)) | dict(program.objective)
    covering: dict[Unknown, int] = {}
    for i, (row, dual) in enumerate(zip(rows, duals, strict=True)):
        covers = all(a >= 0 for a in row.terms.values())
        for unknown, a in row.terms.items():
            lacking[unknown] -= dual * a
            if covers and a > 0:
                covering.setdefault(unknown, i)
    for unknown in reversed(program.unknowns):  # slacks first
        if lacking[unknown] <= 0:
            continue
        if unknown not in covering:
            raise SolverError(f"the dual constraint of {unknown!r} is violated by {float(lacking[unknown]):.3g}")
        row = rows[covering[unknown]]
        step = lacking[unknown] / row.terms[unknown]
        duals[covering[unknown]] += step
        for other, a in row.terms.items():
            lacking[other] -= step * a
    return duals


def _stop(program: LinearProgram, units: Mapping[Unknown, Fraction] | None = None) -> Stop:
    """Where HiGHS stops on the program, each row in the unit of its largest coefficient, the objective in its own.

    Unknowns are counted in `units`, if there are any; the basis is the same.

    Raises
    ------
    InfeasibleProgramError, SolverError
        As for `lpmech.programs.solvers.highs.minimise`.
    """
    place, scale = {unknown: i for i, unknown in enumerate(program.unknowns)}, _largest(program)
    size = dict.fromkeys(program.unknowns, Fraction(1)) if units is None else units
    costs = np.zeros(len(place))
    for unknown, c in program.objective.items():
        costs[place[unknown]] = -float(c * size[unknown] / scale)
    reaches = [max(abs(a) * size[unknown] for unknown, a in row.terms.items()) for row in program.every_row]
    entries = [
        (float(a * size[unknown] / reach), i, place[unknown])
        for i, (row, reach) in enumerate(zip(program.every_row, reaches, strict=True))
        for unknown, a in row.terms.items()
    ]
    values, rows, columns = (np.array(part) for part in zip(*entries, strict=True))
    matrix = csc_matrix((values, (rows, columns)), shape=(len(program.every_row), len(place)))
    right = np.array([float(row.right / reach) for row, reach in zip(program.every_row, reaches, strict=True)])
    lower = np.where([row.relation == "=" for row in program.every_row], right, -np.inf)
    return minimise(costs, matrix, lower, right)


def _largest(program: LinearProgram) -> Fraction:
    return max((abs(c) for c in program.objective.values()), default=Fraction(0)) or Fraction(1)


def _reach(row: Row) -> Fraction:
    return max(abs(a) for a in row.terms.values())

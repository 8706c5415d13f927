"""The structured solver: interior point iterates on the outputs that matter, crossover, and a rigorous gap.

An optimum releases few of many outputs, so the method starts with some of them, evenly spread, and looks at all of them
whenever its gap has fallen by a factor of ten: the dual constraint of an output that it left out is a sum over one
column of weights. If some are violated by more than the gap it begins anew with these and with those that nearly are.
In the end the bound is computed over all outputs, so that the proof is of the full problem, whatever was left out.

Where only a hit counts the closed form is tried first (`lpmech.programs.hit_rate`); it has to close the same gap.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.errors import PrivacyLevelError, ProgramError, SolverError
from lpmech.linear_algebra import one_thread
from lpmech.privacy import MAX_EPSILON
from lpmech.programs.general import GAP_CANCELLED, GAP_RELATIVE, Solution
from lpmech.programs.hit_rate import best_floors, hit_duals, hit_gains
from lpmech.programs.rounding import bound_from_above, value_from_below
from lpmech.programs.row_blocks import RowBlocks
from lpmech.programs.solvers.filling import Filler
from lpmech.programs.solvers.scaling import Scaled, scaled

if TYPE_CHECKING:
    from lpmech.programs.general import Program
    from lpmech.programs.solvers.interior_point import InteriorPoint, Iterate

__all__ = ["solve_along", "solve_by_interior_point"]

#: How many outputs to start with, if they are at most so large a share of all; beyond the other share all are taken.
_START, _SMALL, _MANY = 25, 0.125, 0.5
#: When an output is dropped (see `InteriorPoint`).
_DROPPED = 1e-4
#: Relative gap of the iterate from which a neighbouring level is started.
_EARLY = 1e-2
#: Accuracies at which all outputs are looked at. From the first of the others on the gap is tried; it ends the search
#: if it is as small as only an extreme point makes it, and from the second on if it is closed.
_LOOKS = (*(10.0**-k for k in range(1, 11)), 1e-12, 1e-14)
_TRIED, _ENDED, _WELL = 1e-8, 1e-10, 1e-12
#: Most outputs with which it is tried early: the way to an extreme point may take their number cubed.
_CHEAP = 256
#: Violation that is worth to begin anew with more outputs, in units of the accuracy, the slack of those that are taken
#: then, and how often before the accuracy is raised.
_VIOLATED, _NEARLY, _MOST_ROUNDS = 0.1, 1.0, 6
#: Levels beyond this are solved at this one and filled at their own: outputs that are not the best of a row get less
#: than rounding. (A channel private at a smaller level is private.)
_LARGEST_EXCESS = 1e15


def solve_by_interior_point(program: Program) -> Solution:
    """Solve a program without fixed entries to a rigorous relative gap of 1e-8, at an extreme point if one is found.

    Parameters
    ----------
    program : Program
        Any K x J weights. An exact program is solved in floats.

    Returns
    -------
    Solution
        Its `statistics`: "iterations", "seconds", "outputs" (how many were looked at closely in the end), "extreme"
        (whether the channel is the crossover's extreme point, or else the interior one after the greedy fill).

    Raises
    ------
    ProgramError
        If entries are fixed.
    PrivacyLevelError
        If e^epsilon is beyond floats.
    UtilityError
        If the weights of a row differ by more than 1e250, or all differ by less than 1e-250.
    SolverError
        If the gap cannot be closed.
    """
    return next(solve_along([program]))


def solve_along(programs: Sequence[Program]) -> Iterator[Solution]:
    """Solve programs one after the other, each from an early iterate of the one before where the weights are the same.

    For programs that differ in a small step of epsilon this saves about half of the iterations (measured in
    ``benchmarks/warm_start.py``). Raises and yields for each program as `solve_by_interior_point` does.
    """
    start: Iterate | None = None
    weights: Array | None = None
    for position, program in enumerate(programs):
        if weights is None or not np.array_equal(program.floats[0], weights):
            start, weights = None, program.floats[0]
        solution, start = _solved(program, start, keep=position + 1 < len(programs))
        yield solution


def _solved(program: Program, start: Iterate | None, keep: bool) -> tuple[Solution, Iterate | None]:
    if program.fixed:
        raise ProgramError("fixed", dict(program.fixed), 'no fixed entries, or solver="highs" or "exact"')
    if program.level.epsilon > MAX_EPSILON:
        raise PrivacyLevelError("epsilon", program.level, f"at most {MAX_EPSILON:g} for a solver in floats")
    started = time.perf_counter()
    weights, _ = program.floats
    units = scaled(weights)
    kept: Iterate | None = None
    found = _Best(program, weights)
    if not units.varies.any():
        found.offer(np.arange(1), np.ones(1), weights[:, 0])
    else:
        gains = hit_gains(weights)
        if gains is not None:  # ghazi2021, Theorem 3, subject to the same gap as every answer
            floors = best_floors(gains, found.excess)
            kept_labels = np.flatnonzero(floors)
            found.offer(kept_labels, floors[kept_labels], hit_duals(weights, gains, found.excess), extreme=True)
        if gains is None or not found.closed:
            kept = _Search(found, weights, units).run(start, keep)
    statistics = {
        "solver": "interior-point",
        "iterations": found.iterations,
        "outputs": len(found.columns),
        "extreme": found.extreme,
        "seconds": time.perf_counter() - started,
    }
    if not (found.closed or found.cancelled):
        raise SolverError(f"the gap from {found.value:.10g} to {found.bound:.10g} could not be closed")
    matrix = np.zeros(weights.shape)
    matrix[:, found.columns] = found.matrix
    return Solution(program, Channel(matrix, program.inputs, program.outputs), found.duals, {}, statistics), kept


class _Best:
    """The best channel and the best duals offered so far, by their rigorous value and bound.

    The channel releases `columns` only and has the entries `matrix` there.
    """

    def __init__(self, program: Program, weights: Array) -> None:
        self.value, self.bound = -math.inf, math.inf
        self.columns, self.matrix, self.duals = np.empty(0, dtype=np.intp), np.empty(0), np.empty(0)
        self.extreme, self.iterations = False, 0
        self.excess = program.level.excess_bounds[0]
        self._level, self._weights = program.level, weights
        self._reach = float((weights.max(axis=1) - weights.min(axis=1)).sum())

    def offer(self, columns: Array, floors: Array, duals: Array, extreme: bool = False) -> Filler:
        """`take` with a filler of these columns, which is returned."""
        weights = np.take(self._weights, columns, axis=1)
        filler = Filler(weights, self.excess, RowBlocks(weights.shape))
        self.take(filler, columns, floors, duals, extreme)
        return filler

    def take(self, filler: Filler, columns: Array, floors: Array, duals: Array, extreme: bool) -> None:
        """Take the greedy fill of the floors, or the duals, if they are better; an extreme point also if equal."""
        matrix = filler.matrix(filler.fill(floors))
        value = value_from_below(np.take(self._weights, columns, axis=1), self._level, matrix)
        allowance = 1e-13 * self._reach if extreme else 0.0
        if value > self.value - allowance:
            self.value, self.columns, self.matrix, self.extreme = value, columns, matrix, extreme
        bound = bound_from_above(self._weights, self._level, duals)
        if bound < self.bound:
            self.bound, self.duals = bound, duals

    @property
    def closed(self) -> bool:
        """Whether the relative gap is small enough."""
        return self.closes(GAP_RELATIVE)

    def closes(self, relative: float) -> bool:
        """Whether the relative gap is at most this."""
        return math.inf > self.bound - self.value <= relative * max(abs(self.value), abs(self.bound))

    @property
    def cancelled(self) -> bool:
        """Whether the gap is what rounding leaves of a value that nearly cancels."""
        return self.bound - self.value <= GAP_CANCELLED * self._reach


class _Search:
    """The interior point method on the outputs that matter, until the gap over all outputs is closed."""

    def __init__(self, found: _Best, weights: Array, units: Scaled) -> None:
        self.found, self.weights, self.units = found, weights, units
        self.excess = min(found.excess, _LARGEST_EXCESS)
        self.blocks, self.sums = RowBlocks(weights.shape), np.zeros(weights.shape[1])
        for at in self.blocks.slices:
            self.sums += (weights[at] - units.top[at, None]).sum(axis=0)
        self.sums /= units.unit

    def run(self, start: Iterate | None, keep: bool) -> Iterate | None:
        """Search from a few outputs, then from all, at last with all of them for good.

        Returns an early iterate if it is to be kept.
        """
        from lpmech.programs.solvers.interior_point import InteriorPoint  # here, for closed forms need no scipy

        kept: Iterate | None = None
        every = np.arange(self.weights.shape[1])
        few = np.unique(np.linspace(0, len(every) - 1, _START).round().astype(np.intp))
        attempts: list[tuple[Array, float, Iterate | None]] = [(every, _DROPPED, None), (every, 0.0, None)]
        if len(few) <= _SMALL * len(every):
            attempts.insert(0, (few, _DROPPED, None))
        if start is not None:
            attempts.insert(0, (start.columns, _DROPPED, start))
        for columns, dropped_below, begin in attempts:
            most = len(every) if len(columns) == len(every) else int(_MANY * len(every))
            with one_thread():  # limits what is loaded already, so not before the import
                interior = InteriorPoint(self.gain(columns), self.excess, columns, dropped_below, begin)
                kept = self.iterate(interior, most, keep) or kept
            self.found.iterations += interior.iterations
            if self.found.closed:
                break
        return kept

    def gain(self, columns: Array) -> Array:
        """Weights of some outputs in the solver's units."""
        return self.units.gain(np.take(self.weights, columns, axis=1))

    def iterate(self, interior: InteriorPoint, most: int, keep: bool) -> Iterate | None:
        """Raise the accuracy step by step until the gap is closed; give up if more than `most` outputs matter.

        Returns an early iterate if it is to be kept and was reached.
        """
        kept: Iterate | None = None
        for accuracy in _LOOKS:
            interior.run(accuracy)
            if accuracy <= (_TRIED if len(interior.columns) <= _CHEAP else _ENDED):
                self.trial(interior)
                if self.found.closes(GAP_RELATIVE if accuracy <= _ENDED else _WELL):
                    break
            for _ in range(_MOST_ROUNDS):
                missing, violated = self.missing(interior, accuracy)
                if violated == 0:
                    break
                if len(interior.columns) + violated > most:
                    return kept
                worst = missing[: max(10, len(interior.columns) // 2)]
                interior.begin_anew(worst, self.gain(worst))
                interior.run(accuracy)
            if keep and accuracy == _EARLY:
                kept = interior.iterate()
        return kept

    def missing(self, interior: InteriorPoint, accuracy: float) -> tuple[Array, int]:
        """The outputs that were left out and may matter, the worst first, and of how many the violation says so."""
        if len(interior.columns) == self.weights.shape[1]:
            return np.empty(0, dtype=np.intp), 0
        shifts = self.shifts(interior)
        unit = accuracy * abs(float(interior.row_duals.sum())) / len(self.weights)
        found = np.flatnonzero(shifts > -_NEARLY * unit)
        return found[np.argsort(-shifts[found], kind="stable")], int((shifts > _VIOLATED * unit).sum())

    def shifts(self, interior: InteriorPoint) -> Array:
        """By how much all duals would have to rise, at least, for each output that is left out; shape (J,)."""
        duals = self.units.duals(interior.row_duals)
        positive = np.zeros(len(self.sums))

        def add(at: slice) -> None:
            slack = self.weights[at] - duals[at, None]
            np.add(positive, np.maximum(slack, 0.0, out=slack).sum(axis=0), out=positive)

        self.blocks.each(add)
        found: Array = interior.p * (self.sums - interior.row_duals.sum())
        found += interior.r / self.units.unit * positive
        found /= len(duals)
        found[interior.columns] = -math.inf
        return found

    def trial(self, interior: InteriorPoint) -> None:
        """Offer the interior solution and the extreme point near it."""
        from lpmech.programs.solvers.crossover import crossover

        duals, columns = self.units.duals(interior.row_duals), interior.columns
        floors, slacks = interior.ceilings * interior.p, interior.column_slacks()
        filler = self.found.offer(columns, floors, duals)
        vertex = crossover(np.take(self.weights, columns, axis=1), filler, floors, slacks, duals)
        if vertex is not None:
            self.found.take(filler, columns, vertex.floors, vertex.duals, extreme=True)

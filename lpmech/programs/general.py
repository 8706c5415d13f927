"""The general program over channels, and its solution, independent of any solver.

Maximise sum_{y,j} w[y, j] q[y, j] over channels q with q[y, j] <= t q[y', j] for all y, y', j, where
t = e^epsilon; optionally some entries of q are fixed. Every program of the papers over channels has this form.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.channel import Channel
from lpmech.common_denominators import (
    fractions_of,
    short_numerators,
    sum_of_products,
    sum_of_short_products,
)
from lpmech.entries import Array, Number, as_array, is_exact, names_of_axes, to_float, unify
from lpmech.errors import LabelError, ProgramError, SolverError, UtilityError
from lpmech.extras import needs
from lpmech.frames import html_of
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.optimality import dual_bound, dual_excess
from lpmech.programs.rounding import bound_from_above, in_floats, short_in_floats, value_from_below

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["GAP_CANCELLED", "GAP_RELATIVE", "Fixed", "Program", "Solution", "names_of"]

#: Largest accepted gap of a float solution, relative to the largest weight (at least 1e-300), or to value and bound.
GAP_TOLERANCE, GAP_RELATIVE = 1e-6, 1e-8
#: The gap, relative to what all rows together can gain at most, that rounding leaves of a value that nearly cancels.
GAP_CANCELLED = 1e-12
#: How far a float channel may exceed a privacy constraint.
PRIVACY_TOLERANCE = 1e-9

Fixed = Mapping[tuple[Hashable, Hashable], Number]


class Program:
    """Maximise sum weights[y, j] q[y, j] over private channels q.

    Parameters
    ----------
    weights : array_like, shape (K, J)
        Objective; exact when all entries are ints or Fractions.
    epsilon : float or PrivacyLevel
        Privacy level (a bare number is epsilon).
    inputs, outputs : sequence of hashable, optional
        Names; default: those of a DataFrame, else 0..K-1 and 0..J-1.
    fixed : mapping (input, output) -> number, optional
        Entries of the channel that are prescribed.

    Raises
    ------
    UtilityError, PrivacyLevelError, LabelError
        If an argument is not usable.
    ProgramError
        If a fixed entry lies outside [0, 1] or names an unknown input or output.
    """

    __slots__ = ("__dict__", "fixed", "inputs", "level", "outputs")

    level: PrivacyLevel
    inputs: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    fixed: Mapping[tuple[int, int], Number]

    def __init__(
        self,
        weights: object,
        epsilon: PrivacyLevel | float,
        inputs: Sequence[Hashable] | None = None,
        outputs: Sequence[Hashable] | None = None,
        fixed: Fixed | None = None,
    ) -> None:
        inputs, outputs = names_of_axes(weights, inputs, outputs)
        array = as_array(weights, "weights", 2, UtilityError, (inputs, outputs))
        array.setflags(write=False)
        self.weights = array
        self._describe(array.shape, epsilon, inputs, outputs, fixed)

    def _describe(
        self,
        shape: tuple[int, ...],
        epsilon: PrivacyLevel | float,
        inputs: Sequence[Hashable] | None,
        outputs: Sequence[Hashable] | None,
        fixed: Fixed | None,
    ) -> None:
        self.level = as_privacy_level(epsilon)
        self.inputs = names_of(inputs, shape[0], "inputs")
        self.outputs = names_of(outputs, shape[1], "outputs")
        self.fixed = MappingProxyType(_fixed_entries({} if fixed is None else fixed, self.inputs, self.outputs))

    @classmethod
    def of_numerators(
        cls,
        numerators: Array,
        denominator: int,
        epsilon: PrivacyLevel | float,
        inputs: Sequence[Hashable] | None = None,
        outputs: Sequence[Hashable] | None = None,
        fixed: Fixed | None = None,
    ) -> Program:
        """The program whose weights are whole numbers over a denominator; Fractions are made of them when asked for.

        Parameters
        ----------
        numerators : ndarray of int64, shape (K, J)
            At most 2^62 in absolute value.
        denominator : int
            From 1 to 2^62.
        epsilon, inputs, outputs, fixed
            As for `Program`.
        """
        program = object.__new__(cls)
        program.__dict__["numerators"] = numerators, denominator
        program._describe(numerators.shape, epsilon, inputs, outputs, fixed)
        return program

    @cached_property
    def weights(self) -> Array:
        """The objective, shape (K, J): Fractions or floats."""
        array = fractions_of(*self.__dict__["numerators"])
        array.setflags(write=False)
        return array

    @cached_property
    def numerators(self) -> tuple[Array, int] | None:
        """Exact weights as whole numbers over one denominator, all at most 2^62; None if they are longer, or floats."""
        return short_numerators(self.weights) if is_exact(self.weights) else None

    def reordered(self, order: Array) -> Program:
        """The program whose labels 0, 1, ... are those at the places of this square one; none is fixed."""
        if self.numerators is None:
            return Program(self.weights[order][:, order], self.level)
        numerators, denominator = self.numerators
        moved = np.ascontiguousarray(numerators[order][:, order])  # sums in floats depend on how rows lie in memory
        return Program.of_numerators(moved, denominator, self.level)

    @property
    def is_exact(self) -> bool:
        """Whether level, weights and fixed entries are all exact."""
        fixed_exact = all(not isinstance(v, float) for v in self.fixed.values())
        exact = is_exact(self.weights) if "weights" in self.__dict__ else True
        return self.level.is_exact and exact and fixed_exact

    @cached_property
    def floats(self) -> tuple[Array, float]:
        """The weights as floats, and by how much that can change the objective of any channel."""
        return in_floats(self.weights) if self.numerators is None else short_in_floats(*self.numerators)

    def value(self, channel: Channel) -> Number:
        """Objective of a channel with the same shape."""
        if self.numerators is not None and channel.numerators is not None:
            return sum_of_short_products(self.numerators, channel.numerators)
        weights, entries = unify(self.weights, channel.matrix)
        return sum_of_products(weights, entries) if is_exact(weights) else (weights * entries).sum()

    def solve(self, solver: str | None = None) -> Solution:
        """`lpmech.programs.solvers.solve(self, solver)`, which has the names of the solvers and the errors."""
        from lpmech.programs.solvers import solve

        return solve(self, solver)


@dataclass(frozen=True)
class Solution:
    """An optimum with both sides of its proof.

    Attributes
    ----------
    program : Program
        What was solved.
    channel : Channel
        The optimal channel.
    row_duals : ndarray, shape (K,)
        Dual values pi of "row y sums to one".
    fixed_duals : mapping (int, int) -> number
        Dual values of the fixed entries.
    statistics : mapping
        Name of the solver that answered, form, iterations, seconds.

    Raises
    ------
    SolverError
        On construction, if the channel is not private, disagrees with a fixed entry, or the gap between its
        value and the bound of the duals is not closed (exactly for exact solutions).
    """

    program: Program
    channel: Channel
    row_duals: Array
    fixed_duals: Mapping[tuple[int, int], Number] = field(default_factory=dict)
    statistics: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        tolerance = 0.0 if self.is_exact else PRIVACY_TOLERANCE
        if (self.channel.inputs, self.channel.outputs) != (self.program.inputs, self.program.outputs):
            raise SolverError("the names of the channel are not those of the program")
        if not self.channel.satisfies(self.program.level, tolerance):
            raise SolverError(f"the channel has level {self.channel.epsilon}, more than {self.program.level}")
        for (y, j), value in self.program.fixed.items():
            if abs(self.channel.matrix[y, j] - value) > tolerance:
                raise SolverError(f"entry {(y, j)} is {self.channel.matrix[y, j]}, not the fixed {value}")
        allowed = 0.0 if self.is_exact else self._allowed_gap
        if not -allowed <= self.gap <= allowed < math.inf:
            raise SolverError(f"the duality gap {float(self.gap):.3g} is above {allowed:.3g}: not an optimum")

    @property
    def is_exact(self) -> bool:
        """Whether channel and duals are exact rationals of an exact program."""
        return self.program.is_exact and self.channel.is_exact and is_exact(self.row_duals)

    @cached_property
    def value(self) -> Number:
        """Objective of the channel: a lower bound of the optimum (the optimum itself when exact).

        For floats it is rounded down so far that a channel attains it exactly (`value_from_below`), unless entries are
        fixed: then it is the plain objective, of a channel that may exceed a constraint by `PRIVACY_TOLERANCE`, and
        may lie above the optimum by as little; the lower end of `lpmech.certify.certificate_of` is attained by an exact
        channel, and `bound` is rigorous in both cases.
        """
        if self.is_exact or self.program.fixed:
            return self.program.value(self.channel)
        weights, error = self.program.floats
        return value_from_below(weights, self.program.level, self.channel.floats) - error

    @cached_property
    def bound(self) -> Number:
        """Upper bound of the optimum from the duals, shifted until feasible; rigorous for floats, too."""
        program = self.program
        if self.is_exact:
            return dual_bound(program.weights, program.level.ratio, self.row_duals, program.fixed, self.fixed_duals)
        weights, error = program.floats
        duals = to_float(self.row_duals)
        return bound_from_above(weights, program.level, duals, program.fixed, self.fixed_duals) + error

    @property
    def gap(self) -> Number:
        """`bound` minus `value`."""
        return self.bound - self.value

    @property
    def relative_gap(self) -> float:
        """`gap` divided by the larger of |value| and |bound|."""
        scale = max(abs(float(self.value)), abs(float(self.bound)))
        return float(self.gap) / scale if scale > 0 else 0.0

    @property
    def is_closed(self) -> bool:
        """Whether the gap is at most `GAP_RELATIVE`, or as small as rounding makes it (`GAP_CANCELLED`)."""
        reach = float(np.ptp(self.program.floats[0], axis=1).sum())
        return float(self.gap) <= GAP_CANCELLED * reach or self.relative_gap <= GAP_RELATIVE

    @property
    def _allowed_gap(self) -> float:
        largest = max(float(abs(self.program.floats[0]).max()), 1e-300)
        return max(GAP_TOLERANCE * largest, GAP_RELATIVE * max(abs(float(self.value)), abs(float(self.bound))))

    def to_frame(self) -> pd.DataFrame:
        """The channel as a DataFrame, and beside each row its dual value, the proof."""
        with needs("frames"):
            import pandas as pd

        duals = pd.DataFrame(
            {"row dual": self.row_duals.tolist()}, index=pd.Index(self.program.inputs, tupleize_cols=False)
        )
        return pd.concat({"released": self.channel.to_frame(), "proof": duals}, axis=1)

    def _repr_html_(self) -> str | None:
        kind = "exactly" if self.is_exact else f"within {float(self.gap):.1e}"
        title = f"optimum {float(self.bound):.9g} {kind}, {self.program.level}"
        return html_of(title, self.to_frame)

    @property
    def dual_excess(self) -> Array:
        """Violation of the dual constraint of each output, shape (J,); at most zero when feasible."""
        return dual_excess(self.program.weights, self.program.level.ratio, self.row_duals, self.fixed_duals)


def names_of(names: Sequence[Hashable] | None, size: int, argument: str) -> tuple[Hashable, ...]:
    try:
        labels = tuple(range(size)) if names is None else tuple(names)
        distinct = len(set(labels))
    except TypeError as exc:
        raise LabelError(argument, names, f"{size} distinct hashable names") from exc
    if not len(labels) == distinct == size:
        raise LabelError(argument, labels, f"{size} distinct names")
    return labels


def _fixed_entries(
    fixed: Fixed, inputs: tuple[Hashable, ...], outputs: tuple[Hashable, ...]
) -> dict[tuple[int, int], Number]:
    if not isinstance(fixed, Mapping) or not all(isinstance(key, tuple) and len(key) == 2 for key in fixed):
        raise ProgramError("fixed", fixed, "a mapping of pairs (input, output) to probabilities")
    entries: dict[tuple[int, int], Number] = {}
    for (source, target), value in fixed.items():
        if source not in inputs or target not in outputs:
            raise ProgramError("fixed", (source, target), "an (input, output) pair of the program")
        number = as_array([value], "fixed", 1, ProgramError)[0]
        if not 0 <= number <= 1:
            raise ProgramError("fixed", {(source, target): value}, "probabilities between 0 and 1")
        entries[inputs.index(source), outputs.index(target)] = (
            number if not isinstance(number, np.floating) else float(number)
        )
    return entries

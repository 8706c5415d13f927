"""A linear program over a K x J channel and named slack variables, as data, with both sides of its proof.

Primal: maximise sum c[y, j] q[y, j] + sum c_s s over channels q (rows sum to one, q >= 0) and slacks s >= 0 that
satisfy every `Row`, sum a x <= b or = b. Dual: minimise sum b d over a number d for each row, the K row sums included,
d >= 0 for "<=", with sum a d >= c for every unknown. Whatever is feasible here bounds whatever is feasible there, so a
channel with its slacks and the duals are a proof, which `LinearSolution` checks in rational numbers when it is made.

A kind of program is two functions that know nothing of each other. Here, a module like `lpmech.programs.approximate`
makes a `LinearProgram` of its data: the objective, the rows in an order that its docstring tells, names that a reader
understands, the data themselves, and `repair` where floats shall be allowed. In `lpmech.certify.program_checker` a
function builds the same rows again, in the same order, from the data in a certificate; its docstring says what it
needs. `lpmech.certify.program.program_certificate` writes the certificate of any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple

from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.errors import SolverError

__all__ = ["LinearProgram", "LinearSolution", "Proposal", "Row", "Unknown"]

#: An entry (y, j) of the channel, or the name of a slack variable.
Unknown = tuple[int, int] | str

#: An exact channel without slacks, and a dual for each row.
Proposal = tuple[Array, Sequence[Fraction]]

#: Largest accepted gap of a solution in floats, relative to the largest coefficient of the objective.
_GAP = Fraction(1, 10**6)


class Row(NamedTuple):
    """A constraint: the sum of coefficients times unknowns is at most, or equal to, a number.

    Attributes
    ----------
    name : str
        What it says, for a reader.
    terms : mapping Unknown -> Fraction
    right : Fraction
    relation : {"<=", "="}
    """

    name: str
    terms: Mapping[Unknown, Fraction]
    right: Fraction
    relation: Literal["<=", "="] = "<="


@dataclass(frozen=True)
class LinearProgram:
    """Maximise a linear function of a channel under linear constraints.

    Attributes
    ----------
    inputs, outputs : tuple of hashable
        Names of the K rows and J columns of the channel.
    objective : mapping Unknown -> Fraction
        Unknowns that are missing count nothing.
    rows : tuple of Row
        Beside the row sums, and beside nonnegative unknowns.
    slacks : tuple of str
        Names of the slack variables, which are not negative.
    kind, data : str, mapping
        From what `lpmech.certify.program_checker` builds the program again: its kind, and texts of numbers in lists.
    repair : callable, optional
        From a matrix of floats, shape (K, J), that almost satisfies the rows, an exact matrix that does; without it the
        program is solved exactly only.
    slacks_of : callable, optional
        From an exact matrix the slacks with which it satisfies the rows, where `repair` is and there are slacks.
    settle : callable, optional
        Of duals near an optimum, one for each of `every_row`, it makes some right for each other, where the slacks that
        they are limited by have no other rows; then all others are raised until they are feasible.
    proposal : callable, optional
        Makes what may be an optimum by a closed form, or raises `SolverError`; tried where HiGHS's basis does not
        verify, and of programs that are too large for it.
    units : mapping Unknown -> Fraction, optional
        About how large the unknowns are, of every one; HiGHS is told of it where it misses what is very small.
    """

    inputs: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    objective: Mapping[Unknown, Fraction]
    rows: tuple[Row, ...]
    slacks: tuple[str, ...] = ()
    kind: str = "none"
    data: Mapping[str, Any] = field(default_factory=dict)
    repair: Callable[[Array], Array] | None = None
    slacks_of: Callable[[Array], Mapping[str, Fraction]] = field(default=lambda matrix: {})
    settle: Callable[[list[Fraction]], list[Fraction]] | None = None
    proposal: Callable[[], Proposal] | None = None
    units: Mapping[Unknown, Fraction] | None = None

    @cached_property
    def every_row(self) -> tuple[Row, ...]:
        """The K row sums, then `rows`."""
        columns, one = range(len(self.outputs)), Fraction(1)
        sums = (
            Row(f"the row of {name!r} sums to one", {(y, j): one for j in columns}, one, "=")
            for y, name in enumerate(self.inputs)
        )
        return (*sums, *self.rows)

    @cached_property
    def unknowns(self) -> tuple[Unknown, ...]:
        """The entries of the channel, row after row, then the slacks."""
        entries = ((y, j) for y in range(len(self.inputs)) for j in range(len(self.outputs)))
        return (*entries, *self.slacks)

    def solve(self, solver: str | None = None) -> LinearSolution:
        """`lpmech.programs.solvers.linear.solve_linear(self, solver)`, which has the solvers, limits and errors."""
        from lpmech.programs.solvers.linear import solve_linear

        return solve_linear(self, solver)


@dataclass(frozen=True)
class LinearSolution:
    """A channel and duals of a linear program, both feasible exactly.

    Attributes
    ----------
    program : LinearProgram
        What was solved.
    channel : Channel
        Exact.
    slacks : mapping str -> Fraction
    duals : tuple of Fraction
        Of the rows, in the order of `LinearProgram.every_row`.
    solver : {"exact", "float"}
        Of the first, `value` and `bound` are equal.
    statistics : mapping
        How it was found.

    Raises
    ------
    SolverError
        On construction, if a row, a sign or a dual constraint is violated, or the gap is not closed.
    """

    program: LinearProgram
    channel: Channel
    slacks: Mapping[str, Fraction]
    duals: tuple[Fraction, ...]
    solver: Literal["exact", "float"] = "exact"
    statistics: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        program = self.program
        names = self.channel.inputs, self.channel.outputs
        if not self.channel.is_exact or names != (program.inputs, program.outputs):
            raise SolverError("a solution needs an exact channel with the names of its program")
        if self.slacks.keys() != set(program.slacks) or len(self.duals) != len(program.every_row):
            raise SolverError("a solution needs a value for each slack and a dual for each row")
        if any(value < 0 for value in self.slacks.values()):
            raise SolverError("a slack is negative")
        reduced = dict.fromkeys(program.unknowns, Fraction(0)) | dict(program.objective)
        for row, dual in zip(program.every_row, self.duals, strict=True):
            left = sum((a * self._point[x] for x, a in row.terms.items()), Fraction(0))
            if left > row.right or (row.relation == "=" and left != row.right):
                raise SolverError(f"{row.name}: {left} is not {row.relation} {row.right}")
            if dual < 0 and row.relation == "<=":
                raise SolverError(f"{row.name}: its dual {dual} is negative")
            for unknown, a in row.terms.items():
                reduced[unknown] -= dual * a
        violated = next((unknown for unknown, rest in reduced.items() if rest > 0), None)
        if violated is not None:
            raise SolverError(f"the dual constraint of {violated!r} is violated by {reduced[violated]}")
        largest = max((abs(c) for c in program.objective.values()), default=Fraction(0))
        if self.gap > (0 if self.solver == "exact" else _GAP * largest):
            raise SolverError(f"the duality gap {float(self.gap):.3g} is not closed: not an optimum")

    @cached_property
    def _point(self) -> dict[Unknown, Fraction]:
        return dict(zip(self.program.unknowns, self.channel.matrix.ravel().tolist(), strict=False)) | dict(self.slacks)

    @cached_property
    def value(self) -> Fraction:
        """The objective of the channel, exactly: a lower end of the optimum."""
        return sum((c * self._point[x] for x, c in self.program.objective.items()), Fraction(0))

    @cached_property
    def bound(self) -> Fraction:
        """What the duals prove that no channel exceeds, exactly."""
        rows = zip(self.program.every_row, self.duals, strict=True)
        return sum((row.right * dual for row, dual in rows), Fraction(0))

    @property
    def gap(self) -> Fraction:
        """`bound` minus `value`, never negative; zero of an exact solution."""
        return self.bound - self.value

"""A channel as a function of t = e^epsilon: its entries are rational functions of s, with t = s^root."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce

from flint import fmpq_mat, fmpz_poly

from lpmech.channel import Channel
from lpmech.entries import as_array
from lpmech.errors import SolverError
from lpmech.linear_algebra import flint_number
from lpmech.privacy import PrivacyLevel
from lpmech.programs.solvers.polynomial_systems import Quotient, QuotientVector

__all__ = ["ChannelInT", "channel_in_t"]


@dataclass(frozen=True)
class ChannelInT:
    """A channel for every t > 1.

    Attributes
    ----------
    rows : tuple of QuotientVector, length K
        The entries of each row, functions of s.
    inputs, outputs : tuple
        Names of rows and columns.
    root : int
        t = s^root.
    """

    rows: tuple[QuotientVector, ...]
    inputs: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    root: int

    def at(self, s: Fraction) -> Channel:
        """The channel at t = s^root."""
        matrix = [[row[j].at(s) for j in range(len(self.outputs))] for row in self.rows]
        return Channel(as_array(matrix, "matrix", 2), self.inputs, self.outputs)

    def with_root(self, root: int) -> ChannelInT:
        """The same in s with t = s^root, a multiple of the root it has."""
        power = fmpz_poly([0] * (root // self.root) + [1])
        rows = tuple(QuotientVector.of([p(power) for p in row.numerators], row.denominator(power)) for row in self.rows)
        return ChannelInT(rows, self.inputs, self.outputs, root)


def channel_in_t(make: Callable[[PrivacyLevel], Channel], degree: int, root: int = 1) -> ChannelInT:
    """The entries of a mechanism as rational functions, from its exact channels at whole numbers s.

    Parameters
    ----------
    make : callable
        Level -> exact channel, with the same outputs at every level.
    degree : int
        Numerators and denominators of the entries, polynomials in s, are of no larger degree. Quotients of such
        polynomials that agree at 2 degree + 1 points are the same one, so what is found is the mechanism, if they are.
    root : int
        It is called at t = s^root.

    Raises
    ------
    SolverError
        If no such quotients have the values of the channel at 2 degree + 3 points.
    """
    points = tuple(range(2, 2 * degree + 5))
    channels = [make(PrivacyLevel.from_ratio(s**root)) for s in points]
    first = channels[0]
    size, outputs = first.matrix.shape
    rows = []
    for y in range(size):
        found = [_through(points, tuple(c.matrix[y, j] for c in channels), degree) for j in range(outputs)]
        unit = reduce(lambda one, each: one * each.denominator // one.gcd(each.denominator), found, fmpz_poly([1]))
        rows.append(QuotientVector.of([q.numerator * (unit // q.denominator) for q in found], unit))
    return ChannelInT(tuple(rows), first.inputs, first.outputs, root)


@lru_cache(maxsize=4096)
def _through(points: tuple[int, ...], values: tuple[Fraction, ...], degree: int) -> Quotient:
    """The quotient of polynomials of least degree with these values."""
    for least in range(degree + 1):
        numbers = [flint_number(v) for v in values]
        system = [
            [*(s**k for k in range(least + 1)), *(-v * s**k for k in range(least + 1))]
            for s, v in zip(points, numbers, strict=True)
        ]
        reduced, rank = fmpq_mat(system).rref()
        if rank == 2 * least + 1 and all(reduced[i, i] == 1 for i in range(rank)):
            last = [-reduced[i, rank] for i in range(rank)] + [flint_number(1)]
            unit = fmpq_mat([last]).numer_denom()[1]
            whole = [int((v * unit).p) for v in last]
            above, below = fmpz_poly(whole[: least + 1]), fmpz_poly(whole[least + 1 :])
            if all(below(s) for s in points):
                return Quotient(above, below)
    raise SolverError(f"an entry of the channel is no quotient of polynomials of degree {degree}")

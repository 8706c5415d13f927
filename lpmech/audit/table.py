"""The exact privacy level of a table of probabilities."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lpmech.certify.checker import exp_bounds
from lpmech.entries import Array, to_exact, widest
from lpmech.release.label_sets import LabelSets

__all__ = ["TableAudit", "audit_sets", "audit_table", "log_bounds"]


@dataclass(frozen=True)
class TableAudit:
    """The exact level of a table.

    Attributes
    ----------
    ratio : Fraction or None
        Largest quotient of two entries of a column; None if it is infinite.
    output, likely, unlikely : hashable
        Where it is attained.
    low, high : float
        ln(ratio) lies between them; both infinite without a ratio.
    rows_sum_to_one : bool
        Exactly; if not, the table was printed with rounding and is no channel as it stands.
    """

    ratio: Fraction | None
    output: object
    likely: object
    unlikely: object
    low: float
    high: float
    rows_sum_to_one: bool

    def keeps(self, limit: Fraction) -> bool:
        """Whether the level is at most ln(limit), compared exactly."""
        return self.ratio is not None and self.ratio <= limit


def audit_table(matrix: Array, inputs: Sequence[Hashable], outputs: Sequence[Hashable]) -> TableAudit:
    """The exact level of a table of probabilities as it stands, whatever its rows sum to.

    Parameters
    ----------
    matrix : ndarray, shape (K, J)
        Not negative; floats are taken for the rationals that they are.
    inputs, outputs : sequence
        Names of rows and columns.
    """
    entries = to_exact(matrix)
    exact = all(total == 1 for total in entries.sum(axis=1))
    j, high, low = widest(entries.T.tolist()) or (0, 0, 0)
    above, under = entries[high, j], entries[low, j]
    ratio = None if under == 0 < above else Fraction(above / under) if above > under else Fraction(1)
    if ratio == 1:
        j, high, low = 0, 0, 0
    ends = (math.inf, math.inf) if ratio is None else log_bounds(ratio)
    return TableAudit(ratio, outputs[j], inputs[high], inputs[low], *ends, exact)


def audit_sets(sets: LabelSets) -> TableAudit:
    """The exact privacy level of a mechanism that releases sets, from its parameters."""
    worst = sets.witness
    return TableAudit(sets.ratio, worst.output, worst.likely, worst.unlikely, *log_bounds(sets.ratio), True)


def log_bounds(ratio: Fraction) -> tuple[float, float]:
    """Floats below and above ln(ratio) for a ratio of at least 1, proved by rational bounds of the exponential."""
    if ratio == 1:
        return 0.0, 0.0
    guess = math.log1p(float(ratio - 1)) if ratio < 2**900 else math.log(ratio.numerator) - math.log(ratio.denominator)
    low = high = guess
    while low > 0 and exp_bounds(Fraction(low))[1] > ratio:
        low = math.nextafter(low, 0.0)
    while exp_bounds(Fraction(high))[0] < ratio:
        high = math.nextafter(high, math.inf)
    return low, high

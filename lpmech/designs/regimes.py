"""The optimum for label counts as a function of t = e^epsilon, proved for all t > 1 at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lpmech.designs.designing import utility_of
from lpmech.entries import Array
from lpmech.extras import needs
from lpmech.frames import html_of
from lpmech.labels.counts import Labels, as_label_counts
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel

if TYPE_CHECKING:
    import pandas as pd

    from lpmech.programs.solvers.parametric import Regime

__all__ = ["Formulas", "regimes"]


@dataclass(frozen=True, repr=False)
class Formulas:
    """The optimum on every interval of t.

    Attributes
    ----------
    utility_name : str
        What was maximised.
    utility, prior : ndarray
        The same as numbers; shapes (K, K) and (K,).
    regimes : tuple of Regime
        Intervals with one optimal basis each, and its proof; rising.
    pieces : tuple of (lower, upper, value)
        sympy expressions; neighbouring regimes of equal value are one piece.
    """

    utility_name: str
    utility: Array
    prior: Array
    regimes: tuple[Regime, ...]
    pieces: tuple[tuple[Any, Any, Any], ...]

    def to_frame(self) -> pd.DataFrame:
        """A row for each piece: its ends (exact), epsilon at its lower end, and the optimum as a formula in t."""
        with needs("frames"):
            import pandas as pd

        from lpmech.programs.solvers.parametric import epsilon_at

        rows = [(lower, upper, epsilon_at(lower), value) for lower, upper, value in self.pieces]
        return pd.DataFrame(rows, columns=["t from", "t to", "epsilon from", "optimum"])

    def __repr__(self) -> str:
        return f"<Formulas {len(self.prior)} labels, utility {self.utility_name}, {len(self.pieces)} formulas in t>"

    def _repr_html_(self) -> str | None:
        return html_of(repr(self).strip("<>"), self.to_frame)


def regimes(counts: Labels, utility: object = "hit") -> Formulas:
    """The optimum as an exact function of t = e^epsilon, for all epsilon > 0, with its break points.

    Parameters
    ----------
    counts, utility
        As for `lpmech.design`; exact. The utility must not depend on epsilon, as ``information`` does.

    Raises
    ------
    LabelError, DataFileError, UtilityError
        If an argument is not usable.
    ProgramError
        If the utility holds floats that are not rationals.
    SolverError
        If no exact basis was found near some t.

    Examples
    --------
    >>> import lpmech
    >>> for lower, upper, value in lpmech.regimes({"a": 3, "b": 2, "c": 1}).pieces:
    ...     print(f"{lower} <= t <= {upper}: {value}")
    1 <= t <= 3/2: 1/2
    3/2 <= t <= 4: 5*t/(6*(t + 1))
    4 <= t <= oo: t/(t + 2)
    """
    from lpmech.programs.solvers.parametric import regimes_of, value_pieces

    labels = as_label_counts(counts)
    name, gain = utility_of(utility, labels)
    found = regimes_of(optimal_channel(gain, PrivacyLevel.from_ratio(2), labels.prior))
    return Formulas(name, gain, labels.prior, tuple(found), tuple(value_pieces(found)))

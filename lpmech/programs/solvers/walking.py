"""All t > 1 covered by intervals on each of which one proof holds: found at a point, and walked from end to end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from flint import fmpq

from lpmech.errors import SolverError
from lpmech.programs.solvers.real_roots import RealRoot

__all__ = ["Stretch", "covering", "joined"]

_FIRST, _MOST_REFINEMENTS, _MOST_REGIMES = Fraction(2), 60, 1000


@dataclass(frozen=True)
class Stretch:
    """An interval of t on which something is proved; an upper end of None is infinity."""

    lower: RealRoot
    upper: RealRoot | None

    def reaches(self, end: RealRoot, beyond: int) -> bool:
        """Whether an end point of another one lies in the interval, and more of it in this direction."""
        below = self.lower.compared(end)
        above = 1 if self.upper is None else self.upper.compared(end)
        return (below < 0 or (below == 0 and beyond > 0)) and (above > 0 or (above == 0 and beyond < 0))

    def holds(self, t: Fraction) -> bool:
        """Whether a number lies in the interval, and is no end of it."""
        point = RealRoot.rational(fmpq(t.numerator, t.denominator))
        return self.lower.compared(point) < 0 and (self.upper is None or self.upper.compared(point) > 0)


Found = TypeVar("Found", bound=Stretch)


def covering(near: Callable[[Fraction, Fraction], Found]) -> list[Found]:
    """Intervals that cover (1, infinity), in rising order; they may overlap.

    Parameters
    ----------
    near : callable
        (start, wiggle) -> an interval around start or a point less than wiggle above it.

    Raises
    ------
    SolverError
        If there are too many, or none is found next to an end.
    """
    found, beside = [near(_FIRST, Fraction(1, 64))], list[Found]()
    while (end := found[-1].upper) is not None:
        found.append(_neighbour(near, end, +1, beside))
        _guard(found)
    start = RealRoot.rational(fmpq(1))
    while found[0].lower.compared(start) > 0:
        found.insert(0, _neighbour(near, found[0].lower, -1, beside))
        _guard(found)
    return found


def joined(found: list[Found], alike: Callable[[Found, Found], bool]) -> list[Found]:
    """Intervals that overlap are cut at the first one's end, and neighbours that are alike are joined."""
    whole = [found[0]]
    for piece in found[1:]:
        last = whole[-1]
        if last.upper is None:
            break
        if piece.lower.compared(last.upper) > 0:
            raise SolverError(f"a gap between t = {float(last.upper.lower)} and {float(piece.lower.lower)}")
        if piece.upper is not None and piece.upper.compared(last.upper) <= 0:
            continue
        if alike(last, piece):
            whole[-1] = replace(last, upper=piece.upper)
        else:
            whole.append(replace(piece, lower=last.upper))
    return whole


def _guard(found: list[Found]) -> None:
    if len(found) > _MOST_REGIMES:
        raise SolverError(f"more than {_MOST_REGIMES} regimes")


def _neighbour(
    near: Callable[[Fraction, Fraction], Found], end: RealRoot, direction: int, beside: list[Found]
) -> Found:
    """The interval on the other side of an end point: tried ever closer to it until no gap is left.

    Those that were found further away are put down in `beside`, and taken up where they are met; where one of them is
    known to hold nothing else is looked for.
    """
    for piece in beside:
        if piece.reaches(end, beyond=direction):
            beside.remove(piece)
            return piece
    for k in range(6, _MOST_REFINEMENTS):
        step = Fraction(1, 2**k)
        start = round(end.near(step / 16) / step * 16) * step / 16 + direction * step  # of few digits
        if start <= 1:
            continue
        if any(piece.holds(start) for piece in beside):
            continue
        piece = near(start, step / 4)
        if piece.reaches(end, beyond=direction):
            return piece
        beside.append(piece)
    raise SolverError(f"no regime found next to t = {float(end.lower)}")

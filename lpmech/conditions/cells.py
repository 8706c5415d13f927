"""A statement about two parameters x and y, decided cell by cell: a cylindrical decomposition with exact samples.

Let p_1, ..., p_n be the irreducible factors over Q of what the statement and the hypotheses relate to zero. The base,
the line of y, is cut where a p_i without x vanishes, where the coefficient of the highest power of x in a p_i does, or
a discriminant of a p_i in x, or a resultant of two of them in x; none of these is zero for all y, since the p_i are
irreducible and different. Why finitely many points decide everything (Collins, 1975):

1. Between two neighbouring cuts no p_i loses its degree in x, so that its roots are continuous in y and none goes to
   infinity; none has two equal roots, so that the roots stay as many and as real as they are, two conjugate ones being
   able to become real only where they are equal; and no two of the p_i have one in common. So all real roots are
   continuous functions r_1(y) < ... < r_k(y) of one number k.
2. They cut the strip above the open interval into their k graphs and the k + 1 regions between them. Each is
   connected, and on each every p_i is zero everywhere or nowhere, so that it has one sign, and the formula has one
   truth value: that at a rational y and a rational x between two roots, or at the root.
3. Over a cut, a rational or algebraic number, the line is divided in the same way by the roots over this one y. No p_i
   vanishes on the whole line, because y - a would divide it.

All of it is exact: whole numbers, isolated roots, and signs of algebraic numbers (`lpmech.conditions.fibres`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from flint import fmpq

from lpmech.conditions.fibres import Base, Fibre, between, degree_in, in_base, over
from lpmech.conditions.signs import OutsideError, SignFormula, SignOf, truth
from lpmech.errors import UndecidedError
from lpmech.limits import time_limit
from lpmech.programs.solvers.real_roots import RealRoot, roots_apart

__all__ = [
    "METHOD",
    "TOO_LONG",
    "Cell",
    "Line",
    "coefficient",
    "decomposed",
    "first_whole",
    "inside",
    "last_whole",
    "line",
    "projected",
]

#: What the method of proof is called.
METHOD = "cylindrical decomposition"
#: So many polynomials, of such a degree in one parameter, and so many cuts are dealt with.
_MOST_POLYNOMIALS, _MOST_DEGREE, _MOST_CUTS = 24, 16, 300
_MOST_OF_RESULTANT = 240
#: Of a line.
TOO_LONG = UndecidedError("a line took too long")


@dataclass(frozen=True)
class Line:
    """What lies above a point of the base.

    Attributes
    ----------
    fibre : Fibre
    truths : tuple of bool or None
        Whether the statement holds on the parts of the line, in rising order; None: the hypotheses do not.
    """

    fibre: Fibre
    truths: tuple[bool | None, ...]


@dataclass(frozen=True)
class Cell(Line):
    """What lies above a point of the base, or above an open interval between two cuts: the line over one point of it.

    Attributes
    ----------
    lower, upper : RealRoot, optional
        The cuts; twice the same is the point. None: it has no end.
    base : Base
        The point over which the line is.
    is_decided : bool
        Whether the line was computed; if not, the statement is taken to hold nowhere on it.
    """

    lower: RealRoot | None
    upper: RealRoot | None
    base: Base
    is_decided: bool = True

    @property
    def is_point(self) -> bool:
        """Whether it lies above a point."""
        return self.lower is not None and self.lower is self.upper

    def among(self, number: int, where: Mapping[tuple[int, int], bool | None]) -> Cell | None:
        """The cell of this number with other truths; None where no part has one."""
        truths = tuple(where.get((number, part)) for part in range(len(self.truths)))
        return None if set(truths) == {None} else replace(self, truths=truths)

    def point(self, part: int) -> Base:
        """A point of a part of the line."""
        number, roots = part // 2, self.fibre.roots
        if part % 2:
            return self.base.above(roots[number], self.fibre.vanishing[number])
        return self.base.above(RealRoot.rational(between(roots)[number]), [])


def decomposed(
    statement: SignFormula,
    hypotheses: Sequence[SignFormula],
    polynomials: Sequence[Any],
    *,
    whole: bool,
    most_polynomials: int = _MOST_POLYNOMIALS,
    seconds: float | None = None,
) -> list[Cell | None]:
    """The cells in the order of the base: interval, cut, interval, ...; None where no point satisfies the hypotheses.

    Parameters
    ----------
    statement : formula
    hypotheses : sequence of formulas
    polynomials : sequence of flint.fmpz_mpoly
        Those of the formulas, irreducible and different.
    whole : bool
        Whether the parameter of the base is a whole number.
    most_polynomials : int
    seconds : float, optional
        Of processor time: what takes longer, or has numbers of too large a degree, is left undecided; default: it is
        refused.

    Raises
    ------
    OutsideError
        If there are too many polynomials or cuts, or their degree is too large.
    """
    if len(polynomials) > most_polynomials:
        raise OutsideError(f"{len(polynomials)} polynomials, more than {most_polynomials}")
    largest = max((degree_in(one, k) for one in polynomials for k in (0, 1)), default=0)
    if largest > _MOST_DEGREE:
        raise OutsideError(f"a polynomial of degree {largest} in one parameter, above {_MOST_DEGREE}")
    cuts = roots_apart(_irreducible(projected(polynomials)))
    if len(cuts) > _MOST_CUTS:
        raise OutsideError(f"{len(cuts)} values at which polynomials change, more than {_MOST_CUTS}")
    flat = {k for k, one in enumerate(polynomials) if not degree_in(one, 0)}
    of_base = [one for one in hypotheses if inside(one) <= flat]
    found, until = list[Cell | None](), time.process_time() + (seconds or 0)

    def cell(lower: RealRoot | None, upper: RealRoot | None, point: RealRoot) -> Cell | None:
        base = Base(point)
        signs = [0 if degree_in(one, 0) else base.sign_of(one) for one in polynomials]
        if not all(truth(one, signs) for one in of_base):
            return None
        try:
            with time_limit(max(until - time.process_time(), 1e-3), TOO_LONG) if seconds else nullcontext():
                own = line(base, statement, hypotheses, polynomials)
        except (OutsideError, UndecidedError):
            if seconds is None:
                raise
            return Cell(Fibre((), (), ((),), ()), (False,), lower, upper, base, is_decided=False)
        return None if set(own.truths) == {None} else Cell(own.fibre, own.truths, lower, upper, base)

    for number, sample in enumerate(between(cuts)):
        ends = (cuts[number - 1] if number else None), (cuts[number] if number < len(cuts) else None)
        inner = _whole_between(*ends) if whole else sample
        found.append(None if inner is None else cell(*ends, RealRoot.rational(inner)))
        if number < len(cuts):
            cut = cuts[number]
            is_met = not whole or first_whole(cut) == last_whole(cut)
            found.append(cell(cut, cut, cut) if is_met else None)
    return found


def line(base: Base, statement: SignFormula, hypotheses: Sequence[SignFormula], polynomials: Sequence[Any]) -> Line:
    """The line above a point."""
    fibre = over(base, polynomials)
    truths = (
        truth(statement, signs) is True if all(truth(one, signs) for one in hypotheses) else None
        for signs in fibre.signs
    )
    return Line(fibre, tuple(truths))


def projected(polynomials: Sequence[Any]) -> Iterator[Any]:
    """Polynomials without x that vanish at the cuts."""
    moving = [one for one in polynomials if degree_in(one, 0)]
    yield from (one for one in polynomials if not degree_in(one, 0))
    for one in moving:
        yield coefficient(one, degree_in(one, 0))
        if degree_in(one, 0) > 1:
            _check_size(one, one)
            yield one.discriminant("x")
    for one, other in combinations(moving, 2):
        _check_size(one, other)
        yield one.resultant(other, "x")


def _check_size(one: Any, other: Any) -> None:
    """Refuse a resultant that takes more than a second: nothing interrupts it, no limit on time is kept."""
    (n, *first), (m, *second) = one.degrees(), other.degrees()
    by_parameter = max(n * there + m * here for here, there in zip(first, second, strict=True))
    degree = min(by_parameter, one.total_degree() * other.total_degree())
    if degree > _MOST_OF_RESULTANT:
        raise OutsideError(f"a resultant may have degree {degree}, above {_MOST_OF_RESULTANT}")


def coefficient(polynomial: Any, power: int) -> Any:
    """Of a power of x."""
    every = {(0, *powers): c for (own, *powers), c in polynomial.to_dict().items() if own == power}
    return polynomial.context().from_dict(every)


def _irreducible(polynomials: Iterator[Any]) -> list[Any]:
    """Their irreducible factors, each once."""
    found = {tuple(map(int, one.coeffs())): one for each in polynomials for one, _ in in_base(each).factor()[1]}
    return list(found.values())


def inside(formula: SignFormula) -> set[int]:
    """The numbers of the polynomials in a formula."""
    if isinstance(formula, SignOf):
        return {number for number, _ in formula.factors} | formula.poles
    return set[int]().union(*map(inside, formula.parts))


def first_whole(root: RealRoot) -> int:
    """The least whole number that is not below a root."""
    number, last = int(root.lower.ceil()), int(root.upper.ceil())
    while number < last and RealRoot.rational(fmpq(number)).compared(root) < 0:
        root = root.halved()
        number, last = int(root.lower.ceil()), int(root.upper.ceil())
    return number


def last_whole(root: RealRoot) -> int:
    """The largest whole number that is not above a root."""
    first = first_whole(root)
    return first if RealRoot.rational(fmpq(first)).compared(root) == 0 else first - 1


def _whole_between(lower: RealRoot | None, upper: RealRoot | None) -> Any:
    """A whole number in an open interval, or None."""
    if lower is None:
        return fmpq(0 if upper is None else first_whole(upper) - 1)
    number = fmpq(last_whole(lower) + 1)
    return number if upper is None or RealRoot.rational(number).compared(upper) < 0 else None

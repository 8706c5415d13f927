"""What is no rational function but becomes one in part: Max and Min, roundings, factorials, binomials, hyperbolics."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, cast

from lpmech.certify.proofs.polynomials import MAX_EXPONENT, Quotient
from lpmech.certify.proofs.reading import Parsed

if TYPE_CHECKING:
    from lpmech.certify.proofs.algebra import Algebra

__all__ = ["binomial", "extreme", "factorial", "hyperbolic", "rounded"]


def extreme(algebra: Algebra, name: str, parts: Iterable[Parsed]) -> Quotient:
    """Max or Min: of arguments that differ by a number only one, in any order, and those of an argument that is one."""
    others: list[Quotient] = []
    for q in (inner for part in parts for inner in _compared(algebra, name, algebra.quotient(part))):
        apart = [algebra.as_number(algebra.sum(q, other, -1)) for other in others]
        place = next((n for n, number in enumerate(apart) if number is not None), None)
        if place is None:
            others.append(q)
        elif (cast(Fraction, apart[place]) > 0) == (name == "Max"):
            others[place] = q
    if len(others) == 1:
        return others[0]
    found = algebra.atom((name, frozenset(map(algebra.key, others))))
    algebra.parts[algebra.numbers[name, frozenset(map(algebra.key, others))]] = others
    return found


def _compared(algebra: Algebra, name: str, q: Quotient) -> list[Quotient]:
    """The arguments of a rational function that is a Max or Min; else itself."""
    if len(q.above) == 1 and not q.below:
        ((monomial, value),) = q.above.items()
        if value == 1 and [e for _, e in monomial] == [1] and algebra.keys[monomial[0][0]][0] == name:
            return algebra.parts[monomial[0][0]]
    return [q]


def rounded(algebra: Algebra, name: str, x: Quotient) -> Quotient | None:
    """floor(n + y) is n + floor(y) for a whole n; None where it stays as it is."""
    whole_part = {m: v for m, v in x.above.items() if not x.below and algebra.is_whole(Quotient({m: v}, {}))}
    rest = {m: v for m, v in x.above.items() if m not in whole_part}
    number = algebra.as_number(Quotient(rest, x.below))
    if number is not None:
        return algebra.sum(Quotient(whole_part, {}), algebra.number(floor(number) if name == "floor" else ceil(number)))
    own = algebra.atom((name, algebra.key(Quotient(rest, x.below))))
    return algebra.sum(Quotient(whole_part, {}), own) if whole_part else None


def factorial(algebra: Algebra, n: Quotient) -> Quotient | None:
    """(m + c)! by m! for a number c, where both are known to be defined; None where it stays as it is."""
    steps = Fraction(n.above.get((), 0))
    rest = algebra.sum(n, algebra.number(steps), -1)
    if n.below or steps.denominator != 1 or not -MAX_EXPONENT <= steps <= MAX_EXPONENT:
        return None
    found = algebra.number(1)
    if rest.above:
        if not steps or not _counts(algebra, n if steps < 0 else rest):
            return None
        algebra.needs.append(("whole", rest))
        found = algebra.atom(("factorial", algebra.key(rest)))
    elif steps < 0:
        return None
    for c in range(abs(int(steps))):  # below m none is zero, as (m + c)! is defined
        factor = algebra.sum(rest, algebra.number(c + 1 if steps > 0 else -c))
        found = algebra.product(found, factor if steps > 0 else algebra.inverse(factor))
    return found


def _counts(algebra: Algebra, n: Quotient) -> bool:
    """Whether a whole number is known not to be negative."""
    return algebra.is_positive(algebra.sum(n, algebra.number(1)))


def binomial(algebra: Algebra, n: Quotient, k: Quotient) -> Quotient | None:
    """By factorials where 0 <= k <= n is known, for whole numbers."""
    parts = n, k, algebra.sum(n, k, -1)
    if not all(_counts(algebra, part) for part in parts):
        return None
    algebra.needs += [("whole", n), ("whole", k)]
    above, *below = (factorial(algebra, part) or algebra.atom(("factorial", algebra.key(part))) for part in parts)
    return algebra.product(above, algebra.inverse(algebra.product(*below)))


def hyperbolic(algebra: Algebra, name: str, x: Quotient) -> Quotient:
    up, down = (algebra.split(("e",), algebra.product(algebra.number(sign), x), None) for sign in (1, -1))
    sine, cosine = (algebra.product(algebra.number(Fraction(1, 2)), algebra.sum(up, down, sign)) for sign in (-1, 1))
    if name == "tanh":  # the denominator is positive
        return algebra.product(sine, algebra.inverse(cosine))
    return sine if name == "sinh" else cosine

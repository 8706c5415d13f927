"""Polynomials over the rationals as dicts of exponents, which may be rational or negative, to numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache
from operator import add, sub
from typing import Any, NamedTuple

from lpmech.certify.proofs.reading import RefusedProofError

__all__ = [
    "MAX_BITS", "MAX_EXPONENT", "Exponent", "Monomial", "Polynomial", "Quotient", "added", "constant", "divided",
    "joined", "limited", "multiplied", "order", "primes", "proportion", "spent", "whole", "without_monomial",
]  # fmt: skip

MAX_TERMS, MAX_WORK, MAX_EXPONENT, MAX_BITS, MAX_SECONDS = 60_000, 20_000_000, 400, 2**16, 10.0
Exponent = int | Fraction
Monomial = tuple[tuple[int, Exponent], ...]
Polynomial = dict[Monomial, Any]


class Quotient(NamedTuple):
    """above / the product of powers of `below`; the keys of `below` are monic polynomials of two terms at least."""

    above: Polynomial
    below: dict[frozenset[Any], int]


class _Work:
    """How many products of terms may still be made, and until when."""

    def __init__(self) -> None:
        self.left, self.until = MAX_WORK, time.process_time() + MAX_SECONDS


_WORK: ContextVar[_Work | None] = ContextVar("_WORK", default=None)


@contextmanager
def limited() -> Iterator[None]:
    """Limit the work that is done within to that of one check; outside of checks there is no limit."""
    token = _WORK.set(_Work())
    try:
        yield
    finally:
        _WORK.reset(token)


def spent(amount: int = 0) -> None:
    """Count products, and look at the clock where they are many or none is counted."""
    work = _WORK.get()
    if work is None:
        return
    work.left -= amount
    if work.left < 0 or (not 0 < amount < 1000 and time.process_time() > work.until):
        raise RefusedProofError(f"more than {MAX_WORK} products of terms, or {MAX_SECONDS:g} seconds")


def constant(value: Any) -> Polynomial:
    """A number as a polynomial."""
    return {(): value} if value else {}


def whole(value: Any) -> Any:
    """A number, as an int if it is whole."""
    return value.numerator if type(value) is not int and value.denominator == 1 else value


def _over(a: Any, b: Any) -> Any:
    """A number over another, as an int if it is whole."""
    return a // b if type(a) is type(b) is int and not a % b else whole(Fraction(a) / b)


def joined(a: Monomial, b: Monomial) -> Monomial:
    """The product of two monomials."""
    if not a or not b:
        return a or b
    powers = dict(a)
    for atom, exponent in b:
        total = whole(powers.get(atom, 0) + exponent)
        if total:
            powers[atom] = total
        else:
            del powers[atom]
    return tuple(sorted(powers.items()))


def added(a: Polynomial, b: Polynomial, times: Any = 1) -> Polynomial:
    """a + times b."""
    found = dict(a)
    for monomial, value in b.items():
        total = found.get(monomial, 0) + times * value
        if total:
            found[monomial] = whole(total)
        else:
            found.pop(monomial, None)
    return found


def multiplied(a: Polynomial, b: Polynomial) -> Polynomial:
    """a b."""
    spent(len(a) * len(b))
    if len(a) > len(b):
        a, b = b, a
    found: Polynomial = {}
    for one, value in a.items():
        for other, factor in b.items():
            monomial = joined(one, other)
            found[monomial] = found.get(monomial, 0) + value * factor
    if len(found) > MAX_TERMS:
        raise RefusedProofError(f"a polynomial of more than {MAX_TERMS} terms")
    return {monomial: whole(value) for monomial, value in found.items() if value}


def divided(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """a / b, where that is a polynomial; None if not, or if it divides by an indeterminate by which a does not."""
    return _divided(frozenset(a.items()), frozenset(b.items()))


@lru_cache(20_000)
def _divided(above: frozenset[Any], below: frozenset[Any]) -> Polynomial | None:
    """Likewise; the same is asked again and again."""
    a = dict(above)
    found = _quotient(a, dict(below))
    if found is None:
        return None
    allowed = dict[int, Exponent]()
    for monomial in a:
        for atom, exponent in monomial:
            allowed[atom] = min(allowed.get(atom, 0), exponent)
    return found if all(e >= min(0, allowed.get(atom, 0)) for m in found for atom, e in m) else None


def _quotient(a: Polynomial, b: Polynomial) -> Polynomial | None:
    if not a:
        return {}
    if len(b) == 1:
        ((monomial, value),) = b.items()
        inverse = tuple((atom, -exponent) for atom, exponent in monomial)
        return multiplied(a, {inverse: _over(1, value)})
    (a, moved), (b, shifted) = without_monomial(a), without_monomial(b)
    most = _degrees(a)
    if any(exponent > most.get(atom, 0) for atom, exponent in _degrees(b).items()):
        return None  # degrees in one indeterminate add up
    atoms = sorted(most)
    rest, divisor = _by_degree(a, atoms), _by_degree(b, atoms)
    lead = max(divisor)
    if any(e < least for e, least in zip(min(rest), min(divisor), strict=True)):
        return None  # the last term of a product is the product of the last terms
    found: dict[tuple[Exponent, ...], Any] = {}
    for _ in range(400):
        if not rest:
            back = joined(moved, tuple((atom, -exponent) for atom, exponent in shifted))
            return {
                joined(tuple((atom, e) for atom, e in zip(atoms, m[1:], strict=True) if e), back): v
                for m, v in found.items()
            }
        top = max(rest)
        factor, value = tuple(map(sub, top, lead)), _over(rest[top], divisor[lead])
        if min(factor) < 0:
            return None
        found[factor] = value
        spent(len(divisor))
        for m, v in divisor.items():
            place = tuple(map(add, factor, m))
            if total := rest.get(place, 0) - value * v:
                rest[place] = whole(total)
            else:
                rest.pop(place, None)
    return None


def _by_degree(a: Polynomial, atoms: Sequence[int]) -> dict[tuple[Exponent, ...], Any]:
    """The same terms by degree and exponents, which add up in products and are in order."""
    found = {}
    for monomial, value in a.items():
        powers = dict(monomial)
        found[(sum(powers.values()), *(powers.get(atom, 0) for atom in atoms))] = value
    return found


def _degrees(a: Polynomial) -> dict[int, Exponent]:
    """The largest exponent of each indeterminate that occurs in a polynomial that has a term without it."""
    most: dict[int, Exponent] = {}
    for monomial in a:
        for atom, exponent in monomial:
            most[atom] = max(most.get(atom, 0), exponent)
    return most


def without_monomial(a: Polynomial) -> tuple[Polynomial, Monomial]:
    """A polynomial without a monomial that all its terms share, and that."""
    least: dict[int, Exponent] = {}
    terms = dict[int, int]()
    for monomial in a:
        for atom, exponent in monomial:
            least[atom] = min(least.get(atom, exponent), exponent)
            terms[atom] = terms.get(atom, 0) + 1
    least = {atom: e if terms[atom] == len(a) else min(e, 0) for atom, e in least.items()}
    common = tuple(sorted((atom, e) for atom, e in least.items() if e))
    inverse = tuple((atom, -e) for atom, e in common)
    return ({joined(m, inverse): v for m, v in a.items()} if common else a), common


def order(monomial: Monomial) -> Any:
    """By degree, then as words."""
    powers = dict(monomial)
    return sum(powers.values()), [(-atom, powers[atom]) for atom in sorted(powers)]


def primes(value: Fraction) -> list[tuple[int, int]]:
    """The primes up to 1000 in a positive number, and what is left of it."""
    found: list[tuple[int, int]] = []
    for part, sign in ((value.numerator, 1), (value.denominator, -1)):
        for prime in range(2, 1000):
            times = 0
            while part % prime == 0:
                part, times = part // prime, times + 1
            if times:
                found.append((prime, sign * times))
        if part > 1:
            found.append((part, sign))
    return found


def proportion(a: Polynomial, b: Polynomial) -> Any:
    """c with a = c b for polynomials that are not zero, or None."""
    if len(a) != len(b) or not a:
        return None
    monomial, value = next(iter(a.items()))
    if monomial not in b:
        return None
    ratio = _over(value, b[monomial])
    return ratio if all(m in b and v == ratio * b[m] for m, v in a.items()) else None

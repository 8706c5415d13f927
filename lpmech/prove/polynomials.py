"""Rational functions over the rationals as quotients of FLINT's polynomials, with powers of roots reduced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from lpmech.errors import UndecidedError

__all__ = ["Ring"]

_MOST_TERMS = 20_000

Quotient = tuple[fmpq_mpoly, fmpq_mpoly]


class Ring:
    """Polynomials in some symbols over the rationals, in which some symbols are roots.

    Parameters
    ----------
    symbols : sequence of Symbol
    roots : mapping of Symbol to (int, sympy expression)
        For a root g of degree q: (q, f) with g^q = f, where f is a rational function of the symbols.
    """

    def __init__(self, symbols: Sequence[sp.Symbol], roots: Mapping[sp.Symbol, tuple[int, sp.Expr]] | None = None):
        self.symbols = list(symbols)
        names = [f"x{i}" for i in range(len(self.symbols))] or ["x0"]
        self._context = fmpq_mpoly_ctx.get(names, Ordering.degrevlex)
        self._generators = dict(zip(self.symbols, self._context.gens(), strict=False))
        self.one, self.zero = self._context.constant(1), self._context.constant(0)
        self._roots = {
            self.symbols.index(root): (degree, self.quotient(power)) for root, (degree, power) in (roots or {}).items()
        }

    def quotient(self, expression: sp.Expr) -> Quotient:
        """Numerator and denominator, reduced by their common factor; the denominator is not the zero polynomial.

        Raises
        ------
        UndecidedError
            If the polynomials get too large, or a denominator is zero identically.
        """
        match expression:
            case sp.Symbol():
                return self._generators[expression], self.one
            case sp.Rational():
                return self._context.constant(fmpq(int(expression.p), int(expression.q))), self.one
            case sp.Add():
                return reduce(self._sum, map(self.quotient, expression.args))
            case sp.Mul():
                return reduce(self._product, map(self.quotient, expression.args))
            case sp.Pow() if expression.exp.is_Integer:
                return self._power(self.quotient(expression.base), int(expression.exp))
        raise UndecidedError(f"{expression} is no rational function of {self.symbols}")

    def is_zero(self, expression: sp.Expr) -> bool:
        """Whether the numerator vanishes once powers of roots are reduced.

        True proves that the expression is zero wherever it is defined; False proves that it is not only where the
        roots are independent.
        """
        return self.reduced(self.quotient(expression)[0]) == 0

    def reduced(self, polynomial: fmpq_mpoly) -> fmpq_mpoly:
        """A polynomial of lower degree in the roots with the same zeros (denominators of the f are multiplied out)."""
        changed = True
        while changed:
            changed = False
            for index, (degree, power) in reversed(self._roots.items()):
                if polynomial != 0 and polynomial.degrees()[index] >= degree:
                    polynomial, changed = self._lowered(polynomial, index, degree, power), True
        return polynomial

    def _lowered(self, polynomial: fmpq_mpoly, index: int, degree: int, power: Quotient) -> fmpq_mpoly:
        by_power: dict[int, dict[tuple[int, ...], Any]] = {}
        for exponents, coefficient in polynomial.to_dict().items():
            times, rest = divmod(exponents[index], degree)
            key = (*exponents[:index], rest, *exponents[index + 1 :])
            part = by_power.setdefault(times, {})
            part[key] = part.get(key, 0) + coefficient
        most = max(by_power)
        numerator, denominator = power
        parts = (
            self._context.from_dict(part) * numerator**times * denominator ** (most - times)
            for times, part in by_power.items()
        )
        return reduce(lambda a, b: a + b, parts)

    def expression(self, polynomial: fmpq_mpoly) -> sp.Expr:
        """A polynomial as a sympy expression."""
        terms = (
            sp.Rational(int(c.p), int(c.q))
            * sp.Mul(*(s**e for s, e in zip(self.symbols, exponents, strict=False) if e))
            for exponents, c in polynomial.to_dict().items()
        )
        return sp.Add(*terms)

    def factors(self, polynomial: fmpq_mpoly) -> tuple[sp.Rational, list[tuple[sp.Expr, int]]]:
        """Content and irreducible factors with their multiplicities."""
        content, parts = polynomial.factor()
        return sp.Rational(int(content.p), int(content.q)), [(self.expression(f), int(m)) for f, m in parts]

    def _sum(self, first: Quotient, second: Quotient) -> Quotient:
        if first[1] == second[1]:
            return self._lowest(first[0] + second[0], first[1])
        return self._lowest(first[0] * second[1] + second[0] * first[1], first[1] * second[1])

    def _product(self, first: Quotient, second: Quotient) -> Quotient:
        return self._lowest(first[0] * second[0], first[1] * second[1])

    def _power(self, base: Quotient, exponent: int) -> Quotient:
        numerator, denominator = base if exponent >= 0 else (base[1], base[0])
        if denominator == 0:
            raise UndecidedError("a denominator is zero identically")
        size = len(numerator) + len(denominator)
        if abs(exponent) > 400 or (size > 2 and size ** min(abs(exponent), 6) > 10**8):
            raise UndecidedError(f"a power of {exponent} is too large to be multiplied out")
        return numerator ** abs(exponent), denominator ** abs(exponent)

    def _lowest(self, numerator: fmpq_mpoly, denominator: fmpq_mpoly) -> Quotient:
        if len(numerator) > _MOST_TERMS or len(denominator) > _MOST_TERMS:
            raise UndecidedError(f"polynomials of more than {_MOST_TERMS} terms")
        if numerator == 0:
            return self.zero, self.one
        common = numerator.gcd(denominator)
        if common.is_one():
            return numerator, denominator
        return numerator / common, denominator / common

"""What algebra says of a relation: its sides' difference as a polynomial in factors, coefficients, roots.

sympy computes here; nothing of it is believed, since every condition that is made of it is proved afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, Protocol

import sympy as sp
from flint import fmpq, fmpz_poly

from lpmech.programs.solvers.real_roots import Interval, RealRoot
from lpmech.prove.from_sympy import term_of

__all__ = ["Factored", "Root", "coefficients", "factored", "real_roots", "roots_of_quadratic", "told_apart"]


@dataclass(frozen=True)
class Factored:
    """A quotient of polynomials: a sign, and irreducible factors with the multiplicity that counts for the sign.

    Attributes
    ----------
    sign : int
        1, -1, or 0 for the number zero.
    factors : tuple of (sympy expression, int, bool)
        A factor, its multiplicity, and whether it is one of the denominator.
    """

    sign: int
    factors: tuple[tuple[Any, int, bool], ...]


class Near(Interval, Protocol):
    """A number of which rational ones are known that are as near as one likes."""

    def near(self, tolerance: Fraction) -> Fraction:
        """A rational number that is nearer than the tolerance."""


@dataclass(frozen=True)
class Root:
    """A real root that has no short closed form.

    Attributes
    ----------
    polynomial : str
    number : Near
    digits : int
        So many are printed.
    unknown : str
        Of what it is a root, where that is no parameter.
    """

    polynomial: str
    number: Near
    digits: int = 10
    unknown: str = ""

    @property
    def lower(self) -> Fraction:
        """Between it and `upper` the polynomial has no other root."""
        return Fraction(int(self.number.lower.p), int(self.number.lower.q))

    @property
    def upper(self) -> Fraction:
        """The other end."""
        return Fraction(int(self.number.upper.p), int(self.number.upper.q))

    @property
    def near(self) -> str:
        """Its value."""
        size = max(abs(self.lower), abs(self.upper))
        value = self.number.near(size / 10 ** (self.digits + 2))
        with localcontext(prec=self.digits + 2):
            return f"{Decimal(value.numerator) / Decimal(value.denominator):.{self.digits}g}"

    def __str__(self) -> str:
        root = f"root {self.unknown}".strip()
        return f"{self.near}, the {root} of {self.polynomial} between {self.lower} and {self.upper}"


def told_apart(roots: Sequence[Root]) -> list[Root]:
    """Different roots with as many digits as they differ in, ten at least."""
    found = list(roots)
    while len({root.near for root in found}) < len(found):
        found = [replace(root, digits=root.digits + 10) for root in found]
    return found


def factored(difference: Any) -> Factored:
    """A rational function."""
    numerator, denominator = sp.fraction(sp.cancel(sp.together(difference)))
    sign, factors = 1, []
    for part, below in ((numerator, False), (denominator, True)):
        content, found = sp.factor_list(part)
        sign *= int(sp.sign(content))
        factors += [(f, int(m), below) for f, m in found]
    return Factored(sign, tuple(factors))


def coefficients(polynomial: Any, symbol: sp.Symbol) -> list[Any]:
    """Those of the powers of a symbol, the highest first."""
    return [sp.factor(c) for c in sp.Poly(polynomial, symbol).all_coeffs()]


def roots_of_quadratic(a: Any, b: Any, c: Any) -> tuple[Any, Any, Any]:
    """The discriminant, and the roots with the minus and with the plus before the square root."""
    half = sp.expand(b / 2)
    if not all(part.as_coeff_Mul()[0].is_integer for part in sp.Add.make_args(half)):
        a, half, c = 2 * a, b, 2 * c
    discriminant = sp.factor(half**2 - a * c)
    root = sp.sqrt(discriminant)
    return discriminant, _quotient(-half - root, a), _quotient(-half + root, a)


def _quotient(upper: Any, lower: Any) -> Any:
    return sp.expand(upper / lower) if lower.is_number else upper / lower


def real_roots(polynomial: Any, symbol: sp.Symbol) -> list[Root]:
    """The real roots of an irreducible polynomial in one symbol, isolated exactly."""
    poly = sp.Poly(polynomial, symbol)
    exact, shown = fmpz_poly([int(c) for c in reversed(poly.all_coeffs())]), str(term_of(polynomial))
    every = (tuple(fmpq(int(end.p), int(end.q)) for end in ends) for ends, _ in poly.intervals())
    unknown = "" if symbol.name.isidentifier() else symbol.name
    return told_apart([Root(shown, RealRoot(exact, *ends), unknown=unknown) for ends in every])

"""What algebra says of a relation: its sides' difference as a polynomial in factors, coefficients, roots.

sympy computes here; nothing of it is believed, since every condition that is made of it is proved afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.prove.from_sympy import term_of

__all__ = ["Factored", "Root", "coefficients", "factored", "real_roots", "roots_of_quadratic"]


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


@dataclass(frozen=True)
class Root:
    """A real root that has no short closed form.

    Attributes
    ----------
    polynomial : str
    lower, upper : Fraction
        The only root of the polynomial between them.
    near : float
        Its value.
    """

    polynomial: str
    lower: Fraction
    upper: Fraction
    near: float

    def __str__(self) -> str:
        return f"{self.near:.10g}, the root of {self.polynomial} between {self.lower} and {self.upper}"


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
    found = [root for root, _ in poly.intervals()]
    near = [poly.refine_root(*map(sp.Rational, ends), eps=sp.Rational(1, 10**10))[0] for ends in found]
    shown = str(term_of(polynomial))
    return [
        Root(shown, _exact(lower), _exact(upper), float(value))
        for (lower, upper), value in zip(found, near, strict=True)
    ]


def _exact(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))

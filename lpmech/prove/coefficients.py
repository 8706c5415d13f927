"""Inequalities that the signs of coefficients show: a certificate that a person can check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import sympy as sp
from flint import fmpq_mpoly
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from lpmech.errors import UndecidedError
from lpmech.prove.polynomials import Ring

__all__ = ["Coefficients", "no_negative_coefficient"]

_MOST_SYMBOLS = 10


@dataclass(frozen=True, eq=False)
class Coefficients:
    """A relation that the signs of coefficients show.

    Attributes
    ----------
    conclusion : relation
    bounds : mapping of Symbol to (sympy expression, relation)
        The lower bound that each symbol was moved to, and the hypothesis that says so.
    ring : Ring
        Its symbols stand for the differences to the bounds.
    numerator, denominator : polynomial
        Of the larger side less the smaller one, with coefficients of one sign.
    turned : bool
        Whether these are negative.
    """

    conclusion: Relational
    bounds: Mapping[sp.Symbol, tuple[sp.Expr, Boolean]]
    ring: Ring
    numerator: fmpq_mpoly
    denominator: fmpq_mpoly
    turned: bool


def no_negative_coefficient(hypotheses: Sequence[Boolean], conclusion: Relational) -> Coefficients | None:
    """Coefficients that prove a relation: symbols are replaced by lower bounds plus non-negative differences.

    The bounds are hypotheses of the form symbol >= other symbols or numbers. Where then no coefficient of numerator and
    denominator is negative, the quotient is not negative; it is positive if the constant term, or that of the
    variables known to be positive, is. Sufficient only: None says nothing.
    """
    if not isinstance(conclusion, (sp.Lt, sp.Le, sp.Gt, sp.Ge)):
        return None
    difference = conclusion.gts - conclusion.lts
    symbols = difference.free_symbols
    if len(symbols) > _MOST_SYMBOLS or not difference.is_rational_function(*symbols):
        return None
    shifts, positive = _shifts(hypotheses, symbols)
    if shifts is None:
        return None
    shifted = difference
    for symbol, bound, _ in shifts:
        shifted = shifted.subs(symbol, bound + symbol)
    try:
        ring = Ring(sorted(shifted.free_symbols, key=str))
        numerator, denominator = ring.quotient(shifted)
    except UndecidedError:
        return None
    signs = [_sign(part.to_dict(), ring.symbols, positive) for part in (numerator, denominator)]
    if 0 in signs or signs[1] not in (2, -2):
        return None
    strict = isinstance(conclusion, (sp.Lt, sp.Gt))
    product = signs[0] * signs[1] // 2
    if product < 1 or (strict and product < 2):
        return None
    bounds = {symbol: (bound, source) for symbol, bound, source in shifts}
    return Coefficients(conclusion, bounds, ring, numerator, denominator, signs[1] < 0)


def _sign(terms: dict[tuple[int, ...], object], symbols: list[sp.Symbol], positive: set[sp.Symbol]) -> int:
    """2 or -2: positive or negative throughout; 1 or -1: not negative or not positive; 0: not known."""
    if not terms:
        return 1
    signs = {1 if c > 0 else -1 for c in terms.values()}  # type: ignore[operator]
    if len(signs) > 1:
        return 0
    strict = any(all(s in positive for s, e in zip(symbols, exponents, strict=False) if e) for exponents in terms)
    return signs.pop() * (2 if strict else 1)


def _shifts(
    hypotheses: Sequence[Boolean], symbols: Iterable[sp.Symbol]
) -> tuple[list[tuple[sp.Symbol, sp.Expr, Boolean]] | None, set[sp.Symbol]]:
    """Substitutions in order, such that every symbol becomes its bound plus a non-negative symbol of the same name.

    A bound by another symbol is substituted before that symbol is itself shifted.
    """
    bounds: dict[sp.Symbol, sp.Expr] = {}
    sources: dict[sp.Symbol, Boolean] = {}
    positive: set[sp.Symbol] = set()
    for small, large, strict, source in sorted(_ordered(hypotheses), key=lambda b: len(b[0].free_symbols)):
        if isinstance(large, sp.Symbol) and not small.has(large):
            better = large not in bounds or small.free_symbols or (bounds[large].is_Rational and small > bounds[large])
            if better:
                bounds[large], sources[large] = small, source
                positive.discard(large)
            if strict and bounds[large] == small:
                positive.add(large)
                sources[large] = source
    wanted, order = set(symbols), []
    done: set[sp.Symbol] = set()
    while wanted:
        # next a symbol that bounds no remaining one from below
        used = set[sp.Symbol]().union(*(bounds[o].free_symbols for o in wanted if o in bounds))
        symbol = min(wanted - used, key=str, default=None)
        if symbol is None or symbol not in bounds or bounds[symbol].free_symbols & done:
            return None, set()
        order.append((symbol, bounds[symbol], sources[symbol]))
        done.add(symbol)
        wanted = (wanted | bounds[symbol].free_symbols) - done
    return order, positive


def _ordered(hypotheses: Iterable[Boolean]) -> Iterator[tuple[sp.Expr, sp.Expr, bool, Boolean]]:
    for h in hypotheses:
        if isinstance(h, sp.And):
            yield from _ordered(h.args)
        elif isinstance(h, (sp.Lt, sp.Le, sp.Gt, sp.Ge)):
            yield h.lts, h.gts, isinstance(h, (sp.Lt, sp.Gt)), h

"""Statements written by hand, each a trap for a prover: about poles, branches, ranges, integers and assumptions.

A false one carries the point at which it fails; a true one is checked at random points of its hypotheses.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import sympy as sp

from soundness.statement import Domain, Statement

__all__ = ["Corpus"]


class Corpus:
    """Collects statements; the methods are what a chapter of the corpus is written with."""

    def __init__(self, chapter: str) -> None:
        self.chapter = chapter
        self.statements: list[Statement] = []

    def true(self, line: str, conclusion: Any, *hypotheses: Any, only: Mapping[sp.Symbol, Any] | None = None) -> None:
        """Holds wherever the hypotheses do; `only`: values at which it is spot-checked, where few satisfy them."""
        symbols = sorted(set().union(*(sp.sympify(e).free_symbols for e in (conclusion, *hypotheses))), key=str)
        ranges = {s: (lambda _, __, s=s: sp.sympify(only[s])) if only and s in only else _any_value(s) for s in symbols}
        self._add(line, True, conclusion, hypotheses, Domain(hypotheses, ranges), None)

    def false(self, line: str, conclusion: Any, *hypotheses: Any, at: Mapping[sp.Symbol, Any]) -> None:
        """Fails at a point of the hypotheses."""
        self._add(line, False, conclusion, hypotheses, None, {s: sp.sympify(v) for s, v in at.items()})

    def vacuous(self, line: str, conclusion: Any, *hypotheses: Any) -> None:
        """Says nothing, for its hypotheses contradict each other."""
        self._add(line, None, conclusion, hypotheses, None, None)

    def _add(self, line: str, truth: bool | None, conclusion: Any, hypotheses: Any, domain: Any, witness: Any) -> None:
        self.statements.append(
            Statement(f"corpus {self.chapter}", line, truth, conclusion, hypotheses, domain, witness)
        )


def _any_value(symbol: sp.Symbol) -> Any:
    def draw(rng: Random, _: Mapping[sp.Symbol, Any]) -> Any:
        value = sp.Integer(rng.randint(-4, 12))
        return value if symbol.is_integer or rng.random() < 0.3 else value + sp.Rational(rng.randint(1, 11), 12)

    return draw


def eq(a: Any, b: Any) -> Any:
    """a = b, as written."""
    return sp.Eq(a, b, evaluate=False)


def ge(a: Any, b: Any) -> Any:
    """a >= b, as written."""
    return sp.Ge(a, b, evaluate=False)


def gt(a: Any, b: Any) -> Any:
    """a > b, as written."""
    return sp.Gt(a, b, evaluate=False)

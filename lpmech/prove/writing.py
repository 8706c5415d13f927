"""Formulas of the search as texts, with a name of its own for everything that has none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import sympy as sp

from lpmech.prove.from_sympy import term_of
from lpmech.prove.objects import Goal
from lpmech.terms import Name, Node, Term, names_in, substituted

__all__ = ["Writer"]


class Writer:
    """Writes formulas; symbols that belong to the search get new names, generators are written as what they stand for.

    Parameters
    ----------
    meanings : mapping of Symbol to sympy expression
        What generators stand for, in symbols and other generators.
    """

    def __init__(self, meanings: Mapping[sp.Symbol, sp.Expr] | None = None):
        self._meanings = dict(meanings or {})
        self._names: dict[sp.Symbol, str] = {}
        self._texts: dict[Any, str] = {}
        self._free: dict[str, set[str]] = {}

    def with_meanings(self, meanings: Mapping[sp.Symbol, sp.Expr]) -> Writer:
        """Another one that knows generators; the same names."""
        if not meanings:
            return self
        other = Writer(meanings)
        other._names, other._free = self._names, self._free
        return other

    def text(self, formula: Any) -> str:
        """The text of a term, or of a formula of sympy's."""
        if formula not in self._texts:
            found = cast(Node, formula) if isinstance(formula, Term) else self._term(formula)
            names = names_in(found)
            if others := {name: Name(_letter(name)) for name in names if "*" in name}:
                found = substituted(found, others)
                names = names_in(found)
            self._texts[formula] = text = str(found)
            self._free[text] = names
        return self._texts[formula]

    def _term(self, formula: Any) -> Node:
        own = [symbol for symbol in formula.free_symbols if isinstance(symbol, sp.Dummy)]
        named = {symbol: sp.Symbol(self._name(symbol)) for symbol in own}
        found = term_of(formula.xreplace(named) if named else formula)
        meant = {self._name(s): self._term(self._meanings[s]) for s in own if s in self._meanings}
        meant |= {s.name: self._term(self._meanings[s]) for s in formula.free_symbols - set(own) if s in self._meanings}
        return substituted(found, meant) if meant else found

    def _name(self, symbol: sp.Symbol) -> str:
        if symbol not in self._names:
            plain = re.sub(r"\W", "", symbol.name) or "n"
            self._names[symbol] = f"{plain}_{len(self._names) + 1}_"
        return self._names[symbol]

    def goal(self, hypotheses: Sequence[str], conclusion: str, integers: Iterable[sp.Symbol]) -> Goal:
        """A goal of texts that this writer has written; its parameters are the names in them."""
        kept = tuple(dict.fromkeys(h for h in hypotheses if h != "True"))
        whole = {self._names.get(symbol, _letter(symbol.name)) for symbol in integers}
        names = sorted(set[str]().union(*(self._names_in(text) for text in (*kept, conclusion))))
        return Goal({name: "whole" if name in whole else "real" for name in names}, kept, conclusion)

    def joined(self, texts: Sequence[str]) -> str:
        """Relations that this writer has written, as one condition."""
        text = " and ".join(texts)
        self._free[text] = set[str]().union(*map(self._names_in, texts))
        return text

    def _names_in(self, text: str) -> set[str]:
        return self._free.get(text, set())


def _letter(name: str) -> str:
    """The name of a parameter as one word: p* is p_star, which no product is taken for."""
    return name.replace("*", "_star")

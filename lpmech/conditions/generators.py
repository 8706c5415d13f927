"""Exponentials, roots, logarithms and powers in a relation as letters of their own, and bounds on them undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from lpmech.prove.from_sympy import term_of
from lpmech.terms import ONE, ZERO, Apply, Name, Node

__all__ = ["Letters"]


@dataclass
class Letters:
    """The letters that stand for terms.

    Attributes
    ----------
    meanings : dict of Symbol to sympy expression
    """

    meanings: dict[sp.Symbol, Any] = field(default_factory=dict)

    def rational(self, expression: Any) -> Any | None:
        """The expression with letters for what is not rational in it; None if that does not make it rational."""
        for root in sorted(expression.atoms(sp.Pow), key=sp.default_sort_key):
            if root.base.is_Symbol and root.exp.is_Rational and not root.exp.is_Integer:
                letter = self._letter(sp.Pow(root.base, sp.Rational(1, root.exp.q)))
                positive = sp.Symbol(letter.name, positive=True)
                expression = expression.subs(root.base, positive**root.exp.q).subs(positive, letter)
        expression = self._exponentials(expression)
        for atom in sorted(expression.atoms(sp.log), key=sp.default_sort_key):
            expression = expression.subs(atom, self._letter(atom))
        powers = [p for p in expression.atoms(sp.Pow) if not p.exp.is_Integer]
        for power in sorted(powers, key=sp.default_sort_key):
            expression = expression.subs(power, self._letter(power))
        symbols = expression.free_symbols
        is_real = not expression.has(sp.I)  # a root of -3 x, where x is no more than 0
        return expression if is_real and expression.is_rational_function(*symbols) else None

    def _exponentials(self, expression: Any) -> Any:
        """Each exponential as a power of the one with the greatest common exponent."""
        by_rest: dict[Any, list[tuple[Any, Any]]] = {}
        for atom in sorted(expression.atoms(sp.exp), key=sp.default_sort_key):
            coefficient, rest = atom.exp.as_coeff_Mul()
            by_rest.setdefault(rest, []).append((atom, coefficient))
        for rest, found in by_rest.items():
            step = sp.gcd_list([abs(c) for _, c in found])
            letter = self._letter(sp.exp(step * rest))
            for atom, coefficient in found:
                expression = expression.subs(atom, letter ** (coefficient / step))
        return expression

    def _letter(self, meaning: Any) -> sp.Symbol:
        known = next((letter for letter, own in self.meanings.items() if own == meaning), None)
        if known is None:
            known = sp.Symbol(f"_{len(self.meanings)}", positive=True if isinstance(meaning, sp.exp) else None)
            self.meanings[known] = meaning
        return known

    def term(self, expression: Any) -> Node:
        """As it is without letters."""
        while set(self.meanings) & expression.free_symbols:
            expression = expression.subs(self.meanings)
        return term_of(expression)

    def quotient(self, bound: Any) -> Node:
        """A bound as a fraction, with as few signs as may be."""
        upper, lower = sp.fraction(bound)
        written = [self._over(_short(sign * upper), _short(sign * lower)) for sign in (1, -1)]
        return min(written, key=lambda node: ("/-" in str(node), str(node).count("-("), len(str(node))))

    def _over(self, upper: Any, lower: Any) -> Node:
        return self.term(upper) if lower == 1 else Apply("/", (self.term(upper), self.term(lower)))

    def names(self, symbol: sp.Symbol) -> set[str]:
        """The parameters that a letter stands for, or the name of a parameter."""
        return {s.name for s in self.meanings.get(symbol, symbol).free_symbols}

    def hidden(self, polynomial: Any) -> set[sp.Symbol]:
        """Parameters inside of the letters of a polynomial, and letters for numbers: it is not solved for these."""
        letters = set(self.meanings) & polynomial.free_symbols
        inside = set[sp.Symbol]().union(*(self.meanings[letter].free_symbols for letter in letters))
        return inside | {letter for letter in letters if not self.meanings[letter].free_symbols}

    def undone(self, symbol: sp.Symbol, relation: str, bound: Any, follows: Callable[[Node], bool]) -> Node | None:
        """``letter relation bound`` as a bound on the parameter inside; None where that is not known to be the same."""
        meaning = self.meanings.get(symbol)
        if meaning is None:
            return None
        if isinstance(meaning, sp.exp):
            coefficient, rest = meaning.exp.as_coeff_Mul()
            if not (rest.is_Symbol and coefficient > 0 and follows(Apply(">", (self.term(bound), ZERO)))):
                return None
            return Apply(relation, (Name(rest.name), self.term(sp.log(bound) / coefficient)))
        if isinstance(meaning, sp.log) and meaning.args[0].is_Symbol:
            return Apply(relation, (Name(meaning.args[0].name), self.term(sp.exp(bound))))
        if meaning.is_Pow and meaning.base.is_Symbol and meaning.exp.is_Symbol:
            return self._exponent(meaning, relation, bound, follows)
        if meaning.is_Pow and meaning.exp.is_Rational and meaning.base.is_Symbol:
            if not follows(Apply(">=", (self.term(bound), ZERO))):
                return None
            return Apply(relation, (Name(meaning.base.name), self.term(sp.expand(bound ** (1 / meaning.exp)))))
        return None

    def _exponent(self, power: Any, relation: str, bound: Any, follows: Callable[[Node], bool]) -> Node | None:
        """A bound on t**K as one on K, where t is above one."""
        base, exponent = self.term(power.base), self.term(power.exp)
        if power.free_symbols & bound.free_symbols or not follows(Apply(">", (base, ONE))):
            return None
        if not follows(Apply(">", (self.term(bound), ZERO))):
            return None
        return Apply(relation, (exponent, Apply("/", (self.term(sp.log(bound)), self.term(sp.log(power.base))))))


def _short(expression: Any) -> Any:
    """The expression with a sign before it inside of a factor, where that is shorter."""
    sums = [factor for factor in sp.Mul.make_args(expression) if factor.is_Add]
    inside = [-expression.xreplace({one: sp.expand(-one)}) for one in sums] if expression.is_Mul else []
    return min([expression, sp.expand(expression), *inside], key=lambda e: (str(e).count("-"), len(str(e))))

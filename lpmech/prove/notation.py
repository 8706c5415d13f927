"""What the engine is asked, as mathematics: the notation of `lpmech.mathematics`, made from the very formula."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp
from sympy.printing.conventions import split_super_sub
from sympy.printing.latex import LatexPrinter, translate

__all__ = ["latex_of"]

_JOINED = {sp.And: r" \text{ and } ", sp.Or: r" \text{ or } ", sp.Equivalent: r" \Leftrightarrow "}
_FUNCTIONS = {"exp", "log", "sinh", "cosh", "tanh", "coth", "sin", "cos", "tan"}


def latex_of(formula: Any) -> str:
    """A formula as LaTeX, without dollars.

    Parameters
    ----------
    formula : sympy expression, relation or Boolean
        As it was asked; nothing is evaluated.
    """
    return re.sub(r"\s+", " ", _Printer({"fold_short_frac": False}).doprint(formula)).strip()


class _Printer(LatexPrinter):
    """Sympy's, with the signs of the notation."""

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        return _named(expr.name)

    _print_Dummy = _print_Symbol  # noqa: N815

    def _print_Entry(self, expr: Any) -> str:
        return f"{_named(expr.args[0].name)}_{{{', '.join(map(self._print, expr.indices))}}}"

    def _print_Each(self, expr: Any) -> str:
        ranges = (
            f"{self._print(i)} = {self._print(first)}, \\dots, {self._print(last)}" for i, first, last in expr.limits
        )
        return f"{self._print(expr.function)} \\text{{ for each }} {', '.join(ranges)}"

    def _print_Relational(self, expr: Any) -> str:
        sign = {"==": "=", "!=": r"\ne", "<=": r"\le", ">=": r"\ge"}.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    _print_Equality = _print_Unequality = _print_Relational  # noqa: N815

    def _joined(self, expr: Any) -> str:
        parts = (f"({self._print(p)})" if type(p) in _JOINED else self._print(p) for p in sp.ordered(expr.args))
        return _JOINED[type(expr)].join(parts)

    _print_And = _print_Or = _print_Equivalent = _joined  # noqa: N815

    def _print_Implies(self, expr: Any) -> str:
        first, then = (f"({self._print(p)})" if type(p) in _JOINED else self._print(p) for p in expr.args)
        return f"{first} \\Rightarrow {then}"

    def _print_Not(self, expr: Any) -> str:
        return f"\\neg ({self._print(expr.args[0])})"

    def _print_BooleanTrue(self, expr: Any) -> str:
        return r"\text{true}"

    def _print_BooleanFalse(self, expr: Any) -> str:
        return r"\text{false}"

    def _print_Contains(self, expr: Any) -> str:
        return f"{self._print(expr.args[0])} \\in \\mathbb{{Z}}"

    def _print_Piecewise(self, expr: Any) -> str:
        cases = [
            f"{self._print(value)} \\text{{ if }} {self._print(c)}"
            if c != sp.true
            else f"{self._print(value)} \\text{{ else}}"
            for value, c in expr.args
        ]
        return f"\\{{{'; '.join(cases)}\\}}"

    def _print_binomial(self, expr: Any, exp: Any = None) -> str:
        return self._raised(f"\\mathrm{{C}}({self._print(expr.args[0])}, {self._print(expr.args[1])})", exp)

    def _print_Mod(self, expr: Any, exp: Any = None) -> str:
        return self._raised(f"({self._print(expr.args[0])} \\text{{ mod }} {self._print(expr.args[1])})", exp)

    def _print_sign(self, expr: Any, exp: Any = None) -> str:
        return self._raised(f"\\mathrm{{sign}}({self._print(expr.args[0])})", exp)

    def _print_factorial(self, expr: Any, exp: Any = None) -> str:
        return self._raised(
            f"({self._print(expr.args[0])})!" if expr.args[0].args else f"{self._print(expr.args[0])}!", exp
        )

    def _print_Function(self, expr: Any, exp: Any = None) -> str:
        name = expr.func.__name__
        name = f"\\{name}" if name in _FUNCTIONS else f"\\mathrm{{{name}}}"
        return f"{name}{'' if exp is None else f'^{{{exp}}}'}({', '.join(map(self._print, expr.args))})"

    _print_log = _print_Function

    def _print_floor(self, expr: Any, exp: Any = None) -> str:
        return self._raised(f"\\lfloor {self._print(expr.args[0])} \\rfloor", exp)

    def _print_ceiling(self, expr: Any, exp: Any = None) -> str:
        return self._raised(f"\\lceil {self._print(expr.args[0])} \\rceil", exp)

    def _print_Abs(self, expr: Any, exp: Any = None) -> str:
        return self._raised(f"|{self._print(expr.args[0])}|", exp)

    @staticmethod
    def _raised(text: str, exp: Any) -> str:
        return text if exp is None else f"{{{text}}}^{{{exp}}}"


def _named(name: str) -> str:
    """A name of Python's as a letter with scripts: ``p_min``, ``S1``, ``beta``, ``p[2]``."""
    name, _, entry = name.partition("[")
    letter, above, below = split_super_sub(name)
    lower = ", ".join([*map(_word, below), *([entry.rstrip("]")] if entry else [])])
    upper = ", ".join(map(_word, above))
    return _word(letter) + (f"_{{{lower}}}" if lower else "") + (f"^{{{upper}}}" if upper else "")


def _word(text: str) -> str:
    found = translate(text)
    return f"\\mathrm{{{text}}}" if len(found) > 1 and found == text and not text.isdigit() else found

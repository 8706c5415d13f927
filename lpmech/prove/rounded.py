"""Floor, ceiling and Mod of which sympy rounds no irrational constant: it takes ceiling(1 + 1e-120) for 1.

The engine's own evaluator rounds them, in balls that shrink until one whole number is left.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.errors import UndecidedError
from lpmech.prove.evaluate import UndefinedError, value_of

__all__ = ["Mod", "ceiling", "floor"]


class _Rounded:
    """Of rational numbers and of what has symbols, sympy's; of other constants, the evaluator's, if it is rational."""

    def __new__(cls, *arguments: Any, evaluate: bool = True) -> Any:
        given = [sp.sympify(a) for a in arguments]
        if not evaluate or any(a.free_symbols for a in given) or all(a.is_Rational for a in given):
            return super().__new__(cls, *given, evaluate=evaluate)  # type: ignore[call-arg]
        node = super().__new__(cls, *given, evaluate=False)  # type: ignore[call-arg]
        try:
            value = value_of(node, {})
        except (UndefinedError, UndecidedError):
            return node
        return sp.Rational(value.numerator, value.denominator) if hasattr(value, "denominator") else node


class floor(_Rounded, sp.floor):  # noqa: N801, sympy prints the name
    """The largest whole number below or at a number."""


class ceiling(_Rounded, sp.ceiling):  # noqa: N801, as above
    """The smallest whole number above or at a number."""


class Mod(_Rounded, sp.Mod):
    """What is left of the first number when the second is taken away floor(first / second) times."""

"""The three answers of the engine: a statement holds, fails at a point, or is undecided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

__all__ = ["Answer", "Fails", "Holds", "Undecided", "Witness"]


@dataclass(frozen=True)
class Witness:
    """A point inside the hypotheses at which a statement is violated; both sides were evaluated, twice.

    Attributes
    ----------
    point : mapping of sympy Symbol to sympy number
        Rational or real algebraic values of the symbols.
    violation : str
        What is violated, with the values of both sides.
    """

    point: Mapping[sp.Symbol, sp.Expr]
    violation: str

    @property
    def where(self) -> str:
        """The point in words."""
        return ", ".join(f"{s} = {v}" for s, v in sorted(self.point.items(), key=lambda p: str(p[0]))) or "everywhere"

    def __str__(self) -> str:
        return f"{self.where}: {self.violation}"


@dataclass(frozen=True)
class Holds:
    """The statement is true at every point of its hypotheses.

    Attributes
    ----------
    methods : tuple of str
        The methods of proof, from the list in `lpmech.prove.engine`.
    example : mapping of Symbol to sympy number
        A point of the hypotheses, which shows that they are satisfiable.
    """

    methods: tuple[str, ...]
    example: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)

    @property
    def method(self) -> str:
        """The methods in words."""
        return ", ".join(self.methods) or "nothing to show"

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True)
class Fails:
    """The statement is false.

    Attributes
    ----------
    witness : Witness
        Where.
    """

    witness: Witness

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Undecided:
    """Neither a proof nor a counterexample was found.

    Attributes
    ----------
    reason : str
        What stood in the way.
    """

    reason: str

    def __bool__(self) -> bool:
        return False


Answer = Holds | Fails | Undecided

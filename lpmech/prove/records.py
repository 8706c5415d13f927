"""What the search has done to prove a statement, kept as it goes along: what `lpmech.prove.rendering` writes down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.prove.clearing import Cleared
from lpmech.prove.coefficients import Coefficients
from lpmech.prove.language import Sequent
from lpmech.prove.product_cases import Refutation

__all__ = ["Algebraic", "Record"]


@dataclass(frozen=True, eq=False)
class Algebraic:
    """How a conclusion follows from hypotheses over symbols and generators.

    Attributes
    ----------
    hypotheses : tuple of (sympy Boolean, Cleared)
        Each, and what it is without denominators.
    conclusion : sympy Boolean
    cleared : Cleared
        The conclusion.
    found : Coefficients or Refutation
    meanings : mapping of Symbol to sympy expression
        What generators stand for.
    """

    hypotheses: tuple[tuple[Boolean, Cleared], ...]
    conclusion: Boolean
    cleared: Cleared
    found: Coefficients | Refutation
    meanings: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Record:
    """A statement, and how it was proved.

    Attributes
    ----------
    how : str
        "parts", "implication", "defined" (conditions first, the statement last), "put in" (an equation), "cases",
        "identity", "sums" (an identity, or a part, that has some), "evaluation", "algebra", "asked" (what the user
        wrote), or else a method that makes no object.
    statement : Sequent
    parts : tuple of Record
    data : Any
        "put in": symbol and equation; "algebra": `Algebraic`; "cases": the statements of the cases; "sums": each with
        what finds out how it telescopes; "asked": conclusion and hypotheses as they were written.
    """

    how: str
    statement: Sequent
    parts: tuple[Record, ...] = ()
    data: Any = None

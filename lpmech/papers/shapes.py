"""Shapes that checks have in several papers: an identity, both directions of a condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from lpmech.claims import Relations

__all__ = ["equals", "iff"]


def equals(name: str, value: Any, *arguments: Any) -> Callable[[Any], Relations]:
    """The check that the formula, at these arguments, is the value."""
    return lambda formula: {name: (value, formula(*arguments))}


def iff(claimed: Any, fact: Any, what: str = "fact", words: str = "condition") -> Relations:
    """Both directions of "claimed iff fact", by name."""
    return {f"{words} => {what}": sp.Implies(claimed, fact), f"{what} => {words}": sp.Implies(fact, claimed)}

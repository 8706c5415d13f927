"""The entries of RR and RRTop-k (eq. (1), Alg. 1), and checks of formulas that give them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lpmech.claims import Relations
from lpmech.papers.ghazi2021.paper import K, T
from lpmech.terms import functions as tm


def top_k(t: Any, k: Any) -> tuple[Any, Any, Any]:
    """Alg. 1: (true label kept, other kept label, kept label when the true one is not kept); at k = K eq. (1) too."""
    return t / (t + k - 1), 1 / (t + k - 1), 1 / k


def is_top_k(*entries: Any, k: Any = K) -> Relations:
    """That these are the entries of Alg. 1 at k labels; without the last one those of eq. (1)."""
    return dict(
        zip(("true label", "other kept label", "not kept"), zip(entries, top_k(T, k), strict=False), strict=False)
    )


def of_entries(number: int, t: Any = T, k: Any = K) -> Callable[[Callable[..., Relations]], Callable[[Any], Relations]]:
    """Makes relations among so many entries a check of the formula that gives them; another number is refuted."""

    def made(relations: Callable[..., Relations]) -> Callable[[Any], Relations]:
        def check(formula: Any) -> Relations:
            found = formula(t, k)
            return relations(*found) if len(found) == number else {f"{len(found)} entries, not {number}": tm.FALSE}

        return check

    return made

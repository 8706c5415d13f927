"""What was tried of a statement that stays undecided, and what may help."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp
from sympy.core.relational import Relational

from lpmech.prove.answers import Undecided
from lpmech.prove.derivative import has_slopes
from lpmech.prove.language import Sequent, settled
from lpmech.prove.search import bounds
from lpmech.prove.vectors import has_vectors

__all__ = ["after_attempts"]

_CASES = (sp.Piecewise, sp.Abs, sp.Max, sp.Min, sp.floor, sp.ceiling, sp.Mod, sp.sign)
_STEPS = (
    "steps: ask for an inequality between, by itself, and then for this one with it among the hypotheses (--where; in "
    "a claim `yield [hypotheses], {name: relation}`)"
)


def after_attempts(answer: Undecided, statement: Sequent, points: int) -> Undecided:
    """The answer with the methods and points that were tried, and with hints."""
    return replace(answer, methods=_methods(statement), points=points, hints=_hints(statement))


def _methods(statement: Sequent) -> tuple[str, ...]:
    conclusion = settled(statement.conclusion, statement.integers)
    found = ["identities", "coefficients", "products of the hypotheses", "SMT"]
    whole = conclusion.free_symbols & statement.integers
    for tried, name in (
        (has_vectors(conclusion), "sums over an index termwise"),
        (conclusion.has(sp.Sum, sp.Product) and not has_vectors(conclusion), "closed forms of sums"),
        (conclusion.has(*_CASES), "cases"),
        (bool(whole) and not has_vectors(conclusion), "induction"),
        (any(map(has_slopes, conclusion.atoms(Relational))) and not has_vectors(conclusion), "derivative"),
    ):
        if tried:
            found.append(name)
    return (*found, "sums of squares") if not has_vectors(conclusion) else tuple(found)


def _hints(statement: Sequent) -> tuple[str, ...]:
    found: list[str] = []
    conclusion = settled(statement.conclusion, statement.integers)
    powers = {n.base for n in conclusion.atoms(sp.Pow) if n.exp.free_symbols and n.base.free_symbols}
    for base in sorted(powers, key=str):
        if base.is_Symbol and bounds(base, statement.hypotheses)[0] is None:
            found.append(f"{base} > 0 or {base} >= 0 among the hypotheses, if it is so: a power stands on it")
    for symbol in sorted(conclusion.free_symbols, key=str):
        lower, upper, *_ = bounds(symbol, statement.hypotheses)
        if symbol in statement.integers and upper is None:
            found.append(f"a value or a bound of {symbol}, such as {symbol} <= {(0 if lower is None else lower) + 6}")
        elif upper is None and lower is None:
            found.append(f"bounds of {symbol}")
    if len(conclusion.atoms(Relational)) > 1:
        found.append("its parts one by one")
    return (*found[:3], _STEPS)

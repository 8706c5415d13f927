"""What a prover was given, in words a reader can check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import sympy as sp

from lpmech.prove.from_sympy import term_of
from lpmech.prove.language import stated
from lpmech.terms import Apply, Term
from lpmech.terms.latex import latex_of as latex_of_term

__all__ = ["formula_in_words", "hypotheses_in_notation", "latex_of"]

_SIGNS = {
    "**": "^", "sqrt": "√", " == ": " = ", " != ": " ≠ ", " <= ": " ≤ ", " >= ": " ≥ ", " in Integers": " an integer",
}  # fmt: skip


def formula_in_words(formula: Any) -> str:
    """A formula, of terms or of sympy's, on one line: ``x^2 ≤ 2 x``, ``K = 2 or K ≥ 5``."""
    text = str(term_of(formula))
    for written, shown in _SIGNS.items():
        text = text.replace(written, shown)
    return re.sub(r"(?<=[\w)])\*(?=[\w(√])", " ", text)


def latex_of(formula: Any) -> str:
    """A formula, of terms or of sympy's, as LaTeX in the notation of `lpmech.mathematics`, without dollars."""
    return latex_of_term(term_of(formula))


def hypotheses_in_notation(hypotheses: Sequence[Any], *conclusions: Any) -> str:
    """The hypotheses as the prover reads them, assumptions on symbols included, as formulas between dollars.

    Parameters
    ----------
    hypotheses : sequence of relations
    *conclusions : relation
        What was asked: assumptions on their symbols are hypotheses, too.
    """
    if all(isinstance(formula, Term) for formula in (*hypotheses, *conclusions)):
        given = [part for hypothesis in hypotheses for part in _conjuncts(hypothesis)]
        whole = [part.arguments[0] for part in given if _is_domain(part)]
        parts = [part for part in given if not _is_domain(part)]
    else:
        statements = [stated(conclusion, hypotheses) for conclusion in conclusions or (sp.true,)]
        parts = [h for statement in statements for h in statement.hypotheses]
        whole = [s for statement in statements for s in statement.integers if s in statement.symbols]
    texts = {formula_in_words(part): latex_of(part) for part in parts}
    positive = {text.split(" ")[0] for text in texts if re.fullmatch(r"\S+ [>≥] [1-9]\d*(/\d+)?", text)}
    implied = {f"{name} {relation} 0" for name in positive for relation in ">≥≠"}
    kept = [f"${latex}$" for text, latex in texts.items() if text not in implied]
    integers = [f"${latex}$" for latex in sorted({latex_of(part) for part in whole})]
    if integers:
        kept.append(f"{', '.join(integers)} {'an integer' if len(integers) == 1 else 'integers'}")
    return ", ".join(kept)


def _conjuncts(formula: Any) -> list[Any]:
    match formula:
        case Apply("and", parts):
            return [inner for part in parts for inner in _conjuncts(part)]
    return [formula]


def _is_domain(formula: Any) -> bool:
    return isinstance(formula, Apply) and formula.operation == "whole"

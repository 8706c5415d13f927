"""What a prover was given, in words a reader can check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import sympy as sp

from lpmech.prove.language import stated

__all__ = ["formula_in_words", "hypotheses_in_words"]

_RELATIONS = {sp.Eq: "=", sp.Ne: "≠", sp.Lt: "<", sp.Le: "≤", sp.Gt: ">", sp.Ge: "≥"}
_JOINED = {sp.And: " and ", sp.Or: " or ", sp.Implies: " implies ", sp.Equivalent: " iff "}


def formula_in_words(formula: Any) -> str:
    """A formula on one line: ``x^2 ≤ 2 x``, ``K = 2 or K ≥ 5``."""
    of = type(formula)
    if of in _RELATIONS:
        return f"{_expression(formula.lhs)} {_RELATIONS[of]} {_expression(formula.rhs)}"
    if of in _JOINED:
        parts = [
            f"({formula_in_words(a)})" if type(a) in _JOINED else formula_in_words(a)
            for a in (formula.args if of is sp.Implies else sp.ordered(formula.args))
        ]
        return _JOINED[of].join(parts)
    if isinstance(formula, sp.Not):
        return f"not ({formula_in_words(formula.args[0])})"
    return _expression(formula)


def _expression(expression: Any) -> str:
    text = sp.sstr(expression).replace("**", "^").replace("sqrt", "√")
    return re.sub(r"(?<=[\w)])\*(?=[\w(√])", " ", text)


def hypotheses_in_words(hypotheses: Sequence[Any], *conclusions: Any) -> str:
    """The hypotheses as the prover reads them, those that are assumptions on symbols included.

    Parameters
    ----------
    hypotheses : sequence of relations
    *conclusions : relation
        What was asked: assumptions on their symbols are hypotheses, too.
    """
    statements = [stated(conclusion, hypotheses) for conclusion in conclusions or (sp.true,)]
    parts = [formula_in_words(h) for statement in statements for h in statement.hypotheses]
    positive = {part.split(" ")[0] for part in parts if re.fullmatch(r"\S+ [>≥] [1-9]\d*(/\d+)?", part)}
    implied = {f"{name} {relation} 0" for name in positive for relation in ">≥≠"}
    kept = [part for part in dict.fromkeys(parts) if part not in implied]
    whole = sorted({s.name for statement in statements for s in statement.integers if s in statement.symbols})
    if whole:
        kept.append(f"{', '.join(whole)} {'an integer' if len(whole) == 1 else 'integers'}")
    return ", ".join(kept)

"""A statement of one's own: a relation, or several joined by and, or, not, that should hold for all parameters."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

import sympy as sp

from lpmech.conjectures.checks import Settled
from lpmech.conjectures.domain import LabelDomain
from lpmech.conjectures.named import spelled_out
from lpmech.prove import Answer, FailingPoint, Fails, Holds, Undecided, prove
from lpmech.prove.texts import as_written
from lpmech.statements.violations import witness_of
from lpmech.terms import Node, Number, substituted
from lpmech.terms.reader import CONNECTIVES, read_condition
from lpmech.verdicts import Outcome, Verdict, proved, refuted

__all__ = ["STATEMENT", "check_statement", "is_statement"]

#: The name of what a statement requires.
STATEMENT = "statement"
#: So many combinations of listed values are proved one by one.
_MOST_COMBINATIONS = 200


def is_statement(text: str) -> bool:
    """Whether a text is a relation, such as ``"t/(t+K-1) >= 1/K"``, or relations joined by and, or, not, Implies ..."""
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return False
    match body:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in CONNECTIVES
    return False


def check_statement(text: str, domain: LabelDomain, timeout_seconds: float = 10.0) -> Settled:
    """Whether a statement holds for all t > 1, whole K >= 2 and parameters of the domain; it is read as it is written.

    Where it is not decided for all values of listed parameters at once, it is for each.

    Raises
    ------
    FormulaError
        If a part is outside the language.
    """
    node = read_condition(spelled_out(text), [*domain.names, *(v.in_text for v in domain.vectors)], "conjecture")
    answer, relation = _asked(node, domain, {}, timeout_seconds)
    about, how = f"for all {domain}", ""
    listed = [p for p in domain.parameters if p.values is not None]
    if isinstance(answer, Undecided) and listed and not domain.vectors:
        about += ", one by one"
        for fixed in islice(domain.listed_values(listed), _MOST_COMBINATIONS):
            answer, relation = _asked(node, domain, fixed, timeout_seconds)
            if not isinstance(answer, Holds):
                how = f" at {', '.join(f'{name} = {value}' for name, value in fixed.items())}"
                break
    match answer:
        case Holds():
            such_as = f"; such as {FailingPoint(answer.example, '').where}" if answer.example else ""
            proof = answer.proof if about == f"for all {domain}" else None
            return Settled(STATEMENT, proved(answer.method, f"{about}{such_as}"), str(domain), proof=proof)
        case Fails(found):
            witness = witness_of(relation, found)
            return Settled(STATEMENT, refuted("exact evaluation, twice", "fails", str(witness)), str(domain), witness)
    return Settled(STATEMENT, Outcome(Verdict.UNDECIDED, "none", f"{answer.told}{how}"), str(domain))


def _asked(node: Node, domain: LabelDomain, fixed: Mapping[str, Fraction], seconds: float) -> tuple[Answer, Any]:
    """The engine's answer with the values of some parameters, and what it was asked."""
    written = substituted(node, {name: Number(value) for name, value in fixed.items()})
    relation = as_written(written, domain.symbols, "conjecture")
    answer = prove(relation, domain.hypotheses_at(fixed, "where"), timeout_seconds=seconds)
    if isinstance(answer, Fails) and fixed:
        at = {sp.Symbol(name): sp.Rational(value.numerator, value.denominator) for name, value in fixed.items()}
        answer = Fails(FailingPoint({**at, **answer.witness.point}, answer.witness.violation))
    return answer, relation

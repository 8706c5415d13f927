"""A statement of one's own: a relation, or several joined by and, or, not, that should hold for all parameters."""

from __future__ import annotations

import ast

from lpmech.conjectures.checks import Finding
from lpmech.conjectures.domain import Domain
from lpmech.prove import Fails, Holds, Witness, prove
from lpmech.prove.texts import condition_from_text
from lpmech.statements.violations import violation
from lpmech.verdicts import Outcome, Verdict, proved, refuted

__all__ = ["STATEMENT", "check_statement", "is_statement"]

#: The one question about a statement.
STATEMENT = "statement"


def is_statement(text: str) -> bool:
    """Whether a text is a relation, such as ``"t/(t+K-1) >= 1/K"``, or relations joined by and, or, not."""
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return False
    return isinstance(body, (ast.Compare, ast.BoolOp)) or (
        isinstance(body, ast.UnaryOp) and isinstance(body.op, ast.Not)
    )


def check_statement(text: str, domain: Domain, timeout_seconds: float = 10.0) -> Finding:
    """Whether a statement holds for all t > 1, whole K >= 2 and parameters of the domain; it is read as it is written.

    Raises
    ------
    FormulaError
        If a part is outside the language.
    """
    statement = condition_from_text(text, domain.symbols.values(), "conjecture")
    answer = prove(statement, domain.hypotheses, timeout_seconds=timeout_seconds)
    match answer:
        case Holds():
            such_as = f"; such as {Witness(answer.example, '').where}" if answer.example else ""
            outcome = proved(answer.method, f"for all {domain}{such_as}")
        case Fails(witness):
            told = f"{witness.where}: {violation(statement, witness)}"
            outcome = refuted("exact evaluation, twice", "fails", told)
        case _:
            outcome = Outcome(Verdict.UNDECIDED, "none", answer.told)
    return Finding(STATEMENT, outcome, str(domain))

"""When what a refuted claim asserts is true: the condition that its paper forgot, found and proved by the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from lpmech.errors import FormulaError, UndecidedError
from lpmech.limits import time_limit
from lpmech.terms import FALSE, TRUE, Name, Node
from lpmech.terms.functions import Implies, Not, Whole
from lpmech.verdicts import Outcome

if TYPE_CHECKING:
    from lpmech.conditions import Condition
    from lpmech.prove.language import Sequent

__all__ = ["WRONG_CONDITIONS", "found_condition", "holds_when", "settled_by"]

#: Longest processor time for one claim.
SECONDS = 5.0

#: What a condition is exchanged for to see whether a check of it can fail.
WRONG_CONDITIONS: Mapping[str, Callable[[Node], Node]] = {
    "always": lambda _: TRUE,
    "never": lambda _: FALSE,
    "the opposite": Not,
}


def found_condition(condition: Node) -> Node:
    """The condition as it was found: the formula of a repair that is computed."""
    return condition


def settled_by(run: Callable[[], Outcome]) -> Callable[[Callable[[Node], Node]], Outcome]:
    """The check of a computed repair: what a refuted claim asserts holds if and only if the condition found does.

    Parameters
    ----------
    run : callable
        Runs the refuted claim.
    """

    def check(asserted: Callable[[Node], Node]) -> Outcome:
        from lpmech.claims.checking import check_relations
        from lpmech.conditions import NotSolvedError
        from lpmech.prove.from_sympy import term_of

        failed = _relation(run())
        if failed is None:
            raise UndecidedError("no relation of the claim fails that could be solved for a parameter")
        try:
            found = _condition_of(failed)
        except (NotSolvedError, FormulaError) as exc:
            raise UndecidedError(f"no condition found: {exc}") from exc
        if found.roots:
            raise UndecidedError(f"it holds {found}, and of roots of polynomials the engine proves nothing")
        conclusion, condition = term_of(failed.conclusion), asserted(found.condition)
        relations = {"sufficient": Implies(condition, conclusion), "necessary": Implies(conclusion, condition)}
        return check_relations(relations, _hypotheses(failed), f"it holds {found}")

    return check


def holds_when(outcome: Outcome) -> str | None:
    """What a refuted relation of a claim holds under, proved both ways; None where it is not found in seconds."""
    from lpmech.conditions import NotSolvedError

    failed = _relation(outcome)
    if failed is None:
        return None
    try:
        with time_limit(SECONDS, UndecidedError(f"no condition within {SECONDS:g} seconds of processor time")):
            found = _condition_of(failed)
    except (NotSolvedError, FormulaError, UndecidedError):
        return None
    return "; ".join([str(found), *found.details]) if found.is_proved and found.is_simpler else None


def _relation(outcome: Outcome) -> Sequent | None:
    """What failed, where it is a relation and not an instance."""
    from lpmech.prove.language import Sequent

    return outcome.failed if isinstance(outcome.failed, Sequent) else None


def _hypotheses(failed: Sequent) -> list[Any]:
    from lpmech.prove.from_sympy import term_of

    return [*(Whole(Name(symbol.name)) for symbol in failed.integers), *map(term_of, failed.hypotheses)]


def _condition_of(failed: Sequent) -> Condition:
    from lpmech.conditions import condition
    from lpmech.prove.from_sympy import term_of

    whole = {symbol.name for symbol in failed.integers}
    return condition(term_of(failed.conclusion), _hypotheses(failed), whole=whole)

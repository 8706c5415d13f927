"""Implications over the reals and the integers by SMT: z3 proves, cvc5 confirms."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.errors import MissingDependencyError, SolverError, UndecidedError
from lpmech.extras import needs
from lpmech.limits import seconds_left, uninterrupted
from lpmech.prove.second_prover import Opinion, second_opinion

__all__ = ["SmtFound", "SmtAnswer", "implied"]


class SmtFound(StrEnum):
    """What z3 says of the hypotheses and the negated conclusion."""

    NOTHING = "unsat"
    POINT = "sat"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class SmtAnswer:
    """Answer of the solvers.

    Attributes
    ----------
    found : SmtFound
        Whether a violating assignment was found, excluded, or neither.
    confirmed : bool
        If excluded: whether the second solver agrees.
    point : mapping of Symbol to sympy number
        The assignment, where one was found and all its values are rational or real algebraic.
    """

    found: SmtFound
    confirmed: bool = False
    point: Mapping[sp.Symbol, sp.Expr] | None = None


def implied(
    hypotheses: Sequence[Boolean], conclusion: Boolean, integers: Collection[sp.Symbol], timeout_seconds: float
) -> SmtAnswer:
    """Whether the hypotheses imply the conclusion, all of them defined wherever they are looked at.

    Raises
    ------
    UndecidedError
        If an expression is outside what the solvers know: polynomials, quotients, Min, Max, Abs, sign, floor, ceiling,
        Mod, Piecewise, relations and Boolean operators. Also if one of the solvers is not installed.
    SolverError
        If the second solver contradicts z3.
    """
    try:
        return _asked(hypotheses, conclusion, integers, timeout_seconds)
    except MissingDependencyError as exc:
        raise UndecidedError(f"SMT solvers are not available: {exc}") from exc


def _asked(
    hypotheses: Sequence[Boolean], conclusion: Boolean, integers: Collection[sp.Symbol], timeout_seconds: float
) -> SmtAnswer:
    with uninterrupted():
        answer, assertions = _z3_answer(hypotheses, conclusion, integers, timeout_seconds)
    if answer.found is not SmtFound.NOTHING:
        return answer
    opinion = second_opinion(assertions)
    if opinion is Opinion.SATISFIABLE:
        raise SolverError(f"z3 proves {conclusion} and cvc5 contradicts it")
    return SmtAnswer(SmtFound.NOTHING, opinion is Opinion.UNSATISFIABLE)


def _z3_answer(
    hypotheses: Sequence[Boolean], conclusion: Boolean, integers: Collection[sp.Symbol], timeout_seconds: float
) -> tuple[SmtAnswer, str]:
    """What z3 says within its time, and the assertions in SMT-LIB 2."""
    with needs("smt"):
        import z3

    from lpmech.prove.z3_terms import Translator, exact_value

    solver = z3.Solver()
    solver.set("timeout", int(1000 * seconds_left(timeout_seconds)))
    translate = Translator(integers)
    for hypothesis in hypotheses:
        solver.add(translate(hypothesis))
    solver.add(z3.Not(translate(conclusion)))
    solver.add(*translate.definitions)
    answer = solver.check()
    if answer == z3.unknown and "keyboard" in solver.reason_unknown():  # z3 takes Ctrl-C for itself
        raise KeyboardInterrupt
    if answer != z3.sat:
        found = SmtFound.NOTHING if answer == z3.unsat else SmtFound.UNKNOWN
        return SmtAnswer(found), solver.to_smt2()
    model = solver.model()
    values = {s: exact_value(model.eval(v, model_completion=True)) for s, v in translate.variables.items()}
    known = {s: v for s, v in values.items() if v is not None}
    return SmtAnswer(SmtFound.POINT, point=known if len(known) == len(values) else None), ""

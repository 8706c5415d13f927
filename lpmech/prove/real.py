"""All-parameter proofs over the reals and integers by SMT (z3), stated in sympy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue

from lpmech.errors import InvalidInputError, SolverError
from lpmech.prove.second_prover import Opinion, second_opinion

__all__ = ["Status", "Decision", "decide"]


class Status(StrEnum):
    """What the prover established."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Decision:
    """Answer of the prover.

    Attributes
    ----------
    status : Status
        ``proved``: no assignment satisfies the hypotheses and violates the conclusion.
    model : mapping of str to str
        For ``refuted``: an assignment that satisfies the hypotheses and violates the conclusion, replayed
        in sympy when all its values are rational.
    confirmed : bool
        For ``proved``: whether a second prover (cvc5, where installed) found the same.
    """

    status: Status
    model: Mapping[str, str]
    confirmed: bool = False

    def __bool__(self) -> bool:
        return self.status is Status.PROVED


def decide(hypotheses: Sequence[Boolean], conclusion: Boolean, *, timeout_seconds: float = 20.0) -> Decision:
    """Decide whether the hypotheses imply the conclusion.

    Symbols declared with ``integer=True`` range over the integers, all others over the reals; other
    sympy assumptions on symbols are *not* used, state them as hypotheses.

    Parameters
    ----------
    hypotheses : sequence of sympy relations
        Polynomial (or rational) relations. Points where a denominator vanishes are excluded.
    conclusion : sympy relation or Boolean
        What should follow.
    timeout_seconds : float
        After this the answer is ``undecided``, never a guess.

    Raises
    ------
    InvalidInputError
        If an expression has a function that the translation does not know, or two symbols share a name, or a
        model of z3 does not survive its replay.
    SolverError
        If the second prover contradicts z3.
    """
    import z3

    solver = z3.Solver()
    solver.set("timeout", int(1000 * timeout_seconds))
    translate = _Translator()
    for hypothesis in hypotheses:
        solver.add(translate(sp.sympify(hypothesis)))
    solver.add(z3.Not(translate(sp.sympify(conclusion))))
    solver.add(*translate.defined)
    answer = solver.check()
    if answer == z3.unsat:
        opinion = second_opinion(solver.to_smt2())
        if opinion is Opinion.SATISFIABLE:
            raise SolverError(f"z3 proves {conclusion} and cvc5 contradicts it")
        return Decision(Status.PROVED, {}, opinion is Opinion.UNSATISFIABLE)
    if answer == z3.unknown:
        return Decision(Status.UNDECIDED, {})
    values = {s: solver.model().eval(v, model_completion=True) for s, v in translate.variables.items()}
    _replay(values, hypotheses, conclusion)
    return Decision(Status.REFUTED, {s.name: str(v) for s, v in values.items()})


def _replay(values: Mapping[sp.Symbol, Any], hypotheses: Sequence[Boolean], conclusion: Boolean) -> None:
    import z3

    if not all(z3.is_rational_value(v) or z3.is_int_value(v) for v in values.values()):
        return
    substitution = {s: sp.Rational(str(v)) for s, v in values.items()}
    holds = all(sp.sympify(h).subs(substitution) == sp.true for h in hypotheses)
    if not holds or sp.sympify(conclusion).subs(substitution) != sp.false:
        raise InvalidInputError("model", substitution, "a model that violates the conclusion when replayed")


class _Translator:
    """Sympy to z3."""

    def __init__(self) -> None:
        self.variables: dict[sp.Symbol, Any] = {}
        self.defined: list[Any] = []

    def __call__(self, node: Any) -> Any:
        import z3

        if isinstance(node, (BooleanTrue, BooleanFalse)):
            return z3.BoolVal(bool(node))
        if isinstance(node, sp.Symbol):
            return self._variable(node)
        if isinstance(node, sp.Rational):
            return z3.Q(int(node.p), int(node.q))
        arguments = [self(a) for a in node.args]
        match node:
            case sp.Add():
                return reduce(lambda a, b: a + b, arguments)
            case sp.Mul():
                return reduce(lambda a, b: a * b, arguments)
            case sp.Pow() if node.exp.is_Integer:
                if node.exp < 0:
                    self.defined.append(arguments[0] != 0)
                return self._power(arguments[0], int(node.exp))
            case sp.Max():
                return reduce(lambda a, b: z3.If(a >= b, a, b), arguments)
            case sp.Min():
                return reduce(lambda a, b: z3.If(a <= b, a, b), arguments)
            case sp.Eq():
                return arguments[0] == arguments[1]
            case sp.Ne():
                return arguments[0] != arguments[1]
            case sp.Lt():
                return arguments[0] < arguments[1]
            case sp.Le():
                return arguments[0] <= arguments[1]
            case sp.Gt():
                return arguments[0] > arguments[1]
            case sp.Ge():
                return arguments[0] >= arguments[1]
            case sp.And():
                return z3.And(*arguments)
            case sp.Or():
                return z3.Or(*arguments)
            case sp.Not():
                return z3.Not(arguments[0])
            case sp.Implies():
                return z3.Implies(*arguments)
        raise InvalidInputError("expression", node, "polynomials, quotients, Min, Max, relations and Boolean operators")

    def _variable(self, symbol: sp.Symbol) -> Any:
        import z3

        if symbol not in self.variables:
            if symbol.name in {other.name for other in self.variables}:
                raise InvalidInputError("expression", symbol, "one symbol of each name")
            make = z3.Int if symbol.is_integer else z3.Real
            self.variables[symbol] = make(symbol.name)
        variable = self.variables[symbol]
        return z3.ToReal(variable) if symbol.is_integer else variable

    @staticmethod
    def _power(base: Any, exponent: int) -> Any:
        product = reduce(lambda a, b: a * b, [base] * abs(exponent)) if exponent else 1
        return 1 / product if exponent < 0 else product

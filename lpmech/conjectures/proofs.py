"""Questions about conjectures that are expressions, for all t, K and parameters at once: put to the engine."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.conjectures.domain import Domain
from lpmech.conjectures.source import Conjecture
from lpmech.prove import Holds, prove
from lpmech.prove.answers import Answer, Undecided
from lpmech.prove.texts import as_written
from lpmech.statements.symbolic import evaluated_by_sympy
from lpmech.terms import Apply, Name, Node, Number

__all__ = ["Proofs"]

T, K = sp.symbols("t K")
_T, _K, _ONE, _ZERO = Name("t"), Name("K"), Number(Fraction(1)), Number(Fraction(0))


class Proofs:
    """The engine's answers about a conjecture that is given by expressions.

    Parameters
    ----------
    conjecture : Conjecture
        With one expression (a value) or two (diagonal and off-diagonal entry).
    timeout_seconds : float
        For each question to a solver.
    """

    #: The argument of `optimal`.
    DUAL = "dual certificate t/(K(t+K-1)), "

    def __init__(self, conjecture: Conjecture, timeout_seconds: float = 10.0):
        self._domain: Domain = conjecture.domain
        self._timeout = timeout_seconds
        self._nodes = conjecture.expressions

    def rows(self) -> Answer:
        """Whether all rows sum to one."""
        a, b = self._nodes
        return self._answer(_is("==", Apply("+", (a, Apply("*", (Apply("-", (_K, _ONE)), b)))), _ONE))

    def private(self) -> Answer:
        """Whether the channel is private at level ln t."""
        a, b = self._nodes
        ratios = [_is("<=", one, Apply("*", (_T, other))) for one, other in ((a, b), (b, a))]
        return self._answer(Apply("and", (_is(">=", a, _ZERO), _is(">=", b, _ZERO), *ratios)))

    def level(self) -> tuple[str, Answer]:
        """The largest ratio of two entries as a formula, for a channel that is private, and whether it is that."""
        a, b = self._nodes
        answer = self._answer(_is("==", a, Apply("*", (_T, b))))
        if isinstance(answer, Holds):
            return "t: exactly epsilon", answer
        for high, low in ((a, b), (b, a)):
            most, least = (evaluated_by_sympy(node, self._domain.symbols) for node in (high, low))
            ratio = sp.simplify(most / least)
            above, under = map(self._written, (high, low))
            holds = sp.And(sp.Gt(under, 0, evaluate=False), ratio >= 1, _equal(above, ratio * under), evaluate=False)
            answer = prove(holds, self._domain.hypotheses, timeout_seconds=self._timeout)
            if isinstance(answer, Holds):
                return str(ratio), answer
        return "", answer

    def optimal(self) -> Answer:
        """Whether the first expression is the optimal hit rate for the uniform prior.

        The dual pi_y = t / (K (t + K - 1)) is feasible with equality for every K, and randomised response attains its
        sum t / (t + K - 1).
        """
        dual = Apply("/", (_T, Apply("*", (_K, Apply("-", (Apply("+", (_T, _K)), _ONE))))))
        excess = 1 / K - T / (K * (T + K - 1))
        sums = excess - (K - 1) * T / (K * (T + K - 1)) + (T - 1) * excess
        feasible = prove(sp.And(excess >= 0, _equal(sums, sp.S.Zero)), self._domain.hypotheses)
        if not isinstance(feasible, Holds):
            return Undecided("the dual certificate t/(K(t+K-1)) is not proved on these hypotheses")
        return self._answer(_is("==", self._nodes[0], Apply("*", (_K, dual))))

    def _answer(self, relation: Node) -> Answer:
        """The relation as it is written: where a part of it is not defined it does not hold."""
        return prove(self._written(relation), self._domain.hypotheses, timeout_seconds=self._timeout)

    def _written(self, node: Node) -> Any:
        return as_written(node, self._domain.symbols, "conjecture")


def _is(relation: str, left: Node, right: Node) -> Node:
    return Apply(relation, (left, right))


def _equal(left: sp.Expr, right: sp.Expr) -> Boolean:
    return sp.Eq(left, right, evaluate=False)

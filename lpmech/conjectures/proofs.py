"""Questions about conjectures that are expressions, for all t, K and parameters at once: put to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.conjectures.domain import Domain
from lpmech.conjectures.source import Conjecture
from lpmech.prove import Holds, prove
from lpmech.prove.answers import Answer, Fails, Undecided
from lpmech.statements.symbolic import Symbolic, symbolic

__all__ = ["Proofs"]

T, K = sp.symbols("t K")


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
        self._parts = [symbolic(node, self._domain.symbols) for node in conjecture.expressions]

    def rows(self) -> Answer:
        """Whether all rows sum to one."""
        a, b = (part.expression for part in self._parts)
        return self._answer(_equal(a + (K - 1) * b, sp.S.One), self._parts)

    def private(self) -> Answer:
        """Whether the channel is private at level ln t."""
        a, b = (part.expression for part in self._parts)
        return self._answer(sp.And(a >= 0, b >= 0, a <= T * b, b <= T * a), self._parts)

    def level(self) -> tuple[str, Answer]:
        """The largest ratio of two entries as a formula, for a channel that is private, and whether it is that."""
        a, b = (part.expression for part in self._parts)
        if isinstance(self._answer(_equal(a, T * b), self._parts), Holds):
            return "t: exactly epsilon", self._answer(_equal(a, T * b), self._parts)
        for high, low in ((a, b), (b, a)):
            ratio = sp.simplify(high / low)
            answer = self._answer(sp.And(low > 0, low * ratio >= low, _equal(high, ratio * low)), self._parts)
            if isinstance(answer, Holds):
                return str(ratio), answer
        return "", answer

    def optimal(self) -> Answer:
        """Whether the first expression is the optimal hit rate for the uniform prior.

        The dual pi_y = t / (K (t + K - 1)) is feasible with equality for every K, and randomised response attains its
        sum t / (t + K - 1).
        """
        dual = T / (K * (T + K - 1))
        excess = (1 / K - dual) + (K - 1) * (-dual) + (T - 1) * (1 / K - dual)
        feasible = self._answer(sp.And(1 / K - dual >= 0, dual >= 0, _equal(excess, sp.S.Zero)), [])
        if not isinstance(feasible, Holds):
            return Undecided("the dual certificate t/(K(t+K-1)) is not proved on these hypotheses")
        return self._answer(_equal(self._parts[0].expression, K * dual), self._parts[:1])

    def _answer(self, relation: Boolean, parts: Sequence[Symbolic]) -> Answer:
        """The relation, together with everything that the formulas as written need to be defined."""
        hypotheses: list[Any] = self._domain.hypotheses
        bound = [o for part in parts for o in part.bound_obligations]
        for needed in bound:
            whole = [sp.Contains(index, sp.S.Integers) for index in needed.indices]
            answer = prove(needed.condition, [*hypotheses, *whole, *needed.under], timeout_seconds=self._timeout)
            if isinstance(answer, Fails):
                return answer
            vacuous = isinstance(answer, Undecided) and "contradict" in answer.reason
            if not isinstance(answer, Holds) and not vacuous:
                return Undecided(f"whether {needed.condition} for every term: {answer}")
        domain = [part.domain for part in parts if part.domain != sp.true]
        return prove(sp.And(*domain, relation, evaluate=False), hypotheses, timeout_seconds=self._timeout)


def _equal(left: sp.Expr, right: sp.Expr) -> Boolean:
    return sp.Eq(left, right, evaluate=False)

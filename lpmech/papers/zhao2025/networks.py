"""App. C.2: the binary cross entropy and its minimiser."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.papers.zhao2025.paper import PAPER, identical
from lpmech.verdicts import Outcome

U, ETA, Z = sp.symbols("u eta z", positive=True)


def cross_entropy(q: Any, p: Any) -> Any:
    """l(q, p) = -p ln q - (1 - p) ln(1 - q)."""
    return -p * sp.log(q) - (1 - p) * sp.log(1 - q)


@PAPER.claim(
    "eq. (44)",
    r"E[l(u,Z(j))]=-\tilde\eta_j\ln u-(1-\tilde\eta_j)\ln(1-u)",
    hypotheses="Z is 1 with probability eta and 0 otherwise; 0 < u < 1",
    formula=lambda u, eta: -eta * sp.log(u) - (1 - eta) * sp.log(1 - u),
    mutants={"arguments swapped": lambda u, eta: -u * sp.log(eta) - (1 - u) * sp.log(1 - eta)},
)
def eq_44(mean: Any) -> Outcome:
    direct = ETA * cross_entropy(U, sp.Integer(1)) + (1 - ETA) * cross_entropy(U, sp.Integer(0))
    at = {"u": sp.Rational(1, 3), "eta": sp.Rational(1, 4)}
    return identical(direct, mean(U, ETA), "the loss is linear in Z", **at)


@PAPER.claim(
    "eq. (45) (minimiser)",
    r"u=\tilde\eta_j minimises -\tilde\eta_j\ln u-(1-\tilde\eta_j)\ln(1-u): the derivative is (u-\tilde\eta_j)/(u(1-u))",
    hypotheses="0 < eta < 1, 0 < u < 1; the derivative is negative below u = eta and positive above it",
    formula=lambda eta: eta,
    mutants={"the majority, 1": lambda eta: sp.Integer(1)},
)
def minimiser(point: Any) -> Outcome:
    slope = sp.diff(cross_entropy(U, ETA), U)
    stated = (U - point(ETA)) / (U * (1 - U))
    return identical(slope, stated, "the slope has the sign of u - eta", u=sp.Rational(1, 3), eta=sp.Rational(1, 4))


PAPER.leave_out(
    "eq. (37), (38), (40), step (39b)",
    "(37) defines, (38) restates it, (40) and the last line of (39) minimise over all functions, point by point; (39b) is a heuristic (universal approximation). For (39a), (41) and (42) see their claims",
)

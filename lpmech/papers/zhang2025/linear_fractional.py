"""The abstract and the conclusion: in which variables the maximisation is a linear program."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.mechanisms.bipartite_rr.equations import term, utility
from lpmech.papers.checking import check_identities
from lpmech.papers.zhang2025.paper import PAPER
from lpmech.verdicts import Outcome, unclear

OWN, WEIGHT, REST, COUNT = term
WEIGHT_2, REST_2, COUNT_2, SHARE = sp.symbols("s_2 A_2 C_2 theta")


def _mean(share: Any, first: Any, second: Any, mass: Any, mass_2: Any) -> Any:
    """The value at (1 - share) s + share s' from those at s and s', whose weights sum to mass and mass_2."""
    return ((1 - share) * mass * first + share * mass_2 * second) / ((1 - share) * mass + share * mass_2)


def _linear(share: Any, first: Any, second: Any, mass: Any, mass_2: Any) -> Any:
    return (1 - share) * first + share * second


@PAPER.claim(
    "Section IV.A (Q is linear-fractional)",
    r"Q=\sum_i\lambda_is_i/\sum_is_i is a ratio of linear functions of the weights: at (1-\theta)s+\theta s' it is the mean of Q(s) and Q(s') with weights (1-\theta)\sum s_i and \theta\sum s'_i",
    hypotheses="positive weights, any N and similarities; s, C and A: one weight, the sum of the others, and their similarities' part",
    formula=_mean,
    mutants={"linear": _linear, "masses exchanged": lambda share, a, b, m, n: _mean(share, a, b, n, m)},
    note="So Q lies between its values at the ends: a maximum over [1, e^epsilon]^N is attained at a vertex, which is what Algs. 1 to 3 use. With w = s / sum(s) and c = 1 / sum(s), c <= w <= e^epsilon c, it becomes a linear program (Charnes and Cooper).",
)
def linear_fractional(mean: Any) -> Outcome:
    points = (WEIGHT, REST, COUNT), (WEIGHT_2, REST_2, COUNT_2)
    between = tuple((1 - SHARE) * a + SHARE * b for a, b in zip(*points, strict=True))
    first, second, middle = (
        utility().subs(dict(zip((WEIGHT, REST, COUNT), at, strict=True)), simultaneous=True)
        for at in (*points, between)
    )
    return check_identities(
        {"Q between two weight vectors": (middle, mean(SHARE, first, second, WEIGHT + COUNT, WEIGHT_2 + COUNT_2))},
        "any number of terms, any two weight vectors",
        hypotheses=[WEIGHT > 0, WEIGHT_2 > 0, COUNT > 0, COUNT_2 > 0, SHARE > 0, SHARE < 1],
    )


@PAPER.claim(
    "Abstract (this linear program)",
    r"'solving this linear program can be computationally cheap', 'can be efficiently solved as a linear programming problem': the maximisation is linear in its variables",
    hypotheses="the variables are the weights s_i of sections IV.A and VI.A, or the release probabilities w_i of (12); any N, similarities and two points. The formula: the value between them",
    consequence="wording",
    readings={"in the weights s": "refuted", "in the release probabilities w": "proved"},
    formula=_linear,
    mutants={"the mean of the first point twice": lambda share, a, b, m, n: a},
    note="Algs. 1 to 3 optimise over s, where the problem is linear-fractional: 'Section IV.A (Q is linear-fractional)'. Over the release probabilities, with the inequalities of privacy, it is a linear program, which the algorithms do not solve: "
    "'Abstract (optimal for any utility)'.",
)
def linear_program(mean: Any) -> Outcome:
    w, v, rest, rest_2 = sp.symbols("w v R R_2")
    inside = OWN * ((1 - SHARE) * w + SHARE * v) + (1 - SHARE) * rest + SHARE * rest_2
    probabilities = check_identities(
        {"sum of lambda_i w_i": (inside, mean(SHARE, OWN * w + rest, OWN * v + rest_2, sp.Integer(1), sp.Integer(1)))},
        "linear in the release probabilities",
        hypotheses=[SHARE > 0, SHARE < 1],
    )
    return unclear({"in the weights s": linear_fractional(mean), "in the release probabilities w": probabilities})

"""The algebra of the lemmas behind `lpmech discover`, as statements that the engine proves with objects.

What joins them is told with each lemma, in `rings`, `response` and `ranked`: they are summed over labels, and weak
duality (`proofs/Duality.v`, for any finite alphabet) makes a bound of a dual.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lpmech.conjectures.domain import read_domain
from lpmech.errors import SolverError
from lpmech.prove import Holds, prove
from lpmech.prove.from_sympy import term_of
from lpmech.terms.reader import read_condition

__all__ = ["Lemma", "of_best_labels", "of_each_row", "of_response", "of_rings", "proofs_of"]


class Fact(NamedTuple):
    """A statement with its parameters beside t > 1 and K >= 2, and its hypotheses."""

    name: str
    conclusion: str
    param: tuple[str, ...] = ()
    where: tuple[str, ...] = ()


class Lemma(NamedTuple):
    """A lemma in words, and the statements that its proof comes down to."""

    told: str
    facts: tuple[Fact, ...] = ()


_BOUND = Fact(
    "entry m + x of a column with least entry m, times its slack d below the dual",
    "d*(m + x) <= m*(d + (t - 1)*Max(d, 0))",
    ("d real", "m real >= 0", "x real >= 0"),
    ("x <= (t - 1)*m",),
)
_V = "(S + (t - 1)*T)/(K + (t - 1)*N)"
_SUMS = (("S real", "T real", "N real > 0"), ("N <= K",))
_R = "C + (t - 1)*(d - w) - V"
_PI = "(C + (t - 1)*d - V)/(t - 1)"
_ONE_COLUMN = ("C real", "d real", "V real")

of_rings = Lemma(
    "the lemma on utilities with every value equally often in each row and column (lpmech.discovery.rings)",
    (
        Fact("the channel's rows sum to one", "N*t/(t*N + K - N) + (K - N)/(t*N + K - N) == 1", *_SUMS),
        Fact("the channel's value", f"(t*T + S - T)/(t*N + K - N) == {_V}", *_SUMS),
        Fact("the dual is tight at that value", f"S - K*({_V}) + (t - 1)*(T - N*({_V})) == 0", *_SUMS),
        Fact(
            "a column's constraint falls in v",
            "u - b + (t - 1)*Max(u - b, 0) <= u - a + (t - 1)*Max(u - a, 0)",
            ("u real", "a real", "b real"),
            ("a <= b",),
        ),
        _BOUND,
    ),
)
of_response = Lemma(
    "the lemma on randomised response by complementary slackness (lpmech.discovery.response)",
    (
        Fact("the rows sum to one", "t/(K + t - 1) + (K - 1)/(K + t - 1) == 1"),
        Fact(
            "the dual's sum is the value",
            "(A + (t - 1)*B - K*((A + (t - 1)*B)/(K + t - 1)))/(t - 1) == (A + (t - 1)*B)/(K + t - 1)",
            ("A real", "B real"),
        ),
        Fact("the dual is tight in each column", f"C - V + (t - 1)*(d - {_PI}) == 0", _ONE_COLUMN),
        Fact(
            "the dual is at least w just where R is not negative",
            f"{_PI} - w == ({_R})/(t - 1)",
            (*_ONE_COLUMN, "w real"),
        ),
        Fact("then it is at most w on the diagonal", "e >= 0", ("e real", "o real <= 0"), ("o + t*e == 0",)),
        _BOUND,
    ),
)
of_best_labels = Lemma(
    "ghazi2021, Theorem 3: the largest over k of t P_k/(t + k - 1), for every prior and every K",
    (
        Fact(
            "one label more is no better just where t is at most the threshold",
            "Equivalent(t*(P + p)/(t + k) <= t*P/(t + k - 1), t <= P/p - k + 1)",
            ("k >= 1", "p real > 0", "P real > 0"),
        ),
    ),
)
of_each_row = Lemma(
    "what a row has whatever is released every channel has",
    (Fact("a row's worth", "p*(h*q + m*(1 - q)) == p*m + p*(h - m)*q", ("p real", "h real", "m real", "q real")),),
)


def proofs_of(lemma: Lemma) -> Iterator[tuple[str, Holds]]:
    """The statements of a lemma by name, each with its proof."""
    for fact in lemma.facts:
        domain = read_domain(fact.param, fact.where)
        conclusion = read_condition(fact.conclusion, domain.names)
        answer = prove(conclusion, list(map(term_of, domain.hypotheses)))
        if not isinstance(answer, Holds):
            raise SolverError(f"{fact.name}: {answer}")
        yield fact.name, answer

"""Public implementations of unary encodings and of ALIBI: what they compute, as mathematics, read in their repositories.

A statement refuted here is about that code, not about the paper.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import sympy as sp

from lpmech.claims import Parts, Relations
from lpmech.claims.checking import sharp
from lpmech.papers.zhao2025.paper import PAPER, S, gain, paper_bits

# -- unary encodings -----------------------------------------------------------------------------------


def _optimal_bits(s: Any) -> tuple[Any, Any]:
    """p = 1/2, q = 1 / (1 + e^epsilon)."""
    return sp.Rational(1, 2), 1 / (1 + s**2)


SOURCES = {
    "pure-LDP, UEClient": (
        "UEClient of Samuel-Maddock/pure-LDP (unary_encoding/ue_client.py, commit f4dbcd2) as it stands, use_oue=False, has the bits of (12)",
        lambda s: (s / (s + 1), 1 - s / (s + 1)),
        paper_bits,
        {"e^epsilon for e^(epsilon/2)": lambda s: (s**2 / (s**2 + 1), 1 / (s**2 + 1))},
    ),
    "pure-LDP, UEClient, use_oue": (
        "UEClient with use_oue=True (commit f4dbcd2) has p=1/2, q=1/(e^\\epsilon+1), optimal unary encoding, not the bits of (12)",
        _optimal_bits,
        _optimal_bits,
        {"q = 1/(e^(epsilon/2) + 1)": lambda s: (sp.Rational(1, 2), 1 / (1 + s))},
    ),
    "multi-freq-ldpy, UE_Client": (
        "UE_Client of hharcolezi/multi-freq-ldpy (pure_frequency_oracles/UE.py, commit fd04aef) as it stands, optimal=True, has p=1/2, q=1/(e^\\epsilon+1)",
        _optimal_bits,
        _optimal_bits,
        {"q = 1/(2 e^epsilon)": lambda s: (sp.Rational(1, 2), 1 / (2 * s**2))},
    ),
}


def _register_bits(name: str, source: str, bits: Any, expected: Any, mutants: dict[str, Any]) -> None:
    @PAPER.claim(
        f"Implementation ({name})",
        rf"{source}; level exactly \epsilon",
        hypotheses="exact arithmetic, s = e^(epsilon/2), K >= 2",
        given=[S > 1],
        evidence="both bits and the largest ratio, p > q for every epsilon",
        formula=bits,
        mutants=mutants,
        note="Formula: p and q, the probabilities of a 1 at the true class and at another one.",
    )
    def check(formula: Any) -> Relations:
        """Two labels change two bits; the law ratio is largest where the one is 1 and the other 0, as p > q."""
        (p, q), (right_p, right_q) = formula(S), expected(S)
        largest = p * (1 - q) / (q * (1 - p))
        return {"p": (p, right_p), "q": (q, right_q), "largest ratio": (largest, S**2), "order": sp.And(q > 0, p > q)}


for _name, _source in SOURCES.items():
    _register_bits(_name, *_source)


# -- ALIBI ---------------------------------------------------------------------------------------------

SIGMA, ROOT, X, Y = sp.symbols("sigma r x y")
CALLS, REPORTED = sp.symbols("n f", integer=True)


@PAPER.claim(
    "Implementation (label_dp_antipodes, Laplace)",
    r"RandomizedLabelPrivacy of facebookresearch/label_dp_antipodes (lib/alibi.py, commit ce52800) adds Laplace noise of standard deviation \sigma, scale \sigma/\sqrt 2, to the one-hot label and reports \epsilon=2\sqrt 2/\sigma: its tight level",
    hypotheses="one call of increase_budget, K >= 2, exact arithmetic; r = sqrt 2; x, y = released values at the two labels compared",
    given=[SIGMA > 0, ROOT > 0, sp.Eq(ROOT**2, 2)],
    evidence="the largest log ratio is 2 / scale, at every sigma",
    formula=lambda root, sigma: 2 * root / sigma,
    mutants={"scale taken for sigma": lambda root, sigma: 2 / sigma},
    note="The difference of two exponential variables of rate sqrt 2 / sigma. It is ALIBI of App. B.2 with lambda = sigma / sqrt 2.",
)
def alibi_level(reported: Any) -> Relations:
    """Two one-hot vectors differ in two entries, (1, 0) and (0, 1); the log ratio is a sum of two differences over the scale."""
    spent = reported(ROOT, SIGMA) * SIGMA / ROOT  # epsilon times the scale
    return sharp(gain(X) - gain(Y), spent, X >= 1, Y <= 0)


@PAPER.claim(
    "Implementation (label_dp_antipodes, several steps)",
    r"increase_budget called n times reports n\epsilon_1 for the Laplace mechanism, as composition of n releases gives",
    hypotheses="epsilon_1 = what one call reports",
    consequence="wording",
    recorded="refuted",
    family="n = 1, ..., 6 calls of one step",
    formula=lambda n: n,
    control=factorial,
    mutants={"n (n + 1) / 2": lambda n: n * (n + 1) // 2},
    note="Call n multiplies by n what call n - 1 reported. The code warns that several Laplace steps are not optimal; its training script makes one call, or one an epoch without noise_only_once.",
)
def reported_after(claimed: Any) -> Parts:
    reported = 1
    for calls in range(1, 7):
        reported *= calls
        yield reported == claimed(calls) or f"{calls} calls: reports {reported} epsilon_1, spent {calls} epsilon_1"


@PAPER.claim(
    "Implementation (label_dp_antipodes, several steps) [repaired]",
    r"after n calls it reports n!\,\epsilon_1\ge n\epsilon_1: never less than is spent",
    hypotheses="by induction: f = what call n reports, in units of epsilon_1",
    given=[CALLS >= 1, REPORTED >= CALLS],
    evidence="induction over the calls",
    formula=lambda n, reported: (n + 1) * reported,
    repairs="Implementation (label_dp_antipodes, several steps)",
)
def never_less(after: Any) -> Relations:
    """n = 1 reports epsilon_1; if call n reports f >= n, call n + 1 reports (n + 1) f >= n + 1, and it is (n + 1)! if f = n!."""
    following = after(CALLS, REPORTED)
    return {"next call": following >= CALLS + 1, "factor n + 1": sp.Eq(following, (CALLS + 1) * REPORTED)}

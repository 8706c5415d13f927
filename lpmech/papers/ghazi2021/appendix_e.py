"""App. E: the temperature that sharpens or spreads a learned prior."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.claims import Parts, Relations
from lpmech.claims.checking import check_relations
from lpmech.papers.ghazi2021.paper import PAPER, K

LIMIT_GAP, LIMIT_HEAT = sp.symbols("g tau", positive=True)
GAP, HEAT, OTHER = sp.symbols("g tau h")


@PAPER.claim(
    "App. E (temperature)",
    r"\hat p^\tau_k\propto\exp(f_k/\tau) is 'more confident on the top classes' as \tau\to 0, and uniform as \tau\to\infty",
    hypotheses="K >= 1, tau > 0, any logits; g = f_1 - f_k > 0 the distance to the largest logit, exp(-g/tau) the probability relative to its class",
    given=[GAP > 0, HEAT > 0],
    evidence="monotone in tau",
    formula=lambda gap, heat: gap / heat,
    note="Classes that share the largest logit share the limit at 0 equally.",
)
def temperature(exponent: Any) -> Parts:
    relative = sp.exp(-exponent(LIMIT_GAP, LIMIT_HEAT))
    hot = sp.limit(relative, LIMIT_HEAT, sp.oo)
    limits = {
        "tau -> 0": (sp.limit(relative, LIMIT_HEAT, 0, "+"), 0),
        "tau -> infinity": (hot, 1),
        "K equal classes": (1 / (1 + (K - 1) * hot), 1 / K),
    }
    yield check_relations(limits, [K >= 1], "limits")
    yield "falls with tau", sp.diff(exponent(GAP, HEAT), HEAT) < 0
    yield "f_k/tau: scaled logits", (exponent(GAP, HEAT) * HEAT, GAP)


@PAPER.claim(
    "App. E (temperature and k)",
    r"one can 'tune the temperature to spread the prior to effectively increase the k calculated by RRWithPrior'",
    hypotheses="any K, logits and t > 1: t_k = sum over i <= k of exp((f_i - f_(k+1))/tau) - k + 1 does not rise with tau, and k* counts the thresholds below t "
    "('Alg. 2 (k* from the thresholds)'); g = f_i - f_(k+1), h that of another logit",
    given=[GAP >= 0, OTHER >= 0, HEAT > 0],
    evidence="all logits and temperatures",
    formula=lambda gap, heat: gap / heat,
    uses=["Alg. 2 (k* from the thresholds)", "Alg. 2 (threshold)"],
    note="Weakly: k* never falls. By 'Alg. 2 (threshold)' the thresholds tend to 1 as tau grows, so at every t > 1 it reaches K.",
)
def temperature_and_k(exponent: Any) -> Relations:
    term = exponent(GAP, HEAT)
    return {
        "every term of every threshold falls": sp.diff(term, HEAT) <= 0,
        "and at (f_i - f_(k+1))/tau": sp.Eq(term * HEAT, GAP),
        "ratios of probabilities are those of the prior": sp.Eq(
            exponent(GAP + OTHER, HEAT), term + exponent(OTHER, HEAT)
        ),
    }

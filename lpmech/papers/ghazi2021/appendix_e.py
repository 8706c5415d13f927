"""App. E: the temperature that sharpens or spreads a learned prior."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.papers.checking import both, check_identities, check_implications
from lpmech.papers.ghazi2021.paper import PAPER, K
from lpmech.verdicts import Outcome

GAP, HEAT = sp.symbols("g tau", positive=True)


@PAPER.claim(
    "App. E (temperature)",
    r"\hat p^\tau_k\propto\exp(f_k/\tau) is 'more confident on the top classes' as \tau\to 0, and uniform as \tau\to\infty",
    hypotheses="K >= 1, tau > 0, any logits; g = f_1 - f_k > 0 the distance to the largest logit, exp(-g/tau) the probability relative to its class",
    formula=lambda gap, heat: gap / heat,
    mutants={
        "exp(f tau)": lambda gap, heat: gap * heat,
        "no temperature": lambda gap, heat: gap,
        "exp(f/(1 + tau))": lambda gap, heat: gap / (1 + heat),
    },
    note="Classes that share the largest logit share the limit at 0 equally.",
)
def temperature(exponent: Any) -> Outcome:
    relative = sp.exp(-exponent(GAP, HEAT))
    limits = check_identities(
        {
            "tau -> 0": (sp.limit(relative, HEAT, 0, "+"), 0),
            "tau -> infinity": (sp.limit(relative, HEAT, sp.oo), 1),
            "K equal classes": (1 / (1 + (K - 1) * sp.limit(relative, HEAT, sp.oo)), 1 / K),
        },
        "limits",
        hypotheses=[K >= 1],
    )
    g, tau = sp.symbols("g tau")
    slope = sp.diff(exponent(g, tau), tau)
    return both(limits, check_implications([g > 0, tau > 0], {"falls with tau": slope < 0}, "monotone in tau"))


@PAPER.claim(
    "App. E (temperature and k)",
    r"one can 'tune the temperature to spread the prior to effectively increase the k calculated by RRWithPrior'",
    hypotheses="any K, logits and t > 1: t_k = sum over i <= k of exp((f_i - f_(k+1))/tau) - k + 1 does not rise with tau, and k* counts the thresholds below t "
    "('Alg. 2 (k* from the thresholds)')",
    formula=lambda gap, heat: gap / heat,
    mutants={"exp(f tau)": lambda gap, heat: gap * heat},
    note="Weakly: k* never falls. By 'Alg. 2 (threshold)' the thresholds tend to 1 as tau grows, so at every t > 1 it reaches K.",
)
def temperature_and_k(exponent: Any) -> Outcome:
    g, tau = sp.symbols("g tau")
    return check_implications(
        [g >= 0, tau > 0],
        {"every term of every threshold falls": sp.diff(exponent(g, tau), tau) <= 0},
        "all logits and temperatures",
    )

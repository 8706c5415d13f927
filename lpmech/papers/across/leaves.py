"""What bounds a mechanism of the library: how far one person moves a sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lpmech.claims.checking import sharp
from lpmech.mechanisms.perturbation import leaf_sensitivity
from lpmech.papers.across.paper import PAPER
from lpmech.terms import functions as tm

G, N, LAMBDA, R, S = tm.symbols("g n lambda r s")


@PAPER.claim(
    "Ours (the sensitivity of a leaf, the function)",
    r"`leaf_sensitivity`$(g,n,\lambda)=\frac{2g}{n+\lambda}$ is the most by which one of the $n$ residuals of $[-g,g]$ moves their sum over $n+\lambda$",
    hypotheses="the residual $r$ becomes $s$",
    given=[G > 0, N >= 1, LAMBDA >= 0, R <= G, R >= -G, S <= G, S >= -G],
    evidence="no move is larger, and from -g to g it is as large",
    formula=leaf_sensitivity,
)
def sensitivity_of_a_leaf(most: Callable[..., Any]) -> dict[str, Any]:
    return sharp((S - R) / (N + LAMBDA), most(G, N, LAMBDA), tm.Eq(R, -G), tm.Eq(S, G))

"""Alg. 4: priors from private histograms of clusters."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech.papers.checking import check_family, check_implications
from lpmech.papers.claims import Outcome, refuted, unclear
from lpmech.papers.ghazi2021.paper import PAPER

#: Budget of the prior.
BUDGET = sp.Symbol("epsilon_p")


def _size(x: Any) -> Any:
    return sp.Max(x, -x)


@PAPER.claim(
    "Alg. 4 line 4(b) (parameter)",
    r"K independent dlaplace variables with a=\varepsilon_p/2, P(k)\propto e^{-a|k|}, make the histogram \varepsilon_p-DP for substitution neighbours; no larger a does",
    hypotheses="substitution moves one example from class y to y': two counts change by one; out counts u, v; ln of the ratio is a(|u-h_y+1|-|u-h_y|+|v-h_y'-1|-|v-h_y'|)",
    recorded="proved",
    formula=lambda budget: budget / 2,
    mutants={
        "epsilon_p, for adding or removing an example": lambda budget: budget,
        "2/epsilon_p, the scale in place of the parameter": lambda budget: 2 / budget,
        "epsilon_p/4": lambda budget: budget / 4,
    },
    note="scipy's parameter a is the inverse of a scale. The histograms of disjoint clusters together still cost epsilon_p: one label, one cluster.",
)
def parameter(choose: Any) -> Outcome:
    first, second = sp.symbols("u v")  # released minus true count, before the change
    change = (_size(first + 1) - _size(first)) + (_size(second - 1) - _size(second))
    a = choose(BUDGET)
    return check_implications(
        [BUDGET > 0],
        {
            "level": a * change <= BUDGET,
            "attained at u = 0, v = 1 of the neighbour": sp.Eq(a * -change.subs({first: -1, second: 1}), BUDGET),
        },
        "for all counts and outcomes",
    )


@PAPER.claim(
    "Alg. 4 line 4(b) (the call as printed)",
    r"\tilde H_c\leftarrow H_c+scipy.stats.dlaplace.rvs(\varepsilon_p/2,K) is \varepsilon_p-DP for substitution neighbours",
    hypotheses="in scipy the second positional argument of dlaplace.rvs after a is loc; the number of variables is the keyword size",
    recorded="unclear",
    formula=lambda budget: budget / 2,
    mutants={"a = epsilon_p": lambda budget: budget},
    note="Meant are K independent variables. Copied literally, the call gives one variable, shifted by K and added to every class.",
)
def call_as_printed(choose: Any) -> Outcome:
    shared = refuted(
        "exact example",
        "the differences of the counts are released without noise",
        "K = 2, counts (1, 0) and (0, 1): the released counts differ by 1 and by -1, whatever the noise: no finite level",
    )
    return unclear(
        {"K independent variables": parameter(choose), "scipy's signature rvs(a, loc), one variable": shared}
    )


def normalised(counts: tuple[int, ...]) -> list[Fraction]:
    """Line 4(c) as printed; empty if it divides by zero."""
    positive = [Fraction(max(c, 0)) for c in counts]
    return [c / sum(positive) for c in positive] if sum(positive) else []


def with_fallback(counts: tuple[int, ...]) -> list[Fraction]:
    """Line 4(c), uniform where no count is positive (the prior of line 1)."""
    return normalised(counts) or [Fraction(1, len(counts))] * len(counts)


@PAPER.claim(
    "Alg. 4 line 4(c)",
    r"p_c=\max(\tilde H_c,0)/\sum_k\max(\tilde H_c[k],0) is a distribution",
    hypotheses="integer noisy counts -2, ..., 2 on K = 2, 3 classes: the noise takes every integer with positive probability",
    recorded="refuted",
    formula=normalised,
    control=with_fallback,
    mutants={"without the sign cut": lambda counts: [Fraction(c, sum(counts)) for c in counts] if sum(counts) else []},
    repaired_by="Alg. 4 line 4(c) [repaired]",
    note="0/0 when no noisy count is positive, which happens with positive probability; line 1 sets a uniform prior that line 4(d) overwrites.",
)
@PAPER.claim(
    "Alg. 4 line 4(c) [repaired]",
    r"the same, uniform if no noisy count is positive, is a distribution",
    hypotheses="integer noisy counts -2, ..., 2 on K = 2, 3 classes",
    recorded="certified",
    formula=with_fallback,
    mutants={"as printed": normalised},
)
def line_4c(prior: Any) -> Outcome:
    def failure(counts: tuple[int, ...]) -> str | None:
        p = prior(counts)
        fine = len(p) == len(counts) and sum(p) == 1 and min(p) >= 0
        return None if fine else f"noisy counts {counts}: {[str(v) for v in p] or '0/0'}"

    family = sorted(
        (c for n in (2, 3) for c in product(range(-2, 3), repeat=n)), key=lambda c: (len(c), sum(map(abs, c)))
    )
    return check_family(family, failure, "all such counts")


@PAPER.claim(
    "App. B (budget of the prior)",
    r"'\varepsilon_p will be subtracted from the privacy budget for RRWithPrior': prior and randomized label together are (\varepsilon_p+\varepsilon')-LabelDP",
    hypotheses="t_p, t' > 1 the ratios of the two steps; law of (histogram, label) = law of the histogram times law of the label given it; both depend on the same label",
    recorded="proved",
    formula=lambda first, second: first * second,
    mutants={"parallel composition": sp.Max, "the label's part alone": lambda first, second: second},
)
def budget(total: Any) -> Outcome:
    t1, t2, a, b, c, d = sp.symbols("t_p t_r a b c d")
    return check_implications(
        [t1 > 1, t2 > 1, a >= 0, b >= 0, c >= 0, d >= 0, a <= t1 * b, c <= t2 * d],
        {"joint": a * c <= total(t1, t2) * b * d},
        "probabilities a, b of a histogram and c, d of a label, for two neighbours",
    )


PAPER.leave_out("App. B (cluster counts, Fig. 2)", "accuracies on CIFAR-10 with pre-trained features")

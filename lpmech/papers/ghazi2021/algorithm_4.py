"""Alg. 4: priors from private histograms of clusters."""

from __future__ import annotations

from itertools import product
from typing import Any

import sympy as sp

from lpmech.papers.checking import check_family, check_implications, replayed, unless_refuted
from lpmech.papers.claims import Repair
from lpmech.papers.ghazi2021.paper import PAPER
from lpmech.verdicts import Outcome

#: Budget of the prior.
BUDGET = sp.Symbol("epsilon_p")


def _size(x: Any) -> Any:
    return sp.Max(x, -x)


@PAPER.claim(
    "Alg. 4 line 4(b) (parameter)",
    r"K independent dlaplace variables with a=\varepsilon_p/2, P(k)\propto e^{-a|k|}, make the histogram \varepsilon_p-DP for substitution neighbours; no larger a does",
    hypotheses="epsilon_p > 0; substitution moves one example from class y to y': two counts change by one; out counts u, v; ln of the ratio is a(|u-h_y+1|-|u-h_y|+|v-h_y'-1|-|v-h_y'|)",
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
    hypotheses="in scipy the second positional argument of dlaplace.rvs after a is loc; the number of variables is the keyword size. The formula is the parameter a, and which "
    "variable class j gets; K = 2 classes, noise from -3 to 3",
    consequence="privacy",
    headline=3,
    recorded="refuted",
    formula=(lambda budget: budget / 2, lambda j: 0),
    mutants={
        "a = epsilon_p": (lambda budget: budget, lambda j: 0),
        "a = epsilon_p, K variables": (lambda budget: budget, lambda j: j),
    },
    note="Meant are K independent variables, as the comment on the line says in effect. Copied literally, the call gives one variable, shifted by K and added to every class, "
    "so that differences of counts are released without noise.",
    repair=Repair(
        r"dlaplace.rvs(\varepsilon_p/2, size=K) adds K independent variables: \varepsilon_p-DP",
        hypotheses="substitution neighbours, any counts and outcomes; replayed on K = 2 classes, noise from -3 to 3",
        formula=(lambda budget: budget / 2, lambda j: j),
        mutants={
            "one variable for all classes": (lambda budget: budget / 2, lambda j: 0),
            "a = epsilon_p": (lambda budget: budget, lambda j: j),
        },
    ),
)
def call_as_printed(rule: Any) -> Outcome:
    choose, variable = rule
    values = range(-3, 4)

    def failure(pair: tuple[tuple[int, int], tuple[int, int]]) -> str | None:
        """What the differences of the released counts can be."""
        ours, theirs = (
            {h + noise[variable(0)] - g - noise[variable(1)] for noise in product(values, repeat=2)} for h, g in pair
        )
        if ours & theirs:
            return None
        return (
            f"K = 2, counts {pair[0]} and {pair[1]}: the released counts differ by {', '.join(map(str, ours))} and by "
            f"{', '.join(map(str, theirs))}, whatever the noise: no finite level"
        )

    shared = check_family([((1, 0), (0, 1))], failure, "neighbouring histograms of one example", "exact example")
    return unless_refuted(shared, lambda: replayed(parameter(choose), shared))


def cut_at_zero(count: Any) -> Any:
    """max(H, 0)."""
    return sp.Max(count, 0)


def uniform(size: Any) -> Any:
    """The prior of line 1."""
    return sp.Integer(1) / size


@PAPER.claim(
    "Alg. 4 line 4(c)",
    r"p_c=\max(\tilde H_c,0)/\sum_k\max(\tilde H_c[k],0) is a distribution",
    hypotheses="noisy counts on any number of classes: the noise takes every integer with positive probability. The formula is what is divided by its "
    "sum, and the entry where that sum is zero",
    consequence="privacy",
    headline=4,
    recorded="refuted",
    formula=(cut_at_zero, None),
    mutants={"without the sign cut": (lambda count: count, None)},
    note="0/0 when no noisy count is positive, which happens with positive probability; line 1 sets a uniform prior that line 4(d) overwrites.",
    repair=Repair(
        r"the same, uniform if no noisy count is positive, is a distribution",
        hypotheses="any noisy counts on K >= 1 classes, S = sum of max(H, 0); replayed on counts -2, ..., 2, K = 2, 3",
        formula=(cut_at_zero, uniform),
        mutants={
            "as printed": (cut_at_zero, None),
            "absolute values, 1 for no count": (_size, lambda size: sp.Integer(1)),
        },
    ),
)
def line_4c(rule: Any) -> Outcome:
    share, fallback = rule

    def failure(counts: tuple[int, ...]) -> str | None:
        parts = [sp.sympify(share(sp.Integer(c))) for c in counts]
        if sum(parts) == 0 and fallback is None:
            return f"noisy counts {counts}: 0/0"
        p = [part / sum(parts) if sum(parts) else fallback(len(counts)) for part in parts]
        return None if sum(p) == 1 and min(p) >= 0 else f"noisy counts {counts}: {[str(v) for v in p]}"

    def proof() -> Outcome:
        count, rest, size = sp.symbols("H R K")
        return check_implications(
            [size >= 1, rest >= 0],
            {
                "what is divided is not negative": share(count) >= 0,
                "an entry": sp.Implies(share(count) + rest > 0, share(count) / (share(count) + rest) <= 1),
                "the entries sum to one": sp.Implies(
                    share(count) + rest > 0,
                    sp.Eq(share(count) / (share(count) + rest) + rest / (share(count) + rest), 1),
                ),
                "no positive count": sp.Eq(size * fallback(size), 1),
            },
            "any counts; R = the other classes",
        )

    family = sorted(
        (c for n in (2, 3) for c in product(range(-2, 3), repeat=n)), key=lambda c: (len(c), sum(map(abs, c)))
    )
    return unless_refuted(check_family(family, failure, "all such counts"), proof)


@PAPER.claim(
    "App. B (budget of the prior)",
    r"'\varepsilon_p will be subtracted from the privacy budget for RRWithPrior': prior and randomized label together are (\varepsilon_p+\varepsilon')-LabelDP",
    hypotheses="t_p, t' > 1 the ratios of the two steps; law of (histogram, label) = law of the histogram times law of the label given it; both depend on the same label",
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

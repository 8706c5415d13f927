"""The largest information of a private channel: a bound for every prior, and closed forms for equal shares."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.mechanisms.subset_selection import subset_selection
from lpmech.papers.across.paper import PAPER
from lpmech.privacy import PrivacyLevel
from lpmech.programs.sublinear import information
from lpmech.terms import functions as tm

T, M = tm.symbols("t m")

_COUNTS = [(1, 1, 1, 1), (5, 3, 2), (7, 2, 1), (1, 1), (3, 2, 2, 1, 1), (6, 1, 1)]


def _law(counts: Any) -> list[Fraction]:
    return [Fraction(c, sum(counts)) for c in counts]


@PAPER.claim(
    "Chi-squared information, every prior",
    r"no $\epsilon$-private channel has a larger $\chi^2$ information of true and released label than $(t-1)^2/(4t)$, whatever prior and number of labels; randomised response attains it on $t+1$ equal shares, if $t$ is a whole number",
    hypotheses=r"$\chi^2$ between the joint law and that of independent labels. A pattern of mean $m$ is $t$ on labels of mass $(m-1)/(t-1)$, else 1, and worth $t+1-m-t/m$; the dual is $(t-1)^2/(4t)$ times the prior, so that a pattern costs $m (t-1)^2/(4t)$",
    given=[T > 1, M >= 1, M <= T],
    replay="the exact optimum for six priors, K <= 5, t = 3/2, 3, 9, and for t + 1 equal shares, t = 2, 3, 9",
    formula=lambda t: (t - 1) ** 2 / (4 * t),
    mutants={"of two labels": lambda t: (t - 1) ** 2 / (t + 1) ** 2, "without the quarter": lambda t: (t - 1) ** 2 / t},
    note="Patterns suffice: kairouz2016. `lpmech.programs.sublinear` has the optimum for any prior.",
)  # fmt: skip
def chi_squared_bound(bound: Any) -> Parts:
    for counts, t in product(_COUNTS, map(Fraction, ("3/2", "3", "9"))):
        found = information(_law(counts), PrivacyLevel.from_ratio(t), "chi-squared").solve().bound
        yield Instance(f"prior as {counts}, t = {t}: optimum", found, "<=", bound(t))
    for whole in (2, 3, 9):
        found = (
            information([Fraction(1, whole + 1)] * (whole + 1), PrivacyLevel.from_ratio(whole), "chi-squared")
            .solve()
            .value
        )
        yield Instance(f"{whole + 1} equal shares, t = {whole}: optimum", found, "==", bound(Fraction(whole)))
    mass, worth = (M - 1) / (T - 1), T + 1 - M - T / M
    yield "pattern", (mass * (T - M) ** 2 / M + (1 - mass) * (1 - M) ** 2 / M, worth)
    yield "its dual constraint", worth <= bound(T) * M
    best = 2 * T / (T + 1)
    yield "attained", (T + 1 - best - T / best, bound(T) * best)
    yield "labels of mass 1/(t + 1)", ((best - 1) / (T - 1), 1 / (T + 1))


@PAPER.claim(
    "Information, equal shares",
    r"for equal shares of $K$ labels the largest $\chi^2$ information is the largest $(t+1-m_k-t/m_k)/m_k$, $m_k=1+(t-1)k/K$, and subset selection with $k$ labels attains it",
    family="K = 2, ..., 8, t = 3/2, 4, 20: exact optima over all patterns",
    recorded="certified",
    formula=lambda t, m: (t + 1 - m - t / m) / m,
    mutants={"not divided by the mean": lambda t, m: t + 1 - m - t / m, "total variation": lambda t, m: (m - 1) * (t - m) / (t - 1) / m},
    note="The dual is the same for all labels, as the program is for all of them. Wang et al. (2016) have the same mechanism for the mutual information.",
)  # fmt: skip
def equal_shares(worth: Any) -> Parts:
    for size, t in product(range(2, 9), map(Fraction, ("3/2", "4", "20"))):
        level = PrivacyLevel.from_ratio(t)
        asked = information([Fraction(1, size)] * size, level, "chi-squared")
        values = {k: worth(t, 1 + (t - 1) * Fraction(k, size)) for k in range(1, size)}
        k = max(values, key=values.__getitem__)
        found, sets = asked.solve().bound, asked.ends(subset_selection(size, level, k).channel())[0]
        where = f"K = {size}, t = {t}: optimum, subset selection with k = {k}"
        yield Instance(where, (found, sets), "==", (values[k], values[k]))

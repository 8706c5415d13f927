"""Lemma 3.1, the sentences after it, and its proof in Appendix B."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.mechanisms.block_rr import beta as closed_beta
from lpmech.mechanisms.block_rr import gamma as closed_gamma
from lpmech.mechanisms.block_rr import kappa as closed_kappa
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.liu2026.paper import ANY_SIZES, EMPTY, PAPER, S1, S2, SIZES, B, L, T
from lpmech.verdicts import Outcome

LARGER = sp.Symbol("l2")
ORDERED = [*SIZES, LARGER > L, LARGER <= S1]
ORDERED_EMPTY = [*EMPTY, LARGER > L, LARGER <= S1]


def _with_kappa_shrinking(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    return ((t - 1) * b - l * s2 / (s1 + s2)) / closed_kappa(t, b, s1, s2, l)


@PAPER.claim(
    "Lemma 3.1 (beta)",
    r"\beta is (strictly) increasing in l when \tilde S_2\ne\emptyset",
    hypotheses="t > 1, b > 0, s1 >= b, s2 >= b, 0 <= l < l' <= s1; B, S1, S2, S~1, S~2 fixed",
    given=ORDERED,
    evidence="strict for all sizes and t",
    formula=closed_beta,
    mutants={
        "numerator with -l s2/s": _with_kappa_shrinking,
        "gamma in place of beta": closed_gamma,
        "numerator without l": lambda t, b, s1, s2, l: (t - 1) * b / closed_kappa(t, b, s1, s2, l),
    },
)
def beta_increasing(beta: Any) -> Relations:
    return {"beta(l) < beta(l')": beta(T, B, S1, S2, L) < beta(T, B, S1, S2, LARGER)}


@PAPER.claim(
    "Lemma 3.1 (gamma)",
    r"\gamma is (strictly) decreasing in l, also when \tilde S_2=\emptyset",
    hypotheses="s2 >= b or s2 = 0, 0 <= l < l' <= s1",
    formula=closed_gamma,
    mutants={
        "beta in place of gamma": closed_beta,
        "sign of l": lambda t, b, s1, s2, l: closed_gamma(t, b, s1, s2, -l),
    },
)
def gamma_decreasing(gamma: Any) -> Outcome:
    occupied = check_implications(
        ORDERED,
        {"gamma(l) > gamma(l')": gamma(T, B, S1, S2, L) > gamma(T, B, S1, S2, LARGER)},
        "strict for all sizes and t",
    )
    empty = check_implications(
        ORDERED_EMPTY,
        {"gamma(l) > gamma(l') at s2 = 0": gamma(T, B, S1, 0, L) > gamma(T, B, S1, 0, LARGER)},
        "and for S~2 empty",
    )
    return both(occupied, empty)


@PAPER.claim(
    "Lemma 3.1 (beta, S~2 empty)",
    r"if \tilde S_2=\emptyset then \beta=1/((e^\epsilon-1)|B|+|\tilde S_1|) does not depend on l (weakly monotone only)",
    hypotheses="s2 = 0, 0 <= l < l' <= s1",
    given=ORDERED_EMPTY,
    evidence="S~2 empty, all t and sizes",
    formula=lambda smaller, larger: sp.Eq(smaller, larger),
    mutants={"strictly increasing": lambda smaller, larger: smaller < larger},
)
def beta_constant_without_second_outputs(relation: Any) -> Relations:
    return {"relation of beta(l) to beta(l')": relation(closed_beta(T, B, S1, 0, L), closed_beta(T, B, S1, 0, LARGER))}


@PAPER.claim(
    "Lemma 3.1 (max gamma = min beta)",
    r"\max_l\gamma=\min_l\beta=1/((e^\epsilon-1)|B|+|\tilde{\mathcal S}|), both at l=0",
    hypotheses="s2 >= b or s2 = 0",
    formula=lambda t, b, s: 1 / ((t - 1) * b + s),
    mutants={
        "denominator t b + s": lambda t, b, s: 1 / (t * b + s),
        "attained at l = s1": lambda t, b, s: 1 / ((t - 1) * b),
    },
)
def extremes_meet(value: Any) -> Outcome:
    at_zero = check_identities(
        {
            "beta(0)": (closed_beta(T, B, S1, S2, 0), value(T, B, S1 + S2)),
            "gamma(0)": (closed_gamma(T, B, S1, S2, 0), value(T, B, S1 + S2)),
        },
        "the common value at l = 0",
        hypotheses=ANY_SIZES,
    )
    extreme = check_implications(
        ANY_SIZES,
        {
            "beta >= value": closed_beta(T, B, S1, S2, L) >= value(T, B, S1 + S2),
            "gamma <= value": closed_gamma(T, B, S1, S2, L) <= value(T, B, S1 + S2),
        },
        "it is the minimum of beta and the maximum of gamma",
    )
    return both(at_zero, extreme)


@PAPER.claim(
    "Section 3.1 after Lemma 3.1 (l = 0)",
    r"l=0 gives \beta=\gamma, and BlockRR then has e^\epsilon\beta on B(y) and \beta elsewhere: RR for B(y)=\{y\}",
    hypotheses="b = 1 and s1 + s2 = K >= 2 gives 1/(t + K - 1)",
    given=[T > 1, B > 0, S1 >= B, S2 >= B, S1 + S2 >= 2],
    evidence="identities in t and the sizes",
    formula=lambda t, s: 1 / (t + s - 1),
    mutants={"1/(t + s)": lambda t, s: 1 / (t + s)},
)
def l_zero_is_rr(low: Any) -> Relations:
    return {
        "beta = gamma": (closed_beta(T, B, S1, S2, 0), closed_gamma(T, B, S1, S2, 0)),
        "RR": (closed_beta(T, 1, S1, S2, 0), low(T, S1 + S2)),
    }


SECOND = sp.Symbol("s2", integer=True)


@PAPER.claim(
    "Section 3.1 after Lemma 3.1 (l = 0, S~2 empty)",
    r"'under the condition \beta=\gamma BlockRR reduces precisely to the classical Randomized Response', \tilde S_2=\emptyset included: every row sums to one",
    hypotheses="t > 1, B(y) = {y}, l = 0, s1 >= 1, s2 >= 0 an integer; minority labels exist",
    consequence="formula",
    recorded="refuted",
    formula=lambda s2: sp.true,
    mutants={"unless there is one label of S~2": lambda s2: sp.Ne(s2, 1)},
    note="With S~ = S~1 = S1 a minority row has beta on S~1 and nothing else. It sums to s1 / (t + s1 - 1), which at t = 2 is 1/2 for s1 = 1, and as small as one likes for large t. "
    "Table 1 takes S~2 empty only with l = |S~1|; the same gap as in 'eq. (3.1) (S~2 empty)'.",
    repair=Repair(
        r"at l=0 the minority rows sum to one, and are those of RR, iff \tilde S_2\ne\emptyset",
        formula=lambda s2: s2 >= 1,
        mutants={
            "always": lambda s2: sp.true,
            "for two labels of S~2": lambda s2: s2 >= 2,
            "never": lambda s2: sp.false,
        },
    ),
)
def l_zero_needs_second_outputs(condition: Any) -> Outcome:
    """A minority row has beta = gamma on every output, and t gamma on its own label if S~2 has it."""
    value = closed_beta(T, 1, S1, SECOND, 0)
    row = sp.Piecewise((S1 * value + (T + SECOND - 1) * value, SECOND >= 1), (S1 * value, True))

    def failure(case: tuple[int, int]) -> str | None:
        s1, s2 = case
        total = row.subs({T: 2, S1: s1, SECOND: s2})
        if (total == 1) == (condition(sp.Integer(s2)) == sp.true):
            return None
        return f"t = 2, |S~1| = {s1}, |S~2| = {s2}, l = 0: a minority row sums to {total}"

    claimed, normalised = condition(SECOND), sp.Eq(row, 1)
    return replayed(
        check_implications(
            [T > 1, S1 >= 1, SECOND >= 0],
            {
                "condition => sum = 1": sp.Implies(claimed, normalised),
                "sum = 1 => condition": sp.Implies(normalised, claimed),
            },
            "all sizes and t",
        ),
        check_family([(s1, s2) for s1 in (1, 2) for s2 in (0, 1, 2)], failure, "small sizes at t = 2"),
    )


@PAPER.claim(
    "Section 3.1 after Lemma 3.1 (beta = gamma)",
    r"\beta=\gamma only at l=0",
    given=list(SIZES),
    evidence="for all sizes and t",
    formula=lambda l, s1: sp.Eq(l, 0),
    mutants={"at l = 0 or l = s1": lambda l, s1: sp.Or(sp.Eq(l, 0), sp.Eq(l, s1)), "never": lambda l, s1: sp.false},
)
def beta_equals_gamma(where: Any) -> Relations:
    equal = sp.Eq(closed_beta(T, B, S1, S2, L), closed_gamma(T, B, S1, S2, L))
    claimed = where(L, S1)
    return {"=>": sp.Implies(equal, claimed), "<=": sp.Implies(claimed, equal)}


@PAPER.claim(
    "Section 3.1 after Lemma 3.1 (l = |S~1|)",
    r"at l=|\tilde S_1|, where mitigation is strongest: \gamma=|\tilde S_2|/(|\tilde S|((e^\epsilon-1)|B|+|\tilde S_2|)), so an output of \tilde S_2 is rarest, and \Delta=\tilde S_1 gets |\tilde S_1|/|\tilde S| of every minority row",
    formula=lambda t, b, s1, s2: s2 / ((s1 + s2) * ((t - 1) * b + s2)),
    mutants={
        "denominator with s1": lambda t, b, s1, s2: s2 / ((s1 + s2) * ((t - 1) * b + s1)),
        "factor s2 dropped": lambda t, b, s1, s2: 1 / ((s1 + s2) * ((t - 1) * b + s2)),
    },
)
def limit_l_all(gamma_limit: Any) -> Outcome:
    limit = check_identities(
        {"gamma(s1)": (closed_gamma(T, B, S1, S2, S1), gamma_limit(T, B, S1, S2))},
        "the value at l = s1",
        hypotheses=SIZES,
    )
    least = check_implications(
        list(SIZES),
        {"gamma(l) >= gamma(s1)": closed_gamma(T, B, S1, S2, L) >= gamma_limit(T, B, S1, S2)},
        "it is the least gamma",
    )
    return both(limit, least)


@PAPER.claim(
    "App. B sentence 1 (numerator)",
    r"the numerator \beta_1 of \beta increases with l",
    hypotheses="0 <= l < l' <= s1",
    given=ORDERED,
    evidence="all sizes",
    formula=lambda t, b, s1, s2, l: closed_beta(t, b, s1, s2, l) * closed_kappa(t, b, s1, s2, l),
    mutants={"numerator of gamma at s1 > s2": lambda t, b, s1, s2, l: (t - 1) * b - l},
)
def numerator_increases(numerator: Any) -> Relations:
    return {"beta_1 increases": sp.simplify(numerator(T, B, S1, S2, LARGER) - numerator(T, B, S1, S2, L)) > 0}


@PAPER.claim(
    "App. B sentence 1 (denominator)",
    r"the denominator \kappa of \beta decreases with l",
    hypotheses="t > 1, b > 0, s1 >= b, s2 >= b, 0 <= l < l' <= s1",
    consequence="proof",
    headline=5,
    recorded="refuted",
    formula=lambda smaller, larger: larger < smaller,
    mutants={"constant": lambda smaller, larger: sp.Eq(larger, smaller)},
    note="The Lemma is true (see Lemma 3.1 (beta)), but this step of its proof is not: kappa contains -(s1 - l) s2 = "
    "-s1 s2 + l s2.",
    repair=Repair(
        r"\kappa increases with l, by |\tilde S_2| per unit; \beta increases because its numerator grows by the larger factor",
        formula=lambda smaller, larger: larger > smaller,
        mutants={"decreases": lambda smaller, larger: larger < smaller},
    ),
)
def denominator_monotone(relation: Any) -> Outcome:
    slope = sp.diff(closed_kappa(T, B, S1, S2, L), L)
    exact = check_identities({"d kappa / d l": (slope, S2)}, "kappa has slope s2 in l", hypotheses=SIZES)
    smaller, larger = (closed_kappa(T, B, S1, S2, l) for l in (L, LARGER))
    return both(
        exact, check_implications(ORDERED, {"kappa(l) to kappa(l')": relation(smaller, larger)}, "all sizes and t")
    )


@PAPER.claim(
    "App. B sentence 2",
    r"\gamma=(1-(e^\epsilon|B|+|\tilde S_1|-|B|)\beta)/|\tilde S_2|",
    hypotheses="0 <= l <= s1 (the paper does not exclude s2 = 0, used in Table 1; gamma decreases there too, see Lemma 3.1 (gamma))",
    given=SIZES,
    evidence="from the first equation of (3.1)",
    formula=lambda t, b, s1, s2, beta: (1 - (t * b + s1 - b) * beta) / s2,
    mutants={
        "divided by s1": lambda t, b, s1, s2, beta: (1 - (t * b + s1 - b) * beta) / s1,
        "b not subtracted": lambda t, b, s1, s2, beta: (1 - (t * b + s1) * beta) / s2,
    },
)
def gamma_from_beta(expression: Any) -> Relations:
    return {"gamma": (closed_gamma(T, B, S1, S2, L), expression(T, B, S1, S2, closed_beta(T, B, S1, S2, L)))}


@PAPER.claim(
    "App. B sentence 3",
    r"'it follows that \gamma is decreasing': with the coefficient of \beta negative, \beta increasing implies \gamma decreasing",
    hypotheses="beta < beta' arbitrary",
    formula=lambda t, b, s1, s2, beta: (1 - (t * b + s1 - b) * beta) / s2,
    mutants={"sign of the coefficient": lambda t, b, s1, s2, beta: (1 + (t * b + s1 - b) * beta) / s2},
)
def gamma_follows(expression: Any) -> Outcome:
    low, high = sp.symbols("beta beta2")
    return check_implications(
        [T > 1, B > 0, S1 >= B, S2 >= B, low < high],
        {"gamma falls": expression(T, B, S1, S2, high) < expression(T, B, S1, S2, low)},
        "for all sizes and t",
    )

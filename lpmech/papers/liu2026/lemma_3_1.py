"""Lemma 3.1, the sentences around it about what the blocks and Delta do, and its proof in Appendix B."""

from __future__ import annotations

import operator
from typing import Any

from lpmech.claims import Parts, Relations, Repair
from lpmech.papers.checks import equals
from lpmech.papers.liu2026.paper import (
    ANY_SIZES,
    LARGER,
    ORDERED,
    ORDERED_EMPTY,
    PAPER,
    S1,
    S2,
    SIZES,
    B,
    L,
    T,
    beta,
    gamma,
    kappa,
)
from lpmech.papers.liu2026.shapes import compares, decides, ordered
from lpmech.terms import functions as tm

ALL = (T, B, S1, S2)


@PAPER.claim(
    "Section 3 (a label is mapped to itself)",
    r"'a label is mapped to itself (or a close surrogate) with high probability': in BlockRR every output of $B(y)$ has at least the probability $1/|\tilde{\mathcal{S}}|$, every other output at most that",
    hypotheses="the block definitions, $B(y)$ in the block of $y$",
    given=SIZES,
    formula=lambda s1, s2: 1 / (s1 + s2),
    note=r"The weakest reading of 'high probability': no less than the share $1/|\tilde{S}|$, a tenth for ten labels. The section says it of all these methods; RRWithPrior maps the labels that it drops to themselves with probability 0. For a minority label equality is possible: at $l = |\tilde{S}_1|$ and "
    r"$|\tilde{S}_2| = |B(y)|$ it is answered as often with a given label of $\Delta$ as with itself.",
)
def own_label_is_likeliest(share: Any) -> Relations:
    high, low, bound = beta(*ALL, L), gamma(*ALL, L), share(S1, S2)
    own = {"own, majority": bound <= T * high, "own, minority": bound <= T * low}
    return {**own, "on Delta": 1 / (S1 + S2) <= bound, "beta": high <= bound, "gamma": low <= bound}


MINORITY = tm.symbol("P")


@PAPER.claim(
    "Section 3.1 (what Delta does)",
    r"'$\Delta\subseteq\tilde{S}_1$ is designed to enhance the influence of majority labels and mitigate the impact of minority labels': for every prior the share of answers in $\tilde{S}_2$ falls, and that in $\tilde{S}_1$ rises, with $l$",
    hypotheses="$P =$ prior probability of $S_2$; strictly, for $P = 0$ and $P = 1$ too",
    given=[*ORDERED, MINORITY >= 0, MINORITY <= 1],
    formula=lambda t, b, s2, p: s2 + p * (t - 1) * b,
    uses=["Lemma 3.1 (gamma)"],
)
def share_of_minority_answers(factor: Any) -> Relations:
    """Majority rows have s2 gamma in S~2, minority rows (t b + s2 - b) gamma; the rest of every row is in S~1."""
    low = gamma(*ALL, L)
    share = (1 - MINORITY) * S2 * low + MINORITY * (T * B + S2 - B) * low
    independent_of_l = factor(T, B, S2, MINORITY)
    return {
        "share of S~2 = gamma times a factor without l": (share, independent_of_l * low),
        "factor > 0": independent_of_l > 0,
    }


PAPER.claim(
    "Lemma 3.1 (beta)",
    r"$\beta$ is (strictly) increasing in $l$ when $\tilde{S}_2\ne\emptyset$",
    given=ORDERED,
    formula=operator.lt,
    mutants={"decreasing": operator.gt, "constant": tm.Eq},
)(compares({"beta at l and at l2": (beta(*ALL, L), beta(*ALL, LARGER))}))


@PAPER.claim(
    "Lemma 3.1 (gamma)",
    r"$\gamma$ is (strictly) decreasing in $l$, also when $\tilde{S}_2=\emptyset$",
    formula=operator.gt,
    mutants={"increasing": operator.lt, "constant": tm.Eq},
)
def gamma_decreasing(relation: Any) -> Parts:
    yield from ordered(relation)
    yield ORDERED, {"gamma at l and at l2": relation(*(gamma(T, B, S1, S2, l) for l in (L, LARGER)))}
    empty = (gamma(T, B, S1, 0, l) for l in (L, LARGER))
    yield ORDERED_EMPTY, {"gamma at l and at l2, s2 = 0": relation(*empty)}


PAPER.claim(
    "Lemma 3.1 (beta, S~2 empty)",
    r"if $\tilde{S}_2=\emptyset$ then $\beta=1/((e^\epsilon-1)|B|+|\tilde{S}_1|)$ does not depend on $l$ (weakly monotone only)",
    given=ORDERED_EMPTY,
    formula=tm.Eq,
    mutants={"strictly increasing": operator.lt},
)(compares({"beta at l and at l2": (beta(T, B, S1, 0, L), beta(T, B, S1, 0, LARGER))}))


@PAPER.claim(
    "Lemma 3.1 (max gamma = min beta)",
    r"$\max_l\gamma=\min_l\beta=1/((e^\epsilon-1)|B|+|\tilde{\mathcal{S}}|)$, both at $l=0$",
    given=ANY_SIZES,
    formula=lambda t, b, s: 1 / ((t - 1) * b + s),
)
def extremes_meet(value: Any) -> Relations:
    extreme = value(T, B, S1 + S2)
    at_zero = {"beta at l = 0": (beta(*ALL, 0), extreme), "gamma at l = 0": (gamma(*ALL, 0), extreme)}
    return {**at_zero, "beta >= value": beta(*ALL, L) >= extreme, "gamma <= value": gamma(*ALL, L) <= extreme}


PAPER.claim(
    "Section 3.1 after Lemma 3.1 (l = 0)",
    r"$l=0$ gives $\beta=\gamma$, and BlockRR then has $e^\epsilon\beta$ on $B(y)$ and $\beta$ elsewhere: RR for $B(y)=\{y\}$",
    given=[T > 1, B > 0, S1 >= B, S2 >= B, S1 + S2 >= 2],
    formula=lambda t, s: 1 / (t + s - 1),
)(lambda low: {"beta = gamma": (beta(*ALL, 0), gamma(*ALL, 0)), "RR": (beta(T, 1, S1, S2, 0), low(T, S1 + S2))})

SECOND = tm.symbol("s2")
AT_ZERO = beta(T, 1, S1, SECOND, 0)

#: A minority row at l = 0 has beta = gamma on every output, and t gamma on its own label if S~2 has it.
MINORITY_ROW = tm.Piecewise(((S1 + T + SECOND - 1) * AT_ZERO, SECOND >= 1), (S1 * AT_ZERO, True))

PAPER.claim(
    "Section 3.1 after Lemma 3.1 (l = 0, S~2 empty)",
    r"'under the condition $\beta=\gamma$, BlockRR reduces precisely to the classical Randomized Response', for the sets of Table 1 with $\tilde{S}_2=\emptyset$ too: every row sums to one",
    hypotheses=r"a sentence of ours: the paper does not combine $l = 0$ with $\tilde{S}_2=\emptyset$. $B(y) = \{y\}$, $l = 0$; minority labels exist",
    kind="ours",
    given=[tm.Whole(SECOND), T > 1, S1 >= 1, SECOND >= 0],
    formula=lambda s2: tm.TRUE,
    note=r"With $\tilde{S} = \tilde{S}_1 = S_1$ a minority row has $\beta$ on $\tilde{S}_1$ and nothing else. It sums to $s_1 / (t + s_1 - 1)$, which at $t = 2$ is $1/2$ for $s_1 = 1$, and as small as one likes for large $t$. "
    r"Table 1 takes $\tilde{S}_2$ empty only with $l = |\tilde{S}_1|$; the same gap as in 'eq. (3.1) (S~2 empty)'. With $y\in B(y)$ for minority labels too, as section 3.1 has it, $B = I$ leaves no such case, and the sentence holds; Table 1 does not keep to that.",
    cause="eq. (3.1) (S~2 empty)",
    consequence="formula",
    repair=Repair(
        r"at $l=0$ the minority rows sum to one, and are those of RR, iff $\tilde{S}_2\ne\emptyset$",
        hypotheses=r"$B(y) = \{y\}$, $l = 0$; minority labels exist",
        formula=lambda s2: s2 >= 1,
    ),
)(decides((SECOND,), tm.Eq(MINORITY_ROW, 1), "a minority row sums to one"))


PAPER.claim(
    "Section 3.1 after Lemma 3.1 (beta = gamma)",
    r"$\beta=\gamma$ only at $l=0$",
    given=SIZES,
    formula=lambda l: tm.Eq(l, 0),
)(decides((L,), tm.Eq(beta(*ALL, L), gamma(*ALL, L)), "beta = gamma"))


@PAPER.claim(
    "Section 3.1 after Lemma 3.1 (l = |S~1|)",
    r"at $l=|\tilde{S}_1|$, where mitigation is strongest: $\gamma=|\tilde{S}_2|/(|\tilde{S}|((e^\epsilon-1)|B|+|\tilde{S}_2|))$, so an output of $\tilde{S}_2$ is rarest, and $\Delta=\tilde{S}_1$ gets $|\tilde{S}_1|/|\tilde{S}|$ of every minority row",
    given=SIZES,
    formula=lambda t, b, s1, s2: s2 / ((s1 + s2) * ((t - 1) * b + s2)),
)
def limit_l_all(gamma_limit: Any) -> Relations:
    limit = gamma_limit(T, B, S1, S2)
    return {"gamma at l = s1": (gamma(*ALL, S1), limit), "nowhere less": gamma(*ALL, L) >= limit}


def numerator(l: Any) -> Any:
    """beta_1 as (3.2) prints it."""
    return (T - 1) * B + l * S2 / (S1 + S2)


PAPER.claim(
    "App. B sentence 1 (numerator)",
    r"the numerator $\beta_1$ of $\beta$ increases with $l$",
    given=ORDERED,
    formula=operator.lt,
    mutants={"decreases": operator.gt},
)(compares({"beta_1 at l and at l2": (numerator(L), numerator(LARGER))}))


@PAPER.claim(
    "App. B sentence 1 (denominator)",
    r"the denominator $\kappa$ of $\beta$ decreases with $l$",
    given=ORDERED,
    headline=5,
    formula=operator.lt,
    note=r"The Lemma is true (see Lemma 3.1 (beta)), but this step of its proof is not: $\kappa$ contains "
    "$-(s_1 - l) s_2 = -s_1 s_2 + l s_2$.",
    consequence="proof",
    repair=Repair(
        r"$\kappa$ increases with $l$, by $|\tilde{S}_2|$ per unit; $\beta$ increases because its numerator grows by the larger factor",
        formula=operator.gt,
        mutants={"does not change": tm.Eq},
    ),
)
def denominator_monotone(relation: Any) -> Parts:
    """beta = beta_1 / kappa, so that the larger factor of beta_1 is beta at l2 above beta at l, brought over."""
    yield from ordered(relation)
    smaller, larger = (kappa(*ALL, l) for l in (L, LARGER))
    yield "kappa at l2 and at l", relation(larger, smaller)
    yield "per unit of l", (larger - smaller, S2 * (LARGER - L))
    yield "the larger factor", numerator(LARGER) * smaller > numerator(L) * larger


def _from_beta(t: Any, b: Any, s1: Any, s2: Any, x: Any) -> Any:
    return (1 - (t * b + s1 - b) * x) / s2


PAPER.claim(
    "App. B sentence 2",
    r"$\gamma=(1-(e^\epsilon|B|+|\tilde{S}_1|-|B|)\beta)/|\tilde{S}_2|$",
    hypotheses=r"the paper does not exclude $s_2 = 0$, used in Table 1; $\gamma$ decreases there too, see Lemma 3.1 (gamma)",
    given=SIZES,
    formula=_from_beta,
)(equals((*ALL, beta(*ALL, L)), gamma=gamma(*ALL, L)))

BETAS = tm.symbols("beta beta2")

PAPER.claim(
    "App. B sentence 3",
    r"'it follows that $\gamma$ is monotonically decreasing': with the coefficient of $\beta$ negative, $\beta$ increasing implies $\gamma$ decreasing",
    given=[T > 1, B > 0, S1 >= B, S2 >= B, BETAS[0] < BETAS[1]],
    formula=operator.gt,
    mutants={"increasing": operator.lt},
)(compares({"gamma at beta and at beta2": (_from_beta(*ALL, BETAS[0]), _from_beta(*ALL, BETAS[1]))}))

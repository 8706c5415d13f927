"""Sentences beside the theorems: small budgets (5.2), the question of section 7, App. E, F.1 and the debiased loss of App. G."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech.applications.learning.sgd_formulas import unbiased_estimate
from lpmech.claims import Parts, Relations
from lpmech.claims.checking import iff
from lpmech.mechanisms.privacy_indicator import approximate_delta_of, indicator_channel
from lpmech.mechanisms.rr_with_prior import hit_rate, hit_rates, rr_top_k, rr_with_prior
from lpmech.mechanisms.rr_with_prior.program import row_dual
from lpmech.papers.ghazi2021.duals import BELOW_W, P_Y, W
from lpmech.papers.ghazi2021.entries import top_k
from lpmech.papers.ghazi2021.paper import ANY_K, FAMILY, FAMILY_K, MASS, NEXT, PAPER, PRIORS, K, T, at_levels, priors
from lpmech.papers.ghazi2021.theorem_9 import LOG, OWN, REST, SIZE
from lpmech.papers.ghazi2021.theorem_17 import low
from lpmech.utilities import hit

#: The letters of the hypotheses, claim by claim.
DELTA, HIT, ABOVE, EVERY, DUAL, P, Q = sp.symbols("delta x z Z u P Q")


@PAPER.claim(
    "Section 5.2 (small budgets)",
    r"with 'extremely small privacy budgets' the label is not used: RRWithPrior releases the most probable label whatever the true one is, iff e^\epsilon\le p_1/p_2",
    hypotheses="every sorted prior and K; w_2 <= w_1, and then no larger size wins ('Alg. 2 (thresholds rise)'); the smallest maximiser",
    given=[T > 1, MASS > 0, NEXT >= 0, NEXT <= MASS],
    replay=f"rows of the channel, {PRIORS}",
    formula=lambda first, second, t: t * second <= first,
    mutants={"p_1 is the majority": lambda first, second, t: 2 * first >= 1},
    kind="ours",
    uses=["Alg. 2 (thresholds rise)"],
    note="The quoted words are those of section 1.1, on epsilon <= 0.1. What is left of 0.1 after epsilon_p = 0.05 (BYOL; 0.025 for DINO) is e^0.05 = 1.051 (1.078): only where the two most frequent classes of a cluster are nearly level does an example's own label matter; "
    "elsewhere the training sees the largest noisy count of its cluster.",
)
def small_budgets(unused: Any) -> Parts:
    for prior, level, where in FAMILY:
        rows = rr_with_prior(prior, level).matrix.tolist()
        constant = all(row == [1] + [0] * (len(row) - 1) for row in rows)
        same = constant == bool(unused(*(*prior, Fraction(0))[:2], level.ratio))
        yield same or f"{where}: rows {[list(map(str, row)) for row in rows]}"
    one_kept = hit_rate(T, 2, MASS + NEXT) <= hit_rate(T, 1, MASS)
    yield from iff(unused(MASS, NEXT, T), one_kept, "k* = 1", "not used").items()
    yield PAPER.claims["Alg. 2 (thresholds rise)"].run()


@PAPER.claim(
    "Section 7 (approximate DP)",
    r"'is higher accuracy possible for approximate DP?' For the hit rate it is, by exactly \delta(1-\max_kw_k): the most that (\epsilon,\delta)-DP allows is \delta+(1-\delta)\max_kw_k, reached by the label itself with probability \delta, else RRWithPrior",
    hypotheses="every prior, K and 0 <= delta < 1. x = q_{y|y}, z = max(x - delta, 0), Z the sum of all z: singletons give q_{j|y} >= z_j/t. Every row has z (1 - 1/t) + Z/t <= 1 - delta, one with z = 0 by another with z > 0 (else Z = 0). With duals u >= 0 of LP2, (1 - 1/t) u + W/t >= p and sum u = W: "
    "sum p x <= delta + sum p z <= delta + sum u (z (1 - 1/t) + Z/t) <= delta + W (1 - delta)",
    given=[T > 1, DELTA >= 0, DELTA < 1],
    replay="the mixture: its hit rate, and its delta by all sets of outputs; priors with denominator 4 on K = 2, 3 labels, t = 3/2, 3, delta = 1/10, 1/2",
    kind="ours",
    formula=lambda best, delta: delta + (1 - delta) * best,
    uses=["Theorem 3 (LP2 = max w_k)"],
    note="Answers the third question of section 7 for Obj_p. At delta = 10^-5, as in Table 1, the gain is below 10^-5.",
)
def approximate(value: Any) -> Parts:
    cases = at_levels(priors((2, 3), 4), map(Fraction, ("3/2", "3")))
    for (prior, level, where), delta in product(cases, map(Fraction, ("1/10", "1/2"))):
        mixture = indicator_channel(rr_with_prior(prior, level), delta)
        got, needs = mixture.expected_utility(hit(len(prior)), prior), approximate_delta_of(mixture, level)
        shown, claimed = f"{where}, delta = {delta}", value(max(hit_rates(prior, level)), delta)
        yield (got == claimed and needs <= delta) or f"{shown}: hit rate {got}, claimed {claimed}; needs delta {needs}"
    slack = ABOVE * (1 - 1 / T) + EVERY / T
    row = sp.And(HIT >= DELTA, sp.Eq(ABOVE, HIT - DELTA), HIT + (EVERY - ABOVE) / T <= 1)
    yield "a row with x >= delta", sp.Implies(row, slack <= 1 - DELTA)
    yield "and hence any other", sp.Implies(sp.And(ABOVE >= 0, slack <= 1 - DELTA), EVERY / T <= 1 - DELTA)
    yield "p x <= p delta + p z", sp.Implies(P_Y >= 0, P_Y * HIT <= P_Y * DELTA + P_Y * sp.Max(HIT - DELTA, 0))
    within = sp.And(DUAL >= 0, slack <= 1 - DELTA)
    yield "u times a row", sp.Implies(within, DUAL * slack <= DUAL * (1 - DELTA))
    yield "sum of the u is W", (DELTA + W * (1 - DELTA), value(W, DELTA))
    yield "the mixture is private", sp.Implies(P <= T * Q, (1 - DELTA) * P + DELTA <= T * (1 - DELTA) * Q + DELTA)
    yield BELOW_W, {"duals of LP2": (1 - 1 / T) * sp.Max(0, row_dual(T, P_Y, W)) + W / T >= P_Y}
    yield PAPER.claims["Theorem 3 (LP2 = max w_k)"].run()


@PAPER.claim(
    "App. E (wrong label)",
    r"outside the top k 'the randomized response is guaranteed to be a wrong label'; inside it is right with probability e^\epsilon/(e^\epsilon+k-1)>0",
    given=[T > 1, K > 1],
    replay=f"every label and k, {PRIORS}",
    formula=lambda kept, t, k: t / (t + k - 1) * int(kept),
)
def wrong_label(right: Any) -> Parts:
    for prior, k, level, where in FAMILY_K:
        for y, own in enumerate(rr_top_k(prior, k, level).matrix.diagonal().tolist()):
            yield right(y < k, level.ratio, Fraction(k)) == own or f"{where}: label {y + 1} with {own}"
    yield "outside", (right(False, T, K), 0)
    yield "inside", (right(True, T, K), top_k(T, K)[0])
    yield "inside, k >= 2: right or wrong", sp.And(right(True, T, K) > 0, right(True, T, K) < 1)


@PAPER.claim(
    "App. F.1 (training of Section 5)",
    r"'this is not guaranteed' there: the gradient at the released label alone has the mean \nabla_y+p_{K,\varepsilon}\sum_k(\nabla_k-\nabla_y), which is \nabla_y iff the gradients of all labels have the mean \nabla_y",
    hypotheses="RR on K labels, or RRTop-k with k = K for y in Y_k; g_y the gradient at the true label (one coordinate), R the sum of the others",
    given=[T > 1, SIZE >= 2],
    formula=lambda t, k, own, total: own + (total - k * own) / (t + k - 1),
    note="(7) removes this bias and multiplies the noise by (e^epsilon + K - 1)/(e^epsilon - 1).",
)
def without_correction(mean: Any) -> Relations:
    total = OWN + REST
    found = mean(T, SIZE, OWN, total)
    return {"mean": ((T * OWN + REST) / (T + SIZE - 1), found)} | iff(
        sp.Eq(found, OWN), sp.Eq(total, SIZE * OWN), "all equal", "unbiased"
    )


@PAPER.claim(
    "Alg. 5 line 3, Alg. 6 line 3",
    r"the output w_{n+1} is covered by Shamir and Zhang's bound 2DG(2+\ln T)/\sqrt T on the iterate w_T: at T=n+1 it is at most that at n, which Theorem 9 and Prop. 11 use",
    hypotheses="T >= 1 real; slope of (2 + ln T)/sqrt T, l = ln T >= 0",
    given=[LOG >= 0],
    formula=lambda n: (2 + sp.log(n)) / sp.sqrt(n),
    note="After n examples w_1, ..., w_(n+1) exist. The two algorithms list a 'variance factor' sigma; Alg. 5 has no line that uses it.",
)
def last_iterate(rate: Any) -> Relations:
    n = sp.Symbol("n", positive=True)
    slope = sp.expand(sp.simplify(sp.diff(rate(n), n) * n ** sp.Rational(3, 2))).subs(sp.log(n), LOG)
    return {"slope times n^(3/2)": (slope, -LOG / 2), "falls": slope <= 0}


@PAPER.claim(
    "eq. (17) (binary, and eq. (7))",
    r"(17) 'generalizes' the debiased loss for two classes, \frac{(1-\rho)\ell(t,y)-\rho\ell(t,y')}{1-2\rho} with \rho=p_{2,\varepsilon} the flip probability; and \hat g_t of (7) is its gradient for k=K",
    hypotheses="any losses or gradients; l the own one, R the sum of the others",
    given=ANY_K,
    formula=lambda t, k, own, total: (own - low(t, k) * total) / (1 - k * low(t, k)),
    note="So LP-RR-SGD of App. F is stochastic gradient descent on the loss of App. G.",
)
def same_loss(form: Any) -> Relations:
    flip = 1 / (T + 1)
    binary = ((1 - flip) * OWN - flip * REST) / (1 - 2 * flip)
    seven = unbiased_estimate(T, K, OWN, OWN + REST)
    return {"k = 2": (form(T, 2, OWN, OWN + REST), binary), "k = K": (form(T, K, OWN, OWN + REST), seven)}


PAPER.leave_out("App. D, App. E (Figs. 3 to 5)", "learning curves, splits and mixup coefficients measured on CIFAR-10")
PAPER.leave_out(
    "Section 7 (first two questions)", "open questions about subsampling and the central model; nothing is stated"
)

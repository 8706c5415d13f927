"""App. B and E: priors from private histograms of clusters (Alg. 4), and the temperature that sharpens or spreads them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.claims import Instance, Parts, Repair
from lpmech.claims.checking import sharp
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.papers.ghazi2021.entries import top_k
from lpmech.papers.ghazi2021.paper import ANY_K, FAMILY_K, PAPER, PRIORS, K, T
from lpmech.prove import steps
from lpmech.terms import functions as tm

#: Budget of the prior; released minus true count of two classes before the change.
BUDGET = tm.symbol("epsilon_p")
FIRST, SECOND = tm.symbols("u v")
PARAMETER = "Alg. 4 line 4(b) (parameter)"
COUNT, OTHERS, SIZE, T_PRIOR, T_LABEL, A, B, C, D = tm.symbols("H R K t_p t_r a b c d")
#: A distance to the largest logit, and another one, and the temperature.
GAP, HEAT, GAP_2, RELATIVE, TOTAL = tm.symbols("g tau h r S")


@PAPER.claim(
    PARAMETER,
    r"$K$ independent dlaplace variables with $a=\epsilon_p/2$, $P(k)\propto e^{-a|k|}$, make the histogram $\epsilon_p$-DP for substitution neighbours; no larger $a$ does",
    hypotheses="substitution moves one example from class $y$ to $y'$: two counts change by one; $u$, $v$ the released counts of the two minus the true ones before; the logarithm of the ratio is $a(|u+1|-|u|+|v-1|-|v|)$",
    given=[BUDGET > 0],
    formula=lambda budget: budget / 2,
    mutants={"2/epsilon_p, the scale in place of the parameter": lambda budget: 2 / budget},
    note=r"scipy's parameter $a$ is the inverse of a scale. The histograms of disjoint clusters together still cost $\epsilon_p$: one label, one cluster.",
)
def parameter(choose: Any) -> Parts:
    change = (tm.Abs(FIRST + 1) - tm.Abs(FIRST)) + (tm.Abs(SECOND - 1) - tm.Abs(SECOND))
    a = choose(BUDGET)
    yield "level", a * change <= BUDGET
    yield "attained at u = -1, v = 1", tm.Eq(a * -change.at({FIRST: -1, SECOND: 1}), BUDGET)


@PAPER.claim(
    "Alg. 4 line 4(b) (the call as printed)",
    r"$\tilde{H}_c\leftarrow H_c+$ `scipy.stats.dlaplace.rvs`$(\epsilon_p/2,K)$ is $\epsilon_p$-DP for substitution neighbours",
    hypotheses=r"in scipy the second positional argument of `dlaplace.rvs` after $a$ is `loc`; the number of variables is the keyword `size`. As printed $a = \epsilon_p/2$ and "
    "every class $j$ gets the same variable",
    replay="neighbouring histograms of one example, K = 2 classes, noise from -3 to 3",
    consequence="privacy",
    headline=3,
    formula=(lambda budget: budget / 2, lambda j: 0),
    uses=[PARAMETER],
    note="Meant are $K$ independent variables, as in 'via the discrete Laplace mechanism'. Copied literally, the call gives one variable, shifted by $K$ and added to every class, "
    "so that differences of counts are released without noise.",
    repair=Repair(
        r"`dlaplace.rvs`$(\epsilon_p/2,\text{size}=K)$ adds $K$ independent variables: $\epsilon_p$-DP",
        hypotheses="substitution neighbours, any counts and outcomes; $u$, $v$ as in 'Alg. 4 line 4(b) (parameter)'",
        formula=(lambda budget: budget / 2, lambda j: j),
    ),
)
def call_as_printed(rule: Any) -> Parts:
    choose, variable = rule
    counts = (1, 0), (0, 1)
    noises = list(product(range(-3, 4), repeat=2))
    # what the differences of the released counts can be
    ours, theirs = ({h + noise[variable(0)] - g - noise[variable(1)] for noise in noises} for h, g in counts)
    yield bool(ours & theirs) or (
        f"K = 2, counts {counts[0]} and {counts[1]}: the released counts differ by {', '.join(map(str, ours))} and by "
        f"{', '.join(map(str, theirs))}, whatever the noise: no finite level"
    )
    yield Instance("K = 20: number of variables, of classes", len({variable(j) for j in range(20)}), "==", 20)
    yield PAPER.claims[PARAMETER].outcome_of(choose)


@PAPER.claim(
    "Alg. 4 line 4(c)",
    r"$p_c=\max(\tilde{H}_c,0)/\sum_k\max(\tilde{H}_c[k],0)$ is a distribution",
    hypotheses="noisy counts on any number of classes: the noise takes every integer with positive probability. Nothing is said of the sum zero",
    given=[SIZE >= 1, OTHERS >= 0],
    replay="counts -2, ..., 2, K = 2, 3",
    consequence="formula",
    formula=(lambda count: tm.Max(count, 0), None),
    note="$0/0$ when no noisy count is positive, which happens with positive probability; line 1 sets a uniform prior that line 4(d) overwrites.",
    repair=Repair(
        r"the same, uniform if no noisy count is positive, is a distribution",
        hypotheses=r"any noisy counts on $K \ge 1$ classes; $H$ one of them, $R$ the sum of $\max(\tilde{H}_c[k], 0)$ over the others",
        formula=(lambda count: tm.Max(count, 0), lambda size: Fraction(1) / size),
    ),
)
def line_4c(rule: Any) -> Parts:
    share, fallback = rule
    family = (c for n in (2, 3) for c in product(range(-2, 3), repeat=n))
    for counts in sorted(family, key=lambda c: (len(c), sum(map(abs, c)))):
        parts = [steps.value(share(tm.Rational(c)), {}) for c in counts]
        if sum(parts) == 0 and fallback is None:
            yield f"noisy counts {counts}: 0/0"
        else:
            p = [part / sum(parts) if sum(parts) else fallback(len(counts)) for part in parts]
            yield (sum(p) == 1 and min(p) >= 0) or f"noisy counts {counts}: {[str(v) for v in p]}"
    cut = share(COUNT)
    yield "a positive count as it is, any other as none", tm.Eq(cut, tm.Piecewise((COUNT, COUNT > 0), (0, True)))
    one, others = cut / (cut + OTHERS), OTHERS / (cut + OTHERS)
    distribution = tm.And(one >= 0, tm.Eq(one + others, 1))
    yield "entries are not negative, with sum one", tm.Implies(cut + OTHERS > 0, distribution)
    if fallback is not None:
        yield "no positive count", tm.Eq(SIZE * fallback(SIZE), 1)


PAPER.claim(
    "App. B (budget of the prior)",
    r"'$\epsilon_p$ will be subtracted from the privacy budget for RRWithPrior': prior and randomized label together are $(\epsilon_p+\epsilon')$-LabelDP",
    hypotheses="$t_p$, $t_r$ the ratios of the two steps, $a$, $b$ and $c$, $d$ the probabilities of a histogram and of a label for two neighbours; law of (histogram, label) $=$ law of the histogram times law of the label given it; both depend on the same label",
    given=[T_PRIOR > 1, T_LABEL > 1, A >= 0, B >= 0, C >= 0, D >= 0, A <= T_PRIOR * B, C <= T_LABEL * D],
    kind="remark",
    formula=lambda first, second: first * second,
    note="These counts need a curator who sees the labels: the 'local DP setting' of section 7 is that of LP-MST without them.",
)(lambda total: sharp(A * C, total(T_PRIOR, T_LABEL) * B * D, tm.Eq(A, T_PRIOR * B), tm.Eq(C, T_LABEL * D)))


PAPER.leave_out("App. B (cluster counts, Fig. 2)", "accuracies on CIFAR-10 with pre-trained features")


@PAPER.claim(
    "App. E (temperature)",
    r"$\hat{p}^\tau_k\propto\exp(f_k/\tau)$ is 'more confident on the top classes' as $\tau\to 0$, and uniform as $\tau\to\infty$",
    hypotheses=r"$\tau$ is the paper's temperature $t$; $K \ge 1$, any logits; $g = f_1 - f_k > 0$ the distance to the largest logit, $r = \exp(-g/\tau)$ the probability relative to its class, of which it has to fall below any $c$ in $(0, 1)$ and, as $\tau\to\infty$, to rise above it; $S$ the sum of all of them",
    given=[GAP > 0, HEAT > 0, SIZE >= 1, C > 0, C < 1],
    kind="remark",
    formula=lambda gap, heat: gap / heat,
    note="Classes that share the largest logit share the limit at 0 equally.",
)
def temperature(exponent: Any) -> Parts:
    relative = tm.exp(-exponent(GAP, HEAT))
    apart = tm.exp(exponent(GAP, HEAT))
    yield r"below any c once $e^{g/\tau} > 1/c$", tm.Implies(C * apart > 1, relative < C)
    yield r"above any c once $e^{g/\tau} < 1/c$", tm.Implies(C * apart < 1, relative > C)
    all_near = tm.And(RELATIVE >= C, RELATIVE <= 1, TOTAL >= C * SIZE, TOTAL <= SIZE)
    near = tm.And(RELATIVE / TOTAL >= C / SIZE, RELATIVE / TOTAL <= 1 / (C * SIZE))
    yield "K classes all above c: within c of uniform", tm.Implies(all_near, near)
    yield "falls with tau", steps.diff(exponent(GAP, HEAT), HEAT) < 0
    yield "f_k/tau: scaled logits", (exponent(GAP, HEAT) * HEAT, GAP)


@PAPER.claim(
    "App. E (temperature and k)",
    "one can 'tune the temperature to spread the prior to effectively increase the $k$ calculated by RRWithPrior'",
    hypotheses=r"$\tau$ is the paper's temperature; any $K$, logits and $t > 1$: $t_k =$ sum over $i \le k$ of $\exp((f_i - f_{k+1})/\tau) - k + 1$ does not rise with $\tau$, and $k^*$ counts the thresholds below "
    "$t$ ('Alg. 2 (k* from the thresholds)'); $g = f_i - f_{k+1}$, $h$ that of another logit",
    given=[GAP >= 0, GAP_2 >= 0, HEAT > 0],
    kind="remark",
    formula=lambda gap, heat: gap / heat,
    uses=["Alg. 2 (k* from the thresholds)", "Alg. 2 (threshold)"],
    note=r"Weakly: $k^*$ never falls. By 'Alg. 2 (threshold)' the thresholds tend to 1 as $\tau$ grows, so at every $t > 1$ it reaches $K$.",
)
def temperature_and_k(exponent: Any) -> Parts:
    term = exponent(GAP, HEAT)
    yield "every term of every threshold falls", steps.diff(term, HEAT) <= 0
    yield "and at (f_i - f_(k+1))/tau", tm.Eq(term * HEAT, GAP)
    together = tm.Eq(exponent(GAP + GAP_2, HEAT), term + exponent(GAP_2, HEAT))
    yield "ratios of probabilities are those of the prior", together


@PAPER.claim(
    "App. E (wrong label)",
    r"outside the top $k$ 'the randomized response is guaranteed to be a wrong label'; inside it is right with probability $e^\epsilon/(e^\epsilon+k-1)>0$",
    given=ANY_K,
    replay=f"every label and k, {PRIORS}",
    kind="remark",
    formula=lambda kept, t, k: t / (t + k - 1) * int(kept),
)
def wrong_label(right: Any) -> Parts:
    for prior, k, level, where in FAMILY_K:
        for y, own in enumerate(rr_top_k(prior, k, level).matrix.diagonal().tolist()):
            at = f"{where}: Pr[right] at label {y + 1}, as stated"
            yield Instance(at, own, "==", right(y < k, level.ratio, Fraction(k)))
    yield "outside", (right(False, T, K), 0)
    yield "inside", (right(True, T, K), top_k(T, K)[0])
    yield "inside: right with positive probability", right(True, T, K) > 0
    yield "inside, k >= 2: wrong with positive probability", tm.Implies(K > 1, right(True, T, K) < 1)


PAPER.leave_out("App. D, App. E (Figs. 3 to 5)", "learning curves, splits and mixup coefficients measured on CIFAR-10")

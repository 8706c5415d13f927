"""Sections V.C, V.D and V.F: BRR in place of Laplace noise for numbers clipped to [-c, c]."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.certify.checker import exp_bounds
from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.claims.checking import both, check_implications, check_parts, check_relations, replayed, sharp
from lpmech.mechanisms.bipartite_rr import bipartite_rr, common_m, common_m_star
from lpmech.mechanisms.perturbation import leaf_sensitivity
from lpmech.papers.checks import ball, equals, rr_entries, sampled
from lpmech.papers.zhang2025.algorithm_2 import best_common_m
from lpmech.papers.zhang2025.enclosures import distance_figure, unsettled
from lpmech.papers.zhang2025.greedy import raised_by_all, raised_on_average
from lpmech.papers.zhang2025.paper import PAPER, N, T
from lpmech.papers.zhang2025.section_5ab import BALLS, STEPS, rises
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.utilities import absolute
from lpmech.verdicts import Outcome

#: Half the range, step of the grid, budgets, two values, and how small the noise is to be.
C, L, E, LARGER_E, X, Y, SMALL = tm.symbols("c L epsilon epsilon2 x y delta")
#: n gradients of a leaf with sum G, one gradient more or in place of another, lambda; the gradients' bound g* is 1.
COUNT, SUM, NEW, OLD, LAMBDA = tm.symbols("n G g_1 g_2 lambda")
SO_FAR, OF_VECTOR, OF_OTHER, HIGH, LOW = tm.symbols("R A B a b")
#: Two values of [-c, c].
VALUES, FARTHEST = [C > 0, X >= -C, X <= C, Y >= -C, Y <= C], [tm.Eq(X, C), tm.Eq(Y, -C)]


PAPER.claim(
    "Section V.C (n = 2c/L + 1)",
    "dividing $[-c,c]$ into intervals of length $L$ gives $n=2c/L+1$ values: the last of $-c$, $-c+L$, ... is $c$",
    hypotheses="$2c$ a multiple of $L$",
    given=[C > 0, L > 0],
    formula=lambda c, step: 2 * c / step + 1,
)(equals((C, L), **{"number of values": 1 + (C - (-C)) / L}))


@PAPER.claim(
    "Section V.C (nearest point)",
    "'the leaf node values are adjusted to the nearest discrete points', which moves no value of $[-c,c]$ by more than $L/2$",
    hypotheses="a value $x$ between two neighbouring points $y$ and $y + L$",
    given=[L > 0, X >= Y, X <= Y + L],
    formula=L / 2,
    note=r"Rounding comes before the channel, so it costs no privacy; the error need not average out over the values of the leaves, and stays when $\epsilon$ grows.",
)
def nearest_point(bound: Any) -> Relations:
    return {
        "one of both is near": tm.Or(X - Y <= bound, Y + L - X <= bound),
        "attained halfway": tm.Implies(tm.Eq(2 * (X - Y), L), tm.And(X - Y >= bound, Y + L - X >= bound)),
    }


@PAPER.claim(
    "Section V.C (sensitivity)",
    r"'the sensitivity of the noise added during each clipping is $\Delta f=\min(g_i^*/(1+\lambda),2g_i^*(1-\eta)^{t-1})$', of leaf values $V=-G/(n+\lambda)$ clipped to $\pm g^*(1-\eta)^{t-1}$",
    hypotheses=r"gradients in $[-g^*, g^*]$, in units of $g^* = 1$; $n$ examples in the leaf, $\lambda > 0$; $c$ the bound of clipping. Neighbours are not defined here: in (1) they 'differ in only one data point', explained by its 'presence or absence'; in (2), local privacy, it is replaced. Clipping moves no two values apart, so each part of the minimum is judged on its own",
    consequence="privacy",
    readings={"a record is added or left out": "proved", "a record is replaced": "refuted"},
    formula=(lambda lam: 1 / (1 + lam), lambda c: 2 * c),
    mutants={
        "half of the first": (lambda lam: 1 / (2 * (1 + lam)), lambda c: 2 * c),
        "c in place of 2c": (lambda lam: 1 / (1 + lam), lambda c: c),
    },
    note="The bound is DPBoost's; where a record is replaced the first part has to be doubled.",
)
def sensitivity(parts: Any) -> tuple[Outcome, ...]:
    moved, width = parts[0](LAMBDA), parts[1](C)
    clipped = check_implications(VALUES, sharp(X - Y, width, *FARTHEST), "two clipped values")
    leaf = [LAMBDA > 0, COUNT >= 1, NEW >= -1, NEW <= 1]
    difference, alone = (SUM + NEW) / (COUNT + 1 + LAMBDA) - SUM / (COUNT + LAMBDA), NEW / (1 + LAMBDA)
    record = {
        "added to a leaf": tm.And(difference <= moved, -difference <= moved),
        "added to an empty leaf": tm.And(alone <= moved, -alone <= moved),
        "attained": tm.Implies(tm.Eq(NEW, 1), alone >= moved),
    }
    added = check_implications([*leaf, SUM >= -COUNT, SUM <= COUNT], record)
    replaced = check_implications([*leaf, OLD >= -1, OLD <= 1], {"replaced": (NEW - OLD) / (COUNT + LAMBDA) <= moved})
    jumps = [(n, lam, Fraction(2, n + lam), steps.value(moved, {LAMBDA: lam})) for n, lam in product((1, 2), repeat=2)]
    text = "n = {}, lambda = {}: by how much a gradient from -1 to 1 moves V, stated"
    moves = (Instance(text.format(n, lam), by, "<=", stated) for n, lam, by, stated in jumps)
    small = sampled(moves, "n and lambda of 1 and 2")
    return both(added, clipped), both(replayed(replaced, small), clipped)


@PAPER.claim(
    "Section V.C (sensitivity) [a record is replaced]",
    r"replacing one of $n$ gradients moves $V$ by at most $2g^*/(n+\lambda)$, so by at most $2g^*/(1+\lambda)$, and this is attained",
    hypotheses="gradients in $[-g^*, g^*]$, $c = g^*$",
    kind="ours",
    given=[C > 0, LAMBDA > 0, COUNT >= 1, NEW >= -C, NEW <= C, OLD >= -C, OLD <= C],
    formula=leaf_sensitivity,
)
def sensitivity_replaced(bound: Any) -> Relations:
    at_most = bound(C, COUNT, LAMBDA)
    return {
        "attained from $-g^*$ to $g^*$": ((C - (-C)) / (COUNT + LAMBDA), at_most),
        "bound": (NEW - OLD) / (COUNT + LAMBDA) <= at_most,
        "largest for one example": at_most <= bound(C, 1, LAMBDA),
    }


@PAPER.claim(
    "Section V.C (c and \u0394f)",
    r"'the gradient clipping range $c$ needs to be consistent with the sensitivity $\Delta f$': Laplace noise of scale $\Delta f/\epsilon$ protects any two values of $[-c,c]$, as BRR does",
    hypotheses=r"the log-ratio of two Laplace densities of scale $s$ is at most $|x - y|/s$, and attains it; so level $\epsilon$ needs $|x - y| \le \Delta f$. How $c$ and $\Delta f$ are to agree is not said",
    consequence="privacy",
    readings={r"$c = \Delta f$": "refuted", r"$2c = \Delta f$": "proved"},
    formula=(lambda c: c, lambda c: 2 * c),
    mutants={"half of both": (lambda c: c / 2, lambda c: c)},
    note="BRR on $[-c, c]$ treats any two values as neighbours, which is more than one record can change. Laplace noise need not: 'Section V.D (larger noise)', third reading.",
)
def consistent(sensitivities: Any) -> tuple[Outcome, ...]:
    first, second = (of(C) for of in sensitivities)
    agreed = check_relations({"the Delta f of one reading is twice that of the other": (second, 2 * first)}, [C > 0])

    def protects(spread: Any) -> Outcome:
        least = tm.Implies(tm.And(*FARTHEST), X - Y >= spread)
        return check_implications(VALUES, {"|x - y| <= Delta f": X - Y <= spread, "and not less": least})

    return protects(first), both(agreed, protects(second))


def mean_of_noise() -> Outcome:
    """E|Z| = s for Laplace noise of scale s."""
    z, s = tm.symbols("z s")
    return check_relations(
        {
            "the integral of $z e^{-z/s}/s$ over $z>0$": (
                steps.integrate(z * tm.exp(-z / s) / s, (z, 0, steps.oo), positive=[z, s]),
                s,
            )
        },
        [s > 0],
    )


@PAPER.claim(
    "Section V.D (larger noise)",
    r"with smaller privacy budgets 'the Laplace mechanism introduces larger noise magnitudes', larger than BRR's",
    hypotheses=r"magnitude: the expected distance of the released from the true value. Laplace noise has scale $\Delta f/\epsilon$; what $\Delta f$ is in the experiment is not said",
    consequence="wording",
    readings={
        r"$\Delta f = 2c$, $\epsilon \le 1$, any grid and value": "proved",
        r"$\Delta f = 2c$, average over the points": "certified",
        r"$\Delta f = 2c/B$, the mean gradient of $B$ examples": "refuted",
    },
    formula=lambda sensitivity, epsilon: sensitivity / epsilon,
    mutants={"a hundredth": lambda sensitivity, epsilon: sensitivity / (100 * epsilon)},
    note=r"Where noise is added to the mean gradient of a batch, one example changes it by at most $2c/B$ only; Laplace noise can make use of that, a mechanism on $[-c, c]$ that treats all values as neighbours cannot. On 5 or more points, at $\epsilon \le 0.8$, the constant 0 has a smaller average error than either, see `lpmech reproduce numbers`; on two points BRR has the smaller one.",
)
def larger_noise(scale: Any) -> tuple[Outcome, ...]:
    anywhere = check_relations({"any grid and value": X - Y <= scale(2 * C, E)}, [*VALUES, E > 0, E <= 1])

    def quieter(n: int) -> str | None:
        """Within an interval BRR's error for any of its m is at most that at the lower end, the monotone noise at least its smaller end."""
        figure = distance_figure(n)  # distances in steps, so 2c = N - 1

        def louder(low: Fraction, high: Fraction) -> bool:
            noise = ball(min(scale(n - 1, low), scale(n - 1, high)))
            return all(-figure.common(m, low) < noise for m in figure.ms(low, high))

        left = next(unsettled(Fraction(1, 10), Fraction(10), louder), None)
        return None if left is None else f"N = {n}: not settled at epsilon = {left}"

    sizes = (2, 3, 5, 11, 21, 101)
    words = f"average over N points, N in {{{', '.join(map(str, sizes))}}}, every real epsilon from 1/10 to 10"
    on_points = check_parts((quieter(n) or True for n in sizes), family=words, method=BALLS)
    error = 2 / (exp_bounds(Fraction(1))[1] + 1)
    noise = [(size, scale(Fraction(2, size), Fraction(1))) for size in range(1, 9)]
    text = "points -1 and 1, epsilon = 1, B = {}: Laplace noise, BRR's error 2/(e+1) rounded down"
    louder = (Instance(text.format(size), loss, ">=", error) for size, loss in noise)
    batches = sampled(louder, "two points, epsilon = 1, batches of 1 to 8 examples")
    level = check_relations({"the scale of (4)": (scale(C, E) * E, C)}, [C > 0, E > 0])
    return tuple(both(both(mean_of_noise(), level), outcome) for outcome in (anywhere, on_points, batches))


@PAPER.claim(
    "Section V.D (noise decreases)",
    r"'as the privacy budget increases, the noise intensity decreases', of both mechanisms",
    hypotheses="intensity: the expected distance of the released from the true value, averaged over the points",
    given=[C > 0, E > 0, LARGER_E > E],
    replay="N = 3..12, t from 2 to 10 in steps of 1/4",
    cause="Section V.A (utility increases with epsilon)",
    consequence="wording",
    formula=(lambda width, epsilon: width / epsilon, common_m, raised_by_all),
    note="When the minimum over rows drops from $m$ to $m - 1$, BRR's error jumps up, as in 'Section V.A (utility increases with epsilon)'. Not at the whole budgets 1, 2, ..., 8 for the sizes of Fig. 5. Laplace noise does decrease.",
    repair=Repair(
        r"as the privacy budget increases, the noise of Laplace and of BRR* decreases",
        hypotheses="the expected distance of the released from the true value, averaged over the points; BRR* for any $N$, utility and prior, as it is the maximum over weights in $[1, t]^N$",
        formula=(lambda width, epsilon: width / epsilon, common_m_star, raised_on_average),
    ),
)
def noise_decreases(formulas: Any) -> Parts:
    scale, *case = formulas
    yield from rises(case[0], [(f"{n} points a step apart: average error", absolute(n)) for n in range(3, 13)], STEPS)
    yield "the scale falls", scale(2 * C, LARGER_E) < scale(2 * C, E)
    yield "level epsilon", (scale(2 * C, E) * E, 2 * C)
    yield mean_of_noise()
    yield from best_common_m(case)


@PAPER.claim(
    "Section V.D (noise-free limit)",
    r"'at high privacy budget levels, both mechanisms inject smaller amounts of noise', and approximate 'a noise-free scenario'",
    hypotheses=r"true values on the $N$ points; BRR with $m = 1$, as for every large enough $\epsilon$; $t\ge 2c(N-1)/\delta$ is enough for an expected error of at most $\delta$",
    given=[C > 0, SMALL > 0, N >= 2, T > 1, E > 0],
    formula=lambda c, n, small: 2 * c * (n - 1) / small,
    note="Values between the points keep the error of rounding, up to $L/2$, at every budget; Laplace noise has none. Rounding at random would leave it too, but without bias.",
)
def noise_free(from_here: Any) -> Relations:
    largest = 2 * C * (N - 1) * rr_entries(T, N)[1]  # the others together, each at most 2c away
    return {
        "BRR's error": tm.Implies(T >= from_here(C, N, SMALL), largest <= SMALL),
        "at most N - 1 too large": tm.Implies(largest <= SMALL, T + N - 1 >= from_here(C, N, SMALL)),
        "Laplace noise": tm.Implies(E >= 2 * C / SMALL, 2 * C / E <= SMALL),
    }


@PAPER.claim(
    "Section V.F (the level of a vector)",
    r"'application of BRR in vector perturbation', 'while ensuring data privacy': $d$ coordinates, each released by (6) at level $\epsilon$, are a release of level exactly $d\epsilon$",
    hypotheses=r"$m < N$, independent releases. By induction over the coordinates: $A \le R B$ the probabilities of the coordinates so far under two vectors, $a \le t b$ those of the next one",
    given=[
        *(T > 1, SO_FAR >= 1, OF_OTHER > 0, LOW > 0, OF_VECTOR >= 0, HIGH >= 0),
        *(OF_VECTOR <= SO_FAR * OF_OTHER, HIGH <= T * LOW),
    ],
    replay="d = 1, 2, 3 coordinates on 1..3, t = 2, 3",
    formula=lambda so_far, t: so_far * t,
    note=r"The paper does not say whether its budgets, 0.25 to 3.5, are those of a coordinate or of the record; a record of 14 features at level $\epsilon$ leaves $\epsilon/14$ for each.",
)
def level_of_a_vector(together: Any) -> Parts:
    for t in (Fraction(2), Fraction(3)):
        matrix = bipartite_rr(absolute(3), PrivacyLevel.from_ratio(t)).matrix
        vector, claimed = matrix, t
        for d in (1, 2, 3):
            found = max(column.max() / column.min() for column in vector.T)
            yield Instance(f"d = {d}, t = {t}: tight ratio", found, "==", claimed)
            vector, claimed = np.kron(vector, matrix), together(claimed, t)
    attained = tm.Eq(OF_VECTOR, SO_FAR * OF_OTHER), tm.Eq(HIGH, T * LOW)
    yield from sharp(OF_VECTOR * HIGH, together(SO_FAR, T) * OF_OTHER * LOW, *attained).items()


PAPER.leave_out(
    "Fig. 6",
    "RMSE on abalone, bias and superconduct, 'consistently outperforms', 'greater stability': number of trees, $L$, $c$ and split of the budget are not given; `lpmech reproduce train trees` has other data",
)
PAPER.leave_out(
    "Fig. 7",
    "accuracy on MNIST against the iteration, 'better stability', 'slower', 'reaches, or even surpasses': network, $c$, $L$, batch and budget of a coordinate are not given; `lpmech reproduce train sgd` has other data",
)
PAPER.leave_out("Fig. 10", "DNN-DP on the census and bank data: architecture, tuning and preprocessing are not given")

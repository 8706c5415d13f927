"""The public implementation yuyin132/BlockRR: what it computes, as mathematics, read at commit 7e28dcf.

A statement refuted here is about that code, run with its default flags, not about the paper.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.mechanisms.block_rr import beta as closed_beta
from lpmech.mechanisms.block_rr import gamma as closed_gamma
from lpmech.papers.checking import both, check_every, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.liu2026.algorithm_2 import majority_of
from lpmech.papers.liu2026.algorithm_3 import M2, P1, P2, Q1, Q2, R2, M, R, histogram_support, laplace_scale, normaliser
from lpmech.papers.liu2026.paper import PAPER, S1, S2, SINGLE, L, T
from lpmech.papers.liu2026.tables import COUNTS
from lpmech.papers.liu2026.tables_3_to_11 import FIRST
from lpmech.verdicts import Outcome

OWN, EARLIER, LATER, DECAY = sp.symbols("p q1 q2 d")
LIMIT, KEPT, FIRST_SIZE, SECOND_SIZE = sp.symbols("l k s1 s2", integer=True)


def _determinant(t: Any, s1: Any, s2: Any, l: Any) -> Any:
    return (t + s1 - 1) * (t + s2 - 1) - (s1 - l) * s2


def _code_beta(t: Any, s1: Any, s2: Any, l: Any) -> Any:
    return (t - 1 + l * s2 / (s1 + s2)) / _determinant(t, s1, s2, l)


def _code_gamma(t: Any, s1: Any, s2: Any, l: Any) -> Any:
    return (t + l - 1 - l * (t + s1 - 1) / (s1 + s2)) / _determinant(t, s1, s2, l)


@PAPER.claim(
    "Implementation (BlockRR, rows)",
    r"mechanism rrwithweight of compute_randomized_labels_classification (randomized.py) has the entries of the block definitions of section 3.1 with b=1: a minority row has \beta on \tilde S_1\setminus\Delta, not the \gamma of Alg. 1 line 4",
    hypotheses="exact arithmetic, S~1 = S1, S~2 = S2; the formula gives beta, gamma and the entry of a minority row on S~1 outside Delta",
    given=[*SINGLE, S2 >= 1],
    evidence="beta, gamma and both row sums, before any normalisation",
    formula=(_code_beta, _code_gamma, _code_beta),
    mutants={
        "as Alg. 1 line 4 prints": (_code_beta, _code_gamma, _code_gamma),
        "gamma with s2": (_code_beta, lambda t, s1, s2, l: _code_gamma(t, s2, s1, l), _code_beta),
    },
    note="So the printed line 4 is a slip of the text, as 'Alg. 1 line 4' reads it; the division by the row sum in the code changes nothing.",
)
def rows_of_the_code(entries: Any) -> Relations:
    beta, gamma, rest = (f(T, S1, S2, L) for f in entries)
    return {
        "beta": (beta, closed_beta(T, 1, S1, S2, L)),
        "gamma": (gamma, closed_gamma(T, 1, S1, S2, L)),
        "minority row": (L / (S1 + S2) + (S1 - L) * rest + (T + S2 - 1) * gamma, 1),
        "majority row": ((T + S1 - 1) * beta + S2 * gamma, 1),
    }


@PAPER.claim(
    "Implementation (BlockRR, S1)",
    r"rrwithweight takes for S_1 the labels j at which column j of (p_i e^{-\mathbb I(i\ne j)/\sigma}) has its first maximum: the S_1 of (3.3) unless p_j=e^{-1/\sigma}p_i for some i<j",
    hypotheses="0 < d = e^{-1/sigma} < 1; q1, q2 = largest priors of labels before and after j (0 if none); p_j != d q1, as for positive rational p and rational sigma, e^{-1/sigma} being irrational",
    given=[DECAY > 0, DECAY < 1, OWN >= 0, EARLIER >= 0, LATER >= 0, sp.Ne(OWN, DECAY * EARLIER)],
    evidence="every label of every prior, apart from ties",
    formula=lambda own, earlier, later, decay: sp.And(own > decay * earlier, own >= decay * later),
    mutants={
        "later labels only": lambda own, earlier, later, decay: own >= decay * later,
        "without sigma": lambda own, earlier, later, decay: sp.And(own > earlier, own >= later),
    },
)
def first_maximum(chosen: Any) -> Relations:
    by_weights = DECAY * sp.Max(EARLIER, LATER) <= OWN
    claimed = chosen(OWN, EARLIER, LATER, DECAY)
    return {"code => (3.3)": sp.Implies(claimed, by_weights), "(3.3) => code": sp.Implies(by_weights, claimed)}


@PAPER.claim(
    "Implementation (BlockRR, Delta)",
    r"rrwithweight takes the \min(l,|S_1|) labels of largest prior for \Delta: with it every l\ge 0 is admissible, also where the estimated prior gives a smaller S_1",
    hypotheses="|S1| >= 1; that the labels of largest prior lie in S1 is 'Alg. 2 line 7'",
    given=[LIMIT >= 0, FIRST_SIZE >= 1],
    evidence="all l and sizes",
    formula=sp.Min,
    mutants={"l as given": lambda l, s1: l, "max(l, |S1|)": sp.Max},
    note="Alg. 2 has no rule for l > |S~1|. The branch for epsilon = infinity of the code takes l as given.",
)
def clipped_size(size: Any) -> Relations:
    used = size(LIMIT, FIRST_SIZE)
    return {
        "admissible": sp.And(used >= 0, used <= FIRST_SIZE),
        "l itself where it is admissible": sp.Implies(LIMIT <= FIRST_SIZE, sp.Eq(used, LIMIT)),
    }


@PAPER.claim(
    "Implementation (BlockRR, rr and rrwithprior)",
    r"mechanism rr is RR; mechanism rrwithprior maximises P_k/(1+(k-1)e^{-\epsilon})=w_k and, with S_1=\tilde S_1=\Delta the k kept labels, is RRTop-k: it is RRWithPrior for the estimated prior",
    hypotheses="exact arithmetic, s1 = k >= 1 kept labels or K; P = sum of the k largest priors, in [0, 1]",
    formula=lambda mass, k, t: mass / (1 + (k - 1) / t),
    mutants={
        "denominator with k - 2": lambda mass, k, t: mass / (1 + (k - 2) / t),
        "denominator with k": lambda mass, k, t: mass / (1 + k / t),
    },
    note="Another public implementation has k - 2 here: see ghazi2021, 'Implementation (google-research/label-dp, rr_with_prior)'.",
)
def simpler_mechanisms(weight: Any) -> Outcome:
    mass = sp.Symbol("P")
    low = _code_beta(T, S1, 0, S1)
    return check_identities(
        {
            "w_k": (weight(mass, KEPT, T), T * mass / (T + KEPT - 1)),
            "RRTop-k, true": (T * low, T / (T + S1 - 1)),
            "RRTop-k, other": (low, 1 / (T + S1 - 1)),
            "RR": (_code_beta(T, S1, 0, 0), 1 / (T + S1 - 1)),
        },
        "the weights and all entries; labels that are not kept have 1/k on Delta",
        hypotheses=[T > 1, S1 >= 1, KEPT >= 1, mass >= 0, mass <= 1],
    )


READ_AS = (lambda count: sp.true, lambda epsilon: 2 / epsilon, lambda by_label, by_example: by_label)


@PAPER.claim(
    "Implementation (BlockRR, prior)",
    r"compute_distribution_with_Laplace releases noisy counts of all classes with Lap(2/\epsilon) and divides by their sum over the classes: Alg. 3 as its repaired claims read it",
    hypotheses="as for 'Alg. 3 line 2 [repaired]', 'Alg. 3 (Laplace scale)' and 'Alg. 3 line 6 (normaliser) [repaired]'; not all counts clipped to zero, where the code gives 0/0",
    formula=READ_AS,
    mutants={
        "classes that occur": (lambda count: count >= 1, *READ_AS[1:]),
        "Lap(1/epsilon)": (READ_AS[0], lambda epsilon: 1 / epsilon, READ_AS[2]),
        "sum over the examples": (*READ_AS[:2], lambda by_label, by_example: by_example),
    },
)
def histogram_of_the_code(reading: Any) -> Outcome:
    visited, scale, total = reading
    return both(both(histogram_support(visited), laplace_scale(scale)), normaliser(total))


@PAPER.claim(
    "Implementation (BlockRR, budget)",
    r"a run with --epsilon=\epsilon and --epsilon_p=\epsilon_p spends \max(\epsilon,\epsilon_p); --epsilon_p is 1.0 unless it is set",
    hypotheses="t, t_p = e^epsilon, e^epsilon_p > 1; split, prior and releases as in 'Theorem 3.5'",
    formula=sp.Max,
    mutants={"epsilon": lambda t, t_p: t, "epsilon_p": lambda t, t_p: t_p},
    note="Theorem 3.5 has one epsilon for both. For epsilon < 1 --epsilon_p must be set for the total to be epsilon.",
)
def budget_of_a_run(total: Any) -> Outcome:
    prior_ratio = sp.Symbol("t_p")
    bound = total(T, prior_ratio)
    return check_implications(
        [T > 1, prior_ratio > 1, *(v > 0 for v in (P1, P2, Q1, Q2, M, M2, R, R2)), prior_ratio * M2 >= M, T * R2 >= R],
        {
            "splits with the label in D1": bound * P1 * M2 * Q1 >= P1 * M * Q1,
            "the other splits": bound * P2 * R2 * Q2 >= P2 * R * Q2,
        },
        "each kind of split, and so their sum",
    )


def _unchanged(l: Any, s1: Any, s2: Any) -> Any:
    """Whether a minority label, kept with probability 1 - l / K, exists and can change."""
    return sp.Or(sp.Eq(s2, 0), sp.Eq(1 - l / (s1 + s2), 1))


@PAPER.claim(
    "Implementation (BlockRR, epsilon = infinity)",
    r"compute_randomized_labels_classification_infty, used for --epsilon above 8, trains mechanism rrwithweight 'on original labels' (section 5.1.2)",
    hypotheses="K = s1 + s2, s1 >= 1, s2 >= 0, 0 <= l = --delta <= s1; default flags --sigma=1, --delta=1 on CIFAR-10_1, prior without noise",
    consequence="privacy",
    recorded="refuted",
    formula=lambda l, s2: sp.true,
    mutants={"l <= 1": lambda l, s2: l <= 1, "s2 <= 4": lambda l, s2: s2 <= 4},
    note="A minority label is replaced by one of Delta with probability l / K. With which flags the last rows of Tables 3 to 6 were made is not known.",
    repair=Repair(
        r"it is the limit \epsilon\to\infty of BlockRR, e^\epsilon\beta\to 1, e^\epsilon\gamma\to 1-l/K, and leaves the labels unchanged iff l=0 or \mathcal S_2=\emptyset",
        hypotheses="K = s1 + s2, s1 >= 1, 0 <= l = --delta <= s1",
        formula=lambda l, s2: sp.Or(sp.Eq(l, 0), sp.Eq(s2, 0)),
        mutants={"always": lambda l, s2: sp.true, "iff l = 0": lambda l, s2: sp.Eq(l, 0)},
    ),
)
def without_privacy(condition: Any) -> Outcome:
    def failure(case: tuple[str, Fraction, int]) -> str | None:
        dataset, sigma, l = case
        majority = majority_of(COUNTS[dataset], sigma)
        s1, s2 = len(majority), 10 - len(majority)
        if (_unchanged(sp.Integer(l), s1, s2) == sp.true) == (condition(sp.Integer(l), sp.Integer(s2)) == sp.true):
            return None
        minority = [i for i in range(10) if i not in majority]
        return f"{dataset}, sigma = {sigma}, l = {l}: labels {minority} are kept with probability {1 - Fraction(l, 10)}"

    defaults = check_every([(FIRST, Fraction(1), 1)], failure, "the default flags")
    limits = check_identities(
        {
            "t beta": (sp.limit(T * closed_beta(T, 1, S1, S2, L), T, sp.oo), 1),
            "t gamma": (sp.limit(T * closed_gamma(T, 1, S1, S2, L), T, sp.oo), 1 - L / (S1 + S2)),
        },
        "the limits of both diagonal entries",
        hypotheses=[S1 >= 1, S2 >= 0, L >= 0, L <= S1],
    )
    claimed, unchanged = condition(LIMIT, SECOND_SIZE), _unchanged(LIMIT, FIRST_SIZE, SECOND_SIZE)
    iff = check_implications(
        [FIRST_SIZE >= 1, SECOND_SIZE >= 0, LIMIT >= 0, LIMIT <= FIRST_SIZE],
        {
            "claimed => unchanged": sp.Implies(claimed, unchanged),
            "unchanged => claimed": sp.Implies(unchanged, claimed),
        },
        "all sizes and l",
    )
    return replayed(both(limits, iff), defaults)

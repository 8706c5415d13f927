"""The public implementation yuyin132/BlockRR: what it computes, as mathematics, read at commit 7e28dcf.

A statement refuted here is about that code, run with its default flags, not about the paper.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lpmech.claims import Parts, Relations, Repair, each
from lpmech.claims.checking import iff
from lpmech.papers.checks import equals
from lpmech.papers.liu2026.algorithm_2 import majority_of
from lpmech.papers.liu2026.guarantees import FACTORS, M2, P1, P2, Q1, Q2, R2, M, R
from lpmech.papers.liu2026.paper import PAPER, S1, S2, WITH_MINORITY, L, T, beta, gamma
from lpmech.papers.liu2026.shapes import decides
from lpmech.papers.liu2026.tables import COUNTS, FIRST
from lpmech.prove import steps
from lpmech.terms import functions as tm

OWN, EARLIER, LATER, DECAY = tm.symbols("p q1 q2 d")
LIMIT, KEPT, FIRST_SIZE, SECOND_SIZE = tm.symbols("l k s1 s2")


def _determinant(t: Any, s1: Any, s2: Any, l: Any) -> Any:
    return (t + s1 - 1) * (t + s2 - 1) - (s1 - l) * s2


def _code_beta(t: Any, s1: Any, s2: Any, l: Any) -> Any:
    return (t - 1 + l * s2 / (s1 + s2)) / _determinant(t, s1, s2, l)


def _code_gamma(t: Any, s1: Any, s2: Any, l: Any) -> Any:
    return (t + l - 1 - l * (t + s1 - 1) / (s1 + s2)) / _determinant(t, s1, s2, l)


HIGH, LOW = (entry(T, 1, S1, S2, L) for entry in (beta, gamma))

PAPER.claim(
    "Implementation (BlockRR, rows)",
    r"mechanism rrwithweight of `compute_randomized_labels_classification` (randomized.py) has the entries of the block definitions of section 3.1 with $b=1$: a minority row has $\beta$ on $\tilde{S}_1\setminus\Delta$, not the $\gamma$ of Alg. 1 line 4",
    hypotheses=r"exact arithmetic before any normalisation, $\tilde{S}_1 = S_1$, $\tilde{S}_2 = S_2$; rest $=$ the entry of a minority row on $\tilde{S}_1$ outside $\Delta$",
    given=WITH_MINORITY,
    formula=(_code_beta, _code_gamma, _code_beta),
    note="So the printed line 4 is a slip of the text, as 'Alg. 1 line 4' reads it; the division by the row sum in the code changes nothing.",
)(equals((T, S1, S2, L), beta=HIGH, gamma=LOW, rest=HIGH))


PAPER.claim(
    "Implementation (BlockRR, S1)",
    r"rrwithweight takes for $S_1$ the labels $j$ at which column $j$ of ($p_i e^{-\mathbb{I}(i\ne j)/\sigma}$) has its first maximum: the $S_1$ of (3.3) unless $p_j=e^{-1/\sigma}p_i$ for some $i<j$",
    hypotheses=r"$d = e^{-1/\sigma}$; $q_1$, $q_2 =$ largest priors of labels before and after $j$ (0 if none); $p_j \ne d q_1$, as for positive rational $p$ and rational $\sigma$, $e^{-1/\sigma}$ being irrational",
    given=[
        DECAY > 0,
        DECAY < 1,
        OWN >= 0,
        EARLIER >= 0,
        LATER >= 0,
        OWN + EARLIER + LATER <= 1,
        tm.Ne(OWN, DECAY * EARLIER),
    ],
    formula=lambda own, earlier, later, decay: tm.And(own > decay * earlier, own >= decay * later),
)(decides((OWN, EARLIER, LATER, DECAY), DECAY * tm.Max(EARLIER, LATER) <= OWN, "(3.3)", "code"))


@PAPER.claim(
    "Implementation (BlockRR, Delta)",
    r"rrwithweight takes the $\min(l,|S_1|)$ labels of largest prior for $\Delta$: with it every $l\ge 0$ is admissible, also where the estimated prior gives a smaller $S_1$",
    hypotheses="$s_1 = |S_1|$; that the labels of largest prior lie in $S_1$ is 'Alg. 2 line 7'",
    given=[tm.Whole(LIMIT, FIRST_SIZE), LIMIT >= 0, FIRST_SIZE >= 1],
    formula=tm.Min,
    note=r"Alg. 2 has no rule for $l > |\tilde{S}_1|$. The branch for $\epsilon = \infty$ of the code takes $l$ as given.",
)
def clipped_size(size: Any) -> Relations:
    used = size(LIMIT, FIRST_SIZE)
    return {
        "admissible": tm.And(used >= 0, used <= FIRST_SIZE),
        "l itself where it is admissible": tm.Implies(LIMIT <= FIRST_SIZE, tm.Eq(used, LIMIT)),
        "else all of S1": tm.Implies(LIMIT >= FIRST_SIZE, tm.Eq(used, FIRST_SIZE)),
    }


MASS, PRIOR_RATIO = tm.symbols("P t_p")


@PAPER.claim(
    "Implementation (BlockRR, rr and rrwithprior)",
    r"mechanism rr is RR; mechanism rrwithprior maximises $P_k/(1+(k-1)e^{-\epsilon})=w_k$ and, with $S_1=\tilde{S}_1=\Delta$ the $k$ kept labels, is RRTop-k: it is RRWithPrior for the estimated prior",
    hypotheses="exact arithmetic, $s_1 = k$ kept labels or $K$; $P =$ sum of the $k$ largest priors",
    given=[tm.Whole(KEPT), T > 1, S1 >= 1, KEPT >= 1, MASS >= 0, MASS <= 1],
    formula=lambda mass, k, t: mass / (1 + (k - 1) / t),
    note="Another public implementation has $k - 2$ here: see ghazi2021, 'Implementation (google-research/label-dp, `rr_with_prior`)'.",
)
def simpler_mechanisms(weight: Any) -> Relations:
    low = 1 / (T + S1 - 1)
    entries = {"RRTop-k": (_code_beta(T, S1, 0, S1), low), "RR": (_code_beta(T, S1, 0, 0), low)}
    return {"w_k": (weight(MASS, KEPT, T), T * MASS / (T + KEPT - 1)), **entries}


#: What the code does at three places, each judged by the claim named.
READ_AS = {
    "Alg. 3 line 2 [repaired]": lambda count: count >= 0,
    "Alg. 3 (Laplace scale)": lambda epsilon: 2 / epsilon,
    "Alg. 3 line 6 (normaliser) [repaired]": lambda by_label, by_example: by_label,
}


@PAPER.claim(
    "Implementation (BlockRR, prior)",
    r"`compute_distribution_with_Laplace` releases noisy counts of all classes with $\mathrm{Lap}(2/\epsilon)$ and divides by their sum over the classes: Alg. 3 as its repaired claims read it",
    hypotheses="as for 'Alg. 3 line 2 [repaired]', 'Alg. 3 (Laplace scale)' and 'Alg. 3 line 6 (normaliser) [repaired]'; not all counts clipped to zero, where the code gives $0/0$",
    formula=READ_AS,
    mutants={
        "classes that occur": {**READ_AS, "Alg. 3 line 2 [repaired]": lambda count: count >= 1},
        "sum over the examples": {**READ_AS, "Alg. 3 line 6 (normaliser) [repaired]": lambda _, by_example: by_example},
    },
    survivors={"Alg. 3 line 2 [repaired]: count -> count ** 2": "true of every count as well"},
    uses=list(READ_AS),
)
def histogram_of_the_code(reading: Any) -> Parts:
    for id, formula in each("claim", reading.items()):
        yield PAPER.claims[id].outcome_of(formula)


@PAPER.claim(
    "Implementation (BlockRR, budget)",
    r"a run with `--epsilon` $=\epsilon$ and `--epsilon_p` $=\epsilon_p$ spends $\max(\epsilon,\epsilon_p)$; `--epsilon_p` is 1.0 unless it is set",
    hypotheses=r"$t$, $t_p = e^\epsilon$, $e^{\epsilon_p}$; split, prior and releases as in 'Theorem 3.5'",
    given=[T > 1, PRIOR_RATIO > 1, *(v > 0 for v in FACTORS), PRIOR_RATIO * M2 >= M, T * R2 >= R],
    formula=tm.Max,
    mutants={"their sum": lambda t, t_p: t * t_p},
    note=r"Theorem 3.5 has one $\epsilon$ for both. For $\epsilon < 1$ `--epsilon_p` must be set for the total to be $\epsilon$.",
)
def budget_of_a_run(total: Any) -> Relations:
    bound = total(T, PRIOR_RATIO)
    return {
        "splits with the label in D1": bound * P1 * M2 * Q1 >= P1 * M * Q1,
        "the other splits": bound * P2 * R2 * Q2 >= P2 * R * Q2,
        "reached": tm.Or(tm.Eq(bound, T), tm.Eq(bound, PRIOR_RATIO)),
    }


def _unchanged(l: Any, s1: Any, s2: Any) -> Any:
    """Whether a minority label, kept with probability 1 - l / K, exists and can change."""
    return tm.Or(tm.Eq(s2, 0), tm.Eq(1 - l / (s1 + s2), 1))


@PAPER.claim(
    "Implementation (BlockRR, epsilon = infinity)",
    "`compute_randomized_labels_classification_infty`, used for `--epsilon` above 8, trains mechanism rrwithweight 'on original labels' (section 5.1.2)",
    hypotheses=r"$K = s_1 + s_2$, $l =$ `--delta`; default flags `--sigma=1`, `--delta=1` on $\text{CIFAR-10}_1$, prior without noise",
    given=[
        tm.Whole(FIRST_SIZE, SECOND_SIZE, LIMIT),
        FIRST_SIZE >= 1,
        SECOND_SIZE >= 0,
        LIMIT >= 0,
        LIMIT <= FIRST_SIZE,
    ],
    replay="the default flags",
    formula=lambda l, s2: tm.TRUE,
    note=r"A minority label is replaced by one of $\Delta$ with probability $l / K$. With which flags the last rows of Tables 3 to 6 were made is not known.",
    consequence="formula",
    repair=Repair(
        r"it is the limit $\epsilon\to\infty$ of BlockRR, $e^\epsilon\beta\to 1$, $e^\epsilon\gamma\to 1-l/K$, and leaves the labels unchanged iff $l=0$ or $\mathcal{S}_2=\emptyset$",
        hypotheses="$K = s_1 + s_2$, $l =$ `--delta`",
        formula=lambda l, s2: tm.Or(tm.Eq(l, 0), tm.Eq(s2, 0)),
    ),
)
def without_privacy(condition: Any) -> Parts:
    sigma, l = Fraction(1), 1
    minority = [i for i in range(10) if i not in majority_of(COUNTS[FIRST], sigma)]
    claimed = steps.holds(condition(l, len(minority)))
    where = f"{FIRST}, sigma = {sigma}, l = {l}"
    unchanged = steps.holds(_unchanged(Fraction(l), 10 - len(minority), len(minority)))
    yield (
        unchanged == claimed
        or f"{where}: the labels {', '.join(map(str, minority))} are kept with probability 1 - {l}/10"
    )
    near, of_gamma = (S1 + S2) / (T - 1), 1 - L / (S1 + S2)
    yield (
        [T > 1, S1 >= 1, S2 >= 1, L >= 0, L <= S1],
        {
            "t beta and its limit 1": tm.And(T * HIGH - 1 <= near, 1 - T * HIGH <= near),
            "t gamma and its limit": tm.And(T * LOW - of_gamma <= near, of_gamma - T * LOW <= near),
        },
    )
    kept = _unchanged(LIMIT, FIRST_SIZE, SECOND_SIZE)
    yield from iff(condition(LIMIT, SECOND_SIZE), kept, "unchanged", "claimed").items()

"""Section 2: Definitions 2.3 to 2.6."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.liu2026.paper import PAPER, T
from lpmech.verdicts import Outcome

K = sp.Symbol("K")
k = sp.Symbol("k")

#: One bin or kept label at least.
BINS = [T > 1, K >= 1]
KEPT = [T > 1, k >= 1]


def rr_entries(t: Any, size: Any) -> tuple[Any, Any]:
    """Def. 2.3: (probability of the true label, probability of each other label)."""
    return t / (t + size - 1), 1 / (t + size - 1)


@PAPER.claim(
    "Def. 2.3",
    r"RR: \Pr[\tilde y=y]=e^\epsilon/(e^\epsilon+K-1), 1/(e^\epsilon+K-1) for the K-1 others: normalised, tight level \epsilon",
    hypotheses="t = e^epsilon > 1, K >= 2 (K = 1 has one constant row and level 0)",
    formula=rr_entries,
    mutants={
        "denominator t + K": lambda t, n: (t / (t + n), 1 / (t + n)),
        "numerators swapped": lambda t, n: (1 / (t + n - 1), t / (t + n - 1)),
    },
)
def definition_2_3(entries: Any) -> Outcome:
    high, low = entries(T, K)
    several = [T > 1, K >= 2]
    normalised = check_identities(
        {"row sum": (high + (K - 1) * low, 1)}, "the row sums to one for every K", hypotheses=several
    )
    level = check_implications(
        several,
        {"low > 0": low > 0, "high = t low": sp.Eq(high - T * low, 0)},
        "every column holds only high and low, and high = t low > 0, so the level is exactly epsilon",
    )
    return both(normalised, level)


def rr_with_prior_entries(t: Any, size: Any) -> tuple[Any, Any, Any]:
    """Def. 2.4: (true label, other kept label, any kept label when the true one is not kept)."""
    return t / (t + size - 1), 1 / (t + size - 1), 1 / size


@PAPER.claim(
    "Def. 2.4",
    r"RRWithPrior: RR on the top-k set \mathcal Y_k, uniform on \mathcal Y_k otherwise: normalised and \epsilon-DP",
    formula=rr_with_prior_entries,
    mutants={
        "uniform over K = k + 1 labels": lambda t, n: (t / (t + n - 1), 1 / (t + n - 1), 1 / (n + 1)),
        "others get 1 / (t + k)": lambda t, n: (t / (t + n - 1), 1 / (t + n), 1 / n),
    },
)
def definition_2_4(entries: Any) -> Outcome:
    high, low, uniform = entries(T, k)
    normalised = check_identities(
        {"row inside": (high + (k - 1) * low, 1), "row outside": (k * uniform, 1)},
        "both kinds of row sum to one",
        hypotheses=KEPT,
    )
    private = check_implications(
        KEPT,
        {
            "low > 0": low > 0,
            "high <= t low": high <= T * low,
            "low <= uniform": low <= uniform,
            "uniform <= high": uniform <= high,
        },
        "the entries of a column lie between low and high = t low",
    )
    return both(normalised, private)


@PAPER.claim(
    "Def. 2.3 and Def. 2.4 (index range)",
    r"[K] denotes the same label set in Def. 2.3 ([K]=\{0,\dots,K-1\}) and Def. 2.4 ([K]=\{1,\dots,K\})",
    hypotheses="as printed, K = 1, ..., 10",
    consequence="wording",
    recorded="refuted",
    formula=(0, 1),
    control=(1, 1),
    mutants={"shifted the other way": (1, 0), "both off by one from each other": (2, 1)},
    note="A notational slip without consequence: the formulas depend on K only.",
)
def index_range(starts: tuple[int, int]) -> Outcome:
    first, second = starts
    return check_family(
        range(1, 11),
        lambda n: (
            None
            if set(range(first, first + n)) == set(range(second, second + n))
            else f"K = {n}: {set(range(first, first + n))} against {set(range(second, second + n))}"
        ),
        "K = 1..10",
    )


INDEX, SIZE = sp.symbols("y K", integer=True)


@PAPER.claim(
    "Def. 2.3 and Def. 2.4 (index range) [repaired]",
    r"y\mapsto y+1 is a bijection between the two label sets",
    hypotheses="all K >= 1; integers",
    formula=lambda y: y + 1,
    mutants={"shift by two": lambda y: y + 2, "reduced modulo 5": lambda y: y % 5 + 1},
    repairs="Def. 2.3 and Def. 2.4 (index range)",
)
def index_shift(shift: Any) -> Outcome:
    """Injective, into 1..K, and onto: every z in 1..K is the image of z - 1, which lies in 0..K-1."""
    search = check_family(
        range(1, 11),
        lambda n: (
            None
            if sorted(map(shift, range(n))) == list(range(1, n + 1))
            else f"K = {n}: {sorted(map(shift, range(n)))}"
        ),
        "K = 1..10",
    )
    other = sp.Symbol("z", integer=True)
    inside = sp.And(INDEX >= 0, INDEX <= SIZE - 1)
    return replayed(
        check_implications(
            [SIZE >= 1],
            {
                "into": sp.Implies(inside, sp.And(shift(INDEX) >= 1, shift(INDEX) <= SIZE)),
                "injective": sp.Implies(sp.Eq(shift(INDEX), shift(other)), sp.Eq(INDEX, other)),
                "onto": sp.Implies(
                    sp.And(other >= 1, other <= SIZE), sp.And(sp.Eq(shift(other - 1), other), other - 1 <= SIZE - 1)
                ),
            },
            "into, injective and onto for every K",
        ),
        search,
    )


@PAPER.claim(
    "Def. 2.5",
    r"RRonBins: probability e^\epsilon/(e^\epsilon+|\tilde{\mathcal Y}|-1) on \Phi(y), 1/(e^\epsilon+|\tilde{\mathcal Y}|-1) elsewhere: normalised and \epsilon-DP",
    hypotheses="|Y~| >= 1, Phi deterministic with values in Y~",
    formula=rr_entries,
    mutants={"denominator t + |Y~|": lambda t, n: (t / (t + n), 1 / (t + n))},
)
def definition_2_5(entries: Any) -> Outcome:
    high, low = entries(T, K)
    normalised = check_identities(
        {"row sum": (high + (K - 1) * low, 1)}, "every row has one high entry, whatever Phi is", hypotheses=BINS
    )
    private = check_implications(
        BINS, {"low > 0": low > 0, "high <= t low": high <= T * low}, "a column holds only high and low"
    )
    return both(normalised, private)


WEIGHT, OTHER = sp.symbols("phi phi2")


@PAPER.claim(
    "Def. 2.5 (randomized Phi)",
    r"RRonBins stays normalised and \epsilon-DP when \Phi is itself randomized, with \Pr averaged over \Phi",
    hypotheses="t > 1, any number m >= 1 of bins, any channel Phi into them; phi, phi' in [0, 1] = probability that Phi assigns to the bin released, for two labels",
    formula=rr_entries,
    mutants={
        "RR at 2 epsilon": lambda t, n: rr_entries(t * t, n),
        "denominator t + m": lambda t, n: (t / (t + n), 1 / (t + n)),
    },
    note="The definition calls Phi 'a randomized mechanism'. A mixture of private rows is private.",
)
def randomized_phi(entries: Any) -> Outcome:
    """Averaged over Phi, bin j has probability phi_j high + (1 - phi_j) low, whatever the other bins' probabilities are."""
    high, low = entries(T, K)
    first, second = (w * high + (1 - w) * low for w in (WEIGHT, OTHER))
    # sum over the m bins: the phi_j sum to one
    normalised = check_identities(
        {"row sum": (high + (K - 1) * low, 1)}, "the averaged row sums to one for every Phi", hypotheses=BINS
    )
    private = check_implications(
        [*BINS, WEIGHT >= 0, WEIGHT <= 1, OTHER >= 0, OTHER <= 1],
        {"positive": first > 0, "ratio <= t": first <= T * second},
        "and the ratio of two averaged entries of a column is at most t",
    )
    return both(normalised, private)


@PAPER.claim(
    "Def. 2.5 (tight level)",
    r"the level of RRonBins is exactly \epsilon iff \Phi takes two values, and 0 iff \Phi is constant",
    hypotheses="t > 1, any number of labels, m >= 1 bins, Phi any function; a, c, j >= 0; a, c = bins of two labels, j = a bin; q, q' = their entries of column j",
    formula=sp.Ne,
    mutants={"always": lambda a, c: sp.true, "never": lambda a, c: sp.false},
    note="The level is the largest over pairs of labels: epsilon if Phi differs on some pair, 0 if it differs on none. Def. 2.5 bounds it by epsilon.",
)
def bins_tight_level(reached: Any) -> Outcome:
    a, c, j = sp.symbols("a c j", integer=True)
    mine, theirs = sp.symbols("q q2")
    high, low = rr_entries(T, K)

    def entry(bin: sp.Symbol, value: sp.Symbol) -> Any:
        return sp.Or(sp.And(sp.Eq(bin, j), sp.Eq(value, high)), sp.And(sp.Ne(bin, j), sp.Eq(value, low)))

    return check_implications(
        [*BINS, a >= 0, c >= 0, j >= 0, entry(a, mine), entry(c, theirs)],
        {
            "reached at j = a": sp.Implies(sp.And(reached(a, c), sp.Eq(j, a)), sp.Eq(mine, T * theirs)),
            "equal rows otherwise": sp.Implies(sp.Not(reached(a, c)), sp.Eq(mine, theirs)),
        },
        "two rows have ratio t in column a iff their bins differ, else they are equal",
    )


d, A = sp.symbols("delta A")


def rp_densities(t: Any, delta: Any, length: Any) -> tuple[Any, Any, Any]:
    """Def. 2.6 with length = A2 - A1: densities near, far, and for y outside the interval."""
    norm = 2 * delta + length / t
    return 1 / norm, 1 / (t * norm), 1 / (2 * delta + length)


@PAPER.claim(
    "Def. 2.6",
    r"RPWithPrior: density 1/\gamma on N_y, e^{-\epsilon}/\gamma on N_I\setminus N_y, \gamma=2\delta+e^{-\epsilon}(A_2-A_1); 1/(2\delta+A_2-A_1) for y\notin I: integrates to one and is \epsilon-DP",
    hypotheses="A2 >= A1; |N_y| = 2 delta, |N_I| = 2 delta + A2 - A1",
    formula=rp_densities,
    mutants={
        "gamma with A2 - A1 undiscounted": lambda t, d, a: (1 / (2 * d + a), 1 / (t * (2 * d + a)), 1 / (2 * d + a)),
        "half-width delta": lambda t, d, a: (1 / (d + a / t), 1 / (t * (d + a / t)), 1 / (d + a)),
    },
)
def definition_2_6(densities: Any) -> Outcome:
    near, far, outside = densities(T, d, A)
    lengths = [T > 1, d > 0, A >= 0]
    normalised = check_identities(
        {"y in I": (near * 2 * d + far * A, 1), "y outside I": (outside * (2 * d + A), 1)},
        "both densities integrate to one",
        hypotheses=lengths,
    )
    private = check_implications(
        lengths,
        {
            "far > 0": far > 0,
            "near <= t far": near <= T * far,
            "far <= outside": far <= outside,
            "outside <= near": outside <= near,
        },
        "densities at a point lie between far and near = t far",
    )
    return both(normalised, private)

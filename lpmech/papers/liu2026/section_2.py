"""Section 2: Definitions 2.3 to 2.6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lpmech.claims import Instance, Parts, Relations
from lpmech.claims.checking import iff
from lpmech.papers.checks import row_of_two, rr_entries
from lpmech.papers.liu2026.paper import PAPER, T
from lpmech.terms import functions as tm

K, KEPT = tm.symbols("K k")

#: One bin at least.
BINS = [T > 1, K >= 1]


def is_rr(entries: Any) -> Relations:
    """That these are the entries of a row of RR on K labels."""
    return row_of_two(entries(T, K), T, K)


PAPER.claim(
    "Def. 2.3",
    r"RR: $\Pr[\tilde{y}=y]=e^\epsilon/(e^\epsilon+K-1)$, $1/(e^\epsilon+K-1)$ for the $K-1$ others: normalised, tight level $\epsilon$",
    hypotheses="$K = 1$ has one constant row and level 0",
    given=[T > 1, K >= 2],
    formula=rr_entries,
)(is_rr)


def three_values(arguments: tuple[Any, ...], own: Any, others: Any) -> Callable[[Any], Relations]:
    """The check that rows are normalised and private: the first value on `own`, the second on `others`, or the third on all."""

    def check(values: Any) -> Relations:
        near, far, outside = values(*arguments)
        return {
            "row inside": (near * own + far * others, 1),
            "row outside": (outside * (own + others), 1),
            "near = t far": (near, T * far),
            "0 < far <= outside <= near": tm.And(far > 0, far <= outside, outside <= near),
        }

    return check


PAPER.claim(
    "Def. 2.4",
    r"RRWithPrior: RR on the top-k set $\mathcal{Y}_k$, uniform on $\mathcal{Y}_k$ otherwise: normalised and $\epsilon$-DP",
    given=[T > 1, KEPT >= 1],
    formula=lambda t, size: (t / (t + size - 1), 1 / (t + size - 1), 1 / size),
)(three_values((T, KEPT), 1, KEPT - 1))  # the true label and the other kept ones


@PAPER.claim(
    "Def. 2.3 and Def. 2.4 (index range)",
    r"$[K]$ denotes the same label set in Def. 2.3 $([K]=\{0,\dots,K-1\})$ and Def. 2.4 $([K]=\{1,\dots,K\})$",
    family="K = 1..10",
    consequence="slip",
    formula=(0, 1),
    control=(1, 1),
    note="A notational slip without consequence: the formulas depend on $K$ only.",
)
def index_range(starts: tuple[int, int]) -> Parts:
    for n in range(1, 11):
        first, second = (set(range(start, start + n)) for start in starts)
        yield Instance(f"K = {n}: label sets", first, "==", second)


INDEX, SIZE = tm.symbols("y K")


@PAPER.claim(
    "Def. 2.3 and Def. 2.4 (index range) [repaired]",
    r"$y\mapsto y+1$ is a bijection between the two label sets",
    given=[tm.Whole(INDEX, SIZE), SIZE >= 1],
    formula=lambda y: y + 1,
    repairs="Def. 2.3 and Def. 2.4 (index range)",
)
def shifted(shift: Any) -> Relations:
    inside = tm.And(shift(INDEX) >= 1, shift(INDEX) <= SIZE)
    return {
        "y - 1 is the only label with image y": (shift(INDEX - 1), INDEX),
        **iff(inside, tm.And(INDEX >= 0, INDEX <= SIZE - 1), "label in 0..K-1", "image in 1..K"),
    }


PAPER.claim(
    "Def. 2.5",
    r"RRonBins: probability $e^\epsilon/(e^\epsilon+|\tilde{\mathcal{Y}}|-1)$ on $\Phi(y)$, $1/(e^\epsilon+|\tilde{\mathcal{Y}}|-1)$ elsewhere: normalised and $\epsilon$-DP",
    hypotheses=r"$K = |\tilde{Y}|$, $\Phi$ deterministic with values in $\tilde{Y}$",
    given=BINS,
    formula=rr_entries,
)(is_rr)


WEIGHT, OTHER = tm.symbols("phi phi2")


@PAPER.claim(
    "Def. 2.5 (randomized Phi)",
    r"RRonBins stays normalised and $\epsilon$-DP when $\Phi$ is itself randomized, with $\Pr$ averaged over $\Phi$",
    hypotheses=r"any number $K$ of bins, any channel $\Phi$ into them; $\phi$, $\phi_2 =$ probability that $\Phi$ assigns to the bin released, for two labels",
    given=[*BINS, WEIGHT >= 0, WEIGHT <= 1, OTHER >= 0, OTHER <= 1],
    formula=rr_entries,
    mutants={"RR at 2 epsilon": lambda t, n: rr_entries(t * t, n)},
    note=r"The definition calls $\Phi$ 'a randomized mechanism'. A mixture of private rows is private.",
)
def randomized_phi(entries: Any) -> Relations:
    """Averaged over Phi, bin j has probability phi_j high + (1 - phi_j) low; as the phi_j sum to one, so do the bins."""
    high, low = entries(T, K)
    first, second = (w * high + (1 - w) * low for w in (WEIGHT, OTHER))
    return {
        "row sum": (high + (K - 1) * low, 1),
        "positive": first > 0,
        "ratio <= t": first <= T * second,
        "attained": (high, T * low),
    }


MINE, THEIRS = tm.symbols("q q2")
BIN, OTHER_BIN, RELEASED = tm.symbols("a c j")


def _entry(bin: Any, value: Any) -> Any:
    high, low = rr_entries(T, K)
    here = tm.Eq(bin, RELEASED)
    return tm.Or(tm.And(here, tm.Eq(value, high)), tm.And(tm.Not(here), tm.Eq(value, low)))


@PAPER.claim(
    "Def. 2.5 (tight level)",
    r"the level of RRonBins is exactly $\epsilon$ iff $\Phi$ takes two values, and 0 iff $\Phi$ is constant",
    hypotheses=r"any number of labels, $\Phi$ any function into $K$ bins; $a$, $c =$ bins of two labels, $j =$ a bin; $q$, $q_2 =$ their entries of column $j$",
    given=[
        *BINS,
        tm.Whole(BIN, OTHER_BIN, RELEASED),
        BIN >= 0,
        OTHER_BIN >= 0,
        RELEASED >= 0,
        _entry(BIN, MINE),
        _entry(OTHER_BIN, THEIRS),
    ],
    kind="ours",
    formula=tm.Ne,
    mutants={"always": lambda a, c: tm.TRUE, "never": lambda a, c: tm.FALSE},
    note=r"The level is the largest over pairs of labels: $\epsilon$ if $\Phi$ differs on some pair, 0 if it differs on none. Def. 2.5 bounds it by $\epsilon$.",
)
def bins_tight_level(reached: Any) -> Relations:
    differ = reached(BIN, OTHER_BIN)
    return {
        "reached at j = a": tm.Implies(tm.And(differ, tm.Eq(RELEASED, BIN)), tm.Eq(MINE, T * THEIRS)),
        "equal rows otherwise": tm.Implies(tm.Not(differ), tm.Eq(MINE, THEIRS)),
    }


D, LENGTH = tm.symbols("delta A")


PAPER.claim(
    "Def. 2.6",
    r"RPWithPrior: density $1/\gamma$ on $N_y$, $e^{-\epsilon}/\gamma$ on $N_I\setminus N_y$, $\gamma=2\delta+e^{-\epsilon}(A_2-A_1)$; $1/(2\delta+A_2-A_1)$ for $y\notin I$: integrates to one and is $\epsilon$-DP",
    hypotheses=r"$A = A_2 - A_1$; $|N_y| = 2 \delta$, $|N_I| = 2 \delta + A$",
    given=[T > 1, D > 0, LENGTH >= 0],
    formula=lambda t, delta, a: (1 / (2 * delta + a / t), 1 / (t * (2 * delta + a / t)), 1 / (2 * delta + a)),
)(three_values((T, D, LENGTH), 2 * D, LENGTH))

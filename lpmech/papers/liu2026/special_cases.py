"""Theorem 3.2 (Table 1) and Remark 3.3 (Table 2): BlockRR recovers the mechanisms of section 2."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.block_rr import Blocks, beta, block_rr, block_rr_from_partition
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.papers.checking import check_family, check_identities
from lpmech.papers.claims import Outcome
from lpmech.papers.liu2026.paper import PAPER, S1, L, T

RATIOS = (Fraction(3, 2), Fraction(2), Fraction(7))


def _same(first: Channel, second: Channel) -> bool:
    """Equal as functions label -> output, whatever the order of inputs and outputs."""
    if set(first.inputs) != set(second.inputs):
        return False

    def entry(channel: Channel, y: Any, j: Any) -> Any:
        return (
            channel.matrix[channel.inputs.index(y), channel.outputs.index(j)] if j in channel.outputs else Fraction(0)
        )

    outputs = {*first.outputs, *second.outputs}
    return all(entry(first, y, j) == entry(second, y, j) for y in first.inputs for j in outputs)


@PAPER.claim(
    "Theorem 3.2 (Table 1, RR)",
    r"\mathcal S_1=\mathcal S, \mathcal S_2=\emptyset, \tilde S_2=\emptyset, B=I gives RR for every K and every l",
    hypotheses="b = 1, s1 = K, s2 = 0; all t, K, l",
    recorded="proved",
    formula=lambda t, size: (t / (t + size - 1), 1 / (t + size - 1)),
    mutants={"denominator t + K": lambda t, size: (t / (t + size), 1 / (t + size))},
)
def table_1_rr(entries: Any) -> Outcome:
    high, low = entries(T, S1)
    value = beta(T, 1, S1, 0, L)
    return check_identities(
        {"t beta": (T * value, high), "beta": (value, low)}, "both entry types of (3.2) at b = 1, s2 = 0"
    )


@PAPER.claim(
    "Theorem 3.2 (Table 1, RRWithPrior)",
    r"\tilde S_1=B(\mathcal S_1), \tilde S_2=\emptyset, B=I, l=|\tilde S_1| gives RR on the k=|\mathcal S_1| kept labels and the uniform distribution 1/k for the others",
    hypotheses="b = 1, s1 = k, s2 = 0, l = k; read without 'y in B(y) for y in S2', which S~ = S~1 contradicts (see section 3.1)",
    recorded="proved",
    formula=lambda t, size: (t / (t + size - 1), 1 / (t + size - 1), 1 / size),
    mutants={
        "others uniform on k + 1": lambda t, size: (t / (t + size - 1), 1 / (t + size - 1), 1 / (size + 1)),
        "denominator t + k": lambda t, size: (t / (t + size), 1 / (t + size), 1 / size),
    },
)
def table_1_rr_with_prior(entries: Any) -> Outcome:
    high, low, uniform = entries(T, S1)
    value = beta(T, 1, S1, 0, S1)
    return check_identities(
        {"kept, true": (T * value, high), "kept, other": (value, low), "not kept": (1 / (S1 + 0), uniform)},
        "all three entry types of Def. 2.4",
    )


@PAPER.claim(
    "Theorem 3.2 (Table 1, RRWithPrior, channel)",
    r"the channel of Table 1's RRWithPrior row equals RRTop-k entry by entry",
    hypotheses="K <= 4, every k < K, t in {3/2, 2, 7}; B(y) of minority labels not used",
    recorded="certified",
    formula=lambda k: k,
    mutants={"one label more in Delta's place": lambda k: k - 1},
)
def table_1_rr_with_prior_channel(size_of_delta: Any) -> Outcome:
    def failure(case: tuple[int, int, Fraction]) -> str | None:
        size, k, t = case
        level = PrivacyLevel.from_ratio(t)
        kept, rest = range(k), range(k, size)
        blocks = Blocks(kept, rest, kept, {y: [y] for y in range(size)}, list(kept)[: size_of_delta(k)])
        prior = [Fraction(size - i, size * (size + 1) // 2) for i in range(size)]
        return None if _same(block_rr(blocks, level), rr_top_k(prior, k, level)) else f"K = {size}, k = {k}, t = {t}"

    family = [(size, k, t) for size in (2, 3, 4) for k in range(1, size) for t in RATIOS]
    return check_family(family, failure, "all K <= 4 and k < K")


@PAPER.claim(
    "Theorem 3.2 (Table 1, RRonBins)",
    r"\mathcal S_1=\mathcal S, \tilde S_1=B(\mathcal S_1), B=\Phi gives RRonBins on the bins \Phi(\mathcal S)",
    hypotheses="K <= 4 labels, every Phi into <= 3 bins, t in {3/2, 2, 7}; read without 'y in B(y)', which Phi need not satisfy",
    recorded="certified",
    formula=lambda phi: phi,
    mutants={"bins reversed": lambda phi: tuple(2 - b for b in phi)},
    note="If Phi does not reach all of Y~, Table 1's S~ = B(S) is the image of Phi, a smaller set than Def. 2.5's Y~.",
)
def table_1_rr_on_bins(assignment: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        phi, t = case
        level = PrivacyLevel.from_ratio(t)
        blocks = Blocks(range(len(phi)), [], sorted(set(phi)), {y: [bin] for y, bin in enumerate(phi)})
        return None if _same(block_rr(blocks, level), rr_on_bins(assignment(phi), level)) else f"Phi = {phi}, t = {t}"

    family = [(phi, t) for size in (1, 2, 3, 4) for phi in product(range(3), repeat=size) for t in RATIOS]
    return check_family(family, failure, "all Phi")


d, A = sp.symbols("delta A")


@PAPER.claim(
    "Theorem 3.2 (Table 1, RPWithPrior)",
    r"with cardinality read as length, B(x)=[x-\delta,x+\delta], \tilde S_2=\emptyset, l=|\tilde S_1| gives the densities of Def. 2.6",
    hypotheses="|B| = 2 delta, |S~1| = 2 delta + A2 - A1; t > 1",
    recorded="proved",
    formula=lambda t, delta, a: (1 / (2 * delta + a / t), 1 / (t * (2 * delta + a / t)), 1 / (2 * delta + a)),
    mutants={
        "|S~1| = A2 - A1": lambda t, delta, a: (1 / (a / t), 1 / a, 1 / a),
        "far density without e^-eps": lambda t, delta, a: (
            1 / (2 * delta + a / t),
            1 / (2 * delta + a / t),
            1 / (2 * delta + a),
        ),
    },
)
def table_1_rp_with_prior(densities: Any) -> Outcome:
    near, far, outside = densities(T, d, A)
    value = beta(T, 2 * d, 2 * d + A, 0, 2 * d + A)
    return check_identities(
        {"near": (T * value, near), "far": (value, far), "outside": (1 / (2 * d + A), outside)},
        "all three densities of Def. 2.6",
    )


@PAPER.claim(
    "Theorem 3.2 (framework hypotheses)",
    r"the RRWithPrior row of Table 1 satisfies the hypotheses of section 3.1 (B:\mathcal S\to\tilde{\mathcal S}, y\in B(y))",
    hypotheses="K <= 4, k kept labels, S~ = B(S1), B = I",
    recorded="refuted",
    formula=lambda size, k: True,
    control=lambda size, k: k == size,
    mutants={"k = K - 1 allowed": lambda size, k: k >= size - 1},
    repaired_by="Theorem 3.2 (framework hypotheses) [repaired]",
    note="Theorem 3.2 itself stands: the minority rows of this configuration never use B(y).",
)
@PAPER.claim(
    "Theorem 3.2 (framework hypotheses) [repaired]",
    r"B=I maps \mathcal S into \tilde{\mathcal S}=B(\mathcal S_1) iff \mathcal S_2=\emptyset; for RRWithPrior the hypothesis is to be asked of y\in\mathcal S_1 only",
    hypotheses="K <= 4, 1 <= k <= K",
    recorded="certified",
    formula=lambda size, k: k == size,
    mutants={"always": lambda size, k: True, "never": lambda size, k: False},
)
def table_1_hypotheses(satisfied: Any) -> Outcome:
    def failure(case: tuple[int, int]) -> str | None:
        size, k = case
        outside = set(range(size)) - set(range(k))
        return (
            None
            if (not outside) == satisfied(size, k)
            else f"K = {size}, k = {k}: B(y) = {{y}} lies outside S~ for y in {outside}"
        )

    return check_family([(n, k) for n in range(1, 5) for k in range(1, n + 1)], failure, "all K <= 4 and k")


@PAPER.claim(
    "Remark 3.3 (Table 2, RR)",
    r"l=0, B=I gives RR for every partition \mathcal S_1,\mathcal S_2",
    hypotheses="K <= 4, every non-empty S1, t in {3/2, 2, 7}",
    recorded="certified",
    formula=0,
    mutants={"l = 1": 1},
)
def table_2_rr(size_of_delta: int) -> Outcome:
    def failure(case: tuple[int, tuple[int, ...], Fraction]) -> str | None:
        size, majority, t = case
        level = PrivacyLevel.from_ratio(t)
        rest = [y for y in range(size) if y not in majority]
        blocks = Blocks(majority, rest, range(size), {y: [y] for y in range(size)}, majority[:size_of_delta])
        same = _same(block_rr(blocks, level), randomized_response(size, level))
        return None if same else f"K = {size}, S1 = {majority}, l = {size_of_delta}, t = {t}: not RR"

    family = [
        (n, part, t)
        for n in (1, 2, 3, 4)
        for m in range(1, n + 1)
        for part in combinations(range(n), m)
        for t in RATIOS
    ]
    return check_family(family, failure, "all partitions")


def _bins_by_blocks(phi: tuple[int, ...], majority: tuple[int, ...], t: Fraction) -> list[list[Fraction]]:
    """Rows of the block definitions at l = 0 with S~2 = S~ minus B(S1): candidates count only in their own block."""
    outputs = sorted(set(phi))
    first = {phi[y] for y in majority}
    value = beta(t, 1, len(first), len(outputs) - len(first), Fraction(0))  # = gamma at l = 0
    rows = []
    for y, bin in enumerate(phi):
        block = first if y in majority else set(outputs) - first
        rows.append([t * value if j == bin and j in block else value for j in outputs])
    return rows


@PAPER.claim(
    "Remark 3.3 (Table 2, RRonBins)",
    r"l=0, \tilde S_1=B(\mathcal S_1), \tilde S_2=B(\mathcal S_2), B=\Phi gives RRonBins for every partition",
    hypotheses="K <= 3 labels, every Phi into <= 3 bins, every non-empty S1, t in {3/2, 2, 7}; S~2 = S~ minus S~1",
    recorded="refuted",
    formula=lambda first, second: True,
    control=lambda first, second: not first & second,
    mutants={"one common bin allowed": lambda first, second: len(first & second) <= 1},
    repaired_by="Remark 3.3 (Table 2, RRonBins) [repaired]",
    note="If a bin serves labels of both S1 and S2, then B(S2) is not S~ minus S~1 as section 3.1 requires, and the "
    "rows of those minority labels do not sum to one.",
)
@PAPER.claim(
    "Remark 3.3 (Table 2, RRonBins) [repaired]",
    r"Table 2's RRonBins row is RRonBins iff \Phi(\mathcal S_1)\cap\Phi(\mathcal S_2)=\emptyset",
    hypotheses="K <= 3 labels, every Phi into <= 3 bins, every non-empty S1, t in {3/2, 2, 7}",
    recorded="certified",
    formula=lambda first, second: not first & second,
    mutants={"always": lambda first, second: True, "never": lambda first, second: False},
)
def table_2_rr_on_bins(condition: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], tuple[int, ...], Fraction]) -> str | None:
        phi, majority, t = case
        first = {phi[y] for y in majority}
        second = {phi[y] for y in range(len(phi)) if y not in majority}
        rows = _bins_by_blocks(phi, majority, t)
        size = len(set(phi))
        recovered = all(
            row == [t / (t + size - 1) if j == phi[y] else 1 / (t + size - 1) for j in sorted(set(phi))]
            for y, row in enumerate(rows)
        )
        if recovered == condition(first, second):
            return None
        return f"Phi = {phi}, S1 = {majority}, t = {t}: rows sum to {[str(sum(row)) for row in rows]}"

    family = [
        (phi, part, t)
        for n in (1, 2, 3)
        for phi in product(range(3), repeat=n)
        for m in range(1, n + 1)
        for part in combinations(range(n), m)
        for t in RATIOS
    ]
    return check_family(family, failure, "all Phi and partitions")


@PAPER.claim(
    "Section 2 (unification)",
    r"BlockRR is more than its special cases: for 0<l<|\tilde S_1| and \tilde S_2\ne\emptyset it is neither RR nor RRTop-k",
    hypotheses="B = I, S~ = S, K <= 4, every S1 but S, every l; compared with RRTop-k for every k (k = K is RR); t in {3/2, 2, 7}",
    recorded="certified",
    formula=lambda l, s1: 0 < l < s1,
    mutants={"also at l = 0": lambda l, s1: l < s1, "only at l = 0": lambda l, s1: l == 0},
    note="The same holds at l = |S~1|: gamma stays positive.",
)
def strictly_more(in_between: Any) -> Outcome:
    def failure(case: tuple[int, int, int, Fraction]) -> str | None:
        size, s1, l, t = case
        if not in_between(l, s1):
            return None
        level = PrivacyLevel.from_ratio(t)
        prior = [Fraction(size - i, size * (size + 1) // 2) for i in range(size)]
        channel = block_rr_from_partition(prior, range(s1), level, l)
        equal = [k for k in range(1, size + 1) if _same(channel, rr_top_k(prior, k, level))]
        return f"K = {size}, |S1| = {s1}, l = {l}, t = {t}: is RRTop-k for k = {equal[0]}" if equal else None

    family = [(size, s1, l, t) for size in (2, 3, 4) for s1 in range(1, size) for l in range(s1 + 1) for t in RATIOS]
    return check_family(family, failure, "K <= 4, t in {3/2, 2, 7}")

"""Section 3: a window of labels within w of the true one, on a ring and on a line."""

from fractions import Fraction

import numpy as np

from lpmech.claims import Repair
from lpmech.claims.checking import both, check_family, check_identities, check_implications, replayed, unless_refuted
from lpmech.programs.optimality import dual_bound
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.terms import term

from .mechanisms import window_on_line, window_on_ring
from .paper import PAPER, K, t

w, n = tm.symbols("w n")

_INSIDE = [tm.Whole(K, w), t > 1, w >= 0, 2 * w + 1 <= K]
_RATIOS = [Fraction(ratio) for ratio in ("3/2", "2", "5")]
_RINGS = [(size, width, ratio) for size in range(3, 9) for width in range(1, (size - 1) // 2 + 1) for ratio in _RATIOS]


def _on_rings(failure):
    return check_family(_RINGS, failure, "the rings with 3 <= K <= 8, every w with 2w + 1 <= K, three t")


def near(size, width):
    """Utility of being within w on the ring."""
    return np.array(
        [[Fraction(min((i - j) % size, (j - i) % size) <= width) for j in range(size)] for i in range(size)]
    )


@PAPER.claim(
    "Theorem 3.1",
    "on a ring the largest probability of releasing a label within $w$ is $(2w+1)t/((2w+1)t+K-2w-1)$, and the window attains it",
    hypotheses=r"$t > 1$, $w \ge 0$, $2w + 1 \le K$, uniform prior, any $\epsilon$-private mechanism",
    formula=(2 * w + 1) * t / ((2 * w + 1) * t + K - 2 * w - 1),
    mutants={
        "2 w for 2 w + 1": 2 * w * t / (2 * w * t + K - 2 * w),
        "1 for t": (2 * w + 1) / K,
        "t^2": (2 * w + 1) * t**2 / ((2 * w + 1) * t**2 + K - 2 * w - 1),
    },
    note="By weak duality: prices $c/K$ for every label are feasible for the dual, as every output is near $2w + 1$ labels and far from the others.",
)
def window_is_optimal(value):
    high = 2 * w + 1
    attained = high * t / (high * t + K - high)
    excess = high * (1 - value) - (K - high) * value + (t - 1) * high * (1 - value)  # of every output, times K
    identities = {"attained": (attained, value), "dual constraint": (excess, 0)}
    proof = both(
        check_identities(identities, "value of the window and dual constraint of every output", hypotheses=_INSIDE),
        check_implications(_INSIDE, {"a price": value <= 1}, "the price is at most the utility"),
    )

    def failure(case):
        size, width, ratio = case
        expected = steps.value(value, {K: size, w: width, t: ratio})
        found = window_on_ring(size, width, ratio).expected_utility(near(size, width))
        prices = np.array([expected / size] * size)
        bound = dual_bound(near(size, width) / size, ratio, prices, {}, {})
        where = f"K = {size}, w = {width}, t = {ratio}"
        return None if found == expected == bound else f"{where}: {found}, dual bound {bound}, stated {expected}"

    return replayed(proof, _on_rings(failure))


@PAPER.claim(
    "Lemma 3.2",
    r"the level of the window on a ring is exactly $\epsilon$",
    hypotheses=r"$t > 1$, $w \ge 0$, $2w + 1 < K$",
    formula=t,
    mutants={"t^2": t**2, "(2 w + 1) t": (2 * w + 1) * t, "t - 1": t - 1},
    note=r"Every row has the same sum $(2w+1)t+K-2w-1$, and every output is near some label and far from another.",
)
def level_on_the_ring(stated):
    total = (2 * w + 1) * t + K - 2 * w - 1
    proof = check_identities(
        {"near against far": ((t / total) / (1 / total), stated)},
        "the only ratio besides 1 and 1/t",
        hypotheses=_INSIDE,
    )

    def failure(case):
        size, width, ratio = case
        if 2 * width + 1 == size:
            return None  # everything is near
        found = window_on_ring(size, width, ratio).witness.ratio
        expected = steps.value(stated, {K: size, w: width, t: ratio})
        return None if found == expected else f"K = {size}, w = {width}, t = {ratio}: {found} against {expected}"

    return replayed(proof, _on_rings(failure))


@PAPER.claim(
    "Lemma 3.3",
    r"the window of $w=4$ on a line, each row divided by its sum, is $\epsilon$-private",
    hypotheses=r"$t > 1$, $K \ge 2$, $w = 4$",
    recorded="refuted",
    formula=([4], lambda size, width: tm.TRUE),
    control=([4], lambda size, width: size <= 6),
    mutants={"for K <= 7": ([4], lambda size, width: size <= 7), "for K <= 9": ([4], lambda size, width: size <= 9)},
    note="It holds up to $K = 6$. From $K = 7$ on a row in the middle has a larger sum than the first row and a low entry beside its high one.",
    repair=Repair(
        r"for $w\ge1$ the window on a line, each row divided by its sum, is $\epsilon$-private iff $K\le w+2$",
        hypotheses=r"$t > 1$, $K \ge 2$, $w \ge 1$, $K$ and $w$ whole",
        formula=(range(1, 6), lambda size, width: size <= width + 2),
        mutants={
            "iff K <= w + 3": (range(1, 6), lambda size, width: size <= width + 3),
            "iff K <= w + 1": (range(1, 6), lambda size, width: size <= width + 1),
            "iff K <= 2 w + 1": (range(1, 6), lambda size, width: size <= 2 * width + 1),
        },
        note=r"Row $i$ has $n_i$ high entries and the sum $n_i t + K - n_i$. High beside high and low beside low is always within $t$; high in row $i$ beside low in row $k$ is within $t$ iff $n_k \le n_i$.",
    ),
)
def private_on_the_line(case):
    widths, condition = case
    lines = _on_lines(widths, condition)
    return unless_refuted(lines, lambda: replayed(_proved_on_lines(widths, condition), lines))


def _on_lines(widths, condition):
    def failure(case):
        size, width, ratio = case
        witness = window_on_line(size, width, ratio).witness
        stated = steps.holds(condition(term(size), term(width)))
        if (witness.ratio <= ratio) is stated:
            return None
        pair = f"output {witness.output}, labels {witness.likely} and {witness.unlikely}"
        return f"K = {size}, w = {width}, t = {ratio}: ratio {witness.ratio} ({pair})"

    cases = [(size, width, ratio) for width in widths for size in range(2, 13) for ratio in _RATIOS]
    return check_family(cases, failure, f"the lines with K <= 12, w = {', '.join(map(str, widths))}, three t")


def _proved_on_lines(widths, condition):
    other = tm.symbol("o")
    rows = check_implications(
        [tm.Whole(K, n, other), t > 1, n >= 1, n <= K, other >= 1, other <= K],
        {
            "equal kinds": other * t + K - other <= t * (n * t + K - n),
            "high beside low, if": tm.Implies(other <= n, other * t + K - other <= n * t + K - n),
            "high beside low, only if": tm.Implies(other * t + K - other <= n * t + K - n, other <= n),
        },
        "the ratios of two rows with n and o high entries",
    )
    size, width, i, k, j = tm.symbols("K w i k j")

    def high(row):
        return tm.Min(size, row + width) - tm.Max(1, row - width) + 1

    inside = [tm.Whole(i, k, j), *(relation for x in (i, k, j) for relation in (x >= 1, x <= size))]
    fixed = [tm.Eq(width, widths[0])] if len(widths) == 1 else []
    whole = [tm.Whole(size, width), size >= 2, width >= 1, *fixed]
    near_and_far = [i - j <= width, j - i <= width, tm.Or(k - j > width, j - k > width)]
    stated = condition(size, width)
    if_direction = check_implications(
        [*whole, *inside, stated, *near_and_far], {"no violation": high(k) <= high(i)}, "no pair of rows violates it"
    )
    only_if = check_implications(
        whole,
        {
            "the violating row exists": tm.Implies(tm.Not(stated), width + 2 <= size),
            "and has more high entries": tm.Implies(tm.Not(stated), high(width + 2) > high(1)),
        },
        "output 1 in rows 1 and w + 2 otherwise",
    )
    return both(rows, both(if_direction, only_if))

"""The abstract: for which utilities BRR and BRR* are optimal, a certificate for any common m, and the cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts, each
from lpmech.claims.checking import check_facts
from lpmech.entries import Array, as_array
from lpmech.errors import ProgramError
from lpmech.mechanisms import (
    best_contiguous_bins,
    bipartite_rr,
    bipartite_rr_star,
    exponential,
    randomized_response,
    rr_on_bins,
)
from lpmech.mechanisms.bipartite_rr import common_m_star, global_program, optimality
from lpmech.mechanisms.bipartite_rr.closed_form import end_point_sum
from lpmech.papers import beside
from lpmech.papers.zhang2025.greedy import grr_maximises_hits, raised_on_average, rule_maximises
from lpmech.papers.zhang2025.paper import (
    BREAKING,
    EXACT,
    PAPER,
    M,
    N,
    T,
    among_common_m,
    average,
    matrices,
    printed_loop,
    written,
)
from lpmech.programs.optimality import dual_excess
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.utilities import absolute, circular, hamming, tanimoto
from lpmech.verdicts import Outcome, Verdict, supported

SIZE, DERIVATIVES, RAISED = tm.symbols("N d i")
UTILITIES = {"-|i - j|": absolute, "Tanimoto": tanimoto}
#: Small sizes, then the smallest size of Figs. 4 and 5 at e^epsilon = 20 (epsilon close to 3).
SETTINGS = [
    *((name, n, Fraction(t)) for n in range(2, 6) for name in UTILITIES for t in ("3/2", "2", "3", "10", "30")),
    *((name, 20, Fraction(20)) for name in UTILITIES),
]


def _grr_is_best(name: str, n: Any, t: Any) -> Any:
    """Whether GRR, which BRR is there, is optimal; None where nothing is claimed."""
    if isinstance(n, int) and n == 2:  # letters: N >= 3
        return tm.TRUE
    return optimality.grr_excess_on_integers(t, n) >= 0 if name == "-|i - j|" else None


@PAPER.claim(
    "Abstract (own utilities)",
    r"of the paper's own utilities, $-|i-j|$ and the Tanimoto similarity on $1,\dots,N$, GRR, which BRR is there, is optimal for both if $N=2$, and for $-|i-j|$, $N\ge 3$, iff $s=e^\epsilon+N-1$ has $s^2-\frac{N(N+1)}{2}s+\frac{N(N^2-1)}{3}\ge 0$: from $e^\epsilon=2$, "
    r"$2+\sqrt{5}$, $\frac{7+\sqrt{65}}{2}$ on for $N=3,4,5$",
    hypotheses="uniform prior, every $N$; duals in closed form. GRR is positive everywhere, so complementary slackness leaves it no other duals",
    replay="exact optima with exact duals, N = 2..5, t in {3/2, 2, 3, 10, 30}; N = 20, t = 20",
    kind="ours",
    compare=beside.bipartite_rr_for_distances,
    formula=_grr_is_best,
    mutants={
        "both utilities": lambda name, n, t: _grr_is_best("-|i - j|", n, t),
        "at every level": lambda name, n, t: tm.TRUE,
    },
    uses=["Abstract (optimal for any utility)"],
    note="What is left of 'Abstract (optimal for any utility)' for these: at a strong privacy level the items near both ends should never be released for $-|i - j|$. BRR releases every output, so it cannot be optimal there.",
)
def optimal_for_own_utilities(condition: Any) -> Parts:
    for name, n, t in SETTINGS:
        claimed = condition(name, n, Fraction(t))
        if claimed is None:
            continue
        level, utility = PrivacyLevel.from_ratio(t), UTILITIES[name](n)
        grr = randomized_response(n, level).expected_utility(utility)
        best = global_program(utility, level).solve("exact")
        if not steps.holds(claimed):
            yield Instance(f"{name} on 1..{n}, t = {t}: GRR, optimum", grr, "!=", best.value)
            continue
        own = [channel(utility, level).expected_utility(utility) for channel in (bipartite_rr, bipartite_rr_star)]
        rows = written(best.channel.matrix) if n <= 4 else "of N rows"
        where = f"{name} on 1..{n}, t = {t}: the better of BRR and BRR*, optimum, at the channel {rows}"
        yield Instance(where, max(own), "==", best.value)
    if condition("-|i - j|", N, T) is not None and condition("Tanimoto", N, T) is None:
        yield from _grr_for_distances(condition)
        for name, of_two in UTILITIES.items():  # a constant plus a multiple of the hit rate
            (a, b), (c, d) = of_two(2).tolist()
            yield (a == d and b == c and a > b) or f"{name} on 1, 2: {a, b, c, d}"
        yield from grr_maximises_hits(lambda t, n: t / (t + n - 1))


def _grr_for_distances(condition: Any) -> Parts:
    """Where GRR is optimal for -|i - j| on 1..N, and that BRR is GRR there.

    Duals pi_y = (c_y - D/(t + N - 1))/(t - 1) with the sum c_y of row y of the utility and D of all rows (times 1/N for the uniform prior): they
    make every dual constraint an equality when -1 <= pi_y <= 0, because then u[j, j] - pi_j >= 0 is the only positive term of column j. GRR has only
    entries above 0, t times as large on the diagonal, so optimal duals of it must have these equalities and signs: they are these, or there are none.
    """
    y, n, k = tm.symbols("y N k")
    column = -steps.expand(steps.summation(y - k, (k, 1, y)) + steps.summation(k - y, (k, y, n)))
    c, d = column, steps.factor(steps.summation(column, (y, 1, n)))
    value = d / (T + n - 1)  # GRR: t times the similarity 0 of the true item, once each other one
    pi, duals = (c - value) / (T - 1), (d - n * value) / (T - 1)
    items = [n >= 3, y >= 1, y <= n, T > 1]
    yield items, {"sum of the duals of GRR": (duals, value), "dual constraint": (c - duals - (T - 1) * pi, 0)}
    claimed = condition("-|i - j|", n, T)
    row_keeps_1 = end_point_sum(T, n, 2) >= 0
    signs = {
        "pi <= 0": pi <= 0,
        "pi >= -1": pi >= -1,
        "BRR is GRR, as the row of an end point keeps m = 1": row_keeps_1,
    }
    yield [*items, claimed], signs
    yield [n >= 3, T > 1, pi.at({y: 1}) >= -1], {"only where it is claimed, else pi_1 < -1": claimed}


PAPER.claim(
    "Abstract (hit rate)",
    r"for the hit rate with uniform prior BRR $=$ GRR is optimal among all $\epsilon$-LDP channels, for every $N$ and $\epsilon$",
    hypotheses=r"certificate: equal dual values $\pi =$ value / $N$",
    compare=beside.bipartite_rr_for_hits,
    kind="ours",
    formula=lambda t, n: t / (t + n - 1),
    note="A dual solution bounds every private channel, so equality with the value of GRR is a proof of optimality.",
)(grr_maximises_hits)


@PAPER.claim(
    "Abstract (outperforms)",
    r"BRR 'significantly outperforms the state-of-the-art LDP mechanisms'",
    hypotheses=r"$-|i - j|$ on $1,\dots,20$, uniform prior, $e^\epsilon = 20$ ($\epsilon$ close to 3); the better of BRR and BRR*",
    consequence="wording",
    readings={
        "than GRR": "certified",
        "than the exponential mechanism": "supported",
        "than randomized response on bins": "refuted",
    },
    formula=lambda own, other: own > other,
    mutants={"a tenth of their loss": lambda own, other: 10 * own > other},
    note="True of the mechanisms in the experiments. Randomized response on bins (2022), which is not among them, merges neighbouring items and is better for this loss.",
)
def outperforms(relation: Any) -> tuple[Outcome, ...]:
    utility, level = absolute(20), PrivacyLevel.from_ratio(20)
    on_bins = rr_on_bins(best_contiguous_bins(utility, None, level), level)
    released = [[row[j] for j in on_bins.outputs] for row in utility.tolist()]
    own = max(channel(utility, level).expected_utility(utility) for channel in (bipartite_rr, bipartite_rr_star))

    def compared(name: str, other: Channel, gain: Any) -> Outcome:
        value = other.expected_utility(gain)
        method = EXACT if other.is_exact else "floating point"
        text = f"BRR or BRR* {float(own):.4f}, {name} {float(value):.4f}"
        fact = bool(relation(own, value)), f"N = 20, t = 20: BRR or BRR* {own}, {name} {value}"
        found = check_facts([fact], text, method)
        return found if other.is_exact or found.verdict is Verdict.REFUTED else supported(method, text)

    return (
        compared("GRR", randomized_response(20, level), utility),
        compared("the exponential mechanism", exponential(utility, level), utility),
        compared("randomized response on bins", on_bins, released),
    )


@PAPER.claim(
    "Abstract (computationally cheap)",
    "'solving this linear program can be computationally cheap': Alg. 1 as printed takes at most $N(N-1)$ multiplications, and that many for some rows; Alg. 2 $N$ times as many",
    hypotheses=r"the paper states no bound. Each of the $d \le N - 1$ derivatives is a sum of $N$ products; the row $(2, \dots, 2, 1)$ asks for all of them: $i$ weights raised, the sum stays positive",
    given=[
        tm.Whole(SIZE, DERIVATIVES, RAISED),
        T > 1,
        SIZE >= 2,
        DERIVATIVES >= 0,
        DERIVATIVES < SIZE,
        RAISED >= 1,
        RAISED <= SIZE - 2,
    ],
    replay="sorted rows with similarities 1, 2, N <= 9, t = 2, multiplications counted",
    formula=lambda n: n * (n - 1),
    note="With prefix sums (`greedy_m`) $N$ multiplications do; see 'Alg. 1 (prefix sums)'. The program over all channels has $N^2$ unknowns.",
)
def operations(bound: Any) -> Parts:
    for n in (2, 1, *range(3, 10)):
        most = max(printed_loop(row, Fraction(2))[1] for row in combinations_with_replacement((2, 1), n))
        yield Instance(f"N = {n}: multiplications at most", most, "==", bound(n))
    mass = RAISED * T + SIZE - RAISED  # weights when i terms are raised; the similarities are 2, the last one 1
    yield "N products a derivative", SIZE * DERIVATIVES <= bound(SIZE)
    yield "no break before i = N for (2, ..., 2, 1)", 2 * mass - (2 * mass - 1) > 0
    yield "that is N - 1 derivatives", tm.Eq(SIZE * (SIZE - 1), bound(SIZE))


#: In words, as a utility, with moves of inputs and outputs that leave it the same, and a prior.
Example = tuple[str, Array, list[tuple[list[int], list[int]]], list[Fraction] | None]


def _alike(name: str, utility: Array, items: Sequence[Any], *moves: Callable[[Any], Any]) -> Example:
    """Inputs and outputs are the same items, and are moved alike."""
    places = [[items.index(move(item)) for item in items] for move in moves]
    return name, utility, [(place, place) for place in places], None


def _turned(name: str, *rows: Sequence[int], shares: Sequence[Fraction] = (Fraction(1),)) -> Example:
    """Kinds of inputs, each turned with the outputs, and the share of each kind in the prior."""
    size = len(rows[0])
    turn = [(i + 1) % size for i in range(size)]
    utility = [[row[(j - y) % size] for j in range(size)] for row in rows for y in range(size)]
    inputs = [size * kind + i for kind in range(len(rows)) for i in turn]
    return name, as_array(utility, "utility", 2), [(inputs, turn)], [share / size for share in shares for _ in turn]


def symmetric_examples() -> Iterator[Example]:
    """Utilities whose symmetries act transitively on the outputs, small first."""
    for n in range(2, 10):
        yield _alike(f"circle of {n}", circular(n), range(n), [*range(1, n), 0].__getitem__)
    for n in range(2, 7):
        yield _turned(f"(j - i) mod {n}", range(0, -n, -1))
    for values in ((7, 3, 0, 2, 5), (9, 1, 4, 4, 0, 8), (5, 5, 1, 0), (10**20 + 1, 10**20 + 1, 10**20)):
        yield _turned(f"{values} turned", values)
    for n, length in ((2, 2), (2, 3), (3, 2)):
        words = list(product(range(n), repeat=length))
        one_letter = [lambda w, k=k, n=n: (*w[:k], (w[k] + 1) % n, *w[k + 1 :]) for k in range(length)]
        yield _alike(f"Hamming distance, {length} places, {n} letters", hamming(words), words, *one_letter)
    pairs = list(combinations(range(5), 2))
    shared = as_array([[len({*a} & {*b}) for b in pairs] for a in pairs], "utility", 2)
    exchanges = [lambda pair, p=p: tuple(sorted(p[i] for i in pair)) for p in ((1, 2, 3, 4, 0), (1, 0, 2, 3, 4))]
    yield _alike("common members of two pairs out of five", shared, pairs, *exchanges)
    for *rows, share in (
        ((3, 1, 0, 0), (5, 5, 5, 0), Fraction(1, 4)),
        ((6, 0, 0, 0, 0, 0), (4, 3, 3, 1, 0, 2), Fraction(2, 3)),
    ):
        yield _turned(f"rows {written(rows)} turned, prior {share} on the first kind", *rows, shares=(share, 1 - share))


LEVELS = tuple(map(Fraction, ("1001/1000", "5/4", "2", "4", "20", "10000")))
LOW, HIGH, VALUE, TOP_SUM, SUM, GAIN, FLOOR = tm.symbols("Lambda_low Lambda_high Q T_m S x c")


@PAPER.claim(
    "Abstract (optimal for symmetric utilities)",
    r"BRR* 'gives the optimal randomized response' among all $\epsilon$-LDP channels, at every $\epsilon$, whenever symmetries of the utility (and of the prior) act transitively on the outputs: distance on a circle, Hamming distance, $Z_N$",
    hypotheses=r"$N$ outputs, $m$ that of BRR*, $S$ and $T_m$ sums over the rows of all and of the $m$ largest $\pi(y) \lambda$; any number of inputs. Dual of row $y$: between its $(m+1)$-th and $m$-th largest term, at the share $(Q_g-\Lambda_{\mathrm{low}})/(\Lambda_{\mathrm{high}}-\Lambda_{\mathrm{low}})$ of the way",
    given=[T > 1, N >= 2, M >= 1, M <= N - 1, LOW < HIGH],
    kind="ours",
    evidence="the duals sum to Q_g and the dual constraints to zero; every dual separates the m largest terms of its row from the rest",
    replay="circles of 2 to 9, (j - i) mod N, rows of integers turned, words of 2 or 3 places, pairs out of five, and two kinds of inputs with a prior, t in {1001/1000, 5/4, 2, 4, 20, 10^4}: exact duals",
    formula=(common_m_star, optimality.dual_share),
    survivors={
        "part 1: utility -> utility + 1 in as_array(utility, 'utility', 2, UtilityError)": "the same: a constant added to all similarities changes no m"
    },
    note=r"Averaging a channel over the symmetries changes neither privacy nor utility, so some optimum treats all outputs alike; the paper's own $|i - j|$ on $1,\dots,N$ has only a reflection, and BRR* is not optimal there: 'Abstract (own utilities)'. Alg. 2 need not be optimal where inputs of several kinds have different $m$.",
)
def optimal_for_symmetric(case: Any) -> Parts:
    """The duals of a symmetric utility make all dual constraints equal, and their sum vanishes.

    A symmetry carries row y to a row with the same terms in another order, hence to the same dual; and column j with its gains to
    another column. So all N dual constraints have one left side. Summed over the columns a row gives S_y - N pi_y + (t - 1) times
    its m largest terms less m pi_y, because pi_y separates the m largest from the rest.
    """
    choose, share = case
    yield from among_common_m(choose, BREAKING)
    for (name, utility, symmetries, prior), t in product(symmetric_examples(), LEVELS):
        level = PrivacyLevel.from_ratio(t)
        yield optimality.acts_transitively(utility, symmetries, prior) or f"{name}: not transitive"
        m = choose(utility, level, prior)
        value, bound = average(utility, m, t, prior), sum(optimality.star_duals(utility, level, prior).tolist())
        found = Instance(f"{name}, t = {t}: utility at m = {m}, sum of the duals", value, "==", bound)
        proved = optimality.star_is_proved_optimal(utility, level, prior)
        yield found if proved or not found.holds else f"{name}, t = {t}, m = {m}: not proved optimal"
    theta, value = share(VALUE, HIGH, LOW), (SUM + (T - 1) * TOP_SUM) / (N + (T - 1) * M)
    yield "sum of the duals", (LOW + theta * (HIGH - LOW), VALUE)
    yield "sum of all dual constraints", (SUM - N * value + (T - 1) * (TOP_SUM - M * value), 0)
    between = tm.And(VALUE >= LOW, VALUE <= HIGH)
    yield "0 <= share <= 1", tm.Implies(between, tm.And(theta >= 0, theta <= 1))
    yield from rule_maximises(raised_on_average)


def _signs(gain: Any, raised: bool) -> Any:
    return gain >= 0 if raised else gain <= 0


def _common_cases() -> Iterator[tuple[Any, int, Fraction]]:
    """(utility, m, t) for which the channel is not singular, so that its duals are unique."""
    utilities = [*(absolute(n).tolist() for n in range(2, 7)), *(circular(n).tolist() for n in (3, 4, 5))]
    utilities += [
        ((5, 4, 0), (1, 6, 5), (0, 2, 3)),
        ((4, 3, 1), (0, 4, 1), (3, 0, 4)),
        ((3, 2, 0), (0, 3, 2), (2, 0, 3)),
        ((3, 12, 18), (18, 18, 0), (6, 0, 9)),  # m = 2, t = 2: one gain has the wrong sign, -1
        ((3, 6, 9), (12, 3, 0), (15, 18, 15)),  # m = 1, t = 2: one gain has the wrong sign, 1
    ]
    cases = [(u, m, t) for u in utilities for m in range(1, len(u)) for t in LEVELS]
    for utility, m, t in [*cases, *((u, 1, Fraction(2)) for u in list(matrices(3, 2))[::5])]:
        try:
            optimality.common_m_duals(utility, m, PrivacyLevel.from_ratio(t))
        except ProgramError:
            continue
        yield utility, m, t


@PAPER.claim(
    "eq. (6) (optimal, certificate)",
    r"(6) with any common $m$ and any sets $Y_y$ is optimal among all $\epsilon$-LDP channels iff there are $\pi_y$ with $\lambda'_{yj}\ge\pi_y$ for $j\in Y_y$, $\lambda'_{yj}\le\pi_y$ for other $j$ and $\sum_y w_{yj}(\lambda'_{yj}-\pi_y)=0$ for every output $j$; $\lambda'=\pi(y)\lambda$",
    hypotheses=r"any $N$, utility, prior, $m < N$; $x = \lambda' - \pi_y$ the gain of an entry $q$ of a column with least entry $c$, $q = t c$ in $Y_y$ and $c$ elsewhere. The function finds the only such $\pi$ of a channel that is not singular",
    given=[T > 1, FLOOR > 0],
    evidence="entry by entry: what a channel gains is at most what the dual constraint allows",
    replay="exact optima with exact duals, where the channel is not singular: -|i - j| on 1..N, N <= 6, circles, 3 x 3 matrices, every m < N, t in {1001/1000, 5/4, 2, 4, 20, 10^4}",
    kind="ours",
    formula=(_signs, optimality.common_m_is_optimal),
    survivors={
        "part 2: 1 -> 0": "the same: in a column of one value all gains have to be 0",
        "part 2: gains >= 0 -> gains > 0 in np.where(raised, gains >= 0, gains <= 0)": "the same: gains of 0 are admitted beside",
        "part 2: gains <= 0 -> gains < 0 in np.where(raised, gains >= 0, gains <= 0)": "the same: gains of 0 are admitted beside",
    },
    note="$N$ numbers prove it, $N$ linear equations find them. By hand: complementary slackness and strong duality (all least entries are positive, so every dual constraint is an equality).",
)
def certificate(case: Any) -> Parts:
    signs, decide = case
    for utility, m, t in _common_cases():
        level = PrivacyLevel.from_ratio(t)
        says = decide(utility, m, level)
        value = average(utility, m, t)
        best = global_program(utility, level).solve("exact").value
        weights = as_array(utility, "utility", 2) * Fraction(1, len(utility))
        # the duals make all dual constraints equalities: with the signs they are feasible
        balance = not np.any(dual_excess(weights, t, optimality.common_m_duals(utility, m, level), {}))
        told = f"lambda = {written(utility)}, t = {t}, m = {m}, by the certificate {'' if says else 'not '}optimal"
        found = Instance(f"{told}: utility, optimum", value, "==" if says else "!=", best)
        yield found if balance or not says else f"{told}: its duals are not feasible"
    allowed = FLOOR * (GAIN + (T - 1) * tm.Max(GAIN, 0))
    kinds = {"in $Y_y$": (True, T * FLOOR), "elsewhere": (False, FLOOR)}
    for where in each("entry", kinds):
        raised, entry = kinds[where]
        at, stated = tm.Eq(entry * GAIN, allowed), signs(GAIN, raised)
        yield f"{where}: the sign iff equality", tm.Equivalent(stated, at)
        yield f"{where}: never above", entry * GAIN <= allowed

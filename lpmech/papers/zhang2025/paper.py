"""The paper and the symbols and families its claims share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Paper
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.checks import rows_in_words
from lpmech.terms import functions as tm

PAPER = Paper(
    "zhang2025",
    "Zhang, Zhu, Chen, Xiong: Bipartite Randomized Response Mechanism for Local Differential Privacy (zhang2025)",
    {
        "$t$": r"$e^\epsilon$",
        "$N$": "how many items, and outputs, there are",
        "$m$": "how many outputs of a row are favoured; of BRR the least of the rows' own, of BRR* the best on average",
        "$p^*$, $q^*$": "the probabilities of a favoured and of another output, $p$ and $q$ those of GRR",
        r"$\lambda$": "the similarity of an output to the true item, a row for each item",
        "$s$, $w$": "weights of the outputs, and release probabilities made of them",
        "$Q$, $Q_g$": "the utility of one row, and on average over all",
        "$A$, $C$": r"the sums of $\lambda_j s_j$ and of $s_j$ before a weight is raised; $\lambda_k$ and $A_k$ are those of row $k$, $p$ its prior",
        "$i_{1r}$, $i_{2r}$, $i_{3r}$": "the right roots of (8), (9), (10), from which $m$ is read off",
        "$u$, $D_1$, $D_2$, $D_3$": r"$e^{\epsilon/2}$ in section IV.D, and the square roots in the roots of (8), (9), (10)",
        r"$\pi$": "the prior, or duals where a proof has them",
    },
)

#: t = e^epsilon, N outputs, m favoured ones.
T, N, M = tm.symbols("t N m")

EXACT = "exact rational arithmetic"
RATIOS = (Fraction(2), Fraction(3), Fraction(7, 2), Fraction(10))


#: The sets of outputs of N = 3, small first.
SETS = [c for m in (1, 2, 3) for c in combinations(range(3), m)]


def counted(outputs: Iterable[int]) -> set[int]:
    """A set of outputs, counted from 1."""
    return {j + 1 for j in outputs}


def rows_of(first: tuple[int, ...], second: tuple[int, ...], t: Fraction) -> Channel:
    """Two rows (6) on three outputs, each with its own set."""
    weights = [[t if j in chosen else Fraction(1) for j in range(3)] for chosen in (first, second)]
    return Channel([[v / sum(row) for v in row] for row in weights])


Matrix = tuple[tuple[int, ...], ...]


def matrices(size: int, largest_value: int) -> Iterable[Matrix]:
    """Positive integer matrices whose diagonal is the largest entry of its row, small sums first."""
    rows = list(product(range(1, largest_value + 1), repeat=size))
    on_top = product(*([row for row in rows if max(row) == row[k]] for k in range(size)))
    return sorted(on_top, key=lambda m: sum(map(sum, m)))


class _Weight:
    """A weight that counts the products it takes part in."""

    def __init__(self, value: Fraction | int) -> None:
        self.value, self.products = value, 0

    def __rmul__(self, factor: int) -> Fraction | int:
        self.products += 1
        return factor * self.value


def printed_loop(row: tuple[int, ...], t: Fraction) -> tuple[int, int]:
    """Alg. 1 line by line, (m, multiplications): every derivative is summed anew."""
    weights, m = [_Weight(t), *(_Weight(1) for _ in row[1:])], 1
    while m < len(row) and closed.derivative_numerator(row, weights, m) > 0:
        weights[m].value = t
        m += 1
    return m, sum(weight.products for weight in weights)


#: The two largest of every row are equal, so m = 2 for all; the same where floating point cannot tell them apart.
OF_TWO: Matrix = ((2, 2, 1), (2, 2, 1), (1, 2, 2))
LARGE: Matrix = tuple(tuple(10**20 + v for v in row) for row in OF_TWO)


def written(matrix: Iterable[Iterable[Any]]) -> str:
    """A matrix in a list of parameters."""
    return f"({rows_in_words(matrix)})"


def average(utility: Any, m: int, t: Fraction, prior: Any = None) -> Any:
    """Expected utility of (6) with this m for every row."""
    return closed.bipartite_channel(utility, m, PrivacyLevel.from_ratio(t)).expected_utility(utility, prior)


#: Where a loop over outputs breaks first: most outputs raised, ties and constant rows, more than 64 outputs.
BREAKING = [
    (f"{n} rows of {ones} ones", [[1] * ones + [0] * (n - ones)] * n, Fraction(2))
    for n, ones in ((4, 3), (4, 4), (70, 52))
]


def of_row(row: Sequence[Any], m: int, t: Fraction) -> Any:
    """Expected utility of a row of (6), its similarities sorted, with this m."""
    return (t * sum(row[:m]) + sum(row[m:])) / (m * t + len(row) - m)


def of_equal_rows(utility: Any, m: int, t: Fraction) -> Any:
    """That of many rows, if all are the same sorted one; else nothing."""
    rows = list(map(list, utility)) if len(utility) > 64 else []
    return of_row(rows[0], m, t) if rows and rows == [sorted(rows[0], reverse=True)] * len(rows) else None


def among_common_m(choose: Any, cases: Any, prior: Any = None) -> Iterator[Instance]:
    """Whether the m chosen has the largest average utility of (6) among m = 1..N."""
    for name, utility, t in cases:
        m = choose(utility, PrivacyLevel.from_ratio(t))
        values = [of_equal_rows(utility, k, t) or average(utility, k, t, prior) for k in range(1, len(utility) + 1)]
        own, best = values[m - 1], max(values)
        where = f"{name}, t = {t}: utility at the m of the algorithm, {m}, at the best, {values.index(best) + 1}"
        yield Instance(where, own, "==", best)


def better_of_both(utility: Any, level: PrivacyLevel) -> Any:
    """The larger average utility of BRR and of BRR*."""
    return max(
        channel(utility, level).expected_utility(utility) for channel in (closed.bipartite_rr, closed.bipartite_rr_star)
    )


#: p* and q* of (6).
ENTRIES = (closed.high_probability, closed.low_probability)
